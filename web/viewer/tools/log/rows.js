// SPDX-License-Identifier: MIT
// Converts entries of the log to rows of a list: the moves of one grab become one row. Row objects are reused as entries
// arrive.
const PARAMS_SHOWN = 140;

/** @typedef {{index: number, tick: number, client: number, method: string, params?: any, made?: number[]}} LogEntry params have the type of the method */

/**
 * @typedef {object} Row
 * @property {LogEntry[]} entries @property {string} key @property {number} tick @property {number} client
 * @property {string} method @property {string} params the params in short form
 */

/** All rows, extended as entries arrive. */
export class Rows {
  /** @type {Row[]} */
  all = [];

  /** @type {Map<number, Row>} rows of moving grabs, by grab id */
  #moves = new Map();

  /** @param {LogEntry[]} entries new entries of the log, in order */
  add(entries) {
    for (const entry of entries) {
      const grab = entry.method === 'grab.move' ? entry.params.grab : null;
      const moves = grab === null ? null : this.#moves.get(grab);
      if (moves) {
        moves.entries.push(entry);
        moves.params = `×${moves.entries.length} ${shorten(entry.params)}`;
        continue;
      }
      const { index, tick, client, method, params } = entry;
      const row = { entries: [entry], key: String(index), tick, client, method, params: shorten(params) };
      if (grab !== null) this.#moves.set(grab, row);
      else if (method === 'grab.end') this.#moves.delete(params.grab);
      this.all.push(row);
    }
  }
}

/** @param {object | undefined} params */
function shorten(params) {
  const text = JSON.stringify(params ?? {}).replace(/"(\w+)":/g, '$1: ').replace(/,/g, ', ').slice(1, -1);
  return text.length > PARAMS_SHOWN ? `${text.slice(0, PARAMS_SHOWN)} …` : text;
}

/** The rows that contain all of the words. @param {Row[]} rows @param {string} words @param {(client: number) => string} nameOf */
export function filterRows(rows, words, nameOf) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.tick} ${nameOf(row.client)} ${row.method} ${row.params}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

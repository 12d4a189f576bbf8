// SPDX-License-Identifier: MIT
// The files of a broadcast (FRAMES.md, "Broadcast"): fetched, checked and taken apart. Their messages are checked by the engine.

import { inflate } from '../inflate.js';
import { HEADER, MESSAGE_SNAPSHOT } from '../lockstep/own_world.js';

const FORMAT = 1;
const MESSAGE_TICKS = 6;
const FRAGMENT_BYTES = 64e6; // of one, decompressed; a server ends a fragment at 16 MiB
const FILE_BYTES = 256e6;
const LIST_BYTES = 4e6;
const PARTS = 10000;
const ATTEMPTS = 3;
const PAUSE_MS = 300;
const FRAGMENTS = 10000; // of a part
const NAMES = { snapshot: /^snapshot-\d{1,16}-[0-9a-f]{16}$/, ticks: /^ticks-\d{1,16}-[0-9a-f]{16}$/ };

/** @typedef {{file: string, from: number, to: number}} Fragment what was applied after tick `from`, up to tick `to` */
/** @typedef {{snapshot: string, tick: number, continues: boolean, fragments: Fragment[]}} Part a snapshot and what followed on it */
/** @typedef {{world: string, tickHz: number, physics: number, parts: Part[]}} List the content of manifest.json and timeline.json */

/** A file that is missing or damaged; `status` is that of the server, 0 without an answer. */
export class BroadcastError extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 200) {
    super(message);
    this.name = 'BroadcastError';
    this.status = status;
  }
}

const isTick = (/** @type {any} */ value) => Number.isSafeInteger(value) && value >= 0;

/** @param {boolean} holds @param {string} what */
function require(holds, what) {
  if (!holds) throw new BroadcastError(`The list of the broadcast is damaged: ${what}.`);
}

/** @param {any} value @returns {Part} */
function readPart(value) {
  require(value !== null && typeof value === 'object' && NAMES.snapshot.test(value.snapshot), 'a part has no snapshot');
  const { snapshot, tick, continues, fragments } = value;
  require(isTick(tick) && typeof continues === 'boolean', `the part ${snapshot} has no tick, or does not say whether it continues`);
  require(Array.isArray(fragments) && fragments.length <= FRAGMENTS, `the part ${snapshot} has no list of fragments`);
  let last = tick;
  return {
    snapshot,
    tick,
    continues,
    fragments: fragments.map((/** @type {any} */ fragment) => {
      require(NAMES.ticks.test(fragment?.file), `the part ${snapshot} has a fragment without a file`);
      const { file, from, to } = fragment;
      require(isTick(from) && isTick(to) && from <= to && to >= last, `the ticks of ${file} do not follow on those before`);
      last = to;
      return { file, from, to };
    }),
  };
}

/** Checks a list that was parsed as JSON. Throws BroadcastError. @param {any} value @returns {List} */
export function readList(value) {
  require(value !== null && typeof value === 'object', 'it is no object');
  if (value.format !== FORMAT) throw new BroadcastError(`The broadcast is of format ${value.format}, this client reads format ${FORMAT}.`);
  const { world, tickHz, physics, parts } = value;
  require(typeof world === 'string' && world.length <= 200, 'it names no world');
  require(typeof tickHz === 'number' && tickHz >= 1 && tickHz <= 1000, 'tickHz is not between 1 and 1000');
  require(isTick(physics), 'physics is no version');
  require(Array.isArray(parts) && parts.length > 0 && parts.length <= PARTS, 'it has no parts');
  return { world, tickHz, physics, parts: parts.map(readPart) };
}

/** The messages of type 6 in a fragment. Throws if it is damaged. @param {Uint8Array} file @returns {Promise<Uint8Array[]>} */
export async function readFragment(file) {
  const bytes = await inflate(file, FRAGMENT_BYTES).catch((error) => {
    throw new BroadcastError(`A fragment of the broadcast is damaged: ${error.message}`);
  });
  const view = new DataView(bytes.buffer);
  const messages = [];
  for (let at = 0; at < bytes.length;) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : 0;
    const message = bytes.slice(at + 4, at + 4 + length);
    if (length < HEADER || message.length !== length || message[0] !== MESSAGE_TICKS) {
      throw new BroadcastError('A fragment of the broadcast is damaged: it does not consist of messages of ticks.');
    }
    messages.push(message);
    at += 4 + length;
  }
  return messages;
}

/** Checks that a file is a message of type 5. @param {Uint8Array} file */
export function readSnapshot(file) {
  if (file.length < HEADER || file[0] !== MESSAGE_SNAPSHOT) throw new BroadcastError('A snapshot of the broadcast is damaged.');
  return file;
}

/** A server that is busy or out of reach for a moment is asked again. @param {string} url @returns {Promise<Response | null>} */
async function fetchPatiently(url) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url).catch(() => null);
    if (attempt === ATTEMPTS || (answer && answer.status < 500)) return answer;
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS * attempt); });
  }
}

export class BroadcastFiles {
  /** @param {string} address of manifest.json, or of the folder that it lies in */
  constructor(address) {
    this.folder = new URL('.', address).href;
  }

  /** @param {'manifest.json' | 'timeline.json'} name */
  async list(name) {
    const bytes = await this.#fetch(name, LIST_BYTES);
    let value;
    try {
      value = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw new BroadcastError('The list of the broadcast is damaged: it is no JSON.');
    }
    return readList(value);
  }

  /** @param {Part} part */
  async snapshot(part) {
    return readSnapshot(await this.#fetch(part.snapshot, FILE_BYTES));
  }

  /** @param {Fragment} fragment */
  async fragment(fragment) {
    return readFragment(await this.#fetch(fragment.file, FILE_BYTES));
  }

  /** @param {string} name @param {number} most bytes */
  async #fetch(name, most) {
    const url = this.folder + name;
    const answer = await fetchPatiently(url);
    if (!answer) throw new BroadcastError(`The broadcast ${this.folder} could not be reached.`, 0);
    if (!answer.ok) {
      const why = answer.headers.get('content-type')?.startsWith('text/plain') ? (await answer.text()).trim().slice(0, 200) : `The server answers ${answer.status}.`;
      throw new BroadcastError(`${url} could not be loaded. ${why}`, answer.status);
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length > most) throw new BroadcastError(`${url} has more than ${most} bytes.`);
    return bytes;
  }
}

// SPDX-License-Identifier: MIT
// What was done in a world, as the bytes in a link's fragment before they are deflated. Values of the same kind stand together, so
// that they compress well; the positions of a drag are integers in units of a power of two, as second differences, which
// are small where a hand moves evenly.
//
// Numbers are varints: seven bits a byte, the lowest first, bit 7 of each byte but the last set; signed ones are zigzag. The body:
//   physics version; hash of the state, 8 bytes; the simulation's sequence number before the scene, and how much greater the present
//     one is; number of clients; number of deeds
//   for each deed: 1 if it moves a grab, else 0, one byte
//   for each deed: ticks since the one before; then for each: number of its client, from 0 on; then for each: difference of the
//     simulation's sequence number from the one before, signed
//   for each move: difference of the grab's number from that of the move before, signed
//   for each grab, in the order of the first moves: the exponent of its unit, 2^−exponent m
//   for each move the second differences of x, then for each those of y, then of z, signed
//   length of the text; for each other deed a line: method, space, parameters as JSON; UTF-8

import { METHODS } from '../protocol.js';
import { toJson } from './json.js';

const EXPONENT_MOST = 20;
const UNITS_MOST = 2 ** 40; // of a position
export const DEEDS_MOST = 100000;
export const CLIENTS_MOST = 64;
const MOVE = 'grab.move';

/** Changes that a link holds no command for: they are of the clock, or lead to another history, of which a link holds what led to the present state. */
const LEFT_OUT = new Set(['world.pause', 'world.resume', 'world.step', 'world.reset', 'scene.load', 'world.seek', 'world.replay', 'world.undo', 'world.redo']);

/**
 * A command. `tick` is the first that sees it, `number` the simulation's sequence number before it, `client` one of the clients
 * that did something, from 0 on; `params` is JSON.
 * @typedef {{tick: number, client: number, number: number, method: string, params: string}} Deed
 *
 * @typedef {object} Body
 * @property {number} physics version @property {string} hash of the state after all deeds and ticks
 * @property {number} first the simulation's sequence number before the scene @property {number} last that of the state: ids are made of them
 * @property {number} clients how many did something @property {Deed[]} deeds
 */

/** A world has no link, or a link is damaged. */
export class LinkError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'LinkError';
  }
}

/** Whether a link may hold a command of this method. @param {string} method */
export const isKept = (method) => Object.hasOwn(METHODS, method) && METHODS[/** @type {keyof typeof METHODS} */ (method)].kind === 'change' && !LEFT_OUT.has(method);

// ---- drags

/** @typedef {{grab: number, position: number[]}} Move */

/** The parameters of a move. @param {number} grab @param {number[]} position */
const moveText = (grab, position) => toJson({ grab, position });

/** A deed as a move, if its parameters can be made from integers again. @param {Deed} deed @returns {Move | null} */
function asMove({ method, params }) {
  if (method !== MOVE) return null;
  const { grab, position } = JSON.parse(params);
  if (!Number.isSafeInteger(grab) || !Array.isArray(position) || moveText(grab, position) !== params || exponentOf(position) > EXPONENT_MOST) return null;
  return position.every((value) => !Object.is(value, -0)) ? { grab, position } : null;
}

/** The smallest exponent with which all coordinates are integers. @param {number[]} position */
function exponentOf(position) {
  let exponent = 0;
  while (exponent <= EXPONENT_MOST && !position.every((value) => Number.isSafeInteger(value * 2 ** exponent) && Math.abs(value * 2 ** exponent) < UNITS_MOST)) exponent++;
  return exponent;
}

/** The exponents of grabs, in the order of their first moves. @param {Move[]} moves */
function exponentsOf(moves) {
  /** @type {Map<number, number>} */
  const exponents = new Map();
  for (const { grab, position } of moves) exponents.set(grab, Math.max(exponents.get(grab) ?? 0, exponentOf(position)));
  return exponents;
}

/** What continues a series evenly. @param {number[]} before its last two values, the newest first; or fewer */
const expected = ([last = 0, beforeIt = last]) => 2 * last - beforeIt;

// ---- bytes

class Writer {
  /** @type {number[]} */
  bytes = [];

  /** @param {number} value */
  varint(value) {
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) this.bytes.push(128 + (left % 128));
    this.bytes.push(left);
  }

  /** @param {number} value */
  signed(value) {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }
}

class Reader {
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    if (this.#at >= this.bytes.length) throw new LinkError('its part after # is damaged: it ends too early');
    return this.bytes[this.#at++];
  }

  /** @param {number} most @param {string} what */
  varint(most, what) {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (value > most) throw new LinkError(`its part after # is damaged: ${what} is greater than ${most}`);
      if (byte < 128) return value;
      if (scale > most) throw new LinkError(`its part after # is damaged: ${what} does not end`);
    }
  }

  /** @param {number} most of its size @param {string} what */
  signed(most, what) {
    const value = this.varint(2 * most, what);
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** @param {number} length */
  take(length) {
    if (length > this.left) throw new LinkError('its part after # is damaged: it ends too early');
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }

  get left() {
    return this.bytes.length - this.#at;
  }
}

const U32 = 2 ** 32 - 1;

// ---- bodies

/** @param {Body} body @returns {Uint8Array} */
export function packBody({ physics, hash, first, last, clients, deeds }) {
  const moves = deeds.map(asMove);
  const moved = /** @type {Move[]} */ (moves.filter((move) => move !== null));
  const exponents = exponentsOf(moved);
  const writer = new Writer();
  writer.varint(physics);
  for (let at = 0; at < 16; at += 2) writer.bytes.push(Number.parseInt(hash.slice(at, at + 2), 16));
  writer.varint(first);
  writer.varint(last - first);
  writer.varint(clients);
  writer.varint(deeds.length);
  for (const move of moves) writer.bytes.push(move ? 1 : 0);
  deeds.forEach(({ tick }, index) => writer.varint(tick - (deeds[index - 1]?.tick ?? 0)));
  for (const { client } of deeds) writer.varint(client);
  deeds.forEach(({ number }, index) => writer.signed(number - (deeds[index - 1]?.number ?? 0)));
  moved.forEach(({ grab }, index) => writer.signed(grab - (moved[index - 1]?.grab ?? 0)));
  for (const exponent of exponents.values()) writer.varint(exponent);
  for (let axis = 0; axis < 3; axis++) {
    /** @type {Map<number, number[]>} the last two values by grab */
    const before = new Map();
    for (const { grab, position } of moved) {
      const value = position[axis] * 2 ** /** @type {number} */ (exponents.get(grab));
      const known = before.get(grab) ?? [];
      writer.signed(value - expected(known));
      before.set(grab, [value, ...known.slice(0, 1)]);
    }
  }
  const text = new TextEncoder().encode(deeds.filter((_, index) => !moves[index]).map(({ method, params }) => `${method} ${params}`).join('\n'));
  writer.varint(text.length);
  const bytes = new Uint8Array(writer.bytes.length + text.length);
  bytes.set(writer.bytes);
  bytes.set(text, writer.bytes.length);
  return bytes;
}

/** @param {Reader} reader @param {number} count @returns {Move[]} */
function readMoves(reader, count) {
  let grab = 0;
  const grabs = Array.from({ length: count }, () => {
    grab += reader.signed(U32, 'the number of a grab');
    if (grab < 0 || grab > U32) throw new LinkError('its part after # is damaged: a grab has no number');
    return grab;
  });
  const exponents = new Map([...new Set(grabs)].map((each) => [each, reader.varint(EXPONENT_MOST, 'the unit of a position')]));
  const axes = [0, 1, 2].map(() => {
    /** @type {Map<number, number[]>} */
    const before = new Map();
    return grabs.map((each) => {
      const known = before.get(each) ?? [];
      const value = expected(known) + reader.signed(4 * UNITS_MOST, 'a position');
      if (Math.abs(value) >= UNITS_MOST) throw new LinkError('its part after # is damaged: a position is out of bounds');
      before.set(each, [value, ...known.slice(0, 1)]);
      return value / 2 ** /** @type {number} */ (exponents.get(each));
    });
  });
  return grabs.map((each, index) => ({ grab: each, position: axes.map((values) => values[index]) }));
}

/** @param {string} line */
function readCommand(line) {
  const space = line.indexOf(' ');
  const [method, params] = [line.slice(0, space), line.slice(space + 1)];
  if (!isKept(method)) throw new LinkError(`its part after # has a command "${method.slice(0, 60)}", which no link has`);
  let value;
  try {
    value = JSON.parse(params);
  } catch {
    // refused below
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value) || Object.hasOwn(value, 'atTick')) {
    throw new LinkError(`its part after # is damaged: the parameters of ${method} are none`);
  }
  return { method, params };
}

/** Throws LinkError. @param {Uint8Array} bytes @returns {Body} */
export function unpackBody(bytes) {
  const reader = new Reader(bytes);
  const physics = reader.varint(U32, 'the physics version');
  const hash = Array.from(reader.take(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const first = reader.varint(U32, 'the number before its scene');
  const last = first + reader.varint(U32 - first, 'its last number');
  const clients = reader.varint(CLIENTS_MOST, 'the number of clients');
  const count = reader.varint(Math.min(DEEDS_MOST, reader.left), 'the number of commands'); // each takes several bytes
  const kinds = Array.from({ length: count }, () => reader.byte());
  if (kinds.some((kind) => kind > 1)) throw new LinkError('its part after # is damaged: it has an unknown kind of command');
  let tick = 0;
  const ticks = kinds.map(() => { tick += reader.varint(U32, 'a tick'); return tick; });
  if (ticks[0] === 0) throw new LinkError('its part after # is damaged: a command has no tick');
  const causers = kinds.map(() => reader.varint(clients - 1, 'the number of a client'));
  let number = 0;
  const numbers = kinds.map(() => {
    number += reader.signed(U32, 'the number of a command');
    if (number < 0 || number > U32) throw new LinkError('its part after # is damaged: a command has no number');
    return number;
  });
  const moves = readMoves(reader, kinds.filter((kind) => kind === 1).length);
  const lines = readLines(reader.take(reader.varint(reader.left, 'the length of its text')));
  if (reader.left > 0 || lines.length !== kinds.length - moves.length) throw new LinkError('its part after # is damaged: it does not end where it should');
  let [move, line] = [0, 0];
  const deeds = kinds.map((kind, index) => {
    const made = kind === 1 ? { method: MOVE, params: moveText(moves[move].grab, moves[move++].position) } : readCommand(lines[line++]);
    return { tick: ticks[index], client: causers[index], number: numbers[index], ...made };
  });
  return { physics, hash, first, last, clients, deeds };
}

/** @param {Uint8Array} bytes */
function readLines(bytes) {
  if (bytes.length === 0) return [];
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\n');
  } catch {
    throw new LinkError('its part after # is damaged: its text is no UTF-8');
  }
}

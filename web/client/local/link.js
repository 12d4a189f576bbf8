// SPDX-License-Identifier: MIT
// A world as a link. Parameters that anyone can read and write come first: the settings of world.set by their names in the protocol,
// then ticks a second (where there are not 60), the tick, whether the world is paused, and the
// tick from which on whoever opens the link is shown the ticks up to that one first (moment.js):
//
//     ?scene=cloth&gravity=0,-3,0&wind.velocity=4,0,0&wind.gust=0.5&tickHz=120&tick=600&paused=true
//
// If more was done than that, the fragment holds it: base64url of a version byte and a deflated body (link_body.js). Whoever opens
// the link computes the same ticks again (link_world.js). A link may come from anywhere: everything in it is checked.

import { fromBase64, toBase64 } from './base64.js';
import { Refusal } from './errors.js';
import { CLIENTS_MOST, DEEDS_MOST, LinkError, packBody, unpackBody } from './link_body.js';

export const LINK_CHARACTERS = 8000; // a link is offered up to this length: browsers and chat programs pass it on whole
export const TICKS_MOST = 36000; // ten minutes at 60 ticks a second: whoever opens the link has to compute them
const READ_CHARACTERS = 16000; // a longer address is refused unread
const BODY_BYTES = 1 << 20; // of a body, inflated
const VERSION = 1;
const OWN = ['tickHz', 'tick', 'paused', 'from'];
const TICK_HZ = 60; // where a link says nothing else
const TICK_HZ_MOST = 1000;
const NAME = /^[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*)?$/;
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i;

/** @typedef {import('./link_body.js').Deed} Deed */
/**
 * @typedef {object} Link
 * @property {Record<string, any>} settings parameters of world.set before the first tick; may be empty
 * @property {number} tickHz ticks a second @property {number} tick the last one that was computed
 * @property {boolean} paused
 * @property {number} [from] the tick from which on its last ticks are shown first
 * @property {import('./link_body.js').Body | null} body what was done besides, and the hash of the state after it; null: nothing
 */

// ---- the readable part

/** @param {string} name @param {string} text */
function readValue(name, text) {
  if (text === 'true' || text === 'false') return text === 'true';
  const parts = text.split(',');
  if (!parts.every((part) => NUMBER.test(part))) {
    if (/^[a-z]+$/i.test(text)) return text; // a word, such as "exact"
    throw wrong(`${name} must be a number, a vector x,y,z, true, false or a word, got "${text.slice(0, 60)}"`, name);
  }
  return parts.length === 1 ? Number(text) : parts.map(Number);
}

/** @param {unknown} value @returns {string | null} null: the value has no readable form */
function writeValue(value) {
  const number = (/** @type {unknown} */ one) => (typeof one === 'number' && !Object.is(one, -0) && Number.isFinite(one) ? String(one).replace('e+', 'e') : null);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return /^[a-z]+$/i.test(value) && value !== 'true' && value !== 'false' ? value : null;
  if (!Array.isArray(value)) return number(value);
  const parts = value.map(number);
  return parts.length > 1 && !parts.includes(null) ? parts.join() : null;
}

/** @param {string} message @param {string} [name] of the parameter */
function wrong(message, name) {
  return new Refusal('INVALID', `the link is wrong: ${message}`, name === undefined ? '' : `/${name.replace('.', '/')}`);
}

/** Settings as parameters of a link. @param {Record<string, any>} settings @returns {[string, string][] | null} null: they have no readable form */
export function writeSettings(settings) {
  /** @type {[string, string | null][]} */
  const rows = Object.entries(settings).flatMap(([name, value]) => (
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).map(([inner, each]) => /** @type {[string, string | null]} */ ([`${name}.${inner}`, writeValue(each)]))
      : [/** @type {[string, string | null]} */ ([name, writeValue(value)])]));
  return rows.every(([name, value]) => value !== null && NAME.test(name) && !OWN.includes(name)) ? /** @type {[string, string][]} */ (rows) : null;
}

/** @param {[string, string][]} rows */
function readSettings(rows) {
  /** @type {Record<string, any>} */
  const settings = {};
  for (const [name, text] of rows) {
    if (!NAME.test(name) || name === 'atTick') throw wrong(`it has a parameter "${name.slice(0, 60)}": allowed are the settings of world.set, tickHz, tick, paused and from`, name);
    const [outer, inner] = name.split('.');
    const value = readValue(name, text);
    if (inner === undefined && !Object.hasOwn(settings, outer)) {
      settings[outer] = value;
    } else if (inner !== undefined && (!Object.hasOwn(settings, outer) || isPlain(settings[outer]))) {
      settings[outer] = { ...settings[outer], [inner]: value };
    } else {
      throw wrong(`it gives ${outer} both as a whole and in parts`, name);
    }
  }
  return settings;
}

/** @param {unknown} value */
const isPlain = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** @param {string | undefined} text */
function readTickHz(text) {
  if (text === undefined) return TICK_HZ;
  if (!NUMBER.test(text) || !(Number(text) >= 1 && Number(text) <= TICK_HZ_MOST)) throw wrong(`tickHz must be a number from 1 to ${TICK_HZ_MOST}, got "${text.slice(0, 60)}"`, 'tickHz');
  return Number(text);
}

/** @param {string | undefined} text */
function readTick(text) {
  if (text === undefined) return 0;
  if (!/^\d{1,9}$/.test(text) || Number(text) > TICKS_MOST) throw wrong(`tick must be an integer from 0 to ${TICKS_MOST}, got "${text.slice(0, 60)}"`, 'tick');
  return Number(text);
}

/** @param {string | undefined} text */
function readPaused(text) {
  if (text !== undefined && text !== 'true' && text !== 'false') throw wrong(`paused must be true or false, got "${text.slice(0, 60)}"`, 'paused');
  return text === 'true';
}

/** @param {string | undefined} text @param {number} tick */
function readFrom(text, tick) {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text) || Number(text) >= tick) throw wrong(`from must be an integer from 0 to ${tick - 1}, before its tick, got "${text.slice(0, 60)}"`, 'from');
  return Number(text);
}

// ---- the fragment

/** @param {Uint8Array} bytes */
function toText(bytes) {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function toBytes(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) throw new LinkError('its part after # has characters that no link has');
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** @param {Uint8Array} bytes */
async function deflate(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {Uint8Array} bytes */
async function inflate(bytes) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw new LinkError('its part after # is damaged: it cannot be decompressed'); });
    if (done) break;
    size += value.length;
    if (size > BODY_BYTES) {
      reader.cancel().catch(() => {});
      throw new LinkError(`its part after # has more than ${BODY_BYTES} bytes when it is decompressed`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {string} fragment */
async function readFragment(fragment) {
  const bytes = toBytes(fragment);
  if (bytes[0] !== VERSION) throw new LinkError(`its part after # has format ${bytes[0] ?? 'none'}, this version reads format ${VERSION}`);
  return unpackBody(await inflate(bytes.subarray(1)));
}

// ---- both

/**
 * A link's parameters after `?` and its fragment after `#`, both without these characters; the fragment may be empty.
 * Throws LinkError if it has commands that a link cannot hold.
 * @param {Link} link
 */
export async function writeLink({ settings, tickHz, tick, paused, body }) {
  const rows = writeSettings(settings);
  if (!rows) throw new LinkError('its settings have no readable form');
  if (tick > TICKS_MOST) throw new LinkError(`it has ${tick} ticks, and a link holds up to ${TICKS_MOST}`);
  if (tickHz !== TICK_HZ) rows.push(['tickHz', String(tickHz)]);
  if (tick > 0) rows.push(['tick', String(tick)]);
  if (paused) rows.push(['paused', 'true']);
  const search = rows.map(([name, value]) => `${name}=${value}`).join('&');
  if (!body) return { search, fragment: '' };
  if (body.clients > CLIENTS_MOST) throw new LinkError(`${body.clients} clients have done something in it, and a link holds what ${CLIENTS_MOST} have done`);
  if (body.deeds.length > DEEDS_MOST) throw new LinkError(`it has ${body.deeds.length} commands, and a link holds up to ${DEEDS_MOST}`);
  const packed = packBody(body);
  if (packed.length > BODY_BYTES) throw new LinkError(`its commands take ${packed.length} bytes, and a link holds up to ${BODY_BYTES}`);
  const deflated = await deflate(packed);
  const bytes = new Uint8Array(1 + deflated.length);
  bytes[0] = VERSION;
  bytes.set(deflated, 1);
  return { search, fragment: toText(bytes) };
}

/**
 * Throws a Refusal that says what is wrong.
 * @param {string} search parameters @param {string} fragment
 * @returns {Promise<Link>}
 */
export async function readLink(search, fragment) {
  if (search.length + fragment.length > READ_CHARACTERS) throw wrong(`it has ${search.length + fragment.length} characters, and at most ${READ_CHARACTERS} are read`);
  const rows = [...new URLSearchParams(search)];
  const names = rows.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw wrong(`it gives ${twice.slice(0, 60)} twice`, twice);
  const own = new Map(rows.filter(([name]) => OWN.includes(name)));
  const tickHz = readTickHz(own.get('tickHz'));
  const tick = readTick(own.get('tick'));
  const paused = readPaused(own.get('paused'));
  const from = readFrom(own.get('from'), tick);
  const settings = readSettings(rows.filter(([name]) => !OWN.includes(name)));
  try {
    const body = fragment === '' ? null : await readFragment(fragment);
    if (body?.deeds.some((deed) => deed.tick > tick + 1)) throw new LinkError(`it has a command after its last tick, ${tick}`);
    return { settings, tickHz, tick, paused, ...(from !== null && { from }), body };
  } catch (error) {
    throw error instanceof LinkError ? wrong(error.message) : error;
  }
}

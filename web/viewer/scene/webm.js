// SPDX-License-Identifier: MIT
// Adds the duration to a video. Browsers write WebM as a stream and never add the duration, so players can neither show it
// nor seek; this module writes it into the video's Info element (Matroska, RFC 9559: EBML ids and sizes of variable length).
// Pure.

const ID = { ebml: 0x1a45dfa3, segment: 0x18538067, info: 0x1549a966, duration: 0x4489, scale: 0x2ad7b1 };
const DURATION_BYTES = 11; // id 2, size 1, float64 8
const NS_PER_MS = 1e6;

/** @typedef {{ id: number, start: number, end: number, unknown: boolean, sizeAt: number, sizeBytes: number }} EbmlElement */

/**
 * The id of an element, and the range of its content; a size of all ones means unknown: up to the end.
 * @param {DataView} view @param {number} at
 * @returns {EbmlElement}
 */
function elementAt(view, at) {
  const idBytes = Math.clz32(view.getUint8(at)) - 23;
  let id = 0;
  for (let i = 0; i < idBytes; i++) id = id * 256 + view.getUint8(at + i);
  const lead = view.getUint8(at + idBytes);
  const sizeBytes = Math.clz32(lead) - 23;
  let size = lead & (0xff >> sizeBytes);
  let unknown = size === 0xff >> sizeBytes;
  for (let i = 1; i < sizeBytes; i++) {
    const byte = view.getUint8(at + idBytes + i);
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  const start = at + idBytes + sizeBytes;
  return { id, start, end: unknown ? view.byteLength : start + size, unknown, sizeAt: at + idBytes, sizeBytes };
}

/** @param {DataView} view @param {number} wanted @param {number} from @param {number} to */
function find(view, wanted, from, to) {
  for (let at = from; at < to;) {
    const element = elementAt(view, at);
    if (element.id === wanted) return element;
    at = element.end;
  }
  return null;
}

/** @param {number} bytes */
function sizeIn8(bytes) {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, 2n ** 56n | BigInt(bytes));
  return out;
}

/**
 * @param {Uint8Array} film @param {number} ms duration of the video
 * @returns {Uint8Array} the video with its duration; unchanged if it has one already, or is no WebM
 */
export function withDuration(film, ms) {
  const view = new DataView(film.buffer, film.byteOffset, film.byteLength);
  try {
    const header = elementAt(view, 0);
    const segment = header.id === ID.ebml && find(view, ID.segment, header.end, film.length);
    const info = segment && find(view, ID.info, segment.start, Math.min(segment.end, film.length));
    if (!info) return film;
    const known = find(view, ID.duration, info.start, info.end);
    if (known && (known.end - known.start === 8 ? view.getFloat64(known.start) : view.getFloat32(known.start)) > 0) return film;
    return rewritten(film, view, segment, info, known, ms / (scaleOf(view, info) / NS_PER_MS));
  } catch (error) {
    if (error instanceof RangeError) return film; // the file ends within an element
    throw error;
  }
}

/** @param {DataView} view @param {EbmlElement} info */
function scaleOf(view, info) {
  const scale = find(view, ID.scale, info.start, info.end);
  let value = 0;
  for (let at = scale?.start ?? 0; scale && at < scale.end; at++) value = value * 256 + view.getUint8(at);
  return value || NS_PER_MS;
}

/**
 * @param {Uint8Array} film @param {DataView} view @param {EbmlElement} segment @param {EbmlElement} info
 * @param {EbmlElement | null} known @param {number} duration
 */
function rewritten(film, view, segment, info, known, duration) {
  const kept = known ? [film.subarray(info.start, elementStart(known, 2)), film.subarray(known.end, info.end)] : [film.subarray(info.start, info.end)];
  const length = new Uint8Array(DURATION_BYTES);
  length.set([0x44, 0x89, 0x88]);
  new DataView(length.buffer).setFloat64(3, duration);
  const content = [...kept, length];
  const bytes = content.reduce((sum, part) => sum + part.length, 0);
  const head = film.slice(0, info.sizeAt);
  const grown = 8 + bytes - (info.end - info.sizeAt);
  if (!segment.unknown) {
    if (segment.sizeBytes !== 8) return film; // no room for a larger size
    head.set(sizeIn8(segment.end - segment.start + grown), segment.sizeAt);
  }
  const parts = [head, sizeIn8(bytes), ...content, film.subarray(info.end)];
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** @param {EbmlElement} element @param {number} idBytes */
const elementStart = ({ sizeAt }, idBytes) => sizeAt - idBytes;

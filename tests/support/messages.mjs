// SPDX-License-Identifier: MIT
// Builds binary messages as described in proto/FRAMES.md, in a simple way, as input of decoders in tests.

/** Puts a header before a payload of bytes. */
export function message({ type, coding = 0, flags = 0, epoch = 1, tick = 0, first = 0, count = 0, step = 0 }, payload) {
  const bytes = new Uint8Array(32 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, type);
  view.setUint8(1, coding);
  view.setUint16(2, flags, true);
  view.setUint32(4, epoch, true);
  view.setBigUint64(8, BigInt(tick), true);
  view.setUint32(16, first, true);
  view.setUint32(20, count, true);
  view.setFloat32(24, step, true);
  bytes.set(payload, 32);
  return bytes;
}

/** @param {object} head @param {number[]} positions */
export function rawFrame(head, positions) {
  return message({ type: 1, coding: 0, flags: 4, count: positions.length / 3, ...head }, bytesOf(Float32Array.from(positions)));
}

/** Blocks of 128 particles within each element of `parts` (particles of each object). */
export function gridFrame(head, positions, parts = [positions.length / 3]) {
  const step = Math.fround(head.step ?? 1 / 4096);
  const words = [];
  let particle = 0;
  for (const part of parts) {
    for (let done = 0; done < part; done += 128) {
      const n = Math.min(128, part - done);
      words.push(...gridBlock(positions.slice(3 * particle, 3 * (particle + n)), n, step));
      particle += n;
    }
  }
  return message({ type: 1, coding: 1, flags: 4, count: positions.length / 3, ...head, step }, bytesOf(Uint32Array.from(words)));
}

function gridBlock(positions, n, step) {
  const planes = [0, 1, 2].map((axis) => {
    const cells = Array.from({ length: n }, (_, i) => Math.floor(positions[3 * i + axis] / step + 0.5));
    const least = Math.min(...cells);
    const bits = Math.ceil(Math.log2(Math.max(...cells) - least + 1));
    return { least, bits, words: pack(cells.map((cell) => cell - least), bits) };
  });
  const shape = planes[0].bits | (planes[1].bits << 8) | (planes[2].bits << 16) | ((n - 1) << 24);
  return [...planes.map(({ least }) => least >>> 0), shape >>> 0, ...planes.flatMap(({ words }) => words)];
}

function pack(values, bits) {
  let packed = 0n;
  values.forEach((value, i) => (packed |= BigInt(value) << BigInt(i * bits)));
  return Array.from({ length: Math.ceil((values.length * bits) / 32) }, (_, i) => Number((packed >> BigInt(32 * i)) & 0xffffffffn));
}

/** A topology message from `text` (missing members are filled in) and words of triangles. */
export function topology(head, text, words = []) {
  const whole = { base: null, removed: [], objects: [], obstacles: [], sticks: [], grabs: [], bounds: { min: [-100, -100, -100], max: [100, 100, 100] }, ...text };
  let json = new TextEncoder().encode(JSON.stringify(whole));
  while (json.length % 4 !== 0) json = Uint8Array.from([...json, 0x20]);
  const payload = new Uint8Array(4 + json.length + 4 * words.length);
  new DataView(payload.buffer).setUint32(0, json.length, true);
  payload.set(json, 4);
  payload.set(bytesOf(Uint32Array.from(words)), 4 + json.length);
  return message({ type: 2, flags: whole.base === null ? 0 : 1, ...head }, payload);
}

export function object(id, kind, particles, more = {}) {
  return { id, kind, name: `${kind} ${id}`, color: null, particles, radius: 0.01, pins: [], ...more };
}

function bytesOf(array) {
  return new Uint8Array(array.buffer);
}

// SPDX-License-Identifier: MIT
// Shared functions of the JavaScript servers: a frame that carries its tick, and a timer without drift.

const bodies = new Map();

export function frameOf(bytes, tick) {
  if (!bodies.has(bytes)) bodies.set(bytes, Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => Math.imul(at, 2654435761) >>> 13)));
  const frame = Buffer.from(bodies.get(bytes)); // a copy, because sockets may still hold the previous frame
  frame.fill(0, 0, 32);
  frame[0] = 1;
  frame[2] = 4;
  frame[4] = 1;
  frame.writeBigUInt64LE(BigInt(tick), 8);
  return frame;
}

/** Calls a function at every tick; missed ticks are skipped. */
export function pace(hz, send) {
  const start = performance.now();
  let tick = 0;
  const now = () => Math.floor(((performance.now() - start) * hz) / 1000);
  const wait = () => setTimeout(next, Math.max(0, start + (1000 * (tick + 1)) / hz - performance.now()));
  const next = () => {
    if (now() > tick) send((tick = now())); // a timer may fire slightly early
    wait();
  };
  wait();
}

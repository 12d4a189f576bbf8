// SPDX-License-Identifier: MIT
// A plain JavaScript solver: verlet.mjs SOLVER SHEET SIDE SUBSTEPS SWEEPS TICKS [WATCHED], Jakobsen's method as usually
// written for the web, with the sticks in the order of creation. It uses the same sheet as the other contenders, and prints
// the same line of JSON as `solver`.

import { execFileSync } from 'node:child_process';

const [program, sheet, side, substeps, sweeps, ticks, watched = 0] = [process.argv[2], process.argv[3], ...process.argv.slice(4).map(Number)];
const WARM_TICKS = 5;

// The sheet comes from the program of the other contenders: counts, then positions, masses, sticks.
const bytes = execFileSync(program, ['sheet', sheet, side, 1, 1, 1, 0], { maxBuffer: 2 ** 28 });
const { buffer, byteOffset } = bytes;
const [particles, sticks] = new Uint32Array(buffer.slice(byteOffset, byteOffset + 8));
let at = byteOffset + 8;
const take = (Type, count) => new Type(buffer.slice(at, (at += 4 * count)));
const start = take(Float32Array, 3 * particles);
const ends = [take(Uint32Array, sticks), take(Uint32Array, sticks)];
const rests = take(Float32Array, sticks);
const pins = new Set(take(Uint32Array, 2));

const points = Array.from({ length: particles }, (_, i) => {
  const [x, y, z] = start.subarray(3 * i, 3 * i + 3);
  return { x, y, z, oldX: x, oldY: y, oldZ: z, w: pins.has(i) ? 0 : 1 };
});
const links = Array.from({ length: sticks }, (_, i) => ({ a: points[ends[0][i]], b: points[ends[1][i]], rest: rests[i] }));

function integrate(h) {
  for (const p of points) {
    if (p.w === 0) continue;
    const [x, y, z] = [p.x, p.y, p.z];
    p.x += p.x - p.oldX;
    p.y += p.y - p.oldY - 9.81 * h * h;
    p.z += p.z - p.oldZ;
    p.oldX = x;
    p.oldY = y;
    p.oldZ = z;
  }
}

function relax() {
  for (const { a, b, rest } of links) {
    const w = a.w + b.w;
    if (w === 0) continue;
    const x = b.x - a.x;
    const y = b.y - a.y;
    const z = b.z - a.z;
    const length = Math.sqrt(x * x + y * y + z * z);
    const s = (length - rest) / (length * w);
    a.x += a.w * s * x;
    a.y += a.w * s * y;
    a.z += a.w * s * z;
    b.x -= b.w * s * x;
    b.y -= b.w * s * y;
    b.z -= b.w * s * z;
  }
}

function tick() {
  for (let substep = 0; substep < substeps; substep++) {
    integrate(1 / (60 * substeps));
    for (let sweep = 0; sweep < sweeps; sweep++) relax();
  }
}

for (let i = 0; i < WARM_TICKS; i++) tick();
const before = process.cpuUsage();
const wall = performance.now();
for (let i = 0; i < ticks; i++) tick();
const { user, system } = process.cpuUsage(before);

function stretch() {
  let [mean, worst] = [0, 0];
  for (const { a, b, rest } of links) {
    const off = Math.abs(Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z) - rest) / rest;
    mean += off / sticks;
    worst = off > worst || off !== off ? off : worst;
  }
  return { mean, worst };
}

const seconds = (performance.now() - wall) / 1000;
let [left, average] = [{ mean: 0, worst: 0 }, 0];
for (let i = 0; i < watched; i++) {
  tick();
  left = stretch();
  average += left.mean / watched;
}
const finite = (value) => (Number.isFinite(value) ? value : 1e30);
console.log(JSON.stringify({ projections: sticks * substeps * sweeps * ticks, cpu: (user + system) / 1e6, wall: seconds, mean: finite(left.mean), worst: finite(left.worst), watched: finite(average), sticks, particles }));

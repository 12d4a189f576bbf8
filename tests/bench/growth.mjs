// SPDX-License-Identifier: MIT
// Measures how the time of a tick grows with the number of particles, in a mixed scene.

import { lines } from './chart.mjs';
import { short, table } from './bench.mjs';

const SIZES = [1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 5e5, 1e6];
const ROUNDS = 3;
const LARGE = 3e5; // from this number on one run suffices: it takes many seconds, and its time varies little

const ticksFor = (size) => Math.max(10, Math.min(200, Math.round(4e6 / size)));

export async function run(bench) {
  const figures = {};
  const rows = [];
  const once = (size, threads) => () => bench.json(bench.program('growth'), [size, threads, ticksFor(size)]);
  for (const size of SIZES) {
    const [alone, together] = await bench.inTurn([once(size, 1), once(size, 2)], size >= LARGE ? 1 : ROUNDS);
    const name = `growth.n${size}`;
    Object.assign(figures, {
      [`${name}.cpu_ms`]: alone.cpuMs,
      [`${name}.ns_per_particle`]: (1e6 * alone.cpuMs) / alone.particles,
      [`${name}.threads2_ms`]: together.wallMs,
      [`${name}.hz`]: 1000 / together.wallMs,
      [`${name}.falling.ns_per_particle`]: (1e6 * alone.fallingCpuMs) / alone.particles,
      [`${name}.falling.threads2_ms`]: together.fallingWallMs,
      [`${name}.falling.hz`]: 1000 / together.fallingWallMs,
    });
    const on = (ms) => (together.threads === 2 ? short(ms) : `${short(ms)} (one thread)`);
    rows.push([short(size), alone.particles, alone.sticks, short(alone.cpuMs), short(figures[`${name}.ns_per_particle`]), on(together.wallMs), short(figures[`${name}.hz`]), short(figures[`${name}.falling.ns_per_particle`]), on(together.fallingWallMs)]);
    bench.say(`${size} particles: ${short(figures[`${name}.ns_per_particle`])} ns a particle, ${short(figures[`${name}.falling.ns_per_particle`])} while bodies fall; on two threads ${short(together.wallMs)} and ${short(together.fallingWallMs)} ms`);
  }
  const [small, large] = await bench.inTurn([once(1e4, 1), once(5e5, 1)], ROUNDS);
  const ratio = (member) => large[member] / large.particles / (small[member] / small.particles);
  figures['growth.cost_ratio_500k_10k'] = ratio('cpuMs');
  figures['growth.falling.cost_ratio_500k_10k'] = ratio('fallingCpuMs');
  const series = [
    { name: 'one thread, CPU', values: SIZES.map((size) => figures[`growth.n${size}.ns_per_particle`]) },
    { name: 'the same while bodies fall', values: SIZES.map((size) => figures[`growth.n${size}.falling.ns_per_particle`]) },
  ];
  const chart = await bench.chart('growth', lines({ title: 'A tick of a mixed scene', unit: 'ns a particle', across: 'particles', x: SIZES, series }));
  const text = [
    chart,
    'Of 20 particles 14 are in cloths that hang in gusty wind, 3 in ropes, 2 in plants and 1 in boxes that fall on the floor; 8 substeps of one sweep. CPU time with one thread, wall time with two: from 1.3 s on, when the boxes lie still and all else goes on moving, and, as *falling*, around the moment when all boxes land at once.',
    `A particle of 500,000 costs ${short(figures['growth.cost_ratio_500k_10k'])} times one of 10,000, measured in turn; falling, ${short(figures['growth.falling.cost_ratio_500k_10k'])} times.`,
    table(['wanted', 'particles', 'sticks', 'ms a tick', 'ns a particle', 'ms on two threads', 'ticks/s on two', 'falling: ns a particle', 'ms on two threads'], rows),
  ].join('\n\n');
  return { title: 'Growth', figures, text };
}

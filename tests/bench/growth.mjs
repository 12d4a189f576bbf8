// SPDX-License-Identifier: MIT
// How the time of a tick grows with the number of particles, in a mixed scene.

import { lines } from './chart.mjs';
import { short, table } from './bench.mjs';

const SIZES = [1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 5e5, 1e6];
const ROUNDS = 3;

const ticksFor = (size) => Math.max(10, Math.min(200, Math.round(4e6 / size)));

export async function run(bench) {
  const figures = {};
  const rows = [];
  const program = bench.program('growth');
  for (const size of SIZES) {
    const [alone, together] = await bench.inTurn([1, 2].map((threads) => () => bench.json(program, [size, threads, ticksFor(size)])), size > 3e5 ? 2 : ROUNDS);
    const name = `growth.n${size}`;
    figures[`${name}.cpu_ms`] = alone.cpuMs;
    figures[`${name}.ns_per_particle`] = (1e6 * alone.cpuMs) / alone.particles;
    figures[`${name}.threads2_ms`] = together.wallMs;
    figures[`${name}.hz`] = 1000 / together.wallMs;
    rows.push([short(size), alone.particles, alone.sticks, short(alone.cpuMs), short(figures[`${name}.ns_per_particle`]), together.threads === 2 ? short(together.wallMs) : `${short(together.wallMs)} (one thread)`, short(figures[`${name}.hz`])]);
    bench.say(`${size} particles: ${short(alone.cpuMs)} ms a tick, ${short(figures[`${name}.ns_per_particle`])} ns a particle; on two threads ${short(together.wallMs)} ms`);
  }
  figures['growth.cost_ratio_500k_10k'] = figures['growth.n500000.ns_per_particle'] / figures['growth.n10000.ns_per_particle'];
  const chart = await bench.chart('growth', lines({ title: 'A tick of a mixed scene', unit: 'ns a particle', across: 'particles', x: SIZES, series: [{ name: 'one thread, CPU', values: SIZES.map((size) => figures[`growth.n${size}.ns_per_particle`]) }] }));
  const text = [
    chart,
    'Of 20 particles 14 are in cloths that hang in gusty wind, 3 in ropes, 2 in plants and 1 in boxes that fall on the floor; 8 substeps of one sweep. CPU time with one thread, wall time with two.',
    table(['wanted', 'particles', 'sticks', 'ms a tick', 'ns a particle', 'ms on two threads', 'ticks/s on two'], rows),
  ].join('\n\n');
  return { title: 'Growth', figures, text };
}

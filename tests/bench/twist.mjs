// SPDX-License-Identifier: MIT
// Measures the dense contact of a cloth with itself: a strip of 17 × 61 particles is wrung, five turns and ten, and its
// crossings are counted.

import { short, table } from './bench.mjs';

const TIMEOUT_S = 1200; // ten turns take minutes

export async function run(bench) {
  const figures = {};
  const rows = [];
  for (const turns of bench.quick ? [1] : [5, 10]) {
    const found = await bench.json(bench.program('twist'), [17, 61, turns, 1], { timeoutS: TIMEOUT_S });
    bench.say(`${turns} turns: ${short(found.meanMs)} ms a tick, ${found.crossings} crossings`);
    figures[`twist.turns${turns}.mean_ms`] = found.meanMs;
    figures[`twist.turns${turns}.p95_ms`] = found.p95Ms;
    figures[`twist.turns${turns}.last_turn_ms`] = found.lastTurnMs;
    figures[`twist.turns${turns}.crossings`] = found.crossings;
    rows.push([String(turns), short(found.medianMs), short(found.p95Ms), short(found.meanMs), short(found.lastTurnMs), short(found.worstMs), String(found.crossings)]);
  }
  const text = [
    'A cloth of 17 × 61 particles, 5 cm apart and 6 mm thick, is held at both ends; one end turns half a turn a second and comes nearer as a rope of 4.4 cm radius takes up its length (by 60 % in ten turns). 8 substeps, one thread, ms of CPU a tick; crossings are counted exactly after every tenth tick:',
    table(['turns', 'median', '95th percentile', 'mean', 'mean of the last turn', 'worst', 'crossings'], rows),
  ].join('\n\n');
  return { title: 'Twist', figures, text };
}

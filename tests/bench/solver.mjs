// SPDX-License-Identifier: MIT
// Measures how many sticks per second are satisfied, and the remaining stretch: Weft, Bullet's soft body and a plain
// JavaScript loop on the same sheets.

import { fileURLToPath } from 'node:url';
import { bars } from './chart.mjs';
import { percent, short, table } from './bench.mjs';

const ROUNDS = 5;
const SHEETS = [
  { sheet: 'grid', side: 64 },
  { sheet: 'grid', side: 128 },
  { sheet: 'grid', side: 256 },
  { sheet: 'irregular', side: 128 },
  { sheet: 'shuffled', side: 128 },
];
const THREADED_SHEETS = [...SHEETS, { sheet: 'irregular', side: 64 }];
const MODES = [
  { substeps: 1, sweeps: 8 },
  { substeps: 8, sweeps: 1 },
];
const KINDS = ['exact', 'sqrtfree', 'tethers']; // kinds of Weft's solver
const CONTENDERS = [...KINDS, 'bullet', 'bullet-shuffled', 'javascript'];
const NAMES = { exact: 'Weft exact', sqrtfree: 'Weft square-root-free', tethers: 'Weft with tethers', bullet: 'Bullet', 'bullet-shuffled': 'Bullet, shuffled links', javascript: 'JavaScript loop' };
const PROJECTIONS = { weft: 60e6, other: 12e6 }; // of one run: some tenths of a second
const THREADED_PROJECTIONS = 1e9; // longer, because the system takes a while to give the second thread its own processor
const THREADED_ROUNDS = 3;
const SWINGING = { ticks: 115, watched: 180 }; // after the warm-up ticks: stretch is averaged from 2 s to 5 s

const isWeft = (contender) => !contender.startsWith('bullet') && contender !== 'javascript';
const nameOf = ({ sheet, side }) => `${sheet}${side}`;
const modeOf = ({ substeps, sweeps }) => `${substeps}x${sweeps}`;
// With its own order of links, Bullet's sheet diverges within a tick of substeps, and Bullet then computes with infinities.
const runs = (contender, mode) => contender !== 'bullet' || mode.substeps === 1;

function one(bench, contender, { sheet, side }, { substeps, sweeps }, threads, ticks, watched = 0) {
  const words = [sheet, side, substeps, sweeps];
  const program = bench.program('solver');
  if (contender === 'javascript') {
    return bench.json(process.execPath, [fileURLToPath(new URL('verlet.mjs', import.meta.url)), program, ...words, ticks, watched]);
  }
  return bench.json(program, [contender, ...words, threads, ticks, watched]);
}

function ticksFor(contender, { side }) {
  return Math.max(10, Math.round(PROJECTIONS[isWeft(contender) ? 'weft' : 'other'] / (8 * 4 * side * side)));
}

async function speeds(bench, which, mode) {
  const contenders = CONTENDERS.filter((contender) => runs(contender, mode));
  const functions = contenders.map((contender) => () => one(bench, contender, which, mode, 1, ticksFor(contender, which)));
  const results = await bench.inTurn(functions, ROUNDS);
  return Object.fromEntries(contenders.map((contender, at) => [contender, results[at].projections / results[at].cpu]));
}

async function stretches(bench, which, mode) {
  const slow = which.side === 256 && mode.substeps > 1; // Bullet's substeps take minutes there
  const contenders = CONTENDERS.filter((contender) => runs(contender, mode) && !(slow && contender.startsWith('bullet')));
  const { ticks, watched } = bench.quick ? { ticks: 5, watched: 20 } : SWINGING;
  const found = {};
  const waiting = [...contenders];
  const work = async () => {
    for (let contender = waiting.shift(); contender; contender = waiting.shift()) found[contender] = await one(bench, contender, which, mode, 1, ticks, watched);
  };
  await Promise.all([work(), work()]); // a warm-up, so two at once
  return found;
}

/** The speed-up of two threads over one, exact and square-root-free. */
async function threads(bench, which, mode) {
  const ticks = Math.round(THREADED_PROJECTIONS / (8 * 4 * which.side ** 2));
  const kinds = ['exact', 'sqrtfree'];
  const found = await bench.inTurn(kinds.flatMap((kind) => [1, 2].map((count) => () => one(bench, kind, which, mode, count, ticks))), THREADED_ROUNDS);
  return Object.fromEntries(kinds.map((kind, at) => [kind, { ratio: found[2 * at].wall / found[2 * at + 1].wall, mps: found[2 * at + 1].projections / found[2 * at + 1].wall / 1e6 }]));
}

export async function run(bench) {
  const figures = {};
  const [speedRows, stretchRows, threadRows] = [[], [], []];
  const charted = { groups: [], series: CONTENDERS.map((contender) => ({ name: NAMES[contender], values: [] })) };
  for (const which of SHEETS) {
    for (const mode of MODES) {
      const label = `${nameOf(which)}, ${modeOf(mode)}`;
      const speed = await speeds(bench, which, mode);
      bench.say(`${label}: ${Object.entries(speed).map(([name, value]) => `${name} ${short(value / 1e6)}M/s`).join(', ')}`);
      note(figures, which, mode, speed);
      const rival = speed.bullet ?? speed['bullet-shuffled'];
      speedRows.push([label, ...CONTENDERS.map((contender) => (speed[contender] ? short(speed[contender] / 1e6) : '–')), ...KINDS.map((kind) => short(speed[kind] / rival))]);
      if (mode.substeps === 1) {
        charted.groups.push(nameOf(which));
        CONTENDERS.forEach((contender, at) => charted.series[at].values.push(speed[contender] / 1e6));
      }
    }
  }
  for (const which of SHEETS.slice(0, 4)) {
    for (const mode of MODES) {
      const found = await stretches(bench, which, mode);
      bench.say(`${nameOf(which)}, ${modeOf(mode)}: mean stretch ${Object.entries(found).map(([name, { watched }]) => `${name} ${percent(watched)}`).join(', ')}`);
      if (!bench.quick) noteStretch(figures, which, mode, found); // a quick run is shorter than 5 s
      stretchRows.push([`${nameOf(which)}, ${modeOf(mode)}`, ...CONTENDERS.map((name) => (found[name] ? `${percent(found[name].watched)} / ${percent(found[name].mean)} / ${percent(found[name].worst)}` : '–'))]);
    }
  }
  for (const which of THREADED_SHEETS) {
    const row = [nameOf(which)];
    for (const mode of MODES) {
      for (const [kind, { ratio, mps }] of Object.entries(await threads(bench, which, mode))) {
        const name = `solver.${nameOf(which)}.${modeOf(mode)}.${kind}`;
        figures[`${name}.threads2_ratio`] = ratio;
        figures[`${name}.threads2_mps`] = mps;
        row.push(short(ratio), short(mps));
      }
    }
    bench.say(`${row[0]}: two threads ${row.filter((_, at) => at % 2 === 1).join(', ')} times one`);
    threadRows.push(row);
  }
  figures['solver.grid256.threads2_ratio'] = figures['solver.grid256.8x1.exact.threads2_ratio'];
  const chart = await bench.chart('solver', bars({ title: 'Sticks satisfied, 8 sweeps a tick, one thread', unit: 'millions a second', ...charted }));
  return { title: 'Solver', figures, text: describe(chart, speedRows, stretchRows, threadRows) };
}

function note(figures, which, mode, speed) {
  const name = `solver.${nameOf(which)}.${modeOf(mode)}`;
  for (const [contender, value] of Object.entries(speed)) figures[`${name}.${contender}.mps`] = value / 1e6;
  for (const kind of KINDS) {
    if (speed.bullet) figures[`${name}.${kind}.ratio_bullet`] = speed[kind] / speed.bullet;
    figures[`${name}.${kind}.ratio_bullet_shuffled`] = speed[kind] / speed['bullet-shuffled'];
    figures[`${name}.${kind}.ratio_javascript`] = speed[kind] / speed.javascript;
  }
  if (mode.substeps !== 1) return;
  figures[`solver.${nameOf(which)}.sqrtfree_over_exact`] = speed.sqrtfree / speed.exact;
  for (const kind of KINDS) figures[`solver.${nameOf(which)}.${kind}.ratio_bullet`] = speed[kind] / speed.bullet;
  if (which.sheet === 'irregular') figures['solver.irregular.ratio_bullet'] = speed.exact / speed.bullet;
}

function noteStretch(figures, which, mode, found) {
  const sheet = `solver.${nameOf(which)}`;
  for (const [contender, { mean, worst, watched }] of Object.entries(found)) {
    const name = `${sheet}.${modeOf(mode)}.${contender}`;
    Object.assign(figures, { [`${name}.stretch_average`]: watched, [`${name}.stretch_mean`]: mean, [`${name}.stretch_worst`]: worst });
  }
  for (const kind of KINDS) {
    const name = mode.substeps === 1 ? `${sheet}.${kind}` : `${sheet}.${modeOf(mode)}.${kind}`;
    for (const rival of ['bullet', 'bullet-shuffled']) {
      if (found[rival]) figures[`${name}.stretch_over_${rival.replace('-', '_')}`] = found[kind].watched / found[rival].watched;
    }
  }
  if (mode.substeps === 1 && which.sheet === 'irregular') figures['solver.irregular.stretch_over_bullet'] = found.exact.watched / found.bullet.watched;
  if (mode.substeps > 1 && nameOf(which) === 'grid256') figures['solver.grid256.stretch_mean'] = Math.min(found.exact.mean, found.tethers.mean);
}

function describe(chart, speedRows, stretchRows, threadRows) {
  return [
    chart,
    'A sheet of side² particles, let go flat with its top corners pinned; *grid* has structural and both shear sticks, *irregular* is a triangle mesh of moved vertices and random diagonals, *shuffled* the same with its indices in random order. Every contender has the very same sticks and 8 projections a stick a tick: 1x8 is one substep of 8 sweeps, 8x1 eight substeps of one. Whole ticks are timed: integration and what else each does. Millions of projections a second, CPU time, one thread:',
    table(['sheet', ...CONTENDERS.map((name) => NAMES[name]), 'exact / Bullet', 'root-free / Bullet', 'tethers / Bullet'], speedRows),
    'Bullet is `btSoftBody` and its default solver without collisions, in two orders of its links: as the sheet lists them, row by row from the pins, and shuffled by its own `randomizeConstraints`. The first is what ratios are to, those among the targets at 1x8; when a tick is cut into 8 substeps it throws the sheet apart, so there they are to the second.',
    'Stretch, of all sticks: the mean, averaged from 2 s to 5 s (nothing is damped, so the sheet swings, and a single moment tells little) / the mean after 5 s / the worst then. Row by row from the pins one sweep of Bullet’s carries a pull through the whole sheet, while colours carry it a few rows: without tethers that order leaves less at 1x8, the shuffled one more. *Tethers* is Weft exact with tethers to the pins:',
    table(['sheet', ...CONTENDERS.map((name) => NAMES[name])], stretchRows),
    'Two threads, times as fast as one by wall time, and their millions of projections a second:',
    table(['sheet', ...MODES.flatMap((mode) => ['exact', 'root-free'].flatMap((kind) => [`${modeOf(mode)} ${kind}`, 'M/s']))], threadRows),
  ].join('\n\n');
}

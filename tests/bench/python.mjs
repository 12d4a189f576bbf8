// SPDX-License-Identifier: MIT
// The Python package beside other engines that compute cloth on a processor from Python: MuJoCo's flex, Newton (Warp on the CPU) and
// PyBullet's soft body. The scene and the engines are in python/; each run is a process of its own, with one thread. Every
// setting of the others is tried; the fastest one whose cloth is stretched no more than Weft's is measured against it in
// rounds. Then `Pool` on two threads against one, and a thousand branches of one world.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bars } from './chart.mjs';
import { percent, short, table } from './bench.mjs';

const ROUNDS = 3;
const STICKS = 3906; // of the cloth: rows, columns and both diagonals
const LEVELS = [4, 8]; // Weft's substeps
const script = (name) => fileURLToPath(new URL(`python/${name}.py`, import.meta.url));

// MuJoCo's cloth is elastic, which it integrates implicitly, or has a constraint for each edge. Newton's XPBD adds the corrections
// of all springs of a particle, so a stiffness above a limit, which falls with the time step, is unstable. How often PyBullet
// relaxes a soft body in a step is not among its settings; its springs, in a deformable world, are slower by far.
const PEERS = {
  mujoco: {
    name: 'MuJoCo, flex', file: 'mujoco_cloth',
    settings: [...[1.5e4, 2e4, 7e4].map((young) => ({ substeps: 1, young })), ...[[3, 15], [4, 15], [8, 15]].map(([substeps, iterations]) => ({ substeps, iterations, timeconst: 0.005 }))],
  },
  newton: {
    name: 'Newton on Warp', file: 'newton_cloth',
    settings: [
      ...[[8, 12], [8, 14], [10, 16], [12, 20], [16, 30], [18, 50], [20, 50], [20, 60], [24, 60]].map(([substeps, stiffness]) => ({ solver: 'xpbd', substeps, iterations: 1, stiffness })),
      ...[[4, 3], [8, 1], [8, 2]].map(([substeps, iterations]) => ({ solver: 'vbd', substeps, iterations, stiffness: 1000 })),
    ],
  },
  pybullet: {
    name: 'PyBullet, soft body', file: 'pybullet_cloth',
    settings: [1, 2].map((substeps) => ({ substeps })),
  },
};

const settingsText = (settings) => Object.entries(settings).map(([name, value]) => `${name} ${value}`).join(', ');

/** A program of Python's, whose last line is JSON: what libraries say of themselves comes before it. */
async function answer(bench, python, name, args) {
  const text = await bench.text(python, [script(name), ...args], { timeoutS: 600 });
  return JSON.parse(text.trim().split('\n').at(-1));
}

async function tried(bench, python) {
  const found = [];
  for (const [id, { name, file, settings }] of Object.entries(PEERS)) {
    for (const one of bench.quick ? settings.slice(1, 3) : settings) {
      const figures = await answer(bench, python, file, [JSON.stringify(one)]);
      found.push({ id, name, file, settings: one, ...figures });
      bench.say(`${name}, ${settingsText(one)}: ${short(figures.ticks_cpu)} ticks/s, stretch ${percent(figures.stretch_mean)}`);
    }
  }
  return found;
}

/** Of each peer the fastest setting that is stretched no more than `most`; else the least stretched one. */
function chosen(found, most) {
  return Object.keys(PEERS).map((id) => {
    const own = found.filter((one) => one.id === id);
    const reaching = own.filter(({ stretch_mean: mean }) => mean <= most).sort((a, b) => b.ticks_cpu - a.ticks_cpu);
    return reaching.length > 0 ? { ...reaching[0], reaches: true } : { ...own.sort((a, b) => a.stretch_mean - b.stretch_mean)[0], reaches: false };
  });
}

async function level(bench, pythons, found, substeps) {
  const settings = { substeps, iterations: 1 };
  const ours = { id: 'weft', name: 'Weft', file: 'weft_cloth', settings, reaches: true };
  const { stretch_mean: most } = await answer(bench, pythons.ours, ours.file, [JSON.stringify(settings)]);
  const list = [ours, ...chosen(found, most)];
  const measured = await bench.inTurn(list.map(({ id, file, settings: given }) => () => answer(bench, id === 'weft' ? pythons.ours : pythons.peers, file, [JSON.stringify(given)])), ROUNDS);
  const rows = list.map((one, at) => ({ ...one, ...measured[at], ratio: measured[0].ticks_cpu / measured[at].ticks_cpu }));
  const best = rows.slice(1).reduce((a, b) => (b.ratio < a.ratio ? b : a));
  bench.say(`${substeps} substeps: ${rows.map(({ name, ticks_cpu: ticks, ratio }) => `${name} ${short(ticks)} ticks/s (${short(ratio)})`).join(', ')}`);
  return { substeps, rows, best };
}

function levelText({ substeps, rows, best }) {
  const [ours] = rows;
  const lines = rows.map(({ name, settings, ticks_cpu: ticks, ticks_wall: wall, stretch_mean: mean, stretch_worst: worst, ratio, reaches, id }) =>
    [name, settingsText(settings), short(ticks), short(wall), `${percent(mean)}${reaches ? '' : ' (no better)'}`, percent(worst), id === 'weft' ? '' : short(ratio)]);
  const head = ['engine', 'settings', 'ticks/s, CPU time', 'by the clock', 'stretch, mean', 'worst', 'Weft is faster by ×'];
  return [`### Weft with ${substeps} substeps`, table(head, lines), `Weft is ${short(best.ratio)} times as fast as the best of the others. ${profile(ours, best, substeps)}`].join('\n\n');
}

/** Of what the ratio is made, where both correct the same sticks one by one. */
function profile(ours, best, substeps) {
  const each = (ticks, corrections) => 1e9 / (ticks * STICKS * corrections);
  const own = `A tick of Weft’s is ${short(1e6 / ours.ticks_cpu)} µs with the call from Python, ${short(each(ours.ticks_cpu, substeps))} ns for each of ${substeps} corrections of ${STICKS} sticks.`;
  if (best.settings.solver !== 'xpbd') return own;
  const corrections = best.settings.substeps * best.settings.iterations;
  return `${own} Newton’s is ${short(1e6 / best.ticks_cpu)} µs, ${short(each(best.ticks_cpu, corrections))} ns for each of ${corrections} corrections of as many springs: the ratio is ${short(each(best.ticks_cpu, corrections) / each(ours.ticks_cpu, substeps))} for a correction times ${short(corrections / substeps)} for their number. Newton corrects one spring after another and adds each to its particles’ sums; Weft corrects as many sticks at once as the processor’s vectors hold, in colours without common particles, in place. A spring’s stiffness has a limit in Newton that falls with the step, so a stiffer cloth needs more substeps.`;
}

function pooled(bench, python) {
  return answer(bench, python, 'pool_cloths', bench.quick ? [16, 60] : [64, 300]);
}

function branched(bench, python) {
  return answer(bench, python, 'branches', bench.quick ? [100, 30] : [1000, 300]);
}

export async function run(bench) {
  const pythons = { ours: join(bench.out, 'venv/bin/python'), peers: join(bench.folder, 'venv/bin/python') };
  process.env.WARP_CACHE_PATH ??= join(bench.folder, 'warp');
  const found = await tried(bench, pythons.peers);
  const levels = [];
  for (const substeps of LEVELS) levels.push(await level(bench, pythons, found, substeps));
  const pool = await pooled(bench, pythons.ours);
  bench.say(`pool: two threads ${short(pool.ratio)} times one`);
  const branches = await branched(bench, pythons.ours);
  bench.say(`branches: ${short(branches.branch_ms)} ms each, ${short(branches.step_s)} s of steps, ${branches.wrong} with other bits`);
  const chart = await bench.chart('python', bars({ title: 'A cloth of 32×32 from Python, at equal stretch', unit: 'ticks a second, one thread', logarithmic: true, groups: levels.map(({ substeps }) => `Weft with ${substeps} substeps`), series: levels[0].rows.map(({ name }, at) => ({ name, values: levels.map(({ rows }) => rows[at].ticks_cpu) })) }));
  return { title: 'From Python', figures: figuresOf(levels, pool, branches), text: describe(chart, levels, pool, branches) };
}

function figuresOf(levels, pool, branches) {
  const figures = {};
  for (const { substeps, rows, best } of levels) {
    const name = `python.cloth${substeps}`;
    figures[`${name}.ratio_best`] = best.ratio;
    for (const row of rows) {
      figures[`${name}.${row.id}.ticks_s`] = row.ticks_cpu;
      figures[`${name}.${row.id}.stretch`] = row.stretch_mean;
      if (row.id !== 'weft') figures[`${name}.ratio_${row.id}`] = row.ratio;
    }
  }
  const named = (prefix, values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
  return { ...figures, ...named('python.pool', pool), ...named('python.branches', branches) };
}

function describe(chart, levels, pool, branches) {
  return [
    chart,
    'A cloth of 32×32 particles, 62 cm wide, 0.2 kg, held by one edge and released flat, for 5 s, without damping, contacts and air. Ticks of 1/60 s, one call from Python each, one thread, CPU time. Stretch is that of rows and columns, its mean from 2 s to 5 s while the cloth swings. Every engine is stretched no more than Weft, with the fastest of the settings that were tried; Newton’s kernels are recorded once and replayed without Python.',
    ...levels.map(levelText),
    `### Many worlds\n\n\`Pool\` with such cloths, 4 substeps: ${short(pool.ticks_one)} ticks a second with one thread, ${short(pool.ticks_two)} with two, ${short(pool.ratio)} times as many. Two threads take ${short(pool.cpu_ratio)} times the processor time of one.`,
    `Branches of a world with 4,096 particles: ${short(branches.branch_ms)} ms each; all their ticks with two threads ${short(branches.step_s)} s, ${short(branches.ticks)} ticks a second. They had ${branches.winds} winds, and ${branches.wrong} of them have other bits than a world with that wind that was made anew.`,
  ].join('\n\n');
}

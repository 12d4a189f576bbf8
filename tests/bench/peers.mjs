// SPDX-License-Identifier: MIT
// Weft beside other engines: a hanging cloth, five hundred falling boxes, a rope bridge, a twisted cloth and a balloon
// (peers/scenes.mjs). Rapier and Jolt run in WebAssembly as Weft does; Bullet runs natively, beside Weft's native engine.
// Where speed can be had for accuracy, each engine gets the cheapest of its settings that is as accurate as the engine it is
// compared with. For every engine: CPU time of a tick, accuracy, and whether a second run gives the same bits.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { short, table } from './bench.mjs';
import { scene as bulletScene } from './peers/bullet.mjs';
import { loadJolt } from './peers/jolt.mjs';
import * as measures from './peers/measures.mjs';
import { loadRapier } from './peers/rapier.mjs';
import * as scenes from './peers/scenes.mjs';
import { loadWeft, poses, tape } from './peers/weft.mjs';

const ROUNDS = 3;
const { cloth, clothLinks, clothPoints, boxes, bridge, bridgeJoints, plankPlaces, twist, twistLinks, twistTriangles, balloon, balloonMesh } = scenes;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const late = (samples, first, step = 10) => samples.filter((_, i) => i >= first && i % step === 0);

// The energy of the cloth where it hangs straight down, which is the least that it can have.
const lowest = clothPoints.reduce((sum, _, i) => sum + cloth.height - Math.floor(i / cloth.side) * cloth.spacing, 0);
const startEnergy = scenes.GRAVITY * (clothPoints.length * cloth.height - lowest);

/** Of each scene its accuracy (less is better) and what else is said of it, from the samples of all ticks. */
const judges = {
  cloth: {
    title: 'Hanging cloth of 32×32 particles', unit: 'mean stretch, %',
    accuracy: (samples) => 100 * mean(late(samples, cloth.firstTick).map((sample) => measures.stretch(sample, clothLinks, cloth.spacing))),
    more: (samples) => ({ 'energy left after 2 s, %': (100 * measures.energy(samples[cloth.energyTick], samples[cloth.energyTick - 1], lowest)) / startEnergy }),
  },
  boxes: {
    title: '500 boxes fall into a bin', unit: 'mean penetration, mm',
    accuracy: (samples) => 1000 * mean(late(samples, boxes.firstTick, 20).map((sample) => measures.penetration(sample, boxes.size))),
    more: () => ({}),
  },
  bridge: {
    title: 'Rope bridge of 24 planks', unit: 'mean gap of a joint, mm',
    accuracy: (samples) => 1000 * mean(late(samples, bridge.firstTick).map((sample) => measures.gaps(sample, bridgeJoints, plankPlaces))),
    more: (samples) => ({ 'sag, m': bridge.height - samples.at(-1)[12 * (bridge.planks / 2) + 1] }),
  },
  twist: {
    title: `A cloth of ${twist.columns}×${twist.rows} particles is twisted ${twist.turns} times`, unit: 'crossings, at most',
    accuracy: (samples) => Math.max(...late(samples, 0, 60).map((sample) => measures.crossings(sample, twistTriangles)), measures.crossings(samples.at(-1), twistTriangles)),
    more: (samples) => ({ 'stretch at the end, %': 100 * measures.stretch(samples.at(-1), twistLinks, twist.spacing) }),
  },
  balloon: {
    title: 'A balloon falls', unit: 'mean stretch, %',
    accuracy: (samples) => 100 * mean(late(samples, balloon.firstTick).map((sample) => measures.stretchFrom(sample, balloonMesh))),
    more: (samples) => ({ 'volume over that at first': measures.volume(samples.at(-1), balloonMesh.triangles) / measures.volume(balloonMesh.points.flat(), balloonMesh.triangles) }),
  },
};

// ---- contenders --------------------------------------------------------------------------------------------------

/** An engine of this process: ms of a tick, and the samples of all ticks. */
function here(engine, scene, settings) {
  const running = engine[scene](settings);
  const samples = [];
  let ms = 0;
  for (let i = 0; i < scenes[scene].ticks; i++) {
    const began = process.cpuUsage();
    running.tick(i);
    const { user, system } = process.cpuUsage(began);
    ms += (user + system) / 1000;
    samples.push(running.sample());
  }
  running.end();
  return { ms: ms / samples.length, samples };
}

function program(bench, name, args, input) {
  const { status, stdout, stderr, error } = spawnSync(bench.program(name), args.map(String), { input, maxBuffer: 2 ** 30, timeout: 1800e3 });
  if (status !== 0) throw new Error(`${name} ended with ${status ?? error?.message}: ${stderr.toString().slice(0, 300)}`);
  const floats = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  return { ...JSON.parse(stderr.toString()), floats };
}

const divided = (floats, parts) => Array.from({ length: parts }, (_, i) => floats.subarray((i * floats.length) / parts, ((i + 1) * floats.length) / parts));

function weftNative(bench, weft, scene, settings) {
  const { ticks } = scenes[scene];
  const { ms, floats } = program(bench, 'engine_scene', [0, ticks, 1], tape(scene, settings, ticks));
  const all = divided(floats, ticks);
  const bodies = { boxes: boxes.count, bridge: bridge.planks }[scene];
  const first = bodies && weft.upright(scene);
  return { ms, samples: bodies ? all.map((sample) => poses(sample, first, bodies)) : all };
}

function bulletNative(bench, scene, { substeps = 1, iterations = 10 } = {}) {
  const { ticks } = scenes[scene];
  const { ms, floats } = program(bench, 'bullet_scene', [scene, substeps, iterations, ticks, 1], bulletScene(scene, ticks));
  return { ms, samples: divided(floats, ticks) };
}

/** Settings from the cheapest on; the first is the engine's default, which is used where there is nothing to match. */
const SETTINGS = {
  weft: [{ substeps: 8, iterations: 1 }, { substeps: 1, iterations: 1 }, { substeps: 1, iterations: 4 }, { substeps: 2, iterations: 1 }, { substeps: 2, iterations: 2 }, { substeps: 4, iterations: 1 }, { substeps: 6, iterations: 1 }, { substeps: 8, iterations: 1 }, { substeps: 8, iterations: 2 }, { substeps: 12, iterations: 1 }, { substeps: 16, iterations: 1 }],
  rapier: [4, 1, 2, 8, 12, 16, 24, 32, 64, 128].map((numSolverIterations) => ({ numSolverIterations })),
  jolt: [[1, 5], [1, 8], [1, 12], [1, 16], [1, 24], [1, 32], [2, 10], [2, 16], [4, 10], [8, 10]].map(([substeps, iterations]) => ({ substeps, iterations })),
  bullet: [[1, 10], [1, 20], [1, 40], [2, 10], [4, 4], [4, 10], [8, 4], [8, 10], [16, 10]].map(([substeps, iterations]) => ({ substeps, iterations })),
};

const settingsText = (settings) => Object.values(settings).join('×');
const hashOf = (samples) => createHash('sha256').update(new Uint8Array(samples.at(-1).buffer, samples.at(-1).byteOffset, samples.at(-1).byteLength)).digest('hex');

/** The fastest of an engine's settings that is no less accurate than `most`: null if none is. */
function cheapest(engine, scene, most) {
  let best = null;
  for (const settings of engine.settings) {
    const { ms, samples } = engine.run(scene, settings);
    if (judges[scene].accuracy(samples) <= most && (best === null || ms < best.ms)) best = { settings, ms };
  }
  return best?.settings ?? null;
}

/** A row of the table: an engine with settings on a scene. */
async function rows(bench, scene, list) {
  const seen = list.map(() => null);
  const runs = await bench.inTurn(list.map(({ engine, settings }, at) => () => {
    const { ms, samples } = engine.run(scene, settings);
    const hash = hashOf(samples);
    seen[at] = { accuracy: judges[scene].accuracy(samples), more: judges[scene].more(samples), same: (seen[at]?.same ?? true) && (seen[at]?.hash ?? hash) === hash, hash };
    return { ms };
  }), ROUNDS);
  return list.map((row, at) => ({ ...row, ...seen[at], ms: runs[at].ms }));
}

// ---- the scenes --------------------------------------------------------------------------------------------------

/** Pairs an engine with Weft at equal accuracy: whichever is less accurate with its default settings gets others. */
function atEqualAccuracy(bench, scene, ours, theirs) {
  const [mine, other] = [ours, theirs].map((engine) => judges[scene].accuracy(engine.run(scene, engine.settings[0]).samples));
  const found = mine <= other ? [ours.settings[0], cheapest(theirs, scene, mine)] : [cheapest(ours, scene, other), theirs.settings[0]];
  bench.say(`${scene}: ${ours.name} ${short(mine)}, ${theirs.name} ${short(other)}`);
  return [ours, theirs].map((engine, at) => ({ engine, settings: found[at] ?? engine.settings.at(-1), reaches: found[at] !== null }));
}

const lines = (made) => made.map(({ engine, settings, ms, accuracy, more, same, reaches }) => [engine.name, settingsText(settings), short(ms), `${short(accuracy)}${reaches === false ? ' (no better)' : ''}`, ...Object.values(more).map(short), same ? 'yes' : '**no**']);

async function measure(bench, scene, { ours, native, others, bullet, match }) {
  const pairs = [...others.map((other) => [ours, other]), ...(bullet ? [[native, bullet]] : [])];
  const figures = {};
  const text = [];
  let head = [];
  for (const [mine, other] of pairs) {
    const list = match ? atEqualAccuracy(bench, scene, mine, other) : [mine, other].map((engine) => ({ engine, settings: engine.settings[0] }));
    const made = await rows(bench, scene, list);
    const ratio = made[1].ms / made[0].ms;
    figures[`peers.${scene}.${other.id}_over_weft`] = ratio;
    figures[`peers.${scene}.${mine.id}.accuracy`] = made[0].accuracy;
    if (mine === ours) figures[`peers.${scene}.weft_ms`] = made[0].ms;
    head = ['engine', 'settings', 'CPU ms a tick', judges[scene].unit, ...Object.keys(made[0].more), 'same bits', '× Weft’s time'];
    text.push(...lines(made).map((line, at) => [...line, at === 0 ? '' : `${short(ratio)}${match && made.every(({ reaches }) => reaches) ? ' at equal accuracy' : ''}`]));
    bench.say(`${scene}: ${other.name} takes ${short(ratio)} times as long as ${mine.name}`);
  }
  return { figures, text: `### ${judges[scene].title}\n\n${table(head, text)}` };
}

export async function run(bench) {
  const [weft, rapier, jolt] = await Promise.all([loadWeft(), loadRapier(), loadJolt()]);
  const local = (engine, id, settings) => ({ id, name: engine.name, settings, run: (scene, given) => here(engine, scene, given) });
  const ours = local({ ...weft, name: 'Weft, WebAssembly' }, 'weft', SETTINGS.weft);
  const native = { id: 'native', name: 'Weft, native', settings: SETTINGS.weft, run: (scene, given) => weftNative(bench, weft, scene, given) };
  const bullet = { id: 'bullet', name: 'Bullet of Debian, native', settings: SETTINGS.bullet, run: (scene, given) => bulletNative(bench, scene, given) };
  const [theirs, jolts] = [local(rapier, 'rapier', SETTINGS.rapier), local(jolt, 'jolt', SETTINGS.jolt)];
  const compared = {
    cloth: { others: [theirs, jolts], match: true },
    boxes: { others: [theirs, jolts], match: true },
    bridge: { others: [theirs, jolts], match: true },
    twist: { others: [theirs], match: false },
    balloon: { others: [theirs, jolts], match: false },
  };
  const chosen = bench.scene ? [bench.scene] : Object.keys(compared);
  if (!Object.hasOwn(compared, chosen[0])) throw new Error(`SCENE must be one of ${Object.keys(compared).join(', ')}, not ${bench.scene}.`);
  const parts = [];
  for (const scene of chosen) parts.push(await measure(bench, scene, { ours, native, bullet, ...compared[scene] }));
  return {
    title: 'Beside other engines',
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    text: [
      'The ratio is the CPU time of a tick over that of the Weft row above it. Rapier’s settings are solver iterations, Weft’s substeps × iterations, Jolt’s steps × soft-body iterations, Bullet’s steps × iterations. An accuracy that says “no better” is the best of the settings that were tried, and short of Weft’s.',
      ...parts.map(({ text }) => text),
    ].join('\n\n'),
  };
}

// SPDX-License-Identifier: MIT
// A hanging cloth in Rapier's deterministic WebAssembly, with a body for each particle and a joint of fixed greatest length for
// each stick, beside the same cloth in Weft's. Both ways: Rapier with the cheapest iterations that stretch no more than Weft does
// with its default settings, and Weft with the cheapest settings that stretch no more than Rapier does with its default ones.

import { readFile } from 'node:fs/promises';
import RAPIER from '@dimforge/rapier3d-deterministic-compat';
import { loadEngine } from '../../web/client/engine/engine.js';
import { short } from './bench.mjs';

const SIDE = 32;
const SPACING_M = 0.02;
const WARM_TICKS = 30;
const FIRST_TICK = 120; // stretch is averaged from 2 s to 5 s, as in the part "solver"
const TICKS = 300;
const DEFAULT = { substeps: 8, iterations: 1 };
const CHEAPER = [{ substeps: 1, iterations: 1 }, { substeps: 1, iterations: 2 }, { substeps: 2, iterations: 1 }, { substeps: 3, iterations: 1 }, { substeps: 4, iterations: 1 }, { substeps: 6, iterations: 1 }, DEFAULT];
const RAPIER_DEFAULT = { numSolverIterations: 4, numInternalPgsIterations: 1 };
const INTERNAL = [1, 2, 4];
const ITERATIONS = [4, 8, 12, 16, 20, 24, 28, 32, 48, 64];

const links = Array.from({ length: SIDE * SIDE }, (_, i) => [...((i + 1) % SIDE > 0 ? [[i, i + 1]] : []), ...(i + SIDE < SIDE * SIDE ? [[i, i + SIDE]] : [])]).flat();

/** Mean elongation of the links between neighbours, relative to their length. @param {(i: number) => {x: number, y: number, z: number}} place */
function stretchOf(place) {
  let sum = 0;
  for (const [a, b] of links) {
    const [p, q] = [place(a), place(b)];
    sum += Math.max(0, Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) / SPACING_M - 1);
  }
  return sum / links.length;
}

/** Runs a cloth: ms a tick after the warm-up, and the mean stretch. @param {{tick: () => void, place: () => (i: number) => {x: number, y: number, z: number}, end: () => void}} cloth */
function run({ tick, place, end }) {
  let [ms, stretch] = [0, 0];
  for (let i = 0; i < TICKS; i++) {
    const began = process.cpuUsage();
    tick();
    const { user, system } = process.cpuUsage(began);
    if (i >= WARM_TICKS) ms += (user + system) / 1000;
    if (i >= FIRST_TICK) stretch += stretchOf(place());
  }
  end();
  return { ms: ms / (TICKS - WARM_TICKS), stretch: stretch / (TICKS - FIRST_TICK) };
}

/** @param {Awaited<ReturnType<typeof loadEngine>>} engine */
function weft(engine, settings) {
  const world = engine.createWorld({ particles: 2 * SIDE * SIDE, sticks: 16 * SIDE * SIDE, objects: 10, obstacles: 10 });
  world.join(1);
  const cloth = { columns: SIDE, rows: SIDE, spacing: SPACING_M, position: [0, 3, 0], pin: 'topCorners' };
  world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cloth.spawn', params: cloth }));
  world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'world.set', params: { ...settings, sleep: false, wind: { velocity: [0, 0, 0] } } }));
  const tick = () => {
    world.tick();
    for (const { text } of world.outputs()) if (text?.includes('"error"')) throw new Error(text);
  };
  const place = () => {
    const { x, y, z } = world.positions();
    return (i) => ({ x: x[i], y: y[i], z: z[i] });
  };
  return run({ tick, place, end: () => world.destroy() });
}

function rapier(settings) {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.timestep = 1 / 60;
  Object.assign(world.integrationParameters, settings);
  const bodies = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const isPinned = i === 0 || i === SIDE - 1;
    const description = isPinned ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
    const [column, row] = [i % SIDE, Math.floor(i / SIDE)];
    // Without rotations, which a particle has not, and without colliders: the cheapest body that Rapier has.
    return world.createRigidBody(description.setTranslation((column - (SIDE - 1) / 2) * SPACING_M, 3 - row * SPACING_M, 0).setAdditionalMass(1).setCanSleep(false).lockRotations());
  });
  const middle = { x: 0, y: 0, z: 0 };
  for (const [a, b] of links) world.createImpulseJoint(RAPIER.JointData.rope(SPACING_M, middle, middle), bodies[a], bodies[b], true);
  return run({ tick: () => world.step(), place: () => (i) => bodies[i].translation(), end: () => world.free() });
}

/** The first settings, from the cheapest on, that stretch no more than `most`; null if none do. */
const cheapest = (settings, contender, most) => settings.find((each) => contender(each).stretch <= most) ?? null;

export async function measureRapier(bench) {
  await RAPIER.init();
  const engine = await loadEngine({ bytes: await readFile(new URL('../../web/client/engine/weft-simd.wasm', import.meta.url)) });
  const ours = (settings) => weft(engine, settings);
  bench.say(`beside Rapier ${RAPIER.version()}`);
  const [{ stretch: default_ }, { stretch: rapierDefault }] = [ours(DEFAULT), rapier(RAPIER_DEFAULT)];
  const equal = INTERNAL.map((numInternalPgsIterations) => cheapest(ITERATIONS.map((numSolverIterations) => ({ numSolverIterations, numInternalPgsIterations })), rapier, default_)).filter((found) => found !== null);
  if (equal.length === 0) throw new Error(`Rapier stretches more than ${short(100 * default_)} % with all iterations that were tried.`);
  const cheap = cheapest(CHEAPER, ours, rapierDefault) ?? DEFAULT;
  const [mine, less, theirDefault, ...theirs] = await bench.inTurn([() => ours(DEFAULT), () => ours(cheap), () => rapier(RAPIER_DEFAULT), ...equal.map((settings) => () => rapier(settings))], 3);
  const best = theirs.reduce((one, other) => (other.ms < one.ms ? other : one));
  const settings = equal[theirs.indexOf(best)];
  return {
    figures: { 'lockstep.rapier_over_weft': best.ms / mine.ms, 'lockstep.rapier_default_over_weft': theirDefault.ms / less.ms },
    text: `A hanging cloth of ${SIDE}×${SIDE} particles in WebAssembly on one thread, beside Rapier ${RAPIER.version()} (deterministic). With Weft's default settings the mean stretch is ${short(100 * mine.stretch)} % and a tick takes ${short(mine.ms)} ms; Rapier needs ${settings.numSolverIterations}×${settings.numInternalPgsIterations} iterations for ${short(100 * best.stretch)} % and ${short(best.ms)} ms (${short(best.ms / mine.ms)} times). With Rapier's default settings the mean stretch is ${short(100 * theirDefault.stretch)} % and a tick takes ${short(theirDefault.ms)} ms; Weft needs ${cheap.substeps}×${cheap.iterations} for ${short(100 * less.stretch)} % and ${short(less.ms)} ms (${short(theirDefault.ms / less.ms)} times).`,
  };
}

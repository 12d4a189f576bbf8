// SPDX-License-Identifier: MIT
// Measures the size and coding time of frames, for every scene and in every coding.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bars } from './chart.mjs';
import { median, short, table } from './bench.mjs';
import { decodeTimes } from './decode.mjs';
import { record } from './record.mjs';
import { meshoptimizerInNode } from './rivals.mjs';

const ROUNDS = 3;
const STEPS = [1024, 4096];
const TICKS = 240;
const WIND = { substeps: 8, iterations: 2, damping: 0.01, wind: { velocity: [3.5, 0, 1.2], gust: 0.7 } }; // the wind of the scene hex-flag
const STORM = { ...WIND, wind: { velocity: [1, 0, 6], gust: 1 } };
const set = (params) => ({ method: 'world.set', params });
const cloth = (side, more) => ({ method: 'cloth.spawn', params: { columns: side, rows: side, arealDensity: 0.12, position: [0, 4, 0], ...more } });
const pole = (side) => Array.from({ length: side }, (_, row) => row * side);

// Cloths that never come to rest: a curtain and a flag in gusty wind, the curtain in a storm; and a room in which all objects
// rest.
const OWN = [
  { name: 'cloth64', scene: 'empty', commands: [set(WIND), cloth(64)], skip: 30 },
  { name: 'cloth128', scene: 'empty', commands: [set(WIND), cloth(128, { spacing: 0.025, pin: pole(128) })], skip: 30 },
  { name: 'storm', scene: 'empty', commands: [set(STORM), cloth(64)], skip: 30 },
  {
    name: 'rest',
    scene: 'empty',
    atRest: true,
    commands: [
      { method: 'world.set', params: { damping: 0.02, bounds: { min: [-20, 0, -20], max: [20, 20, 20] } } },
      { method: 'cloth.spawn', params: { columns: 64, rows: 64, pin: 'none', position: [0, 0.3, 0], rotation: [-0.7071068, 0, 0, 0.7071068] } },
      ...[0, 1, 2, 3].map((i) => ({ method: 'body.spawn', params: { shape: 'box', size: [0.3, 0.3, 0.3], position: [4 + i, 0.2, 0] } })),
    ],
  },
];
const MOVING = ['cloth64', 'cloth128'];

async function scenes() {
  const names = (await readdir(new URL('../../server/scenes/', import.meta.url))).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  return [...OWN, ...names.filter((name) => name !== 'empty').sort().map((name) => ({ name, scene: name, skip: 30 }))];
}

const OWN_BILLS = /^(codec|keyframe|asleep|every\d)$/; // figures of Weft's best coding
const NAMES = { raw: 'raw', grid: 'grid', codec: 'codec', fixed: '16 bit', zlib: '16 bit, zlib 6', zstd: 'delta, zstd 3', meshopt: 'delta, meshoptimizer', npm: 'delta, meshoptimizer of npm' };

/** Sizes and times of one recording in every coding. @returns {Promise<Map<string, object>>} by the coding's name */
async function bills(bench, path, step, stream, rounds) {
  const program = bench.program('frames');
  const runs = [];
  for (let round = 0; round < (bench.quick ? 1 : rounds); round++) {
    const text = await bench.text(program, [path, step, ...(stream ? [stream] : [])]);
    runs.push(new Map(text.trim().split('\n').map((line) => JSON.parse(line)).map((bill) => [bill.coding, bill])));
  }
  const found = new Map([...runs[0]].map(([coding, bill]) => [coding, { ...bill, encodeNs: median(runs.map((run) => run.get(coding).encodeNs)), decodeNs: median(runs.map((run) => run.get(coding).decodeNs)) }]));
  found.set(NAMES.npm, await meshoptimizerInNode(path, step));
  return found;
}

/** Measures one scene in every coding, at both steps. */
async function measure(bench, scene, files) {
  const recording = await record(bench, files.recording, { ticks: bench.quick ? 60 : TICKS, ...scene });
  const rounds = MOVING.includes(scene.name) ? ROUNDS : 1;
  const found = {};
  for (const step of STEPS) found[step] = await bills(bench, files.recording, step, step === 1024 ? files.stream : undefined, rounds);
  return { scene, recording, found, decode: await decodeTimes(files.stream, recording) };
}

export async function run(bench) {
  const figures = {};
  const measured = [];
  const files = { recording: join(bench.folder, 'recording.bin'), stream: join(bench.folder, 'stream.bin') };
  for (const scene of await scenes()) {
    const one = await measure(bench, scene, files);
    measured.push(one);
    for (const step of STEPS) note(figures, scene, step, one.found[step]);
    for (const [decoder, ns] of Object.entries(one.decode)) figures[`frames.${scene.name}.decode_${decoder}_ns`] = ns;
    const { particles, frames } = one.recording;
    bench.say(`${scene.name}, ${particles} particles, ${frames} frames: ${STEPS.map((step) => `${short(figures[`frames.${scene.name}.bytes_${step}`])} bytes a particle at 1/${step}`).join(', ')}`);
  }
  const moving = MOVING.map((name) => `frames.${name}`);
  // The target applies to 1/1024 m; at a finer step, the coding simulates a tick of each cloth again, at additional cost.
  for (const step of STEPS) figures[step === 1024 ? 'frames.encode_ns' : `frames.encode_ns_${step}`] = Math.max(...moving.map((name) => figures[`${name}.encode_ns_${step}`]));
  for (const figure of ['keyframe_bytes_1024', 'every4_bytes_1024']) figures[`frames.${figure}`] = Math.max(...moving.map((name) => figures[`${name}.${figure}`]));
  const decodes = moving.map((name) => figures[`${name}.decode_wasm_ns`]);
  if (decodes.every(Number.isFinite)) figures['frames.decode_wasm_ns'] = Math.max(...decodes);
  await rm(files.recording);
  await rm(files.stream);
  return { title: 'Frames', figures, text: await describe(bench, figures, measured) };
}

function note(figures, scene, step, found) {
  const name = `frames.${scene.name}`;
  const best = found.get(NAMES.codec);
  figures[`${name}.bytes_${step}`] = scene.atRest ? found.get('asleep').bytes : best.bytes;
  figures[`${name}.keyframe_bytes_${step}`] = found.get('keyframe').bytes;
  if (scene.atRest) figures[`${name}.whole_bytes_${step}`] = best.bytes; // as if no object were known to sleep
  for (const every of [2, 4, 8]) figures[`${name}.every${every}_bytes_${step}`] = found.get(`every${every}`).bytes;
  figures[`${name}.encode_ns_${step}`] = best.encodeNs;
  for (const [coding, { bytes, encodeNs, decodeNs }] of found) {
    if (OWN_BILLS.test(coding)) continue;
    const rival = `${name}.${coding.replace(/[ ,]+/g, '_')}`;
    figures[`${rival}.bytes_${step}`] = bytes;
    if (encodeNs >= 0) figures[`${rival}.encode_ns_${step}`] = encodeNs;
    if (decodeNs >= 0) figures[`${rival}.decode_ns_${step}`] = decodeNs;
  }
}

// ---- the report ----------------------------------------------------------------------------------------------------

const time = (ns) => (ns === undefined || ns < 0 ? '–' : short(ns));

function sizes(figures, { scene, recording }) {
  const name = `frames.${scene.name}`;
  return [scene.name, recording.particles, ...STEPS.flatMap((step) => ['bytes', 'keyframe_bytes', 'every4_bytes'].map((figure) => short(figures[`${name}.${figure}_${step}`])))];
}

function againstRivals({ scene, found }) {
  return [scene.name, ...Object.values(NAMES).map((coding) => short(found[1024].get(coding).bytes))];
}

function times({ scene, found, decode }) {
  const of = (coding) => `${time(found[1024].get(coding).encodeNs)} / ${time(found[1024].get(coding).decodeNs)}`;
  return [scene.name, time(found[1024].get(NAMES.codec).encodeNs), time(found[4096].get(NAMES.codec).encodeNs), time(decode.wasm), time(decode.javascript), time(found[1024].get(NAMES.grid).encodeNs), ...[NAMES.zlib, NAMES.zstd, NAMES.meshopt, NAMES.npm].map(of)];
}

function chartOf(measured) {
  const moving = measured.filter(({ scene }) => MOVING.includes(scene.name));
  const groups = moving.flatMap(({ scene }) => STEPS.map((step) => `${scene.name}, 1/${step}`));
  const series = Object.values(NAMES).map((name) => ({ name, values: moving.flatMap(({ found }) => STEPS.map((step) => found[step].get(name).bytes)) }));
  return bars({ title: 'Bytes a particle a frame, cloths always moving', unit: 'bytes, logarithmic', logarithmic: true, groups, series });
}

async function describe(bench, figures, measured) {
  const rivals = ['zlib', 'zstd', 'meshoptimizer', 'meshoptimizer of npm'];
  return [
    await bench.chart('frames', chartOf(measured)),
    'Every scene that has particles, in the best coding: bytes a particle of a frame, of a keyframe, and of a frame sent every 4th tick. Nothing is left out as asleep, but for *rest*, where everything is. The target’s cloths that always move are *cloth64*, a curtain, and *cloth128*, a flag, both in the wind of the scene *hex-flag*; *storm* is harder.',
    table(['scene', 'particles', '1/1024', 'keyframe', 'every 4th', '1/4096', 'keyframe', 'every 4th'], measured.map((one) => sizes(figures, one))),
    'Bytes a particle a frame at 1/1024 m in every coding: *codec* is coding 2 of FRAMES.md, *grid* coding 1; zlib packs 16-bit positions, zstd and meshoptimizer (Debian’s, and the newer one of npm) differences from the frame before. Where nothing moves for most of the time, differences are hard to beat.',
    table(['scene', ...Object.values(NAMES)], measured.map(againstRivals)),
    'ns a particle at 1/1024 m, encode / decode: CPU time of one thread; the page’s own decoders, and meshoptimizer of npm, under Node. Whoever works on differences is charged for taking and undoing them, quantising is charged to our own codings only. At 1/4096 m *codec* plays each cloth’s tick again, which makes frames a quarter smaller and costs time on both sides. Scenes of few particles tell what a frame costs rather than a particle.',
    table(['scene', 'codec encode', 'at 1/4096', 'decode, WebAssembly', 'decode, JavaScript', 'grid encode', ...rivals], measured.map(times)),
  ].join('\n\n');
}

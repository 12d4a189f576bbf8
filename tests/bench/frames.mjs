// SPDX-License-Identifier: MIT
// What frames cost, in bytes and time, for every scene and in every coding.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bars } from './chart.mjs';
import { median, short, table } from './bench.mjs';
import { decodeTimes } from './decode.mjs';
import { record } from './record.mjs';

const ROUNDS = 3;
const STEPS = [1024, 4096];
const TICKS = 240;
const WIND = { substeps: 8, iterations: 2, damping: 0.01, wind: { velocity: [3.5, 0, 1.2], gust: 0.7 } }; // that of the scene hex-flag
const STORM = { ...WIND, wind: { velocity: [1, 0, 6], gust: 1 } };
const set = (params) => ({ method: 'world.set', params });
const cloth = (side, more) => ({ method: 'cloth.spawn', params: { columns: side, rows: side, arealDensity: 0.12, position: [0, 4, 0], ...more } });
const pole = (side) => Array.from({ length: side }, (_, row) => row * side);

// Cloths that never come to rest: a curtain and a flag in gusty wind, the curtain in a storm; and a room in which everything rests.
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

/** Bytes and times of one recording in every coding. @returns {Promise<Map<string, object>>} by the coding's name */
async function bills(bench, path, step, stream, rounds) {
  const program = bench.program('frames');
  const runs = [];
  for (let round = 0; round < (bench.quick ? 1 : rounds); round++) {
    const text = await bench.text(program, [path, step, ...(stream ? [stream] : [])]);
    runs.push(new Map(text.trim().split('\n').map((line) => JSON.parse(line)).map((bill) => [bill.coding, bill])));
  }
  return new Map([...runs[0]].map(([coding, bill]) => [coding, { ...bill, encodeNs: median(runs.map((run) => run.get(coding).encodeNs)), decodeNs: median(runs.map((run) => run.get(coding).decodeNs)) }]));
}

export async function run(bench) {
  const figures = {};
  const [sizeRows, codingRows, decodeRows] = [[], [], []];
  const chart = { groups: [], series: [] };
  const path = join(bench.folder, 'recording.bin');
  const stream = join(bench.folder, 'stream.bin');
  const [encodes, decodes] = [new Map(), new Map()]; // of the moving scenes, by step
  for (const scene of await scenes()) {
    const moving = MOVING.includes(scene.name);
    const recording = await record(bench, path, { ticks: bench.quick ? 60 : TICKS, ...scene });
    const { particles, frames } = recording;
    const row = [scene.name, particles];
    for (const step of STEPS) {
      const found = await bills(bench, path, step, moving ? stream : undefined, moving ? ROUNDS : 1);
      const best = found.get('codec') ?? found.get('grid');
      note(figures, scene, step, found, best);
      row.push(short(scene.atRest ? found.get('asleep').bytes : best.bytes), short(found.get('keyframe').bytes), short(found.get('every4').bytes));
      if (moving) {
        encodes.set(step, Math.max(encodes.get(step) ?? 0, best.encodeNs));
        for (const [decoder, ns] of Object.entries(await decodeTimes(stream, recording))) {
          figures[`frames.${scene.name}.decode_${decoder}_ns_${step}`] = ns;
          decodeRows.push([`${scene.name}, 1/${step}`, decoder, short(ns)]);
          if (decoder === 'wasm') decodes.set(step, Math.max(decodes.get(step) ?? 0, ns));
        }
        chart.groups.push(`${scene.name}, 1/${step}`);
        for (const [coding, bill] of found) codingRows.push([`${scene.name}, 1/${step}`, coding, short(bill.bytes), bill.encodeNs < 0 ? '–' : short(bill.encodeNs), bill.decodeNs < 0 ? '–' : short(bill.decodeNs)]);
        addBars(chart, found);
      }
    }
    sizeRows.push(row);
    bench.say(`${scene.name}, ${particles} particles, ${frames} frames: ${row[2]} bytes a particle at 1/1024, ${row[5]} at 1/4096`);
  }
  for (const [step, ns] of encodes) figures[step === 1024 ? 'frames.encode_ns' : `frames.encode_ns_${step}`] = ns;
  for (const [step, ns] of decodes) figures[step === 1024 ? 'frames.decode_wasm_ns' : `frames.decode_wasm_ns_${step}`] = ns;
  await rm(path);
  await rm(stream);
  return { title: 'Frames', figures, text: await describe(bench, chart, sizeRows, codingRows, decodeRows) };
}

function note(figures, scene, step, found, best) {
  const name = `frames.${scene.name}`;
  figures[`${name}.bytes_${step}`] = scene.atRest ? found.get('asleep').bytes : best.bytes;
  figures[`${name}.keyframe_bytes_${step}`] = found.get('keyframe').bytes;
  if (scene.atRest) figures[`${name}.whole_bytes_${step}`] = best.bytes; // as if nothing were known to sleep
  for (const every of [2, 4, 8]) figures[`${name}.every${every}_bytes_${step}`] = found.get(`every${every}`).bytes;
  figures[`${name}.encode_ns_${step}`] = best.encodeNs;
  for (const [coding, { bytes }] of found) {
    if (!/^(codec|keyframe|asleep|every\d)$/.test(coding)) figures[`${name}.${coding.replace(/[ ,]+/g, '_')}.bytes_${step}`] = bytes;
  }
  if (!MOVING.includes(scene.name) || step !== 1024) return;
  for (const figure of ['keyframe_bytes_1024', 'every4_bytes_1024']) {
    figures[`frames.${figure}`] = Math.max(figures[`frames.${figure}`] ?? 0, figures[`${name}.${figure}`]);
  }
}

function addBars(chart, found) {
  for (const [coding, { bytes }] of found) {
    if (/^(keyframe|asleep|every\d)$/.test(coding)) continue;
    let series = chart.series.find(({ name }) => name === coding);
    if (!series) chart.series.push((series = { name: coding, values: [] }));
    series.values.push(bytes);
  }
}

async function describe(bench, chart, sizeRows, codingRows, decodeRows) {
  const picture = await bench.chart('frames', bars({ title: 'Bytes a particle a frame, cloths always moving', unit: 'bytes, logarithmic', logarithmic: true, ...chart }));
  return [
    picture,
    'Every scene, in the best coding: bytes a particle of a frame, of a keyframe, and of a frame sent every 4th tick. Nothing is left out as asleep, but for *rest*, where everything is. The target’s cloths that always move are *cloth64*, a curtain, and *cloth128*, a flag, both in the wind of the scene *hex-flag*; *storm* is harder.',
    table(['scene', 'particles', '1/1024', 'keyframe', 'every 4th', '1/4096', 'keyframe', 'every 4th'], sizeRows),
    'Every coding on cloths that always move: *codec* is coding 2 of FRAMES.md, *grid* coding 1. CPU ns a particle; whoever works on differences is charged for taking and undoing them, quantising is charged to our own codings only. At 1/4096 *codec* plays each cloth’s tick again, which makes frames a quarter smaller and costs time on both sides; the targets of time are those of 1/1024.',
    table(['scene', 'coding', 'bytes', 'encode ns', 'decode ns'], codingRows),
    ...(decodeRows.length > 0 ? ['Decoding in the page’s own decoders, under Node, ns a particle:', table(['scene', 'decoder', 'ns'], decodeRows)] : []),
  ].join('\n\n');
}

// SPDX-License-Identifier: MIT
// Records scenes for frames.c: the positions of some hundred ticks, and the objects of the frames. The scenes run in weftd,
// so they are as viewers see them.
//
// A file of little-endian 32-bit words: objects, particles, frames, triangle words; 9 words an object (shape as in packer.h, first, count,
// columns, rows, spacing as float32, 1 for a hexagonal lattice, first triangle word, triangles); the triangle words; then the frames, x, y, z a particle as float32.

import { open } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { startWeftd, stop } from './servers.mjs';

const SHAPES = { lattice: 0, triangles: 1, chain: 2, body: 3, loose: 4 };
const AT_REST_TICKS = 3600; // objects that do not sleep after a minute will never sleep

function shapeOf({ kind }) {
  if (kind === 'cloth') return SHAPES.lattice;
  if (kind === 'rope') return SHAPES.chain;
  if (kind === 'body') return SHAPES.body;
  return kind === 'particles' ? SHAPES.loose : SHAPES.triangles;
}

function headOf(topology, frames) {
  const { objects } = topology;
  const triangles = objects.map((object) => (shapeOf(object) === SHAPES.triangles ? object.triangles : new Uint32Array(0)));
  const words = triangles.reduce((sum, { length }) => sum + length, 0);
  const head = [objects.length, objects.reduce((sum, { particles }) => sum + particles, 0), frames, words];
  let at = 0;
  objects.forEach((object, i) => {
    const [spacing] = new Uint32Array(Float32Array.of(object.spacing ?? 0).buffer);
    head.push(shapeOf(object), object.first, object.particles, object.columns ?? 0, object.rows ?? 0, spacing, Number(object.mesh === 'hex'));
    head.push(at, triangles[i].length / 3);
    at += triangles[i].length;
  });
  return Buffer.concat([Buffer.from(Uint32Array.from(head).buffer), ...triangles.map((list) => Buffer.from(Uint32Array.from(list).buffer))]);
}

/** Steps the world until all objects sleep. */
async function bringToRest(call) {
  for (let tick = 0; tick < AT_REST_TICKS; tick += 60) {
    await call('world.step', { ticks: 60 });
    const { objects } = await call('object.list');
    if (objects.every(({ asleep }) => asleep)) return;
  }
  throw new Error('the scene does not come to rest');
}

/**
 * Records a scene.
 * @param {{scene: string, commands?: object[], ticks: number, skip?: number, atRest?: boolean}} what `scene` is the name of a
 *   scene in weftd, or empty to make the scene by `commands`
 * @returns {Promise<{particles: number, frames: number, objects: object[], last: Float32Array}>} `last`: positions of the last frame
 */
export async function record(bench, path, { scene, commands = [], ticks, skip = 0, atRest = false }) {
  const server = await startWeftd(bench, ['--world', `bench=${scene}`, '--paused']);
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/bench`, { WebSocket, reconnect: false });
  const call = (method, params) => client.call(method, params);
  try {
    await client.connect();
    for (const { method, params } of commands) await call(method, params);
    if (atRest) await bringToRest(call);
    if (skip > 0) await call('world.step', { ticks: skip });
    return await take(client, call, path, ticks);
  } finally {
    client.close();
    await stop(server);
  }
}

async function take(client, call, path, ticks) {
  let frames = [];
  let topology = null;
  let waiting = () => {};
  client.on('topology', () => (topology = null)); // the number of particles changes when a cloth tears, so the recording begins anew
  client.on('frame', (frame) => {
    if (topology === null) frames = [];
    topology = client.topology;
    frames.push(Buffer.from(frame.positions.buffer.slice(frame.positions.byteOffset, frame.positions.byteOffset + frame.positions.byteLength)));
    waiting();
  });
  const first = new Promise((resolve) => (waiting = resolve));
  await client.subscribeFrames({ encoding: 'raw' });
  await first;
  for (let tick = 0; tick < ticks; tick++) {
    const next = new Promise((resolve) => (waiting = resolve));
    await call('world.step', { ticks: 1 });
    await next;
  }
  const file = await open(path, 'w');
  await file.write(headOf(topology, frames.length));
  for (const frame of frames) await file.write(frame);
  await file.close();
  const last = frames.at(-1);
  return { particles: last.length / 12, frames: frames.length, objects: topology.objects, last: new Float32Array(last.buffer, last.byteOffset, last.length / 4) };
}

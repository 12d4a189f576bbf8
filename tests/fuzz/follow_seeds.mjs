// SPDX-License-Identifier: MIT
// Writes the seeds of fuzz_follow.c: the messages of small worlds, as a client gets them that follows in lockstep and as
// whoever mirrors the world gets its records. They are to be written anew when the version of the physics, of snapshots or of
// commands in the log changes; tests/client/fuzz_seeds.test.mjs notices that.
//
//   node tests/fuzz/follow_seeds.mjs

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadEngine } from '../../web/client/engine/engine.js';

const FOLDER = fileURLToPath(new URL('corpus/follow/', import.meta.url));
const ROOM = { particles: 2000, sticks: 8000, objects: 64, obstacles: 64 };
const CLIENT = 1;
const TICKS = 4;

const BALL = ['obstacle.add', { shape: 'sphere', position: [0, 0.2, 0], radius: 0.3 }];
const CLOTH = ['cloth.spawn', { columns: 4, rows: 3, spacing: 0.1, position: [0, 1, 0], pin: 'topCorners' }];

/** By name: what makes a world, then what is done in its first ticks. @type {Record<string, [string, object][][]>} */
const SEEDS = {
  cloth: [[CLOTH, BALL], [['particle.pin', { object: 1, particles: [3] }], ['force.apply', { object: 1, force: [0, 1, 0], ticks: 2 }]]],
  tearing: [
    [['cloth.spawn', { columns: 4, rows: 4, spacing: 0.1, position: [0, 1, 0], pin: 'topEdge', tear: 1.1, thickness: 0.02, selfCollision: true }]],
    [['particle.tear', { object: 1, particles: [4, 5, 6] }]],
  ],
  rope: [
    [['rope.spawn', { from: [0, 1, 0], to: [0.5, 1, 0], particles: 5, pin: 'start', stretchCompliance: 0.001 }], ['obstacle.add', { shape: 'capsule', from: [0, 0.5, -0.2], to: [0, 0.5, 0.2], radius: 0.1 }]],
    [['stick.add', { a: { object: 1, particle: 0 }, b: { object: 1, particle: 4 }, kind: 'atMost' }]],
  ],
  body: [
    [['body.spawn', { shape: 'box', size: [0.3, 0.2, 0.1], position: [0, 0.3, 0] }], ['body.spawn', { size: 0.2, position: [0, 0.6, 0] }], ['obstacle.add', { shape: 'plane' }]],
    [['object.set', { object: 1, friction: 0.2, color: '#2a6df4' }], ['world.set', { gravity: [0, -1.6, 0], wind: { velocity: [3, 0, 0], gust: 0.4 } }]],
  ],
  ragdoll: [[['ragdoll.spawn', { position: [0, 1, 0] }]], [['object.remove', { object: 1 }]]],
  plant: [[['plant.spawn', { position: [0, 0, 0], height: 0.5 }]], [['particle.move', { object: 1, particle: 5, position: [0, 0.4, 0], mode: 'push' }]]],
  particles: [
    [['particles.spawn', { positions: [0, 1, 0, 0.05, 1, 0], radius: 0.02 }], ['mesh.spawn', { positions: [[0, 1, 0], [1, 1, 0], [0, 2, 0]], triangles: [0, 1, 2], pin: [2] }]],
    [['particle.set', { object: 1, particles: [0], inverseMass: 50 }], ['obstacle.add', { shape: 'box', size: [1, 0.2, 1] }]],
  ],
  grab: [
    [CLOTH],
    [['grab.start', { object: 1, particle: 5 }]],
    [['grab.move', { grab: 2, position: [0, 1.1, 0.1] }]],
    [['grab.move', { grab: 2, position: [0, 1.2, 0.2] }], ['grab.end', { grab: 2 }]],
  ],
  batch: [[CLOTH], [['batch.run', { commands: [{ method: 'rope.spawn', params: { from: [0, 2, 0], to: [1, 2, 0], particles: 4 } }, { method: 'object.remove', params: { object: '$0' } }] }]], [['world.pause', {}]]],
  reset: [[CLOTH], [['particle.unpin', { object: 1, particles: [0, 3] }]], [['world.reset', {}]], [BALL]],
  leaving: [[CLOTH, ['grab.start', { object: 1, particle: 7 }]], [], 'leave'],
};

const engine = await loadEngine();

/** The messages of a world as a seed; `kind` says which ones are kept. */
function seed(acts, kind) {
  const world = engine.createWorld({ name: 'seed', ...ROOM });
  const messages = [];
  let requests = 0;
  const take = () => {
    for (const { kind: output, client, bytes, text } of world.outputs()) {
      if (text !== undefined && JSON.parse(text).error) throw new Error(text);
      const isWanted = kind === 'records' ? output === 'record' : output === 'binary' && client === 2;
      if (isWanted) messages.push(bytes);
    }
  };
  const submit = (client, method, params) => world.submit(client, JSON.stringify({ jsonrpc: '2.0', id: ++requests, method, params }));
  world.join(CLIENT, 'Ada');
  world.join(2, 'Bob');
  acts.forEach((commands, index) => {
    if (commands === 'leave') world.leave(CLIENT);
    else for (const [method, params] of commands) submit(CLIENT, method, params);
    world.tick();
    if (kind === 'ticks' && index === 0) {
      submit(2, 'frames.subscribe', { encoding: 'ticks' });
      world.apply(); // the snapshot comes before the other commands
    }
    take();
  });
  for (let tick = 0; tick < TICKS; tick++) world.tick();
  take();
  world.destroy();
  return Buffer.concat(messages.flatMap((message) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return [length, message];
  }));
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
for (const [name, acts] of Object.entries(SEEDS)) {
  const bytes = seed(acts, 'ticks');
  await writeFile(`${FOLDER}${name}`, bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
const bytes = seed(SEEDS.body, 'records');
await writeFile(`${FOLDER}records`, bytes);
console.log(`records: ${bytes.length} bytes`);

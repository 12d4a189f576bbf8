// SPDX-License-Identifier: MIT
// Folders for the server's data, and random changes to a world, each with the state that must exist after it was answered.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder that is removed at the end of the test. */
export async function dataFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-data-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const near = (random, reach) => [0, 0, 0].map(() => (random.real() - 0.5) * reach);

/** A random command: {method, params}. `objects` are the client's own. */
export function randomChange(random, objects) {
  const position = near(random, 4).map((x, axis) => (axis === 1 ? x + 4 : x));
  const some = objects[random.integer(Math.max(1, objects.length))];
  const spawns = [
    { method: 'particles.spawn', params: { positions: [position], velocities: [near(random, 6)] } },
    { method: 'rope.spawn', params: { from: position, to: position.map((x) => x + 1), particles: 8 } },
    { method: 'body.spawn', params: { shape: 'box', size: [0.3, 0.2, 0.4], position, angularVelocity: near(random, 9) } },
    { method: 'cloth.spawn', params: { columns: 6, rows: 5, position, tear: 1.5, pin: 'corners' } },
  ];
  if (some === undefined || random.integer(3) === 0) return spawns[random.integer(spawns.length)];
  const others = [
    { method: 'object.remove', params: { object: some } },
    { method: 'force.apply', params: { object: some, force: near(random, 40), ticks: 1 + random.integer(20) } },
    { method: 'particle.move', params: { object: some, particle: 0, position, mode: 'push' } },
    { method: 'particle.pin', params: { object: some, particles: [0] } },
    { method: 'grab.start', params: { object: some, particle: 0 } },
    { method: 'world.set', params: { gravity: [random.real(), -9.81, random.real()] } },
    { method: 'batch.run', params: { commands: [spawns[0], { method: 'particle.pin', params: { object: '$0', particles: [0] } }] } },
  ];
  return others[random.integer(others.length)];
}

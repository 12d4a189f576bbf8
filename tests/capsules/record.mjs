// SPDX-License-Identifier: MIT
// Records capsules of the present physics version into physics-VERSION of this folder: WEFT_BUILD=build node
// tests/capsules/record.mjs [FOLDER]. Run once per physics version (SIM_PHYSICS_VERSION in server/sim/sim.h) and per file
// format; capsules of older versions stay unchanged, byte for byte, because tests check how the server handles old files. If
// a capsule of the present version no longer replays, there is a fault: fix it, or raise the version. tests/determinism
// records into another folder, to replay the capsules with a server built differently.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { Weftd } from '../support/weftd.mjs';

const CAPSULES = [
  { name: 'changes', scene: 'rope', ticks: 600, seed: 5 },
  { name: 'torn-cloth', scene: 'tearing', ticks: 400, seed: 6 },
  { name: 'bodies', scene: 'bodies', ticks: 300, seed: 7 },
];
const OBJECTS_MAX = 8;
const once = { after() {} }; // a test context for a server that is ended below

for (const { name, scene, ticks, seed } of CAPSULES) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-capsule-'));
  const server = await Weftd.start(once, ['--data', folder, '--world', `lab=${scene}`, '--paused']);
  const client = await server.connect('lab');
  const random = seeded(seed);
  const objects = [];
  for (let tick = 0; tick < ticks; tick += 20) {
    const { method, params } = randomChange(random, objects);
    const made = await client.call(method, params).catch(() => ({})); // some commands are refused
    if (made.object && objects.length < OBJECTS_MAX) objects.push(made.object);
    await client.call('world.step', { ticks: 20 });
  }
  const { capsule, bytes } = await client.call('world.export');
  const { physics } = await client.call('world.get');
  const target = process.argv[2] ?? fileURLToPath(new URL(`physics-${physics}`, import.meta.url));
  await mkdir(target, { recursive: true });
  await writeFile(join(target, `${name}.capsule`), Buffer.from(capsule, 'base64'));
  console.log(`${join(target, name)}.capsule: ${ticks} ticks, ${bytes} bytes`);
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
process.exit();

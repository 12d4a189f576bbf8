// SPDX-License-Identifier: MIT
// Records a database of the present format, its expected contents, and a capsule of its world: physics-VERSION.db.gz and
// .json in this folder, and tests/capsules/physics-VERSION/history.capsule. WEFT_BUILD=build node tests/stores/record.mjs.
// Run once per format; the files of older formats stay unchanged, byte for byte, because tests/system/old_files.test.mjs
// checks that old databases and capsules can be read.
//
// The server is killed, so that the last entries follow the last snapshot, and a grab has lost its client.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { RawSocket, run, Weftd } from '../support/weftd.mjs';

const SESSION = 'a-session-of-the-old-server';
const once = { after() {} }; // a test context for a server that is killed below
const folder = await mkdtemp(join(tmpdir(), 'weft-store-'));
const server = await Weftd.start(once, ['--data', folder, '--world', 'lab=rope', '--paused']);
const client = await server.connect('lab');
const states = []; // expected states after seeks, by timeline
let timeline = 1;
const call = (method, params) => client.call(method, params);
async function step(ticks) {
  await call('world.step', { ticks });
  const { tick, stateHash } = await call('world.get');
  states.push({ timeline, tick, stateHash });
}

const { object: cloth } = await call('cloth.spawn', { columns: 12, rows: 10, spacing: 0.1, position: [0, 3, 0], pin: 'corners', name: 'flag', color: '#2a6df4' });
await step(60);
await call('particle.pin', { object: cloth, particles: [0, 5, 11] });
await call('world.set', { wind: { velocity: [2, 0, 1] } });
await step(47);
await call('batch.run', {
  commands: [
    { method: 'body.spawn', params: { shape: 'box', size: [0.3, 0.3, 0.3], position: [0, 2, 0] } },
    { method: 'particles.spawn', params: { positions: [[1, 2, 0], [1.2, 2, 0]] } },
    { method: 'obstacle.add', params: { shape: 'sphere', radius: 0.4, position: [0, 1, 0] } },
  ],
});
await step(53);
await call('rope.spawn', { from: [0, 4, 1], to: [1, 4, 1], particles: 9 });
await step(20);
const { undone } = await call('world.undo');
timeline = (await call('world.history')).timelines.at(-1).timeline;
await step(40);
const { grab } = await call('grab.start', { object: cloth, particle: 40 });
await call('grab.move', { grab, position: [0.5, 3.5, 0.4] });
await step(33);

const named = await RawSocket.open(once, server.url('lab'));
await named.next(); // hello
async function ask(message) {
  named.send({ jsonrpc: '2.0', ...message });
  return named.answer(message.id);
}
await ask({ id: 'key', method: 'session.resume', params: { session: SESSION } });
const request = { id: 'once', method: 'particles.spawn', params: { positions: [[0, 4, 0]], name: 'from-a-session' } };
const { result } = await ask(request);
await step(64);

const { physics, counts } = await call('world.get');
const { capsule } = await call('world.export', {});
server.process.kill('SIGKILL');
await server.exited;
const program = "import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nd.execute('PRAGMA wal_checkpoint(TRUNCATE)')\nd.close()";
const moved = await run('/usr/bin/python3', ['-c', program, join(folder, 'weft.db')]);
if (moved.status !== 0) throw new Error(moved.stderr);
const expected = { physics, undone, counts, states, session: SESSION, request, result };
const target = fileURLToPath(new URL(`physics-${physics}`, import.meta.url));
await writeFile(`${target}.db.gz`, gzipSync(await readFile(join(folder, 'weft.db')), { level: 9 }));
await writeFile(`${target}.json`, `${JSON.stringify(expected, null, 2)}\n`);
await writeFile(fileURLToPath(new URL(`../capsules/physics-${physics}/history.capsule`, import.meta.url)), Buffer.from(capsule, 'base64'));
console.log(`${target}: ${states.at(-1).tick} ticks`);
await rm(folder, { recursive: true, force: true });
process.exit();

// SPDX-License-Identifier: MIT
// Out of memory: each allocation during a command fails in turn, from receiving the bytes to storing the reply. The command
// is either answered and applied, or refused without any change, or its connection is closed. The server continues, and after
// a kill every answered command is still there.
//
// AddressSanitizer reports leaks of a server that ends by itself; there only some commands are tested, and of long ones only
// some allocations, unless WEFT_EVERY_ALLOCATION is set.

import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { RawSocket, SCARCE, Weftd } from '../support/weftd.mjs';

/** The file that tests/support/failing_memory.h reads, and writes its counts to. */
class Memory {
  static async make(t) {
    const memory = new Memory();
    memory.path = join(await dataFolder(t), 'memory');
    memory.file = await open(memory.path, 'w+');
    t.after(() => memory.file.close());
    await memory.file.write(new BigInt64Array([-1n, 0n, 0n, 0n]), 0, 32, 0);
    return memory;
  }

  async #set(index, value) {
    await this.file.write(new BigInt64Array([BigInt(value)]), 0, 8, 8 * index);
  }

  /** Makes one allocation fail after so many, or all later ones. */
  async runOut(after, { lasting = false } = {}) {
    await this.#set(2, lasting ? 1 : 0);
    await this.#set(0, after);
  }

  async comeBack() {
    await this.#set(2, 0);
    await this.#set(0, -1);
  }

  async #get(index) {
    const { buffer } = await this.file.read(new BigInt64Array(1), 0, 8, 8 * index);
    return Number(buffer[0]);
  }

  failures() {
    return this.#get(1);
  }

  /** The number of allocations that may still succeed. */
  left() {
    return this.#get(0);
  }
}

const SANITIZER = process.env.WEFT_SANITIZER ?? '';
const EVERY = process.env.WEFT_EVERY_ALLOCATION !== undefined;
const SOME = SANITIZER && !EVERY ? ['grab.start', 'batch.run'] : null;
const BUSY = -32000;
const KEPT = SANITIZER ? 4 : 20; // number of worlds kept for the recovery
const CLOTH = { method: 'cloth.spawn', params: { columns: 6, rows: 5, position: [0, 2, 0], tear: 1.5, pin: 'corners' } };
const COMMANDS = [
  CLOTH,
  { method: 'mesh.spawn', params: { positions: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]], triangles: [[0, 1, 2], [1, 2, 3]] } },
  { method: 'body.spawn', params: { shape: 'box', size: [0.3, 0.2, 0.4], position: [0, 3, 0] } },
  { method: 'plant.spawn', params: { position: [2, 0, 0] } },
  { method: 'obstacle.add', params: { shape: 'sphere', radius: 0.5, position: [3, 0, 0] } },
  { method: 'object.remove', params: { object: 1 } },
  { method: 'particle.pin', params: { object: 1, particles: [7, 8] } },
  { method: 'force.apply', params: { object: 1, force: [40, 0, 0], ticks: 3 } },
  { method: 'grab.start', params: { object: 1, particle: 7 } },
  { method: 'world.set', params: { gravity: [0, -3, 0] } },
  { method: 'world.step', params: { ticks: 2 } },
  { method: 'scene.load', params: { name: 'default' } },
  { method: 'batch.run', params: { commands: [CLOTH, { method: 'particle.pin', params: { object: '$0', particles: [3] } }] } },
  { method: 'world.undo', params: {} },
].filter(({ method }) => SOME?.includes(method) ?? true);

async function start(t, keeping = ['--durability', 'normal']) {
  const memory = await Memory.make(t);
  const data = keeping.length > 0 ? await dataFolder(t) : ':memory:';
  const args = ['--world', 'main=empty', '--paused', '--data', data, ...keeping, '--log-level', 'error'];
  const server = await Weftd.start(t, args, { program: SCARCE, env: { SCARCE_MEMORY: memory.path } });
  return { memory, args, server, admin: await server.connect('main') };
}

const worldHash = async (server, name) => {
  const client = await server.connect(name);
  const { stateHash } = await client.call('world.get');
  client.close();
  return stateHash;
};

async function endAtOnce(server) {
  const { code } = await server.end(SANITIZER ? 'SIGTERM' : 'SIGKILL');
  assert.equal(code, SANITIZER ? 0 : null, server.stderr);
}

const healthy = (server) => until(async () => (await fetch(server.http('/healthz'))).status === 200, 'the server to be well');

// A removed world occupies its place for some time.
const makeWorld = (admin, name) =>
  until(() => admin.call('world.create', { name, scene: 'empty', paused: true }).catch((refusal) => assert.equal(refusal.code, BUSY)), 'room');

/** The outcome of a command when memory ran out after so many allocations: {answer, failed, changed, allocations}. */
async function attempt(t, { memory, server, admin }, name, { method, params }, after) {
  await makeWorld(admin, name);
  const raw = await RawSocket.open(t, server.url(name));
  assert.ok((await raw.ask('before', CLOTH.method, CLOTH.params)).result);
  const hash = await worldHash(server, name);
  const before = await memory.failures();
  await memory.runOut(after);
  raw.send({ jsonrpc: '2.0', id: 'scarce', method, params });
  const answer = await Promise.race([raw.answer('scarce'), raw.closed.then(() => null)]);
  const allocations = after - (await memory.left());
  await memory.comeBack();
  const failed = (await memory.failures()) > before;
  await healthy(server);
  const changed = (await worldHash(server, name)) !== hash; // before the client leaves, because its grabs end then
  raw.socket.terminate();
  return { answer, failed, changed, allocations };
}

/** The allocations to fail: the first and the last ones, and some in between if there are many. */
function* places(allocations, random) {
  for (let after = 0; ; after += EVERY || after < 40 || after >= allocations - 50 ? 1 : 1 + random.integer(allocations / 20)) yield after;
}

describe('memory runs out on the way of a command', { concurrency: 4 }, () => {
  let failures = 0;
  after(() => console.log(`${failures} allocations on the way of a command failed in turn`));
  for (const command of COMMANDS) {
    test(`${command.method}, with its allocations failing in turn`, { timeout: 120000 }, async (t) => {
      const setting = await start(t);
      const { server, admin } = setting;
      const { allocations } = await attempt(t, setting, 'enough', command, 1e6);
      const hashes = new Map();
      const tally = { allocations, done: 0, refused: 0, unstored: 0, closed: 0 };
      for (const place of places(allocations, seeded())) {
        const name = `after-${place}`;
        const { answer, failed, changed } = await attempt(t, setting, name, command, place);
        const said = `after ${place} allocations: ${JSON.stringify(answer)}`;
        if (answer?.result) {
          tally.done++;
          assert.ok(changed, said);
        } else if (answer) {
          assert.match(answer.error.message, /memory|stored/, said);
          const unstored = /stored/.test(answer.error.message);
          tally[unstored ? 'unstored' : 'refused']++;
          assert.ok(unstored || !changed, said);
        } else {
          tally.closed++;
        }
        assert.ok(failed || answer?.result, said);
        hashes.set(name, await worldHash(server, name));
        if (hashes.size > KEPT) {
          const [oldest] = hashes.keys();
          await admin.call('world.remove', { name: oldest });
          hashes.delete(oldest);
        }
        if (!failed) break;
      }
      t.diagnostic(JSON.stringify(tally));
      failures += await setting.memory.failures();
      assert.ok(tally.refused >= 10);
      await endAtOnce(server);
      const again = await Weftd.start(t, setting.args);
      for (const [name, hash] of hashes) assert.equal(await worldHash(again, name), hash, name);
    });
  }
});

// A client that observes a paused world for as long as its connection lasts: {client, added, closed, frame}.
async function watch(server, encoding) {
  const seen = { client: await server.connect('main'), added: [], closed: false };
  seen.client.on('state', ({ state }) => (seen.closed ||= state === 'closed'));
  seen.client.on('frame', ({ epoch }) => (seen.epoch = epoch));
  seen.client.on('event', ({ params }) => seen.added.push(params.object));
  await seen.client.subscribeEvents(['object.added']);
  await seen.client.subscribeFrames({ encoding });
  return seen;
}

for (const encoding of ['motion', 'grid']) {
  test(`who watches (${encoding}) while an allocation fails sees what became of it, or is sent away`, { timeout: 120000 }, async (t) => {
    const { memory, server } = await start(t, []);
    let [sent, missed] = [0, 0];
    let watcher = await watch(server, encoding);
    // The first failures happen while the command runs, later ones while observers are informed, the last ones not at all.
    for (let place = 0; place < 90; place += SANITIZER ? 3 : 1) {
      if (watcher.closed) {
        missed++;
        watcher = await watch(server, encoding);
      }
      const raw = await RawSocket.open(t, server.url('main'));
      await memory.runOut(place);
      raw.send({ jsonrpc: '2.0', id: 'scarce', method: CLOTH.method, params: CLOTH.params });
      const answer = await Promise.race([raw.answer('scarce'), raw.closed.then(() => null)]);
      await sleep(40); // time for messages to the observers
      await memory.comeBack();
      raw.socket.terminate();
      const client = await server.connect('main');
      const { epoch } = await client.call('world.get');
      client.close();
      const object = answer?.result?.object;
      if (object) sent++;
      const told = () => watcher.closed || (watcher.client.topology?.epoch === epoch && watcher.epoch === epoch && (!object || watcher.added.includes(object)));
      await until(told, `${place}: epoch ${epoch} to be seen, not ${watcher.client.topology?.epoch} and ${watcher.epoch}`);
    }
    t.diagnostic(`${sent} cloths made, ${missed} times sent away`);
    assert.ok(sent > 5);
  });
}

test('with no memory at all for a while the world goes on, nothing is said that is not so, and then all is well', async (t) => {
  const { memory, server, admin, args } = await start(t);
  await admin.call('scene.load', { name: 'default' });
  const raw = await RawSocket.open(t, server.url('main'));
  raw.send({ jsonrpc: '2.0', id: 'run', method: 'world.resume' });
  await raw.answer('run');
  const first = (await admin.call('world.get')).tick;
  await memory.runOut(0, { lasting: true });
  const objects = [];
  for (let i = 0; i < 20 && raw.socket.readyState === raw.socket.OPEN; i++) {
    const answer = await Promise.race([raw.ask(`spawn-${i}`, CLOTH.method, CLOTH.params), raw.closed]);
    if (answer?.result) objects.push(answer.result.object);
  }
  raw.socket.terminate();
  await sleep(SANITIZER ? 2000 : 500);
  await memory.comeBack();
  assert.deepEqual(objects, []);
  await healthy(server);
  const client = await server.connect('main');
  const { tick } = await client.call('world.get');
  assert.ok(tick - first >= 20, `${tick - first} ticks`);
  const present = async () => (await client.call('world.list')).worlds[0].clients;
  await until(async () => (await present()) === 2, 'who left meanwhile to be missed');
  const { object } = await client.call(CLOTH.method, CLOTH.params);
  await client.call('world.pause');
  const { stateHash } = await client.call('world.get');
  await endAtOnce(server);
  const again = await (await Weftd.start(t, args)).connect('main');
  assert.equal((await again.call('world.get')).stateHash, stateHash);
  assert.ok((await again.call('object.list')).objects.some((one) => one.object === object));
});

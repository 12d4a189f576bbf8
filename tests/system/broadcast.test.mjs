// SPDX-License-Identifier: MIT
// A broadcast: files for HTTP from which anybody computes the same states as the server, and which any cache may keep.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BroadcastFiles, readFragment, readList } from '../../web/client/broadcast/files.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { decompress } from '../../web/client/lockstep/own_world.js';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const MODULE = join(ROOT, 'web/client/engine/weft.wasm');
const IMMUTABLE = 'public, max-age=31536000, immutable';
const origin = (server) => `http://127.0.0.1:${server.port}`;

/** The folder of a broadcast once it has files. */
async function broadcastOf(server, path) {
  const folder = origin(server) + path;
  await until(async () => (await fetch(`${folder}manifest.json`)).status === 200, 'a manifest', 60000);
  return folder;
}

/** Computes a world from its broadcast, as a spectator does. */
class Audience {
  static async open(folder) {
    const audience = new Audience();
    audience.files = new BroadcastFiles(`${folder}manifest.json`);
    const engine = await loadEngine({ bytes: await readFile(MODULE) });
    audience.world = engine.createWorld(); // with room for all that the server has room for: sheets may tear
    return audience;
  }

  snapshots = 0;
  seen = new Set();

  async restore(part) {
    this.world.follow(await decompress(await this.files.snapshot(part)));
    this.snapshots++;
    this.part = part.snapshot;
  }

  /** Plays what is listed and was not played yet. */
  async play(list) {
    let at = list.parts.findIndex(({ snapshot }) => snapshot === this.part);
    if (at < 0) {
      at = list.parts.length - 1;
      await this.restore(list.parts[at]);
    }
    for (const [index, part] of list.parts.slice(at).entries()) {
      if (index > 0 && !part.continues) await this.restore(part);
      this.part = part.snapshot;
      for (const fragment of part.fragments) {
        if (this.seen.has(fragment.file)) continue;
        this.seen.add(fragment.file);
        for (const message of await this.files.fragment(fragment)) this.world.follow(message);
        assert.equal(this.world.tickCount, fragment.to);
      }
    }
  }

  /** Plays until its state is that of the server, whose world stands. */
  async reach(hash, what) {
    await until(async () => {
      await this.play(await this.files.list('manifest.json'));
      return this.world.hash === hash;
    }, what, 60000);
  }
}

test('whatever is done to a world, its audience computes its hashes', { timeout: 180000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const { server, call, hash } = await laboratory(t, ['--data', join(await dataFolder(t), 'data')]);
  await call('scene.load', { name: 'rope' });
  const { path } = await call('broadcast.start');
  const audience = await Audience.open(await broadcastOf(server, path));
  const objects = [];
  for (let done = 0; done < 240; done += 5) {
    const { method, params } = randomChange(random, objects);
    const { object } = await call(method, params).catch(() => ({}));
    if (object && objects.length < 8) objects.push(object);
    await call('world.step', { ticks: 5 });
  }
  await audience.reach(await hash(), 'random changes');
  const { object } = await call('cloth.spawn', { columns: 8, rows: 8, position: [0, 3, 0] });
  await audience.reach(await hash(), 'a change while the world stands');
  const { grab } = await call('grab.start', { object, particle: 0 });
  for (let i = 0; i < 10; i++) {
    await call('grab.move', { grab, position: [0, 3 + i / 10, 0] });
    await call('world.step', { ticks: 1 });
  }
  await call('grab.end', { grab });
  await audience.reach(await hash(), 'a drag');
  await call('world.seek', { tick: 22 });
  await audience.reach(await hash(), 'a seek');
  await call('world.step', { ticks: 100 });
  await call('object.remove', { object: (await call('object.list')).objects[0].object });
  await call('world.step', { ticks: 2 });
  await call('world.undo', { force: true });
  await audience.reach(await hash(), 'an undo');
  await call('world.reset');
  await call('world.step', { ticks: 5 });
  await audience.reach(await hash(), 'a reset');
  await call('scene.load', { name: 'bodies' });
  await call('world.step', { ticks: 5 });
  await audience.reach(await hash(), 'another scene');
  assert.ok(audience.snapshots >= 3, 'jumps come with a snapshot');
});

test('a running world gets a snapshot now and then, on which the ticks go on', { timeout: 180000 }, async (t) => {
  const { server, call, hash } = await laboratory(t);
  await call('scene.load', { name: 'cloth' });
  const { path } = await call('broadcast.start');
  const folder = await broadcastOf(server, path);
  const early = await Audience.open(folder);
  await call('world.resume');
  const files = new BroadcastFiles(folder);
  let list;
  await until(async () => {
    list = await files.list('manifest.json');
    await early.play(list);
    return list.parts.length >= 2 && list.parts[1].fragments.length > 0;
  }, 'a second snapshot', 120000);
  assert.deepEqual(list.parts.map(({ continues }) => continues), [false, true]);
  assert.equal(list.parts[1].tick, list.parts[0].fragments.at(-1).to);
  const late = await Audience.open(folder);
  await late.restore(list.parts[1]);
  await call('world.pause');
  const end = await hash();
  await early.reach(end, 'who was there from the beginning');
  await late.reach(end, 'who came with the second snapshot');
  assert.deepEqual([early.snapshots, late.snapshots], [1, 1]);
  const timeline = await files.list('timeline.json');
  assert.equal(timeline.parts[0].snapshot, list.parts[0].snapshot);
  const { from, to } = await call('broadcast.get');
  assert.deepEqual([from, to], [list.parts[0].tick, (await call('world.get')).tick]);
});

test('files never change and may be cached, lists for a second; what is wrong is answered with a sentence', { timeout: 120000 }, async (t) => {
  const { server, call } = await laboratory(t);
  assert.equal((await fetch(`${origin(server)}/worlds/lab/broadcast/manifest.json`)).status, 404);
  assert.deepEqual(await call('broadcast.get'), { on: false });
  await call('scene.load', { name: 'rope' });
  const { on, path, embed } = await call('broadcast.start');
  assert.deepEqual([on, path, embed], [true, '/worlds/lab/broadcast/', false]);
  const folder = await broadcastOf(server, path);
  await call('world.step', { ticks: 30 });
  const files = new BroadcastFiles(folder);
  await until(async () => (await files.list('manifest.json')).parts[0].fragments.length > 0, 'a fragment');
  const { parts: [part] } = await files.list('manifest.json');
  const headersOf = async (name, method = 'GET') => {
    const answer = await fetch(folder + name, { method });
    const read = (field) => answer.headers.get(field);
    return [answer.status, read('cache-control'), read('content-type'), read('access-control-allow-origin'), read('cross-origin-resource-policy')];
  };
  assert.deepEqual(await headersOf('manifest.json'), [200, 'max-age=1', 'application/json', null, 'same-origin']);
  assert.deepEqual(await headersOf('timeline.json'), [200, 'max-age=10', 'application/json', null, 'same-origin']);
  for (const name of [part.snapshot, part.fragments[0].file]) {
    for (const method of ['GET', 'HEAD']) {
      assert.deepEqual(await headersOf(name, method), [200, IMMUTABLE, 'application/octet-stream', null, 'same-origin']);
    }
  }
  const refused = async (name, words) => {
    const answer = await fetch(folder + name);
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [404, 'no-store'], name);
    assert.match(await answer.text(), words);
  };
  await refused('ticks-0-0123456789abcdef', /no such file/);
  await refused('../broadcast/x', /no such file/);
  await refused('key/manifest.json', /no such broadcast/);
  assert.equal((await fetch(`${origin(server)}/worlds/other/broadcast/manifest.json`)).status, 404);
  assert.equal((await fetch(`${folder}manifest.json`, { method: 'POST', body: '{}' })).status, 405);
  const families = readMetrics(await (await fetch(`${origin(server)}/metrics`)).text());
  const value = (name) => valueOf(families, name, { world: 'lab' });
  const figures = await call('broadcast.get');
  assert.deepEqual([value('weft_world_broadcast'), value('weft_world_broadcast_requests_total')], [1, figures.requests]);
  assert.ok(value('weft_world_broadcast_sent_bytes_total') > figures.bytes && figures.bytes > 100);
  await call('broadcast.stop');
  assert.equal((await fetch(folder + part.snapshot)).status, 404);
  assert.deepEqual(await call('broadcast.get'), { on: false });
});

test('pages of any origin may play a broadcast if it says so', { timeout: 120000 }, async (t) => {
  const { server, call } = await laboratory(t);
  const { path } = await call('broadcast.start');
  const folder = await broadcastOf(server, path);
  const foreign = { headers: { Origin: 'https://school.example' } };
  assert.equal((await fetch(`${folder}manifest.json`, foreign)).status, 403);
  assert.deepEqual((await call('broadcast.start', { embed: true })).path, path);
  const answer = await fetch(`${folder}manifest.json`, foreign);
  const read = (field) => answer.headers.get(field);
  assert.deepEqual([answer.status, read('access-control-allow-origin'), read('cross-origin-resource-policy')], [200, '*', 'cross-origin']);
  assert.equal((await fetch(`${origin(server)}/worlds/lab/capsule`, foreign)).status, 403, 'of other documents nothing changes');
  await call('broadcast.stop');
  const ended = await fetch(`${folder}manifest.json`, foreign);
  assert.deepEqual([ended.status, ended.headers.get('access-control-allow-origin')], [404, '*'], 'pages can tell of the end');
});

test('on a server with tokens the path holds a key, which the end of the broadcast revokes', { timeout: 120000 }, async (t) => {
  const tokens = join(await dataFolder(t), 'tokens');
  const token = async (role) => (await run(WEFTCTL, ['token', 'make', role, role, '--tokens', tokens])).stdout.match(/weft_\S+/)[0];
  const [admin, editor] = [await token('admin'), await token('editor')];
  const server = await Weftd.start(t, ['--tokens', tokens, '--world', 'lab']);
  const [boss, other] = [await server.connect('lab', { token: admin }), await server.connect('lab', { token: editor })];
  await assert.rejects(other.call('broadcast.start'), /admin/);
  await assert.rejects(other.call('broadcast.get'), /admin/);
  const { path } = await boss.call('broadcast.start');
  assert.match(path, /^\/worlds\/lab\/broadcast\/[\w-]{24}\/$/);
  const folder = await broadcastOf(server, path);
  const { parts: [{ snapshot }] } = await new BroadcastFiles(folder).list('manifest.json');
  assert.equal((await fetch(folder + snapshot)).status, 200);
  const status = async (address) => (await fetch(origin(server) + address)).status;
  assert.equal(await status('/worlds/lab/broadcast/manifest.json'), 404);
  assert.equal(await status(path.replace(/.\/$/, '~/manifest.json')), 404);
  assert.equal(await status('/worlds/lab/capsule'), 401);
  await boss.call('broadcast.stop');
  const again = await boss.call('broadcast.start');
  assert.notEqual(again.path, path);
  await broadcastOf(server, again.path);
  assert.equal((await fetch(folder + snapshot)).status, 404);
  assert.equal((await fetch(`${folder}manifest.json`)).status, 404);
});

test('lists and fragments that are damaged are refused', async () => {
  const part = { snapshot: 'snapshot-5-0123456789abcdef', tick: 5, continues: false, fragments: [{ file: 'ticks-5-0123456789abcdef', from: 5, to: 9 }] };
  const list = { format: 1, world: 'lab', tickHz: 60, physics: 2, parts: [part] };
  assert.deepEqual(readList(list).parts, [part]);
  const bad = (change, words) => assert.throws(() => readList({ ...list, ...change }), words);
  bad({ format: 2 }, /format 2/);
  bad({ tickHz: 1e9 }, /tickHz/);
  bad({ parts: [] }, /no parts/);
  bad({ parts: [null] }, /no snapshot/);
  bad({ parts: [{ ...part, snapshot: '../../secret' }] }, /no snapshot/);
  bad({ parts: [{ ...part, tick: -1 }] }, /no tick/);
  bad({ parts: [{ ...part, fragments: [{ file: '//elsewhere.example/x', from: 5, to: 9 }] }] }, /without a file/);
  bad({ parts: [{ ...part, fragments: [{ ...part.fragments[0], from: 9, to: 3 }] }] }, /do not follow/);
  const { deflateSync } = await import('node:zlib');
  await assert.rejects(readFragment(new Uint8Array(40)), /damaged/);
  await assert.rejects(readFragment(deflateSync(Buffer.from([200, 0, 0, 0, 6, 0]))), /does not consist of messages/);
  await assert.rejects(readFragment(deflateSync(Buffer.alloc(80e6))), /the most that is read|does not consist/);
});

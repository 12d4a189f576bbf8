// SPDX-License-Identifier: MIT
// Lockstep: a client with an engine of its own gets a snapshot and then what was applied before each tick, and has the
// same state as the server, whatever happens to the world.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { loadEngine } from '../../web/client/engine/engine.js';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, RawSocket, ROOT, run, WEFTCTL } from '../support/weftd.mjs';

const MODULE = join(ROOT, 'web/client/engine/weft.wasm');
const [SNAPSHOT, TICKS] = [5, 6];
const HEADER = 16;

/** Follows a world with an engine of its own, message by message. */
class Lockstep {
  static async open(t, server, worldName = 'lab') {
    const lockstep = new Lockstep();
    const engine = await loadEngine({ bytes: await readFile(MODULE) });
    lockstep.world = engine.createWorld({ particles: 50000, sticks: 400000, objects: 1000, obstacles: 100 });
    lockstep.raw = await RawSocket.open(t, server.url(worldName));
    const hello = await lockstep.raw.next();
    assert.equal(hello.method, 'hello');
    const { result, error } = await lockstep.raw.ask('ticks', 'frames.subscribe', { encoding: 'ticks' });
    assert.deepEqual([error, result.encoding, result.everyTicks], [undefined, 'ticks', 1]);
    return lockstep;
  }

  counts = { [SNAPSHOT]: 0, [TICKS]: 0, bytes: 0, withRecords: 0 };
  waiting = [];

  take(message) {
    this.counts[message[0]]++;
    this.counts.bytes += message.length;
    if (message[0] === TICKS && message[3] > 0) this.counts.withRecords += message.length;
    if (message[0] === SNAPSHOT) {
      this.generation = message.readUInt32LE(4);
      const plain = message[1] & 1 ? Buffer.concat([message.subarray(0, HEADER), inflateSync(message.subarray(HEADER))]) : Buffer.from(message);
      plain[1] &= ~1;
      this.world.follow(plain);
    } else {
      this.waiting.push(message);
    }
    while (this.waiting.length > 0 && this.generation >= this.waiting[0].readUInt32LE(4)) {
      const next = this.waiting.shift();
      if (next.readUInt32LE(4) === this.generation) this.world.follow(next);
    }
  }

  /** Takes messages until the own world is at a tick and nothing more comes for a moment. */
  async reach(tick) {
    while (this.generation === undefined || this.world.tickCount < tick) {
      const message = await this.raw.next();
      assert.ok(message !== undefined, `nothing comes after tick ${this.world.tickCount} on the way to ${tick}`);
      if (Buffer.isBuffer(message)) this.take(message);
    }
    for (let message; (message = await this.raw.next(200)) !== undefined;) if (Buffer.isBuffer(message)) this.take(message);
  }
}

test('whatever is done to a world, who follows it in lockstep has its hash', { timeout: 120000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const { server, call, hash } = await laboratory(t, ['--data', join(await dataFolder(t), 'data')]);
  await call('scene.load', { name: 'rope' });
  await call('world.step', { ticks: 10 });
  const lockstep = await Lockstep.open(t, server);
  const objects = [];
  for (let done = 0; done < 240; done += 5) {
    const { method, params } = randomChange(random, objects);
    const { object } = await call(method, params).catch(() => ({}));
    if (object && objects.length < 8) objects.push(object);
    await call('world.step', { ticks: 5 });
  }
  const { tick } = await call('world.get');
  await lockstep.reach(tick);
  assert.deepEqual([lockstep.world.tickCount, lockstep.world.hash], [tick, await hash()]);
  assert.equal(lockstep.counts[SNAPSHOT], 1);
});

test('obstacles that move are followed, in their middle as well', { timeout: 120000 }, async (t) => {
  const { server, call, hash } = await laboratory(t, ['--data', join(await dataFolder(t), 'data')]);
  await call('scene.load', { name: 'conveyor' });
  await call('world.step', { ticks: 45 });
  const lockstep = await Lockstep.open(t, server);
  const [belt, turntable] = ['belt', 'turntable'].map((name) => async () => (await call('object.list')).obstacles.find((one) => one.name === name).id);
  await call('world.step', { ticks: 40 });
  await call('obstacle.set', { obstacle: await turntable(), angularVelocity: [0, -2, 0.1], velocity: [0, 0.05, 0] });
  await call('obstacle.set', { obstacle: await belt(), path: [{ time: 0.5, position: [-1.5, 0.9, 0.1], rotation: [0, 0, 0.05, 1] }] });
  await call('world.step', { ticks: 60 });
  const { tick } = await call('world.get');
  await lockstep.reach(tick);
  assert.deepEqual([lockstep.world.tickCount, lockstep.world.hash], [tick, await hash()]);
});

test('seek, undo, reset, scenes and a paused world are followed', { timeout: 120000 }, async (t) => {
  const { server, call, hash } = await laboratory(t, ['--data', join(await dataFolder(t), 'data')]);
  await call('scene.load', { name: 'cloth' });
  await call('world.step', { ticks: 20 });
  const lockstep = await Lockstep.open(t, server);
  const agrees = async (what) => {
    const { tick } = await call('world.get');
    await lockstep.reach(tick);
    assert.deepEqual([lockstep.world.tickCount, lockstep.world.hash], [tick, await hash()], what);
  };
  await agrees('the beginning');
  const { object } = await call('cloth.spawn', { columns: 8, rows: 8, position: [0, 3, 0] });
  await agrees('a command while the world stands');
  await call('world.step', { ticks: 3 });
  await agrees('steps');
  const { grab } = await call('grab.start', { object, particle: 0 });
  for (let i = 0; i < 10; i++) {
    await call('grab.move', { grab, position: [0, 3 + i / 10, 0] });
    await call('world.step', { ticks: 1 });
  }
  await call('grab.end', { grab });
  await agrees('a drag');
  await call('world.seek', { tick: 22 });
  await agrees('a seek back');
  await call('world.step', { ticks: 30 });
  await agrees('steps after a seek');
  await call('object.remove', { object: (await call('object.list')).objects[0].object }).catch(() => {});
  await call('world.step', { ticks: 2 });
  await call('world.undo', { force: true }).catch(() => {});
  await agrees('an undo');
  await call('world.reset');
  await call('world.step', { ticks: 5 });
  await agrees('a reset');
  await call('scene.load', { name: 'bodies' });
  await call('world.step', { ticks: 5 });
  await agrees('another scene');
  await call('world.resume');
  await new Promise((resolve) => setTimeout(resolve, 700));
  await call('world.pause');
  await agrees('a running world that was paused');
});

test('when nobody acts a second costs less than 1 KB, and a hand that moves each tick less than 2 KB', { timeout: 60000 }, async (t) => {
  const { server, call } = await laboratory(t);
  await call('scene.load', { name: 'cloth' });
  const lockstep = await Lockstep.open(t, server);
  await lockstep.reach(0);
  lockstep.counts.bytes = 0;
  await call('world.step', { ticks: 1 });
  await call('world.resume');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await call('world.pause');
  const { tick } = await call('world.get');
  await lockstep.reach(tick);
  const perSecond = lockstep.counts.bytes / (tick / 60);
  t.diagnostic(`${perSecond.toFixed(0)} B/s, ${lockstep.counts[TICKS]} messages for ${tick} ticks`);
  assert.ok(perSecond < 1024, `${perSecond} B/s`);
  const { object } = (await call('object.list')).objects[0];
  const { grab } = await call('grab.start', { object, particle: 0 });
  await call('world.step', { ticks: 1 });
  await lockstep.reach(tick + 1);
  lockstep.counts.withRecords = 0;
  for (let i = 0; i < 60; i++) {
    await call('grab.move', { grab, position: [Math.sin(i), 3, Math.cos(i)] });
    await call('world.step', { ticks: 1 });
  }
  await lockstep.reach(tick + 61);
  const { withRecords } = lockstep.counts; // a slow machine takes more ticks without a record, which were measured above
  t.diagnostic(`${withRecords} B for 60 moves and ticks`);
  assert.ok(withRecords >= 60 * 12 && withRecords < 2 * 1024, `${withRecords} B`); // three f32 a move at least
});

test('what makes no sense in lockstep is refused with its name, and another encoding ends it', async (t) => {
  const { server, call } = await laboratory(t);
  const lockstep = await Lockstep.open(t, server);
  for (const params of [{ objects: [1] }, { everyTicks: 2 }, { step: 0.01 }, { adapt: true }]) {
    const [name] = Object.keys(params);
    const { error } = await lockstep.raw.ask(name, 'frames.subscribe', { encoding: 'ticks', ...params });
    assert.equal(error.code, -32602);
    assert.equal(error.data.pointer, `/${name}`);
    assert.match(error.message, new RegExp(`${name} is not allowed with the encoding "ticks"`));
  }
  await lockstep.raw.ask('raw', 'frames.subscribe', { encoding: 'raw' });
  await call('world.step', { ticks: 3 });
  const types = new Set();
  for (let message; (message = await lockstep.raw.next(300)) !== undefined;) if (Buffer.isBuffer(message)) types.add(message[0]);
  assert.ok(types.has(1) && !types.has(TICKS), [...types].join());
});

test('who asks for another snapshot while a command waits to be told of has that command once', async (t) => {
  const { server, call, hash } = await laboratory(t);
  await call('scene.load', { name: 'rope' });
  const lockstep = await Lockstep.open(t, server);
  await lockstep.reach(0);
  // Both are read by the server before it publishes: the command is in the snapshot and in the ticks that others get.
  lockstep.raw.send({ jsonrpc: '2.0', id: 'spawn', method: 'cloth.spawn', params: { columns: 6, rows: 6, position: [0, 3, 0] } });
  lockstep.raw.send({ jsonrpc: '2.0', id: 'again', method: 'frames.subscribe', params: { encoding: 'ticks' } });
  await lockstep.raw.answer('again'); // ticks before it are of the old subscription
  lockstep.generation = undefined; // ticks after it wait for the new snapshot
  await call('world.step', { ticks: 70 });
  await lockstep.reach(70);
  assert.equal(lockstep.counts[SNAPSHOT], 2);
  assert.equal(lockstep.world.hash, await hash());
});

test('the metrics count who computes the ticks, and who asked for another snapshot', async (t) => {
  const { server } = await laboratory(t);
  const figures = async () => {
    const text = await (await fetch(server.http('/metrics'))).text();
    return ['weft_world_lockstep', 'weft_world_lockstep_renewals_total', 'weft_world_viewers'].map((name) => Number(new RegExp(`^${name}\\{[^}]*world="lab"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]));
  };
  assert.deepEqual(await figures(), [0, 0, 0]);
  const lockstep = await Lockstep.open(t, server);
  await until(async () => (await figures())[0] === 1, 'the follower to be counted');
  assert.deepEqual(await figures(), [1, 0, 1]);
  await lockstep.raw.ask('again', 'frames.subscribe', { encoding: 'ticks' });
  await until(async () => (await figures())[1] === 1, 'the renewal to be counted');
  lockstep.raw.socket.close();
  await until(async () => (await figures())[0] === 0, 'the follower to be gone');
});

test('weftctl watch computes the ticks and compares the hashes', { timeout: 60000 }, async (t) => {
  const { server, call } = await laboratory(t);
  await call('scene.load', { name: 'rope' });
  await call('world.resume');
  const { status, stdout, stderr } = await run(WEFTCTL, ['watch', '--url', server.url('lab'), '--encoding', 'ticks', '--seconds', '3']);
  assert.deepEqual([status, stderr], [0, '']);
  const last = stdout.trim().split('\n').at(-1);
  const [, tick, rate] = /tick=(\d+) framesPerSecond=([\d.]+)/.exec(last);
  assert.ok(Number(tick) > 60 && Number(rate) > 20, last);
  assert.match(last, /particles=[1-9]/);
  assert.match(last, / hashes=[1-9]/);
});

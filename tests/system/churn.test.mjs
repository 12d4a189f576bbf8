// SPDX-License-Identifier: MIT
// Objects and viewers come and go at random: every frame has an epoch whose topology its viewer received before, deltas apply
// to the viewer's topology, and nothing of a client that left remains.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { laboratory, RawSocket } from '../support/weftd.mjs';

const OPERATIONS = process.env.WEFT_SANITIZER ? 150 : 400;
const [FRAME, TOPOLOGY] = [1, 2];
const [IS_DELTA, IS_REFRESH] = [1, 2];

/** Validates the received messages of a viewer. */
class Viewer {
  frames = 0;
  #epoch = null;
  #particles = null;

  static async open(t, url, everyTicks) {
    const viewer = new Viewer();
    viewer.everyTicks = everyTicks;
    viewer.raw = await RawSocket.open(t, url);
    viewer.raw.socket.on('message', (data, isBinary) => isBinary && viewer.#look(data));
    viewer.raw.send({ jsonrpc: '2.0', id: 1, method: 'frames.subscribe', params: { everyTicks } });
    return viewer;
  }

  #look(data) {
    const [type, flags, epoch, count] = [data[0], data.readUInt16LE(2), data.readUInt32LE(4), data.readUInt32LE(20)];
    try {
      assert.equal(data.length % 4, 0);
      if (type === TOPOLOGY) this.#learn(data, flags, epoch, count);
      else this.#see(type, flags, epoch, count, Number(data.readBigUInt64LE(8)));
    } catch (error) {
      this.error ??= error;
    }
  }

  #learn(data, flags, epoch, count) {
    const { base } = JSON.parse(data.subarray(36, 36 + data.readUInt32LE(32)));
    assert.equal(base, flags & IS_DELTA ? this.#epoch : null, 'a delta continues what is known');
    assert.ok(this.#epoch === null || epoch > this.#epoch || base === null, 'epochs rise');
    [this.#epoch, this.#particles] = [epoch, count];
  }

  #see(type, flags, epoch, count, tick) {
    assert.deepEqual([type, epoch, count], [FRAME, this.#epoch, this.#particles]);
    if (this.frames > 0 && !(flags & IS_REFRESH)) assert.equal(tick % this.everyTicks, 0);
    this.frames++;
  }
}

test('whatever comes and goes, a viewer has the topology of every frame it gets', { timeout: 60000 }, async (t) => {
  const { call, server } = await laboratory(t);
  const random = seeded();
  t.diagnostic(`seed ${random.seed}`);
  const viewers = [];
  const join = async () => viewers.push(await Viewer.open(t, server.url('lab'), 1 + random.integer(3)));
  const objects = async () => (await call('object.list')).objects.map(({ object }) => object);
  const any = async () => {
    const all = await objects();
    return all[random.integer(all.length)] ?? 4000000000;
  };
  const rope = () => ({ from: [random.integer(9), 2, 0], to: [0, random.integer(9) + 3, 1], particles: 2 + random.integer(200) });
  const operations = [
    () => call('rope.spawn', rope()),
    () => call('rope.spawn', rope()),
    async () => call('object.remove', { object: await any() }),
    async () => call('batch.run', { commands: [{ method: 'rope.spawn', params: rope() }, { method: 'object.remove', params: { object: await any() } }] }),
    () => call('batch.run', { commands: [{ method: 'rope.spawn', params: rope() }, { method: 'object.remove', params: { object: 4000000000 } }] }),
    () => call('obstacle.add', { shape: 'sphere', radius: 0.1, position: [50, 50, random.integer(50)] }),
    async () => viewers[0].raw.send({ jsonrpc: '2.0', method: 'grab.start', params: { object: await any(), particle: 0 } }),
    async () => (viewers.shift().raw.socket.terminate(), join()),
    () => call(['world.pause', 'world.resume', 'world.resume', 'world.reset'][random.integer(4)]),
    () => sleep(random.integer(40)),
  ];
  for (let i = 0; i < 5; i++) await join();
  for (let i = 0; i < OPERATIONS; i++) {
    await operations[random.integer(operations.length)]().catch((error) => assert.ok(error.code < 0, error));
    for (const viewer of viewers) assert.ifError(viewer.error);
  }
  await call('world.resume');
  for (const viewer of viewers) {
    const seen = viewer.frames;
    await until(() => viewer.frames > seen + 3, 'frames');
    assert.ifError(viewer.error);
    viewer.raw.socket.terminate();
  }
  await until(async () => (await call('world.get')).timing.clients === 1, 'all viewers to be gone');
  const { counts, timing } = await call('world.get');
  assert.deepEqual([counts.grabs, timing.viewers], [0, 0]);
  await server.everybodyLeaves();
});

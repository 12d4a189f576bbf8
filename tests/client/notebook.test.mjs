// SPDX-License-Identifier: MIT
// The client over a notebook's channel (web/notebook/socket.js) with the Python package at its other end, without a notebook.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WeftClient } from '../../web/client/client.js';
import { Channel, socketClass } from '../../web/notebook/socket.js';

const ROOT = join(import.meta.dirname, '../..');
const PYTHON = join(process.env.WEFT_BUILD ?? join(ROOT, 'build'), 'venv/bin/python');

/** A kernel as the model of a widget, for as many views as there are. */
class Kernel {
  #process = spawn(PYTHON, [join(ROOT, 'tests/support/notebook_kernel.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  #takers = new Set();
  #answers = [];
  sent = [];

  constructor() {
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      const { buffers, ...message } = JSON.parse(line);
      if ('ran' in message || 'ready' in message) this.#answers.shift()?.(message.ran);
      else for (const take of [...this.#takers]) take(message, buffers.map((text) => new DataView(Uint8Array.from(Buffer.from(text, 'base64')).buffer)));
    });
    this.ready = this.#answer();
  }

  #answer() {
    return new Promise((resolve) => { this.#answers.push(resolve); });
  }

  on(name, take) {
    assert.equal(name, 'msg:custom');
    this.#takers.add(take);
  }

  off(name, take) {
    this.#takers.delete(take);
  }

  send(message) {
    this.sent.push(message);
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Runs lines of Python, as a cell would. @param {string} lines @returns {Promise<any>} its variable `result` */
  run(lines) {
    const answer = this.#answer();
    this.send({ run: lines });
    return answer;
  }

  end() {
    this.#process.stdin.end();
  }
}

/** @type {Kernel} */
let kernel;
before(async () => {
  assert.ok(existsSync(PYTHON), 'make python has made the virtual environment');
  kernel = new Kernel();
  await kernel.ready;
});
after(() => kernel.end());

/** A view: a client that is subscribed to frames. */
async function view() {
  const channel = new Channel(kernel);
  const client = new WeftClient('notebook:world', { WebSocket: socketClass(channel) });
  const faults = [];
  client.on('fault', (error) => faults.push(error));
  await client.connect();
  return { channel, client, faults };
}

async function until(holds, what, ms = 20000) {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(10)) if (await holds()) return;
  assert.fail(`${what} within ${ms} ms`);
}

const lowest = (frame) => frame.positions.reduce((least, value, index) => (index % 3 === 1 ? Math.min(least, value) : least), Infinity);

test('a view plays, and pauses, the world of a kernel', async () => {
  await kernel.run('world.cloth(12, 10, position=(0, 3, 0), pin="none")');
  const { client, channel, faults } = await view();
  assert.equal(client.hello.role, 'editor');
  let newest;
  client.on('frame', (frame) => { newest = { tick: frame.tick, low: lowest(frame) }; });
  await client.subscribeFrames({ adapt: true });
  await until(() => newest, 'the first frame');
  const { low } = newest;
  await client.call('world.resume');
  await until(() => newest.tick > 30, 'half a second of frames');
  await client.call('world.pause');
  assert.ok(newest.low < low - 0.5, `it has fallen from ${low} to ${newest.low}`);
  const tick = await kernel.run('result = world.tick');
  await sleep(100);
  assert.equal(await kernel.run('result = world.tick'), tick, 'the clock stands');
  assert.equal(await kernel.run('result = world.running'), false);
  await until(() => newest.tick === tick, 'the last frame');
  assert.deepEqual(faults, []);
  channel.close();
  await until(async () => (await kernel.run('result = len(views)')) === 0, 'the view is left');
});

test('a hand pulls a particle of the kernel’s world, and lets go when its view is closed', async () => {
  await kernel.run('world.cloth(8, 8, position=(5, 3, 0), pin="none"); world.set(gravity=(0, 0, 0))');
  const { client, channel } = await view();
  await client.subscribeFrames({ adapt: true });
  const object = await kernel.run('result = world.objects[-1].id');
  const { grab } = await client.call('grab.start', { object, particle: 0 });
  await client.call('world.resume');
  for (let step = 1; step <= 30; step++) {
    client.notify('grab.move', { grab, position: [5, 3 + 0.05 * step, 1] });
    await sleep(16);
  }
  await until(async () => (await kernel.run('result = float(world.objects[-1].positions[0][2])')) > 0.5, 'the particle follows');
  channel.close();
  await until(async () => (await kernel.run('result = len(views)')) === 0, 'the view is left');
  await kernel.run('world.pause()');
});

test('two views see the same, and the one that stays goes on', async () => {
  const first = await view();
  const second = await view();
  const ticks = [0, 0];
  first.client.on('frame', ({ tick }) => { ticks[0] = tick; });
  second.client.on('frame', ({ tick }) => { ticks[1] = tick; });
  for (const { client } of [first, second]) await client.subscribeFrames({ adapt: true });
  await kernel.run('world.step(20)');
  const tick = await kernel.run('result = world.tick');
  await until(() => ticks[0] === tick && ticks[1] === tick, 'both at the last tick');
  first.channel.close();
  await kernel.run('world.step(5)');
  await until(() => ticks[1] === tick + 5, 'the other one');
  assert.equal(ticks[0], tick);
  second.channel.close();
});

test('a cell that computes a long time leaves a view at the last tick, without a gap', async () => {
  const { client, channel, faults } = await view();
  let newest;
  client.on('frame', (frame) => { newest = { tick: frame.tick, positions: frame.positions.slice() }; });
  await client.subscribeFrames({ adapt: true });
  const end = await kernel.run('world.set(gravity=(0, -9.8, 0)); world.step(400); result = world.tick');
  await until(() => newest?.tick === end, 'the last tick');
  const positions = await kernel.run('result = world.positions.ravel().tolist()');
  const worst = positions.reduce((most, value, index) => Math.max(most, Math.abs(value - newest.positions[index])), 0);
  assert.ok(worst < 0.002, `the view differs by up to ${worst} m`);
  assert.deepEqual(faults, []);
  channel.close();
});

test('a kernel that computes is told as silent, and heard again', { timeout: 180000 }, async () => {
  const { channel } = await view();
  const heard = [];
  channel.onsilence = (silent) => heard.push(silent);
  await kernel.run('time.sleep(15)');
  await until(() => heard.length >= 2, 'an answer');
  assert.deepEqual(heard.slice(0, 2), [true, false]);
  channel.close();
});

test('a kernel that is gone ends the view with a reason, for good', async () => {
  const { client, channel } = await view();
  const news = [];
  client.on('state', (state) => news.push(state));
  channel.end('the kernel has ended: run the cell again');
  assert.deepEqual(news.map(({ state, reason, retryInMs }) => [state, reason, retryInMs]), [['closed', 'the kernel has ended: run the cell again', null]]);
  await sleep(50);
  assert.equal(client.state, 'closed');
});

test('a world that is closed says so', async () => {
  const { client } = await view();
  const closed = new Promise((resolve) => { client.on('state', (state) => { if (state.state === 'closed') resolve(state); }); });
  await kernel.run('world.close()');
  assert.equal((await closed).reason, 'the world is closed');
  assert.equal((await closed).retryInMs, null);
});

// SPDX-License-Identifier: MIT
// The client against a server in this process: calls, reconnecting, topologies, frames. Every test runs twice: with the
// connection in this thread, and behind a message port, as in a browser's worker.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { WeftClient, WeftError } from '../../web/client/client.js';
import { Connection } from '../../web/client/connection.js';
import { serveClient } from '../../web/client/host.js';
import { FakeServer } from '../support/fake_server.mjs';
import { object, rawFrame, topology } from '../support/messages.mjs';
import { seeded } from '../support/random.mjs';
import { next, sleep, until } from '../support/wait.mjs';

function startPort() {
  const { port1, port2 } = new MessageChannel();
  serveClient(port2, { WebSocket });
  return port1;
}

const WAYS = { 'in this thread': { WebSocket }, 'in a worker': { worker: startPort } };

function cloths(...ids) {
  return ids.map((id) => object(id, 'cloth', 4, { columns: 2, rows: 2, mesh: 'grid' }));
}

const FOUR_AT_ONE = new Array(12).fill(1);

for (const [where, way] of Object.entries(WAYS)) {
  const scenario = (name, body) =>
    test(name, { timeout: 20000 }, async (t) => {
      const server = await FakeServer.start();
      const client = new WeftClient(server.url, { ...way });
      t.after(() => {
        client.close();
        return server.stop();
      });
      await body(server, client);
    });

  describe(where, () => {
    scenario('connect gives what hello said', async (server, client) => {
      assert.equal(client.state, 'closed');
      const hello = await client.connect();
      assert.equal(hello.instance, 'fake');
      assert.equal(client.state, 'open');
      assert.deepEqual(client.hello, hello);
    });

    scenario('a call gives its result, in whatever order answers come', async (server, client) => {
      await client.connect();
      server.methods.slow = (params, socket) => void (server.slow = { socket, id: server.requests.at(-1).id });
      server.methods.fast = (params) => ({ got: params });
      const slow = client.call('slow');
      assert.deepEqual(await client.call('fast', { a: [1] }), { got: { a: [1] } });
      server.slow.socket.send(JSON.stringify({ jsonrpc: '2.0', id: server.slow.id, result: 'late' }));
      assert.equal(await slow, 'late');
      assert.ok(client.statistics.roundTripMs > 0);
    });

    scenario('a refused call rejects with code, message and data', async (server, client) => {
      await client.connect();
      server.methods['cloth.spawn'] = () => {
        throw { code: -32602, message: 'rows must be at least 2', data: { pointer: '/params/rows' } };
      };
      await assert.rejects(client.call('cloth.spawn', { rows: 1 }), (error) => {
        assert.ok(error instanceof WeftError);
        assert.deepEqual([error.code, error.message, error.data], [-32602, 'rows must be at least 2', { pointer: '/params/rows' }]);
        return true;
      });
    });

    scenario('a notification has no id', async (server, client) => {
      await client.connect();
      client.notify('pointer.move', { position: [0, 0, 0] });
      await until(() => server.calls('pointer.move').length === 1, 'the notification');
      assert.equal('id' in server.requests[0], false);
    });

    scenario('calls that wait when the connection goes are rejected with "closed"', async (server, client) => {
      await client.connect();
      const waiting = client.call('never.answered');
      await until(() => server.calls('never.answered').length === 1, 'the call');
      server.server.clients.forEach((socket) => socket.terminate());
      await assert.rejects(waiting, { name: 'WeftError', code: 'closed' });
      await assert.rejects(client.call('any.thing'), { code: 'closed' });
    });

    scenario('it comes back by itself and renews what it subscribed to', async (server, client) => {
      const states = [];
      client.on('state', (state) => states.push(state));
      await client.connect();
      await client.subscribeEvents(['object.added']);
      await client.subscribeFrames({ everyTicks: 2 });
      const lost = next(client, 'state', ({ state }) => state === 'closed');
      await server.stop();
      const closed = await lost;
      assert.ok(closed.retryInMs >= 125 && closed.retryInMs <= 250, `first retry in ${closed.retryInMs} ms`);
      assert.ok(closed.reason.length > 0);
      const again = new FakeServer();
      Object.assign(server, { server: null }, again);
      server.hello = { ...server.hello, instance: 'another' };
      await server.listen(Number(new URL(server.url).port));
      assert.equal((await next(client, 'hello')).instance, 'another');
      await until(() => server.calls('frames.subscribe').length === 1, 'the renewal');
      assert.deepEqual(server.calls('frames.subscribe')[0].params, { encoding: 'motion', everyTicks: 2 });
      assert.deepEqual(server.calls('events.subscribe')[0].params, { events: ['object.added'] });
      assert.equal(states.at(-1).state, 'open');
    });

    scenario('the wait between attempts grows', async (server, client) => {
      const waits = [];
      client.on('state', ({ retryInMs }) => retryInMs && waits.push(retryInMs));
      await client.connect();
      await server.stop();
      await until(() => waits.length >= 4, 'four attempts');
      waits.slice(0, 4).forEach((wait, i) => assert.ok(wait >= 125 * 2 ** i && wait <= 250 * 2 ** i, `wait ${i}: ${wait} ms`));
      await server.listen(server.port);
      await next(client, 'hello');
      waits.length = 0;
      for (const socket of server.server.clients) socket.terminate();
      await until(() => waits.length === 1, 'the next loss');
      assert.ok(waits[0] <= 250, `${waits[0]} ms: once it was back, it begins anew`);
    });

    scenario('a world that moves to another node is no interruption: calls wait, and what was not answered is repeated', async (server, client) => {
      const other = await FakeServer.start();
      try {
        const nodes = [server, other].map(({ port }) => `http://127.0.0.1:${port}`);
        server.hello = { ...server.hello, nodes };
        other.hello = { ...other.hello, nodes, instance: 'another' };
        for (const one of [server, other]) one.methods['session.resume'] = () => ({ client: 1 });
        other.methods['rope.spawn'] = ({ name }) => ({ name });
        await client.connect();
        await client.subscribeEvents(['object.added']);
        await client.subscribeFrames();
        const states = [];
        client.on('state', ({ state }) => states.push(state));
        const pending = client.call('rope.spawn', { name: 'before' });
        await until(() => server.calls('rope.spawn').length === 1, 'the call');
        other.greets = false;
        server.event('world.moved', { url: other.url });
        await until(() => other.server.clients.size === 1, 'the client');
        const made = client.call('rope.spawn', { name: 'meanwhile' });
        await sleep(50);
        assert.deepEqual([client.state, other.requests.length], ['open', 0]);
        const hello = next(client, 'hello');
        other.event('hello', other.hello);
        assert.equal((await hello).instance, 'another');
        assert.deepEqual([await pending, await made], [{ name: 'before' }, { name: 'meanwhile' }]);
        await until(() => other.calls('frames.subscribe').length === 1, 'the subscription');
        assert.deepEqual(other.requests.map(({ method }) => method), ['session.resume', 'rope.spawn', 'rope.spawn', 'events.subscribe', 'frames.subscribe']);
        assert.deepEqual(other.calls('session.resume')[0].params, server.calls('session.resume')[0].params, 'the key of before');
        assert.equal(other.calls('rope.spawn')[0].id, server.calls('rope.spawn')[0].id);
        assert.deepEqual(states.filter((state) => state !== 'open'), []);
      } finally {
        client.close();
        await other.stop();
      }
    });

    scenario('if the node to which a world moved cannot be reached, the client says so, and looks elsewhere', async (server, client) => {
      server.hello = { ...server.hello, nodes: [`http://127.0.0.1:${server.port}`, 'http://127.0.0.1:9'] };
      server.methods['session.resume'] = () => ({ client: 1 });
      server.methods['world.get'] = () => ({});
      await client.connect();
      const closed = next(client, 'state', ({ state }) => state === 'closed');
      const again = next(client, 'hello');
      server.event('world.moved', { url: 'ws://127.0.0.1:9/worlds/main' });
      await until(() => client.state !== 'open', 'the loss');
      assert.ok((await closed).retryInMs > 0);
      await assert.rejects(client.call('world.get'), { code: 'closed' });
      await again;
      await client.call('world.get');
    });

    scenario('a client that does not reconnect has no session of its own, and sends nothing twice when its world moves', async (server) => {
      const other = await FakeServer.start();
      server.hello = { ...server.hello, nodes: [server, other].map(({ port }) => `http://127.0.0.1:${port}`) };
      other.methods['rope.spawn'] = ({ name }) => ({ name });
      const client = new WeftClient(server.url, { ...way, reconnect: false });
      try {
        await client.connect();
        const pending = client.call('rope.spawn', { name: 'before' });
        await until(() => server.calls('rope.spawn').length === 1, 'the call');
        other.greets = false;
        server.event('world.moved', { url: other.url });
        await assert.rejects(pending, { code: 'closed' });
        const made = client.call('rope.spawn', { name: 'meanwhile' });
        await until(() => other.server.clients.size === 1, 'the client');
        other.event('hello', other.hello);
        assert.deepEqual(await made, { name: 'meanwhile' });
        assert.deepEqual([...server.requests, ...other.requests].map(({ method }) => method), ['rope.spawn', 'rope.spawn']);
      } finally {
        client.close();
        await other.stop();
      }
    });

    scenario('close ends it for good', async (server, client) => {
      await client.connect();
      const closed = next(client, 'state', ({ state }) => state === 'closed');
      client.close();
      assert.equal((await closed).retryInMs, null);
      await until(() => server.server.clients.size === 0, 'the socket to close');
      await assert.rejects(client.call('world.get'), { code: 'closed' });
    });

    test('without reconnect a first attempt that fails rejects', { timeout: 20000 }, async (t) => {
      const server = await FakeServer.start();
      await server.stop();
      const client = new WeftClient(server.url, { ...way, reconnect: false });
      t.after(() => client.close());
      await assert.rejects(client.connect(), { name: 'WeftError', code: 'closed' });
    });

    test('with reconnect connect waits until there is a server', { timeout: 20000 }, async (t) => {
      const server = await FakeServer.start();
      await server.stop();
      const client = new WeftClient(server.url, { ...way });
      t.after(() => (client.close(), server.stop()));
      const connected = client.connect();
      await next(client, 'state', ({ state }) => state === 'closed');
      await server.listen(server.port);
      await connected;
    });

    scenario('a frame follows its topology', async (server, client) => {
      await client.connect();
      await client.subscribeFrames();
      const [shape, frame] = [next(client, 'topology'), next(client, 'frame')];
      server.send(topology({ epoch: 3, count: 4 }, { objects: cloths(1) }));
      server.send(rawFrame({ epoch: 3, tick: 9 }, FOUR_AT_ONE));
      assert.equal((await shape).findObject(1).particles, 4);
      assert.equal(client.topology.epoch, 3);
      const { tick, positions, receivedAt } = await frame;
      assert.equal(tick, 9);
      assert.deepEqual([...positions], FOUR_AT_ONE);
      assert.ok(Math.abs(performance.now() - receivedAt) < 1000);
    });

    scenario('frames of an epoch without topology are ignored and counted', async (server, client) => {
      await client.connect();
      await client.subscribeFrames();
      const ticks = [];
      client.on('frame', ({ tick }) => ticks.push(tick));
      server.send(topology({ epoch: 3, count: 4 }, { objects: cloths(1) }));
      server.send(rawFrame({ epoch: 2, tick: 1 }, FOUR_AT_ONE));
      server.send(rawFrame({ epoch: 3, tick: 2 }, FOUR_AT_ONE));
      await until(() => ticks.length === 1, 'the frame');
      assert.deepEqual(ticks, [2]);
      assert.equal(client.statistics.framesSkipped, 1);
    });

    scenario('deltas apply one after another; one that does not fit makes the client ask again', async (server, client) => {
      await client.connect();
      await client.subscribeFrames();
      server.send(topology({ epoch: 3, count: 4 }, { objects: cloths(1) }));
      server.send(topology({ epoch: 4, count: 8 }, { base: 3, objects: cloths(2) }));
      server.send(topology({ epoch: 5, count: 4 }, { base: 4, removed: [1] }));
      await next(client, 'topology', ({ epoch }) => epoch === 5);
      assert.deepEqual(client.topology.objects.map(({ id, first }) => [id, first]), [[2, 0]]);
      server.send(topology({ epoch: 9, count: 8 }, { base: 8, objects: cloths(3) }));
      await until(() => server.calls('frames.subscribe').length === 2, 'asking again');
      server.send(topology({ epoch: 9, count: 4 }, { objects: cloths(3) }));
      await next(client, 'topology', ({ epoch }) => epoch === 9);
    });

    scenario('recycled buffers carry later frames', async (server, client) => {
      await client.connect();
      await client.subscribeFrames();
      const seen = [];
      client.on('frame', (frame) => {
        seen.push([frame.tick, frame.positions[0], frame.positions.length]);
        client.recycle(frame);
        client.recycle(frame);
        assert.equal(frame.positions.length, 0);
      });
      server.send(topology({ epoch: 1, count: 4 }, { objects: cloths(1) }));
      for (let tick = 0; tick < 20; tick++) {
        server.send(rawFrame({ tick }, new Array(12).fill(tick)));
        await until(() => seen.length === tick + 1, `frame ${tick}`);
      }
      assert.deepEqual(seen, Array.from({ length: 20 }, (_, tick) => [tick, tick, 12]));
    });

    scenario('events come under "event" and their own name, when the topology knows of them', async (server, client) => {
      await client.connect();
      server.send(topology({ epoch: 3, count: 4 }, { objects: cloths(1) }));
      await next(client, 'topology');
      const [any, own] = [next(client, 'event'), next(client, 'particle.pinned')];
      server.event('particle.pinned', { object: 1, particles: [3], tick: 5 });
      assert.deepEqual(await any, { method: 'particle.pinned', params: { object: 1, particles: [3], tick: 5 } });
      assert.equal((await own).tick, 5);
      assert.deepEqual(client.topology.findObject(1).pins, [3]);
    });

    scenario('no damaged message, binary or text, ends a connection', async (server, client) => {
      const random = seeded();
      const faults = [];
      client.on('fault', (error) => faults.push(error));
      await client.connect();
      await client.subscribeFrames();
      server.send('{"jsonrpc": "2.0", "id": 1');
      server.send('[]');
      server.send('null');
      server.send('{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no JSON"}}');
      server.event('particle.pinned', undefined);
      for (let i = 0; i < 300; i++) {
        const sound = i % 2 ? rawFrame({ epoch: 1 }, FOUR_AT_ONE) : topology({ epoch: 1, count: 4 }, { objects: cloths(1) });
        for (let hits = 1 + random.integer(5); hits > 0; hits--) sound[random.integer(sound.length)] = random.integer(256);
        server.send(sound.subarray(0, 4 * random.integer(sound.length / 4 + 1)));
      }
      server.methods.still = () => 'here';
      assert.equal(await client.call('still'), 'here', `seed ${random.seed}`);
      assert.ok(faults.length > 100, `${faults.length} faults, seed ${random.seed}`);
      server.send(topology({ epoch: 77, count: 4 }, { objects: cloths(1) }));
      server.send(rawFrame({ epoch: 77, tick: 1 }, FOUR_AT_ONE));
      await next(client, 'frame', ({ epoch }) => epoch === 77);
    });

    scenario('a listener that was taken off hears nothing more', async (server, client) => {
      await client.connect();
      let heard = 0;
      client.on('client.joined', () => heard++)();
      server.event('client.joined', { client: 1 });
      await next(client, 'event');
      assert.equal(heard, 0);
    });
  });
}

test('a recycled buffer is the one that a later frame lies in', { timeout: 20000 }, async (t) => {
  const server = await FakeServer.start();
  const client = new WeftClient(server.url, { WebSocket });
  t.after(() => (client.close(), server.stop()));
  await client.connect();
  await client.subscribeFrames();
  const buffers = [];
  client.on('frame', (frame) => {
    buffers.push(frame.positions.buffer);
    client.recycle(frame);
  });
  server.send(topology({ epoch: 1, count: 4 }, { objects: cloths(1) }));
  for (let tick = 0; tick < 10; tick++) server.send(rawFrame({ tick }, FOUR_AT_ONE));
  await until(() => buffers.length === 10, 'ten frames');
  assert.equal(new Set(buffers).size, 1);
});

test('a page that lags gets the newest frame, and the overtaken ones are counted', { timeout: 20000 }, async (t) => {
  const server = await FakeServer.start();
  // A port that delays its messages, as if the page's thread were busy.
  const port = startPort();
  const client = new WeftClient(server.url, { worker: () => port });
  t.after(() => (client.close(), server.stop()));
  await client.connect();
  await client.subscribeFrames();
  const ticks = [];
  client.on('frame', ({ tick }) => ticks.push(tick));
  server.send(topology({ epoch: 1, count: 4 }, { objects: cloths(1) }));
  await next(client, 'topology');
  const receive = port.onmessage;
  const held = [];
  port.onmessage = (message) => held.push(message);
  for (let tick = 1; tick <= 50; tick++) server.send(rawFrame({ tick }, FOUR_AT_ONE));
  await until(() => held.length > 0, 'the first frame');
  await sleep(200);
  assert.equal(held.length, 1, 'one frame is on its way and no more');
  port.onmessage = receive;
  held.forEach(receive);
  await until(() => ticks.length === 2, 'the newest frame');
  assert.deepEqual(ticks, [1, 50]);
  assert.equal(client.statistics.framesSkipped, 48);
});

test('what a frame took to decode is told whole, also when it waited for the page', { timeout: 20000 }, async (t) => {
  const server = await FakeServer.start();
  const news = [];
  const connection = new Connection(server.url, { WebSocket, holdFrames: true }, (name) => news.push(name));
  const { now } = performance;
  t.after(() => {
    performance.now = now;
    connection.close();
    return server.stop();
  });
  await connection.connect();
  await connection.subscribeFrames();
  server.send(topology({ epoch: 1, count: 4 }, { objects: cloths(1) }));
  await until(() => news.includes('topologyChange'), 'the topology');
  let looks = 0;
  performance.now = () => ++looks; // each reading of the clock takes a millisecond
  for (const tick of [1, 2]) server.send(rawFrame({ tick }, FOUR_AT_ONE));
  await until(() => connection.statistics.framesReceived === 2, 'both frames');
  const { decodeMs } = connection.statistics;
  connection.frameTaken();
  assert.equal(news.filter((name) => name === 'frame').length, 2);
  assert.deepEqual([decodeMs, connection.statistics.decodeMs], [2, 2]);
});

const FRAMES = { encoding: 'motion', adapt: true };

/** A worker that connected and subscribed before its page's client was made; a topology, a frame and an event have come since. */
async function prepare(t) {
  const server = await FakeServer.start();
  t.after(() => server.stop());
  const port = startPort();
  port.postMessage({ prepare: { url: server.url, calls: [['subscribeEvents', ['world.changed']], ['subscribeFrames', FRAMES], ['connect']] } });
  await until(() => server.calls('frames.subscribe').length === 1 && server.calls('events.subscribe').length === 1, 'the subscriptions');
  server.send(topology({ epoch: 1, count: 4 }, { objects: cloths(1) }));
  server.send(rawFrame({ tick: 7 }, FOUR_AT_ONE));
  server.event('world.changed', { reason: 'parameters' });
  await sleep(100);
  return { server, port };
}

test('a client takes over the connection that its worker has made before', { timeout: 20000 }, async (t) => {
  const { server, port } = await prepare(t);
  const client = new WeftClient(server.url, { worker: () => port });
  t.after(() => client.close());
  const news = [];
  for (const name of ['hello', 'topology', 'frame', 'world.changed']) client.on(name, (value) => news.push([name, value]));
  await Promise.all([client.subscribeEvents(['world.changed']), client.subscribeFrames({ ...FRAMES }), client.connect()]);
  await until(() => news.length === 4, 'the news');
  assert.deepEqual(news.map(([name]) => name), ['hello', 'topology', 'frame', 'world.changed']);
  assert.equal(news[2][1].tick, 7);
  assert.equal(server.server.clients.size, 1);
  assert.deepEqual(server.requests.map(({ method }) => method), ['events.subscribe', 'frames.subscribe']);
  await client.subscribeFrames({ ...FRAMES }); // once more is a request of its own
  assert.equal(server.calls('frames.subscribe').length, 2);
});

test('a client of another address, or with options, makes a connection of its own', { timeout: 20000 }, async (t) => {
  for (const [path, options] of [['/worlds/other', {}], ['/worlds/main', { predict: false }]]) {
    const { server, port } = await prepare(t);
    const client = new WeftClient(new URL(path, server.url).href, { ...options, worker: () => port });
    t.after(() => client.close());
    let topologies = 0;
    const states = [];
    client.on('topology', () => topologies++);
    client.on('state', ({ state }) => states.push(state));
    await client.connect();
    await client.subscribeFrames(FRAMES);
    await until(() => server.server.clients.size === 1, 'the end of the first connection');
    assert.equal(server.calls('frames.subscribe').length, 2);
    assert.equal(topologies, 0);
    assert.deepEqual(states, ['connecting', 'open']); // nothing of the connection before
  }
});

test('a connection that failed before the client was made is told of, and tried again', { timeout: 20000 }, async (t) => {
  const server = await FakeServer.start();
  await server.stop();
  const port = startPort();
  port.postMessage({ prepare: { url: server.url, calls: [['connect']] } });
  await sleep(50);
  const client = new WeftClient(server.url, { worker: () => port });
  t.after(() => (client.close(), server.stop()));
  const states = [];
  client.on('state', ({ state }) => states.push(state));
  const connected = client.connect();
  await until(() => states.includes('closed'), 'the failure');
  await server.listen(server.port);
  await connected;
  assert.equal(client.state, 'open');
});

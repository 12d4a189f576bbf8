// SPDX-License-Identifier: MIT
// weftctl load: the figures of many viewers, and its failures. A fake server sends known frames; a real one shows that both
// work together.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { FakeServer } from '../support/fake_server.mjs';
import { laboratory, run, WEFTCTL } from '../support/weftd.mjs';
import { sleep } from '../support/wait.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER);
const SETTLED_MS = 1000; // a viewer counts from half a second after the last one has subscribed

async function fake(t) {
  const server = await FakeServer.start();
  t.after(() => server.stop());
  return server;
}

function load(server, ...args) {
  return run(WEFTCTL, ['load', ...args], { env: { WEFT_URL: server.url instanceof Function ? server.url('lab') : server.url } });
}

const figuresOf = (line) => Object.fromEntries([...line.matchAll(/(\w+)=([\d.]+)/g)].map(([, name, value]) => [name, Number(value)]));
const totalOf = ({ stdout }) => figuresOf(/^total .*$/m.exec(stdout)?.[0] ?? '');

function frame(tick, { bytes = 20000, epoch = 1, flags = 4, type = 1 } = {}) {
  const message = Buffer.alloc(bytes);
  message[0] = type;
  message.writeUInt16LE(flags, 2);
  message.writeUInt32LE(epoch, 4);
  message.writeBigUInt64LE(BigInt(tick), 8);
  return message;
}

/** A message of ticks: so many steps after a tick. */
function ticks(after, steps, { generation = 1, bytes = 16 } = {}) {
  const message = Buffer.alloc(bytes);
  message[0] = 6;
  message[2] = steps;
  message.writeUInt32LE(generation, 4);
  message.writeBigUInt64LE(BigInt(after), 8);
  return message;
}

/** Calls back when all viewers have subscribed and are counting. */
function whenSettled(server, clients, then) {
  let subscribed = 0;
  server.methods['frames.subscribe'] = () => {
    subscribed++;
    if (subscribed === clients) setTimeout(then, SETTLED_MS);
    return {};
  };
}

test('load counts the frames of every viewer, their bytes and the ticks that are missing', async (t) => {
  const server = await fake(t);
  whenSettled(server, 5, () => {
    for (const tick of [7, 8, 10, 13]) server.send(frame(tick));
    server.send(frame(14, { flags: 16 })); // a rest message: no frame to display
    server.send(frame(15, { type: 2 })); // a topology
    server.send(frame(90, { epoch: 2, bytes: 100 })); // ticks between two epochs do not count as missed
  });
  const { status, stdout, stderr } = await load(server, '--clients', '5', '--seconds', '1.5');
  assert.deepEqual([status, stderr], [0, '']);
  const { frames, missedFrames, bytesPerFrame, clients, stalled, lost, dropped } = totalOf({ stdout });
  assert.deepEqual([frames, missedFrames, bytesPerFrame], [25, 15, (4 * 20000 + 100) / 5]);
  assert.deepEqual([clients, stalled, lost, dropped], [5, 0, 0, 0]);
  assert.equal(stdout.trim().split('\n').length, 2, stdout);
});

test('load with the encoding "ticks" counts ticks as frames, and those that are missing', async (t) => {
  const server = await fake(t);
  whenSettled(server, 4, () => {
    server.send(frame(6, { type: 5 })); // a snapshot
    for (const after of [6, 8, 10]) server.send(ticks(after, 2));
    server.send(ticks(12, 0, { bytes: 116 })); // a change of a world that stands
    server.send(ticks(15, 1)); // three are missing
    server.send(ticks(90, 2, { generation: 2 })); // those before another snapshot are not
  });
  const { status, stdout, stderr } = await load(server, '--clients', '4', '--seconds', '1.5', '--encoding', 'ticks');
  assert.deepEqual([status, stderr], [0, '']);
  const { frames, missedFrames, bytesPerFrame } = totalOf({ stdout });
  assert.deepEqual([frames, missedFrames], [4 * 9, 4 * 3]);
  assert.ok(bytesPerFrame > 16 && bytesPerFrame < 30, stdout); // rounded
  assert.deepEqual(server.calls('frames.subscribe').map(({ params }) => params), Array.from({ length: 4 }, () => ({ encoding: 'ticks' })));
});

test('load follows the ticks of a real server, and misses none', async (t) => {
  const { server, call } = await laboratory(t);
  await call('rope.spawn', { from: [0, 2, 0], to: [1, 2, 0] });
  await call('world.resume');
  const { status, stdout, stderr } = await load(server, '--clients', '20', '--seconds', '2', '--encoding', 'ticks');
  assert.deepEqual([status, stderr], [0, '']);
  const { frames, missedFrames, lost } = totalOf({ stdout });
  assert.ok(frames > 20, stdout);
  assert.deepEqual([missedFrames, lost], [0, 0]);
});

test('load tells how late frames are against the rhythm of their ticks', async (t) => {
  const server = await fake(t);
  whenSettled(server, 2, async () => {
    const start = performance.now();
    for (let tick = 0; tick < 10; tick++) {
      await sleep(start + (1000 / 60) * tick + (tick === 7 ? 150 : 0) - performance.now());
      server.send(frame(tick));
    }
  });
  const result = await load(server, '--clients', '2', '--seconds', '1.8');
  const { p50Ms, p99Ms, maxMs, longestGapMs } = totalOf(result);
  assert.ok(maxMs > 140 && maxMs < 1000, result.stdout);
  assert.ok(p99Ms > 100 && p99Ms <= maxMs && p50Ms <= p99Ms, result.stdout);
  assert.ok(SLOW || longestGapMs > 140, result.stdout);
});

test('load asks for every so many ticks and does not count those between as missing', async (t) => {
  const server = await fake(t);
  let asked;
  whenSettled(server, 1, () => [4, 8, 16].forEach((tick) => server.send(frame(tick))));
  const subscribe = server.methods['frames.subscribe'];
  server.methods['frames.subscribe'] = (params) => ((asked = params), subscribe());
  const result = await load(server, '--clients', '1', '--seconds', '1', '--every', '4', '--encoding', 'raw');
  assert.deepEqual(asked, { everyTicks: 4, encoding: 'raw' });
  assert.deepEqual([totalOf(result).frames, totalOf(result).missedFrames], [3, 1]);
});

test('load answers a ping with its own words, between the frames', async (t) => {
  const server = await fake(t);
  const heard = [];
  whenSettled(server, 1, () => {
    for (const socket of server.server.clients) {
      socket.on('pong', (data) => heard.push(String(data)));
      socket.send(frame(1));
      socket.ping('still there?');
      socket.send(frame(2));
    }
  });
  const result = await load(server, '--clients', '1', '--seconds', '1');
  assert.deepEqual(heard, ['still there?']);
  assert.equal(totalOf(result).frames, 2);
});

test('load takes a frame in fragments for one', async (t) => {
  const server = await fake(t);
  whenSettled(server, 1, () => {
    for (const socket of server.server.clients) {
      socket.send(frame(1).subarray(0, 10), { fin: false });
      socket.send(frame(1).subarray(10, 9000), { fin: false });
      socket.send(frame(1).subarray(9000));
      socket.send(frame(2));
    }
  });
  const result = await load(server, '--clients', '1', '--seconds', '1');
  const { frames, missedFrames, bytesPerFrame } = totalOf(result);
  assert.deepEqual([frames, missedFrames, bytesPerFrame], [2, 0, 20000]);
});

test('load fails with status 4 and says which threshold was missed', async (t) => {
  const server = await fake(t);
  whenSettled(server, 1, () => [1, 2, 3].forEach((tick) => server.send(frame(tick))));
  const missed = await load(server, '--clients', '1', '--seconds', '1', '--max-p99', '0.01', '--min-rate', '30');
  assert.equal(missed.status, 4);
  assert.match(missed.stderr, /p99 is [\d.]+ ms, above the 0\.01 ms of --max-p99/);
  assert.match(missed.stderr, /a viewer got [\d.]+ frames\/s, below the 30 of --min-rate/);
  whenSettled(server, 1, () => [1, 2, 3].forEach((tick) => server.send(frame(tick))));
  const met = await load(server, '--clients', '1', '--seconds', '1', '--max-p99', '500', '--min-rate', '1');
  assert.deepEqual([met.status, met.stderr], [0, '']);
  const none = await load(server, '--clients', '1', '--seconds', '0.2', '--max-p99', '500');
  assert.deepEqual([none.status, none.stderr], [4, 'weftctl: no frame came, so there is no p99\n']);
});

test('load ends with status 3 when viewers are disconnected, and counts the stalled ones apart', async (t) => {
  const server = await fake(t);
  whenSettled(server, 3, () => [...server.server.clients].at(-1).terminate());
  const stalled = await load(server, '--clients', '3', '--stalled', '1', '--seconds', '1');
  assert.deepEqual([stalled.status, totalOf(stalled).lost + totalOf(stalled).dropped], [totalOf(stalled).lost === 0 ? 0 : 3, 1]);
  whenSettled(server, 3, () => [...server.server.clients][0].terminate());
  const lost = await load(server, '--clients', '3', '--seconds', '1');
  assert.deepEqual([lost.status, lost.stderr], [3, 'weftctl: 1 of 3 viewers were disconnected\n']);
});

/** A server that answers each handshake by the next of these, such as ['503 Service Unavailable', 'Retry-After: 1'], the last one again and again. */
async function refusing(t, ...answers) {
  const server = createServer();
  const asked = { count: 0 };
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => {}); // the client may close its end first
    const [status, ...headers] = answers[Math.min(asked.count++, answers.length - 1)];
    socket.end([`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { url: `ws://127.0.0.1:${server.address().port}/worlds/main`, asked };
}

test('load follows a world to another server: before it begins, and while it runs', async (t) => {
  const [first, second, third] = [await fake(t), await fake(t), await fake(t)];
  first.greets = false;
  first.server.on('connection', (socket) => socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'world.moved', params: { url: second.url } })));
  whenSettled(second, 4, () => {
    second.send(frame(1));
    second.event('world.moved', { url: third.url });
  });
  whenSettled(third, 4, () => third.send(frame(2)));
  const { status, stdout, stderr } = await load(first, '--clients', '4', '--seconds', '3');
  assert.deepEqual([status, stderr], [0, '']);
  const { frames, lost, moved } = totalOf({ stdout });
  assert.deepEqual([frames, lost, moved], [8, 0, 4]);
});

test('load follows a redirection, and waits while no server has the world ready', async (t) => {
  const server = await fake(t);
  whenSettled(server, 2, () => server.send(frame(1)));
  const there = await refusing(t, ['503 Service Unavailable', 'Retry-After: 0'], ['307 Temporary Redirect', `location: ${server.url.replace('ws:', 'http:')}`]);
  const followed = await load(there, '--clients', '2', '--seconds', '1.5');
  assert.deepEqual([followed.status, followed.stderr, totalOf(followed).frames], [0, '', 2]);
  const never = await load(await refusing(t, ['503 Service Unavailable', 'Retry-After: 0']), '--clients', '2', '--timeout', '0.5');
  assert.equal(never.status, 3);
  assert.match(never.stderr, /no node has had the world ready for 0\.5 s \(--timeout\)|only 0 of 2 viewers were subscribed within 0\.5 s/);
});

test('load does not go to and fro for ever, nor where it cannot', async (t) => {
  const own = await refusing(t, ['307 Temporary Redirect', 'Location: /worlds/main']);
  const [circle, tls] = [await fake(t), await fake(t)];
  for (const [server, url] of [[circle, circle.url], [tls, 'wss://127.0.0.1:1/worlds/main']]) {
    server.greets = false;
    server.server.on('connection', (socket) => socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'world.moved', params: { url } })));
  }
  for (const [server, words] of [
    [own, 'the server sends a viewer to an address that is none: /worlds/main'], [circle, 'each node says that the world is on another one'],
    [tls, 'the world is at wss://127.0.0.1:1/worlds/main, and load does not support TLS'],
  ]) {
    const { status, stderr } = await load(server, '--clients', '1');
    assert.deepEqual([status, stderr], [3, `weftctl: ${words}\n`]);
  }
});

test('load says why it cannot begin', async (t) => {
  const server = await fake(t);
  server.methods['frames.subscribe'] = () => {
    throw { code: -32003, message: 'no more viewers' };
  };
  const refused = await load(server, '--clients', '2');
  assert.deepEqual([refused.status, refused.stderr], [3, 'weftctl: the server refuses a viewer: no more viewers\n']);
  server.methods['frames.subscribe'] = () => undefined;
  const silent = await load(server, '--clients', '2', '--timeout', '0.3');
  assert.deepEqual([silent.status, silent.stderr], [3, 'weftctl: only 0 of 2 viewers were subscribed within 0.3 s (--timeout)\n']);
  const nobody = await load({ url: 'ws://127.0.0.1:1/worlds/main' }, '--clients', '2');
  assert.deepEqual([nobody.status, nobody.stderr], [3, 'weftctl: cannot reach the server: Connection refused\n']);
});

for (const [args, said] of [
  [['--clients', '0'], 'clients must be a number from 1 to 60000, got "0"'],
  [['--clients', 'many'], 'clients must be a number from 1 to 60000, got "many"'],
  [['--clients', '5', '--stalled', '5'], 'stalled must be fewer than clients, got 5 of 5'],
  [['--stalled', '-1'], 'stalled must be a number from 0 to 60000, got "-1"'],
  [['--every', '0'], 'every must be a number of ticks from 1 to 1000, got "0"'],
  [['--encoding', 'a"b'], 'encoding must be one of those that frames.subscribe takes, got "a"b"'],
  [['--max-p99', '0'], 'max-p99 must be ms above 0 and at most 1000000, got "0"'],
  [['--min-rate', 'x'], 'min-rate must be frames/s above 0 and at most 1000000, got "x"'],
  [['--window', '3'], 'load takes no --window; see weftctl help load'],
  [['lab'], 'load takes no arguments; see weftctl help load'],
  [['--url', 'wss://127.0.0.1/worlds/lab'], 'load does not support TLS; use a ws:// address of the server'],
]) {
  test(`load ${args.join(' ')} is refused with status 2`, async () => {
    const { status, stdout, stderr } = await run(WEFTCTL, ['load', ...args]);
    assert.deepEqual([status, stdout, stderr], [2, '', `weftctl: ${said}\n`]);
  });
}

test('the options of load are refused by other commands', async () => {
  const { status, stderr } = await run(WEFTCTL, ['watch', '--clients', '3']);
  assert.deepEqual([status, stderr], [2, 'weftctl: watch takes no --clients; see weftctl help watch\n']);
});

test('load is served by a real world, and ends with status 0 on SIGINT', async (t) => {
  const { server, call } = await laboratory(t);
  await call('cloth.spawn', { columns: 20, rows: 20, position: [0, 3, 0] });
  await call('world.resume');
  const { status, stdout, stderr } = await load(server, '--clients', SLOW ? '5' : '40', '--stalled', '2', '--seconds', '2');
  assert.deepEqual([status, stderr], [0, '']);
  const { framesPerSecond, slowestPerSecond, p50Ms, p99Ms, maxMs, bytesPerFrame } = totalOf({ stdout });
  assert.ok(slowestPerSecond > 5 && slowestPerSecond <= framesPerSecond && framesPerSecond < 90, stdout);
  assert.ok(p50Ms >= 0 && p50Ms <= p99Ms && p99Ms <= maxMs && bytesPerFrame > 32, stdout);
  const child = spawn(WEFTCTL, ['load', '--clients', '3', '--url', server.url('lab')]);
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

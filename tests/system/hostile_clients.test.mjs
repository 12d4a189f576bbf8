// SPDX-License-Identifier: MIT
// A server under attack: thousands of unfinished handshakes, readers that stop reading, exhausted file descriptors. Correct
// clients still connect within a second, memory stays constant, and hostile clients are disconnected in time.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { test } from 'node:test';
import { laboratory, RawSocket, ROOT, Weftd, WEFTD } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { frame, handshake, OPCODE, Wire } from '../support/wire.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER);
const JOIN_MS = 1000;
const MEBIBYTE = 1 << 20;

/** The time that a correct client needs from connecting to its first reply. */
async function joinMs(t, server) {
  const start = performance.now();
  const raw = await RawSocket.open(t, server.url('lab'));
  const answer = await raw.ask(1, 'world.get');
  assert.ok(answer.result);
  const elapsed = performance.now() - start;
  raw.socket.terminate();
  return elapsed;
}

async function assertJoins(t, server, what, times = 3) {
  let most = 0;
  for (let turn = 0; turn < times; turn++) most = Math.max(most, await joinMs(t, server));
  t.diagnostic(`${what}: the slowest of ${times} joined in ${most.toFixed(0)} ms`);
  assert.ok(SLOW || most < JOIN_MS, `${what}: a join took ${most} ms`);
}

/** The server's memory at rest: unused heap is returned to the system every two seconds. */
async function bytesAtRest(server) {
  let least = Infinity;
  for (let look = 0; look < 15; look++, await sleep(200)) least = Math.min(least, await server.residentBytes());
  return least;
}

const descriptors = async (server) => (await readdir(`/proc/${server.process.pid}/fd`)).length;

/** Opens sockets and runs a function on each; counts the sockets that the server has closed. */
class LoadClients {
  sockets = [];
  ended = 0;

  constructor(t) {
    t.after(() => this.destroy());
  }

  async open(port, count, begin = () => {}) {
    for (let opened = 0; opened < count; opened += 100) {
      await Promise.all(Array.from({ length: Math.min(100, count - opened) }, () => this.#one(port, begin)));
    }
  }

  async #one(port, begin) {
    const socket = connect(port, '127.0.0.1');
    this.sockets.push(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.ended++);
    const opened = new Promise((done) => socket.once('connect', done).once('close', done));
    await Promise.race([opened, sleep(5000)]);
    if (!socket.destroyed) begin(socket);
  }

  destroy() {
    for (const socket of this.sockets) socket.destroy();
  }
}

test('thousands of half-open and dribbling handshakes keep nobody out and cost little', async (t) => {
  const count = SLOW ? 300 : 2000;
  const { server } = await laboratory(t, ['--handshake-timeout', '3']);
  const alone = await descriptors(server);
  await assertJoins(t, server, 'before');
  const before = await server.residentBytes();
  const load = new LoadClients(t);
  const head = handshake();
  const opening = load.open(server.port, count, (socket) => {
    if (load.sockets.length % 2) return; // half of the sockets never send anything
    let at = 0;
    const dribble = setInterval(() => (socket.destroyed ? clearInterval(dribble) : socket.write(head[at++ % 40])), 100);
    socket.once('close', () => clearInterval(dribble));
    socket.write(head.slice(0, 20));
  });
  await sleep(200);
  await assertJoins(t, server, 'while they come');
  await opening;
  await assertJoins(t, server, 'while they dribble', 5);
  const grown = (await server.residentBytes()) - before;
  t.diagnostic(`${count} of them cost ${(grown / MEBIBYTE).toFixed(1)} MiB`);
  assert.ok(SLOW || grown < 24 * MEBIBYTE, `resident memory grew by ${grown} bytes`);
  await until(() => load.ended === count, 'their end', 15000);
  await until(async () => (await descriptors(server)) <= alone, 'their descriptors', 5000);

  // A second wave leaves no more memory behind than the first.
  const first = await bytesAtRest(server);
  const again = new LoadClients(t);
  await again.open(server.port, count, (socket) => socket.write(head.slice(0, 20)));
  await until(() => again.ended === count, 'their end', 15000);
  const second = await bytesAtRest(server);
  t.diagnostic(`a second wave added ${((second - first) / MEBIBYTE).toFixed(1)} MiB`);
  assert.ok(SLOW || second - first < MEBIBYTE, `memory is not flat: ${second - first} bytes`);
  await assertJoins(t, server, 'after');
  await server.everybodyLeaves();
});

test('a head that dribbles is ended in its time, however lively; a slow one that makes it is served', async (t) => {
  const { server } = await laboratory(t, ['--handshake-timeout', '1']);
  const lively = new Wire(t, server.port);
  const start = performance.now();
  const beat = setInterval(() => lively.socket.destroyed || lively.write('x'), 20);
  lively.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ');
  await lively.ended;
  clearInterval(beat);
  const elapsed = performance.now() - start;
  assert.ok(elapsed > 900 && (SLOW || elapsed < 1700), `ended after ${elapsed} ms`);

  const slow = new Wire(t, server.port);
  const text = handshake();
  for (let at = 0; at < text.length; at += 40) {
    slow.write(text.slice(at, at + 40));
    await sleep(100);
  }
  await until(() => slow.status === 101, 'the handshake');

  const second = new Wire(t, server.port); // the second request on a connection has the same time limit
  second.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => second.status === 200, 'the first answer');
  await sleep(1200);
  assert.equal(second.closed, false, 'between requests there is more time');
  second.write('GET /healthz HT');
  const half = performance.now();
  await second.ended;
  assert.ok(SLOW || performance.now() - half < 1700);
  await server.everybodyLeaves();
});

test('a hundred that stop reading change nothing for the others and are gone in their time', async (t) => {
  const count = SLOW ? 10 : 100;
  const { server, call } = await laboratory(t, ['--stall-timeout', '2']);
  await call('cloth.spawn', { columns: 60, rows: 60, position: [0, 6, 0], pin: 'topEdge' });
  await call('world.resume');
  const latencies = async () => {
    const taken = [];
    for (let turn = 0; turn < 60; turn++) {
      const start = performance.now();
      await call('world.set', { friction: 0.5 });
      taken.push(performance.now() - start);
    }
    return taken.sort((a, b) => a - b)[30];
  };
  const calm = await latencies();
  const before = await server.residentBytes();
  const stalled = [];
  for (let i = 0; i < count; i++) {
    const { socket } = await Wire.open(t, server.port);
    socket.removeAllListeners('data').pause();
    stalled.push(socket);
  }
  for (const socket of stalled) socket.write(frame(OPCODE.text, '{"jsonrpc":"2.0","id":1,"method":"frames.subscribe","params":{"encoding":"raw"}}'));
  await until(async () => (await call('world.get')).timing.viewers === count, 'all of them to be viewers');
  const underLoad = await latencies();
  await assertJoins(t, server, 'among them');
  const grown = (await server.residentBytes()) - before;
  t.diagnostic(`the median command took ${calm.toFixed(1)} ms before and ${underLoad.toFixed(1)} ms among ${count}; memory grew by ${(grown / MEBIBYTE).toFixed(1)} MiB`);
  assert.ok(SLOW || underLoad - calm < 5, `${calm} ms, then ${underLoad} ms`);
  assert.ok(SLOW || grown < 64 * MEBIBYTE, `resident memory grew by ${grown} bytes`);
  await until(async () => (await call('world.get')).timing.viewers === 0, 'their end', 20000);
  await server.everybodyLeaves();
});

/** A server with a limit of open files. */
async function starved(t, files, args = []) {
  const server = new Weftd();
  const env = { ...process.env, WEFT_WEB: `${ROOT}/web`, WEFT_SCENES: `${ROOT}/server/scenes` };
  const words = ['-c', `ulimit -n ${files}; exec "$0" "$@"`, WEFTD, '--port', '0', '--world', 'lab=empty', '--paused', ...args];
  server.process = spawn('/bin/sh', words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  server.exited = once(server.process, 'close').then(([code, signal]) => (server.exit = { code, signal }));
  t.after(() => server.end());
  let out = '';
  server.err = { text: '' };
  server.process.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  server.process.stderr.setEncoding('utf8').on('data', (text) => (server.err.text += text));
  await until(() => /:(\d+)\//.test(out), 'the start', 30000);
  server.port = Number(/:(\d+)\//.exec(out)[1]);
  return server;
}

async function processorShare(server, seconds) {
  const before = await server.processorMs();
  await sleep(seconds * 1000);
  return ((await server.processorMs()) - before) / (seconds * 10);
}

test('with no descriptors left the door stays shut at little cost, and opens again', async (t) => {
  const server = await starved(t, 160);
  await assertJoins(t, server, 'before');
  const clients = [];
  const knocking = [];
  for (let i = 0; i < 300; i++) { // more clients than there is room for; all of them are correct
    const wire = new Wire(t, server.port);
    wire.write(handshake());
    knocking.push(wire);
  }
  await sleep(1500);
  for (const wire of knocking) (wire.text.includes('"hello"') ? clients : []).push(wire);
  t.diagnostic(`${clients.length} of 300 found room`);
  assert.ok(clients.length >= 60 && clients.length < 160);
  const share = await processorShare(server, 3);
  t.diagnostic(`${share.toFixed(1)} % of a processor while ${300 - clients.length} wait at the door`);
  assert.ok(SLOW || share < 5, `${share} %`);
  assert.ok(server.stderr.split('\n').filter((line) => /have to wait|has to wait/.test(line)).length <= 2, 'no flood in the log');
  const [first] = clients;
  first.bytes = Buffer.alloc(0);
  first.write(frame(OPCODE.text, '{"jsonrpc":"2.0","id":1,"method":"world.get"}'));
  await until(() => first.text.includes('stateHash'), 'an answer to who is inside');
  for (const wire of knocking) wire.socket.destroy();
  await sleep(300);
  await assertJoins(t, server, 'after');
  await server.everybodyLeaves();
});

test('with few descriptors left those who only pretend to come make room for one who does', async (t) => {
  const server = await starved(t, 128);
  const load = new LoadClients(t);
  await load.open(server.port, SLOW ? 100 : 400, (socket) => socket.write('GET / HT'));
  await assertJoins(t, server, 'among 400 that pretend', 5);
  await server.everybodyLeaves();
});

test('one address gets so many connections and no more', async (t) => {
  const { server } = await laboratory(t, ['--max-per-address', '10']);
  const inside = []; // one is the laboratory's own client
  for (let i = 0; i < 9; i++) inside.push(await RawSocket.open(t, server.url('lab')));
  const refused = new Wire(t, server.port);
  refused.write(handshake());
  await until(() => refused.closed, 'its end');
  assert.equal(refused.text, '');
  inside[0].socket.terminate();
  await until(async () => (await RawSocket.open(t, server.url('lab')).catch(() => null)) !== null, 'room for one');
  await server.everybodyLeaves();
});

test('a client that answers no ping is gone in its time, one that does stays', async (t) => {
  const { server } = await laboratory(t, ['--idle-timeout', '3']);
  const quiet = await RawSocket.open(t, server.url('lab')); // it answers pings, and sends nothing else
  const alone = await descriptors(server);
  const deaf = await Wire.open(t, server.port);
  deaf.socket.pause();
  const start = performance.now();
  assert.equal(await descriptors(server), alone + 1);
  await until(async () => (await descriptors(server)) === alone, 'its end', 20000);
  assert.ok(performance.now() - start > 2000);
  await sleep(4000);
  assert.equal(quiet.socket.readyState, 1);
  assert.ok((await quiet.ask(1, 'world.get')).result);
  await server.everybodyLeaves();
});

// SPDX-License-Identifier: MIT
// The network layer with real sockets, tested by the small server of net_echo.c.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sleep, until } from '../support/wait.mjs';
import { BIG_FILE, closeCode, EchoClient, frame, IS_SANITIZED, NET_ECHO, NetEcho, openRaw } from './net_echo.mjs';

const MESSAGE_MAX = 1 << 20;
const TEXT = 1;
const BINARY = 2;
const PING = 9;
const PONG = 10;

// The received bytes of a raw socket until the server closes it.
async function exchange(server, text) {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (data) => (answer += data));
  socket.on('error', () => {});
  socket.write(text);
  const timer = setTimeout(() => socket.destroy(), 2000);
  await new Promise((closed) => socket.once('close', closed));
  clearTimeout(timer);
  return answer;
}

// ---- handshake -------------------------------------------------------------------------------------------------------

test('a handshake is accepted for a known world and 404 for another', async (t) => {
  const server = await NetEcho.start(t);
  assert.equal(await server.handshake(), 101);
  assert.equal(await server.handshake({ path: '/worlds/main?token=1' }), 101);
  assert.equal(await server.handshake({ path: '/worlds/other' }), 404);
  assert.equal(await server.handshake({ path: '/' }), 404);
  assert.equal(await server.handshake({ path: `/${'w'.repeat(1500)}` }), 404);
  const lab = await server.connect(t, { path: '/worlds/lab' });
  assert.match(lab.hello, /^hello \d+ world 1 from 127\.0\.0\.1$/);
});

test('the subprotocol is weft.v1, also in a list, or none', async (t) => {
  const server = await NetEcho.start(t);
  for (const protocols of [[], ['weft.v1'], ['other', 'weft.v1'], ['weft.v1', 'other']])
    assert.equal(await server.handshake({ protocols }), 101, protocols.join());
  for (const protocols of [['weft.v2'], ['other', 'weft'], ['weft.v11'], ['w'.repeat(200)]])
    assert.equal(await server.handshake({ protocols }), 400, protocols.join());
  const named = await server.connect(t, { protocols: ['other', 'weft.v1'] });
  assert.equal(named.socket.protocol, 'weft.v1');
  const unnamed = await server.connect(t, { protocols: [] });
  assert.equal(unnamed.socket.protocol, '');
});

test('a page of a foreign origin is refused, one of our own is not', async (t) => {
  const server = await NetEcho.start(t);
  const host = `127.0.0.1:${server.port}`;
  for (const origin of [`http://${host}`, `https://${host}`])
    assert.equal(await server.handshake({ headers: { Origin: origin } }), 101, origin);
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1', `http://${host}.evil.example`, `http://127.0.0.1:1${server.port}`, 'x'.repeat(400)])
    assert.equal(await server.handshake({ headers: { Origin: origin } }), 403, origin);
});

test('other upgrades, versions and broken handshakes get a status and no WebSocket', async (t) => {
  const server = await NetEcho.start(t);
  const request = (...lines) => exchange(server, ['GET /worlds/main HTTP/1.1', 'Host: h', ...lines, '', ''].join('\r\n'));
  const h2c = await request('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__');
  assert.match(h2c, /^HTTP\/1\.1 400 /);
  assert.match(await request('Connection: Upgrade', 'Upgrade: telnet'), /^HTTP\/1\.1 400 /);
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  assert.match(await request(...upgrade, key, 'Sec-WebSocket-Version: 8'), /^HTTP\/1\.1 426 [^]*Sec-WebSocket-Version: 13\r\n/);
  assert.match(await request(...upgrade, key), /^HTTP\/1\.1 426 /);
  assert.match(await request(...upgrade, 'Sec-WebSocket-Version: 13'), /^HTTP\/1\.1 400 /);
  assert.equal((await exchange(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).includes('HTTP/2'), false);
  assert.equal(await server.handshake(), 101);
});

// ---- incoming messages -----------------------------------------------------------------------------------------------

test('text comes back byte for byte, whatever its length', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  for (const length of [0, 1, 120, 121, 4090, 4096, 4100, 65530, 65536, MESSAGE_MAX - 5]) {
    const text = 'ä☃𝄞x'.repeat(Math.ceil(length / 10)).slice(0, Math.floor(length / 4));
    assert.equal(await client.ask(`echo ${text}`), text);
  }
  assert.equal(await client.ask(''), 'got 0');
  assert.equal(await client.ask('x'.repeat(MESSAGE_MAX)), `got ${MESSAGE_MAX}`);
});

test('fragments are put together, with pings between them', async (t) => {
  const server = await NetEcho.start(t);
  const raw = await openRaw(t, server);
  const snowman = Buffer.from('☃');
  raw.socket.write(frame(TEXT, Buffer.from('echo '), { final: false }));
  raw.socket.write(frame(PING, Buffer.from('p')));
  raw.socket.write(frame(PONG, Buffer.from([0xff, 0xfe]))); // the payload of a pong is not text
  raw.socket.write(frame(0, snowman.subarray(0, 1), { final: false }));
  raw.socket.write(frame(0, Buffer.alloc(0), { final: false }));
  raw.socket.write(frame(0, snowman.subarray(1), { final: false }));
  raw.socket.write(frame(0, Buffer.alloc(0)));
  await until(() => raw.bytes.includes(Buffer.concat([Buffer.from([0x81, 3]), snowman])), 'the echo');
  assert.ok(raw.bytes.includes(Buffer.from([0x8a, 1, 0x70])), 'the ping was answered');
});

test('a message is the same however its bytes are cut into packets', async (t) => {
  const server = await NetEcho.start(t);
  const raw = await openRaw(t, server);
  raw.socket.setNoDelay(true);
  for (const byte of frame(TEXT, Buffer.from('echo slowly'))) {
    raw.socket.write(Buffer.from([byte]));
    await sleep(1);
  }
  await until(() => raw.bytes.includes(Buffer.from('\x81\x06slowly', 'latin1')), 'the echo');
});

test('a message longer than the limit is thrown away and answered, whole or in fragments', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  assert.equal(await client.ask('x'.repeat(MESSAGE_MAX + 1)), `oversized ${MESSAGE_MAX}`);
  for (let i = 0; i < 5; i++) client.send('x'.repeat(MESSAGE_MAX / 2), { fin: i === 4 });
  assert.equal(await client.next(), `oversized ${MESSAGE_MAX}`);
  assert.equal(await client.ask('abc'), 'got 3');
});

test('a message far over the limit closes its sender with 1009, and nobody else', async (t) => {
  const server = await NetEcho.start(t);
  const [bystander, endless] = [await server.connect(t), await server.connect(t)];
  for (let i = 0; i < 17; i++) endless.send('x'.repeat(MESSAGE_MAX), { fin: false });
  assert.equal((await endless.closed).code, 1009);
  const raw = await openRaw(t, server);
  raw.socket.write(frame(TEXT, Buffer.from('x'), { announced: 0xfffffff0 }));
  await until(() => closeCode(raw.bytes) === 1009, 'the close frame');
  assert.equal(await bystander.ask('abc'), 'got 3');
});

test('text that is no UTF-8 is passed on as it is, for the application to answer', async (t) => {
  const server = await NetEcho.start(t);
  const raw = await openRaw(t, server);
  raw.socket.write(frame(TEXT, Buffer.from([0xe2, 0x98, 0xff])));
  await until(() => raw.bytes.includes('got 3'), 'the answer');
});

test('a binary message is reported with its length and closes nothing', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  assert.equal(await client.ask(Buffer.alloc(10000, 255)), 'binary 10000');
  assert.equal(await client.ask('abc'), 'got 3');
  client.send(Buffer.alloc(5), { fin: false });
  assert.equal(await client.ask(Buffer.alloc(6)), 'binary 11');
});

test('frames that break the protocol close with 1002', async (t) => {
  const server = await NetEcho.start(t);
  const broken = {
    'a continuation of nothing': [frame(0, Buffer.from('x'))],
    'a new message inside another': [frame(TEXT, Buffer.from('a'), { final: false }), frame(TEXT, Buffer.from('b'))],
    'an unknown opcode': [frame(3, Buffer.from('x'))],
    'a fragmented ping': [frame(PING, Buffer.from('x'), { final: false })],
  };
  for (const [name, frames] of Object.entries(broken)) {
    const raw = await openRaw(t, server);
    for (const bytes of frames) raw.socket.write(bytes);
    await until(() => closeCode(raw.bytes) === 1002, name);
  }
});

test('who goes on sending is not cut off, is told why it is closed, and its socket ends', async (t) => {
  const server = await NetEcho.start(t);
  const endings = [
    [1002, frame(3, Buffer.from('x'))],
    [1009, frame(TEXT, Buffer.from('x'), { announced: 0xfffffff0 })],
  ];
  for (const [code, bytes] of endings) {
    const raw = await openRaw(t, server, { read: false });
    const ended = once(raw.socket, 'close');
    await new Promise((written, failed) =>
      raw.socket.write(Buffer.concat([bytes, Buffer.alloc(32 << 20, 120)]), (error) => (error ? failed(error) : written())),
    );
    raw.socket.on('data', (data) => (raw.bytes = Buffer.concat([raw.bytes, data]))).resume();
    await ended; // the client closes its half after the server's
    assert.equal(closeCode(raw.bytes), code);
  }
});

test('unmasked frames, masks of zeros and random bytes never hurt the server', async (t) => {
  const server = await NetEcho.start(t);
  const bystander = await server.connect(t);
  let seed = 12345;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 16;
  for (let round = 0; round < 50; round++) {
    const raw = await openRaw(t, server);
    const opcode = [TEXT, BINARY, PING, 0, 8][round % 5];
    raw.socket.write(frame(opcode, Buffer.alloc(random() % 300, 65), { mask: round % 2 ? null : [0, 0, 0, 0] }));
    raw.socket.write(Buffer.from([0x81, 0x7e, 0, 0])); // unmasked, with the long form of length 0
    raw.socket.write(Buffer.from(Array.from({ length: random() % 2000 }, () => random() & 255)));
    raw.socket.end();
  }
  assert.equal(await bystander.ask('abc'), 'got 3');
  await until(async () => (await bystander.figures()).peers === 1, 'the end of the others');
});

// ---- outgoing messages -----------------------------------------------------------------------------------------------

test('ordered broadcasts reach the members whose tags match, in order', async (t) => {
  const server = await NetEcho.start(t);
  const [a, b, c] = [await server.connect(t), await server.connect(t), await server.connect(t)];
  a.send('join 7 1 1');
  b.send('join 7 1 3');
  await a.ask('sync');
  await b.ask('sync');
  for (let i = 0; i < 200; i++) c.send(`publish 7 ${1 + (i % 2)} number ${i}`);
  for (let i = 0; i < 200; i++) {
    assert.equal(await b.next(), `number ${i}`);
    if (i % 2 === 0) assert.equal(await a.next(), `number ${i}`);
  }
  b.send('leave 7');
  await b.ask('sync');
  c.send('publish 7 1 last');
  assert.equal(await a.next(), 'last');
  assert.equal(await b.ask('sync'), 'got 4');
});

test('of more states than can be caught up with a peer gets some, and always the newest', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  client.send('join 3 4 1');
  await client.ask('sync');
  client.send('states 3 61 100');
  const ticks = [];
  while (ticks.at(-1) !== 60) ticks.push(Number((await client.next()).readBigUInt64LE()));
  assert.deepEqual(ticks, [...ticks].sort((a, b) => a - b));
  assert.ok(ticks.every((tick) => tick % 4 === 0));
  const figures = await client.figures();
  assert.equal(figures.sent, ticks.length);
  assert.equal(figures.skipped, 16 - ticks.length);
  assert.ok(figures.skipped > 0);
});

test('a few states posted at once all reach a peer that reads', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  client.send('join 3 1 1');
  await client.ask('sync');
  client.send('states 3 6 100');
  for (let tick = 0; tick < 6; tick++) assert.equal(Number((await client.next()).readBigUInt64LE()), tick);
  assert.equal((await client.figures()).skipped, 0);
});

test('where one broadcast takes long, a state that a newer one has overtaken is not sent', async (t) => {
  const server = await NetEcho.start(t, [0, '127.0.0.1', 1]); // µs: longer work is reported
  const clients = [await server.connect(t), await server.connect(t)];
  for (const client of clients) client.send('join 3 1 1');
  for (const client of clients) await client.ask('sync');
  const hear = () => Promise.all(clients.map(async (client) => Number((await client.next()).readBigUInt64LE())));
  clients[0].send('states 3 1 100000');
  assert.deepEqual(await hear(), [0, 0]);
  clients[0].send('states 3 6 100000');
  assert.deepEqual(await hear(), [5, 5]);
  assert.equal((await clients[0].figures()).skipped, 2 * 5);
});

// The tick of a state is 0, or the number of ms by which it is late.
const LATE = [0, '127.0.0.1', 1];
async function joinLate(t, server, everyTicks) {
  const client = await server.connect(t);
  client.send(`join 3 ${everyTicks} 1`);
  await client.ask('sync');
  client.hearTick = async () => Number((await client.next()).readBigUInt64LE());
  return client;
}

test('where one broadcast takes long, a state that comes late waits for the next one, and is sent if none comes', async (t) => {
  const server = await NetEcho.start(t, LATE);
  const client = await joinLate(t, server, 1);
  const skipped = async () => (await client.figures()).skipped;
  for (let i = 0; i < 2; i++) {
    client.send('states 3 1 100');
    assert.equal(await client.hearTick(), 0);
    await sleep(200);
  }
  client.send('late 3 100 180'); // with an interval of 200 ms, the state is held back until 380 ms after this
  await sleep(280);
  client.send('states 3 1 100');
  assert.equal(await client.hearTick(), 0, 'the next takes its place');
  assert.equal(await skipped(), 1);

  await sleep(200);
  client.send('late 3 100 190');
  assert.equal(await client.hearTick(), 190, 'nothing followed');
  assert.equal(await skipped(), 1);

  await sleep(200);
  client.send('late 3 100 20');
  const before = performance.now();
  assert.equal(await client.hearTick(), 20, 'that is not late');
  assert.ok(performance.now() - before < 150, 'and not held back');
});

test('who gets every fourth state gets it late as well', async (t) => {
  const server = await NetEcho.start(t, LATE);
  const client = await joinLate(t, server, 4);
  client.send('states 3 1 100');
  assert.equal(await client.hearTick(), 0);
  await sleep(200);
  client.send('late 3 100 180');
  await sleep(280);
  client.send('states 3 1 100');
  assert.equal(await client.hearTick(), 180);
  assert.equal(await client.hearTick(), 0);
});

test('where one broadcast is quick, a late state is sent at once', async (t) => {
  const server = await NetEcho.start(t);
  const client = await joinLate(t, server, 1);
  client.send('states 3 1 100');
  assert.equal(await client.hearTick(), 0);
  await sleep(200);
  client.send('late 3 100 180');
  client.send('states 3 1 100');
  assert.equal(await client.hearTick(), 180);
  assert.equal(await client.hearTick(), 0);
});

test('an ordered broadcast that clears the state lets no older state follow it', async (t) => {
  const server = await NetEcho.start(t);
  const raw = await openRaw(t, server, { read: false });
  raw.socket.write(frame(TEXT, Buffer.from('join 3 1 1')));
  const other = await server.connect(t);
  await sleep(50);
  other.send('states 3 1 4000000'); // blocked by the socket of the client that does not read
  await sleep(100);
  other.send('states 3 1 5000');
  other.send('replace 3 1 new epoch');
  await sleep(100);
  let bytes = 0;
  let tail = Buffer.alloc(0);
  raw.socket.on('data', (data) => ((bytes += data.length), (tail = Buffer.concat([tail, data]).subarray(-64))));
  raw.socket.resume();
  await until(() => tail.includes('new epoch'), 'the ordered message');
  assert.equal(bytes, 4000000 + 10 + 'new epoch'.length + 2);
});

test('a close that follows a message comes after it, with its code and reason', async (t) => {
  const server = await NetEcho.start(t);
  const client = await server.connect(t);
  assert.equal(await client.ask('close 4001 good bye'), 'good bye');
  assert.deepEqual(await client.closed, { code: 4001, reason: 'good bye' });
  await until(() => server.out.includes('closed 1'), 'the closed event');
  assert.equal(server.out.match(/closed/g).length, 1);
});

test('a peer whose ordered queue overflows is closed with 1008, or cut off when it does not read', async (t) => {
  const server = await NetEcho.start(t);
  const bystander = await server.connect(t);
  const alone = await server.descriptors();
  const reader = await server.connect(t);
  reader.send('flood 3000 10000');
  assert.equal((await reader.closed).code, 1008);
  const deaf = await openRaw(t, server, { read: false });
  deaf.socket.write(frame(TEXT, Buffer.from('join 2 1 1')));
  deaf.socket.write(frame(TEXT, Buffer.from('states 2 1 8000000'))); // fills its socket
  await sleep(200);
  deaf.socket.write(frame(TEXT, Buffer.from('flood 3000 10000')));
  await until(async () => (await bystander.figures()).peers === 1, 'its leaving');
  await until(async () => (await server.descriptors()) === alone, 'the end of its socket', 15000);
});

// A reader that discards its input.
async function openReader(t, server) {
  const raw = await openRaw(t, server);
  raw.socket.removeAllListeners('data');
  raw.socket.on('data', () => {});
  raw.socket.write(frame(TEXT, Buffer.from('join 1 1 1')));
}

// Seconds are measured until one is good: on a busy machine the server or its readers may be delayed now and then, but
// deliberate skipping happens in every second.
async function findGoodSecond(control, isGood) {
  let seen;
  for (let second = 0; second < 15; second++) {
    const before = await control.figures();
    await sleep(1000);
    const after = await control.figures();
    seen = { sent: after.sent - before.sent, skipped: after.skipped - before.skipped, rss: after.rss };
    if (isGood(seen)) return seen;
  }
  return assert.fail(`no good second, the last was ${JSON.stringify(seen)}`);
}

test('readers at 60 Hz miss no state, and one that never reads changes nothing for them', async (t) => {
  const readers = IS_SANITIZED ? 20 : 100;
  const stateBytes = 24 * 1024;
  const server = await NetEcho.start(t);
  const control = await server.connect(t);
  for (let i = 0; i < readers; i++) await openReader(t, server);
  control.send(`stream ${stateBytes}`);
  await sleep(300);
  await findGoodSecond(control, ({ sent, skipped }) => skipped === 0 && sent >= readers * 57);

  const deaf = await openRaw(t, server, { read: false });
  deaf.socket.write(frame(TEXT, Buffer.from('join 2 1 1')));
  deaf.socket.write(frame(TEXT, Buffer.from('states 2 1 8000000'))); // fills its socket
  deaf.socket.write(frame(TEXT, Buffer.from('join 1 1 1')));
  await sleep(500);
  const full = await control.figures();
  // Sixty states per second for the client that does not read, all of which are skipped, except one at either end.
  const last = await findGoodSecond(control, ({ sent, skipped }) => skipped >= 57 && skipped <= 63 && sent >= readers * 57);
  if (!IS_SANITIZED) assert.ok(last.rss - full.rss < 2 << 20, `memory grew by ${last.rss - full.rss}`);
});

// ---- HTTP ------------------------------------------------------------------------------------------------------------

test('files are served with their type, the security headers and a validator', async (t) => {
  const server = await NetEcho.start(t);
  const page = await fetch(server.http('/'));
  assert.equal(await page.text(), '<!doctype html>page');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.match(page.headers.get('content-security-policy'), /default-src 'self'/);
  assert.equal(page.headers.get('server'), null);
  const module = await fetch(server.http('/client/client.mjs?v=1'));
  assert.equal(module.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(module.headers.get('cache-control'), 'no-cache');
  const again = await fetch(server.http('/client/client.mjs'), { headers: { 'If-None-Match': module.headers.get('etag') } });
  assert.equal(again.status, 304);
  const big = await Promise.all(Array.from({ length: 5 }, () => fetch(server.http('/big.bin')).then((r) => r.arrayBuffer())));
  for (const body of big) assert.ok(BIG_FILE.equals(Buffer.from(body)));
});

test('HEAD has the head of GET and no body, and other methods are refused', async (t) => {
  const server = await NetEcho.start(t);
  const head = await fetch(server.http('/big.bin'), { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(BIG_FILE.length));
  assert.equal((await head.arrayBuffer()).byteLength, 0);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const response = await fetch(server.http('/'), { method, body: method === 'POST' ? 'x' : undefined });
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  }
});

test('documents come from the application, with its status and type', async (t) => {
  const server = await NetEcho.start(t);
  assert.equal(await (await fetch(server.http('/healthz'))).text(), 'ok\n');
  const teapot = await fetch(server.http('/teapot.json'));
  assert.deepEqual([teapot.status, teapot.headers.get('content-type')], [503, 'application/json']);
  assert.equal((await fetch(server.http('/nothing'))).status, 404);
});

test('nothing outside the web root and no dot file is ever served', async (t) => {
  const server = await NetEcho.start(t);
  const paths = ['/../outside.txt', '/%2e%2e/outside.txt', '/client/../../outside.txt', '//outside.txt', '/..%2foutside.txt', '/client/%2e%2e/%2e%2e/outside.txt',
    '/..\\outside.txt', '/.secret', '/%2esecret', '/client/..%2f.secret', '/client/', '/client', '/client//client.mjs%00.html', '/...//outside.txt', `${server.webRoot}/../outside.txt`];
  for (const path of paths) {
    const answer = await exchange(server, `GET ${path} HTTP/1.0\r\n\r\n`);
    assert.ok(!answer.includes('secret'), path);
    assert.ok(answer === '' || /^HTTP\/1\.1 40[34] /.test(answer), `${path}: ${answer.slice(0, 40)}`);
  }
});

test('a client that goes away in the middle of a download is forgotten', async (t) => {
  const server = await NetEcho.start(t);
  for (let i = 0; i < 20; i++) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /big.bin HTTP/1.1\r\nHost: h\r\n\r\n');
    await once(socket, 'data');
    if (i % 2) socket.resetAndDestroy();
    else socket.destroy();
  }
  assert.equal((await fetch(server.http('/healthz'))).status, 200);
});

// ---- start and stop --------------------------------------------------------------------------------------------------

test('a taken port, a missing folder and an unknown host are said clearly, with status 2', async (t) => {
  const server = await NetEcho.start(t);
  const fails = async (...args) => {
    const failure = await promisify(execFile)(NET_ECHO, args).then(() => assert.fail('it started'), (error) => error);
    assert.equal(failure.code, 2);
    return failure.stderr;
  };
  const taken = `port ${server.port} is taken on 127.0.0.1: choose another with --port, or 0 for a free one\n`;
  assert.equal(await fails(server.webRoot, String(server.port)), taken);
  assert.match(await fails(server.webRoot, String(server.port), '0.0.0.0'), /is taken on 0\.0\.0\.0/);
  assert.match(await fails(`${server.webRoot}/missing`), /no such folder/);
  assert.match(await fails(server.webRoot, '0', 'no-such-host.invalid'), /no such host/);
});

test('a stop closes every client with 1001 and ends in time, whoever does not read', async (t) => {
  const server = await NetEcho.start(t);
  const clients = [];
  for (let i = 0; i < 20; i++) clients.push(await server.connect(t));
  const deaf = await openRaw(t, server, { read: false });
  deaf.socket.write(frame(TEXT, Buffer.from('join 1 1 1')));
  clients[0].send('join 1 1 1');
  clients[1].send('stream 1000000');
  await sleep(300);
  const start = performance.now();
  const exit = await server.stop();
  const end = performance.now();
  for (const client of clients) assert.equal((await client.closed).code, 1001);
  assert.deepEqual(exit, { code: 0, signal: null });
  assert.ok(end - start < (IS_SANITIZED ? 5000 : 3000), `it took ${end - start} ms`);
  await until(() => server.out.match(/closed/g).length === 21, 'every closed event');
});

test('the server takes no more peers than it was told to', { skip: IS_SANITIZED && 'slow' }, async (t) => {
  const server = await NetEcho.start(t);
  const clients = await Promise.all(Array.from({ length: 400 }, () => server.connect(t)));
  assert.equal(await server.handshake(), 503);
  assert.equal((await fetch(server.http('/healthz'))).status, 200);
  clients[0].socket.terminate();
  await until(async () => (await server.handshake()) === 101, 'room for one');
});

test('a client that resets its connection while being written to harms nobody', async (t) => {
  const server = await NetEcho.start(t);
  const bystander = await server.connect(t);
  bystander.send('stream 100000');
  for (let i = 0; i < 20; i++) {
    const client = new EchoClient(server);
    await client.next();
    client.send('join 1 1 1');
    await client.next(); // a state
    client.socket._socket.resetAndDestroy();
  }
  bystander.send('stream 0');
  await until(async () => (await bystander.figures()).peers === 1, 'the end of the others');
});

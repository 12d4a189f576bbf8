// SPDX-License-Identifier: MIT
// The requirements of RFC 6455 for a server, and cases that HTTP/1.1 leaves open, tested against weftd byte for byte.
//
// One requirement is met in substance only, because the protocol's contract differs: text that is not valid UTF-8 (8.1) is
// never interpreted, but it is answered with −32700, and its sender stays connected, as after any other text that is not
// JSON. In the reason of a close frame, which has no reply, it fails the connection with 1007.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { laboratory } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { exchange, frame, handshake, OPCODE, Wire } from '../support/wire.mjs';

const { text: TEXT, binary: BINARY, ping: PING, pong: PONG, close: CLOSE, continuation: CONTINUATION } = OPCODE;
const GET = '{"jsonrpc":"2.0","id":1,"method":"world.get"}';

// One server for all tests: no test may harm it for the next one.
let port;
const afters = [];
before(async () => ({ server: { port } } = await laboratory({ after: (end) => afters.push(end) })));
after(async () => {
  for (const end of afters) await end();
});

const code = (value, reason = '') => Buffer.concat([Buffer.from([value >> 8, value & 255]), Buffer.from(reason)]);

async function answers(wire, count = 1) {
  await until(() => wire.messages().filter((message) => 'id' in message).length >= count || wire.closed, 'the answer');
  return wire.messages().filter((message) => 'id' in message);
}

// ---- the handshake (4.2) ---------------------------------------------------------------------------------------------

test('the handshake is answered with 101, the key\'s digest and the subprotocol, and no extension', async (t) => {
  const wire = new Wire(t, port);
  wire.write(handshake({ fields: { 'Sec-WebSocket-Protocol': 'other, weft.v1', 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits, x-webkit-deflate-frame' } }));
  await until(() => wire.text.includes('\r\n\r\n'), 'the answer');
  const digest = createHash('sha1').update('dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  assert.equal(wire.status, 101);
  assert.match(wire.text, /^Upgrade: websocket\r$/im);
  assert.match(wire.text, /^Connection: Upgrade\r$/im);
  assert.ok(wire.text.includes(`Sec-WebSocket-Accept: ${digest}\r\n`), wire.text);
  assert.match(wire.text, /^Sec-WebSocket-Protocol: weft\.v1\r$/im);
  assert.doesNotMatch(wire.text, /Sec-WebSocket-Extensions/i);
});

for (const [what, options, statuses] of [
  ['no key', { fields: { 'Sec-WebSocket-Key': null } }, [400]],
  ['an empty key', { fields: { 'Sec-WebSocket-Key': '' } }, [400]],
  ['a key of 15 bytes', { fields: { 'Sec-WebSocket-Key': 'MTIzNDU2Nzg5MDEyMzQ1' } }, [400]],
  ['a key of 24 letters that is no base 64', { fields: { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25j!Q==' } }, [400]],
  ['no version', { fields: { 'Sec-WebSocket-Version': null } }, [426]],
  ['version 8', { fields: { 'Sec-WebSocket-Version': '8' } }, [426]],
  ['two versions', { fields: { 'Sec-WebSocket-Version': '13, 8' } }, [426]],
  ['another subprotocol', { fields: { 'Sec-WebSocket-Protocol': 'weft.v2' } }, [400]],
  ['no Connection', { fields: { Connection: null } }, [400]],
  ['a Connection that does not upgrade', { fields: { Connection: 'keep-alive' } }, [400]],
  ['no Host', { fields: { Host: null } }, [400]],
  ['an empty Host', { host: '' }, [400, 403]],
  ['a foreign Host', { host: 'evil.example' }, [403]],
  ['a Host that begins like ours', { host: '127.0.0.1.evil.example' }, [403]],
  ['a foreign Origin', { fields: { Origin: 'http://evil.example' } }, [403]],
  ['no such world', { path: '/worlds/none' }, [404]],
  ['a world by a detour', { path: '/worlds/%2e%2e%2fworlds/lab' }, [404]],
  ['h2c', { fields: { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' } }, [400]],
  ['h2c beside websocket', { fields: { Upgrade: 'h2c, websocket' } }, [400]],
  ['websocket beside h2c', { fields: { Upgrade: 'websocket, h2c' } }, [400]],
  ['TLS', { fields: { Upgrade: 'TLS/1.0' } }, [400]],
  ['websockets', { fields: { Upgrade: 'websockets' } }, [400]],
  ['an empty Upgrade', { fields: { Upgrade: '' } }, [400]],
  ['a body', { fields: { 'Content-Length': '5' } }, [400]],
]) {
  test(`a handshake with ${what} is refused`, async (t) => {
    const wire = await exchange(t, port, handshake(options));
    assert.ok(statuses.includes(wire.status), wire.text);
    assert.match(wire.text, /^Content-Security-Policy: /im);
    if (wire.status === 426) assert.match(wire.text, /^Sec-WebSocket-Version: 13\r$/im);
  });
}

test('a handshake is case-insensitive where it may be, and comes in any number of pieces', async (t) => {
  const wire = new Wire(t, port);
  wire.socket.setNoDelay(true);
  const head = handshake({ fields: { Connection: 'keep-alive, UPGRADE', Upgrade: 'WebSocket' } });
  for (let at = 0; at < head.length; at += 7) {
    wire.write(head.slice(at, at + 7));
    await sleep(1);
  }
  await until(() => wire.status, 'the answer');
  assert.equal(wire.status, 101);
});

// ---- frames that fail the connection (5) -----------------------------------------------------------------------------

const UNMASKED = { mask: null };
for (const [what, frames, wanted] of [
  ['an unmasked text', [frame(TEXT, GET, UNMASKED)], 1002],
  ['an unmasked ping', [frame(PING, 'x', UNMASKED)], 1002],
  ['an unmasked close', [frame(CLOSE, code(1000), UNMASKED)], 1002],
  ['an unmasked text of length 0', [frame(TEXT, '', UNMASKED)], 1002],
  ['an unmasked frame after a masked one', [frame(PING, 'x'), frame(TEXT, GET, UNMASKED)], 1002],
  ['an unmasked continuation', [frame(TEXT, 'a', { final: false }), frame(CONTINUATION, 'b', UNMASKED)], 1002],
  ...[1, 2, 4, 7].map((bits) => [`reserved bits ${bits} on a text`, [frame(TEXT, GET, { head: 0x81 | (bits << 4) })], 1002]),
  ['a reserved bit on a ping', [frame(PING, 'x', { head: 0xc9 })], 1002],
  ['a reserved bit on a continuation', [frame(TEXT, 'a', { final: false }), frame(CONTINUATION, 'b', { head: 0xc0 })], 1002],
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => [`opcode ${opcode}`, [frame(opcode, 'x')], 1002]),
  ['a continuation of nothing', [frame(CONTINUATION, 'x')], 1002],
  ['a continuation after a whole message', [frame(PONG, ''), frame(CONTINUATION, 'x')], 1002],
  ['a text within a text', [frame(TEXT, 'a', { final: false }), frame(TEXT, 'b')], 1002],
  ['a binary within a text', [frame(TEXT, 'a', { final: false }), frame(BINARY, 'b')], 1002],
  ['a ping in fragments', [frame(PING, 'x', { final: false })], 1002],
  ['a close in fragments', [frame(CLOSE, code(1000), { final: false })], 1002],
  ['a ping of 126 bytes', [frame(PING, Buffer.alloc(126))], 1002],
  ['a pong of 70,000 bytes', [frame(PONG, Buffer.alloc(70000))], 1002],
  ['a close of 126 bytes', [frame(CLOSE, code(1000, 'x'.repeat(124)))], 1002],
  ['a length of 16 bits that needs 7', [frame(TEXT, GET, { bytes: 3 })], 1002],
  ['a length of 64 bits that needs 16', [frame(TEXT, Buffer.alloc(300, 32), { bytes: 9 })], 1002],
  ['a length with its highest bit set', [Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4])], 1002],
  ['a length beyond all limits', [Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5])], 1009],
  ['a close of one byte', [frame(CLOSE, Buffer.from([3]))], 1002],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535].map((value) => [`a close with the code ${value}`, [frame(CLOSE, code(value))], 1002]),
  ['a close whose reason is no UTF-8', [frame(CLOSE, Buffer.concat([code(1000), Buffer.from([0xce, 0xba, 0xed, 0xa0, 0x80])]))], 1007],
  ['a close whose reason ends in the midst of a letter', [frame(CLOSE, Buffer.concat([code(1000), Buffer.from([0xe2, 0x98])]))], 1007],
  ['more fragments than a message may have', [frame(TEXT, ' ', { final: false }), ...Array(5000).fill(frame(CONTINUATION, ' ', { final: false }))], 1008],
]) {
  test(`${what} is closed with ${wanted}`, async (t) => {
    const wire = await Wire.open(t, port);
    wire.write(Buffer.concat(frames));
    await until(() => wire.closeCode !== undefined || wire.closed, 'the close frame');
    assert.equal(wire.closeCode, wanted);
    wire.write(frame(TEXT, GET)); // later frames are not interpreted
    await sleep(30);
    assert.equal(wire.messages().filter((message) => message.result).length, 0);
    wire.write(frame(CLOSE, code(wanted)));
    await until(() => wire.closed, 'the end of the socket');
  });
}

test('the same holds when every byte comes by itself', async (t) => {
  for (const [bytes, wanted] of [[frame(TEXT, GET, UNMASKED), 1002], [frame(CLOSE, code(1006)), 1002], [frame(PING, 'x', { head: 0xb9 }), 1002]]) {
    const wire = await Wire.open(t, port);
    wire.socket.setNoDelay(true);
    for (const byte of bytes) {
      if (wire.closed) break;
      wire.write(Buffer.from([byte]));
      await sleep(2);
    }
    await until(() => wire.closeCode !== undefined, 'the close frame');
    assert.equal(wire.closeCode, wanted);
  }
});

// ---- frames that do not ----------------------------------------------------------------------------------------------

test('a close is answered with the same code, and then the socket ends', async (t) => {
  for (const value of [1000, 1001, 1003, 1007, 1011, 3000, 4999]) {
    const wire = await Wire.open(t, port);
    wire.write(frame(CLOSE, code(value, 'grüße')));
    await until(() => wire.closed, 'the end of the socket');
    assert.equal(wire.closeCode, value);
  }
  const wire = await Wire.open(t, port);
  wire.write(frame(CLOSE, ''));
  await until(() => wire.closed, 'the end of the socket');
  assert.ok([null, 1000].includes(wire.closeCode), String(wire.closeCode));
});

test('what follows a close frame is not read', async (t) => {
  const wire = await Wire.open(t, port);
  wire.write(Buffer.concat([frame(TEXT, GET), frame(CLOSE, code(1000)), frame(TEXT, GET), frame(TEXT, 'x', UNMASKED)]));
  await until(() => wire.closed, 'the end of the socket');
  assert.ok(wire.messages().filter((message) => message.result).length <= 1);
  assert.equal(wire.closeCode, 1000);
});

test('pings are answered with their payload, also of 0 and 125 bytes and within a message; pongs are not', async (t) => {
  const wire = await Wire.open(t, port);
  const pongs = () => wire.frames().filter(({ opcode }) => opcode === PONG);
  for (const payload of ['', 'x'.repeat(125)]) {
    const known = pongs().length;
    wire.write(frame(PING, payload));
    await until(() => pongs().length > known, 'the pong');
    assert.equal(String(pongs().at(-1).payload), payload);
  }
  wire.write(frame(TEXT, GET.slice(0, 9), { final: false }), frame(PING, 'amid'));
  await until(() => pongs().length === 3, 'the pong');
  wire.write(frame(PONG, 'unasked'), frame(CONTINUATION, '', { final: false }), frame(CONTINUATION, GET.slice(9)));
  const [answer] = await answers(wire);
  assert.ok(answer.result);
  assert.equal(pongs().length, 3);
});

test('of several pings in one segment the most recent is answered, whatever else the server sends meanwhile', async (t) => {
  const wire = await Wire.open(t, port);
  const pongs = () => wire.frames().filter(({ opcode }) => opcode === PONG).map(({ payload }) => String(payload));
  for (let round = 0; round < 20; round++) {
    const last = `c${round}`;
    wire.write(Buffer.concat([frame(PING, `a${round}`), frame(PING, `b${round}`), frame(TEXT, GET), frame(PING, last)]));
    await until(() => pongs().includes(last), `the answer to the ping ${last}`);
  }
  await answers(wire, 20);
  assert.equal(pongs().at(-1), 'c19');
});

test('pings that are cut anywhere, within a message that is cut anywhere, are answered and leave the message whole', async (t) => {
  const wire = await Wire.open(t, port);
  const bytes = Buffer.concat([frame(TEXT, '', { final: false }), frame(CONTINUATION, GET.slice(0, 20), { final: false }), frame(PING, 'one'), frame(PING, ''), frame(CONTINUATION, GET.slice(20)), frame(PING, 'last')]);
  wire.socket.setNoDelay(true);
  for (let at = 0; at < bytes.length; at += 3) {
    wire.write(bytes.subarray(at, at + 3));
    await sleep(2);
  }
  await until(() => wire.frames().some(({ opcode, payload }) => opcode === PONG && String(payload) === 'last'), 'the last pong');
  const [answer] = await answers(wire);
  assert.ok(answer.result, JSON.stringify(answer));
});

test('what the server sends is neither masked nor fragmented nor marked', async (t) => {
  const wire = await Wire.open(t, port);
  wire.write(frame(TEXT, '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'), frame(PING, 'x'));
  await answers(wire);
  for (const { final, masked, reserved } of wire.frames()) assert.deepEqual([final, masked, reserved], [true, false, 0]);
});

test('a mask of zeros is a mask, and a mask never leaks into the text', async (t) => {
  const wire = await Wire.open(t, port);
  for (const mask of [[0, 0, 0, 0], [255, 0, 255, 0], [0x7b, 0x22, 0x7b, 0x22]]) {
    const known = (await answers(wire, 0)).length;
    wire.write(frame(TEXT, GET, { mask }));
    assert.ok((await answers(wire, known + 1)).at(-1).result);
  }
});

test('text that is no UTF-8 is answered with -32700 and never interpreted; its sender stays', async (t) => {
  const wire = await Wire.open(t, port);
  const broken = [[0xff], [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x98], [0x80], [0xf0, 0x9d, 0x84]];
  for (const [index, bytes] of broken.entries()) {
    const body = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const halves = [frame(TEXT, body.subarray(0, 35), { final: false }), frame(CONTINUATION, body.subarray(35))];
    wire.write(...(index % 2 ? halves : [frame(TEXT, body)]));
    const all = await answers(wire, index + 1);
    assert.equal(all[index].error.code, -32700, JSON.stringify(all[index]));
  }
  const name = '☃𝄞ä';
  wire.write(frame(TEXT, `{"jsonrpc":"2.0","id":2,"method":"${name}"}`));
  assert.equal((await answers(wire, broken.length + 1)).at(-1).error.code, -32601);
});

// ---- HTTP: what must not be taken (RFC 9112) -------------------------------------------------------------------------

const request = (...lines) => `${['GET /healthz HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
const SMUGGLED = 'GET /openrpc.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
for (const [what, bytes, statuses] of [
  ['two lengths', `${request('Content-Length: 0', `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`, [400]],
  ['twice the same length', request('Content-Length: 0', 'Content-Length: 0'), [400]],
  ['a list of lengths', request('Content-Length: 0, 0'), [400]],
  ['a length with a sign', request('Content-Length: +0'), [400]],
  ['a length in hexadecimal', request('Content-Length: 0x5'), [400]],
  ['a length below zero', request('Content-Length: -1'), [400]],
  ['a length beyond 64 bits', request('Content-Length: 99999999999999999999'), [400]],
  ['a length and an encoding', `${request('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`, [400]],
  ['an encoding', `${request('Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`, [400]],
  ['an encoding in disguise', `${request('Transfer-Encoding:\tchunked')}0\r\n\r\n${SMUGGLED}`, [400]],
  ['an encoding nobody knows', request('Transfer-Encoding: xchunked'), [400]],
  ['a space before the colon', request('Content-Length : 5'), [400]],
  ['a folded line', request('X-Long: a', ' b'), [400]],
  ['a folded line with a tab', request('X-Long: a', '\tTransfer-Encoding: chunked'), [400]],
  ['a first line that is folded', 'GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n', [400]],
  ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: localhost\n\n', [400]],
  ['one bare line feed', 'GET /healthz HTTP/1.1\r\nX: a\nHost: localhost\r\n\r\n', [400]],
  ['a bare carriage return', 'GET /healthz HTTP/1.1\r\nX: a\rHost: localhost\r\n\r\n', [400]],
  ['a line without a colon', request('Nothing'), [400]],
  ['a field without a name', request(': nothing'), [400]],
  ['a zero byte', request('X: a\0b'), [400]],
  ['two hosts', request('Host: evil.example'), [400]],
  ['two origins', request('Origin: http://localhost', 'Origin: http://evil.example'), [400]],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
  ['no version', 'GET /healthz\r\n\r\n', [400]],
  ['two spaces', 'GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 405, 505]],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nHost: localhost\r\n\r\n', [505]],
  ['a whole address', 'GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
  ['CONNECT', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n', [405]],
  ['TRACE', 'TRACE /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', [405]],
  ['a method in small letters', 'get /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', [405]],
  ['a GET with a body', `${request('Content-Length: 5')}hello`, [400]],
  ['a body beyond the limit', 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n', [413]],
  ['a promise of something else', 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: the-unexpected\r\n\r\n', [417]],
  ['a promise without a body', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n', [417]],
  ['a head that never ends', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20000)}`, [431]],
  ['very many fields', request(...Array.from({ length: 200 }, (_, i) => `X-${i}: y`)), [431]],
  ['TLS where there is none', Buffer.from('16030100c8010000c40303', 'hex'), [400]],
]) {
  test(`a request with ${what} is refused, and nothing after it is answered`, async (t) => {
    const wire = await exchange(t, port, bytes);
    assert.ok(statuses.includes(wire.status), wire.text.slice(0, 300));
    assert.equal(wire.text.match(/HTTP\/1\.[01] \d/g).length, 1, 'one answer');
    assert.match(wire.text, /^Connection: close\r$/im);
    assert.match(wire.text, /^X-Content-Type-Options: nosniff\r$/im);
    assert.match(wire.text, /^Content-Security-Policy: /im);
  });
}

test('requests on one connection are answered one by one, each with its own answer', async (t) => {
  const wire = new Wire(t, port);
  const count = () => wire.text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
  for (let turn = 1; turn <= 3; turn++) {
    wire.write(request());
    await until(() => count() === turn, 'the answer');
  }
  const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const many = await exchange(t, port, `${get('/healthz')}${get('/nothing')}${get('/metrics')}${request('Host: evil.example')}${get('/openrpc.json')}`, 1000);
  const statuses = [...many.text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  assert.deepEqual(statuses, [200, 404, 200, 400].slice(0, statuses.length), 'in their order, up to the first that is refused');
  assert.doesNotMatch(many.text, /"openrpc":/);
});

for (const target of [
  '/../LICENSE', '/%2e%2e/LICENSE', '/%252e%252e/LICENSE', '/%25252e%25252e%25252fLICENSE', '/..%2fLICENSE', '/..%252fLICENSE', '/client/../../LICENSE',
  '/client/..%2f..%2fLICENSE', '/client/%2e%2e%2f%2e%2e%2fLICENSE', '/%2e%2e%5cLICENSE', '/..\\LICENSE', '/..%5c..%5cLICENSE', '/..;/LICENSE', '//etc/passwd',
  '/client//../../LICENSE', '/./../LICENSE', '/%c0%ae%c0%ae/LICENSE', '/%uff0e%uff0e/LICENSE', '/client/client.js%00', '/client/client.js%00.html',
  '/index.html/../../LICENSE', '/.git/config', '/%2egit/config', '/package.json/', '/proc/self/environ', '/....//LICENSE', '/%', '/%zz', '/%2',
]) {
  test(`the path ${target} leads nowhere`, async (t) => {
    const wire = await exchange(t, port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assert.ok([400, 403, 404].includes(wire.status), `${wire.status}: ${wire.text.slice(0, 80)}`);
    assert.doesNotMatch(wire.text, /MIT License|root:|\[core\]/);
  });
}

test('after all of that a decent client is served', async (t) => {
  const wire = await Wire.open(t, port);
  wire.write(frame(TEXT, GET));
  assert.ok((await answers(wire))[0].result.stateHash);
});

// ---- heads of every length, and HTTP/1.0 -----------------------------------------------------------------------------

test('a head of up to 8,000 bytes is read, a longer one is answered with 431, in a request and in a handshake', async (t) => {
  for (const bytes of [3000, 4000, 4100, 5000, 6000, 7500, 8100, 12000, 40000]) {
    const cookie = 'x'.repeat(bytes - 60);
    const wire = await exchange(t, port, `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`);
    assert.equal(wire.status, bytes < 8000 ? 200 : 431, `a head of ${bytes} bytes: ${wire.text.slice(0, 80)}`);
    const socket = new Wire(t, port);
    socket.write(handshake({ fields: { Cookie: 'x'.repeat(bytes - 200) } }));
    await until(() => socket.status !== undefined || socket.closed, 'an answer');
    assert.equal(socket.status, bytes < 8000 ? 101 : 431, `a handshake of ${bytes} bytes`);
    socket.socket.destroy();
  }
});

const plain = (version, connection) => `GET /healthz ${version}\r\nHost: 127.0.0.1\r\n${connection ? `Connection: ${connection}\r\n` : ''}\r\n`;

for (const [version, connection, field, kept] of [
  ['HTTP/1.0', '', 'close', false],
  ['HTTP/1.0', 'keep-alive', 'keep-alive', true],
  ['HTTP/1.0', 'Keep-Alive', 'keep-alive', true],
  ['HTTP/1.0', 'close', 'close', false],
  ['HTTP/1.1', '', undefined, true],
  ['HTTP/1.1', 'keep-alive', undefined, true],
  ['HTTP/1.1', 'close', 'close', false],
]) {
  test(`${version} with Connection: ${connection || '(none)'} is answered with Connection: ${field ?? '(none)'} and ${kept ? 'kept' : 'closed'}`, async (t) => {
    const wire = new Wire(t, port);
    wire.write(plain(version, connection));
    await until(() => wire.text.includes('\r\n\r\n'), 'the answer');
    assert.equal(/^Connection: (.*)\r$/im.exec(wire.text)?.[1], field, wire.text);
    if (!kept) {
      await until(() => wire.closed, 'the end of the connection');
      return;
    }
    const first = wire.bytes.length;
    await sleep(50);
    wire.write(plain(version, connection));
    await until(() => wire.bytes.length >= 2 * first, 'the second answer');
    assert.equal(wire.text.match(/HTTP\/1\.1 200 /g).length, 2);
  });
}

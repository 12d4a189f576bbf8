// SPDX-License-Identifier: MIT
// POST /worlds/NAME/rpc, for clients without WebSocket: one request, one reply, and the same checks as on a WebSocket.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dataFolder } from '../support/data.mjs';
import { JSON_TYPE, post, request } from '../support/post.mjs';
import { next, sleep, until } from '../support/wait.mjs';
import { laboratory, RawSocket, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { exchange } from '../support/wire.mjs';

const [REQUEST, DENIED, LIMIT, STATE, RATE] = [-32600, -32001, -32003, -32004, -32005];
const MIB = 2 ** 20;

async function curl(args, input = '') {
  const { status, stdout, stderr } = await run('curl', ['--silent', '--show-error', '--max-time', '30', ...args], { input });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('curl posts a request and gets its reply', async (t) => {
  const { server, call } = await laboratory(t);
  const url = server.http('/worlds/lab/rpc');
  const json = ['--header', 'Content-Type: application/json'];
  const made = JSON.parse(await curl([...json, '--data', JSON.stringify(request('one', 'cloth.spawn', { columns: 4, rows: 3 })), url]));
  assert.deepEqual(made, { jsonrpc: '2.0', id: 'one', result: { object: 1, particles: 12, tick: 1 } });
  assert.equal((await call('object.list')).objects.length, 1);
  const replies = JSON.parse(await curl([...json, '--data', JSON.stringify([request(1, 'world.step', { ticks: 7 }), request(2, 'world.get')]), url]));
  assert.deepEqual(replies.map(({ id, result }) => [id, result.tick]), [[1, 7], [2, 7]]);
  // Before a long body, curl asks whether it may send it.
  const positions = Array.from({ length: 600000 }, (_, i) => (i % 1000) / 10);
  const long = JSON.stringify(request(3, 'particles.spawn', { positions }));
  assert.ok(long.length > MIB);
  const heads = await curl([...json, '--include', '--header', 'Expect: 100-continue', '--data-binary', '@-', url], long);
  assert.match(heads, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  assert.match(heads, /"id":3,"result":\{"object":2,"particles":200000/);
});

test('a world is told by GET what its address is for, and nothing else is', async (t) => {
  const { server } = await laboratory(t);
  const world = await fetch(server.http('/worlds/lab'));
  assert.equal(world.status, 426);
  assert.equal(world.headers.get('upgrade'), 'websocket');
  assert.match(world.headers.get('connection'), /upgrade/i);
  assert.match(await world.text(), /^This is a world's address for WebSockets.*POST.*\/rpc\.\n$/);
  assert.equal((await fetch(server.http('/worlds/lab'), { method: 'HEAD' })).status, 426);
  assert.equal((await fetch(server.http('/worlds/elsewhere'))).status, 404);
  assert.equal((await fetch(server.http('/'))).status, 200);
  const rpc = await fetch(server.http('/worlds/lab/rpc'));
  assert.deepEqual([rpc.status, rpc.headers.get('allow')], [405, 'POST']);
});

test('what is wrong with a request is said as on a WebSocket', async (t) => {
  const { server } = await laboratory(t);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  const messages = [
    '', '{', '[]', 'null', '7', '[1]', '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"method":"world.get","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"world.gte"}', '{"jsonrpc":"2.0","id":1,"method":"cloth.spawn","params":{"columns":1e9,"rows":2}}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"world.get"}', '{"jsonrpc":"2.0","id":"\ud83d\ude00","method":"object.get","params":{"object":99}}',
    '{"jsonrpc":"2.0","id":1,"method":"world.seek"}',
  ];
  for (const message of messages.filter((one) => one !== '')) {
    raw.send(message);
    const { status, reply } = await post(server, 'lab', message);
    assert.equal(status, 200, message);
    assert.deepEqual(reply, await raw.next(), message);
  }
  assert.equal((await post(server, 'lab', '')).reply.error.code, -32700);
});

test('without a reply the status says why: no content, no such world, no JSON, no POST', async (t) => {
  const { server, call } = await laboratory(t);
  const status = async (...args) => (await post(...args)).status;
  assert.equal(await status(server, 'lab', request(undefined, 'cloth.spawn', { columns: 3, rows: 3 })), 204);
  assert.equal(await status(server, 'lab', [request(undefined, 'world.pause'), request(undefined, 'nothing.such')]), 204);
  await until(async () => (await call('object.list')).objects.length === 1, 'the notification to be applied');
  assert.equal(await status(server, 'elsewhere', request(1, 'world.get')), 404);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
    const answer = await post(server, 'lab', request(1, 'world.get'), { headers: { 'Content-Type': type } });
    assert.equal(answer.status, 415, type);
    assert.match(answer.text, /application\/json/);
  }
  for (const type of ['Application/JSON; charset=utf-8', 'application/json-rpc', 'application/jsonrequest']) {
    assert.equal(await status(server, 'lab', request(1, 'world.get'), { headers: { 'Content-Type': type } }), 200, type);
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'GET', 'HEAD']) {
    const answer = await fetch(server.http('/worlds/lab/rpc?x=1'), { method });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    const page = await fetch(server.http(method === 'GET' || method === 'HEAD' ? '/' : '/index.html/rpc'), { method });
    assert.equal(page.headers.get('allow'), method === 'GET' || method === 'HEAD' ? null : 'GET, HEAD', method);
  }
});

test('a compressed body is refused with a reason, not taken for broken JSON', async (t) => {
  const { server } = await laboratory(t);
  const body = gzipSync(JSON.stringify(request(1, 'world.get')));
  const answer = await fetch(server.http('/worlds/lab/rpc'), { method: 'POST', headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body });
  assert.deepEqual([answer.status, answer.headers.get('accept-encoding')], [415, 'identity']);
  assert.match(await answer.text(), /Content-Encoding/);
  assert.equal((await post(server, 'lab', request(1, 'world.get'), { headers: { 'Content-Encoding': 'identity' } })).status, 200);
});

test('who posts is nobody that others meet, and what it holds ends with it', async (t) => {
  const { server, call, client } = await laboratory(t);
  const met = [];
  for (const name of ['client.joined', 'client.left', 'client.changed']) client.on(name, (params) => met.push([name, params]));
  await call('events.subscribe', {});
  const { reply } = await post(server, 'lab', [
    request(1, 'cloth.spawn', { columns: 3, rows: 3 }), request(2, 'grab.start', { object: 1, particle: 4 }), request(3, 'people.list'), request(4, 'world.get'),
  ]);
  assert.deepEqual(reply.map(({ error }) => error), [undefined, undefined, undefined, undefined]);
  assert.equal(reply[2].result.people.length, 1);
  assert.equal(reply[2].result.clients, 1);
  assert.equal(reply[3].result.counts.grabs, 1, 'it held something');
  await until(async () => (await call('world.get')).counts.grabs === 0, 'its hand to let go');
  assert.equal((await call('people.list')).people.length, 1);
  assert.equal((await call('world.list')).worlds[0].people.length, 1);
  assert.deepEqual(met, []);
  for (const method of ['frames.subscribe', 'events.subscribe', 'session.resume', 'world.undo', 'pointer.move', 'hand.raise', 'view.follow', 'world.freeze']) {
    const params = { 'session.resume': { session: 'key' }, 'world.freeze': { frozen: true } }[method] ?? {};
    const { error } = (await post(server, 'lab', request(1, method, params))).reply;
    assert.equal(error.code, STATE, method);
    assert.match(error.message, /WebSocket/);
  }
});

async function guarded(t, args = []) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-post-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'tokens');
  const tokens = {};
  for (const role of ['viewer', 'editor', 'admin']) {
    tokens[role] = (await run(WEFTCTL, ['token', 'make', role, `a ${role}`, '--tokens', file])).stdout.trim().split('\n').at(-1).trim();
  }
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file, ...args]);
  return { server, tokens, bearer: (role) => ({ headers: { Authorization: `Bearer ${tokens[role]}` } }) };
}

test('tokens and roles hold for posts, and a stranger is refused before its body is read', async (t) => {
  const { server, tokens, bearer } = await guarded(t);
  const spawn = request(1, 'cloth.spawn', { columns: 3, rows: 3 });
  for (const options of [{}, { headers: { Authorization: 'Bearer wrong' } }, { headers: { Authorization: `Basic ${tokens.admin}` } }]) {
    const refused = await post(server, 'lab', spawn, options);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
  }
  assert.equal((await post(server, 'lab', spawn, bearer('viewer'))).reply.error.code, DENIED);
  assert.ok((await post(server, 'lab', request(1, 'world.get'), bearer('viewer'))).reply.result);
  assert.ok((await post(server, 'lab', spawn, bearer('editor'))).reply.result);
  assert.equal((await post(server, 'lab', request(1, 'server.get'), bearer('editor'))).reply.error.code, DENIED);
  assert.ok((await post(server, 'lab', request(1, 'server.get'), bearer('admin'))).reply.result);
  const head = `POST /worlds/lab/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${10 * MIB}\r\n\r\n`;
  assert.equal((await exchange(t, server.port, head)).status, 401, 'with no byte of the body sent');
});

test('a page of another origin may not post, nor one that sends no JSON with a cookie', async (t) => {
  const { server, tokens } = await guarded(t);
  const own = `http://127.0.0.1:${server.port}`;
  const message = request(1, 'cloth.spawn', { columns: 3, rows: 3 });
  const knock = async (headers) => (await post(server, 'lab', message, { headers: { Cookie: `weft=${tokens.editor}`, ...headers } })).status;
  for (const origin of ['http://evil.example', 'null', `${own}.evil.example`, 'https://127.0.0.1:1']) assert.equal(await knock({ Origin: origin }), 403, origin);
  assert.equal(await knock({ Origin: own }), 200);
  assert.equal(await knock({ Origin: own, 'Content-Type': 'text/plain' }), 415);
  const foreign = await new Promise((resolve, reject) => {
    const options = { port: server.port, host: '127.0.0.1', path: '/worlds/lab/rpc', method: 'POST', headers: { ...JSON_TYPE, Host: 'evil.example', Authorization: `Bearer ${tokens.admin}` } };
    plainRequest(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject).end(JSON.stringify(message));
  });
  assert.equal(foreign, 403, 'a foreign name that leads here');
});

test('all posts of one token share a budget, and those of another have their own', async (t) => {
  const { server, bearer } = await guarded(t, ['--rate', '50']);
  const measure = async (role) => (await post(server, 'lab', request(1, 'world.measure'), bearer(role))).reply; // 20 units of 200
  const replies = [];
  for (let i = 0; i < 30; i++) replies.push(await measure('viewer'));
  const refused = replies.filter(({ error }) => error);
  assert.ok(refused.length >= 10, `${refused.length} of 30 were refused`);
  assert.ok(refused.every(({ error }) => error.code === RATE && error.data.retryAfterMs > 0));
  assert.ok((await measure('editor')).result, 'another token');
});

test('a long body is taken up to the limit, and refused beyond it', async (t) => {
  const { server } = await laboratory(t);
  const padded = (bytes) => `{"jsonrpc":"2.0","id":1,"method":"world.get"${' '.repeat(bytes - 45)}}`;
  assert.ok((await post(server, 'lab', padded(15 * MIB))).reply.result);
  const head = `POST /worlds/lab/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${17 * MIB}\r\n\r\n`;
  assert.equal((await exchange(t, server.port, head)).status, 413);
  assert.equal((await exchange(t, server.port, head.replace(/\/worlds\S+/, '/login').replace(`${17 * MIB}`, '5000'))).status, 413);
});

test('while a post waits the server goes on, and one that is given up ends', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--world', 'other=cloth']);
  const other = await server.connect('other');
  const lab = await server.connect('lab');
  await lab.call('cloth.spawn', { columns: 100, rows: 100 });
  const gone = new AbortController();
  const waiting = post(server, 'lab', request(1, 'world.step', { ticks: 1000000 }), { signal: gone.signal }).catch(({ name }) => name);
  await until(async () => (await lab.call('world.get')).tick > 0, 'the step to begin');
  await other.call('world.resume');
  await other.subscribeFrames({});
  const first = (await next(other, 'frame')).tick;
  await sleep(500);
  assert.ok((await next(other, 'frame')).tick > first + 10, 'the other world goes on');
  gone.abort();
  assert.equal(await waiting, 'AbortError');
  assert.ok((await lab.call('world.step', { ticks: 1 })).tick < 1000000, 'nobody waits for the rest');
  assert.ok((await post(server, 'lab', request(1, 'world.get'))).reply.result);
  assert.equal((await lab.call('client.list')).clients.length, 2, 'nobody stays behind');
});

test('many post at once, and each has its own reply', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)]);
  const ids = Array.from({ length: 200 }, (_, i) => `post ${i}`);
  const answers = await Promise.all(ids.map((id) => post(server, 'lab', request(id, id.endsWith('7') ? 'scene.list' : 'rope.spawn', id.endsWith('7') ? {} : { from: [0, 0, 0], to: [1, 0, 0], particles: 3 }))));
  assert.deepEqual(answers.map(({ reply }) => reply.id), ids);
  assert.ok(answers.every(({ reply }) => reply.result));
  const made = answers.map(({ reply }) => reply.result.object).filter(Boolean);
  assert.equal(new Set(made).size, 180);
  const watcher = await server.connect('lab');
  assert.equal((await watcher.call('object.list')).objects.length, 180);
  await until(async () => (await watcher.call('client.list')).clients.length === 1, 'all who posted to be gone');
});

test('more posts than there is room for are told to come again', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--max-clients', '3']);
  const client = await server.connect('lab');
  await client.call('cloth.spawn', { columns: 100, rows: 100 });
  const ends = [new AbortController(), new AbortController()];
  const waiting = ends.map(({ signal }) => post(server, 'lab', request(1, 'world.step', { ticks: 1000000 }), { signal }).catch(() => {}));
  await until(async () => (await client.call('client.list')).clients.length === 3, 'two to wait');
  const refused = await post(server, 'lab', request(1, 'world.get'));
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  for (const end of ends) end.abort();
  await Promise.all(waiting);
  await until(async () => (await post(server, 'lab', request(1, 'world.get'))).status === 200, 'room');
});

test('a server that ends answers what was posted', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)]);
  const answers = Array.from({ length: 20 }, (_, i) => post(server, 'lab', request(i, 'rope.spawn', { from: [0, 0, 0], to: [1, 0, 0] })));
  await answers[0];
  const ended = server.end();
  const done = await Promise.allSettled(answers);
  for (const { status, value } of done) assert.ok(status === 'rejected' || value.status === 503 || value.reply.result, JSON.stringify(value));
  assert.equal((await ended).code, 0);
});

test('the replies to one array have a limit together', async (t) => {
  const { server, call } = await laboratory(t);
  const positions = Array.from({ length: 600000 }, (_, i) => (i * 0.7310585786) % 1000);
  await call('particles.spawn', { positions });
  const reads = Array.from({ length: 12 }, (_, id) => request(id, 'particle.read', { object: 1 })); // about 7 MB each
  const answer = await post(server, 'lab', reads);
  assert.equal(answer.status, 500);
  assert.match(answer.text, /too long together/);
  const raw = await RawSocket.open(t, server.url('lab'));
  raw.send(reads);
  assert.equal((await raw.closed).code, 1009);
  assert.equal((await post(server, 'lab', [request(1, 'world.step', { ticks: 0 }), request(2, 'world.get')])).reply[1].id, 2);
  assert.deepEqual((await post(server, 'lab', JSON.stringify(Array(101).fill(request(1, 'world.get'))))).reply.error.code, LIMIT);
  assert.equal((await post(server, 'lab', '[[]]')).reply[0].error.code, REQUEST);
});

// SPDX-License-Identifier: MIT
// Access control: roles for every method of the schema, origins and tokens, changes of the token file while the server runs,
// invalid options at start-up, permitted host names, TLS.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { CheckedSocket } from '../support/contract.mjs';
import { ROOT, run, RawSocket, Weftd, WEFTCTL, WEFTD } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';

const DENIED = -32001;
const ROLES = ['none', 'viewer', 'editor', 'admin'];
const EMPTY = ['--world', 'lab=empty', '--paused'];

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'weft-access-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

async function makeToken(file, role, name = role) {
  const { status, stdout, stderr } = await run(WEFTCTL, ['token', 'make', role, name, '--tokens', file]);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** A server with a token for each role. */
async function guarded(t, args = []) {
  const file = join(await folder(t), 'tokens');
  const tokens = {};
  for (const role of ROLES.slice(1)) tokens[role] = await makeToken(file, role);
  const server = await Weftd.start(t, [...EMPTY, '--tokens', file, ...args]);
  return { server, file, tokens };
}

/** A script's connection with a role, after its hello. */
async function join_(t, { server, tokens }, role) {
  const raw = await RawSocket.open(t, server.url('lab'));
  raw.hello = (await raw.next()).params;
  if (role !== 'none') raw.granted = (await raw.ask('auth', 'session.authenticate', { token: tokens[role] })).result;
  return raw;
}

const schema = JSON.parse(await readFile(join(ROOT, 'proto/weft.openrpc.json'), 'utf8'));
const examples = JSON.parse(await readFile(join(ROOT, 'proto/examples.json'), 'utf8'));

// ---- role × method ---------------------------------------------------------------------------------------------------

test('every method has a least role, one of the four', () => {
  for (const method of schema.methods) assert.ok(ROLES.includes(method['x-role']), method.name);
  const change = schema.methods.filter((method) => method['x-kind'] === 'change');
  for (const method of change) assert.ok(ROLES.indexOf(method['x-role']) >= ROLES.indexOf('editor'), `${method.name} changes the world`);
});

/** A refusal is immediate; a request that waits for a tick which never comes was permitted. */
async function answerOrNone(raw, method, params) {
  raw.send({ jsonrpc: '2.0', id: 7, method, params });
  for (;;) {
    const message = await raw.next(method === 'batch.run' || method === 'world.step' ? 1000 : 5000);
    if (message === undefined || message.id === 7) return message ?? {};
  }
}

for (const role of ROLES) {
  test(`each method as ${role}: refused with -32001 exactly where the schema says so`, async (t) => {
    const setting = await guarded(t);
    for (const method of schema.methods) {
      const raw = await join_(t, setting, role); // one connection per method, because some methods close it
      const allowed = ROLES.indexOf(role) >= ROLES.indexOf(method['x-role']);
      const { error } = await answerOrNone(raw, method.name, examples[method.name].params);
      if (allowed) {
        const wrongToken = method.name === 'session.authenticate' && error?.code === DENIED && /no valid token/.test(error.message);
        assert.ok(error?.code !== DENIED || wrongToken, `${method.name}: ${error?.message}`);
      } else {
        assert.equal(error?.code, DENIED, `${method.name} as ${role}: ${JSON.stringify(error)}`);
        assert.match(error.message, new RegExp(`\\b${method['x-role']}\\b.*\\b${role}\\b`), 'names the role it takes and the one held');
      }
      raw.socket.terminate();
    }
  });
}

test('a batch is refused for the role of its highest command, whole', async (t) => {
  const setting = await guarded(t);
  const viewer = await join_(t, setting, 'viewer');
  const editor = await join_(t, setting, 'editor');
  const before = (await editor.ask(1, 'world.get')).result.stateHash;
  const batch = { commands: [{ method: 'rope.spawn', params: { from: [0, 2, 0], to: [1, 2, 0] } }] };
  assert.equal((await viewer.ask(1, 'batch.run', batch)).error.code, DENIED);
  assert.equal((await viewer.ask(2, 'batch.run', { ...batch, atTick: 50 })).error.code, DENIED);
  viewer.send({ jsonrpc: '2.0', method: 'rope.spawn', params: batch.commands[0].params }); // a notification has no reply, and here no effect
  assert.equal((await viewer.ask(3, 'world.get')).result.stateHash, before);
  assert.ok((await editor.ask(2, 'batch.run', batch)).result);
});

// ---- tokens ----------------------------------------------------------------------------------------------------------

test('a script says who it is in its first request, and is told', async (t) => {
  const setting = await guarded(t);
  for (const role of ROLES.slice(1)) {
    const raw = await join_(t, setting, role);
    assert.equal(raw.hello.role, 'none');
    assert.deepEqual(raw.granted, { role, name: role });
  }
  const client = await setting.server.connect('lab', { token: setting.tokens.editor });
  assert.equal(client.hello.role, 'editor');
  assert.ok((await client.call('world.get')).stateHash);
  await assert.rejects(setting.server.connect('lab', { token: 'weft_wrong' }), /no valid token/);
});

test('wrong tokens are refused, and after five of them the connection is closed with 1008', async (t) => {
  const setting = await guarded(t);
  const raw = await join_(t, setting, 'none');
  for (let turn = 0; turn < 5; turn++) {
    const wrong = ['', 'x', setting.tokens.admin.slice(0, -1), `${setting.tokens.admin}A`, setting.tokens.admin.toLowerCase()][turn];
    raw.send({ jsonrpc: '2.0', id: turn, method: 'session.authenticate', params: { token: wrong } });
    const { error } = await raw.answer(turn);
    assert.ok([DENIED, -32602].includes(error.code), error.message);
    assert.ok(!error.message.includes(setting.tokens.admin.slice(5, 20)), 'a token is not repeated');
  }
  raw.send({ jsonrpc: '2.0', id: 9, method: 'session.authenticate', params: { token: 'weft_again' } });
  assert.equal((await raw.closed).code, 1008);
});

test('who shows no token in time is closed with 1008', async (t) => {
  const setting = await guarded(t);
  const raw = await join_(t, setting, 'none');
  const start = performance.now();
  const { code } = await raw.closed;
  assert.equal(code, 1008);
  assert.ok(performance.now() - start < 15000);
});

test('a token in the address counts for nothing', async (t) => {
  const { server, tokens } = await guarded(t);
  const raw = await RawSocket.open(t, `${server.url('lab')}?token=${tokens.admin}&access_token=${tokens.admin}`);
  assert.equal((await raw.next()).params.role, 'none');
  assert.equal((await fetch(server.http(`/metrics?token=${tokens.admin}`))).status, 401);
});

test('a revoked token is out within a second, on every connection of it, and nobody else is', async (t) => {
  const setting = await guarded(t);
  const second = await makeToken(setting.file, 'editor', 'another');
  await until(async () => (await join_(t, { ...setting, tokens: { second } }, 'second')).granted, 'the second token to be known', 3000);
  const stays = await join_(t, { ...setting, tokens: { second } }, 'second');
  const gone = [await join_(t, setting, 'editor'), await join_(t, setting, 'editor')];
  const withHeader = new CheckedSocket(setting.server.url('lab'), ['weft.v1'], { headers: { Authorization: `Bearer ${setting.tokens.editor}` } });
  t.after(() => withHeader.terminate());
  await once(withHeader, 'open');
  const listed = await run(WEFTCTL, ['token', 'list', '--tokens', setting.file]);
  const id = /^(\S+) +editor .* {2}editor$/m.exec(listed.stdout)[1];
  const start = performance.now();
  assert.equal((await run(WEFTCTL, ['token', 'revoke', id, '--tokens', setting.file])).status, 0);
  const revoked = performance.now();
  const codes = await Promise.all([...gone.map(async (raw) => (await raw.closed).code), once(withHeader, 'close').then(([code]) => code)]);
  t.diagnostic(`closed ${(performance.now() - revoked).toFixed(0)} ms after the command, which took ${(revoked - start).toFixed(0)} ms`);
  assert.deepEqual(codes, [1008, 1008, 1008]);
  assert.ok(performance.now() - revoked < 1000, `${performance.now() - revoked} ms`);
  assert.ok((await stays.ask(1, 'world.get')).result);
  const again = await join_(t, setting, 'none');
  assert.equal((await again.ask(1, 'session.authenticate', { token: setting.tokens.editor })).error.code, DENIED);
});

test('what was planned with a token that is revoked since is not done; what others planned is', async (t) => {
  const setting = await guarded(t);
  const { server, file } = setting;
  const [editor, admin] = [await join_(t, setting, 'editor'), await join_(t, setting, 'admin')];
  const plan = (name) => ({ commands: [{ method: 'body.spawn', params: { name } }], atTick: 5 });
  editor.send({ jsonrpc: '2.0', id: 1, method: 'batch.run', params: plan('of the editor') });
  admin.send({ jsonrpc: '2.0', id: 1, method: 'batch.run', params: plan('of the administrator') });
  await editor.ask(2, 'world.get');
  const { stdout } = await run(WEFTCTL, ['token', 'list', '--tokens', file]);
  await run(WEFTCTL, ['token', 'revoke', /^(\w+) {2}editor/m.exec(stdout)[1], '--tokens', file]);
  assert.equal((await editor.closed).code, 1008);
  await admin.ask(3, 'world.step', { ticks: 10 });
  assert.deepEqual((await admin.ask(4, 'object.list')).result.objects.map(({ name }) => name), ['of the administrator']);
  assert.equal(server.exit, undefined);
});

test('a file that goes wrong keeps the tokens valid; one that is gone revokes them all', async (t) => {
  const setting = await guarded(t);
  const raw = await join_(t, setting, 'viewer');
  const good = await readFile(setting.file, 'utf8');
  await writeFile(setting.file, `${good}nonsense\n`);
  await until(() => /line \d+ must be/.test(setting.server.stderr), 'the complaint');
  assert.ok((await raw.ask(1, 'world.get')).result);
  await rm(setting.file);
  assert.equal((await raw.closed).code, 1008);
});

test('the file holds hashes only, is nobody else\'s to read, and weftctl says what it does with it', async (t) => {
  const path = await folder(t);
  const file = join(path, 'tokens');
  const token = await makeToken(file, 'viewer', 'class 3b');
  assert.match(token, /^weft_[A-Za-z0-9_-]{43}$/);
  assert.ok(!(await readFile(file, 'utf8')).includes(token.slice(5)));
  assert.equal((await stat(file)).mode & 0o077, 0);
  const many = await Promise.all(Array.from({ length: 20 }, (_, i) => makeToken(file, 'editor', `n${i}`)));
  assert.equal(new Set(many).size, 20);
  assert.equal((await run(WEFTCTL, ['token', 'list', '--tokens', file])).stdout.trim().split('\n').length, 21, 'none was lost');
  assert.deepEqual((await readdir(path)).filter((name) => name.endsWith('.new')), []);
  for (const args of [['make'], ['make', 'king'], ['make', 'viewer', 'a', 'b'], ['list', 'x'], ['revoke'], ['break'], []]) {
    const { status, stderr } = await run(WEFTCTL, ['token', ...args, '--tokens', file]);
    assert.equal(status, 2, args.join(' '));
    assert.ok(stderr.length > 10);
  }
  assert.equal((await run(WEFTCTL, ['token', 'revoke', 'ffffffff', '--tokens', file])).status, 1);
  assert.equal((await run(WEFTCTL, ['token', 'make', 'viewer', 'a\nb', '--tokens', file])).status, 1);
  assert.equal((await run(WEFTCTL, ['token', 'list'])).status, 2);
});

// ---- origin × token --------------------------------------------------------------------------------------------------

/** The role in the hello, or the HTTP status of the refusal. */
async function knock(t, url, headers, options = {}) {
  const socket = new CheckedSocket(url, ['weft.v1'], { headers, ...options });
  t.after(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('message', (text) => resolve(JSON.parse(text).params.role));
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
    socket.once('error', reject);
  });
}

test('origin by token', async (t) => {
  const setting = await guarded(t);
  const { server, tokens } = setting;
  const own = `http://127.0.0.1:${server.port}`;
  const credentials = {
    nothing: {}, 'a cookie': { Cookie: `a=b; weft=${tokens.editor}; c=d` }, 'a wrong cookie': { Cookie: 'weft=weft_wrong' },
    'a cookie of another name': { Cookie: `xweft=${tokens.editor}` }, 'a bearer': { Authorization: `Bearer ${tokens.admin}` }, 'a wrong bearer': { Authorization: 'Bearer weft_wrong' },
  };
  const origins = {
    none: [undefined, ['none', 'editor', 'none', 'none', 'admin', 401]],
    own: [own, ['none', 'editor', 'none', 'none', 'admin', 401]],
    foreign: ['http://evil.example', [403, 403, 403, 403, 403, 403]],
    null: ['null', [403, 403, 403, 403, 403, 403]],
    'another port': ['http://127.0.0.1:1', [403, 403, 403, 403, 403, 403]],
    'own with a tail': [`${own}.evil.example`, [403, 403, 403, 403, 403, 403]],
    'own with a path': [`${own}/`, [403, 403, 403, 403, 403, 403]],
    file: ['file://', [403, 403, 403, 403, 403, 403]],
  };
  for (const [origin, [value, wanted]] of Object.entries(origins)) {
    for (const [index, [what, headers]] of Object.entries(credentials).entries()) {
      assert.equal(await knock(t, server.url('lab'), { ...headers, ...(value && { Origin: value }) }), wanted[index], `origin ${origin}, ${what}`);
    }
  }
});

test('guests are what --guests says, if a page of an allowed origin shows them; a script has to show a token', async (t) => {
  const { server } = await guarded(t, ['--guests', 'viewer', '--origin', 'https://weft.example', '--origin', 'http://localhost:3000,http://[::1]:3000']);
  for (const origin of ['https://weft.example', 'http://localhost:3000', 'http://[::1]:3000']) {
    assert.equal(await knock(t, server.url('lab'), { Origin: origin }), 'viewer', origin);
    assert.equal(await knock(t, server.url('lab'), { Origin: origin, Host: 'weft.example' }), 'viewer', 'by the name of an origin');
  }
  assert.equal(await knock(t, server.url('lab'), {}), 'none');
  for (const origin of [`http://127.0.0.1:${server.port}`, 'http://weft.example', 'https://weft.example:8443', 'https://WEFT.example', 'https://sub.weft.example', 'https://weft.example.evil']) {
    assert.equal(await knock(t, server.url('lab'), { Origin: origin }), 403, origin);
  }
});

test('without tokens everyone of this machine is an administrator, and no page of another origin is', async (t) => {
  const server = await Weftd.start(t, EMPTY);
  assert.equal(await knock(t, server.url('lab'), {}), 'admin');
  assert.equal(await knock(t, server.url('lab'), { Origin: `http://127.0.0.1:${server.port}` }), 'admin');
  assert.equal(await knock(t, server.url('lab'), { Origin: 'http://evil.example' }), 403);
  assert.equal(await knock(t, server.url('lab'), { 'X-Forwarded-For': '203.0.113.5' }), 'editor', 'somebody else by a proxy');
  const raw = await RawSocket.open(t, server.url('lab'));
  assert.equal((await raw.ask(1, 'session.authenticate', { token: 'weft_any' })).error.code, DENIED);
});

test('a foreign name that leads here is refused, for pages and for WebSockets', async (t) => {
  const server = await Weftd.start(t, [...EMPTY, '--allow-host', 'weft.test']);
  const get = (host) => new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port: server.port, path: '/', headers: { Host: host } }, (answer) => (answer.resume(), resolve(answer.statusCode))).on('error', reject).end();
  });
  for (const host of ['127.0.0.1', `127.0.0.1:${server.port}`, 'localhost', 'LocalHost:80', '[::1]', '[::1]:8080', 'weft.test', 'weft.test:8080']) {
    assert.equal(await get(host), 200, host);
    assert.equal(await knock(t, server.url('lab'), { Host: host, Origin: `http://${host}` }), 'admin', host);
  }
  for (const host of ['evil.example', `evil.example:${server.port}`, 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', '[::2]', 'localhost:x', 'local host', '127.0.0.1@evil.example', 'localhost.']) {
    assert.ok([400, 403].includes(await get(host)), host);
    assert.ok([400, 403].includes(await knock(t, server.url('lab'), { Host: host, Origin: `http://${host}` })), host);
  }
});

test('however many names it is given, it still knows its own; a list on the command line replaces the variable\'s', async (t) => {
  const names = Array.from({ length: 32 }, (_, at) => `name-${at}.example`);
  const origins = Array.from({ length: 16 }, (_, at) => `https://page-${at}.example`);
  const args = [...EMPTY, '--allow-host', names.join(','), '--origin', origins.join(',')];
  const env = { WEFT_ORIGIN: 'https://old.example', WEFT_ALLOW_HOST: 'old.example', WEFT_FRAME_ANCESTORS: 'self' };
  const server = await Weftd.start(t, [...args, '--frame-ancestors', 'none'], { env });
  for (const Host of ['127.0.0.1', 'localhost', names[31], 'page-15.example']) assert.equal(await knock(t, server.url('lab'), { Host, Origin: origins[15] }), 'admin', Host);
  assert.equal(await knock(t, server.url('lab'), { Host: 'old.example' }), 403);
  assert.equal(await knock(t, server.url('lab'), { Origin: 'https://old.example' }), 403);
  assert.equal((await fetch(server.http('/'))).headers.get('x-frame-options'), 'DENY');
});

// ---- the page --------------------------------------------------------------------------------------------------------

const post = (server, path, body, headers = {}) => fetch(server.http(path), { method: 'POST', body, headers: { Origin: server.http('').replace(/\/$/, ''), ...headers } });

test('after five wrong tokens an address waits before the next login is looked at, others do not', async (t) => {
  const { server, tokens } = await guarded(t);
  const statuses = [];
  let refused;
  for (let attempt = 0; attempt < 12; attempt++) {
    const answer = await post(server, '/login', `weft_${attempt}`);
    statuses.push(answer.status);
    if (answer.status === 429) refused = answer;
  }
  assert.deepEqual(statuses, [...Array(5).fill(403), ...Array(7).fill(429)]);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.match(await refused.text(), /Too many wrong tokens/);
  assert.equal((await post(server, '/login', tokens.editor)).status, 429, 'the right one has to wait as well');
  const other = await new Promise((resolve, reject) => httpRequest({ host: '127.0.0.1', port: server.port, localAddress: '127.0.0.2', path: '/login', method: 'POST', headers: { Origin: server.http('') } }, (got) => (got.resume(), resolve(got.statusCode))).on('error', reject).end(tokens.editor));
  assert.equal(other, 204, 'another address logs in');
  await sleep(1000 * Number(refused.headers.get('retry-after')) + 200);
  assert.equal((await post(server, '/login', tokens.editor)).status, 204);
});

test('the page\'s login sets a cookie that no script reads and no other site sends', async (t) => {
  const { server, tokens } = await guarded(t);
  const answer = await post(server, '/login', `${tokens.editor}\n`);
  assert.equal(answer.status, 204);
  const cookie = answer.headers.get('set-cookie');
  assert.match(cookie, /; HttpOnly(;|$)/);
  assert.match(cookie, /; SameSite=Strict(;|$)/);
  assert.match(cookie, /; Path=\/(;|$)/);
  assert.doesNotMatch(cookie, /Secure/);
  assert.equal(await knock(t, server.url('lab'), { Cookie: cookie.split(';')[0], Origin: `http://127.0.0.1:${server.port}` }), 'editor');
  for (const [body, headers] of [['weft_wrong', {}], ['', {}], ['x'.repeat(4000), {}], [tokens.editor, { Origin: 'http://evil.example' }]]) {
    const refused = await post(server, '/login', body, headers);
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('set-cookie'), null);
  }
  const unknown = await new Promise((resolve, reject) => { // fetch would add its own origin
    httpRequest({ host: '127.0.0.1', port: server.port, path: '/login', method: 'POST', headers: { 'Content-Length': tokens.editor.length } }, (got) => (got.resume(), resolve(got.statusCode))).on('error', reject).end(tokens.editor);
  });
  assert.equal(unknown, 403, 'not without an origin');
  assert.match((await post(server, '/logout', '')).headers.get('set-cookie'), /^weft=; .*Max-Age=0/);
  const secure = await guarded(t, ['--origin', 'https://weft.example']);
  assert.match((await post(secure.server, '/login', secure.tokens.viewer, { Origin: 'https://weft.example' })).headers.get('set-cookie'), /^__Host-weft=.*; Secure/);
});

test('what is in the worlds is for viewers; health, schema and page are for everyone', async (t) => {
  const { server, tokens } = await guarded(t);
  for (const path of ['/', '/healthz', '/livez', '/readyz', '/openrpc.json', '/viewer/ui/login.js']) assert.equal((await fetch(server.http(path))).status, 200, path);
  const health = async (token) => (await fetch(server.http('/healthz'), { headers: token ? { Authorization: `Bearer ${token}` } : {} })).json();
  for (const token of [undefined, 'weft_no']) {
    const { status, worlds, worldCount } = await health(token);
    assert.deepEqual([status, worlds, worldCount], ['ok', [], 1], 'a stranger hears that all is well, and no names');
  }
  assert.deepEqual((await health(tokens.viewer)).worlds.map(({ name }) => name), ['lab']);
  const refused = await fetch(server.http('/metrics'));
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer']);
  assert.equal((await fetch(server.http('/metrics'), { headers: { Authorization: `Bearer ${tokens.viewer}` } })).status, 200);
  assert.equal((await fetch(server.http('/metrics'), { headers: { Authorization: 'Bearer weft_wrong' } })).status, 401);
  assert.equal((await fetch(server.http('/addresses.json'))).status, 401, 'where the server is in its network');
  const known = await (await fetch(server.http('/addresses.json'), { headers: { Authorization: `Bearer ${tokens.viewer}` } })).json();
  assert.deepEqual(known, { everywhere: false, contained: known.contained, urls: [] });
});

test('strangers hear that nothing can be stored, viewers also where', async (t) => {
  const data = join(await folder(t), 'data');
  const { server, tokens } = await guarded(t, ['--data', data]);
  await rm(data, { recursive: true });
  const get = (path, token) => fetch(server.http(path), { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  await until(async () => (await get('/readyz')).status === 503, 'the loss to be noticed');
  assert.deepEqual((await (await get('/readyz')).json()).reasons, ['nothing can be stored']);
  assert.equal((await (await get('/healthz')).json()).store.reason, 'nothing can be stored');
  assert.match((await (await get('/readyz', tokens.viewer)).json()).reasons[0], /weft\.db was deleted/);
  assert.match((await (await get('/healthz', tokens.viewer)).json()).store.reason, /weft\.db was deleted/);
  assert.equal((await get('/livez')).status, 200);
});

test('a world\'s past is given as a file to those who may export it', async (t) => {
  const { server, tokens } = await guarded(t, ['--guests', 'viewer']);
  const get = async (headers) => (await fetch(server.http('/worlds/lab/capsule'), { headers })).status;
  assert.equal(await get({}), 401);
  assert.equal(await get({ Origin: server.http('').replace(/\/$/, '') }), 403, 'a guest');
  const wanted = schema.methods.find(({ name }) => name === 'world.export')['x-role'];
  for (const role of ROLES.slice(1)) {
    assert.equal(await get({ Authorization: `Bearer ${tokens[role]}` }), ROLES.indexOf(role) >= ROLES.indexOf(wanted) ? 200 : 403, role);
  }
});

test('a moment of a world is given to those who may see it', async (t) => {
  const { server, tokens } = await guarded(t, ['--guests', 'viewer']);
  const get = async (headers) => (await fetch(server.http('/worlds/lab/moments/1-0-60'), { headers })).status;
  assert.equal(await get({}), 401);
  assert.notEqual(await get({ Origin: server.http('').replace(/\/$/, '') }), 403, 'a guest');
  for (const role of ROLES.slice(1)) assert.notEqual(await get({ Authorization: `Bearer ${tokens[role]}` }), 403, role);
});

test('every answer carries the security headers, and the page runs its own scripts only', async (t) => {
  const { server } = await guarded(t);
  for (const path of ['/', '/client/client.js', '/healthz', '/metrics', '/no/such/thing', '/login']) {
    const { headers } = await fetch(server.http(path));
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    const policy = Object.fromEntries(headers.get('content-security-policy').split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]));
    assert.deepEqual(policy['default-src'], ["'self'"]);
    assert.ok(!JSON.stringify(policy).includes('unsafe-inline') && !policy['script-src'].includes("'unsafe-eval'"));
    assert.deepEqual([policy['object-src'], policy['base-uri'], policy['frame-ancestors']], [["'none'"], ["'none'"], ["'none'"]]);
    assert.equal(policy['script-src'].filter((source) => source.startsWith("'sha256-")).length, path === '/' ? 1 : 0);
  }
  const page = await fetch(server.http('/'));
  const again = await fetch(server.http('/'), { headers: { 'If-None-Match': page.headers.get('etag') } });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get('content-security-policy'), page.headers.get('content-security-policy'), 'a browser takes this one with the page it has');
});

test('a page is isolated from those that open it where browsers can do that, and elsewhere the header is left out, which they complain of', async (t) => {
  const server = await Weftd.start(t, [...EMPTY, '--host', '0.0.0.0', '--insecure-public', '--allow-host', 'localhost.evil.example']);
  const openerPolicy = (path, headers) => new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port: server.port, path, headers }, (answer) => (answer.resume(), resolve(answer.headers['cross-origin-opener-policy']))).on('error', reject).end();
  });
  for (const path of ['/', '/client/client.js', '/healthz', '/no/such/thing', '/reference.html']) {
    for (const Host of ['127.0.0.1', `127.0.0.1:${server.port}`, '127.1.2.3:80', 'localhost', 'LOCALHOST:8080', '[::1]:8080']) {
      assert.equal(await openerPolicy(path, { Host }), 'same-origin', `${path} of ${Host}`);
    }
    for (const Host of ['192.168.1.20:8080', '10.0.0.1', '[fe80::1]:8080', '1.2.3.127', 'localhost.evil.example']) {
      assert.equal(await openerPolicy(path, { Host }), undefined, `${path} of ${Host}`);
      assert.equal(await openerPolicy(path, { Host, 'X-Forwarded-Proto': 'https' }), 'same-origin', 'a proxy in front speaks TLS');
    }
  }
});

// ---- start-up and TLS ------------------------------------------------------------------------------------------------

/** A self-signed certificate for 127.0.0.1 and localhost. */
async function certify(t) {
  const path = await folder(t);
  const [key, cert] = [join(path, 'key.pem'), join(path, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], { stdio: 'ignore' });
  return { key, cert, ca: await readFile(cert) };
}

test('a public address without tokens or without TLS is refused at start-up unless that is said', async (t) => {
  const file = join(await folder(t), 'tokens');
  await makeToken(file, 'viewer');
  const { key, cert } = await certify(t);
  for (const [args, words] of [
    [['--host', '0.0.0.0'], /tokens/], [['--host', '::'], /tokens/], [['--host', '0.0.0.0', '--tokens', file], /TLS/],
    [['--host', '0.0.0.0', '--tls-cert', cert, '--tls-key', key], /tokens/],
  ]) {
    const { status, stdout, stderr } = await run(WEFTD, ['--port', '0', ...EMPTY, ...args]);
    assert.deepEqual([status, stdout], [2, ''], stderr);
    assert.match(stderr, words);
    assert.match(stderr, /--insecure-public/);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
  await Weftd.start(t, [...EMPTY, '--host', '0.0.0.0', '--insecure-public']);
  await Weftd.start(t, [...EMPTY, '--host', '127.0.0.2']);
});

test('files that are none and options that contradict each other are named', async (t) => {
  const path = await folder(t);
  const { key, cert } = await certify(t);
  const other = await certify(t);
  await writeFile(join(path, 'bad'), 'nonsense here\n');
  for (const [args, words] of [
    [['--tokens', join(path, 'none')], /none/], [['--tokens', join(path, 'bad')], /line 1/], [['--tls-cert', cert], /--tls-key/],
    [['--tls-cert', join(path, 'none'), '--tls-key', key], /--tls-cert.*No such file/], [['--tls-cert', join(path, 'bad'), '--tls-key', key], /--tls-cert/],
    [['--tls-cert', cert, '--tls-key', other.key], /--tls-key/], [['--origin', 'weft.example'], /--origin/], [['--origin', 'https://weft.example/'], /--origin/],
    [['--origin', 'https://weft.example:443'], /port 443/], [['--origin', 'http://weft.example:80'], /port 443 of https or 80/], [['--origin', 'http://[::1'], /--origin/],
    [['--origin', 'http://weft.example:0'], /--origin/], [['--origin', 'http://a:b'], /--origin/], [['--origin', 'https://:8443'], /--origin/], [['--origin', 'http://a:65536'], /--origin/],
    [['--origin', '*'], /--origin/], [['--guests', 'king'], /--guests/], [['--allow-host', 'a b'], /--allow-host/], [['--max-per-address', '-1'], /--max-per-address/],
  ]) {
    const { status, stderr } = await run(WEFTD, ['--port', '0', ...EMPTY, ...args]);
    assert.equal(status, 2, `${args}: ${stderr}`);
    assert.match(stderr, words);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('over TLS: HTTP/1.1 only, secure cookies, the same rules, and old versions of TLS are refused', async (t) => {
  const { key, cert, ca } = await certify(t);
  const setting = await guarded(t, ['--tls-cert', cert, '--tls-key', key]);
  const { port } = setting.server;
  assert.match(setting.server.out.text, new RegExp(`open https://127\\.0\\.0\\.1:${port}/`));
  const url = `wss://127.0.0.1:${port}/worlds/lab`;
  const raw = new CheckedSocket(url, ['weft.v1'], { ca, headers: { Authorization: `Bearer ${setting.tokens.editor}` } });
  t.after(() => raw.terminate());
  const messages = [];
  raw.on('message', (text, binary) => messages.push(binary ? text : JSON.parse(text)));
  await until(() => messages.length > 0, 'the hello');
  assert.equal(messages[0].params.role, 'editor');
  raw.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cloth.spawn', params: { columns: 100, rows: 100 } }));
  raw.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'particle.read', params: { object: 1 } }));
  raw.send(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'mesh.spawn', params: { positions: Array.from({ length: 30000 }, (_, i) => i / 3000), triangles: [0, 1, 2] } }));
  await until(() => [2, 3].every((asked) => messages.some(({ id }) => id === asked)), 'the answers'); // in any order
  assert.ok(messages.find(({ id }) => id === 2).result.positions.length > 0);
  assert.equal(await knock(t, url, { Origin: `http://127.0.0.1:${port}` }, { ca }), 403, 'a page without TLS');
  assert.equal(await knock(t, url, { Origin: `https://127.0.0.1:${port}` }, { ca }), 'none');

  const agent = new Agent({ ca, keepAlive: true });
  t.after(() => agent.destroy());
  const ask = (method, path, body, headers = {}) => new Promise((resolve, reject) => {
    httpsRequest({ host: '127.0.0.1', port, path, method, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => (text += piece)).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    }).on('error', reject).end(body);
  });
  const page = await ask('GET', '/');
  assert.equal(page.status, 200);
  assert.match(page.headers['strict-transport-security'], /max-age=\d+/);
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(page.headers['content-security-policy'], new RegExp(`connect-src 'self' wss://127\\.0\\.0\\.1:${port};`));
  assert.equal((await ask('GET', '/client/client.js')).status, 200);
  const login = await ask('POST', '/login', setting.tokens.viewer, { Origin: `https://127.0.0.1:${port}` });
  assert.match(login.headers['set-cookie'][0], /^__Host-weft=weft_.*; HttpOnly; SameSite=None; Secure; Partitioned$/);
  const logout = await ask('POST', '/logout', '', { Origin: `https://127.0.0.1:${port}` });
  assert.equal(logout.headers['set-cookie'].length, 2, 'also the cookie without a partition, which older versions set');
  for (const cookie of logout.headers['set-cookie']) assert.match(cookie, /^__Host-weft=; Path=\/; Max-Age=0; HttpOnly; .*Secure/);

  // Any site can make a browser send this cookie, so the server accepts it only if the request proves that it comes from
  // Weft's own page.
  const cookie = `__Host-weft=weft_wrong; __Host-weft=${setting.tokens.admin}`;
  const own = `https://127.0.0.1:${port}`;
  for (const [headers, status, role] of [
    [{}, 401, 'none'], [{ 'Sec-Fetch-Site': 'cross-site' }, 401, 'none'], [{ 'Sec-Fetch-Site': 'same-site' }, 401, 'none'], [{ 'Sec-Fetch-Site': 'same-origin' }, 200, 'admin'],
    [{ 'Sec-Fetch-Site': 'none' }, 200, 'admin'], [{ Origin: own }, 200, 'admin'], [{ Origin: 'https://evil.example' }, 403, 403], [{ Origin: 'null' }, 403, 403],
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }, 403, 403],
  ]) {
    const what = JSON.stringify(headers);
    for (const path of ['/worlds/lab/capsule', '/metrics']) assert.equal((await ask('GET', path, undefined, { Cookie: cookie, ...headers })).status, status, `${path} ${what}`);
    assert.equal(await knock(t, url, { Cookie: cookie, ...headers }, { ca }), role, `WebSocket ${what}`);
  }
  const post = (headers) => ask('POST', '/worlds/lab/rpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'world.pause', params: {} }), { 'Content-Type': 'application/json', Cookie: cookie, ...headers });
  for (const [headers, status] of [[{}, 401], [{ 'Sec-Fetch-Site': 'cross-site' }, 401], [{ Origin: 'https://evil.example' }, 403], [{ Origin: 'null' }, 403], [{ Origin: own }, 200]]) {
    const { status: found, text } = await post(headers);
    assert.equal(found, status, `POST with ${JSON.stringify(headers)}: ${text}`);
  }
  for (const path of ['/login', '/logout']) {
    for (const headers of [{}, { Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'same-origin' }]) {
      assert.equal((await ask('POST', path, setting.tokens.viewer, { Cookie: cookie, ...headers })).status, 403, `${path} ${JSON.stringify(headers)}`);
    }
  }

  const alpn = (ALPNProtocols, options = {}) => new Promise((resolve) => {
    const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols, ...options }, () => (resolve(socket.alpnProtocol), socket.destroy()));
    socket.on('error', (error) => resolve(error.code));
  });
  assert.equal(await alpn(['h2', 'http/1.1']), 'http/1.1');
  assert.notEqual(await alpn(['h2']), 'h2');
  assert.match(String(await alpn(undefined, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' })), /ERR_SSL|ECONNRESET/);
  const tls = connectTls({ port, host: '127.0.0.1', ca }, () => tls.write('GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n'));
  t.after(() => tls.destroy());
  let text = '';
  tls.setEncoding('latin1').on('data', (piece) => (text += piece)).on('error', () => {});
  await until(() => /^HTTP\/1\.1 400 /.test(text), 'bare line feeds are refused here as well');

  const unmasked = connectTls({ port, host: '127.0.0.1', ca });
  t.after(() => unmasked.destroy());
  let bytes = Buffer.alloc(0);
  unmasked.on('data', (piece) => (bytes = Buffer.concat([bytes, piece]))).on('error', () => {});
  unmasked.write(`GET /worlds/lab HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  await until(() => bytes.includes('"hello"'), 'the hello');
  bytes = Buffer.alloc(0);
  unmasked.write(Buffer.from([0x81, 2, 0x7b, 0x7d]));
  await until(() => bytes.includes(Buffer.from([0x03, 0xea])), 'the close frame with 1002');
  await sleep(0);
  const { status, stdout, stderr } = await run(WEFTCTL, ['--url', `wss://localhost:${port}/worlds/lab`, 'call', 'world.get'], { env: { WEFT_TOKEN: setting.tokens.viewer, SSL_CERT_FILE: cert } });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /stateHash/);
});

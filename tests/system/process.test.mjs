// SPDX-License-Identifier: MIT
// weftd as a program: options, variables, error messages at start-up, shutdown.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { sleep } from '../support/wait.mjs';
import { FOLDERS, run, RawSocket, Weftd, WEFTD } from '../support/weftd.mjs';

test('--help lists every option with its variable, --version the version', async () => {
  const help = await run(WEFTD, ['--help']);
  assert.equal(help.status, 0);
  for (const word of ['--host', '--port', '--world', '--tick-hz', '--web', '--scenes', '--paused', '--log-level', '--help', '--version', 'WEFT_PORT', 'WEFT_WORLD']) {
    assert.ok(help.stdout.includes(word), word);
  }
  assert.equal(help.stderr, '');
  const version = await run(WEFTD, ['--version']);
  assert.deepEqual([version.status, version.stderr], [0, '']);
  assert.match(version.stdout, /\d+\.\d+\.\d+/);
});

for (const [what, args, env, named] of [
  ['a port that is no number', ['--port', 'http'], {}, /--port.*http/],
  ['a port out of range', ['--port', '65536'], {}, /--port.*65536/],
  ['a bad port in the environment', [], { WEFT_PORT: '-1' }, /WEFT_PORT.*-1/],
  ['a tick rate of zero', ['--tick-hz', '0'], {}, /--tick-hz.*0/],
  ['a folder that is not there', ['--web', '/no/such/folder'], {}, /\/no\/such\/folder.*--web/],
  ['no folder of scenes', ['--scenes', '/no/such/folder'], {}, /\/no\/such\/folder.*--scenes/],
  ['a file where a folder is asked for', ['--web', WEFTD], {}, /weftd".*Not a directory.*--web/],
  ['a file where the data are to be', ['--port', '0', '--data', WEFTD], {}, /--data .*weftd.*Not a directory/],
  ['more worlds than are allowed', ['--port', '0', '--log-level', 'error', '--max-worlds', '1', '--world', 'a=empty', '--world', 'b=empty'], {}, /--max-worlds/],
  ['an unknown option', ['--prot', '1'], {}, /--prot/],
  ['a word that is no option', ['start'], {}, /start/],
  ['an option without its value', ['--port'], {}, /--port/],
  ['a world named twice', ['--world', 'a', '--world', 'a'], {}, /twice/],
  ['a world with a bad name', ['--world', 'a/b'], {}, /a\/b/],
  ['a scene that is not there', ['--port', '0', '--world', 'a=nosuchscene'], {}, /nosuchscene/],
  ['a log level that is none', ['--log-level', 'loud'], {}, /loud/],
  ['a host that is none', ['--port', '0', '--host', 'no.such.host.invalid'], {}, /no\.such\.host\.invalid/],
]) {
  test(`${what} ends with status 2 and one sentence`, async () => {
    const { status, stdout, stderr } = await run(WEFTD, args, { env });
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, named);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });
}

test('a port that is taken ends with status 2 and one sentence that names it', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address();
  const { status, stderr } = await run(WEFTD, ['--port', String(port), '--world', 'lab=empty']);
  assert.equal(status, 2, stderr);
  assert.match(stderr, new RegExp(String(port)));
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
});

test('options come from the environment, and the command line beats it', async (t) => {
  const env = { WEFT_PORT: '0', WEFT_WORLD: 'one=empty,two=empty', WEFT_TICK_HZ: '30', WEFT_PAUSED: '1' };
  const server = await Weftd.start(t, ['--tick-hz', '20'], { env });
  const client = await server.connect('two');
  assert.deepEqual([client.hello.world, client.hello.tickHz], ['two', 20]);
  assert.equal((await client.call('world.get')).running, false);
});

test('with no argument but a free port it serves a world called main with something in it', async (t) => {
  const server = await Weftd.start(t);
  const client = await server.connect('main');
  const { objects } = await client.call('object.list');
  const kinds = new Set(objects.map(({ kind }) => kind));
  assert.ok(kinds.has('cloth') && kinds.has('body') && kinds.has('rope'), [...kinds].join());
  assert.equal((await client.call('world.get')).running, true);
});

test('it prints one line with the address of the page', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const lines = server.out.text.trim().split('\n').filter((line) => line.includes('http://'));
  assert.equal(lines.length, 1, server.out.text);
});

test('SIGTERM while worlds are brought back ends it at once, with status 0, and nothing is lost', async (t) => {
  const args = ['--port', '0', '--data', await dataFolder(t), '--paused', ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => ['--world', `${name}=cloth`])];
  const server = await Weftd.start(t, args);
  const states = {};
  for (const name of ['a', 'f']) {
    const client = await server.connect(name);
    await client.call('world.step', { ticks: 60 });
    states[name] = (await client.call('world.get')).stateHash;
  }
  await server.end('SIGKILL');
  const starting = spawn(WEFTD, args, { env: { ...process.env, ...FOLDERS }, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  starting.stderr.setEncoding('utf8').on('data', (text) => {
    if (!told.includes('back at tick') && (told += text).includes('back at tick')) starting.kill('SIGTERM'); // of the first server
  });
  assert.deepEqual(await once(starting, 'exit'), [0, null]);
  const again = await Weftd.start(t, args);
  for (const [name, hash] of Object.entries(states)) assert.equal((await (await again.connect(name)).call('world.get')).stateHash, hash, name);
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} closes every client with 1001 and ends within 5 s with status 0`, async (t) => {
    const server = await Weftd.start(t, ['--world', 'lab=empty', '--world', 'other=empty']);
    const sockets = [];
    for (const world of ['lab', 'lab', 'other']) sockets.push(await RawSocket.open(t, server.url(world)));
    for (const socket of sockets) assert.equal((await socket.next()).method, 'hello');
    // A client that does not answer the closing handshake must not delay the end.
    const stubborn = await RawSocket.open(t, server.url('lab'));
    stubborn.socket.pause();
    // Nor a client that does not read its replies.
    const full = await RawSocket.open(t, server.url('lab'));
    full.socket.pause();
    for (let id = 0; id < 500; id++) full.send({ jsonrpc: '2.0', id, method: 'rpc.discover' });
    await sleep(500);
    const start = performance.now();
    const { code } = await server.end(signal);
    assert.equal(code, 0, server.stderr);
    assert.ok(performance.now() - start < 5000);
    for (const socket of sockets) assert.equal((await socket.closed).code, 1001);
  });
}

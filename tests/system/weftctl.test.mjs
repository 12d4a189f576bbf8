// SPDX-License-Identifier: MIT
// weftctl as a program: its requests, output and exit codes. Tested against a real server where possible, and against a fake
// one for replies that no real server gives on demand: digits beyond a double, replies out of order, a broken connection.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeServer } from '../support/fake_server.mjs';
import { laboratory, ROOT, run, WEFTCTL } from '../support/weftd.mjs';
import { sleep } from '../support/wait.mjs';

const schema = JSON.parse(await readFile(join(ROOT, 'proto/weft.openrpc.json'), 'utf8'));

/** Runs weftctl against a server until it ends. */
function weftctl(server, args, options = {}) {
  return run(WEFTCTL, args, { ...options, env: { WEFT_URL: server.url instanceof Function ? server.url('lab') : server.url, ...options.env } });
}

async function fake(t) {
  const server = await FakeServer.start();
  t.after(() => server.stop());
  server.methods.echo = (params) => params ?? {};
  server.methods.fail = () => {
    throw { code: -32602, message: 'rows must be at least 2, got 1', data: { pointer: '/rows' } };
  };
  return server;
}

/** Sends a reply as text, unchanged by JavaScript. */
function replyWith(server, text) {
  return (params, socket) => void socket.send(`{"jsonrpc":"2.0","id":${server.requests.at(-1).id},"result":${text}}`);
}

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'weftctl-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

const requests = (...methods) => methods.map((method) => JSON.stringify(typeof method === 'string' ? { method } : method)).join('\n') + '\n';

// ---- call ------------------------------------------------------------------------------------------------------------

test('call makes a cloth from name=value words and prints the result as JSON', async (t) => {
  const { server, call } = await laboratory(t);
  const { status, stdout, stderr } = await weftctl(server, ['call', 'cloth.spawn', 'columns=4', 'rows=3', 'position=0,3,0', 'name=flag']);
  assert.deepEqual([status, stderr], [0, '']);
  const { object, particles, tick } = JSON.parse(stdout);
  assert.deepEqual([particles, typeof tick], [12, 'number']);
  assert.equal((await call('object.get', { object })).name, 'flag');
  assert.equal((await call('particle.read', { object, particles: [0] })).positions[0][1] > 3, true);
});

test('call takes params as one JSON object and from stdin', async (t) => {
  const { server } = await laboratory(t);
  const params = JSON.stringify({ from: [0, 1, 0], to: [1, 1, 0], particles: 5 });
  for (const [word, input] of [[params, ''], ['-', `\n ${params}\n`]]) {
    const { status, stdout, stderr } = await weftctl(server, ['call', 'rope.spawn', word], { input });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(JSON.parse(stdout).particles, 5);
  }
});

test('dots make nested objects, commas vectors, and what is no JSON is a string', async (t) => {
  const server = await fake(t);
  const words = ['a.b.c=1', 'a.d=[1, 2]', 'v=0,-2.5,1e3', 'name=flag one', 'list=x,y', 'quoted="12"', 'yes=true', 'empty='];
  const { status, stdout } = await weftctl(server, ['call', 'echo', ...words]);
  assert.equal(status, 0);
  const expected = { a: { b: { c: 1 }, d: [1, 2] }, v: [0, -2.5, 1000], name: 'flag one', list: 'x,y', quoted: '12', yes: true, empty: '' };
  assert.deepEqual(server.requests[0].params, expected);
  assert.deepEqual(JSON.parse(stdout), expected);
});

test('numbers pass through digit for digit, both ways', async (t) => {
  const server = await fake(t);
  const digits = ['0.1', '0.10000000000000001', '12345678901234567890', '1.50', '-0', '1E-7'];
  let sent = '';
  server.server.on('connection', (socket) => socket.prependListener('message', (data) => (sent = String(data))));
  server.methods.digits = replyWith(server, `{"values":[${digits}],"deep":{"one":[[${digits[2]}]]}}`);
  const { stdout } = await weftctl(server, ['call', 'digits', ...digits.map((value, i) => `n${i}=${value}`)]);
  digits.forEach((value, i) => assert.ok(sent.includes(`"n${i}":${value}${i === 5 ? '}' : ','}`), sent));
  for (const value of digits) assert.match(stdout, new RegExp(`[[ ]${value.replace('.', '\\.')}[\\],]`));
});

test('an answer of tens of megabytes comes through whole', async (t) => {
  const server = await fake(t);
  const row = '[0.12345678,1.5,-2]';
  server.methods.large = replyWith(server, `{"positions":[${Array(1_000_000).fill(row)}]}`);
  const { status, stdout } = await weftctl(server, ['call', 'large']);
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).positions.length, 1_000_000);
});

test('a refusal goes to stderr as the server said it, with status 1', async (t) => {
  const { server, call } = await laboratory(t);
  const said = await call('cloth.spawn', { colums: 4, rows: 3 }).catch((error) => error);
  const { status, stdout, stderr } = await weftctl(server, ['call', 'cloth.spawn', 'colums=4', 'rows=3']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.ok(stderr.includes(said.message), stderr);
  assert.match(stderr, /-32602/);
  assert.match(stderr, /"suggestion":"columns"/);
  assert.match((await weftctl(server, ['call', 'cloth.span'])).stderr, /"suggestion":"cloth\.spawn"/);
});

test('an error without an id is the answer to the only request', async (t) => {
  const server = await fake(t);
  server.methods.garbled = (params, socket) => void socket.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}');
  const { status, stderr } = await weftctl(server, ['call', 'garbled']);
  assert.deepEqual([status, stderr], [1, 'error -32700: no JSON\n']);
});

for (const [what, args, named] of [
  ['no command', [], /Usage/],
  ['an unknown command', ['cal', 'world.get'], /call/],
  ["a method's name for a command", ['world.get'], /weftctl call world\.get/],
  ['an unknown option', ['call', '--tiemout', '3', 'x'], /--timeout/],
  ['an option without its value', ['call', 'world.get', '--port'], /--port/],
  ["another command's option", ['call', 'world.get', '--seconds', '2'], /--seconds/],
  ['a port out of range', ['--port', '65536', 'call', 'world.get'], /65536/],
  ['a URL that is none', ['--url', 'ftp://example.org/', 'call', 'world.get'], /ftp/],
  ['no method', ['call'], /method/],
  ['a word that is no pair', ['call', 'world.set', 'fast'], /fast/],
  ['JSON that is broken', ['call', 'world.set', '{"damping":'], /JSON/],
  ['a param given twice', ['call', 'world.set', 'damping=0', 'damping=1'], /damping/],
  ['a param given whole and in parts', ['call', 'world.set', 'wind=1', 'wind.gust=1'], /wind/],
  ['a file that is not there', ['run', '/no/such/file'], /\/no\/such\/file/],
  ['an unknown method to explain', ['methods', 'cloth.span'], /cloth\.spawn/],
]) {
  test(`${what} ends with status 2 and says what is wrong`, async () => {
    const { status, stdout, stderr } = await run(WEFTCTL, args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, named);
    if (args.length > 0) assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });
}

// ---- the connection --------------------------------------------------------------------------------------------------

async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return String(port);
}

test('a server that is not there ends with status 3 and says what to do next', async () => {
  for (const command of [['call', 'world.get'], ['watch'], ['run', '-']]) {
    const { status, stdout, stderr } = await run(WEFTCTL, ['--port', await closedPort(), ...command]);
    assert.deepEqual([status, stdout], [3, '']);
    assert.match(stderr, /refused.*weftd/);
  }
});

test('a world that is not there and a host that is none are told apart', async (t) => {
  const { server } = await laboratory(t);
  const world = await weftctl(server, ['call', 'world.get', '--world', 'nowhere']);
  assert.equal(world.status, 3);
  assert.match(world.stderr, /no such world.*nowhere.*--world/);
  const host = await weftctl(server, ['--host', 'no.such.host.invalid', 'call', 'world.get']);
  assert.equal(host.status, 3);
  assert.match(host.stderr, /no\.such\.host\.invalid.*--host/);
});

test('host, port and world come from options, their variables or the address of the page', async (t) => {
  const { server } = await laboratory(t, ['--world', 'main=empty']);
  const port = String(server.port);
  for (const [args, env, world] of [
    [['--host', 'localhost', '--port', port, '--world', 'lab'], {}, 'lab'],
    [[], { WEFT_HOST: '127.0.0.1', WEFT_PORT: port, WEFT_WORLD: 'lab=empty,main' }, 'lab'],
    [['--world', 'lab'], { WEFT_URL: server.http('/') }, 'lab'],
    [['--url', server.http('/')], { WEFT_WORLD: 'lab' }, 'main'],
  ]) {
    const { status, stdout, stderr } = await run(WEFTCTL, ['call', 'world.get', ...args], { env });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(JSON.parse(stdout).world, world);
  }
});

test('a URL may have the path that a proxy has for a server', async (t) => {
  const asked = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => { asked.push(String(data).split('\r\n')[0]); socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'); });
  });
  await new Promise((ready) => { proxy.listen(0, '127.0.0.1', ready); });
  t.after(() => proxy.close());
  const url = (path) => `ws://127.0.0.1:${proxy.address().port}${path}`;
  for (const [command, path] of [['call world.get', '/nodes/1/worlds/lab'], ['call world.get', '/worlds/worlds/worlds/lab'], ['load --clients 1 --seconds 1', '/a-b_c.d~/worlds/lab']]) {
    await run(WEFTCTL, [...command.split(' '), '--url', url(path)]);
    assert.equal(asked.pop(), `GET ${path} HTTP/1.1`);
  }
  asked.length = 0;
  for (const path of ['/a b/worlds/lab', '/a?b/worlds/lab', '/nodes/1', `/${'x'.repeat(256)}/worlds/lab`]) {
    const { stderr } = await run(WEFTCTL, ['call', 'world.get', '--url', url(path)]);
    assert.match(stderr, /url must look like/, path);
  }
  assert.deepEqual(asked, []);
});

test('a server that is silent, breaks off or closes ends the call with status 3', async (t) => {
  const server = await fake(t);
  server.methods.silence = () => undefined;
  server.methods.break = (params, socket) => void socket.terminate();
  server.methods.close = (params, socket) => void socket.close(1009, 'too large');
  for (const [method, said] of [['silence', /within 0\.3 s.*--timeout/], ['break', /broke off/], ['close', /1009.*too large/]]) {
    const { status, stderr } = await weftctl(server, ['--timeout', '0.3', 'call', method]);
    assert.equal(status, 3);
    assert.match(stderr, said);
  }
  server.greets = false;
  assert.match((await weftctl(server, ['--timeout', '0.3', 'call', 'echo'])).stderr, /hello/);
});

test('it says goodbye with code 1000', async (t) => {
  const server = await fake(t);
  const closed = new Promise((resolve) => server.server.on('connection', (socket) => socket.on('close', resolve)));
  await weftctl(server, ['call', 'echo']);
  assert.equal(await closed, 1000);
});

// ---- run -------------------------------------------------------------------------------------------------------------

test('run sends a scene as one batch, from a file and from stdin', async (t) => {
  const { server, call } = await laboratory(t);
  const scene = JSON.stringify({ title: 'Two', description: 'A rope and a pin.', commands: [
    { method: 'rope.spawn', params: { from: [0, 2, 0], to: [1, 2, 0], particles: 3, pin: 'none' } },
    { method: 'particle.pin', params: { object: '$0', particles: [1] } },
  ] }, null, 2);
  const path = join(await folder(t), 'scene.json');
  await writeFile(path, scene);
  for (const [word, input] of [[path, ''], ['-', scene]]) {
    const { status, stdout, stderr } = await weftctl(server, ['run', word], { input });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout.trim().split('\n').length, 1);
    assert.equal(JSON.parse(stdout).results.length, 2);
  }
  assert.deepEqual((await call('object.list')).objects.map(({ particles, pins }) => [particles, pins]), [[3, 1], [3, 1]]);
});

test('the scenes that come with Weft run', async (t) => {
  const { server } = await laboratory(t);
  const { stdout, stderr, status } = await weftctl(server, ['run', join(ROOT, 'server/scenes/tetrahedra.json')]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.ok(JSON.parse(stdout).results.length > 0);
});

test('run answers request lines in order, one result a line, past comments and blank lines', async (t) => {
  const { server } = await laboratory(t);
  const input = `# a rope\n\n${requests(
    { method: 'rope.spawn', params: { from: [0, 1, 0], to: [1, 1, 0], particles: 7 } },
    { jsonrpc: '2.0', id: 'mine', method: 'world.step', params: { ticks: 5 } },
    'world.get',
  )}`;
  const { status, stdout, stderr } = await weftctl(server, ['run', '-'], { input });
  assert.deepEqual([status, stderr], [0, '']);
  const results = stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([results.length, results[0].particles, results[2].tick], [3, 7, 5]);
});

test('run stops at the first error, tells its line, and nothing behind it is sent', async (t) => {
  const server = await fake(t);
  const { status, stdout, stderr } = await weftctl(server, ['run', '-'], { input: `# head\n${requests({ method: 'echo', params: { n: 1 } }, 'fail', 'echo')}` });
  assert.deepEqual([status, stdout], [1, '{"n":1}\n']);
  assert.match(stderr, /^line 3: error -32602: rows must be at least 2, got 1\nline 3: data \{"pointer":"\/rows"\}\n$/);
  await sleep(50);
  assert.deepEqual(server.requests.map(({ method }) => method), ['echo', 'fail']);
});

test('--keep-going sends ahead, keeps the order whatever that of the answers, and still fails in the end', async (t) => {
  const server = await fake(t);
  let held = [];
  server.methods.late = (params, socket) => {
    held.unshift([server.requests.at(-1).id, params.n, socket]);
    if (held.length < 20) return;
    for (const [id, n, to] of held) to.send(JSON.stringify({ jsonrpc: '2.0', id, result: { n } }));
    held = [];
  };
  const lines = Array.from({ length: 200 }, (_, n) => ({ method: 'late', params: { n } }));
  const { status, stdout } = await weftctl(server, ['run', '--keep-going', '-'], { input: requests(...lines) });
  assert.equal(status, 0);
  assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).n), lines.map(({ params }) => params.n));
  const mixed = await weftctl(server, ['run', '--keep-going', '-'], { input: `${requests('fail', 'echo')}[1]\n{"method"\n${requests('echo')}` });
  assert.deepEqual([mixed.status, mixed.stdout], [1, '{}\n{}\n']);
  assert.deepEqual(mixed.stderr.match(/line \d/g), ['line 1', 'line 1', 'line 3', 'line 4']);
});

test('answers without an id find their lines among requests sent ahead', async (t) => {
  const server = await fake(t);
  server.methods.garbled = (params, socket) => void socket.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}');
  server.methods.slow = (params, socket) => {
    const { id } = server.requests.at(-1);
    setTimeout(() => socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { slow: true } })), 100);
  };
  const { stdout, stderr } = await weftctl(server, ['run', '--keep-going', '-'], { input: requests('slow', 'garbled', 'slow', 'garbled', 'echo') });
  assert.equal(stdout, '{"slow":true}\n{"slow":true}\n{}\n');
  assert.deepEqual(stderr.match(/line \d/g), ['line 2', 'line 4']);
});

test('run answers a line while the pipe it came from stays open', async (t) => {
  const server = await fake(t);
  const child = spawn(WEFTCTL, ['run', '-'], { env: { ...process.env, WEFT_URL: server.url } });
  t.after(() => child.kill());
  for (const n of [1, 2, 3]) {
    child.stdin.write(requests({ method: 'echo', params: { n } }));
    const [data] = await once(child.stdout, 'data');
    assert.equal(String(data), `{"n":${n}}\n`);
  }
  child.stdin.end();
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('a scene that is no JSON or has an unknown member is refused with the line, and nothing is sent', async (t) => {
  const server = await fake(t);
  for (const [input, said] of [
    ['{\n"title": "x",\n"commands": [\n{"method": "a"}\n{"method": "b"}]}\n', /line 5/],
    ['{\n"commands": [\n', /line 2.*too early/],
    ['{\n"commands": [],\n"title": "x",\n"author": "me"}\n', /"author"/],
  ]) {
    const { status, stdout, stderr } = await weftctl(server, ['run', '-'], { input });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, said);
  }
  assert.equal(server.requests.length, 0);
});

// ---- watch -----------------------------------------------------------------------------------------------------------

const figuresOf = (line) => Object.fromEntries(line.split(' ').map((word) => word.split('=')).map(([name, value]) => [name, Number(value)]));

test('watch prints a line of figures a second and ends by itself', async (t) => {
  const { server, call } = await laboratory(t);
  await call('cloth.spawn', { columns: 20, rows: 20, position: [0, 3, 0] });
  await call('world.resume');
  const { status, stdout, stderr } = await weftctl(server, ['watch', '--seconds', '2']);
  assert.deepEqual([status, stderr], [0, '']);
  const lines = stdout.trim().split('\n').map(figuresOf);
  assert.equal(lines.length, 2);
  const { framesPerSecond, bytesPerSecond, bytesPerParticle, particles, tick, tickMs, realTimeFactor, clients, missedTicks } = lines[1];
  assert.equal(particles, 400);
  assert.ok(framesPerSecond > 5 && framesPerSecond < 90, stdout);
  assert.ok(bytesPerParticle > 0.5 && bytesPerParticle < 20, stdout);
  assert.ok(bytesPerSecond > 0.5 * framesPerSecond * bytesPerParticle * particles, stdout);
  assert.ok(tick > lines[0].tick && tickMs >= 0 && realTimeFactor > 0 && clients >= 1 && missedTicks >= 0, stdout);
});

test('watch asks for motion, or for what it is told to', async (t) => {
  const server = await fake(t);
  await weftctl(server, ['watch', '--seconds', '0.3']);
  await weftctl(server, ['watch', '--seconds', '0.3', '--every', '4', '--encoding', 'grid', '--step', '1/1024']);
  assert.deepEqual(server.calls('frames.subscribe').map(({ params }) => params), [
    { everyTicks: 1, encoding: 'motion' },
    { everyTicks: 4, encoding: 'grid', step: 1 / 1024 },
  ]);
  const { status, stderr } = await weftctl(server, ['watch', '--step', '1/0']);
  assert.equal(status, 2);
  assert.match(stderr, /step must be m above 0 and at most 1, such as 1\/4096, got "1\/0"/);
});

test('watch counts events and the ticks for which no frame came', async (t) => {
  const server = await fake(t);
  server.methods['world.get'] = () => ({ timing: { tickMs: 1.25, note: 'none' } });
  server.methods['events.subscribe'] = () => {
    setTimeout(() => {
      for (const tick of [7, 8, 10, 10, 13]) {
        const frame = Buffer.alloc(32 + 120);
        frame[0] = 1;
        frame.writeBigUInt64LE(BigInt(tick), 8);
        frame.writeUInt32LE(10, 20);
        server.send(frame);
      }
      server.event('object.removed', { object: 3 });
    }, 20);
    return {};
  };
  const { stdout } = await weftctl(server, ['watch', '--seconds', '0.5']);
  const { events, missedTicks, tick, particles, bytesPerParticle, tickMs } = figuresOf(stdout.trim());
  assert.deepEqual([events, missedTicks, tick, particles, bytesPerParticle, tickMs], [1, 3, 13, 10, 15.2, 1.25]);
  assert.ok(!stdout.includes('note'), stdout);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`watch ends with status 0 on ${signal}`, async (t) => {
    const { server } = await laboratory(t);
    const child = spawn(WEFTCTL, ['watch', '--url', server.url('lab')]);
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });
}

test('watch ends with status 3 when the server goes', async (t) => {
  const { server } = await laboratory(t);
  const child = spawn(WEFTCTL, ['watch', '--url', server.url('lab')]);
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  await once(child.stdout, 'data');
  server.end();
  assert.deepEqual(await once(child, 'close'), [3, null]);
  assert.match(said, /going down.*1001/);
});

// ---- help ------------------------------------------------------------------------------------------------------------

test('methods lists every method, and explains every param of each', async () => {
  const list = await run(WEFTCTL, ['methods']);
  assert.equal(list.status, 0);
  for (const { name, summary } of schema.methods) assert.ok(list.stdout.includes(`  ${name} `) && list.stdout.includes(summary), name);
  for (const { name, params } of schema.methods) {
    const { status, stdout } = await run(WEFTCTL, ['methods', name]);
    assert.equal(status, 0);
    for (const param of params) assert.match(stdout, new RegExp(`^  ${param.name} `, 'm'));
  }
});

test('methods tells type, range, unit, default and what is required', async () => {
  const { stdout } = await run(WEFTCTL, ['methods', 'cloth.spawn']);
  assert.match(stdout, /^ {2}columns +integer, 2 to 4096; required$/m);
  assert.match(stdout, /^ {2}spacing +number, 0\.0001 to 1000; in m; default 0\.05$/m);
  assert.match(stdout, /^ {2}mesh +"grid" \| "hex"; default "grid"$/m);
  assert.match((await run(WEFTCTL, ['methods', 'world.set'])).stdout, /^ {2}wind\.velocity +3 numbers, -1000 to 1000; in m\/s; required$/m);
  assert.match((await run(WEFTCTL, ['methods', 'stick'])).stdout, /stick\.add.*\n.*stick\.remove/);
});

// An example may fail (there may be no grab 1), but its params must be valid.
test('every example that methods gives is a valid request', async (t) => {
  const { server, call } = await laboratory(t);
  await call('rope.spawn', { from: [0, 1, 0], to: [1, 1, 0], particles: 3 });
  for (const { name } of schema.methods) {
    const { stdout } = await run(WEFTCTL, ['methods', name]);
    const [, example] = /\nExample:\n {2}weftctl (.*)\n/.exec(stdout);
    const words = await run('/bin/sh', ['-c', `printf '%s\\n' ${example}`]);
    const { status, stderr } = await weftctl(server, words.stdout.trim().split('\n'));
    assert.ok(status === 0 || (status === 1 && !/-326\d\d|-327\d\d/.test(stderr)), `${example}\n${stderr}`);
  }
});

test('--help, --version and help COMMAND tell what they should on stdout', async () => {
  const help = await run(WEFTCTL, ['--help']);
  assert.deepEqual([help.status, help.stderr], [0, '']);
  for (const word of ['call', 'run', 'watch', 'load', 'methods', '--url', '--host', '--port', '--world', '--timeout', 'WEFT_URL', 'WEFT_HOST', 'WEFT_PORT', 'WEFT_WORLD', 'WEFT_TIMEOUT']) {
    assert.ok(help.stdout.includes(word), word);
  }
  assert.equal((await run(WEFTCTL, ['--version'])).stdout, `weftctl ${schema.info.version}\n`);
  const about = await run(WEFTCTL, ['help', 'run']);
  assert.deepEqual([about.status, about.stdout], [0, (await run(WEFTCTL, ['run', '--help'])).stdout]);
  assert.match(about.stdout, /--keep-going[^]*Exit status/);
});

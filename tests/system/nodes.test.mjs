// SPDX-License-Identifier: MIT
// Several servers that share a PostgreSQL (--node-url): each world has one owner, clients find it, and when a node is gone the
// others go on with its worlds, tick by tick.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { dataFolder } from '../support/data.mjs';
import { health, LAB, ownerOf, SPAWN, startNode, startNodes, TAKEOVER_MS } from '../support/nodes.mjs';
import { postgres } from '../support/postgres.mjs';
import { sleep, until } from '../support/wait.mjs';
import { RawSocket, ROOT, run, Weftd, WEFTCTL, WEFTD } from '../support/weftd.mjs';


/** The status of a handshake from a page of that origin. */
async function handshakeStatus(node, world, origin) {
  const socket = new WebSocket(node.url(world), ['weft.v1'], { headers: { Origin: origin } });
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
  });
}


test('a --node-url that is none, or without --store, is refused', async (t) => {
  for (const [args, words] of [
    [['--node-url', 'ftp://a:1'], /--node-url must be http:\/\/HOST:PORT or https:\/\/HOST:PORT.*got "ftp:\/\/a:1"/],
    [['--node-url', 'http://a:1/path/'], /--node-url must be http:\/\/HOST:PORT/],
    [['--node-url', 'http://a:1/path?query'], /--node-url must be http:\/\/HOST:PORT/],
    [['--node-url', `http://a:1/${'x'.repeat(255)}`], /--node-url must be .*in at most 255 characters/],
    [['--node-url', 'http://a:1', '--data', await dataFolder(t)], /--node-url goes with --store/],
  ]) {
    const told = await run(WEFTD, args);
    assert.equal(told.status, 2);
    assert.match(told.stderr, words);
  }
});

test('nodes share worlds: each has one owner, and every other node sends clients there', async (t) => {
  const { nodes } = await startNodes(t, 2, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const raw = await RawSocket.open(t, other.url('lab'));
  assert.deepEqual(await raw.next(), { jsonrpc: '2.0', method: 'world.moved', params: { url: owner.url('lab') } });
  assert.equal((await raw.closed).code, 1012);
  for (const path of ['/worlds/lab', '/worlds/lab/capsule']) {
    const response = await fetch(other.http(path), { redirect: 'manual' });
    assert.equal(response.status, 307);
    assert.equal(response.headers.get('location'), owner.http(path));
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'particles.spawn', params: SPAWN });
  const posted = await fetch(other.http('/worlds/lab/rpc'), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  assert.equal((await posted.json()).result.particles, 1);
  const there = await owner.connect('lab');
  assert.equal((await there.call('world.get')).counts.particles, 1);
  assert.equal((await fetch(other.http('/worlds/nowhere'))).status, 404);
  const page = await fetch(owner.http('/'));
  const [, sources] = /connect-src ([^;]*)/.exec(page.headers.get('content-security-policy'));
  for (const node of nodes) assert.ok(sources.includes(`http://127.0.0.1:${node.port} ws://127.0.0.1:${node.port}`), sources);
  for (const [origin, status] of [[other.http(''), 101], ['http://elsewhere:1', 403]]) {
    assert.equal(await handshakeStatus(owner, 'lab', origin), status, origin);
  }
});

test('clients are sent to the path that a proxy has for a node', async (t) => {
  const address = await postgres(t);
  const owner = await Weftd.start(t, ['--port', '0', '--store', address, '--node-url', 'https://weft.example/nodes/1', ...LAB]);
  await ownerOf([owner], 'lab');
  const other = await startNode(t, address, LAB);
  const raw = await RawSocket.open(t, other.url('lab'));
  assert.deepEqual(await raw.next(), { jsonrpc: '2.0', method: 'world.moved', params: { url: 'wss://weft.example/nodes/1/worlds/lab' } });
  const response = await fetch(other.http('/worlds/lab/capsule'), { redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location')], [307, 'https://weft.example/nodes/1/worlds/lab/capsule']);
});

test('a node that is killed loses nothing: another goes on from its tick, and repeats replies that were missed', async (t) => {
  const { nodes } = await startNodes(t, 2, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  await sleep(TAKEOVER_MS); // a node that has just joined takes no world of another
  const raw = await RawSocket.open(t, owner.url('lab'));
  await raw.next();
  await raw.ask('key', 'session.resume', { session: 'hands' });
  const first = await raw.ask(1, 'particles.spawn', SPAWN);
  await raw.ask(2, 'world.step', { ticks: 50 });
  const { tick, stateHash } = (await raw.ask(3, 'world.get')).result;
  const killed = performance.now();
  await owner.end('SIGKILL');
  await ownerOf([other], 'lab');
  t.diagnostic(`taken over after ${Math.round(performance.now() - killed)} ms`);
  assert.ok(performance.now() - killed < TAKEOVER_MS);
  const again = await RawSocket.open(t, other.url('lab'));
  await again.next();
  await again.ask('key', 'session.resume', { session: 'hands' });
  const now = (await again.ask(3, 'world.get')).result;
  assert.deepEqual([now.tick, now.stateHash], [tick, stateHash]);
  assert.deepEqual(await again.ask(1, 'particles.spawn', SPAWN), first, 'the reply of before');
  assert.equal((await again.ask(4, 'world.get')).result.counts.particles, 1, 'done once');
  assert.ok((await again.ask(5, 'particles.spawn', SPAWN)).result);
  const lost = async () => (await again.ask(6, 'node.list')).result.nodes.find(({ own }) => !own);
  await until(async () => (await lost()).worlds === 0, 'no world of the lost node');
  const { alive, clients } = await lost();
  assert.deepEqual([alive, clients], [false, 0]);
});

test('a node that was stopped past its lease writes nothing more, and sends its clients on', async (t) => {
  const { nodes } = await startNodes(t, 2, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  await sleep(TAKEOVER_MS);
  const raw = await RawSocket.open(t, owner.url('lab'));
  await raw.next();
  await raw.ask('key', 'session.resume', { session: 'hands' });
  await raw.ask(1, 'particles.spawn', SPAWN);
  owner.process.kill('SIGSTOP');
  await ownerOf([other], 'lab');
  raw.send({ jsonrpc: '2.0', id: 2, method: 'particles.spawn', params: SPAWN }); // to the former owner
  owner.process.kill('SIGCONT');
  const told = [];
  for (let message; (message = await raw.next(2000)) !== undefined; told.push(message));
  assert.deepEqual(told.filter(({ id }) => id === 2), [], 'it is not answered');
  assert.deepEqual(told.at(-1), { jsonrpc: '2.0', method: 'world.moved', params: { url: other.url('lab') } });
  const again = await RawSocket.open(t, other.url('lab'));
  await again.next();
  await again.ask('key', 'session.resume', { session: 'hands' });
  await again.ask(2, 'particles.spawn', SPAWN);
  assert.equal((await again.ask(3, 'world.get')).result.counts.particles, 2);
});

test('a node that ends leaves its worlds to the others at once', async (t) => {
  const { address, nodes } = await startNodes(t, 2, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const client = await owner.connect('lab');
  await client.call('particles.spawn', SPAWN);
  const { stateHash } = await client.call('world.get');
  const began = performance.now();
  assert.deepEqual(await owner.stop(), { code: 0, signal: null });
  await ownerOf([other], 'lab');
  t.diagnostic(`taken after ${Math.round(performance.now() - began)} ms`);
  assert.equal((await (await other.connect('lab')).call('world.get')).stateHash, stateHash);
  const back = await startNode(t, address, LAB, { port: owner.port });
  assert.deepEqual((await health(back)).worlds, [], 'the other one keeps it');
});

test('a server that has the database alone and nodes exclude each other', async (t) => {
  const address = await postgres(t);
  const node = await startNode(t, address);
  const refused = await run(WEFTD, ['--port', '0', '--store', address]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /another server uses the database weft/);
  await node.stop();
  const alone = await Weftd.start(t, ['--store', address]);
  assert.equal((await health(alone)).worlds[0].name, 'main');
  const other = await run(WEFTD, ['--port', '0', '--store', address, '--node-url', 'http://127.0.0.1:1']);
  assert.match(other.stderr, /without --node-url/);
});

test('a server waits until PostgreSQL has noticed that another one was killed', async (t) => {
  const address = await postgres(t);
  const killed = await Weftd.start(t, ['--store', address]);
  const { stdout } = await run('psql', [address, '-Atc', "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"]);
  const holder = Number(stdout);
  assert.ok(holder > 1, stdout);
  process.kill(holder, 'SIGSTOP'); // as one that waits for a slow disk
  const resumed = sleep(2500).then(() => process.kill(holder, 'SIGCONT'));
  await killed.stop('SIGKILL');
  assert.equal((await health(await Weftd.start(t, ['--store', address]))).worlds[0].name, 'main');
  await resumed;
});

test('a second server with the same --node-url takes the place of the first, which ends', async (t) => {
  const address = await postgres(t);
  const first = await startNode(t, address, LAB);
  const second = await Weftd.start(t, ['--port', '0', '--store', address, '--node-url', `http://127.0.0.1:${first.port}`, ...LAB]);
  await until(() => first.exit, 'the end of the first');
  assert.match(first.stderr, /another server was started with --node-url/);
  await ownerOf([second], 'lab');
});

test('a node that the database has forgotten before it is ready ends', async (t) => {
  const { address } = await startNodes(t, 1, LAB);
  const told = await run('psql', [address, '-c', `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN DELETE FROM node WHERE node=NEW.node; RETURN NULL; END'`, '-c', 'CREATE TRIGGER forget AFTER INSERT ON node FOR EACH ROW EXECUTE FUNCTION forget()']);
  assert.equal(told.status, 0, told.stderr); // like a standby that became the primary before it had the new node
  const ended = await run(WEFTD, ['--port', '0', '--store', address, '--node-url', 'http://127.0.0.1:1', ...LAB]);
  assert.equal(ended.status, 2);
  assert.match(ended.stderr, /this node has lost its place before it was ready/);
});

test('a client follows its world: to its owner, after the owner is killed, and while worlds move', async (t) => {
  const { nodes } = await startNodes(t, 3, ['--world', 'lab=cloth']);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const client = await other.connect('lab', { reconnect: true }); // nodes give it a session of its own
  assert.equal(client.hello.nodes.length, 3);
  const { counts: before } = await client.call('world.get');
  let ticks = [];
  client.on('frame', ({ tick }) => ticks.push([performance.now(), tick]));
  await client.subscribeFrames({ everyTicks: 1 });
  await until(() => ticks.length > 200, 'frames'); // and the nodes have run for a while
  const calls = [];
  const timer = setInterval(() => calls.push(client.call('particles.spawn', SPAWN).then(() => true, (error) => error)), 25);
  await client.call('node.drain', { url: owner.http('').replace(/\/$/, '') });
  const next = await ownerOf(nodes.filter((node) => node !== owner), 'lab');
  await until(() => ticks.at(-1)[0] > performance.now() - 20 && ticks.length > 400, 'frames after the move');
  const pauses = ticks.slice(1).map(([at, tick], index) => [at - ticks[index][0], tick - ticks[index][1]]);
  assert.deepEqual((await Promise.all(calls)).filter((answer) => answer !== true), [], 'while a world moves, calls wait');
  t.diagnostic(`drain: longest pause ${Math.round(Math.max(...pauses.map(([ms]) => ms)))} ms`);
  await sleep(TAKEOVER_MS);
  ticks = [];
  const killed = performance.now();
  await next.end('SIGKILL');
  await until(() => ticks.length > 0 && ticks.at(-1)[0] > killed + 1000, 'frames after the end of the owner', 20000);
  t.diagnostic(`killed: frames again after ${Math.round(ticks.find(([at]) => at > killed + 1000)[0] - killed)} ms`);
  clearInterval(timer);
  const answers = await Promise.all(calls);
  const refused = answers.filter((answer) => answer !== true);
  t.diagnostic(`${answers.length} commands, ${refused.length} not sent, for there was no connection`);
  assert.deepEqual(refused.filter(({ message }) => !/there is no connection/.test(message)).map(({ message }) => message), []);
  const { counts } = await client.call('world.get');
  assert.equal(counts.particles - before.particles, answers.length - refused.length, 'each answered command once');
});

test('weftctl follows a world, lists the nodes, and drains one', async (t) => {
  const { nodes } = await startNodes(t, 2, [...LAB, '--world', 'second=cloth', '--world', 'third=empty']);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const ctl = (...args) => run(WEFTCTL, ['--url', other.url('lab'), ...args]);
  const url = (node) => `http://127.0.0.1:${node.port}`;
  const spawned = await ctl('call', 'particles.spawn', JSON.stringify(SPAWN));
  assert.equal(spawned.status, 0, spawned.stderr);
  const listed = await ctl('node', 'list');
  assert.equal(listed.status, 0, listed.stderr);
  for (const node of nodes) assert.match(listed.stdout, new RegExp(`^${url(node)} +alive +\\d+ +\\d+ +-?[\\d.]+ +\\d`, 'm'));
  const drained = await ctl('node', 'drain', url(owner));
  assert.equal(drained.status, 0, drained.stderr);
  assert.match(drained.stdout, / 0 worlds left\n$/);
  assert.deepEqual((await health(owner)).worlds, []);
  assert.deepEqual((await health(other)).worlds.map(({ name }) => name).sort(), ['lab', 'second', 'third']);
  assert.match((await ctl('node', 'list')).stdout, new RegExp(`^${url(owner)} +draining +0 `, 'm'));
  assert.equal(JSON.parse((await ctl('call', 'world.get')).stdout).counts.particles, 1);
  assert.equal((await ctl('node', 'undrain', url(owner))).status, 0);
  for (const [args, status, words] of [
    [['node', 'drain', 'http://nobody:1'], 1, /there is no node http:\/\/nobody:1/],
    [['node', 'fill'], 2, /node takes: list, drain/],
  ]) {
    const told = await ctl(...args);
    assert.equal(told.status, status);
    assert.match(told.stderr, words);
  }
});

/** Lines for `weftctl run`, a hundred a second, each of which makes a particle. */
async function* linesOf(count) {
  for (let made = 0; made < count; made++) {
    yield `${JSON.stringify({ method: 'particles.spawn', params: SPAWN })}\n`;
    await sleep(10);
  }
}

test('weftctl run and watch follow a world that moves: every line is run once', async (t) => {
  const { nodes } = await startNodes(t, 2, ['--world', 'lab=empty']);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const client = await owner.connect('lab', { reconnect: true });
  const watched = run(WEFTCTL, ['--url', other.url('lab'), 'watch', '--seconds', '4', '--encoding', 'ticks']);
  const script = run(WEFTCTL, ['--url', other.url('lab'), 'run', '-'], { input: linesOf(250) });
  const moves = [[600, owner, true], [1200, owner, false], [1400, other, true]];
  const drains = moves.map(([after, { port }, draining]) => sleep(after).then(() => client.call('node.drain', { url: `http://127.0.0.1:${port}`, draining })));
  const { status, stdout, stderr } = await script;
  await Promise.all(drains);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout.trimEnd().split('\n').length, 250);
  assert.equal((await client.call('world.get')).counts.particles, 250);
  const seen = await watched;
  assert.deepEqual([seen.status, seen.stderr], [0, '']);
  assert.match(seen.stdout, / particles=250 missedTicks=0 .*hashes=[1-9]\d* /);
});

test('weftctl load follows a world: to the node that has it, and on when that one is drained', async (t) => {
  const { nodes } = await startNodes(t, 2, ['--world', 'lab=cloth']);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const client = await other.connect('lab', { reconnect: true });
  const drained = sleep(1500).then(() => client.call('node.drain', { url: owner.http('').replace(/\/$/, '') }));
  const told = await run(WEFTCTL, ['--url', other.url('lab'), 'load', '--clients', '10', '--seconds', '4', '--encoding', 'ticks']);
  await drained;
  assert.deepEqual([told.status, told.stderr], [0, '']);
  assert.match(told.stdout, /^total .* lost=0 dropped=0 moved=10$/m);
  t.diagnostic(/longestGapMs=[\d.]+/.exec(told.stdout)[0]);
});

test('a new world goes to the node with most headroom, and a removed one is gone everywhere', async (t) => {
  const { nodes } = await startNodes(t, 2, LAB);
  const client = await (await ownerOf(nodes, 'lab')).connect('lab', { reconnect: true });
  for (let made = 0; made < 6; made++) await client.call('world.create', { name: `made-${made}` });
  const settled = async () => {
    const { worlds, elsewhere = [] } = await client.call('world.list'); // a moving world may be in neither for a moment
    return worlds.length >= 2 && elsewhere.length >= 2 && worlds.length + elsewhere.length === 7 && elsewhere.every(({ url }) => url) && elsewhere;
  };
  const elsewhere = await until(settled, 'worlds on both nodes');
  for (const { url } of elsewhere) assert.match(url, /^ws:\/\/127\.0\.0\.1:\d+\/worlds\/made-\d$/);
  await assert.rejects(client.call('world.create', { name: elsewhere[0].name }), /already/);
  const [{ name }, neighbour] = elsewhere;
  const there = await nodes[0].connect(neighbour.name);
  await there.call('world.remove', { name });
  await until(async () => (await fetch(nodes[0].http(`/worlds/${name}`))).status === 404, 'the end of the world');
  await until(async () => (await fetch(nodes[1].http(`/worlds/${name}`))).status === 404, 'the end of the world on the other node');
});

const FOLLOW = `
async def main():
    client = Client(sys.argv[1])
    task = asyncio.create_task(client.run())
    calls = []
    for at in range(300):
        calls.append(asyncio.create_task(client.call("particles.spawn", positions=[[0, 1, 0]])))
        await asyncio.sleep(0.02)
        if at % 50 == 0:
            print(f"made {at}", flush=True)
    await asyncio.gather(*calls)
    print("particles", (await client.call("world.get"))["counts"]["particles"], flush=True)
    task.cancel()
asyncio.run(main())
`;

test('the client that PROTOCOL.md shows follows a world that moves and one whose node is killed, and does each call once', { timeout: 120000 }, async (t) => {
  if ((await run('/usr/bin/python3', ['-c', 'import websockets'])).status !== 0) return t.skip('python3-websockets is not installed');
  const [, shown] = /with the package `websockets`[^`]*```python\n([^]*?)```/.exec(await readFile(join(ROOT, 'proto/PROTOCOL.md'), 'utf8'));
  const { nodes } = await startNodes(t, 3, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  await sleep(TAKEOVER_MS);
  const child = spawn('/usr/bin/python3', ['-c', `import sys\n${shown}${FOLLOW}`, other.url('lab')]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { said += text; });
  const ended = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  await until(() => said.includes('made 50'), 'the first calls', 20000);
  const client = await other.connect('lab', { reconnect: true });
  await client.call('node.drain', { url: `http://127.0.0.1:${owner.port}` });
  const next = await ownerOf(nodes.filter((node) => node !== owner), 'lab');
  await until(() => said.includes('made 150'), 'calls after the move', 20000);
  await next.end('SIGKILL');
  assert.deepEqual(await ended, [0, null], said);
  assert.match(said, /^particles 300$/m);
});

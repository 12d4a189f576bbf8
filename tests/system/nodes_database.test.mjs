// SPDX-License-Identifier: MIT
// Several servers that share a PostgreSQL (--node-url) while the database is away; worlds that a node refuses, or gives up; dumps of
// the database.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dataFolder } from '../support/data.mjs';
import { health, LAB, ownerOf, SPAWN, startNode, startNodes, TAKEOVER_MS } from '../support/nodes.mjs';
import { Numbered } from '../support/numbered.mjs';
import { postgres } from '../support/postgres.mjs';
import { postgresProxy } from '../support/postgres_proxy.mjs';
import { next, sleep, until } from '../support/wait.mjs';
import { RawSocket, ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const OUTAGE_MS = 1000 * Number(process.env.WEFT_OUTAGE_S ?? 6); // of the database; longer than a lease

/** Two nodes, each with a way of its own to the database, and a client in the world of the first. */
async function withWays(t) {
  const address = await postgres(t);
  const ways = [await postgresProxy(t, address), await postgresProxy(t, address)];
  const nodes = [await startNode(t, ways[0].address, ['--world', 'lab=empty']), await startNode(t, ways[1].address, ['--world', 'lab=empty'])];
  const client = await nodes[0].connect('lab', { reconnect: true, session: 'hands' });
  await client.call('particles.spawn', SPAWN);
  await sleep(TAKEOVER_MS);
  return { ways, nodes, client };
}

const particles = async (client) => (await client.call('world.get')).counts.particles;

test('while the database is lost worlds run and changes are refused; then all goes on where it was, and nothing acknowledged is lost', { timeout: OUTAGE_MS + 120000 }, async (t) => {
  const { ways, nodes, client } = await withWays(t);
  const numbered = new Numbered(client);
  numbered.start(50);
  await until(() => numbered.answers.length > 10, 'acknowledged commands');
  const { tick } = await client.call('world.get');
  for (const way of ways) way.cut();
  await until(async () => (await fetch(nodes[0].http('/healthz'))).status === 503, 'the word of it');
  await sleep(OUTAGE_MS);
  await assert.rejects(client.call('particles.spawn', SPAWN), /nothing was changed, because it could not be stored: .*database/);
  const { store, status, node } = await health(nodes[0]);
  assert.equal(status, 'failing');
  assert.deepEqual(node, { url: `http://127.0.0.1:${nodes[0].port}`, leased: false });
  assert.match(store.reason, /PostgreSQL|database/);
  const running = await client.call('world.get');
  assert.ok(running.tick > tick + 0.03 * OUTAGE_MS, 'it runs');
  assert.equal(running.unstored, true, 'and whoever looks on knows');
  ways[1].mend(); // the other node is back first
  await until(async () => (await health(nodes[1])).store.well, 'the other node');
  await sleep(2000);
  ways[0].mend();
  await until(() => client.call('particles.spawn', SPAWN).then(() => true, () => false), 'a change');
  assert.equal((await health(nodes[0])).worlds.length, 1, 'its owner has kept it');
  const mended = performance.now();
  await until(() => numbered.firstAfter(mended) !== undefined, 'an acknowledged command');
  await numbered.stop();
  const { refused, other } = numbered.errors();
  assert.deepEqual(other, []);
  assert.ok(refused > OUTAGE_MS / 200, `${refused} refused`);
  const { acknowledged, ...wrong } = await numbered.check();
  t.diagnostic(`${acknowledged} acknowledged, ${refused} refused`);
  assert.deepEqual(wrong, { lost: 0, twice: 0, disordered: 0 });
  assert.equal((await client.call('world.get')).unstored, undefined);
  assert.equal((await health(nodes[0])).status, 'ok');
});

test('a node that alone has lost the database refuses changes, and its clients go to the one that took the world', async (t) => {
  const { ways, nodes, client } = await withWays(t);
  ways[0].cut();
  await ownerOf([nodes[1]], 'lab');
  await assert.rejects(client.call('particles.spawn', SPAWN), /nothing was changed, because it could not be stored/);
  const moved = next(client, 'hello', () => true);
  ways[0].mend();
  await moved;
  assert.equal(await particles(client), 1);
  await client.call('particles.spawn', SPAWN);
  assert.equal(await particles(await nodes[1].connect('lab')), 2);
  assert.deepEqual((await health(nodes[0])).worlds, []);
});

test('a session that cannot be resumed, for the database is lost, makes no change a second time', async (t) => {
  const { ways, nodes } = await withWays(t);
  const first = await RawSocket.open(t, nodes[0].url('lab'));
  await first.next();
  await first.ask('key', 'session.resume', { session: 'other' });
  const { result } = await first.ask(1, 'particles.spawn', SPAWN);
  await nodes[0].end('SIGKILL');
  await ownerOf([nodes[1]], 'lab');
  const come = async () => {
    const raw = await RawSocket.open(t, nodes[1].url('lab'));
    await raw.next();
    return raw;
  };
  const second = await come();
  ways[1].cut();
  await until(async () => (await fetch(nodes[1].http('/healthz'))).status === 503, 'the word of it');
  assert.match((await second.ask('key', 'session.resume', { session: 'other' })).error.message, /PostgreSQL/);
  ways[1].mend();
  await until(async () => (await health(nodes[1])).store.well, 'the database');
  assert.equal((await second.ask(2, 'world.get')).result.counts.particles, 2, 'it may watch');
  second.send({ jsonrpc: '2.0', id: 1, method: 'particles.spawn', params: SPAWN }); // it may have been made before
  assert.equal((await second.closed).code, 1013);
  const third = await come();
  assert.ok((await third.ask('key', 'session.resume', { session: 'other' })).result);
  assert.deepEqual((await third.ask(1, 'particles.spawn', SPAWN)).result, result);
  assert.equal((await third.ask(2, 'world.get')).result.counts.particles, 2);
});

test('a world whose hash differs is refused by every node, which goes on with the others', async (t) => {
  const { address, nodes } = await startNodes(t, 3, ['--world', 'lab=empty', '--world', 'other=empty']);
  const owner = await ownerOf(nodes, 'lab');
  const rest = nodes.filter((node) => node !== owner);
  const client = await owner.connect('lab');
  await client.call('particles.spawn', SPAWN);
  await sleep(TAKEOVER_MS);
  await owner.end('SIGKILL');
  const told = await run('psql', [address, '-c', "UPDATE hash SET hash=hash+1 WHERE world=(SELECT world FROM world WHERE name='lab')"]);
  assert.equal(told.status, 0, told.stderr);
  const aside = async (node) => (await health(node)).setAside?.map(({ name }) => name).join() === 'lab';
  await until(async () => (await aside(rest[0])) && (await aside(rest[1])), 'both refuse it');
  await ownerOf(rest, 'other');
  await sleep(2000);
  for (const node of rest) {
    assert.equal((await fetch(node.http('/worlds/lab'), { redirect: 'manual' })).status, 404, 'it is nowhere');
    assert.ok(node.stderr.match(/lab: damaged and unavailable/g).length === 1, 'it is tried once');
  }
});

test('a world that another physics version computed is not taken', async (t) => {
  const { address, nodes } = await startNodes(t, 2, LAB);
  const owner = await ownerOf(nodes, 'lab');
  const [other] = nodes.filter((node) => node !== owner);
  await sleep(TAKEOVER_MS);
  await owner.end('SIGKILL');
  const told = await run('psql', [address, '-c', 'UPDATE timeline SET physics=7']);
  assert.equal(told.status, 0, told.stderr);
  await until(async () => (await health(other)).setAside, 'the refusal');
  const [{ name, reason }] = (await health(other)).setAside;
  assert.equal(name, 'lab');
  assert.match(reason, /physics version 7 computed it, and this node has version \d+/);
});

test('a node lets a world go that the table gives to another, by whatever epoch: a promoted standby may lack the last takes', async (t) => {
  const { address, nodes } = await startNodes(t, 2, LAB);
  const client = await nodes[0].connect('lab', { reconnect: true, session: 'hands' });
  for (const change of [4, 0, -1]) {
    const owner = await ownerOf(nodes, 'lab');
    const other = nodes.find((node) => node !== owner);
    const url = `http://127.0.0.1:${other.port}`;
    const told = await run('psql', [address, '-c', `UPDATE owner SET epoch=epoch+${change}, url='${url}', node=(SELECT node FROM node WHERE url='${url}')`]);
    assert.equal(told.status, 0, told.stderr);
    await until(async () => (await health(owner)).worlds.length === 0 && (await health(other)).worlds.length === 1, 'the move');
    await until(() => client.call('particles.spawn', SPAWN).then(() => true, () => false), 'a change there');
  }
});

test('a world that went away comes back to the same node, and goes on there', async (t) => {
  const { nodes } = await startNodes(t, 2, ['--world', 'lab=cloth']);
  const first = await ownerOf(nodes, 'lab');
  const client = await first.connect('lab', { reconnect: true, session: 'hands' });
  const silent = await RawSocket.open(t, first.url('lab')); // stays in the world that left
  await silent.next();
  const url = (node) => `http://127.0.0.1:${node.port}`;
  let made = 0;
  for (let round = 0; round < 6; round++) {
    const owner = await ownerOf(nodes, 'lab');
    const other = nodes.find((node) => node !== owner);
    await client.call('node.drain', { url: url(other), draining: false });
    await client.call('node.drain', { url: url(owner) });
    await until(async () => (await health(owner)).worlds.length === 0 && (await health(other)).worlds.length === 1, 'the move');
    await until(() => client.call('particles.spawn', SPAWN).then(() => ++made, () => false), 'a change there');
  }
  const { counts } = await client.call('world.get');
  assert.equal(counts.particles - made, 1600);
});

// As server/CLUSTER.md says: the next two tests.

test('worlds of an older physics version come into a cluster by a server that has the database alone for a moment', async (t) => {
  const address = await postgres(t);
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'weft.db'), gunzipSync(await readFile(join(ROOT, 'tests/stores/physics-1.db.gz'))));
  const copied = await run(WEFTCTL, ['store', 'copy', folder, address]);
  assert.equal(copied.status, 0, copied.stderr);
  const node = await startNode(t, address);
  const aside = (await health(node)).setAside.find(({ name }) => name === 'lab');
  assert.match(aside.reason, /physics version 1 computed it/);
  await node.stop();
  const alone = await Weftd.start(t, ['--store', address, '--paused']);
  const { stateHash, recomputed } = await (await alone.connect('lab')).call('world.get');
  assert.equal(recomputed.physics, 1);
  await alone.stop();
  const again = await startNode(t, address, ['--paused']);
  assert.equal((await (await again.connect('lab')).call('world.get')).stateHash, stateHash);
  assert.equal((await health(again)).setAside, undefined);
});

test('a dump of the database that is made while nodes run holds what was answered before, and nodes go on with it', async (t) => {
  const address = await postgres(t);
  const node = await startNode(t, address, LAB);
  const client = await node.connect('lab');
  await client.call('particles.spawn', SPAWN);
  const { stateHash } = await client.call('world.get');
  const file = join(await dataFolder(t), 'weft.dump');
  const dumped = await run('pg_dump', ['--format=custom', `--file=${file}`, address]);
  assert.equal(dumped.status, 0, dumped.stderr);
  await client.call('particles.spawn', SPAWN);
  await node.stop();
  const made = await run('psql', [address, '-c', "CREATE DATABASE restored TEMPLATE template0 ENCODING 'UTF8'"]);
  assert.equal(made.status, 0, made.stderr);
  const other = address.replace('/weft?', '/restored?');
  const restored = await run('pg_restore', ['--no-owner', `--dbname=${other}`, file]);
  assert.equal(restored.status, 0, restored.stderr);
  const again = await startNode(t, other, ['--paused']);
  await ownerOf([again], 'lab');
  assert.equal((await (await again.connect('lab')).call('world.get')).stateHash, stateHash);
});

// 300 calls, 20 ms apart; then the number of particles.

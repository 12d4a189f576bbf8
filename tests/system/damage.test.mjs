// SPDX-License-Identifier: MIT
// Damaged stores: a world that cannot be restored is set aside and the others run; weftctl salvage extracts the intact data;
// a modified log is reported, and left unchanged.

import assert from 'node:assert/strict';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { sleep } from '../support/wait.mjs';
import { run, Weftd, WEFTCTL, WEFTD } from '../support/weftd.mjs';

/** Runs SQL in a store that no server uses. */
async function change(folder, sql) {
  const program = 'import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nd.executescript(sys.argv[2])\nd.close()';
  const { status, stderr } = await run('/usr/bin/python3', ['-c', program, join(folder, 'weft.db'), sql]);
  assert.equal(status, 0, stderr);
}

const spawn = (x) => ['body.spawn', { shape: 'box', size: [0.2, 0.2, 0.2], position: [x, 3, 0] }];

/** The folder of a killed server with the worlds good (1) and bad (2), and their states. */
async function killed(t) {
  const folder = await dataFolder(t);
  const server = await Weftd.start(t, ['--data', folder, '--world', 'good=empty', '--world', 'bad=empty', '--paused']);
  const states = {};
  for (const name of ['good', 'bad']) {
    const client = await server.connect(name);
    for (let i = 0; i < 6; i++) {
      await client.call(...spawn(i));
      await client.call('world.step', { ticks: 30 });
    }
    states[name] = await client.call('world.get');
  }
  const client = await server.connect('good'); // so that the log is not empty, whatever was checkpointed meanwhile
  for (let i = 0; i < 4; i++) await client.call(...spawn(i));
  states.good = await client.call('world.get');
  server.process.kill('SIGKILL');
  await server.exited;
  return { folder, states };
}

const DAMAGES = {
  'a command was changed': 'UPDATE entry SET record=zeroblob(9) WHERE world=2 AND sequence=4',
  'a command is gone': 'DELETE FROM entry WHERE world=2 AND sequence=4',
  'every snapshot was changed': 'UPDATE snapshot SET hash=hash+1 WHERE world=2',
  'every snapshot is gone': 'DELETE FROM snapshot WHERE world=2',
  'a hash was changed': 'UPDATE hash SET hash=hash+1 WHERE world=2 AND tick=120',
  'the row of the timeline was changed': 'UPDATE timeline SET last_sequence=3 WHERE world=2',
  'the row of the timeline is gone': 'DELETE FROM timeline WHERE world=2',
  'the row of the world was changed': "UPDATE world SET settings=zeroblob(4) WHERE world=2",
  'the row of the world is gone': 'DELETE FROM world WHERE world=2',
  'its timeline is of a newer physics version': 'UPDATE timeline SET physics=99 WHERE world=2',
};

test('a world that cannot be brought back is set aside, and the others run', async (t) => {
  const { folder: whole, states } = await killed(t);
  for (const [what, sql] of Object.entries(DAMAGES)) {
    const folder = await dataFolder(t);
    await cp(whole, folder, { recursive: true });
    await change(folder, sql);
    const name = /row of the world is gone/.test(what) ? 'world-2' : 'bad';
    for (let start = 0; start < 2; start++) {
      const server = await Weftd.start(t, ['--data', folder, '--paused']);
      const client = await server.connect('good');
      const { worlds, setAside } = await client.call('world.list');
      assert.deepEqual(setAside?.map((world) => world.name), [name], what);
      assert.ok(setAside[0].reason.length > 10, what);
      assert.equal(worlds.some((world) => world.name === name), false);
      const { stateHash } = await client.call('world.get');
      assert.equal(stateHash, states.good.stateHash, what);
      const response = await fetch(server.http('/healthz'));
      const health = await response.json();
      assert.deepEqual([response.status, health.status, health.setAsideCount, health.setAside[0].name], [200, 'degraded', 1, name]);
      assert.match(await (await fetch(server.http('/metrics'))).text(), /^weft_store_set_aside_worlds 1$/m);
      assert.match(server.stderr, new RegExp(`error store: ${name}: damaged and unavailable; the other worlds run: .*weftctl salvage`));
      await assert.rejects(client.call('world.create', { name, scene: 'empty' }), /already/);
      await client.call('world.step', { ticks: 1 });
      states.good.stateHash = (await client.call('world.get')).stateHash;
      if (start === 1) {
        await client.call('world.remove', { name });
        assert.equal((await client.call('world.list')).setAside, undefined);
        assert.equal((await (await fetch(server.http('/healthz'))).json()).status, 'ok');
      }
      await server.end('SIGTERM');
    }
    states.good.stateHash = (await reopened(t, whole)).stateHash;
  }
});

/** The state of the world good in an intact store. */
async function reopened(t, whole) {
  const folder = await dataFolder(t);
  await cp(whole, folder, { recursive: true });
  const server = await Weftd.start(t, ['--data', folder, '--paused']);
  const state = await (await server.connect('good')).call('world.get');
  await server.end('SIGTERM');
  return state;
}

test('a server of which no world can be brought back does not start, and says why', async (t) => {
  const { folder } = await killed(t);
  await change(folder, 'UPDATE snapshot SET hash=hash+1');
  const { status, stderr } = await run(WEFTD, ['--port', '0', '--data', folder, '--world', 'good=empty']);
  assert.notEqual(status, 0);
  assert.match(stderr, /good: damaged and unavailable/);
  assert.match(stderr, /none of its 2 worlds can be brought back.*weftctl salvage/);
});

const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096; // a header and a page

/** Flips a bit in the middle of the frames that SQLite has written since the last checkpoint: those with the salt of the header. */
async function flipBit(log) {
  const bytes = await readFile(log);
  const salt = bytes.subarray(16, 24);
  const start = (frame) => HEADER_BYTES + frame * FRAME_BYTES;
  let frames = 0;
  while (start(frames + 1) <= bytes.length && salt.equals(bytes.subarray(start(frames) + 8, start(frames) + 16))) frames++;
  bytes[start(Math.floor(frames / 2)) + 600] ^= 8; // one page of one of many commits
  await writeFile(log, bytes);
  return bytes;
}

test('a bit that flips in the write-ahead log stops the server with a report, and a copy of the log is kept', async (t) => {
  const { folder } = await killed(t);
  const log = join(folder, 'weft.db-wal');
  const bytes = await flipBit(log);
  for (let start = 0; start < 2; start++) {
    const { status, stderr } = await run(WEFTD, ['--port', '0', '--data', folder]);
    assert.notEqual(status, 0);
    assert.match(stderr, /weft\.db is damaged: frame \d+ of \d+ of its write-ahead log was changed, and \d+ intact commits lie behind that/);
    assert.deepEqual(await readFile(log), bytes, 'it is as it was');
    const copies = (await readdir(folder)).filter((name) => name.startsWith('weft.db-wal.damaged-'));
    assert.equal(copies.length, 1);
    assert.deepEqual(await readFile(join(folder, copies[0])), bytes);
  }
});

test('a write-ahead log that was cut, emptied or deleted is reported with how much is missing', async (t) => {
  const { folder: whole } = await killed(t);
  const harms = [
    async (log) => writeFile(log, (await readFile(log)).subarray(0, 4000)),
    (log) => writeFile(log, ''),
    (log) => rm(log),
  ];
  for (const harm of harms) {
    const folder = await dataFolder(t);
    await cp(whole, folder, { recursive: true });
    await harm(join(folder, 'weft.db-wal'));
    const { status, stderr } = await run(WEFTD, ['--port', '0', '--data', folder]);
    assert.notEqual(status, 0);
    assert.match(stderr, /weft\.db is damaged: \d+ acknowledged commits are missing/);
  }
});

test('a database that is empty or gone beside its log or its mark is damage, not a new store', async (t) => {
  const { folder: whole } = await killed(t);
  for (const gone of [['weft.db'], ['weft.db', 'weft.db-wal']]) {
    for (const harm of [rm, (path) => writeFile(path, '')]) {
      const folder = await dataFolder(t);
      await cp(whole, folder, { recursive: true });
      for (const name of gone) await harm(join(folder, name));
      const { status, stderr } = await run(WEFTD, ['--port', '0', '--data', folder]);
      assert.notEqual(status, 0);
      assert.match(stderr, /weft\.db is damaged: it is (empty|gone), but/);
    }
  }
});

/** The contents of a salvaged folder: states by world, from a server that starts on it without errors. */
async function salvaged(t, folder, status, words) {
  const made = join(await dataFolder(t), 'salvaged');
  const before = await snapshotOf(folder);
  const told = await run(WEFTCTL, ['salvage', folder, made]);
  assert.equal(told.status, status, told.stdout + told.stderr);
  assert.match(told.stdout, words);
  assert.deepEqual(await snapshotOf(folder), before, 'the damaged folder was not changed');
  assert.deepEqual((await readdir(made)).filter((name) => name.startsWith('salvage')), []);
  const server = await Weftd.start(t, ['--data', made, '--paused', '--world', 'other=empty']);
  const states = {};
  const { worlds, setAside } = await (await server.connect('other')).call('world.list');
  assert.equal(setAside, undefined);
  for (const { name } of worlds) {
    const client = await server.connect(name);
    states[name] = await client.call('world.get');
    if (name === 'other') continue;
    await client.call('world.seek', { tick: Math.floor(states[name].tick / 2) });
    await client.call('world.seek', {});
    assert.equal((await client.call('world.get')).stateHash, states[name].stateHash);
  }
  await server.end('SIGTERM');
  return states;
}

async function snapshotOf(folder) {
  const files = {};
  for (const name of ['weft.db', 'weft.db-wal', 'weft.mark']) files[name] = await readFile(join(folder, name)).catch(() => null);
  return files;
}

test('weftctl salvage gives back a whole store as it was', async (t) => {
  const { folder, states } = await killed(t);
  const found = await salvaged(t, folder, 0, /^good: whole, ticks 0 to 180, .*\nbad: whole, ticks 0 to 180, /);
  for (const name of ['good', 'bad']) assert.equal(found[name].stateHash, states[name].stateHash);
});

test('weftctl salvage gets out what lies before a damaged command, and other worlds whole', async (t) => {
  const { folder, states } = await killed(t);
  await change(folder, 'DELETE FROM entry WHERE world=2 AND sequence=6');
  const found = await salvaged(t, folder, 4, /good: whole.*\nbad: in part, ticks 0 to \d+, .*; lost at the end: at least [1-9]/);
  assert.equal(found.good.stateHash, states.good.stateHash);
  assert.ok(found.bad.tick > 60 && found.bad.tick < 180, `${found.bad.tick}`);
  assert.ok(found.bad.counts.objects >= 3);
});

test('weftctl salvage finds a world again whose own row, or timeline, is gone', async (t) => {
  const { folder: whole, states } = await killed(t);
  for (const [sql, name] of [['DELETE FROM world WHERE world=2', 'world-2'], ['DELETE FROM timeline WHERE world=2', 'bad']]) {
    const folder = await dataFolder(t);
    await cp(whole, folder, { recursive: true });
    await change(folder, sql);
    const found = await salvaged(t, folder, 4, new RegExp(`good: whole.*\n${name}: in part, ticks 0 to 180`));
    assert.equal(found[name].stateHash, states.bad.stateHash);
  }
});

test('weftctl salvage gets commits out of a log that SQLite would leave out', async (t) => {
  const { folder, states } = await killed(t);
  await flipBit(join(folder, 'weft.db-wal'));
  const refused = await run(WEFTD, ['--port', '0', '--data', folder]);
  assert.match(refused.stderr, /is damaged/);
  const made = join(await dataFolder(t), 'salvaged');
  const { stdout } = await run(WEFTCTL, ['salvage', folder, made]);
  const server = await Weftd.start(t, ['--data', made, '--paused', '--world', 'other=empty']);
  const { worlds } = await (await server.connect('other')).call('world.list');
  const good = worlds.find(({ name }) => name === 'good');
  assert.ok(good !== undefined && good.tick >= 150, stdout);
  t.diagnostic(stdout.trim());
  assert.ok(states.good.tick >= good.tick);
});

test('weftctl salvage refuses a folder that is in use, that holds no store, or that has one already', async (t) => {
  const folder = await dataFolder(t);
  const server = await Weftd.start(t, ['--data', folder]);
  const inUse = await run(WEFTCTL, ['salvage', folder, join(folder, 'new')]);
  assert.deepEqual([inUse.status, /a server uses .*stop it first/.test(inUse.stderr)], [2, true]);
  await server.end('SIGTERM');
  const nothing = await run(WEFTCTL, ['salvage', await dataFolder(t), join(folder, 'new')]);
  assert.deepEqual([nothing.status, /there is no store/.test(nothing.stderr)], [2, true]);
  const taken = await run(WEFTCTL, ['salvage', folder, folder]);
  assert.deepEqual([taken.status, /there is a store in .* already/.test(taken.stderr)], [2, true]);
  assert.equal((await run(WEFTCTL, ['salvage'])).status, 2);
});

test('weftctl salvage says how many acknowledged commits are missing when the log is gone', async (t) => {
  const { folder } = await killed(t);
  await writeFile(join(folder, 'weft.db-wal'), '');
  const { status, stderr } = await run(WEFTCTL, ['salvage', folder, join(await dataFolder(t), 'salvaged')]);
  assert.notEqual(status, 0);
  assert.match(stderr, /[1-9]\d* commits that were acknowledged are missing altogether|nothing of any world can be read/);
});

/** Waits until the server's health is `status`. */
async function healthIs(server, status) {
  for (let i = 0; i < 100; i++) {
    const response = await fetch(server.http('/healthz'));
    const health = await response.json();
    if (response.status === status) return health;
    await sleep(100);
  }
  throw new Error(`/healthz is not ${status}`);
}

test('a data folder that is deleted or moved while the server runs is noticed, and changes are refused', async (t) => {
  const parent = await dataFolder(t);
  const folder = join(parent, 'data');
  const server = await Weftd.start(t, ['--data', folder, '--world', 'lab=empty', '--paused']);
  const client = await server.connect('lab');
  await client.call(...spawn(0));
  await rename(folder, join(parent, 'elsewhere'));
  const health = await healthIs(server, 503);
  assert.match(health.store.reason, /weft\.db was deleted or replaced while the server runs/);
  assert.match(server.stderr, /error store: nothing can be stored: .*deleted or replaced/);
  await assert.rejects(client.call(...spawn(1)), /could not be stored: .*deleted or replaced/);
  await rename(join(parent, 'elsewhere'), folder); // restores the folder
  await healthIs(server, 200);
  await client.call(...spawn(2));
  await rm(folder, { recursive: true });
  await assert.rejects(client.call(...spawn(3)), /stored/); // with the very next change
  await server.end('SIGTERM');
});

test('a write-ahead log or a mark that is deleted while the server runs is made again, and nothing is lost', async (t) => {
  const folder = await dataFolder(t);
  const server = await Weftd.start(t, ['--data', folder, '--world', 'lab=empty', '--paused']);
  const client = await server.connect('lab');
  await client.call(...spawn(0));
  await rm(join(folder, 'weft.db-wal'));
  await rm(join(folder, 'weft.mark'));
  await client.call(...spawn(1));
  await client.call('world.step', { ticks: 10 });
  await client.call(...spawn(2));
  const { stateHash } = await client.call('world.get');
  assert.match(server.stderr, /weft\.db-wal was deleted while the server runs/);
  server.process.kill('SIGKILL');
  await server.exited;
  const again = await Weftd.start(t, ['--data', folder, '--paused']);
  assert.equal((await (await again.connect('lab')).call('world.get')).stateHash, stateHash);
  await again.end('SIGTERM');
});

test('a pipe in the place of a file of the store is refused at once, and nobody waits for it', async (t) => {
  for (const name of ['weft.db', 'weft.db-wal', 'weft.mark', 'weft.lock']) {
    const folder = await dataFolder(t);
    assert.equal((await run('/usr/bin/mkfifo', [join(folder, name)])).status, 0);
    const started = await run('/usr/bin/timeout', ['20', WEFTD, '--port', '0', '--data', folder]);
    assert.notEqual(started.status, 124, `${name}: the server waited`);
    assert.match(started.stderr, new RegExp(`${name.replace('.', '\\.')} is not a regular file`));
    if (!name.startsWith('weft.db')) continue; // without either file there is no store to save
    const saved = await run('/usr/bin/timeout', ['20', WEFTCTL, 'salvage', folder, join(folder, 'new')]);
    assert.notEqual(saved.status, 124, `${name}: salvage waited`);
    assert.match(saved.stderr, /is not a regular file/);
  }
});

// SPDX-License-Identifier: MIT
// The recorded commands of a world are complete, and programs made of them repeat the commands on another server: each format
// that the page copies gives the same hash of the state.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordAll } from '../../web/viewer/script/recording.js';
import { FORMS } from '../../web/viewer/script/writers.js';
import { dataFolder } from '../support/data.mjs';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const RUN = {
  python: (file) => ['/usr/bin/python3', [file]],
  javascript: (file) => [process.execPath, [file]],
  weftctl: (file) => ['sh', [file]],
  json: (file, single) => [WEFTCTL, [single ? 'run' : 'rebuild', file]],
};

// A folder for programs, where Node finds the package ws.
async function programFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-rebuild-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'tests/node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Runs a recording in every format, each in a new world; returns outputs and exit codes. */
async function runAll(t, recording, server) {
  const folder = await programFolder(t);
  const ends = [];
  for (const [index, { id, file, write }] of FORMS.entries()) {
    const client = await server.connect('main');
    await client.call('world.create', { name: `copy-${index}`, scene: 'rope' });
    const url = server.url(`copy-${index}`);
    const path = join(folder, file);
    await writeFile(path, write({ ...recording, url }));
    const [program, args] = RUN[id](path, !recording.scene && recording.commands.length === 1);
    const env = { PATH: `${join(WEFTCTL, '..')}:${process.env.PATH}`, WEFT_URL: url };
    const { status, stdout, stderr } = await run(program, args, { env });
    ends.push({ id, status, hash: stdout.trim(), stderr });
  }
  return ends;
}

async function begin(t, env = {}) {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--paused', '--log-level', 'warn'], { env });
  const client = await server.connect('main');
  const call = (method, params) => client.call(method, params);
  return { server, call };
}

test('what was done is done again by Python, JavaScript, weftctl and raw JSON, to the bit', async (t) => {
  const { server, call } = await begin(t);
  await call('scene.load', { name: 'rope' });
  await call('world.step', { ticks: 7 });
  await call('scene.load', { name: 'tearing' });
  const { objects } = await call('object.list');
  const curtain = objects.find(({ name }) => name === 'curtain');
  await call('world.step', { ticks: 12 });
  await call('force.apply', { object: curtain.object, force: [-0, 3, 40.125], ticks: 3 });
  const gone = await call('cloth.spawn', { columns: 3, rows: 3, position: [0, 4, 0] });
  await call('world.step', { ticks: 1 });
  await call('object.remove', { object: gone.object });
  await call('rope.spawn', { from: [0, 4, 0], to: [1, 4, 0], particles: 8, name: 'it\'s a "rope" – 縄 \\' });
  await call('world.undo');
  const { results } = await call('batch.run', {
    commands: [
      { method: 'rope.spawn', params: { from: [0, 4, 0], to: [1, 4, 0], particles: 8, pin: 'start' } },
      { method: 'world.set', params: { gravity: [0, -3.7, 0.1] } },
      { method: 'body.spawn', params: { position: [1, 3.6, 0] } },
      { method: 'stick.add', params: { a: { object: '$0', particle: 7 }, b: { object: '$2', particle: 3 } } },
      { method: 'obstacle.add', params: { shape: 'sphere', radius: 0.3, position: [1, 1, 0] } },
    ],
  });
  const { grab } = await call('grab.start', { object: results[2].object, particle: 1 });
  for (let i = 1; i <= 20; i++) {
    await call('grab.move', { grab, position: [1 + i / 40, 3.6 - i / 30, 0.1] });
    await call('world.step', { ticks: 1 });
  }
  await call('grab.end', { grab });
  await call('stick.remove', { stick: results[3].stick });
  const other = await server.connect('main');
  const held = await other.call('grab.start', { object: curtain.object, particle: 650 });
  await other.call('grab.move', { grab: held.grab, position: [2, 1.2, 1] });
  await call('world.step', { ticks: 15 });
  other.close();
  while ((await call('world.get')).counts.grabs > 0) await call('world.step', { ticks: 1 });
  await call('particle.pin', { object: results[0].object, particles: [7] });
  await call('world.step', { ticks: 30 });
  await call('obstacle.remove', { obstacle: results[4].obstacle });
  const recording = await recordAll(call, server.url('main'));
  assert.equal(recording.stateHash, (await call('world.get')).stateHash, 'also of what no step has seen yet');
  const others = await Weftd.start(t, ['--log-level', 'warn']);
  for (const { id, status, hash, stderr } of await runAll(t, recording, others)) {
    assert.equal(stderr, '', id);
    assert.equal(hash, recording.stateHash, id);
    assert.equal(status, 0, id);
  }
  const wrong = { ...recording, stateHash: '0123456789abcdef' };
  const more = await Weftd.start(t, ['--log-level', 'warn']);
  for (const { id, status, stderr } of await runAll(t, wrong, more)) {
    assert.notEqual(status, 0, `${id} tells another hash`);
    assert.match(stderr, /0123456789abcdef/, id);
  }
});

test('a scene of one’s own is built from its commands where it is not known, and what was scrubbed back to is told as it was then', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes'), scenes, { recursive: true });
  const { server, call } = await begin(t, { WEFT_SCENES: scenes });
  await call('scene.load', { name: 'plant' });
  await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0] });
  await call('scene.save', { name: 'of-ones-own' });
  await call('scene.load', { name: 'of-ones-own' });
  const { objects } = await call('object.list');
  await call('world.step', { ticks: 5 });
  await call('particle.unpin', { object: objects.at(-1).object, particles: [0] });
  await call('world.step', { ticks: 20 });
  const middle = await call('world.get');
  await call('object.remove', { object: objects.at(-1).object });
  await call('world.step', { ticks: 20 });
  await call('world.replay', { from: middle.tick, speed: 0 });
  assert.equal((await recordAll(call, server.url('main'))).stateHash, middle.stateHash, 'what is only shown');
  await call('world.seek', { tick: middle.tick });
  const recording = await recordAll(call, server.url('main'));
  assert.equal(recording.stateHash, middle.stateHash);
  assert.deepEqual(recording.commands.map(({ method }) => method), ['particle.unpin'], 'what came later was left behind');
  const others = await Weftd.start(t, ['--log-level', 'warn']);
  for (const { id, status, hash, stderr } of await runAll(t, recording, others)) {
    assert.equal(stderr, '', id);
    assert.equal(hash, middle.stateHash, id);
    assert.equal(status, 0, id);
  }
});

test('a branch is no rebuilding from a scene, and says so; chosen commands are given to a world as it is', async (t) => {
  const { server, call } = await begin(t);
  await call('world.step', { ticks: 9 });
  await call('world.branch', { name: 'other' });
  const branch = await server.connect('other');
  await assert.rejects(recordAll((method, params) => branch.call(method, params), server.url('other')), /did not start with a scene/);
  const chosen = [
    { tick: 40, method: 'cloth.spawn', params: { columns: 4, rows: 4, position: [0, 3, 0] }, made: [70] },
    { tick: 52, method: 'force.apply', params: { object: 70, force: [0, 0, 9] }, made: [] },
  ];
  const others = await Weftd.start(t, ['--paused', '--log-level', 'warn']);
  const ends = await runAll(t, { commands: chosen }, others);
  assert.deepEqual(ends.map(({ status, stderr }) => `${status}${stderr}`), ['0', '0', '0', '0']);
  assert.equal(new Set(ends.map(({ hash }) => hash)).size, 1, 'all forms do the same');
  assert.match(ends[0].hash, /^[0-9a-f]{16}$/);
  const one = await runAll(t, { commands: chosen.slice(0, 1) }, await Weftd.start(t, ['--paused', '--log-level', 'warn']));
  assert.deepEqual(one.map(({ status, stderr }) => `${status}${stderr}`), ['0', '0', '0', '0']);
  const [, , weftctl, json] = one;
  assert.equal(JSON.parse(weftctl.hash).particles, 16, 'a single command is a call of weftctl');
  assert.equal(JSON.parse(json.hash).particles, 16, 'or a request');
  const running = await Weftd.start(t, ['--log-level', 'warn']);
  await runAll(t, { commands: [{ tick: 3, method: 'world.pause', params: {}, made: [] }] }, running);
  for (let i = 0; i < 4; i++) {
    const copy = await running.connect(`copy-${i}`);
    assert.equal((await copy.call('world.get')).running, false, 'also the clock is a command');
  }
});

test('a world that began with its scene is told from there, as one that loads it later', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=tearing', '--data', await dataFolder(t), '--paused', '--log-level', 'warn']);
  const client = await server.connect('main');
  const call = (method, params) => client.call(method, params);
  const { objects } = await call('object.list');
  await call('world.step', { ticks: 3 });
  await call('object.remove', { object: objects[1].object });
  await call('world.step', { ticks: 3 });
  const first = await recordAll(call, server.url('main'));
  assert.equal(first.scene.firstId, 1);
  await call('world.reset');
  const anew = (await call('object.list')).objects;
  await call('object.remove', { object: anew[1].object });
  await call('world.step', { ticks: 3 });
  const second = await recordAll(call, server.url('main'));
  for (const recording of [first, second]) {
    const others = await Weftd.start(t, ['--log-level', 'warn']);
    for (const { id, status, hash, stderr } of await runAll(t, recording, others)) {
      assert.equal(`${hash} ${status} ${stderr}`, `${recording.stateHash} 0 `, id);
    }
  }
});

test('what was given again, and what was done before the server was killed, is told too', async (t) => {
  const data = await dataFolder(t);
  const args = ['--world', 'main=rope', '--data', data, '--paused', '--log-level', 'warn'];
  const before = await Weftd.start(t, args);
  const first = await before.connect('main');
  await first.call('world.step', { ticks: 4 });
  const { object } = await first.call('body.spawn', { position: [0, 3, 0] });
  await first.call('world.step', { ticks: 4 });
  await first.call('world.undo');
  await first.call('world.redo');
  await first.call('force.apply', { object, force: [2, 0, 0] });
  await first.call('world.step', { ticks: 4 });
  await before.stop('SIGKILL');
  const server = await Weftd.start(t, args);
  const client = await server.connect('main');
  const call = (method, params) => client.call(method, params);
  await call('particle.pin', { object, particles: [0] });
  await call('world.step', { ticks: 4 });
  const recording = await recordAll(call, server.url('main'));
  assert.deepEqual(recording.commands.map(({ method }) => method), ['body.spawn', 'force.apply', 'particle.pin']);
  const others = await Weftd.start(t, ['--log-level', 'warn']);
  for (const { id, status, hash, stderr } of await runAll(t, recording, others)) {
    assert.equal(`${hash} ${status} ${stderr}`, `${recording.stateHash} 0 `, id);
  }
});

test('weftctl rebuild says what is wrong with a recording', async (t) => {
  const { server } = await begin(t);
  const rebuild = (input) => run(WEFTCTL, ['--url', server.url('main'), 'rebuild', '-'], { input: typeof input === 'string' ? input : JSON.stringify(input) });
  for (const [input, status, words] of [
    ['[1, 2', 1, /is not a JSON object from byte 6 on/],
    [{ scene: { name: 'rope' } }, 1, /a recording has commands/],
    [{ commands: [{ method: 'world.get' }] }, 1, /command 0: it has no tick/],
    [{ commands: [{ tick: 3 }] }, 1, /command 0: it has no method/],
    [{ commands: [{ tick: 1, method: 'rope.spawn', params: { from: [0, 0, 0] } }] }, 1, /command 0: error -32602: .*to/],
    [{ scene: { name: 'rope', firstId: 1, tickHz: 30 }, commands: [] }, 4, /60 ticks a second; the hash wants 30/],
    [{ scene: { name: 'no-such', firstId: 1 }, commands: [] }, 1, /there is no scene "no-such"/],
  ]) {
    const end = await rebuild(input);
    assert.match(end.stderr, words);
    assert.equal(end.status, status, end.stderr);
  }
});

test('a copied program touches nobody’s world unless it is named, and lets a named one run on', async (t) => {
  const { call } = await begin(t);
  await call('scene.load', { name: 'rope' });
  await call('world.step', { ticks: 12 });
  await call('world.set', { gravity: [0, -3, 0] });
  await call('world.step', { ticks: 5 });
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--world', 'named=empty', '--log-level', 'warn']);
  const [mine, named] = [await server.connect('main'), await server.connect('named')];
  await mine.call('cloth.spawn', { columns: 5, rows: 5, position: [0, 3, 0], name: 'my own work' });
  await mine.call('world.pause');
  const before = await mine.call('world.get');
  const recording = await recordAll(call, server.url('main'));
  const folder = await programFolder(t);
  for (const { id, file, write } of FORMS.filter((form) => form.id !== 'json')) {
    const path = join(folder, file);
    await writeFile(path, write(recording));
    const [program, args] = RUN[id](path);
    const env = { PATH: `${join(WEFTCTL, '..')}:${process.env.PATH}` };
    const alone = await run(program, args, { env });
    assert.deepEqual([alone.stderr, alone.stdout.trim(), alone.status], ['', recording.stateHash, 0], id);
    const after = await mine.call('world.get');
    assert.deepEqual([after.stateHash, after.tick, after.epoch, after.running], [before.stateHash, before.tick, before.epoch, false], `${id}: the world that is shown`);
    const { worlds } = await mine.call('world.list');
    assert.ok(worlds.every(({ name, temporary }) => temporary || ['main', 'named'].includes(name)), `${id} leaves nothing that stays`);

    assert.equal((await named.call('world.get')).running, true);
    const there = await run(program, args, { env: { ...env, WEFT_URL: server.url('named') } });
    assert.deepEqual([there.stderr, there.stdout.trim(), there.status], ['', recording.stateHash, 0], `${id} in a world that is named`);
    const end = await named.call('world.get');
    assert.deepEqual([end.running, end.scene], [true, 'rope'], `${id}: it runs on`);
    await writeFile(path, write({ ...recording, stateHash: '0123456789abcdef' }));
    assert.notEqual((await run(program, args, { env: { ...env, WEFT_URL: server.url('named') } })).status, 0);
    assert.equal((await named.call('world.get')).running, true, `${id}: it runs on, also when the hash is another one`);
  }
});

test('where weftctl is not on the path a copied script finds it beside the build, or says where it is', async (t) => {
  const folder = await programFolder(t);
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused', '--log-level', 'warn']);
  const chosen = [{ tick: 1, method: 'world.set', params: { damping: 0.5 }, made: [] }, { tick: 2, method: 'world.set', params: { damping: 0.25 }, made: [] }];
  const path = join(folder, 'rebuild.sh');
  await writeFile(path, FORMS.find(({ id }) => id === 'weftctl').write({ url: server.url('main'), commands: chosen }));
  const away = ['-c', 'cd / && exec /bin/sh "$0"', path]; // in a folder without a build folder
  const bare = await run('/bin/sh', away, { env: { PATH: '/usr/bin:/bin' } });
  assert.equal(bare.status, 127);
  assert.match(bare.stderr, /^weftctl is not found: it is build\/weftctl where Weft was built; put that folder on the PATH/);
  await symlink(join(WEFTCTL, '..'), join(folder, 'build'));
  const found = await run('/bin/sh', away, { env: { PATH: '/usr/bin:/bin' } });
  assert.deepEqual([found.status, found.stderr], [0, '']);
  assert.equal((await (await server.connect('main')).call('world.get')).damping, 0.25);
});

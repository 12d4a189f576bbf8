// SPDX-License-Identifier: MIT
// Scenes: listing, loading, saving, and equality after loading a saved scene.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { next } from '../support/wait.mjs';
import { laboratory, ROOT, run, WEFTD } from '../support/weftd.mjs';

/** A laboratory with a writable folder of scenes. */
async function studio(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(join(ROOT, 'server/scenes'), folder, { recursive: true });
  return { folder, ...(await laboratory(t, ['--scenes', folder])) };
}

test('scenes are listed with what they show, and each can be loaded and stepped', async (t) => {
  const { call } = await laboratory(t);
  const { scenes } = await call('scene.list');
  const names = scenes.map(({ name }) => name);
  for (const name of ['default', 'empty']) assert.ok(names.includes(name), names.join());
  for (const { name, title } of scenes) {
    assert.ok(title.length > 0);
    await call('scene.load', { name });
    const { scene, tick } = await call('world.get');
    assert.deepEqual([scene, tick], [name, 0]);
    await call('world.step', { ticks: 10 });
  }
  await assert.rejects(call('scene.load', { name: 'no-such-scene' }), { code: -32002 });
  await assert.rejects(call('scene.load', { name: '../../etc/passwd' }), { code: -32602 });
});

test('scenes are listed by chapter, in the order of the files, and saved ones at the end', async (t) => {
  const { folder, call } = await studio(t);
  const write = (name, about) => writeFile(join(folder, `${name}.json`), JSON.stringify({ ...about, commands: [] }));
  await write('b-first', { chapter: 'Before all', order: 1 });
  await write('a-second', { chapter: 'Before all', order: 2 });
  await write('a-loose', { title: 'Without a place' });
  await call('scene.save', { name: 'a-saved' });
  const { scenes } = await call('scene.list');
  const rows = scenes.map(({ name, chapter, saved }) => [name, chapter, saved]);
  assert.deepEqual(rows.slice(0, 4), [['b-first', 'Before all', false], ['a-second', 'Before all', false], ['default', 'Overview', false], ['particles-in-a-box', 'Verlet integration', false]]);
  assert.deepEqual(rows.slice(-3), [['empty', 'Empty worlds', false], ['a-loose', undefined, false], ['a-saved', undefined, true]]);
  const chapters = scenes.map(({ chapter }) => chapter).filter((chapter, at, all) => chapter !== all[at - 1]);
  assert.equal(new Set(chapters).size, chapters.length, 'the scenes of a chapter stand together');
});

test('a scene is the same each time it is loaded', async (t) => {
  const { call, hash } = await laboratory(t);
  const hashes = [];
  for (let i = 0; i < 2; i++) {
    await call('scene.load', { name: 'default' });
    hashes.push(await hash());
    await call('world.step', { ticks: 60 });
    hashes.push(await hash());
    await call('world.reset');
    hashes.push(await hash());
  }
  assert.equal(hashes[2], hashes[0], 'after a reset');
  assert.deepEqual(hashes.slice(3), hashes.slice(0, 3), 'after loading it again');
});

test('a viewer is told of a scene that was loaded', async (t) => {
  const { call, client } = await laboratory(t);
  await client.subscribeFrames();
  await client.subscribeEvents(['world.changed']);
  const [changed, frame] = [next(client, 'world.changed'), next(client, 'frame', ({ count }) => count > 0)];
  await call('scene.load', { name: 'default' });
  assert.deepEqual([(await changed).reason, (await changed).scene], ['load', 'default']);
  const { epoch, count } = await frame;
  assert.deepEqual([client.topology.epoch, client.topology.particles], [epoch, count]);
});

test('a saved scene, loaded again, has the same things in it', async (t) => {
  const { call, folder } = await studio(t);
  const { object: cloth } = await call('cloth.spawn', { columns: 8, rows: 6, mesh: 'hex', position: [0, 3, 0], rotation: [0, 0.6, 0, 0.8], color: '#336699', name: 'sail' });
  const { object: gone } = await call('body.spawn', { position: [5, 5, 5] });
  const { object: body } = await call('body.spawn', { position: [2, 5, 0] });
  const { object: rope } = await call('rope.spawn', { from: [-2, 4, 0], to: [-1, 4, 0], particles: 9, pin: 'both' });
  await call('mesh.spawn', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2], position: [4, 4, 4] });
  await call('particles.spawn', { positions: [1, 1, 1, 2, 2, 2], velocities: [0, 1, 0, 0, 0, 0], radius: 0.1 });
  await call('stick.add', { a: { object: rope, particle: 4 }, b: { object: body, particle: 0 }, restLength: 2, kind: 'atMost' });
  await call('obstacle.add', { shape: 'sphere', radius: 0.5, name: 'ball' });
  await call('object.remove', { object: gone });
  await call('particle.pin', { object: cloth, particles: [20] });
  await call('particle.unpin', { object: cloth, particles: [0] });
  await call('world.set', { gravity: [0, -3, 0], substeps: 5, wind: { velocity: [1, 0, 2], gust: 0.25 }, airDensity: 0.5, bounds: { min: [-9, 0, -9], max: [9, 9, 9] } });
  const before = await call('world.get');
  const listed = (await call('object.list')).objects;
  await call('world.step', { ticks: 30 });

  const { commands } = await call('scene.save', { name: 'kept', title: 'What was kept' });
  const file = JSON.parse(await readFile(join(folder, 'kept.json'), 'utf8').catch(() => readFile(join(folder, 'saved/kept.json'), 'utf8')));
  assert.equal(file.commands.length, commands);
  assert.equal(file.title, 'What was kept');
  assert.ok((await call('scene.list')).scenes.some(({ name, title }) => name === 'kept' && title === 'What was kept'));

  await call('scene.load', { name: 'empty' });
  assert.deepEqual((await call('object.list')).objects, []);
  await call('scene.load', { name: 'kept' });
  const after = await call('world.get');
  assert.deepEqual(after.counts, before.counts);
  for (const member of ['gravity', 'substeps', 'iterations', 'damping', 'wind', 'airDensity', 'bounds', 'friction', 'squareRoot']) {
    assert.deepEqual(after[member], before[member], member);
  }
  const plain = (objects) => objects.map(({ object, ...rest }) => ({ ...rest, name: rest.name.replace(/ \d+$/, '') }));
  assert.deepEqual(plain((await call('object.list')).objects), plain(listed));

  await assert.rejects(call('scene.save', { name: 'kept' }), (error) => error.code < 0, 'not without overwrite');
  await call('scene.save', { name: 'kept', overwrite: true });
  await assert.rejects(call('scene.save', { name: 'default', overwrite: true }), (error) => error.code < 0, 'nor what came with Weft');
});

test('a saved scene can be deleted, one that came with Weft cannot, and 256 can be saved', async (t) => {
  const { call, folder } = await studio(t);
  await call('body.spawn', { position: [0, 5, 0] });
  await call('scene.save', { name: 'mine' });
  await assert.rejects(call('scene.delete', { name: 'empty' }), /came with Weft/);
  await assert.rejects(call('scene.delete', { name: 'yours' }), /no saved scene "yours"/);
  assert.deepEqual(await call('scene.delete', { name: 'mine' }), { name: 'mine' });
  assert.ok(!(await call('scene.list')).scenes.some(({ name }) => name === 'mine'));
  await assert.rejects(call('scene.load', { name: 'mine' }), /there is no scene "mine"/);
  const saved = join(folder, 'saved');
  await Promise.all(Array.from({ length: 255 }, (_, i) => writeFile(join(saved, `filler-${i}.json`), '{"title":"x","commands":[]}')));
  await call('scene.save', { name: 'the-last' });
  await assert.rejects(call('scene.save', { name: 'one-more' }), (error) => error.code === -32003 && /at most 256 scenes.*scene\.delete/.test(error.message));
  await call('scene.save', { name: 'the-last', overwrite: true });
  await call('scene.delete', { name: 'filler-7' });
  await call('scene.save', { name: 'one-more' });
});

test('a FIFO among the scenes blocks nobody', async (t) => {
  const { call, folder } = await studio(t);
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  assert.ok((await call('scene.list')).scenes.every(({ name }) => name !== 'pipe'));
  await assert.rejects(call('scene.load', { name: 'pipe' }), /not a regular file/);
  await call('scene.load', { name: 'empty' });
});

const MISTAKES = {
  'an-unknown-member': ['{"commands":[{"method":"cloth.spawn","params":{"columns":3,"rows":3,"spacin":1}}]}', /command 0 \(cloth\.spawn\).*spacin.*spacing/],
  'an-object-that-is-not-there': ['{"commands":[{"method":"rope.spawn","params":{"from":[0,1,0],"to":[1,1,0]}},{"method":"object.remove","params":{"object":77}}]}', /command 1 \(object\.remove\).*77/],
  'a-method-that-is-none': ['{"commands":[{"method":"plant.spown"}]}', /command 0 .*plant\.spown/],
  'no-json': ['{nope', /byte 1/],
  'a-list': ['[]', /object/],
};

test('a scene with a mistake is refused with its name, the command and the member, and the world stays', async (t) => {
  const { call, hash, folder } = await studio(t);
  await call('rope.spawn', { from: [0, 1, 0], to: [1, 1, 0] });
  const before = await hash();
  for (const [name, [text, told]] of Object.entries(MISTAKES)) {
    await writeFile(join(folder, `${name}.json`), text);
    const named = ({ message }) => message.includes(`scene "${name}"`) && told.test(message);
    await assert.rejects(call('scene.load', { name }), named, name);
    assert.equal(await hash(), before, name);
    const { status, stderr } = await run(WEFTD, ['--port', '0', '--scenes', folder, '--world', `lab=${name}`]);
    assert.ok(status === 2 && named({ message: stderr }), stderr);
  }
  assert.equal((await call('object.list')).objects.length, 1);
});

// SPDX-License-Identifier: MIT
// Replay: any tick, or an interval at another speed and in a loop, is displayed to the bit and to all clients, without a
// trace in the history; and the commands of a history, given again, build the same world.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

const TICKS = process.env.WEFT_SANITIZER === 'thread' ? 60 : 240;
const SHOW_MS = process.env.WEFT_SANITIZER ? 20000 : 1000;
const NOT_THEN = [-32002, -32004, -32602]; // the target of a random command may not exist

const keeping = async (t) => laboratory(t, ['--data', await dataFolder(t), '--log-level', 'warn']);

/** Steps a complex scene tick by tick with commands in between; returns the hash after each tick. */
async function record({ call, hash }, random, ticks = TICKS) {
  await call('scene.load', { name: 'default' });
  const hashes = [await hash()];
  const objects = [];
  while (hashes.length <= ticks) {
    await call('world.step', { ticks: 1 });
    hashes.push(await hash());
    if (random.integer(6) > 0) continue;
    const { method, params } = randomChange(random, objects);
    const { object } = await call(method, params).catch(({ code, message }) => assert.ok(NOT_THEN.includes(code), message) ?? {});
    if (object && objects.length < 20) objects.push(object);
  }
  return hashes;
}

const refused = (promise, code, words) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });

test('any tick is shown as it was, neighbours and far ones, and nothing of it is in the history', async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const lab = await keeping(t);
  const { call, hash } = lab;
  const hashes = await record(lab, random);
  await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5 });
  const present = await hash();
  const told = async () => ({ ...(await call('world.history')), snapshots: null, kept: null }); // both values grow while snapshots are being stored
  const before = await told();
  const far = Array.from({ length: 12 }, () => random.integer(TICKS + 1));
  const near = [150, 149, 148, 147, 148, 149, 150, 151, 140, 141].map((tick) => Math.min(tick, TICKS));
  let slowestMs = 0;
  for (const tick of [0, TICKS, 1, ...far, ...near]) {
    const begun = performance.now();
    const shown = await call('world.replay', { from: tick, speed: 0 });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    assert.equal(shown.tick, tick);
    assert.equal(await hash(), hashes[tick], `tick ${tick}`);
  }
  t.diagnostic(`the slowest of ${near.length + far.length + 3} ticks took ${slowestMs.toFixed(0)} ms`);
  assert.ok(slowestMs <= SHOW_MS, `it took ${slowestMs.toFixed(0)} ms to show a tick`);
  const { replay, running } = await call('world.get');
  assert.deepEqual([running, replay.playing, replay.tick, replay.present], [false, false, Math.min(141, TICKS), TICKS]);
  const back = await call('world.seek');
  assert.deepEqual([back.tick, back.timeline, await hash()], [TICKS, before.timeline, present], 'the rope that came last included');
  assert.equal((await call('world.get')).replay, undefined);
  assert.deepEqual(await told(), before, 'as if nobody had looked');
});

test('seeking tick after tick, forward and back, finds each as it was', async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const lab = await keeping(t);
  const hashes = await record(lab, random, 60);
  for (const tick of [30, 31, 32, 33, 32, 31, 30, 29, 10, 11, 60, 59]) {
    await lab.call('world.seek', { tick });
    assert.equal(await lab.hash(), hashes[tick], `tick ${tick}`);
  }
});

test('an interval plays at another pace for everyone, with its commands, over and over until it is paused', async (t) => {
  const lab = await keeping(t);
  const { server, call, hash } = lab;
  const other = await server.connect('lab');
  await call('world.step', { ticks: 20 });
  const at20 = await hash();
  await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5 });
  await call('world.step', { ticks: 20 });
  const at40 = await hash();
  await call('world.step', { ticks: 20 });
  const told = [];
  for (const name of ['world.changed', 'object.added']) other.on(name, (params) => told.push({ ...params, event: name }));
  await other.call('events.subscribe', { events: ['world.changed', 'object.added'] });
  const ticks = [];
  other.on('frame', ({ tick }) => ticks.push(tick));
  await other.call('frames.subscribe', {});
  const begun = performance.now();
  const answer = await call('world.replay', { from: 20, to: 40, speed: 0.5 });
  assert.deepEqual([answer.from, answer.to], [20, 40]);
  await until(() => told.some(({ replay }) => replay && !replay.playing), 'the end of the interval');
  assert.ok(performance.now() - begun >= 600, '20 ticks at half the pace take two thirds of a second');
  assert.equal(await hash(), at40);
  assert.ok(told.some(({ event }) => event === 'object.added'), 'the rope was told of as it came');
  assert.ok(told.every(({ running }) => !running), 'its clock stands');
  await until(() => ticks.includes(40), 'the last tick');
  const shown = ticks.slice(ticks.indexOf(20));
  assert.ok(shown.length > 2 && shown.every((tick, i) => i === 0 || tick >= shown[i - 1]), `in order: ${shown}`);

  await call('world.replay', { from: 20, to: 40, speed: 4, loop: true });
  ticks.length = 0;
  await until(() => ticks.filter((tick, i) => tick < ticks[i - 1]).length >= 3, 'three rounds');
  await call('world.pause');
  const { tick, replay } = await call('world.get');
  assert.ok(tick >= 20 && tick <= 40 && !replay.playing && replay.loop);
  await call('world.replay', { from: 20, speed: 0 });
  assert.equal(await hash(), at20);
});

test('a change goes on from what is shown, in a timeline of its own; what was left can be gone to', async (t) => {
  const { call, hash } = await keeping(t);
  await call('particles.spawn', { positions: [[0, 5, 0]] });
  await call('world.step', { ticks: 50 });
  const end = await hash();
  const { timeline } = await call('world.history');
  await call('world.replay', { from: 20, speed: 0 });
  const at20 = await hash();
  await refused(call('grab.move', { grab: 99, position: [0, 0, 0] }), -32002, /99/);
  assert.equal((await call('world.history')).timeline, timeline, 'a hand that holds nothing changes nothing');
  await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5 });
  assert.equal((await call('world.get')).replay, undefined);
  await call('world.step', { ticks: 30 });
  const history = await call('world.history');
  assert.ok(history.timeline > timeline);
  assert.deepEqual(history.commands.map(({ method, tick }) => [method, tick]).filter(([method]) => method.includes('.')),
    [['particles.spawn', 1], ['rope.spawn', 21]]);
  await call('world.seek', { tick: 20 });
  assert.equal(await hash(), at20);
  await call('world.seek', { tick: 50, timeline });
  assert.equal(await hash(), end);
  await call('world.replay', { from: 10, speed: 0, timeline });
  await call('world.resume');
  await call('world.pause');
  assert.ok((await call('world.get')).tick < 50, 'resuming goes on from what is shown');
});

test('a replay that begins at its last tick stands there, and a seek without a tick goes back to where the world was', async (t) => {
  const { client, call } = await keeping(t);
  await call('particles.spawn', { positions: [[0, 5, 0]] });
  await call('world.step', { ticks: 50 });
  let told = 0;
  client.on('world.changed', ({ reason }) => (told += reason === 'replay' ? 1 : 0));
  await call('events.subscribe', { events: ['world.changed'] });
  for (const params of [{ from: 50 }, { from: 50, loop: true }, { from: 10, tick: 50, speed: 4 }, { from: 10, tick: 30, to: 30, speed: 4 }]) {
    told = 0;
    const { tick } = await call('world.replay', params);
    await sleep(200); // twelve ticks, if the replay ran
    const { replay, tick: shown } = await call('world.get');
    assert.deepEqual([shown, replay.playing, told], [tick, false, 1], JSON.stringify(params));
  }
  await call('world.seek', { tick: 20 });
  const { timeline } = await call('world.history');
  await call('world.replay', { from: 5, speed: 0 });
  assert.equal((await call('world.seek')).tick, 20, 'where the world was');
  assert.equal((await call('world.history')).timeline, timeline, 'and no timeline begins');
  assert.equal((await call('world.seek')).tick, 50, 'the end of what can be sought');
});

test('who is killed while it shows what was comes back in the present', async (t) => {
  const folder = await dataFolder(t);
  const args = ['--data', folder, '--world', 'lab=rope', '--paused'];
  for (const signal of ['SIGKILL', 'SIGTERM']) {
    const server = await Weftd.start(t, args);
    const client = await server.connect('lab');
    await client.call('world.step', { ticks: 80 });
    const { tick, stateHash } = await client.call('world.get');
    await client.call('world.replay', { from: 10, to: 70, speed: 0.1 });
    await server.end(signal);
    const again = await Weftd.start(t, args);
    const state = await (await again.connect('lab')).call('world.get');
    assert.deepEqual([state.tick, state.stateHash, state.replay], [tick, stateHash, undefined], signal);
    await again.end();
  }
});

test('a world may be removed, and its clients leave, while it is shown over and over', async (t) => {
  const { server, call } = await keeping(t);
  await call('world.create', { name: 'side', paused: true });
  const [side, holder] = [await server.connect('side'), await server.connect('side')];
  const { object } = await holder.call('particles.spawn', { positions: [[0, 5, 0]] });
  await holder.call('grab.start', { object, particle: 0 });
  await side.call('world.step', { ticks: 30 });
  await side.call('world.replay', { from: 5, to: 25, speed: 4, loop: true });
  await holder.close(); // its grab belongs to the present, and ends when that returns
  assert.equal((await side.call('world.get')).replay.playing, true);
  await side.call('world.seek');
  await until(async () => { await side.call('world.step'); return (await side.call('world.get')).counts.grabs === 0; }, 'the hand to let go');
  await side.call('world.replay', { from: 5, tick: 20, to: 25, speed: 4, loop: true });
  await call('world.remove', { name: 'side' });
  await until(() => side.state === 'closed', 'the connection to end');
  assert.equal((await call('world.list')).worlds.length, 1);
});

test('a replay asks for a history, a paused world, an interval there is and a pace', async (t) => {
  const plain = await laboratory(t);
  await refused(plain.call('world.replay', { from: 0 }), -32004, /--data/);
  const { call } = await keeping(t);
  await call('world.step', { ticks: 5 });
  await refused(call('world.replay', {}), -32602, /from/);
  await refused(call('world.replay', { from: 6, speed: 0 }), -32002, /0 to 5/);
  await refused(call('world.replay', { from: 0, to: 6 }), -32002, /0 to 5/);
  await refused(call('world.replay', { from: 3, to: 2 }), -32602, /to must be after from/);
  await refused(call('world.replay', { from: 3, to: 3 }), -32602, /to must be after from/);
  await refused(call('world.replay', { from: 3, to: 4, tick: 5 }), -32602, /tick must be in the range, 3 to 4, got 5/);
  await refused(call('world.replay', { from: 0, speed: 0.05 }), -32602, /0\.1 to 4/);
  await refused(call('world.replay', { from: 0, speed: 5 }), -32602, /speed/);
  await refused(call('world.replay', { from: 0, timeline: 99 }), -32002, /timeline 99/);
  assert.equal((await call('world.get')).replay, undefined, 'nothing else has changed');
  await call('world.resume');
  await refused(call('world.replay', { from: 0 }), -32004, /world\.pause/);
});

test('the commands of a history, given again at their ticks in a new world, build the same state', async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const lab = await keeping(t);
  const { server, call } = lab;
  const hand = await server.connect('lab');
  await call('world.reset');
  const { object } = await call('cloth.spawn', { columns: 8, rows: 8, position: [0, 3, 0], tear: 1.5, pin: 'corners' });
  const { grab } = await hand.call('grab.start', { object, particle: 27 });
  await call('world.step', { ticks: 5 });
  await hand.call('grab.move', { grab, position: [0.3, 2.5, 0.4] });
  await call('world.step', { ticks: 5 });
  await hand.close(); // the server ends the grab
  await until(async () => (await call('world.get')).counts.grabs === 0 || ((await call('world.step', { ticks: 1 })), false), 'the hand to let go');
  const objects = [object];
  for (let i = 0; i < 30; i++) {
    const { method, params } = randomChange(random, objects);
    await call(method, params).then((made) => made.object && objects.push(made.object), ({ code, message }) => assert.ok(NOT_THEN.includes(code), message));
    await call('world.step', { ticks: 1 + random.integer(3) });
  }
  const end = await call('world.get');
  const { commands, more } = await call('world.history', { most: 1000 });
  assert.equal(more, false);
  await call('world.create', { name: 'copy', paused: true });
  const copy = await server.connect('copy');
  for (const { method, params, tick } of commands) {
    const again = method === 'release' ? ['grab.end', params] : [method, params];
    if (method === 'clock' || method === 'scene') continue; // the copy begins with the same scene, and its clock stands
    const now = (await copy.call('world.get')).tick;
    if (tick > now + 1) await copy.call('world.step', { ticks: tick - now - 1 });
    await copy.call(...again);
  }
  let now = (await copy.call('world.get')).tick;
  if (now < end.tick) await copy.call('world.step', { ticks: end.tick - now });
  now = await copy.call('world.get');
  assert.deepEqual([now.tick, now.stateHash], [end.tick, end.stateHash]);
});

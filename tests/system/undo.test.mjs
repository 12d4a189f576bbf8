// SPDX-License-Identifier: MIT
// world.undo and world.redo while the world continues: it does not stop, commands given meanwhile are kept, and other clients
// are told what they lose, and can restore it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act } from '../soak/actions.mjs';
import { dataFolder } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { next, sleep, until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER);
const WAY_TICKS = SLOW ? 60 : 1200; // number of ticks that an undo replays
const GAP_MS = 100;
const CLOTH = { columns: 24, rows: 24, position: [0, 4, 0], thickness: 0.02, selfCollision: true };
const GRAIN = { positions: [[9, 5, 9]] };

const keeping = async (t, args = []) => laboratory(t, ['--data', await dataFolder(t), ...args]);
const listed = async (call) => (await call('object.list')).objects.map(({ object }) => object);

async function refused(promise, code, pattern) {
  const error = await promise.then(() => assert.fail('it was not refused'), (problem) => problem);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, pattern);
  return error;
}

/** A world whose first change is by `first`, many ticks ago: undoing it takes long. */
async function longWay(t, args = [], ticks = WAY_TICKS, cloth = CLOTH) {
  const data = await dataFolder(t);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--data', data, ...args]);
  const [first, other] = [await server.connect('lab'), await server.connect('lab')];
  const { object } = await first.call('particles.spawn', GRAIN);
  await other.call('cloth.spawn', { ...cloth, name: 'curtain' });
  await other.call('world.step', { ticks });
  return { server, data, first, other, object };
}

// ---- the world goes on -----------------------------------------------------------------------------------------------

test('the world does not stop while a command of long ago is taken back', { timeout: 120000 }, async (t) => {
  // An instrumented build replays a heavy world no faster than it runs.
  const { first, other, object } = await longWay(t, [], WAY_TICKS, SLOW ? { ...CLOTH, columns: 6, rows: 6, selfCollision: false } : CLOTH);
  let [last, gap] = [null, 0];
  other.on('frame', (frame) => {
    const now = performance.now();
    if (last !== null) gap = Math.max(gap, now - last);
    last = now;
    other.recycle(frame);
  });
  await other.subscribeFrames({ everyTicks: 1 });
  await other.call('world.resume');
  await sleep(500);
  gap = 0;
  await sleep(1000);
  const calm = gap; // the disturbance by the machine itself
  let best = { gapMs: Infinity };
  for (const method of ['world.undo', 'world.redo', 'world.undo']) { // a busy machine may repeat the measurement
    gap = 0;
    const [began, from] = [performance.now(), (await other.call('world.get')).tick];
    const { tick } = await first.call(method);
    const tookMs = performance.now() - began;
    await sleep(300);
    t.diagnostic(`${method} took ${tookMs.toFixed(0)} ms; the longest time without a frame was ${gap.toFixed(0)} ms, ${calm.toFixed(0)} ms before`);
    assert.ok(SLOW || tookMs < 4 * GAP_MS || tick - from > 0.3 * 0.06 * tookMs, 'it went on');
    if (gap < best.gapMs) best = { gapMs: gap, tookMs };
  }
  console.log(`undo of a command ${WAY_TICKS} ticks ago: it took ${best.tookMs.toFixed(0)} ms, in which the world stood still for ${best.gapMs.toFixed(0)} ms at most`);
  assert.ok(SLOW || best.gapMs < Math.max(GAP_MS, 3 * calm), `it stood still for ${best.gapMs} ms`);
  assert.ok(!(await listed((...call) => other.call(...call))).includes(object));
});

test('what is done meanwhile is in what comes of it, to the bit', { timeout: 120000 }, async (t) => {
  const results = [];
  for (const undo of [false, true]) {
    const { first, other } = await longWay(t);
    if (!undo) await first.call('object.remove', { object: (await listed((...call) => first.call(...call)))[0] });
    const call = (...args) => other.call(...args);
    const cloth = (await listed(call)).at(-1);
    const undone = undo ? first.call('world.undo') : Promise.resolve();
    for (let i = 0; i < 5; i++) {
      await call('particle.unpin', { object: cloth, particles: [i] });
      await call('world.step', { ticks: 20 });
      await call('body.spawn', { position: [3 + i, 4, 0] });
      await call('world.step', { ticks: 10 });
    }
    await undone;
    await call('world.step', { ticks: 30 });
    const { positions } = await call('particle.read', { object: cloth });
    results.push({ tick: (await call('world.get')).tick, positions, objects: (await listed(call)).length });
  }
  assert.deepEqual(results[1], results[0], 'the grain touched nothing');
});

test('commands that are answered meanwhile survive a kill at any moment', { timeout: 120000 }, async (t) => {
  const { server, data, first, other, object } = await longWay(t, ['--paused'], SLOW ? 40 : 600);
  await server.end('SIGKILL');
  for (const waitMs of [5, 60, 150, 400]) {
    const args = ['--world', 'lab=empty', '--paused', '--data', data];
    const again = await Weftd.start(t, args);
    const [undoing, doing] = [await again.connect('lab', { session: 'undoing' }), await again.connect('lab')];
    const made = [];
    let undone = false;
    const mine = (await undoing.call('particles.spawn', GRAIN)).object;
    await doing.call('world.step', { ticks: 30 });
    undoing.call('world.undo').then(() => (undone = true), () => {});
    const end = performance.now() + waitMs;
    while (performance.now() < end) made.push((await doing.call('particles.spawn', GRAIN)).object);
    await again.end('SIGKILL');
    const after = await Weftd.start(t, args);
    const client = await after.connect('lab');
    const there = new Set(await listed((...call) => client.call(...call)));
    for (const one of made) assert.ok(there.has(one), `object ${one} was answered and is lost after ${waitMs} ms`);
    if (undone) assert.ok(!there.has(mine), 'the undo was answered and is lost');
    await after.end('SIGKILL');
  }
  assert.ok(object && first && other);
});

// ---- telling, cancelling, refusing -----------------------------------------------------------------------------------

test('everybody is told how far an undo has come, and anybody ends it', { timeout: 60000 }, async (t) => {
  const { server, first, other, object } = await longWay(t, [], SLOW ? 200 : 3000);
  await other.call('events.subscribe', {});
  const told = [];
  other.on('undo.progress', (event) => told.push(event));
  for (const [who, ends] of [['another', other], ['the one who asked', first]]) {
    told.length = 0;
    const before = await other.call('world.get');
    const asked = first.call('world.undo').then(() => assert.fail('it was not ended'), (error) => error);
    await until(() => told.some(({ state, progress }) => state === 'running' && progress > 0), 'its progress', 30000);
    assert.equal((await other.call('world.get')).undoing.task, 'undo');
    const late = await server.connect('lab');
    assert.equal(late.hello.undoing.client, first.hello.session, 'who comes meanwhile is told');
    late.close();
    assert.deepEqual(await ends.call('world.cancel'), { cancelled: true });
    assert.match((await asked).message, /cancelled/);
    await until(() => told.at(-1).state === 'cancelled', 'the end to be told');
    const { state, client, name, method } = told.at(-1);
    assert.deepEqual([state, client, method], ['cancelled', first.hello.session, 'particles.spawn'], `ended by ${who}`);
    assert.equal(name, first.hello.you.name);
    const after = await other.call('world.get');
    assert.deepEqual([after.stateHash, after.undoing], [before.stateHash, undefined], 'the world is what it was');
  }
  assert.deepEqual(await other.call('world.cancel'), { cancelled: false });
  assert.ok((await listed((...call) => other.call(...call))).includes(object));
  await server.everybodyLeaves();
});

test('one at a time; what goes elsewhere in time waits; a scene or the end of the world ends it', { timeout: 60000 }, async (t) => {
  const { server, first, other } = await longWay(t, ['--world', 'main=empty'], SLOW ? 200 : 3000);
  await other.call('rope.spawn', { from: [5, 3, 0], to: [6, 3, 0], particles: 5 });
  const askForUndo = () => first.call('world.undo').then(() => assert.fail('it was not ended'), (error) => error);
  let asked = askForUndo();
  await until(async () => (await other.call('world.get')).undoing, 'the undo to be at work');
  const busy = await refused(other.call('world.undo'), -32000, /an undo or redo of .* is running/);
  assert.ok(busy.data.retryAfterMs > 0);
  await refused(other.call('world.seek', { tick: 3 }), -32004, /world\.cancel/);
  await refused(other.call('world.replay', { from: 0, speed: 0 }), -32004, /world\.cancel/);
  await other.call('scene.load', { name: 'rope' });
  assert.match((await asked).message, /was restarted/);
  assert.equal((await other.call('world.get')).scene, 'rope');
  await other.call('world.undo');
  asked = askForUndo();
  await until(async () => (await other.call('world.get')).undoing, 'the undo to be at work');
  const main = await server.connect('main');
  await main.call('world.remove', { name: 'lab' });
  assert.ok(await asked instanceof Error);
  assert.doesNotMatch(server.stderr, / error /);
  await server.everybodyLeaves();
});

test('an undo goes on when its client leaves, and that one is gone at once', { timeout: 60000 }, async (t) => {
  const { server, first, other, object } = await longWay(t, [], SLOW ? 100 : 2000);
  const asked = first.call('world.undo').catch(() => {});
  first.call('particles.spawn', { positions: [[1, 1, 1]], name: 'behind' }).catch(() => {});
  await until(async () => (await other.call('world.get')).undoing, 'the undo to be at work');
  first.close();
  await until(async () => (await server.clients()) === 1, 'its client to be gone', 2000);
  await until(async () => !(await other.call('world.get')).undoing, 'its end', 40000);
  const { objects } = await other.call('object.list');
  assert.ok(!objects.some(({ object: id }) => id === object), 'it is done');
  assert.ok(objects.some(({ name }) => name === 'behind'), 'what was sent behind it is done too');
  await asked;
  await server.everybodyLeaves();
});

test('in the background it is answered at once, and its end is told', { timeout: 60000 }, async (t) => {
  const { first, other, object } = await longWay(t);
  await first.call('events.subscribe', { events: ['undo.progress'] });
  const ended = next(first, 'undo.progress', ({ state }) => state === 'done', 40000);
  assert.deepEqual(await first.call('world.undo', { background: true }), { background: true });
  assert.ok((await first.call('world.get')).undoing, 'the next request does not wait');
  assert.equal((await ended).method, 'particles.spawn');
  assert.ok(!(await listed((...call) => other.call(...call))).includes(object));
});

test('what would take too long is refused with its opposite, which undoes it at once', { timeout: 60000 }, async (t) => {
  const { first, other, object } = await longWay(t, [], SLOW ? 200 : 3000);
  const call = (...args) => first.call(...args);
  await other.call('particle.pin', { object, particles: [0] });
  const { data } = await refused(call('world.undo', { within: 0.3 }), -32004, /within is 0\.3 s/);
  assert.deepEqual(data.opposite, [{ method: 'object.remove', params: { object } }]);
  assert.deepEqual(data.lost.map(({ client, method, object: of }) => [client, method, of]), [[other.hello.session, 'particle.pin', object]], 'who has worked on it');
  assert.ok(data.seconds > 0);
  await call('batch.run', { commands: data.opposite });
  assert.ok(!(await listed(call)).includes(object));
  const cloth = (await listed((...args) => other.call(...args)))[0];
  const obstacle = (await call('obstacle.add', { shape: 'sphere', radius: 0.5, position: [20, 0, 0], name: 'ball' })).obstacle;
  await call('world.set', { gravity: [0, -1, 0], wind: { velocity: [1, 0, 0] } });
  const changes = [
    ['world.set', { gravity: [0, -9, 0] }, [{ method: 'world.set', params: { gravity: [0, -1, 0] } }]],
    ['object.set', { object: cloth, name: 'flag', friction: 0.9 }, [{ method: 'object.set', params: { object: cloth, name: 'curtain', friction: 0.5 } }]],
    ['obstacle.set', { obstacle, name: 'moon' }, [{ method: 'obstacle.set', params: { obstacle, name: 'ball' } }]],
    ['particle.pin', { object: cloth, particles: [30] }, [{ method: 'particle.unpin', params: { object: cloth, particles: [30] } }]],
    ['particle.unpin', { object: cloth, particles: [30] }, [{ method: 'particle.pin', params: { object: cloth, particles: [30] } }]],
    ['force.apply', { object: cloth, force: [1, 0, 0] }, []],
  ];
  for (const [method, params, opposite] of changes) {
    await call(method, params);
    await other.call('world.step', { ticks: SLOW ? 600 : 1500 });
    const error = await call('world.undo', { within: 0.3 }).then(() => assert.fail(`${method} was taken back in time`), (problem) => problem);
    assert.deepEqual(error.data.opposite, opposite, method);
  }
});

test('many people who take back, give again and begin anew by chance leave a world that a kill does not change', { timeout: 180000 }, async (t) => {
  const args = ['--world', 'lab=empty', '--data', await dataFolder(t)];
  const server = await Weftd.start(t, args);
  const random = seeded();
  t.diagnostic(`seed ${random.seed}`);
  const [end, outcomes] = [performance.now() + 12000, { done: 0, refused: 0 }];
  const commands = [
    ['world.undo', () => ({ force: random.integer(2) === 0 })],
    ['world.undo', () => ({ background: true, force: true })],
    ['world.undo', () => ({ within: 0.5 })],
    ['world.redo', () => ({ force: random.integer(2) === 0 })],
    ['world.redo', () => ({ force: true })],
    ['world.cancel', () => ({})],
  ];
  const rare = [['world.reset', () => ({})], ['world.undo', () => ({ scene: true, force: true })], ['world.pause', () => ({})], ['world.resume', () => ({})]];
  const guest = async () => {
    while (performance.now() < end) {
      const state = { client: await server.connect('lab'), objects: [], grabs: [] };
      const leaves = performance.now() + 500 + random.integer(3000);
      while (performance.now() < Math.min(leaves, end)) {
        const list = random.integer(20) === 0 ? rare : random.integer(4) === 0 ? commands : null;
        const [method, params] = list ? list[random.integer(list.length)] : [];
        const reply = list ? state.client.call(method, params()) : act(random, state).reply;
        await Promise.race([reply.then(() => outcomes.done++, ({ code }) => (assert.ok(code < -31999, `${method} ${code}`), outcomes.refused++)), sleep(60000, undefined, { ref: false }).then(() => assert.fail(`no answer to ${method}`))]);
      }
      state.client.close();
    }
  };
  await Promise.all(Array.from({ length: 5 }, guest));
  t.diagnostic(`${outcomes.done} done, ${outcomes.refused} refused`);
  await server.everybodyLeaves();
  const last = await server.connect('lab');
  await until(async () => !(await last.call('world.get')).undoing, 'the last undo to end', 60000);
  await last.call('world.pause');
  await last.call('world.set', { friction: 0.25 });
  const { tick, stateHash } = await last.call('world.get');
  assert.doesNotMatch(server.stderr, / error /);
  await server.end('SIGKILL');
  const again = await (await Weftd.start(t, args)).connect('lab');
  const there = await again.call('world.get');
  assert.deepEqual([there.tick, there.stateHash], [tick, stateHash]);
});

// ---- what others lose ------------------------------------------------------------------------------------------------

test('who takes back what others have worked on is asked, they are told, and a redo brings all of it back', async (t) => {
  const { server, call, client, hash } = await keeping(t);
  const other = await server.connect('lab');
  await other.call('client.introduce', { name: 'Bea' });
  await other.call('events.subscribe', {});
  const { object } = await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0], name: 'curtain' });
  await call('world.step', { ticks: 5 });
  await other.call('particle.pin', { object, particles: [35] });
  await other.call('particle.pin', { object, particles: [30] });
  await other.call('body.spawn', { position: [9, 5, 0] });
  const { grab } = await other.call('grab.start', { object, particle: 17 });
  await other.call('grab.move', { grab, position: [0, 2, 1] });
  await call('world.step', { ticks: 10 });
  await other.call('grab.end', { grab });
  await call('world.step', { ticks: 10 });
  const before = await hash();

  const { data } = await refused(call('world.undo'), -32004, /3 commands of others would be lost/);
  const rows = data.lost.map(({ client: whose, name, method, object: of, objectName, count }) => ({ whose, name, method, of, objectName, count }));
  const about = { whose: other.hello.session, name: 'Bea', of: object, objectName: 'curtain' };
  assert.deepEqual(rows, [{ ...about, method: 'particle.pin', count: 2 }, { ...about, method: 'grab.start', count: 1 }]);
  assert.equal(await hash(), before, 'nothing was done');

  const told = next(other, 'commands.lost');
  const { undone, lost } = await call('world.undo', { force: true });
  assert.deepEqual([undone, lost], ['cloth.spawn', data.lost]);
  const event = await told;
  assert.deepEqual([event.client, event.name, event.task, event.method], [client.hello.session, client.hello.you.name, 'undo', 'cloth.spawn']);
  assert.deepEqual(event.lost, data.lost);
  assert.equal((await call('object.list')).objects.length, 1);

  const { redone } = await call('world.redo');
  assert.equal(redone, 'cloth.spawn');
  assert.equal(await hash(), before, 'all is back, to the bit');
  assert.equal((await other.call('world.undo')).undone, 'grab.end', 'and still theirs');
});

test('what nobody else has worked on is taken back without a question, and own work on it goes with it', async (t) => {
  const { server, call, hash } = await keeping(t);
  const other = await server.connect('lab');
  const { object } = await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0] });
  await other.call('body.spawn', { position: [9, 5, 0] });
  await call('particle.pin', { object, particles: [35] });
  await call('world.step', { ticks: 10 });
  const before = await hash();
  assert.deepEqual((await call('world.undo')).lost, []);
  assert.deepEqual((await call('world.undo')).lost, []);
  await call('world.redo');
  await call('world.redo');
  assert.equal(await hash(), before);
});

test('a reset of one client is taken back by another, and what came after it is asked about', async (t) => {
  const { server, call, client, hash } = await keeping(t);
  const other = await server.connect('lab');
  await other.call('events.subscribe', {});
  await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0] });
  await call('world.step', { ticks: 20 });
  const before = await hash();
  const changed = next(other, 'world.changed', ({ reason }) => reason === 'reset');
  await call('world.reset');
  const { client: who, name } = await changed;
  assert.deepEqual([who, name], [client.hello.session, client.hello.you.name], 'all hear who did it');
  assert.equal((await other.call('world.undo', { scene: true })).undone, 'scene.load');
  assert.equal(await hash(), before);
  await other.call('world.redo');
  assert.equal((await call('object.list')).objects.length, 0, 'begun anew once more');
  await call('body.spawn', { position: [0, 5, 0] });
  const { data } = await refused(other.call('world.undo', { scene: true }), -32004, /1 command of others/);
  assert.equal(data.lost[0].method, 'body.spawn');
  await other.call('world.undo', { scene: true, force: true });
  assert.equal(await hash(), before);
});

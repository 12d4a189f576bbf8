// SPDX-License-Identifier: MIT
// Presenting: freezing the world, pointing with a laser, and asking all clients to show one view.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { next, sleep } from '../support/wait.mjs';
import { laboratory, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const FROZEN = { code: -32006 };
const DENIED = { code: -32001 };
const ROPE = { from: [0, 2, 0], to: [1, 2, 0], particles: 6 };

async function hashOf(client) {
  return (await client.call('world.get')).stateHash;
}

/** A server with tokens for two administrators, an editor and a viewer. */
async function school(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-freeze-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const make = async (role, name) => {
    const { status, stdout, stderr } = await run(WEFTCTL, ['token', 'make', role, name, '--tokens', file]);
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const tokens = { teacher: await make('admin', 'Ada'), warden: await make('admin', 'Bo'), pupil: await make('editor', 'Cy'), guest: await make('viewer', 'Di') };
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file]);
  return { connect: (who) => server.connect('lab', { token: tokens[who] }) };
}

test('while a world is frozen what others change is refused, and who froze it goes on', async (t) => {
  const { server, client: teacher, call } = await laboratory(t);
  const pupil = await server.connect('lab');
  await pupil.subscribeEvents(['world.changed']);
  const told = next(pupil, 'world.changed');
  const { frozen } = await call('world.freeze', { frozen: true, message: 'Look at me' });
  const { name } = teacher.hello.you;
  assert.deepEqual({ ...frozen, seconds: 0 }, { client: teacher.hello.session, name, seconds: 0, message: 'Look at me', own: true });
  const { reason, frozen: news } = await told;
  assert.equal(reason, 'freeze');
  assert.equal(news.client, teacher.hello.session);
  assert.equal(news.message, 'Look at me');
  const before = await hashOf(pupil);
  const attempts = [
    ['rope.spawn', ROPE], ['world.set', { damping: 0.1 }], ['world.reset', {}], ['world.resume', {}], ['world.step', {}],
    ['scene.load', { name: 'rope' }], ['batch.run', { commands: [{ method: 'rope.spawn', params: ROPE }] }],
  ];
  for (const [method, params] of attempts) await assert.rejects(pupil.call(method, params), FROZEN, method);
  await assert.rejects(pupil.call('rope.spawn', ROPE), new RegExp(`frozen by .*client ${teacher.hello.session}\\b.* for \\d+ s`));
  assert.equal(await hashOf(pupil), before, 'nothing of it was applied');
  assert.ok((await pupil.call('object.list')).objects, 'reading goes on');
  assert.ok((await call('rope.spawn', ROPE)).object > 0, 'who froze it goes on');
  const thawed = next(pupil, 'world.changed', (event) => event.reason === 'thaw');
  assert.deepEqual(await call('world.freeze', { frozen: false }), { frozen: null });
  assert.equal((await thawed).frozen, null);
  assert.ok((await pupil.call('rope.spawn', ROPE)).object > 0);
});

test('everyone is told of a freeze who comes or asks, and for how long it has been', async (t) => {
  const { server, call } = await laboratory(t);
  const early = await server.connect('lab');
  assert.equal(early.hello.frozen, null);
  assert.equal((await early.call('world.get')).frozen, null);
  await call('world.freeze', { frozen: true });
  await sleep(60);
  const late = await server.connect('lab');
  assert.equal(late.hello.frozen.own, false);
  assert.ok(late.hello.frozen.seconds >= 0.05 && late.hello.frozen.seconds < 30, `${late.hello.frozen.seconds} s`);
  assert.equal('message' in late.hello.frozen, false);
  const { seconds } = (await call('world.freeze', { frozen: true, message: 'still' })).frozen;
  assert.ok(seconds >= 0.05, 'freezing once more does not begin anew');
  assert.equal((await early.call('world.get')).frozen.message, 'still');
});

test('a freeze lets go of what others hold, and what the presenter holds stays', async (t) => {
  const { server, client: teacher, call } = await laboratory(t);
  const pupil = await server.connect('lab');
  await teacher.subscribeEvents(['grab.ended']);
  const { object } = await call('rope.spawn', ROPE);
  const theirs = await pupil.call('grab.start', { object, particle: 0 });
  const own = await call('grab.start', { object, particle: 5 });
  const ended = next(teacher, 'grab.ended');
  await call('world.freeze', { frozen: true });
  assert.equal((await ended).grab, theirs.grab);
  await call('grab.move', { grab: own.grab, position: [1, 2.5, 0] });
  assert.equal((await call('world.get')).counts.grabs, 1);
  await assert.rejects(pupil.call('grab.move', { grab: theirs.grab, position: [0, 3, 0] }), FROZEN);
});

test('a batch that waits for its tick is refused when the world is frozen by then', async (t) => {
  const { server, call } = await laboratory(t);
  const pupil = await server.connect('lab');
  const { tick } = await call('world.get');
  const waiting = pupil.call('batch.run', { atTick: tick + 3, commands: [{ method: 'rope.spawn', params: ROPE }] });
  await pupil.call('world.get');
  await call('world.freeze', { frozen: true });
  const refused = assert.rejects(waiting, FROZEN);
  await call('world.step', { ticks: 5 });
  await refused;
  assert.equal((await call('world.get')).counts.objects, 0);
});

test('administrators freeze, no others; another one is held too but may take it over or end it', async (t) => {
  const { connect } = await school(t);
  const [teacher, warden, pupil, guest] = [await connect('teacher'), await connect('warden'), await connect('pupil'), await connect('guest')];
  for (const other of [pupil, guest]) {
    await assert.rejects(other.call('world.freeze', { frozen: true }), DENIED);
    await assert.rejects(other.call('view.show', { eye: [1, 1, 1], target: [0, 0, 0] }), DENIED);
    await assert.rejects(other.call('pointer.move', { position: [0, 1, 0], laser: true }), DENIED);
  }
  await pupil.call('pointer.move', { position: [0, 1, 0] });
  await teacher.call('world.freeze', { frozen: true });
  await assert.rejects(pupil.call('rope.spawn', ROPE), /frozen by .*Ada.* for \d+ s/);
  await assert.rejects(warden.call('rope.spawn', ROPE), FROZEN);
  const telephone = await connect('teacher');
  assert.ok((await telephone.call('rope.spawn', ROPE)).object > 0, 'the same token is the same presenter');
  assert.equal((await warden.call('world.freeze', { frozen: true })).frozen.own, true);
  await assert.rejects(teacher.call('rope.spawn', ROPE), FROZEN);
  warden.close();
  await assert.rejects(pupil.call('rope.spawn', ROPE), FROZEN, 'whoever leaves leaves it frozen');
  await teacher.call('world.freeze', { frozen: false });
  assert.ok((await pupil.call('rope.spawn', ROPE)).object > 0);
});

test('a freeze that makes no sense is refused with the member that does not', async (t) => {
  const { call } = await laboratory(t);
  for (const [params, pointer] of [[{}, '/frozen'], [{ frozen: 1 }, '/frozen'], [{ frozen: true, message: '' }, '/message'],
    [{ frozen: true, message: 'x'.repeat(121) }, '/message'], [{ frozen: false, message: 'why' }, '/message'], [{ frozen: true, for: 3 }, '/for']]) {
    await assert.rejects(call('world.freeze', params), (error) => error.code === -32602 && error.data.pointer === pointer, JSON.stringify(params));
  }
  assert.equal((await call('world.get')).frozen, null);
  await call('world.freeze', { frozen: true, message: '雪'.repeat(120) });
  assert.equal((await call('world.get')).frozen.message, '雪'.repeat(120));
});

test('a laser and a view are seen by all others', async (t) => {
  const { server, client: teacher, call } = await laboratory(t);
  const pupil = await server.connect('lab');
  await pupil.subscribeEvents(['pointer.moved', 'view.shown']);
  const pointed = next(pupil, 'pointer.moved');
  await call('pointer.move', { position: [1, 2, 3], laser: true });
  assert.deepEqual(await pointed, { client: teacher.hello.session, position: [1, 2, 3], laser: true });
  const plain = next(pupil, 'pointer.moved');
  await call('pointer.move', { position: [1, 2, 4] });
  assert.equal('laser' in (await plain), false);
  const shown = next(pupil, 'view.shown');
  await call('view.show', { eye: [4, 3, 2], target: [0, 1, 0] });
  assert.deepEqual(await shown, { client: teacher.hello.session, eye: [4, 3, 2], target: [0, 1, 0] });
});

// SPDX-License-Identifier: MIT
// Being together in a world: hands that are raised, cameras that others follow, and administrators who change roles.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { next, until } from '../support/wait.mjs';
import { laboratory, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const ROPE = { from: [0, 2, 0], to: [1, 2, 0], particles: 6 };
const VIEW = { eye: [4, 3, 2], target: [0, 1, 0] };
const [DENIED, INVALID, NOT_FOUND, STATE] = [-32001, -32602, -32002, -32004];

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const numberOf = (client) => client.hello.session;
const rowOf = async (client, other = client) => (await client.call('people.list')).people.find((person) => person.client === numberOf(other));

/** A server with a token for a teacher, two editors and a viewer; `file` is its file of tokens. */
async function school(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-together-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const tokens = {};
  for (const [name, role] of [['Ada', 'admin'], ['Cy', 'editor'], ['Flo', 'editor'], ['Di', 'viewer']]) {
    const { status, stdout, stderr } = await run(WEFTCTL, ['token', 'make', role, name, '--tokens', file]);
    assert.equal(status, 0, stderr);
    tokens[name] = stdout.trim();
  }
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file]);
  return { file, connect: (who, options) => server.connect('lab', { token: tokens[who], ...options }) };
}

test('a camera is sent to those who follow it and to nobody else, and whoever comes later is told the last view', async (t) => {
  const { server, client: teacher, call } = await laboratory(t);
  const [pupil, other] = [await server.connect('lab'), await server.connect('lab')];
  const seen = [];
  for (const each of [pupil, other]) {
    await each.subscribeEvents(['view.moved', 'client.changed']);
    each.on('view.moved', (moved) => seen.push([each, moved]));
  }
  const told = next(other, 'client.changed');
  assert.deepEqual(await pupil.call('view.follow', { client: numberOf(teacher) }), {}, 'the teacher has not told a view yet');
  assert.equal((await told).follows, numberOf(teacher));
  assert.equal((await rowOf(teacher, pupil)).follows, numberOf(teacher));
  await call('view.move', VIEW);
  await Promise.all([pupil.call('world.get'), other.call('world.get')]); // what was sent before has arrived
  assert.deepEqual(seen, [[pupil, { client: numberOf(teacher), ...VIEW }]]);
  assert.deepEqual(await other.call('view.follow', { client: numberOf(teacher) }), VIEW);
  assert.deepEqual(await other.call('view.follow'), {});
  assert.equal('follows' in (await rowOf(other)), false);
  await call('view.move', { ...VIEW, eye: [4, 3, 3] });
  await Promise.all([pupil.call('world.get'), other.call('world.get')]);
  assert.deepEqual(seen.slice(1).map(([each]) => each), [pupil]);
  teacher.close();
  await until(async () => !('follows' in (await rowOf(pupil))), 'nobody is followed who has left');
});

test('following oneself or nobody who is here is refused, and so is a view without a place', async (t) => {
  const { client, call } = await laboratory(t);
  await refused(call('view.follow', { client: numberOf(client) }), INVALID, /another client/);
  await refused(call('view.follow', { client: 999 }), NOT_FOUND, /no client 999/);
  await refused(call('view.follow', { client: 0 }), INVALID, /client/);
  await refused(call('view.move', { eye: [0, 0, 0] }), INVALID, /target/);
  await refused(call('view.move', { eye: [0, 0, 1e9], target: [0, 0, 0] }), INVALID, /eye/);
});

test('one administrator presents at a time, and everyone is told who', async (t) => {
  const { server, client: teacher, call } = await laboratory(t);
  const [second, pupil] = [await server.connect('lab'), await server.connect('lab')];
  await pupil.subscribeEvents(['client.changed']);
  const begun = next(pupil, 'client.changed');
  await call('view.present', { presenting: true });
  assert.deepEqual((({ client, presents }) => ({ client, presents }))(await begun), { client: numberOf(teacher), presents: true });
  const late = await server.connect('lab');
  assert.equal((await rowOf(late, teacher)).presents, true, 'whoever comes later knows');
  await second.call('view.present', { presenting: true });
  assert.equal('presents' in (await rowOf(pupil, teacher)), false);
  assert.equal((await rowOf(pupil, second)).presents, true);
  await call('view.present', { presenting: false });
  assert.equal((await rowOf(pupil, second)).presents, true, 'one ends only what is one\'s own');
  await second.call('view.present', { presenting: false });
  assert.equal('presents' in (await rowOf(pupil, second)), false);
});

test('hands are raised in an order, and lowered by their owner or an administrator', async (t) => {
  const { connect } = await school(t);
  const [ada, cy, flo, di] = [await connect('Ada'), await connect('Cy'), await connect('Flo'), await connect('Di')];
  await ada.subscribeEvents(['client.changed']);
  const told = next(ada, 'client.changed');
  await cy.call('hand.raise');
  assert.equal((await told).hand, 1);
  await di.call('hand.raise');
  await cy.call('hand.raise');
  assert.deepEqual([(await rowOf(ada, cy)).hand, (await rowOf(ada, di)).hand, (await rowOf(ada, flo)).hand], [1, 2, undefined]);
  await refused(flo.call('hand.lower', { client: numberOf(di) }), DENIED, /lowering another's hand takes the role admin, yours is editor/);
  await ada.call('hand.lower', { client: numberOf(di) });
  assert.equal('hand' in (await rowOf(di)), false);
  await cy.call('hand.lower');
  await cy.call('hand.lower');
  assert.equal('hand' in (await rowOf(cy)), false);
  await cy.call('hand.raise');
  assert.equal((await rowOf(ada, cy)).hand, 3, 'at the end of the queue');
  await refused(ada.call('hand.lower', { client: 999 }), NOT_FOUND, /no client 999/);
  await refused(di.call('view.present', { presenting: true }), DENIED, /admin/);
});

test('an administrator changes what somebody may do, for that connection, and what is held is let go', async (t) => {
  const { connect, file } = await school(t);
  const [ada, cy, di] = [await connect('Ada'), await connect('Cy'), await connect('Di')];
  const { object } = await ada.call('rope.spawn', ROPE);
  await cy.call('grab.start', { object, particle: 0 });
  await cy.subscribeEvents(['client.changed']);
  const told = next(cy, 'client.changed');
  const { tick } = await ada.call('world.get');
  const waiting = assert.rejects(cy.call('rope.spawn', { ...ROPE, atTick: tick + 3 }), { code: DENIED });
  await cy.call('world.get');
  const answer = await ada.call('people.grant', { client: numberOf(cy), role: 'viewer' });
  assert.equal(answer.role, 'viewer');
  assert.equal(answer.name, 'Cy');
  assert.equal((await told).role, 'viewer');
  await refused(cy.call('rope.spawn', ROPE), DENIED, /takes the role editor, yours is viewer/);
  assert.equal((await ada.call('world.get')).counts.grabs, 0);
  await ada.call('world.step', { ticks: 5 });
  await waiting;
  await ada.call('people.grant', { client: numberOf(di), role: 'editor' });
  assert.ok((await di.call('rope.spawn', ROPE)).object > 0);
  assert.equal((await ada.call('client.list')).clients.find(({ session }) => session === numberOf(di)).role, 'editor');
  await refused(ada.call('people.grant', { client: numberOf(ada), role: 'viewer' }), STATE, /owner/);
  await refused(ada.call('people.grant', { client: 999, role: 'viewer' }), NOT_FOUND, /no client 999/);
  await refused(ada.call('people.grant', { client: numberOf(cy), role: 'admin' }), INVALID, /role/);
  await refused(di.call('people.grant', { client: numberOf(cy), role: 'editor' }), DENIED, /admin/);
  cy.close();
  assert.ok((await (await connect('Cy')).call('rope.spawn', ROPE)).object > 0, 'the token still says editor');
  const flo = await connect('Flo');
  const revoked = next(flo, 'state', ({ state }) => state === 'closed');
  const line = (await readFile(file, 'utf8')).split('\n').find((each) => each.endsWith(' Flo'));
  await run(WEFTCTL, ['token', 'revoke', line.split(' ')[0], '--tokens', file]);
  await revoked;
  assert.equal((await di.call('world.get')).running, false, 'a changed role does not end a connection when the file of tokens is read again');
});

test('an administrator removes somebody, who is told why', async (t) => {
  const { connect } = await school(t);
  const [ada, cy] = [await connect('Ada'), await connect('Cy')];
  const closed = next(cy, 'state', ({ state }) => state === 'closed');
  await refused(cy.call('people.remove', { client: numberOf(ada) }), DENIED, /admin/);
  await refused(ada.call('people.remove', { client: numberOf(ada) }), STATE, /owner/);
  await ada.call('people.remove', { client: numberOf(cy), reason: 'this class is over' });
  const { reason, removed } = await closed;
  assert.match(reason, /this class is over/);
  assert.equal(removed, true);
  await until(async () => (await ada.call('people.list')).people.length === 1, 'Cy has gone');
  await refused(ada.call('people.remove', { client: numberOf(cy) }), NOT_FOUND, /no client/);
});

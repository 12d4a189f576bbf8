// SPDX-License-Identifier: MIT
// A link is a world: whoever opens it computes the same state, to the bit. Links that were damaged or made up are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LINK_CHARACTERS, readLink, TICKS_MOST, writeLink } from '../../web/client/local/link.js';
import { packBody, unpackBody } from '../../web/client/local/link_body.js';
import { roundedTo } from '../../web/viewer/scene/grab_step.js';
import { seeded } from '../support/random.mjs';
import { until } from '../support/wait.mjs';
import { assertReturns, begin, enter, lengthOf, nameOf, open, remove } from './link_worlds.mjs';

const PLAYS = Number(process.env.WEFT_PLAYS ?? 10); // `make soak` plays 100
const LIGHT = ['embedded-boxes', 'stick-in-a-box', 'particles-in-a-box', 'frame-bodies', 'masses', 'tetrahedra', 'cloth', 'rope']; // of many ticks
const SHARE = 0.95; // of the plays whose links are short enough
const HISTORIES = PLAYS;

/** Takes an object of the world, and drags it for some ticks as a hand with a mouse does: in pixels of a plane, once a tick. */
async function drag(client, random, ticks) {
  const { objects } = await client.call('object.list');
  if (objects.length === 0) return;
  const { object, particles } = objects[random.integer(objects.length)];
  const { grab } = await client.call('grab.start', { object, particle: random.integer(particles) });
  const pixel = 0.002 + 0.006 * random.real(); // m: a scene of some metres in a window
  const turn = 2 * Math.PI * random.real();
  const [across, up] = [[Math.cos(turn), 0, Math.sin(turn)], [-0.3 * Math.sin(turn), 0.95, 0.3 * Math.cos(turn)]];
  const from = [random.real() - 0.5, 1 + random.real(), random.real() - 0.5];
  const waves = Array.from({ length: 6 }, () => ({ size: 150 * random.real(), pace: 0.3 + 6 * random.real() ** 2, phase: 6.3 * random.real() }));
  const place = (second, own) => Math.round(own.reduce((sum, { size, pace, phase }) => sum + size * Math.sin(pace * second + phase), 0) + random.real());
  for (let tick = 0; tick < ticks; tick++) {
    const rests = Math.sin(tick / 40 + turn) > 0.85; // a hand waits at times
    if (!rests) {
      const [x, y] = [place(tick / 60, waves.slice(0, 3)), place(tick / 60, waves.slice(3))];
      const target = from.map((value, axis) => value + pixel * (x * across[axis] + y * up[axis]));
      client.notify('grab.move', { grab, position: roundedTo(target, pixel) });
    }
    await client.call('world.step', { ticks: 1 });
  }
  await client.call('grab.end', { grab });
}

const OTHER_DEEDS = [
  (random) => ['world.set', { gravity: [0, -10 * random.real(), 0] }],
  (random) => ['world.set', { wind: { velocity: [4 * random.real(), 0, random.real()], gust: 0.5 } }],
  (random) => ['body.spawn', { position: [random.real() - 0.5, 2.5, random.real() - 0.5] }],
  () => ['rope.spawn', { from: [-0.5, 2.4, 0], to: [0.5, 2.4, -0] }],
  () => ['cloth.spawn', { columns: 8, rows: 8, position: [0, 2.2, 0] }],
];

test(`${PLAYS} plays with up to 20 s of dragging: ${100 * SHARE} % fit a link, and each link leads to the same state`, { timeout: 1200000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const figures = [];
  for (let play = 0; play < PLAYS; play++) {
    const scene = LIGHT[play % LIGHT.length];
    const client = await begin(t, scene);
    let left = 60 + random.integer(20 * 60 - 60); // ticks of dragging
    const dragged = left;
    while (left > 0) {
      const ticks = Math.min(left, 30 + random.integer(500));
      left -= ticks;
      await drag(client, random, ticks);
      await client.call('world.step', { ticks: 1 + random.integer(20) });
      if (random.real() < 0.5) await client.call(...OTHER_DEEDS[random.integer(OTHER_DEEDS.length)](random));
      if (random.real() < 0.1) await client.call('world.undo', { force: true }).catch(({ message }) => assert.match(message, /no change to undo/));
    }
    const link = await client.link();
    figures.push({ scene, dragged, length: link.reason ? Infinity : lengthOf(link) });
    if (link.reason) assert.match(link.reason, /would have \d+ characters/);
    else await remove((await assertReturns(t, client, `play ${play}, ${scene}`)).other);
    await remove(client);
  }
  const fitting = figures.filter(({ length }) => length <= LINK_CHARACTERS).length;
  const sorted = figures.map(({ length }) => length).sort((one, other) => one - other);
  t.diagnostic(`${fitting} of ${PLAYS} plays fit ${LINK_CHARACTERS} characters; median ${sorted[PLAYS >> 1]}, 95th ${sorted[Math.floor(0.95 * PLAYS)]}, longest ${sorted.at(-1)}`);
  const characters = figures.filter(({ length }) => length < Infinity).map(({ dragged, length }) => length / dragged);
  t.diagnostic(`characters for a move and tick of dragging: ${(characters.reduce((sum, each) => sum + each, 0) / characters.length).toFixed(2)}`);
  assert.ok(fitting >= SHARE * PLAYS, JSON.stringify(figures));
});

test('a link that is wrong is refused with a message that names the parameter and what is allowed', { timeout: 60000 }, async (t) => {
  const CASES = [
    ['gravity=3', /gravity must be \[x, y, z\], got 3/],
    ['gravity=0,1e6,0', /gravity\[1\] must be a number from -10000 to 10000 m\/s², got 1000000/],
    ['gravity=0,0x10,0', /gravity must be a number, a vector x,y,z, true, false or a word, got "0,0x10,0"/],
    ['gravty=0,-3,0', /world\.set has no gravty; did you mean gravity\?/],
    ['gravity=0,-3,0&gravity=0,-4,0', /it gives gravity twice/],
    ['wind.gust=0.5', /wind has no velocity|velocity/],
    ['wind=3&wind.gust=0.5', /it gives wind both as a whole and in parts/],
    ['iterations=1.5', /iterations must be an integer from 1 to 256, got 1\.5/],
    ['squareRoot=wrong', /squareRoot must be "exact" or "approximate", got "wrong"/],
    ['atTick=5', /allowed are the settings of world\.set, tickHz, tick, paused and from/],
    ['__proto__=1', /allowed are the settings of world\.set, tickHz, tick, paused and from/],
    ['tickHz=0', /tickHz must be a number from 1 to 1000, got "0"/],
    ['tickHz=1e9', /tickHz must be a number from 1 to 1000, got "1e9"/],
    ['constructor=1', /world\.set has no constructor/],
    [`tick=${TICKS_MOST + 1}`, /tick must be an integer from 0 to 36000, got "36001"/],
    ['tick=-1', /tick must be an integer from 0 to 36000, got "-1"/],
    ['paused=1', /paused must be true or false, got "1"/],
    [`gravity=${'1'.repeat(20000)}`, /it has 20008 characters, and at most 16000 are read/],
    ['#a+b', /characters that no link has/],
    ['#xyz', /has format 199, this version reads format 1/],
    ['#', null],
  ];
  for (const [search, pattern] of CASES) {
    const opened = enter(t, `${nameOf('wrong')}=cloth?${search}`);
    if (pattern) await assert.rejects(opened, ({ message }) => pattern.test(message), search);
    else await opened;
  }
});

test('a link that names a world does not open another one of that name', { timeout: 60000 }, async (t) => {
  const first = await enter(t, 'taken=rope?gravity=0,-3,0');
  const same = await enter(t, 'taken=rope?gravity=0,-3,0');
  assert.equal(same.hello.world, first.hello.world);
  await assert.rejects(enter(t, 'taken=rope?gravity=0,-4,0'), /there is another world "taken" in this browser: open the link as local:rope, or remove that world first/);
});

test('the world of a link that names a scene only is one of its own, beside others of that scene', { timeout: 60000 }, async (t) => {
  const first = await enter(t, 'masses');
  assert.equal(first.hello.world, 'masses');
  const links = ['masses?tick=1', 'masses?tick=2', 'masses?tick=2', 'masses?tick=0&paused=true', 'masses'];
  const clients = await Promise.all(links.map((link) => enter(t, link)));
  assert.deepEqual(clients.map(({ hello }) => hello.world), ['masses-2', 'masses-3', 'masses-3', 'masses-4', 'masses']);
  await first.call('world.create', { name: 'tetrahedra', scene: 'masses' }); // kept
  const beside = await enter(t, 'tetrahedra?paused=true');
  assert.equal(beside.hello.world, 'tetrahedra-2');
  assert.equal((await beside.call('world.get')).scene, 'tetrahedra');
  await assert.rejects(enter(t, 'masses?tick=-1'), /tick must be an integer/, 'of a wrong link nothing is left');
  await first.call('world.remove', { name: 'tetrahedra' });
  assert.equal((await enter(t, 'masses?tick=4')).hello.world, 'masses-5');
});

test('what a hand holds when a link is made is held until the next tick', { timeout: 60000 }, async (t) => {
  const client = await begin(t, 'cloth');
  const { objects: [{ object }] } = await client.call('object.list');
  const { grab } = await client.call('grab.start', { object, particle: 33 });
  await client.call('grab.move', { grab, position: [1, 2, 3] });
  await client.call('world.step', { ticks: 50 });
  const { other } = await assertReturns(t, client, 'while something is held');
  await client.call('grab.end', { grab });
  for (const each of [client, other]) await each.call('world.step', { ticks: 5 });
  assert.equal((await other.call('world.get')).stateHash, (await client.call('world.get')).stateHash);
  for (const each of [client, other]) await each.call('world.seek', { tick: 30 });
  assert.equal((await other.call('world.get')).stateHash, (await client.call('world.get')).stateHash, 'its past is that of the world');
});

test('the link of a running world is that of one tick of it', { timeout: 60000 }, async (t) => {
  const client = await enter(t, 'moving=cloth');
  await client.call('body.spawn', { position: [0, 3, 0] });
  const link = await client.link();
  assert.doesNotMatch(link.search, /paused/);
  const other = await open(t, link); // which compares the hash
  const tick = Number(/tick=(\d+)/.exec(link.search)?.[1] ?? 0);
  await until(async () => (await other.call('world.get')).tick > tick + 3, 'it goes on');
});

test('worlds without a link say why', { timeout: 60000 }, async (t) => {
  const client = await begin(t, 'rope');
  await client.call('world.branch', { name: 'branch-without-a-link', temporary: true });
  const branch = await enter(t, 'branch-without-a-link');
  assert.match((await branch.link()).reason, /^This world has no link: it did not begin with a scene\.$/);
  await client.call('scene.save', { name: 'own-rope' });
  await client.call('scene.load', { name: 'own-rope' });
  assert.match((await client.link()).reason, /its scene "own-rope" does not come with Weft/);
});

test('a link holds the ticks a second of its world', { timeout: 60000 }, async (t) => {
  const client = await begin(t, 'rope', { tickHz: 240 });
  await client.call('world.step', { ticks: 20 });
  const { link, other } = await assertReturns(t, client, 'at 240 Hz');
  assert.equal(link.search, 'tickHz=240&tick=20&paused=true');
  assert.equal(other.hello.tickHz, 240);
});

/** What leads a world to another history, or makes one. */
const TURNS = {
  set: (client, random) => client.call('world.set', { gravity: [0, -random.integer(9), 0] }),
  spawn: (client) => client.call('body.spawn', { position: [0, 2.5, 0] }),
  undo: (client) => client.call('world.undo', { force: true }),
  redo: (client) => client.call('world.redo', { force: true }),
  undoScene: (client) => client.call('world.undo', { scene: true, force: true }),
  reset: (client) => client.call('world.reset'),
  load: (client, random) => client.call('scene.load', { name: ['masses', 'empty'][random.integer(2)] }),
  seek: async (client, random) => client.call('world.seek', { tick: random.integer((await client.call('world.get')).tick + 1) }),
  replay: async (client, random) => client.call('world.replay', { from: 0, tick: random.integer((await client.call('world.get')).tick + 1), speed: 0 }),
  step: (client, random) => client.call('world.step', { ticks: 1 + random.integer(20) }),
  run: async (client) => { await client.call('world.resume'); await client.call('world.pause'); },
  drag: (client, random) => drag(client, random, 1 + random.integer(10)),
  async leave(client, random, t) { // while something is held
    const guest = await enter(t, client.hello.world);
    const { objects: [first] } = await guest.call('object.list');
    if (first) await guest.call('grab.start', { object: first.object, particle: 0 });
    guest.close();
  },
};

test('a link holds what led to the present state, not what was undone or left', { timeout: 1200000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const names = Object.keys(TURNS);
  for (let history = 0; history < HISTORIES; history++) {
    const client = await begin(t, ['rope', 'embedded-boxes', 'empty'][history % 3]);
    const turns = Array.from({ length: 12 }, () => names[random.integer(names.length)]);
    for (const turn of turns) {
      await TURNS[turn](client, random, t).catch((error) => assert.ok(error.code <= -32000, error.stack)); // for instance nothing is left to undo
    }
    const { link, other } = await assertReturns(t, client, turns.join());
    if (link.fragment !== '') {
      const made = [];
      for (const each of [client, other]) made.push((await each.call('body.spawn', { position: [0, 3, 0] })).object);
      assert.equal(made[1], made[0], `the next id after ${turns.join()}`);
    }
    await remove(client, other);
  }
});

// ---- the fragment alone

const BODY = {
  physics: 3, hash: '0123456789abcdef', first: 5, last: 70, clients: 2,
  deeds: [
    { tick: 4, client: 0, number: 7, method: 'grab.start', params: '{"object":1,"particle":3}' },
    ...Array.from({ length: 40 }, (_, index) => ({ tick: 5 + index, client: 0, number: 8 + index, method: 'grab.move', params: `{"grab":7,"position":[${index * index / 512},${-index / 4},0.25]}` })),
    { tick: 50, client: 1, number: 60, method: 'grab.move', params: '{"grab":7,"position":[-0.0,0.1,1e30]}' }, // no integers: kept as a text
    { tick: 50, client: 1, number: 60, method: 'rope.spawn', params: '{"from":[-0.0,3,0],"to":[1,3,0],"name":"ö # & 🪢"}' },
    { tick: 60, client: 0, number: 61, method: 'grab.end', params: '{"grab":7}' },
  ],
};
const LINK = { settings: { gravity: [0, -3, 0] }, tickHz: 60, tick: 100, paused: false, body: BODY };

const fragmentOf = (bytes) => Buffer.concat([Buffer.from([1]), deflateRawSync(bytes)]).toString('base64url');
const bytesOf = (fragment) => inflateRawSync(Buffer.from(fragment, 'base64url').subarray(1));

test('a fragment holds every command as it was', async () => {
  const { search, fragment } = await writeLink(LINK);
  assert.deepEqual(await readLink(search, fragment), LINK);
  assert.deepEqual(unpackBody(packBody(BODY)), BODY);
});

test('bodies that were damaged, cut or made up are refused with a Refusal, or are other valid ones', { timeout: 120000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const { search, fragment } = await writeLink(LINK);
  const body = bytesOf(fragment);
  const outcomes = { refused: 0, read: 0 };
  const attempt = async (text) => {
    try {
      const { body: read } = await readLink(search, text);
      if (read) assert.deepEqual(unpackBody(packBody(read)), read, text);
      outcomes.read++;
    } catch (error) {
      assert.equal(error.kind, 'INVALID', `${error.stack} ${text}`);
      assert.match(error.message, /^the link is wrong: .*[^.]$/s);
      outcomes.refused++;
    }
  };
  for (let length = 0; length < body.length; length++) await attempt(fragmentOf(body.subarray(0, length)));
  assert.equal(outcomes.read, 0, 'a body that was cut is refused');
  for (let length = 1; length < fragment.length; length++) await attempt(fragment.slice(0, length));
  assert.equal(outcomes.read, 0, 'a fragment that was cut is refused');
  for (let turn = 0; turn < 3000; turn++) {
    const damaged = Buffer.from(body);
    for (let change = 0; change <= random.integer(4); change++) damaged[random.integer(damaged.length)] = random.integer(256);
    await attempt(fragmentOf(damaged));
  }
  assert.ok(outcomes.refused > 1000 && outcomes.read > 10, JSON.stringify(outcomes));
});

test('hostile fragments are refused before they take memory or time', { timeout: 60000 }, async (t) => {
  await assert.rejects(readLink('', fragmentOf(Buffer.alloc(8 << 20))), /more than 1048576 bytes when it is decompressed/);
  const of = async (change) => (await writeLink({ ...LINK, body: { ...BODY, deeds: BODY.deeds.map(change) } })).fragment;
  const command = (method, params = '{}') => of((deed) => (deed.method === 'rope.spawn' ? { ...deed, method, params } : deed));
  for (const method of ['scene.load', 'world.seek', 'world.reset', 'world.import', 'toString', 'client.close', '']) {
    await assert.rejects(readLink('tick=100', await command(method)), /which no link has/, method);
  }
  for (const params of ['[]', '3', 'null', '{}}', '{},"method":"world.reset"', '{"atTick":9}']) {
    await assert.rejects(readLink('tick=100', await command('rope.spawn', params)), /the parameters of rope\.spawn are none/, params);
  }
  await assert.rejects(readLink('tick=40', (await writeLink(LINK)).fragment), /a command after its last tick, 40/);
  const whole = await writeLink(LINK);
  await assert.rejects(enter(t, `hostile-physics=cloth?${whole.search}#${whole.fragment}`), /made with physics version 3, this page computes version/);
  const client = await begin(t, 'cloth');
  await client.call('world.step', { ticks: 5 });
  await client.call('body.spawn', { position: [0, 3, 0] });
  const link = await client.link();
  const body = bytesOf(link.fragment);
  const changed = (at) => { const bytes = Buffer.from(body); bytes[at] ^= 1; return fragmentOf(bytes); };
  await assert.rejects(open(t, { ...link, fragment: changed(3) }), /the link leads elsewhere: the hash of the state at tick 5 is [0-9a-f]{16}, in the link it is [0-9a-f]{16}/);
  const refused = fragmentOf(Buffer.from(body.toString('latin1').replace('"position":[0,3,0]', '"position":[0,3,x]').replace('x]', '"]').slice(0, body.length), 'latin1'));
  await assert.rejects(open(t, { ...link, fragment: refused }), /the link is wrong/);
  const elsewhere = fragmentOf(Buffer.from(body.toString('latin1').replace('[0,3,0]', '[0,3,9]'), 'latin1'));
  await assert.rejects(open(t, { ...link, fragment: elsewhere }), /the link leads elsewhere/);
  const unknown = fragmentOf(Buffer.from(body.toString('latin1').replace('position', 'positiom'), 'latin1'));
  await assert.rejects(open(t, { ...link, fragment: unknown }), /the link is wrong: body\.spawn at tick 6 is refused: body\.spawn has no positiom/);
});

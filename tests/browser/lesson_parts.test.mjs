// SPDX-License-Identifier: MIT
// Parts of the lessons without a page: the format of the files and what is said of faults in them, and when checks hold. The lessons
// that come with Weft are set up on a real server.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv from 'ajv';
import { holds, readsOf, valueAt } from '../../web/viewer/tools/lessons/check.js';
import { readLesson } from '../../web/viewer/tools/lessons/format.js';
import { OWN_NAMES } from '../../web/viewer/tools/lessons/library.js';
import { beginningOf, setUpWorld } from '../../web/viewer/tools/lessons/set_up.js';
import { ROOT, Weftd } from '../support/weftd.mjs';

const schema = JSON.parse(await readFile(join(ROOT, 'web/lessons/lesson.schema.json'), 'utf8'));
const isValid = new Ajv({ strict: false }).compile(schema);
const textOf = (name) => readFile(join(ROOT, `web/lessons/${name}.json`), 'utf8');
const read = (lesson) => readLesson(JSON.stringify(lesson), 'mine.json', schema);

const STEP = { title: 'One', text: ['Read this.'] };
const TASK = { ...STEP, task: 'Do it.', check: { did: 'world.step' } };
const lessonOf = (...steps) => ({ title: 'Mine', steps });
const checkOf = (check) => lessonOf(STEP, { ...TASK, check });

test('the lessons that come with Weft fit the schema, lead on to each other and have five to eight steps', async () => {
  assert.deepEqual(OWN_NAMES, ['verlet', 'sticks', 'rigid-bodies']);
  for (const [at, name] of OWN_NAMES.entries()) {
    const lesson = readLesson(await textOf(name), `${name}.json`, schema);
    assert.ok(isValid(lesson), `${name}: ${JSON.stringify(isValid.errors)}`);
    assert.ok(lesson.steps.length >= 5 && lesson.steps.length <= 8, name);
    assert.equal(lesson.next, OWN_NAMES[at + 1]);
    assert.ok(lesson.steps[0].scene, `${name} begins with a scene`);
    for (const { title, check, question, success } of lesson.steps) assert.ok((check || question) && success, `${name}, ${title}: something to do, and a word for it`);
  }
});

// Each row: a lesson, what is said of it, and whether the schema alone finds it too.
const BAD = [
  [[], 'the lesson must be an object', true],
  [{ steps: [STEP] }, 'title is missing: it must be a text from 1 to 80 characters', true],
  [{ title: 'Mine' }, 'steps is missing: it must be a list from 1 to 40 members', true],
  [{ title: 5, steps: [STEP] }, 'title must be a text from 1 to 80 characters, not 5', true],
  [{ title: '', steps: [STEP] }, 'title must be a text', true],
  [{ title: 'Mine', steps: [] }, 'steps must be a list from 1 to 40 members', true],
  [{ title: 'Mine', steps: [STEP], author: 'me' }, 'author is not a member here: allowed are title, description, next, end, steps', true],
  [{ title: 'Mine', steps: [STEP], description: 1 }, 'description must be a text from 0 to 240 characters, not 1', true],
  [{ title: 'Mine', steps: [STEP], next: '' }, 'next must be', true],
  [{ title: 'Mine', steps: [STEP], end: 'Bye' }, 'end must be a list', true],
  [{ title: 'Mine', steps: [STEP], end: [{ formula: '( a', spoken: 'a' }] }, 'end[0].formula must have a closing parenthesis', false],
  [lessonOf(STEP, 'Two'), 'step 2 must be an object', true],
  [lessonOf(STEP, { title: 'Two' }), 'step 2, text is missing', true],
  [lessonOf(STEP, { text: ['x'] }), 'step 2, title is missing', true],
  [lessonOf({ ...STEP, tittle: 'x' }), 'step 1, tittle is not a member here: allowed are title, text, scene, commands', true],
  [lessonOf({ ...STEP, text: 'x' }), 'step 1, text must be a list from 1 to 20 members […], not "x"', true],
  [lessonOf({ ...STEP, text: [5] }), 'step 1, text[0] must be a text from 1 to 2000 characters or an object {…}, not 5', true],
  [lessonOf({ ...STEP, text: [{ formula: 'x' }] }), 'step 1, text[0].spoken is missing', true],
  [lessonOf({ ...STEP, text: [{ formula: 'x ) (', spoken: 'x' }] }), 'step 1, text[0].formula must have a closing parenthesis', false],
  [lessonOf({ ...STEP, text: [{ formula: 'x', spoken: 'x', where: { x: 1 } }] }), 'step 1, text[0].where.x must be a text', true],
  [lessonOf({ ...STEP, scene: 'My Scene' }), 'step 1, scene must be a text that matches ^[a-z0-9-]{1,64}$, not "My Scene"', true],
  [lessonOf({ ...STEP, commands: {} }), 'step 1, commands must be a list', true],
  [lessonOf({ ...STEP, commands: [{ params: {} }] }), 'step 1, commands[0].method is missing', true],
  [lessonOf({ ...STEP, commands: [{ method: 'scene.load', params: { name: 'rope' } }] }), 'step 1, commands[0].method must be one of the methods cloth.spawn, mesh.spawn', false],
  [lessonOf({ ...STEP, commands: [{ method: 'world.set', params: [] }] }), 'step 1, commands[0].params must be an object', true],
  [lessonOf({ ...STEP, paused: 'yes' }), 'step 1, paused must be true or false, not "yes"', true],
  [lessonOf({ ...STEP, view: { eye: [0, 0, 1] } }), 'step 1, view.target is missing', true],
  [lessonOf({ ...STEP, view: { eye: [0, 0], target: [0, 0, 0] } }), 'step 1, view.eye must be a list of 3 members', true],
  [lessonOf({ ...STEP, xray: ['stress'] }), 'step 1, xray[0] must be "stretch", "residual"', true],
  [lessonOf({ ...STEP, panels: true }), 'step 1, panels must be a list', true],
  [lessonOf({ ...STEP, panels: ['xray'] }), 'step 1, panels[0] must be "settings", "plots"', true],
  [lessonOf({ ...STEP, task: 'Do it.' }), 'step 1, check is missing: a task needs a check', false],
  [lessonOf({ ...STEP, check: { did: 'world.step' } }), 'step 1, task is missing: a check needs a task', false],
  [lessonOf({ ...STEP, hint: 'Look.' }), 'step 1, hint must stand beside a task', false],
  [lessonOf({ ...TASK, success: 7 }), 'step 1, success must be a text', true],
  [lessonOf({ ...STEP, question: { ask: 'Why?', choices: ['a'], answer: 1 } }), 'step 1, question.choices must be a list from 2 to 6 members', true],
  [lessonOf({ ...STEP, question: { ask: 'Why?', choices: ['a', 'b'] } }), 'step 1, question.answer is missing: it must be a whole number from 1 to 6', true],
  [lessonOf({ ...STEP, question: { ask: 'Why?', choices: ['a', 'b'], answer: 3 } }), 'step 1, question.answer must be a number from 1 to 2', false],
  [lessonOf({ ...TASK, question: { ask: 'Why?', choices: ['a', 'b'], answer: 1 } }), 'step 1, question must not stand beside task or check', false],
  [checkOf({}), 'step 2, check must have one of the members read, did, drag, panel, overlay, all or any', true],
  [checkOf({ did: 'world.step', drag: 1 }), 'step 2, check must have one of the members read, did, drag, panel, overlay, all or any, not 2 of them', true],
  [checkOf({ did: 'world.jump' }), 'step 2, check.did must be a method of the protocol, not "world.jump"', false],
  [checkOf({ did: 'world.step', times: 0 }), 'step 2, check.times must be a whole number from 1 to 1000, not 0', true],
  [checkOf({ did: 'world.step', least: 1 }), 'step 2, check.least is not a member here: allowed are did, params, times', true],
  [checkOf({ read: 'world.get' }), 'step 2, check.member is missing', true],
  [checkOf({ read: 'world.get', member: 'gravity' }), 'step 2, check.member must be a text that matches', true],
  [checkOf({ read: 'world.get', member: '/gravity/1' }), 'step 2, check must say what the value is compared with: least, most, equals, rises or falls', false],
  [checkOf({ read: 'world.get', member: '/tick', least: 'many' }), 'step 2, check.least must be a number, not "many"', true],
  [checkOf({ read: 'world.get', member: '/tick', least: 5, most: 2 }), 'step 2, check.least must not be greater than most, 2', false],
  [checkOf({ read: 'world.get', member: '/scene', equals: ['a'] }), 'step 2, check.equals must be a number, a text or true or false', true],
  [checkOf({ read: 'world.get', member: '/tick', rises: -1 }), 'step 2, check.rises must be a number of at least 0, not -1', true],
  [checkOf({ read: 'world.set', member: '/tick', least: 5 }), 'step 2, check.read must be one of the methods object.list', false],
  [checkOf({ drag: '1 m' }), 'step 2, check.drag must be a number from 0 to 1000, not "1 m"', true],
  [checkOf({ panel: 3 }), 'step 2, check.panel must be a text', true],
  [checkOf({ overlay: 'heat' }), 'step 2, check.overlay must be "stretch"', true],
  [checkOf({ all: [{ drag: 1 }] }), 'step 2, check.all must be a list from 2 to 8 members', true],
  [checkOf({ any: [{ drag: 1 }, { all: [{ drag: 1 }, { drug: 1 }] }] }), 'step 2, check.any[1].all[1] must have one of the members', true],
];

test('every fault of a file is told with the file, the step, the member and what is allowed', () => {
  for (const [lesson, words, inSchema] of BAD) {
    let message = '';
    try {
      read(lesson);
    } catch (error) {
      ({ message } = error);
    }
    assert.ok(message.startsWith(`mine.json: ${words}`), `${JSON.stringify(lesson)}\nsaid:   ${message}\nwanted: mine.json: ${words}`);
    assert.equal(!isValid(lesson), inSchema, `${words}: what editors say with the schema`);
  }
  assert.throws(() => readLesson('{"title": "Mine",}', 'mine.json', schema), /^Error: mine\.json is not valid JSON: /);
  assert.throws(() => readLesson(' '.repeat(1000001), 'mine.json', schema), /^Error: mine\.json is 1001 kB long\. A lesson may have up to 1000 kB\.$/);
});

test('what the documentation shows is a lesson', async () => {
  const text = await readFile(join(ROOT, 'web/lessons/LESSONS.md'), 'utf8');
  const examples = [...text.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => json);
  assert.ok(examples.length > 0);
  assert.equal(readLesson(examples[0], 'LESSONS.md', schema).steps.length, 2);
});

/** Facts in which nothing has been done and read. */
const factsOf = ({ now = {}, before = {}, ...more } = {}) => ({
  now: ({ read: method }) => now[method], before: ({ read: method }) => before[method], deeds: [], idOf: (name) => ({ ball: 4, box: 7 })[name], panels: [], overlays: [], ...more,
});

test('a value is found by its place', () => {
  assert.equal(valueAt({ gravity: [0, -9.81, 0] }, '/gravity/1'), -9.81);
  assert.equal(valueAt({ counts: { pins: 2 } }, '/counts/pins'), 2);
  assert.equal(valueAt({ counts: null }, '/counts/pins'), undefined);
  assert.equal(valueAt({}, '/constructor'), undefined);
  assert.equal(valueAt(undefined, '/tick'), undefined);
});

test('a check that reads compares with limits, a value, and the value at the beginning', () => {
  const now = { 'world.get': { gravity: [0, -1.62, 0], scene: 'cloth', running: false, counts: { pins: 3 } } };
  const before = { 'world.get': { counts: { pins: 2 } } };
  const is = (check, facts = { now, before }) => holds({ read: 'world.get', ...check }, factsOf(facts));
  assert.equal(is({ member: '/gravity/1', least: -2, most: -1 }), true);
  assert.equal(is({ member: '/gravity/1', least: -1.62, most: -1.62 }), true);
  assert.equal(is({ member: '/gravity/1', least: -1 }), false);
  assert.equal(is({ member: '/gravity/1', most: -2 }), false);
  assert.equal(is({ member: '/scene', least: 0 }), false, 'a text has no limits');
  assert.equal(is({ member: '/scene', equals: 'cloth' }), true);
  assert.equal(is({ member: '/scene', equals: 'rope' }), false);
  assert.equal(is({ member: '/running', equals: false }), true);
  assert.equal(is({ member: '/counts/pins', rises: 1 }), true);
  assert.equal(is({ member: '/counts/pins', rises: 2 }), false);
  assert.equal(is({ member: '/counts/pins', falls: 1 }), false);
  assert.equal(is({ member: '/counts/pins', falls: 1 }, { now: before, before: now }), true);
  assert.equal(is({ member: '/counts/pins', rises: 0 }, { now, before: {} }), false, 'without a beginning nothing has risen');
  assert.equal(is({ member: '/nothing', least: 0 }), false);
  assert.equal(is({ member: '/tick', least: 0 }, {}), false, 'no reply');
});

test('a check of what was done counts calls with their params', () => {
  const deeds = [{ method: 'world.step', params: { ticks: 1 } }, { method: 'body.spawn', params: { shape: 'box', size: [1, 1, 1], mass: 2 } }, { method: 'world.step', params: { ticks: 1 } }];
  assert.equal(holds({ did: 'world.step' }, factsOf({ deeds })), true);
  assert.equal(holds({ did: 'world.step', times: 2 }, factsOf({ deeds })), true);
  assert.equal(holds({ did: 'world.step', times: 3 }, factsOf({ deeds })), false);
  assert.equal(holds({ did: 'body.spawn', params: { shape: 'box' } }, factsOf({ deeds })), true);
  assert.equal(holds({ did: 'body.spawn', params: { shape: 'box', size: [1, 1, 1] } }, factsOf({ deeds })), true);
  assert.equal(holds({ did: 'body.spawn', params: { shape: 'hull' } }, factsOf({ deeds })), false);
  assert.equal(holds({ did: 'world.pause' }, factsOf({ deeds })), false);
});

test('a check of a drag measures how far the hand went, with what, and whether it let go', () => {
  const deeds = [
    { method: 'grab.start', params: { object: 4, particle: 0 }, answer: { grab: 11 } },
    { method: 'grab.move', params: { grab: 11, position: [0, 1, 0] } },
    { method: 'grab.move', params: { grab: 11, position: [0.3, 1.4, 0] } },
    { method: 'grab.move', params: { grab: 12, position: [9, 9, 9] } },
  ];
  const ended = [...deeds, { method: 'grab.end', params: { grab: 11 } }];
  assert.equal(holds({ drag: 0.49 }, factsOf({ deeds })), true);
  assert.equal(holds({ drag: 0.51 }, factsOf({ deeds })), false, 'the hand of somebody else does not count');
  assert.equal(holds({ drag: 0.4, object: 'ball' }, factsOf({ deeds })), true);
  assert.equal(holds({ drag: 0.4, object: 'box' }, factsOf({ deeds })), false);
  assert.equal(holds({ drag: 0.4, object: 'nobody' }, factsOf({ deeds })), false);
  assert.equal(holds({ drag: 0.4, released: true }, factsOf({ deeds })), false);
  assert.equal(holds({ drag: 0.4, released: true }, factsOf({ deeds: ended })), true);
  const quick = [{ ...deeds[0], from: [0, 1, 0] }, deeds[2]];
  assert.equal(holds({ drag: 0.49 }, factsOf({ deeds: quick })), true, 'a drag of a single move, from where the hand took hold');
});

test('panels and overlays are checked, and checks are joined by all and any', () => {
  const facts = factsOf({ panels: ['lessons', 'plots'], overlays: ['stretch'] });
  assert.equal(holds({ panel: 'plots' }, facts), true);
  assert.equal(holds({ panel: 'xray' }, facts), false);
  assert.equal(holds({ overlay: 'stretch' }, facts), true);
  assert.equal(holds({ overlay: 'sleep' }, facts), false);
  assert.equal(holds({ all: [{ panel: 'plots' }, { overlay: 'stretch' }] }, facts), true);
  assert.equal(holds({ all: [{ panel: 'plots' }, { overlay: 'sleep' }] }, facts), false);
  assert.equal(holds({ any: [{ panel: 'xray' }, { overlay: 'stretch' }] }, facts), true);
  assert.equal(holds({ any: [{ panel: 'xray' }, { overlay: 'sleep' }] }, facts), false);
  const nested = { all: [{ panel: 'plots' }, { any: [{ read: 'world.get', member: '/tick', least: 1 }, { drag: 1 }] }] };
  assert.deepEqual(readsOf(nested), [nested.all[1].any[0]]);
});

test('a step without a scene is played in that of the last step before it that has one', () => {
  const lesson = lessonOf({ ...STEP, scene: 'empty' }, STEP, { ...STEP, scene: 'cloth' }, STEP);
  assert.deepEqual([0, 1, 2, 3].map((index) => beginningOf(lesson, index)), [0, 0, 2, 2]);
  assert.equal(beginningOf(lessonOf(STEP, STEP), 1), 0);
});

test('a server takes the set-up of every step, and everything that checks read is there', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  const refused = [];
  const page = { ask: (method, params) => client.call(method, params), call: (method, params) => client.call(method, params), refuse: (error) => refused.push(error), on: () => () => {} };
  for (const name of OWN_NAMES) {
    const lesson = readLesson(await textOf(name), `${name}.json`, schema);
    for (const [index, { title, check, paused = false }] of lesson.steps.entries()) {
      assert.equal(await setUpWorld(page, lesson, index, false), true, `${name}, ${title}: ${refused[0]?.message}`);
      assert.equal((await client.call('world.get')).running, !paused, title);
      const { objects } = await client.call('object.list');
      const names = JSON.stringify(check ?? {}).matchAll(/"object":"([^"]+)"/g);
      for (const [, object] of names) assert.ok(objects.some((one) => one.name === object), `${name}, ${title}: ${object}`);
      for (const each of check ? readsOf(check) : []) {
        const reply = await client.call(each.read, { ...each.params, ...(each.object && { object: objects.find((one) => one.name === each.object).object }) });
        assert.notEqual(valueAt(reply, each.member), undefined, `${name}, ${title}: ${each.member}`);
        const facts = factsOf({ now: { [each.read]: reply }, before: { [each.read]: reply } });
        assert.equal(holds(check, facts), false, `${name}, ${title}: nothing is done yet`);
      }
    }
  }
});

// SPDX-License-Identifier: MIT
// Building on the page: dragging objects in, placing them by handles, keys and touch; dropping files; saving the scene.

import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { dataFolder } from '../support/data.mjs';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { sleep, until as untilWithin } from '../support/wait.mjs';
import { audit } from './access.mjs';
import { distance, keepScreenshot, openBrowser, openPage } from './page.mjs';

const PATIENCE_MS = 60000; // on a busy machine
const until = (condition, what) => untilWithin(condition, what, PATIENCE_MS);

const BALL = { rings: 24, segments: 36 };

// A ball as in a file: positions, and triangles.
function ball() {
  const positions = [];
  const triangles = [];
  const { rings, segments } = BALL;
  for (let ring = 0; ring <= rings; ring++) {
    for (let segment = 0; segment < segments; segment++) {
      const [up, round] = [(Math.PI * ring) / rings, (2 * Math.PI * segment) / segments];
      positions.push([Math.sin(up) * Math.cos(round), Math.cos(up), Math.sin(up) * Math.sin(round)]);
      const [a, b] = [ring * segments + segment, ring * segments + ((segment + 1) % segments)];
      if (ring < rings) triangles.push([a, b, a + segments], [b, b + segments, a + segments]);
    }
  }
  return { positions, triangles };
}

const objOf = ({ positions, triangles }) => [
  ...positions.map((point) => `v ${point.join(' ')}`), ...triangles.map((corners) => `f ${corners.map((corner) => corner + 1).join(' ')}`), 'f 1 1 2', '',
].join('\n');

function plyOf({ positions, triangles }) {
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${positions.length}\nproperty float x\nproperty float y\nproperty float z\n` +
    `element face ${triangles.length}\nproperty list uchar int vertex_indices\nend_header\n`;
  const body = Buffer.alloc(12 * positions.length + 13 * triangles.length);
  let at = 0;
  for (const value of positions.flat()) at = body.writeFloatLE(value, at);
  for (const corners of triangles) {
    at = body.writeUInt8(3, at);
    for (const corner of corners) at = body.writeInt32LE(corner, at);
  }
  return Buffer.concat([Buffer.from(header), body]);
}

function gltfOf({ positions, triangles }, more = {}) {
  const points = Buffer.from(Float32Array.from(positions.flat()).buffer);
  const corners = Buffer.from(Uint32Array.from(triangles.flat()).buffer);
  const bytes = Buffer.concat([points, corners]);
  return Buffer.from(JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, scale: [2, 2, 2] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }], images: [{ uri: 'https://elsewhere.example/x.png' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: positions.length, type: 'VEC3' },
      { bufferView: 1, componentType: 5125, count: 3 * triangles.length, type: 'SCALAR' },
    ],
    bufferViews: [{ buffer: 0, byteLength: points.length }, { buffer: 0, byteOffset: points.length, byteLength: corners.length }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }], ...more,
  }));
}

// A world with a floor and walls, and no objects.
async function site(t, options) {
  const scenes = join(await dataFolder(t), 'scenes');
  await cp(join(ROOT, 'server/scenes'), scenes, { recursive: true });
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused', '--scenes', scenes]);
  const client = await server.connect('main');
  await client.call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 3, 2] } });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), options);
  page.fetched = [];
  page.on('request', (request) => page.fetched.push(request.url()));
  return { server, client, page, browser };
}

const openDock = async (page) => {
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('group', { name: 'Objects' }).waitFor();
  await page.waitForFunction(() => { // the picture fills the room that the dock leaves
    const { element, width, height } = window.weft.page.stage;
    return width === element.clientWidth && height === element.clientHeight;
  });
};
const journal = (page) => page.evaluate(() => window.weft.page.journal.entries.map(({ method, params, answer }) => ({ method, params, answer })));
const card = (page) => page.getByRole('form', { name: 'Placement' });
const placing = (page) => page.evaluate(() => document.body.hasAttribute('data-placing'));
const place = (page) => page.getByRole('button', { name: 'Place' }).click();
const pointOnFloor = (page, [x, y, z]) => page.evaluate((point) => window.weft.page.stage.project(point), [x, y, z]);

/** The position of the preview in the card. */
const standing = (page) => page.evaluate(() => ['x', 'y', 'z'].map((axis) => Number(document.querySelector(`[aria-label="Position (m) ${axis}"]`).value)));

// The position of an axis' handle on the page: as far out as TransformControls draws it, once the preview exists.
const handle = (page, at, axis) => page.evaluate(async ([from, along]) => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { stage } = window.weft.page;
  const distance = Math.hypot(...stage.camera.position.toArray().map((value, i) => value - from[i]));
  const reach = (0.75 / 4) * distance * Math.min(1.9 * Math.tan((Math.PI * stage.camera.fov) / 360), 7);
  return stage.project(from.map((value, i) => value + (i === along ? 0.45 * reach : 0)));
}, [at, axis]);

async function placed(page, client, count) {
  await until(async () => !(await placing(page)), 'the end of placing');
  const { objects } = await until(async () => {
    const list = await client.call('object.list');
    return list.objects.length === count && list;
  }, `${count} objects`);
  return objects;
}

async function drop(page, files) {
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    return data;
  }, files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })));
  await page.dispatchEvent('#stage', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('#stage', 'drop', { dataTransfer: transfer });
}

test('a cloth is made of the fabric that is chosen', async (t) => {
  const { client, page } = await site(t);
  await openDock(page);
  await page.getByRole('button', { name: 'Cloth', exact: true }).click();
  await standing(page);
  const fabric = page.locator('select[id$="-fabric"]');
  await fabric.waitFor(); // without opening More
  const names = ['', 'cotton', 'denim', 'polyester', 'nylon', 'twill', 'blanket'];
  assert.deepEqual(await fabric.locator('option').evaluateAll((options) => options.map(({ value }) => value)), names);
  await fabric.selectOption('denim');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-fabric')}`);
  await place(page);
  const [{ object }] = await placed(page, client, 1);
  const made = await client.call('object.get', { object });
  assert.ok(Math.abs(made.stretchWarp - 1044.1) < 0.1 && Math.abs(made.bendWeft - 60.9e-6) < 1e-7, `${made.stretchWarp} N/m`);
});

test('a thing is dragged into the scene, moved by a handle, given its parameters and sent', async (t) => {
  const { client, page } = await site(t);
  await openDock(page);
  const from = await page.getByRole('button', { name: 'Box', exact: true }).boundingBox();
  const to = await pointOnFloor(page, [0.5, 0, 0.25]);
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 25, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
  const stands = await standing(page);
  assert.ok(Math.hypot(stands[0] - 0.5, stands[2] - 0.25) < 0.02, `it stands at ${stands}`);
  assert.ok(Math.abs(stands[1] - 0.15) < 0.002, 'on the ground, by half its height');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-dragged-in')}`);

  const grip = await handle(page, stands, 1);
  const eye = await page.evaluate(() => window.weft.page.stage.camera.position.toArray());
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, grip.y - 60, { steps: 5 });
  await page.mouse.up();
  const lifted = await standing(page);
  assert.ok(lifted[1] > stands[1] + 0.1, `the handle lifted it to ${lifted}`);
  assert.ok(Math.hypot(lifted[0] - stands[0], lifted[2] - stands[2]) < 1e-3, 'straight up');
  const seen = await page.evaluate(() => window.weft.page.stage.camera.position.toArray());
  assert.ok(distance(eye, seen) < 1e-3, 'a handle does not turn the camera');

  await page.getByLabel('width m').fill('0');
  assert.match(await card(page).getByText('Width must be').textContent(), /above 0 m and up to 1,000 m, not “0”/);
  await place(page);
  assert.equal((await client.call('object.list')).objects.length, 0, 'what makes no sense is not sent');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-fault')}`);
  await audit(page, 'placing');
  await page.getByLabel('width m').fill('0.8');
  await page.getByLabel('mass kg').fill('2');
  await place(page);
  const [box] = await placed(page, client, 1);
  assert.equal(box.kind, 'body');
  const [entry] = await journal(page);
  assert.equal(entry.method, 'body.spawn');
  assert.deepEqual([entry.params.shape, entry.params.size, entry.params.mass], ['box', [0.8, 0.3, 0.3], 2]);
  assert.ok(entry.params.position.every((value, axis) => Math.abs(value - lifted[axis]) < 2e-3), `${entry.params.position}`);
  assert.deepEqual(page.complaints, []);

  await t.test('keys alone choose, move, turn, size and place', async () => {
    await page.getByRole('button', { name: 'Tetrahedron', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('size m').waitFor();
    const before = await standing(page);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'PageUp', ']', '+']) await page.keyboard.press(key);
    const after = await standing(page);
    const moved = after.map((value, axis) => Math.abs(value - before[axis]));
    assert.deepEqual(moved.map((value) => Math.round(10 * value)).sort(), [1, 1, 2], `${before} to ${after}`);
    assert.equal(await page.getByLabel('size m').inputValue(), '0.44');
    await page.keyboard.press('Enter');
    await placed(page, client, 2);
    const { params } = (await journal(page)).at(-1);
    assert.equal(params.size, 0.44);
    assert.ok(Math.abs(Math.abs(params.rotation[1]) - Math.sin(Math.PI / 24)) < 1e-3, `turned by 15°: ${params.rotation}`);
  });

  await t.test('every thing of the palette shows a preview, and Escape takes it away again', async () => {
    const buttons = page.locator('.build-kind[data-kind]');
    for (let i = 0; i < (await buttons.count()); i++) {
      await buttons.nth(i).click();
      assert.equal(await placing(page), true);
      assert.equal(await buttons.nth(i).getAttribute('aria-pressed'), 'true');
      await card(page).getByLabel('friction').first().waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      assert.equal(await placing(page), false);
    }
    assert.equal((await client.call('object.list')).objects.length, 2);
    assert.deepEqual(page.complaints, []);
  });

  await t.test('places snap to the grid, and handles size and turn', async () => {
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByLabel('width m').waitFor();
    await page.getByLabel('Grid').selectOption('0.5');
    await until(async () => { // the view may still be on its way
      const at = await pointOnFloor(page, [0.6, 0, -0.4]);
      await page.mouse.click(at.x, at.y);
      return isDeepStrictEqual(await standing(page), [0.5, 0.1, -0.5]);
    }, 'a place on the grid');
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await until(async () => { // a handle is drawn, and can be caught, a picture or two after its button
      const grip = await handle(page, [0.5, 0.1, -0.5], 0);
      await page.mouse.move(grip.x, grip.y);
      await page.mouse.down();
      await page.mouse.move(grip.x + 40, grip.y, { steps: 4 });
      t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-sizing')}`);
      await page.mouse.up();
      return Number(await page.getByLabel('width m').inputValue()) > 1.05;
    }, 'a greater width');
    assert.equal(await page.getByLabel('depth m').inputValue(), '1', 'one axis only');
    await page.getByLabel('Grid').selectOption('0');
    await place(page);
    await until(async () => !(await placing(page)), 'the end of placing');
    const { params, answer } = (await journal(page)).at(-1);
    assert.equal(params.shape, 'box');
    assert.ok(answer.obstacle > 0);
  });

  await t.test('the scene is saved under a name, and what is wrong with a name is said', async () => {
    const form = page.getByRole('form', { name: 'Save scene' });
    const said = form.getByRole('status');
    const save = async (name) => {
      await form.getByLabel('name').fill(name);
      await form.getByRole('button', { name: 'Save' }).click();
    };
    await save(' ');
    assert.equal(await said.textContent(), 'Enter a name.');
    await form.getByLabel('name').fill('My Ünusual  Scene!');
    await form.getByText('It will be named “my-unusual-scene”.').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/Saved as my-unusual-scene: \d+ commands/).waitFor();
    assert.equal((await client.call('scene.list')).scenes.find(({ name }) => name === 'my-unusual-scene').title, 'My Ünusual  Scene!');
    await form.getByLabel('title').fill('What I built');
    await save('built');
    await form.getByText(/Saved as built: \d+ commands/).waitFor();
    await save('built');
    await form.getByText(/built.*exists|already/).waitFor();
    await save('default');
    await form.getByText(/came with|default/).waitFor();
    await form.getByLabel('Replace an existing scene').check();
    await save('built');
    await form.getByText(/Saved as built/).waitFor();
    const { scenes } = await client.call('scene.list');
    assert.equal(scenes.find(({ name }) => name === 'built').title, 'What I built');
    await page.locator('#scene option[value=built]').waitFor({ state: 'attached' }); // the saved scene can be chosen at once
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-saved')}`);
  });
  assert.deepEqual(page.complaints, []);
});

test('a file becomes cloth, body or obstacle, as small as was asked for; a bad one gets a sentence, and nothing is fetched', async (t) => {
  const { client, page } = await site(t);
  const shape = ball();
  const said = page.getByRole('region', { name: 'Import a file' }).getByRole('status');
  await drop(page, [{ name: 'ball.obj', bytes: objOf(shape) }]);
  await page.getByText(/Import size/).waitFor();
  const flat = 2 * BALL.segments + 1;
  assert.match(await said.textContent(), new RegExp(`“ball.obj”: 1,729 triangles, 830 corners, 2 × 2 × 2 in file units\\. Skipped ${flat} degenerate`));
  const sent = page.locator('.build-sent');
  assert.match(await sent.textContent(), /830 particles, 2,484 sticks, 1,656 triangles/);
  await page.getByLabel('Max. particles').fill('200');
  await page.getByLabel('Max. particles').press('Tab');
  await until(async () => / (1\d\d|200) particles/.test(await sent.textContent()), 'the reduced mesh');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-file')}`);
  await page.getByLabel('Size m').fill('0.6');
  await place(page);
  const [cloth] = await placed(page, client, 1);
  assert.equal(cloth.kind, 'mesh');
  assert.ok(cloth.particles <= 200 && cloth.particles > 150, `${cloth.particles} particles`);
  const { params } = (await journal(page)).at(-1);
  assert.ok(Math.abs(Math.max(...params.positions) - 0.3) < 0.03, 'as large as was asked for');

  await drop(page, [{ name: 'ball.ply', bytes: plyOf(shape) }]);
  await page.getByText(/“ball.ply”/).waitFor();
  await page.getByRole('radio', { name: 'Body', exact: true }).check();
  await page.getByText(/the convex hull of \d+ corners/).waitFor();
  await place(page);
  assert.equal((await placed(page, client, 2)).at(-1).kind, 'body');

  await drop(page, [{ name: 'ball.gltf', bytes: gltfOf(shape) }]);
  await page.getByText(/“ball.gltf”.*4 × 4 × 4/).waitFor();
  await page.getByRole('radio', { name: 'Obstacle' }).check();
  await page.getByText(/no particles/).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-file-obstacle')}`);
  await place(page);
  await until(async () => !(await placing(page)), 'the end of placing');
  assert.equal((await journal(page)).at(-1).params.shape, 'mesh');

  await drop(page, [{ name: 'ball.obj', bytes: objOf(shape) }]);
  await page.getByRole('radio', { name: 'Soft body' }).check();
  await page.getByText(/Import size: \d+ particles, [\d,]+ tetrahedra/).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-file-soft')}`);
  await page.getByLabel('Size m').fill('0.6');
  await place(page);
  const soft = (await placed(page, client, 3)).at(-1);
  assert.equal(soft.kind, 'soft');
  assert.ok(soft.particles <= 600 && soft.particles > 400, `${soft.particles} particles`);
  const bowl = { ...shape, triangles: shape.triangles.slice(0, -BALL.segments * 4) };
  await drop(page, [{ name: 'bowl.obj', bytes: objOf(bowl) }]);
  await page.getByText(/“bowl.obj”/).waitFor();
  await page.getByRole('radio', { name: 'Soft body' }).check();
  await page.getByText(/It is open at the edge from .* A soft body needs a closed surface/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Place' }).isDisabled(), true);

  const bad = [
    ['nothing.obj', '', /empty/],
    ['points.obj', 'v 0 0 0\nv 1 0 0\n', /no triangles/],
    ['wild.obj', 'v nan 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\nf 9 8 7\n', /three valid corners/],
    ['cut.ply', plyOf(shape).subarray(0, 300), /can’t be read|more than its/],
    ['lies.ply', 'ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n0\n', /more than its/],
    ['noise.glb', Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 251)), /JSON/],
    ['elsewhere.gltf', gltfOf(shape, { buffers: [{ byteLength: 20000, uri: 'https://elsewhere.example/ball.bin' }] }), /elsewhere/],
    ['alone.gltf', gltfOf(shape, { buffers: [{ byteLength: 20000, uri: 'ball.bin' }] }), /Drop that file together/],
    ['huge.gltf', gltfOf(shape, { accessors: [{ bufferView: 0, componentType: 5126, count: 3e9, type: 'VEC3' }, { bufferView: 1, componentType: 5125, count: 9, type: 'SCALAR' }] }), /which are missing/],
  ];
  for (const [name, bytes, words] of bad) {
    await drop(page, [{ name, bytes: Buffer.from(bytes) }]);
    await until(async () => { // at first the status reports only that the file is being read
      const text = await said.textContent();
      return text.includes(`“${name}”:`) && !text.endsWith('…');
    }, name);
    assert.match(await said.textContent(), words, name);
    assert.equal(await placing(page), false, name);
  }
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-file-refused')}`);
  await drop(page, [{ name: 'notes.txt', bytes: 'words' }]);
  await page.locator('#toasts').getByText(/“notes.txt” isn’t an OBJ, PLY, STL, glTF, GLB or capsule file/).waitFor();
  const sheet = { positions: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]], triangles: [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]] };
  await drop(page, [{ name: 'sheet.obj', bytes: objOf(sheet) }]);
  await page.getByText(/5 particles/).waitFor();
  await page.getByRole('radio', { name: 'Body', exact: true }).check();
  await page.getByText(/It is flat/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Place' }).isDisabled(), true);
  assert.equal((await client.call('object.list')).objects.length, 3, 'nothing else was sent');
  const origin = new URL(page.url()).origin;
  assert.deepEqual(page.fetched.filter((url) => !url.startsWith(`${origin}/`)), [], 'nothing was fetched from elsewhere');
  assert.deepEqual(page.complaints, []);
});

test('a drag from one object to another adds a stick or a joint, which a form changes and removes', async (t) => {
  const { client, page } = await site(t);
  const boxes = [];
  for (const x of [-0.6, 0.6]) {
    boxes.push((await client.call('body.spawn', { shape: 'box', size: [0.4, 0.4, 0.4], position: [x, 0.2, 0], name: x < 0 ? 'left' : 'right' })).object);
  }
  await openDock(page);
  await page.waitForFunction(() => window.weft.objects.length === 2);
  const region = page.getByRole('region', { name: 'Joints' });
  const drag = async (kind, from, to) => {
    await region.getByRole('button', { name: kind, exact: true }).click();
    const [start, end] = [await pointOnFloor(page, from), await pointOnFloor(page, to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
    await page.mouse.move(end.x, end.y, { steps: 3 });
    if (kind === 'Stick') t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-joint-drag')}`);
    await page.mouse.up();
  };
  const sticks = async (count) => {
    const list = await until(async () => {
      const { sticks: all } = await client.call('object.list');
      return all.length === count && { all };
    }, `${count} sticks`);
    return list.all;
  };
  await region.getByLabel('New: break force').fill('500');
  await drag('Stick', [-0.6, 0.4, 0], [0.6, 0.4, 0]);
  const [stick] = await sticks(1);
  assert.deepEqual([stick.a.object, stick.b.object, stick.breakForce], [...boxes, 500]);
  assert.ok(Math.abs(stick.restLength - 1.2) < 0.1 && stick.a.weights.length > 1, JSON.stringify(stick));
  await region.getByLabel('New: break force').fill('');

  const form = page.getByRole('form', { name: 'Added stick' });
  await form.getByLabel('Length').fill('1.05');
  await form.getByLabel('Rate of change').fill('0.2');
  await form.getByLabel('Kind').selectOption('atMost');
  await form.getByRole('button', { name: 'Set' }).click();
  await until(async () => (await sticks(1))[0].kind === 'atMost', 'the change of the stick');
  const [changed] = await sticks(1);
  assert.deepEqual([changed.targetLength, changed.rate, changed.breakForce], [1.05, 0.2, 500]);
  await form.getByLabel('Length').fill('long');
  await form.getByRole('button', { name: 'Set' }).click();
  await form.getByText('Length must be a number from 0, not “long”.').waitFor();
  await audit(page, 'the form of an added stick');

  await drag('Ball joint', [-0.6, 0.4, 0], [0.6, 0.4, 0]);
  assert.equal((await sticks(2)).filter(({ restLength }) => restLength === 0).length, 1);
  await region.getByLabel('New: axis of a hinge').selectOption('y');
  await drag('Hinge', [0.6, 0.4, 0], [0, 0, 0.9]);
  assert.equal((await sticks(4)).filter(({ restLength }) => restLength === 0).length, 3, 'a hinge to the ground is two ball joints');
  assert.equal((await client.call('object.list')).objects.at(-1).pins, 2);
  await drag('Line', [0.6, 0.4, 0], [0.6, 0, 0.9]);
  assert.equal((await sticks(5)).filter(({ kind }) => kind === 'atMost').length, 2);
  await page.waitForFunction(() => window.weft.page.client.topology.sticks.length === 5);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-joints')}`);
  await form.getByLabel('Added stick').selectOption(String(stick.id));
  await form.getByRole('button', { name: 'Remove' }).click();
  assert.ok((await sticks(4)).every(({ id }) => id !== stick.id));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.build-kind[aria-pressed=true]').count(), 0, 'Escape ends the tool');
  assert.equal(await page.evaluate(() => window.weft.page.grabControls.suspended), false);
  assert.deepEqual(page.complaints, []);
});

test('on a small touch screen a tap chooses, a tap places, and fingers still turn the camera', async (t) => {
  const { client, page } = await site(t, { colorScheme: 'light', hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });
  await page.getByRole('button', { name: 'Tools', exact: true }).tap();
  await page.getByRole('button', { name: 'Build', exact: true }).tap();
  await page.getByRole('button', { name: 'Ragdoll', exact: true }).tap();
  await page.getByLabel('height m').waitFor();
  const before = await standing(page);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-touch')}`);
  await audit(page, 'placing on a small screen, in the light theme');
  const dock = await page.locator('#dock-build').boundingBox();
  await page.touchscreen.tap(300, dock.y - 25);
  const tapped = await standing(page);
  assert.ok(Math.hypot(tapped[0] - before[0], tapped[2] - before[2]) > 0.1, `${before} to ${tapped}`);
  const eye = () => page.evaluate(() => window.weft.page.stage.camera.position.toArray());
  const [from, touch] = [await eye(), await page.context().newCDPSession(page)];
  const finger = (type, x) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: dock.y - 20 }] });
  await finger('touchStart', 40);
  for (let x = 50; x <= 130; x += 20) await finger('touchMove', x);
  await finger('touchEnd', 0);
  await until(async () => (await eye()).some((value, axis) => Math.abs(value - from[axis]) > 0.05), 'the camera to turn');
  assert.deepEqual(await standing(page), tapped, 'it stays where it is');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
  const button = await page.getByRole('button', { name: 'Place' }).boundingBox();
  assert.ok(button.height >= 40 && button.x >= 0 && button.x + button.width <= 390, JSON.stringify(button));
  // A tap soon after a drag is considered a part of the drag; the time depends on the machine.
  for (let tap = 0; tap < 5 && await placing(page); tap++) {
    await sleep(500);
    await page.getByRole('button', { name: 'Place' }).tap();
    await until(async () => !(await placing(page)), 'the end of placing', 3000).catch(() => {});
  }
  assert.equal((await placed(page, client, 1))[0].kind, 'ragdoll');
  const { params } = (await journal(page)).at(-1);
  assert.ok(params.position.every((value, axis) => Math.abs(value - tapped[axis]) < 2e-3));
  assert.deepEqual(page.complaints, []);
});

test('who may only look sees what could be built, and is told why it cannot', async (t) => {
  const tokens = join(await dataFolder(t), 'tokens');
  assert.equal((await run(WEFTCTL, ['token', 'make', 'admin', 'owner', '--tokens', tokens])).status, 0);
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tokens', tokens, '--guests', 'viewer']);
  const page = await openPage(await openBrowser(t), server.http('/?panel=build'));
  await page.getByRole('note').getByText('View only. Ask the owner for an edit link.').waitFor();
  for (const name of ['Cloth', 'Height field', 'Choose file…', 'Save']) {
    assert.equal(await page.locator('#dock-build').getByRole('button', { name, exact: true }).isDisabled(), true, name);
  }
  await drop(page, [{ name: 'ball.obj', bytes: objOf(ball()) }]);
  await page.locator('#toasts').getByText('View only. Ask the owner for an edit link.').waitFor();
  assert.equal(await placing(page), false);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-viewer')}`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Model (OBJ)' }).click()]);
  assert.match(file.suggestedFilename(), /\.obj$/, 'what is seen may be taken along');
  assert.deepEqual(page.complaints, []);
});

/** A wavy sheet of 2 × side² triangles, as OBJ. */
function largeObj(side) {
  const lines = [];
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) lines.push(`v ${(column / side).toFixed(5)} ${(0.1 * Math.sin((9 * row) / side) * Math.cos((7 * column) / side)).toFixed(5)} ${(row / side).toFixed(5)}`);
  }
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const a = row * (side + 1) + column + 1;
      lines.push(`f ${a} ${a + 1} ${a + side + 1}`, `f ${a + 1} ${a + side + 2} ${a + side + 1}`);
    }
  }
  return lines.join('\n');
}

test('a mesh of 420,000 triangles is read beside the page: it goes on, tells how far it is, and can be given up', async (t) => {
  const { page } = await site(t);
  const said = page.getByRole('region', { name: 'Import a file' }).locator('.build-said');
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByText('Import a file').waitFor();
  const file = join(await dataFolder(t), 'large.obj');
  await writeFile(file, largeObj(458));
  const choose = () => page.getByLabel('File to import').setInputFiles(file);
  await page.evaluate(() => { // measures the longest time for which the page is blocked
    window.blocked = 0;
    let before = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.blocked = Math.max(window.blocked, now - before);
      before = now;
    }, 5);
  });
  const began = performance.now();
  await choose();
  const bar = page.getByRole('progressbar', { name: 'Reading progress' });
  await bar.waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'build-file-large')}`);
  await page.locator('.build-sent', { hasText: /Import size: 9\d\d particles|Import size: 1,000 particles/ }).waitFor({ timeout: 120000 });
  assert.match(await said.textContent(), /“large.obj”: 419,528 triangles, 210,681 corners/);
  await bar.waitFor({ state: 'hidden' });
  const reading = performance.now() - began;
  const blocked = await page.evaluate(() => window.blocked);
  t.diagnostic(`the page stood still for ${blocked.toFixed(0)} ms at most, of ${reading.toFixed(0)} ms of reading`);
  assert.ok(blocked < reading / 3, `the page stood still for ${blocked.toFixed(0)} ms of ${reading.toFixed(0)}`); // almost all of it if the page itself reads the file
  await page.getByRole('radio', { name: 'Obstacle' }).check();
  await page.getByLabel('Max. corners').fill('50000');
  await page.getByLabel('Max. corners').press('Tab');
  await page.locator('.build-sent', { hasText: /(4\d|50),\d\d\d corners/ }).waitFor({ timeout: 120000 });
  t.diagnostic(`and for ${(await page.evaluate(() => window.blocked)).toFixed(0)} ms at most with 50,000 corners`);
  await place(page);
  await until(async () => !(await placing(page)), 'the end of placing'); // with a border this straight, triangles without area result

  await page.evaluate(() => { // gives up as soon as that is offered: a quick machine has read the file before a pointer gets there
    const working = document.querySelector('.build-working');
    new MutationObserver((changes, observer) => {
      if (working.hidden) return;
      observer.disconnect();
      const button = working.querySelector('button');
      const { left, top, width, height } = button.getBoundingClientRect();
      window.offered = {
        button: button.textContent,
        reached: button.contains(document.elementFromPoint(left + width / 2, top + height / 2)), // by a pointer
        bar: working.querySelector('progress').checkVisibility({ visibilityProperty: true }),
      };
      button.click();
    }).observe(working, { attributes: true });
  });
  await choose();
  await page.getByText('Canceled.').waitFor();
  assert.deepEqual(await page.evaluate(() => window.offered), { button: 'Cancel', reached: true, bar: true });
  assert.equal(await bar.isVisible(), false);
  assert.equal(await placing(page), false);
  await drop(page, [{ name: 'ball.obj', bytes: objOf(ball()) }]); // another file can be read afterwards
  await page.getByText(/“ball.obj”: 1,729 triangles/).waitFor();
  assert.deepEqual(page.complaints, []);
});

// SPDX-License-Identifier: MIT
// The appearance of the picture and its settings: materials, theme, quality, the scale on the floor, and the camera by keys
// and as numbers; and that nothing is computed without need.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { distance, findObject, keepScreenshot, openBrowser, openPage, openPanel } from './page.mjs';

const SMALL = { viewport: { width: 640, height: 400 } }; // the cost of software rendering grows with the pixels

// The present picture, of a page whose tools are hidden: pixels of the canvas.
function pixels(page, points) {
  return page.evaluate((places) => {
    const { stage } = window.weft.page;
    stage.render(0);
    const gl = stage.renderer.getContext();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    return places.map(([x, y]) => {
      const pixel = new Uint8Array(4);
      gl.readPixels(Math.floor((x / stage.width) * width), Math.floor((1 - y / stage.height) * height), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel.subarray(0, 3)];
    });
  }, points);
}

const apart = (a, b) => Math.max(...a.map((value, channel) => Math.abs(value - b[channel])));
const chosen = (page, id) => page.evaluate((action) => window.weft.page.actions.run(action), id);

test('a cloth, a body and loose particles are drawn where their particles are', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0] });
  const { object: cloth } = await client.call('cloth.spawn', { columns: 12, rows: 12, position: [-1, 1.5, 0], spacing: 0.08, color: '#ff0000' });
  const { object: body } = await client.call('body.spawn', { shape: 'tetrahedron', position: [1, 1, 0], size: 0.8, color: '#00ff00' });
  const { object: loose } = await client.call('particles.spawn', { positions: [[0.2, 1, 0.5]], radius: 0.15, color: '#0000ff' });
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/?embed'), SMALL);
  await client.call('world.pause');
  const middlesOf = () => page.evaluate((ids) => ids.map((id) => {
    const { positions, particles } = window.weft.objects.find((object) => object.id === id) ?? { positions: [], particles: 0 };
    const middle = [0, 1, 2].map((axis) => positions.filter((_, i) => i % 3 === axis).reduce((sum, value) => sum + value, 0) / particles);
    const { x, y } = window.weft.page.stage.project(middle);
    return [x, y];
  }), [cloth, body, loose]);
  const middles = await middlesOf();
  const seen = await pixels(page, middles);
  seen.forEach((color, channel) => {
    const others = color.filter((_, other) => other !== channel);
    assert.ok(color[channel] > 40 + Math.max(...others), `object ${channel} has the color ${color}`);
  });

  // A removed object disappears from the picture; the others, whose slots in the frames change, are drawn at their places.
  await client.call('object.remove', { object: cloth });
  await page.waitForFunction(() => window.weft.objects.length === 2);
  const [gone] = await pixels(page, middles);
  assert.ok(apart(gone, seen[0]) > 40, `${gone}`);
  await client.call('world.set', { gravity: [0, -9.81, 0] });
  await client.call('world.step', { ticks: 18 });
  const fallen = await page.waitForFunction((id) => window.weft.objects.find((object) => object.id === id).positions[1] < 0.7, loose).then(middlesOf);
  const [, still, alone] = await pixels(page, fallen);
  assert.ok(still[1] > 40 + still[0] && alone[2] > 40 + alone[1], `${still}, ${alone}`);
  const [, , left] = await pixels(page, middles);
  assert.ok(apart(left, seen[2]) > 40, `where the particle was there is ${left}`);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'look-colors')}`);
  assert.deepEqual(page.complaints, []);
});

test('theme and quality are chosen, take effect at once and are there again after a reload', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/?embed'), { viewport: { width: 400, height: 250 } });
  page.setDefaultTimeout(120000); // fine pictures take long in software
  await client.call('world.pause');
  const corner = [[8, 8]];
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const quality = () => page.evaluate(() => window.weft.quality);
  const [dark] = await pixels(page, corner);
  assert.equal(await theme(), 'dark');
  await page.evaluate(() => { window.told = []; window.weft.page.on('theme', (name) => window.told.push(name)); });
  await chosen(page, 'look.theme.light');
  assert.equal(await theme(), 'light');
  assert.deepEqual(await page.evaluate(() => window.told), ['light']);
  const [light] = await pixels(page, corner);
  assert.ok(light[0] > dark[0] + 100, `${light} after ${dark}`);
  assert.ok(await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).every((value) => value > 180)));

  assert.equal((await quality()).draft, true, 'software is given drafts');
  await chosen(page, 'look.quality.fine');
  assert.deepEqual((({ choice, draft, shadow }) => ({ choice, draft, shadow }))(await quality()), { choice: 'fine', draft: false, shadow: 2048 });
  await page.waitForFunction(() => window.weft.page.stage.scene.environment);
  const kinds = await page.evaluate(() => {
    const seen = new Set();
    window.weft.page.stage.scene.traverse(({ material }) => { if (material) seen.add(material.type); });
    return [...seen];
  });
  assert.ok(kinds.includes('MeshPhysicalMaterial') && !kinds.includes('MeshLambertMaterial'), kinds.join(', '));
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'look-fine-light')}`);

  await page.reload();
  await page.evaluate(() => window.weft.ready);
  assert.equal(await theme(), 'light');
  assert.equal((await quality()).choice, 'fine');
  await chosen(page, 'look.quality.draft');
  assert.equal((await quality()).draft, true);
  assert.equal(await page.evaluate(() => window.weft.page.stage.scene.environment), null);
  await page.emulateMedia({ colorScheme: 'light' });
  await chosen(page, 'look.theme.system');
  assert.equal(await theme(), 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  assert.deepEqual(page.complaints, []);
});

test('a page begins one step finer than pictures had to become the last time', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/?embed'), SMALL);
  const level = () => page.evaluate(() => window.weft.quality.level);
  const first = await level();
  await page.evaluate(() => { // as if each picture took 45 ms
    const { quality } = window.weft.page.stage;
    const { observe } = quality;
    quality.observe = () => observe.call(quality, 45);
  });
  await page.waitForFunction(() => window.weft.quality.level === 0);
  assert.ok(first > 1, `${first} at first`);
  await page.reload();
  await page.evaluate(() => window.weft.ready);
  assert.equal(await level(), 1);
  assert.deepEqual(page.complaints, []);
});

test('where the browser keeps nothing, all works and what was chosen lasts as long as the page', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await openPage(await openBrowser(t), server.http('/'), SMALL);
  await chosen(page, 'look.theme.light');
  await page.addInitScript(() => {
    const refuse = { get() { throw new DOMException('no storage here', 'SecurityError'); } };
    Object.defineProperties(window, { localStorage: refuse, sessionStorage: refuse });
  });
  await page.goto(server.http('/'));
  await page.evaluate(() => window.weft.ready);
  const shown = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await shown(), 'dark', 'what was kept is out of reach');
  await chosen(page, 'look.theme.light');
  assert.equal(await shown(), 'light');
  assert.ok(await findObject(page, 'rope'));
  assert.deepEqual(page.complaints, []);
});

test('keys turn, move and zoom the camera, numbers bring it back, and who prefers less motion gets none', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/'), { ...SMALL, reducedMotion: 'reduce' });
  const read = () => page.evaluate(() => window.weft.page.stage.rig.read());
  const parts = (numbers) => [numbers.slice(0, 3), numbers.slice(3)];
  await page.locator('#stage').focus();
  const start = await read();
  assert.equal(start.length, 6);
  const press = async (key) => {
    const before = await read();
    await page.keyboard.press(key);
    return [before, await read()].map(parts);
  };
  const reach = ([eye, target]) => distance(eye, target);
  for (const [key, axis] of [['ArrowRight', 0], ['ArrowUp', 1]]) {
    const [before, after] = await press(key);
    assert.ok(distance(before[1], after[1]) < 1e-3, `${key} keeps the target`);
    assert.ok(Math.abs(reach(before) - reach(after)) < 1e-2, `${key} keeps the distance`);
    assert.ok(after[0][axis] > before[0][axis] + 0.01, key);
  }
  const [before, after] = await press('Shift+ArrowRight');
  assert.ok(distance(before[1], after[1]) > 0.01 && Math.abs(reach(before) - reach(after)) < 1e-2, 'a move takes the target along');
  const [far, near] = await press('+');
  assert.ok(reach(near) < 0.95 * reach(far));
  assert.ok(reach((await press('-'))[1]) > 1.05 * reach(near));

  // Every move of a drag counts, even if the drag is over before the next picture.
  const turned = (pause) => page.evaluate(async ([numbers, wait]) => {
    const { rig, canvas } = window.weft.page.stage;
    rig.write(numbers);
    const send = async (type, moves) => {
      const at = { clientX: 20 + 15 * moves, clientY: 20, buttons: Number(type !== 'pointerup') };
      canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', bubbles: true, cancelable: true, ...at }));
      if (wait) await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
    };
    await send('pointerdown', 0);
    for (let move = 1; move <= 4; move++) await send('pointermove', move);
    await send('pointerup', 4);
    return rig.read();
  }, [start, pause]);
  const slowly = await turned(true);
  assert.ok(distance(slowly, start) > 0.5, `${slowly}`);
  assert.ok(distance(await turned(false), slowly) < 1e-3);

  // Without smooth movement the camera arrives with the next picture.
  assert.equal(await page.evaluate((numbers) => window.weft.page.stage.rig.write(numbers, true), start), true);
  const eye = await page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.weft.page.stage.camera.position.toArray())));
  }));
  assert.ok(distance(eye, start.slice(0, 3)) < 0.02, `${eye}, not ${start}`);
  for (const nonsense of [[], [1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 0], [NaN, 0, 0, 1, 1, 1], [1e9, 0, 0, 0, 0, 0]]) {
    assert.equal(await page.evaluate((numbers) => window.weft.page.stage.rig.write(numbers), nonsense), false);
  }
  assert.deepEqual(await read(), start);
  assert.deepEqual(page.complaints, []);
});

test('on a machine that decodes slowly positions come to a millimetre, and finer again once there is time', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), SMALL);
  const decodes = (share) => page.evaluate((told) => { // simulates the worker's share of decoding with many particles
    const { precision } = window.weft.page;
    const { observe } = Object.getPrototypeOf(precision);
    precision.observe = () => observe.call(precision, told, 65536);
  }, share);
  await page.evaluate(() => {
    window.weft.client.on('frame', ({ positions }) => { window.finer = positions.some((value) => !Number.isInteger(1024 * value)); });
  });
  const comesTo = (words, finer) => page.waitForFunction(([told, seen]) => window.finer === seen &&
    document.querySelector('.figure input[aria-label="Precision"]').value === told, [words, finer], { timeout: 60000 });
  await openPanel(page, 'settings');
  await comesTo('0.24 mm', true);
  await decodes(0.5);
  await comesTo('0.98 mm', false);
  await decodes(0.01);
  await comesTo('0.24 mm', true);
  assert.deepEqual(page.complaints, []);
});

test('the floor has a scale in metres, at the height and along the lines of its grid', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=bodies']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/?embed'), SMALL);
  const { anchors, floor } = await page.evaluate(() => {
    const { stage, world } = window.weft.page;
    const { anchor } = stage.scene.getObjectByName('scale').geometry.attributes;
    const places = new Set();
    for (let i = 0; i < anchor.count; i++) places.add([anchor.getX(i), anchor.getY(i), anchor.getZ(i)].map((value) => value.toFixed(3)).join(' '));
    return { anchors: [...places].map((place) => place.split(' ').map(Number)), floor: world.floorHeight() };
  });
  assert.ok(anchors.length >= 4, `${anchors.length} marks`);
  for (const [, y] of anchors) assert.ok(Math.abs(y - floor) < 0.01, `a mark at ${y}, the floor at ${floor}`);
  const lines = anchors.slice(0, -2); // without the names of the axes
  for (const [x, , z] of lines) assert.ok([x, z].every((value) => Math.abs(value / 0.5 - Math.round(value / 0.5)) < 1e-6), `${x}, ${z}`);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'look-scale')}`);
  assert.deepEqual(page.complaints, []);
});

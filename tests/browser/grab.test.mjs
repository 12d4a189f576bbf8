// SPDX-License-Identifier: MIT
// Grabbing in the world, with a mouse and by touch, cloth and bodies; and what two windows show of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import {
  distance, findObject, keepScreenshot, openBrowser, openPage, positionOf, restOf, screenOf,
} from './page.mjs';

const ANSWER_MS = 3000; // after which a double click without an effect was none
const APART_MS = 600; // so that two double clicks are not four clicks

test('two windows decode the same positions for the same ticks', async (t) => {
  const server = await Weftd.start(t);
  const browser = await openBrowser(t);
  const windows = [];
  for (let i = 0; i < 2; i++) windows.push(await openPage(browser, server.http('/'), { viewport: { width: 480, height: 320 } }));
  await Promise.all(windows.map((page) => page.evaluate(() => {
    window.sums = {};
    window.weft.client.on('frame', ({ tick, positions }) => {
      const words = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
      let hash = 2166136261;
      for (const word of words) hash = Math.imul(hash ^ word, 16777619);
      window.sums[tick] = hash;
    });
  })));
  let sums = [];
  let shared = [];
  await until(async () => { // a slow page shows few ticks, and not those of the other one
    sums = await Promise.all(windows.map((page) => page.evaluate(() => window.sums)));
    shared = Object.keys(sums[0]).filter((tick) => tick in sums[1]);
    return shared.length > 10;
  }, 'ticks that both windows have seen', 60000);
  t.diagnostic(`${shared.length} ticks seen by both`);
  for (const tick of shared) assert.equal(sums[0][tick], sums[1][tick], `tick ${tick}`);
  assert.equal(new Set(Object.values(sums[0])).size > 5, true, 'nothing moved: the comparison says nothing');
});

test('a finger drags what it touches, and turns the camera where it touches nothing', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  await client.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.2 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { hasTouch: true, isMobile: true, viewport: { width: 412, height: 732 } });
  const { id, particles } = await findObject(page, 'cloth');
  const corner = particles - 1;
  const touch = await page.context().newCDPSession(page);
  const finger = (type, x, y) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const drag = async (from, to) => {
    await finger('touchStart', from.x, from.y);
    for (let i = 1; i <= 8; i++) {
      await finger('touchMove', from.x + ((to.x - from.x) * i) / 8, from.y + ((to.y - from.y) * i) / 8);
      await sleep(40);
    }
  };
  const at = await restOf(page, id, corner);
  const before = await positionOf(page, id, corner);
  await drag(at, { x: at.x + 60, y: at.y - 40 });
  await until(async () => {
    const there = await screenOf(page, id, corner);
    return Math.hypot(there.x - at.x - 60, there.y - at.y + 40) < 12;
  }, 'the corner to be under the finger', 60000);
  const after = await positionOf(page, id, corner);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'touch')}`);
  await finger('touchEnd');
  assert.ok(distance(before, after) > 0.1, `the corner moved by ${distance(before, after)} m`);
  const top = await screenOf(page, id, 0);
  await drag({ x: 25, y: 445 }, { x: 165, y: 445 });
  await finger('touchEnd');
  await until(async () => {
    const turned = await screenOf(page, id, 0);
    return Math.hypot(turned.x - top.x, turned.y - top.y) > 10;
  }, 'the camera to turn', 60000);
  assert.deepEqual(page.complaints, []);
});

test('a double click pins a particle, and another unpins it', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const { id, particles } = await findObject(page, 'cloth');
  const corner = particles - 1;
  await client.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.2 });
  await restOf(page, id, corner); // the cloth hangs, and the corner is visible
  await client.call('world.pause'); // paused, so that the target stays in place however slowly pictures are drawn
  const pins = async () => (await client.call('object.get', { object: id })).pins;
  assert.equal(await pins(), 2);
  const at = await restOf(page, id, corner);
  // On a loaded machine a click may last too long for a click, or the two may be too far apart: then the user clicks again.
  const doubleClick = (wanted, name) => until(async () => {
    await page.mouse.dblclick(at.x, at.y);
    if (await until(async () => (await pins()) === wanted, name, ANSWER_MS).catch(() => false)) return true;
    await sleep(APART_MS);
    return false;
  }, name, 60000);
  await doubleClick(3, 'the pin');
  await page.waitForFunction(([object, index]) => window.weft.objects.find((o) => o.id === object).pins.includes(index), [id, corner]);
  await sleep(APART_MS);
  await doubleClick(2, 'the unpinning');
  assert.deepEqual(page.complaints, []);
});

test('a body can be grabbed anywhere on its surface', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0], bounds: { min: [-2, 0, -2], max: [2, 3, 2] } });
  const { object } = await client.call('body.spawn', { size: 0.9, position: [0, 1.5, 0] });
  const grabs = [];
  client.on('grab.started', (grab) => grabs.push(grab));
  await client.subscribeEvents(['grab.started']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const corners = [];
  for (let i = 0; i < 4; i++) corners.push(await screenOf(page, object, i));
  const middle = { x: corners.reduce((sum, { x }) => sum + x / 4, 0), y: corners.reduce((sum, { y }) => sum + y / 4, 0) };
  const before = (await client.call('particle.read', { object })).positions;
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await until(() => grabs.length > 0, 'the grab');
  const { particles, weights } = grabs[0];
  const held = (positions) => [0, 1, 2].map((axis) => particles.reduce((sum, index, k) => sum + weights[k] * positions[index][axis], 0));
  await page.mouse.move(middle.x + 120, middle.y, { steps: 6 });
  // A hand moves once per picture, and a picture may be late.
  await until(async () => distance(held(before), held((await client.call('particle.read', { object })).positions)) > 0.15, 'the body to follow the hand');
  await sleep(700);
  const after = (await client.call('particle.read', { object })).positions;
  await page.mouse.up();
  assert.equal(grabs[0].particles.length, 3, 'a point inside a face hangs on its three corners');
  assert.ok(Math.abs(grabs[0].weights.reduce((a, b) => a + b) - 1) < 1e-5);
  const moved = distance(held(before), held(after));
  t.diagnostic(`the point held moved by ${moved.toFixed(3)} m`);
  assert.ok(moved > 0.15, 'the body did not follow the hand');
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < i; j++) assert.ok(Math.abs(distance(after[i], after[j]) - 0.9) < 0.09, 'the body is torn out of shape');
  }
  assert.deepEqual(page.complaints, []);
});

test('an embedded shape is held where it is touched, also outside of the particles that carry it', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0], bounds: { min: [-2, 0, -2], max: [2, 3, 2] } });
  const { object } = await client.call('body.spawn', { shape: 'box', size: [1.4, 0.2, 0.2], position: [0, 1.5, 0] });
  const grabs = [];
  client.on('grab.started', (grab) => grabs.push(grab));
  await client.subscribeEvents(['grab.started']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  // The particles are at 1/√3 of the way to the ends: between them and the ends there is only the shape.
  const ends = [];
  for (let i = 0; i < 4; i++) ends.push(await screenOf(page, object, i));
  ends.sort((a, b) => a.x - b.x);
  const [left, right] = [0, 2].map((i) => ({ x: (ends[i].x + ends[i + 1].x) / 2, y: (ends[i].y + ends[i + 1].y) / 2 }));
  const out = 0.3;
  await page.mouse.move(right.x + out * (right.x - left.x), right.y + out * (right.y - left.y));
  await page.mouse.down();
  await until(() => grabs.length > 0, 'the grab');
  await page.mouse.up();
  const { positions } = await client.call('particle.read', { object });
  const held = [0, 1, 2].map((axis) => grabs[0].particles.reduce((sum, index, k) => sum + grabs[0].weights[k] * positions[index][axis], 0));
  t.diagnostic(`held at ${held.map((x) => x.toFixed(3)).join(', ')}`);
  assert.ok(held[0] > 0.5 && held[0] <= 0.7001, `held at x = ${held[0]}`);
  assert.deepEqual(page.complaints, []);
});

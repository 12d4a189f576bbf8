// SPDX-License-Identifier: MIT
// What the picture shows beside the shapes: ragdolls as figures, contact shadows by the quality level, the object under the
// pointer, and a camera that stays above the floor.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

/** The mean brightness of the displayed picture within so many pixels of a point of the page. */
function brightness(page, { x, y }, reach) {
  return page.evaluate(([left, top, size]) => {
    const { stage } = window.weft.page;
    stage.renderOnce();
    const corner = stage.canvas.getBoundingClientRect();
    const gl = stage.renderer.getContext();
    const scale = gl.drawingBufferWidth / stage.width;
    const [px, py, side] = [Math.round(scale * (left - corner.left - size)), Math.round(gl.drawingBufferHeight - scale * (top - corner.top + size)), Math.round(2 * scale * size)];
    const pixels = new Uint8Array(4 * side * side);
    gl.readPixels(px, py, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let sum = 0;
    for (let i = 0; i < pixels.length; i += 4) sum += pixels[i] + pixels[i + 1] + pixels[i + 2];
    return sum / (3 * side * side);
  }, [x, y, reach]);
}

const placeOf = (page, point) => page.evaluate((at) => window.weft.page.stage.project(at), point);
const choose = (page, quality) => page.evaluate((value) => window.weft.page.actions.run(`look.quality.${value}`), quality);

test('what touches the floor darkens it, in fine pictures only; a ragdoll can be grabbed by its head', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=room', '--paused']);
  const client = await server.connect('main');
  await client.call('body.spawn', { shape: 'box', size: [1, 0.4, 1], position: [0, 0.2, 0] });
  const { object } = await client.call('ragdoll.spawn', { position: [1.6, 1, 0], height: 1.6 });
  await client.call('world.step', { ticks: 1 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?embed=&camera=0.5_1.6_5_0.5_0.5_0'));
  await page.waitForFunction(() => window.weft.objects.length === 2);

  const front = await placeOf(page, [0, 0, 0.56]);
  const apart = await placeOf(page, [0, 0, 1.6]);
  const shadeIn = async (quality) => {
    await choose(page, quality);
    await page.waitForFunction((wanted) => window.weft.quality.choice === wanted, quality);
    return async () => await brightness(page, front, 5) / await brightness(page, apart, 5);
  };
  const draft = await (await shadeIn('draft'))();
  const fine = await shadeIn('fine');
  await until(async () => await fine() < 0.92 * draft, `the floor to be darker than ${draft} times the light beside it`);
  await keepScreenshot(page, 'looks-contact');

  // The middle of the head is away from all four particles of its bone, and in front of their tetrahedron.
  const hit = await page.evaluate(() => {
    const { stage, world } = window.weft.page;
    const { x, y } = stage.project([1.6, 1 + 1.6 * 0.41, 0.05]);
    return world.pick(stage.ray(x, y), stage.view.slope);
  });
  assert.equal(hit?.object, object);
  assert.ok(hit.whole && hit.point[2] > 0.1, `it is met at ${hit.point}`);
});

test('the object under the pointer is highlighted, and the cursor shows that it can be grabbed', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  await client.call('body.spawn', { shape: 'box', size: [0.6, 0.6, 0.6], position: [-1, 0.3, 0], color: '#2040a0' });
  await client.call('body.spawn', { shape: 'box', size: [0.6, 0.6, 0.6], position: [0.2, 0.3, 0], color: '#2040a0' });
  await client.call('cloth.spawn', { columns: 8, rows: 8, spacing: 0.08, position: [1.2, 0.9, 0], color: '#2040a0' });
  await client.call('world.step', { ticks: 1 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?camera=0_1_5_0_0.4_0'));
  await page.waitForFunction(() => window.weft.objects.length === 3);
  const centre = await page.evaluate(() => {
    const { positions } = window.weft.objects[2];
    return [0, 1, 2].map((axis) => positions.reduce((sum, value, i) => sum + (i % 3 === axis ? (3 * value) / positions.length : 0), 0));
  });
  const places = await Promise.all([[-1, 0.3, 0.3], [0.2, 0.3, 0.3], centre].map((point) => placeOf(page, point)));
  const cursor = () => page.evaluate(() => window.weft.page.stage.canvas.style.cursor);
  const rest = await placeOf(page, [0, 0, 2]);
  await page.mouse.move(rest.x, rest.y);
  await until(async () => await cursor() === '', 'no hand over the floor');
  const beside = ({ x, y }) => ({ x: x + 25, y: y + 25 }); // beside the marker at the pointer
  const before = [];
  for (const place of places) before.push(await brightness(page, beside(place), 3));
  for (const [i, { x, y }] of places.entries()) {
    await page.mouse.move(x, y);
    await until(async () => await cursor() === 'grab' && await brightness(page, beside(places[i]), 3) > before[i] + 8, `the highlight of object ${i}`);
    for (const [other, place] of places.entries()) {
      if (other !== i) await until(async () => Math.abs(await brightness(page, beside(place), 3) - before[other]) < 4, `object ${other} is as before`);
    }
  }
  await page.mouse.down();
  await until(async () => await cursor() === 'grabbing', 'the closed hand');
  await page.mouse.up();
});

test('the camera stays above the floor, however it is moved', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  await client.call('obstacle.add', { shape: 'plane', position: [0, 0.5, 0] });
  await client.call('body.spawn', { shape: 'box', size: [0.6, 0.6, 0.6], position: [0, 0.8, 0] });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { reducedMotion: 'reduce' });
  const heights = () => page.evaluate(() => {
    const { rig } = window.weft.page.stage;
    return { floor: rig.floor, eye: rig.camera.position.y, target: rig.target.y };
  });
  await until(async () => (await heights()).floor === 0.5, 'the height of the floor');
  const moves = {
    'orbited to below': (rig) => rig.orbit(0, -3),
    'panned down': (rig) => { for (let i = 0; i < 30; i++) rig.pan(0, -0.5); },
    'moved away while it looks up': (rig) => { rig.write([0, 0.6, 3, 0, 3, 0]); rig.zoom(6); },
    'sent below by a link': (rig) => rig.write([2, -4, 3, 0, 1, 0]),
    'sent below, with its target': (rig) => rig.write([2, -4, 3, 0, -1, 0]),
  };
  for (const [what, move] of Object.entries(moves)) {
    await page.evaluate(`(${move})(window.weft.page.stage.rig)`);
    await until(async () => {
      await page.evaluate(() => window.weft.page.stage.render(40));
      return (await heights()).eye >= 0.52;
    }, `a camera above the floor that was ${what}`);
  }
  await page.evaluate(() => window.weft.page.actions.run('frame'));
  await until(async () => (await heights()).eye > 1, 'the whole scene');
});

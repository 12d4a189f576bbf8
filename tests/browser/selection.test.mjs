// SPDX-License-Identifier: MIT
// Selection by pointer, touch and keyboard, the commands for the selection, and their undo.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until as untilWithin } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { distance, findObject, keepScreenshot, openBrowser, openPage, positionOf, screenOf } from './page.mjs';

const PATIENCE_MS = 60000; // pictures may be slow
const until = (condition, what) => untilWithin(condition, what, PATIENCE_MS);

const selected = (page) => page.evaluate(() => {
  const { objects, particles } = window.weft.page.selection;
  return { objects: [...objects], particles: [...particles].map(([id, indices]) => [id, [...indices]]) };
});

/** A paused world with a cloth of 6 × 6 that does not move, and a client. */
async function clothWorld(t) {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused', '--data', await dataFolder(t)]);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0], bounds: { min: [-3, 0, -3], max: [3, 4, 3] } });
  const { object } = await client.call('cloth.spawn', { columns: 6, rows: 6, spacing: 0.3, position: [0, 2, 0], pin: 'none' });
  const get = () => client.call('object.get', { object });
  return { server, client, object, get };
}

test('what is selected by mouse or keyboard is acted upon, and each command is undone and redone', async (t) => {
  const { server, client, object, get } = await clothWorld(t);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { viewport: { width: 1180, height: 600 } });
  await findObject(page, 'cloth');
  const bar = page.getByRole('region', { name: 'Selection' });
  const press = (name) => bar.getByRole('button', { name, exact: true }).click();
  const hash = async () => (await client.call('world.get')).stateHash;

  await t.test('shift and a click take a thing by its surface and let it go, Escape lets everything go', async () => {
    const [a, b] = [await screenOf(page, object, 14), await screenOf(page, object, 21)];
    const surface = [(a.x + b.x) / 2, (a.y + b.y) / 2]; // between particles
    await page.keyboard.down('Shift');
    await page.mouse.click(...surface);
    assert.deepEqual(await selected(page), { objects: [object], particles: [] });
    await page.mouse.click(...surface);
    assert.deepEqual(await selected(page), { objects: [], particles: [] });
    await page.mouse.click(...surface);
    await page.keyboard.up('Shift');
    await bar.getByText('cloth', { exact: false }).first().waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-object')}`);
    await page.keyboard.press('Escape');
    assert.deepEqual(await selected(page), { objects: [], particles: [] });
    assert.equal((await client.call('world.get')).counts.grabs, 0, 'nothing was held meanwhile');
  });

  await t.test('shift and a drag select the particles in the box and do not turn the camera', async () => {
    const [a, b] = [await screenOf(page, object, 0), await screenOf(page, object, 8)];
    await page.keyboard.down('Shift');
    await page.mouse.move(a.x - 12, a.y - 5);
    await page.mouse.down();
    await page.mouse.move(b.x + 12, b.y + 12, { steps: 5 });
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-box')}`);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const { particles } = await selected(page);
    assert.deepEqual(particles, [[object, [0, 1, 2, 6, 7, 8]]]);
    assert.deepEqual(await screenOf(page, object, 0), a, 'the camera stayed');
    await until(async () => (await client.call('people.list')).people.some(({ selection }) => selection.particles.length === 2), 'others are told');
  });

  await t.test('pin, unpin, push, color, material and remove do what they say, undo and redo as well', async () => {
    const before = await hash();
    await press('Pin');
    await until(async () => (await get()).pins === 6, 'the pins');
    const pinned = await hash();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await get()).pins === 0, 'the pins are taken back');
    assert.equal(await hash(), before);
    await page.keyboard.press('Control+Shift+Z');
    await until(async () => (await get()).pins === 6, 'the pins are back');
    assert.equal(await hash(), pinned);
    assert.deepEqual((await selected(page)).particles[0][1], [0, 1, 2, 6, 7, 8], 'the selection stays');
    await until(() => page.evaluate(() => window.weft.objects[0].pins.length === 6), 'the page shows the pins');
    await press('Unpin');
    await until(async () => (await get()).pins === 0, 'unpinning');
    await press('Push');
    await bar.getByRole('button', { name: 'Up', exact: true }).click();
    await until(async () => (await client.call('world.history', {})).commands.some(({ method }) => method === 'force.apply'), 'the push');
    const { commands } = await client.call('world.history', {});
    const { params } = commands.findLast(({ method }) => method === 'force.apply');
    assert.ok(params.force[1] > 10 && Math.abs(params.force[0]) < 0.01, `pushed by ${params.force}`);
    assert.deepEqual(params.particles, [0, 1, 2, 6, 7, 8]);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-push')}`);
    await press('Material');
    await page.getByLabel('Friction').fill('1.25');
    await until(async () => Math.abs((await get()).friction - 1.25) < 1e-6, 'the friction');
    await page.getByLabel('Bounce').fill('0.5');
    await until(async () => Math.abs((await get()).restitution - 0.5) < 1e-6, 'the bounce');
    assert.ok(await page.getByLabel('Bending').isHidden(), 'it was made without bending sticks');
    await page.getByLabel('Stiffness').fill('3');
    await until(async () => Math.abs((await get()).stretchCompliance - 1e-3) < 1e-8, 'the stiffness');
    assert.equal(await bar.locator('output[for="material-stretchCompliance"]').textContent(), '1000 N/m');
    await page.getByLabel('Stiffness').fill('7.05');
    await until(async () => (await get()).stretchCompliance === 0, 'a rigid cloth');
    await page.getByLabel('Mass').fill('0.3');
    await until(async () => Math.abs((await get()).mass - 2) < 1e-2, 'the mass');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-material')}`);
    await page.getByLabel('Color of the selection').evaluate((input) => {
      input.value = '#8800ff';
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await until(async () => (await get()).color === '#8800ff', 'the color');
    await page.keyboard.press('Control+z');
    await until(async () => (await get()).color !== '#8800ff', 'the color is taken back');
  });

  await t.test('a tear goes along the selected particles', async () => {
    const before = (await get()).particles;
    await page.evaluate((id) => window.weft.page.selection.set({ particles: [[id, [2, 8, 14, 20, 26, 32]]] }), object);
    await press('Tear');
    await until(async () => (await get()).particles > before, 'the tear');
  });

  await t.test('the keyboard alone selects, takes hold, moves, and removes', async () => {
    await page.keyboard.press('Escape');
    await page.locator('#stage').focus();
    await page.keyboard.press('o');
    const list = page.getByRole('listbox', { name: 'Objects' });
    await list.waitFor();
    await until(async () => {
      await page.keyboard.press('Tab');
      return list.evaluate((element) => element === document.activeElement);
    }, 'the list has the keyboard');
    await page.keyboard.press('Enter');
    assert.deepEqual((await selected(page)).objects, [object]);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-objects')}`);
    await page.getByLabel('Particles by number').focus();
    await page.keyboard.type('35');
    await page.keyboard.press('Enter');
    assert.deepEqual(await selected(page), { objects: [], particles: [[object, [35]]] });
    await page.getByRole('button', { name: 'Close Objects' }).focus();
    await page.keyboard.press('Enter');
    await client.call('world.resume');
    const at = await positionOf(page, object, 35);
    await page.keyboard.press('g');
    await until(async () => (await client.call('world.get')).counts.grabs === 1, 'the hand');
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    await until(async () => (await positionOf(page, object, 35))[0] > at[0] + 0.1, 'it follows');
    assert.ok(distance(at, await positionOf(page, object, 35)) < 2);
    await page.keyboard.press('Enter');
    await until(async () => (await client.call('world.get')).counts.grabs === 0, 'it is let go of');
    await client.call('world.pause');
    await page.keyboard.press('Delete');
    await until(async () => (await client.call('object.list')).objects.length === 0, 'it is removed');
    await until(async () => (await selected(page)).particles.length === 0, 'and selected no longer');
    await page.keyboard.press('Control+z');
    await until(async () => (await client.call('object.list')).objects.length === 1, 'it is back');
  });
  assert.deepEqual(page.complaints, []);
});

test('a body is moved by a handle and by keys, and each move is one step to undo', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused', '--data', await dataFolder(t)]);
  const client = await server.connect('main');
  const { object } = await client.call('body.spawn', { shape: 'box', size: [0.6, 0.6, 0.6], position: [0, 0.5, 0], color: '#2040a0' });
  const centre = async () => {
    const { positions } = await client.call('particle.read', { object });
    return [0, 1, 2].map((axis) => positions.reduce((sum, place) => sum + place[axis] / positions.length, 0));
  };
  const start = await centre();
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?camera=0_0.9_5_0_0.5_0'), { viewport: { width: 1180, height: 700 } });
  await findObject(page, 'body');
  const bar = page.getByRole('region', { name: 'Selection' });
  await page.evaluate((id) => window.weft.page.selection.set({ objects: [id] }), object);
  await bar.getByRole('button', { name: 'Move', exact: true }).click();
  const arrow = () => page.evaluate(() => {
    const { stage } = window.weft.page;
    const helper = stage.scene.children.find(({ isTransformControlsRoot, visible }) => isTransformControlsRoot && visible);
    if (!helper) return null;
    // The arrow of the x axis is as long as the controls are large on the screen.
    const at = helper.controls.object.position;
    const far = at.distanceTo(stage.camera.position) * Math.min(1.9 * Math.tan((Math.PI * stage.camera.fov) / 360), 7) * helper.controls.size / 4;
    return { from: stage.project(at.toArray()), to: stage.project([at.x + 0.45 * far, at.y, at.z]) };
  });
  await until(arrow, 'the handles');
  await page.waitForFunction(() => {
    const helper = window.weft.page.stage.scene.children.find(({ isTransformControlsRoot }) => isTransformControlsRoot);
    return Math.abs(helper.controls.object.position.y - 0.5) < 0.02; // the middle of the box
  });
  let to;
  await until(async () => { // the view may still be changing
    ({ to } = await arrow());
    await page.mouse.move(to.x, to.y);
    return page.evaluate(() => window.weft.page.stage.canvas.style.cursor === 'move');
  }, 'the pointer over the handle');
  await page.mouse.down();
  await page.mouse.move(to.x + 60, to.y, { steps: 4 });
  await page.mouse.move(to.x + 120, to.y + 9, { steps: 4 });
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-handles')}`);
  await page.mouse.up();
  await until(async () => (await centre())[0] > start[0] + 0.3, 'the body is further to the right');
  const moved = await centre();
  assert.ok(Math.abs(moved[1] - start[1]) < 1e-4 && Math.abs(moved[2] - start[2]) < 1e-4, `along the axis only: ${moved}`);
  assert.equal((await client.call('world.get')).counts.grabs, 0, 'nothing was grabbed');

  const up = bar.getByRole('button', { name: 'Up', exact: true });
  await up.focus();
  for (let moves = 0; moves < 2; moves++) await page.keyboard.press('Enter');
  await until(async () => Math.abs((await centre())[1] - moved[1] - 0.2) < 1e-4, 'both moves up');
  for (const height of [0.1, 0]) {
    await page.keyboard.press('Control+z');
    await until(async () => Math.abs((await centre())[1] - moved[1] - height) < 1e-4, `back at ${height}`);
  }
  await page.keyboard.press('Control+z');
  await until(async () => Math.abs((await centre())[0] - start[0]) < 1e-4, 'where it began');
  await page.keyboard.press('Escape');
  await until(async () => await arrow() === null, 'no handles when the card is closed');
  assert.deepEqual(page.complaints, []);
});

test('obstacles are selected, colored, given a material, moved and removed like objects, and each change is undone', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused', '--data', await dataFolder(t)]);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0], bounds: { min: [-3, 0, -3], max: [3, 4, 3] } });
  const { obstacle: step } = await client.call('obstacle.add', { shape: 'box', size: [0.6, 0.6, 0.6], position: [0, 1.5, 0], friction: 0.4, name: 'step' });
  const { obstacle: pole } = await client.call('obstacle.add', { shape: 'capsule', from: [1.2, 1, 0], to: [1.2, 2, 0], radius: 0.2 });
  const { obstacle: floor } = await client.call('obstacle.add', { shape: 'plane', position: [0, 0.5, 0] });
  const obstacles = async () => (await client.call('object.list')).obstacles;
  const named = async () => (await obstacles()).find(({ name }) => name === 'step');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { viewport: { width: 1180, height: 600 } });
  const bar = page.getByRole('region', { name: 'Selection' });
  const button = (name) => bar.getByRole('button', { name, exact: true });
  const at = (point) => page.evaluate((place) => window.weft.page.stage.project(place), point);
  const click = async (point) => {
    const { x, y } = await at(point);
    await page.mouse.click(x, y);
  };

  await t.test('shift and a click take them by their surface, outlined here and told to others', async () => {
    await page.keyboard.down('Shift');
    await click([0, 1.5, 0]);
    assert.deepEqual(await selected(page), { objects: [step], particles: [] });
    await bar.getByText('step', { exact: true }).waitFor();
    const { x, y } = await at([0, 1.5, 0]);
    await until(() => page.evaluate(([left, top]) => {
      const canvas = document.querySelector('#people-marks canvas');
      if (canvas.hidden) return false;
      const corner = canvas.getBoundingClientRect();
      const ratio = canvas.width / canvas.clientWidth;
      const middle = Math.round((left - corner.left) * ratio);
      const { data } = canvas.getContext('2d', { willReadFrequently: true }).getImageData(0, Math.round((top - corner.top) * ratio), canvas.width, 1);
      const seen = (from, to) => data.subarray(4 * from, 4 * to).some((value) => value > 0);
      return seen(0, middle - 10) && seen(middle + 10, canvas.width) && !seen(middle - 10, middle + 10);
    }, [x, y]), 'a line around it');
    await until(async () => (await client.call('people.list')).people.some(({ selection }) => selection.objects.includes(step)), 'others are told');
    await click([1.2, 1.5, 0]);
    await click([0.5, 0.5, 0]);
    assert.deepEqual(await selected(page), { objects: [step, pole, floor], particles: [] });
    await bar.getByText('3 obstacles', { exact: true }).waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-obstacles')}`);
    await click([1.2, 1.5, 0]);
    await click([0.5, 0.5, 0]);
    await page.keyboard.up('Shift');
    assert.deepEqual(await selected(page), { objects: [step], particles: [] });
    for (const name of ['Hold', 'Pin', 'Unpin', 'Tear', 'Push']) assert.ok(await button(name).isDisabled(), `${name} is for objects`);
  });

  await t.test('color and material are theirs, undo takes each back', async () => {
    await button('Material').click();
    await until(async () => await page.getByLabel('Friction').inputValue() === '0.4', 'the friction it has');
    await page.getByLabel('Friction').fill('1.25');
    await until(async () => (await named()).friction === 1.25, 'the friction');
    await page.getByLabel('Bounce').fill('0.5');
    await until(async () => (await named()).restitution === 0.5, 'the bounce');
    await page.getByLabel('Color of the selection').evaluate((input) => {
      input.value = '#8800ff';
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await until(async () => (await named()).color === '#8800ff', 'the color');
    await page.keyboard.press('Escape');
    await page.locator('#stage').focus();
    for (const [member, before] of [['color', null], ['restitution', 0]]) {
      await page.keyboard.press('Control+z');
      await until(async () => (await named())[member] === before, `the ${member} is taken back`);
    }
    assert.equal((await named()).friction, 1.25);
    assert.deepEqual((await selected(page)).objects, [step], 'the selection stays');
  });

  await t.test('moved, it stays what it was, selected, and is taken back', async () => {
    const { id, position, ...rest } = await named();
    await button('Move').click();
    for (let moves = 0; moves < 2; moves++) await bar.getByRole('button', { name: 'Up', exact: true }).click();
    await until(async () => Math.abs((await named()).position[1] - 1.7) < 1e-5, 'both moves');
    const moved = await named();
    assert.deepEqual({ ...moved, id, position }, { id, position, ...rest });
    await until(async () => (await selected(page)).objects.join() === String(moved.id), 'it is selected where it is now');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-move')}`);
    for (const y of [1.6, 1.5]) {
      await page.keyboard.press('Control+z');
      await until(async () => Math.abs((await named()).position[1] - y) < 1e-5, `back at ${y}`);
    }
    assert.equal((await named()).id, step);
  });

  await t.test('they are listed, and removed by a key', async () => {
    await page.locator('#stage').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    const rows = page.getByRole('listbox', { name: 'Objects' }).getByRole('option');
    await until(async () => await rows.count() === 3, 'the list');
    assert.match(await rows.first().textContent(), /step.*box · obstacle/);
    await rows.first().click();
    await page.getByLabel('Particles by number').fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Obstacles have no particles.').waitFor();
    assert.deepEqual(await selected(page), { objects: [step], particles: [] });
    await page.locator('#stage').focus();
    await page.keyboard.press('Delete');
    await until(async () => !(await named()), 'it is removed');
    await until(async () => (await selected(page)).objects.length === 0 && await rows.count() === 2, 'and selected and listed no longer');
    await page.keyboard.press('Control+z');
    await until(async () => (await named())?.id === step, 'it is back');
    await rows.nth(2).waitFor();
  });
  assert.deepEqual(page.complaints, []);
});

test('a finger selects on a small screen, and who may only look selects but changes nothing', async (t) => {
  const { server, client, object } = await clothWorld(t);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { hasTouch: true, isMobile: true, viewport: { width: 390, height: 760 } });
  await findObject(page, 'cloth');
  await page.locator('#select').tap();
  const touch = await page.context().newCDPSession(page);
  const finger = (type, x, y) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const [a, b] = [await screenOf(page, object, 0), await screenOf(page, object, 7)];
  await finger('touchStart', a.x - 10, a.y - 10);
  for (let i = 1; i <= 4; i++) await finger('touchMove', a.x - 10 + ((b.x - a.x + 20) * i) / 4, a.y - 10 + ((b.y - a.y + 20) * i) / 4);
  await finger('touchEnd');
  await until(async () => (await selected(page)).particles.length === 1, 'the box');
  assert.deepEqual((await selected(page)).particles, [[object, [0, 1, 6, 7]]]);
  await page.locator('#select').tap();
  const bar = page.getByRole('region', { name: 'Selection' });
  const { x, width } = await bar.boundingBox();
  assert.ok(x >= 0 && x + width <= 390, `the bar reaches from ${x} to ${x + width}`);
  for (const button of await bar.getByRole('button').all()) {
    const box = await button.boundingBox();
    assert.ok(box.width >= 40 && box.height >= 40 && box.x >= 0 && box.x + box.width <= 390, 'each button can be touched');
  }
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'selection-small')}`);
  await bar.getByRole('button', { name: 'Pin', exact: true }).tap();
  await until(async () => (await client.call('object.get', { object })).pins === 4, 'the pins');
  await page.evaluate(() => {
    window.weft.page.role = 'viewer';
    window.weft.page.updateUsable();
  });
  for (const name of ['Pin', 'Tear', 'Remove']) assert.ok(await bar.getByRole('button', { name, exact: true }).isDisabled(), `${name} is off`);
  assert.ok(await bar.getByRole('button', { name: 'Deselect all' }).isEnabled());
  assert.deepEqual(page.complaints, []);
});

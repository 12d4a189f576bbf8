// SPDX-License-Identifier: MIT
// The X-ray: overlays whose numbers agree with the server's, in the picture, by keyboard, by link and on a small screen; and
// plots that can be paused and exported as a table.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { audit, walk } from './access.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

/** Waits for the text of an overlay's legend. */
async function legend(page, title, wanted) {
  const block = page.locator(`.xray-block[aria-label="${title}"]`);
  await block.waitFor();
  const text = () => block.evaluate((element) => [...element.querySelectorAll('.xray-ticks span, dd, li, .xray-note:not([hidden])')].map((part) => part.textContent).join(' | '));
  let last = '';
  await until(async () => wanted.test(last = await text()), `the legend of ${title} (it says: ${last})`, 60000).catch((error) => {
    throw new Error(`${error.message}; it says: ${last}`);
  });
  return last;
}

/** The number of pixels whose colour the X-ray changes. Both pictures have the size of the stage; rotating the view may change it. */
function pixelsDrawn(page) {
  return page.evaluate(() => {
    const { stage, world } = window.weft.page;
    const parts = world.group.children.filter(({ renderOrder, visible }) => visible && renderOrder > 10);
    const gl = stage.renderer.getContext();
    const read = () => {
      stage.renderer.render(stage.scene, stage.camera);
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    const shown = read();
    for (const part of parts) part.visible = false;
    const bare = read();
    for (const part of parts) part.visible = true;
    let count = 0;
    for (let i = 0; i < shown.length; i += 4) {
      if (Math.abs(shown[i] - bare[i]) + Math.abs(shown[i + 1] - bare[i + 1]) + Math.abs(shown[i + 2] - bare[i + 2]) > 60) count++;
    }
    return count;
  });
}

const number = (text) => Number(text.replaceAll(',', ''));

test('the added sticks are shown with their ends, loads and muscles', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  const { object: beam } = await client.call('body.spawn', { shape: 'box', size: [2, 0.1, 0.1], position: [0, 2, 0] });
  await client.call('particle.pin', { object: beam, particles: [0, 1, 2, 3] });
  const hung = [];
  for (const x of [-0.8, 0, 0.8]) hung.push((await client.call('body.spawn', { shape: 'sphere', radius: 0.15, position: [x, 1.2, 0] })).object);
  const from = (x) => ({ object: beam, anchor: [x, 1.95, 0] });
  const { stick } = await client.call('stick.add', { a: from(-0.8), b: { object: hung[0], point: [-0.8, 1.35, 0] }, breakForce: 40 });
  await client.call('stick.add', { a: from(0), b: { object: hung[1], anchor: [0, 1.95, 0] }, restLength: 0 });
  await client.call('stick.add', { a: from(0.8), b: { object: hung[2], point: [0.8, 1.35, 0] }, swing: { amplitude: 0.1, period: 2 } });
  await client.call('world.step', { ticks: 30 });
  const { force } = (await client.call('object.list')).sticks.find(({ id }) => id === stick);
  assert.ok(force > 8 && force < 12, `it bears 1 kg: ${force} N`);
  const page = await openPage(await openBrowser(t), server.http('/?xray=added'));
  const text = await legend(page, 'Added sticks', /\(stick \d+\) \| .*\(stick \d+\)/);
  const [, , , sticks, joints, muscles, load] = text.split(' | ');
  assert.deepEqual([sticks, joints, muscles], ['3', '1', '1']);
  assert.ok(Math.abs(Number.parseFloat(load) - 100 * force / 40) < 0.1 && load.endsWith(`of 40 N (stick ${stick})`), load);
  assert.ok(await pixelsDrawn(page) > 150);
  assert.deepEqual(await page.locator('#xray-labels span:not([hidden])').allTextContents(), ['± 0.1 m every 2 s']);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'xray-added')}`);
  await client.call('stick.remove', { stick });
  await legend(page, 'Added sticks', /^[^|]*\|[^|]*\|[^|]*\| 2 \|/);
  assert.deepEqual(page.complaints, []);
});

test('overlays show what the solver did, and say the same as the server', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  const call = (method, params) => client.call(method, params);
  const flat = { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], pin: 'none', thickness: 0.02, selfCollision: true, spacing: 0.06 };
  await call('obstacle.add', { shape: 'plane' });
  await call('obstacle.add', { shape: 'sphere', position: [0, 0.5, 0], radius: 0.5, friction: 0.4 });
  await call('cloth.spawn', { columns: 18, rows: 18, position: [0, 1.06, 0], ...flat });
  await call('cloth.spawn', { columns: 14, rows: 14, position: [0, 1.16, 0], ...flat });
  const hung = await call('cloth.spawn', { columns: 16, rows: 16, position: [1.6, 1.5, 0], spacing: 0.06 });
  await call('body.spawn', { shape: 'box', size: [0.3, 0.3, 0.3], position: [-1.4, 0.16, 0] });
  await call('world.step', { ticks: 45 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?xray=stretch'));

  await t.test('stretch: colours, a scale and figures of all sticks', async () => {
    const { stretch } = await call('world.measure');
    const text = await legend(page, 'Stretch', /sticks are|[\d,]+$/);
    const [, , , mean, worst, sticks] = text.split(' | ');
    assert.ok(Math.abs(Number.parseFloat(mean) - 100 * stretch.mean) < 0.01, `${mean} for ${stretch.mean}`);
    assert.ok(Math.abs(Number.parseFloat(worst) - 100 * stretch.worst) < 0.1, `${worst} for ${stretch.worst}`);
    assert.equal(number(sticks), stretch.sticks);
    const pixels = await pixelsDrawn(page);
    assert.ok(pixels > 2000, `${pixels} pixels are coloured`);
    const labels = await page.locator('#xray-labels span:not([hidden])').allTextContents();
    assert.equal(labels.length, 1);
    assert.ok(Math.abs(Number.parseFloat(labels[0]) - 100 * stretch.worst) < 0.1, labels[0]);
    await keepScreenshot(page, 'xray-stretch');
  });

  await t.test('residual and batches take the place of stretch; a batch can be seen alone', async () => {
    await page.keyboard.press('x');
    await page.locator('#dock-xray').waitFor();
    const residual = page.getByRole('checkbox', { name: 'Stick residual' });
    await residual.focus();
    await page.keyboard.press('Space');
    await legend(page, 'Stick residual', /mm \| [\d,]+ ?/);
    assert.equal(await page.getByRole('checkbox', { name: 'Stretch', exact: true }).isChecked(), false);
    await page.getByRole('checkbox', { name: 'Batches', exact: true }).check();
    const { batches } = await call('object.sticks', { object: hung.object });
    await legend(page, 'Batches', /batch 1/);
    const rows = page.locator('.xray-block[aria-label=Batches] li');
    assert.ok(await rows.count() >= Math.min(12, batches.length));
    const all = await pixelsDrawn(page);
    await rows.first().getByRole('button').press('Enter');
    const alone = await pixelsDrawn(page);
    assert.ok(alone > 100 && alone < all, `${alone} of ${all} pixels`);
    await keepScreenshot(page, 'xray-batches');
    await audit(page, 'the dock of the X-ray');
    await page.getByRole('button', { name: 'Turn all off' }).click();
    assert.equal(await pixelsDrawn(page), 0);
  });

  await t.test('contacts, friction and self-collision: marks of different shapes, counted', async () => {
    for (const name of ['Contacts', 'Friction', 'Self-collision']) await page.getByRole('checkbox', { name, exact: true }).check();
    const contacts = await call('world.contacts', { most: 1024 });
    const counts = (kind) => contacts.kinds.filter((other) => other === kind).length;
    const text = await legend(page, 'Contacts', /Obstacle/);
    assert.equal(number(text.split(' | ')[0]), contacts.contacts);
    assert.ok(counts('obstacle') > 20 && counts('cloth') > 10 && counts('bounds') + counts('body') >= 0);
    const sliding = contacts.slips.filter((slip) => slip > 0.01).length;
    await legend(page, 'Friction', new RegExp(`Sliding ?${sliding},`));
    await legend(page, 'Self-collision', new RegExp(`Cloth with cloth ?${counts('cloth')}`));
    assert.ok(await pixelsDrawn(page) > 1000);
    await keepScreenshot(page, 'xray-contacts');
    await page.keyboard.press('Escape');
    await page.locator('#xray-legend').waitFor();
    await audit(page, 'legends beside the picture');
    assert.ok((await walk(page, 'legends beside the picture')).some((name) => name.includes('X-ray legend')));
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Turn all off' }).click();
  });

  await t.test('velocity and sleep follow the world', async () => {
    await page.getByRole('checkbox', { name: 'Velocity', exact: true }).check();
    const positions = Array.from({ length: 40 }, (_, i) => [1.2 + 0.02 * i, 0.4, 0.5]);
    await call('particles.spawn', { positions, velocities: positions.map(() => [0, 3, 0]), radius: 0.01 });
    await until(() => page.evaluate(() => window.weft.page.world.topology.particles === window.weft.client.topology.particles), 'the particles');
    await call('world.step', { ticks: 5 });
    const speeds = await legend(page, 'Velocity', /m\/s \| [\d.e-]+ m\/s \| [1-9][\d.]* m\/s/);
    assert.ok(Math.abs(Number.parseFloat(speeds.split(' | ')[4]) - 2.5) < 0.6, speeds);
    await keepScreenshot(page, 'xray-velocity');
    const moving = await pixelsDrawn(page);
    assert.ok(moving > 200, `${moving} pixels`);
    await page.getByRole('checkbox', { name: 'Sleep', exact: true }).check();
    await call('world.step', { ticks: 240 });
    const { objects } = await call('object.list');
    const asleep = objects.filter(({ asleep: rests }) => rests).length;
    assert.ok(asleep > 0, 'something sleeps');
    await legend(page, 'Sleep', new RegExp(`asleep ?${asleep} \\| . ?awake ?${objects.length - asleep}|asleep ?${asleep}`));
    await until(async () => await page.locator('#xray-labels span', { hasText: 'asleep' }).count() === asleep, 'a label for each');
    await keepScreenshot(page, 'xray-velocity-sleep');
  });

  await t.test('a link shows the same overlays; a cloth that is torn keeps its colours', async () => {
    await until(() => /xray=velocity(,|%2C)sleep/.test(page.url()), 'the address');
    await page.goto(page.url().replace(/xray=[^&]*/, 'xray=stretch'));
    await page.waitForFunction(() => window.weft);
    await page.evaluate(() => window.weft.ready);
    await legend(page, 'Stretch', /[\d,]+$/);
    const before = await call('object.get', { object: hung.object });
    await call('particle.tear', { object: hung.object, particles: Array.from({ length: 16 }, (_, i) => 8 * 16 + i) });
    await call('world.step', { ticks: 20 });
    const after = await call('object.get', { object: hung.object });
    assert.equal(after.particles, before.particles + 16);
    const { stretch } = await call('world.measure');
    await legend(page, 'Stretch', new RegExp(`${stretch.sticks.toLocaleString('en')}( \\| .*)?$`));
    assert.ok(await pixelsDrawn(page) > 1000);
  });

  await t.test('the range of the colours can be fixed, bad numbers are refused, and a link has it', async () => {
    await legend(page, 'Stretch', /[\d,]+$/);
    if (!await page.locator('#dock-xray').isVisible()) {
      await page.locator('#stage').focus();
      await page.keyboard.press('x');
    }
    const group = page.getByRole('group', { name: 'Color range of Stretch' });
    await group.getByLabel('Fixed range').check();
    const [from, to] = [group.getByLabel('From'), group.getByLabel('To')];
    assert.ok(Number(await to.inputValue()) > 0, 'it begins with the range of the data');
    await to.fill('2');
    await from.fill('0.5');
    await from.press('Enter');
    await legend(page, 'Stretch', /≤ 0\.5 % \| 1\.25 % \| ≥ 2 %/);
    await to.fill('two');
    await to.press('Enter');
    assert.equal(await group.getByRole('alert').textContent(), '“To” must be a number from 0 to 1000000 %, such as 0.5, not “two”.');
    assert.equal(await to.getAttribute('aria-invalid'), 'true');
    await audit(page, 'a range that is refused');
    await legend(page, 'Stretch', /≥ 2 %/);
    await to.fill('4');
    await to.press('Enter');
    assert.ok(await group.getByRole('alert').isHidden());
    await keepScreenshot(page, 'xray-range');
    await until(() => page.url().includes('xrayrange=stretch_0.5_4'), 'the address');
    await page.reload();
    await page.waitForFunction(() => window.weft);
    await legend(page, 'Stretch', /≤ 0\.5 % \| 2\.25 % \| ≥ 4 %/);
  });

  assert.deepEqual(page.complaints, []);
  await page.context().close();

  await t.test('on a small screen the switches and the legend fit and can be touched', async () => {
    const phone = await openPage(browser, server.http('/'), PHONE);
    await phone.getByRole('button', { name: 'Tools', exact: true }).tap();
    await phone.locator('#rail').getByRole('button', { name: 'X-ray' }).tap();
    await phone.getByRole('checkbox', { name: 'Contacts', exact: true }).tap();
    await legend(phone, 'Contacts', /Obstacle/);
    await keepScreenshot(phone, 'xray-phone-dock');
    await phone.getByRole('button', { name: 'Close X-ray' }).tap();
    await phone.locator('#xray-legend').waitFor();
    const { x, y, width, height } = await phone.locator('#xray-legend').boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 390 && y + height <= 780, `${x} ${y} ${width} ${height}`);
    await keepScreenshot(phone, 'xray-phone');
    assert.deepEqual(phone.complaints, []);
  });
});

test('plots draw energy, momentum, stretch, stages and traffic; they pause, and go into a table', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  await page.locator('#stage').focus();
  await page.keyboard.press('p');
  await page.locator('#dock-plots .plot').first().waitFor();
  const samples = async () => Number.parseInt(await page.locator('.plots-figures').textContent(), 10) || 0;
  await until(async () => await samples() >= 8, 'eight samples', 60000);
  assert.equal(await page.locator('#dock-plots canvas').count(), 5);
  const told = await page.locator('.plot-place').evaluateAll((places) => places.map((place) => place.getAttribute('aria-label')));
  for (const [i, words] of [/kinetic [\d.e-]+ J, potential [\d.e-]+ J, total/, /momentum .* kg·m\/s, angular .* kg·m²\/s/, /mean [\d.]+ %, worst -?[\d.]+ %/, /ms/, /received [\d.]+ kB\/s, round trip [\d.]+ ms/].entries()) {
    assert.match(told[i], words);
  }
  const drawn = await page.locator('#dock-plots canvas').evaluateAll((canvases) => canvases.map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) colors.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4}`);
    return colors.size;
  }));
  assert.ok(drawn.every((colors) => colors >= 3), `colours of the charts: ${drawn}`);
  await keepScreenshot(page, 'plots');
  await audit(page, 'the plots');

  await page.getByRole('button', { name: 'Pause', exact: true }).filter({ hasText: 'Pause' }).and(page.locator('.plots-pause')).click();
  const stood = await samples();
  const { tick } = await client.call('world.get');
  await until(async () => (await client.call('world.get')).tick > tick + 60, 'a second of the world');
  assert.equal(await samples(), stood, 'nothing is recorded while it is paused');

  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await coming;
  assert.match(download.suggestedFilename(), /^weft-main-\d+\.csv$/);
  const [names, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\n').map((line) => line.split(','));
  assert.equal(rows.length, stood);
  const column = (name) => rows.map((row) => Number(row[names.indexOf(name)]));
  const [kinetic, potential, total] = ['kinetic_energy_J', 'potential_energy_J', 'total_energy_J'].map(column);
  assert.ok(total.every((sum, i) => Math.abs(sum - kinetic[i] - potential[i]) < 1e-9));
  const ticks = column('tick');
  // Of two results of one tick, which a busy machine causes, one is a sample.
  assert.ok(ticks.every((one, i) => i === 0 || one > ticks[i - 1]), 'ticks rise');
  assert.ok(column('received_kB_s').some((rate) => rate > 0) && column('sticks_ms').some((ms) => ms > 0));
  assert.deepEqual(page.complaints, []);
});

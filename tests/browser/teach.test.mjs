// SPDX-License-Identifier: MIT
// Presenting, in two windows: a presenter freezes the world, points, brings the other window to a view, and resets the world;
// cards explain the loaded scene.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { browser } from './access.mjs';
import { distance, findObject, keepScreenshot, openPanel, positionOf, restOf, screenOf } from './page.mjs';

const LONG = { timeout: 420000 };
const EDGE = 37 * 40 + 32; // a particle near the lower edge of the scene's cloth

const eyeOf = (page) => page.evaluate(() => window.weft.page.stage.rig.read());
const callsOf = (page) => page.evaluate(() => window.weft.page.journal.entries.map(({ method }) => method));

/** Waits until a laser is on the cloth, near one of its particles. */
function lies(page, laser, object, particle) {
  return until(async () => {
    const wanted = await screenOf(page, object, particle);
    const box = await laser.locator('i').boundingBox();
    return box && Math.hypot(box.x + box.width / 2 - wanted.x, box.y + box.height / 2 - wanted.y) < 45;
  }, 'the laser to lie where it points');
}

/** Drags the lower edge of the cloth. @returns {Promise<boolean>} whether its particle followed within seconds */
async function drag(page, seconds) {
  const { id } = await findObject(page, 'cloth');
  const { x, y } = await restOf(page, id, EDGE);
  const before = await positionOf(page, id, EDGE);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 110, y - 40, { steps: 6 });
  const end = performance.now() + 1000 * seconds;
  let followed = false;
  while (!followed && performance.now() < end) {
    await page.waitForTimeout(100);
    followed = distance(before, await positionOf(page, id, EDGE)) > 0.1;
  }
  await page.mouse.up();
  return followed;
}
/** The view may still be on its way, so that a drag misses the cloth. */
const dragged = (page, whose) => until(() => drag(page, 5), `${whose} drags`, 60000);

test('a presenter freezes the world for the other window, points, shows a view, and begins anew', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const [teacher, pupil] = [await browser.open(t, server.http('/?panel=present')), await browser.open(t, server.http('/'))];
  await teacher.evaluate(() => window.weft.client.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.1 }));
  await pupil.getByRole('button', { name: 'Close first steps' }).click();
  const dock = teacher.locator('#dock-present');

  await t.test('while it is frozen the other window can look but not touch, and is told by whom and why', async () => {
    await dock.getByLabel('Message to everyone').fill('Look at the <b>edge</b>');
    await dock.getByRole('button', { name: 'Freeze editing' }).click();
    const chip = pupil.locator('#chips [data-state="frozen"]');
    await chip.waitFor();
    const name = await teacher.evaluate(() => window.weft.client.hello.you.name);
    const text = await chip.textContent();
    assert.ok(text.includes(name) && text.includes('Look at the <b>edge</b>') && /\d+ s ago/.test(text), text);
    assert.equal(await chip.locator('b').count(), 0, 'text only');
    for (const selector of ['#add', '#pause', '#reset', '#scene']) assert.equal(await pupil.locator(selector).isDisabled(), true, selector);
    assert.equal(await pupil.locator('#frame').isDisabled(), false);
    await openPanel(pupil, 'settings');
    assert.equal(await pupil.locator('#panel input').first().isDisabled(), true, 'parameters');
    await pupil.evaluate(() => {
      window.taken = 0;
      window.weft.client.on('grab.started', () => window.taken++);
    });
    await until(async () => { // as in `dragged`
      await drag(pupil, 0.7);
      return pupil.locator('.toast', { hasText: `frozen by ${name}` }).isVisible();
    }, 'the notice of the freeze', 60000);
    assert.equal(await pupil.evaluate(() => window.taken), 0, 'nobody took hold of anything');
    await pupil.keyboard.press('r');
    assert.deepEqual(await callsOf(pupil), [], 'keys do nothing either');
    t.diagnostic(`screenshot: ${await keepScreenshot(pupil, 'teach-frozen-pupil')}`);
    t.diagnostic(`screenshot: ${await keepScreenshot(teacher, 'teach-frozen-teacher')}`);
  });

  await t.test('who froze it goes on, and lets everyone again', async () => {
    await dragged(teacher, 'the presenter');
    await dock.getByRole('button', { name: 'Unfreeze editing' }).click();
    await pupil.locator('#chips [data-state="frozen"]').waitFor({ state: 'detached' });
    assert.equal(await pupil.locator('#add').isDisabled(), false);
    await dragged(pupil, 'the other one');
    await pupil.locator('#herald', { hasText: 'Everyone can edit again.' }).waitFor({ state: 'attached' });
  });

  await t.test('a presenter whose connection broke is the presenter again when it is back', async () => {
    await dock.getByRole('button', { name: 'Freeze editing' }).click();
    await pupil.locator('#chips [data-state="frozen"]').waitFor();
    const session = await teacher.evaluate(() => window.weft.client.hello.session);
    await pupil.evaluate(async (who) => {
      const { clients } = await window.weft.client.call('client.list');
      await window.weft.client.call('client.close', { client: clients.find((one) => one.session === who).client });
    }, session);
    await teacher.waitForFunction((was) => window.weft.client.hello.session !== was && window.weft.page.frozen?.own, session);
    await dock.getByRole('button', { name: 'Unfreeze editing' }).click();
    await pupil.locator('#chips [data-state="frozen"]').waitFor({ state: 'detached' });
  });

  await t.test('a laser is seen where it points, with a name, and goes when it is switched off', async () => {
    await dock.getByRole('button', { name: 'Point with laser' }).click();
    const { id } = await findObject(teacher, 'cloth');
    const spot = await screenOf(teacher, id, 20 * 40 + 30);
    await teacher.mouse.move(spot.x - 20, spot.y);
    await teacher.mouse.move(spot.x, spot.y, { steps: 3 });
    const laser = pupil.locator('.laser');
    await laser.waitFor();
    await laser.getByText(await teacher.evaluate(() => window.weft.client.hello.you.name)).waitFor();
    await lies(pupil, laser, id, 20 * 40 + 30);
    await teacher.locator('.laser').waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(pupil, 'teach-laser')}`);
    await teacher.keyboard.press('l');
    await laser.waitFor({ state: 'detached' });
  });

  await t.test('a finger points as well: it holds nothing, turns nothing, and leaves the mark where it was last', async () => {
    await dock.getByRole('button', { name: 'Point with laser' }).click();
    const { id } = await findObject(teacher, 'cloth');
    const [from, to, aside] = await Promise.all([25, 30, 20].map((column) => screenOf(teacher, id, 20 * 40 + column)));
    const eye = await eyeOf(teacher);
    await pupil.evaluate(() => { window.taken = 0; });
    const touch = await teacher.context().newCDPSession(teacher);
    const fingers = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, i) => ({ x, y, id: i })) });
    const laser = pupil.locator('.laser');
    await fingers('touchStart', from);
    await laser.waitFor();
    await lies(pupil, laser, id, 20 * 40 + 25);
    for (let i = 1; i <= 4; i++) await fingers('touchMove', { x: from.x + ((to.x - from.x) * i) / 4, y: from.y + ((to.y - from.y) * i) / 4 });
    await lies(pupil, laser, id, 20 * 40 + 30);
    await fingers('touchStart', to, aside); // a second finger points at the background
    await fingers('touchMove', to, { x: aside.x, y: aside.y + 12 });
    await fingers('touchEnd');
    await pupil.waitForTimeout(3000); // longer than a laser without updates is displayed
    await lies(pupil, laser, id, 20 * 40 + 30);
    assert.equal(await pupil.evaluate(() => window.taken), 0, 'nobody took hold of anything');
    assert.deepEqual(await eyeOf(teacher), eye, 'the camera stayed');
    await dock.getByRole('button', { name: 'Stop pointing' }).click();
    await laser.waitFor({ state: 'detached' });
    assert.equal(await pupil.locator('.person-mark.pointing:not([hidden])').count(), 0, 'it points nowhere any more');
  });

  await t.test('a view is followed by who allows it, with a way back, and not by who does not', async () => {
    const home = await eyeOf(pupil);
    const eye = [2.5, 1.2, 3.5, 0, 1.4, 0];
    await teacher.evaluate((numbers) => window.weft.page.stage.rig.write(numbers), eye);
    await dock.getByRole('button', { name: 'Bring everyone to my view' }).click();
    const close = (wanted) => until(async () => (await eyeOf(pupil)).every((value, i) => Math.abs(value - wanted[i]) < 0.01), `the camera at ${wanted}`);
    await close(eye);
    await pupil.getByRole('button', { name: 'Go back', exact: true }).click();
    await close(home);
    await pupil.getByRole('button', { name: 'Teach', exact: true }).click();
    await pupil.getByLabel('Follow the views they share').uncheck();
    await dock.getByRole('button', { name: 'Bring everyone to my view' }).click();
    const look = pupil.getByRole('button', { name: 'Show view', exact: true });
    await look.waitFor();
    await close(home);
    await look.click();
    await close(eye);
    t.diagnostic(`screenshot: ${await keepScreenshot(pupil, 'teach-view')}`);
    await pupil.reload();
    await pupil.evaluate(() => window.weft.ready);
    await pupil.getByRole('button', { name: 'Teach', exact: true }).click();
    assert.equal(await pupil.getByLabel('Follow the views they share').isChecked(), false, 'it is remembered');
  });

  await t.test('beginning anew asks first', async () => {
    const epoch = await teacher.evaluate(() => window.weft.page.state.epoch);
    await dock.getByRole('button', { name: 'Restart for everyone…' }).click();
    const sure = teacher.getByRole('alertdialog', { name: 'Restart for everyone?' });
    await sure.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await callsOf(teacher)).includes('world.reset'), false);
    await dock.getByRole('button', { name: 'Restart for everyone…' }).click();
    await sure.getByRole('button', { name: 'Restart', exact: true }).click();
    await pupil.waitForFunction((before) => window.weft.page.state.epoch > before, epoch);
    assert.equal(await teacher.evaluate(() => document.activeElement.textContent), 'Restart for everyone…', 'the focus is back');
  });
  assert.deepEqual([...teacher.complaints, ...pupil.complaints], []);
});

test('the card of the loaded scene explains it, goes along with it, and its buttons do what they say', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=stick-in-a-box']);
  const page = await browser.open(t, server.http('/?panel=explain'));
  const card = page.locator('#dock-explain');
  await card.getByRole('heading', { name: 'Sticks in a box' }).waitFor();
  const math = card.locator('math').first();
  assert.match(await math.getAttribute('aria-label'), /delta is x 2 minus x 1/);
  const box = await math.boundingBox();
  assert.ok(box.height > 20 && box.width > 80, 'the equation is drawn');
  assert.ok(await math.locator('mfrac').count() > 0);
  await card.getByRole('button', { name: '1 substep, 1 iteration' }).click();
  await until(async () => (await page.evaluate(() => window.weft.page.state.substeps)) === 1, 'one substep');
  assert.deepEqual((await callsOf(page)).slice(-1), ['world.set'], 'it is in the journal');
  await page.locator('#scene').selectOption('embedded-boxes');
  await card.getByRole('heading', { name: 'The tumbling box' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'explain')}`);
  await card.getByLabel('Scene', { exact: true }).selectOption('cloth');
  await card.getByRole('button', { name: 'Load scene' }).click();
  await until(async () => (await page.evaluate(() => window.weft.page.state.scene)) === 'cloth', 'the scene');
  const { id } = await findObject(page, 'cloth');
  await card.getByRole('button', { name: 'Unpin it' }).click();
  await page.waitForFunction((cloth) => window.weft.objects.find((one) => one.id === cloth)?.pins.length === 0, id);
  assert.deepEqual(page.complaints, []);
});

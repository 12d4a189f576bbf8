// SPDX-License-Identifier: MIT
// The A/B comparison: two worlds that branch from one, with different settings, seen by synchronized cameras, stepped
// together and removed afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const SLOW = { timeout: 120000 };

/** The pictures of A and B, without their captions. */
function picturesOf(page) {
  return Promise.all([0, 1].map(async (at) => {
    const box = await page.locator('.compare-picture').nth(at).boundingBox();
    const clip = { x: Math.ceil(box.x) + 1, y: Math.ceil(box.y) + 50, width: Math.floor(box.width) - 4, height: Math.floor(box.height) - 54 };
    return (await page.screenshot({ clip })).toString('base64');
  }));
}

/** The difference of two pictures: the mean over their pixels, 0 … 255. */
function differenceOf(page, ...pictures) {
  return page.evaluate(async (encoded) => {
    const [a, b] = await Promise.all(encoded.map(async (text) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
  }, pictures);
}

test('two settings of one world stand side by side, step together and leave nothing behind', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const script = await server.connect('main');
  const worlds = async () => (await script.call('world.list')).worlds;
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?camera=0.5_1.9_4_0_1.7_0'));
  const button = (name) => page.getByRole('button', { name, exact: true });
  const field = (name) => page.getByLabel(name, { exact: true });
  const view = page.getByRole('region', { name: 'Comparison of two settings' });
  let sides;

  await t.test('it branches the present twice, at one tick, and the world itself goes on', async () => {
    await button('Compare').click();
    await button('Compare two settings').click();
    await view.getByText(/^Tick \d+$/).waitFor(SLOW);
    const names = (await worlds()).map(({ name }) => name);
    assert.equal(names.length, 3);
    assert.match(names[1], /^main-A-\w+$/);
    assert.match(names[2], /^main-B-\w+$/);
    assert.ok((await worlds()).slice(1).every(({ temporary, running }) => temporary && !running));
    for (const name of names.slice(1)) await view.getByText(name, { exact: true }).waitFor();
    sides = await Promise.all(names.slice(1).map((name) => server.connect(name)));
    const [a, b] = await Promise.all(sides.map((side) => side.call('world.get')));
    assert.deepEqual([a.tick, a.stateHash], [b.tick, b.stateHash], 'to the bit');
    assert.equal(await page.evaluate(() => document.getElementById('rail').closest('[inert]') !== null), true, 'what is covered is out of reach');
    const { tick } = await script.call('world.get');
    await until(async () => (await script.call('world.get')).tick > tick, 'the world to go on', 20000);
  });

  await t.test('both are seen from where the page was, and from one place when either is turned', async () => {
    await until(async () => (await differenceOf(page, ...(await picturesOf(page)))) < 1.5, 'both pictures to be alike', 60000);
    const [before] = await picturesOf(page);
    const box = await view.getByRole('application', { name: /^World B/ }).boundingBox();
    const [x, y] = [box.x + box.width - 30, box.y + box.height - 30]; // where no toast lies
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y - 10, { steps: 4 });
    await page.mouse.up();
    await until(async () => {
      const [a, b] = await picturesOf(page);
      return (await differenceOf(page, a, b)) < 1.5 && (await differenceOf(page, a, before)) > 4;
    }, 'both to look from another place', 60000);
    await page.waitForFunction(() => !location.search.includes('camera=0.5_1.9_4_0_1.7_0'), null, SLOW);
  });

  await t.test('a setting that differs is marked, in words too, and only its own world has it', async () => {
    assert.equal(await view.getByText('≠ differs').count(), 0);
    await field('Gravity of B (m/s²)').fill('-3');
    await field('Gravity of B (m/s²)').press('Enter');
    await view.getByText('≠ differs').waitFor(SLOW);
    await field('Iterations of A').focus();
    await page.keyboard.press('ArrowUp');
    await until(async () => (await view.getByText('≠ differs').count()) === 2, 'the second difference');
    const [a, b] = await Promise.all(sides.map((side) => side.call('world.get')));
    assert.deepEqual([a.gravity[1].toFixed(2), b.gravity[1], a.iterations, b.iterations], ['-9.81', 3, 2, 1]);
    await field('Substeps of A').fill('999');
    await field('Substeps of A').press('Enter');
    await page.locator('.toast').getByText('Substeps must be a number from 1 to 64.').waitFor(SLOW);
    await until(async () => (await field('Substeps of A').inputValue()) === '8', 'what is not allowed to be taken back');
    assert.equal((await script.call('world.get')).gravity[1].toFixed(2), '-9.81', 'the world that was branched keeps its own');
  });

  await t.test('both run as many ticks, and what is pulled in one is pulled in the other', async () => {
    await button('Step both').click();
    const tickOf = async () => Number(/\d+/.exec(await view.locator('.compare-clock').textContent())[0]);
    const first = await tickOf();
    await button('Run both').click();
    await until(async () => (await tickOf()) > first + 40, 'both to run', 60000);
    const box = await view.getByRole('application', { name: /^World A/ }).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2 - 30, { steps: 4 });
    const held = (side) => side.call('people.list').then(({ people }) => people.flatMap(({ grabs }) => grabs));
    await until(async () => (await Promise.all(sides.map(held))).every(({ length }) => length === 1), 'a hand in both');
    await page.mouse.up();
    await until(async () => (await Promise.all(sides.map(held))).every(({ length }) => length === 0), 'both to be let go');
    await button('Pause both').click();
    const paused = await tickOf();
    await until(async () => {
      const ticks = await Promise.all(sides.map(async (side) => (await side.call('world.get')).tick));
      return ticks[0] === ticks[1] && ticks[0] >= paused;
    }, 'both at one tick');
    const hashes = await Promise.all(sides.map(async (side) => (await side.call('world.get')).stateHash));
    assert.notEqual(hashes[0], hashes[1]);
    await keepScreenshot(page, 'compare');
  });

  await t.test('branching anew begins both again from how the world is now, with their settings', async () => {
    const before = (await worlds()).map(({ name }) => name);
    await button('Restart both').click();
    await until(async () => {
      const names = (await worlds()).map(({ name }) => name);
      return names.length === 3 && !names.some((name) => name !== 'main' && before.includes(name));
    }, 'two other worlds', 60000);
    await until(() => button('Restart both').isEnabled(), 'both to be there', 60000);
    const names = (await worlds()).map(({ name }) => name).slice(1);
    for (const name of names) await view.getByText(name, { exact: true }).waitFor(SLOW);
    sides = await Promise.all(names.map((name) => server.connect(name)));
    const [a, b] = await Promise.all(sides.map((side) => side.call('world.get')));
    assert.deepEqual([a.tick, a.gravity[1].toFixed(2), a.iterations], [b.tick, '-9.81', 2]);
    assert.deepEqual([b.gravity[1], b.iterations], [3, 1]);
    await button('Step both').click();
    await until(async () => (await sides[1].call('world.get')).tick === b.tick + 1, 'a step');
  });

  await t.test('who opens the link watches, and on leaving both worlds go', async () => {
    const [, a, b] = (await worlds()).map(({ name }) => name);
    await page.waitForURL((url) => url.searchParams.get('compare') === `${a}.${b}`, SLOW);
    const link = page.url();
    const guest = await openPage(browser, link, { viewport: { width: 390, height: 780 }, hasTouch: true });
    await guest.getByText('Someone else controls this comparison. You are watching.').waitFor(SLOW);
    assert.equal(await guest.getByRole('button', { name: 'Run both' }).isDisabled(), true);
    await guest.getByText('≠ differs').first().waitFor(SLOW);
    await keepScreenshot(guest, 'compare-small');
    await guest.getByRole('button', { name: 'Leave', exact: true }).click();
    await guest.getByRole('region', { name: 'Comparison of two settings' }).waitFor({ state: 'detached' });
    assert.equal((await worlds()).length, 3, 'a guest removes nothing');
    assert.deepEqual(guest.complaints, []);
    await guest.context().close();

    await view.getByRole('button', { name: 'Leave and remove A and B' }).click();
    await until(async () => (await worlds()).length === 1, 'the end of both');
    await view.waitFor({ state: 'detached' });
    await page.waitForFunction(() => !location.search.includes('compare'), null, SLOW);
    assert.deepEqual(await page.evaluate(() => [window.weft.page.covered, document.querySelectorAll('body > [inert]').length, document.activeElement.title]), [false, 0, 'Compare']);
    const late = await openPage(browser, link);
    await late.getByText('The comparison behind this link has ended.').waitFor(SLOW);
    await late.waitForFunction(() => !location.search.includes('compare'), null, SLOW);
    assert.deepEqual(late.complaints, []);
  });
  assert.deepEqual(page.complaints, []);
});

test('a tab that is closed leaves no worlds behind', { timeout: 180000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const script = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=compare'));
  await page.evaluate(() => { // whether the address names the comparison as soon as the comparison is visible
    new MutationObserver((_, observer) => {
      if (!document.querySelector('section.compare')) return;
      observer.disconnect();
      window.linked = window.weft.page.address.href.includes('compare=');
    }).observe(document.body, { childList: true });
  });
  await page.getByRole('button', { name: 'Compare two settings' }).click();
  await page.getByText(/^Tick \d+$/).waitFor(SLOW);
  assert.equal(await page.evaluate(() => window.linked), true, 'who loads the page again at once finds it again');
  assert.equal((await script.call('world.list')).worlds.length, 3);
  // However long loading takes, clients are connected to both worlds.
  const names = (await script.call('world.list')).worlds.map(({ name }) => name).slice(1);
  const holders = await Promise.all(names.map((name) => server.connect(name)));
  await page.waitForURL(/compare=/, SLOW);
  await page.reload();
  await page.getByText(/^Tick \d+$/).waitFor(SLOW);
  for (const holder of holders) holder.close();
  assert.equal(await page.getByRole('button', { name: 'Run both' }).isEnabled(), true, 'who began it leads it after loading the page again, too');
  await page.close();
  await until(async () => (await script.call('world.list')).worlds.length === 1, 'the end of both', 60000);
});

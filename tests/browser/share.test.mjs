// SPDX-License-Identifier: MIT
// Sharing the view: links and their QR code, and the page embedded in another page, where the server allows that.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { adviceOn, embedCode, isLoopback, linkOf, movedTo } from '../../web/viewer/tools/share/link.js';
import { Weftd } from '../support/weftd.mjs';
import { isComplaint, keepScreenshot, openBrowser, openPage, openPanel } from './page.mjs';

const SLOW = { timeout: 120000 };
const SCALE = 4; // pixels per module

/** The code as a camera sees it: the path as pixels. */
function readCode({ viewBox, path }) {
  const size = Number(viewBox.split(' ')[2]);
  const width = size * SCALE;
  const pixels = new Uint8ClampedArray(4 * width * width).fill(255);
  for (const [, column, row] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let y = row * SCALE; y < (Number(row) + 1) * SCALE; y++) {
      for (let x = column * SCALE; x < (Number(column) + 1) * SCALE; x++) pixels.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
  }
  return jsQR(pixels, width, width)?.data;
}

const codeOf = (svg) => svg.evaluate((element) => ({ viewBox: element.getAttribute('viewBox'), path: element.querySelector('path').getAttribute('d') }));

test('a link holds the world and only what is asked for, and never a token', () => {
  const seen = 'http://weft.test:8080/?camera=1_2_3_0_0_0&panel=share+console&theme=light&embed=&token=weft_x#top';
  assert.equal(linkOf(seen, { world: 'lab', view: false, panels: false }), 'http://weft.test:8080/?world=lab');
  assert.equal(linkOf(seen, { world: 'lab', view: false, panels: true }), 'http://weft.test:8080/?panel=share+console&world=lab');
  const full = new URL(linkOf(seen, { world: 'lab', view: true, panels: true })).searchParams;
  assert.deepEqual([full.get('camera'), full.get('theme'), full.get('panel'), full.get('embed'), full.get('token')], ['1_2_3_0_0_0', 'light', 'share console', null, null]);
  assert.match(linkOf(seen, { world: 'lab', view: false, panels: true, embed: true }), /\?world=lab&embed$/);
  const code = embedCode('http://weft.test/?world=a&embed', 'a"><script>');
  assert.match(code, /^<iframe src="http:\/\/weft\.test\/\?world=a&amp;embed" title="Weft: a&quot;>&lt;script>" /);
  for (const name of ['localhost', '127.0.0.1', '127.8.0.1', '[::1]', 'a.localhost']) assert.equal(isLoopback(name), true, name);
  for (const name of ['weft.example', '128.0.0.1', 'localhost.evil.example']) assert.equal(isLoopback(name), false, name);
});

test('the panel gives the link to copy and as a code, and both lead to the same world', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--world', 'two=rope']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=two'), { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const field = page.getByLabel('Link to this world');
  await page.getByRole('img', { name: 'QR code for the world two' }).waitFor();
  const link = await field.inputValue();
  assert.equal(link, server.http('/?world=two'));
  assert.equal(readCode(await codeOf(page.locator('.share-code .qr'))), link);
  await page.getByText('This address works only on this computer.').waitFor();
  await page.getByRole('button', { name: 'Copy link', exact: true }).click();
  await page.getByText('Copied the link.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);

  await page.evaluate(() => window.weft.page.stage.rig.write([3, 1.5, 2, 0, 1, 0]));
  await page.evaluate(() => window.weft.page.actions.run('look.theme.light'));
  await page.getByLabel('Include my camera and settings').check();
  await page.waitForFunction(() => document.querySelector('[aria-label="Link to this world"]').value.includes('camera=3_1.5_2_0_1_0&theme=light'), null, SLOW);
  const whole = await field.inputValue();
  assert.equal(readCode(await codeOf(page.locator('.share-code .qr'))), whole);
  await keepScreenshot(page, 'share');
  await page.getByRole('button', { name: 'Enlarge QR code' }).click();
  const large = page.getByRole('dialog', { name: 'Join this world' });
  assert.equal(readCode(await codeOf(large.locator('.qr'))), whole);
  await keepScreenshot(page, 'share-large');
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Enlarge QR code' }).evaluate((element) => element === document.activeElement), true, 'the keyboard is where it was');

  const guest = await openPage(browser, whole, { viewport: { width: 390, height: 780 }, hasTouch: true });
  assert.match(whole, /[?&]theme=light(&|$)/);
  assert.deepEqual(await guest.evaluate(() => [document.documentElement.dataset.theme, localStorage.getItem('weft.look')]), ['light', null], 'lent, not chosen');
  assert.deepEqual(await guest.evaluate(() => [window.weft.client.hello.world, ...window.weft.page.stage.rig.read()]), ['two', 3, 1.5, 2, 0, 1, 0]);
  await openPanel(guest, 'share');
  await guest.getByLabel('Link to this world').waitFor();
  await keepScreenshot(guest, 'share-small');
  assert.deepEqual([...page.complaints, ...guest.complaints], []);
});

test('the address of a link can be another one, and what is said of it is true wherever the server listens', () => {
  assert.equal(movedTo('http://localhost:8080/?world=a#b', 'http://192.168.1.20:8080'), 'http://192.168.1.20:8080/?world=a#b');
  assert.equal(movedTo('http://localhost:8080/?world=a', 'https://weft.example'), 'https://weft.example/?world=a');
  const urls = ['http://192.168.1.20:8080'];
  assert.equal(adviceOn({ loopback: false, known: null }), '');
  assert.match(adviceOn({ loopback: true, known: null }), /--host 0\.0\.0\.0/);
  assert.match(adviceOn({ loopback: true, known: { everywhere: false, contained: false, urls: [] } }), /--host 0\.0\.0\.0/);
  for (const known of [{ everywhere: true, contained: false, urls }, { everywhere: true, contained: true, urls: [] }, { everywhere: true, contained: false, urls: [] }]) {
    assert.doesNotMatch(adviceOn({ loopback: true, known }), /--host/, 'nobody is told to do what is done');
  }
});

test('of a server that listens on all addresses the one that others reach is handed on first', { timeout: 240000 }, async (t) => {
  const own = Object.values(networkInterfaces()).flat().filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'));
  const server = await Weftd.start(t, ['--world', 'main=rope', '--host', '0.0.0.0', '--insecure-public'], { env: { container: '' } });
  const answer = await (await fetch(server.http('/addresses.json'))).json();
  assert.equal(answer.everywhere, true);
  assert.deepEqual([...answer.urls].sort(), own.map(({ address }) => `http://${address}:${server.port}`).sort());
  const browser = await openBrowser(t);
  const page = await openPage(browser, `http://localhost:${server.port}/`);
  // A machine without network addresses is told about one.
  const lan = answer.urls[0] ?? 'http://192.168.7.7:8080';
  if (answer.urls.length === 0) await page.route('**/addresses.json', (route) => route.fulfill({ json: { everywhere: true, contained: false, urls: [lan] } }));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const field = page.getByLabel('Link to this world');
  await page.waitForFunction((wanted) => document.querySelector('[aria-label="Link to this world"]')?.value === wanted, `${lan}/?world=main`);
  assert.equal(readCode(await codeOf(page.locator('.share-code .qr'))), `${lan}/?world=main`);
  assert.match(await page.getByLabel('HTML that embeds this world').inputValue(), new RegExp(`src="${lan}/`));
  assert.doesNotMatch(await page.locator('#dock-share').textContent(), /--host/);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'share-lan')}`);
  await page.getByLabel('Address').selectOption(`http://localhost:${server.port}`);
  assert.equal(await field.inputValue(), `http://localhost:${server.port}/?world=main`);
  await page.getByText('This address works only on this computer.', { exact: true }).waitFor();
  assert.deepEqual(page.complaints, []);
});

/** A page of another site, taller than the window, with Weft's page in a frame. */
async function hostPage(t, frame) {
  const html = `<!doctype html><title>School</title><style>body{margin:0;height:3000px}iframe{margin:40px;border:0}</style>${frame}
    <script>window.keys = []; addEventListener('keydown', ({ key }) => keys.push(key));</script>`;
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

test('in the frame of a page that is allowed there is only the picture, and keys and wheel stay with that page', { timeout: 240000 }, async (t) => {
  const frames = { html: '' };
  const address = await hostPage(t, '<div id="here"></div>');
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--frame-ancestors', address]);
  const browser = await openBrowser(t);
  const shown = await openPage(browser, server.http('/?panel=share'));
  frames.html = await shown.getByLabel('HTML that embeds this world').inputValue();
  assert.match(frames.html, /^<iframe src="http:[^"]+embed" title="Weft: main"/);
  await shown.context().close();

  const outer = await (await browser.newContext({ viewport: { width: 900, height: 640 }, hasTouch: true })).newPage();
  const complaints = [];
  outer.on('console', (message) => { if (isComplaint(message)) complaints.push(message.text()); });
  await outer.goto(address);
  await outer.evaluate((html) => { document.getElementById('here').innerHTML = html; }, frames.html);
  const inner = await (await outer.waitForSelector('iframe')).contentFrame();
  await inner.waitForFunction(() => window.weft, null, SLOW);
  await inner.evaluate(() => window.weft.ready);
  const visible = await inner.evaluate(() => ['rail', 'docks-left', 'docks-right', 'toolbar', 'panel', 'title'].filter((id) => document.getElementById(id)?.getClientRects().length > 0));
  assert.deepEqual(visible, []);
  const link = inner.getByRole('link', { name: 'Open in Weft' });
  assert.equal(new URL(await link.getAttribute('href')).searchParams.get('world'), 'main');
  assert.equal(new URL(await link.getAttribute('href')).searchParams.has('embed'), false);
  const seen = await inner.evaluate(() => {
    const { x, y } = window.weft.page.stage.project(window.weft.page.world.framedBox().getCenter(window.weft.page.stage.rig.target).toArray());
    return [x / innerWidth, y / innerHeight];
  });
  assert.ok(seen.every((share) => Math.abs(share - 0.5) < 0.1), `the scene is in the middle of the frame: ${seen}`);
  await keepScreenshot(outer, 'embed');

  const before = await inner.evaluate(() => [window.weft.page.stage.rig.read(), window.weft.page.state?.running]);
  await outer.mouse.move(400, 300);
  await outer.mouse.wheel(0, 300);
  await outer.waitForFunction(() => scrollY > 200, null, SLOW);
  assert.deepEqual(await inner.evaluate(() => window.weft.page.stage.rig.read()), before[0], 'the wheel is the outer page\'s');
  await outer.evaluate(() => scrollTo(0, 0));
  await outer.mouse.click(420, 450); // into the frame
  for (const key of ['Space', 'r', '?', 'Escape']) await outer.keyboard.press(key);
  assert.equal((await inner.evaluate(() => window.weft.client.call('world.get'))).running, true, 'nothing was paused');
  assert.equal(await inner.getByRole('dialog').count(), 0);
  assert.deepEqual(await inner.evaluate(() => ['#stage', '#stage canvas'].map((which) => getComputedStyle(document.querySelector(which)).touchAction)), ['pan-y', 'pan-y']);

  const touch = await outer.context().newCDPSession(outer);
  const at = (x, y) => [{ x, y }];
  await outer.evaluate(() => scrollTo(0, 0));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(600, 480) });
  for (let y = 480; y >= 260; y -= 10) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(600, y) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await outer.waitForFunction(() => scrollY > 120, null, SLOW);
  await outer.waitForFunction(() => { // the pushed object comes to rest
    window.quiet = window.was === scrollY ? (window.quiet ?? 0) + 1 : 0;
    window.was = scrollY;
    return window.quiet > 20;
  }, null, SLOW);
  await outer.evaluate(() => scrollTo(0, 0));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(740, 480) });
  for (let x = 740; x >= 600; x -= 20) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x, 480) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await inner.waitForFunction((was) => Math.abs(window.weft.page.stage.rig.read()[0] - was) > 0.05, before[0][0], SLOW);
  assert.equal(await outer.evaluate(() => scrollY), 0, 'sideways turns the picture');
  assert.deepEqual(complaints, []);
});

test('where the server does not allow it the frame stays empty', { timeout: 120000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const address = await hostPage(t, `<iframe src="${server.http('/?embed')}" width="600" height="400"></iframe>`);
  const browser = await openBrowser(t);
  const outer = await (await browser.newContext()).newPage();
  const refused = outer.waitForEvent('console', { predicate: (message) => /frame-ancestors/.test(message.text()), timeout: SLOW.timeout });
  await outer.goto(address);
  await refused;
  const inner = await (await outer.waitForSelector('iframe')).contentFrame();
  assert.equal(await inner.evaluate(() => typeof window.weft).catch(() => 'undefined'), 'undefined');
});

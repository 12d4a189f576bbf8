// SPDX-License-Identifier: MIT
// Sharing the last seconds: a link that replays them in another browser, also when the world has gone on; a GIF, a video and a picture of
// them; and HTML that shows them in a page of another origin.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { limitOf } from '../../web/viewer/tools/share/moment.js';
import { linkOfMoment } from '../../web/viewer/tools/share/link.js';
import { dataFolder } from '../support/data.mjs';
import { until as untilWithin } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { audit } from './access.mjs';
import { isComplaint, keepScreenshot, openBrowser, openPage } from './page.mjs';

const PATIENCE_MS = 120000;
const until = (done, what) => untilWithin(done, what, PATIENCE_MS);
const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.client.call(wanted, given), [method, params ?? {}]);
const section = (page) => page.getByRole('region', { name: 'Share this moment' });
const bar = (page) => page.getByRole('region', { name: 'Shared moment' });

/** Captures the last seconds of the page's world. */
async function capture(page) {
  await section(page).getByRole('button', { name: /^Capture/ }).click();
  await section(page).getByText('Captured.').waitFor({ timeout: PATIENCE_MS });
  return section(page).getByLabel('Link to this moment').inputValue();
}

/** Saves a file of the captured moment. */
async function save(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: PATIENCE_MS }), section(page).getByRole('button', { name }).click()]);
  const bytes = await readFile(await download.path());
  await section(page).getByText(`Saved ${download.suggestedFilename()}`).waitFor();
  return bytes;
}

/** The pictures of a GIF, and how long they are shown in ms. */
function readGif(bytes) {
  let at = 13 + 3 * 2 ** ((bytes[10] & 7) + 1);
  const [pictures, skip] = [[], () => { while (bytes[at] !== 0) at += bytes[at] + 1; at += 1; }];
  for (let delay = 0; bytes[at] !== 0x3b;) {
    const kind = bytes[at];
    if (kind === 0x21) {
      if (bytes[at + 1] === 0xf9) delay = 10 * bytes.readUInt16LE(at + 4);
      at += 2;
      skip();
    } else {
      assert.equal(kind, 0x2c, `a picture at byte ${at}`);
      pictures.push(delay);
      const { [at + 9]: flags } = bytes;
      at += 10 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0) + 1;
      skip();
    }
  }
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), pictures };
}

test('a link to a moment names its ticks, and never a token', () => {
  const seen = 'http://weft.test/?world=lab&camera=1_2_3_0_0_0&token=weft_x&panel=share&moment=1-2-3';
  assert.equal(linkOfMoment(seen, { world: 'lab', moment: '2-60-660', view: false }), 'http://weft.test/?world=lab&moment=2-60-660');
  assert.equal(linkOfMoment(seen, { world: 'lab', moment: '2-60-660', view: true, embed: true }), 'http://weft.test/?world=lab&camera=1_2_3_0_0_0&moment=2-60-660&embed');
  assert.match(limitOf({ bytes: 1, over: false, maxBytes: 1e9 }), /in its history \(1 GB; the oldest are removed first\)/);
  assert.match(limitOf({ bytes: 1, over: false, maxSeconds: 3600, maxBytes: 5e8 }), /\(1 h and 500 MB;/);
  assert.match(limitOf({ bytes: 1, over: false }), /in its history\.$/);
});

test('the last seconds of a server’s world replay in another browser when the world has gone on, and go on there', { timeout: 600000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--paused', '--data', await dataFolder(t)]);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=main&panel=share'));
  await section(page).getByRole('button', { name: 'Capture last 10 s' }).click();
  await section(page).getByText('This world has just begun').waitFor();
  await call(page, 'body.spawn', { position: [0.2, 4, 0.3] });
  await call(page, 'world.step', { ticks: 180 });
  const { stateHash } = await call(page, 'world.get');
  const link = await capture(page);
  assert.match(link, /\?world=main&moment=\d+-0-180$/);
  assert.match(await section(page).textContent(), /3\.0 s: ticks 0 to 180.*while this server keeps these ticks in its history/);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'moment-share')}`);
  await audit(page, 'the section of the moment');
  await call(page, 'world.step', { ticks: 60 });
  await call(page, 'world.reset');

  const guest = await openPage(browser, link, { viewport: { width: 390, height: 780 }, hasTouch: true });
  await bar(guest).getByText('Replay: the last 3 s of main').waitFor();
  await until(async () => (await call(guest, 'world.get')).replay, 'the replay'); // which lasts 3 s, less than a page may take to ask
  t.diagnostic(`screenshot: ${await keepScreenshot(guest, 'moment-guest')}`);
  await until(async () => {
    const { replay } = await call(guest, 'world.get');
    return !replay.playing && replay.tick === 180;
  }, 'its end');
  assert.equal((await call(guest, 'world.get')).stateHash, stateHash);
  await audit(guest, 'the bar of a moment');
  await bar(guest).getByRole('button', { name: 'Watch again' }).click();
  await until(async () => {
    const { replay } = await call(guest, 'world.get');
    return replay.playing || replay.tick < 180;
  }, 'the replay again');
  await bar(guest).getByRole('button', { name: 'Continue from here' }).click();
  await bar(guest).waitFor({ state: 'detached' });
  const { tick } = await call(guest, 'world.get');
  await until(async () => (await call(guest, 'world.get')).tick > tick + 10, 'it goes on');
  assert.equal((await call(page, 'world.get')).tick, 0, 'the world of the server is another one');
  assert.deepEqual([...page.complaints, ...guest.complaints], []);
});

test('a local world’s moment is in its link', { timeout: 600000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?scene=rope&paused=true&panel=share'));
  await call(page, 'body.spawn', { position: [0.2, 3, 0] });
  await call(page, 'world.step', { ticks: 150 });
  const { stateHash } = await call(page, 'world.get');
  const link = await capture(page);
  assert.match(link, /\?scene=rope&tick=150&paused=true&from=0#/);
  const guest = await openPage(browser, link);
  await until(async () => {
    const { replay } = await call(guest, 'world.get');
    return replay && !replay.playing && replay.tick === 150;
  }, 'the end of the replay');
  assert.equal((await call(guest, 'world.get')).stateHash, stateHash);
  assert.equal(await bar(guest).getByRole('link').count(), 0, 'there is no live world');
  assert.deepEqual([...page.complaints, ...guest.complaints], []);
});

test('a moment is saved as a GIF, a video and a picture, and saving can be canceled', { timeout: 600000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused', '--data', await dataFolder(t)]);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=main&panel=share'), { viewport: { width: 640, height: 400 } });
  await call(page, 'world.step', { ticks: 120 });
  await capture(page);
  const picture = await save(page, 'Save picture');
  assert.deepEqual([picture.subarray(1, 4).toString(), Math.max(picture.readUInt32BE(16), picture.readUInt32BE(20))], ['PNG', 1920]);
  await section(page).getByRole('button', { name: 'Save GIF' }).click();
  await section(page).getByRole('button', { name: 'Cancel' }).click();
  await section(page).getByText('Canceled.').waitFor();
  const gif = readGif(await save(page, 'Save GIF'));
  assert.equal(Math.max(gif.width, gif.height), 480);
  assert.ok(gif.pictures.length >= 20 && gif.pictures.every((delay) => delay === 80), `${gif.pictures.length} pictures`);
  const video = await save(page, 'Save video');
  assert.equal(video.readUInt32BE(0), 0x1a45dfa3);
  assert.deepEqual(page.complaints, []);
});

test('the HTML of a moment shows it in a page of another origin', { timeout: 600000 }, async (t) => {
  const host = createServer((_, response) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html><title>School</title><div id="here"></div>'));
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.after(() => host.close());
  const address = `http://127.0.0.1:${host.address().port}`;
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused', '--data', await dataFolder(t), '--frame-ancestors', address]);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=main&panel=share'));
  await call(page, 'world.step', { ticks: 90 });
  await capture(page);
  const html = await section(page).getByLabel('HTML that embeds this moment').inputValue();
  await page.context().close();

  const outer = await (await browser.newContext({ viewport: { width: 900, height: 640 } })).newPage();
  const complaints = [];
  outer.on('console', (message) => { if (isComplaint(message)) complaints.push(message.text()); });
  await outer.goto(address);
  await outer.evaluate((code) => { document.getElementById('here').innerHTML = code; }, html);
  const inner = await (await outer.waitForSelector('iframe')).contentFrame();
  await inner.waitForFunction(() => window.weft, null, { timeout: PATIENCE_MS });
  await inner.evaluate(() => window.weft.ready);
  await until(() => inner.evaluate(async () => (await window.weft.client.call('world.get')).replay?.tick === 90), 'the end of the replay');
  await inner.getByRole('button', { name: 'Watch again' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(outer, 'moment-embed')}`);
  assert.deepEqual(complaints, []);
});

// SPDX-License-Identifier: MIT
// A headless Chromium for tests of the page: software rendering, and no network except the server. Console messages and
// errors of the page are collected; `$WEFT_BUILD/screenshots` keeps screenshots.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import { Contract } from '../support/contract.mjs';
import { ROOT } from '../support/weftd.mjs';
import { sleep } from '../support/wait.mjs';
import { launchBrowser } from './launch.mjs';

const SCREENSHOTS = join(process.env.WEFT_BUILD ? resolve(process.env.WEFT_BUILD) : join(ROOT, 'build'), 'screenshots');
const READY_MS = 60000;

// One browser for each set of switches, because starting one takes longer than many tests. They are closed at the end of the
// file.
const browsers = new Map();
after(() => Promise.all([...browsers.values()].map(async (browser) => (await browser).close())));

/**
 * Opens a browser for one test: its contexts share nothing with other tests and are closed with the test. Software rendering
 * takes all processors, so pages draw less often than they could, with fewer pixels, and leave CPU time to the tested code.
 * @param {{ after: (end: () => Promise<void>) => void }} t
 * @param {object} [options]
 * @param {number} [options.pictures=2] upper limit of pictures per second; Infinity in tests of drawing
 * @param {string[]} [options.args] further command-line switches of the browser
 * @param {boolean} [options.weft=true] whether the WebSockets of the pages are those of Weft's protocol, which are checked
 * @param {boolean} [options.tools=true] whether the list of tools is open, as for a user who opened it before
 * @returns {Promise<Pick<import('playwright-core').Browser, 'newContext'>>}
 */
export async function openBrowser(t, { pictures = 2, args = [], weft = true, tools = true } = {}) {
  const switches = args.join(' ');
  if (!browsers.has(switches)) browsers.set(switches, launchBrowser(args));
  const browser = await browsers.get(switches);
  const contexts = [];
  t.after(() => Promise.all(contexts.map((context) => context.close())));
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.push(context);
      if (weft) context.on('page', (page) => page.on('websocket', follow));
      if (tools) await context.addInitScript(showTools);
      if (pictures !== Infinity) await context.addInitScript(drawSeldom, pictures);
      return context;
    },
  };
}

// The messages between page and server are validated as in the system tests (support/contract.mjs).
function follow(socket) {
  const contract = new Contract();
  socket.on('framesent', ({ payload }) => typeof payload === 'string' && contract.sent(payload));
  socket.on('framereceived', ({ payload }) => typeof payload === 'string' && contract.received(payload));
}

/** In the page: the list of tools is open, as for a user who opened it before. Small screens begin without it all the same. */
function showTools() {
  try {
    if (localStorage.getItem('weft.docks') === null) localStorage.setItem('weft.docks', JSON.stringify({ rail: true }));
  } catch {
    // a page without storage
  }
}

/** In the page: skips most frames of the display, and draws the others as coarsely as on a slow machine. */
function drawSeldom(pictures) {
  try {
    localStorage.setItem('weft.level', '1');
  } catch {
    // a page without storage
  }
  const request = window.requestAnimationFrame.bind(window);
  let shown = -Infinity;
  window.requestAnimationFrame = (draw) => request(function look(now) {
    if (now !== shown && now - shown < 1000 / pictures) {
      setTimeout(() => request(look), 1000 / pictures - (now - shown));
      return;
    }
    shown = now;
    draw(now);
  });
}

/**
 * Whether a line of the console is a fault of the page. When the browser composes the page in software, it reads the canvas
 * back itself, and warns about that.
 */
export function isComplaint(message) {
  return ['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall due to ReadPixels');
}

/**
 * Opens the page and waits until the world is displayed.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {object} [options] options of the browser's context
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark', ...options });
  context.setDefaultTimeout(READY_MS);
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    if (isComplaint(message)) page.complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
  // The browser aborts pending requests of a page that is left; errors of the network or the server have other names.
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure();
    if (errorText !== 'net::ERR_ABORTED') page.complaints.push(`${errorText}: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.weft);
  await page.evaluate(() => window.weft.ready);
  return page;
}

/** Waits until the page has drawn a number of further pictures. */
export function drawn(page, pictures) {
  return page.evaluate((left) => new Promise((done) => {
    requestAnimationFrame(function draw() {
      if (--left > 0) requestAnimationFrame(draw);
      else done();
    });
  }), pictures);
}

/** Stores a screenshot of the page. @returns {Promise<string>} its path */
export async function keepScreenshot(page, name) {
  await mkdir(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** Opens a panel by its button in the list of tools, which is opened first where it is closed. @param {string} id of the dock */
export async function openPanel(page, id) {
  const button = page.locator(`#rail [aria-controls="dock-${id}"]`);
  if (await button.isHidden()) await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
  await button.press('Enter');
  await page.locator(`#dock-${id}`).waitFor();
}

/** Adds an object by the menu. */
export async function addFromMenu(page, name) {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The newest object of this kind, as known to the page, once it exists. */
export async function findObject(page, kind) {
  const handle = await page.waitForFunction((wanted) => {
    const { id, particles, pins } = window.weft.objects.findLast((object) => object.kind === wanted) ?? {};
    return id ? { id, particles, pins } : null;
  }, kind);
  return handle.jsonValue();
}

/** The position of a particle on the page, in CSS pixels. */
export function screenOf(page, object, particle) {
  return page.evaluate(([id, index]) => window.weft.screenOf(id, index), [object, particle]);
}

const REST = 0.008; // m/s

/** The position of a particle on the page once it rests. */
export async function restOf(page, object, particle) {
  const end = performance.now() + READY_MS;
  for (let [before, since] = [await positionOf(page, object, particle), performance.now()]; ;) {
    await Promise.all([sleep(250), drawn(page, 2)]); // a page that draws seldom shows the same positions for longer
    const [now, at] = [await positionOf(page, object, particle), performance.now()];
    if (distance(now, before) < (REST * (at - since)) / 1000) return screenOf(page, object, particle);
    assert.ok(at < end, `particle ${particle} of object ${object} does not come to rest`);
    [before, since] = [now, at];
  }
}

/** The displayed position of a particle in the world. */
export function positionOf(page, object, particle) {
  return page.evaluate(([id, index]) => {
    const { positions } = window.weft.objects.find((known) => known.id === id);
    return [...positions.subarray(3 * index, 3 * index + 3)];
  }, [object, particle]);
}

export function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Confirms the page's question whether to replace the world for everyone, which appears because the test's script is a client, too. */
export async function replaceForAll(page) {
  await page.getByRole('alertdialog', { name: 'Replace the world for everyone?' }).getByRole('button', { name: / for everyone$/ }).click();
}

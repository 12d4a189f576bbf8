// SPDX-License-Identifier: MIT
// A real headless Chromium for the tests of the page: software rendering, no network but the server's. What the page writes
// to its console is gathered, and so is every error; `$WEFT_BUILD/screenshots` keeps what was seen.

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

// One for each set of switches: to start one takes longer than many a test. They end with the file.
const browsers = new Map();
after(() => Promise.all([...browsers.values()].map(async (browser) => (await browser).close())));

/**
 * A browser of the test's own: what is opened with it shares nothing with other tests and ends with this one. Drawing in software
 * takes all processors there are, so its pages draw less often than they could, with fewer pixels, and leave time to what is tested.
 * @param {{ after: (end: () => Promise<void>) => void }} t
 * @param {object} [options]
 * @param {number} [options.pictures=8] drawn a second, at most; Infinity where drawing is what is tested
 * @param {string[]} [options.args] more of the browser's switches
 * @returns {Promise<Pick<import('playwright-core').Browser, 'newContext'>>}
 */
export async function openBrowser(t, { pictures = 8, args = [] } = {}) {
  const switches = args.join(' ');
  if (!browsers.has(switches)) browsers.set(switches, launchBrowser(args));
  const browser = await browsers.get(switches);
  const contexts = [];
  t.after(() => Promise.all(contexts.map((context) => context.close())));
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.push(context);
      context.on('page', (page) => page.on('websocket', follow));
      if (pictures !== Infinity) await context.addInitScript(drawSeldom, pictures);
      return context;
    },
  };
}

// What a page and its server say to each other is validated as in the system tests (support/contract.mjs).
function follow(socket) {
  const contract = new Contract();
  socket.on('framesent', ({ payload }) => typeof payload === 'string' && contract.sent(payload));
  socket.on('framereceived', ({ payload }) => typeof payload === 'string' && contract.received(payload));
}

/** In the page: lets most frames of the display go by, and draws the others as coarsely as a slow machine would. */
function drawSeldom(pictures) {
  try {
    localStorage.setItem('weft.level', '0');
  } catch {
    // a page that keeps nothing
  }
  const request = window.requestAnimationFrame.bind(window);
  let shown = -Infinity;
  window.requestAnimationFrame = (draw) => request(function look(now) {
    if (now !== shown && now - shown < 1000 / pictures) {
      request(look);
      return;
    }
    shown = now;
    draw(now);
  });
}

/**
 * Whether a line of the console is a fault of the page. Where the browser puts the page together in software, it reads the
 * canvas back itself, and warns of that.
 */
export function isComplaint(message) {
  return ['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall due to ReadPixels');
}

/**
 * Opens the page and waits until the world is on the stage.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {object} [options] of the browser's context
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark', ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    if (isComplaint(message)) page.complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
  // What a page still asks for as it is left, its browser aborts; whatever the network or the server does has other names.
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure();
    if (errorText !== 'net::ERR_ABORTED') page.complaints.push(`${errorText}: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.weft, null, { timeout: READY_MS });
  await page.evaluate(() => window.weft.ready);
  return page;
}

/** Waits until the page has drawn so many pictures more. */
export function drawn(page, pictures) {
  return page.evaluate((left) => new Promise((done) => {
    requestAnimationFrame(function draw() {
      if (--left > 0) requestAnimationFrame(draw);
      else done();
    });
  }), pictures);
}

/** Keeps a picture of the page. @returns {Promise<string>} where */
export async function keepScreenshot(page, name) {
  await mkdir(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** Adds one of what the menu offers. */
export async function addFromMenu(page, name) {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The object of this kind that was made last, as the page knows it, once it is there. */
export async function findObject(page, kind) {
  const handle = await page.waitForFunction((wanted) => {
    const { id, particles, pins } = window.weft.objects.findLast((object) => object.kind === wanted) ?? {};
    return id ? { id, particles, pins } : null;
  }, kind);
  return handle.jsonValue();
}

/** Where a particle is on the page, in CSS pixels. */
export function screenOf(page, object, particle) {
  return page.evaluate(([id, index]) => window.weft.screenOf(id, index), [object, particle]);
}

/** Where a particle is on the page once it has come to rest. */
export async function restOf(page, object, particle) {
  const end = performance.now() + 30000;
  for (let before = await positionOf(page, object, particle); ;) {
    await sleep(250);
    const now = await positionOf(page, object, particle);
    if (distance(now, before) < 0.002) return screenOf(page, object, particle);
    assert.ok(performance.now() < end, `particle ${particle} of object ${object} does not come to rest`);
    before = now;
  }
}

/** Where a particle is in the world, as the page shows it. */
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

/** Says yes where the page asks whether to replace the world for everyone, which it does while a script is there too. */
export async function replaceForAll(page) {
  await page.getByRole('alertdialog', { name: 'Replace the world for everyone?' }).getByRole('button', { name: / for all$/ }).click();
}

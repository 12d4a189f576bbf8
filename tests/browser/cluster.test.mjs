// SPDX-License-Identifier: MIT
// The page on a cluster behind nginx: while its world moves to another node, and when its node is killed, a person sees a pause and
// no message, and what was done meanwhile happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cluster, clusterFolder, freePorts, NODES } from '../support/cluster.mjs';
import { sleep, until } from '../support/wait.mjs';
import { run } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage, restOf } from './page.mjs';

const LONG = { timeout: 300000 };
const MOVES = 3;
const GRACE_MS = 6000; // of a node that has just come, before it takes a world of another
const TAKEOVER_MS = 8000; // from the end of a node until the page shows its world again
const BRIEF_MS = 2000; // a pause, by far, on a machine that also draws in software

/** In the page: notes states of the client, messages, covers and disabled tools, and how long it waits for frames. */
function observe() {
  const seen = { states: [], covered: 0, toasts: [], readOnly: 0, longestMs: 0, sources: new Set() };
  window.seen = seen;
  const { client } = window.weft;
  let last = performance.now();
  client.on('state', ({ state }) => seen.states.push(state));
  client.on('frame', () => {
    seen.longestMs = Math.max(seen.longestMs, performance.now() - last);
    last = performance.now();
    seen.sources.add(client.statistics.source);
  });
  const overlay = document.querySelector('#overlay');
  new MutationObserver(() => {
    seen.covered += overlay.hidden ? 0 : 1;
    seen.readOnly += document.body.hasAttribute('data-readonly') ? 1 : 0;
    seen.toasts.push(...[...document.querySelectorAll('.toast')].map(({ textContent }) => textContent));
  }).observe(document.body, { attributes: true, childList: true, subtree: true, attributeFilter: ['hidden', 'data-readonly'] });
}

const seenBy = (page) => page.evaluate(() => ({ ...window.seen, sources: [...window.seen.sources] }));
const forget = (page) => page.evaluate(() => Object.assign(window.seen, { states: [], covered: 0, toasts: [], readOnly: 0, longestMs: 0 }));
const framesGoOn = (page) => page.evaluate(() => new Promise((done) => { window.weft.client.on('frame', done); }).then(() => true));

test('a person sees no more than a pause while the world moves, and when its node is killed', LONG, async (t) => {
  const cluster = await Cluster.start(t, await clusterFolder(t), await freePorts());
  const page = await openPage(await openBrowser(t), `${cluster.url}/`);
  assert.equal(await page.evaluate(() => window.weft.client.hello.nodes.length), NODES);
  await page.evaluate(observe);
  await t.test('a world that moves: calls wait, and nothing is said', async () => {
    for (let move = 0; move < MOVES; move++) {
      const owner = await cluster.owner();
      await forget(page);
      const answers = page.evaluate(async (url) => {
        const calls = [];
        const timer = setInterval(() => calls.push(window.weft.page.ask('particles.spawn', { positions: [[0, 3, 0]] }).then(() => 'done', (error) => error.message)), 50);
        const hello = new Promise((done) => { window.weft.client.on('hello', done); });
        await window.weft.page.ask('node.drain', { url });
        await hello;
        clearInterval(timer);
        return Promise.all(calls);
      }, `${cluster.url}/nodes/${owner}`);
      assert.deepEqual((await answers).filter((answer) => answer !== 'done'), []);
      await until(async () => (await cluster.owner().catch(() => owner)) !== owner, 'the move');
      assert.ok(await framesGoOn(page));
      const { states, covered, toasts, readOnly, longestMs } = await seenBy(page);
      assert.deepEqual([states.filter((state) => state !== 'open'), covered, toasts, readOnly], [[], 0, [], 0]);
      t.diagnostic(`moved from node ${owner}: the longest wait for a frame was ${Math.round(longestMs)} ms`);
      assert.ok(longestMs < BRIEF_MS, `${longestMs} ms`);
      await page.evaluate((url) => window.weft.page.ask('node.drain', { url, draining: false }), `${cluster.url}/nodes/${owner}`);
    }
    assert.deepEqual(page.complaints, [], 'and the content policy allows it');
  });
  await t.test('what a hand holds is held on the other node, too', async () => {
    const owner = await cluster.owner();
    const held = () => page.evaluate(() => [...window.weft.page.grabControls.drags.values()].map(({ grab }) => grab));
    const { object } = await page.evaluate(() => window.weft.page.ask('body.spawn', { shape: 'box', size: [1, 1, 1], position: [0, 3, 2], name: 'held' }));
    await page.evaluate((id) => window.weft.page.ask('particle.pin', { object: id, particles: [0] }), object);
    await page.waitForFunction((id) => window.weft.objects.some((one) => one.id === id), object);
    const { x, y } = await restOf(page, object, 0); // the body fell until it was pinned
    await page.mouse.move(x, y);
    await page.mouse.down();
    await until(async () => (await held()).some((grab) => grab !== null), 'the grab');
    await page.mouse.move(x + 30, y, { steps: 4 });
    await page.evaluate(async (url) => {
      const topology = new Promise((done) => { window.weft.client.on('hello', () => window.weft.client.on('topology', done)); });
      await window.weft.page.ask('node.drain', { url });
      await topology;
    }, `${cluster.url}/nodes/${owner}`);
    const grabbed = () => page.evaluate(() => window.weft.page.ask('object.list').then(() => window.weft.client.topology.grabs.map(({ grab }) => grab)));
    await until(async () => {
      const [grab] = await held();
      return typeof grab === 'number' && (await grabbed()).includes(grab);
    }, 'the grab on the other node');
    await page.mouse.up();
    await until(async () => (await grabbed()).length === 0, 'its end');
    await page.evaluate((url) => window.weft.page.ask('node.drain', { url, draining: false }), `${cluster.url}/nodes/${owner}`);
    assert.deepEqual((await seenBy(page)).toasts, []);
  });
  await t.test('a node that is killed: the picture stands still for some seconds', async () => {
    await sleep(GRACE_MS);
    const owner = await cluster.owner();
    await forget(page);
    process.kill(cluster.pid(`node${owner}`), 'SIGKILL');
    const killed = performance.now();
    await page.waitForFunction(() => window.seen.states.includes('closed'));
    await page.waitForFunction(() => window.weft.client.state === 'open', null, { timeout: 30000 });
    assert.ok(await framesGoOn(page));
    const ms = performance.now() - killed;
    t.diagnostic(`node ${owner} was killed; frames again after ${Math.round(ms)} ms`);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'cluster-killed')}`);
    assert.ok(ms < TAKEOVER_MS, `${ms} ms`);
    const { covered, toasts } = await seenBy(page);
    assert.deepEqual([covered, toasts], [0, []]);
    assert.deepEqual(page.complaints.filter((line) => !/WebSocket connection to .* failed/.test(line)), []);
    const { object } = await page.evaluate(() => window.weft.page.ask('rope.spawn', { from: [-1, 3, 0], to: [1, 3, 0], particles: 10 }));
    await page.waitForFunction((id) => window.weft.objects.some((one) => one.id === id), object);
  });
  await t.test('a lost database: the world goes on, and the page says that nothing is saved, until it is', async () => {
    process.kill(cluster.pid('primary'), 'SIGKILL');
    const note = page.locator('.toast', { hasText: 'cannot save this world' });
    await note.waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'cluster-unsaved')}`);
    assert.ok(await framesGoOn(page));
    const [, promotion] = await until(() => /the standby takes its place by: (.*)\n/.exec(cluster.said), 'how to promote the standby');
    const promoted = await run('sh', ['-c', promotion]);
    assert.equal(promoted.status, 0, promoted.stderr);
    await until(() => page.evaluate(() => window.weft.page.ask('particles.spawn', { positions: [[0, 3, 0]] }).then(() => true, () => false)), 'a command that is done');
    await page.waitForFunction(() => window.weft.page.state.unstored === undefined);
    await note.waitFor({ state: 'detached', timeout: 30000 });
  });
});

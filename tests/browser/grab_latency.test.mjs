// SPDX-License-Identifier: MIT
// Latency of a grab in a second window, and the speed of an object thrown by mouse: time is measured, so no other test runs
// at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { findObject, keepScreenshot, median, openBrowser, openPage, restOf, screenOf } from './page.mjs';

const LATENCY_MS = 100;

test('a drag in one window is in the frames of another within 100 ms', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  await client.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.9 });
  const held = new Set();
  client.on('grab.started', ({ particles: [particle] }) => held.add(particle));
  await client.subscribeEvents(['grab.started']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const first = await openPage(browser, server.http('/'), { viewport: { width: 640, height: 480 } });
  const second = await openPage(browser, server.http('/'), { viewport: { width: 640, height: 480 } });
  const { id, particles } = await findObject(first, 'cloth');
  const corner = particles - 1;
  const latencies = [];
  const at = await restOf(first, id, corner);
  await first.mouse.move(at.x, at.y);
  await first.mouse.down();
  for (let round = 0; round < 5; round++) {
    await sleep(600); // until the grabbed object rests
    await second.evaluate(([object, index]) => new Promise((ready) => { // until it knows where the corner rests
      const { client } = window.weft;
      let rest = null;
      window.seen = new Promise((resolve) => {
        const off = client.on('frame', ({ positions, receivedAt }) => {
          const { first: slot } = client.topology.findObject(object);
          const here = [...positions.slice(3 * (slot + index), 3 * (slot + index) + 3)];
          rest ??= here;
          ready();
          if (Math.hypot(here[0] - rest[0], here[1] - rest[1], here[2] - rest[2]) < 0.02) return;
          off();
          resolve(performance.timeOrigin + receivedAt);
        });
      });
    }), [id, corner]);
    // The time at which the first window receives the move, on a clock that both windows share.
    await first.evaluate(() => {
      window.moved = new Promise((resolve) => {
        addEventListener('pointermove', (event) => resolve(performance.timeOrigin + event.timeStamp), { capture: true, once: true });
      });
    });
    await first.mouse.move(at.x + (round % 2 === 0 ? 50 : -50), at.y - 20);
    latencies.push((await second.evaluate(() => window.seen)) - (await first.evaluate(() => window.moved)));
  }
  await first.mouse.up();
  assert.deepEqual([...held], [corner], 'something else was held');
  t.diagnostic(`latencies: ${latencies.map((ms) => ms.toFixed(0)).join(', ')} ms; median ${median(latencies).toFixed(0)} ms`);
  assert.ok(median(latencies) < LATENCY_MS);
  assert.deepEqual([...first.complaints, ...second.complaints], []);
});

test('a hand is shown to everyone, and what it lets go of in motion flies on', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.call('world.set', { gravity: [0, 0, 0], bounds: { min: [-400, 0, -400], max: [400, 6, 400] } }); // nothing stops the object
  const { object } = await client.call('particles.spawn', { positions: [[0, 2, 0]], radius: 0.15 });
  const started = [];
  client.on('grab.started', (grab) => started.push(grab));
  await client.subscribeEvents(['grab.started', 'grab.ended']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/'));
  const at = await screenOf(page, object, 0);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(() => started.length > 0, 'the grab');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'hand')}`);
  for (let i = 1; i <= 12; i++) {
    await page.mouse.move(at.x + 10 * i, at.y);
    await sleep(30);
  }
  await page.evaluate(([clientX, clientY]) => { // released in motion, however slow the machine is
    const stage = document.getElementById('stage');
    const init = { clientX, clientY, pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true };
    for (const type of ['pointermove', 'pointerup']) stage.dispatchEvent(new PointerEvent(type, init));
  }, [at.x + 130, at.y]);
  await page.mouse.up();
  assert.equal(started[0].object, object);
  const { velocities: [velocity] } = await until(async () => {
    const state = await client.call('particle.read', { object });
    return state.inverseMasses[0] > 0 && state;
  }, 'letting go');
  assert.ok(velocity[0] > 0.2, `it moves at ${velocity[0]} m/s`);
  assert.deepEqual(page.complaints, []);
});

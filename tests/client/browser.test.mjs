// SPDX-License-Identifier: MIT
// The client in a browser, with its connection in a module worker, against a server in this process.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { BROWSER, launchBrowser } from '../browser/launch.mjs';
import { FakeServer } from '../support/fake_server.mjs';
import { object, rawFrame, topology } from '../support/messages.mjs';
import { until } from '../support/wait.mjs';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.html': 'text/html' };

async function serveWeb(t) {
  const server = createServer(async (request, response) => {
    try {
      const body = request.url === '/' ? '<!doctype html><title>client</title>' : await readFile(join(WEB, request.url));
      response.writeHead(200, { 'content-type': TYPES[extname(request.url)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** Runs in the page: creates a client and stores its events for the test. */
async function startClient([url, worker]) {
  const { WeftClient } = await import('/client/client.js');
  const seen = { states: [], ticks: [], sums: [], delays: [], events: [], objects: 0, error: null };
  const client = new WeftClient(url, { worker });
  client.on('state', ({ state }) => seen.states.push(state));
  client.on('topology', ({ objects }) => (seen.objects = objects.length));
  client.on('event', ({ method }) => seen.events.push(method));
  client.on('frame', (frame) => {
    seen.ticks.push(frame.tick);
    seen.sums.push(frame.positions.reduce((sum, x) => sum + x, 0));
    seen.delays.push(performance.now() - frame.receivedAt);
    client.recycle(frame);
  });
  const hello = await client.connect();
  await client.subscribeFrames();
  await client.subscribeEvents();
  seen.error = await client.call('refused').catch(({ name, code, message, data }) => ({ name, code, message, data }));
  Object.assign(globalThis, { seen, client });
  return hello;
}

for (const worker of [true, false]) {
  const skip = existsSync(BROWSER) ? false : `no browser at ${BROWSER}: install chromium, or name one in WEFT_CHROMIUM`;
  test(`in a browser, ${worker ? 'in a module worker' : 'in the page\'s thread'}, it connects, decodes, recycles and comes back`, { skip, timeout: 60000 }, async (t) => {
    const fake = await FakeServer.start();
    t.after(() => fake.stop());
    fake.methods.refused = () => {
      throw { code: -32002, message: 'there is no object 7', data: { pointer: '/object' } };
    };
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    await page.goto(await serveWeb(t));
    const hello = await page.evaluate(startClient, [fake.url, worker]);
    assert.equal(hello.instance, 'fake');
    const seen = () => page.evaluate(() => globalThis.seen);
    assert.deepEqual((await seen()).error, { name: 'WeftError', code: -32002, message: 'there is no object 7', data: { pointer: '/object' } });

    fake.send(topology({ count: 4 }, { objects: [object(1, 'cloth', 4, { columns: 2, rows: 2, mesh: 'grid' })] }));
    for (let tick = 1; tick <= 30; tick++) {
      fake.send(rawFrame({ tick }, new Array(12).fill(tick)));
      await until(async () => (await seen()).ticks.includes(tick), `frame ${tick}`);
    }
    fake.event('client.joined', { client: 2, clients: 2 });
    const { ticks, sums, delays, objects } = await seen();
    assert.deepEqual(ticks, Array.from({ length: 30 }, (_, i) => i + 1));
    assert.deepEqual(sums, ticks.map((tick) => 12 * tick));
    assert.equal(objects, 1);
    // The clocks of both threads differ by a few ms at most.
    assert.ok(delays.every((delay) => delay > -5 && delay < 1000), `${delays}`);
    await until(async () => (await seen()).events.includes('client.joined'), 'the event');

    await fake.stop();
    await until(async () => (await seen()).states.at(-1) === 'closed', 'the loss');
    await fake.listen(fake.port);
    await until(async () => (await seen()).states.at(-1) === 'open', 'the return');
    await until(() => fake.calls('frames.subscribe').length === 2, 'the renewal');
    assert.equal(await page.evaluate(() => globalThis.client.state), 'open');
  });
}

// SPDX-License-Identifier: MIT
// Moments: some ticks of a world as a local world that shows them, from a file or from another local world of the page, and links
// that show their last ticks first.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { until } from '../support/wait.mjs';

const PATIENCE_MS = 30000;

/** @param {string} address of a client */
async function enter(t, address) {
  const client = new WeftClient(address);
  t.after(() => client.close());
  await client.connect();
  return client;
}

/** A paused world of 180 ticks in which something was done on the way, and its hash at tick 120. */
async function lived(t, name) {
  const client = await enter(t, `local:${name}=cloth?tick=0&paused=true`);
  await client.call('world.step', { ticks: 90 });
  await client.call('body.spawn', { position: [0.3, 3, 0.5] });
  await client.call('world.step', { ticks: 30 });
  const { stateHash } = await client.call('world.get');
  const { timeline } = await client.call('world.history', { most: 0 });
  await client.call('world.step', { ticks: 60 });
  return { client, stateHash, timeline };
}

/** Plays what the world shows, to its end. */
async function playToEnd(client) {
  const { replay } = await client.call('world.get');
  await client.call('world.replay', { from: replay.from, to: replay.to, speed: 4 });
  await until(async () => {
    const { replay: now } = await client.call('world.get');
    return !now.playing && now.tick === replay.to;
  }, 'the end of the replay', PATIENCE_MS);
  return client.call('world.get');
}

test('a moment of a local world stands at its first tick, plays to the state that was, and goes on from there', { timeout: 60000 }, async (t) => {
  const { client, stateHash, timeline } = await lived(t, 'one');
  const watcher = await enter(t, `local:one-moment?${new URLSearchParams({ capsule: `local:one/${timeline}-60-120`, from: '60' })}`);
  const { running, replay } = await watcher.call('world.get');
  assert.deepEqual([running, replay.from, replay.to, replay.tick, replay.playing], [false, 60, 120, 60, false]);
  assert.equal((await playToEnd(watcher)).stateHash, stateHash);
  await watcher.call('world.resume');
  await until(async () => (await watcher.call('world.get')).tick > 125, 'it goes on', PATIENCE_MS);
  assert.equal((await watcher.call('world.get')).replay, undefined);
  assert.equal((await client.call('world.get')).tick, 180, 'the world that it is of is another one');
});

test('a moment comes from a file, and what keeps it from being shown is said', { timeout: 60000 }, async (t) => {
  const { client, stateHash } = await lived(t, 'two');
  const { capsule } = await client.call('world.export', { from: 60, to: 120 });
  const server = createServer((request, response) => {
    if (request.url === '/good') response.end(Buffer.from(capsule, 'base64'));
    else if (request.url === '/bad') response.end('no capsule');
    else response.writeHead(request.url === '/closed' ? 401 : 404).end('tick 9 is not in the history\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = (path, from = '60') => `local:x?${new URLSearchParams({ capsule: `http://127.0.0.1:${server.address().port}/${path}`, from })}`;
  const watcher = await enter(t, address('good'));
  assert.equal((await playToEnd(watcher)).stateHash, stateHash);
  for (const [url, words] of [
    [address('bad'), /not a Weft capsule/], [address('closed'), /people with a token only/], [address('gone'), /does not have this moment any more: tick 9/],
    [address('good', '600'), /tick 600 is not in the history/], [address('good', 'x'), /from must be a tick, a whole number, got "x"/],
    ['local:y?capsule=local%3Anowhere%2F1-0-60&from=0', /no open world "nowhere"/],
  ]) {
    const refused = new WeftClient(url);
    t.after(() => refused.close());
    const reason = new Promise((resolve) => { refused.on('state', ({ state, reason: why }) => { if (state === 'closed') resolve(why); }); });
    refused.connect().catch(() => {});
    assert.match(await reason, words, url);
  }
});

test('a link with `from` shows its last ticks first, and ends where it would begin without', { timeout: 60000 }, async (t) => {
  const maker = await enter(t, 'local:rope?paused=true');
  await maker.call('body.spawn', { position: [0.2, 2, 0] });
  await maker.call('world.step', { ticks: 150 });
  const { stateHash } = await maker.call('world.get');
  const { scene, search, fragment } = await maker.link();
  const watcher = await enter(t, `local:${scene}?${search}&from=30#${fragment}`);
  const { replay, tick } = await watcher.call('world.get');
  assert.deepEqual([tick, replay.from, replay.to, replay.playing], [30, 30, 150, false]);
  assert.equal((await playToEnd(watcher)).stateHash, stateHash);
});

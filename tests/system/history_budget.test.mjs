// SPDX-License-Identifier: MIT
// --history SIZE: the size of the stored history is reported, and so is data that the limit does not permit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { sleep } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';

async function lived(t, history) {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', 'lab=empty', '--paused', '--history', history]);
  const client = await server.connect('lab');
  await client.call('cloth.spawn', { columns: 60, rows: 60, position: [0, 4, 0] });
  for (let i = 0; i < 6; i++) await client.call('world.step', { ticks: 200 });
  return { server, kept: async () => (await client.call('world.history', { most: 0 })).kept };
}

/** Waits until `holds` is true for the result of world.history, polled every two seconds. */
async function wait(kept, holds) {
  for (let i = 0; i < 100; i++) {
    const told = await kept();
    if (holds(told)) return told;
    await sleep(100);
  }
  throw new Error(JSON.stringify(await kept()));
}

test('world.history and /metrics tell how much history there is, and how much is allowed', async (t) => {
  const { server, kept } = await lived(t, '2h,50MB');
  const told = await wait(kept, ({ bytes }) => bytes > 100000);
  assert.deepEqual({ ...told, bytes: 0 }, { bytes: 0, maxBytes: 50000000, maxSeconds: 7200, over: false });
  const metrics = await (await fetch(server.http('/metrics'))).text();
  assert.match(metrics, /^weft_store_history_bytes [1-9]/m);
  assert.match(metrics, /^weft_store_history_limit_bytes 50000000$/m);
  assert.match(metrics, /^weft_store_history_over 0$/m);
  assert.doesNotMatch(server.stderr, /the history takes/);
});

test('a history that cannot be kept within --history is said, once', async (t) => {
  const { server, kept } = await lived(t, '50kB');
  const told = await wait(kept, ({ over }) => over);
  assert.ok(told.bytes > told.maxBytes);
  assert.match(await (await fetch(server.http('/metrics'))).text(), /^weft_store_history_over 1$/m);
  await sleep(2500);
  assert.equal(server.stderr.match(/warn store: the history takes .* are never deleted/g)?.length, 1);
});

test('without limits none are told', async (t) => {
  const { kept } = await lived(t, 'unlimited');
  const told = await wait(kept, ({ bytes }) => bytes > 0);
  assert.deepEqual(Object.keys(told).sort(), ['bytes', 'over']);
});

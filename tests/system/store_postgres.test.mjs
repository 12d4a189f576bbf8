// SPDX-License-Identifier: MIT
// Worlds in PostgreSQL (--store): answered changes survive kill -9, replies are remembered, the past is there, and
// worlds move between a folder and a database with the same state.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, randomChange } from '../support/data.mjs';
import { postgres } from '../support/postgres.mjs';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { seeded } from '../support/random.mjs';
import { laboratory, run, WEFTCTL, WEFTD } from '../support/weftd.mjs';

const CHANGES = 40; // between two kills

/** Changes a world, steps it, and returns its tick and hash. */
async function change({ call }, random) {
  const objects = [];
  for (let at = 0; at < CHANGES; at++) {
    const { method, params } = randomChange(random, objects);
    if (!method.endsWith('.spawn')) continue;
    objects.push((await call(method, params)).object);
    await call('world.step', { ticks: 3 });
  }
  const { tick, stateHash } = await call('world.get');
  return { tick, stateHash };
}

test('a world in PostgreSQL survives kill -9, goes back in time, and moves to a folder', async (t) => {
  const address = await postgres(t);
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const states = [];
  for (let kill = 0; kill < 3; kill++) {
    const lab = await laboratory(t, ['--store', address]);
    if (kill > 0) {
      const { tick, stateHash } = await lab.call('world.get');
      assert.deepEqual({ tick, stateHash }, states.at(-1), `kill ${kill}`);
    }
    states.push(await change(lab, random));
    await lab.server.end('SIGKILL');
  }
  const folder = join(await dataFolder(t), 'data');
  const told = await run(WEFTCTL, ['store', 'copy', address, folder]);
  assert.equal(told.status, 0, told.stderr);
  assert.match(told.stdout, /^lab: \d+ rows, [\d.]+ MB, hash [0-9a-f]{16}, as the original$/m);
  for (const args of [['--store', address], ['--data', folder]]) {
    const lab = await laboratory(t, args);
    for (const { tick, stateHash } of [...states].reverse()) {
      await lab.call('world.seek', { tick });
      assert.equal(await lab.hash(), stateHash, `${args[0]}, tick ${tick}`);
    }
    const metrics = readMetrics(await (await fetch(lab.server.http('/metrics'))).text());
    const waits = valueOf(metrics, 'weft_store_commit_round_trips');
    assert.ok(args[0] === '--data' ? waits === 0 : waits >= 1 && waits <= 10, `${args[0]}: a commit waits ${waits} times`);
    await lab.server.end();
  }
});

test('an address that is none, or leads nowhere, is refused before a world is made; only the second may be well later', async (t) => {
  for (const [args, status, words] of [
    [['--store', 'mysql://x'], 2, /--store must be postgres:\/\/USER/],
    [['--store', 'postgres://127.0.0.1:1/x'], 1, /--store: PostgreSQL cannot be used: .*refused/],
    [['--store', 'postgres://127.0.0.1:1/x', '--node-url', 'http://127.0.0.1:1'], 1, /--store: PostgreSQL cannot be used: .*refused/],
    [['--store', 'postgres://x', '--data', await dataFolder(t)], 2, /either --data DIR or --store/],
  ]) {
    const told = await run(WEFTD, args);
    assert.equal(told.status, status);
    assert.match(told.stderr, words);
  }
});

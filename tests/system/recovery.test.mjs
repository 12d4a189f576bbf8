// SPDX-License-Identifier: MIT
// A server that is killed at any moment: whatever it has answered is there again, and the world is what an
// uninterrupted run of the same commands makes of it.
//
// WEFT_KILLS says how often (`make soak`: 1,000 times).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { sleep } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';

const KILLS = Number(process.env.WEFT_KILLS ?? 10);
const CLIENTS = 3;
const OBJECTS_MOST = 40;

/** Changes the world until its connection ends; `told` is what was answered. */
class Hand {
  alive = new Set(); // objects it made, as answered
  gone = new Set(); // objects it removed, as answered
  asked = new Set(); // objects whose removal was not answered
  answers = 0;

  constructor(random) {
    this.random = random;
  }

  async work(client) {
    for (;;) {
      const { method, params } = randomChange(this.random, [...this.alive]);
      if (this.alive.size > OBJECTS_MOST && method.endsWith('.spawn')) continue;
      const removes = method === 'object.remove';
      if (removes) this.asked.add(params.object);
      let result;
      try {
        result = await client.call(method, params);
      } catch (error) {
        if (error.code === 'closed') return;
        assert.ok([-32002, -32004, -32602, -32000].includes(error.code), `${method}: ${error.message}`); // what it was to change had gone
        if (removes) this.asked.delete(params.object);
        continue;
      }
      this.answers++;
      if (removes) this.#remove(params.object);
      for (const { object } of [result, ...(result.results ?? [])]) if (object && !this.gone.has(object)) this.alive.add(object);
    }
  }

  #remove(object) {
    this.asked.delete(object);
    this.alive.delete(object);
    this.gone.add(object);
  }
}

test(`no answered command is lost in ${KILLS} kills at random moments`, { timeout: KILLS * 30000 + 60000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const folder = await dataFolder(t);
  const args = ['--data', folder, '--world', 'lab=empty', '--log-level', 'warn'];
  const hands = Array.from({ length: CLIENTS }, () => new Hand(random));
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await Weftd.start(t, args);
    const clients = await Promise.all(hands.map(() => server.connect('lab')));
    const work = hands.map((hand, i) => hand.work(clients[i]));
    await sleep(50 + random.integer(500));
    await server.end('SIGKILL');
    await Promise.all(work);
    await compare(t, args, hands, kill);
  }
  const answers = hands.reduce((sum, hand) => sum + hand.answers, 0);
  t.diagnostic(`${KILLS} kills, ${answers} answered commands, none lost`);
  assert.ok(answers > 20 * KILLS, `only ${answers} commands were answered`);
});

async function compare(t, args, hands, kill) {
  const server = await Weftd.start(t, [...args, '--paused']);
  const client = await server.connect('lab');
  const { objects } = await client.call('object.list');
  const { tick, stateHash } = await client.call('world.get');
  const there = new Set(objects.map(({ object }) => object));
  for (const hand of hands) {
    for (const object of hand.alive) {
      assert.ok(there.has(object) || hand.asked.has(object), `kill ${kill}: object ${object} was answered and is lost`);
    }
    for (const object of hand.gone) assert.ok(!there.has(object), `kill ${kill}: object ${object} was removed and is back`);
    for (const object of hand.asked) {
      if (!there.has(object)) hand.alive.delete(object);
    }
    hand.asked.clear();
  }
  await server.end('SIGKILL');
  const again = await Weftd.start(t, [...args, '--paused']);
  const state = await (await again.connect('lab')).call('world.get');
  assert.deepEqual([state.tick, state.stateHash], [tick, stateHash], 'brought back twice, it is the same');
  await again.end('SIGKILL');
}

// SPDX-License-Identifier: MIT
// Worlds of a page, without a server, for the tests of links.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { WeftClient } from '../../web/client/client.js';

const door = new WeftClient('local:door=empty'); // through which worlds are made and removed: each takes much memory
let count = 0;

after(() => door.close());

/** A name for a world of a test. @param {string} of */
export const nameOf = (of) => `${of}-${++count}`;

export async function enter(t, address) {
  const client = new WeftClient(`local:${address}`);
  t.after(() => client.close());
  await client.connect();
  return client;
}

/** A paused world of a scene, at tick 0. */
export async function begin(t, scene, options = {}) {
  if (door.state !== 'open') {
    await door.connect();
    await door.call('world.pause');
  }
  const name = nameOf('play');
  await door.call('world.create', { name, scene, paused: true, temporary: true, ...options });
  return enter(t, name);
}

/** Removes the worlds of clients. */
export async function remove(...clients) {
  for (const client of clients) {
    await door.call('world.remove', { name: client.hello.world });
    client.close();
  }
}

/** Opens a link in a world of its own. */
export const open = (t, { scene, search, fragment }) => enter(t, `${nameOf('opened')}=${scene}?${search}${fragment && `#${fragment}`}`);

export const lengthOf = ({ scene, search, fragment }) => `?scene=${scene}&${search}#${fragment}`.length;

/** The link of a world, which leads to the same state. */
export async function assertReturns(t, client, what) {
  const link = await client.link();
  assert.equal(link.reason, '', what);
  const { stateHash, tick, running } = await client.call('world.get');
  const other = await open(t, link);
  const there = await other.call('world.get');
  assert.deepEqual([there.tick, there.stateHash, there.running], [tick, stateHash, running], what);
  return { link, other };
}

// SPDX-License-Identifier: MIT
// Hands a local world to a server, which goes on with it at the tick where it stands: its state and what was done since the last
// snapshot travel as a capsule, whose hash the server compares.

import { Connection } from './connection.js';
import { WeftError } from './errors.js';
import { freeName } from './local/names.js';
/** @import { WeftClient } from './client.js' */

/**
 * @typedef {object} HandOverOptions
 * @property {string} [name] of the world on the server; by default that of the local world, with a number if it is taken
 * @property {string} [token] access token for the server
 * @property {any} [WebSocket] as for a WeftClient
 */

/**
 * @param {WeftClient} client in a local world, to which it still belongs if the promise rejects
 * @param {string} server address of any world of the server, such as ws://HOST:PORT/
 * @param {HandOverOptions} [options]
 * @returns {Promise<{world: string, tick: number, url: string}>} the world on the server, the tick at which it goes on, and its address
 */
export async function handOver(client, server, { name, token, WebSocket } = {}) {
  const there = new Connection(server, { reconnect: false, token, ...(WebSocket && { WebSocket }) }, () => {});
  try {
    const { limits } = await there.connect();
    const wanted = name ?? await nameFor(client, there);
    const { running, replay } = await client.call('world.get');
    if (replay) throw new WeftError('past', 'The world shows its past: go back to the present first.');
    if (running) await client.call('world.pause');
    let made;
    try {
      const { tick } = await client.call('world.get');
      const { capsule } = await client.call('world.export', { from: tick });
      if (limits && capsule.length > limits.messageBytes) {
        throw new WeftError('large', `The world takes ${megabytes(capsule.length)}, the server takes messages of at most ${megabytes(limits.messageBytes)}.`);
      }
      made = await there.call('world.import', { name: wanted, capsule, paused: !running });
    } catch (error) {
      if (running) await client.call('world.resume').catch(() => {}); // the first error is the one to tell
      throw error;
    }
    const url = new URL(`/worlds/${encodeURIComponent(made.world)}`, server).href;
    await client.moveTo(url, { token });
    return { ...made, url };
  } finally {
    there.close();
  }
}

/** A name that the server has no world of. @param {WeftClient} client @param {Connection} there */
async function nameFor(client, there) {
  const { worlds } = await there.call('world.list');
  return freeName(/** @type {{world: string}} */ (client.hello).world, worlds.map((/** @type {{name: string}} */ { name }) => name));
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

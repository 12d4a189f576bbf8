// SPDX-License-Identifier: MIT
// Explains in a sentence why a world of a server cannot be reached. Browsers do not tell why a WebSocket failed, so the server's
// list of worlds is requested.
import { WeftClient } from '../client/client.js';
/** @import { Source } from './source.js' */

const PATIENCE_MS = 5000;

/** @param {string} scheme @param {string} host @returns {Promise<string[] | null>} names of the server's worlds; null if it does not answer, [] if it does not tell */
async function listWorlds(scheme, host) {
  const client = new WeftClient(`${scheme}//${host}/`, { reconnect: false });
  const late = setTimeout(() => client.close(), PATIENCE_MS);
  try {
    const { role } = await client.connect();
    return role === 'none' ? [] : (await client.call('world.list')).worlds.map(({ name }) => name);
  } catch {
    return null;
  } finally {
    clearTimeout(late);
    client.close();
  }
}

/**
 * @param {Extract<Source, {kind: 'world'}>} source
 * @returns {Promise<string>}
 */
export async function explainAbsence({ address, host, world }) {
  const { protocol } = new URL(address);
  const worlds = await listWorlds(protocol, host);
  if (worlds === null) {
    const strange = globalThis.location?.host !== host;
    return `The world can’t be reached: no answer from ${host}${
      strange ? `, or the server does not accept pages from ${globalThis.location?.origin} (see its option --origin)` : ''}.`;
  }
  if (world !== null && worlds.length > 0 && !worlds.includes(world)) return `There is no world "${world}" at ${host}.`;
  return `The world at ${host} can’t be opened now.`;
}

// SPDX-License-Identifier: MIT
// The final state of a cluster: each world as clients see it, its rows in the database, and the same world computed
// again from those rows: by weftctl, from a capsule of its whole history, and by a server that restores it after all
// nodes were killed.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { sleep, until } from '../support/wait.mjs';
import { WEFTCTL } from '../support/programs.mjs';
import { command, Process, WORK } from './command.mjs';
import { httpOf, serverLine, WORLDS, worldUrl } from './nodes.mjs';

const PATIENCE_MS = 30000;
const LOOK_MS = 100;
const OWN_NAME = /^client\d+:\d+$/;

async function look(machine, world) {
  const client = new WeftClient(worldUrl(machine, world), { WebSocket, reconnect: true, session: `final-${world}` });
  const timer = setTimeout(() => client.close(), PATIENCE_MS);
  try {
    await client.connect();
    await until(() => client.call('world.pause').then(() => true, () => sleep(LOOK_MS, false)), `a pause of ${world}`, PATIENCE_MS); // a lost connection may be noticed now
    const { tick, stateHash } = await client.call('world.get');
    const { objects } = await client.call('object.list');
    return { tick, hash: stateHash, objects: objects.sort((a, b) => a.object - b.object).map(({ name }) => name).filter((name) => OWN_NAME.test(name)) };
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

/** A replay of the world's whole stored history by weftctl. */
async function replay(machine, world) {
  const answer = await fetch(`${httpOf(machine)}/worlds/${world}/capsule`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`no capsule of ${world}: ${await answer.text()}`);
  const file = join(WORK, `${world}.capsule`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const said = await command(WEFTCTL, ['replay', file, '--verify']).catch(({ message }) => message);
  const [, tick, hash] = /equal to the bit up to tick (\d+), where the hash is ([0-9a-f]+)/.exec(said) ?? [];
  return { what: tick === undefined ? `replay of the history (${said.trim()})` : 'replay of the history', tick: Number(tick), hash };
}

/**
 * @param {import('./nodes.mjs').Node[]} nodes @param {import('./database.mjs').Database} database
 * @returns {Promise<Pick<import('./checker.mjs').FinalState, 'worlds' | 'writers' | 'owners'>>}
 */
export async function finalState(nodes, database) {
  const [{ machine }] = nodes;
  const names = Object.keys(WORLDS);
  const worlds = {};
  for (const world of names) {
    const { objects, tick, hash } = await look(machine, world);
    worlds[world] = { objects, hashes: [{ what: 'at the end', tick, hash }, await replay(machine, world)] };
  }
  await Promise.all(nodes.map((node) => node.end()));
  for (const world of names) {
    worlds[world].entries = await database.rows(`SELECT timeline, sequence, session, request FROM entry JOIN world USING (world)
      WHERE name = '${world}' AND session LIKE 'client%' ORDER BY timeline, sequence`);
  }
  const writers = await database.rows('SELECT name AS world, epoch, address FROM witness.writer JOIN world USING (world)');
  const owners = await database.rows('SELECT name AS world, epoch, url FROM witness.owner JOIN world USING (world)');
  const alone = new Process('restored', machine, serverLine(machine, []));
  try {
    await until(() => fetch(`${httpOf(machine)}/readyz`).then(({ ok }) => ok, () => false), 'the server that restores the worlds', PATIENCE_MS);
    for (const world of names) {
      const { objects, tick, hash } = await look(machine, world);
      worlds[world].hashes.push({ what: 'restored by another server', tick, hash });
      if (objects.join() !== worlds[world].objects.join()) worlds[world].hashes.push({ what: `other objects when restored: ${objects.length}`, tick, hash: '' });
    }
  } finally {
    await alone.end();
  }
  return { worlds, writers, owners };
}

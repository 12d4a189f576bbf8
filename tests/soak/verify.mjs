// SPDX-License-Identifier: MIT
// Checks that a replay of the stored history gives the present state: each world is stopped, then a second server restores it
// from a copy of the data, by replaying its history and checking its hashes; the final hashes must be equal.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Weftd } from '../support/weftd.mjs';

/** @returns {Promise<{compared: number, differing: number}>} */
export async function verify(server, worlds, data) {
  const before = {};
  for (const world of worlds) {
    const client = await server.connect(world);
    await client.call('world.pause');
    before[world] = await client.call('world.get');
    client.close();
  }
  const copy = await mkdtemp(join(tmpdir(), 'weft-soak-'));
  const endings = [];
  try {
    await server.end('SIGKILL'); // only the log has the newest changes
    await cp(data, copy, { recursive: true });
    const again = await Weftd.start({ after: (end) => endings.push(end) }, [...worlds.flatMap((world) => ['--world', `${world}=empty`]), '--data', copy]);
    let differing = 0;
    for (const world of worlds) {
      const { tick, stateHash } = await (await again.connect(world)).call('world.get');
      const same = tick === before[world].tick && stateHash === before[world].stateHash;
      if (!same) console.log(`${world}: tick ${before[world].tick} ${before[world].stateHash}, replayed tick ${tick} ${stateHash}`);
      differing += same ? 0 : 1;
    }
    return { compared: worlds.length, differing };
  } finally {
    for (const end of endings) await end();
    await rm(copy, { recursive: true, force: true });
  }
}

// SPDX-License-Identifier: MIT
// Whether a replay of what was kept gives what is: each world is stopped, then brought back by a second server from a
// copy of the data, which replays its history and checks its hashes; both must have the same hash.
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
    await server.end('SIGKILL'); // nothing but what was logged
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

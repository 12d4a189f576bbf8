// SPDX-License-Identifier: MIT
// A PostgreSQL of its own for a test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './weftd.mjs';

/**
 * Starts a server in a temporary folder, which ends with the test.
 * @param {object} t @param {{sync?: boolean, standby?: boolean}} [options] whether it syncs to the disk; whether a synchronous standby
 *   follows it (tests/support/postgres.sh)
 * @returns {Promise<{address: string, pid: number}>} postgres://…, and its first process
 */
export async function startPostgres(t, { sync = false, standby = false } = {}) {
  const child = spawn(join(ROOT, 'tests/support/postgres.sh'), ['sh', '-c', 'echo "$TEST_POSTGRES" "$TEST_POSTGRES_PID"; cat'], {
    env: { ...process.env, TEST_POSTGRES_SYNC: sync ? '1' : '', TEST_POSTGRES_STANDBY: standby ? '1' : '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.stdin.end();
    await ended;
  });
  const [said] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('PostgreSQL did not start');
    }),
  ]);
  const [address, pid] = String(said).trim().split(' ');
  return { address, pid: Number(pid) };
}

/** The address alone of such a server. */
export async function postgres(t) {
  return (await startPostgres(t)).address;
}

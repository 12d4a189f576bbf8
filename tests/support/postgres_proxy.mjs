// SPDX-License-Identifier: MIT
// A path to PostgreSQL that can be cut: sockets that pass everything on until `cut` is called.

import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

/**
 * @param {object} t @param {string} address that of postgres()
 * @returns {Promise<{address: string, cut: () => void, mend: () => void}>} `cut` ends all connections, and lets none through until `mend`
 */
export async function postgresProxy(t, address) {
  const target = join(new URL(address.replace('@/', '@x/')).searchParams.get('host'), SOCKET);
  const folder = await mkdtemp(join(tmpdir(), 'weft-proxy-'));
  const sockets = new Set();
  let open = true;
  const server = createServer((near) => {
    near.on('error', () => {});
    if (!open) {
      near.destroy();
      return;
    }
    const far = connect(target);
    for (const [socket, other] of [[near, far], [far, near]]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await once(server.listen(join(folder, SOCKET)), 'listening');
  await chmod(folder, 0o755);
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    address: address.replace(/host=[^&]*/, `host=${folder}`),
    cut: () => {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => (open = true),
  };
}

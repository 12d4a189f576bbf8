// SPDX-License-Identifier: MIT
// The nodes of a cluster, one on each of its machines. A node that has ended is started again after a while, as a service manager
// would.

import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDERS, WEFTD } from '../support/programs.mjs';
import { clockOf } from './clock.mjs';
import { Process } from './command.mjs';
import { ADDRESS } from './database.mjs';
import { ADDRESSES } from './network.mjs';

const PORT = 8080;
const RESTART_MS = 1000;
const ASK_MS = 2000;
const NO_DATABASE = /^weftd: --store: PostgreSQL cannot be used: /m; // a server that does not start, with status 1

/** The worlds of a cluster, and their scenes. */
export const WORLDS = { red: 'empty', green: 'cloth', blue: 'empty' };

const worlds = Object.entries(WORLDS).flatMap(([name, scene]) => ['--world', `${name}=${scene}`]);

/** Arguments of a server of these worlds on a machine, where the machine `clients` may do everything. */
export const serverLine = (machine, args) => ['env', ...Object.entries(FOLDERS).map(([name, value]) => `${name}=${value}`), ...clockOf(machine), WEFTD,
  '--host', ADDRESSES[machine], '--port', String(PORT), '--insecure-public', '--guests', 'admin', '--rate', '0', '--max-per-address', '0', '--threads', '1',
  '--store', ADDRESS, ...worlds, ...args];

export const httpOf = (machine) => `http://${ADDRESSES[machine]}:${PORT}`;
export const worldUrl = (machine, world) => `ws://${ADDRESSES[machine]}:${PORT}/worlds/${world}`;

export class Node {
  /** @type {Process | null} */
  process = null;
  /** Unexpected ends: code and signal. @type {{code: number | string | null, signal: string | null}[]} */
  ends = [];
  #over = false;

  constructor(machine) {
    this.machine = machine;
  }

  start() {
    const process = new Process(this.machine, this.machine, serverLine(this.machine, ['--node-url', httpOf(this.machine)]));
    this.process = process;
    process.exited.then(async ({ code, signal, expected }) => {
      if (!expected && !(code === 1 && NO_DATABASE.test(process.output))) this.ends.push({ code, signal });
      await sleep(RESTART_MS);
      if (!this.#over && this.process === process) this.start();
    });
  }

  /** Whether the node answers that it has its lease and can store changes. */
  async isReady() {
    try {
      const answer = await fetch(`${httpOf(this.machine)}/healthz`, { signal: AbortSignal.timeout(ASK_MS) });
      const { node, store } = await answer.json();
      return node.leased && store.well;
    } catch {
      return false;
    }
  }

  /** Ends the node for good. */
  async end(signal = 'SIGKILL') {
    this.#over = true;
    return this.process?.end(signal);
  }
}

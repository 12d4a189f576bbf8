// SPDX-License-Identifier: MIT
// Starts servers for measurement, waits for them, watches them by their process id, and ends them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START_MS = 20000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a program and waits until it has printed `ready`, whose first group is its port. */
export async function start(command, args, ready, env = {}) {
  const child = spawn(command, args.map(String), { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const server = { child, pid: child.pid, output: '' };
  const hear = (chunk) => (server.output += chunk);
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  server.ended = once(child, 'close');
  server.ended.catch(() => {});
  const end = Date.now() + START_MS;
  while (!ready.test(server.output)) {
    if (child.exitCode !== null || Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`${command} did not start: ${server.output.trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  server.port = Number(ready.exec(server.output)[1]);
  return server;
}

export function startWeftd(bench, args) {
  return start(bench.weftd, ['--port', 0, ...args], /http:\/\/[^\s/]+:(\d+)\//, { WEFT_WEB: join(bench.out, 'web'), WEFT_SCENES: `${ROOT}server/scenes` });
}

export async function stop(server) {
  server.child.kill('SIGTERM');
  const timer = setTimeout(() => server.child.kill('SIGKILL'), 5000);
  await server.ended.catch(() => {});
  clearTimeout(timer);
}

/** CPU time in s so far of a thread; of the process's first thread by default. */
export function threadSeconds(pid, task = pid) {
  return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
}

/** CPU time in s so far of all running threads of a process. */
export function cpuSeconds(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + threadSeconds(pid, task), 0);
}

/** CPU time in s so far of a process and its children, those that have ended to 10 ms. */
export function familySeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const living = children.map((child) => {
    try {
      return cpuSeconds(child);
    } catch {
      return 0; // the process has just ended
    }
  });
  return cpuSeconds(pid) + (Number(fields[13]) + Number(fields[14])) / 100 + living.reduce((sum, seconds) => sum + seconds, 0); // proc(5)
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid) {
  return 1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}

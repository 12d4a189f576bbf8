// SPDX-License-Identifier: MIT
// Shared functions of the benchmark: running programs, interleaved repetitions, medians, tables, progress.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class Bench {
  constructor(out, folder) {
    this.out = out;
    this.folder = folder;
    this.weftd = join(out, 'weftd');
    this.weftctl = join(out, 'weftctl');
    this.started = Date.now();
    this.quick = Boolean(process.env.QUICK); // one round of each measurement, to test the benchmark itself
    this.scene = process.env.SCENE ?? ''; // the only scene of `peers` to measure; all if empty
  }

  /** The path of a program of the benchmark. */
  program(name) {
    return join(this.out, 'bench', name);
  }

  say(text) {
    console.log(`[${String(Math.round((Date.now() - this.started) / 1000)).padStart(4)} s] ${text}`);
  }

  /** Runs a program and returns its output. */
  async text(command, args, { timeoutS = 300 } = {}) {
    const child = spawn(command, args.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutS * 1000);
    let [text, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
    const [status, signal] = await once(child, 'close');
    clearTimeout(timer);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? signal}: ${errors.trim() || text.trim()}`);
    return text;
  }

  /** Runs a program that prints one JSON value. */
  async json(command, args, options) {
    return JSON.parse(await this.text(command, args, options));
  }

  /**
   * Runs each of `contenders` (functions that return an object of numbers) `rounds` times, interleaved, so that a disturbance
   * of the machine affects all of them. @returns {Promise<object[]>} the medians of each, member by member
   */
  async inTurn(contenders, rounds) {
    if (this.quick) rounds = 1;
    const seen = contenders.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, contender] of contenders.entries()) seen[at].push(await contender(round));
    }
    return seen.map(medians);
  }

  async chart(name, svg) {
    await writeFile(join(this.folder, `${name}.svg`), svg);
    return `![${name}](${name}.svg)`;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function medians(runs) {
  const names = Object.keys(runs[0]).filter((name) => typeof runs[0][name] === 'number');
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))]));
}

export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Formats a number with about three significant digits. */
export function short(value) {
  if (value === undefined || value === null) return '–';
  if (!Number.isFinite(value)) return 'not finite';
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(1);
  if (size >= 100 || value === 0) return value.toFixed(0);
  return value.toPrecision(size >= 1 ? 3 : 2);
}

export function percent(share) {
  if (!Number.isFinite(share)) return 'not finite';
  return share > 10 ? 'exploded' : `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}

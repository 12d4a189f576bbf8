// SPDX-License-Identifier: MIT
// Runs the programs of a cluster, and those that make it: to their end, or started and watched.

import { execFile, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder for the files of a run: a file system in memory that no other process sees (isolated.sh). */
export const WORK = '/run/weft';

const PATIENCE_MS = 60000;

/** Runs a program to its end. @param {string} program @param {string[]} args @returns {Promise<string>} its output */
export function command(program, args, { input = '', env = {}, timeout = PATIENCE_MS } = {}) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 28, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${stderr.trim() || error.message}`));
      else resolve(stdout);
    });
    child.stdin.on('error', () => {}); // a program may end without reading
    child.stdin.end(input);
  });
}

/** A program that runs on one of the machines, and its outcome. Its output goes to a file of its name. */
export class Process {
  exit = null;
  #expected = false;
  #file;
  #start; // of this program's output in the file, in bytes

  /** @param {string} name @param {string} machine @param {string[]} line program and arguments */
  constructor(name, machine, line) {
    this.name = name;
    this.#file = join(WORK, `${name}.log`);
    const log = openSync(this.#file, 'a');
    this.#start = fstatSync(log).size;
    this.child = spawn('nsenter', [`--net=/run/netns/${machine}`, ...line], { stdio: ['ignore', log, log], cwd: WORK });
    closeSync(log);
    this.exited = new Promise((resolve) => {
      const end = (code, signal) => {
        this.exit ??= { code, signal, expected: this.#expected };
        resolve(this.exit);
      };
      this.child.once('exit', end).once('error', ({ message }) => end(message, null));
    });
  }

  /** The output of the program so far. @returns {string} */
  get output() {
    return readFileSync(this.#file).subarray(this.#start).toString();
  }

  /** Sends a signal. @param {string} name @param {boolean} [ends] whether the process is meant to end by it */
  signal(name, ends = true) {
    this.#expected ||= ends;
    if (!this.exit) this.child.kill(name);
  }

  /** Ends the program, and waits until it has ended. */
  async end(signal = 'SIGKILL') {
    this.signal(signal);
    return this.exited;
  }
}

// SPDX-License-Identifier: MIT
// Starts a real weftd for a test on a free port, waits for it, and ends it with the test, whatever the outcome.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { WeftClient } from '../../web/client/client.js';
import { endConnections, rememberConnection } from './connections.mjs';
import { assertNoContradictions, CheckedSocket } from './contract.mjs';
import { FOLDERS, WEFTD } from './programs.mjs';
import { readMetrics } from './prometheus.mjs';
import { sleep } from './wait.mjs';

export * from './programs.mjs';

const READY = /https?:\/\/[^\s/]+:(\d+)\//;
const START_MS = 60000; // time limit for the start of an instrumented build on a busy machine
const RUN_MS = 120000;
const END_MS = 8000;
const OPEN_MS = 30000; // time limit for raw sockets

// Variables of the shell that runs the tests must not affect the server.
function environment(more) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WEFT_')));
  return { ...own, ...FOLDERS, ...more };
}

/**
 * Runs a program until it ends. The input is text, bytes, or an iterable of these.
 * @returns {Promise<{status: number, stdout: string, stderr: string}>}
 */
export async function run(program, args, { env = {}, input = '' } = {}) {
  const child = spawn(program, args, { env: environment(env) });
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.on('error', () => {}); // a program may end without reading its input
  Readable.from(input).pipe(child.stdin);
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  return { status, stdout: stdout.text, stderr: stderr.text };
}

function collect(stream) {
  const kept = { text: '' };
  stream.setEncoding('utf8').on('data', (text) => (kept.text += text));
  return kept;
}

export class Weftd {
  #clients = new Set();

  /**
   * @param {{after: (fn: () => any) => void}} t context of a test, at whose end the server is ended
   * @param {string[]} args
   * @param {{env?: object, program?: string}} [options] `program`: another server than the built one
   */
  static async start(t, args = [], { env = {}, program = WEFTD } = {}) {
    const server = new Weftd();
    const all = args.includes('--port') || env.WEFT_PORT ? args : ['--port', '0', ...args];
    server.process = spawn(program, all, { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
    server.exited = new Promise((resolve) => {
      const end = (exit) => resolve((server.exit ??= exit));
      server.process.once('close', (code, signal) => end({ code, signal })).once('error', ({ message }) => end({ code: message, signal: null }));
    });
    server.out = collect(server.process.stdout);
    server.err = collect(server.process.stderr);
    t.after(async () => {
      await server.stop();
      assertNoContradictions();
    });
    await server.#ready();
    return server;
  }

  async #ready() {
    const end = performance.now() + START_MS;
    while (!READY.test(this.out.text)) {
      if (this.exit || performance.now() > end) {
        throw new Error(`${this.process.spawnfile} did not start (${this.exit?.code ?? 'it is not ready yet'}):\n${this.out.text}${this.err.text}`);
      }
      await sleep(5);
    }
    this.port = Number(READY.exec(this.out.text)[1]);
  }

  get stderr() {
    return this.err.text;
  }

  url(world) {
    return `ws://127.0.0.1:${this.port}/worlds/${world}`;
  }

  http(path) {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** A connected client, closed before the server is stopped. */
  async connect(world, options = {}) {
    const client = new WeftClient(this.url(world), { WebSocket: CheckedSocket, reconnect: false, ...options });
    this.#clients.add(client);
    await client.connect();
    return client;
  }

  /** The number of clients in all worlds, queried without becoming one; a server with tokens needs `token` set. */
  async clients() {
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    const families = readMetrics(await (await fetch(this.http('/metrics'), { headers })).text());
    return (families.get('weft_world_clients')?.samples ?? []).reduce((sum, { value }) => sum + value, 0);
  }

  /** Ends all connections that the tests of this file have made; then no world may have a client. */
  async everybodyLeaves(patienceMs = 20000) {
    for (const client of this.#clients) client.close();
    this.#clients.clear();
    endConnections(this.port);
    const end = performance.now() + patienceMs;
    // A server that is full closes one more connection without a reply: the earlier ones have not been closed yet. Depending on
    // the moment, this end of the connection sees a reset, an end of the stream or a pipe that is broken.
    const closedAtOnce = ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'];
    const count = () => this.clients().catch((error) => (closedAtOnce.includes(error.cause?.code) ? Infinity : Promise.reject(error)));
    for (let held = await count(); held > 0; held = await count()) {
      assert.ok(performance.now() < end, `${held} clients are still held ${patienceMs / 1000} s after everybody has left`);
      await sleep(20);
    }
  }

  /** Resident memory in bytes. */
  async residentBytes() {
    const status = await readFile(`/proc/${this.process.pid}/status`, 'utf8');
    return 1024 * Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]);
  }

  /** CPU time of the server in ms, with a resolution of 10 ms. */
  async processorMs() {
    const fields = (await readFile(`/proc/${this.process.pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12])); // user and system time in ticks of 10 ms: proc(5)
  }

  /** @returns {Promise<{code: number | null, signal: string | null}>} exit code or signal */
  async stop(signal = 'SIGTERM') {
    for (const client of this.#clients) client.close();
    this.#clients.clear();
    return this.end(signal);
  }

  /** Ends the server with its clients still connected. */
  async end(signal = 'SIGTERM') {
    if (!this.exit) this.process.kill(signal);
    const timer = setTimeout(() => this.process.kill('SIGKILL'), END_MS);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }
}

/** A paused, empty world, and a client in it. */
export async function laboratory(t, args = []) {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', ...args]);
  const client = await server.connect('lab');
  const call = (method, params) => client.call(method, params);
  return { server, client, call, hash: async () => (await call('world.get')).stateHash };
}

/** A raw WebSocket: sends and receives single messages. */
export class RawSocket {
  #messages = [];
  #waiting = [];

  static async open(t, url, protocols = ['weft.v1']) {
    const raw = new RawSocket();
    raw.socket = new CheckedSocket(url, protocols, { perMessageDeflate: false });
    raw.closed = new Promise((resolve) => {
      raw.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
      setTimeout(resolve, OPEN_MS, { code: 0, reason: 'still open' }).unref();
    });
    raw.socket.on('message', (data, isBinary) => raw.#take(isBinary ? data : JSON.parse(data)));
    raw.socket.on('error', () => {});
    rememberConnection(new URL(url).port, () => raw.socket.terminate());
    t.after(() => raw.socket.terminate());
    await once(raw.socket, 'open');
    return raw;
  }

  #take(message) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(message);
    else this.#messages.push(message);
  }

  send(message, options) {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message), options);
  }

  /** The next message, or undefined after a timeout. */
  async next(patienceMs = 5000) {
    if (this.#messages.length > 0) return this.#messages.shift();
    return new Promise((resolve) => {
      const take = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(undefined);
      }, patienceMs);
      this.#waiting.push(take);
    });
  }

  /** The reply with this id; earlier messages are dropped. */
  async answer(id) {
    for (;;) {
      const message = await this.next();
      assert.ok(message !== undefined, `no answer to request ${id}`);
      if (message.id === id) return message;
    }
  }

  async ask(id, method, params = {}) {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }
}

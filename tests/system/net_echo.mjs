// SPDX-License-Identifier: MIT
// Starts the small server of net_echo.c for a test, with its own web folder, and provides two kinds of clients: one by the
// `ws` package, and one that writes raw bytes, for input that a correct client never sends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { sleep, until } from '../support/wait.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const BUILD = process.env.WEFT_BUILD ? resolve(process.env.WEFT_BUILD) : join(ROOT, 'build');
export const NET_ECHO = join(BUILD, 'tests/net_echo');
export const IS_SANITIZED = Boolean(process.env.WEFT_SANITIZER);

export const BIG_FILE = Buffer.alloc(1_500_000, 'weft');

async function makeWebRoot(t) {
  const folder = await mkdtemp(join(tmpdir(), 'net-echo-'));
  t.after(() => rm(folder, { recursive: true }));
  const root = join(folder, 'web');
  await mkdir(join(root, 'client'), { recursive: true });
  await writeFile(join(folder, 'outside.txt'), 'secret');
  await writeFile(join(root, '.secret'), 'secret');
  await writeFile(join(root, 'index.html'), '<!doctype html>page');
  await writeFile(join(root, 'client/client.mjs'), 'export {};');
  await writeFile(join(root, 'big.bin'), BIG_FILE);
  return root;
}

export class NetEcho {
  /** @param {object} t @param {(string|number)[]} [more] arguments after the web root */
  static async start(t, more = []) {
    const server = new NetEcho();
    server.webRoot = await makeWebRoot(t);
    server.process = spawn(NET_ECHO, [server.webRoot, ...more.map(String)], { stdio: ['ignore', 'pipe', 'pipe'] });
    server.exited = once(server.process, 'close').then(([code, signal]) => (server.exit = { code, signal }));
    server.out = '';
    server.process.stdout.setEncoding('utf8').on('data', (text) => (server.out += text));
    server.process.stderr.pipe(process.stderr);
    t.after(() => server.stop());
    await until(() => server.exit || /listening on (\d+)/.test(server.out), 'the start of net_echo');
    server.port = Number(/listening on (\d+)/.exec(server.out)[1]);
    return server;
  }

  http(path) {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The number of open file descriptors of the server. */
  async descriptors() {
    return (await readdir(`/proc/${this.process.pid}/fd`)).length;
  }

  async stop() {
    if (!this.exit) this.process.kill('SIGTERM');
    return this.exited;
  }

  /** A client after its hello. */
  async connect(t, options = {}) {
    const client = new EchoClient(this, options);
    t.after(() => client.socket.terminate());
    client.hello = await client.next();
    return client;
  }

  /** The status of a refused handshake, or 101. */
  handshake({ path = '/worlds/main', protocols = [], headers = {} } = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}${path}`, protocols, { headers });
    return new Promise((resolveStatus, reject) => {
      socket.once('open', () => (resolveStatus(101), socket.terminate()));
      socket.once('unexpected-response', (_request, response) => (resolveStatus(response.statusCode), response.destroy()));
      socket.once('error', reject);
    });
  }
}

async function patience() {
  await sleep(10000, undefined, { ref: false });
  throw new Error('no message within 10 s');
}

export class EchoClient {
  #messages = [];
  #waiting = [];

  constructor(server, { path = '/worlds/main', protocols = ['weft.v1'] } = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { perMessageDeflate: false });
    this.closed = new Promise((done) => this.socket.once('close', (code, reason) => done({ code, reason: String(reason) })));
    this.socket.on('error', () => {});
    this.socket.on('message', (data, isBinary) => {
      const message = isBinary ? data : String(data);
      if (this.#waiting.length > 0) this.#waiting.shift()(message);
      else this.#messages.push(message);
    });
  }

  send(message, options) {
    this.socket.send(message, options);
  }

  next() {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    const message = new Promise((resolveMessage) => this.#waiting.push(resolveMessage));
    return Promise.race([message, this.closed.then(({ code }) => `closed ${code}`), patience()]);
  }

  async ask(command) {
    this.send(command);
    return this.next();
  }

  /** The server's counters and its resident memory, as numbers. */
  async figures() {
    const text = await this.ask('figures');
    return Object.fromEntries([...text.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]));
  }
}

/** A frame of a client; `mask` null leaves it unmasked. */
export function frame(opcode, payload, { final = true, mask = [1, 2, 3, 4], announced = payload.length } = {}) {
  const head = [(final ? 0x80 : 0) | opcode];
  const bit = mask ? 0x80 : 0;
  if (announced < 126) head.push(bit | announced);
  else if (announced < 65536) head.push(bit | 126, announced >> 8, announced & 255);
  else head.push(bit | 127, 0, 0, 0, 0, announced >>> 24, (announced >>> 16) & 255, (announced >>> 8) & 255, announced & 255);
  const body = Buffer.from(payload);
  if (mask) body.forEach((byte, i) => (body[i] = byte ^ mask[i & 3]));
  return Buffer.concat([Buffer.from(head), Buffer.from(mask ?? []), body]);
}

/** A raw socket after the handshake, whose bytes are not decoded. */
export async function openRaw(t, server, { read = true } = {}) {
  const socket = connect(server.port, '127.0.0.1');
  t.after(() => socket.destroy());
  const raw = { socket, bytes: Buffer.alloc(0) };
  socket.on('error', () => {});
  socket.write(
    `GET /worlds/main HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const take = (data) => (raw.bytes = Buffer.concat([raw.bytes, data]));
  socket.on('data', take);
  await until(() => raw.bytes.includes('hello '), 'the hello');
  raw.bytes = Buffer.alloc(0);
  if (!read) {
    socket.off('data', take);
    socket.pause();
  }
  return raw;
}

/** The close code in the bytes received by a raw socket, or undefined. */
export function closeCode(bytes) {
  const at = bytes.indexOf(0x88);
  return at >= 0 && bytes.length >= at + 4 ? bytes.readUInt16BE(at + 2) : undefined;
}

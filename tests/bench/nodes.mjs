// SPDX-License-Identifier: MIT
// Several nodes with the same worlds for measurement, and a client in each world that notes its ticks and sends numbered commands.

import { WebSocket } from 'ws';
import { randomKey, WeftClient } from '../../web/client/client.js';
import { freePort } from '../support/nodes.mjs';
import { Numbered } from '../support/numbered.mjs';
import { until } from '../support/wait.mjs';
import { startWeftd, stop } from './servers.mjs';

const PATIENCE_MS = 60000;
const TICKS = /^weft_world_ticks_total\{world="([^"]+)"\} ([1-9]\d*)$/gm; // of those that have ticked
const REAL_TIME = /^weft_world_real_time_factor\{world="[^"]+"\} (\S+)$/gm;

export class Nodes {
  /** @type {{url: string, port: number, server?: object}[]} */
  nodes = [];

  /**
   * @param {import('./bench.mjs').Bench} bench @param {string} address of the database @param {string[]} worlds @param {string} scene
   * @param {number} hz ticks a second of each
   */
  constructor(bench, address, worlds, scene, hz) {
    this.bench = bench;
    this.worlds = worlds;
    this.args = ['--store', address, '--tick-hz', hz, '--log-level', 'error', ...worlds.flatMap((world) => ['--world', `${world}=${scene}`])];
  }

  /** Starts so many nodes, of which the first makes the worlds and has them all. */
  async start(count) {
    while (this.nodes.length < count) {
      const port = await freePort();
      this.nodes.push({ port, url: `http://127.0.0.1:${port}` });
      await this.restart(this.nodes.at(-1));
    }
  }

  /** Starts a node at the address that it had. */
  async restart(node) {
    node.server = await startWeftd(this.bench, [...this.args, '--port', node.port, '--node-url', node.url]);
  }

  async stop() {
    await Promise.all(this.nodes.map(({ server }) => server && stop(server)));
  }

  /** The worlds that each of these nodes ticks, with a time. @returns {Promise<Map<string, number>>} */
  async ticking(nodes) {
    const found = new Map();
    await Promise.all(nodes.map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      for (const [, world] of text.matchAll(TICKS)) found.set(world, performance.now());
    }));
    return found;
  }

  /** The world time per wall time of each world in the last second. @returns {Promise<number[]>} */
  async realTime() {
    const texts = await Promise.all(this.nodes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    return texts.flatMap((text) => [...text.matchAll(REAL_TIME)].map(([, factor]) => Number(factor)));
  }

  /** Waits until these nodes tick all worlds. @returns {Promise<number[]>} when each was first seen to */
  async untilTicking(nodes) {
    const seen = new Map();
    await until(async () => {
      for (const [world, at] of await this.ticking(nodes)) if (!seen.has(world)) seen.set(world, at);
      return this.worlds.every((world) => seen.has(world));
    }, 'the ticks of all worlds', PATIENCE_MS);
    return this.worlds.map((world) => seen.get(world));
  }
}

export class Watcher {
  #tick = 0;
  #at = 0;
  #cut = false;
  faults = [];

  /** @param {string} url of a node @param {string} world */
  constructor(url, world) {
    this.client = new WeftClient(`${url.replace('http', 'ws')}/worlds/${world}`, { WebSocket, session: randomKey() });
    this.numbered = new Numbered(this.client);
    this.client.on('frame', (frame) => {
      this.#note(frame.tick);
      this.client.recycle(frame);
    });
    this.client.on('fault', ({ message }) => this.faults.push(message));
    this.client.on('state', ({ state }) => { this.#cut ||= state !== 'open'; });
    this.mark();
  }

  async start() {
    await this.client.connect();
    await this.client.subscribeFrames({ encoding: 'raw' }); // which cost server and client least
    await until(() => this.#tick > 0, 'a frame', PATIENCE_MS);
    this.numbered.start();
  }

  #note(tick) {
    const now = performance.now();
    if (this.#at > 0) this.pauseMs = Math.max(this.pauseMs, now - this.#at);
    this.again = Math.max(this.again, this.#tick - tick); // a keyframe may show the newest tick again
    if (this.#cut) this.framesAt ??= now;
    this.#tick = tick;
    this.#at = now;
  }

  /** Begins the notes anew. */
  mark() {
    this.pauseMs = 0; // the longest time between two frames
    this.again = 0; // number of ticks that came a second time
    this.framesAt = undefined; // when the first frame came after the connection was lost
    this.#cut = false;
    this.faults = [];
  }

  /** Ends the commands, and compares those that were acknowledged with the world. */
  async check() {
    await this.numbered.stop();
    await until(() => this.client.state === 'open', 'a connection', PATIENCE_MS);
    const found = await this.numbered.check();
    const { refused, other } = this.numbered.errors();
    await this.numbered.clear();
    this.numbered.start();
    return { ...found, refused, errors: [...other, ...this.faults] };
  }

  async stop() {
    await this.numbered.stop();
    this.client.close();
  }
}

/** The findings of all watchers, together. */
export async function checkAll(watchers) {
  const all = await Promise.all(watchers.map((watcher) => watcher.check()));
  const sum = (name) => all.reduce((total, one) => total + one[name], 0);
  return { acknowledged: sum('acknowledged'), refused: sum('refused'), wrong: sum('lost') + sum('twice') + sum('disordered'), errors: all.flatMap(({ errors }) => errors) };
}

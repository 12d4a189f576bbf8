// SPDX-License-Identifier: MIT
// Viewers that follow a world in lockstep, for the soak test: in Node, in a page, and `weftctl watch`. Each counts the hashes
// that it has compared with the server's, and the snapshots that it was sent. The state of a page can be damaged.

import { spawn } from 'node:child_process';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { ROOT, WEFTCTL } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';

/** Switches of a Chromium whose WebAssembly has no SIMD: it takes the machine for one of before SSE4.1. */
export const WITHOUT_SIMD = ['--js-flags=--no-enable-sse4-1'];

/**
 * What a viewer has seen.
 * @typedef {object} Seen
 * @property {number} tick that its own world has made @property {string} hash of that
 * @property {number} hashes that were compared and are equal
 * @property {number} snapshots of a new generation @property {number} renewals: snapshots of a generation that it had
 * @property {number} mismatches hashes that differ @property {number[]} [found] the ticks of these @property {number} slow how often it could not keep up, and began anew
 * @property {string[]} faults @property {string[]} [refusals] the last messages that its engine refused, and why @property {boolean} [simd] whether its machine has SIMD
 */

/**
 * Starts a viewer. The function runs in Node or is sent to a page, so it uses nothing of this module. The result has the functions
 * `look`, which gives what the viewer has seen, and `damage`, which flips a bit of the position of a particle.
 * @param {{clientUrl: string, engineUrl: string, worldUrl: string, simd?: boolean, predict: boolean}} options
 * @param {any} [Socket] class of the socket, where none is global
 */
async function startViewer({ clientUrl, engineUrl, worldUrl, simd, predict }, Socket) {
  const { WeftClient } = await import(clientUrl);
  const { loadEngine, hasSimd } = await import(engineUrl);
  const seen = { tick: 0, hash: '', hashes: 0, snapshots: 0, renewals: 0, slow: 0, found: [], faults: [], refusals: [], simd: hasSimd() };
  let world = null;
  let generation = -1;
  const load = async () => {
    const engine = await loadEngine(simd === undefined ? {} : { simd });
    const createWorld = engine.createWorld.bind(engine);
    engine.createWorld = (room) => {
      const made = createWorld(room);
      const follow = made.follow.bind(made);
      made.follow = (bytes) => {
        const before = made.tickCount;
        try {
          follow(bytes);
        } catch (error) {
          if (error.result === 'damaged') seen.found.push(made.tickCount);
          if (error.result !== 'limit') seen.refusals = [...seen.refusals.slice(-4), `tick ${before}, message ${Array.from(bytes.subarray(0, 16)).join(' ')}: ${error.message}`];
          throw error;
        }
        if (bytes[0] === 5) {
          const next = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
          seen[next === generation ? 'renewals' : 'snapshots']++;
          generation = next;
          world = made;
        } else if ((bytes[1] & 1) === 1 && made.tickCount !== before) seen.hashes++;
      };
      return made;
    };
    return engine;
  };
  const client = new WeftClient(worldUrl, { predict, loadEngine: load, reconnect: false, ...(Socket && { WebSocket: Socket }) });
  client.on('fault', (error) => {
    if (/^This machine /.test(error.message)) { // is too slow, and so the server's frames come from here on
      seen.slow++;
      setTimeout(() => client.subscribeFrames({ encoding: 'ticks' }).catch((again) => seen.faults.push(again.message)));
    } else seen.faults.push(error.message);
  });
  client.on('state', ({ state, reason }) => state === 'closed' && seen.faults.push(`closed: ${reason}`));
  client.on('frame', (frame) => client.recycle(frame));
  await client.connect();
  await client.subscribeFrames({ encoding: 'ticks' });
  const look = () => ({ ...seen, tick: world?.tickCount ?? 0, hash: world?.hash ?? '', mismatches: client.statistics.mismatches });
  const damage = (index, bit) => {
    const { x } = world.positions();
    new Uint32Array(x.buffer, x.byteOffset, x.length)[index % x.length] ^= 1 << bit;
    return look();
  };
  return { client, look, damage };
}

/** In a thread of its own, which may be busy for long. */
export class NodeViewer {
  #thread;
  #looks = [];

  /** @param {string} name @param {string} worldUrl @param {{simd?: boolean, predict?: boolean}} [options] */
  static async start(name, worldUrl, { simd, predict = false } = {}) {
    const own = new NodeViewer();
    own.name = name;
    const options = { clientUrl: `${ROOT}/web/client/client.js`, engineUrl: `${ROOT}/web/client/engine/engine.js`, worldUrl, simd, predict };
    own.#thread = new Worker(new URL(import.meta.url), { workerData: options });
    own.#thread.on('message', (seen) => own.#looks.shift()?.resolve(seen));
    own.#thread.on('error', (error) => own.#looks.splice(0).forEach(({ reject }) => reject(error)));
    await own.look();
    return own;
  }

  /** @returns {Promise<Seen>} */
  look() {
    return new Promise((resolve, reject) => {
      this.#looks.push({ resolve, reject });
      this.#thread.postMessage('look');
    });
  }

  end() {
    return this.#thread.terminate();
  }
}

if (!isMainThread && workerData?.worldUrl) {
  const viewer = startViewer(workerData, WebSocket);
  parentPort?.on('message', async () => parentPort?.postMessage((await viewer).look()));
}

export class PageViewer {
  #page;

  /**
   * @param {string} name @param {import('playwright-core').Browser} browser @param {import('../support/weftd.mjs').Weftd} server
   * @param {string} world @param {{predict?: boolean}} [options]
   */
  static async start(name, browser, server, world, { predict = false } = {}) {
    const own = new PageViewer();
    own.name = name;
    const context = await browser.newContext();
    own.#page = await context.newPage();
    await own.#page.goto(server.http('/client/client.js')); // a document of this origin that runs nothing itself
    const options = { clientUrl: server.http('/client/client.js'), engineUrl: server.http('/client/engine/engine.js'), worldUrl: server.url(world), predict };
    await own.#page.evaluate(`(${startViewer})(${JSON.stringify(options)}).then((viewer) => { globalThis.viewer = viewer; })`);
    return own;
  }

  /** @returns {Promise<Seen>} */
  look() {
    return this.#page.evaluate('viewer.look()');
  }

  /**
   * Flips a bit of the x coordinate of a particle in the page's own world.
   * @param {number} index of the particle, modulo their number @param {number} bit of the 32-bit float, 0 is the lowest
   * @returns {Promise<Seen>}
   */
  damage(index, bit) {
    return this.#page.evaluate(`viewer.damage(${index}, ${bit})`);
  }

  async end() {
    await this.#page.context().close();
  }
}

/** `weftctl watch --encoding ticks`, which ends at the first difference. */
export class NativeViewer {
  #child;
  #text = '';
  #errors = '';
  #exit = null;

  /** @param {string} name @param {string} worldUrl */
  static async start(name, worldUrl) {
    const own = new NativeViewer();
    own.name = name;
    own.#child = spawn(WEFTCTL, ['watch', '--url', worldUrl, '--encoding', 'ticks', '--timeout', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    own.#child.stdout.setEncoding('utf8').on('data', (text) => (own.#text = (own.#text + text).slice(-2000)));
    own.#child.stderr.setEncoding('utf8').on('data', (text) => (own.#errors += text));
    own.#child.once('exit', (code, signal) => (own.#exit = { code, signal }));
    await until(() => own.#figure('tick') > 0 || own.#exit, `the first figures of ${name}`, 60000);
    return own;
  }

  #figure(name) {
    return Number([...this.#text.matchAll(new RegExp(` ${name}=(\\d+)`, 'g'))].at(-1)?.[1] ?? 0);
  }

  /** @returns {Promise<Seen>} */
  async look() {
    const differs = /differs/.test(this.#errors);
    return {
      tick: this.#figure('tick'), hash: '', hashes: this.#figure('hashes'), snapshots: 0, renewals: 0, slow: 0, mismatches: differs ? 1 : 0,
      faults: this.#exit ? [`ended with ${this.#exit.code ?? this.#exit.signal}: ${this.#errors.trim()}`] : [],
    };
  }

  end() {
    this.#child.kill('SIGINT');
  }
}

// SPDX-License-Identifier: MIT
// Runs a parameter sweep. The present world is branched once; each run is a branch of that branch, paused and temporary, so that
// all runs begin with the same state and the same sweep gives the same numbers. A run's world is removed as soon as it is measured.
import { WeftClient } from '../../../client/client.js';
import { WeftError } from '../../../client/errors.js';
import { clientAddress, clientOptions } from '../../page/world_address.js';
import { gridOf, summarise } from './sweep_plan.js';
/** @import { Plan } from './sweep_plan.js' */

const BASE_MAX = 40; // of the 64 characters of a name
const STEP_MAX = 120; // ticks in one request, so that cancelling does not wait for many

/** @typedef {{values: number[], figures: number[], tick: number, hash: string}} Run */
/** @typedef {{tick: number, hash: string, runs: Run[]}} Sweep the state at which all runs began, and the runs */
/** @typedef {{done: number, of: number}} Progress */

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Calls a method; where the server's rate limit is reached, later. @param {WeftClient} client @param {AbortSignal} signal @param {any} method @param {any} [params] */
async function ask(client, signal, method, params) {
  for (;;) {
    signal.throwIfAborted();
    try {
      return /** @type {any} */ (await client.call(method, params));
    } catch (error) {
      const pause = error instanceof WeftError ? /** @type {{retryAfterMs?: number} | undefined} */ (error.data)?.retryAfterMs : undefined;
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

/**
 * @param {import('../../page/page.js').Page} page @param {Plan} plan
 * @param {{signal: AbortSignal, progress: (progress: Progress) => void}} options
 * @returns {Promise<Sweep>} rejects with the signal's reason, or the server's refusal
 */
export async function runSweep(page, plan, { signal, progress }) {
  const tag = `${(page.client.hello?.world ?? 'world').slice(0, BASE_MAX)}-sweep-${Math.random().toString(36).slice(2, 8)}`;
  const grid = gridOf(plan.axes);
  /** @type {Run[]} */
  const runs = [];
  return within(page.client, tag, signal, async (base) => {
    const state = await ask(base, signal, 'world.get');
    for (const [index, values] of grid.entries()) {
      progress({ done: index, of: grid.length });
      runs.push(await within(base, `${tag}-${index + 1}`, signal, (world) => measureRun(world, plan, values, state, signal)));
    }
    progress({ done: grid.length, of: grid.length });
    return { tick: state.tick, hash: state.stateHash, runs };
  });
}

/**
 * Branches the world of a client, hands a client of the branch to `use`, and removes the branch.
 * @template T
 * @param {WeftClient} parent @param {string} name @param {AbortSignal} signal @param {(client: WeftClient) => Promise<T>} use
 */
async function within(parent, name, signal, use) {
  await ask(parent, signal, 'world.branch', { name, paused: true, temporary: true });
  const client = new WeftClient(clientAddress(name), clientOptions({ reconnect: false }));
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.close();
    await ask(parent, new AbortController().signal, 'world.remove', { name }).catch(() => {}); // without a connection it ends by itself
  }
}

/** @param {WeftClient} world @param {Plan} plan @param {number[]} values @param {import('../../page/page.js').WorldState} state @param {AbortSignal} signal @returns {Promise<Run>} */
async function measureRun(world, { axes, ticks, every, figures, statistic, object }, values, state, signal) {
  for (const [at, { parameter }] of axes.entries()) await ask(world, signal, ...parameter.change(values[at], await ask(world, signal, 'world.get'), object ?? 0));
  const end = state.tick + ticks;
  /** @type {number[][]} */
  const samples = figures.map(() => []);
  for (let tick = state.tick; tick < end;) {
    const next = statistic === 'end' ? end : Math.min(end, tick + every);
    while (tick < next) ({ tick } = await ask(world, signal, 'world.step', { ticks: Math.min(STEP_MAX, next - tick) }));
    const measured = await ask(world, signal, 'world.measure');
    const height = figures.some((figure) => figure.ofObject) ? await heightOf(world, /** @type {number} */ (object), signal) : NaN;
    for (const [i, figure] of figures.entries()) samples[i].push(figure.read(measured, height));
  }
  const { tick, stateHash: hash } = await ask(world, signal, 'world.get');
  return { values, figures: samples.map((list) => summarise(list, statistic)), tick, hash };
}

/** The mean height of the particles of an object, m. @param {WeftClient} world @param {number} object @param {AbortSignal} signal */
async function heightOf(world, object, signal) {
  /** @type {{positions: number[][]}} */
  const { positions } = await ask(world, signal, 'particle.read', { object });
  return positions.reduce((sum, [, y]) => sum + y, 0) / positions.length;
}

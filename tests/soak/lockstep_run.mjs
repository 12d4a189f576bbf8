// SPDX-License-Identifier: MIT
// Random people in a world that viewers follow in lockstep, scene after scene; after each scene the state of every viewer is
// compared with the server's, beside the hashes that viewers compare themselves every 60 ticks. Then a bit is flipped in the world of
// one more viewer, which has to find that and to come back to the server's state.

import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { sleep, until } from '../support/wait.mjs';
import { drawAct, METHODS, NEED_PAUSE, newPerson, noteResult } from './lockstep_acts.mjs';

const PEOPLE = 3;
const PAUSE_MS = 40; // between two commands of a person, at most
const STAY_ACTS = 150; // of a person who then leaves, at most
const LOOK_MS = 150;
const LAG_MOST = 45; // ticks; above that the world waits for its slowest viewer
const LAG_LEAST = 3;
const TICK_MS_MOST = 500; // of a world that people have crushed: it begins anew, since its ticks would take most of the hour
const RELIEVE_MS = 10000; // between two of these, while the mean of a tick's time falls
const MEET_MS = 300000;
const DIFFER_MS = 20000; // a viewer that stands at the world's tick and has another state for so long has not only heard of a change late
const REPLY_MS = 300000;
const ATTEMPTS_MOST = 10; // to connect
const SLOW_REPLY_MS = 10000; // such a reply is printed
const HASH_TICKS = 60; // between two hashes of the server
const DAMAGED_BITS = 16; // of a float, counted from the lowest, one of which is flipped
const DAMAGES_MOST = 20; // in a scene: a damage that has vanished before the next hash is repeated
const INVALID = -32602;
const CLOCK = new Set(['world.resume', 'world.step', 'world.replay']); // not while the world waits

class Play {
  tally = { commands: {}, refused: {}, missing: [], left: 0, scenes: [], waits: 0, crushed: 0, meetings: 0, differences: [], damages: 0, vanished: 0 };
  #options;
  #driver;
  #over = false; // of the present scene
  #waits = false; // the world, for a viewer
  #relievedAt = -Infinity;

  constructor(options, driver) {
    this.#options = options;
    this.#driver = driver;
  }

  count(kind, method) {
    this.tally[kind][method] = (this.tally[kind][method] ?? 0) + 1;
  }

  /** One command of a person, and its reply. */
  async #act(person) {
    const { method, params } = drawAct(this.#options.random, person);
    if (this.#waits && CLOCK.has(method)) return;
    if (NEED_PAUSE.has(method)) await this.#tryTo('world.pause');
    const sent = performance.now();
    const reply = person.client.call(method, params);
    if (params.atTick !== undefined) { // which the world may reach late or, after a seek, not while this person is there
      reply.then(() => this.count('commands', method), () => this.count('refused', method));
      return;
    }
    try {
      const result = await Promise.race([reply, sleep(REPLY_MS, null, { ref: false })]);
      if (result === null) {
        this.tally.missing.push(`${method} ${JSON.stringify(params)}`);
        return;
      }
      this.count('commands', method);
      noteResult(person, method, result);
      const ms = performance.now() - sent;
      if (ms > SLOW_REPLY_MS) this.#options.say?.(`the reply to ${method} ${JSON.stringify(params).slice(0, 200)} came after ${(ms / 1000).toFixed(1)} s`);
    } catch (error) {
      if (error.code === undefined || (error.code > -32000 && error.code !== INVALID)) throw error;
      this.count('refused', error.code === INVALID ? `${method} as invalid` : method);
    }
  }

  /** Connects, and tries again while the world is so busy that its hello comes too late. @template T @param {() => Promise<T>} connect */
  async #comeIn(connect) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await connect();
      } catch (error) {
        if (attempt === ATTEMPTS_MOST || !/no hello within/.test(error.message)) throw error;
        this.#options.say?.(`no hello in time: ${error.message}`);
      }
    }
  }

  /** People come, act for a while, and leave, at times with something in their hands. */
  async #guest() {
    const { server, world, random } = this.#options;
    while (!this.#over) {
      const person = newPerson(await this.#comeIn(() => server.connect(world)));
      for (let acts = 1 + random.integer(STAY_ACTS); acts > 0 && !this.#over; acts--) {
        if (acts % 10 === 0 || person.objects.length === 0) ({ objects: person.objects, tick: person.tick } = await person.client.call('object.list'));
        await this.#act(person);
        await sleep(random.integer(PAUSE_MS));
      }
      person.client.close();
      this.tally.left++;
    }
  }

  /** Lets the clock of the world run, except while a viewer is too far behind. */
  async #keepClock() {
    while (!this.#over) {
      const [{ tick, running, replay, timing }, ...seen] = await Promise.all([this.#driver.call('world.get'), ...this.#followers().map((viewer) => viewer.look())]);
      await this.#relieve(timing);
      const lag = Math.max(...seen.map((each) => Math.abs(tick - each.tick)));
      if (!this.#waits && lag > LAG_MOST && running) {
        this.#waits = true;
        this.tally.waits++;
        await this.#tryTo('world.pause');
      } else if (!running && !replay && (!this.#waits || lag < LAG_LEAST)) {
        this.#waits = false;
        await this.#tryTo('world.resume');
      } else if (replay && this.#options.random.real() < 0.1) await this.#tryTo('world.resume'); // goes on from there
      await sleep(LOOK_MS);
    }
    this.#waits = false;
  }

  /** A world whose ticks take too long begins anew. @param {{tickMs: number}} timing */
  async #relieve({ tickMs }) {
    if (tickMs < TICK_MS_MOST || performance.now() - this.#relievedAt < RELIEVE_MS) return;
    this.#relievedAt = performance.now();
    this.tally.crushed++;
    this.#options.say?.(`a tick took ${(tickMs / 1000).toFixed(1)} s: the scene begins anew`);
    await this.#tryTo('world.reset');
  }

  async #tryTo(method, params) {
    await this.#driver.call(method, params).catch((error) => {
      if (error.code === undefined || error.code > -32000) throw error;
    });
  }

  /** Viewers whose state can be looked at: `weftctl watch` compares the hashes only. */
  #followers() {
    return this.#options.viewers.filter(({ name }) => name !== 'native');
  }

  /** Stops the clock, and compares the state of all viewers with the server's. */
  async #meet(scene) {
    let at = null;
    let differsSince = Infinity; // while the world stands as it is
    await until(async () => {
      const { tick, stateHash, running, replay } = await this.#driver.call('world.get');
      if (running) await this.#tryTo('world.pause');
      if (replay) await this.#tryTo('world.seek'); // back to the present
      const stands = !running && !replay && at?.tick === tick && at?.hash === stateHash;
      at = { tick, hash: stateHash };
      const seen = await Promise.all(this.#options.viewers.map((viewer) => viewer.look()));
      this.#assertFollowing(seen);
      if (!stands) differsSince = Infinity;
      if (!stands || !seen.every((each) => each.tick === tick)) {
        await sleep(100);
        return false;
      }
      const after = await this.#driver.call('world.get');
      if (after.tick !== tick || after.stateHash !== stateHash) return false; // an undo ended meanwhile
      const differing = this.#options.viewers.map(({ name }, index) => ({ name, hash: seen[index].hash })).filter(({ hash }) => hash !== '' && hash !== stateHash);
      differsSince = Math.min(differsSince, performance.now());
      if (differing.length > 0 && performance.now() - differsSince < DIFFER_MS) { // a change at this very tick, such as an undo, may still be on its way
        await sleep(100);
        return false;
      }
      for (const { name, hash } of differing) this.tally.differences.push(`${name} after ${scene}, tick ${tick}: ${hash} instead of ${stateHash}, for ${DIFFER_MS / 1000} s`);
      return true;
    }, `the tick of all viewers after the scene ${scene}`, MEET_MS).catch(async (error) => {
      const seen = await Promise.all(this.#options.viewers.map((viewer) => viewer.look()));
      throw new Error(`${error.message}: the world is at ${JSON.stringify(at)}, viewers at ${JSON.stringify(seen)}`);
    });
    this.tally.meetings++;
  }

  /** The tick and the hash of the world, which stands, once a viewer has both. */
  async #arrive(viewer) {
    return until(async () => {
      const { tick, stateHash } = await this.#driver.call('world.get');
      const seen = await viewer.look();
      if (seen.faults.length > 0) throw new Error(`${viewer.name}: ${seen.faults.join('; ')}`);
      if (seen.tick === tick && seen.hash === stateHash) return seen;
      await sleep(50);
      return null;
    }, `the state of ${viewer.name}`, MEET_MS);
  }

  /** A wrong bit in the world of a new viewer, while the world stands: the next hash shows it, and another snapshot mends it. */
  async #damage(scene) {
    const { random, startDamaged } = this.#options;
    const viewer = await this.#comeIn(() => startDamaged(this.tally.damages));
    try {
      for (let attempt = 0; ; attempt++) {
        const { counts } = await this.#driver.call('world.get');
        if (counts.particles === 0) await this.#driver.call('rope.spawn', { from: [0, 2, 0], to: [1, 2, 0], particles: 8, pin: 'start' });
        const before = await this.#arrive(viewer);
        const damaged = await viewer.damage(random.integer(2 ** 30), random.integer(DAMAGED_BITS));
        if (damaged.tick === before.tick && damaged.hash === before.hash) throw new Error(`${viewer.name}: the flipped bit has not changed the hash of tick ${before.tick}`);
        await this.#driver.call('world.step', { ticks: HASH_TICKS });
        const after = await this.#arrive(viewer);
        const [found] = after.found;
        if (found !== undefined) {
          if (found <= before.tick || found > before.tick + HASH_TICKS) throw new Error(`${viewer.name}: the bit of tick ${before.tick} was found at tick ${found}`);
          if (after.mismatches !== 1 || after.snapshots + after.renewals < 2) throw new Error(`${viewer.name}: ${JSON.stringify(after)}`);
          this.tally.damages++;
          return;
        }
        this.tally.vanished++; // a projection that clamps, such as the floor's, may make a wrong position right
        if (attempt === DAMAGES_MOST) throw new Error(`${viewer.name}: no flipped bit was found in the scene ${scene}`);
      }
    } finally {
      await viewer.end();
    }
  }

  /** A viewer that has found a difference, or has ended, ends the run. */
  #assertFollowing(seen) {
    seen.forEach(({ faults, mismatches, refusals = [] }, index) => {
      if (faults.length > 0 || mismatches > 0) throw new Error(`${this.#options.viewers[index].name}: ${mismatches} differences; ${[...faults, ...refusals].join('; ')}`);
    });
  }

  async scene(name, seconds) {
    const { say } = this.#options;
    await this.#driver.call('scene.load', { name });
    this.count('commands', 'scene.load');
    this.tally.scenes.push(name);
    this.#over = false;
    const began = performance.now();
    const end = setTimeout(() => (this.#over = true), 1000 * seconds);
    try {
      await Promise.all([this.#keepClock(), ...Array.from({ length: PEOPLE }, () => this.#guest())]);
    } finally {
      clearTimeout(end);
      this.#over = true;
    }
    const played = performance.now();
    await this.#relieve((await this.#driver.call('world.get')).timing);
    await this.#meet(name);
    await this.#damage(name);
    const { tick, counts } = await this.#driver.call('world.get');
    say?.(`${name}: tick ${tick}, ${counts.particles} particles; played for ${((played - began) / 1000).toFixed(1)} s, met after ${((performance.now() - played) / 1000).toFixed(1)} s`);
  }
}

/**
 * Plays scenes in a random order, each for a while, until the time is over.
 * @param {object} options
 * @param {import('../support/weftd.mjs').Weftd} options.server @param {string} options.world
 * @param {{name: string, look: () => Promise<import('./lockstep_viewers.mjs').Seen>}[]} options.viewers
 * @param {ReturnType<typeof import('../support/random.mjs').seeded>} options.random
 * @param {number} options.seconds @param {number} options.sceneSeconds @param {string[]} [options.scenes] names; all if it is missing
 * @param {(count: number) => Promise<import('./lockstep_viewers.mjs').PageViewer>} options.startDamaged starts a viewer whose state is going to be
 *   damaged, of which there were so many before @param {(text: string) => void} [options.say]
 */
export async function playLockstep(options) {
  const { server, world, viewers, random, seconds, sceneSeconds, scenes } = options;
  const driver = await server.connect(world);
  const names = scenes ?? (await driver.call('scene.list')).scenes.map(({ name }) => name);
  const play = new Play(options, driver);
  const began = performance.now();
  for (let left = []; performance.now() - began < 1000 * seconds;) {
    if (left.length === 0) left = [...names];
    await play.scene(left.splice(random.integer(left.length), 1)[0], sceneSeconds);
  }
  const seen = await Promise.all(viewers.map(async (viewer) => ({ name: viewer.name, ...(await viewer.look()) })));
  const metrics = readMetrics(await (await fetch(server.http('/metrics'))).text());
  const { tally } = play;
  const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);
  return {
    ...tally, seen, seconds: (performance.now() - began) / 1000, answered: sum(tally.commands), refusals: sum(tally.refused),
    renewals: valueOf(metrics, 'weft_world_lockstep_renewals_total', { world }) - tally.damages, // those of damaged viewers have a cause
    unanswered: METHODS.filter((method) => !tally.commands[method]),
  };
}

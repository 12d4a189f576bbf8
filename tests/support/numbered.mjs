// SPDX-License-Identifier: MIT
// Numbered commands to a world, one after the other in time, of which none that was acknowledged may be lost.

const EVERY_MS = 250;
const NAME = /^number (\d+)$/;
const REFUSED = /^nothing was changed, because it could not be stored: |^the change was made, but could not be stored: /; // the second: a change under way

export class Numbered {
  #client;
  #timer;
  #pending = new Set();
  #number = 0;
  /** @type {{number: number, askedAt: number, answeredAt: number, message?: string}[]} `message`: of the error */
  answers = [];

  /** @param {import('../../web/client/client.js').WeftClient} client one with a session, which repeats unanswered requests */
  constructor(client) {
    this.#client = client;
  }

  /** Sends one each `everyMs`, but none while there is no connection. */
  start(everyMs = EVERY_MS) {
    this.#timer = setInterval(() => this.send(), everyMs);
  }

  async send() {
    if (this.#client.state !== 'open') return;
    const number = ++this.#number;
    const askedAt = performance.now();
    const params = { positions: [[-3.8 + 0.1 * (number % 76), 0.1, 3.8]], name: `number ${number}` };
    const settled = this.#client.call('particles.spawn', params).then(() => undefined, ({ message }) => message);
    this.#pending.add(settled);
    const message = await settled;
    this.#pending.delete(settled);
    this.answers.push({ number, askedAt, answeredAt: performance.now(), ...(message !== undefined && { message }) });
  }

  /** Sends no more, and waits for all answers. */
  async stop() {
    clearInterval(this.#timer);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** The time of the first acknowledgement of a command sent after `time`; undefined: there is none yet. */
  firstAfter(time) {
    return this.answers.find(({ askedAt, message }) => askedAt > time && message === undefined)?.answeredAt;
  }

  /** The number of refusals because nothing can be stored, and all other errors. */
  errors() {
    const messages = this.answers.flatMap(({ message }) => message ?? []);
    return { refused: messages.filter((message) => REFUSED.test(message)).length, other: messages.filter((message) => !REFUSED.test(message)) };
  }

  /**
   * Compares the acknowledged commands with the objects in the world.
   * @returns {Promise<{acknowledged: number, lost: number, twice: number, disordered: number}>}
   */
  async check() {
    const { objects } = await this.#client.call('object.list');
    const there = objects.sort((a, b) => a.object - b.object).flatMap(({ name }) => Number(NAME.exec(name ?? '')?.[1] ?? NaN)).filter(Number.isFinite);
    const found = new Set(there);
    const acknowledged = this.answers.filter(({ message }) => message === undefined).map(({ number }) => number);
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((number) => !found.has(number)).length,
      twice: there.length - found.size,
      disordered: there.filter((number, at) => at > 0 && number < there[at - 1]).length,
    };
  }

  /** Removes the objects of the commands, and forgets the commands; numbers go on. */
  async clear() {
    const { objects } = await this.#client.call('object.list');
    const commands = objects.filter(({ name }) => NAME.test(name ?? '')).map(({ object }) => ({ method: 'object.remove', params: { object } }));
    for (let at = 0; at < commands.length; at += 100) await this.#client.call('batch.run', { commands: commands.slice(at, at + 100) });
    this.answers = [];
  }
}

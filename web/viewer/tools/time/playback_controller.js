// SPDX-License-Identifier: MIT
// Controls the displayed time: displays a tick, replays an interval, or continues the world from a past tick. While the user
// scrubs, one request is pending at a time, and the newest position is requested next.
import { Emitter } from '../../../client/emitter.js';
/** @import { Replay } from '../../../client/protocol.js' */

const PAUSE_MS = 30; // pause between two ticks while scrubbing, because requests are rate-limited

/** The available speeds. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/**
 * The displayed position in the timeline. Emits 'change' when it changes.
 * @extends {Emitter<{change: undefined}>}
 */
export class PlaybackController extends Emitter {
  /** The displayed timeline; null for the one in which the world can seek (home). @type {number|null} */
  timeline;

  speed = 1;

  loop = false;

  /** The interval; `to` null for the end of the timeline. @type {number | null} */
  from = null;

  /** @type {number | null} */
  to = null;

  /** @type {number | null} */
  #wanted = null;

  #busy = false;

  /** @param {import('../../page/page.js').Page} page @param {import('./history.js').History} history */
  constructor(page, history) {
    super();
    this.page = page;
    this.history = history;
    /** @type {Replay | null} the replay on the server */
    this.replay = page.state?.replay ?? null;
    this.running = page.state?.running ?? true;
    this.tick = page.state?.tick ?? 0;
    this.timeline = this.replay?.timeline ?? null;
    page.on('state', (state) => this.#take(state));
    page.client.on('world.changed', (news) => this.#take({ ...news, tick: news.replay?.tick ?? news.tick - 1 }));
  }

  /** @param {{replay?: Replay, running: boolean, tick: number}} state */
  #take({ replay, running, tick }) {
    if (replay && replay.timeline !== this.replay?.timeline) this.timeline = replay.timeline; // a replay is displayed to all clients
    if (!replay && this.replay) this.timeline = null;
    this.replay = replay ?? null;
    this.running = running;
    this.tick = tick;
    if (replay?.playing) {
      this.speed = replay.speed;
      this.loop = replay.loop;
      this.#span(replay.from, replay.to); // another user may have chosen the interval
    }
    this.emit('change');
  }

  get playing() {
    return Boolean(this.replay?.playing);
  }

  /** Whether the world is at its newest tick, not at a past one. */
  get present() {
    return !this.replay;
  }

  /** The displayed tick, interpolated for each picture; while the user scrubs, the requested one. */
  get shownTick() {
    if (this.#wanted !== null) return this.#wanted;
    if (!this.running && !this.playing) return this.tick;
    const { shownTick } = this.page.buffer;
    return shownTick >= 0 ? shownTick : this.tick;
  }

  /** The length of the interval in ticks. */
  get interval() {
    const { first, last } = this.history;
    const from = Math.min(Math.max(this.from ?? first, first), last);
    return { from, to: Math.min(Math.max(this.to ?? last, from), last) };
  }

  /** @param {number} from @param {number} to */
  setInterval(from, to) {
    this.#span(from, to);
    this.emit('change');
  }

  /** @param {number} from @param {number} to */
  #span(from, to) {
    const { first, last } = this.history;
    this.from = from <= first ? null : Math.min(from, last);
    this.to = to >= last ? null : Math.max(to, first);
  }

  /** @param {number} speed */
  async setSpeed(speed) {
    this.speed = speed;
    if (this.playing) await this.play(Math.round(this.shownTick));
    this.emit('change');
  }

  /** @param {boolean} loop */
  async setLoop(loop) {
    this.loop = loop;
    if (this.playing) await this.play(Math.round(this.shownTick));
    this.emit('change');
  }

  /** Stops the replay or the clock. @returns {Promise<boolean>} whether the world stands still */
  async pause() {
    if (this.running || this.playing) return (await this.page.call('world.pause')) !== undefined;
    return true;
  }

  // The history is requested again, because it has grown while the world ran.
  async #stand() {
    if (!this.running) return true;
    if (!(await this.pause())) return false;
    this.running = false;
    this.page.toasts.show('Paused the world to show its past.');
    await this.history.load(this.page.ask.bind(this.page), this.timeline).catch(this.page.refuse);
    return true;
  }

  // Whether the end of the displayed timeline is the newest tick.
  get #endsInPresent() {
    return this.history.timeline === this.history.current;
  }

  /** Displays a tick. @param {number} tick @param {boolean} [moving] whether further ticks follow at once */
  async show(tick, moving = false) {
    const { first } = this.history;
    this.#wanted = Math.max(Math.round(tick), first);
    this.emit('change');
    if (this.#busy) return;
    this.#busy = true;
    if (await this.#stand()) await this.#follow(moving);
    this.#busy = false;
    this.#wanted = null;
    this.emit('change');
  }

  /** @param {boolean} moving */
  async #follow(moving) {
    /** @type {number | null} */
    let at = null;
    while (this.#wanted !== null && this.#wanted !== at) {
      at = Math.min(this.#wanted, this.history.last);
      this.#wanted = at;
      const answer = await this.#ask(at, moving);
      if (!answer) return;
      this.tick = answer.tick;
      if (moving) await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    }
  }

  /** @param {number} tick @param {boolean} moving */
  #ask(tick, moving) {
    const { page, history } = this;
    if (tick === history.last && this.#endsInPresent) return this.present ? { tick } : page.call('world.seek');
    const params = { from: tick, speed: 0, timeline: history.timeline };
    return moving ? page.ask('world.replay', params).catch(page.refuse) : page.call('world.replay', params);
  }

  /** Steps one tick back or forward; forward from the newest tick is a step of the world. @param {1|-1} by */
  async step(by) {
    if (!this.present || by < 0) return this.show(Math.round(this.shownTick) + by);
    return (await this.pause()) ? this.page.call('world.step', { ticks: 1 }) : undefined;
  }

  /** Replays the interval, from `tick` on if that is within it. */
  async play(tick = Math.round(this.shownTick)) {
    if (!(await this.#stand())) return;
    const { from, to } = this.interval;
    if (from === to) {
      this.page.toasts.show('Nothing to replay yet. Let the world run for a while, or select a longer range.');
      return;
    }
    await this.page.call('world.replay', {
      from, to, tick: tick >= from && tick < to ? tick : from, timeline: this.history.timeline, speed: this.speed, loop: this.loop,
    });
  }

  toggle() {
    return this.playing ? this.pause() : this.play();
  }

  goToStart() {
    return this.show(this.interval.from);
  }

  async goToEnd() {
    if (this.running) return;
    this.timeline = null;
    await this.page.call('world.seek');
  }

  /** Continues the world from the displayed tick; the later ticks remain in their timeline. */
  async goOn() {
    const { tick } = this;
    if (this.replay && await this.page.call('world.seek', { tick, timeline: this.replay.timeline })) await this.page.call('world.resume');
  }

  /** Displays another timeline. @param {number|null} timeline */
  look(timeline) {
    this.timeline = timeline;
    this.from = this.to = null;
    this.emit('change');
  }
}

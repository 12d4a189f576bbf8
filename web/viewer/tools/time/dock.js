// SPDX-License-Identifier: MIT
// The dock of the history: the timeline with its buttons, the list of commands, timelines, branches and capsules. The
// available functions depend on the user's role and on the server's settings; unavailable ones give the reason.
import { WeftError } from '../../../client/errors.js';
import { h, icon } from '../../ui/dom.js';
import { Brancher, Branches } from './branches.js';
import { Capsules } from './capsules.js';
import { History } from './history.js';
import { SPEEDS, PlaybackController } from './playback_controller.js';
import { Track } from './track.js';
/** @import { Ask } from '../../script/recording.js' */
/** @import { Mark } from './history.js' */

const LISTED_MAX = 200;
const NO_HISTORY = -32004;
const HUES = 8;

const ICONS = {
  start: '<path d="M16 4l-8 6 8 6zM5 4v12"/>',
  back: '<path d="M14 4l-8 6 8 6z"/>',
  play: '<path d="M6 4l10 6-10 6z"/>',
  pause: '<path d="M7 4v12M13 4v12"/>',
  on: '<path d="M6 4l8 6-8 6z"/>',
  end: '<path d="M4 4l8 6-8 6zM15 4v12"/>',
  loop: '<path d="M5 8a4 4 0 0 1 4-3h5l-2-2M15 12a4 4 0 0 1-4 3H6l2 2"/>',
  go: '<path d="M3 10h11M10 5l5 5-5 5"/>',
};

/** The content of the dock. */
export class TimeDock {
  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {History} */
    this.history = new History();
    /** @type {PlaybackController} */
    this.playback = new PlaybackController(page, this.history);
    /** @type {Map<number, {name: string, color: string | null}>} client → {name, color} */
    this.people = new Map();
    /** @type {string} */
    this.absent = ''; // the reason why there is no history
    /** @type {boolean} */
    this.shown = false;
    /** @type {number} the tick displayed last */
    this.clockTick = -1;
    /** @type {number} */
    this.clockLast = -1;
    /** @type {Promise<void> | null} */
    this.loading = null;
    /** @type {string} */
    this.listed = '';
    /** @type {Capsules} */
    this.capsules = new Capsules(page, this.playback);
    /** @type {Brancher} */
    this.brancher = new Brancher(page, this.playback);
    /** @type {Branches} */
    this.branches = new Branches(this.playback, (timeline) => {
      this.playback.look(timeline === this.history.home ? null : timeline);
      this.refresh();
    });
    /** @type {Track} */
    this.track = new Track(this.playback, {
      describe: (mark) => this.#describe(mark),
      colorOf: (mark) => this.#colorOf(mark.client),
      tickHz: () => page.client.hello?.tickHz ?? 60,
    });
    this.#buildControls();
    /** @type {HTMLParagraphElement} */
    this.status = h('p', { class: 'time-status', role: 'status' });
    /** @type {HTMLElement} */
    this.summary = h('summary', {}, 'History');
    /** @type {HTMLOListElement} */
    this.list = h('ol', {});
    /** @type {HTMLDetailsElement} */
    this.details = h('details', { class: 'time-list', ontoggle: () => this.#showList() }, this.summary,
      h('p', {}, 'Each mark on the timeline is a command: its shape shows the kind, its color who gave it. Short lines at the bottom are snapshots.'), this.list);
    element.append(this.transport, this.status, this.track.element, this.tools, this.brancher.form, this.brancher.made, this.capsules.form,
      this.details, this.branches.element, this.capsules.input);
    this.#listen();
  }

  #buildControls() {
    const { playback } = this;
    /** @param {keyof typeof ICONS} name @param {string} title @param {() => unknown} run */
    const button = (name, title, run) => h('button', { type: 'button', class: `time-${name}`, title, 'aria-label': title, onclick: run }, icon(ICONS[name]));
    /** @type {Record<'start'|'back'|'play'|'on'|'end', HTMLButtonElement>} */
    this.buttons = {
      start: button('start', 'Go to the start of the range', () => playback.goToStart()),
      back: button('back', 'Step back', () => playback.step(-1)),
      play: button('play', 'Replay range', () => playback.toggle()),
      on: button('on', 'Step forward', () => playback.step(1)),
      end: button('end', 'Go to the end', () => playback.goToEnd()),
    };
    /** @type {HTMLSelectElement} */
    this.speed = h('select', { 'aria-label': 'Replay speed', onchange: () => playback.setSpeed(Number(this.speed.value)) },
      SPEEDS.map((speed) => h('option', { value: speed }, `×${speed}`)));
    /** @type {HTMLButtonElement} */
    this.loop = h('button', { type: 'button', class: 'time-loop', 'aria-pressed': 'false', title: 'Repeat the replay', onclick: () => playback.setLoop(!playback.loop) },
      icon(ICONS.loop), h('span', {}, 'Loop'));
    /** @type {HTMLButtonElement} */
    this.whole = h('button', { type: 'button', title: 'Select the whole history', onclick: () => playback.setInterval(-Infinity, Infinity) }, 'Whole range');
    /** @type {HTMLSpanElement} */
    this.clock = h('span', { class: 'time-clock' });
    /** @type {HTMLButtonElement} */
    this.go = h('button', { type: 'button', class: 'time-go', title: 'Resume the world from the state shown. What came after it stays in its branch.', onclick: () => playback.goOn() },
      icon(ICONS.go), h('span', {}, 'Resume from here'));
    /** @type {HTMLDivElement} */
    this.transport = h('div', { class: 'time-transport', role: 'group', 'aria-label': 'Replay' }, Object.values(this.buttons), this.speed, this.loop, this.whole, this.clock);
    /** @type {HTMLDivElement} */
    this.tools = h('div', { class: 'time-tools' }, this.go, this.brancher.button, this.capsules.buttons);
  }

  #listen() {
    const { page, playback } = this;
    playback.on('change', () => {
      this.update();
      if (playback.timeline !== null && playback.timeline !== this.history.timeline) this.refresh();
    });
    page.on('usable', () => this.update());
    page.on('theme', () => this.track.draw());
    page.on('hello', () => { this.absent = ''; this.refresh(); });
    page.on('picture', () => { if (this.shown) this.#move(); });
    page.on('state', () => { if (playback.present) this.refresh(); });
    page.client.on('world.changed', ({ reason }) => { if (reason !== 'replay') this.refresh(); });
  }

  show() {
    this.shown = true;
    this.refresh();
  }

  hide() {
    this.shown = false;
  }

  /** Requests the commands since the last request. */
  async refresh() {
    if (!this.shown || this.loading || this.absent || this.page.client.state !== 'open') return;
    this.loading = this.#load();
    await this.loading;
    this.loading = null;
    this.update();
  }

  async #load() {
    const ask = this.page.ask.bind(this.page);
    try {
      await this.history.load(ask, this.playback.timeline);
      if (this.history.marks.some(({ client }) => client > 0 && !this.people.has(client))) await this.#meet(ask);
    } catch (error) {
      if (error instanceof WeftError && error.code === NO_HISTORY) this.absent = error.message;
      else this.page.refuse(/** @type {Error} */ (error));
    }
  }

  /** Requests the names of clients; a client that has left is listed by its number. @param {Ask} ask */
  async #meet(ask) {
    const { people } = await ask('people.list');
    for (const { client, name, color } of people) this.people.set(client, { name, color });
    for (const { client } of this.history.marks) if (client > 0 && !this.people.has(client)) this.people.set(client, { name: `client ${client}`, color: null });
  }

  /** @param {number} client */
  #nameOf(client) {
    return client === 0 ? 'the server' : this.people.get(client)?.name || `client ${client}`;
  }

  /** @param {number} client */
  #colorOf(client) {
    if (client === 0) return 'rgb(140 150 165)';
    return this.people.get(client)?.color ?? `hsl(${(360 * (client % HUES)) / HUES} 60% 55%)`;
  }

  /** @param {Mark} mark */
  #describe({ tick, until, client, words }) {
    return `tick ${tick}${until > tick ? ` to ${until}` : ''}: ${this.#nameOf(client)} ${words}`;
  }

  // ---- display

  #move() {
    const { playback, track } = this;
    if (playback.running) this.history.last = Math.max(this.history.last, Math.floor(playback.shownTick));
    track.moveHead();
    const tick = Math.round(playback.shownTick);
    if (tick === this.clockTick && this.history.last === this.clockLast) return;
    this.clockTick = tick;
    this.clockLast = this.history.last;
    this.clock.textContent = `tick ${tick} of ${Math.max(tick, this.history.last)} · ${(tick / track.tickHz()).toFixed(2)} s`;
    if (playback.running && tick % 30 === 0) track.draw();
  }

  /** Updates the buttons and the texts. */
  update() {
    if (!this.shown) return;
    const { page, playback, history } = this;
    const usable = page.editable && !this.absent;
    const { from, to } = playback.interval;
    const { start, back, play, on, end } = this.buttons;
    start.disabled = back.disabled = play.disabled = !usable;
    on.disabled = !page.editable;
    end.disabled = !usable || (playback.present && history.home === history.current);
    this.#showPlay(play, playback.playing);
    this.speed.disabled = this.loop.disabled = this.whole.disabled = !usable;
    this.speed.value = String(playback.speed);
    this.loop.setAttribute('aria-pressed', String(playback.loop));
    this.go.disabled = !usable || playback.present;
    this.brancher.button.disabled = page.role !== 'admin' || page.client.state !== 'open';
    this.capsules.update({ keep: page.editable && to >= from, make: page.client.state === 'open' });
    this.track.element.hidden = this.details.hidden = Boolean(this.absent);
    this.track.draw(usable);
    this.branches.update();
    this.status.textContent = this.#words();
    this.#showList();
  }

  /** @param {HTMLButtonElement} play @param {boolean} playing */
  #showPlay(play, playing) {
    const title = playing ? 'Stop replay' : 'Replay range';
    if (play.title === title) return;
    play.title = title;
    play.setAttribute('aria-label', title);
    play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
  }

  #words() {
    const { page, playback, history } = this;
    if (this.absent) return `${/temporary/.test(this.absent) ? 'A temporary world keeps no history' : 'This server keeps no history, because weftd was started without --data'}. You can pause and step forward, but not back.`;
    if (page.client.state !== 'open') return 'Not connected.';
    if (playback.replay && playback.playing) {
      const { from, to, speed, loop } = playback.replay;
      return `Everyone is seeing the past: ticks ${from} to ${to} at ×${speed}${loop ? ', repeated' : ''}. Editing now starts a new branch.`;
    }
    if (!playback.present) return 'Everyone is seeing the past. Editing here starts a new branch.';
    if (!page.editable) return page.state?.frozen ? 'This world is frozen. Only its presenter can move through time.' : 'View only. Only editors can move through time.';
    if (playback.running) return 'The world is running. Going back in time pauses it for everyone.';
    if (history.home !== history.current) return 'The world went back to an earlier tick. Editing now starts a new branch.';
    const done = history.marks.some(({ client }) => client > 0);
    return done ? 'The world is paused at the end of its branch.' : 'Nothing has been done yet. Commands appear here as marks on the timeline.';
  }

  #showList() {
    const { marks, timeline } = this.history;
    const state = `${timeline}/${marks.length}/${marks.at(-1)?.until}/${this.people.size}/${this.page.editable}`;
    this.summary.textContent = `History: ${marks.length}`;
    if (!this.details.open || state === this.listed) return;
    this.listed = state;
    const earlier = marks.length - LISTED_MAX;
    const focused = [...this.list.children].findIndex((item) => item.contains(document.activeElement));
    this.list.replaceChildren(...marks.slice(-LISTED_MAX).map((mark) => this.#item(mark)));
    this.list.start = Math.max(1, earlier + 1);
    this.list.children[focused]?.querySelector('button')?.focus();
  }

  /** @param {Mark} mark */
  #item(mark) {
    const swatch = h('i', { class: `time-swatch time-swatch-${mark.kind}` });
    swatch.style.backgroundColor = this.#colorOf(mark.client);
    return h('li', {}, h('button', {
      type: 'button', disabled: !this.page.editable, title: 'Go to the tick before it',
      onclick: () => this.playback.show(mark.tick - 1), onfocus: () => this.track.point(mark), onblur: () => this.track.point(null),
      onpointerenter: () => this.track.point(mark), onpointerleave: () => this.track.point(null),
    }, swatch, h('span', {}, this.#describe(mark))));
  }
}

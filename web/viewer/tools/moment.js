// SPDX-License-Identifier: MIT
// A shared moment, as whoever opens its link sees it: it plays once when the first picture is drawn, and a bar offers to continue from
// there, to watch it again, and to open the world that it is of. The bar goes when the world is no longer shown as it was.
import { h } from '../ui/dom.js';
import { isLocalPage, serverAddress, shownMoment } from '../page/world_address.js';
/** @import { Page } from '../page/page.js' */
/** @import { Replay } from '../../client/protocol.js' */

/** @param {Page} page */
export function install(page) {
  if (!isLocalPage()) return;
  const stop = page.on('state', ({ replay }) => {
    stop();
    if (replay && !replay.playing) new Moment(page, replay).start();
  });
}

class Moment {
  /** @type {(() => void)[]} */
  #stops = [];

  #began = false; // whether it was played

  /** @param {Page} page @param {Replay} replay */
  constructor(page, { from, to }) {
    this.page = page;
    this.from = from;
    this.to = to;
    const seconds = (to - from) / (page.client.hello?.tickHz ?? 60);
    const origin = shownMoment();
    this.words = h('p', { role: 'status' }, `Replay: the last ${seconds.toFixed(0)} s${origin ? ` of ${origin.world}` : ''}`);
    /** @type {HTMLProgressElement} */
    this.bar = h('progress', { max: to - from, value: 0, 'aria-label': 'Replay' });
    this.again = h('button', { type: 'button', onclick: () => this.#play() }, 'Watch again');
    this.go = h('button', { type: 'button', class: 'moment-continue', title: 'The world goes on in your browser, from what you see', onclick: () => page.call('world.resume') }, 'Continue from here');
    const live = origin && h('a', { href: liveAddress(origin.world), target: page.embed ? '_blank' : null, rel: 'noopener' }, `Open ${origin.world} live`);
    this.element = h('section', { id: 'moment', 'aria-label': 'Shared moment' }, this.words, this.bar, h('div', { class: 'moment-buttons' }, this.go, this.again, live));
  }

  start() {
    document.body.append(this.element);
    document.body.dataset.moment = '';
    const { page } = this;
    this.#stops.push(
      page.on('picture', () => this.#follow()),
      page.on('state', ({ replay }) => this.#take(replay)),
      page.client.on('world.changed', ({ replay }) => this.#take(replay)),
    );
  }

  /** Each picture. */
  #follow() {
    const { page } = this;
    if (!this.#began && page.world.topology) {
      this.#began = true;
      this.#play();
    }
    const { shownTick } = page.buffer;
    if (shownTick >= 0) this.bar.value = Math.round(Math.min(this.to, Math.max(this.from, shownTick)) - this.from);
  }

  #play() {
    this.page.ask('world.replay', { from: this.from, to: this.to }).catch(this.page.refuse);
  }

  /** @param {Replay | undefined} replay */
  #take(replay) {
    if (!replay) {
      this.#end();
      return;
    }
    const isOver = this.#began && !replay.playing && replay.tick === this.to;
    this.element.toggleAttribute('data-over', isOver);
    if (replay.playing && document.activeElement === this.again) this.go.focus();
    this.again.hidden = replay.playing;
    this.bar.hidden = isOver;
  }

  #end() {
    for (const stop of this.#stops) stop();
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    delete document.body.dataset.moment;
    if (hadFocus) this.page.stage.element.focus();
  }
}

/** The page of a server's world. @param {string} world */
function liveAddress(world) {
  const url = new URL(serverAddress(null));
  url.protocol = location.protocol;
  url.searchParams.set('world', world);
  return url.href;
}

// SPDX-License-Identifier: MIT
// Shows the timelines as branches, and makes a branch: a new world that begins at the displayed tick.
import { h, icon } from '../../ui/dom.js';
import { showName, worldNameOf } from '../../ui/names.js';
import { addressOf } from './place.js';
/** @import { Timeline } from './history.js' */

const FORK = '<path d="M6 16V4M6 11c0-4 8-2 8-6M11.500 7.500L14 5l2.500 2.500"/>';
const SHOWN_MAX = 12;
/** @type {Record<string, number>} change of row by key */
const ARROWS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** Timelines as rows over a common scale; a click chooses a timeline. */
export class Branches {
  /** @param {import('./playback_controller.js').PlaybackController} playback @param {(timeline: number) => void} choose */
  constructor(playback, choose) {
    this.playback = playback;
    this.history = playback.history;
    this.choose = choose;
    this.rows = h('div', { class: 'time-rows', role: 'radiogroup', 'aria-label': 'Branches' });
    this.summary = h('summary', {}, '');
    this.element = h('details', { class: 'time-branches', hidden: true }, this.summary, this.rows);
    this.rows.addEventListener('keydown', (event) => this.#key(event));
    this.drawn = '';
  }

  update() {
    const { timeline, current, branches } = this.history;
    const shown = branches.filter((branch, i) => branch.timeline === timeline || i >= branches.length - SHOWN_MAX);
    const drawn = JSON.stringify([timeline, current, shown]);
    this.element.hidden = branches.length < 2;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.summary.textContent = `Branches: ${branches.length}`;
    const focused = this.rows.contains(document.activeElement);
    const first = Math.min(...shown.map((branch) => branch.first));
    const length = Math.max(1, Math.max(...shown.map(({ last }) => last)) - first);
    this.rows.replaceChildren(...shown.map((branch) => this.#row(branch, (tick) => (100 * (tick - first)) / length)));
    if (focused) /** @type {HTMLElement | null} */ (this.rows.querySelector('[aria-checked=true]'))?.focus();
  }

  /** @param {Timeline} branch @param {(tick: number) => number} at */
  #row(branch, at) {
    const { timeline, parent, first, last, commands } = branch;
    const chosen = timeline === this.history.timeline;
    const words = `Branch ${timeline}${timeline === this.history.current ? ' (current)' : ''}`;
    const line = h('span', { class: 'time-line' });
    line.style.marginLeft = `${at(first)}%`;
    line.style.width = `${Math.max(0.5, at(last) - at(first))}%`;
    return h('button', {
      type: 'button', class: 'time-row', role: 'radio', 'aria-checked': String(chosen), tabindex: chosen ? 0 : -1,
      onclick: () => this.choose(timeline),
    }, h('span', { class: 'time-row-words' }, `${words}: ticks ${first} to ${last}, ${commands} ${commands === 1 ? 'command' : 'commands'}${parent ? `, from branch ${parent}` : ''}`),
    h('span', { class: 'time-lines', 'aria-hidden': 'true' }, line));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const rows = [...this.rows.querySelectorAll('button')];
    const next = rows[(rows.findIndex((row) => row.contains(/** @type {Node} */ (event.target))) + by + rows.length) % rows.length];
    next.focus();
    next.click();
  }
}

/** The button “Branch here”, the dialog for a name, and the result. */
export class Brancher {
  /** @param {import('../../page/page.js').Page} page @param {import('./playback_controller.js').PlaybackController} playback */
  constructor(page, playback) {
    this.page = page;
    this.playback = playback;
    this.tick = 0; // the tick at which the branch begins
    this.button = h('button', { type: 'button', class: 'time-branch', title: 'Create a new world from the state shown', onclick: () => this.#ask() }, icon(FORK), h('span', {}, 'New world from here…'));
    this.name = h('input', { type: 'text', id: 'time-branch-name', required: true, maxlength: 80, spellcheck: false, autocomplete: 'off', 'aria-describedby': 'time-branch-note' });
    const note = h('small', { id: 'time-branch-note', role: 'status' });
    showName(this.name, note, worldNameOf);
    this.words = h('p', {});
    this.make = h('button', { type: 'submit' }, 'Create world');
    this.form = h('form', { class: 'time-form', hidden: true, 'aria-label': 'New world from here', onsubmit: (event) => this.#submit(event) },
      this.words, h('label', { for: 'time-branch-name' }, 'Name of the new world'), this.name, note, this.make,
      h('button', { type: 'button', onclick: () => this.#close() }, 'Cancel'));
    this.made = h('p', { class: 'time-made', role: 'status' });
  }

  #ask() {
    const tick = Math.round(this.playback.shownTick);
    this.tick = tick;
    this.words.textContent = `The new world starts at tick ${tick}. This one stays as it is.`;
    this.name.value = worldNameOf(`${this.page.client.hello?.world}-${tick}`);
    this.made.replaceChildren();
    this.form.hidden = false;
    this.form.scrollIntoView({ block: 'nearest' });
    this.name.select();
    this.name.focus();
  }

  #close() {
    this.form.hidden = true;
    this.button.focus();
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const { page, playback } = this;
    const past = playback.present ? {} : { tick: this.tick, timeline: playback.history.timeline };
    this.make.disabled = true;
    const answer = await page.call('world.branch', { name: worldNameOf(this.name.value), paused: true, ...past });
    this.make.disabled = false;
    if (!answer) return;
    this.#close();
    const href = addressOf(page, answer.world);
    const link = h('a', { href }, `Open ${answer.world}`);
    const copy = h('button', { type: 'button', onclick: () => navigator.clipboard.writeText(href).then(() => { copy.textContent = 'Link copied'; }, page.refuse) }, 'Copy link');
    this.made.replaceChildren(`Created the world ${answer.world} at tick ${answer.tick}. `, link, ' ', copy);
    link.focus();
  }
}

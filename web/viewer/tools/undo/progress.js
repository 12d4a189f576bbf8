// SPDX-License-Identifier: MIT
// The progress bar that all clients see during an undo or a redo: the name of the person, the progress, and a button to
// cancel.
import { h, one } from '../../ui/dom.js';
import { lostOf, labelOf, personOf, timeOf } from './labels.js';

/** @typedef {Pick<import('../../../client/protocol.js').Events['undo.progress'], 'state' | 'task' | 'client' | 'name' | 'method' | 'progress' | 'secondsLeft'>} UndoNews */

const QUIET_MS = 400; // a shorter undo is not displayed
const TIMEOUT_MS = 4000; // without an event for this long, the undo is considered over

export class Progress {
  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.text = h('span', {});
    this.bar = h('progress', { max: '1', value: '0', 'aria-label': 'Progress' });
    this.cancel = h('button', { type: 'button', onclick: () => page.call('world.cancel') }, 'Cancel');
    this.element = h('div', { id: 'undo-progress', role: 'status', hidden: true }, this.text, this.bar, this.cancel);
    one(document, '#over-top').append(this.element);
    page.client.on('undo.progress', (news) => this.take(news));
    page.client.on('commands.lost', (news) => this.tellLost(news));
    page.client.on('state', () => this.hide());
    page.on('hello', ({ undoing }) => { if (undoing) this.take({ ...undoing, state: 'running' }); });
    page.on('usable', (usable) => { this.cancel.hidden = !usable; });
  }

  get mine() {
    return this.page.client.hello?.session;
  }

  /** @param {UndoNews} news */
  take(news) {
    if (news.state !== 'begun' && news.state !== 'running') {
      this.hide();
      if (news.state === 'cancelled' && news.client !== this.mine) this.page.toasts.show(`${personOf(news)}’s ${news.task} was canceled.`);
      return;
    }
    clearTimeout(this.gone);
    /** @type {number} */
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.gone = setTimeout(() => this.hide(), TIMEOUT_MS);
    this.since ??= performance.now();
    const who = news.client === this.mine ? 'You are' : `${personOf(news)} is`;
    const what = `${news.task === 'undo' ? 'undoing' : 'redoing'} “${labelOf(news.method ?? '')}”`;
    this.text.textContent = `${who} ${what}: ${Math.floor(100 * news.progress)}%${news.secondsLeft === undefined ? '' : `, ${timeOf(news.secondsLeft)} left`}`;
    this.bar.value = news.progress;
    this.cancel.hidden = !this.page.editable;
    if (performance.now() - this.since >= QUIET_MS) this.element.hidden = false;
  }

  hide() {
    clearTimeout(this.gone);
    /** @type {number | undefined} */
    this.since = undefined;
    this.element.hidden = true;
  }

  /**
   * Reports commands of this person that were lost by another person's undo or redo.
   * @param {import('../../../client/protocol.js').Events['commands.lost']} news
   */
  tellLost({ task, method, lost, ...who }) {
    const own = lost.filter(({ client }) => client === this.mine);
    if (own.length === 0) return;
    const did = task === 'undo' ? 'undid' : 'redid';
    this.page.toasts.show(`${personOf(who)} ${did} “${labelOf(method)}”, and these changes of yours are lost: ${own.map(lostOf).join('; ')}.${
      task === 'undo' ? ` They come back if ${personOf(who)} presses Redo.` : ''}`);
  }
}

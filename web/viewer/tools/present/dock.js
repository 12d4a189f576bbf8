// SPDX-License-Identifier: MIT
// The presenter's panel: freeze the world, point, bring all viewers to one view, reset; and for everyone, whether to follow
// the presenter.
import { Assignments } from './assignments.js';
import { followMe } from './follow_me.js';
import { h } from '../../ui/dom.js';
import { confirm } from '../../ui/dialog.js';
import { lengthOf } from '../../page/read_only.js';

const ADMINS_ONLY = 'Only owners can do this. Ask for an owner link.';

export class PresentDock {
  /** @param {{pointing: import('./laser.js').Pointing, views: import('./views.js').Views}} presenter */
  constructor(presenter) {
    this.pointing = presenter.pointing;
    this.views = presenter.views;
  }

  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {HTMLParagraphElement} */
    this.why = h('p', { id: 'present-why', class: 'why' });
    /** @type {HTMLInputElement} */
    this.message = h('input', { id: 'freeze-message', type: 'text', maxlength: 120, autocomplete: 'off', placeholder: 'Eyes on the board, please' });
    /** @type {HTMLButtonElement} */
    this.freezing = this.button('Freeze editing', () => this.freeze());
    /** @type {HTMLParagraphElement} */
    this.frozen = h('p', { role: 'status' });
    /** @type {HTMLButtonElement} */
    this.points = this.button('Point with laser', () => this.pointing.toggle());
    this.points.setAttribute('aria-pressed', 'false');
    /** @type {HTMLButtonElement} */
    this.shows = this.button('Bring everyone to my view', () => this.views.show());
    /** @type {HTMLButtonElement} */
    this.invites = this.button('Show link and QR code', () => page.docks.open('share'));
    /** @type {HTMLButtonElement} */
    this.resets = this.button('Restart for everyone…', () => this.reset());
    /** @type {HTMLInputElement} */
    const follow = h('input', { id: 'follow', type: 'checkbox', onchange: () => page.following.setFollowsPresenters(follow.checked) });
    follow.checked = page.following.followsPresenters;
    this.assignments = new Assignments(page);
    element.classList.add('present');
    element.append(
      this.why,
      this.group('Freeze', 'Only you can edit; everyone else can only watch. You or another owner can unfreeze.',
        h('p', { class: 'labelled' }, h('label', { for: 'freeze-message' }, 'Message to everyone'), this.message), this.freezing, this.frozen),
      this.group('Point', 'Show a large mark with your name at your pointer (L).', this.points),
      this.group('Share my view', 'Everyone who follows presenters sees your view, and can go back.', this.shows),
      followMe(page),
      this.assignments.element,
      this.group('Restart', 'Undo everything since the scene was loaded.', this.resets),
      this.group('Join', 'Students join with a link or a QR code.', this.invites),
      this.group('When others present', null, h('p', { class: 'tick-choice' }, follow, h('label', { for: 'follow' }, 'Follow the views they share'))));
    for (const name of /** @type {const} */ (['state', 'hello', 'usable'])) page.on(name, () => this.update());
    this.pointing.listeners.add(() => this.update());
    this.update();
  }

  show() {
    this.assignments?.show();
  }

  hide() {
    this.assignments?.hide();
  }

  /** @param {string} text @param {() => unknown} onclick */
  button(text, onclick) {
    return h('button', { type: 'button', class: 'strong', onclick }, text);
  }

  /** @param {string} title @param {string | null} text @param {...(HTMLElement | string)} children */
  group(title, text, ...children) {
    return h('section', {}, h('h3', {}, title), text && h('p', { class: 'faint' }, text), children);
  }

  update() {
    const { page } = this;
    const open = page.client.state === 'open';
    const may = open && page.role === 'admin';
    const { frozen } = page;
    this.why.textContent = may ? '' : open ? ADMINS_ONLY : 'Not connected.';
    this.why.hidden = may;
    for (const control of [this.message, this.freezing, this.points, this.shows]) {
      control.disabled = !may;
      if (may) control.removeAttribute('aria-describedby');
      else control.setAttribute('aria-describedby', 'present-why');
    }
    this.resets.disabled = !may || !page.editable;
    this.freezing.textContent = frozen ? 'Unfreeze editing' : 'Freeze editing';
    this.points.textContent = this.pointing.on ? 'Stop pointing' : 'Point with laser';
    this.points.setAttribute('aria-pressed', String(this.pointing.on));
    const told = !frozen ? '' : `${frozen.own ? 'You' : frozen.name} froze editing ${lengthOf(frozen.seconds)} ago.`;
    if (this.frozen.textContent !== told) this.frozen.textContent = told;
    this.frozen.setAttribute('aria-live', 'off'); // the page announces the beginning and end of a freeze itself
  }

  freeze() {
    const message = this.message.value.trim();
    return this.page.call('world.freeze', this.page.frozen ? { frozen: false } : { frozen: true, ...(message && { message }) });
  }

  async reset() {
    const sure = await confirm('Restart for everyone?', 'This undoes everything since the scene was loaded, for everyone in this world.', 'Restart');
    if (sure) await this.page.call('world.reset', undefined, { asked: true });
  }
}

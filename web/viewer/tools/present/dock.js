// SPDX-License-Identifier: MIT
// The presenter's panel: freeze the world, point, bring all viewers to one view, reset; and for everyone, whether to follow
// the presenter.
import { h } from '../../ui/dom.js';
import { confirm } from '../../ui/dialog.js';
import { lengthOf } from '../../page/read_only.js';

const ADMINS_ONLY = 'Only administrators of the server can do this: ask for a link with that right.';

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
    this.message = h('input', { id: 'freeze-message', type: 'text', maxlength: 120, autocomplete: 'off', placeholder: 'Look at me for a moment' });
    /** @type {HTMLButtonElement} */
    this.freezing = this.button('Freeze for all others', () => this.freeze());
    /** @type {HTMLParagraphElement} */
    this.frozen = h('p', { role: 'status' });
    /** @type {HTMLButtonElement} */
    this.points = this.button('Point with a laser', () => this.pointing.toggle());
    this.points.setAttribute('aria-pressed', 'false');
    /** @type {HTMLButtonElement} */
    this.shows = this.button('Bring everyone to my view', () => this.views.show());
    /** @type {HTMLButtonElement} */
    this.invites = this.button('Link and QR code', () => page.docks.open('share'));
    /** @type {HTMLButtonElement} */
    this.resets = this.button('Begin anew for all …', () => this.reset());
    /** @type {HTMLInputElement} */
    const follow = h('input', { id: 'follow', type: 'checkbox', onchange: () => this.views.setFollows(follow.checked) });
    follow.checked = this.views.follows;
    element.classList.add('present');
    element.append(
      this.why,
      this.group('Freeze', 'Nobody but you can change the world; all can look around. It ends when you or another administrator ends it.',
        h('p', { class: 'labelled' }, h('label', { for: 'freeze-message' }, 'What others are told'), this.message), this.freezing, this.frozen),
      this.group('Point', 'A large mark with your name, where your pointer is (L).', this.points),
      this.group('Look here', 'Everyone who follows sees what you see now, and can go back.', this.shows),
      this.group('Begin anew', 'Takes away all that was done since the scene was loaded.', this.resets),
      this.group('Join', 'A class joins by a link, or by a code that telephones read.', this.invites),
      this.group('When others present', null, h('p', { class: 'tick-choice' }, follow, h('label', { for: 'follow' }, 'Bring me to the views they show'))));
    for (const name of /** @type {const} */ (['state', 'hello', 'usable'])) page.on(name, () => this.update());
    this.pointing.listeners.add(() => this.update());
    this.update();
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
    this.why.textContent = may ? '' : open ? ADMINS_ONLY : 'There is no connection.';
    this.why.hidden = may;
    for (const control of [this.message, this.freezing, this.points, this.shows]) {
      control.disabled = !may;
      if (may) control.removeAttribute('aria-describedby');
      else control.setAttribute('aria-describedby', 'present-why');
    }
    this.resets.disabled = !may || !page.editable;
    this.freezing.textContent = frozen ? 'Let everyone change it again' : 'Freeze for all others';
    this.points.textContent = this.pointing.on ? 'Stop pointing' : 'Point with a laser';
    this.points.setAttribute('aria-pressed', String(this.pointing.on));
    const told = !frozen ? '' : `Frozen by ${frozen.own ? 'you' : frozen.name} for ${lengthOf(frozen.seconds)}.`;
    if (this.frozen.textContent !== told) this.frozen.textContent = told;
    this.frozen.setAttribute('aria-live', 'off'); // the page announces the beginning and end of a freeze itself
  }

  freeze() {
    const message = this.message.value.trim();
    return this.page.call('world.freeze', this.page.frozen ? { frozen: false } : { frozen: true, ...(message && { message }) });
  }

  async reset() {
    const sure = await confirm('Begin anew for all?', 'Whatever anyone has done since the scene was loaded is taken away, for everyone in this world.', 'Begin anew');
    if (sure) await this.page.call('world.reset', undefined, { asked: true });
  }
}

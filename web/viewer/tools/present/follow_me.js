// SPDX-License-Identifier: MIT
// "Follow me": while it is on, everyone's camera follows the presenter's, unless somebody leaves or has declined that.
import { h } from '../../ui/dom.js';

/** The part of the presenter's panel. @param {import('../../page/page.js').Page} page */
export function followMe(page) {
  const { people, following } = page;
  const isOn = () => people.find(people.own)?.presents === true;
  const button = h('button', { type: 'button', class: 'strong', 'aria-pressed': 'false', onclick: () => page.call('view.present', { presenting: !isOn() }) });
  const told = h('p', { role: 'status' });
  const update = () => {
    const on = isOn();
    button.disabled = page.role !== 'admin' || page.client.state !== 'open';
    button.textContent = on ? 'Stop presenting' : 'Follow me';
    button.setAttribute('aria-pressed', String(on));
    const { length } = following.followers;
    const text = on || length > 0 ? `${length === 1 ? '1 person follows' : `${length} people follow`} your camera.` : '';
    if (told.textContent !== text) told.textContent = text;
  };
  people.on('change', update);
  for (const name of /** @type {const} */ (['state', 'hello', 'usable'])) page.on(name, update);
  update();
  return h('section', {}, h('h3', {}, 'Follow me'), h('p', { class: 'faint' }, 'Everyone’s camera follows yours until you stop. Anyone can leave.'), button, told);
}

// SPDX-License-Identifier: MIT
// The help dialog: the effects of keys, mouse and touch, by group, with a search over all commands.
import { h } from '../../ui/dom.js';
import { openDialog } from '../../ui/dialog.js';
import { keyWords } from '../../ui/actions.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Action } from '../../ui/actions.js' */

const BY_HAND = [
  ['Orbit', 'Drag the background', 'Drag the background'],
  ['Zoom', 'Scroll', 'Pinch'],
  ['Pan', 'Shift-drag or right-drag', 'Drag with two fingers'],
];
const BY_EDITORS_HAND = [
  ['Move an object', 'Drag it', 'Drag it; each finger can hold an object'],
  ...BY_HAND,
  ['Pin or unpin a particle', 'Double-click it', 'Double-tap it'],
];

/** @param {string[]} keys */
function keyCaps(keys) {
  return keys.map((key) => h('kbd', {}, keyWords(key)));
}

/** @param {Action[]} actions @returns {[group: string, actions: Action[]][]} */
function groupsOf(actions) {
  /** @type {Map<string, Action[]>} */
  const groups = new Map();
  for (const action of actions) {
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  return [...groups];
}

/** @param {Page} page */
function handTable({ editable }) {
  const head = h('thead', {}, h('tr', {}, ['Action', 'Mouse or pen', 'Touch'].map((name) => h('th', { scope: 'col' }, name))));
  const rows = (editable ? BY_EDITORS_HAND : BY_HAND).map(([what, mouse, touch]) => h('tr', {}, h('th', { scope: 'row' }, what), h('td', {}, mouse), h('td', {}, touch)));
  return h('section', {}, h('h3', {}, 'Mouse and touch'), h('table', {}, head, h('tbody', {}, rows)));
}

/** @param {string} group @param {Action[]} actions */
function keyTable(group, actions) {
  const rows = actions.map(({ title, keys }) => h('tr', {}, h('th', { scope: 'row' }, title), h('td', {}, keyCaps(keys))));
  return h('section', {}, h('h3', {}, group), h('table', {}, h('tbody', {}, rows)));
}

/** @param {import('../../page/page.js').Page} page @param {() => void} showSteps */
export function showKeys(page, showSteps) {
  const list = h('div', { class: 'help-list', tabindex: 0, role: 'group', 'aria-label': 'Shortcuts' });
  const count = h('p', { class: 'faint', role: 'status' });
  const search = h('input', { id: 'help-search', type: 'search', autocomplete: 'off', placeholder: 'Pause, undo, camera…' });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    /** @param {Action} action */
    const fits = ({ title, group }) => words.every((word) => `${title} ${group}`.toLowerCase().includes(word));
    const actions = page.actions.list().filter((action) => (words.length > 0 ? fits(action) : action.keys.length > 0));
    list.replaceChildren(...(words.length > 0 ? [] : [handTable(page)]), ...groupsOf(actions).map(([group, some]) => keyTable(group, some)));
    count.textContent = words.length === 0 ? '' : actions.length === 0 ? 'No matching commands.' : `${actions.length} found`;
  };
  search.addEventListener('input', show);
  show();
  const dialog = openDialog('Help and shortcuts', { class: 'help' },
    h('p', { class: 'labelled' }, h('label', { for: 'help-search' }, 'Search'), search), count, list,
    h('footer', {},
      h('button', { type: 'button', onclick: () => { dialog.close(); page.actions.run('palette'); } }, 'All commands'),
      h('button', { type: 'button', onclick: () => { dialog.close(); showSteps(); } }, 'First steps')));
}

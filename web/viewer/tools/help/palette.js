// SPDX-License-Identifier: MIT
// The command palette: all actions by name. Typing filters them, arrow keys select one, Enter runs it.
import { h } from '../../ui/dom.js';
import { openDialog } from '../../ui/dialog.js';
import { keyWords } from '../../ui/actions.js';
import { whyReadOnly } from '../../page/read_only.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Action } from '../../ui/actions.js' */

/** How well an action matches the words: lower is better; Infinity means no match. @param {Action} action @param {string[]} words */
function rank({ title, group }, words) {
  const text = `${title} ${group}`.toLowerCase();
  let worst = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return Infinity;
    worst += at === 0 ? 0 : /\s/.test(text[at - 1]) ? 1 : 2;
  }
  return worst;
}

/** @param {Action} action @param {number} at @param {Page} page */
function row(action, at, page) {
  const able = action.enabled();
  const why = able ? '' : whyReadOnly(page) || 'not available now';
  return h('li', { id: `palette-${at}`, role: 'option', 'aria-selected': 'false', 'aria-disabled': String(!able), dataset: { id: action.id } },
    h('span', {}, action.title, h('small', {}, able ? action.group : `${action.group} · ${why}`)),
    action.keys.slice(0, 1).map((key) => h('kbd', {}, keyWords(key))));
}

/** @param {import('../../page/page.js').Page} page */
export function showPalette(page) {
  const list = h('ul', { id: 'palette-list', role: 'listbox', 'aria-label': 'Commands' });
  const none = h('p', { class: 'faint', role: 'status' });
  const input = h('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Command', placeholder: 'Search commands…',
    'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-autocomplete': 'list',
  });
  let chosen = 0;
  /** @param {number} at */
  const choose = (at) => {
    const rows = [...list.children];
    if (rows.length === 0) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    chosen = (at + rows.length) % rows.length;
    rows.forEach((one, i) => one.setAttribute('aria-selected', String(i === chosen)));
    input.setAttribute('aria-activedescendant', rows[chosen].id);
    rows[chosen].scrollIntoView({ block: 'nearest' });
  };
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = page.actions.list().filter(({ id }) => id !== 'palette')
      .map((action) => ({ action, rank: rank(action, words) + (action.enabled() ? 0 : 100) })).filter((one) => one.rank < Infinity);
    found.sort((a, b) => a.rank - b.rank);
    list.replaceChildren(...found.map(({ action }, at) => row(action, at, page)));
    none.textContent = found.length === 0 ? 'No matching commands.' : '';
    choose(0);
  };
  /** @param {Element | null} element */
  const run = (element) => {
    if (!(element instanceof HTMLElement) || element.getAttribute('aria-disabled') === 'true') return;
    dialog.close();
    page.actions.run(element.dataset.id ?? '');
  };
  const dialog = openDialog('Find a command', { class: 'palette' }, input, none, list);
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: -1 };
    if (event.key === 'Enter') run(list.children[chosen]);
    else if (event.key in steps && !(input.value && (event.key === 'Home' || event.key === 'End'))) choose(steps[event.key]);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => run(/** @type {Element} */ (event.target).closest('[role=option]')));
  show();
  input.focus();
}

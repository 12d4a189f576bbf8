// SPDX-License-Identifier: MIT
// Undo and redo of the user's last command: two buttons beside those of the clock, and keys. The server computes the new
// world (world.undo, world.redo) while the present one continues; an event reports the end.
import { h, icon, one } from '../../ui/dom.js';
import { Progress } from './progress.js';
import { askBeforeReplacing } from './replace.js';
import { requestUndo } from './undo_request.js';
import { labelOf } from './labels.js';
/** @import { Page } from '../../page/page.js' */

// After these methods, the undone commands can still be redone.
const KEEPS = new Set(['world.undo', 'world.redo', 'world.cancel', 'world.pause', 'world.resume', 'world.step', 'scene.save', 'scene.delete']);

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (!page.embed) addUndo(page);
  askBeforeReplacing(page);
}

/** @param {Page} page */
function addUndo(page) {
  let again = 0; // number of commands that can be redone
  let underway = 0; // what requests that have not ended yet will add to it
  let last = Promise.resolve(); // requests run one after the other, however fast the keys are pressed
  const said = h('p', { class: 'sr-only', role: 'status' });
  /** @param {'world.undo' | 'world.redo'} method */
  const run = (method) => {
    const change = method === 'world.undo' ? 1 : -1;
    underway += change;
    update();
    last = last.then(() => requestUndo(page, method)).then((done) => {
      underway -= change;
      if (done) again = Math.max(0, again + change);
      if (done) said.textContent = method === 'world.undo' ? `Undid “${labelOf(done)}”.` : `Redid “${labelOf(done)}”.`;
      update();
    });
  };
  new Progress(page); // displayed to all clients, including viewers
  /** @param {string} label @param {string} shapes @param {string} action */
  const make = (label, shapes, action) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: () => page.actions.run(action) }, icon(shapes), h('span', {}, label));
  const undo = make('Undo', '<path d="M7.5 5L4 8.5l3.5 3.5M4 8.5h7.5a4 4 0 0 1 0 8H9"/>', 'undo');
  const redo = make('Redo', '<path d="M12.5 5L16 8.5l-3.5 3.5M16 8.5H8.5a4 4 0 0 0 0 8H11"/>', 'redo');
  const update = () => {
    undo.disabled = !page.editable;
    redo.disabled = !page.editable || again + underway <= 0;
  };
  page.actions.add({ id: 'undo', title: 'Undo', group: 'Edit', keys: ['mod+z'], run: () => run('world.undo'), enabled: () => !undo.disabled });
  page.actions.add({ id: 'redo', title: 'Redo', group: 'Edit', keys: ['mod+shift+z', 'mod+y'], run: () => run('world.redo'), enabled: () => !redo.disabled });
  // The answer to a command that was sent before an undo may arrive after the undo was asked for.
  page.journal.on('entry', ({ method }) => {
    if (!KEEPS.has(method)) again = 0;
    update();
  });
  page.on('hello', () => {
    again = 0; // a new session has nothing to redo
    update();
  });
  page.on('usable', update);
  update();
  const group = h('div', { class: 'group', role: 'group', 'aria-label': 'Edit' }, undo, redo, said);
  one(document, '#toolbar').firstElementChild?.after(group);
}

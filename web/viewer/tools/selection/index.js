// SPDX-License-Identifier: MIT
// Selection: shift-click selects an object by its surface, shift-drag the particles in a box (picker.js); the dock of objects
// does the same by keyboard (dock.js); a bar over the picture offers the commands (commands.js, bar.js), which are also
// actions with keys.
import { h, icon, one } from '../../ui/dom.js';
import { Bar } from './bar.js';
import { SelectionCommands } from './commands.js';
import { KeyboardGrab } from './keyboard_grab.js';
import { Picker } from './picker.js';
/** @import { Topology } from '../../../client/topology.js' */
/** @import { Page } from '../../page/page.js' */

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (page.embed) return;
  const picker = new Picker(page);
  const commands = new SelectionCommands(page);
  const keyboardGrab = new KeyboardGrab(page);
  const bar = new Bar(page, commands, picker, keyboardGrab);
  const { selection, actions } = page;
  keepExisting(page, commands);
  const some = () => selection.size > 0;
  /** @param {string} id @param {string} title @param {string[]} keys @param {() => unknown} run */
  const add = (id, title, keys, run, enabled = () => page.editable && commands.applies(id)) => (
    actions.add({ id: `selection.${id}`, title, group: 'Selection', keys, run, enabled }));
  add('box', 'Select particles in a box', ['shift+b'], () => picker.toggle(), () => true);
  add('all', 'Select all objects', ['mod+a'], () => selection.set({ objects: page.world.entries.keys() }), () => true);
  add('none', 'Deselect all', ['escape'], () => (picker.active ? picker.toggle() : selection.clear()), () => (picker.active || selection.size > 0) && !document.querySelector('dialog[open]'));
  add('pin', 'Pin selection', ['shift+p'], () => commands.pin());
  add('unpin', 'Unpin selection', ['shift+u'], () => commands.unpin());
  add('tear', 'Tear cloth along selection', ['shift+t'], () => commands.tear());
  add('push', 'Push selection', ['shift+f'], () => bar.open('push'));
  add('move', 'Move selection', ['shift+g'], () => bar.open('move'));
  add('color', 'Color selection', ['shift+c'], () => bar.pickColor());
  add('material', 'Change material of selection', ['shift+m'], () => bar.open('material'));
  add('hold', 'Hold selection with the keyboard', ['g'], () => keyboardGrab.toggle(), () => keyboardGrab.active || (page.editable && commands.applies('hold')));
  add('remove', 'Remove selection', ['delete', 'backspace'], () => commands.remove());
  add('frame', 'Frame selection', ['shift+l'], () => commands.look(), some);
  showHandles(page, commands, bar);
  addButton(picker);
  page.docks.add({
    id: 'objects',
    title: 'Objects',
    icon: '<path d="M3 5h2M3 10h2M3 15h2M8 5h9M8 10h9M8 15h9"/>',
    place: 'left',
    order: 30,
    keys: ['o'],
    load: async () => new (await import('./dock.js')).ObjectsDock(commands),
  });
}

/** Handles in the picture while the card Move is open. @param {Page} page @param {SelectionCommands} commands @param {Bar} bar */
function showHandles(page, commands, bar) {
  /** @type {import('./handles.js').MoveHandles | null} */
  let handles = null;
  let wanted = false;
  bar.onCard = async (card) => {
    wanted = card === 'move';
    if (wanted) {
      const { MoveHandles } = await import('./handles.js');
      if (wanted) handles ??= new MoveHandles(page, commands);
    } else {
      handles?.dispose();
      handles = null;
    }
  };
}

/** A mode for users without a shift key. @param {Picker} picker */
function addButton(picker) {
  const button = h('button', { type: 'button', id: 'select', 'aria-pressed': 'false', 'aria-label': 'Select', title: 'Select by clicking objects or dragging a box (Shift+B)', onclick: () => picker.toggle() },
    icon('<path d="M3 6V3h3M9 3h2M14 3h3v3M17 9v2M3 9v2M3 14v3h3M9 17h1M11 11l6 2.3-2.6 1.1L13.3 17z"/>'), h('span', {}, 'Select'));
  picker.on('change', (active) => button.setAttribute('aria-pressed', String(active)));
  one(document, '#toolbar').firstElementChild?.after(h('div', { class: 'group', role: 'group', 'aria-label': 'Selection' }, button));
}

/**
 * Removes vanished objects from the selection, except while a new world is being loaded.
 * @param {Page} page @param {SelectionCommands} commands
 */
function keepExisting({ selection, client }, commands) {
  /** @param {Topology} topology */
  const prune = (topology) => {
    if (commands.moving) return;
    const sizes = new Map(topology.objects.map(({ id, particles }) => [id, particles]));
    const obstacles = new Set(topology.obstacles.map(({ id }) => id));
    const objects = [...selection.objects].filter((id) => sizes.has(id) || obstacles.has(id));
    const particles = [...selection.particles].filter(([id]) => sizes.has(id))
      .map(([id, indices]) => /** @type {[number, number[]]} */ ([id, [...indices].filter((index) => index < (sizes.get(id) ?? 0))]));
    const left = objects.length + particles.reduce((sum, [, { length }]) => sum + length, 0);
    if (left !== selection.size) selection.set({ objects, particles });
  };
  client.on('topology', prune);
  client.on('obstacle.removed', () => { if (client.topology) prune(client.topology); });
}

// SPDX-License-Identifier: MIT
// History: the dock with the timeline, keys for single ticks, and capsules dropped on the page; loaded on first use. While
// the world displays a past tick, a note says so and leads back to the present.
import { h, one } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */

const CLOCK = '<path d="M3 14h14M5 11v3M9 8v6M13 11v3M17 11v3M9 3l2.500 2.500L9 8 6.500 5.500z"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  /** @type {import('./dock.js').TimeDock | null} */
  let dock = null;
  const load = async () => {
    const { TimeDock } = await import('./dock.js');
    dock ??= new TimeDock();
    return dock;
  };
  const open = async () => {
    await page.docks.open('time');
    return load();
  };
  page.docks.add({ id: 'time', title: 'Time', icon: CLOCK, place: 'bottom', order: 40, load, keys: ['t'] });
  /** @param {string} id @param {string} title @param {string[]} keys @param {() => unknown} run */
  const add = (id, title, keys, run) => page.actions.add({ id: `time.${id}`, title, group: 'Time', keys, run, enabled: () => page.editable });
  add('back', 'Step back', [','], () => open().then((opened) => opened.playback.step(-1)));
  add('on', 'Step forward', ['.'], () => open().then((opened) => opened.playback.step(1)));
  add('replay', 'Start or stop the replay', ['shift+space'], () => open().then((opened) => { opened.playback.toggle(); }));
  add('end', 'Go to the end of the timeline', ['shift+end'], () => open().then((opened) => opened.playback.goToEnd()));
  addNote(page);
  window.addEventListener('drop', (event) => {
    const file = [...event.dataTransfer?.files ?? []].find(({ name }) => name.endsWith('.capsule'));
    if (!file) return;
    event.preventDefault();
    open().then((opened) => opened.capsules.take(file));
  });
}

/** @param {Page} page */
function addNote(page) {
  const back = h('button', { type: 'button', onclick: () => page.call('world.seek') }, 'Back to the present');
  const note = h('p', { id: 'time-note', role: 'status', hidden: true }, h('span', {}, 'You are seeing the past.'), back);
  one(document, '#over-top').append(note);
  /** @param {{replay?: object}} given */
  const update = ({ replay }) => {
    note.hidden = !replay;
    back.hidden = !page.editable;
  };
  page.on('state', update);
  page.client.on('world.changed', update);
}

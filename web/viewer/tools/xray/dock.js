// SPDX-License-Identifier: MIT
// The dock of the X-ray: a switch for each overlay, and the legends of the active ones.
import { h } from '../../ui/dom.js';
import { OVERLAYS } from './index.js';
import { RangeControl } from './range_control.js';
import { UNITS } from './xray.js';

/** The content of the dock, created by docks.add. */
export class XrayDock {
  /** @param {import('./xray.js').Xray} xray */
  constructor(xray) {
    this.xray = xray;
    /** @type {Map<string, {input: HTMLInputElement, row: HTMLElement}>} rows by the id of the overlay */
    this.switches = new Map();
    /** @type {RangeControl[]} */
    this.ranges = [];
  }

  /** @param {HTMLElement} element */
  build(element) {
    const list = h('div', { class: 'xray-switches', role: 'group', 'aria-label': 'Overlays' });
    for (const [id, [title, what]] of Object.entries(OVERLAYS)) {
      /** @type {HTMLInputElement} */
      const input = h('input', { type: 'checkbox', id: `xray-${id}`, 'aria-describedby': `xray-${id}-what`, onchange: () => this.xray.toggle(id, input.checked) });
      const row = h('div', { class: 'xray-switch' }, input, h('label', { for: input.id }, title), h('small', { id: `xray-${id}-what` }, what));
      this.switches.set(id, { input, row });
      if (Object.hasOwn(UNITS, id)) {
        const range = new RangeControl(this.xray, id, title, UNITS[id]);
        this.ranges.push(range);
        row.append(range.element);
      }
      list.append(row);
    }
    /** @type {HTMLButtonElement} */
    this.off = h('button', { type: 'button', class: 'xray-off', onclick: () => this.xray.set([]) }, 'Turn all off');
    element.append(list, this.off);
    this.xray.on('change', () => this.#update());
    this.#update();
  }

  show() {
    this.xray.showLegends((id) => this.switches.get(id)?.row ?? document.body);
  }

  hide() {
    this.xray.showLegends(null);
  }

  #update() {
    const { active } = this.xray;
    for (const [id, { input }] of this.switches) input.checked = active.includes(id);
    for (const range of this.ranges) range.update();
    this.off.disabled = active.length === 0;
  }
}

// SPDX-License-Identifier: MIT
// The legend of an overlay, and its labels in the picture.
import { h } from '../../ui/dom.js';
/** @import { Stage } from '../../scene/stage.js' */

/** A block of the legend: a title, optionally a colour bar with numbers, figures, and rows that explain kinds. */
export class Legend {
  /** @param {string} title */
  constructor(title) {
    this.figures = h('dl', {});
    this.rows = h('ul', {});
    this.bar = h('div', { class: 'xray-bar', 'aria-hidden': 'true' });
    this.ticks = h('div', { class: 'xray-ticks' });
    this.scale = h('div', { class: 'xray-scale', hidden: true }, this.bar, this.ticks);
    this.note = h('p', { class: 'xray-note', hidden: true });
    this.element = h('section', { class: 'xray-block', 'aria-label': title }, h('h3', {}, title), this.scale, this.figures, this.rows, this.note);
  }

  /** @param {string[]} colors lowest first @param {string[]} ticks numbers along the bar */
  setScale(colors, ticks) {
    this.scale.hidden = false;
    this.bar.style.background = `linear-gradient(to right, ${colors.join(', ')})`;
    this.ticks.replaceChildren(...ticks.map((tick) => h('span', {}, tick)));
  }

  /** @param {[string, string][]} pairs names and values */
  setFigures(pairs) {
    if (this.figures.childElementCount !== 2 * pairs.length) {
      this.figures.replaceChildren(...pairs.flatMap(() => [h('dt', {}), h('dd', {})]));
    }
    pairs.forEach(([what, much], i) => {
      setText(this.figures.children[2 * i], what);
      setText(this.figures.children[2 * i + 1], much);
    });
  }

  /**
   * @param {{color: string, sign: string, what: string, much: string, pressed?: boolean}[]} rows
   * @param {(row: number) => void} [press] makes the rows buttons
   */
  setRows(rows, press) {
    if (this.rows.childElementCount !== rows.length) this.rows.replaceChildren(...rows.map((_, i) => makeRow(press && (() => press(i)))));
    rows.forEach(({ color, sign, what, much, pressed = false }, i) => {
      const [mark, name, value] = this.rows.children[i].children;
      /** @type {HTMLElement} */ (mark).style.color = color;
      setText(mark, sign);
      setText(name, what);
      setText(value, much);
      if (press) name.setAttribute('aria-pressed', String(pressed));
    });
  }

  /** @param {string} text empty for none */
  setNote(text) {
    this.note.hidden = text === '';
    setText(this.note, text);
  }
}

/** @param {(() => void) | undefined} press */
function makeRow(press) {
  const name = press ? h('button', { type: 'button', title: 'Show only this', onclick: press }) : h('span', {});
  return h('li', {}, h('i', { 'aria-hidden': 'true' }), name, h('b', {}));
}

/** @param {Element} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Labels at places in the picture. */
export class Labels {
  /** @param {HTMLElement} parent @param {import('../../scene/stage.js').Stage} stage */
  constructor(parent, stage) {
    this.parent = parent;
    this.stage = stage;
    /** @type {{element: HTMLElement, place: number[]}[]} */
    this.items = [];
  }

  /** @param {{text: string, place: number[]}[]} labels places in m */
  set(labels) {
    for (const { element } of this.items.splice(labels.length)) element.remove();
    labels.forEach(({ text, place }, i) => {
      this.items[i] ??= { element: this.parent.appendChild(h('span', {})), place };
      this.items[i].place = place;
      setText(this.items[i].element, text);
    });
    this.move();
  }

  /** Moves the labels to the displayed positions. */
  move() {
    for (const { element, place } of this.items) {
      const { x, y, behind } = seen(this.stage, place);
      element.hidden = behind;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -130%)`;
    }
  }
}

/** The projection mirrors points behind the camera, so these are hidden. @param {Stage} stage @param {number[]} place */
function seen(stage, place) {
  const [eye, forward] = [stage.view.eye, stage.forward()];
  const depth = place.reduce((sum, value, axis) => sum + (value - eye[axis]) * forward[axis], 0);
  const { x, y } = stage.project(place);
  return { x, y, behind: depth <= 0.01 };
}

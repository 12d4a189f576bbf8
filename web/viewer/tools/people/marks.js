// SPDX-License-Identifier: MIT
// Marks of people over the picture: the pointers, grabs and selections of others, each in its client's color and with the
// name. Lines and dots are drawn on one canvas, names are elements. Without marks, nothing is drawn.
import { Projector } from '../../scene/projector.js';
import { h, icon } from '../../ui/dom.js';
import { Outline } from './outline.js';
/** @import { Grab } from '../../../client/topology.js' */
/** @import { Person } from '../../page/people.js' */

const SAMPLES = 4000; // approximate number of points from which an outline is computed
const STRIDES = [1, 3, 7, 11, 17, 23, 37, 61, 101, 211]; // few grids have rows whose length is a multiple of these
const DOTS_MAX = 4000; // limit of the drawn selected particles per person
const TOP = 30; // px from the top below which a name is visible
const OWN = '#ffffff';
const POINTER = '<path d="M3 2l13 6.2-5.6 1.9L7.8 16z"/>';

/** Labels at places of the picture: elements that are reused. */
class Labels {
  /** @param {HTMLElement} parent @param {string} kind */
  constructor(parent, kind) {
    this.parent = parent;
    this.kind = kind;
    /** @type {{element: HTMLElement, text: HTMLElement, person: Person | null, name: string, color: string}[]} */
    this.elements = [];
    this.used = 0;
  }

  begin() {
    this.used = 0;
  }

  /** @param {number} x @param {number} y @param {Person} person */
  put(x, y, person) {
    const label = (this.elements[this.used++] ??= this.#make());
    if (label.person !== person || label.name !== person.name || label.color !== person.color) {
      label.person = person;
      label.text.textContent = label.name = person.name;
      label.element.style.setProperty('--person', (label.color = person.color));
    }
    if (label.element.hidden) label.element.hidden = false;
    label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  end() {
    for (let i = this.used; i < this.elements.length && !this.elements[i].element.hidden; i++) this.elements[i].element.hidden = true;
  }

  #make() {
    const text = h('span');
    const element = h('div', { class: `person-mark ${this.kind}` }, this.kind === 'pointing' ? icon(POINTER) : null, text);
    this.parent.append(element);
    return { element, text, person: null, name: '', color: '' };
  }
}

/** Draws the marks in every picture. */
export class Marks {
  /** @param {import('../../page/page.js').Page} page @param {import('../../page/people.js').People} people */
  constructor(page, people) {
    this.page = page;
    this.projector = new Projector(page.stage);
    this.outline = new Outline();
    this.point = [0, 0, 0];
    this.canvas = h('canvas', { hidden: true });
    this.element = h('div', { id: 'people-marks', 'aria-hidden': 'true' }, this.canvas);
    page.stage.element.after(this.element);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.pointing = new Labels(this.element, 'pointing');
    this.holding = new Labels(this.element, 'holding');
    this.selecting = new Labels(this.element, 'selecting');
    /** @type {Person[]} */
    this.others = [];
    people.on('change', () => { this.others = [...people.others()]; });
    page.on('picture', () => this.draw());
  }

  draw() {
    const { selection } = this.page;
    this.projector.update();
    for (const labels of [this.pointing, this.holding, this.selecting]) labels.begin();
    const show = selection.size > 0 || this.#anything();
    if (show) this.#clear();
    if (this.canvas.hidden === show) this.canvas.hidden = !show;
    if (show) {
      for (let i = 0; i < this.others.length; i++) this.#drawPerson(this.others[i]);
      if (selection.size > 0) this.#drawOwn(selection);
    }
    for (const labels of [this.pointing, this.holding, this.selecting]) labels.end();
  }

  #anything() {
    for (let i = 0; i < this.others.length; i++) {
      const { pointer, grabs, selection } = this.others[i];
      if (pointer || grabs.size > 0 || selection.objects.length > 0 || selection.particles.length > 0) return true;
    }
    return false;
  }

  #clear() {
    const { stage: { width, height } } = this.page;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.lineJoin = 'round';
  }

  /** @param {Person} person */
  #drawPerson(person) {
    const { objects, particles } = person.selection;
    let named = false;
    for (let i = 0; i < objects.length; i++) {
      if (!this.#outline(objects[i], person.color, 2)) continue;
      named = true;
      this.#name(person);
    }
    if (particles.length > 0 && this.#dots(particles, person.color) && !named) this.#name(person);
    for (const grab of person.grabs.values()) if (this.#held(grab, person.color)) this.holding.put(this.projector.x, this.projector.y, person);
    const at = person.pointer;
    if (at && person.grabs.size === 0 && this.projector.place(at[0], at[1], at[2])) this.pointing.put(this.projector.x, this.projector.y, person);
  }

  /** @param {Person} person */
  #name(person) {
    this.selecting.put(this.outline.middle, Math.max(TOP, this.outline.top - 14), person);
  }

  /** @param {import('../../page/selection.js').Selection} selection */
  #drawOwn({ objects, particles }) {
    for (const object of objects) this.#outline(object, OWN, 1.5);
    let left = DOTS_MAX;
    this.outline.begin();
    for (const [object, indices] of particles) {
      for (const index of indices) {
        if (left-- === 0) return;
        this.#dot(object, index, OWN);
      }
    }
  }

  /**
   * Outlines an object, with a line that contrasts with light and dark backgrounds.
   * @param {number} object @param {string} color @param {number} width
   */
  #outline(object, color, width) {
    const points = this.page.world.pointsOf(object);
    if (!points) return false;
    const { outline, projector, point } = this;
    const { count } = points;
    let s = 0;
    while (STRIDES[s] * SAMPLES < count && s < STRIDES.length - 1) s++;
    const stride = STRIDES[s];
    outline.begin();
    for (let i = 0; i < count; i += stride) {
      points.place(i, point);
      if (projector.place(point[0], point[1], point[2])) outline.add(projector.x, projector.y);
    }
    if (outline.empty) return false;
    outline.trace(this.context, 8);
    this.context.lineWidth = width + 2.5;
    this.context.strokeStyle = 'rgb(8 11 16 / 60%)';
    this.context.stroke();
    this.context.lineWidth = width;
    this.context.strokeStyle = color;
    this.context.stroke();
    return true;
  }

  /** @param {number[][]} runs @param {string} color */
  #dots(runs, color) {
    let left = DOTS_MAX;
    this.outline.begin();
    for (let r = 0; r < runs.length; r++) {
      for (let k = 0; k < runs[r][2]; k++) {
        if (left-- === 0) return true;
        this.#dot(runs[r][0], runs[r][1] + k, color);
      }
    }
    return !this.outline.empty;
  }

  /** @param {number} object @param {number} index @param {string} color */
  #dot(object, index, color) {
    const entry = this.page.world.find(object);
    if (!entry || index >= entry.object.particles) return;
    const [x, y, z] = entry.place(index, this.point);
    if (!this.projector.place(x, y, z)) return;
    this.outline.add(this.projector.x, this.projector.y);
    this.context.fillStyle = 'rgb(8 11 16 / 60%)';
    this.context.fillRect(this.projector.x - 3.5, this.projector.y - 3.5, 7, 7);
    this.context.fillStyle = color;
    this.context.fillRect(this.projector.x - 2.5, this.projector.y - 2.5, 5, 5);
  }

  /** @param {Grab} grab @param {string} color */
  #held({ object, particles, weights }, color) {
    const entry = this.page.world.find(object);
    if (!entry) return false;
    let x = 0, y = 0, z = 0;
    for (let k = 0; k < particles.length; k++) {
      const place = entry.place(particles[k], this.point);
      x += weights[k] * place[0];
      y += weights[k] * place[1];
      z += weights[k] * place[2];
    }
    if (!this.projector.place(x, y, z)) return false;
    this.context.beginPath();
    this.context.arc(this.projector.x, this.projector.y, 12, 0, 2 * Math.PI);
    this.context.lineWidth = 3;
    this.context.strokeStyle = color;
    this.context.stroke();
    return true;
  }
}

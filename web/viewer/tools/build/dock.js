// SPDX-License-Identifier: MIT
// The dock for building: the palette, the card of the object that is being placed, joints, files, and saving the scene.
import { h, icon } from '../../ui/dom.js';
import { PlacingCard } from './card.js';
import { FilePart } from './file.js';
import { JointPart } from './joint_part.js';
import { KINDS } from './kinds.js';
import { Placement } from './placement.js';
import { SavePart } from './save.js';
/** @import { Kind } from './kinds.js' */

const DRAG_PX = 6;

/** Built when the dock is first opened. */
export class Builder {
  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {Placement} */
    this.placement = new Placement(page);
    /** @type {PlacingCard} */
    this.card = new PlacingCard(page, this.placement);
    /** @type {JointPart} */
    this.joints = new JointPart(page);
    /** @type {FilePart} */
    this.files = new FilePart(page, this.card);
    /** @type {SavePart} */
    this.save = new SavePart(page);
    /** @type {HTMLDivElement} */
    this.palette = h('div', { class: 'build-palettes' }, ['Objects', 'Obstacles'].map((group) => this.#group(group)));
    /** @type {HTMLParagraphElement} */
    this.note = h('p', { class: 'build-readonly', role: 'note' }, 'View only. Ask the owner for an edit link.');
    element.classList.add('build');
    this.card.slot.append(this.files.details);
    element.append(this.note, this.card.element, this.palette, this.joints.element, this.files.element, this.save.element);
    this.placement.on('start', () => this.joints.tool.choose(null));
    this.placement.on('begin', () => this.#show(true));
    this.joints.tool.on('change', (kind) => { if (kind) this.placement.end(); });
    this.placement.on('end', () => this.#show(false));
    this.#show(false);
    page.on('usable', () => this.#usable());
    page.on('hello', () => this.#usable());
    this.#usable();
  }

  /** Starts placing an object of the palette. @param {import('./kinds.js').Kind} kind */
  place(kind) {
    this.#begin(kind, {}, true);
  }

  /** Starts adding joints of a kind. @param {import('./joint_tool.js').JointKind} kind */
  join(kind) {
    this.joints.tool.choose(kind);
  }

  hide() {
    this.placement.end();
    this.joints.tool.choose(null);
  }

  /** Opens the file dialog. */
  chooseFile() {
    this.files.choose();
  }

  /** @param {File[]} files the dropped files */
  takeFiles(files) {
    this.files.take(files);
  }

  focusSave() {
    this.save.focus();
  }

  /** @param {string} group */
  #group(group) {
    const buttons = KINDS.filter((kind) => kind.group === group).map((kind) => this.#button(kind));
    return h('div', { class: 'build-palette', role: 'group', 'aria-label': group }, h('h3', {}, group), h('div', { class: 'build-kinds' }, buttons));
  }

  /** A click places the object at the centre of the picture; a drag from the button moves it into the scene. @param {Kind} kind */
  #button(kind) {
    const button = h('button', { type: 'button', class: 'build-kind', dataset: { kind: kind.id }, title: `Place ${kind.title.toLowerCase()}` },
      icon(kind.icon), h('span', {}, kind.title));
    /** @type {{pointerId: number, x: number, y: number, carried: boolean} | null} */
    let press = null;
    button.addEventListener('click', (event) => {
      if (press?.carried) event.preventDefault();
      else this.#begin(kind, {}, true);
      press = null;
    });
    button.addEventListener('pointerdown', (event) => {
      if (event.button === 0) press = { pointerId: event.pointerId, x: event.clientX, y: event.clientY, carried: false };
    });
    button.addEventListener('pointermove', (event) => {
      if (!press || press.pointerId !== event.pointerId || button.disabled) return;
      if (!press.carried && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
      if (!press.carried) button.setPointerCapture(event.pointerId);
      press.carried = true;
      this.#carry(kind, event);
    });
    /** @param {PointerEvent} event */
    const end = (event) => {
      if (!press?.carried || press.pointerId !== event.pointerId) return;
      setTimeout(() => { press = null; }); // after the click event that follows
      if (event.type === 'pointercancel' || !this.#overScene(event)) this.placement.end();
      else this.page.stage.element.focus({ preventScroll: true });
    };
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
    return button;
  }

  /**
   * While dragged over the scene, the preview follows the pointer; elsewhere there is none.
   * @param {Kind} kind @param {PointerEvent} event
   */
  #carry(kind, event) {
    if (!this.#overScene(event)) {
      if (this.placement.kind === kind) this.placement.end();
    } else if (this.placement.kind === kind) this.placement.placeAt(event);
    else this.#begin(kind, { at: event });
  }

  /** @param {{clientX: number, clientY: number}} point */
  #overScene({ clientX, clientY }) {
    return this.page.stage.element.contains(document.elementFromPoint(clientX, clientY));
  }

  /** @param {Kind} kind */
  #begin(kind, options = {}, focus = false) {
    this.placement.begin(kind, { ...kind.values }, options);
    if (focus) this.card.focus();
  }

  /** @param {boolean} placing */
  #show(placing) {
    for (const button of this.palette.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(placing && button.dataset.kind === this.placement.kind?.id));
    }
    document.body.toggleAttribute('data-placing', placing);
    if (placing) this.card.element.scrollIntoView({ block: 'start' });
  }

  #usable() {
    const { editable } = this.page;
    this.note.hidden = editable || this.page.client.state !== 'open';
    for (const button of this.palette.querySelectorAll('button')) button.disabled = !editable;
    this.joints.setUsable(editable);
    this.files.setUsable(editable);
    this.save.setUsable(editable);
    if (!editable) this.placement.end();
  }
}

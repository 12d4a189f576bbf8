// SPDX-License-Identifier: MIT
// Overlays for contacts: points and normals of contacts, sticking and sliding ones, and contacts of cloth with cloth. Kinds
// differ in shape as well as in colour.
import { Marks, PointLines, SHAPES } from '../../scene/xray.js';
import { Overlay } from './overlay.js';
import { figure, whole } from '../../ui/numbers.js';
/** @import { Xray } from './xray.js' */

const NORMAL_PIXELS = 18;
const MARK_PIXELS = 7;
const SLIDES = 0.01; // m/s: slower contacts count as sticking
/** @typedef {import('../../../client/protocol.js').WorldContactsResult} Contacts */
/** @typedef {'dark' | 'light'} Theme */
/** @typedef {{sign: string, shape: keyof typeof SHAPES, what: string, dark: string, light: string}} Look appearance of a kind of contact: its mark, text and colour by theme */

/** @type {Record<string, Look>} */
const KINDS = {
  obstacle: { sign: '●', shape: 'disc', what: 'Obstacle', dark: '#5aa9ff', light: '#1f5fae' },
  bounds: { sign: '■', shape: 'square', what: 'World bounds', dark: '#c9d2df', light: '#45566b' },
  body: { sign: '◆', shape: 'diamond', what: 'Rigid body', dark: '#ffd166', light: '#8a6200' },
  self: { sign: '▲', shape: 'triangle', what: 'Cloth with itself', dark: '#f7a1c4', light: '#a02a68' },
  cloth: { sign: '✚', shape: 'cross', what: 'Cloth with cloth', dark: '#8ee6b0', light: '#1d6b3d' },
};
/** @type {Look} */
const STICKS = { sign: '●', shape: 'disc', what: 'Sticking', dark: '#5aa9ff', light: '#1f5fae' };
/** @type {Look} */
const SLIDING = { sign: '○', shape: 'ring', what: 'Sliding', dark: '#ff9d5c', light: '#a34a08' };

/** Marks at contacts, with or without normals. */
class MarksOverlay extends Overlay {
  needs = 'contacts';

  /** @param {Xray} xray @param {string} title @param {boolean} normals */
  constructor(xray, title, normals) {
    super(xray, title);
    const { world } = xray.page;
    this.marks = new Marks(world);
    this.lines = normals ? new PointLines(world) : null;
    this.parts.push(this.marks, ...(this.lines ? [this.lines] : []));
  }

  /** @param {Contacts} contacts @param {(i: number) => Look|null} kindOf the appearance of the i-th contact; null hides it */
  draw(contacts, kindOf) {
    const { kinds, points, normals } = contacts;
    this.marks.reserve(kinds.length);
    this.lines?.reserve(kinds.length);
    let at = 0;
    for (let i = 0; i < kinds.length; i++) {
      const kind = kindOf(i);
      if (!kind) continue;
      this.marks.array('place').set(points[i], 3 * at);
      this.marks.array('form').set([SHAPES[kind.shape], MARK_PIXELS], 2 * at);
      this.marks.paint(at, kind[this.theme]);
      if (this.lines) this.#drawNormal(this.lines, at, points[i], normals[i], kind[this.theme]);
      at++;
    }
    this.marks.show(at);
    this.lines?.show(at);
    return at;
  }

  /**
   * The length in m of so many pixels at this place.
   * @param {PointLines} lines @param {number} at @param {number[]} point @param {number[]} normal @param {string} color
   */
  #drawNormal(lines, at, point, normal, color) {
    const { eye, slope } = this.page.stage.view;
    const far = Math.hypot(point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]);
    const length = NORMAL_PIXELS * slope * far;
    lines.array('start').set(point, 3 * at);
    lines.array('end').set(point.map((value, axis) => value + normal[axis] * length), 3 * at);
    lines.paint(at, color);
  }

  /** The note that some contacts are not displayed. @param {Contacts} contacts */
  noteOf({ contacts, complete, kinds }) {
    if (contacts === 0) return complete ? 'No contacts. Sleeping objects are not checked.' : 'Contacts appear with the next tick.';
    return kinds.length < contacts ? `${whole(kinds.length)} of ${whole(contacts)} shown, evenly sampled.` : '';
  }
}

/** A row of the legend. @param {Look} kind @param {number} count @param {Theme} theme */
const rowOf = (kind, count, theme, more = '') => ({ color: kind[theme], sign: kind.sign, what: kind.what, much: `${whole(count)}${more}` });

/** @param {number[]} depths */
const deepest = (depths) => depths.reduce((most, depth) => Math.max(most, depth), -Infinity);

/** Contacts and the directions of their normals. */
export class ContactsOverlay extends MarksOverlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title, true);
  }

  update() {
    const { contacts } = this.xray;
    if (!contacts) return;
    this.draw(contacts, (i) => KINDS[contacts.kinds[i]]);
    const share = contacts.contacts / Math.max(1, contacts.kinds.length);
    this.words.setRows(Object.entries(KINDS).map(([id, kind]) => (
      rowOf(kind, Math.round(share * contacts.kinds.filter((other) => other === id).length), this.theme))));
    const depth = deepest(contacts.depths);
    this.words.setFigures([['contacts', whole(contacts.contacts)], ['deepest', depth > -Infinity ? `${figure(1000 * depth)} mm` : '–']]);
    this.words.setNote(this.noteOf(contacts));
  }
}

/** Sticking and sliding contacts. */
export class FrictionOverlay extends MarksOverlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title, false);
  }

  update() {
    const { contacts } = this.xray;
    if (!contacts) return;
    const { slips, frictions } = contacts;
    this.draw(contacts, (i) => (slips[i] > SLIDES ? SLIDING : STICKS));
    const sliding = slips.filter((slip) => slip > SLIDES).length;
    const fastest = slips.reduce((most, slip) => Math.max(most, slip), 0);
    const range = frictions.length > 0 ? [Math.min(...frictions), Math.max(...frictions)] : null;
    this.words.setRows([rowOf(STICKS, slips.length - sliding, this.theme), rowOf(SLIDING, sliding, this.theme, `, up to ${figure(fastest)} m/s`)]);
    this.words.setFigures([['coefficient μ', range ? (range[0] === range[1] ? figure(range[0]) : `${figure(range[0])} to ${figure(range[1])}`) : '–']]);
    this.words.setNote(`Contacts slower than ${SLIDES} m/s count as sticking. ${this.noteOf(contacts)}`.trim());
  }
}

/** Contacts of cloth with cloth. */
export class SelfOverlay extends MarksOverlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title, true);
  }

  update() {
    const { contacts } = this.xray;
    if (!contacts) return;
    const { kinds, depths } = contacts;
    /** @param {string} kind */
    const meets = (kind) => kind === 'self' || kind === 'cloth';
    const shown = this.draw(contacts, (i) => (meets(kinds[i]) ? KINDS[kinds[i]] : null));
    const share = contacts.contacts / Math.max(1, kinds.length);
    /** @param {string} wanted */
    const count = (wanted) => Math.round(share * kinds.filter((kind) => kind === wanted).length);
    this.words.setRows(['self', 'cloth'].map((kind) => rowOf(KINDS[kind], count(kind), this.theme)));
    const depth = deepest(depths.filter((_, i) => meets(kinds[i])));
    this.words.setFigures([['deepest', depth > -Infinity ? `${figure(1000 * depth)} mm` : '–']]);
    this.words.setNote(shown === 0 ? 'No cloth contacts. They appear where self-collision is on and the cloth is awake.' : this.noteOf(contacts));
  }
}

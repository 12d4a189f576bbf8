// SPDX-License-Identifier: MIT
// The timeline as a picture: a ruler, commands as marks, snapshots, the interval with two handles, and the playhead. A mark's
// shape shows the kind of command, its colour the client. Handles and playhead are sliders for keyboard and touch.
import { h } from '../../ui/dom.js';
/** @import { Mark } from './history.js' */

const PAD = 14; // CSS pixels at both ends
const RULER = 18;
const LANE = 36; // height of the marks' line
const NEAR = 9; // CSS pixels
const LABEL_GAP = 80;
const STEPS = [1, 2, 5];

// One path per kind of mark, centred at 0, 0.
/** @type {Record<import('./history.js').MarkKind, (path: CanvasRenderingContext2D) => void>} */
const SHAPES = {
  make: (path) => path.arc(0, 0, 4.5, 0, 7),
  change: (path) => { path.moveTo(0, -5.5); path.lineTo(5.5, 0); path.lineTo(0, 5.5); path.lineTo(-5.5, 0); path.closePath(); },
  hand: (path) => path.rect(-4, -4, 8, 8),
  clock: (path) => path.rect(-1, -7, 2, 14),
  scene: (path) => { path.moveTo(-5, -6); path.lineTo(6, 0); path.lineTo(-5, 6); path.closePath(); },
};

/** Chooses the ticks with labels on the ruler, at least LABEL_GAP apart. @param {number} ticks @param {number} width */
export function rulerStep(ticks, width) {
  const least = (ticks * LABEL_GAP) / Math.max(1, width);
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, least))));
  return STEPS.map((step) => step * power).find((step) => step >= least) ?? 10 * power;
}

/** @typedef {HTMLDivElement & {set: (tick: number, moving?: boolean) => void, get: () => number}} Slider */

export class Track {
  /**
   * @param {import('./playback_controller.js').PlaybackController} playback
   * @param {object} options
   * @param {(mark: Mark) => string} options.describe
   * @param {(mark: Mark) => string} options.colorOf
   * @param {() => number} options.tickHz
   */
  constructor(playback, { describe, colorOf, tickHz }) {
    this.playback = playback;
    this.history = playback.history;
    this.describe = describe;
    this.colorOf = colorOf;
    this.tickHz = tickHz;
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.shade = h('div', { class: 'time-shade' });
    this.from = this.#slider('time-handle', 'Range start', (tick) => playback.setInterval(tick, Math.max(tick, playback.interval.to)), () => playback.interval.from);
    this.to = this.#slider('time-handle', 'Range end', (tick) => playback.setInterval(Math.min(tick, playback.interval.from), tick), () => playback.interval.to);
    this.head = this.#slider('time-head', 'Tick shown', (tick, moving) => playback.show(tick, moving), () => playback.shownTick);
    this.tip = h('div', { class: 'time-tip', hidden: true, 'aria-hidden': 'true' });
    this.element = h('div', { class: 'time-track' }, this.canvas, this.shade, this.from, this.to, this.head, this.tip);
    this.element.addEventListener('pointerdown', (event) => this.#grab(event));
    this.element.addEventListener('pointermove', (event) => this.#hover(event));
    this.element.addEventListener('pointerleave', () => this.point(null));
    this.width = 0;
    this.usable = true;
    /** @type {Mark | null} */
    this.pointed = null;
    this.headAt = NaN;
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.draw();
    }).observe(this.element);
  }

  /**
   * @param {string} name @param {string} label @param {(tick: number, moving?: boolean) => void} set @param {() => number} get
   * @returns {Slider}
   */
  #slider(name, label, set, get) {
    const unknown = { 'aria-valuemin': 0, 'aria-valuemax': 0, 'aria-valuenow': 0, 'aria-valuetext': 'Not known yet' }; // set by draw()
    const element = Object.assign(h('div', { class: name, role: 'slider', tabindex: 0, 'aria-label': label, ...unknown }), { set, get });
    element.addEventListener('keydown', (event) => this.#key(event, element));
    return element;
  }

  /** @param {KeyboardEvent} event @param {Slider} slider */
  #key(event, slider) {
    const { first, last } = this.history;
    const second = Math.round(this.tickHz());
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -second, PageUp: second };
    /** @type {Record<string, number>} */
    const ends = { Home: first, End: last };
    const by = steps[event.key];
    const to = ends[event.key] ?? (by === undefined ? undefined : Math.round(slider.get()) + by);
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (this.usable || slider !== this.head) slider.set(Math.min(last, Math.max(first, to)), event.repeat);
  }

  /** The position of a tick, in CSS pixels from the left. @param {number} tick */
  at(tick) {
    const { first, last } = this.history;
    return PAD + ((tick - first) / Math.max(1, last - first)) * (this.width - 2 * PAD);
  }

  /** @param {number} x */
  tickAt(x) {
    const { first, last } = this.history;
    return Math.round(Math.min(last, Math.max(first, first + ((x - PAD) / Math.max(1, this.width - 2 * PAD)) * (last - first))));
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (event.button !== 0) return;
    const slider = [this.from, this.to].find((one) => one === event.target) ?? this.head;
    if (slider === this.head && !this.usable) return;
    event.preventDefault();
    slider.focus({ preventScroll: true });
    const { left } = this.element.getBoundingClientRect();
    const mark = slider === this.head && event.target !== this.head ? this.#markNear(event.clientX - left, event.clientY) : null;
    /** @param {{clientX: number}} given @param {boolean} moving */
    const move = ({ clientX }, moving) => slider.set(this.tickAt(clientX - left), moving);
    this.element.setPointerCapture(event.pointerId);
    if (mark) slider.set(Math.max(this.history.first, mark.tick - 1), true); // displays the tick before the command's step
    else move(event, true);
    /** @param {PointerEvent} moved */
    const drag = (moved) => move(moved, true);
    /** @param {PointerEvent} ended */
    const end = (ended) => {
      this.element.removeEventListener('pointermove', drag);
      if (Math.abs(ended.clientX - event.clientX) > 2 || !mark) move(ended, false);
    };
    this.element.addEventListener('pointermove', drag);
    this.element.addEventListener('lostpointercapture', end, { once: true });
  }

  /** @param {number} x @param {number} clientY */
  #markNear(x, clientY) {
    const y = clientY - this.element.getBoundingClientRect().top;
    if (y < RULER || y > 2 * LANE - RULER) return null;
    let best = null;
    let nearest = NEAR;
    for (const mark of this.history.marks) {
      const distance = Math.abs(this.at(mark.tick) - x);
      if (distance <= nearest) [best, nearest] = [mark, distance];
    }
    return best;
  }

  /** @param {PointerEvent} pointerEvent */
  #hover({ clientX, clientY, pointerType }) {
    if (pointerType === 'touch') return;
    this.point(this.#markNear(clientX - this.element.getBoundingClientRect().left, clientY));
  }

  /** Describes a mark. @param {Mark|null} mark */
  point(mark) {
    if (mark === this.pointed) return;
    this.pointed = mark;
    this.tip.hidden = mark === null;
    if (mark) {
      this.tip.textContent = this.describe(mark);
      const x = Math.min(this.width - this.tip.offsetWidth - 2, Math.max(2, this.at(mark.tick) - this.tip.offsetWidth / 2));
      this.tip.style.transform = `translateX(${x}px)`;
    }
    this.draw();
  }

  /** Updates the moving parts; cheap if nothing has changed. */
  moveHead() {
    const x = Math.round(2 * this.at(this.playback.shownTick)) / 2;
    if (x === this.headAt) return;
    this.headAt = x;
    this.head.style.transform = `translateX(${x}px)`;
    const tick = Math.round(this.playback.shownTick);
    this.head.setAttribute('aria-valuenow', String(tick));
    this.head.setAttribute('aria-valuetext', this.#words(tick));
  }

  /** @param {number} tick */
  #words(tick) {
    return `tick ${tick}, ${(tick / this.tickHz()).toFixed(2)} seconds`;
  }

  /** Redraws the timeline. @param {boolean} [usable] whether the user may change the time */
  draw(usable = this.usable) {
    this.usable = usable;
    this.head.setAttribute('aria-disabled', String(!usable));
    const { first, last } = this.history;
    const { from, to } = this.playback.interval;
    for (const [slider, tick] of /** @type {[Slider, number][]} */ ([[this.from, from], [this.to, to]])) {
      slider.style.transform = `translateX(${this.at(tick)}px)`;
      slider.setAttribute('aria-valuenow', String(tick));
      slider.setAttribute('aria-valuetext', this.#words(tick));
    }
    for (const slider of [this.from, this.to, this.head]) {
      slider.setAttribute('aria-valuemin', String(first));
      slider.setAttribute('aria-valuemax', String(last));
    }
    this.shade.style.transform = `translateX(${this.at(from)}px) scaleX(${Math.max(0, this.at(to) - this.at(from))})`;
    this.headAt = NaN;
    this.moveHead();
    if (this.width > 0) this.#paint();
  }

  #paint() {
    const scale = window.devicePixelRatio || 1;
    const height = this.canvas.clientHeight;
    Object.assign(this.canvas, { width: Math.round(this.width * scale), height: Math.round(height * scale) });
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    const style = getComputedStyle(this.element);
    context.scale(scale, scale);
    context.font = `11px ${style.fontFamily}`;
    this.#paintRuler(context, style.getPropertyValue('--faint'), height);
    context.fillStyle = style.getPropertyValue('--faint');
    for (const tick of this.history.snapshots) context.fillRect(this.at(tick) - 0.5, height - 6, 1, 6);
    const ink = style.getPropertyValue('--ink');
    for (const mark of this.history.marks) if (mark !== this.pointed) this.#paintMark(context, mark, ink);
    if (this.pointed) this.#paintMark(context, this.pointed, style.getPropertyValue('--accent'), 1.5);
  }

  /** @param {CanvasRenderingContext2D} context @param {string} color @param {number} height */
  #paintRuler(context, color, height) {
    const { first, last } = this.history;
    const step = rulerStep(last - first, this.width);
    context.fillStyle = color;
    context.textBaseline = 'middle';
    for (let tick = Math.ceil(first / step) * step; tick <= last; tick += step) {
      const x = this.at(tick);
      context.globalAlpha = 0.35;
      context.fillRect(x - 0.5, RULER - 4, 1, height - RULER);
      context.globalAlpha = 1;
      const text = String(tick);
      const wide = context.measureText(text).width;
      context.fillText(text, Math.min(this.width - wide, Math.max(0, x - wide / 2)), RULER / 2 - 1);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Mark} mark @param {string} edge */
  #paintMark(context, mark, edge, size = 1) {
    const x = this.at(mark.tick);
    if (mark.until > mark.tick) {
      context.fillStyle = this.colorOf(mark);
      context.fillRect(x, LANE - 2, Math.max(1, this.at(mark.until) - x), 4);
    }
    context.save();
    context.translate(x, LANE);
    context.scale(size, size);
    context.beginPath();
    SHAPES[mark.kind](context);
    context.fillStyle = this.colorOf(mark);
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = edge;
    context.stroke();
    context.restore();
  }
}

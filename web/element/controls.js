// SPDX-License-Identifier: MIT
// The bar of the attribute `controls`: play or pause, start anew, the time of a capsule or a broadcast, a link to the world's page, full screen.
import { h, icon } from '../viewer/ui/dom.js';
/** @import { Playback } from './playback.js' */

const PLAY = '<path d="M6 4l10 6-10 6z"/>';
const PAUSE = '<path d="M7 4v12M13 4v12"/>';
const RESET = '<path d="M4 4v5h5M4.6 9A6.5 6.5 0 1 1 4 12.5"/>';
const FULL = '<path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4"/>';
const OUT = '<path d="M11 3h6v6M17 3l-8 8M14 11v5H4V6h5"/>';

/** @param {number} seconds */
function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** @param {HTMLElement} element @param {string} label a name for people who hear the page, and for the pointer */
function label(element, label) {
  element.title = label;
  element.setAttribute('aria-label', label);
}

export class Controls {
  /**
   * @param {object} acts what the buttons do
   * @param {() => void} acts.toggle @param {() => void} acts.reset @param {() => void} acts.fullscreen
   * @param {(tick: number) => void} acts.seek
   */
  constructor({ toggle, reset, fullscreen, seek }) {
    this.play = h('button', { type: 'button', onclick: toggle });
    this.reset = h('button', { type: 'button', onclick: reset }, icon(RESET));
    /** @type {HTMLInputElement} */
    this.slider = h('input', { type: 'range', step: '1', 'aria-label': 'Time', hidden: true });
    this.slider.addEventListener('input', () => seek(Number(this.slider.value)));
    this.time = h('output', { hidden: true });
    this.link = h('a', { target: '_blank', rel: 'noopener', hidden: true }, icon(OUT));
    this.full = h('button', { type: 'button', onclick: fullscreen, hidden: !document.fullscreenEnabled }, icon(FULL));
    label(this.reset, 'Restart scene');
    label(this.link, 'Open in Weft');
    label(this.full, 'Full screen');
    this.element = h('div', { class: 'bar', part: 'controls', role: 'toolbar', 'aria-label': 'World' },
      this.play, this.reset, this.slider, this.time, h('span', { class: 'space' }), this.link, this.full);
    this.show(null, null);
  }

  /** @param {Playback | null} playback null: nothing is shown yet @param {string | null} page address of the world's page */
  show(playback, page) {
    const paused = playback?.paused ?? false;
    this.play.replaceChildren(icon(paused ? PLAY : PAUSE));
    label(this.play, paused ? 'Play' : 'Pause');
    this.play.disabled = this.reset.disabled = !playback?.usable;
    const range = playback?.range ?? null;
    for (const part of [this.slider, this.time]) part.hidden = range === null;
    if (range) {
      this.slider.min = String(range.first);
      this.slider.max = String(range.last);
    }
    this.link.hidden = page === null;
    if (page !== null) this.link.href = page;
  }

  /** @param {number} tick the displayed one @param {number} seconds since the beginning */
  showTime(tick, seconds) {
    if (this.slider.hidden) return;
    if (!this.slider.matches(':active')) this.slider.value = String(tick);
    this.time.textContent = clock(seconds);
  }
}

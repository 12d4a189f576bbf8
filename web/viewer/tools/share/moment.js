// SPDX-License-Identifier: MIT
// "Share this moment": the last 10 seconds as a link that replays them, as a GIF, a video or a picture, and as HTML that embeds them. The
// section of the share panel fixes the ticks when the user captures them; files are made of these ticks when they are asked for.
import { h } from '../../ui/dom.js';
import { isLocalPage, withoutLink } from '../../page/world_address.js';
import { embedCode, linkOfLocal, linkOfMoment, movedTo } from './link.js';
import { LINK_CHARACTERS } from '../../../client/local/link.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Stretch } from '../../scene/export.js' */
/** @import { Ticks, Progress } from './film.js' */

const SECONDS = 10;
const SECONDS_LEAST = 0.5;
const PICTURE_SIDE = 1920; // pixels
const KEEP_MS = 60000; // lifetime of the URL of a downloaded file
const LOCAL_LIMIT = 'The link contains the whole world, so it works as long as this page does.';
const HOUR_S = 3600;

/** @typedef {import('../../../client/protocol.js').Methods['world.history']['result']} History */
/** @typedef {{ticks: Ticks, seconds: number, held: import('../../../client/local/link_world.js').WorldLink | null, limit: string}} Captured */

/** How long the link of a server's moment works. @param {History['kept']} kept */
export function limitOf({ maxSeconds, maxBytes }) {
  const size = maxBytes === undefined ? '' : maxBytes >= 1e9 ? `${Number((maxBytes / 1e9).toFixed(1))} GB` : `${Math.round(maxBytes / 1e6)} MB`;
  const age = maxSeconds === undefined ? '' : maxSeconds >= HOUR_S ? `${Number((maxSeconds / HOUR_S).toFixed(1))} h` : `${Math.round(maxSeconds / 60)} min`;
  const kept = [age, size].filter((part) => part !== '').join(' and ');
  return `The link works for everyone who may open this world, while this server keeps these ticks in its history${kept && ` (${kept}; the oldest are removed first)`}.`;
}

export class MomentSection {
  /** @type {Captured | null} */
  #captured = null;

  /** @type {Stretch[] | null} the captured ticks, once they were recorded */
  #stretches = null;

  /** @type {AbortController | null} cancels what is being made */
  #working = null;

  /**
   * @param {Page} page
   * @param {() => {base: string, view: boolean}} choices address of the server that others reach, and whether links have the camera
   * @param {(field: HTMLInputElement | HTMLTextAreaElement, what: string) => void} copy
   */
  constructor(page, choices, copy) {
    this.page = page;
    this.choices = choices;
    /** @param {string} text @param {() => unknown} run @param {object} [more] */
    const button = (text, run, more) => h('button', { type: 'button', class: 'plain-button', onclick: () => run(), ...more }, text);
    this.capture = button('Capture last 10 s', () => this.#work('Capturing', () => this.#capture()), { class: 'plain-button moment-capture' });
    /** @type {HTMLCanvasElement} */
    this.preview = h('canvas', { class: 'moment-preview', role: 'img', 'aria-label': 'The end of the captured moment' });
    this.what = h('p', { class: 'dock-status' });
    /** @type {HTMLInputElement} */
    this.link = h('input', { class: 'entry-field', readonly: true, 'aria-label': 'Link to this moment', onfocus: () => this.link.select() });
    this.linkRow = h('div', { class: 'dock-row' }, this.link, button('Copy moment link', () => copy(this.link, 'Copy moment link')));
    this.limit = h('p', { class: 'dock-notice' });
    this.files = [
      button('Save GIF', () => this.#save('gif')), button('Save video', () => this.#save('webm'), { title: 'Video, 30 fps' }), button('Save picture', () => this.#save('png')),
    ];
    /** @type {HTMLProgressElement} */
    this.bar = h('progress', { max: 1, 'aria-label': 'Progress' });
    this.step = h('small');
    this.progress = h('div', { class: 'moment-progress', hidden: true }, this.step, this.bar, button('Cancel', () => this.#working?.abort(new DOMException('Canceled.', 'AbortError'))));
    /** @type {HTMLTextAreaElement} */
    this.embed = h('textarea', { class: 'entry-field', readonly: true, rows: 4, 'aria-label': 'HTML that embeds this moment', spellcheck: 'false' });
    this.embedRow = h('div', {}, h('h4', {}, 'Embed this moment'), this.embed, h('div', { class: 'dock-row' }, button('Copy moment HTML', () => copy(this.embed, 'Copy moment HTML'))));
    this.said = h('p', { class: 'dock-status', role: 'status' });
    this.made = h('div', { class: 'moment-made', hidden: true }, this.preview, this.what, this.linkRow, this.limit, h('div', { class: 'dock-row' }, this.files), this.progress, this.embedRow);
    this.element = h('section', { class: 'moment', 'aria-labelledby': 'moment-title' },
      h('h3', { id: 'moment-title' }, 'Share this moment'), h('p', {}, 'A link that replays the last 10 seconds, or a GIF, a video or a picture of them.'),
      h('div', { class: 'dock-row' }, this.capture), this.made, this.said);
  }

  /** The link and the code, with the present choices. */
  update() {
    const captured = this.#captured;
    const world = this.page.client.hello?.world;
    if (!captured || !world) return;
    const link = this.#linkOf(captured, world, false);
    for (const row of [this.linkRow, this.embedRow]) row.hidden = link === '';
    this.link.value = link;
    this.embed.value = link && embedCode(this.#linkOf(captured, world, true), world);
  }

  /** @param {Captured} captured @param {string} world @param {boolean} embed @returns {string} empty: it has none */
  #linkOf({ ticks, held }, world, embed) {
    const { base, view } = this.choices();
    const { href } = this.page.address;
    if (!isLocalPage()) return linkOfMoment(movedTo(href, base), { world, moment: `${ticks.timeline}-${ticks.from}-${ticks.to}`, view, embed });
    if (!held || held.reason) return '';
    const link = linkOfLocal(withoutLink(href), { ...held, search: `${held.search}&from=${ticks.from}` }, { view, panels: false, embed });
    return link.length <= LINK_CHARACTERS ? link : '';
  }

  /** Fixes the ticks. */
  async #capture() {
    const { page } = this;
    const tickHz = page.client.hello?.tickHz ?? 60;
    const history = await page.ask('world.history', { most: 0 });
    const held = isLocalPage() ? await page.client.link() : null;
    const tick = Number(new URLSearchParams(held?.search).get('tick') ?? history.tick);
    const ticks = { timeline: history.timeline, from: Math.max(history.first, tick - Math.round(SECONDS * tickHz)), to: tick };
    const seconds = (ticks.to - ticks.from) / tickHz;
    if (seconds < SECONDS_LEAST) throw new Error('This world has just begun: let it run for a moment, then capture.');
    this.#stretches = null;
    this.#captured = { ticks, seconds, held, limit: held ? held.reason && `${held.reason} You can save a GIF or a video of this moment.` || LOCAL_LIMIT : limitOf(history.kept) };
    await this.#drawPreview();
    this.what.textContent = `${seconds.toFixed(1)} s: ticks ${ticks.from.toLocaleString('en')} to ${ticks.to.toLocaleString('en')}`;
    this.limit.textContent = this.#captured.limit;
    this.made.hidden = false;
    this.capture.textContent = 'Capture again';
    this.update();
    return 'Captured.';
  }

  async #drawPreview() {
    this.still = await this.#picture();
    const bitmap = await createImageBitmap(this.still);
    this.preview.width = bitmap.width;
    this.preview.height = bitmap.height;
    this.preview.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
  }

  /** The present picture as PNG. @returns {Promise<Blob>} */
  async #picture() {
    const { pictureOf } = await import('../../scene/export.js');
    const { stage } = this.page;
    const scale = PICTURE_SIDE / Math.max(stage.width, stage.height);
    return pictureOf(stage, { width: Math.round(stage.width * scale), height: Math.round(stage.height * scale) });
  }

  /** @param {'gif' | 'webm' | 'png'} kind */
  #save(kind) {
    return this.#work('Saving', async (signal) => {
      const captured = /** @type {Captured} */ (this.#captured);
      const blob = kind === 'png' ? /** @type {Blob} */ (this.still) : await this.#film(kind, captured.ticks, signal);
      const name = `weft-${this.page.client.hello?.world ?? 'world'}-${captured.ticks.to}.${kind}`;
      const href = URL.createObjectURL(blob);
      h('a', { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), KEEP_MS);
      return `Saved ${name}, ${blob.size < 1e6 ? `${Math.max(1, Math.round(blob.size / 1e3))} kB` : `${(blob.size / 1e6).toFixed(1)} MB`}.`;
    });
  }

  /** @param {'gif' | 'webm'} kind @param {Ticks} ticks @param {AbortSignal} signal */
  async #film(kind, ticks, signal) {
    /** @type {Progress} */
    const progress = (step, share) => {
      this.progress.hidden = false;
      this.bar.value = share;
      this.step.textContent = `${step} … ${Math.round(100 * share)} %`;
      this.bar.setAttribute('aria-valuetext', this.step.textContent);
    };
    const { gifOf, recordMoment, videoOf } = await import('./film.js');
    this.#stretches ??= await recordMoment(this.page, ticks, progress, signal);
    return (kind === 'gif' ? gifOf : videoOf)(this.page, this.#stretches, progress, signal);
  }

  /** One thing at a time. @param {string} what @param {(signal: AbortSignal) => Promise<string>} run */
  async #work(what, run) {
    if (this.#working) return;
    const working = new AbortController();
    this.#working = working;
    for (const each of [this.capture, ...this.files]) each.disabled = true;
    this.said.textContent = `${what} …`;
    try {
      this.said.textContent = await run(working.signal);
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      this.said.textContent = name === 'AbortError' ? 'Canceled.' : message;
    }
    this.#working = null;
    this.progress.hidden = true;
    for (const each of [this.capture, ...this.files]) each.disabled = false;
  }
}

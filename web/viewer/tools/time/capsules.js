// SPDX-License-Identifier: MIT
// Capsules: an interval of a history as a file. The dock exports an interval as a capsule, and makes a world from a capsule
// that is chosen or dropped. Who may not make worlds on the server gets a local world, which the own page computes.
import { WeftClient } from '../../../client/client.js';
import { h, icon } from '../../ui/dom.js';
import { worldNameOf } from '../../ui/names.js';
import { addressOf } from './place.js';

const DOWN = '<path d="M10 3v9M6 8.500l4 4 4-4M4 16h12"/>';
const UP = '<path d="M10 13V4M6 7.500l4-4 4 4M4 16h12"/>';

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** @param {File} file */
const base64Of = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
});

/**
 * Makes a local world of a capsule.
 * @param {{name: string, capsule: string, paused: boolean}} params
 */
async function importLocally(params) {
  const client = new WeftClient('local:capsule-door=empty', { worker: true });
  try {
    await client.connect();
    return await client.call('world.import', params);
  } finally {
    client.close();
  }
}

/** The two buttons, and the dialog for a name. */
export class Capsules {
  /** @param {import('../../page/page.js').Page} page @param {import('./playback_controller.js').PlaybackController} playback */
  constructor(page, playback) {
    this.page = page;
    this.playback = playback;
    /** @type {File | null} */
    this.file = null;
    this.input = h('input', { type: 'file', accept: '.capsule', hidden: true, 'aria-label': 'Capsule file', onchange: () => this.#chosen() });
    this.save = h('button', { type: 'button', class: 'time-capsule-save', title: 'Save the range as a capsule file, which replays exactly anywhere', onclick: () => this.#download() },
      icon(DOWN), h('span', {}, 'Download capsule'));
    this.open = h('button', { type: 'button', title: 'Create a world from a capsule file. You can also drop the file on the page.', onclick: () => this.input.click() },
      icon(UP), h('span', {}, 'Open capsule…'));
    this.name = h('input', { type: 'text', id: 'time-capsule-name', required: true, maxlength: 64, pattern: '[A-Za-z0-9_\\-]+', spellcheck: false, autocomplete: 'off' });
    this.words = h('p', {});
    this.go = h('button', { type: 'submit' }, 'Create world');
    this.form = h('form', { class: 'time-form', hidden: true, 'aria-label': 'New world from capsule', onsubmit: (event) => this.#make(event) },
      this.words, h('label', { for: 'time-capsule-name' }, 'Name of the new world'), this.name, this.go,
      h('button', { type: 'button', onclick: () => this.#ask(null) }, 'Cancel'));
    this.buttons = [this.save, this.open];
  }

  /** Whether this user may make worlds where the page's world is. */
  get makesHere() {
    return this.page.role === 'admin';
  }

  /** @param {{keep: boolean, make: boolean}} may whether a capsule can be exported from this world, and whether a world can be made from one */
  update({ keep, make }) {
    this.save.disabled = !keep;
    this.open.disabled = !make;
  }

  async #download() {
    const { page, playback } = this;
    const { from, to } = playback.interval;
    const { timeline } = playback.history;
    const world = page.client.hello?.world ?? 'world';
    this.save.setAttribute('aria-busy', 'true');
    const interval = { from, timeline, ...(playback.to !== null && { to }) };
    const answer = await page.ask('world.export', timeline ? interval : {}).catch(page.refuse); // without a history, the present state is exported
    this.save.removeAttribute('aria-busy');
    if (!answer) return;
    const href = URL.createObjectURL(new Blob([bytesOf(answer.capsule)], { type: 'application/octet-stream' }));
    h('a', { href, download: timeline ? `${world}-${from}-${to}.capsule` : `${world}.capsule` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  }

  #chosen() {
    const [file] = this.input.files ?? [];
    this.input.value = '';
    if (file) this.take(file);
  }

  /** Asks for the name of the new world. @param {File} file */
  take(file) {
    const most = this.page.client.hello?.limits.messageBytes ?? Infinity;
    if (this.makesHere && file.size * 4 / 3 + 256 > most) this.page.toasts.show(`${file.name} is too large: this server accepts capsules of up to ${Math.floor(most * 0.75 / 1e6)} MB.`);
    else this.#ask(file);
  }

  /** @param {File | null} file */
  #ask(file) {
    this.file = file;
    this.form.hidden = file === null;
    if (!file) {
      this.open.focus();
      return;
    }
    this.words.textContent = `${file.name}, ${(file.size / 1000).toFixed(0)} kB: the capsule is replayed and checked, then its world opens.${
      this.makesHere ? '' : ' The new world runs in your browser, and nobody else sees it.'}`;
    this.name.value = worldNameOf(file.name.replace(/\.capsule$/, ''));
    this.form.scrollIntoView({ block: 'nearest' });
    this.name.select();
    this.name.focus();
  }

  /** @param {SubmitEvent} event */
  async #make(event) {
    event.preventDefault();
    const { page, file } = this;
    this.go.disabled = true;
    const text = file && await base64Of(file).catch(page.refuse);
    const params = { name: this.name.value, capsule: text, paused: true };
    const here = this.makesHere;
    const answer = text && await (here ? page.ask('world.import', params) : importLocally(params)).catch(page.refuse);
    this.go.disabled = false;
    if (answer) location.assign(addressOf(page, here ? answer.world : `local:${answer.world}`));
  }
}

// SPDX-License-Identifier: MIT
// The panel for sharing: the link to this world as text and as a QR code for an audience, and the HTML to embed it in another
// page. If the page was opened as localhost, the link has an address that other machines in the network can reach, if the
// server has one. A link never contains a token. The link of a local world holds the world itself, as it is at that moment; a
// world that is too long for a link is offered as a capsule.
import { h } from '../../ui/dom.js';
import { drawCode } from './code.js';
import { handOverForm } from './handover.js';
import { LINK_CHARACTERS } from '../../../client/local/link.js';
import { hasServer, isLocalPage, optionFor, withoutLink } from '../../page/world_address.js';
import { MomentSection } from './moment.js';
import { adviceOn, embedCode, isLoopback, linkOf, linkOfLocal, movedTo } from './link.js';
/** @import { Page } from '../../page/page.js' */

const SOON_MS = 300;
const CODE_CHARACTERS = 2000; // a QR code holds little more, and cameras read it with difficulty
const HELD = 'This link contains the world as it is now. Anyone with it gets a copy that continues from here.';
const FILE = 'This page is a file on this device: send the file, and the part of the link after its name.';

/** @type {Share | null} */
let panel = null;

/** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
export function build(element, page) {
  panel = new Share(element, page);
}

export function show() {
  panel?.update();
  panel?.findAddresses();
}

export function captureMoment() {
  panel?.moment.capture.click();
}

/** @typedef {{everywhere: boolean, contained: boolean, urls: string[]}} Addresses */

/** Requests the addresses of this server. @returns {Promise<Addresses|null>} */
async function askAddresses() {
  try {
    const answer = await fetch('./addresses.json');
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

class Share {
  /** @type {ReturnType<typeof setTimeout> | null} */
  timer = null;

  /** @param {HTMLElement} element @param {Page} page */
  constructor(element, page) {
    this.page = page;
    /** @param {string} text */
    const choice = (text) => {
      const box = h('input', { type: 'checkbox', onchange: () => this.update() });
      return { box, label: h('label', { class: 'choice' }, box, text) };
    };
    this.view = choice('Include my camera and settings');
    this.panels = choice('Include my open panels');
    /** @type {Addresses | null} the addresses that the server reported */
    this.known = null;
    this.place = h('select', { id: 'share-place', onchange: () => this.update() });
    this.places = h('div', { class: 'dock-row', hidden: true }, h('label', { for: 'share-place' }, 'Address'), this.place);
    /** @type {HTMLInputElement} */
    this.link = h('input', { class: 'entry-field', readonly: true, 'aria-label': 'Link to this world', onfocus: () => this.link.select() });
    this.code = h('div', { class: 'share-code' });
    this.embed = h('textarea', { class: 'entry-field', readonly: true, rows: 4, 'aria-label': 'HTML that embeds this world', spellcheck: 'false' });
    this.notice = h('p', { class: 'dock-notice' });
    this.status = h('p', { class: 'dock-status', role: 'status' });
    this.capsule = h('button', { type: 'button', class: 'plain-button', hidden: true, onclick: () => this.download() }, 'Download capsule');
    this.large = h('button', { type: 'button', class: 'plain-button', onclick: () => this.enlarge() }, 'Enlarge QR code');
    /** @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} what */
    const copy = (field, what) => h('button', { type: 'button', class: 'plain-button', onclick: () => this.copy(field, what) }, what);
    this.copies = [copy(this.link, 'Copy link'), copy(this.embed, 'Copy HTML')];
    this.moment = new MomentSection(page, () => ({ base: this.place.value || location.origin, view: this.view.box.checked }), (field, what) => this.copy(field, what));
    element.append(this.moment.element, h('h3', {}, 'Invite'),
      h('p', {}, isLocalPage() ? HELD : 'Anyone with this link joins this world.'), this.view.label, this.panels.label, this.places,
      h('div', { class: 'dock-row' }, this.link, this.copies[0], this.capsule), this.notice, isLocalPage() ? handOverForm(page) : '', this.code,
      h('div', { class: 'dock-row' }, this.large),
      h('h3', {}, 'Embed'), this.embed, h('div', { class: 'dock-row' }, this.copies[1]),
      hasServer() ? h('p', { class: 'dock-status' }, 'The server has to allow your site: weftd --frame-ancestors https://your.site. Its visitors are guests here.') : '',
      this.status);
    page.stage.rig.on('moving', () => this.updateSoon());
    page.on('theme', () => this.updateSoon());
    page.docks.on('change', () => this.update());
    page.on('hello', () => this.update());
  }

  // The address most likely to be reachable by others comes first. The list is requested each time the panel opens, because
  // network connections change.
  async findAddresses() {
    if (!hasServer() || !isLoopback(location.hostname)) return;
    this.known = await askAddresses();
    const before = this.place.value;
    const urls = this.known?.urls ?? [];
    this.place.replaceChildren(...urls.map((url) => h('option', { value: url }, `${new URL(url).host} (your network)`)),
      h('option', { value: location.origin }, `${location.host} (this computer only)`));
    if (urls.includes(before)) this.place.value = before;
    this.places.hidden = urls.length === 0;
    this.update();
  }

  // While the camera moves, the code is redrawn at intervals.
  updateSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.update();
    }, SOON_MS);
  }

  /** @returns {Promise<void> | void} */
  update() {
    const { page } = this;
    const world = page.client.hello?.world;
    if (!world || !page.docks.isOpen('share')) return undefined;
    this.moment.update();
    const base = this.place.value || location.origin;
    const href = hasServer() ? movedTo(page.address.href, base) : page.address.href;
    if (isLocalPage()) return this.updateLocal(withoutLink(href), world, this.advice(base)).catch(page.refuse);
    const link = linkOf(href, { world: optionFor(world), view: this.view.box.checked, panels: this.panels.box.checked });
    const embedded = embedCode(linkOf(href, { world: optionFor(world), view: this.view.box.checked, panels: false, embed: true }), world);
    this.tell(this.advice(base) || tokenAdvice(page));
    this.offer(link, embedded, world);
    return undefined;
  }

  /** Advice on the address of the link; empty: none. @param {string} base */
  advice(base) {
    if (hasServer()) return adviceOn({ loopback: isLoopback(new URL(base).hostname), known: this.known });
    return location.protocol === 'file:' ? FILE : '';
  }

  /** @param {string} notice empty: none */
  tell(notice) {
    this.notice.textContent = notice;
    this.notice.hidden = notice === '';
  }

  /** @param {string} link empty: there is none @param {string} embedded @param {string} world */
  offer(link, embedded, world) {
    this.embed.value = embedded;
    if (link === this.link.value) return;
    this.link.value = link;
    const isDrawn = link !== '' && link.length <= CODE_CHARACTERS;
    this.code.replaceChildren(...(isDrawn ? [drawCode(link, `QR code for the world ${world}`)] : []));
    this.large.disabled = !isDrawn;
  }

  /** The link that holds a local world as it is now. @param {string} href @param {string} world @param {string} advice on the address */
  async updateLocal(href, world, advice) {
    const { page } = this;
    const held = await page.client.link();
    const [view, panels] = [this.view.box.checked, this.panels.box.checked];
    const link = held.reason ? '' : linkOfLocal(href, held, { view, panels });
    const isShort = link !== '' && link.length <= LINK_CHARACTERS;
    const why = held.reason || `The link to this world would have ${link.length} characters; only links of up to ${LINK_CHARACTERS} work everywhere.`;
    this.tell(isShort ? advice : `${why} Download a capsule instead: anyone who drops it on a Weft page opens this world.`);
    this.capsule.hidden = isShort;
    for (const button of this.copies) button.disabled = !isShort;
    this.offer(isShort ? link : '', isShort ? embedCode(linkOfLocal(href, held, { view, panels: false, embed: true }), world) : '', world);
  }

  /** The world as a file. */
  async download() {
    const { page } = this;
    const answer = await page.call('world.export', {});
    if (!answer) return;
    const bytes = Uint8Array.from(atob(answer.capsule), (character) => character.charCodeAt(0));
    const href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    h('a', { href, download: `${page.client.hello?.world ?? 'world'}.capsule` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} what */
  async copy(field, what) {
    if (isLocalPage()) await this.update(); // the world has gone on since
    let copied;
    try {
      await navigator.clipboard.writeText(field.value);
      copied = true;
    } catch {
      field.select(); // without a secure connection the browser denies access to the clipboard
      copied = document.execCommand('copy');
    }
    this.status.textContent = copied ? `${what.replace('Copy', 'Copied the')}.` : 'The browser blocked copying. The text is selected, so that you can copy it yourself.';
  }

  // As large as the window, for a projector.
  enlarge() {
    const close = h('button', { type: 'button', class: 'plain-button', onclick: () => dialog.close() }, 'Close');
    /** @type {HTMLDialogElement} */
    const dialog = h('dialog', { class: 'share-large', 'aria-label': 'Join this world' },
      drawCode(this.link.value, `QR code for ${this.link.value}`), h('p', {}, this.link.value), close);
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('keydown', (event) => event.stopPropagation()); // keys in the dialog must not reach the page
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** @param {Page} page */
function tokenAdvice({ client }) {
  return client.hello?.name === undefined ? '' : 'This server requires an access token. Share it too, but not in a link.';
}

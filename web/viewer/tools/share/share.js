// SPDX-License-Identifier: MIT
// Sharing: the link to this world, to copy or as a code that a class reads from the wall, and what to put into a page of one's
// own. A link never holds a token.
import { h } from '../../ui/dom.js';
import { drawCode } from './code.js';
import { embedCode, isLoopback, linkOf } from './link.js';

const SOON_MS = 300;

let panel = null;

/** @param {HTMLElement} element @param {import('../../page.js').Page} page */
export function build(element, page) {
  panel = new Share(element, page);
}

export function show() {
  panel.update();
}

class Share {
  timer = null;

  constructor(element, page) {
    this.page = page;
    const choice = (text) => {
      const box = h('input', { type: 'checkbox', onchange: () => this.update() });
      return { box, label: h('label', { class: 'choice' }, box, text) };
    };
    this.view = choice('from where I look, with my options');
    this.panels = choice('with the panels I have open');
    this.link = h('input', { class: 'entry-field', readonly: true, 'aria-label': 'Link to this world', onfocus: () => this.link.select() });
    this.code = h('div', { class: 'share-code' });
    this.embed = h('textarea', { class: 'entry-field', readonly: true, rows: 4, 'aria-label': 'Code for a page of yours', spellcheck: 'false' });
    this.notice = h('p', { class: 'dock-notice' });
    this.status = h('p', { class: 'dock-status', role: 'status' });
    const copy = (field, what) => h('button', { type: 'button', class: 'plain-button', onclick: () => this.copy(field, what) }, what);
    element.append(
      h('p', {}, 'Who opens this link is in this world, and sees it:'), this.view.label, this.panels.label,
      h('div', { class: 'dock-row' }, this.link, copy(this.link, 'Copy link')), this.notice, this.code,
      h('div', { class: 'dock-row' }, h('button', { type: 'button', class: 'plain-button', onclick: () => this.enlarge() }, 'Show the code large')),
      h('h3', {}, 'In a page of yours'), this.embed, h('div', { class: 'dock-row' }, copy(this.embed, 'Copy code')),
      h('p', { class: 'dock-status' }, 'The server has to allow it: weftd --frame-ancestors https://your.site. Who looks at it there is a guest.'),
      this.status);
    page.stage.rig.on('moving', () => this.updateSoon());
    page.on('theme', () => this.updateSoon());
    page.docks.on('change', () => this.update());
    page.on('hello', () => this.update());
  }

  // While the camera moves, the code is drawn now and then.
  updateSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.update();
    }, SOON_MS);
  }

  update() {
    const { page } = this;
    const world = page.client.hello?.world;
    if (!world || !page.docks.isOpen('share')) return;
    const { href } = page.address;
    const link = linkOf(href, { world, view: this.view.box.checked, panels: this.panels.box.checked });
    const embedded = embedCode(linkOf(href, { world, view: this.view.box.checked, panels: false, embed: true }), world);
    this.notice.textContent = warning(page);
    this.notice.hidden = this.notice.textContent === '';
    this.embed.value = embedded;
    if (link === this.link.value) return;
    this.link.value = link;
    this.code.replaceChildren(drawCode(link, `QR code of the link to the world ${world}`));
  }

  async copy(field, what) {
    let copied = false;
    try {
      await navigator.clipboard.writeText(field.value);
      copied = true;
    } catch {
      field.select(); // without a secure address the browser keeps its clipboard to itself
      copied = document.execCommand('copy');
    }
    this.status.textContent = copied ? `${what.replace('Copy', 'Copied the')}.` : 'The browser does not let the page copy: the text is selected, copy it by hand.';
  }

  // As large as the window, for a projector.
  enlarge() {
    const close = h('button', { type: 'button', class: 'plain-button', onclick: () => dialog.close() }, 'Close');
    const dialog = h('dialog', { class: 'share-large', 'aria-label': 'Join this world' },
      drawCode(this.link.value, `QR code of ${this.link.value}`), h('p', {}, this.link.value), close);
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('keydown', (event) => event.stopPropagation()); // its keys are its own
    document.body.append(dialog);
    dialog.showModal();
  }
}

function warning({ client }) {
  if (isLoopback(location.hostname)) return 'This address means this machine only. For others start weftd with --host 0.0.0.0 (its README says how to let people in) and open the page by this machine’s name.';
  return client.hello.name === undefined ? '' : 'This server asks everyone for a token: hand that out too, but not in a link.';
}

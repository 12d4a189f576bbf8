// SPDX-License-Identifier: MIT
// The dock of the log: the list of commands, selecting and copying them.
import { readLog } from '../../script/recording.js';
import { WeftError } from '../../../client/errors.js';
import { h, icon } from '../../ui/dom.js';
import { recordSome, recordWorld, writeAs } from './copy.js';
import { download, toClipboard } from '../../ui/clipboard.js';
import { FORM_TITLES } from './forms.js';
import { filterRows, Rows } from './rows.js';
/** @import { Row } from './rows.js' */

const POLL_MS = 1000;
const SOON_MS = 120; // delay of an update after a command of this page
const SHOWN_MAX = 500;
const NO_HISTORY = -32004;

export class LogDock {
  /** @type {Awaited<ReturnType<typeof readLog>> | undefined} the part of the log that has been read */
  #known;

  #every = new Rows();

  /** @type {Row[]} the listed rows */
  #rows = [];

  /** @type {Set<string>} keys of the selected rows */
  #chosen = new Set();

  file = ''; // name of the copied program's file

  #active = -1;

  #anchor = -1; // index of the row where a range selection begins

  #why = ''; // the reason why the list is incomplete

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = 0;

  #shown = false;

  #reading = false;

  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {HTMLInputElement} */
    this.filter = h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter commands', oninput: () => this.#list() });
    /** @type {HTMLSelectElement} */
    this.form = h('select', { 'aria-label': 'Copy as' }, FORM_TITLES.map(([id, title]) => h('option', { value: id }, title)));
    this.form.addEventListener('change', () => this.#name());
    /** @type {HTMLButtonElement} */
    this.allButton = h('button', { type: 'button', class: 'copy-all', onclick: () => this.#copy(true) });
    /** @type {HTMLButtonElement} */
    this.someButton = h('button', { type: 'button', class: 'copy-some', onclick: () => this.#copy(false) });
    /** @type {HTMLParagraphElement} */
    this.note = h('p', { class: 'note' });
    /** @type {HTMLUListElement} */
    this.list = h('ul', {
      class: 'commands', role: 'listbox', 'aria-multiselectable': 'true', 'aria-label': 'Commands', tabindex: 0,
      onkeydown: (event) => this.#press(event), onclick: (event) => this.#click(event),
    });
    /** @type {HTMLTextAreaElement} */
    this.program = h('textarea', { class: 'program', readonly: true, rows: 8, spellcheck: 'false', 'aria-label': 'Program' });
    /** @type {HTMLParagraphElement} */
    this.outcome = h('p', { role: 'status' });
    /** @type {HTMLDivElement} */
    this.copied = h('div', { class: 'copied', hidden: true },
      h('div', { class: 'bar' }, this.outcome,
        h('button', { type: 'button', onclick: () => download(this.program.value, this.file) }, 'Download'),
        h('button', { type: 'button', 'aria-label': 'Close program', title: 'Close', onclick: () => { this.copied.hidden = true; this.list.focus(); } }, icon('<path d="M5 5l10 10M15 5L5 15"/>'))),
      this.program);
    element.append(h('div', { class: 'bar' }, this.filter, h('label', {}, 'Copy as ', this.form), this.allButton, this.someButton), this.note, this.list, this.copied);
    this.#name();
    page.journal.on('entry', () => this.#soon());
    page.client.on('world.changed', () => this.#soon());
    page.client.on('topology', () => this.#soon());
  }

  show() {
    this.#shown = true;
    this.#soon();
  }

  hide() {
    this.#shown = false;
    clearTimeout(this.#timer);
  }

  // ---- reading

  #soon(ms = SOON_MS) {
    if (!this.#shown) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), ms);
  }

  async #read() {
    if (this.#reading) {
      this.#soon();
      return;
    }
    this.#reading = true;
    try {
      if (this.page.client.state === 'open') await this.#readNews();
      this.#soon(POLL_MS);
    } catch (error) {
      if (error instanceof WeftError && error.code === NO_HISTORY) this.#useJournal();
      else this.#tell(`The log could not be read: ${/** @type {Error} */ (error).message}`);
      this.#soon(4 * POLL_MS);
    } finally {
      this.#reading = false;
    }
  }

  async #readNews() {
    const log = await readLog(this.page.ask.bind(this.page), this.#known);
    this.#known = log;
    if (!log.anew && log.entries.length === 0) return;
    if (log.anew) this.#every = new Rows();
    this.#every.add(log.entries);
    this.#tell('');
    this.#list();
  }

  // Without a history on the server, the list has only the commands given on this page.
  #useJournal() {
    this.#every = new Rows();
    this.#every.add(this.page.journal.entries.filter(({ answer }) => answer?.tick !== undefined).map(({ method, params, tick, answer }, index) => (
      { index, method, params, tick: tick ?? 0, client: this.page.client.hello?.session ?? 0, made: madeOf(answer) })));
    this.allButton.disabled = true;
    this.#tell('This world keeps no history (weftd --data DIR keeps one, except for temporary worlds). Only your commands on this page are listed.');
    this.#list();
  }

  // ---- listing

  /** @param {number} client */
  #nameOf(client) {
    if (client === 0) return 'server';
    if (client === this.page.client.hello?.session) return 'you';
    return this.page.people.find(client)?.name ?? `client ${client}`;
  }

  #list() {
    const atEnd = this.list.scrollTop + this.list.clientHeight > this.list.scrollHeight - 30;
    const active = this.#rows[this.#active];
    const rows = filterRows(this.#every.all, this.filter.value, (client) => this.#nameOf(client));
    this.#showRows(rows.slice(-SHOWN_MAX));
    const earlier = rows.length - this.#rows.length;
    this.list.dataset.earlier = earlier > 0 ? `${earlier} earlier commands are not listed, but are copied` : '';
    const keys = new Set(this.#rows.map(({ key }) => key));
    for (const key of this.#chosen) if (!keys.has(key)) this.#chosen.delete(key);
    const none = this.filter.value ? 'No matching commands.' : 'No commands yet.';
    this.note.textContent = this.#why || (rows.length === 0 ? none : '');
    this.#active = this.#rows.indexOf(active);
    this.#mark();
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Existing rows are reused: only removed rows at the front and new ones at the end are changed. @param {Row[]} rows */
  #showRows(rows) {
    const kept = this.#rows.indexOf(rows[0]);
    const stay = kept < 0 ? [] : this.#rows.slice(kept);
    if (kept >= 0 && stay.every((row, index) => row === rows[index])) {
      for (let i = 0; i < kept; i++) this.list.firstElementChild?.remove();
      stay.forEach((row, index) => {
        const shown = this.list.children[index].lastElementChild;
        if (shown && shown.textContent !== row.params) shown.textContent = row.params;
      });
      this.list.append(...rows.slice(stay.length).map((row) => this.#element(row)));
    } else {
      this.list.replaceChildren(...rows.map((row) => this.#element(row)));
    }
    this.#rows = rows;
  }

  /** @param {Row} row */
  #element({ key, tick, client, method, params }) {
    return h('li', { id: `log-row-${key}`, role: 'option', 'aria-selected': 'false' },
      h('span', { class: 'tick' }, String(tick)), h('span', { class: 'who' }, this.#nameOf(client)), h('b', {}, method), h('span', { class: 'params' }, params));
  }

  /** @param {string} text */
  #tell(text) {
    this.#why = text;
    this.note.textContent = text;
  }

  #mark() {
    [...this.list.children].forEach((item, index) => {
      item.setAttribute('aria-selected', String(this.#chosen.has(this.#rows[index].key)));
      item.classList.toggle('active', index === this.#active);
    });
    if (this.#active >= 0) this.list.setAttribute('aria-activedescendant', `log-row-${this.#rows[this.#active].key}`);
    else this.list.removeAttribute('aria-activedescendant');
    this.#name();
  }

  #name() {
    const title = FORM_TITLES.find(([id]) => id === this.form.value)?.[1];
    const count = this.#chosen.size;
    this.allButton.replaceChildren(`Copy all as ${title}`);
    this.allButton.title = 'Copy every command since the scene was loaded as a program that repeats them and checks the hash';
    this.someButton.replaceChildren(count === 1 ? 'Copy selected' : `Copy ${count || ''} selected`.replace('  ', ' '));
    this.someButton.disabled = count === 0;
  }

  // ---- choosing

  /** @param {MouseEvent} event */
  #click(event) {
    const index = [...this.list.children].findIndex((item) => item.contains(/** @type {Node} */ (event.target)));
    if (index < 0) return;
    if (event.shiftKey && this.#anchor >= 0) this.#chooseRange(index);
    else this.#choose(index, event.ctrlKey || event.metaKey || matchMedia('(pointer: coarse)').matches);
  }

  /** @param {number} index @param {boolean} more */
  #choose(index, more) {
    const { key } = this.#rows[index];
    const had = this.#chosen.has(key);
    if (!more) this.#chosen.clear();
    if (more && had) this.#chosen.delete(key);
    else this.#chosen.add(key);
    this.#active = this.#anchor = index;
    this.#mark();
  }

  /** @param {number} index */
  #chooseRange(index) {
    this.#chosen = new Set(this.#rows.slice(Math.min(index, this.#anchor), Math.max(index, this.#anchor) + 1).map(({ key }) => key));
    this.#active = index;
    this.#mark();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const last = this.#rows.length - 1;
    if (last < 0) return;
    /** @type {Record<string, number>} */
    const places = { ArrowUp: Math.max(0, this.#active - 1), ArrowDown: Math.min(last, this.#active + 1), Home: 0, End: last };
    const place = places[event.key];
    if (place !== undefined) {
      if (event.shiftKey && this.#anchor >= 0) this.#chooseRange(place);
      else if (event.ctrlKey || event.metaKey) { this.#active = place; this.#mark(); } else this.#choose(place, false);
      this.list.children[place].scrollIntoView({ block: 'nearest' });
    } else if (event.key === ' ' && this.#active >= 0) {
      this.#choose(this.#active, true);
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      this.#anchor = 0;
      this.#chooseRange(last);
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---- copying

  /** @param {boolean} all */
  async #copy(all) {
    try {
      const chosen = this.#rows.filter(({ key }) => this.#chosen.has(key)).flatMap(({ entries }) => entries).sort((a, b) => a.index - b.index);
      const recording = all ? await recordWorld(this.page) : recordSome(this.page, chosen);
      if (!all && recording.commands.length === 0) throw new Error('The server did this on its own, so there is no command to copy.');
      const { text, file } = writeAs(this.form.value, recording);
      this.program.value = text;
      this.file = file;
      this.copied.hidden = false;
      const count = recording.commands.length;
      const where = this.form.value === 'weftctl' ? ' weftctl is in the build folder of Weft; add that folder to your PATH.' : '';
      const what = `${count} ${count === 1 ? 'command' : 'commands'}${all ? `, ending at tick ${recording.tick} with the hash ${recording.stateHash}` : ''}`;
      this.outcome.textContent = (await toClipboard(text)) ? `Copied: ${what}.${where}` : `The browser blocked copying. Copy the text below or download it (${what}).`;
    } catch (error) {
      this.page.toasts.show(error);
    }
  }
}

/** @param {any} answer @returns {number[]} */
const madeOf = (answer) => (answer.results ?? [answer]).flatMap((/** @type {any} */ one) => ['object', 'stick', 'obstacle', 'grab'].filter((kind) => kind in one).map((kind) => one[kind]));

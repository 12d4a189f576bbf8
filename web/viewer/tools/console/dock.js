// SPDX-License-Identifier: MIT
// The dock of the console: the output, the input line, completions and help.
import { h, icon } from '../../ui/dom.js';
import { hasServer } from '../../page/world_address.js';
import { complete, explain } from '../../script/complete.js';
import { LanguageFault, parse } from '../../script/language.js';

import { Schema } from '../../script/schema.js';
import { Completion } from './completion.js';
import { History } from './history.js';
import { runStatement, RunFault } from './runner.js';
/** @import { Proposal } from '../../script/complete.js' */
/** @import { Context, Span, Statement } from '../../script/language.js' */
/** @import { Member } from '../../script/schema.js' */

const SAID_MAX = 200; // maximum number of stored outputs
const ROWS_MAX = 8;
const SHORT = 160; // longest result that is shown completely, in characters
const EXAMPLES = ['cloth.spawn columns=20 rows=20 position=0,3,0', 'world.set wind.velocity=3,0,0', 'wait 60 ticks', 'world.get'];

export class ConsoleDock {
  /** @type {Schema | null} */
  #schema = null;

  /** @type {Map<string, number>} names given to new objects: name → id */
  #names = new Map();

  #history = new History();

  /** @type {AbortController | null} cancels the running commands */
  #running = null;

  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {HTMLDivElement} */
    this.said = h('div', { class: 'said', role: 'log', 'aria-label': 'Results', tabindex: 0 });
    /** @type {HTMLPreElement} */
    this.marks = h('pre', { class: 'marks', 'aria-hidden': 'true' });
    /** @type {HTMLTextAreaElement} */
    this.input = h('textarea', {
      rows: 1, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', placeholder: 'Enter a command, such as cloth.spawn columns=20 rows=20',
      'aria-label': 'Command', 'aria-autocomplete': 'list', 'aria-controls': 'console-proposals', 'aria-describedby': 'console-hint',
      onkeydown: (event) => this.#press(event),
      oninput: () => this.#edited(),
      onclick: () => this.#propose(),
      onkeyup: (event) => { if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) this.#propose(); },
      onscroll: () => { this.marks.scrollTop = this.input.scrollTop; },
    });
    /** @type {HTMLButtonElement} */
    this.run = h('button', { type: 'button', class: 'run', title: 'Run (Enter)', 'aria-label': 'Run', onclick: () => this.#enter() }, icon('<path d="M6 4l10 6-10 6z"/>'));
    /** @type {HTMLParagraphElement} */
    this.fault = h('p', { class: 'fault', role: 'alert', id: 'console-fault' });
    /** @type {Completion} */
    this.completion = new Completion('console-proposals', this.input, (proposal, from) => this.#accept(proposal, from));
    /** @type {HTMLDivElement} */
    this.help = h('div', { class: 'help', 'aria-label': 'Help', role: 'region', tabindex: 0 });
    element.append(
      h('div', { class: 'talk' }, this.said, this.fault, h('div', { class: 'line' }, h('div', { class: 'field' }, this.marks, this.input), this.run),
        h('p', { class: 'hint', id: 'console-hint' }, 'Enter runs, Shift+Enter starts a new line, Tab completes, ↑ and ↓ browse the history. ',
          reference('', 'Method reference'))),
      h('div', { class: 'aside' }, this.completion.element, this.help));
    this.#explain(null);
    if (page.client.state === 'open') this.#load();
    page.on('hello', () => this.#load());
  }

  show() {
    if (matchMedia('(pointer: fine)').matches) this.input.focus({ preventScroll: true });
  }

  async #load() {
    if (this.#schema) return;
    try {
      const document = /** @type {import('../../script/schema.js').OpenRpc} */ (/** @type {unknown} */ (await this.page.ask('rpc.discover')));
      this.#schema = new Schema(document);
      if (this.input.value) this.#propose();
    } catch (error) {
      this.fault.textContent = `Completion is unavailable, because the schema could not be loaded: ${/** @type {Error} */ (error).message}`;
    }
  }

  // ---- input

  #edited() {
    this.input.rows = Math.min(ROWS_MAX, this.input.value.split('\n').length);
    this.#mark(null);
    this.#propose();
  }

  #propose() {
    if (!this.#schema) return;
    const { selectionStart: caret, selectionEnd, value } = this.input;
    if (caret !== selectionEnd) return;
    const objects = (this.page.client.topology?.objects ?? []).map(({ id, kind, name }) => ({ id, kind, name }));
    const { from, proposals, context } = complete(this.#schema, value.slice(0, caret), { names: [...this.#names.keys()], objects });
    const wanted = context.place !== 'method' || context.prefix !== '';
    this.completion.show(wanted ? proposals : [], from, context.prefix);
    this.#explain(context);
    if (context.place !== 'method') this.#forewarn();
  }

  // Obvious errors in a complete command are reported before it is sent.
  #forewarn() {
    const schema = this.#schema;
    if (!schema) return;
    try {
      for (const statement of parse(this.input.value, this.#names.keys())) {
        const { method = '', params = {}, places = new Map() } = statement;
        const fault = statement.kind === 'call' && schema.check(method, params);
        if (!fault || (fault.pointer === '' && schema.method(method))) continue; // a missing param may still follow
        this.#mark((fault.key && places.get(`key${fault.pointer}`)) || places.get(fault.pointer) || places.get('key') || null);
        this.fault.textContent = fault.message;
        return;
      }
    } catch (error) {
      if (!(error instanceof LanguageFault)) throw error; // the text is incomplete
    }
  }

  /** @param {Proposal} proposal @param {number} from */
  #accept({ insert }, from) {
    const { value, selectionStart: caret } = this.input;
    this.input.setRangeText(insert, from, caret, 'end');
    if (value.slice(caret).startsWith('"') && insert.endsWith('"')) this.input.setRangeText('', this.input.selectionStart, this.input.selectionStart + 1, 'end');
    this.#edited();
  }

  /** Underlines a range of the text; null for none. @param {Span | null} place */
  #mark(place) {
    const { value } = this.input;
    this.fault.textContent = '';
    this.input.toggleAttribute('aria-invalid', Boolean(place));
    if (place) this.input.setAttribute('aria-invalid', 'true');
    this.input.setAttribute('aria-describedby', place ? 'console-fault console-hint' : 'console-hint');
    this.marks.replaceChildren(...(place ? [value.slice(0, place.from), h('mark', {}, value.slice(place.from, place.to) || ' '), value.slice(place.to), '\n'] : []));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.isComposing) return;
    const { key } = event;
    if (key === 'Escape' && this.#running) this.#running.abort();
    else if (key === 'Escape' && this.completion.isOpen) this.completion.close();
    else if (key === 'Tab' && !event.shiftKey && this.completion.canTake) this.completion.take();
    else if (key === 'Enter' && !event.shiftKey && this.completion.active) this.completion.take();
    else if (key === 'Enter' && !event.shiftKey && !(this.#isUnfinished() && !event.ctrlKey)) this.#enter();
    else if ((key === 'ArrowUp' || key === 'ArrowDown') && !event.shiftKey && this.#arrow(key === 'ArrowUp' ? -1 : 1)) this.said.scrollTop = this.said.scrollHeight;
    else return;
    event.preventDefault();
  }

  /**
   * The arrow keys select a completion if the list is in use; on the first and last line they go through the history.
   * @param {number} direction
   */
  #arrow(direction) {
    const { value, selectionStart: caret } = this.input;
    if (this.completion.isOpen && (this.completion.active || (direction > 0 && value !== ''))) return this.completion.move(direction);
    if ((direction < 0 ? value.slice(0, caret) : value.slice(caret)).includes('\n')) return false;
    const text = this.#history.go(direction, value);
    if (text === null) return false;
    this.input.value = text;
    this.input.setSelectionRange(text.length, text.length);
    this.#edited();
    this.completion.close();
    return true;
  }

  #isUnfinished() {
    try {
      parse(this.input.value, this.#names.keys());
      return false;
    } catch (error) {
      return error instanceof LanguageFault && error.unfinished && /[{[]/.test(this.input.value);
    }
  }

  // ---- execution

  async #enter() {
    if (this.#running) {
      this.#running.abort();
      return;
    }
    const text = this.input.value;
    this.completion.close();
    let statements;
    try {
      statements = parse(text, this.#names.keys());
    } catch (error) {
      const fault = /** @type {LanguageFault} */ (error);
      this.#mark(fault);
      this.fault.textContent = `${placeWords(text, fault.from)}${fault.message}`;
      return;
    }
    if (statements.length === 0) return;
    this.#history.add(text.trim());
    const running = new AbortController();
    this.#running = running;
    this.#setRunning(true);
    try {
      await this.#runAll(text, statements, running.signal);
    } finally {
      this.#running = null;
      this.#setRunning(false);
    }
  }

  /**
   * Executed commands are removed from the editor; the rest stays there, with the error.
   * @param {string} text @param {Statement[]} statements @param {AbortSignal} signal
   */
  async #runAll(text, statements, signal) {
    for (const statement of statements) {
      const source = text.slice(statement.from, statement.to);
      const waiting = this.#say(source, h('p', { class: 'pending' }, statement.kind === 'wait' ? `Waiting ${statement.ticks} ticks…` : '…'));
      try {
        const answer = await runStatement(this.page, statement, this.#names, signal);
        waiting.replaceChildren(answerOf(answer));
      } catch (error) {
        if (!(error instanceof RunFault)) throw error;
        waiting.replaceChildren(h('p', { class: 'refused' }, h('strong', {}, 'Refused: '), error.message));
        const rest = text.slice(statement.from);
        this.#setText(rest);
        const { from, to } = error.place ?? statement;
        this.#mark({ from: from - statement.from, to: to - statement.from });
        this.fault.textContent = `${placeWords(rest, from - statement.from)}${error.message}`;
        this.input.setSelectionRange(from - statement.from, to - statement.from);
        return;
      } finally {
        this.said.scrollTop = this.said.scrollHeight;
      }
    }
    this.#setText('');
  }

  /** @param {string} text */
  #setText(text) {
    this.input.value = text;
    this.#edited();
    this.completion.close();
  }

  /** @param {boolean} running */
  #setRunning(running) {
    this.input.readOnly = running;
    this.run.setAttribute('aria-label', running ? 'Stop' : 'Run');
    this.run.title = running ? 'Stop (Esc)' : 'Run (Enter)';
    this.run.replaceChildren(icon(running ? '<path d="M5 5h10v10H5z"/>' : '<path d="M6 4l10 6-10 6z"/>'));
    if (!running && this.page.docks.isOpen('console')) this.input.focus({ preventScroll: true });
  }

  /** @param {string} source @param {Node} answer */
  #say(source, answer) {
    const element = h('div', { class: 'answer' }, answer);
    this.said.append(h('div', { class: 'exchange' }, h('pre', { class: 'asked' }, source), element));
    while (this.said.children.length > SAID_MAX) this.said.firstElementChild?.remove();
    this.said.scrollTop = this.said.scrollHeight;
    return element;
  }

  // ---- help

  /** @param {Context | null} context */
  #explain(context) {
    const schema = this.#schema;
    const { method, params, param } = context && schema ? explain(schema, context) : { method: null, params: [], param: null };
    if (!method || !schema) {
      this.help.replaceChildren(h('p', {}, 'Examples:'), h('ul', { class: 'examples' }, EXAMPLES.map((example) => h('li', {}, h('button', {
        type: 'button', onclick: () => { this.#setText(example); this.input.focus(); },
      }, example)))));
      return;
    }
    /** @param {Member} member */
    const describe = ({ name, required, schema: one }) => [
      h('dt', { class: name === param?.name ? 'present' : null }, name, required ? h('span', { class: 'required' }, ' required') : null),
      h('dd', {}, schema.describe(one), one.default === undefined ? '' : ` · ${JSON.stringify(one.default)} by default`)];
    this.help.replaceChildren(
      h('p', {}, reference(`#${method.name}`, method.name) || method.name, ` ${method.summary}`),
      param ? h('p', { class: 'param', role: 'status' }, h('strong', {}, `${param.name}: `), param.text) : '',
      params.length > 0 ? h('dl', {}, params.flatMap(describe)) : h('p', {}, 'No parameters.'));
  }
}

/** A link to the reference, which a server has. @param {string} hash @param {string} text */
const reference = (hash, text) => (hasServer() ? h('a', { href: `./reference.html${hash}`, target: '_blank', rel: 'noopener' }, text) : '');

/** Line and column of an error, if the text has several lines. @param {string} text @param {number} at */
function placeWords(text, at) {
  const before = text.slice(0, at).split('\n');
  return text.includes('\n') ? `Line ${before.length}, column ${before[before.length - 1].length + 1}: ` : '';
}

/** @param {object | string} answer */
function answerOf(answer) {
  if (typeof answer === 'string') return h('p', {}, answer);
  const text = JSON.stringify(answer);
  if (text.length <= SHORT) return h('pre', {}, text);
  return h('details', {}, h('summary', {}, `${text.slice(0, SHORT)} …`), h('pre', {}, JSON.stringify(answer, null, 1)));
}

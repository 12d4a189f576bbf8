// SPDX-License-Identifier: MIT
// The reference page: every method of the server's schema with its params, its result, and an example that can be run in a
// temporary world or in an existing one. It is generated from /openrpc.json, so it always describes the server that sent it.
import { LanguageFault, parse, placeOf } from './script/language.js';
import { EXAMPLES } from './script/examples.js';
import { Schema } from './script/schema.js';
import './settings/settings.js'; // applies the theme
import { OWN, Trial } from './script/trial.js';
/** @import { WeftError } from '../client/errors.js' */
/** @import { MethodName } from '../client/protocol.js' */
/** @import { Method } from './script/schema.js' */
import { h, one } from './ui/dom.js';

/** @type {Record<string, string>} */
const ROLES = { none: 'anyone', viewer: 'viewers', editor: 'editors', admin: 'administrators' };
/** @type {Record<string, string>} */
const KINDS = { read: 'Reads', change: 'Changes the world', session: 'Session and server' };
const ANSWER_MAX = 6000; // number of characters of a result that are shown

const methods = one(document, '#methods');
const contents = one(document, '#contents');
const where = one(document, '#where', HTMLSelectElement);
const place = one(document, '#place');
const trial = new Trial((sentence, world) => {
  place.replaceChildren(sentence, world ? h('a', { href: `./?world=${encodeURIComponent(world)}`, target: '_blank', rel: 'noopener' }, ' Open it') : '');
});

// ---- one method

/** @param {Schema} schema @param {Method} method */
function paramsTable(schema, method) {
  const params = schema.params(method.name);
  if (params.length === 0) return h('p', { class: 'faint' }, 'No parameters.');
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': `Parameters of ${method.name}` }, h('table', {},
    h('thead', {}, h('tr', {}, ['Parameter', 'Type', 'Default', 'Description'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, params.map(({ name, required, schema: one }) => h('tr', {},
      h('th', { scope: 'row' }, h('code', {}, name)),
      h('td', {}, schema.describe(one)),
      h('td', {}, required ? h('strong', {}, 'required') : one.default === undefined ? '–' : h('code', {}, JSON.stringify(one.default))),
      h('td', {}, one.description ?? ''))))));
}

/** @param {Schema} schema @param {Method} method */
function resultList(schema, method) {
  const members = schema.members(method.result?.schema);
  if (members.length === 0) return null;
  return [h('h3', {}, 'Result'), h('dl', {}, members.flatMap(({ name, schema: one }) => [
    h('dt', {}, h('code', {}, name), ` ${schema.describe(one)}`), h('dd', {}, one.description ?? '')]))];
}

/** Formats params: short values on one line. @param {object} params */
function paramsText(params) {
  const text = JSON.stringify(params);
  return text.length < 60 ? text : JSON.stringify(params, null, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, ' ')}]`);
}

/** @param {Method} method */
function trySection(method) {
  const name = /** @type {MethodName} */ (method.name);
  const { params, result } = EXAMPLES[name];
  const text = paramsText(params);
  const id = `try-${method.name}`;
  const field = h('textarea', { id, rows: Math.min(12, text.split('\n').length), spellcheck: 'false', autocapitalize: 'off', value: text });
  const answer = h('pre', { class: 'answer', tabindex: 0, 'aria-label': `Result of ${method.name}` }, JSON.stringify(result, null, 1));
  const outcome = h('p', { class: 'outcome', role: 'status' }, 'Example result:');
  /** @type {HTMLButtonElement} */
  const button = h('button', { type: 'button', class: 'try', onclick: () => run(name, field, { button, answer, outcome }) }, 'Try it');
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) button.click();
  });
  return h('div', { class: 'trial' },
    h('label', { for: id }, 'Parameters'), field, h('div', { class: 'bar' }, button, outcome), answer);
}

/**
 * @param {MethodName} method @param {HTMLTextAreaElement} field
 * @param {{button: HTMLButtonElement, answer: HTMLElement, outcome: HTMLElement}} parts
 */
async function run(method, field, { button, answer, outcome }) {
  button.disabled = true;
  outcome.textContent = '…';
  let statement = null;
  try {
    [statement] = parse(`${method} ${field.value}`);
    const begun = performance.now();
    const result = await trial.call(where.value, method, statement.params ?? {});
    const text = JSON.stringify(result, null, 1);
    outcome.textContent = `Done in ${(performance.now() - begun).toFixed(0)} ms:`;
    answer.textContent = text.length > ANSWER_MAX ? `${text.slice(0, ANSWER_MAX)} …` : text;
  } catch (thrown) {
    const error = /** @type {LanguageFault | WeftError} */ (thrown);
    const { code, data } = /** @type {Partial<WeftError>} */ (error);
    const stretch = error instanceof LanguageFault ? error : statement && placeOf(statement, data);
    if (stretch) field.setSelectionRange(Math.max(0, stretch.from - method.length - 1), Math.max(0, stretch.to - method.length - 1));
    field.focus();
    outcome.textContent = `Refused: ${error.message}`;
    answer.textContent = JSON.stringify({ code, message: error.message, data }, null, 1);
  }
  button.disabled = false;
}

/** @param {Schema} schema @param {Method} method */
function methodSection(schema, method) {
  const facts = `${KINDS[method['x-kind']]}; for ${ROLES[method['x-role']]}; ${method['x-batch'] ? 'allowed in batch.run' : 'not allowed in batch.run'}; costs ${method['x-cost']}.`;
  return h('section', { id: method.name, 'aria-labelledby': `title-${method.name}` },
    h('h2', { id: `title-${method.name}` }, h('a', { href: `#${method.name}` }, method.name)),
    h('p', {}, method.summary, method.description ? ` ${method.description}` : ''),
    h('p', { class: 'faint' }, facts),
    paramsTable(schema, method), trySection(method), resultList(schema, method));
}

// ---- the page

async function fillWorlds() {
  const wanted = new URLSearchParams(location.search).get('world');
  const { worlds, own, sentence } = await trial.worlds();
  where.replaceChildren(
    own ? h('option', { value: OWN }, 'a private world') : '',
    ...worlds.map((name) => h('option', { value: name }, `world ${name}, shared with others`)));
  if (wanted && worlds.includes(wanted)) where.value = wanted;
  place.textContent = sentence;
}

/** @param {Schema} schema @param {string} words */
function filterMethods(schema, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { name, summary } of schema.methods) {
    const hidden = !wanted.every((word) => `${name} ${summary}`.toLowerCase().includes(word));
    one(document, `[id="${name}"]`).hidden = hidden;
    one(contents, `[data-method="${name}"]`).hidden = hidden;
  }
}

async function show() {
  const response = await fetch('./openrpc.json');
  if (!response.ok) throw new Error(`the server replied with HTTP status ${response.status}`);
  const schema = new Schema(await response.json());
  methods.replaceChildren(...schema.methods.map((method) => methodSection(schema, method)));
  contents.replaceChildren(...schema.methods.map(({ name }) => h('li', { dataset: { method: name } }, h('a', { href: `#${name}` }, name))));
  const filter = one(document, '#filter', HTMLInputElement);
  filter.addEventListener('input', () => filterMethods(schema, filter.value));
  methods.removeAttribute('aria-busy');
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

const world = new URLSearchParams(location.search).get('world');
if (world) one(document, '#back', HTMLAnchorElement).href = `./?world=${encodeURIComponent(world)}`;
show().catch((error) => methods.replaceChildren(h('p', {}, `The schema could not be loaded: ${error.message}. `, h('a', { href: '' }, 'Try again'))));
fillWorlds().catch((error) => { place.textContent = `Examples can’t run now: ${error.message}`; });

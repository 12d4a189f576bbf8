// SPDX-License-Identifier: MIT
// Completion and help for the text at the caret, computed from the schema alone.
import { contextOf } from './language.js';
/** @import { Schema } from './schema.js' */

const SHOWN_MAX = 40;

/** @typedef {import('./language.js').Context} Context */
/** @typedef {{names: string[], objects: {id: number, kind: string, name?: string}[]}} Nameable the names that completion offers */

/**
 * @typedef {object} Proposal
 * @property {string} label the text in the list @property {string} insert the inserted text @property {string} detail a short explanation
 * @param {Proposal[]} proposals @param {string} prefix
 */

// Names that begin with the typed text are listed before names that contain it.
function rank(proposals, prefix) {
  const wanted = prefix.toLowerCase();
  const first = proposals.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const others = proposals.filter((one) => !first.includes(one) && wanted !== '' && one.label.toLowerCase().includes(wanted));
  return [...first, ...others].slice(0, SHOWN_MAX);
}

/** @param {Schema} schema @param {Context} context */
function memberProposals(schema, context) {
  const members = schema.membersAt(context.method ?? '', context.path).filter(({ name }) => !context.given.includes(name));
  const sorted = [...members.filter(({ required }) => required), ...members.filter(({ required }) => !required)];
  return sorted.map(({ name, required, schema: one }) => ({
    label: name,
    insert: context.braces ? `${name}: ` : `${name}=`,
    detail: `${required ? 'required · ' : ''}${schema.describe(one)}`,
  }));
}

/** @param {Schema} schema @param {Context} context @param {Nameable} world */
function valueProposals(schema, context, world) {
  const one = schema.at(context.method ?? '', context.path);
  const choices = schema.choices(one).map((value) => ({ label: value, insert: value, detail: '' }));
  if (!schema.isObject(one) && context.path.at(-1) !== 'object') return choices;
  const names = world.names.map((name) => ({ label: name, insert: name, detail: 'created above' }));
  const objects = world.objects.map(({ id, kind, name }) => ({ label: String(id), insert: String(id), detail: name ? `${kind} “${name}”` : kind }));
  return [...names, ...objects];
}

/**
 * @param {import('./schema.js').Schema} schema
 * @param {string} text the text before the caret
 * @param {Nameable} world
 * @returns {{from: number, proposals: Proposal[], context: Context}} `from`: start of the text to be replaced
 */
export function complete(schema, text, world) {
  const context = contextOf(text);
  if (context.place === 'none') return { from: context.from, proposals: [], context };
  if (context.place === 'method') {
    const methods = schema.methods.map(({ name, summary }) => ({ label: name, insert: `${name} `, detail: summary }));
    const wait = { label: 'wait', insert: 'wait ', detail: 'Wait for a number of ticks: wait 60 ticks.' };
    return { from: context.from, proposals: rank([...methods, wait], context.prefix), context };
  }
  if (!schema.method(context.method)) return { from: context.from, proposals: [], context };
  const proposals = context.place === 'key' ? memberProposals(schema, context) : valueProposals(schema, context, world);
  const wanted = context.prefix.replace(/^["']/, '');
  const found = rank(proposals.map((one) => ({ ...one, label: one.label.replace(/^"(.*)"$/, '$1') })), wanted);
  return { from: context.from, proposals: found.filter(({ insert }) => insert !== context.prefix), context };
}

/**
 * Help for the position of the caret: the method, and the param if there is one.
 * @param {Schema} schema @param {Context} context
 * @returns {{method: import('./schema.js').Method|null, params: import('./schema.js').Member[], param: {name: string, text: string}|null}}
 */
export function explain(schema, context) {
  const method = schema.method(context.method) ?? null;
  if (!method) return { method: null, params: [], param: null };
  const path = context.place === 'value' ? context.path : context.place === 'key' && context.prefix ? [...context.path, context.prefix] : context.path;
  const one = path.length > 0 ? schema.at(method.name, path) ?? schema.at(method.name, path.slice(0, -1)) : undefined;
  const name = path.findLast((part) => typeof part === 'string') ?? '';
  const initial = one?.default === undefined ? '' : ` Default ${JSON.stringify(one.default)}.`;
  const param = one ? { name, text: `${schema.describe(one)}. ${one.description ?? ''}${initial}`.replace(/\s+/g, ' ').trim() } : null;
  return { method, params: schema.params(method.name), param };
}

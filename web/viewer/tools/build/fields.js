// SPDX-License-Identifier: MIT
// Form fields, made from the schemas of a method's params: the permitted values, their unit, and messages for invalid input.
// Pure.

/** @import { JsonSchema, OpenRpc } from '../../script/schema.js' */

/**
 * @typedef {object} Field
 * @property {string} name name of the param
 * @property {string} title name as displayed
 * @property {'number'|'integer'|'boolean'|'choice'|'color'|'text'} kind
 * @property {string} unit '' if there is none
 * @property {string} help
 * @property {string[]} choices options of a field of the kind choice
 * @property {number} [minimum] @property {number} [exclusiveMinimum] @property {number} [maximum] limits of a number
 * @property {number} [maxLength] limit of a text
 * @property {unknown} fallback the server's default
 */

/**
 * The schemas of a method's params with references resolved; without atTick, because the form's commands run at once.
 * @param {OpenRpc} document @param {string} method
 * @returns {Map<string, JsonSchema>}
 */
export function paramSchemas({ methods, components }, method) {
  const found = methods.find(({ name }) => name === method);
  const params = (found?.params ?? []).filter(({ name }) => name !== 'atTick');
  return new Map(params.map(({ name, schema }) => [name, resolved(schema, components.schemas)]));
}

/** @param {JsonSchema} schema @param {Record<string, JsonSchema>} schemas @returns {JsonSchema} */
function resolved({ $ref, ...own }, schemas) {
  if (!$ref) return own;
  return { ...resolved(schemas[$ref.split('/').at(-1) ?? ''], schemas), ...own };
}

/**
 * The field for a schema; null if a single field is not sufficient.
 * @param {string} name @param {JsonSchema} schema
 * @returns {Field|null}
 */
export function fieldOf(name, schema) {
  const { oneOf, ...own } = schema;
  const { type, enum: choices, pattern, ...limits } = { ...own, ...oneOf?.[0] };
  const kind = choices ? 'choice' : pattern?.startsWith('^#') ? 'color' : type === 'string' ? 'text' : type;
  if (!isFieldKind(kind)) return null;
  const { minimum, exclusiveMinimum, maximum, maxLength } = limits;
  return {
    name, kind, title: titleOf(name), unit: withoutOne(own['x-unit']), help: own.description ?? '', choices: /** @type {string[]} */ (choices ?? []), fallback: own.default,
    ...(minimum !== undefined && { minimum }), ...(exclusiveMinimum !== undefined && { exclusiveMinimum }), ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

/** @param {string|undefined} kind @returns {kind is Field['kind']} */
const isFieldKind = (kind) => kind !== undefined && ['number', 'integer', 'boolean', 'choice', 'color', 'text'].includes(kind);

const withoutOne = (unit = '') => (unit === '1' ? '' : unit);

/** A name as displayed: 'stretchCompliance' becomes 'Stretch compliance'. @param {string} name */
export function titleOf(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * Parses the text of a field.
 * @param {Field} field @param {string|boolean} written
 * @returns {{value?: unknown, fault?: string}} empty if the field is empty
 */
export function readField(field, written) {
  if (field.kind === 'boolean') return { value: Boolean(written) };
  const text = String(written).trim();
  if (text === '') return {};
  if (field.kind === 'number' || field.kind === 'integer') return readNumber(field, text);
  const { length } = [...text];
  if (field.maxLength && length > field.maxLength) return { fault: `${field.title} can have up to ${field.maxLength} characters, not ${length}.` };
  if (field.kind === 'choice' && !field.choices.includes(text)) return { fault: `${field.title} must be one of ${field.choices.join(', ')}.` };
  return { value: text };
}

/** @param {Field} field @param {string} text */
function readNumber(field, text) {
  const value = Number(text.replace(',', '.'));
  const sound = Number.isFinite(value) && (field.kind === 'number' || Number.isInteger(value));
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = field;
  if (sound && value >= minimum && value > exclusiveMinimum && value <= maximum) return { value };
  return { fault: `${field.title} must be ${field.kind === 'integer' ? 'a whole number' : 'a number'}${range(field)}, not “${text}”.` };
}

/** The permitted range as text: ' from 2 to 4,096'. @param {Field} field */
export function range({ minimum, exclusiveMinimum, maximum, unit }) {
  /** @param {number} value */
  const words = (value) => `${value.toLocaleString('en', { maximumFractionDigits: 9 })}${unit ? ` ${unit}` : ''}`;
  const low = exclusiveMinimum !== undefined ? ` above ${words(exclusiveMinimum)}` : minimum !== undefined ? ` from ${words(minimum)}` : '';
  const high = maximum === undefined ? '' : exclusiveMinimum !== undefined ? ` and up to ${words(maximum)}` : ` to ${words(maximum)}`;
  return low + high;
}

// SPDX-License-Identifier: MIT
// Checks a value against the part of JSON Schema that web/lessons/lesson.schema.json uses, and says of the first fault where it is
// and what is allowed there. (The libraries for it compile code, which the page's policy forbids, or say nothing of what is allowed.)

/**
 * @typedef {object} Schema
 * @property {string} [$ref] @property {string | string[]} [type] @property {string[]} [enum] @property {string} [pattern]
 * @property {Record<string, Schema>} [properties] @property {string[]} [required] @property {boolean | Schema} [additionalProperties]
 * @property {Schema} [items] @property {number} [minItems] @property {number} [maxItems] @property {number} [minLength] @property {number} [maxLength]
 * @property {number} [minimum] @property {number} [maximum] @property {Schema[]} [oneOf] @property {Record<string, Schema>} [definitions]
 */
/** @typedef {(string | number)[]} Path */
/** @typedef {{path: Path, message: string}} Fault the message follows the path: "must be …" */

/** @type {Record<string, string>} */
const NOUNS = { string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'true or false', object: 'an object {…}', array: 'a list […]' };
const QUOTED_MOST = 40; // characters of a wrong value in a message

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** @param {string} type @param {unknown} value */
const isOf = (type, value) => (type === 'integer' ? Number.isInteger(value) : typeOf(value) === type);

/** @param {string[]} words */
const listed = (words) => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** A value as it is quoted in a message. @param {unknown} value */
export function quoted(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > QUOTED_MOST ? `${text.slice(0, QUOTED_MOST)}…` : text;
}

/** A range in words: " from 1 to 6". @param {number | undefined} least @param {number | undefined} most */
function rangeOf(least, most) {
  if (least !== undefined && most !== undefined) return least === most ? ` of ${least}` : ` from ${least} to ${most}`;
  if (least !== undefined) return ` of at least ${least}`;
  return most === undefined ? '' : ` of at most ${most}`;
}

/** What a schema allows, in words. @param {Schema} schema @param {Schema} root @returns {string} */
function allowedBy(schema, root) {
  const { type, enum: values, pattern, oneOf, items, minItems, maxItems, minLength, maxLength, minimum, maximum } = resolve(schema, root);
  if (values) return listed(values.map((value) => JSON.stringify(value)));
  if (oneOf && type === undefined) return listed(oneOf.map((one) => allowedBy(one, root)));
  if (Array.isArray(type)) return listed(type.map((each) => NOUNS[each]));
  if (type === 'array' && items) return `a list${rangeOf(minItems, maxItems)} members […]`.replace(/ members/, minItems === undefined && maxItems === undefined ? '' : ' members');
  if (pattern) return `a text that matches ${pattern}`;
  if (type === 'string') return maxLength === undefined ? NOUNS.string : `a text${rangeOf(minLength ?? 0, maxLength)} characters`;
  return `${NOUNS[type ?? 'object']}${rangeOf(minimum, maximum)}`;
}

/** @param {Schema} schema @param {Schema} root @returns {Schema} */
function resolve(schema, root) {
  if (!schema.$ref) return schema;
  return resolve(/** @type {Schema} */ (root.definitions?.[/** @type {string} */ (schema.$ref.split('/').at(-1))]), root);
}

/**
 * The first fault of a value; null if it fits.
 * @param {Schema} given @param {unknown} value @param {Schema} root the schema that holds the definitions @param {Path} [path]
 * @returns {Fault | null}
 */
export function faultOf(given, value, root, path = []) {
  const schema = resolve(given, root);
  const wrong = () => ({ path, message: `must be ${allowedBy(schema, root)}, not ${quoted(value)}` });
  if (schema.enum) return schema.enum.includes(/** @type {string} */ (value)) ? null : wrong();
  if (schema.type && ![schema.type].flat().some((type) => isOf(type, value))) return wrong();
  if (schema.oneOf) return faultOfChoice(schema.oneOf, value, root, path) ?? null;
  if (typeof value === 'string') return isWithin(value.length, schema.minLength, schema.maxLength) && new RegExp(schema.pattern ?? '', 'u').test(value) ? null : wrong();
  if (typeof value === 'number') return isWithin(value, schema.minimum, schema.maximum) ? null : wrong();
  if (Array.isArray(value)) {
    if (!isWithin(value.length, schema.minItems, schema.maxItems)) return { path, message: `must be ${allowedBy(schema, root)}, not one of ${value.length}` };
    return first(value, (item, index) => faultOf(schema.items ?? {}, item, root, [...path, index]));
  }
  return typeOf(value) === 'object' ? faultOfObject(schema, /** @type {object} */ (value), root, path) : null;
}

/** @param {Schema[]} choices @param {unknown} value @param {Schema} root @param {Path} path */
function faultOfChoice(choices, value, root, path) {
  const resolved = choices.map((one) => resolve(one, root));
  const fitting = resolved.filter(({ type }) => type === undefined || isOf(/** @type {string} */ (type), value));
  if (fitting.length === 0) return { path, message: `must be ${listed(resolved.map((one) => allowedBy(one, root)))}, not ${quoted(value)}` };
  if (fitting.length === 1) return faultOf(fitting[0], value, root, path);
  const kinds = fitting.map(({ required = [] }) => required[0]);
  const chosen = fitting.filter((_, at) => Object.hasOwn(/** @type {object} */ (value), kinds[at]));
  if (chosen.length !== 1) return { path, message: `must have one of the members ${listed(kinds)}${chosen.length > 1 ? `, not ${chosen.length} of them` : ''}` };
  return faultOf(chosen[0], value, root, path);
}

/** @param {Schema} schema @param {object} value @param {Schema} root @param {Path} path @returns {Fault | null} */
function faultOfObject({ properties = {}, required = [], additionalProperties = true }, value, root, path) {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path: [...path, missing], message: `is missing: it must be ${allowedBy(properties[missing], root)}` };
  return first(Object.entries(value), ([name, member]) => {
    if (Object.hasOwn(properties, name)) return faultOf(properties[name], member, root, [...path, name]);
    if (additionalProperties === false) return { path: [...path, name], message: `is not a member here: allowed are ${Object.keys(properties).filter((known) => known !== '$schema').join(', ')}` };
    return additionalProperties === true ? null : faultOf(additionalProperties, member, root, [...path, name]);
  });
}

/** @param {number} value @param {number | undefined} least @param {number | undefined} most */
const isWithin = (value, least = -Infinity, most = Infinity) => value >= least && value <= most;

/** The first result that is not null. @template T @param {T[]} items @param {(item: T, index: number) => Fault | null} find */
function first(items, find) {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return null;
}

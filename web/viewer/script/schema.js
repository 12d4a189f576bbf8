// SPDX-License-Identifier: MIT
// Reads the server's OpenRPC document: the methods, their params, types and units.

const PREFIX = '#/components/schemas/';
/** @type {Record<string, string>} descriptions of types */
const PLURALS = { number: 'numbers', integer: 'integers', string: 'texts', array: 'lists', object: 'objects' };

/** @param {number} value */
const figure = (value) => (Number.isInteger(value) && Math.abs(value) >= 10000 ? value.toLocaleString('en-US') : String(value)).replace('-', '−');

/**
 * The part of JSON Schema that the protocol uses.
 * @typedef {object} JsonSchema
 * @property {string} [$ref] @property {string} [title] @property {string} [description] @property {string} [type]
 * @property {unknown[]} [enum] @property {JsonSchema[]} [oneOf] @property {unknown} [default] @property {string} [x-unit]
 * @property {Record<string, JsonSchema>} [properties] @property {string[]} [required]
 * @property {JsonSchema} [items] @property {number} [minItems] @property {number} [maxItems]
 * @property {number} [minimum] @property {number} [maximum] @property {number} [exclusiveMinimum] @property {number} [exclusiveMaximum]
 * @property {string} [pattern] @property {number} [maxLength]
 */

/** @typedef {{name: string, required: boolean, schema: JsonSchema}} Member a member of an object, or of a method's params */
/** @typedef {(string|number)[]} Path names of members and indices, starting at a method's params */

/**
 * @typedef {object} Method
 * @property {string} name @property {string} summary @property {string} [description]
 * @property {{name: string, required?: boolean, schema: JsonSchema}[]} params @property {{schema: JsonSchema}} result
 * @property {string} x-kind @property {string} x-role @property {boolean} [x-batch] @property {number} [x-cost]
 */

/** @typedef {{methods: Method[], components: {schemas: Record<string, JsonSchema>}}} OpenRpc */

export class Schema {
  #methods;

  /** @param {OpenRpc} document the result of rpc.discover */
  constructor(document) {
    this.document = document;
    this.#methods = new Map(document.methods.map((method) => [method.name, method]));
  }

  /** All methods, in the order of the document. */
  get methods() {
    return this.document.methods;
  }

  /** @param {string|null} name */
  method(name) {
    return this.#methods.get(name ?? '');
  }

  /**
   * Resolves the references of a schema.
   * @template {JsonSchema | undefined} S
   * @param {S} schema @returns {S}
   */
  resolve(schema) {
    if (!schema?.$ref) return schema;
    const { $ref, ...own } = schema;
    return /** @type {S} */ ({ ...this.resolve(this.document.components.schemas[$ref.slice(PREFIX.length)]), ...own });
  }

  /**
   * The members of an object with this schema.
   * @param {JsonSchema | undefined} schema
   * @returns {Member[]}
   */
  members(schema) {
    const resolved = this.resolve(schema);
    return Object.entries(resolved?.properties ?? {}).map(([name, one]) => (
      { name, required: (resolved?.required ?? []).includes(name), schema: this.resolve(one) }));
  }

  /** A method's params. @param {string} name @returns {Member[]} */
  params(name) {
    return (this.method(name)?.params ?? []).map(({ name: param, required, schema }) => ({ name: param, required: required === true, schema: this.resolve(schema) }));
  }

  /**
   * The possible members at a place: of a method's params, of a nested object, of a command in a batch.
   * @param {string} name @param {Path} path
   */
  membersAt(name, path) {
    if (path.length === 0) return this.params(name);
    return this.members(this.at(name, path));
  }

  /**
   * The resolved schema of a value within a method's params; undefined if there is none.
   * @param {string} name @param {Path} path
   * @returns {JsonSchema | undefined}
   */
  at(name, path) {
    let schema = this.params(name).find((param) => param.name === path[0])?.schema;
    for (const part of path.slice(1)) {
      const choices = schema?.oneOf?.map((one) => this.resolve(one)) ?? [schema];
      const whole = schema;
      schema = this.resolve(choices.map((one) => (typeof part === 'number' ? one?.items : one?.properties?.[part])).find(Boolean));
      if (schema && typeof part === 'number') schema = { 'x-unit': whole?.['x-unit'], description: whole?.description, ...schema };
    }
    return schema;
  }

  /** The values of an enumeration. @param {JsonSchema | undefined} schema resolved @returns {string[]} as JSON */
  choices(schema) {
    if (schema?.enum) return schema.enum.map((value) => JSON.stringify(value));
    if (schema?.type === 'boolean') return ['true', 'false'];
    return (schema?.oneOf ?? []).flatMap((one) => this.choices(this.resolve(one)));
  }

  /** Whether a value is the id of an object in the world. @param {JsonSchema | undefined} schema */
  isObject(schema) {
    return schema?.title === 'ObjectRef' || schema?.$ref === `${PREFIX}ObjectRef`;
  }

  /** A short description of a value: "integer, 2 … 4096", "3 numbers in m, −100,000 … 100,000". @param {JsonSchema} given @returns {string} */
  describe(given) {
    const schema = this.resolve(given);
    if (!schema) return '';
    const unit = schema['x-unit'] && schema['x-unit'] !== '1' ? ` in ${schema['x-unit']}` : '';
    if (this.isObject(schema)) return 'an object';
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
    if (schema.oneOf) return `${schema.oneOf.map((one) => this.describe(one)).join('; or ')}${unit}`;
    if (schema.type === 'array') return this.#describeArray(schema, unit);
    if (schema.type === 'object') return schema.properties ? `{${Object.keys(schema.properties).join(', ')}}` : 'an object';
    if (schema.type === 'string') return schema.pattern === '^#[0-9a-fA-F]{6}$' ? 'a color, "#rrggbb"' : schema.maxLength ? `text, at most ${figure(schema.maxLength)} characters` : 'text';
    return `${schema.type === 'boolean' ? 'true or false' : schema.type}${unit}${range(schema)}`;
  }

  /** @param {JsonSchema} schema @param {string} unit */
  #describeArray(schema, unit) {
    const items = this.resolve(schema.items) ?? {};
    const count = schema.minItems === schema.maxItems ? `${schema.maxItems} ` : '';
    const what = PLURALS[items.type ?? ''] ?? 'values';
    return `${count}${what}${unit}${['number', 'integer'].includes(items.type ?? '') ? range(items) : ''}`;
  }

  /**
   * Finds obvious errors in params before they are sent; the server checks everything.
   * @param {string} name @param {object} params
   * @returns {{pointer: string, message: string, key?: boolean}|null}
   */
  check(name, params) {
    const method = this.method(name);
    if (!method) return { pointer: '', message: `there is no method ${name}` };
    const members = this.params(name);
    for (const [key, value] of Object.entries(params)) {
      const member = members.find((one) => one.name === key);
      if (!member) return { pointer: `/${key}`, key: true, message: `${name} has no ${key}` };
      const fault = this.#fault(member.schema, value);
      if (fault) return { pointer: `/${key}`, message: `${key} is ${fault}` };
    }
    const missing = members.find((one) => one.required && !Object.hasOwn(params, one.name));
    return missing ? { pointer: '', message: `${name} needs ${missing.name}: ${this.describe(missing.schema)}` } : null;
  }

  /** @param {JsonSchema} schema @param {unknown} value */
  #fault(schema, value) {
    if (schema.enum && !schema.enum.includes(value)) return this.describe(schema);
    if (schema.oneOf || !['number', 'integer', 'boolean'].includes(schema.type ?? '')) return null;
    const typed = schema.type === 'boolean' ? typeof value === 'boolean' : typeof value === 'number' || typeof value === 'object';
    const whole = schema.type !== 'integer' || typeof value !== 'number' || Number.isInteger(value);
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
    const within = typeof value !== 'number' || (value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum);
    return typed && whole && within ? null : this.describe(schema);
  }
}

/** @param {JsonSchema} schema */
function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum;
  const most = exclusiveMaximum === undefined ? maximum : exclusiveMaximum;
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `, ${exclusiveMinimum === undefined ? '≥' : '>'} ${figure(least ?? 0)}`;
  if (least === undefined) return `, ${exclusiveMaximum === undefined ? '≤' : '<'} ${figure(most)}`;
  return `, ${exclusiveMinimum === undefined ? '' : '> '}${figure(least)} … ${exclusiveMaximum === undefined ? '' : '< '}${figure(most)}`;
}

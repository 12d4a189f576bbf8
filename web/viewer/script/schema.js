// SPDX-License-Identifier: MIT
// Reading the server's OpenRPC document as a person does: which methods and params there are, what they take, in which units.

const PREFIX = '#/components/schemas/';

const figure = (value) => (Number.isInteger(value) && Math.abs(value) >= 10000 ? value.toLocaleString('en-US') : String(value)).replace('-', '−');

export class Schema {
  #methods;

  /** @param {object} document rpc.discover's answer */
  constructor(document) {
    this.document = document;
    this.#methods = new Map(document.methods.map((method) => [method.name, method]));
  }

  /** All methods, as the document has them. */
  get methods() {
    return this.document.methods;
  }

  /** @param {string} name @returns {object|undefined} */
  method(name) {
    return this.#methods.get(name);
  }

  /** A schema with what it refers to put in. @param {object} schema */
  resolve(schema) {
    if (!schema?.$ref) return schema;
    const { $ref, ...own } = schema;
    return { ...this.resolve(this.document.components.schemas[$ref.slice(PREFIX.length)]), ...own };
  }

  /** What members an object of this schema has. @returns {{name: string, required: boolean, schema: object}[]} */
  members(schema) {
    const resolved = this.resolve(schema);
    return Object.entries(resolved?.properties ?? {}).map(([name, one]) => (
      { name, required: (resolved.required ?? []).includes(name), schema: this.resolve(one) }));
  }

  /** A method's params. @param {string} name @returns {{name: string, required: boolean, schema: object}[]} */
  params(name) {
    return (this.method(name)?.params ?? []).map(({ name: param, required, schema }) => ({ name: param, required, schema: this.resolve(schema) }));
  }

  /**
   * The members that can stand at this place, and of what: of a method's params, of an object within, of a command in a batch.
   * @param {string} name @param {(string|number)[]} path
   */
  membersAt(name, path) {
    if (path.length === 0) return this.params(name);
    return this.members(this.at(name, path));
  }

  /** The schema of a value within a method's params, resolved; undefined when there is none. */
  at(name, path) {
    let schema = this.params(name).find((param) => param.name === path[0])?.schema;
    for (const part of path.slice(1)) {
      const choices = schema?.oneOf?.map((one) => this.resolve(one)) ?? [schema];
      const whole = schema;
      schema = this.resolve(choices.map((one) => (typeof part === 'number' ? one?.items : one?.properties?.[part])).find(Boolean));
      if (schema && typeof part === 'number') schema = { 'x-unit': whole['x-unit'], description: whole.description, ...schema };
    }
    return schema;
  }

  /** The named values there are to choose from. @param {object} schema resolved @returns {string[]} as JSON */
  choices(schema) {
    if (schema?.enum) return schema.enum.map((value) => JSON.stringify(value));
    if (schema?.type === 'boolean') return ['true', 'false'];
    return (schema?.oneOf ?? []).flatMap((one) => this.choices(this.resolve(one)));
  }

  /** Whether a value names an object of the world. */
  isObject(schema) {
    return schema?.title === 'ObjectRef' || schema?.$ref === `${PREFIX}ObjectRef`;
  }

  /** What a value is, in a few words: "integer, 2 … 4096", "3 numbers in m, −100,000 … 100,000". @param {object} given */
  describe(given) {
    const schema = this.resolve(given);
    if (!schema) return '';
    const unit = schema['x-unit'] && schema['x-unit'] !== '1' ? ` in ${schema['x-unit']}` : '';
    if (this.isObject(schema)) return 'an object';
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
    if (schema.oneOf) return `${schema.oneOf.map((one) => this.describe(one)).join('; or ')}${unit}`;
    if (schema.type === 'array') return this.#describeArray(schema, unit);
    if (schema.type === 'object') return schema.properties ? `{${Object.keys(schema.properties).join(', ')}}` : 'an object';
    if (schema.type === 'string') return schema.pattern === '^#[0-9a-fA-F]{6}$' ? 'a colour, "#rrggbb"' : schema.maxLength ? `text, at most ${figure(schema.maxLength)} characters` : 'text';
    return `${schema.type === 'boolean' ? 'true or false' : schema.type}${unit}${range(schema)}`;
  }

  #describeArray(schema, unit) {
    const items = this.resolve(schema.items) ?? {};
    const count = schema.minItems === schema.maxItems ? `${schema.maxItems} ` : '';
    const what = { number: 'numbers', integer: 'integers', string: 'texts', array: 'lists', object: 'objects' }[items.type] ?? 'values';
    return `${count}${what}${unit}${['number', 'integer'].includes(items.type) ? range(items) : ''}`;
  }

  /**
   * What is plainly wrong with params, so that it can be said before they are sent; the server knows more.
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

  #fault(schema, value) {
    if (schema.enum && !schema.enum.includes(value)) return this.describe(schema);
    if (schema.oneOf || !['number', 'integer', 'boolean'].includes(schema.type)) return null;
    const typed = schema.type === 'boolean' ? typeof value === 'boolean' : typeof value === 'number' || typeof value === 'object';
    const whole = schema.type !== 'integer' || typeof value !== 'number' || Number.isInteger(value);
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
    const within = typeof value !== 'number' || (value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum);
    return typed && whole && within ? null : this.describe(schema);
  }
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum;
  const most = exclusiveMaximum === undefined ? maximum : exclusiveMaximum;
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `, ${exclusiveMinimum === undefined ? '≥' : '>'} ${figure(least)}`;
  if (least === undefined) return `, ${exclusiveMaximum === undefined ? '≤' : '<'} ${figure(most)}`;
  return `, ${exclusiveMinimum === undefined ? '' : '> '}${figure(least)} … ${exclusiveMaximum === undefined ? '' : '< '}${figure(most)}`;
}

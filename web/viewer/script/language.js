// SPDX-License-Identifier: MIT
// The console's command language: one command per line, as for weftctl or with params as JSON, and commands that wait for
// ticks.
//
//     sheet = cloth.spawn columns=20 rows=20 position=0,3,0        names the new object; numbers with commas are a vector
//     particle.pin {object: sheet, particles: [0, 19]}             JSON5: names without quotes, both quotes, commas at the end
//     wait 60 ticks                                                steps a paused world, waits for one that runs
//     {"method": "world.get"}                                      a request as it goes over the wire
//
// `;` ends a command as a line break does, lines continue within brackets, `#` and `//` begin a comment. A bare word is the
// name of an object made before, or else a string. The text is parsed as data, never evaluated as a program, and the server
// checks it.


const WORD = /[A-Za-z_$][\w$]*(?:[.-][\w$]+)*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const COLOR = /#[0-9a-fA-F]{6}(?![\w])/y;
const COMMENT = /(?:#|\/\/).*/y;
const SPACE = /[^\S\n]+/y;
/** @type {Record<string, string>} */
const ESCAPES = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const DEPTH_MAX = 16; // the server's limit, too
const NAMED = ['object', 'stick', 'obstacle', 'grab']; // members of a result that hold the id of a new thing

/** @typedef {any} Json a JSON value that may contain Names */
/** @typedef {{from: number, to: number}} Span a range of the text */
/** @typedef {Span & {type: string, value?: any}} Token `value` is a number in tokens of the type number, otherwise a string */
/** @typedef {Map<string, Span>} Spots positions of values by JSON pointer; those of keys by `key` followed by the pointer */

/** An error in a text and its position; `unfinished` if further text could correct it. */
export class LanguageFault extends Error {
  /** @param {string} message @param {number} from @param {number} to */
  constructor(message, from, to, unfinished = false) {
    super(message);
    this.name = 'LanguageFault';
    this.from = from;
    this.to = to;
    this.unfinished = unfinished;
  }
}

/** A placeholder in params for the id of a named object. */
export class Name {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
}

/** The id of the thing that a result reports as made, or undefined. @param {any} result @returns {number|undefined} */
export const madeBy = (result) => NAMED.map((member) => result?.[member]).find((id) => id !== undefined);

/** Replaces names in params by ids. @param {Json} value @param {Map<string, number>} ids @returns {any} */
export function resolve(value, ids) {
  if (value instanceof Name) return ids.get(value.name) ?? value.name;
  if (Array.isArray(value)) return value.map((item) => resolve(item, ids));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, ids)]));
  return value;
}

// ---- tokens --------------------------------------------------------------------------------------------------------

/** @param {RegExp} pattern @param {string} text @param {number} at */
function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** @param {string} text @param {number} from @returns {Token} */
function readString(text, from) {
  const quote = text[from];
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at];
    if (letter === quote) return { type: 'string', from, to: at + 1, value };
    if (letter === '\n') break;
    if (letter !== '\\') {
      value += letter;
      continue;
    }
    at++;
    const hex = text[at] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5)) ? text.slice(at + 1, at + 5) : null;
    value += hex ? String.fromCharCode(parseInt(hex, 16)) : ESCAPES[text[at]] ?? text[at] ?? '';
    if (hex) at += 4;
  }
  throw new LanguageFault(`unterminated string: a closing ${quote} is missing`, from, text.length);
}

/** @param {string} text @param {number} from @returns {Token} */
function nextToken(text, from) {
  const letter = text[from];
  if (letter === '\n') return { type: '\n', from, to: from + 1 };
  /** @type {[string, RegExp][]} */
  const simple = [['space', SPACE], ['word', COLOR], ['space', COMMENT], ['number', NUMBER], ['word', WORD]];
  for (const [type, pattern] of simple) {
    const found = match(pattern, text, from);
    if (found) return { type, from, to: from + found.length, value: type === 'number' ? Number(found) : found };
  }
  if (letter === '"' || letter === "'") return readString(text, from);
  if ('{}[]:,=;'.includes(letter)) return { type: letter, from, to: from + 1 };
  throw new LanguageFault(`unexpected ${letter}`, from, from + 1);
}

/** @param {string} text */
function tokensOf(text) {
  const tokens = [];
  for (let at = 0; at < text.length;) {
    const token = nextToken(text, at);
    if (token.type !== 'space') tokens.push(token);
    at = token.to;
  }
  return tokens;
}

// ---- commands ------------------------------------------------------------------------------------------------------

/**
 * @typedef {object} Statement
 * @property {'call'|'wait'} kind
 * @property {number} from @property {number} to its range in the text
 * @property {string} [method] @property {object} [params] may contain Names
 * @property {string} [as] the name for the thing it makes
 * @property {Spots} [places]
 * @property {number} [ticks] number of ticks to wait
 */

class Parser {
  #at = 0;

  /** @param {string} text @param {Iterable<string>} names */
  constructor(text, names) {
    this.tokens = tokensOf(text);
    this.end = text.length;
    this.names = new Set(names);
  }

  get #token() {
    return this.tokens[this.#at] ?? { type: 'end', from: this.end, to: this.end };
  }

  /** @param {...string} types */
  #is(...types) {
    return types.includes(this.#token.type);
  }

  /** @param {string} type @param {string} what @returns {Token} */
  #take(type, what) {
    const token = this.#token;
    if (token.type !== type) this.#refuse(what);
    this.#at++;
    return token;
  }

  /** @param {string} what @returns {never} */
  #refuse(what) {
    const token = this.#token;
    throw new LanguageFault(what, token.from, Math.max(token.to, token.from + 1), token.type === 'end');
  }

  #skipLines() {
    while (this.#is('\n')) this.#at++;
  }

  statements() {
    const all = [];
    for (;;) {
      while (this.#is('\n', ';')) this.#at++;
      if (this.#is('end')) return all;
      all.push(this.#statement());
      if (!this.#is('\n', ';', 'end')) this.#refuse('one command per line: end it here with a new line or ;');
    }
  }

  #statement() {
    const { from } = this.#token;
    if (this.#is('{')) return this.#request(from);
    const head = this.#take('word', 'a command starts with a method, such as cloth.spawn');
    if (head.value === 'wait' && this.#is('number')) return this.#wait(from);
    if (!this.#is('=')) return this.#call(head, from);
    if (/[.#-]/.test(head.value)) throw new LanguageFault('a name can contain only letters and digits', head.from, head.to);
    this.#at++;
    const call = this.#call(this.#take('word', `${head.value} = needs a method that creates something, such as cloth.spawn`), from);
    this.names.add(head.value);
    return { ...call, as: head.value };
  }

  /** @param {number} from @returns {Statement} */
  #wait(from) {
    const number = this.#take('number', 'a number of ticks');
    if (!Number.isInteger(number.value) || number.value < 1 || number.value > 1e6) {
      throw new LanguageFault('wait needs a number of ticks from 1 to 1,000,000', number.from, number.to);
    }
    if (this.#is('word') && /^ticks?$/.test(this.#token.value)) this.#at++;
    return { kind: 'wait', ticks: number.value, from, to: this.tokens[this.#at - 1].to };
  }

  /** @param {Token} method @param {number} from @returns {Statement} */
  #call(method, from) {
    /** @type {Spots} */
    const places = new Map([['key', method]]);
    let params = {};
    if (this.#is('{')) params = this.#value('', places, 1);
    else while (this.#is('word', 'string')) this.#pair(params, places);
    return { kind: 'call', method: method.value, params, places, from, to: this.tokens[this.#at - 1].to };
  }

  /** name=value, and a.b=value for nested members. @param {Record<string, Json>} params @param {Spots} places */
  #pair(params, places) {
    const key = this.#token;
    this.#at++;
    if (!this.#is('=')) {
      throw new LanguageFault(`params are name=value or {name: value}: ${key.value} has no value`, key.from, key.to);
    }
    this.#at++;
    /** @type {string[]} */
    const path = key.type === 'string' ? [key.value] : key.value.split('.');
    const pointer = path.map((part) => `/${escape(part)}`).join('');
    let parent = params;
    for (const part of path.slice(0, -1)) {
      parent[part] ??= {};
      if (typeof parent[part] !== 'object') throw new LanguageFault(`${part} is given twice, as a whole and by its members`, key.from, key.to);
      parent = parent[part];
    }
    const [last] = path.slice(-1);
    if (Object.hasOwn(parent, last)) throw new LanguageFault(`${key.value} is given twice`, key.from, key.to);
    places.set(`key${pointer}`, key);
    define(parent, last, this.#pairValue(pointer, places));
  }

  /** A value, or several numbers separated by commas. @param {string} pointer @param {Spots} places @returns {Json} */
  #pairValue(pointer, places) {
    const start = this.#token;
    const first = this.#value(pointer, places, 2);
    if (typeof first !== 'number' || !this.#is(',')) return first;
    const items = [first];
    places.set(`${pointer}/0`, start);
    while (this.#is(',')) {
      this.#at++;
      const token = this.#take('number', 'a vector is a list of numbers separated by commas');
      places.set(`${pointer}/${items.length}`, token);
      items.push(token.value);
    }
    places.set(pointer, { from: start.from, to: this.tokens[this.#at - 1].to });
    return items;
  }

  /** @param {number} from @returns {Statement} */
  #request(from) {
    /** @type {Spots} */
    const places = new Map();
    const { method, params = {}, ...others } = this.#value('', places, 1);
    const whole = { from, to: this.tokens[this.#at - 1].to };
    if (typeof method !== 'string') throw new LanguageFault('a request needs a method: {"method": "world.get"}', whole.from, whole.to);
    const other = Object.keys(others).find((name) => !['jsonrpc', 'id'].includes(name));
    if (other) {
      const { from: start, to } = places.get(`key/${escape(other)}`) ?? whole;
      throw new LanguageFault(`a request has method and params, not ${other}`, start, to);
    }
    /** @type {Spots} */
    const own = new Map([['key', places.get('/method') ?? whole]]);
    for (const [pointer, place] of places) {
      const found = /^(key)?\/params(.*)$/s.exec(pointer);
      if (found && (found[1] === undefined || found[2])) own.set(`${found[1] ?? ''}${found[2]}`, place);
    }
    return { kind: 'call', method, params, places: own, ...whole };
  }

  /** @param {string} pointer @param {Spots} places @param {number} depth @returns {Json} */
  #value(pointer, places, depth) {
    const token = this.#token;
    if (depth > DEPTH_MAX) throw new LanguageFault(`nested deeper than ${DEPTH_MAX}`, token.from, token.to);
    this.#at++;
    let value;
    if (token.type === '{') value = this.#object(pointer, places, depth);
    else if (token.type === '[') value = this.#array(pointer, places, depth);
    else if (token.type === 'number' || token.type === 'string') value = token.value;
    else if (token.type === 'word') value = this.#word(token.value);
    else {
      this.#at--;
      this.#refuse('a value is missing here');
    }
    places.set(pointer, { from: token.from, to: this.tokens[this.#at - 1].to });
    return value;
  }

  /** @param {string} word */
  #word(word) {
    /** @type {Record<string, Json>} */
    const plain = { true: true, false: false, null: null };
    if (Object.hasOwn(plain, word)) return plain[word];
    return this.names.has(word) ? new Name(word) : word;
  }

  /** @param {string} pointer @param {Spots} places @param {number} depth */
  #object(pointer, places, depth) {
    const object = {};
    for (this.#skipLines(); !this.#is('}'); this.#skipLines()) {
      if (!this.#is('word', 'string', 'number')) this.#refuse('a member is missing here: name: value, or } to end');
      const key = this.#token;
      this.#at++;
      if (Object.hasOwn(object, key.value)) throw new LanguageFault(`${key.value} is given twice`, key.from, key.to);
      this.#skipLines();
      if (!this.#is(':', '=')) this.#refuse(`${key.value} needs a colon and a value`);
      this.#at++;
      this.#skipLines();
      const inner = `${pointer}/${escape(String(key.value))}`;
      places.set(`key${inner}`, key);
      define(object, key.value, this.#value(inner, places, depth + 1));
      this.#skipLines();
      if (!this.#is(',', '}')) this.#refuse('a comma or } is missing here');
      if (this.#is(',')) this.#at++;
    }
    this.#at++;
    return object;
  }

  /** @param {string} pointer @param {Spots} places @param {number} depth */
  #array(pointer, places, depth) {
    const array = [];
    for (this.#skipLines(); !this.#is(']'); this.#skipLines()) {
      array.push(this.#value(`${pointer}/${array.length}`, places, depth + 1));
      this.#skipLines();
      if (!this.#is(',', ']')) this.#refuse('a comma or ] is missing here');
      if (this.#is(',')) this.#at++;
    }
    this.#at++;
    return array;
  }
}

/** @param {string} part */
const escape = (part) => part.replace(/~/g, '~0').replace(/\//g, '~1');

/** Sets a member, even one called __proto__. @param {object} object @param {string} key @param {Json} value */
function define(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * @param {string} text
 * @param {Iterable<string>} [names] names defined by earlier commands
 * @returns {Statement[]} throws a LanguageFault
 */
export function parse(text, names = []) {
  return new Parser(text, names).statements();
}

/**
 * Finds the part of a command that a server's error refers to: the key if a member is unknown, otherwise the value, or the
 * nearest enclosing value.
 * @param {Statement} statement @param {{pointer?: string, suggestion?: string}} [data] data of the error
 * @returns {{from: number, to: number}}
 */
export function placeOf(statement, { pointer = '', suggestion } = {}) {
  const { places = new Map() } = statement;
  const key = pointer && places.get(`key${pointer}`);
  if (key && (suggestion !== undefined || !places.has(pointer))) return key;
  for (let at = pointer; at; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at);
    if (place) return place;
  }
  return places.get('key') ?? statement;
}

// ---- completion ----------------------------------------------------------------------------------------------------

/** @param {string} text */
const openTokens = (text) => {
  for (let end = text.length; ; end--) { // an unfinished string ends too early, so the text before it is used
    try {
      return { tokens: tokensOf(text.slice(0, end)), rest: text.slice(end), at: end };
    } catch (fault) {
      end = /** @type {LanguageFault} */ (fault).from + 1;
    }
  }
};

/**
 * The element at the caret: `path` leads to the object whose member is typed, or to the value; `given` are the members it has
 * already; `braces`: whether the caret is within brackets.
 * @typedef {object} Context
 * @property {'method'|'key'|'value'|'none'} place @property {string|null} method @property {(string|number)[]} path
 * @property {number} from @property {string} prefix @property {string[]} given @property {boolean} braces
 */

/**
 * An open bracket: `key` is its key in the enclosing value, `member` the one being typed in it, `value` whether the caret is
 * at the member's value.
 * @typedef {{type: string, key: string|number|null, index: number, member: string|null, value: boolean, given: string[]}} OpenBracket
 */

/**
 * The state of the parser at the caret; `key` is that of the current pair outside of brackets, `index` counts the numbers of
 * its vector.
 * @typedef {object} State
 * @property {string|null} method @property {OpenBracket[]} frames @property {Context['place']} place @property {string|null} key
 * @property {number} index @property {string[]} given @property {boolean} pairs
 */

/**
 * Determines the element at the end of a text: a method, the name of a member, or a value.
 * @param {string} text the text before the caret
 * @returns {Context}
 */
export function contextOf(text) {
  const { tokens, rest, at } = openTokens(text);
  const last = tokens.at(-1);
  const writing = rest ? { from: at, prefix: rest.slice(1) }
    : last && last.to === text.length && ['word', 'number'].includes(last.type) ? { from: last.from, prefix: text.slice(last.from) }
      : { from: text.length, prefix: '' };
  if (!rest && writing.prefix) tokens.pop();
  /** @type {State} */
  const state = { method: null, frames: [], place: 'method', key: null, given: [], pairs: false, index: 0 };
  for (const token of tokens) step(state, token);
  const frame = state.frames.at(-1);
  const path = state.frames.flatMap(({ key }) => key ?? []);
  const place = frame ? (frame.type === '[' || frame.value ? 'value' : 'key') : state.place;
  if (frame && place === 'value') path.push(frame.type === '[' ? frame.index : frame.member ?? '');
  if (!frame && place === 'value') path.push(...(state.key ?? '').split('.'), ...(state.index > 0 ? [state.index] : []));
  return { place, method: state.method, path, ...writing, given: frame ? frame.given : state.given, braces: Boolean(frame) };
}

/** Advances by one token: outside of brackets a method, then pairs; inside them keys and values. @param {State} state @param {Token} token */
function step(state, token) {
  const frame = state.frames.at(-1);
  if (token.type === '{' || token.type === '[') {
    const key = frame ? (frame.type === '[' ? frame.index : frame.member) : state.place === 'value' ? state.key : null;
    state.frames.push({ type: token.type, key: key ?? null, index: 0, member: null, value: false, given: [] });
  } else if (token.type === '}' || token.type === ']') {
    state.frames.pop();
    const outer = state.frames.at(-1);
    if (outer) outer.value = outer.type === '[';
    else state.place = state.pairs ? 'key' : 'none';
  } else if (frame) {
    stepInside(frame, token);
  } else if (token.type === '\n' || token.type === ';') {
    Object.assign(state, { method: null, place: 'method', given: [], pairs: false, key: null });
  } else {
    stepOutside(state, token);
  }
}

/** @param {OpenBracket} frame @param {Token} token */
function stepInside(frame, token) {
  if (token.type === ',') {
    frame.index++;
    frame.value = false;
  } else if (token.type === ':' || token.type === '=') {
    frame.value = true;
  } else if (frame.type === '{' && !frame.value && ['word', 'string'].includes(token.type)) {
    frame.member = token.value;
    frame.given.push(token.value);
  }
}

/** @param {State} state @param {Token} token */
function stepOutside(state, token) {
  if (token.type === '=' && state.method && !state.pairs && state.place === 'key' && !state.key) {
    Object.assign(state, { method: null, place: 'method' }); // the word was the name of the result
  } else if (token.type === '=') {
    Object.assign(state, { place: 'value', pairs: true, index: 0 });
  } else if (token.type === ',') {
    state.index++;
    state.place = 'value';
  } else if (state.place === 'method' && token.type === 'word') {
    Object.assign(state, { method: token.value, place: 'key' });
  } else if (state.place === 'value') {
    state.place = 'key';
  } else if (token.type === 'word') {
    state.key = token.value;
    state.given.push(token.value);
  }
}

// SPDX-License-Identifier: MIT
// Lists the texts that users of Weft can see, by file: those of the page and of the element (children of h(), titles, labels,
// toasts, errors and every other literal that reads as text), of the HTML files, of the scenes, of the server and of weftctl.
// It errs on the side of too many: a literal is left out only when its place shows that it is code (an import, a comparison, a
// selector, SQL, a shader). `node tests/house/strings.mjs [PATH …]` prints the list.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folders and files of which users see texts. */
const SOURCES = ['web/index.html', 'web/watch.html', 'web/reference.html', 'web/viewer', 'web/element', 'web/client', 'web/npm', 'web/site', 'server'];
const SKIPPED = /\/(gen|engine)\/.*\.(c|h)$|\/(vendor|node_modules)\/|\.d\.ts$|\/protocol\.js$/;

/** Names of attributes, properties and members whose value is text even if it is a single word. */
const TEXT = new Set(['title', 'label', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'ariaLabel', 'placeholder', 'alt',
  'text', 'textContent', 'description', 'caption', 'hint', 'help', 'group', 'heading', 'message', 'unit', 'note', 'body', 'summary']);
/** Calls whose arguments are text: toasts, confirmations, errors, lil-gui's names. */
const SHOWN = /^(show|name|addFolder|confirm|alert|prompt|Error|TypeError|RangeError|SyntaxError|fail|refuse|say|tell|announce|explain)$/;

/** Names of keys and of errors, which look like labels. */
const KEYS = new Set(['Enter', 'Escape', 'Tab', 'Home', 'End', 'Control', 'Meta', 'Error', 'Worker', 'Bearer']);

/** @typedef {{line: number, text: string}} Text */

/** Whether a literal reads as text: a capitalized word or at least two words, and none of the signs of code. @param {string} text */
function reads(text) {
  if (/^(aria|plain|time|export|build|dock|person|console)-[a-z]|px\)|^\d+px /.test(text)) return false;
  if (/^\p{Lu}\p{Ll}{2,}$|^FPS$/u.test(text)) return !KEYS.has(text);
  if (!/\p{L}{2,}/u.test(text) || !/\p{L}\S* +\S*\p{L}|\$\{…\} \p{L}|\p{L} \$\{…\}/u.test(text)) return false;
  return !/^[.#[*]|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|BEGIN|COMMIT)\b|[{};]\s*\n|^(uniform|varying|attribute|#define)|::|^M-?\d|<\/?\w+[ >]|^(\d+ )?[a-z-]+ \d|,\s*[.#[]|var\(--|=>|^[\w-]+( [\w-]+)*\/[\w-]+/.test(text);
}

/** The text of a literal or template; what is inserted becomes ${…}. @param {any} node @returns {string | null} */
function literal(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') return node.quasis.map((/** @type {any} */ part) => part.value.cooked).join('${…}');
  return null;
}

/** Texts of a script. @param {string} source @returns {Text[]} */
export function textsOfScript(source) {
  /** @type {Text[]} */
  const texts = [];
  /** @param {any} node @param {boolean} shown whether the node's place makes even a single word text */
  const visit = (node, shown) => {
    if (!node || typeof node.type !== 'string') return;
    const text = literal(node);
    if (text !== null && (reads(text) || (shown && /\p{L}{2,}/u.test(text)))) texts.push({ line: node.loc.start.line, text });
    for (const [child, visible] of children(node, shown)) visit(child, visible);
  };
  visit(parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true }), false);
  return texts;
}

/** The nodes inside one, each with whether its place shows text. @param {any} node @param {boolean} shown @returns {[any, boolean][]} */
function children(node, shown) {
  switch (node.type) {
    case 'ImportDeclaration': case 'ExportAllDeclaration': case 'ImportExpression': return [];
    case 'TaggedTemplateExpression': case 'TemplateLiteral': return (node.expressions ?? node.quasi.expressions).map((/** @type {any} */ part) => [part, shown]);
    case 'SwitchCase': return node.consequent.map((/** @type {any} */ statement) => [statement, false]);
    case 'CallExpression': case 'NewExpression': {
      const name = node.callee.name ?? node.callee.property?.name;
      const own = SHOWN.test(name ?? '') || (name === 'setAttribute' && TEXT.has(node.arguments[0]?.value));
      return [[node.callee, false], ...node.arguments.map((/** @type {any} */ argument, /** @type {number} */ at) => [argument, (own && !(name === 'setAttribute' && at === 0)) || (name === 'h' && at > 1)])];
    }
    case 'Property': case 'PropertyDefinition': return [[node.value, TEXT.has(node.key.name ?? node.key.value)]];
    case 'AssignmentExpression': return [[node.left, false], [node.right, TEXT.has(node.left.property?.name)]];
    case 'BinaryExpression': return (node.operator === '+' ? [node.left, node.right] : [node.left, node.right].filter((side) => literal(side) === null)).map((side) => [side, node.operator === '+' && shown]);
    case 'ConditionalExpression': return [[node.test, false], [node.consequent, shown], [node.alternate, shown]];
    case 'LogicalExpression': return [[node.left, shown && node.operator !== '&&'], [node.right, shown]];
    case 'ArrayExpression': return node.elements.map((/** @type {any} */ element) => [element, shown]);
    case 'SpreadElement': case 'AwaitExpression': case 'ParenthesizedExpression': return [[node.argument ?? node.expression, shown]];
    default: return Object.entries(node).filter(([key]) => key !== 'loc').flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
      .filter((value) => value && typeof value.type === 'string').map((value) => [value, false]);
  }
}

/** Texts of an HTML file: between its tags, and in the attributes that are read out or shown. @param {string} source @returns {Text[]} */
export function textsOfPage(source) {
  /** @type {Text[]} */
  const texts = [];
  const shown = source.replace(/<!--[\s\S]*?-->|<(script|style)[\s\S]*?<\/\1>/g, (part) => part.replace(/[^\n]/g, ' '));
  for (const { 0: match, 1: attribute, 2: between, index } of shown.matchAll(/\s(?:aria-label|aria-description|title|placeholder|alt)="([^"]+)"|>([^<>]*\p{L}[^<>]*)</gu)) {
    texts.push({ line: shown.slice(0, index + match.search(/\S/)).split('\n').length, text: (attribute ?? between).trim().replace(/\s+/g, ' ') });
  }
  return texts;
}

/** Texts of C: literals that read as text, with those that follow one another joined. @param {string} source @returns {Text[]} */
export function textsOfC(source) {
  /** @type {Text[]} */
  const texts = [];
  const code = source.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/.*/g, (part) => (part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part))
    .replace(/^\s*#\s*(include|pragma|error).*|\b(static_assert|_Static_assert|assert)\s*\([^;]*;/gm, (part) => part.replace(/[^\n]/g, ' '));
  for (const { 0: match, index } of code.matchAll(/"(?:[^"\\\n]|\\.)*"(?:(?:\s|PRI[a-zX]\d+)+"(?:[^"\\\n]|\\.)*")*/g)) {
    const text = match.replace(/"\s*(PRI\w+)?\s*"/g, '').slice(1, -1).replaceAll('\\"', '"').replaceAll('\\n', '\n');
    if (reads(text) && !/[{}]"|":|^[\w.-]+: ?%s$/.test(text)) texts.push({ line: code.slice(0, index).split('\n').length, text });
  }
  return texts;
}

/** Titles and descriptions of a scene. @param {string} source @returns {Text[]} */
export function textsOfScene(source) {
  return [...source.matchAll(/"(?:title|description)":\s*"((?:[^"\\]|\\.)*)"/g)]
    .map(({ 1: text, index }) => ({ line: source.slice(0, index).split('\n').length, text }));
}

/** @type {[RegExp, (source: string) => Text[]][]} */
const READERS = [[/\.html$/, textsOfPage], [/\.m?js$/, textsOfScript], [/\.[ch]$/, textsOfC], [/\/scenes\/[^/]*\.json$/, textsOfScene]];

/** Files below a path. @param {string} path @returns {string[]} */
function files(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => (entry.isDirectory() ? files(`${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

/** All texts that users can see. @param {string[]} [sources] @returns {Generator<Text & {file: string}>} */
export function* userTexts(sources = SOURCES) {
  for (const file of sources.flatMap(files)) {
    const reader = READERS.find(([name]) => name.test(file))?.[1];
    if (!reader || SKIPPED.test(`/${file}`)) continue;
    for (const text of reader(readFileSync(join(root, file), 'utf8'))) yield { file, ...text };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2).map((path) => relative(root, join(process.cwd(), path)));
  let last = '';
  for (const { file, line, text } of userTexts(paths.length ? paths : undefined)) {
    if (file !== last) console.log(`\n${file}`);
    last = file;
    console.log(`${String(line).padStart(5)}  ${text.replaceAll('\n', '\\n')}`);
  }
}

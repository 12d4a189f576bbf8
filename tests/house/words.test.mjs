// SPDX-License-Identifier: MIT
// Texts that users see use the terms of web/GLOSSARY.md, and none of the words that it rules out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { textsOfC, textsOfPage, textsOfScene, textsOfScript, userTexts } from './strings.mjs';

/** The rows of the glossary's table. @returns {{term: string, meaning: string, not: string[]}[]} */
function glossary() {
  const text = readFileSync(new URL('../../web/GLOSSARY.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())).slice(1);
  return rows.map(([term, meaning, not]) => ({ term, meaning, not: not.split(', ').filter(Boolean) }));
}

/** A pattern for a phrase: whole words, in any case. @param {string} phrase */
function patternOf(phrase) {
  const literal = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\$\\{', '\\$\\{…');
  return new RegExp(`${/^\w/.test(phrase) ? '\\b' : ''}${literal}${/\w$/.test(phrase) ? '\\b' : ''}`, 'i');
}

const plain = (/** @type {{text: string}[]} */ texts) => texts.map(({ text }) => text);

test('every term of the glossary has a meaning in one sentence', () => {
  const rows = glossary();
  assert.ok(rows.length >= 40, `${rows.length} rows`);
  for (const { term, meaning } of rows) assert.match(meaning, /^[A-Z0-9].*[^.]\.$/, term);
});

test('no text that users see has a word that the glossary rules out', () => {
  const banned = glossary().flatMap(({ term, not }) => not.map((phrase) => ({ term, phrase, pattern: patternOf(phrase) })));
  const found = [];
  for (const { file, line, text } of userTexts()) {
    for (const { term, phrase, pattern } of banned) if (pattern.test(text)) found.push(`${file}:${line}: “${text}” has “${phrase}”; the term is “${term}”`);
  }
  assert.deepEqual(found, []);
});

test('every description in the protocol is sentences', () => {
  const found = [];
  const look = (/** @type {any} */ value, /** @type {string} */ path) => {
    if (value === null || typeof value !== 'object') return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === 'description' && typeof inner === 'string' && !/^["`A-Z0-9].*\w.*[.:)]$/s.test(inner)) found.push(`${path}: “${inner}”`);
      else if (member !== 'tags' && member !== 'examples') look(inner, `${path}/${member}`);
    }
  };
  const { methods, components: { schemas } } = JSON.parse(readFileSync(new URL('../../proto/weft.openrpc.json', import.meta.url), 'utf8'));
  look({ methods, schemas }, '');
  assert.deepEqual(found, []);
});

test('texts are found in scripts, pages, C and scenes', () => {
  const script = `import x from 'no text here'; h('b', { class: 'no', title: 'Tip' }, 'Child', on ? 'Yes' : \`No \${n} of them\`);
    if (a === 'not a text') throw new Error('It went wrong'); one(page, '.a .b'); show('Told');`;
  assert.deepEqual(plain(textsOfScript(script)), ['Tip', 'Child', 'Yes', 'No ${…} of them', 'It went wrong', 'Told']);
  assert.deepEqual(plain(textsOfPage('<!-- no --><p title="Tip">A  text</p>\n<script>no()</script>')), ['Tip', 'A text']);
  assert.deepEqual(plain(textsOfC('#include "no text"\n// "no text"\nfail("it went "\n     "wrong: %s", why);')), ['it went wrong: %s']);
  assert.deepEqual(plain(textsOfScene('{"title": "A scene",\n"description": "It falls."}')), ['A scene', 'It falls.']);
});

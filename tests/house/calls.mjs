// SPDX-License-Identifier: MIT
// The call graph of C files: parses the definitions, declarations and uses in each file of a folder, and finds cycles.
//
// The parser relies on the project's layout instead of the full language: a definition begins outside all braces, macros are
// not expanded, and a name in a file refers to the function or table of that name in the same folder, unless the file has a
// static one of its own.
import { readFileSync } from 'node:fs';

// Removes comments, preprocessor lines and the contents of literals; line numbers are preserved.
function bareText(text) {
  const blank = (match) => match.replace(/[^\n]/g, ' ');
  return text
    .replace(/\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (match) =>
      match[0] === '/' ? blank(match) : `""${blank(match.slice(2))}`)
    .replace(/^[ \t]*#(?:.*\\\n)*.*/gm, blank);
}

const attribute = /__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\bWEFT_[A-Z_]+(?:\([^()]*\))?/g;
const endsAsFunction = (head) => /^[^=]*\)\s*$/.test(head.replace(attribute, ''));

// Splits the text outside of braces into declarations and definitions, with the line where each begins.
function* topLevelItems(text) {
  let head = '';
  let hasBody = false;
  let depth = 0;
  let start = 0; // start of the item
  let end = 0; // end of the parsed text
  for (const { 0: mark, index } of text.matchAll(/[{};]/g)) {
    if (depth === 0) head += text.slice(end, index);
    end = index + 1;
    if (mark === '{' && !(depth === 0 && /^\s*extern\s*""\s*$/.test(head))) [depth, hasBody] = [depth + 1, true];
    if (mark === '}' && depth > 0) depth -= 1;
    if (depth > 0 || (mark === '}' && hasBody && !endsAsFunction(head))) continue;
    const line = text.slice(0, start + head.length - head.trimStart().length).split('\n').length;
    if (mark !== '{' && head.trim() !== '') yield { head: head.trim(), hasBody, line };
    [head, hasBody, start] = ['', false, end];
  }
}

// Parses a file. defines, declares: functions and variables with external linkage, and inline functions of a header; own:
// static ones of a .c file; uses: every name in it. Each maps a name to the line of its first occurrence.
export function readC(path) {
  const text = bareText(readFileSync(path, 'utf8'));
  const file = { defines: new Map(), declares: new Map(), own: new Map(), uses: new Map() };
  for (const { head, hasBody, line } of topLevelItems(text)) {
    const plain = head.replace(attribute, ' ').trim();
    if (/^(typedef|_?[Ss]tatic_assert)\b/.test(plain)) continue;
    const isStatic = /\bstatic\b|\b[A-Z_]*INLINE\b/.test(plain) && !path.endsWith('.h');
    const called = /^[^={(]*?\b([A-Za-z_]\w*)\s*\((?!\s*\*)/.exec(plain);
    const named = /([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=|$)/.exec(plain);
    if (called && /^[A-Z_0-9]+$/.test(called[1])) continue; // a macro contains the name of the function
    if (called) (hasBody ? (isStatic ? file.own : file.defines) : file.declares).set(called[1], line);
    else if (!named || /^(struct|enum|union)\b\s*\w*$/.test(plain)) continue;
    else (/^extern\b/.test(plain) ? file.declares : isStatic ? file.own : file.defines).set(named[1], line);
  }
  for (const [index, line] of text.split('\n').entries()) {
    for (const [name] of line.matchAll(/(?<!->\s*|\.\s*|\b(?:struct|enum|union)\s+)\b[A-Za-z_]\w*/g)) {
      if (!file.uses.has(name)) file.uses.set(name, index + 1);
    }
  }
  return file;
}

// A .c file and its header are one part: "host/world".
export const partOf = (file) => file.replace(/\.[ch]$/, '');

// The calls between parts: a Map of part → Map of called part → { file, line, name } of the first such call. `files` maps a
// path to the result of readC.
export function callsBetween(files) {
  const definers = new Map();
  for (const [path, file] of files) for (const name of file.defines.keys()) definers.set(name, partOf(path));
  const calls = new Map([...files.keys()].map((path) => [partOf(path), new Map()]));
  for (const [path, file] of files) {
    const from = calls.get(partOf(path));
    for (const [name, line] of file.uses) {
      const to = definers.get(name);
      if (to && to !== partOf(path) && !file.own.has(name) && !from.has(to)) from.set(to, { file: path, line, name });
    }
  }
  return calls;
}

// The strongly connected components (Tarjan 1972) with more than one part.
export function circlesOf(calls) {
  const numbers = new Map();
  const lowest = new Map();
  const open = [];
  const circles = [];
  const visit = (part) => {
    numbers.set(part, numbers.size);
    lowest.set(part, numbers.get(part));
    open.push(part);
    for (const next of calls.get(part).keys()) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(part, Math.min(lowest.get(part), lowest.get(next)));
    }
    if (lowest.get(part) !== numbers.get(part)) return;
    const circle = open.splice(open.indexOf(part));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const part of calls.keys()) if (!numbers.has(part)) visit(part);
  return circles;
}

// A short list of cycles that covers a set of parts: removing one call of each breaks the cycle. Each cycle is a list of
// calls { from, to, file, line, name }, the last of which closes it.
export function closingWays(calls, circle) {
  const inside = new Map(circle.map((part) => [part, [...calls.get(part).keys()].filter((next) => circle.includes(next))]));
  // An order with few upward calls (Eades, Lin and Smyth 1993): callers first.
  const left = new Set(circle);
  const order = [];
  while (left.size > 0) {
    const balance = (part) => inside.get(part).filter((next) => left.has(next)).length -
      circle.filter((other) => left.has(other) && inside.get(other).includes(part)).length;
    const next = [...left].reduce((best, part) => (balance(part) > balance(best) ? part : best));
    left.delete(next);
    order.push(next);
  }
  const ways = [];
  for (const [place, part] of order.entries()) {
    for (const upward of inside.get(part).filter((next) => order.indexOf(next) < place)) ways.push([...shortestWay(inside, upward, part), upward]);
  }
  return ways.map((way) => way.slice(1).map((to, index) => ({ from: way[index], to, ...calls.get(way[index]).get(to) })));
}

function shortestWay(inside, from, to) {
  const before = new Map([[from, null]]);
  for (const part of before.keys()) for (const next of inside.get(part)) if (!before.has(next)) before.set(next, part);
  const way = [];
  for (let part = to; part !== null; part = before.get(part)) way.unshift(part);
  return way;
}

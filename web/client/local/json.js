// SPDX-License-Identifier: MIT
// JSON as texts, where values must not change on the way: JSON.stringify writes -0 as 0, which a simulation tells apart.

/** The JSON text of a value. @param {any} value @returns {string} */
export function toJson(value) {
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`;
  if (Object.is(value, -0)) return '-0.0';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join()}}`;
}

/** The texts of the elements of an array. @param {string} text of an array, valid JSON @returns {string[]} */
export function splitArray(text) {
  const elements = [];
  let depth = 0;
  let start = text.indexOf('[') + 1;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (letter === '{' || letter === '[') {
      depth++;
    } else if (depth === 0 && (letter === ',' || letter === ']')) {
      elements.push(text.slice(start, at));
      start = at + 1;
    } else if (letter === '}' || letter === ']') {
      depth--;
    }
  }
  return elements;
}

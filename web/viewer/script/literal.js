// SPDX-License-Identifier: MIT
// Writes values as literals of other languages. Every digit of a number is preserved, because a difference in one bit leads
// to another state of the world.

/**
 * JSON on one line, with a space after commas and colons. −0 is preserved, unlike with JSON.stringify.
 * @param {unknown} value
 * @returns {string}
 */
export function toJson(value) {
  if (Array.isArray(value)) return `[${value.map(toJson).join(', ')}]`;
  if (value && typeof value === 'object') return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toJson(item)}`).join(', ')}}`;
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value);
}

/** A Python literal. A JSON string is a valid Python string. @param {unknown} value @returns {string} */
export function toPython(value) {
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (value && typeof value === 'object') return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item)}`).join(', ')}}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return toJson(value);
}

/** One word of a POSIX shell command. @param {string} text */
export function toShell(text) {
  return /^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

// SPDX-License-Identifier: MIT
// Values as they are written in other languages: every number digit for digit, for one bit less is another world.

/**
 * As JSON on one line, with a space behind commas and colons. −0 stays what it is, which JSON.stringify forgets.
 * @param {unknown} value
 * @returns {string}
 */
export function toJson(value) {
  if (Array.isArray(value)) return `[${value.map(toJson).join(', ')}]`;
  if (value && typeof value === 'object') return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toJson(item)}`).join(', ')}}`;
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value);
}

/** As Python. A JSON string is one of Python's too. @param {unknown} value @returns {string} */
export function toPython(value) {
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (value && typeof value === 'object') return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item)}`).join(', ')}}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return toJson(value);
}

/** As one word of a POSIX shell. @param {string} text */
export function toShell(text) {
  return /^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

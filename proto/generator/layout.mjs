// SPDX-License-Identifier: MIT
// Formats JSON in the layout of weft.openrpc.json: a value that fits into WIDTH columns is on one line.
const WIDTH = 160;

function flat(value) {
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flat(one)}`).join(", ")}}`;
}

/** Formats a value. `before` and `after` are the numbers of characters beside it on its line. */
export function layOut(value, indent = "", before = 0, after = 0) {
  const line = flat(value);
  const fits = indent.length + before + line.length + after <= WIDTH;
  if (value === null || typeof value !== "object" || line.length === 2 || (fits && indent.length > 2)) return line;
  const inner = `${indent}  `;
  const entries = Array.isArray(value) ? value.map((one) => ["", one]) : Object.entries(value).map(([key, one]) => [`${JSON.stringify(key)}: `, one]);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const rows = entries.map(([key, one], at) => `${inner}${key}${layOut(one, inner, key.length, at < entries.length - 1 ? 1 : 0)}`);
  return `${open}\n${rows.join(",\n")}\n${indent}${close}`;
}

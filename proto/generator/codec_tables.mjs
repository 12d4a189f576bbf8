// SPDX-License-Identifier: MIT
// Writes the constant tables of coding 2 as JSON, for decoders in any language. They are parsed from the server's C header.

const SYMBOLS = 16;
const ROWS = 68;
const TERMS = 8;
const LINKS = 4;
const KINDS = ["sheet", "body"];
const BASELINES = 4; // numbers of baselines: 0 to 3

/** The numbers of each initialiser of a C source, in order. */
function tablesOf(source) {
  const code = source.replace(/\/\/.*$/gm, "");
  return code.split("= {").slice(1).map((table) => [...table.slice(0, table.indexOf("};")).matchAll(/-?\d+/g)].map(Number));
}

const piecesOf = (numbers, size) => Array.from({ length: numbers.length / size }, (_, i) => numbers.slice(size * i, size * (i + 1)));

/** @param {string} source server/proto/frame/codec_tables.h @returns {string} proto/codec_tables.json */
export function codecTables(source) {
  const [starts, weights] = tablesOf(source);
  const size = 3 * TERMS + LINKS + 1;
  if (starts?.length !== 2 * ROWS * SYMBOLS || weights?.length !== BASELINES * KINDS.length * size) {
    throw new Error("server/proto/frame/codec_tables.h does not hold the expected tables");
  }
  const rows = piecesOf(starts, SYMBOLS);
  const sets = piecesOf(weights, size).map((set) => ({
    linear: piecesOf(set.slice(0, 3 * TERMS), TERMS),
    length: set.slice(3 * TERMS, 3 * TERMS + LINKS),
    shift: set.at(-1),
  }));
  const line = (value) => JSON.stringify(value);
  const list = (values, indent) => values.map((value) => `${indent}${line(value)}`).join(",\n");
  return `{
  "description": "The fixed numbers of coding 2 (FRAMES.md). starts: for each row the slots, of 4096, at which symbols 0 to 15 begin. weights: by number of baselines, 0 to 3, those of mode 1; linear by axis, in 1/256.",
  "starts": {
    "restless": [
${list(rows.slice(0, ROWS), "      ")}
    ],
    "quiet": [
${list(rows.slice(ROWS), "      ")}
    ]
  },
  "weights": [
${Array.from({ length: BASELINES }, (_, n) => `    {\n${KINDS.map((kind, k) => `      "${kind}": ${line(sets[KINDS.length * n + k])}`).join(",\n")}\n    }`).join(",\n")}
  ]
}
`;
}

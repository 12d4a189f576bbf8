// SPDX-License-Identifier: MIT
// The table in tests/RELIABILITY.md: required and measured reliability of the server, parsed from the output of tests as in
// physics.mjs. These tests take hours, so they run on request only; figures of tests that were not run stay unchanged in the
// file.
//
//   node tests/house/reliability.mjs LOGS           checks the figures in the logs, and the rows of the file
//   node tests/house/reliability.mjs LOGS --write   the same, and writes the file
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROMISES } from '../cluster/checker.mjs';
import { cells, measure, read, render, sameRows } from './physics.mjs';

const FILE = fileURLToPath(new URL('../RELIABILITY.md', import.meta.url));
const fixed = (digits) => (figure) => figure.toFixed(digits);
const none = { is: '=', limit: 0, show: fixed(0) };

const system = (test, row) => ({ log: 'system', test: `system/${test}.test.mjs`, ...row });
const moves = (what, line) => system('budget', { what: `beside ${what}: the median latency of others moves by`, is: '<', limit: 5, unit: 'ms', show: fixed(2), line });
const fuzzed = (target, what) => [
  { what: `fuzzing ${what}: findings`, log: `fuzz-${target}`, test: `fuzz/fuzz_${target}.c`, ...none, line: new RegExp(`^fuzz ${target}: (\\d+) findings`) },
  {
    what: `fuzzing ${what}: time`, log: `fuzz-${target}`, test: `fuzz/fuzz_${target}.c`, is: '≥', limit: 1800, unit: 's', show: fixed(0),
    line: new RegExp(`^fuzz ${target}: \\d+ findings in \\d+ runs, (\\d+) s$`),
  },
];
const stored = (test, row) => ({ test: `store_${test}_test`, ...row });
const timed = (test, row) => ({ log: 'soak-time', test: `system/${test}.test.mjs`, show: fixed(0), ...row });
const lockstep = (row) => ({ log: 'soak-lockstep', test: 'soak/lockstep.mjs', ...row });
const cluster = (row) => ({ log: 'cluster-test', test: 'cluster/cluster_test.mjs', ...row });
const promise = (what) => cluster({ what: `clusters under random faults: ${what}`, ...none, line: new RegExp(`^cluster: (\\d+) ${what}$`) });
const soak = (row) => ({ log: 'soak', test: 'soak/soak.mjs', ...row });

/** Rows by the numbers of the list of reliability requirements. @type {Record<string, import('./physics.mjs').Row[]>} */
export const table = {
  1: [
    stored('crash', { what: 'the store killed at random moments', log: 'soak-store', is: '≥', limit: 1000, show: fixed(0), line: /^store: (\d+) kills, / }),
    stored('crash', { what: 'the store killed: times that something acknowledged was lost', log: 'soak-store', ...none, line: /^store: \d+ kills, (\d+) lost something acknowledged$/ }),
    stored('crash', { what: 'power cut under the store, durability full', log: 'soak-store', is: '≥', limit: 200, show: fixed(0), line: /^store: (\d+) power cuts, / }),
    stored('crash', { what: 'power cut: times that something acknowledged was lost', log: 'soak-store', ...none, line: /^store: \d+ power cuts, (\d+) lost something acknowledged$/ }),
    timed('recovery', { what: 'the server killed at random moments, nothing acknowledged lost', is: '≥', limit: 1000, line: /(\d+) kills, \d+ answered commands, none lost$/ }),
  ],
  2: [
    stored('fault', { what: 'disk full, I/O errors, failing fsync: calls that failed in turn', log: 'unit', is: '≥', limit: 100, show: fixed(0), line: /^store: (\d+) failing calls of the disk, / }),
    stored('fault', { what: 'disk full, I/O errors, failing fsync: false acknowledgements', log: 'unit', ...none, line: /^store: \d+ failing calls of the disk, (\d+) false acknowledgements$/ }),
    stored('wal', { what: 'files of a killed store changed, cut, emptied or deleted', log: 'unit', is: '≥', limit: 1000, show: fixed(0), line: /^store: (\d+) trials of damage, / }),
    stored('wal', { what: 'files of a killed store damaged: silent losses', log: 'unit', ...none, line: /^store: \d+ trials of damage, (\d+) silent losses$/ }),
    stored('memory', { what: 'allocations of the store that failed in turn', log: 'soak-store', is: '≥', limit: 1000, show: fixed(0), line: /^store: (\d+) failing allocations, / }),
    stored('memory', { what: 'allocations of the store that failed: what was left behind', log: 'soak-store', ...none, line: /^store: \d+ failing allocations, (\d+) left behind$/ }),
    system('memory', { what: 'allocations on the way of a command that failed in turn, nothing said that was not so', is: '≥', limit: 500, show: fixed(0), line: /(\d+) allocations on the way of a command failed in turn$/ }),
  ],
  3: [
    timed('history', { what: 'history of the default scene, gone to at 50 random ticks', is: '≥', limit: 36000, unit: 'ticks', line: /50 seeks in (\d+) ticks of the default scene, / }),
    timed('history', { what: 'the slowest of these seeks', is: '≤', limit: 1000, unit: 'ms', line: / ticks of the default scene, the slowest took (\d+) ms$/ }),
  ],
  4: [
    ...fuzzed('json', 'messages and scenes'),
    ...fuzzed('codec', 'frames'),
    ...fuzzed('head', 'HTTP requests and paths'),
    ...fuzzed('wire', 'WebSocket frames'),
    ...fuzzed('record', 'commands of the log'),
    ...fuzzed('snapshot', 'worlds as bytes'),
    ...fuzzed('capsule', 'capsules'),
    ...fuzzed('follow', 'messages to viewers in lockstep'),
  ],
  6: [
    moves('a flood of 100 times its rate', /beside a flood: the median latency moved by (\S+) ms$/),
    moves('the largest messages, padded', /beside the largest messages \(padding\): the median latency moved by (\S+) ms$/),
    moves('the largest messages, of numbers', /beside the largest messages \(numbers\): the median latency moved by (\S+) ms$/),
    moves('the largest messages, of commands', /beside the largest messages \(commands\): the median latency moved by (\S+) ms$/),
  ],
  8: [
    soak({ what: 'soak: time', is: '≥', limit: 1800, unit: 's', show: fixed(0), line: /^soak: (\d+) s, / }),
    soak({ what: 'soak: commands answered', is: '≥', limit: 1000, show: fixed(0), line: /^soak: \d+ s, (\d+) commands answered/ }),
    soak({ what: 'soak: replies missing, of clients that stayed', ...none, line: /^soak: (\d+) replies missing$/ }),
    soak({ what: 'soak: growth of resident memory after the first sixth', is: '≤', limit: 5, unit: '%', show: fixed(2), line: /^soak: resident memory grew by (\S+) % / }),
    soak({ what: 'soak: ticks left out', ...none, line: /^soak: (\d+) ticks left out of \d+$/ }),
    soak({ what: 'soak: hashes that differ from a replay', ...none, line: /^soak: (\d+) hashes of \d+ differ from a replay$/ }),
    lockstep({ what: 'random commands beside viewers in lockstep: time', is: '≥', limit: 3600, unit: 's', show: fixed(0), line: /^lockstep: (\d+) s, / }),
    lockstep({ what: 'viewers in lockstep: hashes compared', is: '≥', limit: 2000, show: fixed(0), line: /^lockstep: (\d+) hashes compared, / }),
    lockstep({ what: 'viewers in lockstep: hashes and states that differ', ...none, line: /^lockstep: \d+ hashes compared, (\d+) differ$/ }),
    lockstep({ what: 'viewers in lockstep: flipped bits found within 60 ticks and mended', is: '≥', limit: 50, show: fixed(0), line: /^lockstep: (\d+) flipped bits found within 60 ticks and mended/ }),
    lockstep({ what: 'viewers in lockstep: snapshots asked for again without a cause', ...none, line: /^lockstep: (\d+) snapshots asked for again without a cause/ }),
  ],
  9: [
    cluster({ what: 'clusters under random faults: runs', is: '≥', limit: 300, show: fixed(0), line: /^cluster: (\d+) runs of random faults, / }),
    cluster({ what: 'clusters under random faults: commands acknowledged', is: '≥', limit: 100000, show: fixed(0), line: /^cluster: \d+ runs of random faults, (\d+) commands acknowledged/ }),
    ...Object.values(PROMISES).map(promise),
  ],
};

export const rows = Object.entries(table).flatMap(([item, list]) => list.map((row) => ({ item, ...row })));

export const HEAD = `${cells('', 'what', 'expected', 'measured', 'test')}
${cells('--:', '---', '---', '---', '---')}
`;

const PLACE = /(<!-- figures -->\n)(.*)(<!-- end of figures -->\n)/s;

/** The table as it is in the file; the rest of the file's text is written by hand. */
export const tableOf = (text) => PLACE.exec(text)?.[2] ?? '';

/** A row as it is in the file, or undefined. */
const kept = (text, { item, what }) => text.split('\n').find((line) => line.startsWith(`| ${item} | ${what} | `));

function main([folder, ...options]) {
  const logs = Object.fromEntries([...new Set(rows.map(({ log }) => log))].map((name) => [name, read(join(folder, `${name}.log`))]));
  const file = read(FILE), before = tableOf(file);
  const results = rows.map((row) => measure(row, logs));
  const measured = results.filter(({ row }) => logs[row.log] !== '');
  const wrong = measured.filter(({ fault }) => fault);
  for (const { row, fault } of wrong) console.log(`item ${row.item}, ${row.what}: ${fault}`);
  if (options.includes('--write')) {
    const fresh = render(results, HEAD).split('\n');
    const text = fresh.map((line) => {
      const result = results.find(({ row }) => line.startsWith(`| ${row.item} | ${row.what} | `));
      return result && logs[result.row.log] === '' ? kept(before, result.row) ?? line : line;
    });
    writeFileSync(FILE, file.replace(PLACE, (whole, begin, old, end) => begin + text.join('\n') + end));
  }
  const stale = !sameRows(tableOf(readFileSync(FILE, 'utf8')), results, HEAD);
  if (stale) console.log('tests/RELIABILITY.md has other rows: run `make reliability`');
  const failed = wrong.length + (stale ? 1 : 0);
  console.log(`${measured.length + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));

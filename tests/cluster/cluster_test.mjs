// SPDX-License-Identifier: MIT
// `make cluster-test`: many runs of clusters under random faults. Each run has namespaces of its own, in which nothing is left
// when it has ended, however it did (isolated.sh).
//
//   node tests/cluster/cluster_test.mjs [RUNS=300] [JOBS=1] [SEED=1]
//
// Runs are numbered by their seeds, from SEED on; a run is repeated by RUNS=1 SEED=N. Results go to build/cluster-test, to a file
// for each weftd that was tested: when this is stopped and started again, it goes on with the runs that are missing there.
// The logs of a failed run, and the messages that its clients sent and heard, are in build/cluster-test/failed/SEED.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD, ROOT, WEFTD } from '../support/programs.mjs';
import { PROMISES } from './checker.mjs';

const PATIENCE_MS = 240000; // for one run
const FOLDER = join(BUILD, 'cluster-test');
const TEMPLATE = 'template-';
const KINDS = { random: 'random faults', lying: 'a database that loses what it has acknowledged' };

/** Runs run.mjs in namespaces of its own. @returns {Promise<{status: number | null, said: string}>} its status, and the last line of its output */
function isolated(args) {
  return new Promise((resolve) => {
    const child = spawn(join(ROOT, 'tests/cluster/isolated.sh'), ['node', join(ROOT, 'tests/cluster/run.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '', err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ status, said: out.trim().split('\n').at(-1), err: err.trim() });
    });
  });
}

/** The digest that identifies the tested weftd. */
const buildOf = () => createHash('sha256').update(readFileSync(WEFTD)).digest('hex').slice(0, 12);

/** The folder that databases begin with. It has the tables of the tested weftd. */
const templateOf = () => join(FOLDER, TEMPLATE + buildOf());

/** Makes the folder that databases begin with, unless it is there. @returns {Promise<string | null>} why there is none */
export async function prepare() {
  const template = templateOf(), fresh = `${template}.${process.pid}`;
  if (existsSync(template)) return null;
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) if (name.startsWith(TEMPLATE)) rmSync(join(FOLDER, name), { recursive: true }); // of other builds
  const { status, err } = await isolated(['template', fresh]);
  if (status !== 0) return err || `status ${status}`;
  renameSync(fresh, template);
  return null;
}

/** One run. @param {keyof KINDS} kind @param {number} seed @returns {Promise<object>} its result (run.mjs) */
export async function play(kind, seed) {
  const kept = join(FOLDER, kind === 'random' ? 'failed' : kind, String(seed));
  rmSync(kept, { recursive: true, force: true });
  const { status, said, err } = await isolated([kind, String(seed), templateOf(), kept]);
  try {
    return JSON.parse(said);
  } catch {
    return { kind, seed, passed: false, error: `status ${status}: ${err || said}` };
  }
}

const sum = (results, key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);
const violations = (results, promise) => results.flatMap((result) => result.violations ?? []).filter((one) => one.promise === promise).length;

function report(results) {
  const faults = {};
  for (const fault of results.flatMap((result) => result.faults ?? [])) faults[fault] = (faults[fault] ?? 0) + 1;
  console.log(`cluster: ${results.length} runs of ${KINDS.random}, ${sum(results, 'acknowledged')} commands acknowledged, ${sum(results, 'refused')} refused, ${sum(results, 'unknown')} of unknown outcome`);
  console.log(`cluster: faults: ${Object.entries(faults).sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => `${name} ${count}`).join(', ')}`);
  for (const [promise, what] of Object.entries(PROMISES)) console.log(`cluster: ${violations(results, promise)} ${what}`);
  const failed = results.filter(({ passed }) => !passed);
  for (const { seed, error, ends } of failed) console.log(`cluster: run ${seed} failed: ${error?.split('\n')[0] ?? [...ends, 'see what is kept of it'].join(', ')}`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

async function main(args) {
  const { RUNS = 300, JOBS = 1, SEED = 1 } = Object.fromEntries(args.map((arg) => arg.split('=')).filter(([, value]) => value).map(([name, value]) => [name, Number(value)]));
  const seeds = Array.from({ length: RUNS }, (_, i) => SEED + i);
  const missing = await prepare();
  if (missing) {
    console.log(`cluster: ${missing}\n0 passed, 1 failed`);
    return 1;
  }
  const file = join(FOLDER, `results-${buildOf()}.jsonl`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line.endsWith('}')) : [];
  const results = new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.seed, result]));
  const left = RUNS === 1 ? seeds : seeds.filter((seed) => !results.has(seed));
  console.log(`cluster: ${left.length} of ${RUNS} runs are left; results go to ${file}`);
  await Promise.all(Array.from({ length: JOBS }, async () => {
    while (left.length > 0) {
      const result = await play('random', left.shift());
      results.set(result.seed, result);
      appendFileSync(file, `${JSON.stringify(result)}\n`);
      const outcome = result.passed ? 'passed' : `FAILED: ${result.error?.split('\n')[0] ?? [...result.ends, ...result.violations.map(({ what }) => what)].slice(0, 3).join('; ')}`;
      console.log(`run ${result.seed}: ${outcome} (${result.acknowledged ?? 0} acknowledged, ${result.seconds ?? '?'} s: ${result.faults?.join(', ') ?? ''})`);
    }
  }));
  return report(seeds.map((seed) => results.get(seed))) ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main(process.argv.slice(2));

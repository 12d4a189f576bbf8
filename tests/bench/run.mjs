// SPDX-License-Identifier: MIT
// Runs the benchmarks and writes the report: run.mjs OUT [PART …], where OUT is the build folder and PART one of the parts
// below; all parts by default. OUT/bench/report.md and its charts are for readers, OUT/bench/report.json has the same figures
// by name.
//
// A part is a module with `run(bench)`, which returns { title, figures: { name: number }, text: markdown } and writes its
// charts. A part fails only if it cannot run; a missed target is reported, and is not a failure.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Bench } from './bench.mjs';
import { machine, versions } from './machine.mjs';
import { judge, verdicts } from './targets.mjs';

const PARTS = ['solver', 'peers', 'growth', 'twist', 'tick', 'frames', 'fanout', 'lockstep', 'broadcast', 'page', 'class', 'store', 'cluster', 'python'];

const [out, ...wanted] = process.argv.slice(2);
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (out === undefined || unknown.length > 0) {
  console.error(unknown.length > 0 ? `There is no part ${unknown.join(', ')}; there are ${PARTS.join(', ')}.` : 'run.mjs OUT [PART …]');
  process.exit(2);
}

if (process.env.ROUNDS && !/^[1-9]\d{0,3}$/.test(process.env.ROUNDS)) {
  console.error(`ROUNDS must be a whole number from 1 to 9999, not ${process.env.ROUNDS}.`);
  process.exit(2);
}

const folder = join(resolve(out), 'bench');
await mkdir(folder, { recursive: true });
const bench = new Bench(resolve(out), folder);
const started = Date.now();
const figures = {};
const sections = [];
const failed = [];

for (const name of wanted.length > 0 ? wanted : PARTS) {
  bench.say(`==== ${name}`);
  try {
    const { run } = await import(`./${name}.mjs`);
    const part = await run(bench);
    Object.assign(figures, part.figures);
    sections.push(`## ${part.title}\n\n${part.text}`);
  } catch (error) {
    failed.push(name);
    sections.push(`## ${name}\n\nThis part could not run: ${error.message}`);
    bench.say(`${name} could not run: ${error.stack}`);
  }
}

const about = { ...machine(), versions: await versions(bench), seconds: Math.round((Date.now() - started) / 1000), started: new Date(started).toISOString() };
const judged = judge(figures);
await writeFile(join(folder, 'report.json'), JSON.stringify({ about, figures, targets: judged }, null, 1) + '\n');
await writeFile(join(folder, 'report.md'), report());
for (const line of verdicts(judged)) console.log(line);
console.log(`${join(folder, 'report.md')}: ${judged.filter(({ met }) => met).length} of ${judged.length} targets met${failed.length > 0 ? `; could not run: ${failed.join(', ')}` : ''}`);
process.exit(failed.length > 0 ? 1 : 0);

function report() {
  const facts = Object.entries({ ...about, versions: undefined, ...about.versions }).filter(([, value]) => value !== undefined);
  return [
    '# Weft measured',
    `One run of \`make bench\`, ${about.seconds} s${bench.quick ? ', QUICK: one round of everything, not to be believed' : ''}. Times are CPU times where one thread is measured, medians of repeated runs that alternate between the contenders.`,
    facts.map(([name, value]) => `* ${name}: ${value}`).join('\n'),
    '## Targets',
    ['| figure | here | target | met |', '|---|---|---|---|', ...judged.map((row) => `| ${row.words} (\`${row.name}\`) | ${row.shown} | ${row.target} | ${row.met ? 'yes' : row.value === undefined ? 'not measured' : '**no**'} |`)].join('\n'),
    ...sections,
  ].join('\n\n') + '\n';
}

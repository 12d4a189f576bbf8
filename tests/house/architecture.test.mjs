// SPDX-License-Identifier: MIT
// server/ARCHITECTURE.md is correct: its diagram and its order of sub-folders equal the rule of includes.mjs, and everything
// that it names exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folders, order } from './includes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'server/ARCHITECTURE.md');
const text = readFileSync(page, 'utf8');
const sorted = (table) => Object.fromEntries(Object.entries(table).map(([name, list]) => [name, [...list].sort()]));

test('the picture of the folders shows what each may include, and nothing else', () => {
  const drawn = { base: [] };
  for (const [, from, to] of text.matchAll(/^ {2}(\w+) --> (.*)$/gm)) drawn[from] = to.split(' & ');
  assert.deepEqual(sorted(drawn), sorted(folders));
});

test('the order of sub-folders is that of the include rule', () => {
  const [, table] = text.split('| order of its sub-folders |');
  const rows = Object.fromEntries([...table.split('\n\n')[0].matchAll(/^\| `(\w+)` \| ([\w ]+) \|$/gm)].map(([, name, list]) => [name, list.split(' ')]));
  assert.deepEqual(rows, order);
});

test('the files and folders that are named exist', () => {
  const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => join(dirname(page), path));
  const names = [...text.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path]) => path).filter((path) => !path.includes('NAME') && !path.startsWith('build/')); // which `make` writes
  assert.ok(links.length > 8 && names.length > 40);
  const missing = [...links.filter((path) => !existsSync(path)),
    ...names.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'server', path)))];
  assert.deepEqual(missing, []);
});

test('the functions that are named exist', () => {
  for (const [file, name] of [['sim/step/step.c', 'sim_world_step'], ['sim/step/step.c', 'relax'], ['sim/force/force.c', 'force_accumulate'], ['engine/view/variant.c', 'engine_publish'], ['sim/sim.h', 'sim_stick_kind']]) {
    assert.ok(text.includes(name));
    assert.match(readFileSync(join(root, 'server', file), 'utf8'), new RegExp(`\\b${name}\\b`), `${name} in ${file}`);
  }
});

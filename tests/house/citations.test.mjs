// SPDX-License-Identifier: MIT
// Citations in the tree refer to existing things: sections of server/sim/PHYSICS.md, and documentation files by name.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const skipped = new Set(['node_modules', 'build', 'vendor', '.git']);

function files(folder, pattern) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : files(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const sources = ['server', 'proto', 'web', 'tests'].flatMap((folder) => files(folder, /\.([ch]|m?js)$/));

test('every section of PHYSICS.md that the code cites exists', () => {
  const sections = new Set([...read('server/sim/PHYSICS.md').matchAll(/^#+ ([0-9.]+) /gm)].map((match) => match[1]));
  let cited = 0;
  for (const path of [...sources, 'server/sim/PHYSICS.md']) {
    const text = read(path).replace(/\n *\/\/ /g, ' ');
    for (const match of text.matchAll(/PHYSICS\.md ([0-9]+(?:\.[0-9]+)?(?:(?:, | and | to )[0-9]+(?:\.[0-9]+)?)*)/g)) {
      for (const section of match[1].split(/, | and | to /)) {
        assert.ok(sections.has(section), `${path} cites ${match[0]}`);
        cited++;
      }
    }
  }
  assert.ok(cited > 20, `${cited} citations were found`);
});

test('every section that PHYSICS.md refers to in itself exists', () => {
  const text = read('server/sim/PHYSICS.md').replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '');
  const sections = new Set([...text.matchAll(/^#+ ([0-9.]+) /gm)].map((match) => match[1]));
  for (const match of text.matchAll(/\(([0-9]+(?:\.[0-9]+)?(?:(?:, | to )[0-9]+(?:\.[0-9]+)?)*)\)/g)) {
    for (const section of match[1].split(/, | to /)) assert.ok(sections.has(section) || Number(section) > 1900, `(${match[1]})`);
  }
});

test('every document that the C code cites by name exists', () => {
  const documents = ['server', 'proto', 'tests'].flatMap((folder) => files(folder, /\.md$/)).map((path) => path.split('/').pop());
  const names = new Set(['README.md', 'xxhash_spec.md', ...documents]); // the second is a document of xxHash
  for (const path of sources.filter((source) => /\.[ch]$/.test(source))) {
    const text = read(path).replace(/"\n *"/g, ''); // joins string literals that continue on the next line
    for (const match of text.matchAll(/\b[A-Za-z][\w-]*\.md\b/g)) assert.ok(names.has(match[0]), `${path} cites ${match[0]}`);
  }
});

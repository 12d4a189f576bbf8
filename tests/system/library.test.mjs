// SPDX-License-Identifier: MIT
// The simulation as a library: the example in its header is compiled by the command beside it, as C and as C++, and runs.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = process.env.WEFT_BUILD ?? join(ROOT, 'build');
const header = readFileSync(join(ROOT, 'server/sim/sim.h'), 'utf8');

/** The indented blocks of the header's first comment. */
function blocks() {
  const lines = header.slice(0, header.indexOf('#ifndef')).split('\n');
  const found = [[]];
  for (const line of lines) {
    if (line.startsWith('//     ') || (line === '//' && found.at(-1).length > 0)) found.at(-1).push(line.slice(7));
    else if (found.at(-1).length > 0) found.push([]);
  }
  return found.filter((block) => block.length > 0).map((block) => `${block.join('\n').trim()}\n`);
}

const [example, command] = blocks();
// Objects built with sanitizers must be linked by the same compiler with the same sanitizers.
const words = readFileSync(join(BUILD, 'flags'), 'utf8').split(/\s+/);
const options = words.splice(words.findIndex((word) => word.startsWith('-')));
const [builder, ...launched] = words; // for instance ccache gcc
const sanitizers = options.filter((option) => option.startsWith('-fsanitize='));
// Only objects of existing sources: a build folder may contain objects of files that have been moved.
const objects = (folder) => readdirSync(join(ROOT, 'server', folder), { recursive: true }).filter((name) => name.endsWith('.c')).map((name) => join(BUILD, 'server', folder, name.replace(/c$/, 'o')));

/** Compiles the example, links it with the build's objects of the sources in the command, and runs it. */
function run(t, name, compiler, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-library-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), example);
  const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-I', join(ROOT, 'server')];
  execFileSync(compiler, [...flags, ...strict, '-c', join(folder, name), '-o', join(folder, 'example.o')], { stdio: 'pipe' });
  execFileSync(builder, [...launched, ...sanitizers, join(folder, 'example.o'), ...objects('base'), ...objects('sim'), '-lpthread', '-lm', '-o', join(folder, 'example')], { stdio: 'pipe' });
  return execFileSync(join(folder, 'example'), { encoding: 'utf8' });
}

const output = /^Particle 399 of cloth 1 is (\d\.\d{3}) m high\.\n$/;

test('the example of sim.h compiles as C and runs', (t) => {
  const height = Number(output.exec(run(t, 'example.c', 'cc', '-std=c17'))?.[1]);
  assert.ok(height > 1.4 && height < 1.53, `${height} m: the lower corners of a cloth of 0.95 m whose middle was at 2 m, and which has sagged`);
});

test('the example of sim.h compiles as C++ and runs the same', (t) => {
  const plain = run(t, 'example.c', 'cc', '-std=c17');
  assert.equal(run(t, 'example.cpp', 'clang', '-x', 'c++', '-std=c++17'), plain);
});

test('every header of the library can be included from C++', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-library-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['sim/sim.h', 'sim/probe.h', 'sim/archive.h', 'base/result.h', 'base/vector.h']) {
    writeFileSync(join(folder, 'include.cpp'), `#include "${name}"\n`);
    execFileSync('clang', ['-x', 'c++', '-std=c++17', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-I', join(ROOT, 'server'), '-fsyntax-only', join(folder, 'include.cpp')], { stdio: 'pipe' });
  }
});

test('the command beside the example names all that it needs', () => {
  assert.match(command, /^cc -std=c17 .*-ffp-contract=off .*-Iserver example\.c server\/base\/\*\.c server\/sim\/\*\/\*\.c -lpthread -lm\n$/);
});

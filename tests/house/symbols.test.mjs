// SPDX-License-Identifier: MIT
// The symbols that the simulation's objects import: a pure library has no access to clocks, files or threads.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = process.env.WEFT_BUILD ?? join(root, 'build');

function symbols(folder, ...options) {
  const sources = readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.c'));
  const objects = sources.map((name) => join(build, folder, name.replace(/c$/, 'o')));
  const lines = execFileSync('nm', ['--format=posix', ...options, ...objects], { encoding: 'utf8' }).split('\n');
  return new Set(lines.filter((line) => / [A-Zv]( |$)/i.test(line)).map((line) => line.split(' ')[0]));
}

// Permitted: memory, square roots, formatting into memory for a fault's pointer, assertions, processor features, and the
// checked functions and stack canaries that hardening substitutes.
const libc = /^(__stack_chk_fail|__(memcpy|memmove|memset|snprintf)_chk|calloc|malloc|free|memcpy|memmove|memset|memcmp|sqrtf|sqrt|snprintf|__assert_fail|__cpu_model|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_)$/;

test('the simulation calls only itself, base, and memory, roots and formatting of the C library', () => {
  const own = new Set([...symbols('server/sim', '--defined-only'), ...symbols('server/base', '--defined-only')]);
  const strangers = [...symbols('server/sim', '--undefined-only')].filter((name) => !own.has(name) && !libc.test(name));
  assert.ok(own.has('sim_world_step'));
  assert.deepEqual(strangers, []);
});

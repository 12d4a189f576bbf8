// SPDX-License-Identifier: MIT
// The npm package weft-world for tests: packed once per file of tests, and installed as its users install it, beside what it
// depends on.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './weftd.mjs';

const run = promisify(execFile);

/**
 * @returns {Promise<{folder: string, tarball: string, installed: string}>} a folder of its own whose node_modules has the package,
 *   the packed file, and where it is installed
 */
export async function installPackage() {
  const folder = await mkdtemp(join(tmpdir(), 'weft-npm-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await run(process.execPath, [join(ROOT, 'web/npm/pack.mjs'), join(folder, 'packed')]);
  const { version } = JSON.parse(await readFile(join(ROOT, 'web/npm/package.json'), 'utf8'));
  const tarball = join(folder, 'packed', `weft-world-${version}.tgz`);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await run('tar', ['-xzf', tarball, '-C', modules]);
  const installed = join(modules, 'weft-world');
  await rename(join(modules, 'package'), installed);
  for (const name of ['three', 'camera-controls']) await symlink(join(ROOT, 'web/node_modules', name), join(modules, name));
  for (const name of ['react', 'react-dom', 'ws']) await symlink(join(ROOT, 'tests/node_modules', name), join(modules, name));
  return { folder, tarball, installed };
}

/** Copies an example of tests/package to the folder. @returns {Promise<string>} where it is */
export async function copyExample(folder, name) {
  const target = join(folder, name);
  await cp(join(ROOT, 'tests/package', name), target, { recursive: true });
  return target;
}

/** Runs a program of tests/node_modules, or Node. @returns {Promise<string>} what it wrote; fails with it if the program does */
export async function runTool(program, args, options = {}) {
  try {
    const { stdout, stderr } = await run(program, args, options);
    return stdout + stderr;
  } catch ({ stdout, stderr, message }) {
    return assert.fail(`${message}\n${stdout}${stderr}`);
  }
}

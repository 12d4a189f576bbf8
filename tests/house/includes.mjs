// SPDX-License-Identifier: MIT
// The include rule: which part of the code may know which. `node tests/house/includes.mjs [ROOT]` names every line that
// breaks it, and exits with 1 if there is one. The tables below are the rule.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Folders of server/ (main for main.c), and the folders whose headers each may include beside its own.
const folders = {
  base: [],
  sim: ['base'],
  proto: ['base'],
  net: ['base'],
  store: ['base'],
  app: ['base', 'sim', 'proto', 'net', 'store'],
  tools: ['base', 'proto', 'app'],
  main: ['base', 'app'],
};

// Libraries beyond the C library, and where each may be included: in a folder, or in its .c files only.
const libraries = [
  { header: /^libwebsockets\.h$/, allowed: (file) => /^(net|tools)\//.test(file) },
  { header: /^cjson\//, allowed: (file) => /^(proto|app|tools)\/.*\.c$/.test(file) },
  { header: /^qrencode\.h$/, allowed: (file) => /^app\/.*\.c$/.test(file) },
  { header: /^sqlite3\.h$/, allowed: (file) => /^store\/.*\.c$/.test(file) },
  { header: /^pthread\.h$|^threads\.h$/, allowed: (file) => !/^(sim|proto)\//.test(file) },
];

// All that the simulation may know of the C library: no clock, no threads, and stdio only to write into memory, which
// tests/house/symbols.test.mjs sees to.
const simulationHeaders = /^(arm_neon|assert|float|immintrin|limits|math|stdbool|stddef|stdint|stdio|stdlib|string)\.h$/;

// Folders of web/, and what each may import: relative paths stay inside the folders named; packages by name.
const modules = {
  client: { folders: ['client'], packages: /^$/ },
  viewer: { folders: ['viewer', 'client'], packages: /^(lil-gui|qrcode-generator|uplot)$/ },
  'viewer/scene': { folders: ['viewer', 'client'], packages: /^(three(\/.*)?|camera-controls)$/ },
  // A worker's: no import map holds there, so that it names what web/vendor.mjs bundles by its path.
  'viewer/geometry/read.js': { folders: ['viewer', 'vendor'], packages: /^$/ },
};

function files(folder, pattern) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}

// The lines of a file that match, comments to the end of the line left out.
function* matches(path, pattern) {
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const match = pattern.exec(line.replace(/\/\/.*$/, ''));
    if (match) yield { line: index + 1, match };
  }
}

function checkC(root) {
  const server = join(root, 'server');
  const faults = [];
  for (const path of files(server, /\.[ch]$/)) {
    const file = relative(server, path).split(sep).join('/');
    const folder = file === 'main.c' ? 'main' : file.split('/')[0];
    for (const { line, match } of matches(path, /^\s*#\s*include\s*([<"])([^>"]+)[>"]/)) {
      const [, kind, header] = match;
      const say = (why) => faults.push(`server/${file}:${line}: includes ${header}: ${why}`);
      if (kind === '"') {
        const target = header.split('/')[0];
        if (!(folder in folders)) say(`${folder} has no row in the table of tests/house/includes.mjs`);
        else if (!(target in folders)) say('includes are written from server/, as in "sim/sim.h"');
        else if (target !== folder && !folders[folder].includes(target))
          say(`${folder} may include ${['itself', ...folders[folder]].join(', ')}`);
        continue;
      }
      const library = libraries.find((row) => row.header.test(header));
      if (library && !library.allowed(file)) say('this library is not for this file');
      if (folder === 'sim' && !library && !simulationHeaders.test(header)) say('the simulation knows no clock, no threads and no system');
    }
  }
  return faults;
}

function checkModules(root) {
  const web = join(root, 'web');
  const faults = [];
  for (const folder of ['client', 'viewer']) {
    for (const path of files(join(web, folder), /\.m?js$/)) {
      const file = relative(web, path).split(sep).join('/');
      const rule = modules[file] ?? modules[file.startsWith('viewer/scene/') ? 'viewer/scene' : folder];
      for (const { line, match } of matches(path, /(?:^|\s)(?:import|from)\s*\(?\s*['"]([^'"]+)['"]/)) {
        const target = match[1];
        const inside = relative(web, resolve(dirname(path), target)).split(sep)[0];
        const allowed = /^\.{1,2}\//.test(target) ? rule.folders.includes(inside) : rule.packages.test(target);
        if (!allowed) faults.push(`web/${file}:${line}: may not import ${target}`);
      }
    }
  }
  return faults;
}

// Every line under `root` that breaks the rule, as "file:line: sentence".
export function includeFaults(root) {
  return [...checkC(root), ...checkModules(root)];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const faults = includeFaults(root);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

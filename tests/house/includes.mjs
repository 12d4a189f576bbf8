// SPDX-License-Identifier: MIT
// The include rule: which parts of the code may include which, and that files depend on each other in one direction only.
// `node tests/house/includes.mjs [ROOT]` lists every line that violates the rule, and exits with 1 if there is one. The
// tables below are the rule. For C files:
// * a .c file has a header of its own name, which declares the .c file's functions (main needs none), and no others;
// functions declared in a public header need no other declaration;
// * no cycle of calls leads through several files of a folder.
// Violations of these two that remain are listed in exceptions.json. The list may only get shorter: a file without a fault
// must be removed from it. After files were renamed or fixed, `node tests/house/includes.mjs --exceptions` rewrites the list,
// and refuses to make it longer.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { callsBetween, circlesOf, closingWays, partOf, readC } from './calls.mjs';
import { moduleFaults } from './modules.mjs';

// Folders of server/ (main for main.c), and the folders whose headers each may include besides its own.
export const folders = {
  base: [],
  sim: ['base'],
  proto: ['base'],
  net: ['base'],
  store: ['base'],
  engine: ['base', 'sim', 'proto'],
  host: ['base', 'sim', 'engine', 'proto', 'net', 'store'],
  tools: ['base', 'proto', 'engine', 'host'],
  main: ['base', 'host'],
};

// The order of a folder's sub-folders: a file may include headers of its own sub-folder, of earlier ones, and those in the
// folder itself, which include no sub-folder.
export const order = {
  proto: ['json', 'gen', 'message', 'record', 'frame'],
  net: ['parse', 'connection', 'http', 'websocket', 'loop'],
  sim: ['geometry', 'simd', 'world', 'contact', 'body', 'stick', 'volume', 'force', 'cloth_contact', 'tear', 'spawn', 'step', 'state', 'probe'],
  tools: ['text', 'schema', 'client', 'command'],
  store: ['database', 'sqlite', 'postgres', 'write', 'read', 'capsule', 'salvage', 'copy'],
  engine: ['gen', 'state', 'client', 'record', 'describe', 'view', 'command', 'world'],
  host: ['config', 'run', 'connection', 'world', 'history', 'worlds', 'status', 'command', 'turn'],
};

// Files in a folder itself that may include its sub-folders: public headers that gather the sub-folders' functions, and
// programs.
const faces = new Set(['net/net.h', 'store/store.h', 'store/store.c', 'tools/weftctl.c', 'host/app.c', 'host/app.h', 'engine/weft.c', 'engine/weft_world.h', 'engine/weft_core.h', 'engine/weft_core.c', 'engine/weft_follow.h', 'engine/weft_follow.c', 'engine/weft_host.h', 'engine/weft_host.c', 'engine/weft_members.h', 'engine/weft_members.c', 'engine/weft_records.h', 'engine/weft_records.c', 'engine/weft_requests.h', 'engine/weft_requests.c', 'engine/weft_view.h', 'engine/weft_view.c', 'engine/outbox.h', 'engine/outbox.c']);

// The public headers of libraries, which declare the functions of several files.
const publicHeaders = new Set(['sim/sim.h', 'sim/probe.h', 'sim/archive.h', 'engine/weft.h']);

// Third-party libraries, and the places that may include each: a folder, or only its .c files.
const libraries = [
  { header: /^libwebsockets\.h$/, allowed: (file) => /^(net|tools)\//.test(file) },
  { header: /^cjson\//, allowed: (file) => /^(proto|engine|host|tools)\/.*\.c$/.test(file) },
  { header: /^qrencode\.h$/, allowed: (file) => /^host\/.*\.c$/.test(file) },
  { header: /^sqlite3\.h$/, allowed: (file) => /^store\/(sqlite|capsule|salvage)\/.*\.c$/.test(file) },
  { header: /^postgresql\/libpq-fe\.h$/, allowed: (file) => /^store\/postgres\/.*\.c$/.test(file) },
  { header: /^pthread\.h$|^threads\.h$/, allowed: (file) => !/^(sim|proto|engine)\//.test(file) },
];

// The C library headers that the simulation may include: no clock, no threads, and stdio only to format into memory, which
// tests/house/symbols.test.mjs checks.
const simulationHeaders = /^(arm_neon|assert|float|immintrin|limits|math|stdbool|stddef|stdint|stdio|stdlib|string|wasm_simd128)\.h$/;

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

// The lines of a file that match, without line comments.
function* matches(path, pattern) {
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const match = pattern.exec(line.replace(/\/\/.*$/, ''));
    if (match) yield { line: index + 1, match };
  }
}

// The reason why a file may not include a header of the same folder, if that has an order; undefined if it may.
function orderFaults(folder, file, header) {
  const [own, target] = [file, header].map((path) => (path.split('/').length > 2 ? path.split('/')[1] : null));
  const unknown = [own, target].find((name) => name !== null && !order[folder].includes(name));
  if (unknown !== undefined) return [`${folder}/${unknown} is not in the order of tests/house/includes.mjs`];
  if (target === null || faces.has(file) || order[folder].indexOf(target) <= order[folder].indexOf(own)) return [];
  return [own === null ? `a header of ${folder} includes none of its sub-folders` : `in ${folder}, ${target} comes after ${own}`];
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
        else if (target === folder && folder in order)
          for (const why of orderFaults(folder, file, header)) say(why);
        continue;
      }
      const library = libraries.find((row) => row.header.test(header));
      if (library && !library.allowed(file)) say('this library is not for this file');
      if (folder === 'sim' && !library && !simulationHeaders.test(header)) say('the simulation knows no clock, no threads and no system');
    }
  }
  return faults;
}

// Parses the C files of each folder of server/: a Map of folder → Map of path below server/ → the result of readC.
function readFolders(root) {
  const server = join(root, 'server');
  const read = new Map();
  for (const path of files(server, /\.[ch]$/)) {
    const file = relative(server, path).split(sep).join('/');
    if (!file.includes('/')) continue; // main.c, which no other file calls
    const folder = file.split('/')[0];
    if (!read.has(folder)) read.set(folder, new Map());
    read.get(folder).set(file, readC(path));
  }
  return read;
}

// The faults between files of one folder: a list of { kind, files, text }, with the kinds of exceptions.json.
function sharingFaults(folder) {
  const faults = [];
  const definers = new Map();
  for (const [path, { defines }] of folder) for (const name of defines.keys()) definers.set(name, path);
  const isPublic = new Set(['main']);
  for (const header of publicHeaders) for (const name of folder.get(header)?.declares.keys() ?? []) isPublic.add(name);
  for (const [path, { defines, declares }] of folder) {
    if (path.endsWith('.c') && !folder.has(`${partOf(path)}.h`) && [...defines.keys()].some((name) => !isPublic.has(name)))
      faults.push({ kind: 'noHeader', files: [path], text: `server/${path}: has no header of its own name` });
    if (!path.endsWith('.h') || publicHeaders.has(path)) continue;
    for (const [name, line] of declares) {
      const definer = definers.get(name);
      if (definer && partOf(definer) !== partOf(path))
        faults.push({ kind: 'foreign', files: [path], text: `server/${path}:${line}: declares ${name}, which is defined in ${definer}` });
    }
  }
  const calls = callsBetween(folder);
  for (const circle of circlesOf(calls)) {
    const ways = closingWays(calls, circle).map((way) => {
      const closing = way.at(-1);
      const steps = way.map(({ from, to, name }) => `${from} calls ${name} of ${to}`);
      return `server/${closing.file}:${closing.line}: closes a circle: ${steps.join(', ')}`;
    });
    faults.push({ kind: 'circle', files: circle, text: [`server/${circle[0].split('/')[0]}: a circle of ${circle.length} files: ${circle.join(' ')}`, ...ways].join('\n') });
  }
  return faults;
}

// The exceptions for a tree with these faults: folder → kind → files.
function exceptionsFor(faults) {
  const list = {};
  for (const { kind, files } of faults) {
    for (const file of files) {
      const kinds = (list[file.split('/')[0]] ??= {});
      kinds[kind] = [...new Set([...(kinds[kind] ?? []), file])].sort();
    }
  }
  return list;
}

function checkSharing(root, exceptions) {
  const all = [...readFolders(root).values()].flatMap(sharingFaults);
  const present = exceptionsFor(all);
  const listed = (list, kind, file) => list[file.split('/')[0]]?.[kind]?.includes(file) ?? false;
  const faults = all.filter(({ kind, files }) => files.some((file) => !listed(exceptions, kind, file))).map(({ text }) => text);
  for (const kinds of Object.values(exceptions)) {
    for (const [kind, files] of Object.entries(kinds)) {
      for (const file of files.filter((file) => !listed(present, kind, file)))
        faults.push(`tests/house/exceptions.json: ${file} has no such fault (${kind}) any more: take it from the list`);
    }
  }
  return faults;
}

// All lines below `root` that violate the rule, as "file:line: sentence". The exceptions have the form of exceptions.json.
export function includeFaults(root, exceptions = {}) {
  return [...checkC(root), ...checkSharing(root, exceptions), ...moduleFaults(root)];
}

const listPath = fileURLToPath(new URL('exceptions.json', import.meta.url));
export const knownExceptions = () => JSON.parse(readFileSync(listPath, 'utf8'));

// Writes the exceptions of the present tree, unless one of the kinds would have more files than before.
function writeExceptions(root) {
  const count = (list, kind) => Object.values(list).flatMap((kinds) => kinds[kind] ?? []).length;
  const [before, after] = [knownExceptions(), exceptionsFor([...readFolders(root).values()].flatMap(sharingFaults))];
  const longer = ['noHeader', 'foreign', 'circle'].filter((kind) => count(after, kind) > count(before, kind));
  if (longer.length === 0) writeFileSync(listPath, `${JSON.stringify(after, null, 2)}\n`);
  return longer.map((kind) => `exceptions.json would get longer: ${kind} from ${count(before, kind)} to ${count(after, kind)} files`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rewrite = process.argv[2] === '--exceptions';
  const root = process.argv[rewrite ? 3 : 2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const faults = [...(rewrite ? writeExceptions(root) : []), ...includeFaults(root, knownExceptions())];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
// The include rule for the modules of web/ (run by includes.mjs): the client does not depend on the page, the folders of the
// page have an order, and the page's tools are independent of each other. The tables below are the rule.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

// npm packages that the modules of a folder of web/ may import by name.
const packages = {
  client: /^$/,
  element: /^$/,
  notebook: /^$/,
  viewer: /^(fflate|lil-gui|qrcode-generator|uplot)$/,
  'viewer/scene': /^(three(\/.*)?|camera-controls)$/,
};

// Folders of web/viewer, lowest first: each may import itself and earlier ones. The files beside the folders start the page.
const viewer = ['settings', 'geometry', 'timing', 'scene', 'ui', 'page', 'script', 'tools'];

// What the custom element uses of the tree: nothing with a place in the page, or with settings of its own.
const forElement = /^(client|element|viewer\/(geometry|timing|scene))\/|^viewer\/ui\/dom\.js$/;

// Import maps have no effect in a worker, so these modules import what web/vendor.mjs has made by its path.
const fromVendor = new Set(['viewer/geometry/read.js', 'viewer/scene/gif_worker.js']);

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

// The matches in a file, without comments (line comments, and lines of block comments).
function* matches(path, pattern) {
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const code = line.replace(/\/\/.*$|^\s*(?:\/\*\*|\*(?=[ /])).*$/, '');
    for (const match of code.matchAll(pattern)) yield { line: index + 1, match };
  }
}

// The reason why the module `file` may not import the module `target` (both relative to web/); undefined if it may.
function moduleFault(file, target) {
  const [from, to] = [file.split('/'), target.split('/')];
  if (to[0] === 'vendor') return fromVendor.has(file) ? undefined : 'packages are imported by their names';
  if (from[0] === 'client') return to[0] === 'client' ? undefined : 'the client knows nothing of the page';
  if (from[0] === 'element') return forElement.test(target) ? undefined : 'the element takes of the page what draws, and nothing that belongs to one page';
  if (from[0] === 'notebook') return /^(client|element|notebook)\//.test(target) ? undefined : 'a notebook shows the element, and knows nothing of the page';
  if (to[0] !== 'viewer') return to[0] === 'client' ? undefined : 'this is no module of the page';
  if (from.length === 2) return undefined; // the module starts the page
  const [above, below] = [viewer.indexOf(from[1]), viewer.indexOf(to[1])];
  if (above < 0) return `${from[1]} has no row in the order of tests/house/modules.mjs`;
  if (to.length === 2) return 'nothing imports what starts the page';
  if (below < 0 || below > above) return `${to[1]} is above ${from[1]}, or has no row in the order of tests/house/modules.mjs`;
  if (from[1] === 'tools' && to[1] === 'tools' && from[2] !== 'index.js' && from[2] !== to[2]) return 'a tool never reaches into another';
  return undefined;
}

// The members that the page declares: fields, accessors and methods of the class Page, and of the objects that it consists
// of.
function membersOfPage(web) {
  const [path] = files(join(web, 'viewer/page'), /^page\.js$/);
  if (!path) return null;
  const text = readFileSync(path, 'utf8');
  const members = new Set(['on', 'emit']);
  for (const [, name] of text.matchAll(/^ {2}(?:get |async |\* )?([a-zA-Z]\w*)(?= =|;|\()/gm)) members.add(name);
  for (const [, name] of text.matchAll(/@(?:param|property) \{.*\} parts\.(\w+)/g)) members.add(name);
  for (const [, name] of text.matchAll(/^ {4}this\.(\w+) = /gm)) members.add(name);
  return members;
}

// All lines of modules below web/ that violate the rule, as "file:line: sentence".
export function moduleFaults(root) {
  const web = join(root, 'web');
  const faults = [];
  const members = membersOfPage(web);
  for (const folder of ['client', 'element', 'notebook', 'viewer']) {
    for (const path of files(join(web, folder), /\.m?js$/)) {
      const file = relative(web, path).split(sep).join('/');
      const allowed = packages[file.split('/').slice(0, 2).join('/')] ?? packages[folder];
      for (const { line, match } of matches(path, /(?:^|\s)(?:import|from)\s*\(?\s*['"]([^'"]+)['"]/g)) {
        const target = match[1];
        const say = (why) => faults.push(`web/${file}:${line}: may not import ${target}: ${why}`);
        if (/^\.{1,2}\//.test(target)) {
          const why = moduleFault(file, relative(web, resolve(dirname(path), target)).split(sep).join('/'));
          if (why) say(why);
        } else if (!allowed.test(target)) say('this package is not for this folder');
      }
      // Tools must not add members to the page, because that would be a dependency without an import.
      if (!members || !file.startsWith('viewer/tools/')) continue;
      for (const { line, match } of matches(path, /\bpage\.([a-zA-Z]\w*)|\bObject\.assign\((?:this\.)?page\b/g)) {
        if (!match[1]) faults.push(`web/${file}:${line}: a tool adds nothing to the page`);
        else if (!members.has(match[1])) faults.push(`web/${file}:${line}: page.${match[1]} is no member that page/page.js declares`);
      }
    }
  }
  return faults;
}

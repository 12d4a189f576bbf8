// SPDX-License-Identifier: MIT
// Copies the files of three.js and lil-gui that the page loads from node_modules to vendor/, where the import map of
// index.html looks for them. Run after `npm ci`; what vendor/ holds is never committed.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

const files = {
  'three/build/three.module.js': 'three/three.module.js',
  'three/build/three.core.js': 'three/three.core.js',
  'three/LICENSE': 'three/LICENSE',
  'three/examples/jsm/controls/OrbitControls.js': 'three/addons/controls/OrbitControls.js',
  'three/examples/jsm/environments/RoomEnvironment.js': 'three/addons/environments/RoomEnvironment.js',
  'lil-gui/dist/lil-gui.esm.min.js': 'lil-gui/lil-gui.js',
  'lil-gui/LICENSE.md': 'lil-gui/LICENSE.md',
};

rmSync(join(here, 'vendor'), { recursive: true, force: true });
for (const [from, to] of Object.entries(files)) {
  const target = join(here, 'vendor', to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(here, 'node_modules', from), target);
}

// lil-gui's style without its icon font: it is a data: URL, which the server's content policy refuses. The icons are
// ordinary characters, so the fonts at hand have them too.
const style = readFileSync(join(here, 'node_modules/lil-gui/dist/lil-gui.css'), 'utf8');
writeFileSync(join(here, 'vendor/lil-gui/lil-gui.css'), style.replace(/@font-face\s*\{[^}]*\}/, ''));

console.log(`vendor/: ${Object.keys(files).length + 1} files written`);

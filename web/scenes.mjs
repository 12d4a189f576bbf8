// SPDX-License-Identifier: MIT
// Writes web/client/local/scenes.json, the scenes of local worlds: a copy of server/scenes/*.json in one file.
//
//     node web/scenes.mjs [--check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'web/client/local/scenes.json');
const FOLDER = join(ROOT, 'server/scenes');

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
const scenes = Object.fromEntries(files.map((name) => [basename(name, '.json'), readFileSync(join(FOLDER, name), 'utf8')]));
const text = `${JSON.stringify(scenes, null, 1)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(OUT, text);
} else if (!existsSync(OUT) || readFileSync(OUT, 'utf8') !== text) {
  console.error('web/client/local/scenes.json is older than server/scenes: run `make generate`.');
  process.exit(1);
}

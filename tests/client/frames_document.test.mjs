// SPDX-License-Identifier: MIT
// proto/FRAMES.md is sufficient to write a decoder: one in Python, written from that document and proto/codec_tables.json
// alone, decodes all golden messages; and the tables in that file equal those of the server.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, cpSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { codecTables } from '../../proto/generator/codec_tables.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROTO = join(ROOT, 'proto');
const DECODER = join(ROOT, 'tests/support/frames_decoder.py');
const decode = (proto, decoder = DECODER) => execFileSync('python3', [decoder, proto], { encoding: 'utf8', stdio: 'pipe' });
const namesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith('.bin'));

function temporary(t) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-frames-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a decoder written from FRAMES.md alone reads every golden message', () => {
  const streams = namesIn(join(PROTO, 'vectors/streams'));
  const expected = new RegExp(`^${namesIn(join(PROTO, 'vectors')).length} golden messages and ${streams.length} streams of \\d+ messages decoded\n$`);
  assert.match(decode(PROTO), expected);
});

test('codec_tables.json holds the numbers that the server is compiled with', () => {
  const source = readFileSync(join(ROOT, 'server/proto/frame/codec_tables.h'), 'utf8');
  const text = readFileSync(join(PROTO, 'codec_tables.json'), 'utf8');
  assert.equal(text, codecTables(source));
  const { starts, weights } = JSON.parse(text);
  assert.deepEqual([starts.restless.length, starts.quiet.length, weights.length], [68, 68, 4]);
  assert.ok([...starts.restless, ...starts.quiet].every((row) => row.length === 16 && row[0] === 0 && row.every((start, k) => k === 0 || start > row[k - 1])));
  assert.ok(weights.flatMap(({ sheet, body }) => [sheet, body]).every(({ linear, length }) => linear.length === 3 && linear.every((axis) => axis.length === 8) && length.length === 4));
});

test('a number of the tables that differs is noticed', (t) => {
  const folder = temporary(t);
  cpSync(PROTO, folder, { recursive: true });
  const tables = JSON.parse(readFileSync(join(folder, 'codec_tables.json'), 'utf8'));
  tables.starts.restless[0][7] += 1;
  writeFileSync(join(folder, 'codec_tables.json'), JSON.stringify(tables));
  assert.throws(() => decode(folder));
});

// Interpretations that an earlier version of FRAMES.md permitted: each fails for some golden message.
const OTHERWISE = {
  'weights of mode 2 are those used last': ['if mode == 1 else self.own', 'if mode == 1 else self.own; self.own = weights'],
  'a missing C or D is B before its own stand-in': ['(b if c == MISSING else c), (b if d == MISSING else d)', '(links[1] if c == MISSING else c), (links[1] if d == MISSING else d)'],
  'no stand-ins in the contexts of keyframes': ['a, b, c, d = self.stand_ins(links)\n        if a', 'a, b, c, d = self.stand_ins(links) if self.old else links[:4]\n        if a'],
  'a still object counts as decoded before': ['return [list(p) for p in self.old[0]]', 'self.last = [0, 0, 0]; return [list(p) for p in self.old[0]]'],
  'own weights come before the bit of the own motion': ['self.bases = self.bases_of(thing)\n', 'self.own = own_weights(reader) if mode == 3 else self.own; mode = 2 if mode == 3 else mode; self.bases = self.bases_of(thing)\n'],
};
for (const [reading, [text, other]] of Object.entries(OTHERWISE)) {
  test(`a golden message tells that this is wrong: ${reading}`, (t) => {
    const source = readFileSync(DECODER, 'utf8');
    assert.equal(source.split(text).length, 2, 'the place is found once');
    const file = join(temporary(t), 'decoder.py');
    writeFileSync(file, source.replace(text, other));
    assert.throws(() => decode(PROTO, file));
  });
}

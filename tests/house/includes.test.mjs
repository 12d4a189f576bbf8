// SPDX-License-Identifier: MIT
// Tests of the include rule: a small tree that satisfies it, and one violation at a time.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { includeFaults, knownExceptions } from './includes.mjs';

const obedient = {
  'server/main.c': '#include "host/host.h"\n#include <signal.h>\nint main(void) {\n    return host_run();\n}\n',
  'server/host/host.c': '#include "engine/weft.h"\n#include "net/net.h"\n#include <pthread.h>\nint host_run(void) {\n    return net_send();\n}\n',
  'server/host/host.h': 'int host_run(void);\n',
  'server/host/job.c': 'static int host_run;\nint job_run(int x) {\n    return host_run + x;\n}\n', // a local name is no call
  'server/host/job.h': '#include <stdint.h>\nint job_run(int x); // host_run calls it\n',
  'server/net/net.h': 'struct net_job {\n    int host_run;\n};\nint net_send(void);\n',
  'server/sim/step/step.c': '#include "sim/world/world.h"\n#include "sim/sim.h"\n#include "base/result.h"\n#include <string.h>\n',
  'server/proto/message/request.c': '#include <cjson/cJSON.h>\n',
  'server/net/net.c': '#include <libwebsockets.h>\nint net_send(void) {\n    return 0;\n}\n',
  'web/client/client.js': "import { decode } from './frame.js';\n// import WebSocket from 'ws';\n",
  'web/viewer/main.js': "import { Client } from '../client/client.js';\n",
  'web/viewer/scene/scene.js': "import * as THREE from 'three';\n",
  'web/viewer/page/page.js': "/** @param {object} parts\n * @param {object} parts.client */\nexport class Page {\n  role = 'none';\n\n  get editable() { return true; }\n}\n",
  'web/viewer/tools/index.js': "import * as share from './share/index.js';\nimport * as time from './time/index.js';\n",
  'web/viewer/tools/share/index.js': "import { copy } from './copy.js';\nexport const install = (page) => copy(page.client, page.role, page.editable);\n",
  'web/viewer/tools/share/copy.js': "import { h } from '../../ui/dom.js';\n",
};

function faultsWith(extra, exceptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'weft-includes-'));
  try {
    for (const [path, text] of Object.entries({ ...obedient, ...extra })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return includeFaults(root, exceptions);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('this tree obeys the include rule, but for the list of exceptions', () => {
  assert.deepEqual(includeFaults(fileURLToPath(new URL('../..', import.meta.url)), knownExceptions()), []);
});

test('a tree that obeys the include rule has no faults', () => {
  assert.deepEqual(faultsWith({}), []);
});

const violations = [
  ['a sibling that includes a sibling', 'server/sim/bad.c', '\n#include "proto/frame/frame.h"\n', 'server/sim/bad.c:2'],
  ['base that includes upwards', 'server/base/bad.h', '#  include "host/host.h"\n', 'server/base/bad.h:1'],
  ['main past the host', 'server/main.c', '#include "net/net.h"\n', 'server/main.c:1'],
  ['tools that reach into the simulation', 'server/tools/bad.c', '#include "sim/sim.h"\n', 'server/tools/bad.c:1'],
  ['an include that is not written from server/', 'server/sim/bad.c', '#include "step.h"\n', 'server/sim/bad.c:1'],
  ['a folder without a row in the table', 'server/util/bad.c', '#include "base/result.h"\n', 'server/util/bad.c:1'],
  ['a sub-folder that includes a later one', 'server/sim/world/bad.c', '#include "sim/step/step.h"\n', 'server/sim/world/bad.c:1'],
  ['a sub-folder without a place in the order', 'server/sim/odd/bad.c', '#include "sim/sim.h"\n', 'server/sim/odd/bad.c:1'],
  ['a public header that includes a sub-folder', 'server/sim/bad.h', '#include "sim/world/world.h"\n', 'server/sim/bad.h:1'],
  ['a clock in the simulation', 'server/sim/bad.c', '#include <time.h>\n', 'server/sim/bad.c:1'],
  ['threads in the simulation', 'server/sim/bad.c', '#include <pthread.h>\n', 'server/sim/bad.c:1'],
  ['cJSON in a header', 'server/proto/bad.h', '#include <cjson/cJSON.h>\n', 'server/proto/bad.h:1'],
  ['libwebsockets in the host', 'server/host/bad.c', '#include <libwebsockets.h>\n', 'server/host/bad.c:1'],
  ['threads in the engine', 'server/engine/bad.h', '#include <pthread.h>\n', 'server/engine/bad.h:1'],
  ['an engine that knows the host', 'server/engine/bad.c', '#include "host/host.h"\n', 'server/engine/bad.c:1'],
  ['three.js outside the scene', 'web/viewer/bad.js', "import { Mesh } from 'three';\n", 'web/viewer/bad.js:1'],
  ['an element that knows the page', 'web/element/bad.js', "import '../viewer/page/page.js';\n", 'web/element/bad.js:1'],
  ['a client that knows the page', 'web/client/bad.js', "import '../viewer/main.js';\n", 'web/client/bad.js:1'],
  ['a tool that imports from another', 'web/viewer/tools/time/bad.js', "import { copy } from '../share/copy.js';\n", 'web/viewer/tools/time/bad.js:1'],
  ['a tool that loads another later', 'web/viewer/tools/time/bad.js', "const share = await import('../share/index.js');\n", 'web/viewer/tools/time/bad.js:1'],
  ['a tool that imports one without a folder', 'web/viewer/tools/time/bad.js', "import { place } from '../place.js';\n", 'web/viewer/tools/time/bad.js:1'],
  ['a tool that hangs something on the page', 'web/viewer/tools/time/bad.js', '\nthis.page.clock = {};\n', 'web/viewer/tools/time/bad.js:2'],
  ['a tool that adds to the page unseen', 'web/viewer/tools/time/bad.js', 'Object.assign(page, { clock });\n', 'web/viewer/tools/time/bad.js:1'],
  ['a tool that reads what another hung on the page', 'web/viewer/tools/time/bad.js', 'page.role; page.clock?.now();\n', 'web/viewer/tools/time/bad.js:1'],
  ['a tool that imports what starts the page', 'web/viewer/tools/time/bad.js', "import '../../main.js';\n", 'web/viewer/tools/time/bad.js:1'],
  ['a part of the page that knows a tool', 'web/viewer/geometry/bad.js', "import { copy } from '../tools/share/copy.js';\n", 'web/viewer/geometry/bad.js:1'],
  ['a folder of the page that imports a higher one', 'web/viewer/ui/bad.js', "import { Page } from '../page/page.js';\n", 'web/viewer/ui/bad.js:1'],
  ['a folder of the page without a place in the order', 'web/viewer/util/bad.js', "import '../ui/dom.js';\n", 'web/viewer/util/bad.js:1'],
  ['a package by its path', 'web/viewer/ui/bad.js', "import '../../vendor/three/loaders.js';\n", 'web/viewer/ui/bad.js:1'],
  ['a package in the client', 'web/client/bad.js', "const ws = await import('ws');\n", 'web/client/bad.js:1'],
];

for (const [name, path, text, where] of violations) {
  test(`the include rule finds ${name}`, () => {
    const faults = faultsWith({ [path]: text });
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.ok(faults[0].startsWith(`${where}: `), faults[0]);
  });
}

const gives = (name, body = 'return 0;') => `int ${name}(void) {\n    ${body}\n}\n`;
const declares = (...names) => names.map((name) => `int ${name}(void);\n`).join('');

test('a file without a header of its own name is a fault, and so is a header that declares what another file gives', () => {
  const faults = faultsWith({ 'server/sim/tear.c': gives('sim_tear'), 'server/sim/other.h': `\n${declares('sim_tear')}` });
  assert.deepEqual(faults, [
    'server/sim/other.h:2: declares sim_tear, which is defined in sim/tear.c',
    'server/sim/tear.c: has no header of its own name',
  ]);
});

test('a table that a header declares counts like a function', () => {
  const faults = faultsWith({ 'server/sim/kinds.c': 'const int sim_kinds[2] = {1, 2};\n', 'server/sim/other.h': 'extern const int sim_kinds[2];\n' });
  assert.equal(faults.length, 2, faults.join('\n'));
});

test('what a public header declares needs no other header', () => {
  assert.deepEqual(faultsWith({ 'server/sim/tear.c': gives('sim_tear'), 'server/sim/sim.h': declares('sim_tear') }), []);
});

const circle = {
  'server/sim/a.c': gives('sim_a', 'return sim_b();'),
  'server/sim/a.h': declares('sim_a'),
  'server/sim/b.c': gives('sim_b', 'return sim_c_of(3);'),
  'server/sim/b.h': declares('sim_b'),
  'server/sim/c.h': `static inline int sim_c_of(int x) {\n    return x * sim_c();\n}\n${declares('sim_c')}`,
  'server/sim/c.c': `static int (*const table[])(void) = {sim_a};\n${gives('sim_c')}`,
};

test('a circle of calls is named with the calls that close it, through tables and inline functions too', () => {
  assert.deepEqual(faultsWith(circle), [
    'server/sim: a circle of 3 files: sim/a sim/b sim/c\n' +
      'server/sim/c.c:1: closes a circle: sim/a calls sim_b of sim/b, sim/b calls sim_c_of of sim/c, sim/c calls sim_a of sim/a',
  ]);
});

test('the list of exceptions is compared exactly: it covers what it names, and what is mended must leave it', () => {
  const list = { sim: { circle: ['sim/a', 'sim/b', 'sim/c'] } };
  assert.deepEqual(faultsWith(circle, list), []);
  assert.equal(faultsWith(circle, { sim: { circle: ['sim/a', 'sim/b'] } }).length, 1);
  assert.deepEqual(faultsWith({ ...circle, 'server/sim/c.c': gives('sim_c') }, { sim: { circle: ['sim/a'] } }), [
    'tests/house/exceptions.json: sim/a has no such fault (circle) any more: take it from the list',
  ]);
});

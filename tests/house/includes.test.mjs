// SPDX-License-Identifier: MIT
// The include rule's own test: a small tree that obeys it, and one violation at a time.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { includeFaults } from './includes.mjs';

const obedient = {
  'server/main.c': '#include "app/app.h"\n#include <signal.h>\n',
  'server/app/app.c': '#include "app/app.h"\n#include "sim/sim.h"\n#include "net/net.h"\n#include <pthread.h>\n',
  'server/sim/step.c': '#include "sim/sim.h"\n#include "base/result.h"\n#include <string.h>\n',
  'server/proto/request.c': '#include <cjson/cJSON.h>\n',
  'server/net/net.c': '#include <libwebsockets.h>\n',
  'web/client/client.js': "import { decode } from './frame.js';\n// import WebSocket from 'ws';\n",
  'web/viewer/main.js': "import { Client } from '../client/client.js';\n",
  'web/viewer/scene/scene.js': "import * as THREE from 'three';\n",
};

function faultsWith(extra) {
  const root = mkdtempSync(join(tmpdir(), 'weft-includes-'));
  try {
    for (const [path, text] of Object.entries({ ...obedient, ...extra })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return includeFaults(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('this tree obeys the include rule', () => {
  assert.deepEqual(includeFaults(fileURLToPath(new URL('../..', import.meta.url))), []);
});

test('a tree that obeys the include rule has no faults', () => {
  assert.deepEqual(faultsWith({}), []);
});

const violations = [
  ['a sibling that includes a sibling', 'server/sim/bad.c', '\n#include "proto/frame.h"\n', 'server/sim/bad.c:2'],
  ['base that includes upwards', 'server/base/bad.h', '#  include "app/app.h"\n', 'server/base/bad.h:1'],
  ['main past the application', 'server/main.c', '#include "net/net.h"\n', 'server/main.c:1'],
  ['tools that reach into the simulation', 'server/tools/bad.c', '#include "sim/sim.h"\n', 'server/tools/bad.c:1'],
  ['an include that is not written from server/', 'server/sim/bad.c', '#include "step.h"\n', 'server/sim/bad.c:1'],
  ['a folder without a row in the table', 'server/util/bad.c', '#include "base/result.h"\n', 'server/util/bad.c:1'],
  ['a clock in the simulation', 'server/sim/bad.c', '#include <time.h>\n', 'server/sim/bad.c:1'],
  ['threads in the simulation', 'server/sim/bad.c', '#include <pthread.h>\n', 'server/sim/bad.c:1'],
  ['cJSON in a header', 'server/proto/bad.h', '#include <cjson/cJSON.h>\n', 'server/proto/bad.h:1'],
  ['libwebsockets in the application', 'server/app/bad.c', '#include <libwebsockets.h>\n', 'server/app/bad.c:1'],
  ['three.js outside the scene', 'web/viewer/bad.js', "import { Mesh } from 'three';\n", 'web/viewer/bad.js:1'],
  ['a client that knows the page', 'web/client/bad.js', "import '../viewer/main.js';\n", 'web/client/bad.js:1'],
  ['a package in the client', 'web/client/bad.js', "const ws = await import('ws');\n", 'web/client/bad.js:1'],
];

for (const [name, path, text, where] of violations) {
  test(`the include rule finds ${name}`, () => {
    const faults = faultsWith({ [path]: text });
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.ok(faults[0].startsWith(`${where}: `), faults[0]);
  });
}

// SPDX-License-Identifier: MIT
// The Python module for soft bodies and joints (weft_world.bodies): its joints are those of the client library, it refuses open surfaces
// and names a missing package; where that is installed, the server takes the soft body that it makes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ballJoint, hinge, line } from '../../web/client/joints.js';
import { dataFolder } from '../support/data.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const PYTHON = process.env.WEFT_PYTHON ?? 'python3';
const FACES = [[1, 3, 2], [2, 3, 4], [5, 6, 7], [6, 8, 7], [1, 2, 5], [2, 6, 5], [3, 7, 4], [4, 7, 8], [1, 5, 3], [3, 5, 7], [2, 4, 6], [4, 8, 6]];

/** Runs Python code with the names of the module; returns what it prints, as JSON. */
function python(code) {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', `import json, sys\nfrom bodies import *\n${code}`], {
    env: { ...process.env, PYTHONPATH: join(ROOT, 'proto/python/src/weft_world'), PYTHONDONTWRITEBYTECODE: '1' }, encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** A cube with sides of 1 m as an OBJ file, without the last `missing` triangles. */
async function cube(t, missing = 0) {
  const path = join(await dataFolder(t), 'cube.obj');
  const corners = Array.from({ length: 8 }, (_, i) => `v ${i & 1} ${i >> 1 & 1} ${i >> 2}`);
  await writeFile(path, [...corners, ...FACES.slice(0, FACES.length - missing).map((face) => `f ${face.join(' ')}`), ''].join('\n'));
  return path;
}

/** Numbers rounded, for comparison. */
const rounded = (value) => JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'number' ? Number(item.toFixed(9)) + 0 : item)));

test('the joints in Python are those of the client library', () => {
  assert.deepEqual(rounded(python('print(json.dumps(hinge(3, "$0", [1, 2, 3], [0.2, 1, 0.5], limits=(-0.4, 1.1), width=0.3, arm=0.25, breakForce=90)))')),
    rounded(hinge(3, '$0', [1, 2, 3], [0.2, 1, 0.5], { limits: [-0.4, 1.1], width: 0.3, arm: 0.25, stick: { breakForce: 90 } })));
  assert.deepEqual(python('print(json.dumps(ball_joint({"object": 2, "particle": 1}, 4, [0, 1, 0])))'), ballJoint({ object: 2, particle: 1 }, 4, [0, 1, 0]));
  assert.deepEqual(python('print(json.dumps(line({"object": 2, "particle": 1}, {"object": 3, "point": [0, 1, 0]}, 2)))'),
    line({ object: 2, particle: 1 }, { object: 3, point: [0, 1, 0] }, 2));
  assert.match(python('try: hinge(1, 2, [0, 0, 0], [1, 0, 0], limits=(1, 2))\nexcept ValueError as error: print(json.dumps(str(error)))'), /smallest angle up to 0/);
});

test('an open surface is refused with its edge, and a missing package is named', async (t) => {
  const open = await cube(t, 1);
  assert.match(python(`try: soft_body(*read_surface(${JSON.stringify(open)}))\nexcept OpenSurface as error: print(json.dumps(str(error)))`),
    /open at the edge from vertex \d at \[.*\] to vertex \d at \[.*\]: one triangle has it/);
  assert.match(python(`sys.modules["tetgen"] = None\ntry: soft_body(*read_surface(${JSON.stringify(await cube(t))}))\nexcept ImportError as error: print(json.dumps(str(error)))`),
    /needs the package tetgen: pip install tetgen==/);
});

test('the server takes a soft body that fills a cube', async (t) => {
  if (spawnSync(PYTHON, ['-c', 'import tetgen']).status !== 0) {
    t.skip('the Python package tetgen is not installed');
    return;
  }
  const { call } = await laboratory(t);
  const params = python(`print(json.dumps(soft_body(*read_surface(${JSON.stringify(await cube(t))}), cell=0.25, young=30000, position=[0, 1, 0])))`);
  const { object, particles } = await call('soft.spawn', params);
  assert.ok(object > 0 && particles > 60, `${particles} particles`);
  const { mass } = await call('world.measure');
  assert.ok(Math.abs(mass - 1000) < 0.1, `1 m³ of 1000 kg/m³ is ${mass} kg`);
  t.diagnostic(`${particles} particles, ${params.tetrahedra.length / 4} tetrahedra`);
});

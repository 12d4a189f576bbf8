// SPDX-License-Identifier: MIT
// Parts of building that need no browser: cleaning an untrusted mesh, rejecting files, and the commands of the palette.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldOf, paramSchemas, readField } from '../../web/viewer/tools/build/fields.js';
import { fileKind, isFlat, USES } from '../../web/viewer/tools/build/file_kinds.js';
import { drawnEdges } from '../../web/viewer/geometry/edges.js';
import { formatOf } from '../../web/viewer/geometry/format.js';
import { checkPly, geometryOnly, trianglesOfStl } from '../../web/viewer/geometry/formats.js';
import { sceneNameOf, worldNameOf } from '../../web/viewer/ui/names.js';
import { KINDS, rotate } from '../../web/viewer/tools/build/kinds.js';
import { cleanMesh, edgeCount, outermost, simplified } from '../../web/viewer/geometry/mesh.js';
import { REDUCTIONS } from '../../web/viewer/geometry/reductions.js';
import { checkClosed, tetrahedralized, volumeOf } from '../../web/viewer/geometry/tetrahedra.js';
import { ballMesh } from '../../web/viewer/tools/build/solids.js';
import { seeded } from '../support/random.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const text = (words) => new TextEncoder().encode(words);
const none = () => undefined;

// A sphere of triangles that share no corner, as in many files.
function soup(rings, segments, jitter = () => 0) {
  const positions = [];
  const at = (ring, segment) => {
    const [up, round] = [(Math.PI * ring) / rings, (2 * Math.PI * (segment % segments)) / segments];
    return [Math.sin(up) * Math.cos(round), Math.cos(up), Math.sin(up) * Math.sin(round)].map((value) => value + jitter());
  };
  for (let ring = 0; ring < rings; ring++) {
    for (let segment = 0; segment < segments; segment++) {
      const [a, b, c, d] = [at(ring, segment), at(ring, segment + 1), at(ring + 1, segment), at(ring + 1, segment + 1)];
      positions.push(...a, ...b, ...c, ...b, ...d, ...c);
    }
  }
  return { positions, triangles: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
}

test('corners that lie on each other are joined, however little they differ, and triangles without area are left out', (t) => {
  const { seed, real } = seeded();
  t.diagnostic(`seed ${seed}`);
  const [rings, segments] = [12, 18];
  const mesh = cleanMesh(soup(rings, segments, () => 2e-6 * (real() - 0.5)));
  assert.equal(mesh.positions.length / 3, (rings - 1) * segments + 2);
  assert.equal(mesh.removed.flat, 2 * segments, 'those at the poles');
  assert.equal(mesh.triangles.length / 3, 2 * segments * (rings - 1));
  assert.equal(edgeCount(mesh.triangles), mesh.positions.length / 3 + mesh.triangles.length / 3 - 2, 'it is closed: Euler');
});

test('what names no point, or one that is no number, and what is there twice is left out and counted', () => {
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, NaN, 0, 0, Infinity, 1, 1];
  const mesh = cleanMesh({ positions, triangles: [0, 1, 2, 2, 1, 0, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, 4000000000, 0, 0, 1] });
  assert.deepEqual(mesh.removed, { broken: 3, flat: 1, doubled: 1 });
  assert.equal(mesh.triangles.length, 6);
  assert.deepEqual(mesh.extent, [1, 1, 1]);
  assert.ok(mesh.positions.every((value) => Math.abs(value) <= 0.5), 'it is centred');
});

test('a mesh of nothing, of points, of one place or of too much is refused in a sentence', () => {
  const refuses = (mesh, words) => assert.throws(() => cleanMesh(mesh), words);
  refuses({ positions: [], triangles: [] }, /no triangles/);
  refuses({ positions: [1, 1, 1, 1, 1, 1, 1, 1, 1], triangles: [0, 1, 2] }, /one point/);
  refuses({ positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [0, 1, 2] }, /degenerate/);
  refuses({ positions: [NaN, 0, 0], triangles: [0, 0, 0] }, /three valid corners/);
  refuses({ positions: [0, 0, 0, 1e300, 0, 0, 0, 1e300, 0], triangles: [0, 1, 2] }, /too large/);
  refuses({ positions: [0, 0, 0], triangles: { length: 3e9 } }, /at most 500,000/);
});

test('a mesh is brought down to as many particles as were asked for, not many fewer, and to none that it cannot be', () => {
  const mesh = cleanMesh(soup(40, 60));
  // Replaces the simplifier: removes triangles at the end.
  const reduce = ({ triangles }, corners) => triangles.subarray(0, corners);
  for (const most of [2000, 500, 60]) {
    const vertices = simplified(mesh, most, reduce).positions.length / 3;
    assert.ok(vertices <= most && vertices > 0.8 * most, `${vertices} of ${most}`);
  }
  assert.equal(simplified(mesh, 1e6, reduce), mesh, 'what is small enough stays as it is');
  assert.throws(() => simplified(mesh, 100, ({ triangles }) => triangles), /simplified to 100/);
});

test('the hull of a ball keeps its size with few corners, and a sheet is no body', () => {
  const { positions } = cleanMesh(soup(40, 60));
  const few = outermost(positions, 64);
  assert.ok(few.length / 3 <= 64 && few.length / 3 > 50);
  for (let axis = 0; axis < 3; axis++) assert.ok(Math.max(...few.filter((_, i) => i % 3 === axis)) > 0.95);
  assert.equal(isFlat(few), false);
  assert.equal(isFlat(Float32Array.from([0, 0, 0, 1, 1, 0, 1, 0, 1, 2, 1, 1, 0.3, 0.2, 0.1])), true, 'a tilted sheet');
});

test('a PLY that promises more than it holds is refused before it is read', () => {
  const ply = (elements) => text(`ply\nformat ascii 1.0\n${elements}end_header\n0 0 0\n`);
  checkPly(ply('element vertex 1\nproperty float x\nproperty float y\nproperty float z\n'));
  for (const elements of ['element vertex 4294967295\nproperty float x\n', 'element vertex 1\n', 'element face -3\nproperty list uchar int v\n', 'element vertex 1e9\nproperty float x\n']) {
    assert.throws(() => checkPly(ply(elements)), /more than its/, elements);
  }
  assert.throws(() => checkPly(text('plx')), /PLY header is missing/);
});

test('of a glTF only geometry is kept: nothing in it is fetched, and what is cut off or broken is refused', () => {
  const triangle = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const uri = `data:application/octet-stream;base64,${Buffer.from(triangle.buffer).toString('base64')}`;
  const good = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, camera: 3, skin: 1 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 7 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }], images: [{ uri: 'http://elsewhere.example/x.png' }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ uri, byteLength: 36 }],
  };
  const read = (json, beside = none) => Buffer.from(geometryOnly(text(JSON.stringify(json)), beside));
  const kept = read(good);
  assert.equal(kept.readUInt32LE(8), kept.length);
  assert.doesNotMatch(kept.toString('latin1'), /http|texture|image|material|NORMAL|uri/);
  assert.equal(read({ ...good, buffers: [{ uri: 'a%20b.bin', byteLength: 36 }] }, (name) => name === 'a b.bin' && new Uint8Array(triangle.buffer)).length, kept.length);
  const refuses = (change, words) => assert.throws(() => read({ ...good, ...change }), words);
  refuses({ buffers: [{ uri: 'https://elsewhere.example/x.bin', byteLength: 36 }] }, /fetch .* from another address/);
  refuses({ buffers: [{ uri: '//elsewhere.example/x.bin', byteLength: 36 }] }, /another address/);
  refuses({ buffers: [{ uri: 'file:///etc/passwd', byteLength: 36 }] }, /another address/);
  refuses({ buffers: [{ uri: 'x.bin', byteLength: 36 }] }, /Drop that file together/);
  refuses({ buffers: [{ uri, byteLength: 3600 }] }, /truncated/);
  refuses({ accessors: [{ bufferView: 0, componentType: 5126, count: 4e9, type: 'VEC3' }] }, /which are missing/);
  refuses({ accessors: [{ componentType: 5126, count: 1e8, type: 'VEC3' }] }, /which are missing/);
  refuses({ bufferViews: [{ buffer: 0, byteOffset: 30, byteLength: 36 }] }, /outside/);
  refuses({ nodes: [{ mesh: 0, children: [1] }, { children: [0] }] }, /cycle|deep/);
  refuses({ nodes: [{ children: [1, 1] }, { mesh: 0 }] }, /tree/);
  refuses({ extensionsRequired: ['KHR_draco_mesh_compression'] }, /Draco/);
  refuses({ asset: { version: '1.0' } }, /glTF 2\.0/);
  assert.throws(() => geometryOnly(text('{"asset":'), none), /JSON/);
  assert.throws(() => geometryOnly(kept.subarray(0, 60), none), /truncated/);
  assert.deepEqual(['a.OBJ', 'b.c.glb', 'x.gltf', 'y.ply', 'z.STL', 'w.step', 'obj'].map(formatOf), ['obj', 'glb', 'gltf', 'ply', 'stl', null, null]);
});

test('a field says what it takes, with its unit, and what is wrong with what was written', async () => {
  const document = JSON.parse(await readFile(join(ROOT, 'proto/weft.openrpc.json'), 'utf8'));
  const schemas = paramSchemas(document, 'cloth.spawn');
  const field = (name) => fieldOf(name, schemas.get(name));
  assert.deepEqual([field('spacing').unit, field('spacing').fallback, field('pin').choices[0]], ['m', 0.05, 'topCorners']);
  assert.equal(field('color').kind, 'color');
  assert.equal(field('masses'), null, 'a list takes more than a field');
  assert.ok(!schemas.has('atTick'), 'a form makes things at once');
  assert.deepEqual(readField(field('columns'), ' 12 '), { value: 12 });
  assert.deepEqual(readField(field('spacing'), '0,5'), { value: 0.5 });
  assert.deepEqual(readField(field('tear'), ''), {});
  assert.match(readField(field('columns'), '1.5').fault, /Columns must be a whole number from 2 to 4,096, not “1.5”/);
  assert.match(readField(field('spacing'), '0').fault, /from 0\.0001 m to 1,000 m/);
  assert.match(readField(field('name'), 'x'.repeat(65)).fault, /64 characters/);
});

test('the server takes what every thing of the palette sends, where and as large as it was put', async (t) => {
  const { call } = await laboratory(t);
  const half = Math.SQRT1_2;
  const pose = { position: [1, 5, -2], rotation: [0, 0, half, half] };
  for (const kind of KINDS) {
    const values = kind.resize ? kind.resize(kind.values, [1.5, 1.5, 1.5]) : kind.values;
    const params = kind.params(values, pose);
    const answer = await call(kind.method, params);
    assert.ok(answer.object > 0 || answer.obstacle > 0, kind.id);
    if (kind.id === 'rope') assert.deepEqual([params.from, params.to].map(([x]) => x), [1 - 1.125, 1 + 1.125], 'turned on its side');
    else if (kind.id === 'plane') assert.ok(Math.abs(params.normal[0] + 1) < 1e-5);
    else if (kind.id !== 'capsule') assert.deepEqual(params.position, pose.position);
  }
  assert.ok(Math.hypot(...rotate(pose.rotation, [1, 0, 0]).map((value, i) => value - [0, 1, 0][i])) < 1e-12);
});

test('the server takes a file as cloth, as body, as soft body and as obstacle', async (t) => {
  const { call } = await laboratory(t);
  const mesh = cleanMesh(soup(20, 30));
  const simplify = (whole) => whole;
  for (const [use, { usual }] of Object.entries(USES)) {
    const kind = fileKind(use, 'ball.obj', REDUCTIONS[use](mesh, usual, simplify), 2, 0.5);
    const params = kind.params(kind.resize(kind.values, [2]), { position: [0, 3, 0], rotation: [0, 0, 0, 1] });
    const answer = await call(kind.method, params);
    assert.ok(answer.object > 0 || answer.obstacle > 0, use);
    const sent = params.positions ?? params.vertices;
    assert.ok(Math.abs(Math.max(...sent) - 0.5) < 0.02, `${use}: ${Math.max(...sent)}`);
  }
});

const CUBE = {
  positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1], (value) => value - 0.5),
  triangles: Uint32Array.from([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]),
};
const typed = ({ positions, triangles }) => ({ positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) });

/** The sum of the volumes of all tetrahedra, and the smallest volume relative to the cube of the longest side. */
function figuresOf({ positions, tetrahedra }) {
  let [sum, thinnest] = [0, Infinity];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = Array.from(tetrahedra.subarray(t, t + 4), (p) => Array.from(positions.subarray(3 * p, 3 * p + 3)));
    const volume = Math.abs(volumeOf({ positions: corners.flatMap((corner) => corner.map((value, axis) => value - corners[3][axis])), triangles: [0, 1, 2] }));
    const longest = Math.max(...corners.flatMap((a) => corners.map((b) => Math.hypot(...a.map((value, axis) => value - b[axis])))));
    sum += volume;
    thinnest = Math.min(thinnest, (6 * volume) / longest ** 3);
  }
  return { sum, thinnest };
}

test('a closed surface is filled with tetrahedra, none of them thin, that fit together and take its volume', (t) => {
  for (const [name, mesh] of Object.entries({ ball: typed(ballMesh(0.5, 20)), cube: CUBE, 'cube of mixed winding': { ...CUBE, triangles: Uint32Array.from(CUBE.triangles).with(1, 1).with(2, 2) } })) {
    const solid = tetrahedralized(mesh, 2000);
    const count = solid.positions.length / 3;
    const { sum, thinnest } = figuresOf(solid);
    const share = sum / (name === 'ball' ? volumeOf(mesh) : 1);
    t.diagnostic(`${name}: ${count} particles, ${solid.tetrahedra.length / 4} tetrahedra, ${(100 * share).toFixed(1)} % of the volume, thinnest ${thinnest.toFixed(3)}`);
    assert.ok(count <= 2000 && count > 1500, `${count} particles`);
    assert.ok(share > 0.96 && share < 1.001, `${share} of the volume`);
    assert.ok(thinnest > 0.03, `the thinnest: ${thinnest}`);
    checkClosed(solid); // every face is shared, or a part of a closed surface
    assert.equal(new Set(solid.tetrahedra).size, count, 'every particle belongs to a tetrahedron');
  }
});

test('an open surface makes no soft body, and the edge is named', () => {
  const open = { ...CUBE, triangles: CUBE.triangles.slice(3) };
  assert.throws(() => tetrahedralized(open, 500), /open at the edge from \(0\.5, -0\.5, -0\.5\) to \(-0\.5, 0\.5, -0\.5\), .* only one triangle has it/);
  const thin = { ...CUBE, positions: CUBE.positions.map((value, i) => (i % 3 === 1 ? 1e-4 * value : value)) };
  assert.throws(() => tetrahedralized(thin, 60), /too thin/);
});

test('an STL file is read, binary or text, and a truncated one is refused', () => {
  const corners = Array.from(CUBE.triangles, (corner) => [...CUBE.positions.subarray(3 * corner, 3 * corner + 3)]);
  const binary = new Uint8Array(84 + 50 * 12);
  const view = new DataView(binary.buffer);
  view.setUint32(80, 12, true);
  corners.flat().forEach((value, i) => view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), value, true));
  const words = text(`solid x\n${corners.map((corner) => `vertex ${corner.join(' ')}\n`).join('')}endsolid x\n`);
  for (const bytes of [binary, words]) {
    const mesh = cleanMesh(trianglesOfStl(bytes));
    assert.deepEqual([mesh.positions.length / 3, mesh.triangles.length / 3], [8, 12]);
    checkClosed(mesh);
  }
  assert.throws(() => trianglesOfStl(binary.subarray(0, 300)), /claims 12 triangles, more than its 300 bytes/);
});

test('of any text a name is made that the server takes, and a name that it takes stays as it is', () => {
  for (const [text, scene, world] of [
    ['My living room', 'my-living-room', 'My-living-room'], ['Übung 1: Straße', 'ubung-1-strasse', 'Ubung-1-Strasse'], ['a_b', 'a-b', 'a_b'], ['тест', 'scene', 'world'],
    ['  -x-  ', 'x', 'x'], ['a--b-', 'a--b-', 'a--b-'], ['_x', 'x', '_x'], ['', 'scene', 'world'], ['x '.repeat(80), 'x-'.repeat(32).slice(0, -1), 'x-'.repeat(32).slice(0, -1)],
  ]) {
    assert.equal(sceneNameOf(text), scene);
    assert.equal(worldNameOf(text), world);
    assert.match(sceneNameOf(text), /^[a-z0-9][a-z0-9-]{0,63}$/);
    assert.match(worldNameOf(text), /^[A-Za-z0-9_-]{1,64}$/);
  }
});

test('of a mesh each edge is drawn once, of a fine one only what is sharp or a border', () => {
  const quad = { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]) };
  assert.deepEqual([...drawnEdges(quad)], [0, 1, 0, 2, 0, 3, 1, 2, 2, 3]);
  // A roof: two flat sides of many triangles that meet in a ridge.
  const side = 160;
  const positions = [];
  const triangles = [];
  for (let row = 0; row <= side; row++) for (let column = 0; column <= side; column++) positions.push(column, row < side / 2 ? row : side - row, row);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const a = row * (side + 1) + column;
      triangles.push(a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1);
    }
  }
  const edges = drawnEdges({ positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) });
  assert.equal(edges.length / 2, 4 * side + side, 'the border and the ridge');
});

test('an obstacle of a file has no triangle that the server would find without area', () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, 1e-7, 0, 0, 1, 0]);
  const mesh = { positions, triangles: Uint32Array.from([0, 1, 4, 0, 2, 1, 0, 3, 1]) };
  const { triangles, positions: kept } = REDUCTIONS.obstacle(mesh, 100, (same) => same);
  assert.deepEqual([triangles.length / 3, kept.length / 3], [1, 3]);
  assert.throws(() => REDUCTIONS.obstacle({ positions, triangles: Uint32Array.from([0, 2, 1]) }, 100, (same) => same), /All its triangles are degenerate/);
});

// SPDX-License-Identifier: MIT
// The scenes on which engines are compared: their sizes, positions and motions, the same for every engine. Units are SI, y is up.

export const TICK_S = 1 / 60;
export const GRAVITY = 9.81;

/** A cloth that is released flat and hangs from one of its edges. */
export const cloth = { side: 32, spacing: 0.02, height: 3, mass: 0.2, ticks: 300, firstTick: 120, energyTick: 120 };
export const clothPoints = grid(cloth.side, cloth.side, (column, row) => [(column - (cloth.side - 1) / 2) * cloth.spacing, cloth.height, row * cloth.spacing]);
export const clothPins = Array.from({ length: cloth.side }, (_, i) => i);
export const clothLinks = gridLinks(cloth.side, cloth.side);

/** Boxes that fall into a bin of four walls without a lid, and lie there in a heap. */
export const boxes = { count: 500, size: 0.4, mass: 10, friction: 0.5, inner: 5, wall: 0.5, wallHeight: 10, ticks: 300, firstTick: 240 };
export const boxPlaces = Array.from({ length: boxes.count }, (_, i) => {
  const [x, z, layer] = [i % 8, Math.floor(i / 8) % 8, Math.floor(i / 64)];
  const shift = 0.04 * ((x + 2 * z + 3 * layer) % 5) - 0.08; // no box lies exactly on one below
  return [(x - 3.5) * 0.58 + shift, 0.3 + 0.5 * layer, (z - 3.5) * 0.58 - shift];
});
/** The walls of the bin: centres and sizes. */
export const boxWalls = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([x, z]) => {
  const away = (boxes.inner + boxes.wall) / 2;
  const long = boxes.inner + 2 * boxes.wall;
  return { centre: [x * away, boxes.wallHeight / 2, z * away], size: [x === 0 ? long : boxes.wall, boxes.wallHeight, x === 0 ? boxes.wall : long] };
});

/** A rope bridge: planks joined by two ball joints each, both ends fixed, onto which a heavy box falls. */
export const bridge = { planks: 24, size: [0.5, 0.05, 1], mass: 5, height: 4, side: 0.45, load: { size: 0.4, mass: 50, height: 4.6 }, ticks: 300, firstTick: 180 };
export const plankPlaces = Array.from({ length: bridge.planks }, (_, i) => [(i - (bridge.planks - 1) / 2) * bridge.size[0], bridge.height, 0]);
/** The joints: the planks before and after, -1 and `planks` for the fixed ends, and the point. */
export const bridgeJoints = Array.from({ length: bridge.planks + 1 }, (_, i) => [-1, 1].map((side) => ({ before: i - 1, after: i, point: [(i - bridge.planks / 2) * bridge.size[0], bridge.height, side * bridge.side] }))).flat();

/**
 * A strip of cloth that is held at both ends and wrung into a rope. The ends come nearer by the length that a fibre takes up which
 * winds at `ropeRadius`, and the rope has room for the cloth's thickness, so that the cloth need neither be stretched nor cross itself.
 */
export const twist = { columns: 17, rows: 61, spacing: 0.05, thickness: 0.006, mass: 0.5, height: 2, turns: 5, ropeRadius: 0.0437, ticks: 600 };
export const twistPoints = grid(twist.columns, twist.rows, (column, row) => [(row - (twist.rows - 1) / 2) * twist.spacing, twist.height, (column - (twist.columns - 1) / 2) * twist.spacing]);
export const twistPins = [...Array(twist.columns).keys(), ...Array.from({ length: twist.columns }, (_, i) => (twist.rows - 1) * twist.columns + i)];
export const twistTriangles = gridTriangles(twist.columns, twist.rows);
export const twistLinks = gridLinks(twist.columns, twist.rows);

/** Where the held particle `i` is at a tick: both ends turn against one another and come nearer. */
export function twistPlace(i, tick) {
  const share = tick / twist.ticks;
  const [x, y, z] = twistPoints[i];
  const angle = Math.sign(x) * Math.PI * twist.turns * share;
  const length = (twist.rows - 1) * twist.spacing;
  const wound = 2 * Math.PI * twist.turns * share * twist.ropeRadius;
  return [x * Math.sqrt(1 - (wound / length) ** 2), y + z * Math.sin(angle), z * Math.cos(angle)];
}

/** A balloon that falls on the ground. */
export const balloon = { radius: 0.5, height: 1, mass: 0.5, gauge: 200, ticks: 300, firstTick: 240 };
export const balloonMesh = sphere(balloon.radius, 3);

function grid(columns, rows, place) {
  return Array.from({ length: columns * rows }, (_, i) => place(i % columns, Math.floor(i / columns)));
}

function gridLinks(columns, rows) {
  return Array.from({ length: columns * rows }, (_, i) => [...((i + 1) % columns > 0 ? [[i, i + 1]] : []), ...(i + columns < columns * rows ? [[i, i + columns]] : [])]).flat();
}

export function gridTriangles(columns, rows) {
  const corners = Array.from({ length: (columns - 1) * (rows - 1) }, (_, i) => Math.floor(i / (columns - 1)) * columns + (i % (columns - 1)));
  return corners.flatMap((a) => [[a, a + columns, a + 1], [a + 1, a + columns, a + columns + 1]]);
}

/** A sphere of triangles: an icosahedron whose triangles are divided into four, several times. */
function sphere(radius, times) {
  const t = (1 + Math.sqrt(5)) / 2;
  const points = [[-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0], [0, -1, t], [0, 1, t], [0, -1, -t], [0, 1, -t], [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1]];
  let triangles = [[0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1]];
  for (let round = 0; round < times; round++) {
    const middles = new Map();
    const middle = (a, b) => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!middles.has(key)) middles.set(key, points.push(points[a].map((value, axis) => (value + points[b][axis]) / 2)) - 1);
      return middles.get(key);
    };
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]];
    });
  }
  return { points: points.map((p) => p.map((value) => (value / Math.hypot(...p)) * radius)), triangles };
}

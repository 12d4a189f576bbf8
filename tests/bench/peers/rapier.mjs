// SPDX-License-Identifier: MIT
// Rapier's deterministic WebAssembly on the scenes of the comparison.

import RAPIER from '@dimforge/rapier3d-deterministic-compat';
import { TICK_S, balloon, balloonMesh, boxPlaces, boxWalls, boxes, bridge, bridgeJoints, cloth, clothPins, clothPoints, plankPlaces, twist, twistPins, twistPlace, twistPoints } from './scenes.mjs';

const vector = ([x, y, z]) => ({ x, y, z });
// So stiff that a tick's stretch is that of the iterations, and not of the spring.
const STIFF = [1000, 1];

function world({ numSolverIterations = 4, numInternalPgsIterations = 1 } = {}) {
  const made = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  made.timestep = TICK_S;
  Object.assign(made.integrationParameters, { numSolverIterations, numInternalPgsIterations });
  return made;
}

const ground = (made) => made.createCollider(RAPIER.ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0).setFriction(0.5));
const dynamic = (made, place) => made.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(...place).setCanSleep(false));
const solid = (made, body, size, mass) => made.createCollider(RAPIER.ColliderDesc.cuboid(...size.map((value) => value / 2)).setMass(mass).setFriction(0.5), body);

function poses(bodies) {
  const sample = new Float64Array(12 * bodies.length);
  bodies.forEach((body, i) => {
    const { x, y, z } = body.translation();
    sample.set([x, y, z, ...axesOf(body.rotation())], 12 * i);
  });
  return sample;
}

/** The axes of a rotation, one after the other. */
export function axesOf({ x, y, z, w }) {
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
}

const scenes = {
  cloth: (settings) => {
    const made = world(settings);
    const step = cloth.spacing;
    const desc = RAPIER.SoftBodyDesc.cloth(vector(clothPoints[0]), { x: step, y: 0, z: 0 }, { x: 0, y: 0, z: step }, cloth.side, cloth.side);
    const sheet = made.createSoftBody(desc.setSoftness(...STIFF).setMass(cloth.mass).setPinnedParticles(order(desc, clothPoints, clothPins)).setNoSurfaceCollider().setCanSleep(false).setAdditionalPgsIterations(0));
    return sheetOf(made, sheet, clothPoints);
  },
  boxes: (settings) => {
    const made = world(settings);
    ground(made);
    for (const { centre, size } of boxWalls) made.createCollider(RAPIER.ColliderDesc.cuboid(...size.map((value) => value / 2)).setTranslation(...centre).setFriction(boxes.friction));
    const bodies = boxPlaces.map((place) => {
      const body = dynamic(made, place);
      solid(made, body, [boxes.size, boxes.size, boxes.size], boxes.mass);
      return body;
    });
    return { tick: () => made.step(), sample: () => poses(bodies), end: () => made.free() };
  },
  bridge: (settings) => {
    const made = world(settings);
    const fixed = made.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    const planks = plankPlaces.map((place) => {
      const body = dynamic(made, place);
      solid(made, body, bridge.size, bridge.mass);
      return body;
    });
    for (const { before, after, point } of bridgeJoints) {
      const [a, b] = [before, after].map((i) => ({ body: planks[i] ?? fixed, anchor: vector(planks[i] ? point.map((value, axis) => value - plankPlaces[i][axis]) : point) }));
      made.createImpulseJoint(RAPIER.JointData.spherical(a.anchor, b.anchor), a.body, b.body, true).setContactsEnabled(false);
    }
    solid(made, dynamic(made, [0, bridge.load.height, 0]), [bridge.load.size, bridge.load.size, bridge.load.size], bridge.load.mass);
    return { tick: () => made.step(), sample: () => poses(planks), end: () => made.free() };
  },
  twist: (settings) => {
    const made = world(settings);
    const step = twist.spacing;
    const desc = RAPIER.SoftBodyDesc.cloth(vector(twistPoints[0]), { x: 0, y: 0, z: step }, { x: step, y: 0, z: 0 }, twist.columns, twist.rows);
    const pins = order(desc, twistPoints, twistPins);
    const sheet = made.createSoftBody(desc.setSoftness(...STIFF).setMass(twist.mass).setPinnedParticles(pins).setSelfContacts(true).setParticleRadius(twist.thickness / 2).setCanSleep(false));
    const running = sheetOf(made, sheet, twistPoints);
    return {
      ...running,
      tick: (i) => {
        twistPins.forEach((pin, at) => sheet.setParticleKinematicTarget(pins[at], vector(twistPlace(pin, i + 1))));
        made.step();
      },
    };
  },
  balloon: (settings) => {
    const made = world(settings);
    ground(made);
    const desc = RAPIER.SoftBodyDesc.trimesh(new Float32Array(balloonMesh.points.flatMap(([x, y, z]) => [x, y + balloon.height, z])), new Uint32Array(balloonMesh.triangles.flat()));
    const sheet = made.createSoftBody(desc.setMass(balloon.mass).setShapeMatching(false).setVolumePreservation(true).setCanSleep(false));
    return sheetOf(made, sheet, balloonMesh.points.map(([x, y, z]) => [x, y + balloon.height, z]));
  },
};

/** The particles of a description in the order of `points`. */
function matching(positions, points) {
  const key = (x, y, z) => [x, y, z].map((value) => Math.round(value * 1e4) + 0).join(' ');
  const at = new Map();
  for (let i = 0; i < positions.length / 3; i++) at.set(key(...positions.subarray(3 * i, 3 * i + 3)), i);
  const found = points.map((point) => at.get(key(...point)));
  if (found.includes(undefined)) throw new Error('Rapier places a particle elsewhere.');
  return found;
}
const order = (desc, points, pins) => {
  const all = matching(desc.particlePositions(), points);
  return pins.map((pin) => all[pin]);
};

function sheetOf(made, sheet, points) {
  const places = matching(sheet.particlePositions(), points);
  const sample = () => {
    const from = sheet.particlePositions();
    const to = new Float32Array(3 * places.length);
    places.forEach((place, i) => to.set(from.subarray(3 * place, 3 * place + 3), 3 * i));
    return to;
  };
  return { tick: () => made.step(), sample, end: () => made.free() };
}

export async function loadRapier() {
  await RAPIER.init();
  return { name: `Rapier ${RAPIER.version()}`, ...scenes };
}

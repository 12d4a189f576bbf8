// SPDX-License-Identifier: MIT
// Jolt's WebAssembly (npm's jolt-physics) on the scenes of the comparison. Its soft bodies do not touch themselves.

import initJolt from 'jolt-physics/wasm-compat';
import { axesOf } from './rapier.mjs';
import { TICK_S, balloon, balloonMesh, boxPlaces, boxWalls, boxes, bridge, bridgeJoints, cloth, clothPins, clothPoints, gridTriangles, plankPlaces } from './scenes.mjs';

const [STATIC, MOVING] = [0, 1]; // object layers, each with a broad phase layer of its own

/** @param {any} Jolt */
function world(Jolt) {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STATIC, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [STATIC, MOVING]) layers.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  settings.mMaxWorkerThreads = 0;
  const made = new Jolt.JoltInterface(settings);
  made.GetPhysicsSystem().SetGravity(new Jolt.Vec3(0, -9.81, 0));
  return { made, bodies: made.GetPhysicsSystem().GetBodyInterface() };
}

const running = (Jolt, made, substeps, sample) => ({ tick: () => made.Step(TICK_S, substeps), sample, end: () => Jolt.destroy(made) });

function solid(Jolt, bodies, place, size, mass, moves = true) {
  const half = new Jolt.Vec3(...size.map((value) => value / 2));
  const shape = new Jolt.BoxShape(half, 0.01);
  const settings = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...place), new Jolt.Quat(0, 0, 0, 1), moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, moves ? MOVING : STATIC);
  settings.mFriction = 0.5;
  settings.mAllowSleeping = false;
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  if (moves) {
    settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = mass;
  }
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}

const ground = (Jolt, bodies) => solid(Jolt, bodies, [0, -1, 0], [100, 2, 100], 0, false);

function poses(list) {
  const sample = new Float64Array(12 * list.length);
  list.forEach((body, i) => {
    const [at, turn] = [body.GetPosition(), body.GetRotation()];
    sample.set([at.GetX(), at.GetY(), at.GetZ(), ...axesOf({ x: turn.GetX(), y: turn.GetY(), z: turn.GetZ(), w: turn.GetW() })], 12 * i);
  });
  return sample;
}

/** A sheet of particles, with rigid edges along the sides of its triangles. */
function sheet(Jolt, bodies, { points, triangles, pins = [], mass, iterations, pressure = 0 }) {
  const shared = new Jolt.SoftBodySharedSettings();
  points.forEach(([x, y, z], i) => {
    const vertex = new Jolt.SoftBodySharedSettingsVertex();
    vertex.mPosition = new Jolt.Float3(x, y, z);
    vertex.mInvMass = pins.includes(i) ? 0 : points.length / mass;
    shared.mVertices.push_back(vertex);
  });
  for (const corners of triangles) shared.AddFace(new Jolt.SoftBodySharedSettingsFace(...corners, 0));
  // CreateConstraints would also join pairs that are both pinned, of which Jolt makes numbers that are not finite.
  const edges = new Set(triangles.flatMap(([a, b, c]) => [[a, b], [b, c], [c, a]]).map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
  for (const [a, b] of [...edges].map((edge) => edge.split(' ').map(Number))) {
    if (!pins.includes(a) || !pins.includes(b)) shared.mEdgeConstraints.push_back(new Jolt.SoftBodySharedSettingsEdge(a, b, 0));
  }
  shared.CalculateEdgeLengths();
  shared.Optimize();
  const settings = new Jolt.SoftBodyCreationSettings(shared, new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), MOVING);
  Object.assign(settings, { mNumIterations: iterations, mLinearDamping: 0, mPressure: pressure, mAllowSleeping: false, mUpdatePosition: false });
  const body = bodies.CreateSoftBody(settings);
  bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
  const motion = Jolt.castObject(body.GetMotionProperties(), Jolt.SoftBodyMotionProperties);
  return () => {
    const at = body.GetPosition();
    const [x, y, z] = [at.GetX(), at.GetY(), at.GetZ()];
    const sample = new Float32Array(3 * points.length);
    for (let i = 0; i < points.length; i++) {
      const place = motion.GetVertex(i).mPosition;
      sample.set([place.GetX() + x, place.GetY() + y, place.GetZ() + z], 3 * i);
    }
    return sample;
  };
}

const scenes = (Jolt) => ({
  cloth: ({ substeps = 1, iterations = 5 } = {}) => {
    const { made, bodies } = world(Jolt);
    const sample = sheet(Jolt, bodies, { points: clothPoints, triangles: gridTriangles(cloth.side, cloth.side), pins: clothPins, mass: cloth.mass, iterations });
    return running(Jolt, made, substeps, sample);
  },
  boxes: ({ substeps = 1 } = {}) => {
    const { made, bodies } = world(Jolt);
    ground(Jolt, bodies);
    for (const { centre, size } of boxWalls) solid(Jolt, bodies, centre, size, 0, false);
    const list = boxPlaces.map((place) => solid(Jolt, bodies, place, [boxes.size, boxes.size, boxes.size], boxes.mass));
    return running(Jolt, made, substeps, () => poses(list));
  },
  bridge: ({ substeps = 1 } = {}) => {
    const { made, bodies } = world(Jolt);
    const posts = [-1, bridge.planks].map((side) => solid(Jolt, bodies, [(side < 0 ? -1 : 1) * (bridge.planks / 2 + 4) * bridge.size[0], bridge.height, 0], [0.1, 0.1, 0.1], 0, false));
    const planks = plankPlaces.map((place) => solid(Jolt, bodies, place, bridge.size, bridge.mass));
    for (const { before, after, point } of bridgeJoints) {
      const settings = new Jolt.PointConstraintSettings();
      settings.mPoint1 = settings.mPoint2 = new Jolt.RVec3(...point);
      made.GetPhysicsSystem().AddConstraint(settings.Create(planks[before] ?? posts[0], planks[after] ?? posts[1]));
    }
    solid(Jolt, bodies, [0, bridge.load.height, 0], [bridge.load.size, bridge.load.size, bridge.load.size], bridge.load.mass);
    return running(Jolt, made, substeps, () => poses(planks));
  },
  balloon: ({ substeps = 1, iterations = 5 } = {}) => {
    const { made, bodies } = world(Jolt);
    ground(Jolt, bodies);
    const points = balloonMesh.points.map(([x, y, z]) => [x, y + balloon.height, z]);
    const inside = (4 / 3) * Math.PI * balloon.radius ** 3;
    const sample = sheet(Jolt, bodies, { points, triangles: balloonMesh.triangles, mass: balloon.mass, iterations, pressure: balloon.gauge * inside });
    return running(Jolt, made, substeps, sample);
  },
});

export async function loadJolt() {
  const Jolt = await initJolt();
  return { name: 'Jolt 1.1.0 of npm', ...scenes(Jolt) };
}

// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.

export declare const PROTOCOL: 1;
export declare const SUBPROTOCOL: "weft.v1";

export interface MethodInfo {
  readonly kind: "read" | "change" | "session";
  readonly role: "viewer" | "editor" | "admin";
  readonly batch: boolean;
}
export declare const METHODS: { readonly [name in MethodName]: MethodInfo };
export declare const EVENTS: readonly EventName[];
export declare const ERRORS: {
  readonly PARSE: -32700;
  readonly REQUEST: -32600;
  readonly METHOD: -32601;
  readonly INVALID: -32602;
  readonly INTERNAL: -32603;
  readonly BUSY: -32000;
  readonly DENIED: -32001;
  readonly NOT_FOUND: -32002;
  readonly LIMIT: -32003;
  readonly STATE: -32004;
  readonly RATE: -32005;
};

/** What every error carries. */
export interface ErrorData {
  pointer: string;
  suggestion?: string;
  retryAfterMs?: number;
}

/** [x, y, z], y up. In m. */
export type Position = [number, number, number];

/** [x, y, z]. In m/s. */
export type Velocity = [number, number, number];

/** [x, y, z] about the centre of mass. In rad/s. */
export type AngularVelocity = [number, number, number];

/** [x, y, z]. In m/s². */
export type Acceleration = [number, number, number];

/** [x, y, z]. In N. */
export type Force = [number, number, number];

/** [x, y, z], any length but zero. */
export type Direction = [number, number, number];

/** [x, y, z], full extents. In m. */
export type Extents = [number, number, number];

/** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
export type Rotation = [number, number, number, number];

/** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
export type ObjectRef = number | string;

/** Never reused. */
export type Id = number;

/** Index of a particle within its object. */
export type ParticleIndex = number;

/** Indices of particles within their object. */
export type ParticleIndices = ParticleIndex[];

/** Three numbers a particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
export type Positions = number[] | Position[];

/** Three numbers a particle, flat or as triples. In m/s. */
export type Velocities = number[] | Velocity[];

/** Three particle indices a triangle, flat or as triples. */
export type Triangles = ParticleIndex[] | ([ParticleIndex, ParticleIndex, ParticleIndex])[];

/** Mass. In kg. */
export type Mass = number;

/** One mass a particle. */
export type Masses = Mass[];

/** A length. In m. */
export type Length = number;

/** Coefficient of friction; two materials meet with √(μ₁μ₂). */
export type Friction = number;

/** "#rrggbb". */
export type Color = string;

/** Shown to people; no control characters. */
export type Name = string;

/** Small letters, digits and hyphens. */
export type SceneName = string;

/** Direction of a stick's projection: along it as it lies now (Jakobsen; damps rotation) or as it lay at the substep's start (SHAKE; keeps it). */
export type Projection = "current" | "start";

/** Which particles are pinned: a named choice or indices. On a mesh only "none" and indices. */
export type SheetPins = "topCorners" | "corners" | "topEdge" | "none" | ParticleIndex[];

/** The box that nothing leaves; max must exceed min on every axis. */
export type Bounds = {
  min: Position;
  max: Position;
};

/** Moves cloth and meshes, triangle by triangle. */
export type Wind = {
  velocity: Velocity;
  gust?: number;
};

/** A particle of an object. */
export type StickEnd = {
  object: ObjectRef;
  particle: ParticleIndex;
};

/** One command of a batch. */
export type Command = {
  method: string;
  params?: Record<string, unknown>;
};

/** The first tick whose step saw the change. */
export type Tick = number;

/** true, and only then there: this would have been faster than 1000 m/s and was held to that, in the same direction. */
export type Capped = boolean;

/** Name of an event. */
export type EventName = "object.added" | "object.removed" | "obstacle.added" | "obstacle.removed" | "stick.added" | "stick.removed" | "particle.pinned" | "particle.unpinned" | "grab.started" | "grab.ended" | "world.changed" | "client.joined" | "client.left" | "pointer.moved" | "stick.broken" | "body.quarantined" | "object.slept" | "object.woke" | "frames.paced";

/** Share of the approach speed that comes back after a bounce; two materials meet with the larger. */
export type Restitution = number;

/** How far a stick gives way to a force, whatever the substeps and iterations; 0 is rigid. In m/N. */
export type Compliance = number;

/** A length, or three as [x, y, z]. In m. */
export type Size = number | [number, number, number];

/** Make a cloth. The cloth lies in its local x–y plane, columns along +x, rows along −y from the top, centred. Index = row·columns + column. */
export interface ClothSpawnParams {
  /** Particles in a row. */
  columns: number;
  /** Particles in a column. */
  rows: number;
  /** Distance of neighbours. In m. Default 0.05. */
  spacing?: Length;
  /** Square lattice, or equilateral triangles with every second row shifted by half a spacing. Default "grid". */
  mesh?: "grid" | "hex";
  /** Sticks across the quads of a grid. Default true. */
  shear?: boolean;
  /** Where its centre (of a mesh: its origin) lies. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Which particles are pinned: a named choice or indices. On a mesh only "none" and indices. Default "topCorners". */
  pin?: SheetPins;
  /** Mass in all, spread over the particles by area. Not together with arealDensity or masses. In kg. */
  mass?: Mass;
  /** Mass per area; 0.2 unless mass or masses is given. In kg/m². */
  arealDensity?: number;
  /** One mass a particle. */
  masses?: Masses;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** Of every structural and shear stick; 0 is rigid. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Sticks between particles that share a neighbour, against bending. Default false. */
  bend?: boolean;
  /** Of every bending stick; 0 is rigid. In m/N. Default 0. */
  bendCompliance?: Compliance;
  /** Hold every particle within reach of its nearest pin, so that a hanging cloth does not stretch. Default false. */
  tethers?: boolean;
  /** A stick stretched past this ratio of its length breaks; never when absent. */
  tear?: number;
  /** Kept from obstacles, from itself and from other cloth; at most twice the mean side of its triangles. In m. Default 0. */
  thickness?: number;
  /** Keep the cloth from passing through itself; needs a thickness. Default false. */
  selfCollision?: boolean;
  /** Direction of a stick's projection: along it as it lies now (Jakobsen; damps rotation) or as it lay at the substep's start (SHAKE; keeps it). Default "current". */
  projection?: Projection;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type ClothSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Make a cloth of any triangle mesh. A particle per vertex, a stick per edge. */
export interface MeshSpawnParams {
  /** Three numbers a particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
  positions: Positions;
  /** Three particle indices a triangle, flat or as triples. */
  triangles: Triangles;
  /** Where its centre (of a mesh: its origin) lies. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Which particles are pinned: a named choice or indices. On a mesh only "none" and indices. Default "none". */
  pin?: SheetPins;
  /** Mass in all, spread over the particles by area. Not together with arealDensity or masses. In kg. */
  mass?: Mass;
  /** Mass per area; 0.2 unless mass or masses is given. In kg/m². */
  arealDensity?: number;
  /** One mass a particle. */
  masses?: Masses;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** Of every structural and shear stick; 0 is rigid. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Sticks between particles that share a neighbour, against bending. Default false. */
  bend?: boolean;
  /** Of every bending stick; 0 is rigid. In m/N. Default 0. */
  bendCompliance?: Compliance;
  /** Hold every particle within reach of its nearest pin, so that a hanging cloth does not stretch. Default false. */
  tethers?: boolean;
  /** A stick stretched past this ratio of its length breaks; never when absent. */
  tear?: number;
  /** Kept from obstacles, from itself and from other cloth; at most twice the mean side of its triangles. In m. Default 0. */
  thickness?: number;
  /** Keep the cloth from passing through itself; needs a thickness. Default false. */
  selfCollision?: boolean;
  /** Direction of a stick's projection: along it as it lies now (Jakobsen; damps rotation) or as it lay at the substep's start (SHAKE; keeps it). Default "current". */
  projection?: Projection;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type MeshSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Make loose particles. */
export interface ParticlesSpawnParams {
  /** Three numbers a particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
  positions: Positions;
  /** Three numbers a particle, flat or as triples. In m/s. */
  velocities?: Velocities;
  /** One mass a particle; 1 kg each when absent. */
  masses?: Masses;
  /** Distance kept from obstacles and bounds. In m. Default 0.05. */
  radius?: number;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type ParticlesSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped: Capped;
};

/** Make a rope: a chain of sticks. */
export interface RopeSpawnParams {
  /** [x, y, z], y up. In m. */
  from: Position;
  /** [x, y, z], y up. In m. */
  to: Position;
  /** Number of particles. Default 20. */
  particles?: number;
  /** Mass in all. In kg. Default 0.5. */
  mass?: Mass;
  /** One mass a particle. */
  masses?: Masses;
  /** Which ends are pinned. Default "start". */
  pin?: "start" | "end" | "both" | "none";
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** Its diameter: half of it is kept from obstacles. In m. Default 0. */
  thickness?: number;
  /** Of every stick; 0 is rigid. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type RopeSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Make a rigid body: four particles with six constraints. A tetrahedron's particles are its corners. With vertices, position is where their origin lies, else where the centre of mass does. */
export interface BodySpawnParams {
  /** Its shape: a box and a convex hull are embedded in four particles with their exact mass, centre and inertia; a frame is three rods at right angles. Default "tetrahedron". */
  shape?: "tetrahedron" | "box" | "hull" | "frame";
  /** Tetrahedron: edge length (0.4). Box: full extents [x, y, z]. Frame: length of its axes. Not together with vertices. In m. */
  size?: Size;
  /** Local points, flat or as triples: four of a tetrahedron, 4 to 256 of a hull. In m. */
  vertices?: Positions;
  /** Where its centre of mass (with vertices: their origin) lies. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** [x, y, z] about the centre of mass. In rad/s. Default [0,0,0]. */
  angularVelocity?: AngularVelocity;
  /** Mass in all. In kg. Default 1. */
  mass?: Mass;
  /** Four masses of a tetrahedron or frame; then mass must be absent. */
  masses?: Masses;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** Direction of a stick's projection: along it as it lies now (Jakobsen; damps rotation) or as it lay at the substep's start (SHAKE; keeps it). Default "start". */
  projection?: Projection;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type BodySpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped: Capped;
};

/** Make a plant. A stem of crossed sticks that bends in the wind and stands up again, with pairs of leaves; its root is pinned. */
export interface PlantSpawnParams {
  /** Where its root stands. In m. Default [0,0,0]. */
  position?: Position;
  /** Height of the stem. In m. Default 1. */
  height?: Length;
  /** Storeys of the stem. Default 10. */
  levels?: number;
  /** Pairs of leaves. Default 4. */
  leaves?: number;
  /** Mass in all. In kg. Default 0.3. */
  mass?: Mass;
  /** How much the supports resist. Default 0.5. */
  stiffness?: number;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type PlantSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Make an articulated figure. Eleven bones that share particles: one shared is a pin joint, two are a hinge; limits keep it from folding the wrong way. */
export interface RagdollSpawnParams {
  /** Where its pelvis is. In m. Default [0,1,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** From head to foot. In m. Default 1.7. */
  height?: Length;
  /** Mass in all. In kg. Default 70. */
  mass?: Mass;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type RagdollSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped: Capped;
};

/** Join two particles by a stick. */
export interface StickAddParams {
  /** A particle of an object. */
  a: StickEnd;
  /** A particle of an object. */
  b: StickEnd;
  /** As far apart as they are now when absent. In m. */
  restLength?: Length;
  /** Keeps the length, or only an upper or a lower bound of it. Default "equal". */
  kind?: "equal" | "atMost" | "atLeast";
  /** How far a stick gives way to a force, whatever the substeps and iterations; 0 is rigid. In m/N. Default 0. */
  compliance?: Compliance;
}
export type StickAddResult = {
  stick: Id;
  tick: Tick;
};

/** Remove a stick made by stick.add. */
export interface StickRemoveParams {
  /** Never reused. */
  stick: Id;
}
export type StickRemoveResult = {
  tick: Tick;
};

/** Add something solid that never moves. sphere: position, radius. box: position, rotation, size. plane: position, normal; solid on the side away from its normal. capsule: from, to, radius. heightfield: position, columns, rows, spacing, heights; solid below. mesh: position, rotation, positions, triangles. */
export interface ObstacleAddParams {
  /** Its shape. */
  shape: "sphere" | "box" | "plane" | "capsule" | "heightfield" | "mesh";
  /** [x, y, z], y up. In m. Default [0,0,0]. */
  position?: Position;
  /** Of a sphere or a capsule (required there, refused elsewhere). In m. */
  radius?: Length;
  /** Full extents of a box (required there, refused elsewhere). In m. */
  size?: Extents;
  /** Of a box or a mesh. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Of a plane; [0, 1, 0] when absent. */
  normal?: Direction;
  /** One end of a capsule's axis. In m. */
  from?: Position;
  /** The other end of a capsule's axis. In m. */
  to?: Position;
  /** Samples of a height field along x. */
  columns?: number;
  /** Samples of a height field along z. */
  rows?: number;
  /** Distance of a height field's samples. In m. */
  spacing?: Length;
  /** Heights above position, row by row: along x, then z; centred on position. In m. */
  heights?: number[];
  /** Local vertices of a mesh. In m. */
  positions?: Positions;
  /** Vertex indices of a mesh, three a triangle, outward. */
  triangles?: Triangles;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. Default 0. */
  restitution?: Restitution;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control characters. */
  name?: Name;
}
export type ObstacleAddResult = {
  obstacle: Id;
  tick: Tick;
};

/** Remove an obstacle. */
export interface ObstacleRemoveParams {
  /** Never reused. */
  obstacle: Id;
}
export type ObstacleRemoveResult = {
  tick: Tick;
};

export type ObjectListParams = Record<string, never>;
export type ObjectListResult = {
  objects: ({
  object: Id;
  kind: string;
  name: string;
  particles: number;
  sticks: number;
  pins: number;
  radius: number;
  friction: Friction;
  restitution: Restitution;
  asleep: boolean;
  quarantined: boolean;
})[];
  obstacles: (Record<string, unknown>)[];
};

/** Tell all about one object. */
export interface ObjectGetParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
}
export type ObjectGetResult = {
  object: Id;
  kind: string;
  name: string;
  particles: number;
  sticks: number;
  pins: number;
  radius: number;
  friction: Friction;
  restitution: Restitution;
  asleep: boolean;
  quarantined: boolean;
};

/** Remove an object with all that hangs on it. */
export interface ObjectRemoveParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
}
export type ObjectRemoveResult = {
  tick: Tick;
};

/** Pin particles: inverse mass 0, moved by commands only. With position: one particle only, which is moved there; pinning again moves the pin. */
export interface ParticlePinParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** [x, y, z], y up. In m. */
  position?: Position;
}
export type ParticlePinResult = {
  tick: Tick;
};

/** Unpin particles; each gets its own mass back. */
export interface ParticleUnpinParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
}
export type ParticleUnpinResult = {
  tick: Tick;
};

/** Set properties of particles. */
export interface ParticleSetParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** Inverse mass, 0 = immovable. In 1/kg. */
  inverseMass: number;
}
export type ParticleSetResult = {
  tick: Tick;
};

/** Move one particle. A teleport stops it; a push by Δ adds Δ to its displacement too. */
export interface ParticleMoveParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Index of a particle within its object. */
  particle: ParticleIndex;
  /** [x, y, z], y up. In m. */
  position: Position;
  /** How. Default "teleport". */
  mode?: "teleport" | "push";
}
export type ParticleMoveResult = {
  tick: Tick;
  capped: Capped;
};

/** Read positions, velocities and inverse masses. At most 1,000,000 particles; large answers are written beside the tick. */
export interface ParticleReadParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** All when absent. */
  particles?: ParticleIndices;
}
export type ParticleReadResult = {
  tick: Tick;
  positions: Position[];
  velocities: Velocity[];
  inverseMasses: number[];
};

/** Push with a force for some ticks. The force is spread evenly over the particles. */
export interface ForceApplyParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** All when absent. */
  particles?: ParticleIndices;
  /** In all. In N. */
  force: Force;
  /** For how many ticks. Default 1. */
  ticks?: number;
}
export type ForceApplyResult = {
  tick: Tick;
};

/** Take hold of a particle, or of the surface point nearest to a point. Give particle or point. A grab belongs to its client and ends when that leaves. A particle held by another hand is refused with −32004. */
export interface GrabStartParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Index of a particle within its object. */
  particle?: ParticleIndex;
  /** [x, y, z], y up. In m. */
  point?: Position;
}
export type GrabStartResult = {
  grab: Id;
  tick: Tick;
};

/** Move the hand. */
export interface GrabMoveParams {
  /** Never reused. */
  grab: Id;
  /** [x, y, z], y up. In m. */
  position: Position;
}
export type GrabMoveResult = {
  tick: Tick;
};

/** Let go. */
export interface GrabEndParams {
  /** Never reused. */
  grab: Id;
}
export type GrabEndResult = {
  tick: Tick;
};

export type WorldGetParams = Record<string, never>;
export type WorldGetResult = {
  gravity: Acceleration;
  damping: number;
  iterations: number;
  substeps: number;
  squareRoot: "exact" | "approximate";
  bounds: Bounds;
  wind: Wind;
  friction: Friction;
  tick: Tick;
  tickHz: number;
  running: boolean;
  scene: string;
  epoch: number;
  stateHash: string;
  counts: Record<string, unknown>;
  limits: Record<string, unknown>;
  timing: Record<string, unknown>;
  memory: Record<string, unknown>;
  tolerance: number;
};

/** Change parameters of the world; those left out stay. */
export interface WorldSetParams {
  /** [x, y, z]. In m/s². */
  gravity?: Acceleration;
  /** Share of the displacement lost in a tick, [0, 1). */
  damping?: number;
  /** Relaxation sweeps in a substep. */
  iterations?: number;
  /** Substeps in a tick. */
  substeps?: number;
  /** Relaxation stops early when no correction of a sweep exceeds this share; 0: never. */
  tolerance?: number;
  /** Stick projection with a square root, or with its first-order expansion. */
  squareRoot?: "exact" | "approximate";
  /** The box that nothing leaves; max must exceed min on every axis. */
  bounds?: Bounds;
  /** Moves cloth and meshes, triangle by triangle. */
  wind?: Wind;
  /** Of the bounds. */
  friction?: Friction;
}
export type WorldSetResult = {
  tick: Tick;
};

export type WorldPauseParams = Record<string, never>;
export type WorldPauseResult = {
  tick: Tick;
};

export type WorldResumeParams = Record<string, never>;
export type WorldResumeResult = {
  tick: Tick;
};

/** Step a paused world as fast as it can; answered when the ticks are done. The tick of the answer is the one reached. */
export interface WorldStepParams {
  /** How many. Default 1. */
  ticks?: number;
}
export type WorldStepResult = {
  tick: Tick;
};

export type WorldResetParams = Record<string, never>;
export type WorldResetResult = {
  tick: Tick;
};

/** Run commands in order, all or nothing. "$k" names the object made by command k of the same batch, every command counted from 0. */
export interface BatchRunParams {
  /** The commands. */
  commands: Command[];
  /** The tick whose step shall be the first to see the change; the next when absent. */
  atTick?: number;
}
export type BatchRunResult = {
  results: (Record<string, unknown>)[];
  tick: Tick;
};

/** Ask for frames: the topology, a keyframe, then frames. Subscribing again changes the choice. */
export interface FramesSubscribeParams {
  /** One frame every so many ticks. Default 1. */
  everyTicks?: number;
  /** Only these objects; all when absent. */
  objects?: Id[];
  /** Positions on a fixed grid, packed, each frame for itself; raw float32; or that grid predicted from the frames before, a tenth of the bytes, for clients that keep the last four frames. Default "grid". */
  encoding?: "grid" | "raw" | "motion";
  /** With encoding `motion`: who keeps missing frames gets an even, slower rate instead, one frame every 2, 4, then 8 times `everyTicks`, and a faster one again when that has gone well for a while. The event `frames.paced` tells. Default false. */
  adapt?: boolean;
  /** Grid step; the error is at most half of it. In m. Default 0.000244140625. */
  step?: number;
}
export type FramesSubscribeResult = {
  tick: Tick;
  epoch: number;
  encoding: string;
  step: number;
  everyTicks: number;
};

export type FramesUnsubscribeParams = Record<string, never>;
export type FramesUnsubscribeResult = Record<string, never>;

/** Ask for events (notifications). */
export interface EventsSubscribeParams {
  /** Which; all when absent. */
  events?: EventName[];
}
export type EventsSubscribeResult = {
  events: EventName[];
};

export type EventsUnsubscribeParams = Record<string, never>;
export type EventsUnsubscribeResult = Record<string, never>;

/** Show others where you point. Sends pointer.moved to the other clients; not part of the world's state. */
export interface PointerMoveParams {
  /** [x, y, z], y up. In m. */
  position: Position;
}
export type PointerMoveResult = Record<string, never>;

export type SceneListParams = Record<string, never>;
export type SceneListResult = {
  scenes: ({
  name: SceneName;
  title: string;
  description: string;
})[];
};

/** Replace the world by a scene at tick 0 in a new epoch. */
export interface SceneLoadParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
}
export type SceneLoadResult = {
  tick: Tick;
};

/** Save how the world was built, as a scene file. The commands that made the objects, sticks and obstacles, the parameters, and pins and masses as they are now; not the momentary motion. A scene that came with Weft is not overwritten. */
export interface SceneSaveParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
  /** Shown to people; no control characters. */
  title?: Name;
  /** Replace a scene saved before. Default false. */
  overwrite?: boolean;
}
export type SceneSaveResult = {
  name: SceneName;
  commands: number;
};

export type RpcDiscoverParams = Record<string, never>;
export type RpcDiscoverResult = Record<string, unknown>;

export interface Methods {
  "cloth.spawn": { params: ClothSpawnParams; result: ClothSpawnResult };
  "mesh.spawn": { params: MeshSpawnParams; result: MeshSpawnResult };
  "particles.spawn": { params: ParticlesSpawnParams; result: ParticlesSpawnResult };
  "rope.spawn": { params: RopeSpawnParams; result: RopeSpawnResult };
  "body.spawn": { params: BodySpawnParams; result: BodySpawnResult };
  "plant.spawn": { params: PlantSpawnParams; result: PlantSpawnResult };
  "ragdoll.spawn": { params: RagdollSpawnParams; result: RagdollSpawnResult };
  "stick.add": { params: StickAddParams; result: StickAddResult };
  "stick.remove": { params: StickRemoveParams; result: StickRemoveResult };
  "obstacle.add": { params: ObstacleAddParams; result: ObstacleAddResult };
  "obstacle.remove": { params: ObstacleRemoveParams; result: ObstacleRemoveResult };
  "object.list": { params: ObjectListParams; result: ObjectListResult };
  "object.get": { params: ObjectGetParams; result: ObjectGetResult };
  "object.remove": { params: ObjectRemoveParams; result: ObjectRemoveResult };
  "particle.pin": { params: ParticlePinParams; result: ParticlePinResult };
  "particle.unpin": { params: ParticleUnpinParams; result: ParticleUnpinResult };
  "particle.set": { params: ParticleSetParams; result: ParticleSetResult };
  "particle.move": { params: ParticleMoveParams; result: ParticleMoveResult };
  "particle.read": { params: ParticleReadParams; result: ParticleReadResult };
  "force.apply": { params: ForceApplyParams; result: ForceApplyResult };
  "grab.start": { params: GrabStartParams; result: GrabStartResult };
  "grab.move": { params: GrabMoveParams; result: GrabMoveResult };
  "grab.end": { params: GrabEndParams; result: GrabEndResult };
  "world.get": { params: WorldGetParams; result: WorldGetResult };
  "world.set": { params: WorldSetParams; result: WorldSetResult };
  "world.pause": { params: WorldPauseParams; result: WorldPauseResult };
  "world.resume": { params: WorldResumeParams; result: WorldResumeResult };
  "world.step": { params: WorldStepParams; result: WorldStepResult };
  "world.reset": { params: WorldResetParams; result: WorldResetResult };
  "batch.run": { params: BatchRunParams; result: BatchRunResult };
  "frames.subscribe": { params: FramesSubscribeParams; result: FramesSubscribeResult };
  "frames.unsubscribe": { params: FramesUnsubscribeParams; result: FramesUnsubscribeResult };
  "events.subscribe": { params: EventsSubscribeParams; result: EventsSubscribeResult };
  "events.unsubscribe": { params: EventsUnsubscribeParams; result: EventsUnsubscribeResult };
  "pointer.move": { params: PointerMoveParams; result: PointerMoveResult };
  "scene.list": { params: SceneListParams; result: SceneListResult };
  "scene.load": { params: SceneLoadParams; result: SceneLoadResult };
  "scene.save": { params: SceneSaveParams; result: SceneSaveResult };
  "rpc.discover": { params: RpcDiscoverParams; result: RpcDiscoverResult };
}
export type MethodName = keyof Methods;

export interface Events {
  "object.added": {
    object: Id;
    kind: string;
    name: string;
    particles: number;
    sticks: number;
    pins: number;
    tick: Tick;
  };
  "object.removed": {
    object: Id;
    tick: Tick;
  };
  "obstacle.added": {
    obstacle: Record<string, unknown>;
    tick: Tick;
  };
  "obstacle.removed": {
    obstacle: Id;
    tick: Tick;
  };
  "stick.added": {
    stick: Id;
    tick: Tick;
  };
  "stick.removed": {
    stick: Id;
    tick: Tick;
  };
  "particle.pinned": {
    object: Id;
    particles: ParticleIndices;
    tick: Tick;
  };
  "particle.unpinned": {
    object: Id;
    particles: ParticleIndices;
    tick: Tick;
  };
  "grab.started": {
    grab: Id;
    object: Id;
    particles: ParticleIndices;
    weights: number[];
    client: number;
    tick: Tick;
  };
  "grab.ended": {
    grab: Id;
    client: number;
    tick: Tick;
  };
  "world.changed": {
    tick: Tick;
    running: boolean;
    scene: string;
    reason: "set" | "pause" | "resume" | "reset" | "load" | "step";
  };
  "client.joined": {
    client: number;
    clients: number;
  };
  "client.left": {
    client: number;
    clients: number;
  };
  "pointer.moved": {
    client: number;
    position: Position;
  };
  "stick.broken": {
    object: Id;
    particles: ParticleIndices;
    tick: Tick;
  };
  "body.quarantined": {
    object: Id;
    tick: Tick;
  };
  "object.slept": {
    object: Id;
    tick: Tick;
  };
  "object.woke": {
    object: Id;
    tick: Tick;
  };
  "frames.paced": {
    everyTicks: number;
    tick: Tick;
  };
}

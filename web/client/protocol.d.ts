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
  readonly FROZEN: -32006;
};

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

/** Shown to people; no control, invisible or direction-changing characters. */
export type Name = string;

/** Shown to people; no control, invisible or direction-changing characters. */
export type PersonName = string;

/** Somebody in a world, as others know it. */
export type Person = {
  client: number;
  name: PersonName;
  color: Color;
  role: "none" | "viewer" | "editor" | "admin";
  hand?: number;
  follows?: number;
  presents?: boolean;
};

/** Runs of particles as [object, first, count], flat or as triples. */
export type Runs = number[] | ([number, number, number])[];

/** Letters, digits, hyphens and underscores. */
export type WorldName = string;

/** Chosen at random and kept secret: 1 to 64 letters, digits, hyphens and underscores. */
export type SessionKey = string;

/** A capsule's bytes in base64. */
export type Capsule = string;

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

/** The velocity of the air, which pushes on every triangle of cloth, meshes and plants by ½·airDensity·area·u², where u is the velocity of the air across the triangle, relative to it. With velocity 0 the air is still and only resists motion. Ropes, particles, bodies and ragdolls feel no air. */
export type Wind = {
  velocity: Velocity;
  gust?: number;
};

/** Density of the air. It resists what moves through it, in still air as in wind; 0 is a vacuum, in which no wind acts either. 1.2 is air at sea level and 20 °C, and what a world begins with. In kg/m³. */
export type AirDensity = number;

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

/** Version of the arithmetic; another version computes other results from the same commands. */
export type PhysicsVersion = number;

/** Absent unless an older physics version made what was read: then its snapshot of tick `from` was loaded, and what came after it was computed again with the present version, which gives other results and cannot be compared with the old hashes. */
export type Recomputed = {
  physics: number;
  from: number;
  to: number;
  commands: number;
  leftOut: number;
};

/** true, and only then there: this would have been faster than 1000 m/s and was held to that, in the same direction. */
export type Capped = boolean;

/** Who lets nobody else change the world. */
export type Freeze = {
  client: number;
  name: string;
  seconds: number;
  message?: string;
  own?: boolean;
};

/** Commands of others that are lost, or would be: those of one client, one method and one object together. */
export type LostCommands = ({
  client: number;
  name?: string;
  method: string;
  object?: number;
  objectName?: string;
  count: number;
  tick: number;
})[];

/** The undo or redo that is at work; absent when none is. */
export type Undoing = {
  task: "undo" | "redo";
  client: number;
  name: string;
  method?: string;
  progress: number;
  secondsLeft?: number;
};

/** A command, as batch.run takes it. */
export type OppositeCommand = {
  method: string;
  params: Record<string, unknown>;
};

/** Name of an event. */
export type EventName = "object.added" | "object.removed" | "object.changed" | "obstacle.added" | "obstacle.removed" | "obstacle.changed" | "stick.added" | "stick.removed" | "particle.pinned" | "particle.unpinned" | "grab.started" | "grab.ended" | "undo.progress" | "commands.lost" | "world.changed" | "client.joined" | "client.left" | "client.changed" | "selection.changed" | "pointer.moved" | "stick.broken" | "body.quarantined" | "object.slept" | "object.woke" | "frames.paced" | "view.shown" | "view.moved";

/** What is shown of the past (world.replay); absent while the world is in the present. */
export type Replay = {
  timeline: number;
  from: number;
  to: number;
  speed: number;
  loop: boolean;
  playing: boolean;
  tick: number;
  present: number;
};

/** Share of the approach speed that comes back after a bounce; two materials meet with the larger. */
export type Restitution = number;

/** How far a stick gives way to a force of 1 N, like a spring of 1/compliance N/m; 0 is rigid. In m/N. */
export type Compliance = number;

/** A length, or three as [x, y, z]. In m. */
export type Size = number | [number, number, number];

/** [x, y, z]. */
export type Vector = [number, number, number];

/** [x, y, z, w]. */
export type Quaternion = [number, number, number, number];

/** Hash of tick, parameters and state. */
export type StateHash = string;

/** A role. */
export type Role = "none" | "viewer" | "editor" | "admin";

/** An object as the lists tell of it. */
export type ObjectInfo = {
  object: Id;
  kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll";
  name: string;
  color: Color | null;
  particles: number;
  sticks: number;
  triangles: number;
  pins: number;
  columns?: number;
  rows?: number;
  spacing?: number;
  mesh?: "grid" | "hex";
  radius: number;
  friction: Friction;
  restitution: Restitution;
  projection: Projection;
  shape?: "tetrahedron" | "box" | "hull" | "frame";
  asleep: boolean;
  quarantined: boolean;
};

/** An obstacle as the lists tell of it. */
export type ObstacleInfo = {
  id: Id;
  shape: "sphere" | "box" | "plane" | "capsule" | "heightfield" | "mesh";
  name: string;
  color: Color | null;
  position?: Vector;
  radius?: number;
  size?: Vector;
  rotation?: Quaternion;
  normal?: Vector;
  from?: Vector;
  to?: Vector;
  columns?: number;
  rows?: number;
  spacing?: number;
  friction: Friction;
  restitution: Restitution;
  heights?: number[];
  positions?: number[];
  triangles?: number[];
};

/** A particle of an object. */
export type StickEndInfo = {
  object: Id;
  particle: ParticleIndex;
};

/** A stick made by stick.add. */
export type StickInfo = {
  id: Id;
  a: StickEndInfo;
  b: StickEndInfo;
  restLength: number;
  compliance: Compliance;
  kind: "equal" | "atMost" | "atLeast";
  projection: Projection;
};

/** A hand that holds something. */
export type GrabInfo = {
  grab: Id;
  object: Id;
  particles: ParticleIndex[];
  weights: number[];
  client?: number;
};

/** What somebody has selected. */
export type Selection = {
  objects: Id[];
  particles: ([number, number, number])[];
};

/** Somebody in a world, with what it holds, points at and has selected. */
export type Presence = {
  client: number;
  name: PersonName;
  color: Color;
  role: "none" | "viewer" | "editor" | "admin";
  hand?: number;
  follows?: number;
  presents?: boolean;
  grabs: GrabInfo[];
  selection: Selection;
  pointer?: Vector;
};

/** How much is in a world. */
export type Counts = {
  particles: number;
  sticks: number;
  triangles: number;
  objects: number;
  obstacles: number;
  grabs: number;
  pins: number;
};

/** How much a world has room for. */
export type Capacity = {
  particles: number;
  sticks: number;
  triangles: number;
  objects: number;
  obstacles: number;
};

/** What one client may have, by all its connections. */
export type OwnLimits = {
  particles: number;
  sticks: number;
  objects: number;
  obstacles: number;
  worlds: number;
};

/** What this client and this server are limited to. */
export type Limits = {
  particles: number;
  sticks: number;
  objects: number;
  obstacles: number;
  messageBytes: number;
  clients: number;
  worlds: number;
  rate: number;
  burst: number;
  own: OwnLimits;
};

/** Where the time goes. */
export type Timing = {
  tickMs: number;
  tickMaxMs: number;
  stepMs: number;
  packMs: number;
  stagesMs: {
  forces: number;
  integrate: number;
  detect: number;
  sticks: number;
  contacts: number;
  finish: number;
  upkeep: number;
  commands: number;
  encode: number;
  send: number;
};
  latenessMs: number;
  lateTicks: number;
  lostMs: number;
  realTimeFactor: number;
  clients: number;
  viewers: number;
  frameBytes: number;
};

/** What the arrays take that are in use. What collisions and self-collision take comes and goes with them and is not counted. */
export type Memory = {
  bytesPerParticle: number;
  bytesPerStick: number;
  particleBytes: number;
  stickBytes: number;
};

/** Of sticks that keep a length and do not merely resist bending. */
export type Stretch = {
  mean: number;
  worst: number;
  object?: Id;
  particles?: ParticleIndex[];
  sticks: number;
};

/** How well the sweeps solve sticks with a compliance above 0. */
export type ComplianceMeasure = {
  residual: number;
  sticks: number;
};

/** A batch of sticks that the solver treats together. */
export type StickBatch = {
  kind: "equal" | "atMost" | "atLeast";
  bends: boolean;
  compliance: Compliance;
  end: number;
};

/** A scene. */
export type SceneInfo = {
  name: SceneName;
  title: string;
  description: string;
  chapter?: string;
  saved: boolean;
};

/** A timeline of a world's history. */
export type Timeline = {
  timeline: number;
  parent: number;
  first: number;
  last: number;
  commands: number;
  physics: PhysicsVersion;
};

/** A snapshot that is kept. */
export type SnapshotInfo = {
  tick: number;
  bytes: number;
};

/** A command that is kept, or what the server did of its own accord: scene, which the timeline begins with; release, of a hand whose client left; clock. */
export type HistoryEntry = {
  tick: number;
  timeline: number;
  sequence: number;
  client: number;
  number: number;
  method: string;
  params: Record<string, unknown>;
};

/** A command of the log. The beginning of a scene is `scene`, with its name; the server's setting of the clock `clock`. */
export type LogEntry = {
  index: number;
  tick: number;
  client: number;
  method: string;
  params?: Record<string, unknown>;
  made?: Id[];
};

/** The scene that a log begins with. */
export type LogScene = {
  name: string;
  firstId: Id;
  batch?: Record<string, unknown>;
};

/** A world of the server. */
export type WorldInfo = {
  name: WorldName;
  tick: number;
  running: boolean;
  clients: number;
  particles: number;
  kept: boolean;
  temporary: boolean;
  physics: PhysicsVersion;
  recomputed?: Recomputed;
  people: Person[];
  copies?: number;
  copyOf?: WorldName;
};

/** How much history there is, and how much --history allows. What is more is folded into snapshots, the oldest first. */
export type HistoryKept = {
  bytes: number;
  maxBytes?: number;
  maxSeconds?: number;
  over: boolean;
};

/** A world that could not be brought back when the server started, because what is stored of it is damaged or of a newer version. It stays in the store as it is; weftctl salvage gets out what is intact, world.remove deletes it. */
export type AsideInfo = {
  name: string;
  reason: string;
};

/** What an error carries beside code and message. */
export type ErrorData = {
  pointer: string;
  suggestion?: string;
};

/** What an error carries that says a request is not possible now. `lost` is there when world.undo or world.redo need `force`. When they would take longer than `within`, `opposite` is there, and `lost` tells of the commands of others about what the change made. */
export type StateData = {
  pointer: string;
  suggestion?: string;
  lost?: LostCommands;
  seconds?: number;
  opposite?: OppositeCommand[];
};

/** What an error carries that goes away by itself. */
export type RetryData = {
  pointer: string;
  retryAfterMs: number;
};

/** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
export type AtTick = number;

/** Create a cloth. The cloth lies in its local x–y plane, columns along +x, rows along −y from the top, centred. Index = row·columns + column. */
export interface ClothSpawnParams {
  /** Particles in a row. */
  columns: number;
  /** Particles in a column. */
  rows: number;
  /** Distance of neighbours. In m. Default 0.05. */
  spacing?: number;
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
  /** Of every structural and shear stick; 0 is rigid. Sticks are solved one by one, so their forces are within 5 % of this law where stretchCompliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring pulls with a part of its force: `compliance.residual` of world.measure tells how much is missing. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Sticks between particles that share a neighbour, against bending. Default false. */
  bend?: boolean;
  /** Of every bending stick; 0 is rigid. What is said of stretchCompliance and the sweeps holds for it too. In m/N. Default 0. */
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ClothSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a cloth from a triangle mesh. A particle per vertex, a stick per edge. */
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
  /** Of every structural and shear stick; 0 is rigid. Sticks are solved one by one, so their forces are within 5 % of this law where stretchCompliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring pulls with a part of its force: `compliance.residual` of world.measure tells how much is missing. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Sticks between particles that share a neighbour, against bending. Default false. */
  bend?: boolean;
  /** Of every bending stick; 0 is rigid. What is said of stretchCompliance and the sweeps holds for it too. In m/N. Default 0. */
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type MeshSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create loose particles. */
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ParticlesSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Create a rope: a chain of sticks. */
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
  /** Of every stick; 0 is rigid. A compliant rope is solved as a whole, so it pulls by this law with any substeps and iterations. Waves on it have their speed within 5 % where a period takes 16 substeps or more; faster ones are slowed down and damped. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** The direction along which sticks move their ends: as they lie now (current), which damps what swings and turns, or as they lay when the substep began (start), which keeps energy and rotation: for pendulums. Sticks with a stretchCompliance above 0 always act along the direction in which they lie now. Default "current". */
  projection?: Projection;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type RopeSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a rigid body: four particles with six constraints. A tetrahedron's particles are its corners. With vertices, position is where their origin lies, else where the centre of mass does. */
export interface BodySpawnParams {
  /** Its shape: a box and a convex hull are embedded in four particles with their exact mass, centre and inertia; a frame is three rods at right angles. Default "tetrahedron". */
  shape?: "tetrahedron" | "box" | "hull" | "frame";
  /** Tetrahedron: edge length (0.4). Box: full extents [x, y, z], each at least 0.001. Frame: length of its axes. Not together with vertices. In m. */
  size?: Size;
  /** Local points, flat or as triples: four of a tetrahedron, 4 to 256 of a hull, these within ±1000 m. In m. */
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type BodySpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Create a plant. A stem of crossed sticks that bends in the wind and stands up again, with pairs of leaves; its root is pinned. */
export interface PlantSpawnParams {
  /** Where its root stands. In m. Default [0,0,0]. */
  position?: Position;
  /** Height of the stem. In m. Default 1. */
  height?: number;
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type PlantSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a ragdoll. Eleven bones that share particles: one shared is a pin joint, two are a hinge; limits keep it from folding the wrong way. */
export interface RagdollSpawnParams {
  /** Where its pelvis is. In m. Default [0,1,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; normalised, must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** From head to foot. In m. Default 1.7. */
  height?: number;
  /** Mass in all. In kg. Default 70. */
  mass?: Mass;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type RagdollSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Join two particles with a stick. */
export interface StickAddParams {
  /** A particle of an object. */
  a: StickEnd;
  /** A particle of an object. */
  b: StickEnd;
  /** As far apart as they are now when absent. In m. */
  restLength?: Length;
  /** Keeps the length, or only an upper or a lower bound of it. Default "equal". */
  kind?: "equal" | "atMost" | "atLeast";
  /** 0 is rigid. A stick whose ends hang on no other stick pulls by this law with any substeps and iterations. Where added sticks meet they are solved one by one, so their forces are within 5 % of this law where compliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring pulls with a part of its force: `compliance.residual` of world.measure tells how much is missing. In m/N. Default 0. */
  compliance?: Compliance;
  /** The direction along which the stick moves its ends: as it lay when the substep began (start), which keeps energy and rotation, or as it lies now (current), which damps what turns. It holds for every kind: atMost and atLeast act so where they act. A stick with a compliance above 0 always acts along the direction in which it lies now, and damps accordingly. Default "start". */
  projection?: Projection;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type StickAddResult = {
  stick: Id;
  tick: Tick;
};

/** Remove a stick that stick.add added. */
export interface StickRemoveParams {
  /** Never reused. */
  stick: Id;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type StickRemoveResult = {
  tick: Tick;
};

/** Add a fixed obstacle. sphere: position, radius. box: position, rotation, size. plane: position, normal; solid on the side away from its normal. capsule: from, to, radius. heightfield: position, columns, rows, spacing, heights; solid below. mesh: position, rotation, positions, triangles. Cloth, ropes, plants, bodies and ragdolls that lie deep in it when it is added, or are spawned there, are moved out at about 3 m/s: out of a box or a closed mesh by a near side, out of a sphere, capsule or plane along its normal, and from under a height field upwards. An open mesh has no inside; a closed one must be wound outwards. Particles without sticks leave a mesh or a height field at once, without gaining speed. */
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
  spacing?: number;
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
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ObstacleAddResult = {
  obstacle: Id;
  tick: Tick;
};

/** Remove an obstacle. */
export interface ObstacleRemoveParams {
  /** Never reused. */
  obstacle: Id;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ObstacleRemoveResult = {
  tick: Tick;
};

/** Change the color, name or material of an obstacle. What is absent stays as it is; at least one of them is needed. */
export interface ObstacleSetParams {
  /** Never reused. */
  obstacle: Id;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. */
  restitution?: Restitution;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ObstacleSetResult = {
  tick: Tick;
};

export type ObjectListParams = Record<string, never>;
export type ObjectListResult = {
  tick: number;
  objects: ObjectInfo[];
  obstacles: ObstacleInfo[];
  sticks: StickInfo[];
};

/** Get the properties of an object. */
export interface ObjectGetParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
}
export type ObjectGetResult = {
  tick: number;
  object: Id;
  kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll";
  name: string;
  color: Color | null;
  particles: number;
  sticks: number;
  triangles: number;
  pins: number;
  columns?: number;
  rows?: number;
  spacing?: number;
  mesh?: "grid" | "hex";
  radius: number;
  friction: Friction;
  restitution: Restitution;
  projection: Projection;
  stretchCompliance?: Compliance;
  bendCompliance?: Compliance;
  mass?: number;
  tear?: number;
  shape?: "tetrahedron" | "box" | "hull" | "frame";
  asleep: boolean;
  quarantined: boolean;
};

/** Remove an object and the sticks and grabs on it. */
export interface ObjectRemoveParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ObjectRemoveResult = {
  tick: Tick;
};

/** Change the color, name or material of an object. What is absent stays as it is; at least one of them is needed. */
export interface ObjectSetParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** "#rrggbb". */
  color?: Color;
  /** Shown to people; no control, invisible or direction-changing characters. */
  name?: Name;
  /** Coefficient of friction; two materials meet with √(μ₁μ₂). */
  friction?: Friction;
  /** Share of the approach speed that comes back after a bounce; two materials meet with the larger. */
  restitution?: Restitution;
  /** Of each stick that keeps a length of a cloth, a mesh or a rope; others have none. In m/N. */
  stretchCompliance?: Compliance;
  /** Of each bending stick of a plant, or of a cloth or mesh that was made with `bend`; others have none. In m/N. */
  bendCompliance?: Compliance;
  /** Mass in all, distributed among the particles as before; particles of inverse mass 0 keep it. In kg. */
  mass?: Mass;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ObjectSetResult = {
  tick: Tick;
};

/** Pin particles: only commands move them. With position: one particle only, which is moved there; pinning again moves the pin. */
export interface ParticlePinParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** [x, y, z], y up. In m. */
  position?: Position;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ParticlePinResult = {
  tick: Tick;
};

/** Unpin particles and restore their masses. */
export interface ParticleUnpinParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ParticleUnpinResult = {
  tick: Tick;
};

/** Tear a cloth along the edges between these particles, or around one. Of several particles: along every edge that joins two of them; its ends inside the cloth stay whole, and a cut of a single edge inside goes on straight by one. Of one: along all its edges. Mass, sticks, pins and hands are dealt with as where a stick breaks; what comes off is particles of the same object, after those there were. */
export interface ParticleTearParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndex[];
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ParticleTearResult = {
  made: number;
  particles: number;
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
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
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
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ParticleMoveResult = {
  tick: Tick;
  capped?: Capped;
};

/** Read positions, velocities and inverse masses. At most 1,000,000 particles; large answers are written beside the tick. */
export interface ParticleReadParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** All when absent. */
  particles?: ParticleIndices;
}
export type ParticleReadResult = {
  tick: number;
  positions: Vector[];
  velocities: Vector[];
  inverseMasses: number[];
};

/** Read an object's sticks: ends, lengths, and batches of the solver. Sticks of a batch share no particle. How far a stick is from its rest length is what the solver left undone. */
export interface ObjectSticksParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** The first stick read. Default 0. */
  from?: number;
  /** Sticks read at most. Default 4096. */
  most?: number;
  /** Without ends, rest lengths and batches, which stay as they are while epoch does. Default false. */
  lengthsOnly?: boolean;
}
export type ObjectSticksResult = {
  tick: number;
  epoch: number;
  sticks: number;
  from: number;
  lengths: number[];
  restLengths?: number[];
  ends?: number[];
  batches?: StickBatch[];
};

/** Apply a force for a number of ticks. The force is spread evenly over the particles. */
export interface ForceApplyParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** All when absent. */
  particles?: ParticleIndices;
  /** In all. In N. */
  force: Force;
  /** For how many ticks. Default 1. */
  ticks?: number;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type ForceApplyResult = {
  tick: Tick;
};

/** Grab a particle, or the surface point nearest to a point. Give particle or point. A grab belongs to its client and ends when that leaves. A particle held by another hand is refused with −32004. */
export interface GrabStartParams {
  /** Id of an object; within batch.run also "$k", the object made by command k of the same batch. */
  object: ObjectRef;
  /** Index of a particle within its object. */
  particle?: ParticleIndex;
  /** [x, y, z], y up. In m. */
  point?: Position;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type GrabStartResult = {
  grab: Id;
  tick: Tick;
};

/** Move a grab. A move that comes too late for its `atTick` is applied at the next tick. */
export interface GrabMoveParams {
  /** Never reused. */
  grab: Id;
  /** [x, y, z], y up. In m. */
  position: Position;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type GrabMoveResult = {
  tick: Tick;
};

/** End a grab. */
export interface GrabEndParams {
  /** Never reused. */
  grab: Id;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type GrabEndResult = {
  tick: Tick;
};

export type WorldGetParams = Record<string, never>;
export type WorldGetResult = {
  gravity: Vector;
  damping: number;
  iterations: number;
  substeps: number;
  squareRoot: "exact" | "approximate";
  bounds: {
  min: Vector;
  max: Vector;
};
  wind: {
  velocity: Vector;
  gust: number;
};
  airDensity: number;
  friction: Friction;
  tick: number;
  tickHz: number;
  undoing?: Undoing;
  replay?: Replay;
  running: boolean;
  frozen: Freeze | null;
  scene: string;
  epoch: number;
  stateHash: StateHash;
  physics: PhysicsVersion;
  recomputed?: Recomputed;
  counts: Counts;
  limits: Capacity;
  timing: Timing;
  memory: Memory;
  tolerance: number;
  sleep: boolean;
  world: WorldName;
};

export type WorldMeasureParams = Record<string, never>;
export type WorldMeasureResult = {
  tick: number;
  mass: number;
  kineticEnergy: number;
  potentialEnergy: number;
  momentum: Vector;
  angularMomentum: Vector;
  centre: Vector;
  stretch: Stretch;
  compliance: ComplianceMeasure;
};

/** List the contacts between objects. As the last tick left it. One element of each array a contact. What sleeps is in contact with nothing until it wakes. Of more than `most` they are spread evenly over all. */
export interface WorldContactsParams {
  /** Contacts listed at most. Default 512. */
  most?: number;
}
export type WorldContactsResult = {
  tick: number;
  contacts: number;
  complete: boolean;
  kinds: ("obstacle" | "bounds" | "body" | "self" | "cloth")[];
  objects: Id[];
  others: number[];
  points: Vector[];
  normals: Vector[];
  depths: number[];
  slips: number[];
  frictions: number[];
};

/** Change parameters of the world; omitted ones keep their values. */
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
  /** The velocity of the air, which pushes on every triangle of cloth, meshes and plants by ½·airDensity·area·u², where u is the velocity of the air across the triangle, relative to it. With velocity 0 the air is still and only resists motion. Ropes, particles, bodies and ragdolls feel no air. */
  wind?: Wind;
  /** Density of the air. It resists what moves through it, in still air as in wind; 0 is a vacuum, in which no wind acts either. 1.2 is air at sea level and 20 °C, and what a world begins with. In kg/m³. */
  airDensity?: AirDensity;
  /** Of the bounds. */
  friction?: Friction;
  /** Whether objects fall asleep that have been in equilibrium for half a second with all that they touch. An object asleep keeps its place and costs no time until something touches it. Only an object that rests on something or hangs from something falls asleep; what nothing holds does so only without any motion. With false all objects wake, and none falls asleep: for experiments that look at motions of less than a millimetre. A new world has true. */
  sleep?: boolean;
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
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

/** Step a paused world; the reply comes when all ticks are computed. The tick of the answer is the one reached. */
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

/** Run commands in order: all of them, or none if one is refused. "$k" names the object made by command k of the same batch, every command counted from 0. */
export interface BatchRunParams {
  /** The commands. */
  commands: Command[];
  /** The tick whose step shall be the first to see the change; the next when absent. At most 2 s ahead; a tick that has passed is refused, but for `grab.move`. */
  atTick?: AtTick;
}
export type BatchRunResult = {
  results: (Record<string, unknown>)[];
  tick: Tick;
};

/** Subscribe to frames: the topology, a keyframe, then frames. Subscribing again changes the choice. */
export interface FramesSubscribeParams {
  /** One frame every so many ticks. Default 1. */
  everyTicks?: number;
  /** Only these objects; all when absent. */
  objects?: Id[];
  /** Positions on a fixed grid, packed, each frame for itself; raw float32; or that grid predicted from the frames before, a tenth of the bytes, for clients that keep the last four frames. `ticks`: no positions but a snapshot once and then what was applied before each tick, for clients that compute the ticks themselves with the engine; `everyTicks`, `objects`, `adapt` and `step` are refused then. Default "grid". */
  encoding?: "grid" | "raw" | "motion" | "ticks";
  /** With encoding `motion`: who keeps missing frames gets an even, slower rate instead, one frame every 2, 4, then 8 times `everyTicks`, and a faster one again when that has gone well for a while. The event `frames.paced` tells. Default false. */
  adapt?: boolean;
  /** Grid step; the error is at most half of it. In m. Default 0.000244140625. */
  step?: number;
}
export type FramesSubscribeResult = {
  tick: number;
  epoch: number;
  encoding: "grid" | "raw" | "motion" | "ticks";
  step: number;
  everyTicks: number;
};

export type FramesUnsubscribeParams = Record<string, never>;
export type FramesUnsubscribeResult = Record<string, never>;

/** Subscribe to events. */
export interface EventsSubscribeParams {
  /** Which; all when absent. */
  events?: EventName[];
}
export type EventsSubscribeResult = {
  events: EventName[];
};

export type EventsUnsubscribeParams = Record<string, never>;
export type EventsUnsubscribeResult = Record<string, never>;

/** Show your pointer to others. Sends pointer.moved to the other clients; not part of the world's state. */
export interface PointerMoveParams {
  /** Nowhere any more when absent. In m. */
  position?: Position;
  /** Whether it is shown large, as a presenter's; takes the role admin. Default false. */
  laser?: boolean;
}
export type PointerMoveResult = Record<string, never>;

/** Set your name and your color. Who says nothing goes by a token's name, or one that the server makes up. Not part of the world's state. */
export interface ClientIntroduceParams {
  /** As it is when absent. */
  name?: PersonName;
  /** "#rrggbb"; as it is when absent. */
  color?: Color;
}
export type ClientIntroduceResult = Person;

export type PeopleListParams = Record<string, never>;
export type PeopleListResult = {
  people: Presence[];
  clients: number;
};

export type HandRaiseParams = Record<string, never>;
export type HandRaiseResult = Record<string, never>;

/** Lower your hand; an owner may lower anyone's. Sends client.changed to all. */
export interface HandLowerParams {
  /** Whose, as in people.list; your own when absent. */
  client?: number;
}
export type HandLowerResult = Record<string, never>;

/** Let a person edit this world, or only view it. Holds until that client's connection ends or it shows a token. What it held is let go when it may only view. Administrators keep their role. Sends client.changed to all. */
export interface PeopleGrantParams {
  /** Who, as in people.list. */
  client: number;
  /** What it may do from now on. */
  role: "viewer" | "editor";
}
export type PeopleGrantResult = Person;

/** Remove a person from this world: the connection is closed with code 4001. Administrators cannot be removed. Whoever has the link can come back; a token is revoked by weftctl token revoke. */
export interface PeopleRemoveParams {
  /** Who, as in people.list. */
  client: number;
  /** What that client is told. */
  reason?: Name;
}
export type PeopleRemoveResult = Record<string, never>;

/** Show your selection to others. Takes the place of what was selected before; without params nothing is. Sends selection.changed to all; not part of the world's state. What goes is left out of selections. */
export interface SelectionShowParams {
  /** Ids of whole objects and of obstacles. */
  objects?: Id[];
  /** Runs of particles as [object, first, count], flat or as triples. */
  particles?: Runs;
}
export type SelectionShowResult = Record<string, never>;

export type SceneListParams = Record<string, never>;
export type SceneListResult = {
  scenes: SceneInfo[];
};

/** Preview the first ticks of a scene without changing a world. The scene is run aside for so many ticks, or as far as 0.25 s allow. `topology` and `frame` are binary messages as FRAMES.md has them, a whole topology and a raw frame of it. */
export interface ScenePreviewParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
  /** How far to run it. Default 40. */
  ticks?: number;
}
export type ScenePreviewResult = {
  tick: number;
  particles: number;
  topology: string;
  frame: string;
};

/** Load a scene: it replaces the world, at tick 0 in a new epoch. */
export interface SceneLoadParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
}
export type SceneLoadResult = {
  firstId: number;
  tick: Tick;
};

/** Save the world as a scene. The commands that made the objects, sticks and obstacles, the parameters, and pins and masses as they are now; not the momentary motion. A scene that came with Weft is not overwritten. At most 256 scenes can be saved, of 1 GiB in all. */
export interface SceneSaveParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
  /** Shown to people; no control, invisible or direction-changing characters. */
  title?: Name;
  /** Replace a scene saved before. Default false. */
  overwrite?: boolean;
}
export type SceneSaveResult = {
  name: SceneName;
  commands: number;
};

/** Delete a saved scene. Worlds that were loaded from it stay as they are. A scene that came with Weft cannot be deleted. */
export interface SceneDeleteParams {
  /** Small letters, digits and hyphens. */
  name: SceneName;
}
export type SceneDeleteResult = {
  name: SceneName;
};

export type RpcDiscoverParams = Record<string, never>;
export type RpcDiscoverResult = {
  openrpc: string;
};

/** Authenticate with a token. Of a script the first request, where the server has tokens; the page's cookie says the same. After five wrong ones the connection is closed with 1008. */
export interface SessionAuthenticateParams {
  /** As weftctl token make printed it. */
  token: Name;
}
export type SessionAuthenticateResult = {
  role: "viewer" | "editor" | "admin";
  name: string;
};

/** Name this session by a key, to resume it after a lost connection. Best the first request of a connection. A change that a session with this key has been answered before, by its request id, is not made again: the first reply is sent again, also after a restart of a server that keeps its worlds. The newest 256 replies are kept, for a day. A connection that still goes by the key is closed, and one that waits for it is refused. Requests behind session.resume are applied once it has been answered: those of a connection that ends before that are not. */
export interface SessionResumeParams {
  /** Chosen at random and kept secret: 1 to 64 letters, digits, hyphens and underscores. */
  session: SessionKey;
}
export type SessionResumeResult = {
  client: number;
};

/** List the commands and branches in the world's history. A history is a list of timelines; the newest goes on. A reset, a scene, a seek and an undo begin a new one and leave the others as they are. `home` is the timeline whose ticks world.seek goes to: after a seek the one it came from, until something changes. */
export interface WorldHistoryParams {
  /** Whose snapshots and commands are listed; home when absent. */
  timeline?: number;
  /** The first tick of the commands listed. Default 0. */
  from?: number;
  /** Commands listed at most. Default 100. */
  most?: number;
}
export type WorldHistoryResult = {
  tick: number;
  timeline: number;
  home: number;
  first: number;
  last: number;
  timelines: Timeline[];
  snapshots: SnapshotInfo[];
  commands: HistoryEntry[];
  more: boolean;
  kept: HistoryKept;
};

/** Get the commands that rebuild the world. The commands that led to this moment since the world's scene was loaded, in order, and the state's hash; what was taken back or left behind is not among them. A program loads the scene, calls what it makes from `firstId` on as its own scene.load answers, what commands made (`made`) as they answer, and gives each command so that the step of its tick is the first to see it. A long log is told in parts: go on at `next` until it is `count`. */
export interface WorldLogParams {
  /** Number of the first command listed, counted from 0. Default 0. */
  from?: number;
  /** Commands listed at most. Default 1000. */
  most?: number;
}
export type WorldLogResult = {
  tick: number;
  timeline: number;
  stateHash?: StateHash;
  commands: LogEntry[];
  next: number;
  count: number;
  scene?: LogScene;
};

/** Go to any tick of the world's history. The clock has to stand. Goes to the state in which the step of that tick left the world, in a new epoch; without a tick to the end, with the commands given there since. What changes from there on begins a timeline of its own; the one that was left stays and can be named. */
export interface WorldSeekParams {
  /** Where to; the end when absent. */
  tick?: number;
  /** Of which timeline; home when absent. */
  timeline?: number;
}
export type WorldSeekResult = {
  timeline: number;
  epoch: number;
  tick: number;
  recomputed?: Recomputed;
};

/** Replay a tick or a range of the history at any speed. The clock has to stand. Everyone in the world sees the commands and ticks of the interval once more, to the bit as they were. Nothing is logged and no timeline begins: world.seek without a tick goes back to where the world was, and so does a restart of the server. world.pause stops at the tick shown, another world.replay goes on elsewhere; any other change, world.resume and world.step too, goes on from the tick shown, as after world.seek to it. It is answered when the first tick is shown; world.get and world.changed tell of it as `replay`. */
export interface WorldReplayParams {
  /** The first tick of the interval. */
  from: number;
  /** Its last; the last there is when absent. */
  to?: number;
  /** Where in it to begin; from when absent. */
  tick?: number;
  /** Of which timeline; home when absent. */
  timeline?: number;
  /** How many times as fast as it was, from 0.1 on; 0 shows the one tick and stands there. Default 1. */
  speed?: number;
  /** Over and over; once otherwise, standing at the last tick. Default false. */
  loop?: boolean;
}
export type WorldReplayResult = {
  from: number;
  to: number;
  timeline: number;
  epoch: number;
  tick: number;
  recomputed?: Recomputed;
};

/** Undo your last command. The world becomes what it would be without it, in a new epoch: its history is replayed from before the command to the present tick, beside the world, which goes on meanwhile and is replaced when the replay has caught up; ids stay as they are. Commands that needed what is gone are lost with it, and world.redo brings them back. One undo or redo is at work in a world at a time; world.cancel ends it. A grab counts as one command from its start to its end. Stopping and starting the clock is not taken back; a scene is, with all that came after it. */
export interface WorldUndoParams {
  /** Whether to take back the last reset or scene, whoever asked for it, instead of your last command. Default false. */
  scene?: boolean;
  /** Whether commands of others may be lost. Without it such an undo is refused with code -32004, and `lost` in the error's data lists the commands. Default false. */
  force?: boolean;
  /** Whether to answer at once. Then your next requests do not wait for the end, of which the event undo.progress tells. Default false. */
  background?: boolean;
  /** Refused with code -32004 when it would take longer. Then the error's data hold `seconds`, an estimate, and `opposite`, commands for batch.run that take the change back without a replay, as far as there are any. In s. */
  within?: number;
}
export type WorldUndoResult = {
  undone: string;
  dropped: number;
  lost: LostCommands;
  timeline: number;
  epoch: number;
  tick: number;
  recomputed?: Recomputed;
} | {
  background: boolean;
};

/** Redo the command that you undid last. The world becomes what it would be had it not been taken back, in a new epoch: the command is given once more at its own tick, under its own ids, with the commands of others that were lost with it, and what came since follows. It is worked out beside the world, as world.undo is. As many can be given again as were taken back one after another; a new command of yours, a scene or going back in time ends that. */
export interface WorldRedoParams {
  /** Whether commands of others may be lost. Without it such a redo is refused with code -32004, and `lost` in the error's data lists the commands. Default false. */
  force?: boolean;
  /** Whether to answer at once. Then your next requests do not wait for the end, of which the event undo.progress tells. Default false. */
  background?: boolean;
  /** Refused with code -32004 when it would take longer. Then the error's data hold `seconds`, an estimate, and `opposite`, commands for batch.run that make the change once more, now. In s. */
  within?: number;
}
export type WorldRedoResult = {
  redone: string;
  dropped: number;
  lost: LostCommands;
  timeline: number;
  epoch: number;
  tick: number;
  recomputed?: Recomputed;
} | {
  background: boolean;
};

export type WorldCancelParams = Record<string, never>;
export type WorldCancelResult = {
  cancelled: boolean;
};

export type ServerGetParams = Record<string, never>;
export type ServerGetResult = {
  version: string;
  instance: string;
  uptime: number;
  residentBytes: number;
  clients: number;
  bytesSent: number;
  bytesReceived: number;
  messagesReceived: number;
  framesSent: number;
  framesSkipped: number;
  waitingBytes: number;
  logLost: number;
  store: {
  kept: boolean;
  well: boolean;
  commits: number;
  queueBytes: number;
  fileBytes: number;
};
  worlds: ({
  world: string;
  tick: number;
  running: boolean;
  stuck: boolean;
  realTimeFactor: number;
  tickMs: number;
  tickMaxMs: number;
  latenessMs: number;
  lateTicks: number;
  commands: number;
  clients: number;
  viewers: number;
  particles: number;
  objects: number;
})[];
};

export type ClientListParams = Record<string, never>;
export type ClientListResult = {
  clients: ({
  client: number;
  world: string;
  session: number;
  address: string;
  name: string;
  role: "none" | "viewer" | "editor" | "admin";
  own: boolean;
  seconds: number;
  rate: number;
  messages: number;
  bytesReceived: number;
  bytesSent: number;
  refusals: number;
})[];
};

/** Close a client's connection with code 1008. */
export interface ClientCloseParams {
  /** Its number, as client.list tells. */
  client: number;
  /** What it is told. */
  reason?: Name;
}
export type ClientCloseResult = Record<string, never>;

export type WorldListParams = Record<string, never>;
export type WorldListResult = {
  worlds: WorldInfo[];
  setAside?: AsideInfo[];
};

/** Create a world from a scene, at /worlds/NAME. */
export interface WorldCreateParams {
  /** Letters, digits, hyphens and underscores. */
  name: WorldName;
  /** Of what it is made; empty when absent. */
  scene?: SceneName;
  /** Ticks a second; the server's when absent. In Hz. */
  tickHz?: number;
  /** Whether its clock stands; as worlds start on this server when absent. */
  paused?: boolean;
  /** It is not kept, has no history, and ends when nobody has been in it for 10 s. Default false. */
  temporary?: boolean;
}
export type WorldCreateResult = {
  world: WorldName;
  tick: number;
};

/** Create a world from any tick of this one. Each goes its own way from there. Ids are the same in both, and so is what the same commands do. */
export interface WorldBranchParams {
  /** Letters, digits, hyphens and underscores. */
  name: WorldName;
  /** Of the history; the present when absent. */
  tick?: number;
  /** Of which timeline; home when absent. */
  timeline?: number;
  /** Whether its clock stands; as the parent's does when absent. */
  paused?: boolean;
  /** It is not kept, has no history, and ends when nobody has been in it for 10 s. Default false. */
  temporary?: boolean;
  /** Makes it the original of an assignment, of which world.copy makes at most so many copies: it stands still, only administrators change it, and paused says whether the copies stand. Not together with temporary. */
  copies?: number;
}
export type WorldBranchResult = {
  world: WorldName;
  tick: number;
};

/** Create your own copy of this world, or find the one you have. For worlds that world.branch has made with copies. The copy goes by the name of the original and a number, belongs to nobody's quota, and is found again by the same key. An administrator removes it with world.remove. */
export interface WorldCopyParams {
  /** Chosen at random and kept secret: 1 to 64 letters, digits, hyphens and underscores. */
  key: SessionKey;
}
export type WorldCopyResult = {
  world: WorldName;
  made: boolean;
};

/** Remove a world and its history permanently. */
export interface WorldRemoveParams {
  /** Letters, digits, hyphens and underscores. */
  name: WorldName;
}
export type WorldRemoveResult = {
  world: WorldName;
};

/** Export a range of the world's history as one file, a capsule. It holds a snapshot, the commands since and the state's hash at every 60th tick, and replays to the bit on any machine: weftctl replay FILE --verify. Without a history it is the present alone. GET /worlds/NAME/capsule gives the same as a file. */
export interface WorldExportParams {
  /** The first tick it can be replayed from; the oldest that is kept when that is later. Default 0. */
  from?: number;
  /** The last; the last there is when absent. */
  to?: number;
  /** Of which timeline; home when absent. */
  timeline?: number;
}
export type WorldExportResult = {
  bytes: number;
  capsule: string;
};

/** Create a world from the end of a capsule. The capsule is replayed and compared with its hashes first; one that is damaged, or differs, is refused. Where the server runs with --editors-import, editors may call it, too. */
export interface WorldImportParams {
  /** Letters, digits, hyphens and underscores. */
  name: WorldName;
  /** A capsule's bytes in base64. */
  capsule: Capsule;
  /** Whether its clock stands; as in the capsule when absent. */
  paused?: boolean;
}
export type WorldImportResult = {
  world: WorldName;
  tick: number;
};

/** Freeze editing for everyone else, or unfreeze it. While it is frozen, what others change is refused with −32006; what they hold is let go. Who froze it goes on changing it: this connection, and those that showed the same token. The clock runs on. Another administrator may freeze it in its turn, or end it. Nobody's leaving ends it; the end of the server does. */
export interface WorldFreezeParams {
  /** False lets everyone change it again. */
  frozen: boolean;
  /** What others are told meanwhile. */
  message?: Name;
}
export type WorldFreezeResult = {
  frozen: Freeze | null;
};

/** Start to broadcast this world over HTTP to any number of viewers. From now on GET PATHmanifest.json says which files there are: a snapshot every 10 seconds and what was applied in each second, at most 10 minutes and 64 MB. Nobody needs a token for them; on a server with tokens the path holds a key that cannot be guessed. The files never change, so any cache may stand in front. While the world is broadcast the method only sets embed. The broadcast ends with broadcast.stop, with the world and with the server. FRAMES.md, "Broadcast", describes the files. */
export interface BroadcastStartParams {
  /** Whether pages of any origin may play it: sends Access-Control-Allow-Origin: * and Cross-Origin-Resource-Policy: cross-origin. Default false. */
  embed?: boolean;
}
export type BroadcastStartResult = {
  on: boolean;
  path?: string;
  embed?: boolean;
  from?: number;
  to?: number;
  bytes?: number;
  requests?: number;
};

export type BroadcastStopParams = Record<string, never>;
export type BroadcastStopResult = {
  on: boolean;
};

export type BroadcastGetParams = Record<string, never>;
export type BroadcastGetResult = {
  on: boolean;
  path?: string;
  embed?: boolean;
  from?: number;
  to?: number;
  bytes?: number;
  requests?: number;
};

/** Ask everyone to see your view. Sends view.shown to the other clients, which follow or do not; not part of the world's state. */
export interface ViewShowParams {
  /** Where it is looked from. In m. */
  eye: Position;
  /** What is looked at. In m. */
  target: Position;
}
export type ViewShowResult = Record<string, never>;

/** Send your camera to your followers. Sends view.moved to the clients that follow you, and to nobody else; the last view is told to whoever follows you later. Worth sending while somebody follows you: see `follows` of the others. */
export interface ViewMoveParams {
  /** Where it is looked from. In m. */
  eye: Position;
  /** What is looked at. In m. */
  target: Position;
}
export type ViewMoveResult = Record<string, never>;

/** Follow the camera of another client, or stop following. From then on view.moved tells where that client looks from. Sends client.changed to all. It ends when either of the two leaves. */
export interface ViewFollowParams {
  /** Whom, as in people.list; nobody any more when absent. */
  client?: number;
}
export type ViewFollowResult = {
  eye?: Position;
  target?: Position;
};

/** Ask everyone to follow your camera, or stop asking. Sends client.changed to all; their pages follow until it ends, unless somebody chooses not to. Only one client presents at a time: the one that began last. */
export interface ViewPresentParams {
  /** Whether others are asked to follow. */
  presenting: boolean;
}
export type ViewPresentResult = Record<string, never>;

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
  "obstacle.set": { params: ObstacleSetParams; result: ObstacleSetResult };
  "object.list": { params: ObjectListParams; result: ObjectListResult };
  "object.get": { params: ObjectGetParams; result: ObjectGetResult };
  "object.remove": { params: ObjectRemoveParams; result: ObjectRemoveResult };
  "object.set": { params: ObjectSetParams; result: ObjectSetResult };
  "particle.pin": { params: ParticlePinParams; result: ParticlePinResult };
  "particle.unpin": { params: ParticleUnpinParams; result: ParticleUnpinResult };
  "particle.tear": { params: ParticleTearParams; result: ParticleTearResult };
  "particle.set": { params: ParticleSetParams; result: ParticleSetResult };
  "particle.move": { params: ParticleMoveParams; result: ParticleMoveResult };
  "particle.read": { params: ParticleReadParams; result: ParticleReadResult };
  "object.sticks": { params: ObjectSticksParams; result: ObjectSticksResult };
  "force.apply": { params: ForceApplyParams; result: ForceApplyResult };
  "grab.start": { params: GrabStartParams; result: GrabStartResult };
  "grab.move": { params: GrabMoveParams; result: GrabMoveResult };
  "grab.end": { params: GrabEndParams; result: GrabEndResult };
  "world.get": { params: WorldGetParams; result: WorldGetResult };
  "world.measure": { params: WorldMeasureParams; result: WorldMeasureResult };
  "world.contacts": { params: WorldContactsParams; result: WorldContactsResult };
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
  "client.introduce": { params: ClientIntroduceParams; result: ClientIntroduceResult };
  "people.list": { params: PeopleListParams; result: PeopleListResult };
  "hand.raise": { params: HandRaiseParams; result: HandRaiseResult };
  "hand.lower": { params: HandLowerParams; result: HandLowerResult };
  "people.grant": { params: PeopleGrantParams; result: PeopleGrantResult };
  "people.remove": { params: PeopleRemoveParams; result: PeopleRemoveResult };
  "selection.show": { params: SelectionShowParams; result: SelectionShowResult };
  "scene.list": { params: SceneListParams; result: SceneListResult };
  "scene.preview": { params: ScenePreviewParams; result: ScenePreviewResult };
  "scene.load": { params: SceneLoadParams; result: SceneLoadResult };
  "scene.save": { params: SceneSaveParams; result: SceneSaveResult };
  "scene.delete": { params: SceneDeleteParams; result: SceneDeleteResult };
  "rpc.discover": { params: RpcDiscoverParams; result: RpcDiscoverResult };
  "session.authenticate": { params: SessionAuthenticateParams; result: SessionAuthenticateResult };
  "session.resume": { params: SessionResumeParams; result: SessionResumeResult };
  "world.history": { params: WorldHistoryParams; result: WorldHistoryResult };
  "world.log": { params: WorldLogParams; result: WorldLogResult };
  "world.seek": { params: WorldSeekParams; result: WorldSeekResult };
  "world.replay": { params: WorldReplayParams; result: WorldReplayResult };
  "world.undo": { params: WorldUndoParams; result: WorldUndoResult };
  "world.redo": { params: WorldRedoParams; result: WorldRedoResult };
  "world.cancel": { params: WorldCancelParams; result: WorldCancelResult };
  "server.get": { params: ServerGetParams; result: ServerGetResult };
  "client.list": { params: ClientListParams; result: ClientListResult };
  "client.close": { params: ClientCloseParams; result: ClientCloseResult };
  "world.list": { params: WorldListParams; result: WorldListResult };
  "world.create": { params: WorldCreateParams; result: WorldCreateResult };
  "world.branch": { params: WorldBranchParams; result: WorldBranchResult };
  "world.copy": { params: WorldCopyParams; result: WorldCopyResult };
  "world.remove": { params: WorldRemoveParams; result: WorldRemoveResult };
  "world.export": { params: WorldExportParams; result: WorldExportResult };
  "world.import": { params: WorldImportParams; result: WorldImportResult };
  "world.freeze": { params: WorldFreezeParams; result: WorldFreezeResult };
  "broadcast.start": { params: BroadcastStartParams; result: BroadcastStartResult };
  "broadcast.stop": { params: BroadcastStopParams; result: BroadcastStopResult };
  "broadcast.get": { params: BroadcastGetParams; result: BroadcastGetResult };
  "view.show": { params: ViewShowParams; result: ViewShowResult };
  "view.move": { params: ViewMoveParams; result: ViewMoveResult };
  "view.follow": { params: ViewFollowParams; result: ViewFollowResult };
  "view.present": { params: ViewPresentParams; result: ViewPresentResult };
}
export type MethodName = keyof Methods;

/** Params of the notifications that the server sends. */
export interface Events {
  "hello": {
    server: "weft";
    version: string;
    protocol: number;
    instance: string;
    session: number;
    role: Role;
    name?: string;
    you: Person;
    world: WorldName;
    scene: string;
    tick: number;
    tickHz: number;
    running: boolean;
    undoing?: Undoing;
    replay?: Replay;
    frozen: Freeze | null;
    epoch: number;
    limits: Limits;
    copies?: number;
  };
  "object.added": {
    object: Id;
    kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll";
    name: string;
    color: Color | null;
    particles: number;
    sticks: number;
    triangles: number;
    pins: number;
    columns?: number;
    rows?: number;
    spacing?: number;
    mesh?: "grid" | "hex";
    radius: number;
    friction: Friction;
    restitution: Restitution;
    projection: Projection;
    shape?: "tetrahedron" | "box" | "hull" | "frame";
    asleep: boolean;
    quarantined: boolean;
    tick: Tick;
  };
  "object.removed": {
    object: Id;
    tick: Tick;
  };
  "object.changed": {
    object: Id;
    name: string;
    color?: Color;
    friction: Friction;
    restitution: Restitution;
    stretchCompliance?: Compliance;
    bendCompliance?: Compliance;
    mass?: number;
    tick: Tick;
  };
  "obstacle.added": {
    obstacle: ObstacleInfo;
    tick: Tick;
  };
  "obstacle.removed": {
    obstacle: Id;
    tick: Tick;
  };
  "obstacle.changed": {
    obstacle: Id;
    name: string;
    color?: Color;
    friction: Friction;
    restitution: Restitution;
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
    particles: ParticleIndex[];
    weights: number[];
    client?: number;
    tick: Tick;
  };
  "grab.ended": {
    grab: Id;
    client: number;
    tick: Tick;
  };
  "undo.progress": {
    state: "begun" | "running" | "done" | "refused" | "cancelled";
    task: "undo" | "redo";
    client: number;
    name: string;
    method?: string;
    progress: number;
    secondsLeft?: number;
    message?: string;
    lost?: LostCommands;
    seconds?: number;
    opposite?: OppositeCommand[];
    tick: Tick;
  };
  "commands.lost": {
    task: "undo" | "redo";
    client: number;
    name: string;
    method: string;
    lost: LostCommands;
  };
  "world.changed": {
    tick: Tick;
    running: boolean;
    scene: string;
    replay?: Replay;
    reason: "set" | "pause" | "resume" | "reset" | "load" | "step" | "seek" | "undo" | "redo" | "freeze" | "thaw" | "replay";
    client?: number;
    name?: string;
    frozen: Freeze | null;
  };
  "client.joined": {
    client: number;
    name: string;
    color: Color;
    role: "none" | "viewer" | "editor" | "admin";
    hand?: number;
    follows?: number;
    presents?: boolean;
    clients: number;
  };
  "client.left": {
    client: number;
    name: string;
    color: Color;
    role: "none" | "viewer" | "editor" | "admin";
    hand?: number;
    follows?: number;
    presents?: boolean;
    clients: number;
  };
  "client.changed": {
    client: number;
    name: string;
    color: Color;
    role: "none" | "viewer" | "editor" | "admin";
    hand?: number;
    follows?: number;
    presents?: boolean;
  };
  "selection.changed": {
    client: number;
    objects: Id[];
    particles: ([number, number, number])[];
  };
  "pointer.moved": {
    client: number;
    position?: Position;
    laser?: boolean;
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
  "view.shown": {
    client: number;
    eye: Position;
    target: Position;
  };
  "view.moved": {
    client: number;
    eye: Position;
    target: Position;
  };
}
/** A notification; `method` tells which one. */
export type Notification = { [name in keyof Events]: { jsonrpc: "2.0"; method: name; params: Events[name] } }[keyof Events];

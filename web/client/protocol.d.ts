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

/** Position [x, y, z]; y points up. In m. */
export type Position = [number, number, number];

/** Velocity [x, y, z]. In m/s. */
export type Velocity = [number, number, number];

/** Angular velocity [x, y, z] about the centre of mass. In rad/s. */
export type AngularVelocity = [number, number, number];

/** Acceleration [x, y, z]. In m/s². */
export type Acceleration = [number, number, number];

/** Force [x, y, z]. In N. */
export type Force = [number, number, number];

/** Direction [x, y, z], of any length except 0. */
export type Direction = [number, number, number];

/** Radius of a sphere, a capsule or a cylinder. A box or a hull is rounded by it and larger by it on every side. In m. */
export type PartRadius = number;

/** Distance between the centres of the ends of a capsule. In m. */
export type PartLength = number;

/** Height of a cylinder. In m. */
export type PartHeight = number;

/** A convex part of a compound body, in the body's local coordinates. */
export type BodyPart = {
  shape: "box" | "hull" | "sphere" | "capsule" | "cylinder";
  size?: [number, number, number];
  vertices?: Positions;
  radius?: PartRadius;
  length?: PartLength;
  height?: PartHeight;
  position?: Position;
  rotation?: Rotation;
  density?: number;
  share?: number;
};

/** Angular velocity [x, y, z] of an obstacle. In rad/s. */
export type TurnVelocity = [number, number, number];

/** Where an obstacle is at a time of its path. */
export type PathPoint = {
  time: number;
  position: Position;
  rotation?: Rotation;
};

/** How an obstacle moves. It is where position, rotation, normal, from and to say just before the tick `start`. */
export type MotionInfo = {
  start: Tick;
  velocity?: Vector;
  angularVelocity?: Vector;
  pivot?: Vector;
  surfaceVelocity?: Vector;
  path?: PathPoint[];
  loop?: boolean;
  pathTime?: number;
};

/** Full extents [x, y, z]. In m. */
export type Extents = [number, number, number];

/** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
export type Rotation = [number, number, number, number];

/** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
export type ObjectRef = number | string;

/** Id, which is never reused. */
export type Id = number;

/** Index of a particle within its object. */
export type ParticleIndex = number;

/** Indices of particles within their object. */
export type ParticleIndices = ParticleIndex[];

/** Three numbers per particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
export type Positions = number[] | Position[];

/** Points that an end of a blade passes, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
export type BladePath = number[] | Position[];

/** Three numbers per particle, flat or as triples. In m/s. */
export type Velocities = number[] | Velocity[];

/** Three particle indices per triangle, flat or as triples. */
export type Triangles = ParticleIndex[] | ([ParticleIndex, ParticleIndex, ParticleIndex])[];

/** Mass. In kg. */
export type Mass = number;

/** One mass per particle. */
export type Masses = Mass[];

/** A length. In m. */
export type Length = number;

/** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). */
export type Friction = number;

/** Color as "#rrggbb". */
export type Color = string;

/** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
export type Name = string;

/** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
export type PersonName = string;

/** A client in a world, as other clients know it. */
export type Person = {
  client: number;
  name: PersonName;
  color: Color;
  role: "none" | "viewer" | "editor" | "admin";
  hand?: number;
  follows?: number;
  presents?: boolean;
};

/** Runs of particles, each as [object, first, count], flat or as triples. */
export type Runs = number[] | ([number, number, number])[];

/** Name of a world: letters, digits, hyphens and underscores. */
export type WorldName = string;

/** Key of a session: 1 to 64 letters, digits, hyphens and underscores, chosen at random and kept secret. */
export type SessionKey = string;

/** Bytes of a capsule, in base64. */
export type Capsule = string;

/** Name of a scene: lowercase letters, digits and hyphens. */
export type SceneName = string;

/** A fabric that was measured, with its stiffnesses and, if neither mass nor masses nor arealDensity is given, its mass per area: cotton of a T-shirt, denim of jeans, polyester of a tablecloth, nylon of a swimsuit, twill of trousers, a blanket. Members of its own take precedence. Excludes bend and compliances. */
export type Fabric = "cotton" | "denim" | "polyester" | "nylon" | "twill" | "blanket";

/** Direction of a stick's projection: its present direction (current, after Jakobsen), which damps rotation, or its direction at the start of the substep (start, as in SHAKE), which conserves it. */
export type Projection = "current" | "start";

/** Particles that are pinned: a named choice, or indices. A mesh accepts only "none" and indices. */
export type SheetPins = "topCorners" | "corners" | "topEdge" | "none" | ParticleIndex[];

/** Box that no object can leave; max must exceed min on every axis. */
export type Bounds = {
  min: Position;
  max: Position;
};

/** Velocity of the air, which exerts a force of ½·airDensity·area·u² on every triangle of cloth, meshes and plants; u is the velocity of the air relative to the triangle, across it. With velocity 0 the air is still and only resists motion. The air does not act on ropes, particles, bodies and ragdolls. */
export type Wind = {
  velocity: Velocity;
  gust?: number;
};

/** Density of the air, which resists motion in still air as in wind; 0 is a vacuum, in which wind has no effect either. A new world has 1.2, the density at sea level and 20 °C. In kg/m³. */
export type AirDensity = number;

/** Where a stick ends: at a particle of an object, or at a point that up to four of its particles carry. Requires exactly one of particle, point, anchor, and particles with weights. */
export type StickEnd = {
  object: ObjectRef;
  particle?: ParticleIndex;
  point?: Position;
  anchor?: Position;
  particles?: [ParticleIndex, ParticleIndex, ParticleIndex, ParticleIndex];
  weights?: [number, number, number, number];
};

/** A length that swings: restLength + amplitude · sin(2π · (phase + t / period)), where t is the time of the world in s. */
export type StickSwing = {
  amplitude: number;
  period?: number;
  phase?: number;
};

/** One command of a batch. */
export type Command = {
  method: string;
  params?: Record<string, unknown>;
};

/** The first tick whose step saw the change. */
export type Tick = number;

/** Version of the physics; another version computes different results from the same commands. */
export type PhysicsVersion = number;

/** Present only if the stored data come from an older physics version. In that case the snapshot of tick `from` was loaded and everything after it was computed again with the present version, which gives different results that cannot be compared with the old hashes. */
export type Recomputed = {
  physics: number;
  from: number;
  to: number;
  commands: number;
  leftOut: number;
};

/** Always true, and present only if the velocity would have exceeded 1000 m/s: it was limited to 1000 m/s in the same direction. */
export type Capped = boolean;

/** The client that froze the world. */
export type Freeze = {
  client: number;
  name: string;
  seconds: number;
  message?: string;
  own?: boolean;
};

/** Commands of other clients that are lost or would be lost, one element for each client, method and object. */
export type LostCommands = ({
  client: number;
  name?: string;
  method: string;
  object?: number;
  objectName?: string;
  count: number;
  tick: number;
})[];

/** The running undo or redo; absent if there is none. */
export type Undoing = {
  task: "undo" | "redo";
  client: number;
  name: string;
  method?: string;
  progress: number;
  secondsLeft?: number;
};

/** A command for batch.run. */
export type OppositeCommand = {
  method: string;
  params: Record<string, unknown>;
};

/** Name of an event. */
export type EventName = "object.added" | "object.removed" | "object.changed" | "obstacle.added" | "obstacle.removed" | "obstacle.changed" | "stick.added" | "stick.changed" | "stick.removed" | "particle.pinned" | "particle.unpinned" | "grab.started" | "grab.ended" | "undo.progress" | "commands.lost" | "world.changed" | "client.joined" | "client.left" | "client.changed" | "selection.changed" | "pointer.moved" | "stick.broken" | "body.quarantined" | "object.slept" | "object.woke" | "frames.paced" | "view.shown" | "view.moved";

/** The running world.replay; absent while the world shows the present. */
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

/** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. */
export type Restitution = number;

/** Compliance of a stick, which acts as a spring of 1/compliance N/m: the change of length per newton of force. 0 is rigid. In m/N. */
export type Compliance = number;

/** One length, or three as [x, y, z]. In m. */
export type Size = number | [number, number, number];

/** Vector [x, y, z]. */
export type Vector = [number, number, number];

/** Quaternion [x, y, z, w]. */
export type Quaternion = [number, number, number, number];

/** Hash of the tick, the parameters and the state. */
export type StateHash = string;

/** A role. */
export type Role = "none" | "viewer" | "editor" | "admin";

/** Properties of an object, as in lists. */
export type ObjectInfo = {
  object: Id;
  kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll" | "soft";
  name: string;
  color: Color | null;
  particles: number;
  sticks: number;
  triangles: number;
  tetrahedra?: number;
  pins: number;
  columns?: number;
  rows?: number;
  spacing?: number;
  mesh?: "grid" | "hex";
  radius: number;
  friction: Friction;
  restitution: Restitution;
  projection: Projection;
  shape?: "tetrahedron" | "box" | "hull" | "frame" | "sphere" | "capsule" | "cylinder" | "compound";
  asleep: boolean;
  quarantined: boolean;
};

/** Properties of an obstacle, as in lists. */
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
  motion?: MotionInfo;
  heights?: number[];
  positions?: number[];
  triangles?: number[];
};

/** Where a stick ends: at a particle of an object, or at a point that some of its particles carry. */
export type StickEndInfo = {
  object: Id;
  particle?: ParticleIndex;
  particles?: ParticleIndex[];
  weights?: number[];
};

/** A stick that stick.add added. */
export type StickInfo = {
  id: Id;
  a: StickEndInfo;
  b: StickEndInfo;
  restLength: number;
  compliance: Compliance;
  kind: "equal" | "atMost" | "atLeast";
  projection: Projection;
  targetLength?: number;
  rate?: number;
  swing?: StickSwing;
  breakForce?: number;
  force?: number;
};

/** A grab. */
export type GrabInfo = {
  grab: Id;
  object: Id;
  particles: ParticleIndex[];
  weights: number[];
  client?: number;
};

/** The selection of a client. */
export type Selection = {
  objects: Id[];
  particles: ([number, number, number])[];
};

/** A client in a world, with its grabs, pointer and selection. */
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

/** Numbers of the things in a world. */
export type Counts = {
  particles: number;
  sticks: number;
  triangles: number;
  objects: number;
  obstacles: number;
  grabs: number;
  pins: number;
};

/** Maximum numbers of the things in a world. */
export type Capacity = {
  particles: number;
  sticks: number;
  triangles: number;
  objects: number;
  obstacles: number;
};

/** Limits for all connections of one client together. */
export type OwnLimits = {
  particles: number;
  sticks: number;
  objects: number;
  obstacles: number;
  worlds: number;
};

/** Limits of this client and of the server. */
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

/** How much time the world takes, and how well it keeps up with real time. */
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

/** Memory of the arrays in use. Memory for collisions and self-collision varies with them and is not included. */
export type Memory = {
  bytesPerParticle: number;
  bytesPerStick: number;
  particleBytes: number;
  stickBytes: number;
};

/** Stretch of the sticks that keep a length; bending sticks are not included. */
export type Stretch = {
  mean: number;
  worst: number;
  object?: Id;
  particles?: ParticleIndex[];
  sticks: number;
};

/** How accurately the sweeps solve sticks with a compliance above 0. */
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

/** A branch of a world's history. */
export type Timeline = {
  timeline: number;
  parent: number;
  first: number;
  last: number;
  commands: number;
  physics: PhysicsVersion;
};

/** A stored snapshot. */
export type SnapshotInfo = {
  tick: number;
  bytes: number;
};

/** A command in the history, or an action of the server itself: scene, with which a branch begins; release, the end of a grab whose client left; clock, a pause or resume. */
export type HistoryEntry = {
  tick: number;
  timeline: number;
  sequence: number;
  client: number;
  number: number;
  method: string;
  params: Record<string, unknown>;
};

/** A command of the log. `scene`, with the name of a scene, is the loading of that scene; `clock` is a pause or resume by the server. */
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

/** A world on the server. */
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

/** Amount of history stored, and the limits set by --history. History beyond the limits is folded into snapshots, the oldest first. */
export type HistoryKept = {
  bytes: number;
  maxBytes?: number;
  maxSeconds?: number;
  over: boolean;
};

/** Where clients reach a node: http://HOST:PORT or https://HOST:PORT, as in its option --node-url. */
export type NodeUrl = string;

/** A server that shares its database and its worlds with others. */
export type NodeInfo = {
  url: NodeUrl;
  own: boolean;
  alive: boolean;
  draining: boolean;
  worlds: number;
  clients: number;
  headroom: number;
  version: string;
  physics: number;
};

/** A world that another node has. */
export type ElsewhereInfo = {
  name: WorldName;
  url?: string;
};

/** A world that is unavailable, because its stored data were damaged or of a newer version when the server started. The data stay in the store unchanged; `weftctl salvage` recovers what is intact, and world.remove deletes the world. */
export type AsideInfo = {
  name: string;
  reason: string;
};

/** Data of an error, besides its code and message. */
export type ErrorData = {
  pointer: string;
  suggestion?: string;
};

/** Data of an error that says that a request is not possible now. `lost` is present if world.undo or world.redo needs `force`. If it would take longer than `within`, `opposite` is present, and `lost` lists the commands of other clients that concern what the change created. */
export type StateData = {
  pointer: string;
  suggestion?: string;
  lost?: LostCommands;
  seconds?: number;
  opposite?: OppositeCommand[];
};

/** Data of an error that is temporary. */
export type RetryData = {
  pointer: string;
  retryAfterMs: number;
};

/** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
export type AtTick = number;

/** Create a cloth. The cloth is centred in its local x–y plane, with columns along +x and rows along −y, starting at the top. The index of a particle is row·columns + column. */
export interface ClothSpawnParams {
  /** Number of particles in a row. */
  columns: number;
  /** Number of particles in a column. */
  rows: number;
  /** Distance between neighbouring particles. In m. Default 0.05. */
  spacing?: number;
  /** Lattice of the cloth: squares (grid), or equilateral triangles with every second row shifted by half a spacing (hex). Default "grid". */
  mesh?: "grid" | "hex";
  /** Whether to add sticks across the diagonals of a grid's squares. Default true. */
  shear?: boolean;
  /** Position of the cloth's centre. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Particles that are pinned: a named choice, or indices. A mesh accepts only "none" and indices. Default "topCorners". */
  pin?: SheetPins;
  /** Total mass, distributed over the particles by area. Cannot be combined with arealDensity or masses. In kg. */
  mass?: Mass;
  /** Mass per area; 0.2 if neither mass nor masses is given. In kg/m². */
  arealDensity?: number;
  /** One mass per particle. */
  masses?: Masses;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Compliance of every structural and shear stick, which acts as a spring of 1/stretchCompliance N/m; 0 is rigid. Sticks are solved one by one, so their forces are within 5 % of the spring's only if stretchCompliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring exerts only part of its force; `compliance.residual` of world.measure is the missing share. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Whether to add sticks that resist bending, between particles that share a neighbour. Default false. */
  bend?: boolean;
  /** Compliance of every bending stick; 0 is rigid. The limits of accuracy described for stretchCompliance apply to it too. In m/N. Default 0. */
  bendCompliance?: Compliance;
  /** A fabric that was measured, with its stiffnesses and, if neither mass nor masses nor arealDensity is given, its mass per area: cotton of a T-shirt, denim of jeans, polyester of a tablecloth, nylon of a swimsuit, twill of trousers, a blanket. Members of its own take precedence. Excludes bend and compliances. */
  fabric?: Fabric;
  /** Stiffness along the warp: force per width and strain. Makes a fabric of the sheet even without `fabric`. The warp runs along the local y axis, or along z in a mesh that faces along y. In N/m. */
  stretchWarp?: number;
  /** Stiffness along the weft; as along the warp if absent. Requires fabric or stretchWarp. In N/m. */
  stretchWeft?: number;
  /** Stiffness against shear: force per width and angle in radians; a tenth of the lesser stretch stiffness if absent. Requires fabric or stretchWarp. In N/m. */
  shearStiffness?: number;
  /** Stiffness against bending of the warp: moment per width and curvature; as of the weft if absent. 0 bends freely. Requires fabric or stretchWarp. In N·m. */
  bendWarp?: number;
  /** Stiffness against bending of the weft: moment per width and curvature; as of the warp if absent. 0 bends freely. Requires fabric or stretchWarp. In N·m. */
  bendWeft?: number;
  /** Curvature beyond which bending stays: folded sharper than a radius of 1/creaseCurvature, the cloth keeps a crease. If absent, all bending is elastic. Requires fabric or stretchWarp. In 1/m. */
  creaseCurvature?: number;
  /** Whether to limit the distance of every particle from its nearest pin, so that a hanging cloth does not stretch. Default false. */
  tethers?: boolean;
  /** A stick breaks when its length exceeds this multiple of its rest length. If absent, sticks never break. */
  tear?: number;
  /** A stick breaks when it pulls with more than this force, on average over a tick. If absent, no force breaks one. Excludes a fabric. In N. */
  tearForce?: number;
  /** Distance that the cloth keeps from obstacles, from itself and from other cloth; at most twice the mean side of its triangles. In m. Default 0. */
  thickness?: number;
  /** Whether to keep the cloth from passing through itself; requires a thickness greater than 0. Default false. */
  selfCollision?: boolean;
  /** Direction of a stick's projection: its present direction (current, after Jakobsen), which damps rotation, or its direction at the start of the substep (start, as in SHAKE), which conserves it. Default "current". */
  projection?: Projection;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ClothSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a cloth from a triangle mesh. The cloth has one particle per vertex and one stick per edge. */
export interface MeshSpawnParams {
  /** Three numbers per particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
  positions: Positions;
  /** Three particle indices per triangle, flat or as triples. */
  triangles: Triangles;
  /** Position of the origin of the mesh's local coordinates. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Particles that are pinned: a named choice, or indices. A mesh accepts only "none" and indices. Default "none". */
  pin?: SheetPins;
  /** Total mass, distributed over the particles by area. Cannot be combined with arealDensity or masses. In kg. */
  mass?: Mass;
  /** Mass per area; 0.2 if neither mass nor masses is given. In kg/m². */
  arealDensity?: number;
  /** One mass per particle. */
  masses?: Masses;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Compliance of every structural and shear stick, which acts as a spring of 1/stretchCompliance N/m; 0 is rigid. Sticks are solved one by one, so their forces are within 5 % of the spring's only if stretchCompliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring exerts only part of its force; `compliance.residual` of world.measure is the missing share. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** Whether to add sticks that resist bending, between particles that share a neighbour. Default false. */
  bend?: boolean;
  /** Compliance of every bending stick; 0 is rigid. The limits of accuracy described for stretchCompliance apply to it too. In m/N. Default 0. */
  bendCompliance?: Compliance;
  /** A fabric that was measured, with its stiffnesses and, if neither mass nor masses nor arealDensity is given, its mass per area: cotton of a T-shirt, denim of jeans, polyester of a tablecloth, nylon of a swimsuit, twill of trousers, a blanket. Members of its own take precedence. Excludes bend and compliances. */
  fabric?: Fabric;
  /** Stiffness along the warp: force per width and strain. Makes a fabric of the sheet even without `fabric`. The warp runs along the local y axis, or along z in a mesh that faces along y. In N/m. */
  stretchWarp?: number;
  /** Stiffness along the weft; as along the warp if absent. Requires fabric or stretchWarp. In N/m. */
  stretchWeft?: number;
  /** Stiffness against shear: force per width and angle in radians; a tenth of the lesser stretch stiffness if absent. Requires fabric or stretchWarp. In N/m. */
  shearStiffness?: number;
  /** Stiffness against bending of the warp: moment per width and curvature; as of the weft if absent. 0 bends freely. Requires fabric or stretchWarp. In N·m. */
  bendWarp?: number;
  /** Stiffness against bending of the weft: moment per width and curvature; as of the warp if absent. 0 bends freely. Requires fabric or stretchWarp. In N·m. */
  bendWeft?: number;
  /** Curvature beyond which bending stays: folded sharper than a radius of 1/creaseCurvature, the cloth keeps a crease. If absent, all bending is elastic. Requires fabric or stretchWarp. In 1/m. */
  creaseCurvature?: number;
  /** Whether to limit the distance of every particle from its nearest pin, so that a hanging cloth does not stretch. Default false. */
  tethers?: boolean;
  /** A stick breaks when its length exceeds this multiple of its rest length. If absent, sticks never break. */
  tear?: number;
  /** A stick breaks when it pulls with more than this force, on average over a tick. If absent, no force breaks one. Excludes a fabric. In N. */
  tearForce?: number;
  /** Distance that the cloth keeps from obstacles, from itself and from other cloth; at most twice the mean side of its triangles. In m. Default 0. */
  thickness?: number;
  /** Whether to keep the cloth from passing through itself; requires a thickness greater than 0. Default false. */
  selfCollision?: boolean;
  /** Direction of a stick's projection: its present direction (current, after Jakobsen), which damps rotation, or its direction at the start of the substep (start, as in SHAKE), which conserves it. Default "current". */
  projection?: Projection;
  /** Fills a closed mesh with gas, whose pressure above that outside this is at the volume that it has now: a balloon, a cushion. Every edge needs two triangles, and they must wind outward, counter-clockwise as seen from outside. A mesh that tears loses its gas. In Pa. */
  pressure?: number;
  /** Whether the pressure of the gas stays, as from a pump; otherwise its amount does, (101325 Pa + pressure) · volume. Default false. */
  supplied?: boolean;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type MeshSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create loose particles. */
export interface ParticlesSpawnParams {
  /** Three numbers per particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0, z0], …]. In m. */
  positions: Positions;
  /** Three numbers per particle, flat or as triples. In m/s. */
  velocities?: Velocities;
  /** One mass per particle; 1 kg each if absent. */
  masses?: Masses;
  /** Distance that the particles keep from obstacles and from the world's bounds. In m. Default 0.05. */
  radius?: number;
  /** Whether the particles are balls of their radius that collide with one another, with ropes and other particles that have collision, and with cloths, meshes and soft bodies that have a thickness; requires a radius greater than 0. Default false. */
  collision?: boolean;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
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
  /** Start of a straight rope; with `to`. In m. */
  from?: Position;
  /** End of a straight rope; with `from`. In m. */
  to?: Position;
  /** Places of the particles from start to end, flat or as triples, in the place of `from`, `to` and `particles`: a rope that begins coiled, knotted or hung over something. The distances of neighbours are the lengths of the sticks. In m. */
  positions?: Positions;
  /** Number of particles of a straight rope, evenly apart. Default 20. */
  particles?: number;
  /** Total mass. In kg. Default 0.5. */
  mass?: Mass;
  /** One mass per particle. */
  masses?: Masses;
  /** Which ends of the rope are pinned. Default "start". */
  pin?: "start" | "end" | "both" | "none";
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Diameter of the rope, which keeps half of it as its distance from obstacles. In m. Default 0. */
  thickness?: number;
  /** Whether the rope collides with itself, with particles and other ropes that have collision, and with cloths, meshes and soft bodies that have a thickness; requires a thickness greater than 0. Default false. */
  collision?: boolean;
  /** Compliance of every stick, which acts as a spring of 1/stretchCompliance N/m; 0 is rigid. A compliant rope is solved as a whole, so its forces are accurate with any number of substeps and iterations. Waves on it have the right speed within 5 % if their period is at least 16 substeps; faster waves are slowed down and damped. In m/N. Default 0. */
  stretchCompliance?: Compliance;
  /** A stick breaks when it pulls with more than this force, on average over a tick. If absent, no force breaks one. In N. */
  tearForce?: number;
  /** Direction in which sticks move their ends: their present direction (current), which damps swinging and rotation, or their direction at the start of the substep (start), which conserves energy and rotation and suits pendulums. Sticks with a stretchCompliance above 0 always use their present direction. Default "current". */
  projection?: Projection;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type RopeSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a rigid body: four particles with six constraints. The particles of a tetrahedron are its corners. If vertices or parts are given, position is where their origin lies; otherwise it is where the centre of mass lies. The axis of a capsule or a cylinder is y. */
export interface BodySpawnParams {
  /** Shape of the body: a tetrahedron is its particles, a frame consists of three rods at right angles, every other shape is embedded in four particles with its exact mass, centre and inertia. A compound body is one rigid body of several parts. Default "tetrahedron". */
  shape?: "tetrahedron" | "box" | "hull" | "frame" | "sphere" | "capsule" | "cylinder" | "compound";
  /** For a tetrahedron, the edge length (0.4 if absent); for a box, the full extents [x, y, z], each at least 0.001; for a frame, the length of its axes. Cannot be combined with vertices. In m. */
  size?: Size;
  /** Points in local coordinates, flat or as triples: 4 for a tetrahedron, or 4 to 256 within ±1000 m for a hull. In m. */
  vertices?: Positions;
  /** Radius of a sphere, a capsule or a cylinder. A box or a hull is rounded by it and larger by it on every side. In m. */
  radius?: PartRadius;
  /** Distance between the centres of the ends of a capsule. In m. */
  length?: PartLength;
  /** Height of a cylinder. In m. */
  height?: PartHeight;
  /** Parts of a compound body, which may overlap and do not collide with one another; 1024 vertices and 2048 triangles in all. */
  parts?: BodyPart[];
  /** Position of the centre of mass or, if vertices or parts are given, of their origin. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Velocity [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** Angular velocity [x, y, z] about the centre of mass. In rad/s. Default [0,0,0]. */
  angularVelocity?: AngularVelocity;
  /** Total mass. In kg. Default 1. */
  mass?: Mass;
  /** Masses of the four particles of a tetrahedron or frame. Cannot be combined with mass. */
  masses?: Masses;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Direction of a stick's projection: its present direction (current, after Jakobsen), which damps rotation, or its direction at the start of the substep (start, as in SHAKE), which conserves it. Default "start". */
  projection?: Projection;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type BodySpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Create a plant. A plant is a stem of crossed sticks with pairs of leaves. It bends in the wind and straightens up again; its root is pinned. */
export interface PlantSpawnParams {
  /** Position of the root. In m. Default [0,0,0]. */
  position?: Position;
  /** Height of the stem. In m. Default 1. */
  height?: number;
  /** Number of storeys of the stem. Default 10. */
  levels?: number;
  /** Number of pairs of leaves. Default 4. */
  leaves?: number;
  /** Total mass. In kg. Default 0.3. */
  mass?: Mass;
  /** How strongly the stem's supports resist bending. Default 0.5. */
  stiffness?: number;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type PlantSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
};

/** Create a ragdoll. A ragdoll has eleven bones. Bones that share one particle form a pin joint, bones that share two a hinge; limits prevent joints from bending the wrong way. */
export interface RagdollSpawnParams {
  /** Position of the pelvis. In m. Default [0,1,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Velocity [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** Height from head to foot. In m. Default 1.7. */
  height?: number;
  /** Total mass. In kg. Default 70. */
  mass?: Mass;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type RagdollSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Create a soft body: particles and tetrahedra of an elastic material. A soft body is given in SI units, and bends, swings and carries as its material does, whatever its tetrahedra. Each counts as four sticks against limits. */
export interface SoftSpawnParams {
  /** A box of cells, a ball of cells, or given tetrahedra. Default "box". */
  shape?: "box" | "ball" | "tetrahedra";
  /** Full extents [x, y, z] of a box, each from 0.001 to 10000; [0.4, 0.4, 0.4] if absent. In m. */
  size?: Extents;
  /** Radius of a ball; 0.2 if absent. In m. */
  radius?: number;
  /** Cells along x, y and z of a box, or one number for all three; for a ball one even number across it. 4 if absent. A cell is five tetrahedra. Tetrahedra bend too stiffly where they are few: with two cells across, a beam bends by 28 % too little, with four by 10 %, with six by 4 %. */
  cells?: [number, number, number];
  /** Particles of given tetrahedra in local coordinates, flat or as triples. Every particle must belong to a tetrahedron. In m. */
  positions?: Positions;
  /** Four particle indices per tetrahedron, flat and in any order of the four. None may be flat, and two may share only whole faces, edges and corners. */
  tetrahedra?: ParticleIndex[];
  /** Position of the centre of a box or ball, or of the origin of positions. In m. Default [0,0,0]. */
  position?: Position;
  /** Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Velocity [x, y, z]. In m/s. Default [0,0,0]. */
  velocity?: Velocity;
  /** Angular velocity [x, y, z] about the centre of mass. In rad/s. Default [0,0,0]. */
  angularVelocity?: AngularVelocity;
  /** Young's modulus: jelly 10000, soft rubber 1000000. Forces are accurate only if sound, of the speed √(young/density), needs at least ten substeps for the length of a tetrahedron's side, or five with 4 iterations; what is stiffer is solved as something softer. In Pa. Default 20000. */
  young?: number;
  /** Poisson's ratio. At 0.5 every tetrahedron keeps its volume exactly, which also makes bending stiffer. Default 0.4. */
  poisson?: number;
  /** Mass per volume. In kg/m³. Default 1000. */
  density?: number;
  /** Damping: the stress of a strain rate of 1/s is this many times that of a strain of 1 (Kelvin and Voigt). A viscosity far above the length of a substep makes the material softer than young says. In s. Default 0.002. */
  viscosity?: number;
  /** Particles that are pinned: "none" or indices. In a box, index = (z·(cells_y + 1) + y)·(cells_x + 1) + x. Default "none". */
  pin?: SheetPins;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Distance that the surface keeps from obstacles, from itself, from cloth and from other soft bodies; at most the longest side of its triangles. In m. Default 0.01. */
  thickness?: number;
  /** Whether to keep the surface from passing through itself; requires a thickness greater than 0. Default false. */
  selfCollision?: boolean;
  /** Directions in which strains move particles: those at the substep's start (start), which conserves angular momentum, or the present ones (current), which damps rotation. Default "start". */
  projection?: Projection;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type SoftSpawnResult = {
  object: Id;
  particles: number;
  tick: Tick;
  capped?: Capped;
};

/** Join two points with a stick. A stick of restLength 0 is a ball joint, and two of them are a hinge about the line through both. Bodies, ragdolls and loose particles on a ball joint do not collide with one another. A stick between points, and a ball joint, do not collide with obstacles either. */
export interface StickAddParams {
  /** Where a stick ends: at a particle of an object, or at a point that up to four of its particles carry. Requires exactly one of particle, point, anchor, and particles with weights. */
  a: StickEnd;
  /** Where a stick ends: at a particle of an object, or at a point that up to four of its particles carry. Requires exactly one of particle, point, anchor, and particles with weights. */
  b: StickEnd;
  /** Length that the stick keeps; the present distance of its ends if absent, less what a swing adds now. 0 makes a ball joint, which needs the kind equal. In m. */
  restLength?: number;
  /** Whether the stick keeps its length (equal), or only an upper (atMost) or a lower (atLeast) bound of it. Default "equal". */
  kind?: "equal" | "atMost" | "atLeast";
  /** Compliance of the stick, which acts as a spring of 1/compliance N/m; 0 is rigid. If no other stick is attached to its ends, its force is accurate with any number of substeps and iterations. Added sticks that share a particle are solved one by one, so their forces are within 5 % of the spring's only if compliance · particle mass · (tickHz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with 16 or 0.06 with 64. A stiffer spring exerts only part of its force; `compliance.residual` of world.measure is the missing share. In m/N. Default 0. */
  compliance?: Compliance;
  /** Direction in which the stick moves its ends: its direction at the start of the substep (start), which conserves energy and rotation, or its present direction (current), which damps rotation. This applies to every kind; atMost and atLeast use it while they act. A stick with a compliance above 0 always uses its present direction, and damps rotation accordingly. Default "start". */
  projection?: Projection;
  /** A length that swings: restLength + amplitude · sin(2π · (phase + t / period)), where t is the time of the world in s. */
  swing?: StickSwing;
  /** Force above which the stick breaks: the mean of its force over a tick. 0 or absent: never. In N. */
  breakForce?: number;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type StickAddResult = {
  stick: Id;
  tick: Tick;
};

/** Change a stick that stick.add added. Parameters that are absent keep their values; at least one is required. A muscle is a stick whose length changes: at once, at a rate, or to and fro with a swing. */
export interface StickSetParams {
  /** Id, which is never reused. */
  stick: Id;
  /** Length that the stick keeps. 0 makes a ball joint, which needs the kind equal. In m. */
  restLength?: number;
  /** Rate at which the length moves to restLength, which is required then; 0 or absent: it changes at once. In m/s. */
  rate?: number;
  /** Kind of the stick, as in stick.add. */
  kind?: "equal" | "atMost" | "atLeast";
  /** Compliance of a stick, which acts as a spring of 1/compliance N/m: the change of length per newton of force. 0 is rigid. In m/N. */
  compliance?: Compliance;
  /** A length that swings: restLength + amplitude · sin(2π · (phase + t / period)), where t is the time of the world in s. */
  swing?: StickSwing;
  /** Force above which the stick breaks: the mean of its force over a tick. 0 or absent: never. In N. */
  breakForce?: number;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type StickSetResult = {
  tick: Tick;
};

/** Remove a stick that stick.add added. */
export interface StickRemoveParams {
  /** Id, which is never reused. */
  stick: Id;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type StickRemoveResult = {
  tick: Tick;
};

/** Add an obstacle, which stays or moves by a velocity or along a path. Parameters by shape: sphere: position, radius. box: position, rotation, size. plane: position, normal; solid on the side opposite to its normal. capsule: from, to, radius. heightfield: position, columns, rows, spacing, heights; solid below. mesh: position, rotation, positions, triangles. Cloth, ropes, plants, bodies and ragdolls that lie deep inside the obstacle, when it is added or when they are spawned there, are moved out at about 3 m/s: out of a box or a closed mesh through a near side, out of a sphere, capsule or plane along its normal, and upwards out of a height field. An open mesh has no inside; the triangles of a closed mesh must face outwards. Loose particles leave a mesh or a height field at once, without gaining speed. An obstacle that moves is where its motion has it at every tick, whatever it meets; what it touches does not fall asleep. All paths of a world have at most 4096 points. */
export interface ObstacleAddParams {
  /** Shape of the obstacle. */
  shape: "sphere" | "box" | "plane" | "capsule" | "heightfield" | "mesh";
  /** Position [x, y, z]; y points up. In m. Default [0,0,0]. */
  position?: Position;
  /** Radius of a sphere or a capsule; required for these, refused for other shapes. In m. */
  radius?: Length;
  /** Full extents of a box; required for it, refused for other shapes. In m. */
  size?: Extents;
  /** Rotation of a box or a mesh. Default [0,0,0,1]. */
  rotation?: Rotation;
  /** Normal of a plane; [0, 1, 0] if absent. */
  normal?: Direction;
  /** One end of a capsule's axis. In m. */
  from?: Position;
  /** The other end of a capsule's axis. In m. */
  to?: Position;
  /** Number of samples of a height field along x. */
  columns?: number;
  /** Number of samples of a height field along z. */
  rows?: number;
  /** Distance between the samples of a height field. In m. */
  spacing?: number;
  /** Heights of the samples above position, row by row: first along x, then along z. The height field is centred on position. In m. */
  heights?: number[];
  /** Vertices of a mesh in local coordinates. In m. */
  positions?: Positions;
  /** Vertex indices of a mesh's triangles, three per triangle, facing outwards. */
  triangles?: Triangles;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). Default 0.5. */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. Default 0. */
  restitution?: Restitution;
  /** Velocity [x, y, z] with which the obstacle moves. It pushes what is in its way and carries by friction what lies on it. In m/s. */
  velocity?: Velocity;
  /** Angular velocity [x, y, z] with which the obstacle turns about `pivot`; a height field cannot turn. In rad/s. */
  angularVelocity?: TurnVelocity;
  /** A point on the axis of `angularVelocity`, which moves with `velocity`; the obstacle's position, of a capsule the middle of its axis, if absent. In m. */
  pivot?: Position;
  /** Velocity [x, y, z] of the surface of an obstacle that stays where it is, as of a conveyor belt; only its part along the surface counts. In m/s. */
  surfaceVelocity?: Velocity;
  /** Points that the obstacle moves through, from where it is put, straight and evenly from each to the next; at the last it stays or begins anew. In place of `velocity` and `angularVelocity`. */
  path?: PathPoint[];
  /** Whether the path begins anew when it ends; it must then end where it begins. False if absent. */
  loop?: boolean;
  /** Time on the path at which the obstacle begins; 0 if absent. In s. */
  pathTime?: number;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ObstacleAddResult = {
  obstacle: Id;
  tick: Tick;
};

/** Remove an obstacle. */
export interface ObstacleRemoveParams {
  /** Id, which is never reused. */
  obstacle: Id;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ObstacleRemoveResult = {
  tick: Tick;
};

/** Change the color, name, material or motion of an obstacle. Properties that are absent keep their values; at least one is required. A new motion begins where the obstacle is: `velocity` or `angularVelocity` ends a path, and `path` ends both. */
export interface ObstacleSetParams {
  /** Id, which is never reused. */
  obstacle: Id;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. */
  restitution?: Restitution;
  /** Velocity [x, y, z] with which the obstacle moves. It pushes what is in its way and carries by friction what lies on it. [0, 0, 0] stops it, and ends a path. In m/s. */
  velocity?: Velocity;
  /** Angular velocity [x, y, z] with which the obstacle turns about `pivot`; a height field cannot turn. In rad/s. */
  angularVelocity?: TurnVelocity;
  /** A point on the axis of `angularVelocity`, which moves with `velocity`; as before, or its position, of a capsule the middle of its axis, if absent. In m. */
  pivot?: Position;
  /** Velocity [x, y, z] of the surface of an obstacle that stays where it is, as of a conveyor belt; only its part along the surface counts. In m/s. */
  surfaceVelocity?: Velocity;
  /** Points that the obstacle moves through, from where it is now, straight and evenly from each to the next; at the last it stays or begins anew. In place of `velocity` and `angularVelocity`. */
  path?: PathPoint[];
  /** Whether the path begins anew when it ends; it must then end where it begins. False if absent. */
  loop?: boolean;
  /** Time on the path at which the obstacle begins; 0 if absent. In s. */
  pathTime?: number;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
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
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
}
export type ObjectGetResult = {
  tick: number;
  object: Id;
  kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll" | "soft";
  name: string;
  color: Color | null;
  particles: number;
  sticks: number;
  triangles: number;
  tetrahedra?: number;
  gas?: {
  pressure: number;
  volume: number;
};
  volume?: number;
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
  stretchWarp?: number;
  stretchWeft?: number;
  shearStiffness?: number;
  bendWarp?: number;
  bendWeft?: number;
  mass?: number;
  young?: number;
  poisson?: number;
  viscosity?: number;
  pressure?: number;
  creaseCurvature?: number;
  tearForce?: number;
  tear?: number;
  shape?: "tetrahedron" | "box" | "hull" | "frame" | "sphere" | "capsule" | "cylinder" | "compound";
  asleep: boolean;
  quarantined: boolean;
};

/** Remove an object and the sticks and grabs on it. */
export interface ObjectRemoveParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ObjectRemoveResult = {
  tick: Tick;
};

/** Change the color, name or material of an object. Properties that are absent keep their values; at least one is required. */
export interface ObjectSetParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Color as "#rrggbb". */
  color?: Color;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  name?: Name;
  /** Coefficient of friction; the coefficient of two materials in contact is √(μ₁μ₂). */
  friction?: Friction;
  /** Share of the approach speed that is kept after a bounce; two materials in contact use the larger value. */
  restitution?: Restitution;
  /** Compliance of the sticks that keep a length; only for a cloth, a mesh or a rope. In m/N. */
  stretchCompliance?: Compliance;
  /** Compliance of the bending sticks; only for a plant, or for a cloth or mesh that was created with `bend`. In m/N. */
  bendCompliance?: Compliance;
  /** Stiffness along the warp of a fabric: force per width and strain; only for a sheet with a fabric. In N/m. */
  stretchWarp?: number;
  /** Stiffness along the weft of a fabric; only for a sheet with a fabric. In N/m. */
  stretchWeft?: number;
  /** Stiffness of a fabric against shear: force per width and angle in radians; only for a sheet with a fabric. In N/m. */
  shearStiffness?: number;
  /** Stiffness of a fabric against bending of its warp: moment per width and curvature. 0 bends freely; only for a sheet with a fabric. In N·m. */
  bendWarp?: number;
  /** Stiffness of a fabric against bending of its weft: moment per width and curvature. 0 bends freely; only for a sheet with a fabric. In N·m. */
  bendWeft?: number;
  /** Young's modulus; only for a soft body. In Pa. */
  young?: number;
  /** Poisson's ratio; only for a soft body. */
  poisson?: number;
  /** Damping; only for a soft body. In s. */
  viscosity?: number;
  /** Pressure above that outside which the gas in a closed mesh would have at the volume at which it was filled first: inflates or deflates it. That volume is the present one where there was no gas. Only for a mesh that is closed. In Pa. */
  pressure?: number;
  /** Total mass, distributed among the particles in the same proportions as before. Particles of inverse mass 0 stay immovable. In kg. */
  mass?: Mass;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ObjectSetResult = {
  tick: Tick;
};

/** Pin particles: only commands move them. With position, only one particle can be given; it is moved there and pinned. Pinning a pinned particle moves its pin. */
export interface ParticlePinParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** Position [x, y, z]; y points up. In m. */
  position?: Position;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ParticlePinResult = {
  tick: Tick;
};

/** Unpin particles and restore their masses. */
export interface ParticleUnpinParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ParticleUnpinResult = {
  tick: Tick;
};

/** Tear a cloth along the edges between these particles, or around one. With several particles, the cloth tears along every edge that joins two of them; the ends of the tear inside the cloth stay whole, and a tear along a single inner edge continues straight by one more edge. With one particle, the cloth tears along all edges of that particle. Mass, sticks, pins and grabs are treated as when a stick breaks. The new particles belong to the same object, after its existing ones. */
export interface ParticleTearParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndex[];
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ParticleTearResult = {
  made: number;
  particles: number;
  tick: Tick;
};

/** Cut cloth, meshes and ropes with a blade that moves along a path. The blade reaches from a point of path to the point at the same place of farPath, or to the point that lies blade away; give one of both. It moves straight from each point to the next. Cloths and meshes part along edges near the surface that it sweeps, and ropes lose the sticks that it crosses. Mass, sticks, pins and grabs are treated as when a stick breaks. The new particles belong to the same object, after its existing ones. Other objects are not cut. The command is refused if nothing parts. */
export interface BladeCutParams {
  /** Id of the only object to cut, a cloth, a mesh or a rope; if absent, everything on the blade's way is cut. In batch.run, "$k" is the object that command k of the same batch creates. */
  object?: ObjectRef;
  /** Points that one end of the blade passes, 2 to 256, flat or as triples. In m. */
  path: BladePath;
  /** Points that the other end of the blade passes, as many as in path, flat or as triples. In m. */
  farPath?: BladePath;
  /** Vector [x, y, z] from each point of path to the other end of the blade. In m. */
  blade?: Direction;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type BladeCutResult = {
  objects: number;
  made: number;
  sticks: number;
  tick: Tick;
};

/** Set properties of particles. */
export interface ParticleSetParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within their object. */
  particles: ParticleIndices;
  /** Inverse mass; 0 makes the particles immovable. In 1/kg. */
  inverseMass: number;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ParticleSetResult = {
  tick: Tick;
};

/** Move one particle. A teleport also stops the particle; a push that moves it by Δ also adds Δ to its displacement. */
export interface ParticleMoveParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Index of a particle within its object. */
  particle: ParticleIndex;
  /** Position [x, y, z]; y points up. In m. */
  position: Position;
  /** Whether the particle is teleported or pushed. Default "teleport". */
  mode?: "teleport" | "push";
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ParticleMoveResult = {
  tick: Tick;
  capped?: Capped;
};

/** Read positions, velocities and inverse masses. Reads at most 1,000,000 particles. Large results are written in the background, so that they do not delay ticks. */
export interface ParticleReadParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within the object; all particles if absent. */
  particles?: ParticleIndices;
}
export type ParticleReadResult = {
  tick: number;
  positions: Vector[];
  velocities: Vector[];
  inverseMasses: number[];
};

/** Read an object's sticks: ends, lengths, and batches of the solver. No two sticks of a batch share a particle. The difference between a stick's length and its rest length is the solver's remaining error. */
export interface ObjectSticksParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Index of the first stick to read. Default 0. */
  from?: number;
  /** Maximum number of sticks to read. Default 4096. */
  most?: number;
  /** Whether to omit the ends, rest lengths and batches, which do not change as long as epoch stays the same. Default false. */
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

/** Apply a force for a number of ticks. The force is distributed evenly over the particles. */
export interface ForceApplyParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Indices of particles within the object; all particles if absent. */
  particles?: ParticleIndices;
  /** Total force on all the particles together. In N. */
  force: Force;
  /** Number of ticks during which the force acts. Default 1. */
  ticks?: number;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type ForceApplyResult = {
  tick: Tick;
};

/** Grab a particle, or the surface point nearest to a point. Requires either particle or point. A grab belongs to its client and ends when the client leaves. A particle that another grab holds is refused with −32004. */
export interface GrabStartParams {
  /** Id of an object, or in batch.run "$k" for the object that command k of the same batch creates. */
  object: ObjectRef;
  /** Index of a particle within its object. */
  particle?: ParticleIndex;
  /** Position [x, y, z]; y points up. In m. */
  point?: Position;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type GrabStartResult = {
  grab: Id;
  tick: Tick;
};

/** Move a grab. A move that arrives after its `atTick` is applied at the next tick. */
export interface GrabMoveParams {
  /** Id, which is never reused. */
  grab: Id;
  /** Position [x, y, z]; y points up. In m. */
  position: Position;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type GrabMoveResult = {
  tick: Tick;
};

/** End a grab. */
export interface GrabEndParams {
  /** Id, which is never reused. */
  grab: Id;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
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
  unstored?: boolean;
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

/** List the contacts between objects. Lists the contacts at the end of the last tick; each array has one element per contact. A sleeping object has no contacts until it wakes. If there are more than `most` contacts, the listed ones are spread evenly over all. */
export interface WorldContactsParams {
  /** Maximum number of contacts to list. Default 512. */
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
  /** Acceleration [x, y, z]. In m/s². */
  gravity?: Acceleration;
  /** Share of the displacement that is lost per tick, from 0 to less than 1. */
  damping?: number;
  /** Number of relaxation sweeps per substep. */
  iterations?: number;
  /** Number of substeps per tick. */
  substeps?: number;
  /** Relaxation stops early when no correction in a sweep exceeds this share (for a stick, of its rest length); 0 means never. */
  tolerance?: number;
  /** Whether sticks are projected with an exact square root or with its first-order expansion. */
  squareRoot?: "exact" | "approximate";
  /** Box that no object can leave; max must exceed min on every axis. */
  bounds?: Bounds;
  /** Velocity of the air, which exerts a force of ½·airDensity·area·u² on every triangle of cloth, meshes and plants; u is the velocity of the air relative to the triangle, across it. With velocity 0 the air is still and only resists motion. The air does not act on ropes, particles, bodies and ragdolls. */
  wind?: Wind;
  /** Density of the air, which resists motion in still air as in wind; 0 is a vacuum, in which wind has no effect either. A new world has 1.2, the density at sea level and 20 °C. In kg/m³. */
  airDensity?: AirDensity;
  /** Coefficient of friction of the bounds. */
  friction?: Friction;
  /** Whether objects fall asleep after half a second in equilibrium with everything they touch. A sleeping object keeps its place and takes no computing time until something touches it. Only objects that rest on something or hang from something fall asleep; an object without any support falls asleep only if it does not move at all. If false, all objects wake up and none falls asleep; use this for experiments that measure motions of less than a millimetre. True in a new world. */
  sleep?: boolean;
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
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

/** Step a paused world; the reply comes when all ticks are computed. `tick` in the result is the tick that the world has reached. */
export interface WorldStepParams {
  /** Number of ticks to compute. Default 1. */
  ticks?: number;
}
export type WorldStepResult = {
  tick: Tick;
};

export type WorldResetParams = Record<string, never>;
export type WorldResetResult = {
  tick: Tick;
};

/** Run commands in order: all of them, or none if one is refused. "$k" refers to the object that command k of the same batch created; all commands are counted, starting at 0. */
export interface BatchRunParams {
  /** The commands to run. */
  commands: Command[];
  /** Tick whose step is the first to see the change; the next tick if absent. At most 2 s ahead. A tick that has passed is refused, except by `grab.move`. */
  atTick?: AtTick;
}
export type BatchRunResult = {
  results: (Record<string, unknown>)[];
  tick: Tick;
};

/** Subscribe to frames: the topology, a keyframe, then frames. Subscribing again replaces the previous subscription. */
export interface FramesSubscribeParams {
  /** Number of ticks per frame. Default 1. */
  everyTicks?: number;
  /** Ids of the objects that frames contain; all objects if absent. */
  objects?: Id[];
  /** `grid`: positions on a fixed grid, packed, each frame independent of the others. `raw`: positions as float32. `motion`: positions on the same grid, predicted from earlier frames, which takes a tenth of the bytes and requires a client that keeps the last four frames. `ticks`: no positions, but one snapshot and then the commands applied before each tick, for clients that compute the ticks themselves with the engine; `everyTicks`, `objects`, `adapt` and `step` are then refused. Default "grid". */
  encoding?: "grid" | "raw" | "motion" | "ticks";
  /** With encoding `motion`: whether a client that keeps missing frames gets an even, slower rate of one frame every 2, 4, then 8 times `everyTicks`, and a faster rate again after it has kept up for a while. The event `frames.paced` reports every change. Default false. */
  adapt?: boolean;
  /** Distance between the points of the grid; the error of a position is at most half of it. In m. Default 0.000244140625. */
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
  /** Names of the events to subscribe to; all events if absent. */
  events?: EventName[];
}
export type EventsSubscribeResult = {
  events: EventName[];
};

export type EventsUnsubscribeParams = Record<string, never>;
export type EventsUnsubscribeResult = Record<string, never>;

/** Show your pointer to others. Sends pointer.moved to the other clients. Pointers are not part of the world's state. */
export interface PointerMoveParams {
  /** Position of the pointer; if absent, the pointer is hidden. In m. */
  position?: Position;
  /** Whether the pointer is shown large, as a presenter's laser pointer; requires the role admin. Default false. */
  laser?: boolean;
}
export type PointerMoveResult = Record<string, never>;

/** Set your name and your color. A client that does not introduce itself has the name of its token, or a name that the server makes up. Names and colors are not part of the world's state. */
export interface ClientIntroduceParams {
  /** Your name; it stays the same if absent. */
  name?: PersonName;
  /** Your color, as "#rrggbb"; it stays the same if absent. */
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

/** Lower your hand; an owner may lower anyone's. Sends client.changed to all clients. */
export interface HandLowerParams {
  /** Session number of the client whose hand is lowered, as in people.list; your own if absent. */
  client?: number;
}
export type HandLowerResult = Record<string, never>;

/** Let a person edit this world, or only view it. The role lasts until the client's connection ends or the client authenticates with a token. If the client may only view, its grabs end. The role of an owner cannot be changed. Sends client.changed to all clients. */
export interface PeopleGrantParams {
  /** Session number of the client, as in people.list. */
  client: number;
  /** Role of the client from now on. */
  role: "viewer" | "editor";
}
export type PeopleGrantResult = Person;

/** Remove a person from this world: the connection is closed with code 4001. Owners cannot be removed. A removed person who has the link can return; to prevent that, revoke the person's token with `weftctl token revoke`. */
export interface PeopleRemoveParams {
  /** Session number of the client, as in people.list. */
  client: number;
  /** Reason that the removed client is given. */
  reason?: Name;
}
export type PeopleRemoveResult = Record<string, never>;

/** Show your selection to others. Replaces your previous selection; without params it clears the selection. Sends selection.changed to all clients. Selections are not part of the world's state. Objects that are removed disappear from selections. */
export interface SelectionShowParams {
  /** Ids of selected obstacles and of objects that are selected as a whole. */
  objects?: Id[];
  /** Runs of particles, each as [object, first, count], flat or as triples. */
  particles?: Runs;
}
export type SelectionShowResult = Record<string, never>;

export type SceneListParams = Record<string, never>;
export type SceneListResult = {
  scenes: SceneInfo[];
};

/** Preview the first ticks of a scene without changing a world. The scene runs in a separate temporary world for the given number of ticks, or for as many as can be computed in 0.25 s. `topology` and `frame` are binary messages as described in FRAMES.md: a complete topology, and a raw frame for it. */
export interface ScenePreviewParams {
  /** Name of a scene: lowercase letters, digits and hyphens. */
  name: SceneName;
  /** Number of ticks to run. Default 40. */
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
  /** Name of a scene: lowercase letters, digits and hyphens. */
  name: SceneName;
}
export type SceneLoadResult = {
  firstId: number;
  tick: Tick;
};

/** Save the world as a scene. Saves the commands that created the objects, sticks and obstacles, the parameters, and the present pins and masses, but not the present motion. A scene that comes with Weft cannot be overwritten. At most 256 scenes can be saved, 1 GiB in total. */
export interface SceneSaveParams {
  /** Name of a scene: lowercase letters, digits and hyphens. */
  name: SceneName;
  /** Name that is shown to people; control, invisible and direction-changing characters are not allowed. */
  title?: Name;
  /** Whether to replace a saved scene of the same name. Default false. */
  overwrite?: boolean;
}
export type SceneSaveResult = {
  name: SceneName;
  commands: number;
};

/** Delete a saved scene. Worlds that were loaded from the scene do not change. A scene that comes with Weft cannot be deleted. */
export interface SceneDeleteParams {
  /** Name of a scene: lowercase letters, digits and hyphens. */
  name: SceneName;
}
export type SceneDeleteResult = {
  name: SceneName;
};

export type RpcDiscoverParams = Record<string, never>;
export type RpcDiscoverResult = {
  openrpc: string;
};

/** Authenticate with a token. On a server with tokens, a script must send this as its first request; a page authenticates with its cookie instead. After five wrong tokens the connection is closed with code 1008. */
export interface SessionAuthenticateParams {
  /** The token, as `weftctl token make` printed it. */
  token: Name;
}
export type SessionAuthenticateResult = {
  role: "viewer" | "editor" | "admin";
  name: string;
};

/** Name this session by a key, to resume it after a lost connection. This should be the first request of a connection. If a session with the same key has already received the reply to a change, identified by its request id, the change is not made again: the first reply is sent again, even after a restart of a server that stores its worlds. The newest 256 replies are kept for a day. Another connection that uses the key is closed, and one that still waits for it is refused. Requests sent after session.resume are applied once it has been answered; they are not applied if the connection ends before that. */
export interface SessionResumeParams {
  /** Key of a session: 1 to 64 letters, digits, hyphens and underscores, chosen at random and kept secret. */
  session: SessionKey;
}
export type SessionResumeResult = {
  client: number;
};

/** List the commands and branches in the world's history. A history is a list of branches, each with a number called `timeline`; the newest one continues. A reset, a scene, a seek and an undo start a new branch and leave the others unchanged. `home` is the branch whose ticks world.seek goes to: after a seek, this is the branch from which the seek was made, until the world changes. */
export interface WorldHistoryParams {
  /** Number of the branch whose snapshots and commands are listed; `home` if absent. */
  timeline?: number;
  /** Tick of the first command to list. Default 0. */
  from?: number;
  /** Maximum number of commands to list. Default 100. */
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

/** Get the commands that rebuild the world. Lists, in order, the commands that led from the loading of the world's scene to the present state, and the hash of that state. Commands that were undone, or that are only on other branches, are not listed. To rebuild the world, a program loads the scene, maps the ids from `firstId` on to those that its own scene.load returns and the ids in `made` to those that its own commands return, and applies each command so that the step of the command's tick is the first to see it. A long log is returned in parts: continue at `next` until it equals `count`. */
export interface WorldLogParams {
  /** Number of the first command to list, counted from 0. Default 0. */
  from?: number;
  /** Maximum number of commands to list. Default 1000. */
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

/** Go to any tick of the world's history. The world must be paused. Goes to the state of the world after the step of that tick, in a new epoch; without tick, to the end of the branch, including the commands applied after its last step. The first change from there starts a new branch; the branch that was left is kept and can be named in timeline. */
export interface WorldSeekParams {
  /** Tick to go to; the end of the branch if absent. */
  tick?: number;
  /** Number of the branch of the history; `home` of world.history if absent. */
  timeline?: number;
}
export type WorldSeekResult = {
  timeline: number;
  epoch: number;
  tick: number;
  recomputed?: Recomputed;
};

/** Replay a tick or a range of the history at any speed. The world must be paused. Everyone in the world sees the commands and ticks of the range again, exactly as they were. Nothing is logged and no branch starts: world.seek without tick returns to the state before the replay, and so does a restart of the server. world.pause stops at the tick shown, and another world.replay continues elsewhere; any other change, including world.resume and world.step, continues the world from the tick shown, as after world.seek to it. The reply is sent when the first tick is shown; world.get and world.changed report the replay as `replay`. */
export interface WorldReplayParams {
  /** First tick of the range. */
  from: number;
  /** Last tick of the range; the last tick of the branch if absent. */
  to?: number;
  /** Tick in the range at which the replay begins; from if absent. */
  tick?: number;
  /** Number of the branch of the history; `home` of world.history if absent. */
  timeline?: number;
  /** Speed relative to the original one, at least 0.1; 0 shows a single tick and stops there. Default 1. */
  speed?: number;
  /** Whether the range is replayed over and over; if false, the replay stops at the last tick. Default false. */
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

/** Undo your last command. The world becomes what it would be without the command, in a new epoch: the server replays the history from before the command to the present tick in the background, while the world continues, and replaces the world when the replay has caught up. Ids stay the same. Commands that depend on what is undone are lost with it; world.redo restores them. Only one undo or redo runs in a world at a time; world.cancel ends it. A grab counts as one command from its start to its end. Pausing and resuming are not undone; loading a scene is, with everything that came after it. */
export interface WorldUndoParams {
  /** Whether to undo the last reset or scene, of any client, instead of your last command. Default false. */
  scene?: boolean;
  /** Whether commands of other clients may be lost. If false, an undo that would lose any is refused with code -32004, and `lost` in the error's data lists them. Default false. */
  force?: boolean;
  /** Whether to reply at once. Your next requests then do not wait for the end of the undo, which the event undo.progress reports. Default false. */
  background?: boolean;
  /** Longest time that the undo may take; any time if absent. An undo that would take longer is refused with code -32004. The error's data then hold `seconds`, an estimate of the time, and `opposite`, commands for batch.run that revert the change without a replay, as far as there are any. In s. */
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

/** Redo the command that you undid last. The world becomes what it would be if the command had not been undone, in a new epoch: the command runs again at its own tick and with its own ids, together with the commands of other clients that were lost with it, and all later commands follow. This is computed in the background, as for world.undo. As many commands can be redone as were undone one after another; after a new command of yours, a scene or a seek into the past, they can no longer be redone. */
export interface WorldRedoParams {
  /** Whether commands of other clients may be lost. If false, a redo that would lose any is refused with code -32004, and `lost` in the error's data lists them. Default false. */
  force?: boolean;
  /** Whether to reply at once. Your next requests then do not wait for the end of the redo, which the event undo.progress reports. Default false. */
  background?: boolean;
  /** Longest time that the redo may take; any time if absent. A redo that would take longer is refused with code -32004. The error's data then hold `seconds`, an estimate of the time, and `opposite`, commands for batch.run that make the change again at the present tick. In s. */
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
  /** Number of the client, as in client.list. */
  client: number;
  /** Reason that the client is given. */
  reason?: Name;
}
export type ClientCloseResult = Record<string, never>;

export type NodeListParams = Record<string, never>;
export type NodeListResult = {
  nodes: NodeInfo[];
};

/** Make a node give its worlds to other nodes, or end that. For an upgrade, or before a node is stopped. The worlds move one after the other. Each stands still for a moment; its clients are told world.moved and lose no tick and no reply. node.list tells how many are left. */
export interface NodeDrainParams {
  /** URL of the node; the one that answers if absent. */
  url?: NodeUrl;
  /** Whether the node drains; with false it takes worlds again. Default true. */
  draining?: boolean;
}
export type NodeDrainResult = Record<string, never>;

export type WorldListParams = Record<string, never>;
export type WorldListResult = {
  worlds: WorldInfo[];
  setAside?: AsideInfo[];
  elsewhere?: ElsewhereInfo[];
};

/** Create a world from a scene, at /worlds/NAME. */
export interface WorldCreateParams {
  /** Name of a world: letters, digits, hyphens and underscores. */
  name: WorldName;
  /** Scene that the world is created from; empty if absent. */
  scene?: SceneName;
  /** Number of ticks per second; the server's setting if absent. In Hz. */
  tickHz?: number;
  /** Whether the world begins paused; the server's setting for new worlds if absent. */
  paused?: boolean;
  /** Whether the world is temporary: it is not stored, has no history, and ends when no client has been in it for 10 s. Default false. */
  temporary?: boolean;
}
export type WorldCreateResult = {
  world: WorldName;
  tick: number;
};

/** Create a world from any tick of this one. From there on the two worlds are independent. Ids are the same in both, and the same commands have the same effect. */
export interface WorldBranchParams {
  /** Name of a world: letters, digits, hyphens and underscores. */
  name: WorldName;
  /** Tick of the history; the present if absent. */
  tick?: number;
  /** Number of the branch of the history; `home` of world.history if absent. */
  timeline?: number;
  /** Whether the new world begins paused; same as this world if absent. */
  paused?: boolean;
  /** Whether the world is temporary: it is not stored, has no history, and ends when no client has been in it for 10 s. Default false. */
  temporary?: boolean;
  /** Makes the new world the original of an assignment, of which world.copy creates at most this many copies. The original stays paused and only owners can change it; `paused` then says whether the copies begin paused. Cannot be combined with temporary. */
  copies?: number;
}
export type WorldBranchResult = {
  world: WorldName;
  tick: number;
};

/** Create your own copy of this world, or find the one you have. Only for worlds that world.branch created with copies. The copy is named after the original with a number added, and does not count towards anyone's quota; the same key always leads to the same copy. An owner removes it with world.remove. */
export interface WorldCopyParams {
  /** Key of a session: 1 to 64 letters, digits, hyphens and underscores, chosen at random and kept secret. */
  key: SessionKey;
}
export type WorldCopyResult = {
  world: WorldName;
  made: boolean;
};

/** Remove a world and its history permanently. */
export interface WorldRemoveParams {
  /** Name of a world: letters, digits, hyphens and underscores. */
  name: WorldName;
}
export type WorldRemoveResult = {
  world: WorldName;
};

/** Export a range of the world's history as one file, a capsule. The capsule holds a snapshot, the later commands and the state's hash at every 60th tick. It replays exactly on any machine, with `weftctl replay FILE --verify`. For a world without a history it holds only the present. GET /worlds/NAME/capsule returns the same as a file. */
export interface WorldExportParams {
  /** First tick from which the capsule can be replayed; the oldest stored tick if that is later. Default 0. */
  from?: number;
  /** Last tick of the range; the last tick of the branch if absent. */
  to?: number;
  /** Number of the branch of the history; `home` of world.history if absent. */
  timeline?: number;
}
export type WorldExportResult = {
  bytes: number;
  capsule: string;
};

/** Create a world from the end of a capsule. The capsule is replayed and compared with its hashes first; a capsule that is damaged, or whose replay differs, is refused. On a server started with --editors-import, editors may call it too. */
export interface WorldImportParams {
  /** Name of a world: letters, digits, hyphens and underscores. */
  name: WorldName;
  /** Bytes of a capsule, in base64. */
  capsule: Capsule;
  /** Whether the world begins paused; same as in the capsule if absent. */
  paused?: boolean;
}
export type WorldImportResult = {
  world: WorldName;
  tick: number;
};

/** Freeze editing for everyone else, or unfreeze it. While the world is frozen, changes by other clients are refused with −32006; their grabs end. The connection that froze the world, and those that authenticated with the same token, can still change it. The world keeps running. Another owner may take over the freeze or end it. It does not end when a client leaves, but it ends when the server stops. */
export interface WorldFreezeParams {
  /** Whether to freeze the world; false lets everyone change it again. */
  frozen: boolean;
  /** Message that the other clients are shown while the world is frozen. */
  message?: Name;
}
export type WorldFreezeResult = {
  frozen: Freeze | null;
};

/** Start to broadcast this world over HTTP to any number of viewers. From now on GET PATHmanifest.json lists the available files: a snapshot for every 10 seconds and a file with the commands applied in each second. At most 10 minutes and 64 MB are kept. The files can be read without a token; on a server with tokens, the path contains a key that cannot be guessed. The files never change, so any HTTP cache can serve them. If the world is already broadcast, the method only sets embed. The broadcast ends with broadcast.stop, with the world and with the server. The files are described in FRAMES.md, "Broadcast". */
export interface BroadcastStartParams {
  /** Whether pages of any origin may play the broadcast; if true, the server sends Access-Control-Allow-Origin: * and Cross-Origin-Resource-Policy: cross-origin. Default false. */
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

/** Ask everyone to see your view. Sends view.shown to the other clients, whose users decide whether to follow. Views are not part of the world's state. */
export interface ViewShowParams {
  /** Position of the camera. In m. */
  eye: Position;
  /** Point that the camera looks at. In m. */
  target: Position;
}
export type ViewShowResult = Record<string, never>;

/** Send your camera to your followers. Sends view.moved only to the clients that follow you; a client that follows you later receives your last view. You need to send this only while another client follows you, which `follows` of the other clients shows. */
export interface ViewMoveParams {
  /** Position of the camera. In m. */
  eye: Position;
  /** Point that the camera looks at. In m. */
  target: Position;
}
export type ViewMoveResult = Record<string, never>;

/** Follow the camera of another client, or stop following. From then on view.moved reports the camera of that client. Sends client.changed to all clients. Following ends when either of the two clients leaves. */
export interface ViewFollowParams {
  /** Session number of the client to follow, as in people.list; if absent, you stop following. */
  client?: number;
}
export type ViewFollowResult = {
  eye?: Position;
  target?: Position;
};

/** Ask everyone to follow your camera, or stop asking. Sends client.changed to all clients. Their pages follow your camera until you stop presenting, except for users who choose not to. Only one client presents at a time: the one that started last. */
export interface ViewPresentParams {
  /** Whether other clients are asked to follow your camera. */
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
  "soft.spawn": { params: SoftSpawnParams; result: SoftSpawnResult };
  "stick.add": { params: StickAddParams; result: StickAddResult };
  "stick.set": { params: StickSetParams; result: StickSetResult };
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
  "blade.cut": { params: BladeCutParams; result: BladeCutResult };
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
  "node.list": { params: NodeListParams; result: NodeListResult };
  "node.drain": { params: NodeDrainParams; result: NodeDrainResult };
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
    nodes?: NodeUrl[];
  };
  "world.moved": {
    url: string;
  };
  "object.added": {
    object: Id;
    kind: "particles" | "cloth" | "mesh" | "rope" | "body" | "plant" | "ragdoll" | "soft";
    name: string;
    color: Color | null;
    particles: number;
    sticks: number;
    triangles: number;
    tetrahedra?: number;
    pins: number;
    columns?: number;
    rows?: number;
    spacing?: number;
    mesh?: "grid" | "hex";
    radius: number;
    friction: Friction;
    restitution: Restitution;
    projection: Projection;
    shape?: "tetrahedron" | "box" | "hull" | "frame" | "sphere" | "capsule" | "cylinder" | "compound";
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
    stretchWarp?: number;
    stretchWeft?: number;
    shearStiffness?: number;
    bendWarp?: number;
    bendWeft?: number;
    mass?: number;
    young?: number;
    poisson?: number;
    viscosity?: number;
    pressure?: number;
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
    position?: Vector;
    rotation?: Quaternion;
    normal?: Vector;
    from?: Vector;
    to?: Vector;
    motion?: MotionInfo;
    tick: Tick;
  };
  "stick.added": {
    stick: Id;
    tick: Tick;
  };
  "stick.changed": {
    stick: StickInfo;
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
    particles?: ParticleIndices;
    stick?: Id;
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

# SPDX-License-Identifier: MIT
# Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
"""Types of results, and of arguments that are dictionaries. Their members are named as in the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from weft_world._arguments import Integers, Numbers, Ref, Vector

class BodyPartParam(TypedDict):
    """A convex part of a compound body, in the body's local coordinates."""

    shape: Literal["box", "hull", "sphere", "capsule", "cylinder"]
    size: NotRequired[Vector]
    vertices: NotRequired[Numbers]
    radius: NotRequired[float]
    length: NotRequired[float]
    height: NotRequired[float]
    position: NotRequired[Vector]
    rotation: NotRequired[Numbers]
    density: NotRequired[float]
    share: NotRequired[float]


class PathPointParam(TypedDict):
    """Where an obstacle is at a time of its path."""

    time: float
    position: Vector
    rotation: NotRequired[Numbers]


class BoundsParam(TypedDict):
    """Box that no object can leave; max must exceed min on every axis."""

    min: Vector
    max: Vector


class WindParam(TypedDict):
    """Velocity of the air, which exerts a force of ½·airDensity·area·u² on every triangle of cloth,
    meshes and plants; u is the velocity of the air relative to the triangle, across it. With
    velocity 0 the air is still and only resists motion. The air does not act on ropes, particles,
    bodies and ragdolls."""

    velocity: Vector
    gust: NotRequired[float]


class StickEndParam(TypedDict):
    """Where a stick ends: at a particle of an object, or at a point that up to four of its
    particles carry. Requires exactly one of particle, point, anchor, and particles with weights."""

    object: Ref
    particle: NotRequired[int]
    point: NotRequired[Vector]
    anchor: NotRequired[Vector]
    particles: NotRequired[Integers]
    weights: NotRequired[Numbers]


class StickSwingParam(TypedDict):
    """A length that swings: restLength + amplitude · sin(2π · (phase + t / period)), where t is the
    time of the world in s."""

    amplitude: float
    period: NotRequired[float]
    phase: NotRequired[float]


class CommandParam(TypedDict):
    """One command of a batch."""

    method: str
    params: NotRequired[Mapping[str, Any]]


class StickSetResult(TypedDict):
    tick: int


class StickRemoveResult(TypedDict):
    tick: int


class ObstacleRemoveResult(TypedDict):
    tick: int


class ObstacleSetResult(TypedDict):
    tick: int


class ObjectInfo(TypedDict):
    """Properties of an object, as in lists."""

    object: int
    kind: Literal["particles", "cloth", "mesh", "rope", "body", "plant", "ragdoll", "soft"]
    name: str
    color: str | None
    particles: int
    sticks: int
    triangles: int
    tetrahedra: NotRequired[int]
    pins: int
    columns: NotRequired[int]
    rows: NotRequired[int]
    spacing: NotRequired[float]
    mesh: NotRequired[Literal["grid", "hex"]]
    radius: float
    friction: float
    restitution: float
    projection: Literal["current", "start"]
    shape: NotRequired[Literal["tetrahedron", "box", "hull", "frame", "sphere", "capsule", "cylinder", "compound"]]
    asleep: bool
    quarantined: bool


class PathPoint(TypedDict):
    """Where an obstacle is at a time of its path."""

    time: float
    position: list[float]
    rotation: NotRequired[list[float]]


class MotionInfo(TypedDict):
    """How an obstacle moves. It is where position, rotation, normal, from and to say just before
    the tick `start`."""

    start: int
    velocity: NotRequired[list[float]]
    angularVelocity: NotRequired[list[float]]
    pivot: NotRequired[list[float]]
    surfaceVelocity: NotRequired[list[float]]
    path: NotRequired[list[PathPoint]]
    loop: NotRequired[bool]
    pathTime: NotRequired[float]


ObstacleInfo = TypedDict(
    "ObstacleInfo",
    {
        "id": int,
        "shape": Literal["sphere", "box", "plane", "capsule", "heightfield", "mesh"],
        "name": str,
        "color": str | None,
        "position": NotRequired[list[float]],
        "radius": NotRequired[float],
        "size": NotRequired[list[float]],
        "rotation": NotRequired[list[float]],
        "normal": NotRequired[list[float]],
        "from": NotRequired[list[float]],
        "to": NotRequired[list[float]],
        "columns": NotRequired[int],
        "rows": NotRequired[int],
        "spacing": NotRequired[float],
        "friction": float,
        "restitution": float,
        "motion": NotRequired[MotionInfo],
        "heights": NotRequired[list[float]],
        "positions": NotRequired[list[float]],
        "triangles": NotRequired[list[int]],
    },
)


class StickEndInfo(TypedDict):
    """Where a stick ends: at a particle of an object, or at a point that some of its particles
    carry."""

    object: int
    particle: NotRequired[int]
    particles: NotRequired[list[int]]
    weights: NotRequired[list[float]]


class StickSwing(TypedDict):
    """A length that swings: restLength + amplitude · sin(2π · (phase + t / period)), where t is the
    time of the world in s."""

    amplitude: float
    period: NotRequired[float]
    phase: NotRequired[float]


class StickInfo(TypedDict):
    """A stick that stick.add added."""

    id: int
    a: StickEndInfo
    b: StickEndInfo
    restLength: float
    compliance: float
    kind: Literal["equal", "atMost", "atLeast"]
    projection: Literal["current", "start"]
    targetLength: NotRequired[float]
    rate: NotRequired[float]
    swing: NotRequired[StickSwing]
    breakForce: NotRequired[float]
    force: NotRequired[float]


class ObjectListResult(TypedDict):
    tick: int
    objects: list[ObjectInfo]
    obstacles: list[ObstacleInfo]
    sticks: list[StickInfo]


class ObjectGetResultGas(TypedDict):
    """Gas in a mesh at present; only for a mesh with gas."""

    pressure: float
    volume: float


class ObjectGetResult(TypedDict):
    tick: int
    object: int
    kind: Literal["particles", "cloth", "mesh", "rope", "body", "plant", "ragdoll", "soft"]
    name: str
    color: str | None
    particles: int
    sticks: int
    triangles: int
    tetrahedra: NotRequired[int]
    gas: NotRequired[ObjectGetResultGas]
    volume: NotRequired[float]
    pins: int
    columns: NotRequired[int]
    rows: NotRequired[int]
    spacing: NotRequired[float]
    mesh: NotRequired[Literal["grid", "hex"]]
    radius: float
    friction: float
    restitution: float
    projection: Literal["current", "start"]
    stretchCompliance: NotRequired[float]
    bendCompliance: NotRequired[float]
    stretchWarp: NotRequired[float]
    stretchWeft: NotRequired[float]
    shearStiffness: NotRequired[float]
    bendWarp: NotRequired[float]
    bendWeft: NotRequired[float]
    mass: NotRequired[float]
    young: NotRequired[float]
    poisson: NotRequired[float]
    viscosity: NotRequired[float]
    pressure: NotRequired[float]
    creaseCurvature: NotRequired[float]
    tearForce: NotRequired[float]
    tear: NotRequired[float]
    shape: NotRequired[Literal["tetrahedron", "box", "hull", "frame", "sphere", "capsule", "cylinder", "compound"]]
    asleep: bool
    quarantined: bool


class ObjectRemoveResult(TypedDict):
    tick: int


class ObjectSetResult(TypedDict):
    tick: int


class ParticlePinResult(TypedDict):
    tick: int


class ParticleUnpinResult(TypedDict):
    tick: int


class ParticleTearResult(TypedDict):
    made: int
    particles: int
    tick: int


class BladeCutResult(TypedDict):
    objects: int
    made: int
    sticks: int
    tick: int


class ParticleSetResult(TypedDict):
    tick: int


class ParticleMoveResult(TypedDict):
    tick: int
    capped: NotRequired[bool]


class ParticleReadResult(TypedDict):
    tick: int
    positions: list[list[float]]
    velocities: list[list[float]]
    inverseMasses: list[float]


class StickBatch(TypedDict):
    """A batch of sticks that the solver treats together."""

    kind: Literal["equal", "atMost", "atLeast"]
    bends: bool
    compliance: float
    end: int


ObjectSticksResult = TypedDict(
    "ObjectSticksResult",
    {
        "tick": int,
        "epoch": int,
        "sticks": int,
        "from": int,
        "lengths": list[float],
        "restLengths": NotRequired[list[float]],
        "ends": NotRequired[list[int]],
        "batches": NotRequired[list[StickBatch]],
    },
)


class ForceApplyResult(TypedDict):
    tick: int


class GrabMoveResult(TypedDict):
    tick: int


class GrabEndResult(TypedDict):
    tick: int


class WorldGetResultBounds(TypedDict):
    """Box that no object can leave."""

    min: list[float]
    max: list[float]


class WorldGetResultWind(TypedDict):
    """Same as the parameter of world.set."""

    velocity: list[float]
    gust: float


class Undoing(TypedDict):
    """The running undo or redo; absent if there is none."""

    task: Literal["undo", "redo"]
    client: int
    name: str
    method: NotRequired[str]
    progress: float
    secondsLeft: NotRequired[float]


Replay = TypedDict(
    "Replay",
    {
        "timeline": int,
        "from": int,
        "to": int,
        "speed": float,
        "loop": bool,
        "playing": bool,
        "tick": int,
        "present": int,
    },
)


class Freeze(TypedDict):
    """The client that froze the world."""

    client: int
    name: str
    seconds: float
    message: NotRequired[str]
    own: NotRequired[bool]


Recomputed = TypedDict(
    "Recomputed",
    {
        "physics": int,
        "from": int,
        "to": int,
        "commands": int,
        "leftOut": int,
    },
)


class Counts(TypedDict):
    """Numbers of the things in a world."""

    particles: int
    sticks: int
    triangles: int
    objects: int
    obstacles: int
    grabs: int
    pins: int


class Capacity(TypedDict):
    """Maximum numbers of the things in a world."""

    particles: int
    sticks: int
    triangles: int
    objects: int
    obstacles: int


class TimingStagesMs(TypedDict):
    """Time per tick of each stage, smoothed exponentially with weight 1/16 for the newest tick."""

    forces: float
    integrate: float
    detect: float
    sticks: float
    contacts: float
    finish: float
    upkeep: float
    commands: float
    encode: float
    send: float


class Timing(TypedDict):
    """How much time the world takes, and how well it keeps up with real time."""

    tickMs: float
    tickMaxMs: float
    stepMs: float
    packMs: float
    stagesMs: TimingStagesMs
    latenessMs: float
    lateTicks: int
    lostMs: float
    realTimeFactor: float
    clients: int
    viewers: int
    frameBytes: int


class Memory(TypedDict):
    """Memory of the arrays in use. Memory for collisions and self-collision varies with them and is
    not included."""

    bytesPerParticle: float
    bytesPerStick: float
    particleBytes: int
    stickBytes: int


class WorldGetResult(TypedDict):
    gravity: list[float]
    damping: float
    iterations: int
    substeps: int
    squareRoot: Literal["exact", "approximate"]
    bounds: WorldGetResultBounds
    wind: WorldGetResultWind
    airDensity: float
    friction: float
    tick: int
    tickHz: float
    undoing: NotRequired[Undoing]
    replay: NotRequired[Replay]
    running: bool
    frozen: Freeze | None
    scene: str
    epoch: int
    stateHash: str
    physics: int
    recomputed: NotRequired[Recomputed]
    unstored: NotRequired[bool]
    counts: Counts
    limits: Capacity
    timing: Timing
    memory: Memory
    tolerance: float
    sleep: bool
    world: str


class Stretch(TypedDict):
    """Stretch of the sticks that keep a length; bending sticks are not included."""

    mean: float
    worst: float
    object: NotRequired[int]
    particles: NotRequired[list[int]]
    sticks: int


class ComplianceMeasure(TypedDict):
    """How accurately the sweeps solve sticks with a compliance above 0."""

    residual: float
    sticks: int


class WorldMeasureResult(TypedDict):
    tick: int
    mass: float
    kineticEnergy: float
    potentialEnergy: float
    momentum: list[float]
    angularMomentum: list[float]
    centre: list[float]
    stretch: Stretch
    compliance: ComplianceMeasure


class WorldSetResult(TypedDict):
    tick: int


class WorldPauseResult(TypedDict):
    tick: int


class WorldResumeResult(TypedDict):
    tick: int


class WorldResetResult(TypedDict):
    tick: int


class BatchRunResult(TypedDict):
    results: list[dict[str, Any]]
    tick: int


class EventsSubscribeResult(TypedDict):
    events: list[Literal["object.added", "object.removed", "object.changed", "obstacle.added", "obstacle.removed", "obstacle.changed", "stick.added", "stick.changed", "stick.removed", "particle.pinned", "particle.unpinned", "grab.started", "grab.ended", "undo.progress", "commands.lost", "world.changed", "client.joined", "client.left", "client.changed", "selection.changed", "pointer.moved", "stick.broken", "body.quarantined", "object.slept", "object.woke", "frames.paced", "view.shown", "view.moved"]]


class EventsUnsubscribeResult(TypedDict):
    pass


class PointerMoveResult(TypedDict):
    pass


class Person(TypedDict):
    """A client in a world, as other clients know it."""

    client: int
    name: str
    color: str
    role: Literal["none", "viewer", "editor", "admin"]
    hand: NotRequired[int]
    follows: NotRequired[int]
    presents: NotRequired[bool]


class GrabInfo(TypedDict):
    """A grab."""

    grab: int
    object: int
    particles: list[int]
    weights: list[float]
    client: NotRequired[int]


class Selection(TypedDict):
    """The selection of a client."""

    objects: list[int]
    particles: list[list[int]]


class Presence(TypedDict):
    """A client in a world, with its grabs, pointer and selection."""

    client: int
    name: str
    color: str
    role: Literal["none", "viewer", "editor", "admin"]
    hand: NotRequired[int]
    follows: NotRequired[int]
    presents: NotRequired[bool]
    grabs: list[GrabInfo]
    selection: Selection
    pointer: NotRequired[list[float]]


class PeopleListResult(TypedDict):
    people: list[Presence]
    clients: int


class HandRaiseResult(TypedDict):
    pass


class HandLowerResult(TypedDict):
    pass


class PeopleRemoveResult(TypedDict):
    pass


class SelectionShowResult(TypedDict):
    pass


class SceneInfo(TypedDict):
    """A scene."""

    name: str
    title: str
    description: str
    chapter: NotRequired[str]
    saved: bool


class SceneListResult(TypedDict):
    scenes: list[SceneInfo]


class ScenePreviewResult(TypedDict):
    tick: int
    particles: int
    topology: str
    frame: str


class SceneLoadResult(TypedDict):
    firstId: int
    tick: int


class SceneSaveResult(TypedDict):
    name: str
    commands: int


class SceneDeleteResult(TypedDict):
    name: str


class RpcDiscoverResult(TypedDict):
    """An OpenRPC document."""

    openrpc: str


class SessionAuthenticateResult(TypedDict):
    role: Literal["viewer", "editor", "admin"]
    name: str


class SessionResumeResult(TypedDict):
    client: int


class Timeline(TypedDict):
    """A branch of a world's history."""

    timeline: int
    parent: int
    first: int
    last: int
    commands: int
    physics: int


class SnapshotInfo(TypedDict):
    """A stored snapshot."""

    tick: int
    bytes: int


class HistoryEntry(TypedDict):
    """A command in the history, or an action of the server itself: scene, with which a branch
    begins; release, the end of a grab whose client left; clock, a pause or resume."""

    tick: int
    timeline: int
    sequence: int
    client: int
    number: int
    method: str
    params: dict[str, Any]


class HistoryKept(TypedDict):
    """Amount of history stored, and the limits set by --history. History beyond the limits is
    folded into snapshots, the oldest first."""

    bytes: int
    maxBytes: NotRequired[int]
    maxSeconds: NotRequired[int]
    over: bool


class WorldHistoryResult(TypedDict):
    tick: int
    timeline: int
    home: int
    first: int
    last: int
    timelines: list[Timeline]
    snapshots: list[SnapshotInfo]
    commands: list[HistoryEntry]
    more: bool
    kept: HistoryKept


class LogEntry(TypedDict):
    """A command of the log. `scene`, with the name of a scene, is the loading of that scene;
    `clock` is a pause or resume by the server."""

    index: int
    tick: int
    client: int
    method: str
    params: NotRequired[dict[str, Any]]
    made: NotRequired[list[int]]


class LogScene(TypedDict):
    """The scene that a log begins with."""

    name: str
    firstId: int
    batch: NotRequired[dict[str, Any]]


class WorldLogResult(TypedDict):
    tick: int
    timeline: int
    stateHash: NotRequired[str]
    commands: list[LogEntry]
    next: int
    count: int
    scene: NotRequired[LogScene]


WorldReplayResult = TypedDict(
    "WorldReplayResult",
    {
        "from": int,
        "to": int,
        "timeline": int,
        "epoch": int,
        "tick": int,
        "recomputed": NotRequired[Recomputed],
    },
)


class LostCommandsItem(TypedDict):
    client: int
    name: NotRequired[str]
    method: str
    object: NotRequired[int]
    objectName: NotRequired[str]
    count: int
    tick: int


class WorldUndoResult(TypedDict):
    undone: str
    dropped: int
    lost: list[LostCommandsItem]
    timeline: int
    epoch: int
    tick: int
    recomputed: NotRequired[Recomputed]


class WorldUndoResult2(TypedDict):
    background: bool


class WorldRedoResult(TypedDict):
    redone: str
    dropped: int
    lost: list[LostCommandsItem]
    timeline: int
    epoch: int
    tick: int
    recomputed: NotRequired[Recomputed]


class WorldRedoResult2(TypedDict):
    background: bool


class WorldCancelResult(TypedDict):
    cancelled: bool


class ServerGetResultStore(TypedDict):
    """State of the database that stores the worlds."""

    kept: bool
    well: bool
    commits: int
    queueBytes: int
    fileBytes: int


class ServerGetResultWorldsItem(TypedDict):
    world: str
    tick: int
    running: bool
    stuck: bool
    realTimeFactor: float
    tickMs: float
    tickMaxMs: float
    latenessMs: float
    lateTicks: int
    commands: int
    clients: int
    viewers: int
    particles: int
    objects: int


class ServerGetResult(TypedDict):
    version: str
    instance: str
    uptime: float
    residentBytes: int
    clients: int
    bytesSent: int
    bytesReceived: int
    messagesReceived: int
    framesSent: int
    framesSkipped: int
    waitingBytes: int
    logLost: int
    store: ServerGetResultStore
    worlds: list[ServerGetResultWorldsItem]


class ClientListResultClientsItem(TypedDict):
    client: int
    world: str
    session: int
    address: str
    name: str
    role: Literal["none", "viewer", "editor", "admin"]
    own: bool
    seconds: float
    rate: float
    messages: int
    bytesReceived: int
    bytesSent: int
    refusals: int


class ClientListResult(TypedDict):
    clients: list[ClientListResultClientsItem]


class ClientCloseResult(TypedDict):
    pass


class NodeInfo(TypedDict):
    """A server that shares its database and its worlds with others."""

    url: str
    own: bool
    alive: bool
    draining: bool
    worlds: int
    clients: int
    headroom: float
    version: str
    physics: int


class NodeListResult(TypedDict):
    nodes: list[NodeInfo]


class NodeDrainResult(TypedDict):
    pass


class WorldInfo(TypedDict):
    """A world on the server."""

    name: str
    tick: int
    running: bool
    clients: int
    particles: int
    kept: bool
    temporary: bool
    physics: int
    recomputed: NotRequired[Recomputed]
    people: list[Person]
    copies: NotRequired[int]
    copyOf: NotRequired[str]


class AsideInfo(TypedDict):
    """A world that is unavailable, because its stored data were damaged or of a newer version when
    the server started. The data stay in the store unchanged; `weftctl salvage` recovers what is
    intact, and world.remove deletes the world."""

    name: str
    reason: str


class ElsewhereInfo(TypedDict):
    """A world that another node has."""

    name: str
    url: NotRequired[str]


class WorldListResult(TypedDict):
    worlds: list[WorldInfo]
    setAside: NotRequired[list[AsideInfo]]
    elsewhere: NotRequired[list[ElsewhereInfo]]


class WorldCreateResult(TypedDict):
    world: str
    tick: int


class WorldCopyResult(TypedDict):
    world: str
    made: bool


class WorldRemoveResult(TypedDict):
    world: str


class WorldExportResult(TypedDict):
    bytes: int
    capsule: str


class WorldImportResult(TypedDict):
    world: str
    tick: int


class WorldFreezeResult(TypedDict):
    frozen: Freeze | None


BroadcastStartResult = TypedDict(
    "BroadcastStartResult",
    {
        "on": bool,
        "path": NotRequired[str],
        "embed": NotRequired[bool],
        "from": NotRequired[int],
        "to": NotRequired[int],
        "bytes": NotRequired[int],
        "requests": NotRequired[int],
    },
)


class BroadcastStopResult(TypedDict):
    on: bool


BroadcastGetResult = TypedDict(
    "BroadcastGetResult",
    {
        "on": bool,
        "path": NotRequired[str],
        "embed": NotRequired[bool],
        "from": NotRequired[int],
        "to": NotRequired[int],
        "bytes": NotRequired[int],
        "requests": NotRequired[int],
    },
)


class ViewShowResult(TypedDict):
    pass


class ViewMoveResult(TypedDict):
    pass


class ViewFollowResult(TypedDict):
    eye: NotRequired[list[float]]
    target: NotRequired[list[float]]


class ViewPresentResult(TypedDict):
    pass

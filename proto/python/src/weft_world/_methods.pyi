# SPDX-License-Identifier: MIT
# Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from weft_world._arguments import Integers, Numbers, Ref, Vector
from weft_world._handles import Grab, Object, Obstacle, Stick
from weft_world._types import (
    BatchRunResult,
    BladeCutResult,
    BodyPartParam,
    BoundsParam,
    BroadcastGetResult,
    BroadcastStartResult,
    BroadcastStopResult,
    ClientCloseResult,
    ClientListResult,
    CommandParam,
    EventsSubscribeResult,
    EventsUnsubscribeResult,
    ForceApplyResult,
    GrabEndResult,
    GrabMoveResult,
    HandLowerResult,
    HandRaiseResult,
    NodeDrainResult,
    NodeListResult,
    ObjectGetResult,
    ObjectListResult,
    ObjectRemoveResult,
    ObjectSetResult,
    ObjectSticksResult,
    ObstacleRemoveResult,
    ObstacleSetResult,
    ParticleMoveResult,
    ParticlePinResult,
    ParticleReadResult,
    ParticleSetResult,
    ParticleTearResult,
    ParticleUnpinResult,
    PathPointParam,
    PeopleListResult,
    PeopleRemoveResult,
    Person,
    PointerMoveResult,
    RpcDiscoverResult,
    SceneDeleteResult,
    SceneListResult,
    SceneLoadResult,
    ScenePreviewResult,
    SceneSaveResult,
    SelectionShowResult,
    ServerGetResult,
    SessionAuthenticateResult,
    SessionResumeResult,
    StickEndParam,
    StickRemoveResult,
    StickSetResult,
    StickSwingParam,
    ViewFollowResult,
    ViewMoveResult,
    ViewPresentResult,
    ViewShowResult,
    WindParam,
    WorldCancelResult,
    WorldCopyResult,
    WorldCreateResult,
    WorldExportResult,
    WorldFreezeResult,
    WorldGetResult,
    WorldHistoryResult,
    WorldImportResult,
    WorldListResult,
    WorldLogResult,
    WorldMeasureResult,
    WorldPauseResult,
    WorldRedoResult,
    WorldRedoResult2,
    WorldRemoveResult,
    WorldReplayResult,
    WorldResetResult,
    WorldResumeResult,
    WorldSetResult,
    WorldUndoResult,
    WorldUndoResult2,
)

class WorldMethods:
    def cloth(
        self,
        columns: int,
        rows: int,
        *,
        spacing: float = 0.05,
        mesh: Literal["grid", "hex"] = "grid",
        shear: bool = True,
        position: Vector = (0, 0, 0),
        rotation: Numbers = (0, 0, 0, 1),
        pin: Literal["topCorners", "corners", "topEdge", "none"] | Integers = "topCorners",
        mass: float | None = None,
        areal_density: float | None = None,
        masses: Numbers | None = None,
        friction: float = 0.5,
        restitution: float = 0,
        stretch_compliance: float = 0,
        bend: bool = False,
        bend_compliance: float = 0,
        fabric: Literal["cotton", "denim", "polyester", "nylon", "twill", "blanket"] | None = None,
        stretch_warp: float | None = None,
        stretch_weft: float | None = None,
        shear_stiffness: float | None = None,
        bend_warp: float | None = None,
        bend_weft: float | None = None,
        crease_curvature: float | None = None,
        tethers: bool = False,
        tear: float | None = None,
        tear_force: float | None = None,
        thickness: float = 0,
        self_collision: bool = False,
        projection: Literal["current", "start"] = "current",
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def mesh(
        self,
        positions: Numbers,
        triangles: Integers,
        *,
        position: Vector = (0, 0, 0),
        rotation: Numbers = (0, 0, 0, 1),
        pin: Literal["topCorners", "corners", "topEdge", "none"] | Integers = "none",
        mass: float | None = None,
        areal_density: float | None = None,
        masses: Numbers | None = None,
        friction: float = 0.5,
        restitution: float = 0,
        stretch_compliance: float = 0,
        bend: bool = False,
        bend_compliance: float = 0,
        fabric: Literal["cotton", "denim", "polyester", "nylon", "twill", "blanket"] | None = None,
        stretch_warp: float | None = None,
        stretch_weft: float | None = None,
        shear_stiffness: float | None = None,
        bend_warp: float | None = None,
        bend_weft: float | None = None,
        crease_curvature: float | None = None,
        tethers: bool = False,
        tear: float | None = None,
        tear_force: float | None = None,
        thickness: float = 0,
        self_collision: bool = False,
        projection: Literal["current", "start"] = "current",
        pressure: float | None = None,
        supplied: bool = False,
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def particles(
        self,
        positions: Numbers,
        *,
        velocities: Numbers | None = None,
        masses: Numbers | None = None,
        radius: float = 0.05,
        collision: bool = False,
        friction: float = 0.5,
        restitution: float = 0,
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def rope(
        self,
        *,
        from_: Vector | None = None,
        to: Vector | None = None,
        positions: Numbers | None = None,
        particles: int = 20,
        mass: float = 0.5,
        masses: Numbers | None = None,
        pin: Literal["start", "end", "both", "none"] = "start",
        friction: float = 0.5,
        restitution: float = 0,
        thickness: float = 0,
        collision: bool = False,
        stretch_compliance: float = 0,
        tear_force: float | None = None,
        projection: Literal["current", "start"] = "current",
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def body(
        self,
        *,
        shape: Literal["tetrahedron", "box", "hull", "frame", "sphere", "capsule", "cylinder", "compound"] = "tetrahedron",
        size: float | Vector | None = None,
        vertices: Numbers | None = None,
        radius: float | None = None,
        length: float | None = None,
        height: float | None = None,
        parts: Sequence[BodyPartParam] | None = None,
        position: Vector = (0, 0, 0),
        rotation: Numbers = (0, 0, 0, 1),
        velocity: Vector = (0, 0, 0),
        angular_velocity: Vector = (0, 0, 0),
        mass: float = 1,
        masses: Numbers | None = None,
        friction: float = 0.5,
        restitution: float = 0,
        projection: Literal["current", "start"] = "start",
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def plant(
        self,
        *,
        position: Vector = (0, 0, 0),
        height: float = 1,
        levels: int = 10,
        leaves: int = 4,
        mass: float = 0.3,
        stiffness: float = 0.5,
        friction: float = 0.5,
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def ragdoll(
        self,
        *,
        position: Vector = (0, 1, 0),
        rotation: Numbers = (0, 0, 0, 1),
        velocity: Vector = (0, 0, 0),
        height: float = 1.7,
        mass: float = 70,
        friction: float = 0.5,
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def soft(
        self,
        *,
        shape: Literal["box", "ball", "tetrahedra"] = "box",
        size: Vector | None = None,
        radius: float | None = None,
        cells: Integers | None = None,
        positions: Numbers | None = None,
        tetrahedra: Integers | None = None,
        position: Vector = (0, 0, 0),
        rotation: Numbers = (0, 0, 0, 1),
        velocity: Vector = (0, 0, 0),
        angular_velocity: Vector = (0, 0, 0),
        young: float = 20000,
        poisson: float = 0.4,
        density: float = 1000,
        viscosity: float = 0.002,
        pin: Literal["topCorners", "corners", "topEdge", "none"] | Integers = "none",
        friction: float = 0.5,
        restitution: float = 0,
        thickness: float = 0.01,
        self_collision: bool = False,
        projection: Literal["current", "start"] = "start",
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Object: ...

    def stick(
        self,
        a: StickEndParam,
        b: StickEndParam,
        *,
        rest_length: float | None = None,
        kind: Literal["equal", "atMost", "atLeast"] = "equal",
        compliance: float = 0,
        projection: Literal["current", "start"] = "start",
        swing: StickSwingParam | None = None,
        break_force: float | None = None,
        at_tick: int | None = None,
    ) -> Stick: ...

    def stick_set(
        self,
        stick: Ref,
        *,
        rest_length: float | None = None,
        rate: float | None = None,
        kind: Literal["equal", "atMost", "atLeast"] | None = None,
        compliance: float | None = None,
        swing: StickSwingParam | None = None,
        break_force: float | None = None,
        at_tick: int | None = None,
    ) -> StickSetResult: ...

    def stick_remove(
        self,
        stick: Ref,
        *,
        at_tick: int | None = None,
    ) -> StickRemoveResult: ...

    def obstacle(
        self,
        shape: Literal["sphere", "box", "plane", "capsule", "heightfield", "mesh"],
        *,
        position: Vector = (0, 0, 0),
        radius: float | None = None,
        size: Vector | None = None,
        rotation: Numbers = (0, 0, 0, 1),
        normal: Vector | None = None,
        from_: Vector | None = None,
        to: Vector | None = None,
        columns: int | None = None,
        rows: int | None = None,
        spacing: float | None = None,
        heights: Numbers | None = None,
        positions: Numbers | None = None,
        triangles: Integers | None = None,
        friction: float = 0.5,
        restitution: float = 0,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        pivot: Vector | None = None,
        surface_velocity: Vector | None = None,
        path: Sequence[PathPointParam] | None = None,
        loop: bool | None = None,
        path_time: float | None = None,
        color: str | None = None,
        name: str | None = None,
        at_tick: int | None = None,
    ) -> Obstacle: ...

    def obstacle_remove(
        self,
        obstacle: Ref,
        *,
        at_tick: int | None = None,
    ) -> ObstacleRemoveResult: ...

    def obstacle_set(
        self,
        obstacle: Ref,
        *,
        color: str | None = None,
        name: str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        pivot: Vector | None = None,
        surface_velocity: Vector | None = None,
        path: Sequence[PathPointParam] | None = None,
        loop: bool | None = None,
        path_time: float | None = None,
        at_tick: int | None = None,
    ) -> ObstacleSetResult: ...

    def object_list(
        self,
    ) -> ObjectListResult: ...

    def object_get(
        self,
        object: Ref,
    ) -> ObjectGetResult: ...

    def object_remove(
        self,
        object: Ref,
        *,
        at_tick: int | None = None,
    ) -> ObjectRemoveResult: ...

    def object_set(
        self,
        object: Ref,
        *,
        color: str | None = None,
        name: str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        stretch_compliance: float | None = None,
        bend_compliance: float | None = None,
        stretch_warp: float | None = None,
        stretch_weft: float | None = None,
        shear_stiffness: float | None = None,
        bend_warp: float | None = None,
        bend_weft: float | None = None,
        young: float | None = None,
        poisson: float | None = None,
        viscosity: float | None = None,
        pressure: float | None = None,
        mass: float | None = None,
        at_tick: int | None = None,
    ) -> ObjectSetResult: ...

    def particle_pin(
        self,
        object: Ref,
        particles: Integers,
        *,
        position: Vector | None = None,
        at_tick: int | None = None,
    ) -> ParticlePinResult: ...

    def particle_unpin(
        self,
        object: Ref,
        particles: Integers,
        *,
        at_tick: int | None = None,
    ) -> ParticleUnpinResult: ...

    def particle_tear(
        self,
        object: Ref,
        particles: Integers,
        *,
        at_tick: int | None = None,
    ) -> ParticleTearResult: ...

    def blade_cut(
        self,
        path: Numbers,
        *,
        object: Ref | None = None,
        far_path: Numbers | None = None,
        blade: Vector | None = None,
        at_tick: int | None = None,
    ) -> BladeCutResult: ...

    def particle_set(
        self,
        object: Ref,
        particles: Integers,
        inverse_mass: float,
        *,
        at_tick: int | None = None,
    ) -> ParticleSetResult: ...

    def particle_move(
        self,
        object: Ref,
        particle: int,
        position: Vector,
        *,
        mode: Literal["teleport", "push"] = "teleport",
        at_tick: int | None = None,
    ) -> ParticleMoveResult: ...

    def particle_read(
        self,
        object: Ref,
        *,
        particles: Integers | None = None,
    ) -> ParticleReadResult: ...

    def object_sticks(
        self,
        object: Ref,
        *,
        from_: int = 0,
        most: int = 4096,
        lengths_only: bool = False,
    ) -> ObjectSticksResult: ...

    def force_apply(
        self,
        object: Ref,
        force: Vector,
        *,
        particles: Integers | None = None,
        ticks: int = 1,
        at_tick: int | None = None,
    ) -> ForceApplyResult: ...

    def grab_start(
        self,
        object: Ref,
        *,
        particle: int | None = None,
        point: Vector | None = None,
        at_tick: int | None = None,
    ) -> Grab: ...

    def grab_move(
        self,
        grab: Ref,
        position: Vector,
        *,
        at_tick: int | None = None,
    ) -> GrabMoveResult: ...

    def grab_end(
        self,
        grab: Ref,
        *,
        at_tick: int | None = None,
    ) -> GrabEndResult: ...

    def get(
        self,
    ) -> WorldGetResult: ...

    def measure(
        self,
    ) -> WorldMeasureResult: ...

    def set(
        self,
        *,
        gravity: Vector | None = None,
        damping: float | None = None,
        iterations: int | None = None,
        substeps: int | None = None,
        tolerance: float | None = None,
        square_root: Literal["exact", "approximate"] | None = None,
        bounds: BoundsParam | None = None,
        wind: WindParam | Vector | None = None,
        air_density: float | None = None,
        friction: float | None = None,
        sleep: bool | None = None,
        at_tick: int | None = None,
    ) -> WorldSetResult: ...

    def pause(
        self,
    ) -> WorldPauseResult: ...

    def resume(
        self,
    ) -> WorldResumeResult: ...

    def reset(
        self,
    ) -> WorldResetResult: ...

    def batch_run(
        self,
        commands: Sequence[CommandParam],
        *,
        at_tick: int | None = None,
    ) -> BatchRunResult: ...

    def events_subscribe(
        self,
        *,
        events: Sequence[Literal["object.added", "object.removed", "object.changed", "obstacle.added", "obstacle.removed", "obstacle.changed", "stick.added", "stick.changed", "stick.removed", "particle.pinned", "particle.unpinned", "grab.started", "grab.ended", "undo.progress", "commands.lost", "world.changed", "client.joined", "client.left", "client.changed", "selection.changed", "pointer.moved", "stick.broken", "body.quarantined", "object.slept", "object.woke", "frames.paced", "view.shown", "view.moved"]] | None = None,
    ) -> EventsSubscribeResult: ...

    def events_unsubscribe(
        self,
    ) -> EventsUnsubscribeResult: ...

    def pointer_move(
        self,
        *,
        position: Vector | None = None,
        laser: bool = False,
    ) -> PointerMoveResult: ...

    def client_introduce(
        self,
        *,
        name: str | None = None,
        color: str | None = None,
    ) -> Person: ...

    def people_list(
        self,
    ) -> PeopleListResult: ...

    def hand_raise(
        self,
    ) -> HandRaiseResult: ...

    def hand_lower(
        self,
        *,
        client: int | None = None,
    ) -> HandLowerResult: ...

    def people_grant(
        self,
        client: int,
        role: Literal["viewer", "editor"],
    ) -> Person: ...

    def people_remove(
        self,
        client: int,
        *,
        reason: str | None = None,
    ) -> PeopleRemoveResult: ...

    def selection_show(
        self,
        *,
        objects: Sequence[Ref] | None = None,
        particles: Integers | None = None,
    ) -> SelectionShowResult: ...

    def scene_list(
        self,
    ) -> SceneListResult: ...

    def scene_preview(
        self,
        name: str,
        *,
        ticks: int = 40,
    ) -> ScenePreviewResult: ...

    def scene_load(
        self,
        name: str,
    ) -> SceneLoadResult: ...

    def scene_save(
        self,
        name: str,
        *,
        title: str | None = None,
        overwrite: bool = False,
    ) -> SceneSaveResult: ...

    def scene_delete(
        self,
        name: str,
    ) -> SceneDeleteResult: ...

    def rpc_discover(
        self,
    ) -> RpcDiscoverResult: ...

    def session_authenticate(
        self,
        token: str,
    ) -> SessionAuthenticateResult: ...

    def session_resume(
        self,
        session: str,
    ) -> SessionResumeResult: ...

    def history(
        self,
        *,
        timeline: int | None = None,
        from_: int = 0,
        most: int = 100,
    ) -> WorldHistoryResult: ...

    def log(
        self,
        *,
        from_: int = 0,
        most: int = 1000,
    ) -> WorldLogResult: ...

    def replay(
        self,
        from_: int,
        *,
        to: int | None = None,
        tick: int | None = None,
        timeline: int | None = None,
        speed: float = 1,
        loop: bool = False,
    ) -> WorldReplayResult: ...

    def undo(
        self,
        *,
        scene: bool = False,
        force: bool = False,
        background: bool = False,
        within: float | None = None,
    ) -> WorldUndoResult | WorldUndoResult2: ...

    def redo(
        self,
        *,
        force: bool = False,
        background: bool = False,
        within: float | None = None,
    ) -> WorldRedoResult | WorldRedoResult2: ...

    def cancel(
        self,
    ) -> WorldCancelResult: ...

    def server_get(
        self,
    ) -> ServerGetResult: ...

    def client_list(
        self,
    ) -> ClientListResult: ...

    def client_close(
        self,
        client: int,
        *,
        reason: str | None = None,
    ) -> ClientCloseResult: ...

    def node_list(
        self,
    ) -> NodeListResult: ...

    def node_drain(
        self,
        *,
        url: str | None = None,
        draining: bool = True,
    ) -> NodeDrainResult: ...

    def list(
        self,
    ) -> WorldListResult: ...

    def create(
        self,
        name: str,
        *,
        scene: str | None = None,
        tick_hz: float | None = None,
        paused: bool | None = None,
        temporary: bool = False,
    ) -> WorldCreateResult: ...

    def copy(
        self,
        key: str,
    ) -> WorldCopyResult: ...

    def remove(
        self,
        name: str,
    ) -> WorldRemoveResult: ...

    def export(
        self,
        *,
        from_: int = 0,
        to: int | None = None,
        timeline: int | None = None,
    ) -> WorldExportResult: ...

    def import_(
        self,
        name: str,
        capsule: str,
        *,
        paused: bool | None = None,
    ) -> WorldImportResult: ...

    def freeze(
        self,
        frozen: bool,
        *,
        message: str | None = None,
    ) -> WorldFreezeResult: ...

    def broadcast_start(
        self,
        *,
        embed: bool = False,
    ) -> BroadcastStartResult: ...

    def broadcast_stop(
        self,
    ) -> BroadcastStopResult: ...

    def broadcast_get(
        self,
    ) -> BroadcastGetResult: ...

    def view_show(
        self,
        eye: Vector,
        target: Vector,
    ) -> ViewShowResult: ...

    def view_move(
        self,
        eye: Vector,
        target: Vector,
    ) -> ViewMoveResult: ...

    def view_follow(
        self,
        *,
        client: int | None = None,
    ) -> ViewFollowResult: ...

    def view_present(
        self,
        presenting: bool,
    ) -> ViewPresentResult: ...


class ObjectMethods:
    id: int

    def get(
        self,
    ) -> ObjectGetResult: ...

    def remove(
        self,
        *,
        at_tick: int | None = None,
    ) -> ObjectRemoveResult: ...

    def set(
        self,
        *,
        color: str | None = None,
        name: str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        stretch_compliance: float | None = None,
        bend_compliance: float | None = None,
        stretch_warp: float | None = None,
        stretch_weft: float | None = None,
        shear_stiffness: float | None = None,
        bend_warp: float | None = None,
        bend_weft: float | None = None,
        young: float | None = None,
        poisson: float | None = None,
        viscosity: float | None = None,
        pressure: float | None = None,
        mass: float | None = None,
        at_tick: int | None = None,
    ) -> ObjectSetResult: ...

    def sticks(
        self,
        *,
        from_: int = 0,
        most: int = 4096,
        lengths_only: bool = False,
    ) -> ObjectSticksResult: ...

    def pin(
        self,
        particles: Integers,
        *,
        position: Vector | None = None,
        at_tick: int | None = None,
    ) -> ParticlePinResult: ...

    def unpin(
        self,
        particles: Integers,
        *,
        at_tick: int | None = None,
    ) -> ParticleUnpinResult: ...

    def tear(
        self,
        particles: Integers,
        *,
        at_tick: int | None = None,
    ) -> ParticleTearResult: ...

    def particle_set(
        self,
        particles: Integers,
        inverse_mass: float,
        *,
        at_tick: int | None = None,
    ) -> ParticleSetResult: ...

    def move(
        self,
        particle: int,
        position: Vector,
        *,
        mode: Literal["teleport", "push"] = "teleport",
        at_tick: int | None = None,
    ) -> ParticleMoveResult: ...

    def read(
        self,
        *,
        particles: Integers | None = None,
    ) -> ParticleReadResult: ...

    def blade_cut(
        self,
        path: Numbers,
        *,
        far_path: Numbers | None = None,
        blade: Vector | None = None,
        at_tick: int | None = None,
    ) -> BladeCutResult: ...

    def force_apply(
        self,
        force: Vector,
        *,
        particles: Integers | None = None,
        ticks: int = 1,
        at_tick: int | None = None,
    ) -> ForceApplyResult: ...

    def grab_start(
        self,
        *,
        particle: int | None = None,
        point: Vector | None = None,
        at_tick: int | None = None,
    ) -> Grab: ...


class ObstacleMethods:
    id: int

    def remove(
        self,
        *,
        at_tick: int | None = None,
    ) -> ObstacleRemoveResult: ...

    def set(
        self,
        *,
        color: str | None = None,
        name: str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        pivot: Vector | None = None,
        surface_velocity: Vector | None = None,
        path: Sequence[PathPointParam] | None = None,
        loop: bool | None = None,
        path_time: float | None = None,
        at_tick: int | None = None,
    ) -> ObstacleSetResult: ...


class StickMethods:
    id: int

    def set(
        self,
        *,
        rest_length: float | None = None,
        rate: float | None = None,
        kind: Literal["equal", "atMost", "atLeast"] | None = None,
        compliance: float | None = None,
        swing: StickSwingParam | None = None,
        break_force: float | None = None,
        at_tick: int | None = None,
    ) -> StickSetResult: ...

    def remove(
        self,
        *,
        at_tick: int | None = None,
    ) -> StickRemoveResult: ...


class GrabMethods:
    id: int

    def move(
        self,
        position: Vector,
        *,
        at_tick: int | None = None,
    ) -> GrabMoveResult: ...

    def end(
        self,
        *,
        at_tick: int | None = None,
    ) -> GrabEndResult: ...

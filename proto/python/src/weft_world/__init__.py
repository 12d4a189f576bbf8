# SPDX-License-Identifier: MIT
"""Weft: cloth and rigid bodies that are fast on a CPU and equal to the bit everywhere, in process or in a shared live world.

    import weft_world as weft

    world = weft.World(substeps=8)                            # in this process
    world = weft.connect("ws://127.0.0.1:8080/worlds/main")   # or shared, on a server
    world = weft.serve(open=True)                             # or on a server of one's own, with its page
    cloth = world.cloth(64, 64, position=(0, 3, 0))
    world.step(60)
    print(cloth.positions.mean(axis=0))

Lengths are in m, times in s, masses in kg; y points up.
"""

from weft_world._arguments import Ref, Vector
from weft_world._async_handles import AsyncGrab, AsyncObject, AsyncObstacle, AsyncStick
from weft_world._engine import CONTACT_KINDS, PHYSICS_VERSION, VERSION
from weft_world._events import Event
from weft_world._handles import Grab, Object, Obstacle, Stick
from weft_world.async_world import AsyncWorld, connect_async
from weft_world.capsule import Capsule
from weft_world.errors import (
    BusyError,
    ConnectionLostError,
    DamagedError,
    DeniedError,
    FrozenError,
    InternalError,
    InUseError,
    InvalidError,
    LimitError,
    MemoryExhaustedError,
    MethodError,
    NotFoundError,
    ParseError,
    RateError,
    RequestError,
    StateError,
    VersionError,
    WeftError,
)
from weft_world.frames import Frame
from weft_world.pool import Pool
from weft_world.recording import Recording
from weft_world.remote import RemoteWorld, connect
from weft_world.replay import Replay, replay
from weft_world.serving import ServedWorld, serve
from weft_world.world import State, World

__version__ = VERSION

__all__ = [
    "CONTACT_KINDS",
    "PHYSICS_VERSION",
    "VERSION",
    "AsyncGrab",
    "AsyncObject",
    "AsyncObstacle",
    "AsyncStick",
    "AsyncWorld",
    "BusyError",
    "Capsule",
    "ConnectionLostError",
    "DamagedError",
    "DeniedError",
    "Event",
    "Frame",
    "FrozenError",
    "Grab",
    "InUseError",
    "InternalError",
    "InvalidError",
    "LimitError",
    "MemoryExhaustedError",
    "MethodError",
    "NotFoundError",
    "Object",
    "Obstacle",
    "ParseError",
    "Pool",
    "RateError",
    "Recording",
    "Ref",
    "RemoteWorld",
    "Replay",
    "RequestError",
    "ServedWorld",
    "State",
    "StateError",
    "Stick",
    "Vector",
    "VersionError",
    "WeftError",
    "World",
    "connect",
    "connect_async",
    "replay",
    "serve",
]

# SPDX-License-Identifier: MIT
"""Handles of what a world has: its methods without the id, and views of an object's particles."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from numpy import float32, uint32
from numpy.typing import NDArray

from weft_world._caller import Caller
from weft_world._methods import GrabMethods, ObjectMethods, ObstacleMethods, StickMethods


class Particles(Protocol):
    """The particles of an object, or of a whole world: arrays with one row a particle."""

    @property
    def positions(self) -> NDArray[float32]: ...
    @property
    def displacements(self) -> NDArray[float32]: ...
    @property
    def velocities(self) -> NDArray[float32]: ...
    @property
    def inverse_masses(self) -> NDArray[float32]: ...
    @property
    def triangles(self) -> NDArray[uint32]: ...


class MakesHandles(Protocol):
    """A world that makes handles of results."""

    def _handle(self, thing: str, result: dict[str, Any]) -> Any: ...


class WorldOfHandles(MakesHandles, Protocol):
    """What handles need of their world."""

    def call(self, method: str, /, **params: Any) -> Any: ...
    def _particles_of(self, identity: int) -> Particles: ...


W = TypeVar("W", bound=MakesHandles)


class Identified(Generic[W]):
    """A thing of a world; equal to another of the same world, kind and id.

    Attributes:
        id: Its id, which is never used again.
        made: What the world said when it was made; {} for a handle that was looked up.
    """

    def __init__(self, world: W, identity: int, made: dict[str, Any] | None = None) -> None:
        self._world = world
        self.id = identity
        self.made = made or {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Identified) and self._world is other._world and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self._world), self.id))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} of {self._world!r}>"

    def _handle(self, thing: str, result: dict[str, Any]) -> Any:
        return self._world._handle(thing, result)


class Handle(Identified[WorldOfHandles], Caller):
    """A thing of a world."""

    def call(self, method: str, /, **params: Any) -> Any:
        return self._world.call(method, **params)


class Object(Handle, ObjectMethods):
    """Particles, a cloth, mesh, rope, body, plant, ragdoll or soft body."""

    @property
    def positions(self) -> NDArray[float32]:
        """Positions of its particles in m, of shape (particles, 3), read-only.

        In a world of this process a view without a copy: it shows what the world computes next, but not where the particles are
        after an object with a smaller id was removed or torn. So use it at once, or copy it. It stays valid memory as long as
        it is referenced, even after the world is closed.
        """
        return self._world._particles_of(self.id).positions

    @property
    def displacements(self) -> NDArray[float32]:
        """Ways of its particles in the last substep in m, of shape (particles, 3), read-only; a view like `positions`."""
        return self._world._particles_of(self.id).displacements

    @property
    def velocities(self) -> NDArray[float32]:
        """Velocities of its particles in m/s, of shape (particles, 3), computed anew at each access."""
        return self._world._particles_of(self.id).velocities

    @property
    def inverse_masses(self) -> NDArray[float32]:
        """Inverse masses of its particles in 1/kg, of shape (particles,), 0 where pinned, read-only; a view like `positions`."""
        return self._world._particles_of(self.id).inverse_masses

    @property
    def masses(self) -> NDArray[float32]:
        """Masses of its particles in kg, of shape (particles,), infinite where pinned, computed anew at each access."""
        return masses_of(self.inverse_masses)

    @property
    def triangles(self) -> NDArray[uint32]:
        """Its triangles, of shape (triangles, 3), as indices of its particles, read-only; a view like `positions`."""
        return self._world._particles_of(self.id).triangles

    @property
    def particle_count(self) -> int:
        """Number of its particles."""
        return len(self.positions)


class Obstacle(Handle, ObstacleMethods):
    """A shape that stays or moves by itself, whatever touches it."""


class Stick(Handle, StickMethods):
    """A stick that was added."""


class Grab(Handle, GrabMethods):
    """A particle or a point of a surface that follows where it is moved; it ends with `end`, or with the block of `with`."""

    def __enter__(self) -> Grab:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def masses_of(inverse: NDArray[float32]) -> NDArray[float32]:
    """Masses in kg for inverse masses in 1/kg; infinite for 0."""
    masses = inverse.copy()
    masses[inverse == 0] = float("inf")
    moving = inverse != 0
    masses[moving] = 1 / inverse[moving]
    return masses


HANDLES: dict[str, type[Handle]] = {"object": Object, "obstacle": Obstacle, "stick": Stick, "grab": Grab}

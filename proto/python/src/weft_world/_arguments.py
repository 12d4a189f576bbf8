# SPDX-License-Identifier: MIT
"""Types of arguments that many methods take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray


class Identified(Protocol):
    """What has an id in a world: the handle of an object, an obstacle, a stick or a grab."""

    @property
    def id(self) -> int: ...


# Three numbers [x, y, z].
Vector: TypeAlias = Sequence[float] | NDArray[Any]
# Numbers, where three belong together flat or as triples.
Numbers: TypeAlias = Sequence[float] | Sequence[Sequence[float]] | NDArray[Any]
Integers: TypeAlias = Sequence[int] | Sequence[Sequence[int]] | NDArray[Any]
# An id, a handle, or in batch_run "$k" for what command k of the batch makes.
Ref: TypeAlias = int | str | Identified

# SPDX-License-Identifier: MIT
"""A world in a notebook: the page's drawing as a widget, whose connection to the world is the notebook's own channel.

Nothing connects from the browser to the kernel, so that it works wherever the notebook does. The page's part comes over that channel
too, once for each page, so that saved notebooks do not have it: what they have is a picture.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from weft_world._views import Views, WorldSource
from weft_world.errors import InvalidError, StateError

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise StateError("show needs the package anywidget: pip install 'weft-world[notebook]'") from error

if TYPE_CHECKING:
    from weft_world.remote import RemoteWorld
    from weft_world.world import World

FOLDER: Final = Path(__file__).parent / "notebook"  # the files that web/npm/notebook.mjs writes
PICTURE: Final = (640, 360)  # pixels
PICTURE_MOST: Final = 4_000_000  # bytes


def _page_part(name: str) -> bytes:
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError as error:
        raise StateError(f"this installation lacks the page's part of the view, {name}: install the package by `make python`") from error


class Widget(anywidget.AnyWidget):
    """A world in the output of a cell; World.show makes it. `close` ends it.

    Attributes:
        world: The world.
        picture: The world as PNG, as it was when it was shown, or when a view was last paused or hidden.
    """

    height = traitlets.Unicode("400px").tag(sync=True)
    camera = traitlets.Unicode("").tag(sync=True)
    controls = traitlets.Bool(True).tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)

    _views: Views | None = None

    def __init__(self, world: World | RemoteWorld, **options: Any) -> None:
        self.world = world
        self._module = _page_part("view.js.gz")
        self._views = self._connect()
        super().__init__(_esm=_page_part("widget.js").decode(), **options)
        self.on_msg(self._on_message)

    def _connect(self) -> Views:
        from weft_world._relay import ServerSource
        from weft_world.remote import RemoteWorld, background

        if isinstance(self.world, RemoteWorld):
            return Views(ServerSource(self.world.awaited), self._tell, background())
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise StateError("show needs the event loop of a notebook: use it in a cell, or in a coroutine") from None
        return Views(WorldSource(self.world, loop), self._tell, loop)

    def _tell(self, message: dict[str, Any], data: list[bytes]) -> None:
        self.send(message, data)

    def _on_message(self, _: object, message: Any, data: list[bytes | memoryview]) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "module":
            self.send({"kind": "module"}, [self._module])
        elif kind == "picture":
            if data and len(data[0]) <= PICTURE_MOST:
                self.picture = bytes(data[0])
        elif kind is not None and self._views is not None:
            self._views.receive(message)

    def close(self) -> None:
        """Ends the views. The world stays."""
        if self._views is not None:
            self._views.close()
        super().close()

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        size = {"width": PICTURE[0], "height": PICTURE[1]}
        return {**data, "image/png": base64.b64encode(self.picture).decode()}, {**metadata, "image/png": size}

    def __repr__(self) -> str:
        return f"<view of {self.world!r}>"


def show(world: World | RemoteWorld, *, height: str, camera: Sequence[float] | None, controls: bool) -> Widget:
    """The world as a widget: World.show says what the arguments are."""
    still = world.picture(*PICTURE, camera=camera)
    place = "" if camera is None else " ".join(f"{number:g}" for number in camera)
    if not height:
        raise InvalidError('height must be a length as in CSS, such as "400px"', pointer="/height")
    return Widget(world, height=height, camera=place, controls=controls, picture=still)

# SPDX-License-Identifier: MIT
"""Starting a server of one's own: weftd on a free port, which ends with this process.

world = weft.serve(open=True)     # the page opens in the browser
world.cloth(64, 64, position=(0, 3, 0))
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import subprocess
import threading
import time
import webbrowser
from pathlib import Path
from typing import Final

from weft_world.async_world import connect_async
from weft_world.errors import StateError, WeftError
from weft_world.remote import RemoteWorld, wait_for

PACKAGED: Final = Path(__file__).parent / "server"  # of a wheel: weftd, web and scenes
START_SECONDS: Final = 30.0
END_SECONDS: Final = 5.0
_READY: Final = re.compile(r"(https?://[^\s/]+:\d+)/")


def find_weftd() -> Path:
    """The server's program: that of WEFT_WEFTD, the packaged one, or one on the PATH. Raises StateError if there is none."""
    wanted = os.environ.get("WEFT_WEFTD")
    if wanted:
        if not os.access(wanted, os.X_OK):
            raise StateError(f"WEFT_WEFTD is {wanted}, which is no program that can be run")
        return Path(wanted)
    packaged = PACKAGED / "weftd"
    found = str(packaged) if os.access(packaged, os.X_OK) else shutil.which("weftd")
    if found is None:
        raise StateError("there is no weftd: install it, put it on the PATH, or set WEFT_WEFTD to the program (make builds build/weftd)")
    return Path(found)


def _folders(weftd: Path) -> list[str]:
    """The folders of the page and the scenes, where weftd does not find them by itself."""
    if weftd.parent != PACKAGED:
        return []
    return ["--web", str(PACKAGED / "web"), "--scenes", str(PACKAGED / "scenes")]


class Server:
    """A running weftd.

    Attributes:
        address: Of its page, such as http://127.0.0.1:41234.
        process: The process.
    """

    def __init__(self, arguments: list[str]) -> None:
        weftd = find_weftd()
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("WEFT_") or name in ("WEFT_WEB", "WEFT_SCENES")
        }
        command = [str(weftd), *_folders(weftd), *arguments]
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
            )
        except OSError as error:
            raise StateError(f"{weftd} cannot be run: {error.strerror}") from error
        self._said: list[str] = []
        self._ready = threading.Event()
        self.address = ""
        self._reader = threading.Thread(target=self._read, name="weftd output", daemon=True)
        self._reader.start()
        atexit.register(self.stop)
        self._wait()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = _READY.search(line)
            if found and not self.address:
                self.address = found[1]
                self._ready.set()
            self._said = [*self._said[-50:], line.rstrip()]
        self._ready.set()

    def _wait(self) -> None:
        if not self._ready.wait(START_SECONDS):
            self.stop()
            raise StateError(f"weftd was not ready after {START_SECONDS:g} s; it said: {self._last_words()}")
        if not self.address:
            self.process.wait()
            raise StateError(f"weftd ended with status {self.process.returncode}; it said: {self._last_words()}")

    def _last_words(self) -> str:
        return "; ".join(self._said[-3:]) or "nothing"

    def stop(self) -> None:
        """Ends the server."""
        atexit.unregister(self.stop)
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(END_SECONDS)


class ServedWorld(RemoteWorld):
    """A world of a server that this process has started; the server ends when the world is closed, or the process ends.

    Attributes:
        server: The server.
        page: Address of the page that shows the world.
    """

    server: Server
    page: str

    def close(self) -> None:
        """Ends the connection and the server."""
        with contextlib.suppress(WeftError):
            super().close()
        self.server.stop()

    def __repr__(self) -> str:
        return f"<weft ServedWorld {self.page}>"


def serve(
    *,
    open: bool = False,
    scene: str = "empty",
    running: bool = False,
    name: str = "main",
    port: int = 0,
    host: str = "127.0.0.1",
    data: str | os.PathLike[str] | None = None,
    options: tuple[str, ...] = (),
) -> ServedWorld:
    """Starts weftd, and connects to its world.

    Args:
        open: Whether to open the page in the browser.
        scene: What the world begins with.
        running: Whether its clock runs; else it stands until `step` or `resume`, as a world of this process does.
        name: Of the world.
        port: 0: a free one.
        host: Address to listen on; other machines reach 0.0.0.0, and need a token then (see weftd --help).
        data: Folder that keeps the world and its history; None: they end with the server.
        options: More options of weftd.

    Raises: StateError if there is no weftd, or it does not start; the message has what it said.
    """
    arguments = [
        "--host",
        host,
        "--port",
        str(port),
        "--world",
        f"{name}={scene}",
        "--data",
        ":memory:" if data is None else os.fspath(data),
    ]
    server = Server([*arguments, *([] if running else ["--paused"]), *options])
    try:
        connected = wait_for(connect_async("ws" + server.address.removeprefix("http") + f"/worlds/{name}"))
    except BaseException:
        server.stop()
        raise
    world = ServedWorld(connected)
    world.server = server
    world.page = f"{server.address}/?world={name}"
    if open:
        webbrowser.open(world.page)
    return world


def wait_for_end(server: Server) -> None:
    """Returns when the server has ended."""
    while server.process.poll() is None:
        time.sleep(0.2)

# SPDX-License-Identifier: MIT
"""Views of worlds in a notebook: messages, drags, play and pause, several views, closing; the widget itself over a channel that records."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import threading
import time
import zlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft_world as weft
from weft_world._pace import BEHIND_MOST, EVERY_MOST, Pace
from weft_world._relay import ServerSource
from weft_world._views import Views, WorldSource
from weft_world.frames import FRAME, Receiver
from weft_world.remote import background


class View:
    """A view as the page has it: what it says, and what it has heard."""

    def __init__(self, notebook: Notebook, name: str) -> None:
        self.notebook, self.name = notebook, name
        self.texts: list[dict[str, Any]] = []
        self.frames: list[weft.Frame] = []
        self.messages = 0
        self.closed: tuple[int, str] | None = None
        self.takes = True  # tells what it has received
        self._receiver = Receiver()
        self._number = 0
        self.say("open")

    def say(self, kind: str, **more: Any) -> None:
        self.notebook.views.receive({"connection": self.name, "kind": kind, **more})

    def hear(self, message: dict[str, Any], data: list[bytes]) -> None:
        if message["kind"] == "text":
            self.texts.append(json.loads(message["text"]))
        elif message["kind"] == "close":
            self.closed = (message["code"], message["reason"])
        elif message["kind"] == "bytes":
            self.messages += 1
            frame = self._receiver.take(data[0])
            if frame is not None:
                self.frames.append(frame)
            if self.takes:
                self.say("taken", messages=self.messages)

    async def call(self, method: str, **params: Any) -> Any:
        self._number += 1
        number = self._number
        self.say("text", text=json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        await until(lambda: any(text.get("id") == number for text in self.texts))
        reply = next(text for text in self.texts if text.get("id") == number)
        if "error" in reply:
            raise AssertionError(reply["error"])
        return reply["result"]


class Notebook:
    def __init__(self, world: weft.World) -> None:
        loop = asyncio.get_running_loop()
        self.there: dict[str, View] = {}
        self.views = Views(WorldSource(world, loop), self._send, loop)

    def _send(self, message: dict[str, Any], data: list[bytes]) -> None:
        json.dumps(message)
        self.there[message["connection"]].hear(message, data)

    async def view(self) -> View:
        name = f"view {len(self.there)}"
        view = self.there[name] = View.__new__(View)
        view.__init__(self, name)  # type: ignore[misc]
        await until(lambda: bool(view.texts))
        assert view.texts[0]["method"] == "hello"
        return view


async def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        await asyncio.sleep(0.005)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_a_view_speaks_the_protocol(world: weft.World) -> None:
    async def script() -> None:
        cloth = world.cloth(6, 5, position=(0, 2, 0))
        view = await Notebook(world).view()
        assert view.texts[0]["params"]["role"] == "editor"
        listed = await view.call("object.list")
        assert [one["object"] for one in listed["objects"]] == [cloth.id]
        await view.call("frames.subscribe", encoding="motion", adapt=True)
        world.step(3)
        await until(lambda: bool(view.frames) and view.frames[-1].tick == 3)
        np.testing.assert_allclose(view.frames[-1].of(cloth), cloth.positions, atol=2e-3)

    run(script())


@pytest.mark.parametrize(
    "text", ['{"method":"frames.', '"frames.subscribe"', "[" * 100_000 + '"frames.', '{"id":7,"method":"frames.subscribe","params":[1]}']
)
def test_a_text_that_is_no_request_is_refused_by_the_world_and_the_view_goes_on(world: weft.World, text: str) -> None:
    async def script() -> None:
        view = await Notebook(world).view()
        view.say("text", text=text)
        await until(lambda: any("error" in one for one in view.texts))
        assert (await view.call("object.list"))["objects"] == []

    run(script())


def test_play_and_pause_run_the_clock_of_the_kernel(world: weft.World) -> None:
    async def script() -> None:
        cloth = world.cloth(6, 5, position=(0, 2, 0), pin="none")
        view = await Notebook(world).view()
        await view.call("frames.subscribe", encoding="motion")
        await asyncio.sleep(0.05)
        assert world.tick == 0
        await view.call("world.resume")
        began = time.monotonic()
        await until(lambda: world.tick >= 30)
        assert time.monotonic() - began > 0.2, "30 ticks of 1/60 s, less what may be made up for"
        with pytest.raises(weft.StateError, match="paused"):
            world.step()
        await view.call("world.pause")
        tick = world.tick
        await asyncio.sleep(0.1)
        assert world.tick == tick and not world.running
        assert cloth.positions[:, 1].max() < 2
        await view.call("world.step", ticks=5)
        assert world.tick == tick + 5
        world.resume()  # by a cell
        await until(lambda: world.tick > tick + 10)

    run(script())


def test_ticks_of_the_clock_are_those_of_step(world: weft.World) -> None:
    async def script() -> None:
        world.cloth(6, 5, position=(0, 2, 0))
        other = world.branch()
        await Notebook(world).view()
        world.resume()
        await until(lambda: world.tick >= 20)
        world.pause()
        other.step(world.tick)
        assert other.hash == world.hash

    run(script())


def test_a_recording_holds_what_views_do(world: weft.World) -> None:
    async def script() -> None:
        cloth = world.cloth(6, 5, position=(0, 2, 0))
        view = await Notebook(world).view()
        with world.record() as recording:
            await view.call("world.resume")
            await until(lambda: world.tick >= 10)
            await view.call("cloth.spawn", columns=4, rows=4, position=[1, 3, 0])
            spawned = world.tick
            await until(lambda: world.tick >= spawned + 10)
            await view.call("world.pause")
            end = world.hash
        assert weft.Replay(recording.capsule()).run().hash == end
        assert len(world.objects) == 2 and world.objects[0].id == cloth.id

    run(script())


def test_a_drag_pulls_a_particle_until_the_view_is_closed(world: weft.World) -> None:
    async def script() -> None:
        world.set(gravity=(0, 0, 0))
        cloth = world.cloth(6, 5, position=(0, 2, 0), pin="none")
        notebook = Notebook(world)
        view = await notebook.view()
        grab = (await view.call("grab.start", object=cloth.id, particle=0))["grab"]
        await view.call("world.resume")
        for step in range(20):
            view.say(
                "text", text=json.dumps({"jsonrpc": "2.0", "method": "grab.move", "params": {"grab": grab, "position": [0, 2, 0.1 * step]}})
            )
            await asyncio.sleep(0.01)
        await until(lambda: bool(cloth.positions[0, 2] > 1))
        view.say("close")
        await until(lambda: len(notebook.views) == 0)
        await asyncio.sleep(0.05)
        with cloth.grab_start(particle=0):  # nobody holds it
            pass

    run(script())


def test_two_views_are_two_clients_and_one_goes_on_alone(world: weft.World) -> None:
    async def script() -> None:
        world.cloth(6, 5, position=(0, 2, 0))
        notebook = Notebook(world)
        first, second = await notebook.view(), await notebook.view()
        for view in (first, second):
            await view.call("frames.subscribe", encoding="motion")
        world.step(4)
        await until(lambda: first.frames[-1].tick == 4 and second.frames[-1].tick == 4)
        first.say("close")
        await until(lambda: len(notebook.views) == 1)
        world.step(4)
        await until(lambda: second.frames[-1].tick == 8)
        assert first.frames[-1].tick == 4

    run(script())


def test_two_widgets_of_a_world_share_its_clock(world: weft.World) -> None:
    async def script() -> None:
        await Notebook(world).view()
        clock = world.clock
        await Notebook(world).view()
        assert world.clock is clock
        began, tick = time.monotonic(), world.tick
        world.resume()
        await asyncio.sleep(0.5)
        assert world.tick - tick <= 60 * (time.monotonic() - began) + 2

    run(script())


def test_a_closed_world_ends_its_views_for_good(world: weft.World) -> None:
    async def script() -> None:
        notebook = Notebook(world)
        view = await notebook.view()
        world.resume()
        world.close()
        await until(lambda: view.closed is not None)
        assert view.closed == (4001, "the world is closed")
        assert len(notebook.views) == 0
        late = notebook.there["late"] = View.__new__(View)
        late.__init__(notebook, "late")  # type: ignore[misc]
        await until(lambda: late.closed is not None)
        assert late.closed == (4001, "the world is closed")

    run(script())


def test_a_connection_that_is_not_known_is_told_to_connect_again(world: weft.World) -> None:
    async def script() -> None:
        notebook = Notebook(world)
        view = await notebook.view()
        view.say("close")
        view.say("text", text="{}")
        await until(lambda: view.closed is not None)
        assert view.closed is not None and view.closed[0] == 1001

    run(script())


def test_messages_wait_while_another_thread_uses_the_world(world: weft.World) -> None:
    async def script() -> None:
        world.cloth(32, 32, position=(0, 3, 0))
        view = await Notebook(world).view()
        thread = threading.Thread(target=lambda: world.step(400))
        thread.start()
        await until(lambda: world._lock.locked() or not thread.is_alive())
        assert (await view.call("world.get"))["tick"] == 400, "after the thread"
        thread.join()
        await view.call("world.resume")
        await until(lambda: world.tick > 405)

    run(script())


def test_a_view_that_is_behind_gets_no_frames_until_it_has_caught_up(world: weft.World) -> None:
    async def script() -> None:
        cloth = world.cloth(6, 5, position=(0, 2, 0))
        view = await Notebook(world).view()
        await view.call("frames.subscribe", encoding="motion")
        await until(lambda: bool(view.frames))
        view.takes = False
        world.step(200)
        assert view.messages <= BEHIND_MOST + 2
        view.takes = True
        view.say("taken", messages=view.messages)
        await until(lambda: view.frames[-1].tick == 200)
        np.testing.assert_allclose(view.frames[-1].of(cloth), cloth.positions, atol=2e-3)
        assert all(text.get("id") != "pace" for text in view.texts)

    run(script())


def test_frames_that_are_too_large_come_less_often() -> None:
    pace = Pace()
    pace.note('{"jsonrpc":"2.0","id":1,"method":"frames.subscribe","params":{"everyTicks":2}}')
    frame = bytes([FRAME]) + bytes(9999)
    assert [pace.lets(frame, 25000) for _ in range(4)] == [True, True, False, False]
    assert pace.second(25000), "subscribe anew"
    assert json.loads(pace.renewal())["params"]["everyTicks"] == 4
    for _ in range(10):
        while pace.lets(frame, 25000):
            pass
        pace.took(10**9)
        pace.second(25000)
        pace.renewal()
    assert pace.every == EVERY_MOST
    calm = [pace.second(25000) for _ in range(12)]
    assert calm.count(True) == 2 and pace.every == EVERY_MOST // 4


def test_a_view_that_says_nothing_is_left(world: weft.World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script() -> None:
        monkeypatch.setattr("weft_world._views.SILENT_SECONDS", 1)
        notebook = Notebook(world)
        await notebook.view()
        await until(lambda: len(notebook.views) == 0)

    run(script())


# ---- the widget


class Comm:
    """A channel that keeps what was sent."""

    opened: list[Comm]

    def __init__(self, target_name: str = "", data: Any = None, **more: Any) -> None:
        self.comm_id = f"comm-{len(Comm.opened)}"
        self.kernel = self  # any: without one nothing is sent
        self.sent: list[tuple[dict[str, Any], list[bytes]]] = [(data or {}, more.get("buffers") or [])]
        self._take: Callable[[dict[str, Any]], None] = lambda _: None
        Comm.opened.append(self)

    def on_msg(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take

    def on_close(self, _: object) -> None:
        pass

    def send(self, data: Any = None, metadata: Any = None, buffers: Any = None) -> None:
        self.sent.append((data, buffers or []))

    def close(self, **_: Any) -> None:
        pass

    def receive(self, content: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        """A custom message of a view, as the page sends it."""
        self._take({"content": {"data": {"method": "custom", "content": content}}, "buffers": buffers or []})

    def heard(self, kind: str) -> list[tuple[dict[str, Any], list[bytes]]]:
        custom = [(data["content"], buffers) for data, buffers in self.sent if data.get("method") == "custom"]
        return [(content, buffers) for content, buffers in custom if content["kind"] == kind]


@pytest.fixture
def comms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[Comm]:
    pytest.importorskip("anywidget")
    widget = pytest.importorskip("weft_world.widget")
    if not (widget.FOLDER / "view.js.gz").exists():
        (tmp_path / "view.js.gz").write_bytes(b"module")
        (tmp_path / "widget.js").write_text("export default {};")
        monkeypatch.setattr(widget, "FOLDER", tmp_path)
    Comm.opened = []
    monkeypatch.setattr("comm.create_comm", Comm)
    return Comm


def test_a_widget_carries_the_protocol_and_the_page_part(world: weft.World, comms: type[Comm]) -> None:
    async def script() -> None:
        world.cloth(6, 5, position=(0, 2, 0))
        shown = world.show(height="300px", camera=(0, 2, 5, 0, 1, 0))
        comm = shown.comm
        state = comm.sent[0][0]["state"]
        assert (state["height"], state["camera"], state["controls"]) == ("300px", "0 2 5 0 1 0", True)
        comm.receive({"kind": "module"})
        assert comm.heard("module")[0][1][0], "the page's part"
        comm.receive({"connection": "a", "kind": "open"})
        await until(lambda: bool(comm.heard("text")))
        assert json.loads(comm.heard("text")[0][0]["text"])["method"] == "hello"
        request = {"jsonrpc": "2.0", "id": 1, "method": "frames.subscribe", "params": {}}
        comm.receive({"connection": "a", "kind": "text", "text": json.dumps(request)})
        await until(lambda: len(comm.heard("bytes")) >= 2)
        shown.close()
        await until(lambda: bool(comm.heard("close")) or not world.on_close)

    run(script())


def test_a_widget_is_a_picture_where_nothing_runs(world: weft.World, comms: type[Comm]) -> None:
    async def script() -> None:
        world.cloth(6, 5, position=(0, 2, 0))
        widget = world.show()
        bundle = widget._repr_mimebundle_()
        assert bundle is not None
        data, _ = bundle
        assert "application/vnd.jupyter.widget-view+json" in data
        assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
        widget.comm.receive({"kind": "picture"}, [memoryview(b"\x89PNG of the canvas")])
        assert widget.picture == b"\x89PNG of the canvas"

    run(script())


def test_show_says_what_it_needs(world: weft.World, comms: type[Comm]) -> None:
    with pytest.raises(weft.StateError, match="event loop"):
        world.show()
    assert comms.opened == []
    with pytest.raises(weft.InvalidError, match="six numbers"):
        world.show(camera=(1, 2, 3))


# ---- worlds of a server


class Heard:
    """What the views of a server's world hear, on the thread of the connections."""

    def __init__(self, world: weft.RemoteWorld) -> None:
        self.messages: list[tuple[dict[str, Any], list[bytes]]] = []
        self.views = Views(ServerSource(world.awaited), lambda message, data: self.messages.append((message, data)), background())

    def say(self, kind: str, connection: str = "a", **more: Any) -> None:
        self.views.receive({"connection": connection, "kind": kind, **more})

    def wait(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for message, _ in list(self.messages):
                if holds(message):
                    return message
            time.sleep(0.01)
        raise AssertionError(f"it was not said; but {[message for message, _ in self.messages]}")


def test_a_view_reaches_a_server_through_the_kernel(server: weft.ServedWorld) -> None:
    cloth = server.cloth(6, 5, position=(0, 2, 0))
    heard = Heard(server)
    heard.say("open")
    assert json.loads(heard.wait(lambda message: "hello" in message.get("text", ""))["text"])["params"]["world"] == "main"
    request = {"jsonrpc": "2.0", "id": 1, "method": "frames.subscribe", "params": {"encoding": "motion"}}
    heard.say("text", text=json.dumps(request))
    heard.wait(lambda message: message["kind"] == "bytes")
    heard.say("text", text=json.dumps({"jsonrpc": "2.0", "id": 2, "method": "object.list"}))
    reply = json.loads(heard.wait(lambda message: '"id":2' in message.get("text", ""))["text"])
    assert cloth.id in [one["object"] for one in reply["result"]["objects"]]
    heard.say("close")
    end = time.monotonic() + 20
    while len(heard.views) > 0 and time.monotonic() < end:
        time.sleep(0.01)
    assert len(heard.views) == 0


def test_a_view_of_a_server_that_ends_is_told_to_connect_again(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_WEFTD", str(build / "weftd"))
    with weft.serve() as world:
        heard = Heard(world)
        heard.say("open")
        heard.wait(lambda message: "hello" in message.get("text", ""))
        world.server.stop()
        assert heard.wait(lambda message: message["kind"] == "close")["code"] == 1001
        heard.say("open", "b")
        assert heard.wait(lambda message: message["kind"] == "close" and message["connection"] == "b")["code"] == 1001


# ---- the picture


def pixels_of(png: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    width, height = struct.unpack(">II", png[16:24])
    begin = png.index(b"IDAT") + 4
    length = struct.unpack(">I", png[begin - 8 : begin - 4])[0]
    lines = np.frombuffer(zlib.decompress(png[begin : begin + length]), np.uint8).reshape(height, 1 + 3 * width)
    return lines[:, 1:].reshape(height, width, 3)


def test_a_picture_shows_what_is_near_in_front_of_what_is_far(world: weft.World) -> None:
    for z, color in ((0.0, "#ff0000"), (1.0, "#0000ff")):
        square = np.array([[-1, -1, z], [1, -1, z], [1, 1, z], [-1, 1, z]]) * (1 if z == 0 else (0.3, 0.3, 1))
        world.mesh(square, [[0, 1, 2], [0, 2, 3]], color=color)
    pixels = pixels_of(world.picture(160, 90, camera=(0, 0, 5, 0, 0, 0)))
    middle, beside, corner = pixels[45, 80].astype(int), pixels[45, 97].astype(int), pixels[2, 2].astype(int)
    assert middle[2] > 60 and middle[0] == 0, middle
    assert beside[0] > 60 and beside[2] == 0, beside
    assert corner.min() > 180, corner
    behind = pixels_of(world.picture(160, 90, camera=(0, 0, -5, 0, 0, 0)))
    assert behind[45, 80, 0] > 60 and behind[45, 80, 2] == 0


def test_a_picture_shows_obstacles_of_every_shape(world: weft.World) -> None:
    world.obstacle("sphere", position=(-4, 0, 0), radius=0.5, color="#00ff00")
    world.obstacle("box", position=(-2, 0, 0), size=(0.4, 0.4, 2), rotation=(0.5, 0.5, 0.5, 0.5), color="#00ff00")  # its length along x
    world.obstacle("capsule", from_=(0, -0.4, 0), to=(0, 0.4, 0), radius=0.1, color="#00ff00")
    square = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]
    world.obstacle("mesh", position=(2, 0, 0), positions=square, triangles=[0, 1, 2, 0, 2, 3], color="#00ff00")
    world.obstacle("heightfield", position=(4, 0, 0), columns=2, rows=2, spacing=1, heights=[0.5, 0.5, -0.5, -0.5], color="#00ff00")
    world.obstacle("plane", position=(0, 0, -1), normal=(0, 0, 1), color="#0000ff")
    pixels = pixels_of(world.picture(400, 200, camera=(0, 0, 12, 0, 0, 0))).astype(int)

    def green(x: float, y: float) -> bool:
        scale = 100 / np.tan(np.radians(22.5)) / 12
        pixel = pixels[int(100 - scale * y), int(200 + scale * x)]
        assert (pixel[1] > 60) != (pixel[2] > 60), pixel
        return bool(pixel[1] > 60)

    inside = [
        (-4, 0),
        (-4.3, 0.3),
        (-2, 0),
        (-2.8, 0),
        (-1.2, 0),
        (0, 0),
        (0, 0.45),
        (0, -0.45),
        (1.6, 0.4),
        (2.4, -0.4),
        (3.6, 0.3),
        (4.4, -0.3),
    ]
    outside = [(-4.5, 0.4), (-2, 0.4), (-0.8, 0), (0.25, 0), (0, 0.65), (2, 0.7), (2, -0.7), (4.8, 0), (4, -0.8)]
    assert [place for place in inside if not green(*place)] == []
    assert [place for place in outside if green(*place)] == []


def test_a_picture_shows_moving_obstacles_where_they_are(world: weft.World) -> None:
    square = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]
    path = [
        {"time": 0.4, "position": (2, 1, 0)},
        {"time": 0.8, "position": (1.5, 1.5, 0), "rotation": (0, 0, 0.6, 0.8)},
        {"time": 1.1, "position": (2, 0, 0), "rotation": (0, 0, 0, 1)},
    ]
    spin = {"velocity": (0, 0.3, 0), "angular_velocity": (0.4, 0.2, 2.0)}
    obstacles = [
        world.obstacle("box", position=(-4, 0, 0), size=(0.4, 0.8, 0.3), rotation=(0.5, 0.5, 0.5, 0.5), pivot=(-3.5, 0, 0), **spin),
        world.obstacle("capsule", from_=(-2, -0.4, 0), to=(-2, 0.4, 0), radius=0.1, **spin),
        world.obstacle("sphere", position=(0, 0, 0), radius=0.2, velocity=(0, -0.6, 0)),
        world.obstacle("box", position=(2, 0, 0), size=(0.6, 0.3, 0.3), path=path, loop=True, path_time=0.3),
        world.obstacle("mesh", position=(4, 0, 0), rotation=(0, 0.6, 0, 0.8), positions=square, triangles=[0, 1, 2, 0, 2, 3], path=path),
        world.obstacle("heightfield", position=(0, 2, 0), columns=2, rows=2, spacing=0.4, heights=[0, 0.2, 0, 0.3], velocity=(0.5, 0, 0)),
        world.obstacle("plane", position=(0, -1, 0), normal=(0, 1, 0), velocity=(0, -0.5, 0), angular_velocity=(0.1, 0, 0.2)),
    ]
    camera = (0, 0.5, 10, 0, 0.5, 0)
    for ticks in (0, 20, 71):
        world.step(ticks)
        seen = pixels_of(world.picture(400, 200, camera=camera)).astype(int)
        with world.branch() as stopped:  # where the engine has them: a new motion begins there
            for one in obstacles:
                stopped.obstacle_set(one, velocity=(0, 0, 0), angular_velocity=(0, 0, 0))
            assert not any(one.get("motion") for one in stopped.object_list()["obstacles"])
            expected = pixels_of(stopped.picture(400, 200, camera=camera)).astype(int)
        assert (np.abs(seen - expected).max(axis=2) > 40).mean() < 0.001, ticks


def test_a_picture_has_no_gaps_and_frames_all(world: weft.World) -> None:
    world.cloth(24, 24, position=(0, 2, 0), color="#00ff00")
    pixels = pixels_of(world.picture(200, 120)).astype(int)
    green = (pixels[..., 1] > 60) & (pixels[..., 0] < 60)
    rows = [np.flatnonzero(row) for row in green if row.any()]
    assert 30 < len(rows) < 120
    assert all(row[-1] - row[0] + 1 == len(row) for row in rows), "each row of the cloth is closed"


def test_an_empty_world_has_a_picture_and_sizes_are_checked(world: weft.World) -> None:
    assert pixels_of(world.picture(32, 16)).shape == (16, 32, 3)
    with pytest.raises(weft.InvalidError, match="width must be 16 to 4096"):
        world.picture(5, 100)

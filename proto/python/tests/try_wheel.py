# SPDX-License-Identifier: MIT
"""Tries the wheel that is installed for this Python, as its users have it: try_wheel.py README.md.

Runs the first example of the README; serves a world by `python -m weft_world` with an empty PATH, asks it for the page and
over a WebSocket, and ends it. tests/house/wheel.sh installs the wheel, in an environment of its own, for this script.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from importlib.metadata import distribution
from pathlib import Path

import weft_world as weft
from weft_world.serving import PACKAGED

WAIT_SECONDS = 60.0
NOTHING = {"PATH": "", "LD_LIBRARY_PATH": ""}  # as environment: neither programs nor libraries of the machine
MODULE = [sys.executable, "-m", "weft_world"]
COMMAND = [str(Path(sys.executable).parent / "weft-world")]
# Of the C library and zlib, which the tag manylinux promises.
SYSTEM = re.compile(r"(libc|libm|libdl|libpthread|libresolv|librt|libz|ld-linux-[a-z0-9-]+)\.so\.\d+(\.[\d.]+)?|\[\w+\]|")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=NOTHING, text=True, capture_output=True, timeout=WAIT_SECONDS, check=False)


def try_example(readme: Path) -> None:
    """The README's first example runs."""
    example = re.findall(r"^```python\n(.*?)^```", readme.read_text(encoding="utf-8"), flags=re.M | re.S)[0]
    ended = run(sys.executable, "-c", example + "\nprint(world.tick, cloth.positions.shape)")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "60 (4096, 3)\n", ""), ended


def try_licences(_readme: Path) -> None:
    """Every library that travels along has the notice of its licence."""
    texts = {Path(str(path)).name: path.read_text() for path in distribution("weft-world").files or [] if "licenses" in path.parts}
    packages = set(re.findall(r"^(\S+) of the source ", texts["NOTICE"], flags=re.M))
    inside = json.loads(next(PACKAGED.parent.parent.glob("weft_world-*.dist-info/sboms/*.json")).read_text())
    libraries = {part["name"] for part in inside["components"]} - {"weft_world"}
    assert len(libraries) > 5, libraries
    assert libraries <= packages, libraries - packages
    missing = {f"LICENSE.{name}" for name in packages} - {name for name, text in texts.items() if len(text) > 200}
    assert not missing, missing
    assert "MIT License" in texts["LICENSE"]


def ask(address: str, encoding: str = "identity") -> tuple[str, bytes]:
    """Returns the encoding and the content of the answer."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": encoding})
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
        assert answer.status == 200
        return answer.headers.get("Content-Encoding", ""), answer.read()


def libraries_of(process: int) -> set[str]:
    """The files outside of the wheel that a process has mapped."""
    lines = Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()
    paths = {Path(line.split(maxsplit=5)[5]) for line in lines if len(line.split(maxsplit=5)) > 5}
    return {path.name for path in paths if PACKAGED.parent.parent not in path.parents}


def children_of(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()]


def look_at(address: str, server: int) -> None:
    """The page and its scripts are served, a client is greeted, and no library is the machine's."""
    page = ask(address)[1].decode()
    assert page.lower().startswith("<!doctype html>"), page[:100]
    origin = address.partition("/?")[0]
    script = re.findall(r'"(?:\./|/)?(app/[\w.-]+\.js)"', page)[0]
    encoding, packed = ask(f"{origin}/{script}", "gzip")
    assert encoding == "gzip"
    assert gzip.decompress(packed) == ask(f"{origin}/{script}")[1]
    with weft.connect("ws" + origin.removeprefix("http") + "/worlds/main") as world:
        assert world.running
        assert len(world.objects) > 0
        assert {"cloth", "default"} <= {scene["name"] for scene in world.scene_list()["scenes"]}
    assert Path(f"/proc/{server}/exe").resolve() == PACKAGED / "weftd"
    foreign = {name for name in libraries_of(server) if not SYSTEM.fullmatch(name)}
    assert not foreign, foreign


def serve_and_end(command: list[str], end: signal.Signals) -> None:
    servers: list[int] = []
    with subprocess.Popen([*command, "--scene", "cloth"], env=NOTHING, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("The world is at http://127.0.0.1:"), line
            servers = children_of(process.pid)
            look_at(line.split()[4], servers[0])
            process.send_signal(end)
            status = process.wait(WAIT_SECONDS)
            assert status == 0, f"it ended with status {status}"
            left = [server for server in servers if Path(f"/proc/{server}").exists()]
            assert not left, f"it left the server {left}"
        finally:
            process.kill()
            for server in servers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(server, signal.SIGKILL)


def try_module(_readme: Path) -> None:
    """`python -m weft_world` serves a world and ends on SIGTERM."""
    serve_and_end(MODULE, signal.SIGTERM)


def try_command(_readme: Path) -> None:
    """`weft-world` serves a world and ends on SIGINT."""
    serve_and_end(COMMAND, signal.SIGINT)


def try_help(_readme: Path) -> None:
    """Help, and what is said about wrong arguments."""
    help_text = run(*COMMAND, "--help")
    assert help_text.returncode == 0
    assert "--scene" in help_text.stdout
    wrong = run(*MODULE, "--port", "high")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "argument --port: invalid int value: 'high'" in wrong.stderr
    unknown = run(*MODULE, "--scene", "nowhere")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert 'there is no scene "nowhere"' in unknown.stderr


def main(readme: Path) -> int:
    failed = 0
    trials = [try_example, try_licences, try_help, try_module, try_command]
    for trial in trials:
        try:
            trial(readme)
            print(f"✔ {trial.__doc__}")
        except (AssertionError, weft.WeftError, OSError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"✖ {trial.__doc__} {type(error).__name__}: {error}")
    print(f"{len(trials) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

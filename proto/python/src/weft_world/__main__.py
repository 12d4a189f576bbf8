# SPDX-License-Identifier: MIT
"""python -m weft_world: a running world with its page, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys

import weft_world as weft
from weft_world.serving import wait_for_end


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="weft-world", description="Serves a world that opens in a browser, until Ctrl-C.")
    parser.add_argument("--scene", default="default", help="what the world begins with (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0: a free one (default)")
    parser.add_argument("--data", help="folder that keeps the world and its history; without it they end with the server")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--version", action="version", version=f"weft-world {weft.VERSION}")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does, so that the server ends, too
    try:
        with weft.serve(open=given.open, scene=given.scene, port=given.port, data=given.data, running=True) as world:
            print(f"The world is at {world.page} (Ctrl-C ends it).", flush=True)
            wait_for_end(world.server)
    except weft.WeftError as error:
        print(f"weft-world: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    print("weft-world: the server ended by itself", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

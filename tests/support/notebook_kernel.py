# SPDX-License-Identifier: MIT
"""A kernel without a notebook, for tests of the page's part: worlds whose views speak over standard input and output.

A line is a message as JSON, and its member `buffers` the bytes in base64; {"run": TEXT} runs lines of Python with `world` and `time`.
"""

import asyncio
import base64
import json
import sys
import time

import weft_world as weft
from weft_world._views import Views, WorldSource


def send(message, buffers):
    line = json.dumps({**message, "buffers": [base64.b64encode(one).decode() for one in buffers]})
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main():
    world = weft.World(substeps=4)
    loop = asyncio.get_running_loop()
    views = Views(WorldSource(world, loop), send, loop)
    lines = asyncio.StreamReader(limit=2**26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    send({"ready": True}, [])
    while line := await lines.readline():
        message = json.loads(line)
        if "run" in message:
            scope = {"world": world, "time": time, "views": views}
            exec(message["run"], scope)
            send({"ran": scope.get("result")}, [])
        else:
            views.receive(message)
    views.close()


asyncio.run(main())

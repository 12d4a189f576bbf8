// SPDX-License-Identifier: MIT
// A recording as a program in Python, with the package websockets (10 and later).
import { toPython } from './literal.js';

const beginning = (url, about) => `#!/usr/bin/env python3
# ${about}
#
#     python3 FILE [ws://HOST:PORT/worlds/NAME]        or WEFT_URL; WEFT_TOKEN: a token, where the server wants one
#
# Needs the package websockets (Debian: python3-websockets; elsewhere: pip install websockets).
import asyncio
import json
import os
import sys

import websockets

URL = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("WEFT_URL", ${toPython(url)})


class World:
    """A connection to a world, and what things are called there."""

    def __init__(self, socket):
        self.socket = socket
        self.last = 0  # id of the last request
        self.start = self.tick = 0  # the tick that others are counted from, and the present one
        self.shift = 0  # from the ids of what the scene made there to those here
        self.ids = {}  # of what commands made: there to here

    async def call(self, method, params=None):
        while True:
            self.last += 1
            request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}}
            await self.socket.send(json.dumps(request))
            answer = {}
            while answer.get("id") != self.last:  # events may come between
                answer = json.loads(await self.socket.recv())
            error = answer.get("error")
            if error is None:
                return answer["result"]
            if error["code"] not in (-32000, -32005):  # busy, or more than the server takes from one client at a time
                sys.exit(f"{method}: {error['message']}")
            await asyncio.sleep(error.get("data", {}).get("retryAfterMs", 100) / 1000)

    def here(self, value, name=None):
        """A value with the ids that things have here."""
        if isinstance(value, dict):
            return {key: self.here(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.here(item, name) for item in value]
        if name in ("object", "objects", "obstacle", "stick", "grab") and isinstance(value, int):
            return self.ids.get(value, value + self.shift)
        return value

    async def step_to(self, tick):
        while self.tick < self.start + tick:
            ticks = min(self.start + tick - self.tick, 1000)
            self.tick = (await self.call("world.step", {"ticks": ticks}))["tick"]

    async def at(self, tick, method, params, made=()):
        """Gives a command so that the step of this tick is the first to see it."""
        await self.step_to(tick - 1)
        result = await self.call(method, self.here(params))
        results = result.get("results", [result])
        found = [one[kind] for one in results for kind in ("object", "stick", "obstacle", "grab") if kind in one]
        self.ids.update(zip(made, found))

`;

function sceneLines({ name, firstId, tickHz, commands }) {
  const load = commands ? 'empty' : name;
  return `    if hello["tickHz"] != ${toPython(tickHz)}:
        sys.exit(f"this server makes {hello['tickHz']} ticks a second; the hash wants ${tickHz}")
    await world.call("world.pause")
    scene = await world.call("scene.load", {"name": ${toPython(load)}})
    world.shift = scene["firstId"] - ${firstId}
${commands && commands.length > 0 ? `    await world.call("batch.run", {"commands": [\n${commands.map((one) => `        ${toPython(one)},\n`).join('')}    ]})\n` : ''}`;
}

const commandLine = ({ tick, method, params, made }) => (
  `    await world.at(${tick}, ${toPython(method)}, ${toPython(params)}${made.length > 0 ? `, made=${toPython(made)}` : ''})\n`);

/** @param {import('./writers.js').Recording} recording @param {string} about */
export function pythonProgram({ url, scene, commands, tick, stateHash }, about) {
  const first = commands[0]?.tick ?? 1;
  const spaced = commands.map((one) => ({ ...one, tick: scene ? one.tick : one.tick - first + 1 }));
  const apart = commands.some((one) => one.tick !== first);
  const before = scene ? sceneLines(scene) : !apart ? '' : `    running = (await world.call("world.get"))["running"]
    await world.call("world.pause")
    world.start = world.tick = (await world.call("world.get"))["tick"]
`;
  const after = scene ? `    await world.step_to(${tick})
    state_hash = (await world.call("world.get"))["stateHash"]
    print(state_hash)
    if state_hash != ${toPython(stateHash)}:
        sys.exit(${toPython(`this is not the same state: its hash would be ${stateHash}`)})
` : `${apart ? `    if running:
        await world.call("world.resume")
` : ''}    print((await world.call("world.get"))["stateHash"])
`;
  return `${beginning(url, about)}
async def rebuild(world, hello):
${before}${spaced.map(commandLine).join('')}${after}

async def main():
    async with websockets.connect(URL, subprotocols=["weft.v1"], max_size=None) as socket:
        world = World(socket)
        hello = json.loads(await socket.recv())["params"]
        if "WEFT_TOKEN" in os.environ:
            await world.call("session.authenticate", {"token": os.environ["WEFT_TOKEN"]})
        await rebuild(world, hello)


asyncio.run(main())
`;
}

// SPDX-License-Identifier: MIT
// Writes a recording as a Python program, for the package websockets (10 and later).
import { toPython } from './literal.js';

/** @param {string} url @param {string} about @param {boolean} whole */
const beginning = (url, about, whole) => `#!/usr/bin/env python3
# ${about}
#
#     python3 FILE [ws://HOST:PORT/worlds/NAME]        or WEFT_URL; WEFT_TOKEN: a token, where the server wants one
#
${whole ? `# Without an address it runs in a world of its own, which ends with it. A world given by its
# address loses its former content.
` : ''}# Needs the package websockets (Debian: python3-websockets; elsewhere: pip install websockets).
import asyncio
import json
import os
${whole ? 'import secrets\n' : ''}import sys

import websockets

GIVEN = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("WEFT_URL")
HOME = GIVEN or ${toPython(url)}


class World:
    """A connection to a world, and the ids of the objects in it."""

    def __init__(self, socket):
        self.socket = socket
        self.last = 0  # id of the last request
        self.start = self.tick = 0  # the tick here at which the recording begins, and the present tick
        self.shift = 0  # difference between the ids of the scene's objects here and in the recording
        self.ids = {}  # ids of objects that commands made: in the recording to here

    async def call(self, method, params=None, advice=""):
        while True:
            self.last += 1
            request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}}
            await self.socket.send(json.dumps(request))
            answer = {}
            while answer.get("id") != self.last:  # events may arrive before the reply
                answer = json.loads(await self.socket.recv())
            error = answer.get("error")
            if error is None:
                return answer["result"]
            if error["code"] not in (-32000, -32005):  # the server is busy, or the rate limit is reached
                sys.exit(f"{method}: {error['message']}{advice}")
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

/** @param {import('./writers.js').RecordedScene} scene */
function sceneLines({ name, firstId, tickHz, commands }) {
  const load = commands ? 'empty' : name;
  return `    if world.hello["tickHz"] != ${toPython(tickHz)}:
        sys.exit(f"this server makes {world.hello['tickHz']} ticks a second; the hash wants ${tickHz}")
    scene = await world.call("scene.load", {"name": ${toPython(load)}})
    world.shift = scene["firstId"] - ${firstId}
${commands && commands.length > 0 ? `    await world.call("batch.run", {"commands": [\n${commands.map((one) => `        ${toPython(one)},\n`).join('')}    ]})\n` : ''}`;
}

/** @param {import('./writers.js').RecordedCommand} command */
const commandLine = ({ tick, method, params, made }) => (
  `    await world.at(${tick}, ${toPython(method)}, ${toPython(params)}${made.length > 0 ? `, made=${toPython(made)}` : ''})\n`);

// A program that begins with a scene makes a temporary world, unless an address is given.
const OWN = `
async def enter_own():
    there = await enter(HOME)
    name = f"rebuild-{secrets.token_hex(4)}"
    advice = ": no new world can be made; give the address of a world that may be overwritten"
    await there.call("world.create", {"name": name, "scene": "empty", "temporary": True}, advice)
    world = await enter(HOME.rsplit("/", 1)[0] + "/" + name)
    await there.socket.close()
    return world

`;

/** Stops the clock for the body and restarts it afterwards if it ran before, also after an error. @param {string} body */
const stopped = (body) => `    running = (await world.call("world.get"))["running"]
    await world.call("world.pause")
    try:
${body.replace(/^(?=.)/gm, '    ')}    finally:
        if running:
            await world.call("world.resume")
`;

/** @param {import('./writers.js').Recording} recording @param {string} about */
export function pythonProgram({ url, scene, commands, tick, stateHash }, about) {
  const first = commands[0]?.tick ?? 1;
  const spaced = commands.map((one) => ({ ...one, tick: scene ? one.tick : one.tick - first + 1 }));
  const apart = commands.some((one) => one.tick !== first);
  const before = scene ? sceneLines(scene) : !apart ? '' : `    world.start = world.tick = (await world.call("world.get"))["tick"]
`;
  const after = `${scene ? `    await world.step_to(${tick})
` : ''}    state_hash = (await world.call("world.get"))["stateHash"]
    print(state_hash)
${scene ? `    if state_hash != ${toPython(stateHash)}:
        sys.exit(${toPython(`this is not the same state: its hash would be ${stateHash}`)})
` : ''}`;
  const body = `${before}${spaced.map(commandLine).join('')}${after}`;
  return `${beginning(url, about, Boolean(scene))}
async def enter(url):
    socket = await websockets.connect(url, subprotocols=["weft.v1"], max_size=None)
    world = World(socket)
    world.hello = json.loads(await socket.recv())["params"]
    if "WEFT_TOKEN" in os.environ:
        await world.call("session.authenticate", {"token": os.environ["WEFT_TOKEN"]})
    return world

${scene ? OWN : ''}
async def rebuild(world):
${scene || apart ? stopped(body) : body}

async def main():
    world = ${scene ? 'await enter(HOME) if GIVEN else await enter_own()' : 'await enter(HOME)'}
    await rebuild(world)
    await world.socket.close()


asyncio.run(main())
`;
}

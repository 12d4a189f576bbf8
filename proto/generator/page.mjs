// SPDX-License-Identifier: MIT
// Generates PROTOCOL.md, the reference for client authors; FRAMES.md describes the binary messages.

const pascal = (result) => result.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());
const PREFIX = "#/components/schemas/";
const cell = (text) => String(text ?? "").replace(/\|/g, "\\|");
const anchor = (name) => name.toLowerCase().replace(/[^a-z0-9-]/g, "");
const code = (value) => `\`${JSON.stringify(value)}\``;

// 1000000 → 1,000,000; 1e-06 stays unchanged
const number = (value) =>
  (Number.isInteger(value) && Math.abs(value) >= 10000 ? value.toLocaleString("en-US") : String(value)).replace("-", "−");

const TYPE_NAMES = {
  real: "number", integer: "integer", integer64: "integer", boolean: "boolean", color: "color `\"#rrggbb\"`", vec3: "[x, y, z]",
  quat: "[x, y, z, w]", reals: "numbers", realTriples: "numbers, flat or in threes", indices: "integers",
  indexTriples: "indices, flat or in threes", ref: "object id", size: "number · [x, y, z]", commands: "commands",
};

function typeText(field) {
  switch (field.kind) {
    case "enum":
      return field.names.map(code).join(" · ");
    case "mask":
      return `array of [event names](#events)`;
    case "sheetPins":
      return `${field.names.map(code).join(" · ")} · indices`;
    case "string":
      return field.format === "SCENE" ? "scene name" : "string";
    case "records":
      return `array of [${field.record}](#${anchor(field.record)})`;
    case "record":
      return `[${field.record}](#${anchor(field.record)})`;
    default:
      return TYPE_NAMES[field.kind];
  }
}

function rangeText(field) {
  const parts = [];
  if (["real", "integer", "integer64", "size", "vec3", "reals", "realTriples"].includes(field.kind)) {
    const { minimum, maximum, above, below } = field;
    if (minimum !== undefined && maximum !== undefined) {
      parts.push(`${above ? "> " : ""}${number(minimum)} … ${below ? "< " : ""}${number(maximum)}`);
    } else if (minimum !== undefined) {
      parts.push(`${above ? ">" : "≥"} ${number(minimum)}`);
    }
  }
  if (field.kind === "string" && field.format === "NAME") parts.push(`${field.least} … ${field.most} characters`);
  if (field.kind === "string" && field.format === "SCENE") parts.push("`a-z0-9-`, up to 64");
  if (["reals", "realTriples", "indices", "indexTriples", "commands", "records"].includes(field.kind)) {
    parts.push(`${number(field.least)} … ${number(field.most)} items`);
  }
  if (field.nonZero) parts.push("not zero");
  return parts.join("; ");
}

function fieldTable(fields) {
  const rows = fields.map((field) => {
    const initial = field.required ? "**required**" : field.default === undefined ? "–" : code(field.default);
    const unit = field.unit && field.unit !== "1" ? field.unit : "";
    return `| \`${field.name}\` | ${cell(typeText(field))} | ${unit} | ${rangeText(field)} | ${initial} | ${cell(field.description)} |`;
  });
  return ["| parameter | type | unit | range | default | |", "|---|---|---|---|---|---|", ...rows].join("\n");
}

// The type of a member of a result or event, as text.
function resultType(schema, components) {
  if (schema.oneOf) return schema.oneOf.map((one) => resultType(one, components)).join(" · ");
  const name = schema.$ref?.slice(PREFIX.length);
  const resolved = name ? components[name] : schema;
  const unit = resolved["x-unit"] && resolved["x-unit"] !== "1" ? ` (${resolved["x-unit"]})` : "";
  if (resolved.enum && name !== "EventName") return resolved.enum.map(code).join(" · ");
  if (name === "EventName") return "[event name](#events)";
  if (resolved.properties && name) return `[${name}](#${anchor(name)})`;
  if (resolved.type !== "array") return `${resolved.type}${unit}`;
  if (resolved.maxItems === 3) return `[x, y, z]${unit}`;
  if (resolved.maxItems === 4) return "[x, y, z, w]";
  const inner = resolved.items.$ref?.slice(PREFIX.length);
  if (inner && components[inner].properties) return `array of [${inner}](#${anchor(inner)})`;
  const items = resolved.items.$ref && !resolved.items.type ? { ...components[resolved.items.$ref.slice(PREFIX.length)], ...resolved.items } : resolved.items;
  if (["number", "integer", "object"].includes(items.type) && !items.properties && !items.enum) return `array of ${items.type}s${unit}`;
  return `array of ${items.properties ? `{${Object.keys(items.properties).join(", ")}}` : resultType(items, components)}`;
}

function memberTable(schema, components, heading) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const text = one.description ?? (one.$ref && components[one.$ref.slice(PREFIX.length)].description);
    const there = schema.required.includes(name) ? "always" : "not always";
    return `| \`${name}\` | ${cell(resultType(one, components))} | ${there} | ${cell(text)} |`;
  });
  return rows.length > 0 ? [`| ${heading} | type | there | |`, "|---|---|---|---|", ...rows].join("\n") : "";
}

const ROLES = { none: "anyone", viewer: "viewers", editor: "editors", admin: "owners" };
const KINDS = { read: "reads", change: "changes the world", session: "concerns your session" };

// The errors of a method, by their names in the table of errors.
function errorsText(method, errors) {
  const names = method.errors.map((name) => errors.find((error) => pascal(error["x-result"]) === name).message);
  return `Errors: ${names.join(", ")}.`;
}

// A table of methods under the heading of each tag.
function overview(methods, tags) {
  return Object.entries(tags).map(([tag, { description }]) => {
    const rows = methods.filter((one) => one.tags[0] === tag).map((one) => `| [\`${one.name}\`](#${anchor(one.name)}) | ${one.summary} |`);
    return [`| ${description} | |`, "|---|---|", ...rows].join("\n");
  });
}

function methodText(method, { components, errors }, index) {
  const request = { jsonrpc: "2.0", id: index + 1, method: method.name };
  if (Object.keys(method.example.params).length > 0) request.params = method.example.params;
  const reply = { jsonrpc: "2.0", id: index + 1, result: method.example.result };
  const facts = `*${KINDS[method.kind]}; ${ROLES[method.role]}; ${method.batch ? "may stand in `batch.run`" : "not in `batch.run`"}; costs ${method.cost}*`;
  const result = method.result.properties ? memberTable(method.result, components, "result") : "";
  return [
    `### ${method.name}`,
    `${method.summary}${method.description ? ` ${method.description}` : ""}\n\n${facts}`,
    method.params.length > 0 ? fieldTable(method.params) : "No parameters.",
    result,
    errorsText(method, errors),
    `\`\`\`\n→ ${JSON.stringify(request)}\n← ${JSON.stringify(reply)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const INTRODUCTION = `# Weft's protocol

<!-- Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run \`make generate\`. -->

JSON-RPC 2.0 in WebSocket text messages, both ways, at \`ws://HOST:PORT/worlds/NAME\` (subprotocol \`weft.v1\`); binary messages carry
positions and are described in [FRAMES.md](FRAMES.md). The machine-readable form of this page is [weft.openrpc.json](weft.openrpc.json),
which a server also serves as \`/openrpc.json\` and answers to \`rpc.discover\`.

Units are SI: m, kg, s, N, rad; y points up. Vectors are \`[x, y, z]\`, quaternions \`[x, y, z, w]\`. Parameters go by name. Unknown members are
refused, with the JSON pointer to them and, where one is near, what was probably meant. An integer may be written \`3\` or \`3.0\`.

## A conversation

\`\`\`
← {"jsonrpc":"2.0","method":"hello","params":{"server":"weft","version":"0.1.0","protocol":1,"world":"main","tick":60,"tickHz":60,"epoch":1, …}}
→ {"jsonrpc":"2.0","id":1,"method":"cloth.spawn","params":{"columns":40,"rows":30,"position":[0,3,0]}}
← {"jsonrpc":"2.0","id":1,"result":{"object":1,"particles":1200,"tick":61}}
→ {"jsonrpc":"2.0","id":2,"method":"frames.subscribe"}
← {"jsonrpc":"2.0","id":2,"result":{"tick":61,"epoch":2,"encoding":"grid","step":0.000244140625}}
← (binary: the topology, then one frame a tick)
→ {"jsonrpc":"2.0","id":3,"method":"cloth.spawn","params":{"columns":40,"rows":30,"spacng":0.1}}
← {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"cloth.spawn has no spacng; did you mean spacing?","data":{"pointer":"/spacng","suggestion":"spacing"}}}
\`\`\`

A request with an \`id\` (string, number or null) gets exactly one reply; one without is applied and not answered. Results of methods that
change the world carry \`tick\`, the first tick whose step saw the change. \`params\` may be left out or null where a method needs none.

An array of requests, at most 100, is taken as JSON-RPC 2.0 says: they are run one after the other, each by itself, and their replies come as one array
in the same order, without those of notifications. It is no transaction: \`batch.run\` takes a list of commands, all or nothing, in one tick,
and inside it \`"$k"\` names the object that command k of the list makes. The replies to one array may have 64 MiB together.

Results, events and the data of errors name in \`required\` (of the machine-readable form; "always" on this page) what they always hold. Later
versions may add members: a client must ignore those that it does not know.

A message must be one JSON text in UTF-8, nested at most 16 deep, without a member twice in an object.

## At a tick

Methods that change the objects or parameters of a world take \`atTick\`, the tick whose step shall be the first to see the change, at most 2 s ahead.
The request then waits on the server, with at most 255 others of its connection, and is answered when it has been applied. Requests for one
tick are applied in the order in which they came. Whether a request is allowed is checked when it comes and again at its tick: its token must
still be valid, the world must not be frozen, and the quota must suffice. A world that is restarted, or moved to another tick, refuses its waiting requests
with −32004. The commands of a \`batch.run\` have no \`atTick\` of their own. The waiting requests of a client that disconnects are still applied.

## Roles

A viewer reads and gets frames, an editor changes the world, an owner (the role \`admin\`) changes the server. \`hello.role\` is your role, and \`hello.name\`
the name of your token; \`hello.you\` is the name and color that others see, until you change them with \`client.introduce\`. On a server
without tokens, every client on the same machine is an owner. A server with tokens requires one: from a page in the cookie that its login
sets, from a script as the first request, \`session.authenticate\` (or in the header \`Authorization: Bearer …\` of the handshake); never in
an address. Until then the role is \`none\`, and after ten seconds of that the connection is closed with 1008, as it is when its token is revoked.
Until then, too, a message has at most 4,096 bytes: wait for the answer to \`session.authenticate\` before you send a longer one.

## Long messages

A message has at most \`limits.messageBytes\` bytes; one that is longer is answered with −32003 and not applied. Messages of more than 8 KiB are
parsed one after another beside the world; those of a client whose connection ends without a close frame are dropped unparsed.
All unparsed messages of all clients together may have 128 MiB. A message beyond that ends its connection with 1013, "try again later", and so
does an unfinished message that did not go on for a second when others need the room.

## Without a WebSocket

\`POST /worlds/NAME/rpc\` takes one request, or an array of them, and answers with the reply, for curl, R, MATLAB and whatever else speaks HTTP only:

\`\`\`sh
curl -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"world.pause"}' http://127.0.0.1:8080/worlds/main/rpc
\`\`\`

The body is what a WebSocket message would be, with the same limits and budgets; all posts of one token, or of one address where there are no tokens, share
a budget. A token goes into the header \`Authorization: Bearer …\`. The status is 200 with every reply, errors of JSON-RPC included, and 204 where
all requests are notifications. Other statuses say that nothing was run: 401 (no valid token), 403 (a page of another origin), 404 (no such world),
405 (not a POST), 413 (longer than 16 MiB), 415 (not \`application/json\`), 503 (no room now; \`Retry-After\` says when to try again).

To its world, a post is a client that connects, sends its message and disconnects when it has its reply: its grabs end then, and a
\`world.step\` that it no longer waits for ends early. Methods that need a client that stays connected (\`frames.subscribe\`, \`events.subscribe\`, \`session.resume\`,
\`world.undo\` and their kin) are refused with −32004. Other clients get no event about it.

## Several servers

Servers that share their worlds (\`weftd --node-url\`, [CLUSTER.md](../server/CLUSTER.md)) are called nodes. A world is on one node at a time, and moves to
another one when its node fails, ends, or is drained. Every node answers for every world, so a client may begin at any of them.

| the node answers | when | what a client does |
|---|---|---|
| \`world.moved\` with \`url\`, then close code 1012; in place of \`hello\`, or at any later time | another node has the world | connects to \`url\` at once. After four times in a row without a \`hello\` it waits as after a lost connection |
| close code 1012 without \`world.moved\` | the world leaves, and no node has it ready yet | connects again after a pause |
| status 503 with \`Retry-After\`, to a handshake or to a \`POST\` | no node has the world ready (one is just taking it over, or all refuse it), or this one is full or about to end | tries again after so many seconds, at this or another node. Nothing was run |
| status 307 with \`Location\`, to any other request below \`/worlds/NAME\` | another node has the world | repeats the request there, with its method and its body. Nothing was run |
| status 404 | there is no such world | gives up |
| an error to \`session.resume\`, and close code 1013 in place of a reply to the first change | the database is lost, so that nobody knows whether that change was made before; until then the connection may watch | connects again and resumes |
| nothing: the connection is refused, or ends | the node is lost | tries the next node |

* **Which nodes there are.** \`hello.nodes\` has the URLs of all nodes that have a lease. To connect to a world of one of them, write \`ws\` for \`http\` and
  append \`/worlds/NAME\`; a URL may have a path, which stays. A client whose node is lost tries these in turn, and the address that it was given: others take
  the world within some seconds, and from then on each of them sends the client to the one that has it.
* **Pauses.** Between attempts, wait 0.25 s, then twice as long each time, up to 1 s in the first ten seconds and up to 5 s later; half of each pause is
  random, so that clients do not come all at once. A \`hello\` begins anew.
* **What was not answered.** A client that has a key (\`session.resume\`) sends, in each new connection, \`session.resume\` first, and then every request that
  was not answered, unchanged, with its id and in the order of before. Whichever node has the world answers those that were executed with their first reply,
  and executes the others: each exactly once. Nodes keep the newest 256 replies of a session for a day. A client without a key cannot know whether a change that was not
  answered was made, so it does not repeat it blindly. The same holds for a \`POST\` whose connection ended without a status, since posts
  have no session.
* **What begins anew.** Each connection begins without authentication, subscriptions and grabs, and with another number of the client: send
  \`session.authenticate\` (before \`session.resume\`), \`frames.subscribe\` and \`events.subscribe\` again. The topology and a snapshot come with the subscription;
  what was known of an epoch before is not valid any more. The ticks go on where they were when a world is moved; when its node was lost, up to a second of
  ticks comes again.
* **Tokens** are valid on every node. Most HTTP clients leave out \`Authorization\` when a redirection leads to another host, and then get 401 there: send it
  again, if you trust the node.

All of it in Python, with the package \`websockets\`, but for subscriptions and tokens:

\`\`\`python
import asyncio, itertools, json, random, websockets

class Client:
    def __init__(self, url):
        self.places, self.url = [url], url  # where the world may be, and where it is asked for next
        self.key, self.ids = f"{random.getrandbits(128):032x}", itertools.count(1)
        self.waiting, self.socket = {}, None  # id: (request, future); the connection, after its hello

    async def call(self, method, **params):
        request = {"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params}
        future = asyncio.get_running_loop().create_future()
        self.waiting[request["id"]] = request, future
        if self.socket:
            await self.send(self.socket, request)
        return await future

    async def send(self, socket, request):
        try:
            await socket.send(json.dumps(request))
        except websockets.ConnectionClosed:
            pass  # it is sent again in the next connection

    async def begin(self, socket, hello):
        urls = [node.replace("http", "ws", 1) + "/worlds/" + hello["world"] for node in hello.get("nodes", [])]
        self.places, self.pause, self.followed = list(dict.fromkeys(self.places[:1] + urls)), 0.25, 0
        await self.send(socket, {"jsonrpc": "2.0", "id": 0, "method": "session.resume", "params": {"session": self.key}})
        sent = 0
        while sent < len(self.waiting):  # calls that are made meanwhile, too
            await self.send(socket, list(self.waiting.values())[sent][0])
            sent += 1
        self.socket = socket

    def take(self, message):
        _, future = self.waiting.pop(message["id"], (None, None))
        if future and "error" in message:
            future.set_exception(RuntimeError(message["error"]["message"]))
        elif future:
            future.set_result(message["result"])

    async def connect(self):  # once; returns where the world has moved, if it has
        try:
            async with websockets.connect(self.url, open_timeout=3) as socket:
                async for text in socket:
                    message = json.loads(text)
                    if message.get("method") == "world.moved":
                        return message["params"]["url"]
                    if message.get("method") == "hello":
                        await self.begin(socket, message["params"])
                    elif "id" in message:
                        self.take(message)
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
            return None
        finally:
            self.socket = None

    async def run(self):  # as a task, for as long as the client is wanted
        self.pause, self.followed = 0.25, 0
        while True:
            moved = await self.connect()
            self.followed += 1
            at = self.places.index(self.url) if self.url in self.places else -1
            self.url = moved or self.places[(at + 1) % len(self.places)]
            if not moved or self.followed > 4:
                await asyncio.sleep(self.pause * random.uniform(0.5, 1))
                self.pause, self.followed = min(2 * self.pause, 1), 0
\`\`\`

## Budgets

Every request has a cost in units, some 20 µs of the server's time each: what its method costs, 1 for each KiB of the message, and 1 for each
100 particles (\`cloth.spawn\`, \`rope.spawn\`) or ticks (\`world.step\`) it asks for; a batch costs what its commands do. A client has
\`limits.rate\` units a second, of which it can save up \`limits.burst\`; 0 is no limit. Requests beyond that are refused with −32005 and
\`data.retryAfterMs\`. The server stops reading from a client that keeps sending, with more refusals a second than its rate, and closes its connection
with 1008 after ten seconds. \`limits.own\` is the most that one client, with all its connections, may have in a world.`;

export function page(model) {
  const { methods, records, notifications, events, errors, components } = model;
  const hello = notifications.find((one) => one.name === "hello");
  const shown = new Set(records.map(({ name }) => name));
  const values = Object.entries(components).filter(([name, one]) => one.properties && !shown.has(name) && name !== "Command");
  return [
    INTRODUCTION,
    "## Methods",
    ...overview(methods, model.document.components.tags),
    ...methods.map((method, index) => methodText(method, model, index)),
    "## Nested values",
    ...records.map((record) => `### ${record.name}\n\n${components[record.name].description}\n\n${fieldTable(record.fields)}`),
    ...values.map(([name, one]) => `### ${name}\n\n${one.description}\n\n${memberTable(one, components, "member")}`),
    "## Hello",
    `${hello.summary}\n\n${memberTable(hello.params, components, "member")}`,
    "## Events",
    "Notifications, sent after `events.subscribe`. `method` tells which one it is.",
    ...events.map((event) => `### ${event.name}\n\n${event.summary}\n\n${memberTable(event.params, components, "member")}`),
    "## Errors",
    [
      "| code | name | when |",
      "|---|---|---|",
      ...errors.map((error) => `| ${String(error.code).replace("-", "−")} | ${error.message} | ${error.description} |`),
    ].join("\n"),
    "`error.message` is a sentence for people, `error.data` is [ErrorData](#errordata), of busy and rate [RetryData](#retrydata), of state [StateData](#statedata).",
  ].join("\n\n") + "\n";
}

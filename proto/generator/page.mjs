// SPDX-License-Identifier: MIT
// The reference page: what a person who writes a client reads beside FRAMES.md.

const PREFIX = "#/components/schemas/";
const cell = (text) => String(text ?? "").replace(/\|/g, "\\|");
const anchor = (name) => name.toLowerCase().replace(/[^a-z0-9-]/g, "");
const code = (value) => `\`${JSON.stringify(value)}\``;

// 1000000 → 1,000,000; 1e-06 as it is
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
  if (["reals", "realTriples", "indices", "indexTriples", "commands"].includes(field.kind)) {
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

// What a result or event holds, in words.
function resultType(schema, components) {
  const name = schema.$ref?.slice(PREFIX.length);
  const resolved = name ? components[name] : schema;
  const unit = resolved["x-unit"] && resolved["x-unit"] !== "1" ? ` (${resolved["x-unit"]})` : "";
  if (resolved.enum && name !== "EventName") return resolved.enum.map(code).join(" · ");
  if (name === "EventName") return "[event name](#events)";
  if (resolved.properties && name) return `[${name}](#${anchor(name)})`;
  if (resolved.type !== "array") return `${resolved.type}${unit}`;
  if (resolved.maxItems === 3) return `[x, y, z]${unit}`;
  const items = resolved.items.$ref && !resolved.items.type ? { ...components[resolved.items.$ref.slice(PREFIX.length)], ...resolved.items } : resolved.items;
  if (["number", "integer", "object"].includes(items.type) && !items.properties && !items.enum) return `array of ${items.type}s${unit}`;
  return `array of ${items.properties ? `{${Object.keys(items.properties).join(", ")}}` : resultType(items, components)}`;
}

function memberTable(schema, components, heading) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const text = one.description ?? (one.$ref && components[one.$ref.slice(PREFIX.length)].description);
    return `| \`${name}\` | ${cell(resultType(one, components))} | ${cell(text)} |`;
  });
  return rows.length > 0 ? [`| ${heading} | type | |`, "|---|---|---|", ...rows].join("\n") : "";
}

const ROLES = { none: "anyone", viewer: "viewers", editor: "editors", admin: "administrators" };
const KINDS = { read: "reads", change: "changes the world", session: "concerns your session" };

function methodText(method, components, index) {
  const request = { jsonrpc: "2.0", id: index + 1, method: method.name };
  if (Object.keys(method.example.params).length > 0) request.params = method.example.params;
  const reply = { jsonrpc: "2.0", id: index + 1, result: method.example.result };
  const facts = `*${KINDS[method.kind]}; ${ROLES[method.role]}; ${method.batch ? "may stand in `batch.run`" : "not in `batch.run`"}; costs ${method.cost}*`;
  const result = method.result.properties ? memberTable(method.result, components, "result") : "";
  return [
    `### ${method.name}`,
    `${method.summary}${method.description ? ` ${method.description}` : ""}\n\n${facts}`,
    method.fields.length > 0 ? fieldTable(method.fields) : "No parameters.",
    result,
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
change the world carry \`tick\`, the first tick whose step saw the change. JSON-RPC's array batches are refused: \`batch.run\` takes a list of
commands, in order, all or nothing, and inside it \`"$k"\` names the object that command k of the list makes.

A message must be one JSON text in UTF-8, nested at most 16 deep, without a member twice in an object.

## Roles

A viewer reads and gets frames, an editor changes the world, an administrator changes the server. \`hello.role\` is what you are, and \`hello.name\`
the name of your token; \`hello.you\` is how others know you, until \`client.introduce\` says otherwise. A server
without tokens makes everyone of its own machine an administrator. One with tokens wants one: from a page in the cookie that its login
sets, from a script as the first request, \`session.authenticate\` (or in the header \`Authorization: Bearer …\` of the handshake); never in
an address. Until then the role is \`none\`, and after ten seconds of that the connection is closed with 1008, as it is when its token is revoked.

## Budgets

Every request has a cost in units, some 20 µs of the server's time each: what its method costs, 1 for each KiB of the message, and 1 for each
100 particles (\`cloth.spawn\`, \`rope.spawn\`) or ticks (\`world.step\`) it asks for; a batch costs what its commands do. A client has
\`limits.rate\` units a second, of which it can save up \`limits.burst\`; 0 is no limit. What is beyond is refused with −32005 and
\`data.retryAfterMs\`. Who goes on regardless, with more refusals a second than its rate, is not read for a while and after ten seconds of that
closed with 1008. \`limits.own\` is what one client may have in a world, by all its connections.`;

export function page(model) {
  const { methods, records, events, errors, components } = model;
  const ERROR_NOTES = {
    PARSE: "not one valid JSON text; the message says at which byte",
    REQUEST: "valid JSON, but no request object; `data.pointer` leads from the message on",
    METHOD: "no such method; `data.suggestion` has a near name",
    INVALID: "a member is missing, unknown, mistyped or out of range; `data.pointer` leads to it, from `params` on",
    INTERNAL: "the server failed; nothing was applied",
    BUSY: "a queue is full, or the world is too slow to grow: nothing was applied; `data.retryAfterMs` tells when to try again",
    DENIED: "the role does not allow it: the message names the role it takes and yours; or no valid token",
    NOT_FOUND: "no such object, particle, grab, obstacle, stick, world or scene",
    LIMIT: "particles, sticks, objects, obstacles, worlds or message size, of the world or of one client: the message says which and its value",
    STATE: "not possible now, as `world.step` while the world runs",
    RATE: "over the client's rate; `data.retryAfterMs` tells when to try again",
    FROZEN: "somebody lets nobody else change the world (`world.freeze`): the message names who, and says for how long already",
  };
  return [
    INTRODUCTION,
    "## Methods",
    ["| method | |", "|---|---|", ...methods.map((one) => `| [\`${one.name}\`](#${anchor(one.name)}) | ${one.summary} |`)].join("\n"),
    ...methods.map((method, index) => methodText(method, components, index)),
    "## Nested values",
    ...records.map((record) => `### ${record.name}\n\n${components[record.name].description}\n\n${fieldTable(record.fields)}`),
    "## Events",
    "Notifications, sent after `events.subscribe`.",
    ...events.map((event) => `### ${event.name}\n\n${event.summary}\n\n${memberTable(event.params, components, "member")}`),
    "## Errors",
    [
      "| code | name | when |",
      "|---|---|---|",
      ...errors.map((error) => `| ${String(error.code).replace("-", "−")} | ${error.message} | ${ERROR_NOTES[error["x-result"]]} |`),
    ].join("\n"),
  ].join("\n\n") + "\n";
}

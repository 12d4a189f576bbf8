#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Writes all files generated from weft.openrpc.json and examples.json: the C structs, tables and schema of the server, the
// reference page, the types of the JavaScript client, the methods of the Python package, and the parts of weft.openrpc.json itself that generator/complete.mjs
// adds; also the tables of coding 2 as JSON, from their C header. Needs Node 18 or newer and no packages.
//
//   node proto/generate.mjs           write what changed
//   node proto/generate.mjs --check   write nothing; name every stale file and exit with 1 if there is one
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { cHeader, cSchema, cSchemaHeader, cSource } from "./generator/c.mjs";
import { codecTables } from "./generator/codec_tables.mjs";
import { complete } from "./generator/complete.mjs";
import { descriptions } from "./generator/descriptions.mjs";
import { layOut } from "./generator/layout.mjs";
import { readModel } from "./generator/model.mjs";
import { page } from "./generator/page.mjs";
import { pythonFiles } from "./generator/python.mjs";
import { scriptExamples, scriptModule, scriptTypes } from "./generator/script.mjs";

const proto = dirname(fileURLToPath(import.meta.url));
const root = resolve(proto, "..");
const check = process.argv.includes("--check");

const readJson = (name) => JSON.parse(readFileSync(resolve(proto, name), "utf8"));
const examples = readJson("examples.json");
const document = complete(readJson("weft.openrpc.json"), examples);
const model = readModel(document, examples);

const outputs = {
  "proto/weft.openrpc.json": `${layOut(document)}\n`,
  "server/proto/gen/methods.h": cHeader(model),
  "server/proto/gen/methods.c": cSource(model),
  "server/proto/gen/schema.h": cSchemaHeader(),
  "server/proto/gen/schema.c": cSchema(model),
  "server/engine/gen/descriptions.h": descriptions(model),
  "proto/PROTOCOL.md": page(model),
  "web/client/protocol.js": scriptModule(model),
  "web/client/protocol.d.ts": scriptTypes(model),
  "web/viewer/script/examples.js": scriptExamples(model),
  "proto/codec_tables.json": codecTables(readFileSync(resolve(root, "server/proto/frame/codec_tables.h"), "utf8")),
  ...Object.fromEntries(Object.entries(pythonFiles(model)).map(([name, text]) => [`proto/python/src/weft_world/${name}`, text])),
};

let stale = 0;
for (const [name, text] of Object.entries(outputs)) {
  const path = resolve(root, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (check) {
    console.error(`${name} is stale`);
    stale++;
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${relative(process.cwd(), path)}`);
}
if (stale > 0) {
  console.error("run `node proto/generate.mjs` and commit what it wrote");
  process.exit(1);
}

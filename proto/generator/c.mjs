// SPDX-License-Identifier: MIT
// Writes the C side: structs and names (methods.h), the tables of the decoder (methods.c) and the schema as a string
// (schema.h, schema.c).
import { MADE, snake, upper } from "./model.mjs";

const MARK = `// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run \`make generate\`.
`;
const FORMAT_OFF = "// clang-format off\n";

const enumerator = (enumName, name) => `PROTO_${upper(enumName)}_${upper(name)}`;
// The C name of an enum's table of JSON names: proto_projection_names, proto_event_names.
const namesId = (enumName) => `proto_${snake(enumName).replace(/_name$/, "")}_names`;
const methodId = (method) => `PROTO_METHOD_${upper(method.name)}`;

// ---- methods.h ------------------------------------------------------------------------------------------------------

const C_TYPES = {
  real: () => "float",
  integer: () => "uint32_t",
  integer64: () => "uint64_t",
  boolean: () => "bool",
  string: () => "const char *",
  color: () => "uint32_t",
  enum: (field) => `enum proto_${snake(field.enumName)}`,
  mask: () => "uint32_t",
  vec3: () => "struct vec3",
  quat: () => "struct quat",
  reals: () => "struct proto_floats",
  realTriples: () => "struct proto_floats",
  indices: () => "struct proto_indices",
  indexTriples: () => "struct proto_indices",
  ref: () => "struct proto_ref",
  size: () => "struct proto_size",
  sheetPins: () => "struct proto_sheet_pins",
  record: (field) => `struct proto_${snake(field.record)}`,
  commands: () => "struct proto_commands",
  records: () => "struct proto_list",
};

function comment(field) {
  const parts = [field.unit, field.kind === "mask" ? "bits of the enum" : "", field.kind === "color" ? "0xRRGGBB" : ""];
  const text = parts.filter(Boolean).join("; ");
  return text ? ` // ${text}` : "";
}

function structText(struct, fields, heading) {
  const lines = [];
  for (const field of fields) {
    const type = C_TYPES[field.kind](field);
    lines.push(`    ${type}${type.endsWith("*") ? "" : " "}${field.member};${comment(field)}`);
    if (!field.required) lines.push(`    bool has_${field.member};`);
  }
  return `${heading ? `// ${heading}\n` : ""}struct ${struct} {\n${lines.join("\n")}\n};\n`;
}

function enumText(name, values, prefix) {
  const lines = values.map((value) => `    ${prefix}_${upper(value)},`);
  return `enum ${name} {\n${lines.join("\n")}\n    ${prefix}_COUNT\n};\n`;
}

const SHARED = `// Numbers; of positions and velocities three per particle, one after another.
struct proto_floats {
    const float *items;
    uint32_t count; // numbers
};

// Indices or ids; three per triangle.
struct proto_indices {
    const uint32_t *items;
    uint32_t count; // indices
};

// One length, or full extents along x, y and z.
struct proto_size {
    bool has_extents;
    float length;
    struct vec3 extents;
};

// Structs of a record, one after another.
struct proto_list {
    const void *items;
    uint32_t count;
};

// The id of an object, or within a batch the number of the command that makes the object.
struct proto_ref {
    bool is_command;
    uint32_t value;
};
`;

const COMMAND = `// A typed command. \`params\` points to the struct of its method, NULL where the method has no parameters.
struct proto_command {
    enum proto_method method;
    const void *params;
    const char *params_text; // the params as compact JSON, "{}" when absent; not terminated
    size_t params_length;
    uint64_t at_tick; // the tick that shall be the first to see the change; absent from \`params_text\`
    bool has_at_tick;
};

struct proto_commands {
    const struct proto_command *items;
    uint32_t count;
};
`;

const INFO = `enum proto_kind { PROTO_KIND_READ, PROTO_KIND_CHANGE, PROTO_KIND_SESSION, PROTO_KIND_COUNT };
// Each role may do what those before it may do; a client of the role NONE has shown no token.
enum proto_role { PROTO_ROLE_NONE, PROTO_ROLE_VIEWER, PROTO_ROLE_EDITOR, PROTO_ROLE_ADMIN, PROTO_ROLE_COUNT };
extern const char *const proto_role_names[PROTO_ROLE_COUNT];
// A method of the engine belongs to a world: it is recorded, or only reads. One of the host needs the process: tokens,
// files, other worlds, the history, the store or the clock.
enum proto_part { PROTO_PART_ENGINE, PROTO_PART_HOST, PROTO_PART_COUNT };

// What a command makes; its result holds the id.
enum proto_makes {
    PROTO_MAKES_NOTHING,
${MADE.map((thing) => `    PROTO_MAKES_${upper(thing)},\n`).join("")}    PROTO_MAKES_COUNT
};

struct proto_method_info {
    const char *name;
    enum proto_kind kind;
    enum proto_role role; // the lowest role that may call the method
    enum proto_part part;
    enum proto_makes makes; // "$k" may name a command that makes an object
    uint16_t cost;          // units of a client's budget
    bool batch;             // may stand in batch.run
    bool at_tick;           // may wait for its tick: takes atTick, which is no member of its struct
    bool after_stored;      // waits until the client's earlier changes are stored: its reply is not queued behind theirs
    bool clock;             // stops or starts the clock; undo neither takes it back nor stops at it
    bool connection;        // needs a client that stays connected: refused by POST
};

extern const struct proto_method_info proto_methods[PROTO_METHOD_COUNT];

// What the decoder knows of the parameters of each method (proto/field.h), and of atTick, a member of struct proto_command.
struct proto_record;
struct proto_field;
extern const struct proto_record *const proto_records[PROTO_METHOD_COUNT];
extern const struct proto_field proto_at_tick;
`;

// The methods of one part, as a list from which the tables of handlers are expanded. A method that runs commands
// (batch.run) has no row, because its commands have theirs.
function rowsOf(part, methods) {
  const rows = methods
    .filter((method) => method.part === part && !method.fields.some((field) => field.kind === "commands"))
    .map((method) => ` \\\n    ROW(${upper(method.name)}, ${method.id})`);
  return `#define PROTO_${part.toUpperCase()}_METHODS(ROW)${rows.join("")}\n`;
}

export function cHeader(model) {
  const parts = [
    `${MARK}// The protocol's methods: their names, and one struct of parameters per method. Beside an optional member stands a
// \`has_\` member, which is true when the request gave the parameter; otherwise the member holds its default, or zero.
#ifndef WEFT_PROTO_GEN_METHODS_H
#define WEFT_PROTO_GEN_METHODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"
`,
    FORMAT_OFF,
    enumText("proto_method", model.methods.map((method) => method.name), "PROTO_METHOD"),
    INFO,
    `// ROW(CLOTH_SPAWN, cloth_spawn) and so on for every method of a part, but for batch.run, whose commands have rows.\n${rowsOf("engine", model.methods)}`,
    rowsOf("host", model.methods),
    `// The codes of the protocol's errors.\nenum proto_error {\n${model.errors
      .map((error) => `    PROTO_ERROR_${error["x-result"]} = ${error.code},`)
      .join("\n")}\n};\n`,
    SHARED,
    `enum proto_sheet_pins_choice {\n${[...model.sheetPins, "list"]
      .map((name) => `    PROTO_SHEET_PINS_${upper(name)},`)
      .join("\n")}\n    PROTO_SHEET_PINS_COUNT\n};\n`,
    "struct proto_sheet_pins {\n    enum proto_sheet_pins_choice choice;\n    struct proto_indices indices; // with the choice LIST\n};\n",
    ...model.enums.map(
      ({ name, names }) =>
        `${enumText(`proto_${name}`, names, `PROTO_${name.toUpperCase()}`)}extern const char *const ${namesId(name)}[PROTO_${name.toUpperCase()}_COUNT];\n`,
    ),
    COMMAND,
    ...model.records.map((record) => structText(record.struct, record.fields, record.name)),
    ...model.methods
      .filter((method) => method.fields.length > 0)
      .map((method) => structText(method.struct, method.fields, `${method.name}: ${method.summary}`)),
    "// clang-format on\n#endif\n",
  ];
  return parts.join("\n");
}

// ---- methods.c ------------------------------------------------------------------------------------------------------

const real = (value) => (Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0f` : `${value}f`);

function initialText(field) {
  const value = field.default;
  switch (field.kind) {
    case "real":
      return real(value);
    case "integer":
    case "integer64":
      return `${value}u`;
    case "boolean":
      return String(value);
    case "enum":
      return enumerator(field.enumName, value);
    case "size":
      return `{.length = ${real(value)}}`;
    case "sheetPins":
      return `{.choice = PROTO_SHEET_PINS_${upper(value)}}`;
    case "vec3":
    case "quat":
      return `{${value.map(real).join(", ")}}`;
    default:
      throw new Error(`${field.name}: no default is possible for a ${field.kind}`);
  }
}

const TABLE_TYPES = {
  real: "REAL", integer: "INTEGER", integer64: "INTEGER64", boolean: "BOOLEAN", string: "STRING", color: "COLOR",
  enum: "ENUM", mask: "MASK", vec3: "VEC3", quat: "QUAT", reals: "REALS", realTriples: "REAL_TRIPLES",
  indices: "INDICES", indexTriples: "INDEX_TRIPLES", ref: "REF", size: "SIZE", sheetPins: "SHEET_PINS", record: "RECORD",
  commands: "COMMANDS", records: "RECORDS",
};

const double = (value) => (Number.isInteger(value) ? `${value}.0` : String(value));

function fieldText(struct, field) {
  const cells = [
    `.name = "${field.name}"`,
    `.type = PROTO_TYPE_${TABLE_TYPES[field.kind]}`,
    `.offset = offsetof(struct ${struct}, ${field.member})`,
    field.required ? ".required = true" : `.has_offset = offsetof(struct ${struct}, has_${field.member})`,
  ];
  if (field.minimum !== undefined) cells.push(`.minimum = ${double(field.minimum)}`);
  if (field.maximum !== undefined) cells.push(`.maximum = ${double(field.maximum)}`);
  if (field.above) cells.push(".above = true");
  if (field.below) cells.push(".below = true");
  if (field.nonZero) cells.push(".non_zero = true");
  if (field.least !== undefined) cells.push(`.least = ${field.least}u`);
  if (field.most !== undefined) cells.push(`.most = ${field.most}u`);
  if (field.unit && field.unit !== "1") cells.push(`.unit = "${field.unit}"`);
  if (field.format) cells.push(`.format = PROTO_FORMAT_${field.format}`);
  if (field.enumName) cells.push(`.names = ${namesId(field.enumName)}`, `.name_count = ${field.names.length}u`);
  if (field.kind === "sheetPins") cells.push(".names = sheet_pins_names", `.name_count = ${field.names.length}u`);
  if (field.requiredWithout) cells.push(`.required_without = "${field.requiredWithout}"`);
  if (field.record) cells.push(`.record = &${snake(field.record)}_record`);
  return `    {${cells.join(", ")}},\n`;
}

function recordText(id, struct, fields) {
  if (fields.length === 0) return `static const struct proto_record ${id}_record = {.fields = NULL};\n`;
  const initial = fields.filter((field) => field.default !== undefined);
  const lines = initial.map((field) => `    .${field.member} = ${initialText(field)},\n`);
  const defaults = lines.length > 0 ? `static const struct ${struct} ${id}_initial = {\n${lines.join("")}};\n` : "";
  return (
    `${defaults}static const struct proto_field ${id}_fields[] = {\n${fields.map((field) => fieldText(struct, field)).join("")}};\n` +
    `static const struct proto_record ${id}_record = {.fields = ${id}_fields, .count = ${fields.length}u, ` +
    `.size = sizeof(struct ${struct}), .initial = ${lines.length > 0 ? `&${id}_initial` : "NULL"}};\n`
  );
}

const namesText = (storage, name, names) =>
  `${storage} const char *const ${name} = {\n${names.map((one) => `    "${one}",\n`).join("")}};\n`;

const FLAGS = ["batch", "atTick", "afterStored", "clock", "connection"];
const makes = (method) => (method.makes ? `, .makes = PROTO_MAKES_${upper(method.makes)}` : "");
const flagsOf = (method) => FLAGS.filter((flag) => method[flag]).map((flag) => `, .${snake(flag)} = true`).join("");

export function cSource(model) {
  const rows = model.methods.map(
    (method) =>
      `    [${methodId(method)}] = {.name = "${method.name}", .kind = PROTO_KIND_${upper(method.kind)}, ` +
      `.role = PROTO_ROLE_${upper(method.role)}, .part = PROTO_PART_${upper(method.part)}, .cost = ${method.cost}${makes(method)}${flagsOf(method)}},\n`,
  );
  const atTick = model.methods.find((method) => method.atTick).params.find((field) => field.name === "atTick");
  const records = model.methods.map((method) => `    [${methodId(method)}] = &${method.id}_record,\n`);
  return [
    `${MARK}// The tables behind methods.h and field.h.
#include "proto/gen/methods.h"

#include "proto/field.h"
`,
    FORMAT_OFF,
    'const char *const proto_role_names[PROTO_ROLE_COUNT] = {"none", "viewer", "editor", "admin"};\n',
    `const struct proto_method_info proto_methods[PROTO_METHOD_COUNT] = {\n${rows.join("")}};\n`,
    ...model.enums.map(({ name, names }) => namesText("", `${namesId(name)}[PROTO_${name.toUpperCase()}_COUNT]`, names).trimStart()),
    namesText("static", `sheet_pins_names[]`, model.sheetPins),
    ...model.records.map((record) => recordText(snake(record.name), record.struct, record.fields)),
    ...model.methods.map((method) => recordText(method.id, method.struct, method.fields)),
    `const struct proto_field proto_at_tick =\n${fieldText("proto_command", atTick).replace(/,\n$/, ";\n")}`,
    `const struct proto_record *const proto_records[PROTO_METHOD_COUNT] = {\n${records.join("")}};\n// clang-format on\n`,
  ].join("\n");
}

// ---- schema.c -------------------------------------------------------------------------------------------------------

const CHUNK = 96; // characters of the document in a line

export function cSchemaHeader() {
  return `${MARK}#ifndef WEFT_PROTO_GEN_SCHEMA_H
#define WEFT_PROTO_GEN_SCHEMA_H

#include <stddef.h>

// The OpenRPC document as compact JSON.
extern const char proto_schema[];
extern const size_t proto_schema_length;

#endif
`;
}

export function cSchema(model) {
  const text = JSON.stringify(model.document);
  const lines = [];
  for (let start = 0; start < text.length; start += CHUNK) {
    const piece = text.slice(start, start + CHUNK);
    lines.push(`    "${piece.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\?\?/g, "?\\?")}"`);
  }
  return `${MARK}// The OpenRPC document that rpc.discover and GET /openrpc.json serve.
#include "proto/gen/schema.h"

${FORMAT_OFF}// The literal is longer than the 4095 characters that C guarantees; gcc and clang have no such limit.
#pragma GCC diagnostic ignored "-Woverlength-strings"
const char proto_schema[] =
${lines.join("\n")};
const size_t proto_schema_length = sizeof proto_schema - 1;
// clang-format on
`;
}

// SPDX-License-Identifier: MIT
// Converts the schema to the model that all generators use: every parameter is classified as one of a few kinds of value that
// the C decoder, the page and the TypeScript types support. A schema that cannot be classified is rejected.

// "cloth.spawn", "topCorners" → "cloth_spawn", "top_corners"
export const snake = (name) =>
  name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[.-]/g, "_").toLowerCase();
export const upper = (name) => snake(name).toUpperCase();
// "cloth.spawn" → "ClothSpawn"
export const pascal = (name) => name.replace(/(^|[.-])([a-z])/g, (_, __, letter) => letter.toUpperCase());

const PREFIX = "#/components/schemas/";
const FORMATS = { SceneName: "SCENE", WorldName: "WORLD", SessionKey: "WORLD", Capsule: "BASE64", Name: "NAME", PersonName: "NAME", NodeUrl: "NAME" }; // the C decoder's check for each kind of string

// Resolves the $ref of a schema; members beside the $ref take precedence. `component` is the name of the referenced schema.
export function resolveSchema(schema, components) {
  if (!schema.$ref) return schema;
  const component = schema.$ref.slice(PREFIX.length);
  if (!schema.$ref.startsWith(PREFIX) || !components[component]) throw new Error(`no schema ${schema.$ref}`);
  const { $ref, ...rest } = schema;
  return { ...components[component], ...rest, component };
}

function classifyNumber(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    minimum: minimum ?? exclusiveMinimum,
    maximum: maximum ?? exclusiveMaximum,
    above: exclusiveMinimum !== undefined,
    below: exclusiveMaximum !== undefined,
  };
}

function classifyArray(schema, components) {
  const items = resolveSchema(schema.items, components);
  const lengths = { least: schema.minItems ?? 0, most: schema.maxItems };
  const range = classifyNumber(items);
  if (items.component === "Command") return { kind: "commands", ...lengths };
  if (items.type === "object" && items.component) return { kind: "records", record: items.component, ...lengths };
  if (items.enum) return { kind: "mask", ...lengths, names: items.enum, enumName: items.component };
  if (items.type === "integer") return { kind: "indices", ...range, ...lengths };
  if (items.type !== "number") throw new Error(`an array of ${items.type}`);
  if (lengths.least === 3 && lengths.most === 3) return { kind: "vec3", ...range, nonZero: schema["x-nonZero"] };
  if (lengths.least === 4 && lengths.most === 4) return { kind: "quat", ...range, nonZero: schema["x-nonZero"] };
  return { kind: "reals", ...range, ...lengths };
}

// Numbers, flat or in triples: both alternatives must allow the same values.
function classifyTriples(schema, components, owner) {
  const [flatSchema, triplesSchema] = schema.oneOf;
  const flat = classifyArray(flatSchema, components);
  const triple = resolveSchema(triplesSchema.items, components);
  const inner = resolveSchema(triple.items, components);
  const same = inner.minimum === flat.minimum && inner.maximum === flat.maximum && triple.minItems === 3 && triple.maxItems === 3;
  const least = flat.least === 0 ? 1 : flat.least / 3; // an empty list counts as a flat one
  if (!same || least !== triplesSchema.minItems || flat.most !== 3 * triplesSchema.maxItems) {
    throw new Error(`${owner}: the alternatives differ`);
  }
  return { ...flat, kind: flat.kind === "reals" ? "realTriples" : "indexTriples" };
}

// Classifies a value as {kind, …}. `owner` names the parameter to which an inline enum belongs.
export function classify(schema, components, owner) {
  const from = schema.component;
  if (from === "ObjectRef") return { kind: "ref", minimum: 1, maximum: 4294967295 };
  if (from === "Color") return { kind: "color" };
  if (from === "SheetPins") {
    const [choices, list] = schema.oneOf;
    return { ...classifyArray(list, components), kind: "sheetPins", names: choices.enum };
  }
  if (from === "Size") {
    const [length, extents] = schema.oneOf;
    const range = classifyNumber(length);
    if (JSON.stringify(range) !== JSON.stringify(classifyNumber(extents.items))) throw new Error(`${owner}: the alternatives differ`);
    return { kind: "size", ...range };
  }
  if (schema.oneOf) return classifyTriples(schema, components, owner);
  if (schema.type === "boolean") return { kind: "boolean" };
  if (schema.enum) return { kind: "enum", names: schema.enum, enumName: from ?? owner };
  if (schema.type === "number") return { kind: "real", ...classifyNumber(schema) };
  if (schema.type === "integer") {
    const wide = schema.maximum === undefined || schema.maximum > 4294967295;
    return { kind: wide ? "integer64" : "integer", ...classifyNumber(schema) };
  }
  if (schema.type === "string") {
    if (!FORMATS[from]) throw new Error(`${owner}: a string that is neither enum nor ${Object.keys(FORMATS).join(", ")}`);
    return { kind: "string", format: FORMATS[from], least: schema.minLength ?? 1, most: schema.maxLength ?? 64 };
  }
  if (schema.type === "array") return classifyArray(schema, components);
  if (schema.type === "object" && from) return { kind: "record", record: from };
  throw new Error(`${owner}: cannot classify ${JSON.stringify(schema)}`);
}

function readField(name, required, schema, components, owner) {
  const resolved = resolveSchema(schema, components);
  return {
    name,
    member: snake(name),
    required: Boolean(required),
    schema,
    resolved,
    description: resolved.description,
    unit: resolved["x-unit"],
    requiredWithout: resolved["x-requiredWithout"],
    default: required ? undefined : resolved.default,
    ...classify(resolved, components, `${owner}.${name}`),
  };
}

function readRecord(name, components) {
  const schema = components[name];
  const fields = Object.entries(schema.properties).map(([member, one]) =>
    readField(member, schema.required.includes(member), one, components, name),
  );
  return { name, struct: `proto_${snake(name)}`, fields };
}

// The properties that every method must declare, so that no method lacks one.
const PARTS = ["engine", "host"];
const FACTS = ["x-batch", "x-atTick", "x-afterStored", "x-clock", "x-connection"];

function checkFacts(method) {
  if (!Number.isInteger(method["x-cost"])) throw new Error(`${method.name} has no x-cost`);
  if (!PARTS.includes(method["x-part"])) throw new Error(`${method.name} needs x-part: ${PARTS.join(" or ")}`);
  for (const fact of FACTS) if (typeof method[fact] !== "boolean") throw new Error(`${method.name} needs ${fact}: true or false`);
}

// The kinds of things that a command can make: the result has the id under this name.
export const MADE = ["object", "obstacle", "stick", "grab"];

function readMethod(method, components, examples) {
  checkFacts(method);
  const params = method.params.map((one) => readField(one.name, one.required, one.schema, components, method.name));
  // atTick is a member of the command and not of the params' struct, except in batch.run, whose records contain it.
  const waits = method["x-atTick"] && !params.some((field) => field.kind === "commands");
  const fields = waits ? params.filter((field) => field.name !== "atTick") : params;
  const example = examples[method.name];
  for (const name of Object.keys(example.params)) {
    if (!params.some((field) => field.name === name)) throw new Error(`the example of ${method.name} has an unknown ${name}`);
  }
  return {
    name: method.name,
    id: snake(method.name),
    struct: `proto_${snake(method.name)}`,
    summary: method.summary,
    description: method.description,
    kind: method["x-kind"],
    role: method["x-role"],
    cost: method["x-cost"],
    batch: method["x-batch"],
    part: method["x-part"],
    afterStored: method["x-afterStored"],
    clock: method["x-clock"],
    connection: method["x-connection"],
    makes: method["x-kind"] === "change" ? MADE.find((thing) => method.result.schema.properties?.[thing]) : undefined,
    result: method.result.schema,
    tags: method.tags.map(({ $ref }) => $ref.slice("#/components/tags/".length)),
    errors: method.errors.map(({ $ref }) => $ref.slice("#/components/errors/".length)),
    params,
    fields,
    atTick: waits,
    example,
  };
}

// The records that the methods' fields use, nested ones first.
function usedRecords(methods, components) {
  const records = new Map();
  const visit = (field) => {
    if (!field.record || records.has(field.record)) return;
    const record = readRecord(field.record, components);
    record.fields.forEach(visit);
    records.set(field.record, record);
  };
  methods.forEach((method) => method.fields.forEach(visit));
  return [...records.values()];
}

// All enums: the C name, and the JSON names of the values.
function usedEnums(methods, records) {
  const enums = new Map();
  for (const { fields } of [...records, ...methods]) {
    for (const field of fields) {
      if (field.kind === "enum" || field.kind === "mask") enums.set(snake(field.enumName), field.names);
    }
  }
  return [...enums].map(([name, names]) => ({ name, names }));
}

export function readModel(document, examples) {
  const components = document.components.schemas;
  const methods = document.methods.map((method) => readMethod(method, components, examples));
  const records = usedRecords(methods, components);
  const sheetPins = components.SheetPins.oneOf[0].enum;
  const notifications = document["x-events"];
  const events = notifications.filter((event) => event["x-subscribed"] !== false);
  const eventNames = components.EventName.enum;
  if (events.map((event) => event.name).join() !== eventNames.join()) throw new Error("x-events and EventName differ");
  return { document, components, methods, records, enums: usedEnums(methods, records), sheetPins, notifications, events, errors: document["x-errors"] };
}

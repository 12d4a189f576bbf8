// SPDX-License-Identifier: MIT
// Generates the JavaScript files: a module of names and codes, and the TypeScript types of parameters, results and events.
import { pascal } from "./model.mjs";

const MARK = `// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run \`make generate\`.
`;

export function scriptModule(model) {
  const methods = model.methods.map(
    ({ name, kind, role, batch }) => `  "${name}": Object.freeze({ kind: "${kind}", role: "${role}", batch: ${batch} }),\n`,
  );
  const errors = model.errors.map((error) => `  ${error["x-result"]}: ${error.code},\n`);
  const events = model.events.map((event) => `  "${event.name}",\n`);
  return `${MARK}// The protocol's methods, events and error codes. Their types are in protocol.d.ts.

export const PROTOCOL = 1;
export const SUBPROTOCOL = "weft.v1";

/** Every method: whether it reads, changes or concerns the session, who may call it, whether batch.run may contain it. */
export const METHODS = Object.freeze({
${methods.join("")}});

/** Names of the events for events.subscribe. */
export const EVENTS = Object.freeze([
${events.join("")}]);

/** Codes of the errors. */
export const ERRORS = Object.freeze({
${errors.join("")}});
`;
}

/** The examples that the reference page shows and runs, one per method. */
export function scriptExamples(model) {
  const examples = model.methods.map(({ name, example }) => `  "${name}": ${JSON.stringify(example)},\n`);
  return `${MARK}// An example of every method: params and result. Run in this order, they build a world, in which the cloth is object 1.

export const EXAMPLES = {
${examples.join("")}};
`;
}

const PREFIX = "#/components/schemas/";

// Converts a JSON schema to a TypeScript type.
function type(schema) {
  if (schema.$ref) return schema.$ref.slice(PREFIX.length);
  if (schema.oneOf) return schema.oneOf.map(type).join(" | ");
  if (schema.enum) return schema.enum.map((name) => JSON.stringify(name)).join(" | ");
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      if (schema.maxItems <= 4) return `[${Array(schema.maxItems).fill(type(schema.items)).join(", ")}]`;
      return /[ |]/.test(type(schema.items)) ? `(${type(schema.items)})[]` : `${type(schema.items)}[]`;
    case "object":
      return schema.properties ? objectType(schema, "") : "Record<string, unknown>";
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

const note = (schema, components) => {
  const resolved = schema.$ref ? { ...components[schema.$ref.slice(PREFIX.length)], ...schema } : schema;
  const parts = [resolved.description, resolved["x-unit"] && resolved["x-unit"] !== "1" && `In ${resolved["x-unit"]}.`];
  if (resolved.default !== undefined) parts.push(`Default ${JSON.stringify(resolved.default)}.`);
  return parts.filter(Boolean).join(" ");
};

function objectType(schema, indent) {
  const members = Object.entries(schema.properties).map(
    ([name, one]) => `${indent}  ${name}${schema.required && !schema.required.includes(name) ? "?" : ""}: ${type(one)};`,
  );
  return members.length > 0 ? `{\n${members.join("\n")}\n${indent}}` : "Record<string, never>";
}

function paramsType(method, components) {
  if (method.params.length === 0) return `export type ${pascal(method.name)}Params = Record<string, never>;\n`;
  const members = method.params.map((field) => {
    const text = note(field.schema, components);
    return `${text ? `  /** ${text} */\n` : ""}  ${field.name}${field.required ? "" : "?"}: ${type(field.schema)};\n`;
  });
  return `/** ${method.summary}${method.description ? ` ${method.description}` : ""} */\nexport interface ${pascal(method.name)}Params {\n${members.join("")}}\n`;
}

export function scriptTypes(model) {
  const { components, methods, notifications } = model;
  const shared = Object.entries(components).filter(([name]) => name !== "Notification").map(([name, schema]) => {
    const text = note(schema, {});
    return `${text ? `/** ${text} */\n` : ""}export type ${name} = ${type(schema)};\n`;
  });
  const codes = model.errors.map((error) => `  readonly ${error["x-result"]}: ${error.code};\n`);
  return `${MARK}
export declare const PROTOCOL: 1;
export declare const SUBPROTOCOL: "weft.v1";

export interface MethodInfo {
  readonly kind: "read" | "change" | "session";
  readonly role: "viewer" | "editor" | "admin";
  readonly batch: boolean;
}
export declare const METHODS: { readonly [name in MethodName]: MethodInfo };
export declare const EVENTS: readonly EventName[];
export declare const ERRORS: {
${codes.join("")}};

${shared.join("\n")}
${methods.map((method) => `${paramsType(method, components)}export type ${pascal(method.name)}Result = ${type(method.result)};\n`).join("\n")}
export interface Methods {
${methods.map(({ name }) => `  "${name}": { params: ${pascal(name)}Params; result: ${pascal(name)}Result };\n`).join("")}}
export type MethodName = keyof Methods;

/** Params of the notifications that the server sends. */
export interface Events {
${notifications.map((event) => `  "${event.name}": ${objectType(event.params, "  ")};\n`).join("")}}
/** A notification; \`method\` tells which one. */
export type Notification = { [name in keyof Events]: { jsonrpc: "2.0"; method: name; params: Events[name] } }[keyof Events];
`;
}

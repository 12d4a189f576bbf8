// SPDX-License-Identifier: MIT
// Generates the Python package's methods (proto/python/src/weft_world): one for each method of the protocol, for worlds of this process
// and of a server alike, with and without `await`; their declarations with types (.pyi); and the types of results.
//
// The rule for names: NOUN.spawn and NOUN.add are NOUN, and return a handle of what they make; world.VERB is VERB; any other NOUN.VERB
// is NOUN_VERB. A handle has the methods that are about it, without that argument: those of its own noun and of `particle` are VERB (of two
// with the same verb, that of the own noun), others NOUN_VERB. Arguments are written in snake case.
import { MADE, pascal, resolveSchema, snake, upper } from "./model.mjs";

const HEAD = `# SPDX-License-Identifier: MIT
# Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run \`make generate\`.
`;
const PREFIX = "#/components/schemas/";
// Methods that the package's classes have under these names with a meaning of their own, built on the method of the protocol.
const BY_HAND = new Set(["world.step", "world.branch", "world.seek", "world.contacts", "frames.subscribe", "frames.unsubscribe"]);
const KEYWORDS = new Set(["from", "import", "in", "is", "not", "or", "and", "if", "as", "class", "def", "del", "for", "global", "lambda", "pass", "try", "while", "with"]);
const HANDLES = { object: "Object", obstacle: "Obstacle", stick: "Stick", grab: "Grab" };
const ERRORS = {
  PARSE: "ParseError", REQUEST: "RequestError", METHOD: "MethodError", INVALID: "InvalidError", INTERNAL: "InternalError", BUSY: "BusyError",
  DENIED: "DeniedError", NOT_FOUND: "NotFoundError", LIMIT: "LimitError", STATE: "StateError", RATE: "RateError", FROZEN: "FrozenError",
};
const WIDTH = 100;

const escape = (name) => (KEYWORDS.has(name) ? `${name}_` : name);
const argument = (name) => escape(snake(name));

/** The name of a method of a world. */
function worldName(name) {
  const [noun, verb] = name.split(".");
  if (verb === "spawn" || verb === "add") return noun;
  return noun === "world" ? escape(snake(verb)) : `${noun}_${snake(verb)}`;
}

/** The methods of a handle: pairs of name and method. */
function handleMethods(thing, methods) {
  const about = methods.filter(({ params }) => params.some((field) => field.name === thing));
  const rank = ({ name }) => [thing, "particle"].indexOf(name.split(".")[0]);
  const taken = new Set();
  return [thing, "particle", null].flatMap((noun) => about.filter((method) => (noun ? method.name.startsWith(`${noun}.`) : rank(method) < 0)).map((method) => {
    const [own, verb] = method.name.split(".");
    const short = snake(verb);
    const name = noun && !taken.has(short) ? short : `${own}_${short}`;
    taken.add(name);
    return [name, method];
  }));
}

// ---- values and texts

function literal(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `(${value.map(literal).join(", ")}${value.length === 1 ? "," : ""})`;
  return JSON.stringify(value);
}

/** Lines of at most WIDTH characters, all but the first indented by `hanging` more. */
function wrap(text, indent, hanging = "") {
  const lines = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    const before = line.trim() === "" ? line : `${line} `;
    if (before.length + word.length > WIDTH && line.trim() !== "") {
      lines.push(line);
      line = `${indent}${hanging}${word}`;
    } else {
      line = before + word;
    }
  }
  return [...lines, line].join("\n");
}

/** Names of parameters in a description, as they are in Python. */
function pythonNames(model) {
  const names = new Set(model.methods.flatMap(({ params }) => params.map(({ name }) => name)).filter((name) => /[A-Z]/.test(name)));
  return (text) => text.replace(/\b[a-z]+[A-Z]\w*\b/g, (word) => (names.has(word) ? snake(word) : word));
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const parts = [];
  if (minimum !== undefined) parts.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined && maximum < 9e15) parts.push(`at most ${maximum}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${exclusiveMaximum}`);
  return parts.join(", ");
}

/** The names that a value may be, and the members that a dictionary may have, of which * marks those that it needs. */
function choicesOf(schema, components) {
  const resolved = resolveSchema(schema, components);
  if (resolved.enum) return `One of ${resolved.enum.map((one) => JSON.stringify(one)).join(", ")}.`;
  if (resolved.type === "array") return choicesOf(resolved.items, components);
  if (resolved.oneOf) return resolved.oneOf.map((one) => choicesOf(one, components)).find(Boolean) ?? "";
  if (resolved.type !== "object" || !resolved.properties) return "";
  return `Members: ${Object.keys(resolved.properties).map((name) => (resolved.required?.includes(name) ? `${name}*` : name)).join(", ")}.`;
}

function describe(field, names, components) {
  const { resolved, unit, description, required } = field;
  const parts = [names(description ?? ""), choicesOf(field.schema, components)];
  if (unit && unit !== "1") parts.push(`In ${unit}.`);
  const range = resolved.type === "number" || resolved.type === "integer" ? rangeOf(resolved) : "";
  if (range) parts.push(`${range[0].toUpperCase()}${range.slice(1)}.`);
  if (!required && field.default !== undefined) parts.push(`Default: ${literal(field.default)}.`);
  return parts.filter(Boolean).join(" ");
}

function docstring(method, fields, { names, model }, indent) {
  const lines = [wrap(`"""${names(method.summary)}`, indent)];
  if (method.description) lines.push("", wrap(names(method.description), indent));
  if (fields.length > 0) lines.push("", `${indent}Args:`, ...fields.map((field) => wrap(`${argument(field.name)}: ${describe(field, names, model.components)}`, `${indent}    `, "    ")));
  if (method.errors.length > 0) lines.push("", wrap(`Raises: ${method.errors.map((one) => ERRORS[upper(one)]).join(", ")}.`, indent, "    "));
  lines.push("", `${indent}Method of the protocol: ${method.name}.`, `${indent}"""`);
  return lines.join("\n").replace(/\\/g, "\\\\");
}

// ---- types

/** A type for arguments. */
function argumentType(schema, model) {
  const { components } = model;
  if (schema.$ref) {
    const name = schema.$ref.slice(PREFIX.length);
    if (name === "ObjectRef") return "Ref";
    if (name === "Id") return "Ref";
    if (components[name].type === "object" && components[name].properties) return `${name}Param`;
    return argumentType(resolveSchema(schema, components), model);
  }
  if (schema.oneOf) return [...new Set(schema.oneOf.map((one) => argumentType(one, model)))].join(" | ");
  if (schema.enum) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(", ")}]`;
  switch (schema.type) {
    case "integer": return "int";
    case "number": return "float";
    case "string": return "str";
    case "boolean": return "bool";
    case "object": return "Mapping[str, Any]";
    case "array": {
      const items = resolveSchema(schema.items, components);
      if (items.type === "integer" && items.component !== "Id") return "Integers";
      if (items.type === "number") return schema.maxItems === 3 ? "Vector" : "Numbers";
      if (items.type === "array") return items.items && resolveSchema(items.items, components).type === "integer" ? "Integers" : "Numbers";
      return `Sequence[${argumentType(schema.items, model)}]`;
    }
    default: throw new Error(`no Python type for ${JSON.stringify(schema)}`);
  }
}

/** Writes the types of results, each object with a name. */
class ResultTypes {
  constructor(components) {
    this.components = components;
    this.texts = [];
    this.known = new Set();
  }

  of(schema, name) {
    if (schema.$ref) return this.component(schema.$ref.slice(PREFIX.length));
    if (schema.oneOf) return [...new Set(schema.oneOf.map((one, index) => this.of(one, `${name}${index === 0 ? "" : index + 1}`)))].join(" | ");
    if (schema.enum) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(", ")}]`;
    switch (schema.type) {
      case "integer": return "int";
      case "number": return "float";
      case "string": return "str";
      case "boolean": return "bool";
      case "null": return "None";
      case "array": return schema.items ? `list[${this.of(schema.items, `${name}Item`)}]` : "list[Any]";
      case "object": return schema.properties ? this.record(schema, name) : "dict[str, Any]";
      default: return "Any";
    }
  }

  component(name) {
    const schema = this.components[name];
    const type = this.of(schema.type === "object" && schema.properties ? { ...schema, title: undefined } : schema, name);
    return type;
  }

  record(schema, name) {
    if (this.known.has(name)) return name;
    this.known.add(name);
    const members = Object.entries(schema.properties).map(([member, one]) => {
      const type = this.of(one, `${name}${pascal(member[0].toUpperCase() + member.slice(1))}`);
      return [member, (schema.required ?? Object.keys(schema.properties)).includes(member) ? type : `NotRequired[${type}]`];
    });
    this.texts.push(typedDict(name, members, schema.description));
    return name;
  }
}

function typedDict(name, members, description) {
  if (members.some(([member]) => KEYWORDS.has(member))) {
    return `${name} = TypedDict(\n    "${name}",\n    {\n${members.map(([member, type]) => `        "${member}": ${quoted(type)},\n`).join("")}    },\n)\n`;
  }
  const doc = description ? `${wrap(`"""${description}"""`, "    ")}\n\n` : "";
  const body = members.map(([member, type]) => `    ${member}: ${type}\n`).join("");
  return `class ${name}(TypedDict):\n${doc}${body || (doc ? "" : "    pass\n")}`;
}

const quoted = (type) => type;

function typesModule(model, results) {
  const { components } = model;
  const records = Object.entries(components).filter(([, schema]) => schema.type === "object" && schema.properties);
  const used = new Set();
  const visit = (schema) => {
    const text = JSON.stringify(schema);
    for (const [name, one] of records) {
      if (!used.has(name) && text.includes(`"${PREFIX}${name}"`)) {
        used.add(name);
        visit(one);
      }
    }
  };
  model.methods.forEach((method) => method.params.forEach(({ schema }) => visit(schema)));
  const params = records.filter(([name]) => used.has(name)).map(([name, schema]) => typedDict(
    `${name}Param`,
    Object.entries(schema.properties).map(([member, one]) => {
      const type = argumentType(one, model);
      return [member, schema.required?.includes(member) ? type : `NotRequired[${type}]`];
    }),
    schema.description,
  ));
  return `${HEAD}"""Types of results, and of arguments that are dictionaries. Their members are named as in the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from weft_world._arguments import Integers, Numbers, Ref, Vector

${[...params, ...results.texts].join("\n\n")}`;
}

// ---- methods

const indentOf = "    ";

/** A method as a call: the text of its module, and that of the .pyi file with its types. */
class MethodText {
  constructor(model, results, isAsync) {
    Object.assign(this, { model, results, isAsync, names: pythonNames(model), prefix: isAsync ? "Async" : "" });
  }

  fieldsOf(method, without) {
    return [...method.params.filter(({ name, required }) => required && name !== without), ...method.params.filter(({ name, required }) => !required && name !== without)];
  }

  /** @param {string} name @param {object} method @param {string} [without] the argument that the handle stands for */
  runtime(name, method, without) {
    const fields = this.fieldsOf(method, without);
    const signature = ["self"];
    fields.forEach((field, index) => {
      if (!field.required && (index === 0 || fields[index - 1].required)) signature.push("*");
      signature.push(field.required ? `${argument(field.name)}=REQUIRED` : `${argument(field.name)}=${field.default === undefined ? "None" : literal(field.default)}`);
    });
    const given = [...(without ? [`"${without}": self.id`] : []), ...fields.map((field) => `"${field.name}": ${argument(field.name)}`)];
    const made = method.makes && MADE.includes(method.makes) ? `self._make("${method.makes}", ` : "self._request(";
    const call = `${made}"${method.name}", {${given.join(", ")}}, unknown)`;
    return `${indentOf}def ${name}(${signature.join(", ")}, **unknown):\n${docstring(method, fields, this, indentOf.repeat(2))}\n${indentOf.repeat(2)}return ${call}\n`;
  }

  declaration(name, method, without) {
    const fields = this.fieldsOf(method, without);
    const signature = ["self"];
    fields.forEach((field, index) => {
      if (!field.required && (index === 0 || fields[index - 1].required)) signature.push("*");
      const type = argumentType(field.schema, this.model) + (this.model.vectorOf[`${method.name}.${field.name}`] ? " | Vector" : "");
      if (field.required) signature.push(`${argument(field.name)}: ${type}`);
      else signature.push(`${argument(field.name)}: ${type}${field.default === undefined ? " | None = None" : ` = ${literal(field.default)}`}`);
    });
    const result = method.makes ? `${this.prefix}${HANDLES[method.makes]}` : this.results.of(method.result, `${pascal(method.name)}Result`);
    return `${indentOf}${this.isAsync ? "async def" : "def"} ${name}(\n${signature.map((one) => `${indentOf.repeat(2)}${one},\n`).join("")}${indentOf}) -> ${typed(result)}: ...\n`;
  }
}

// Types of results are looked up in their module: methods of a class have names such as `list`.
const typed = (type) => type.replace(/\b(list|dict)\[/g, "builtins.$1[");

function classes(text, kind) {
  const { model, prefix } = text;
  const methods = model.methods.filter(({ name }) => !BY_HAND.has(name));
  const world = methods.map((method) => text[kind](worldName(method.name), method));
  const names = methods.map(({ name }) => worldName(name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`two methods of the protocol are named ${twice} in Python`);
  const base = (thing) => `class ${prefix}${thing}Methods:\n`;
  const doc = (sentence) => (kind === "declaration" ? "" : `${indentOf}"""${sentence}"""\n\n`);
  const handles = Object.entries(HANDLES).map(([thing, Handle]) => `${base(Handle)}${doc(`The methods about one ${thing}.`)}${indentOf}id: int\n\n${
    handleMethods(thing, methods).map(([name, method]) => text[kind](name, method, thing)).join("\n")}`);
  return [`${base("World")}${doc("The methods of the protocol.")}${world.join("\n")}`, ...handles].join("\n\n");
}

function methodsModule(text) {
  return `${HEAD}"""The methods of the protocol. Of a Caller they return when the reply has come; of an AsyncCaller they are to be awaited."""

from weft_world._caller import REQUIRED

${classes(text, "runtime")}`;
}

const asyncMethodsModule = () => `${HEAD}"""The methods of the protocol for an AsyncCaller, which makes coroutines of them: only their types differ."""

${["World", ...Object.values(HANDLES)].map((name) => `from weft_world._methods import ${name}Methods as Async${name}Methods\n`).sort().join("")}`;

function methodsDeclarations(text) {
  const body = classes(text, "declaration");
  const all = [...new Set(text.results.texts.flatMap((one) => [/^(?:class )?(\w+)/.exec(one)[1]]))];
  const params = Object.keys(text.model.components).map((name) => `${name}Param`);
  const used = [...all, ...params].filter((name) => new RegExp(`\\b${name}\\b`).test(body)).sort();
  const handles = Object.values(HANDLES).map((name) => `${text.prefix}${name}`).sort();
  return `${HEAD}import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from weft_world._arguments import Integers, Numbers, Ref, Vector
from weft_world._${text.isAsync ? "async_" : ""}handles import ${handles.join(", ")}
from weft_world._types import (
${used.map((name) => `    ${name},\n`).join("")})

${body}`;
}

function protocolModule(model) {
  const rows = model.methods.map(({ name, params }) => {
    const defaults = params.filter((field) => !field.required && field.default !== undefined).map((field) => `"${field.name}": ${literal(field.default)}`);
    return `    "${name}": {${defaults.join(", ")}},\n`;
  });
  const wire = new Set(model.methods.flatMap(({ params }) => params.map(({ name }) => name)).filter((name) => /[A-Z]/.test(name)));
  return `${HEAD}"""Tables of the protocol: versions, defaults of arguments, codes of errors, names of events."""

from __future__ import annotations

from typing import Any

VERSION = "${model.document.info.version}"
PROTOCOL = 1
SUBPROTOCOL = "weft.v1"

# By method: the arguments that have a default, which need not be sent.
DEFAULTS: dict[str, dict[str, Any]] = {
${rows.join("")}}

# Arguments whose only member that is needed is a vector, which may be given alone: the member.
VECTOR_OF: dict[str, str] = {
${Object.entries(model.vectorOf).map(([name, member]) => `    "${name}": "${member}",\n`).join("")}}

# Names of arguments that are written otherwise in the protocol.
WIRE: dict[str, str] = {
${[...wire].sort().map((name) => `    "${snake(name)}": "${name}",\n`).join("")}}

# Codes of errors in replies: the class of weft_world.errors.
ERROR_NAMES: dict[int, str] = {
${model.errors.map((error) => `    ${error.code}: "${ERRORS[error["x-result"]]}",\n`).join("")}}

# Results of weft.h, in their order: the code of the same error in a reply.
RESULT_CODES: dict[str, int] = {
${model.errors.map((error) => `    "${error["x-result"]}": ${error.code},\n`).join("")}}

# What a change makes: the member of its result.
MAKES: dict[str, str] = {
${model.methods.filter(({ makes }) => makes).map(({ name, makes }) => `    "${name}": "${makes}",\n`).join("")}}

EVENTS: tuple[str, ...] = (
${model.events.map(({ name }) => `    "${name}",\n`).join("")})
`;
}

/** Parameters that are records of which only one member, a vector, is needed: "METHOD.PARAMETER" → the member. */
function vectorsOf({ methods, components }) {
  const found = {};
  for (const method of methods) {
    for (const { name, kind, record } of method.params) {
      if (kind !== "record" || components[record].required?.length !== 1) continue;
      const [member] = components[record].required;
      const inner = resolveSchema(components[record].properties[member], components);
      if (inner.type === "array" && inner.minItems === 3 && inner.maxItems === 3) found[`${method.name}.${name}`] = member;
    }
  }
  return found;
}

/** Returns the package's generated files, by their paths below proto/python/src/weft_world. */
export function pythonFiles(readModelResult) {
  const model = { ...readModelResult, vectorOf: vectorsOf(readModelResult) };
  const results = new ResultTypes(model.components);
  const [sync, awaited] = [new MethodText(model, results, false), new MethodText(model, results, true)];
  const files = {
    "_methods.py": methodsModule(sync),
    "_methods.pyi": methodsDeclarations(sync),
    "_async_methods.py": asyncMethodsModule(),
    "_async_methods.pyi": methodsDeclarations(awaited),
    "_protocol.py": protocolModule(model),
  };
  return { ...files, "_types.py": typesModule(model, results) };
}

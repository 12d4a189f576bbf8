// SPDX-License-Identifier: MIT
// Adds the derived parts of weft.openrpc.json, which follow from the document itself and from examples.json: the examples,
// the errors of every method, the errors in OpenRPC's form, and one schema of all notifications. Rejects the document unless
// every result and every event lists its required members.

const PREFIX = "#/components/";
const ERRORS_OF_ALL = ["Request", "Invalid", "Internal", "Busy", "Denied", "Rate"];
// The schemas for the data of errors that are not ErrorData. The data of busy and rate tell when a client may repeat the
// request.
const DATA_OF_ERRORS = { BUSY: "RetryData", RATE: "RetryData", STATE: "StateData" };

// "NOT_FOUND" → "NotFound"
const errorName = (result) => result.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());

function completeErrors(method, names) {
  const listed = (method.errors ?? []).map(({ $ref }) => $ref.slice(`${PREFIX}errors/`.length));
  for (const name of listed) if (!names.includes(name)) throw new Error(`${method.name} names the error ${name}, which is not one of ${names.join(", ")}`);
  const ofChanges = method["x-kind"] === "change" ? ["Frozen"] : [];
  const ofWaiting = method["x-atTick"] ? ["State"] : []; // the world may begin anew before the tick comes
  const all = new Set([...ERRORS_OF_ALL, ...ofChanges, ...ofWaiting, ...listed]);
  return names.filter((name) => all.has(name)).map((name) => ({ $ref: `${PREFIX}errors/${name}` }));
}

function completeExamples(method, example) {
  if (!example) throw new Error(`proto/examples.json has no example of ${method.name}`);
  const params = Object.entries(example.params).map(([name, value]) => ({ name, value }));
  return [{ name: method.name, params, result: { name: "result", value: example.result } }];
}

// Every object must list its required members, or allow any members.
function checkObjects(schema, owner) {
  if (schema.type === "object" && !schema.properties && schema.additionalProperties !== true) {
    throw new Error(`${owner} is an object without a description: give it properties and required, or additionalProperties: true`);
  }
  if (schema.properties && !schema.required) {
    throw new Error(`${owner} has no required: list the members that are always there ([] for none)`);
  }
  for (const name of schema.required ?? []) {
    if (!schema.properties?.[name]) throw new Error(`${owner} requires ${name}, which it does not describe`);
  }
  for (const [name, one] of Object.entries(schema.properties ?? {})) checkObjects(one, `${owner}.${name}`);
  for (const one of schema.oneOf ?? []) checkObjects(one, owner);
  if (schema.items) checkObjects(schema.items, `${owner}[]`);
}

function checkTags(method, tags) {
  const known = Object.keys(tags).map((name) => `${PREFIX}tags/${name}`);
  const named = (method.tags ?? []).map(({ $ref }) => $ref);
  if (named.length === 0 || !named.every((name) => known.includes(name))) {
    throw new Error(`${method.name} needs tags, each a $ref to one of ${known.join(", ")}`);
  }
}

// Methods that can wait for a tick have the parameter `atTick` after their own.
const AT_TICK = { name: "atTick", required: false, schema: { $ref: `${PREFIX}schemas/AtTick` } };
const completeParams = (method) => (method["x-atTick"] ? [...method.params.filter(({ name }) => name !== "atTick"), AT_TICK] : method.params);

function notification({ name, params }) {
  return {
    type: "object",
    properties: { jsonrpc: { type: "string", enum: ["2.0"] }, method: { type: "string", enum: [name] }, params },
    required: ["jsonrpc", "method", "params"],
  };
}

/** Returns the document with the derived parts. */
export function complete(document, examples) {
  const { components } = document;
  const errors = Object.fromEntries(
    document["x-errors"].map((error) => [
      errorName(error["x-result"]),
      {
        code: error.code,
        message: error.message,
        data: { $ref: `${PREFIX}schemas/${DATA_OF_ERRORS[error["x-result"]] ?? "ErrorData"}` },
      },
    ]),
  );
  const methods = document.methods.map((method) => {
    checkObjects(method.result.schema, `the result of ${method.name}`);
    checkTags(method, components.tags);
    const { name, tags, summary, description, paramStructure, params: _params, result, errors: _, examples: __, ...rest } = method;
    return {
      name, tags, summary, ...(description ? { description } : {}), paramStructure, params: completeParams(method), result,
      errors: completeErrors(method, Object.keys(errors)), examples: completeExamples(method, examples[name]), ...rest,
    };
  });
  for (const event of document["x-events"]) checkObjects(event.params, `the event ${event.name}`);
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (name !== "Notification" && name !== "Command") checkObjects(schema, `the schema ${name}`);
  }
  const Notification = {
    title: "Notification",
    description: "An event, which the server sends without a request; `method` is its name.",
    oneOf: document["x-events"].map(notification),
  };
  return { ...document, methods, components: { ...components, errors, schemas: { ...components.schemas, Notification } } };
}

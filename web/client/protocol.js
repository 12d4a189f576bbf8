// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
// What a client must know of the protocol: its methods, events and error codes. The types stand in protocol.d.ts.

export const PROTOCOL = 1;
export const SUBPROTOCOL = "weft.v1";

/** Every method: whether it reads, changes or concerns the session, who may call it, whether it may stand in batch.run. */
export const METHODS = Object.freeze({
  "cloth.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "mesh.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particles.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "rope.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "body.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "plant.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "ragdoll.spawn": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "stick.add": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "stick.remove": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "obstacle.add": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "obstacle.remove": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "object.list": Object.freeze({ kind: "read", role: "viewer", batch: false }),
  "object.get": Object.freeze({ kind: "read", role: "viewer", batch: false }),
  "object.remove": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particle.pin": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particle.unpin": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particle.set": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particle.move": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "particle.read": Object.freeze({ kind: "read", role: "viewer", batch: false }),
  "force.apply": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "grab.start": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "grab.move": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "grab.end": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "world.get": Object.freeze({ kind: "read", role: "viewer", batch: false }),
  "world.set": Object.freeze({ kind: "change", role: "editor", batch: true }),
  "world.pause": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "world.resume": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "world.step": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "world.reset": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "batch.run": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "frames.subscribe": Object.freeze({ kind: "session", role: "viewer", batch: false }),
  "frames.unsubscribe": Object.freeze({ kind: "session", role: "viewer", batch: false }),
  "events.subscribe": Object.freeze({ kind: "session", role: "viewer", batch: false }),
  "events.unsubscribe": Object.freeze({ kind: "session", role: "viewer", batch: false }),
  "pointer.move": Object.freeze({ kind: "session", role: "viewer", batch: false }),
  "scene.list": Object.freeze({ kind: "read", role: "viewer", batch: false }),
  "scene.load": Object.freeze({ kind: "change", role: "editor", batch: false }),
  "scene.save": Object.freeze({ kind: "read", role: "editor", batch: false }),
  "rpc.discover": Object.freeze({ kind: "session", role: "viewer", batch: false }),
});

/** Names of the events that events.subscribe knows. */
export const EVENTS = Object.freeze([
  "object.added",
  "object.removed",
  "obstacle.added",
  "obstacle.removed",
  "stick.added",
  "stick.removed",
  "particle.pinned",
  "particle.unpinned",
  "grab.started",
  "grab.ended",
  "world.changed",
  "client.joined",
  "client.left",
  "pointer.moved",
  "stick.broken",
  "body.quarantined",
  "object.slept",
  "object.woke",
  "frames.paced",
]);

/** Codes of the errors. */
export const ERRORS = Object.freeze({
  PARSE: -32700,
  REQUEST: -32600,
  METHOD: -32601,
  INVALID: -32602,
  INTERNAL: -32603,
  BUSY: -32000,
  DENIED: -32001,
  NOT_FOUND: -32002,
  LIMIT: -32003,
  STATE: -32004,
  RATE: -32005,
});

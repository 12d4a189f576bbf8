// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
// The tables behind methods.h and field.h.
#include "proto/gen/methods.h"

#include "proto/field.h"

// clang-format off

const char *const proto_role_names[PROTO_ROLE_COUNT] = {"none", "viewer", "editor", "admin"};

const struct proto_method_info proto_methods[PROTO_METHOD_COUNT] = {
    [PROTO_METHOD_CLOTH_SPAWN] = {.name = "cloth.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 10, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_MESH_SPAWN] = {.name = "mesh.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 10, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLES_SPAWN] = {.name = "particles.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 5, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_ROPE_SPAWN] = {.name = "rope.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 5, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_BODY_SPAWN] = {.name = "body.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 5, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_PLANT_SPAWN] = {.name = "plant.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 5, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_RAGDOLL_SPAWN] = {.name = "ragdoll.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 10, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_SOFT_SPAWN] = {.name = "soft.spawn", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 10, .makes = PROTO_MAKES_OBJECT, .batch = true, .at_tick = true},
    [PROTO_METHOD_STICK_ADD] = {.name = "stick.add", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .makes = PROTO_MAKES_STICK, .batch = true, .at_tick = true},
    [PROTO_METHOD_STICK_SET] = {.name = "stick.set", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_STICK_REMOVE] = {.name = "stick.remove", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_OBSTACLE_ADD] = {.name = "obstacle.add", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 5, .makes = PROTO_MAKES_OBSTACLE, .batch = true, .at_tick = true},
    [PROTO_METHOD_OBSTACLE_REMOVE] = {.name = "obstacle.remove", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_OBSTACLE_SET] = {.name = "obstacle.set", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_OBJECT_LIST] = {.name = "object.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5},
    [PROTO_METHOD_OBJECT_GET] = {.name = "object.get", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 2},
    [PROTO_METHOD_OBJECT_REMOVE] = {.name = "object.remove", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_OBJECT_SET] = {.name = "object.set", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 2, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_PIN] = {.name = "particle.pin", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_UNPIN] = {.name = "particle.unpin", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_TEAR] = {.name = "particle.tear", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 20, .batch = true, .at_tick = true},
    [PROTO_METHOD_BLADE_CUT] = {.name = "blade.cut", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 20, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_SET] = {.name = "particle.set", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_MOVE] = {.name = "particle.move", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_PARTICLE_READ] = {.name = "particle.read", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true},
    [PROTO_METHOD_OBJECT_STICKS] = {.name = "object.sticks", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 10, .after_stored = true},
    [PROTO_METHOD_FORCE_APPLY] = {.name = "force.apply", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_GRAB_START] = {.name = "grab.start", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .makes = PROTO_MAKES_GRAB, .at_tick = true},
    [PROTO_METHOD_GRAB_MOVE] = {.name = "grab.move", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .at_tick = true},
    [PROTO_METHOD_GRAB_END] = {.name = "grab.end", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .at_tick = true},
    [PROTO_METHOD_WORLD_GET] = {.name = "world.get", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 10},
    [PROTO_METHOD_WORLD_MEASURE] = {.name = "world.measure", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 20},
    [PROTO_METHOD_WORLD_CONTACTS] = {.name = "world.contacts", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 20, .after_stored = true},
    [PROTO_METHOD_WORLD_SET] = {.name = "world.set", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .batch = true, .at_tick = true},
    [PROTO_METHOD_WORLD_PAUSE] = {.name = "world.pause", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .clock = true},
    [PROTO_METHOD_WORLD_RESUME] = {.name = "world.resume", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1, .clock = true},
    [PROTO_METHOD_WORLD_STEP] = {.name = "world.step", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 1},
    [PROTO_METHOD_WORLD_RESET] = {.name = "world.reset", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 50},
    [PROTO_METHOD_BATCH_RUN] = {.name = "batch.run", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_ENGINE, .cost = 1},
    [PROTO_METHOD_FRAMES_SUBSCRIBE] = {.name = "frames.subscribe", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 20, .after_stored = true, .connection = true},
    [PROTO_METHOD_FRAMES_UNSUBSCRIBE] = {.name = "frames.unsubscribe", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 1, .after_stored = true, .connection = true},
    [PROTO_METHOD_EVENTS_SUBSCRIBE] = {.name = "events.subscribe", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 1, .after_stored = true, .connection = true},
    [PROTO_METHOD_EVENTS_UNSUBSCRIBE] = {.name = "events.unsubscribe", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 1, .after_stored = true, .connection = true},
    [PROTO_METHOD_POINTER_MOVE] = {.name = "pointer.move", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 1, .after_stored = true, .connection = true},
    [PROTO_METHOD_CLIENT_INTRODUCE] = {.name = "client.introduce", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true, .connection = true},
    [PROTO_METHOD_PEOPLE_LIST] = {.name = "people.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5},
    [PROTO_METHOD_HAND_RAISE] = {.name = "hand.raise", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true, .connection = true},
    [PROTO_METHOD_HAND_LOWER] = {.name = "hand.lower", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true, .connection = true},
    [PROTO_METHOD_PEOPLE_GRANT] = {.name = "people.grant", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 1, .after_stored = true},
    [PROTO_METHOD_PEOPLE_REMOVE] = {.name = "people.remove", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 1, .after_stored = true},
    [PROTO_METHOD_SELECTION_SHOW] = {.name = "selection.show", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 2, .after_stored = true, .connection = true},
    [PROTO_METHOD_SCENE_LIST] = {.name = "scene.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 20, .after_stored = true},
    [PROTO_METHOD_SCENE_PREVIEW] = {.name = "scene.preview", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 400, .after_stored = true},
    [PROTO_METHOD_SCENE_LOAD] = {.name = "scene.load", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 100},
    [PROTO_METHOD_SCENE_SAVE] = {.name = "scene.save", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 100, .after_stored = true},
    [PROTO_METHOD_SCENE_DELETE] = {.name = "scene.delete", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 100, .after_stored = true},
    [PROTO_METHOD_RPC_DISCOVER] = {.name = "rpc.discover", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 20, .after_stored = true},
    [PROTO_METHOD_SESSION_AUTHENTICATE] = {.name = "session.authenticate", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_NONE, .part = PROTO_PART_HOST, .cost = 20, .after_stored = true, .connection = true},
    [PROTO_METHOD_SESSION_RESUME] = {.name = "session.resume", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 10, .after_stored = true, .connection = true},
    [PROTO_METHOD_WORLD_HISTORY] = {.name = "world.history", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 100, .after_stored = true},
    [PROTO_METHOD_WORLD_LOG] = {.name = "world.log", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 100, .after_stored = true},
    [PROTO_METHOD_WORLD_SEEK] = {.name = "world.seek", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 500},
    [PROTO_METHOD_WORLD_REPLAY] = {.name = "world.replay", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 20},
    [PROTO_METHOD_WORLD_UNDO] = {.name = "world.undo", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 500, .connection = true},
    [PROTO_METHOD_WORLD_REDO] = {.name = "world.redo", .kind = PROTO_KIND_CHANGE, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 500, .connection = true},
    [PROTO_METHOD_WORLD_CANCEL] = {.name = "world.cancel", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 1, .after_stored = true},
    [PROTO_METHOD_SERVER_GET] = {.name = "server.get", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 10},
    [PROTO_METHOD_CLIENT_LIST] = {.name = "client.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 20},
    [PROTO_METHOD_CLIENT_CLOSE] = {.name = "client.close", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 1, .after_stored = true},
    [PROTO_METHOD_NODE_LIST] = {.name = "node.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 5},
    [PROTO_METHOD_NODE_DRAIN] = {.name = "node.drain", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 5, .after_stored = true},
    [PROTO_METHOD_WORLD_LIST] = {.name = "world.list", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_HOST, .cost = 5, .after_stored = true},
    [PROTO_METHOD_WORLD_CREATE] = {.name = "world.create", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 1000, .after_stored = true},
    [PROTO_METHOD_WORLD_BRANCH] = {.name = "world.branch", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 1000, .after_stored = true},
    [PROTO_METHOD_WORLD_COPY] = {.name = "world.copy", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 100, .after_stored = true},
    [PROTO_METHOD_WORLD_REMOVE] = {.name = "world.remove", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 200, .after_stored = true},
    [PROTO_METHOD_WORLD_EXPORT] = {.name = "world.export", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_EDITOR, .part = PROTO_PART_HOST, .cost = 1000, .after_stored = true},
    [PROTO_METHOD_WORLD_IMPORT] = {.name = "world.import", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 2000, .after_stored = true},
    [PROTO_METHOD_WORLD_FREEZE] = {.name = "world.freeze", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 10, .after_stored = true, .connection = true},
    [PROTO_METHOD_BROADCAST_START] = {.name = "broadcast.start", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 10, .after_stored = true},
    [PROTO_METHOD_BROADCAST_STOP] = {.name = "broadcast.stop", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 10, .after_stored = true},
    [PROTO_METHOD_BROADCAST_GET] = {.name = "broadcast.get", .kind = PROTO_KIND_READ, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_HOST, .cost = 10, .after_stored = true},
    [PROTO_METHOD_VIEW_SHOW] = {.name = "view.show", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_ENGINE, .cost = 10, .after_stored = true},
    [PROTO_METHOD_VIEW_MOVE] = {.name = "view.move", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 1, .after_stored = true, .connection = true},
    [PROTO_METHOD_VIEW_FOLLOW] = {.name = "view.follow", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_VIEWER, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true, .connection = true},
    [PROTO_METHOD_VIEW_PRESENT] = {.name = "view.present", .kind = PROTO_KIND_SESSION, .role = PROTO_ROLE_ADMIN, .part = PROTO_PART_ENGINE, .cost = 5, .after_stored = true, .connection = true},
};

const char *const proto_body_part_shape_names[PROTO_BODY_PART_SHAPE_COUNT] = {
    "box",
    "hull",
    "sphere",
    "capsule",
    "cylinder",
};

const char *const proto_cloth_spawn_mesh_names[PROTO_CLOTH_SPAWN_MESH_COUNT] = {
    "grid",
    "hex",
};

const char *const proto_fabric_names[PROTO_FABRIC_COUNT] = {
    "cotton",
    "denim",
    "polyester",
    "nylon",
    "twill",
    "blanket",
};

const char *const proto_projection_names[PROTO_PROJECTION_COUNT] = {
    "current",
    "start",
};

const char *const proto_rope_spawn_pin_names[PROTO_ROPE_SPAWN_PIN_COUNT] = {
    "start",
    "end",
    "both",
    "none",
};

const char *const proto_body_spawn_shape_names[PROTO_BODY_SPAWN_SHAPE_COUNT] = {
    "tetrahedron",
    "box",
    "hull",
    "frame",
    "sphere",
    "capsule",
    "cylinder",
    "compound",
};

const char *const proto_soft_spawn_shape_names[PROTO_SOFT_SPAWN_SHAPE_COUNT] = {
    "box",
    "ball",
    "tetrahedra",
};

const char *const proto_stick_add_kind_names[PROTO_STICK_ADD_KIND_COUNT] = {
    "equal",
    "atMost",
    "atLeast",
};

const char *const proto_stick_set_kind_names[PROTO_STICK_SET_KIND_COUNT] = {
    "equal",
    "atMost",
    "atLeast",
};

const char *const proto_obstacle_add_shape_names[PROTO_OBSTACLE_ADD_SHAPE_COUNT] = {
    "sphere",
    "box",
    "plane",
    "capsule",
    "heightfield",
    "mesh",
};

const char *const proto_particle_move_mode_names[PROTO_PARTICLE_MOVE_MODE_COUNT] = {
    "teleport",
    "push",
};

const char *const proto_world_set_square_root_names[PROTO_WORLD_SET_SQUARE_ROOT_COUNT] = {
    "exact",
    "approximate",
};

const char *const proto_frames_subscribe_encoding_names[PROTO_FRAMES_SUBSCRIBE_ENCODING_COUNT] = {
    "grid",
    "raw",
    "motion",
    "ticks",
};

const char *const proto_event_names[PROTO_EVENT_NAME_COUNT] = {
    "object.added",
    "object.removed",
    "object.changed",
    "obstacle.added",
    "obstacle.removed",
    "obstacle.changed",
    "stick.added",
    "stick.changed",
    "stick.removed",
    "particle.pinned",
    "particle.unpinned",
    "grab.started",
    "grab.ended",
    "undo.progress",
    "commands.lost",
    "world.changed",
    "client.joined",
    "client.left",
    "client.changed",
    "selection.changed",
    "pointer.moved",
    "stick.broken",
    "body.quarantined",
    "object.slept",
    "object.woke",
    "frames.paced",
    "view.shown",
    "view.moved",
};

const char *const proto_people_grant_role_names[PROTO_PEOPLE_GRANT_ROLE_COUNT] = {
    "viewer",
    "editor",
};

static const char *const sheet_pins_names[] = {
    "topCorners",
    "corners",
    "topEdge",
    "none",
};

static const struct proto_body_part body_part_initial = {
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .density = 1.0f,
};
static const struct proto_field body_part_fields[] = {
    {.name = "shape", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_body_part, shape), .required = true, .names = proto_body_part_shape_names, .name_count = 5u},
    {.name = "size", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_body_part, size), .has_offset = offsetof(struct proto_body_part, has_size), .minimum = 0.001, .maximum = 1000.0, .unit = "m"},
    {.name = "vertices", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_body_part, vertices), .has_offset = offsetof(struct proto_body_part, has_vertices), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_part, radius), .has_offset = offsetof(struct proto_body_part, has_radius), .minimum = 0.0005, .maximum = 1000.0, .unit = "m"},
    {.name = "length", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_part, length), .has_offset = offsetof(struct proto_body_part, has_length), .minimum = 0.001, .maximum = 1000.0, .unit = "m"},
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_part, height), .has_offset = offsetof(struct proto_body_part, has_height), .minimum = 0.001, .maximum = 1000.0, .unit = "m"},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_body_part, position), .has_offset = offsetof(struct proto_body_part, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_body_part, rotation), .has_offset = offsetof(struct proto_body_part, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "density", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_part, density), .has_offset = offsetof(struct proto_body_part, has_density), .minimum = 0.000001, .maximum = 1000000000.0},
    {.name = "share", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_part, share), .has_offset = offsetof(struct proto_body_part, has_share), .minimum = 0.000001, .maximum = 1000000000.0},
};
static const struct proto_record body_part_record = {.fields = body_part_fields, .count = 10u, .size = sizeof(struct proto_body_part), .initial = &body_part_initial};

static const struct proto_field stick_end_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_stick_end, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_stick_end, particle), .has_offset = offsetof(struct proto_stick_end, has_particle), .minimum = 0.0, .maximum = 4294967294.0, .required_without = "point"},
    {.name = "point", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_stick_end, point), .has_offset = offsetof(struct proto_stick_end, has_point), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "anchor", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_stick_end, anchor), .has_offset = offsetof(struct proto_stick_end, has_anchor), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_stick_end, particles), .has_offset = offsetof(struct proto_stick_end, has_particles), .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 4u},
    {.name = "weights", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_stick_end, weights), .has_offset = offsetof(struct proto_stick_end, has_weights), .minimum = -1001.0, .maximum = 1001.0, .least = 1u, .most = 4u},
};
static const struct proto_record stick_end_record = {.fields = stick_end_fields, .count = 6u, .size = sizeof(struct proto_stick_end), .initial = NULL};

static const struct proto_stick_swing stick_swing_initial = {
    .period = 1.0f,
    .phase = 0.0f,
};
static const struct proto_field stick_swing_fields[] = {
    {.name = "amplitude", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_swing, amplitude), .required = true, .minimum = 0.0, .maximum = 100000.0, .unit = "m"},
    {.name = "period", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_swing, period), .has_offset = offsetof(struct proto_stick_swing, has_period), .minimum = 0.001, .maximum = 1000000.0, .unit = "s"},
    {.name = "phase", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_swing, phase), .has_offset = offsetof(struct proto_stick_swing, has_phase), .minimum = -1000000.0, .maximum = 1000000.0},
};
static const struct proto_record stick_swing_record = {.fields = stick_swing_fields, .count = 3u, .size = sizeof(struct proto_stick_swing), .initial = &stick_swing_initial};

static const struct proto_path_point path_point_initial = {
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
};
static const struct proto_field path_point_fields[] = {
    {.name = "time", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_path_point, time), .required = true, .minimum = 0.001, .maximum = 1000000.0, .unit = "s"},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_path_point, position), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_path_point, rotation), .has_offset = offsetof(struct proto_path_point, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
};
static const struct proto_record path_point_record = {.fields = path_point_fields, .count = 3u, .size = sizeof(struct proto_path_point), .initial = &path_point_initial};

static const struct proto_field bounds_fields[] = {
    {.name = "min", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_bounds, min), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "max", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_bounds, max), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record bounds_record = {.fields = bounds_fields, .count = 2u, .size = sizeof(struct proto_bounds), .initial = NULL};

static const struct proto_wind wind_initial = {
    .gust = 0.0f,
};
static const struct proto_field wind_fields[] = {
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_wind, velocity), .required = true, .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "gust", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_wind, gust), .has_offset = offsetof(struct proto_wind, has_gust), .minimum = 0.0, .maximum = 1.0},
};
static const struct proto_record wind_record = {.fields = wind_fields, .count = 2u, .size = sizeof(struct proto_wind), .initial = &wind_initial};

static const struct proto_cloth_spawn cloth_spawn_initial = {
    .spacing = 0.05f,
    .mesh = PROTO_CLOTH_SPAWN_MESH_GRID,
    .shear = true,
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .pin = {.choice = PROTO_SHEET_PINS_TOP_CORNERS},
    .friction = 0.5f,
    .restitution = 0.0f,
    .stretch_compliance = 0.0f,
    .bend = false,
    .bend_compliance = 0.0f,
    .tethers = false,
    .thickness = 0.0f,
    .self_collision = false,
    .projection = PROTO_PROJECTION_CURRENT,
};
static const struct proto_field cloth_spawn_fields[] = {
    {.name = "columns", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_cloth_spawn, columns), .required = true, .minimum = 2.0, .maximum = 4096.0},
    {.name = "rows", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_cloth_spawn, rows), .required = true, .minimum = 2.0, .maximum = 4096.0},
    {.name = "spacing", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, spacing), .has_offset = offsetof(struct proto_cloth_spawn, has_spacing), .minimum = 0.0001, .maximum = 1000.0, .unit = "m"},
    {.name = "mesh", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_cloth_spawn, mesh), .has_offset = offsetof(struct proto_cloth_spawn, has_mesh), .names = proto_cloth_spawn_mesh_names, .name_count = 2u},
    {.name = "shear", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, shear), .has_offset = offsetof(struct proto_cloth_spawn, has_shear)},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_cloth_spawn, position), .has_offset = offsetof(struct proto_cloth_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_cloth_spawn, rotation), .has_offset = offsetof(struct proto_cloth_spawn, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "pin", .type = PROTO_TYPE_SHEET_PINS, .offset = offsetof(struct proto_cloth_spawn, pin), .has_offset = offsetof(struct proto_cloth_spawn, has_pin), .minimum = 0.0, .maximum = 4294967294.0, .least = 0u, .most = 1000000u, .names = sheet_pins_names, .name_count = 4u},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, mass), .has_offset = offsetof(struct proto_cloth_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "arealDensity", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, areal_density), .has_offset = offsetof(struct proto_cloth_spawn, has_areal_density), .minimum = 0.0, .maximum = 10000.0, .above = true, .unit = "kg/m²"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_cloth_spawn, masses), .has_offset = offsetof(struct proto_cloth_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, friction), .has_offset = offsetof(struct proto_cloth_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, restitution), .has_offset = offsetof(struct proto_cloth_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "stretchCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, stretch_compliance), .has_offset = offsetof(struct proto_cloth_spawn, has_stretch_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "bend", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, bend), .has_offset = offsetof(struct proto_cloth_spawn, has_bend)},
    {.name = "bendCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, bend_compliance), .has_offset = offsetof(struct proto_cloth_spawn, has_bend_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "fabric", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_cloth_spawn, fabric), .has_offset = offsetof(struct proto_cloth_spawn, has_fabric), .names = proto_fabric_names, .name_count = 6u},
    {.name = "stretchWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, stretch_warp), .has_offset = offsetof(struct proto_cloth_spawn, has_stretch_warp), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "stretchWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, stretch_weft), .has_offset = offsetof(struct proto_cloth_spawn, has_stretch_weft), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "shearStiffness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, shear_stiffness), .has_offset = offsetof(struct proto_cloth_spawn, has_shear_stiffness), .minimum = 0.01, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "bendWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, bend_warp), .has_offset = offsetof(struct proto_cloth_spawn, has_bend_warp), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "bendWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, bend_weft), .has_offset = offsetof(struct proto_cloth_spawn, has_bend_weft), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "creaseCurvature", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, crease_curvature), .has_offset = offsetof(struct proto_cloth_spawn, has_crease_curvature), .minimum = 0.001, .maximum = 100000.0, .unit = "1/m"},
    {.name = "tethers", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, tethers), .has_offset = offsetof(struct proto_cloth_spawn, has_tethers)},
    {.name = "tear", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, tear), .has_offset = offsetof(struct proto_cloth_spawn, has_tear), .minimum = 1.0, .maximum = 1000.0, .above = true},
    {.name = "tearForce", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, tear_force), .has_offset = offsetof(struct proto_cloth_spawn, has_tear_force), .minimum = 0.000001, .maximum = 1000000000.0, .unit = "N"},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, thickness), .has_offset = offsetof(struct proto_cloth_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "selfCollision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, self_collision), .has_offset = offsetof(struct proto_cloth_spawn, has_self_collision)},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_cloth_spawn, projection), .has_offset = offsetof(struct proto_cloth_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_cloth_spawn, color), .has_offset = offsetof(struct proto_cloth_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_cloth_spawn, name), .has_offset = offsetof(struct proto_cloth_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record cloth_spawn_record = {.fields = cloth_spawn_fields, .count = 31u, .size = sizeof(struct proto_cloth_spawn), .initial = &cloth_spawn_initial};

static const struct proto_mesh_spawn mesh_spawn_initial = {
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .pin = {.choice = PROTO_SHEET_PINS_NONE},
    .friction = 0.5f,
    .restitution = 0.0f,
    .stretch_compliance = 0.0f,
    .bend = false,
    .bend_compliance = 0.0f,
    .tethers = false,
    .thickness = 0.0f,
    .self_collision = false,
    .projection = PROTO_PROJECTION_CURRENT,
    .supplied = false,
};
static const struct proto_field mesh_spawn_fields[] = {
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_mesh_spawn, positions), .required = true, .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "triangles", .type = PROTO_TYPE_INDEX_TRIPLES, .offset = offsetof(struct proto_mesh_spawn, triangles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 3u, .most = 6000000u},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_mesh_spawn, position), .has_offset = offsetof(struct proto_mesh_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_mesh_spawn, rotation), .has_offset = offsetof(struct proto_mesh_spawn, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "pin", .type = PROTO_TYPE_SHEET_PINS, .offset = offsetof(struct proto_mesh_spawn, pin), .has_offset = offsetof(struct proto_mesh_spawn, has_pin), .minimum = 0.0, .maximum = 4294967294.0, .least = 0u, .most = 1000000u, .names = sheet_pins_names, .name_count = 4u},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, mass), .has_offset = offsetof(struct proto_mesh_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "arealDensity", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, areal_density), .has_offset = offsetof(struct proto_mesh_spawn, has_areal_density), .minimum = 0.0, .maximum = 10000.0, .above = true, .unit = "kg/m²"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_mesh_spawn, masses), .has_offset = offsetof(struct proto_mesh_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, friction), .has_offset = offsetof(struct proto_mesh_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, restitution), .has_offset = offsetof(struct proto_mesh_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "stretchCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, stretch_compliance), .has_offset = offsetof(struct proto_mesh_spawn, has_stretch_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "bend", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, bend), .has_offset = offsetof(struct proto_mesh_spawn, has_bend)},
    {.name = "bendCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, bend_compliance), .has_offset = offsetof(struct proto_mesh_spawn, has_bend_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "fabric", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_mesh_spawn, fabric), .has_offset = offsetof(struct proto_mesh_spawn, has_fabric), .names = proto_fabric_names, .name_count = 6u},
    {.name = "stretchWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, stretch_warp), .has_offset = offsetof(struct proto_mesh_spawn, has_stretch_warp), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "stretchWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, stretch_weft), .has_offset = offsetof(struct proto_mesh_spawn, has_stretch_weft), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "shearStiffness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, shear_stiffness), .has_offset = offsetof(struct proto_mesh_spawn, has_shear_stiffness), .minimum = 0.01, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "bendWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, bend_warp), .has_offset = offsetof(struct proto_mesh_spawn, has_bend_warp), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "bendWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, bend_weft), .has_offset = offsetof(struct proto_mesh_spawn, has_bend_weft), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "creaseCurvature", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, crease_curvature), .has_offset = offsetof(struct proto_mesh_spawn, has_crease_curvature), .minimum = 0.001, .maximum = 100000.0, .unit = "1/m"},
    {.name = "tethers", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, tethers), .has_offset = offsetof(struct proto_mesh_spawn, has_tethers)},
    {.name = "tear", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, tear), .has_offset = offsetof(struct proto_mesh_spawn, has_tear), .minimum = 1.0, .maximum = 1000.0, .above = true},
    {.name = "tearForce", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, tear_force), .has_offset = offsetof(struct proto_mesh_spawn, has_tear_force), .minimum = 0.000001, .maximum = 1000000000.0, .unit = "N"},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, thickness), .has_offset = offsetof(struct proto_mesh_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "selfCollision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, self_collision), .has_offset = offsetof(struct proto_mesh_spawn, has_self_collision)},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_mesh_spawn, projection), .has_offset = offsetof(struct proto_mesh_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "pressure", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, pressure), .has_offset = offsetof(struct proto_mesh_spawn, has_pressure), .minimum = -100000.0, .maximum = 1000000.0, .unit = "Pa"},
    {.name = "supplied", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, supplied), .has_offset = offsetof(struct proto_mesh_spawn, has_supplied)},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_mesh_spawn, color), .has_offset = offsetof(struct proto_mesh_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_mesh_spawn, name), .has_offset = offsetof(struct proto_mesh_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record mesh_spawn_record = {.fields = mesh_spawn_fields, .count = 30u, .size = sizeof(struct proto_mesh_spawn), .initial = &mesh_spawn_initial};

static const struct proto_particles_spawn particles_spawn_initial = {
    .radius = 0.05f,
    .collision = false,
    .friction = 0.5f,
    .restitution = 0.0f,
};
static const struct proto_field particles_spawn_fields[] = {
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_particles_spawn, positions), .required = true, .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "velocities", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_particles_spawn, velocities), .has_offset = offsetof(struct proto_particles_spawn, has_velocities), .minimum = -1000.0, .maximum = 1000.0, .least = 3u, .most = 3000000u, .unit = "m/s"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_particles_spawn, masses), .has_offset = offsetof(struct proto_particles_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, radius), .has_offset = offsetof(struct proto_particles_spawn, has_radius), .minimum = 0.0, .maximum = 1000.0, .unit = "m"},
    {.name = "collision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_particles_spawn, collision), .has_offset = offsetof(struct proto_particles_spawn, has_collision)},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, friction), .has_offset = offsetof(struct proto_particles_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, restitution), .has_offset = offsetof(struct proto_particles_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_particles_spawn, color), .has_offset = offsetof(struct proto_particles_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_particles_spawn, name), .has_offset = offsetof(struct proto_particles_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record particles_spawn_record = {.fields = particles_spawn_fields, .count = 9u, .size = sizeof(struct proto_particles_spawn), .initial = &particles_spawn_initial};

static const struct proto_rope_spawn rope_spawn_initial = {
    .particles = 20u,
    .mass = 0.5f,
    .pin = PROTO_ROPE_SPAWN_PIN_START,
    .friction = 0.5f,
    .restitution = 0.0f,
    .thickness = 0.0f,
    .collision = false,
    .stretch_compliance = 0.0f,
    .projection = PROTO_PROJECTION_CURRENT,
};
static const struct proto_field rope_spawn_fields[] = {
    {.name = "from", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_rope_spawn, from), .has_offset = offsetof(struct proto_rope_spawn, has_from), .minimum = -100000.0, .maximum = 100000.0, .unit = "m", .required_without = "positions"},
    {.name = "to", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_rope_spawn, to), .has_offset = offsetof(struct proto_rope_spawn, has_to), .minimum = -100000.0, .maximum = 100000.0, .unit = "m", .required_without = "positions"},
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_rope_spawn, positions), .has_offset = offsetof(struct proto_rope_spawn, has_positions), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "particles", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_rope_spawn, particles), .has_offset = offsetof(struct proto_rope_spawn, has_particles), .minimum = 2.0, .maximum = 100000.0},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, mass), .has_offset = offsetof(struct proto_rope_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_rope_spawn, masses), .has_offset = offsetof(struct proto_rope_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "pin", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_rope_spawn, pin), .has_offset = offsetof(struct proto_rope_spawn, has_pin), .names = proto_rope_spawn_pin_names, .name_count = 4u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, friction), .has_offset = offsetof(struct proto_rope_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, restitution), .has_offset = offsetof(struct proto_rope_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, thickness), .has_offset = offsetof(struct proto_rope_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "collision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_rope_spawn, collision), .has_offset = offsetof(struct proto_rope_spawn, has_collision)},
    {.name = "stretchCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, stretch_compliance), .has_offset = offsetof(struct proto_rope_spawn, has_stretch_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "tearForce", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, tear_force), .has_offset = offsetof(struct proto_rope_spawn, has_tear_force), .minimum = 0.000001, .maximum = 1000000000.0, .unit = "N"},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_rope_spawn, projection), .has_offset = offsetof(struct proto_rope_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_rope_spawn, color), .has_offset = offsetof(struct proto_rope_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_rope_spawn, name), .has_offset = offsetof(struct proto_rope_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record rope_spawn_record = {.fields = rope_spawn_fields, .count = 16u, .size = sizeof(struct proto_rope_spawn), .initial = &rope_spawn_initial};

static const struct proto_body_spawn body_spawn_initial = {
    .shape = PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON,
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .velocity = {0.0f, 0.0f, 0.0f},
    .angular_velocity = {0.0f, 0.0f, 0.0f},
    .mass = 1.0f,
    .friction = 0.5f,
    .restitution = 0.0f,
    .projection = PROTO_PROJECTION_START,
};
static const struct proto_field body_spawn_fields[] = {
    {.name = "shape", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_body_spawn, shape), .has_offset = offsetof(struct proto_body_spawn, has_shape), .names = proto_body_spawn_shape_names, .name_count = 8u},
    {.name = "size", .type = PROTO_TYPE_SIZE, .offset = offsetof(struct proto_body_spawn, size), .has_offset = offsetof(struct proto_body_spawn, has_size), .minimum = 0.0001, .maximum = 1000.0, .unit = "m"},
    {.name = "vertices", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_body_spawn, vertices), .has_offset = offsetof(struct proto_body_spawn, has_vertices), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, radius), .has_offset = offsetof(struct proto_body_spawn, has_radius), .minimum = 0.0005, .maximum = 1000.0, .unit = "m"},
    {.name = "length", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, length), .has_offset = offsetof(struct proto_body_spawn, has_length), .minimum = 0.001, .maximum = 1000.0, .unit = "m"},
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, height), .has_offset = offsetof(struct proto_body_spawn, has_height), .minimum = 0.001, .maximum = 1000.0, .unit = "m"},
    {.name = "parts", .type = PROTO_TYPE_RECORDS, .offset = offsetof(struct proto_body_spawn, parts), .has_offset = offsetof(struct proto_body_spawn, has_parts), .least = 1u, .most = 32u, .record = &body_part_record},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_body_spawn, position), .has_offset = offsetof(struct proto_body_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_body_spawn, rotation), .has_offset = offsetof(struct proto_body_spawn, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_body_spawn, velocity), .has_offset = offsetof(struct proto_body_spawn, has_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "angularVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_body_spawn, angular_velocity), .has_offset = offsetof(struct proto_body_spawn, has_angular_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "rad/s"},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, mass), .has_offset = offsetof(struct proto_body_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_body_spawn, masses), .has_offset = offsetof(struct proto_body_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, friction), .has_offset = offsetof(struct proto_body_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_body_spawn, restitution), .has_offset = offsetof(struct proto_body_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_body_spawn, projection), .has_offset = offsetof(struct proto_body_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_body_spawn, color), .has_offset = offsetof(struct proto_body_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_body_spawn, name), .has_offset = offsetof(struct proto_body_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record body_spawn_record = {.fields = body_spawn_fields, .count = 18u, .size = sizeof(struct proto_body_spawn), .initial = &body_spawn_initial};

static const struct proto_plant_spawn plant_spawn_initial = {
    .position = {0.0f, 0.0f, 0.0f},
    .height = 1.0f,
    .levels = 10u,
    .leaves = 4u,
    .mass = 0.3f,
    .stiffness = 0.5f,
    .friction = 0.5f,
};
static const struct proto_field plant_spawn_fields[] = {
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_plant_spawn, position), .has_offset = offsetof(struct proto_plant_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_plant_spawn, height), .has_offset = offsetof(struct proto_plant_spawn, has_height), .minimum = 0.01, .maximum = 100.0, .unit = "m"},
    {.name = "levels", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_plant_spawn, levels), .has_offset = offsetof(struct proto_plant_spawn, has_levels), .minimum = 3.0, .maximum = 64.0},
    {.name = "leaves", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_plant_spawn, leaves), .has_offset = offsetof(struct proto_plant_spawn, has_leaves), .minimum = 0.0, .maximum = 64.0},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_plant_spawn, mass), .has_offset = offsetof(struct proto_plant_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "stiffness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_plant_spawn, stiffness), .has_offset = offsetof(struct proto_plant_spawn, has_stiffness), .minimum = 0.0, .maximum = 1.0},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_plant_spawn, friction), .has_offset = offsetof(struct proto_plant_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_plant_spawn, color), .has_offset = offsetof(struct proto_plant_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_plant_spawn, name), .has_offset = offsetof(struct proto_plant_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record plant_spawn_record = {.fields = plant_spawn_fields, .count = 9u, .size = sizeof(struct proto_plant_spawn), .initial = &plant_spawn_initial};

static const struct proto_ragdoll_spawn ragdoll_spawn_initial = {
    .position = {0.0f, 1.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .velocity = {0.0f, 0.0f, 0.0f},
    .height = 1.7f,
    .mass = 70.0f,
    .friction = 0.5f,
};
static const struct proto_field ragdoll_spawn_fields[] = {
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_ragdoll_spawn, position), .has_offset = offsetof(struct proto_ragdoll_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_ragdoll_spawn, rotation), .has_offset = offsetof(struct proto_ragdoll_spawn, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_ragdoll_spawn, velocity), .has_offset = offsetof(struct proto_ragdoll_spawn, has_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, height), .has_offset = offsetof(struct proto_ragdoll_spawn, has_height), .minimum = 0.01, .maximum = 100.0, .unit = "m"},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, mass), .has_offset = offsetof(struct proto_ragdoll_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, friction), .has_offset = offsetof(struct proto_ragdoll_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_ragdoll_spawn, color), .has_offset = offsetof(struct proto_ragdoll_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_ragdoll_spawn, name), .has_offset = offsetof(struct proto_ragdoll_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record ragdoll_spawn_record = {.fields = ragdoll_spawn_fields, .count = 8u, .size = sizeof(struct proto_ragdoll_spawn), .initial = &ragdoll_spawn_initial};

static const struct proto_soft_spawn soft_spawn_initial = {
    .shape = PROTO_SOFT_SPAWN_SHAPE_BOX,
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .velocity = {0.0f, 0.0f, 0.0f},
    .angular_velocity = {0.0f, 0.0f, 0.0f},
    .young = 20000.0f,
    .poisson = 0.4f,
    .density = 1000.0f,
    .viscosity = 0.002f,
    .pin = {.choice = PROTO_SHEET_PINS_NONE},
    .friction = 0.5f,
    .restitution = 0.0f,
    .thickness = 0.01f,
    .self_collision = false,
    .projection = PROTO_PROJECTION_START,
};
static const struct proto_field soft_spawn_fields[] = {
    {.name = "shape", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_soft_spawn, shape), .has_offset = offsetof(struct proto_soft_spawn, has_shape), .names = proto_soft_spawn_shape_names, .name_count = 3u},
    {.name = "size", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_soft_spawn, size), .has_offset = offsetof(struct proto_soft_spawn, has_size), .minimum = 0.0, .maximum = 100000.0, .above = true, .unit = "m"},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, radius), .has_offset = offsetof(struct proto_soft_spawn, has_radius), .minimum = 0.001, .maximum = 10000.0, .unit = "m"},
    {.name = "cells", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_soft_spawn, cells), .has_offset = offsetof(struct proto_soft_spawn, has_cells), .minimum = 1.0, .maximum = 256.0, .least = 1u, .most = 3u},
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_soft_spawn, positions), .has_offset = offsetof(struct proto_soft_spawn, has_positions), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "tetrahedra", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_soft_spawn, tetrahedra), .has_offset = offsetof(struct proto_soft_spawn, has_tetrahedra), .minimum = 0.0, .maximum = 4294967294.0, .least = 4u, .most = 8000000u},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_soft_spawn, position), .has_offset = offsetof(struct proto_soft_spawn, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_soft_spawn, rotation), .has_offset = offsetof(struct proto_soft_spawn, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_soft_spawn, velocity), .has_offset = offsetof(struct proto_soft_spawn, has_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "angularVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_soft_spawn, angular_velocity), .has_offset = offsetof(struct proto_soft_spawn, has_angular_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "rad/s"},
    {.name = "young", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, young), .has_offset = offsetof(struct proto_soft_spawn, has_young), .minimum = 1.0, .maximum = 1000000000000.0, .unit = "Pa"},
    {.name = "poisson", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, poisson), .has_offset = offsetof(struct proto_soft_spawn, has_poisson), .minimum = 0.0, .maximum = 0.5},
    {.name = "density", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, density), .has_offset = offsetof(struct proto_soft_spawn, has_density), .minimum = 0.001, .maximum = 100000.0, .unit = "kg/m³"},
    {.name = "viscosity", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, viscosity), .has_offset = offsetof(struct proto_soft_spawn, has_viscosity), .minimum = 0.0, .maximum = 10.0, .unit = "s"},
    {.name = "pin", .type = PROTO_TYPE_SHEET_PINS, .offset = offsetof(struct proto_soft_spawn, pin), .has_offset = offsetof(struct proto_soft_spawn, has_pin), .minimum = 0.0, .maximum = 4294967294.0, .least = 0u, .most = 1000000u, .names = sheet_pins_names, .name_count = 4u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, friction), .has_offset = offsetof(struct proto_soft_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, restitution), .has_offset = offsetof(struct proto_soft_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_soft_spawn, thickness), .has_offset = offsetof(struct proto_soft_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "selfCollision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_soft_spawn, self_collision), .has_offset = offsetof(struct proto_soft_spawn, has_self_collision)},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_soft_spawn, projection), .has_offset = offsetof(struct proto_soft_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_soft_spawn, color), .has_offset = offsetof(struct proto_soft_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_soft_spawn, name), .has_offset = offsetof(struct proto_soft_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record soft_spawn_record = {.fields = soft_spawn_fields, .count = 22u, .size = sizeof(struct proto_soft_spawn), .initial = &soft_spawn_initial};

static const struct proto_stick_add stick_add_initial = {
    .kind = PROTO_STICK_ADD_KIND_EQUAL,
    .compliance = 0.0f,
    .projection = PROTO_PROJECTION_START,
};
static const struct proto_field stick_add_fields[] = {
    {.name = "a", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_add, a), .required = true, .record = &stick_end_record},
    {.name = "b", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_add, b), .required = true, .record = &stick_end_record},
    {.name = "restLength", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_add, rest_length), .has_offset = offsetof(struct proto_stick_add, has_rest_length), .minimum = 0.0, .maximum = 100000.0, .unit = "m"},
    {.name = "kind", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_stick_add, kind), .has_offset = offsetof(struct proto_stick_add, has_kind), .names = proto_stick_add_kind_names, .name_count = 3u},
    {.name = "compliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_add, compliance), .has_offset = offsetof(struct proto_stick_add, has_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_stick_add, projection), .has_offset = offsetof(struct proto_stick_add, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "swing", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_add, swing), .has_offset = offsetof(struct proto_stick_add, has_swing), .record = &stick_swing_record},
    {.name = "breakForce", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_add, break_force), .has_offset = offsetof(struct proto_stick_add, has_break_force), .minimum = 0.0, .maximum = 1000000000.0, .unit = "N"},
};
static const struct proto_record stick_add_record = {.fields = stick_add_fields, .count = 8u, .size = sizeof(struct proto_stick_add), .initial = &stick_add_initial};

static const struct proto_field stick_set_fields[] = {
    {.name = "stick", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_stick_set, stick), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "restLength", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_set, rest_length), .has_offset = offsetof(struct proto_stick_set, has_rest_length), .minimum = 0.0, .maximum = 100000.0, .unit = "m"},
    {.name = "rate", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_set, rate), .has_offset = offsetof(struct proto_stick_set, has_rate), .minimum = 0.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "kind", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_stick_set, kind), .has_offset = offsetof(struct proto_stick_set, has_kind), .names = proto_stick_set_kind_names, .name_count = 3u},
    {.name = "compliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_set, compliance), .has_offset = offsetof(struct proto_stick_set, has_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "swing", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_set, swing), .has_offset = offsetof(struct proto_stick_set, has_swing), .record = &stick_swing_record},
    {.name = "breakForce", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_set, break_force), .has_offset = offsetof(struct proto_stick_set, has_break_force), .minimum = 0.0, .maximum = 1000000000.0, .unit = "N"},
};
static const struct proto_record stick_set_record = {.fields = stick_set_fields, .count = 7u, .size = sizeof(struct proto_stick_set), .initial = NULL};

static const struct proto_field stick_remove_fields[] = {
    {.name = "stick", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_stick_remove, stick), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record stick_remove_record = {.fields = stick_remove_fields, .count = 1u, .size = sizeof(struct proto_stick_remove), .initial = NULL};

static const struct proto_obstacle_add obstacle_add_initial = {
    .position = {0.0f, 0.0f, 0.0f},
    .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
    .friction = 0.5f,
    .restitution = 0.0f,
};
static const struct proto_field obstacle_add_fields[] = {
    {.name = "shape", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_obstacle_add, shape), .required = true, .names = proto_obstacle_add_shape_names, .name_count = 6u},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, position), .has_offset = offsetof(struct proto_obstacle_add, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, radius), .has_offset = offsetof(struct proto_obstacle_add, has_radius), .minimum = 0.0, .maximum = 100000.0, .above = true, .unit = "m"},
    {.name = "size", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, size), .has_offset = offsetof(struct proto_obstacle_add, has_size), .minimum = 0.0, .maximum = 100000.0, .above = true, .unit = "m"},
    {.name = "rotation", .type = PROTO_TYPE_QUAT, .offset = offsetof(struct proto_obstacle_add, rotation), .has_offset = offsetof(struct proto_obstacle_add, has_rotation), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "normal", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, normal), .has_offset = offsetof(struct proto_obstacle_add, has_normal), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true},
    {.name = "from", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, from), .has_offset = offsetof(struct proto_obstacle_add, has_from), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "to", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, to), .has_offset = offsetof(struct proto_obstacle_add, has_to), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "columns", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_obstacle_add, columns), .has_offset = offsetof(struct proto_obstacle_add, has_columns), .minimum = 2.0, .maximum = 4096.0},
    {.name = "rows", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_obstacle_add, rows), .has_offset = offsetof(struct proto_obstacle_add, has_rows), .minimum = 2.0, .maximum = 4096.0},
    {.name = "spacing", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, spacing), .has_offset = offsetof(struct proto_obstacle_add, has_spacing), .minimum = 0.0001, .maximum = 1000.0, .unit = "m"},
    {.name = "heights", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_obstacle_add, heights), .has_offset = offsetof(struct proto_obstacle_add, has_heights), .minimum = -100000.0, .maximum = 100000.0, .least = 4u, .most = 1000000u, .unit = "m"},
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_obstacle_add, positions), .has_offset = offsetof(struct proto_obstacle_add, has_positions), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "triangles", .type = PROTO_TYPE_INDEX_TRIPLES, .offset = offsetof(struct proto_obstacle_add, triangles), .has_offset = offsetof(struct proto_obstacle_add, has_triangles), .minimum = 0.0, .maximum = 4294967294.0, .least = 3u, .most = 6000000u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, friction), .has_offset = offsetof(struct proto_obstacle_add, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, restitution), .has_offset = offsetof(struct proto_obstacle_add, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, velocity), .has_offset = offsetof(struct proto_obstacle_add, has_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "angularVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, angular_velocity), .has_offset = offsetof(struct proto_obstacle_add, has_angular_velocity), .minimum = -100.0, .maximum = 100.0, .unit = "rad/s"},
    {.name = "pivot", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, pivot), .has_offset = offsetof(struct proto_obstacle_add, has_pivot), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "surfaceVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_add, surface_velocity), .has_offset = offsetof(struct proto_obstacle_add, has_surface_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "path", .type = PROTO_TYPE_RECORDS, .offset = offsetof(struct proto_obstacle_add, path), .has_offset = offsetof(struct proto_obstacle_add, has_path), .least = 1u, .most = 1024u, .record = &path_point_record},
    {.name = "loop", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_obstacle_add, loop), .has_offset = offsetof(struct proto_obstacle_add, has_loop)},
    {.name = "pathTime", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, path_time), .has_offset = offsetof(struct proto_obstacle_add, has_path_time), .minimum = 0.0, .maximum = 1000000.0, .unit = "s"},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_obstacle_add, color), .has_offset = offsetof(struct proto_obstacle_add, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_obstacle_add, name), .has_offset = offsetof(struct proto_obstacle_add, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record obstacle_add_record = {.fields = obstacle_add_fields, .count = 25u, .size = sizeof(struct proto_obstacle_add), .initial = &obstacle_add_initial};

static const struct proto_field obstacle_remove_fields[] = {
    {.name = "obstacle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_obstacle_remove, obstacle), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record obstacle_remove_record = {.fields = obstacle_remove_fields, .count = 1u, .size = sizeof(struct proto_obstacle_remove), .initial = NULL};

static const struct proto_field obstacle_set_fields[] = {
    {.name = "obstacle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_obstacle_set, obstacle), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_obstacle_set, color), .has_offset = offsetof(struct proto_obstacle_set, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_obstacle_set, name), .has_offset = offsetof(struct proto_obstacle_set, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_set, friction), .has_offset = offsetof(struct proto_obstacle_set, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_set, restitution), .has_offset = offsetof(struct proto_obstacle_set, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "velocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_set, velocity), .has_offset = offsetof(struct proto_obstacle_set, has_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "angularVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_set, angular_velocity), .has_offset = offsetof(struct proto_obstacle_set, has_angular_velocity), .minimum = -100.0, .maximum = 100.0, .unit = "rad/s"},
    {.name = "pivot", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_set, pivot), .has_offset = offsetof(struct proto_obstacle_set, has_pivot), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "surfaceVelocity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_obstacle_set, surface_velocity), .has_offset = offsetof(struct proto_obstacle_set, has_surface_velocity), .minimum = -1000.0, .maximum = 1000.0, .unit = "m/s"},
    {.name = "path", .type = PROTO_TYPE_RECORDS, .offset = offsetof(struct proto_obstacle_set, path), .has_offset = offsetof(struct proto_obstacle_set, has_path), .least = 1u, .most = 1024u, .record = &path_point_record},
    {.name = "loop", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_obstacle_set, loop), .has_offset = offsetof(struct proto_obstacle_set, has_loop)},
    {.name = "pathTime", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_set, path_time), .has_offset = offsetof(struct proto_obstacle_set, has_path_time), .minimum = 0.0, .maximum = 1000000.0, .unit = "s"},
};
static const struct proto_record obstacle_set_record = {.fields = obstacle_set_fields, .count = 12u, .size = sizeof(struct proto_obstacle_set), .initial = NULL};

static const struct proto_record object_list_record = {.fields = NULL};

static const struct proto_field object_get_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_get, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record object_get_record = {.fields = object_get_fields, .count = 1u, .size = sizeof(struct proto_object_get), .initial = NULL};

static const struct proto_field object_remove_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_remove, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record object_remove_record = {.fields = object_remove_fields, .count = 1u, .size = sizeof(struct proto_object_remove), .initial = NULL};

static const struct proto_field object_set_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_set, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_object_set, color), .has_offset = offsetof(struct proto_object_set, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_object_set, name), .has_offset = offsetof(struct proto_object_set, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, friction), .has_offset = offsetof(struct proto_object_set, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, restitution), .has_offset = offsetof(struct proto_object_set, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "stretchCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, stretch_compliance), .has_offset = offsetof(struct proto_object_set, has_stretch_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "bendCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, bend_compliance), .has_offset = offsetof(struct proto_object_set, has_bend_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "stretchWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, stretch_warp), .has_offset = offsetof(struct proto_object_set, has_stretch_warp), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "stretchWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, stretch_weft), .has_offset = offsetof(struct proto_object_set, has_stretch_weft), .minimum = 0.1, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "shearStiffness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, shear_stiffness), .has_offset = offsetof(struct proto_object_set, has_shear_stiffness), .minimum = 0.01, .maximum = 1000000.0, .unit = "N/m"},
    {.name = "bendWarp", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, bend_warp), .has_offset = offsetof(struct proto_object_set, has_bend_warp), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "bendWeft", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, bend_weft), .has_offset = offsetof(struct proto_object_set, has_bend_weft), .minimum = 0.0, .maximum = 10.0, .unit = "N·m"},
    {.name = "young", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, young), .has_offset = offsetof(struct proto_object_set, has_young), .minimum = 1.0, .maximum = 1000000000000.0, .unit = "Pa"},
    {.name = "poisson", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, poisson), .has_offset = offsetof(struct proto_object_set, has_poisson), .minimum = 0.0, .maximum = 0.5},
    {.name = "viscosity", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, viscosity), .has_offset = offsetof(struct proto_object_set, has_viscosity), .minimum = 0.0, .maximum = 10.0, .unit = "s"},
    {.name = "pressure", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, pressure), .has_offset = offsetof(struct proto_object_set, has_pressure), .minimum = -100000.0, .maximum = 1000000.0, .unit = "Pa"},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_object_set, mass), .has_offset = offsetof(struct proto_object_set, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
};
static const struct proto_record object_set_record = {.fields = object_set_fields, .count = 17u, .size = sizeof(struct proto_object_set), .initial = NULL};

static const struct proto_field particle_pin_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_pin, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_pin, particles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_particle_pin, position), .has_offset = offsetof(struct proto_particle_pin, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record particle_pin_record = {.fields = particle_pin_fields, .count = 3u, .size = sizeof(struct proto_particle_pin), .initial = NULL};

static const struct proto_field particle_unpin_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_unpin, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_unpin, particles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
};
static const struct proto_record particle_unpin_record = {.fields = particle_unpin_fields, .count = 2u, .size = sizeof(struct proto_particle_unpin), .initial = NULL};

static const struct proto_field particle_tear_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_tear, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_tear, particles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 256u},
};
static const struct proto_record particle_tear_record = {.fields = particle_tear_fields, .count = 2u, .size = sizeof(struct proto_particle_tear), .initial = NULL};

static const struct proto_field blade_cut_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_blade_cut, object), .has_offset = offsetof(struct proto_blade_cut, has_object), .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "path", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_blade_cut, path), .required = true, .minimum = -100000.0, .maximum = 100000.0, .least = 6u, .most = 768u, .unit = "m"},
    {.name = "farPath", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_blade_cut, far_path), .has_offset = offsetof(struct proto_blade_cut, has_far_path), .minimum = -100000.0, .maximum = 100000.0, .least = 6u, .most = 768u, .unit = "m"},
    {.name = "blade", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_blade_cut, blade), .has_offset = offsetof(struct proto_blade_cut, has_blade), .minimum = -100000.0, .maximum = 100000.0, .non_zero = true, .unit = "m"},
};
static const struct proto_record blade_cut_record = {.fields = blade_cut_fields, .count = 4u, .size = sizeof(struct proto_blade_cut), .initial = NULL};

static const struct proto_field particle_set_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_set, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_set, particles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
    {.name = "inverseMass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particle_set, inverse_mass), .required = true, .minimum = 0.0, .maximum = 1000000000000.0, .unit = "1/kg"},
};
static const struct proto_record particle_set_record = {.fields = particle_set_fields, .count = 3u, .size = sizeof(struct proto_particle_set), .initial = NULL};

static const struct proto_particle_move particle_move_initial = {
    .mode = PROTO_PARTICLE_MOVE_MODE_TELEPORT,
};
static const struct proto_field particle_move_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_move, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_particle_move, particle), .required = true, .minimum = 0.0, .maximum = 4294967294.0},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_particle_move, position), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "mode", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_particle_move, mode), .has_offset = offsetof(struct proto_particle_move, has_mode), .names = proto_particle_move_mode_names, .name_count = 2u},
};
static const struct proto_record particle_move_record = {.fields = particle_move_fields, .count = 4u, .size = sizeof(struct proto_particle_move), .initial = &particle_move_initial};

static const struct proto_field particle_read_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_read, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_read, particles), .has_offset = offsetof(struct proto_particle_read, has_particles), .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
};
static const struct proto_record particle_read_record = {.fields = particle_read_fields, .count = 2u, .size = sizeof(struct proto_particle_read), .initial = NULL};

static const struct proto_object_sticks object_sticks_initial = {
    .from = 0u,
    .most = 4096u,
    .lengths_only = false,
};
static const struct proto_field object_sticks_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_sticks, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "from", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_object_sticks, from), .has_offset = offsetof(struct proto_object_sticks, has_from), .minimum = 0.0, .maximum = 4294967295.0},
    {.name = "most", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_object_sticks, most), .has_offset = offsetof(struct proto_object_sticks, has_most), .minimum = 1.0, .maximum = 65536.0},
    {.name = "lengthsOnly", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_object_sticks, lengths_only), .has_offset = offsetof(struct proto_object_sticks, has_lengths_only)},
};
static const struct proto_record object_sticks_record = {.fields = object_sticks_fields, .count = 4u, .size = sizeof(struct proto_object_sticks), .initial = &object_sticks_initial};

static const struct proto_force_apply force_apply_initial = {
    .ticks = 1u,
};
static const struct proto_field force_apply_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_force_apply, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_force_apply, particles), .has_offset = offsetof(struct proto_force_apply, has_particles), .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
    {.name = "force", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_force_apply, force), .required = true, .minimum = -1000000000.0, .maximum = 1000000000.0, .unit = "N"},
    {.name = "ticks", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_force_apply, ticks), .has_offset = offsetof(struct proto_force_apply, has_ticks), .minimum = 1.0, .maximum = 1000000.0},
};
static const struct proto_record force_apply_record = {.fields = force_apply_fields, .count = 4u, .size = sizeof(struct proto_force_apply), .initial = &force_apply_initial};

static const struct proto_field grab_start_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_grab_start, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_grab_start, particle), .has_offset = offsetof(struct proto_grab_start, has_particle), .minimum = 0.0, .maximum = 4294967294.0},
    {.name = "point", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_grab_start, point), .has_offset = offsetof(struct proto_grab_start, has_point), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record grab_start_record = {.fields = grab_start_fields, .count = 3u, .size = sizeof(struct proto_grab_start), .initial = NULL};

static const struct proto_field grab_move_fields[] = {
    {.name = "grab", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_grab_move, grab), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_grab_move, position), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record grab_move_record = {.fields = grab_move_fields, .count = 2u, .size = sizeof(struct proto_grab_move), .initial = NULL};

static const struct proto_field grab_end_fields[] = {
    {.name = "grab", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_grab_end, grab), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record grab_end_record = {.fields = grab_end_fields, .count = 1u, .size = sizeof(struct proto_grab_end), .initial = NULL};

static const struct proto_record world_get_record = {.fields = NULL};

static const struct proto_record world_measure_record = {.fields = NULL};

static const struct proto_world_contacts world_contacts_initial = {
    .most = 512u,
};
static const struct proto_field world_contacts_fields[] = {
    {.name = "most", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_contacts, most), .has_offset = offsetof(struct proto_world_contacts, has_most), .minimum = 1.0, .maximum = 4096.0},
};
static const struct proto_record world_contacts_record = {.fields = world_contacts_fields, .count = 1u, .size = sizeof(struct proto_world_contacts), .initial = &world_contacts_initial};

static const struct proto_field world_set_fields[] = {
    {.name = "gravity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_world_set, gravity), .has_offset = offsetof(struct proto_world_set, has_gravity), .minimum = -10000.0, .maximum = 10000.0, .unit = "m/s²"},
    {.name = "damping", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, damping), .has_offset = offsetof(struct proto_world_set, has_damping), .minimum = 0.0, .maximum = 1.0, .below = true},
    {.name = "iterations", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_set, iterations), .has_offset = offsetof(struct proto_world_set, has_iterations), .minimum = 1.0, .maximum = 256.0},
    {.name = "substeps", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_set, substeps), .has_offset = offsetof(struct proto_world_set, has_substeps), .minimum = 1.0, .maximum = 64.0},
    {.name = "tolerance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, tolerance), .has_offset = offsetof(struct proto_world_set, has_tolerance), .minimum = 0.0, .maximum = 1.0},
    {.name = "squareRoot", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_world_set, square_root), .has_offset = offsetof(struct proto_world_set, has_square_root), .names = proto_world_set_square_root_names, .name_count = 2u},
    {.name = "bounds", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_world_set, bounds), .has_offset = offsetof(struct proto_world_set, has_bounds), .record = &bounds_record},
    {.name = "wind", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_world_set, wind), .has_offset = offsetof(struct proto_world_set, has_wind), .record = &wind_record},
    {.name = "airDensity", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, air_density), .has_offset = offsetof(struct proto_world_set, has_air_density), .minimum = 0.0, .maximum = 2000.0, .unit = "kg/m³"},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, friction), .has_offset = offsetof(struct proto_world_set, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "sleep", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_set, sleep), .has_offset = offsetof(struct proto_world_set, has_sleep)},
};
static const struct proto_record world_set_record = {.fields = world_set_fields, .count = 11u, .size = sizeof(struct proto_world_set), .initial = NULL};

static const struct proto_record world_pause_record = {.fields = NULL};

static const struct proto_record world_resume_record = {.fields = NULL};

static const struct proto_world_step world_step_initial = {
    .ticks = 1u,
};
static const struct proto_field world_step_fields[] = {
    {.name = "ticks", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_step, ticks), .has_offset = offsetof(struct proto_world_step, has_ticks), .minimum = 1.0, .maximum = 1000000.0},
};
static const struct proto_record world_step_record = {.fields = world_step_fields, .count = 1u, .size = sizeof(struct proto_world_step), .initial = &world_step_initial};

static const struct proto_record world_reset_record = {.fields = NULL};

static const struct proto_field batch_run_fields[] = {
    {.name = "commands", .type = PROTO_TYPE_COMMANDS, .offset = offsetof(struct proto_batch_run, commands), .required = true, .least = 1u, .most = 10000u},
    {.name = "atTick", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_batch_run, at_tick), .has_offset = offsetof(struct proto_batch_run, has_at_tick), .minimum = 1.0, .maximum = 9007199254740991.0},
};
static const struct proto_record batch_run_record = {.fields = batch_run_fields, .count = 2u, .size = sizeof(struct proto_batch_run), .initial = NULL};

static const struct proto_frames_subscribe frames_subscribe_initial = {
    .every_ticks = 1u,
    .encoding = PROTO_FRAMES_SUBSCRIBE_ENCODING_GRID,
    .adapt = false,
    .step = 0.000244140625f,
};
static const struct proto_field frames_subscribe_fields[] = {
    {.name = "everyTicks", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_frames_subscribe, every_ticks), .has_offset = offsetof(struct proto_frames_subscribe, has_every_ticks), .minimum = 1.0, .maximum = 3600.0},
    {.name = "objects", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_frames_subscribe, objects), .has_offset = offsetof(struct proto_frames_subscribe, has_objects), .minimum = 1.0, .maximum = 4294967295.0, .least = 1u, .most = 1000u},
    {.name = "encoding", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_frames_subscribe, encoding), .has_offset = offsetof(struct proto_frames_subscribe, has_encoding), .names = proto_frames_subscribe_encoding_names, .name_count = 4u},
    {.name = "adapt", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_frames_subscribe, adapt), .has_offset = offsetof(struct proto_frames_subscribe, has_adapt)},
    {.name = "step", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_frames_subscribe, step), .has_offset = offsetof(struct proto_frames_subscribe, has_step), .minimum = 0.00006103515625, .maximum = 1.0, .unit = "m"},
};
static const struct proto_record frames_subscribe_record = {.fields = frames_subscribe_fields, .count = 5u, .size = sizeof(struct proto_frames_subscribe), .initial = &frames_subscribe_initial};

static const struct proto_record frames_unsubscribe_record = {.fields = NULL};

static const struct proto_field events_subscribe_fields[] = {
    {.name = "events", .type = PROTO_TYPE_MASK, .offset = offsetof(struct proto_events_subscribe, events), .has_offset = offsetof(struct proto_events_subscribe, has_events), .least = 1u, .most = 32u, .names = proto_event_names, .name_count = 28u},
};
static const struct proto_record events_subscribe_record = {.fields = events_subscribe_fields, .count = 1u, .size = sizeof(struct proto_events_subscribe), .initial = NULL};

static const struct proto_record events_unsubscribe_record = {.fields = NULL};

static const struct proto_pointer_move pointer_move_initial = {
    .laser = false,
};
static const struct proto_field pointer_move_fields[] = {
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_pointer_move, position), .has_offset = offsetof(struct proto_pointer_move, has_position), .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "laser", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_pointer_move, laser), .has_offset = offsetof(struct proto_pointer_move, has_laser)},
};
static const struct proto_record pointer_move_record = {.fields = pointer_move_fields, .count = 2u, .size = sizeof(struct proto_pointer_move), .initial = &pointer_move_initial};

static const struct proto_field client_introduce_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_client_introduce, name), .has_offset = offsetof(struct proto_client_introduce, has_name), .least = 1u, .most = 40u, .format = PROTO_FORMAT_NAME},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_client_introduce, color), .has_offset = offsetof(struct proto_client_introduce, has_color)},
};
static const struct proto_record client_introduce_record = {.fields = client_introduce_fields, .count = 2u, .size = sizeof(struct proto_client_introduce), .initial = NULL};

static const struct proto_record people_list_record = {.fields = NULL};

static const struct proto_record hand_raise_record = {.fields = NULL};

static const struct proto_field hand_lower_fields[] = {
    {.name = "client", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_hand_lower, client), .has_offset = offsetof(struct proto_hand_lower, has_client), .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record hand_lower_record = {.fields = hand_lower_fields, .count = 1u, .size = sizeof(struct proto_hand_lower), .initial = NULL};

static const struct proto_field people_grant_fields[] = {
    {.name = "client", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_people_grant, client), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "role", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_people_grant, role), .required = true, .names = proto_people_grant_role_names, .name_count = 2u},
};
static const struct proto_record people_grant_record = {.fields = people_grant_fields, .count = 2u, .size = sizeof(struct proto_people_grant), .initial = NULL};

static const struct proto_field people_remove_fields[] = {
    {.name = "client", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_people_remove, client), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "reason", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_people_remove, reason), .has_offset = offsetof(struct proto_people_remove, has_reason), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record people_remove_record = {.fields = people_remove_fields, .count = 2u, .size = sizeof(struct proto_people_remove), .initial = NULL};

static const struct proto_field selection_show_fields[] = {
    {.name = "objects", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_selection_show, objects), .has_offset = offsetof(struct proto_selection_show, has_objects), .minimum = 1.0, .maximum = 4294967295.0, .least = 0u, .most = 256u},
    {.name = "particles", .type = PROTO_TYPE_INDEX_TRIPLES, .offset = offsetof(struct proto_selection_show, particles), .has_offset = offsetof(struct proto_selection_show, has_particles), .minimum = 0.0, .maximum = 4294967295.0, .least = 0u, .most = 768u},
};
static const struct proto_record selection_show_record = {.fields = selection_show_fields, .count = 2u, .size = sizeof(struct proto_selection_show), .initial = NULL};

static const struct proto_record scene_list_record = {.fields = NULL};

static const struct proto_scene_preview scene_preview_initial = {
    .ticks = 40u,
};
static const struct proto_field scene_preview_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_scene_preview, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_SCENE},
    {.name = "ticks", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_scene_preview, ticks), .has_offset = offsetof(struct proto_scene_preview, has_ticks), .minimum = 0.0, .maximum = 600.0},
};
static const struct proto_record scene_preview_record = {.fields = scene_preview_fields, .count = 2u, .size = sizeof(struct proto_scene_preview), .initial = &scene_preview_initial};

static const struct proto_field scene_load_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_scene_load, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_SCENE},
};
static const struct proto_record scene_load_record = {.fields = scene_load_fields, .count = 1u, .size = sizeof(struct proto_scene_load), .initial = NULL};

static const struct proto_scene_save scene_save_initial = {
    .overwrite = false,
};
static const struct proto_field scene_save_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_scene_save, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_SCENE},
    {.name = "title", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_scene_save, title), .has_offset = offsetof(struct proto_scene_save, has_title), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
    {.name = "overwrite", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_scene_save, overwrite), .has_offset = offsetof(struct proto_scene_save, has_overwrite)},
};
static const struct proto_record scene_save_record = {.fields = scene_save_fields, .count = 3u, .size = sizeof(struct proto_scene_save), .initial = &scene_save_initial};

static const struct proto_field scene_delete_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_scene_delete, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_SCENE},
};
static const struct proto_record scene_delete_record = {.fields = scene_delete_fields, .count = 1u, .size = sizeof(struct proto_scene_delete), .initial = NULL};

static const struct proto_record rpc_discover_record = {.fields = NULL};

static const struct proto_field session_authenticate_fields[] = {
    {.name = "token", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_session_authenticate, token), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record session_authenticate_record = {.fields = session_authenticate_fields, .count = 1u, .size = sizeof(struct proto_session_authenticate), .initial = NULL};

static const struct proto_field session_resume_fields[] = {
    {.name = "session", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_session_resume, session), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
};
static const struct proto_record session_resume_record = {.fields = session_resume_fields, .count = 1u, .size = sizeof(struct proto_session_resume), .initial = NULL};

static const struct proto_world_history world_history_initial = {
    .from = 0u,
    .most = 100u,
};
static const struct proto_field world_history_fields[] = {
    {.name = "timeline", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_history, timeline), .has_offset = offsetof(struct proto_world_history, has_timeline), .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "from", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_history, from), .has_offset = offsetof(struct proto_world_history, has_from), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "most", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_history, most), .has_offset = offsetof(struct proto_world_history, has_most), .minimum = 0.0, .maximum = 1000.0},
};
static const struct proto_record world_history_record = {.fields = world_history_fields, .count = 3u, .size = sizeof(struct proto_world_history), .initial = &world_history_initial};

static const struct proto_world_log world_log_initial = {
    .from = 0u,
    .most = 1000u,
};
static const struct proto_field world_log_fields[] = {
    {.name = "from", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_log, from), .has_offset = offsetof(struct proto_world_log, has_from), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "most", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_log, most), .has_offset = offsetof(struct proto_world_log, has_most), .minimum = 1.0, .maximum = 10000.0},
};
static const struct proto_record world_log_record = {.fields = world_log_fields, .count = 2u, .size = sizeof(struct proto_world_log), .initial = &world_log_initial};

static const struct proto_field world_seek_fields[] = {
    {.name = "tick", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_seek, tick), .has_offset = offsetof(struct proto_world_seek, has_tick), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "timeline", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_seek, timeline), .has_offset = offsetof(struct proto_world_seek, has_timeline), .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record world_seek_record = {.fields = world_seek_fields, .count = 2u, .size = sizeof(struct proto_world_seek), .initial = NULL};

static const struct proto_world_replay world_replay_initial = {
    .speed = 1.0f,
    .loop = false,
};
static const struct proto_field world_replay_fields[] = {
    {.name = "from", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_replay, from), .required = true, .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "to", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_replay, to), .has_offset = offsetof(struct proto_world_replay, has_to), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "tick", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_replay, tick), .has_offset = offsetof(struct proto_world_replay, has_tick), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "timeline", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_replay, timeline), .has_offset = offsetof(struct proto_world_replay, has_timeline), .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "speed", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_replay, speed), .has_offset = offsetof(struct proto_world_replay, has_speed), .minimum = 0.0, .maximum = 4.0},
    {.name = "loop", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_replay, loop), .has_offset = offsetof(struct proto_world_replay, has_loop)},
};
static const struct proto_record world_replay_record = {.fields = world_replay_fields, .count = 6u, .size = sizeof(struct proto_world_replay), .initial = &world_replay_initial};

static const struct proto_world_undo world_undo_initial = {
    .scene = false,
    .force = false,
    .background = false,
};
static const struct proto_field world_undo_fields[] = {
    {.name = "scene", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_undo, scene), .has_offset = offsetof(struct proto_world_undo, has_scene)},
    {.name = "force", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_undo, force), .has_offset = offsetof(struct proto_world_undo, has_force)},
    {.name = "background", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_undo, background), .has_offset = offsetof(struct proto_world_undo, has_background)},
    {.name = "within", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_undo, within), .has_offset = offsetof(struct proto_world_undo, has_within), .minimum = 0.0, .maximum = 3600.0, .above = true, .unit = "s"},
};
static const struct proto_record world_undo_record = {.fields = world_undo_fields, .count = 4u, .size = sizeof(struct proto_world_undo), .initial = &world_undo_initial};

static const struct proto_world_redo world_redo_initial = {
    .force = false,
    .background = false,
};
static const struct proto_field world_redo_fields[] = {
    {.name = "force", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_redo, force), .has_offset = offsetof(struct proto_world_redo, has_force)},
    {.name = "background", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_redo, background), .has_offset = offsetof(struct proto_world_redo, has_background)},
    {.name = "within", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_redo, within), .has_offset = offsetof(struct proto_world_redo, has_within), .minimum = 0.0, .maximum = 3600.0, .above = true, .unit = "s"},
};
static const struct proto_record world_redo_record = {.fields = world_redo_fields, .count = 3u, .size = sizeof(struct proto_world_redo), .initial = &world_redo_initial};

static const struct proto_record world_cancel_record = {.fields = NULL};

static const struct proto_record server_get_record = {.fields = NULL};

static const struct proto_record client_list_record = {.fields = NULL};

static const struct proto_field client_close_fields[] = {
    {.name = "client", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_client_close, client), .required = true, .minimum = 1.0, .maximum = 9007199254740991.0},
    {.name = "reason", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_client_close, reason), .has_offset = offsetof(struct proto_client_close, has_reason), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record client_close_record = {.fields = client_close_fields, .count = 2u, .size = sizeof(struct proto_client_close), .initial = NULL};

static const struct proto_record node_list_record = {.fields = NULL};

static const struct proto_node_drain node_drain_initial = {
    .draining = true,
};
static const struct proto_field node_drain_fields[] = {
    {.name = "url", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_node_drain, url), .has_offset = offsetof(struct proto_node_drain, has_url), .least = 8u, .most = 255u, .format = PROTO_FORMAT_NAME},
    {.name = "draining", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_node_drain, draining), .has_offset = offsetof(struct proto_node_drain, has_draining)},
};
static const struct proto_record node_drain_record = {.fields = node_drain_fields, .count = 2u, .size = sizeof(struct proto_node_drain), .initial = &node_drain_initial};

static const struct proto_record world_list_record = {.fields = NULL};

static const struct proto_world_create world_create_initial = {
    .temporary = false,
};
static const struct proto_field world_create_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_create, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
    {.name = "scene", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_create, scene), .has_offset = offsetof(struct proto_world_create, has_scene), .least = 1u, .most = 64u, .format = PROTO_FORMAT_SCENE},
    {.name = "tickHz", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_create, tick_hz), .has_offset = offsetof(struct proto_world_create, has_tick_hz), .minimum = 1.0, .maximum = 1000.0, .unit = "Hz"},
    {.name = "paused", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_create, paused), .has_offset = offsetof(struct proto_world_create, has_paused)},
    {.name = "temporary", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_create, temporary), .has_offset = offsetof(struct proto_world_create, has_temporary)},
};
static const struct proto_record world_create_record = {.fields = world_create_fields, .count = 5u, .size = sizeof(struct proto_world_create), .initial = &world_create_initial};

static const struct proto_world_branch world_branch_initial = {
    .temporary = false,
};
static const struct proto_field world_branch_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_branch, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
    {.name = "tick", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_branch, tick), .has_offset = offsetof(struct proto_world_branch, has_tick), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "timeline", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_branch, timeline), .has_offset = offsetof(struct proto_world_branch, has_timeline), .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "paused", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_branch, paused), .has_offset = offsetof(struct proto_world_branch, has_paused)},
    {.name = "temporary", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_branch, temporary), .has_offset = offsetof(struct proto_world_branch, has_temporary)},
    {.name = "copies", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_branch, copies), .has_offset = offsetof(struct proto_world_branch, has_copies), .minimum = 1.0, .maximum = 63.0},
};
static const struct proto_record world_branch_record = {.fields = world_branch_fields, .count = 6u, .size = sizeof(struct proto_world_branch), .initial = &world_branch_initial};

static const struct proto_field world_copy_fields[] = {
    {.name = "key", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_copy, key), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
};
static const struct proto_record world_copy_record = {.fields = world_copy_fields, .count = 1u, .size = sizeof(struct proto_world_copy), .initial = NULL};

static const struct proto_field world_remove_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_remove, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
};
static const struct proto_record world_remove_record = {.fields = world_remove_fields, .count = 1u, .size = sizeof(struct proto_world_remove), .initial = NULL};

static const struct proto_world_export world_export_initial = {
    .from = 0u,
};
static const struct proto_field world_export_fields[] = {
    {.name = "from", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_export, from), .has_offset = offsetof(struct proto_world_export, has_from), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "to", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_world_export, to), .has_offset = offsetof(struct proto_world_export, has_to), .minimum = 0.0, .maximum = 9007199254740991.0},
    {.name = "timeline", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_export, timeline), .has_offset = offsetof(struct proto_world_export, has_timeline), .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record world_export_record = {.fields = world_export_fields, .count = 3u, .size = sizeof(struct proto_world_export), .initial = &world_export_initial};

static const struct proto_field world_import_fields[] = {
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_import, name), .required = true, .least = 1u, .most = 64u, .format = PROTO_FORMAT_WORLD},
    {.name = "capsule", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_import, capsule), .required = true, .least = 4u, .most = 16000000u, .format = PROTO_FORMAT_BASE64},
    {.name = "paused", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_import, paused), .has_offset = offsetof(struct proto_world_import, has_paused)},
};
static const struct proto_record world_import_record = {.fields = world_import_fields, .count = 3u, .size = sizeof(struct proto_world_import), .initial = NULL};

static const struct proto_field world_freeze_fields[] = {
    {.name = "frozen", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_world_freeze, frozen), .required = true},
    {.name = "message", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_world_freeze, message), .has_offset = offsetof(struct proto_world_freeze, has_message), .least = 1u, .most = 120u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record world_freeze_record = {.fields = world_freeze_fields, .count = 2u, .size = sizeof(struct proto_world_freeze), .initial = NULL};

static const struct proto_broadcast_start broadcast_start_initial = {
    .embed = false,
};
static const struct proto_field broadcast_start_fields[] = {
    {.name = "embed", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_broadcast_start, embed), .has_offset = offsetof(struct proto_broadcast_start, has_embed)},
};
static const struct proto_record broadcast_start_record = {.fields = broadcast_start_fields, .count = 1u, .size = sizeof(struct proto_broadcast_start), .initial = &broadcast_start_initial};

static const struct proto_record broadcast_stop_record = {.fields = NULL};

static const struct proto_record broadcast_get_record = {.fields = NULL};

static const struct proto_field view_show_fields[] = {
    {.name = "eye", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_view_show, eye), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "target", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_view_show, target), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record view_show_record = {.fields = view_show_fields, .count = 2u, .size = sizeof(struct proto_view_show), .initial = NULL};

static const struct proto_field view_move_fields[] = {
    {.name = "eye", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_view_move, eye), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "target", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_view_move, target), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record view_move_record = {.fields = view_move_fields, .count = 2u, .size = sizeof(struct proto_view_move), .initial = NULL};

static const struct proto_field view_follow_fields[] = {
    {.name = "client", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_view_follow, client), .has_offset = offsetof(struct proto_view_follow, has_client), .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record view_follow_record = {.fields = view_follow_fields, .count = 1u, .size = sizeof(struct proto_view_follow), .initial = NULL};

static const struct proto_field view_present_fields[] = {
    {.name = "presenting", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_view_present, presenting), .required = true},
};
static const struct proto_record view_present_record = {.fields = view_present_fields, .count = 1u, .size = sizeof(struct proto_view_present), .initial = NULL};

const struct proto_field proto_at_tick =
    {.name = "atTick", .type = PROTO_TYPE_INTEGER64, .offset = offsetof(struct proto_command, at_tick), .has_offset = offsetof(struct proto_command, has_at_tick), .minimum = 1.0, .maximum = 9007199254740991.0};

const struct proto_record *const proto_records[PROTO_METHOD_COUNT] = {
    [PROTO_METHOD_CLOTH_SPAWN] = &cloth_spawn_record,
    [PROTO_METHOD_MESH_SPAWN] = &mesh_spawn_record,
    [PROTO_METHOD_PARTICLES_SPAWN] = &particles_spawn_record,
    [PROTO_METHOD_ROPE_SPAWN] = &rope_spawn_record,
    [PROTO_METHOD_BODY_SPAWN] = &body_spawn_record,
    [PROTO_METHOD_PLANT_SPAWN] = &plant_spawn_record,
    [PROTO_METHOD_RAGDOLL_SPAWN] = &ragdoll_spawn_record,
    [PROTO_METHOD_SOFT_SPAWN] = &soft_spawn_record,
    [PROTO_METHOD_STICK_ADD] = &stick_add_record,
    [PROTO_METHOD_STICK_SET] = &stick_set_record,
    [PROTO_METHOD_STICK_REMOVE] = &stick_remove_record,
    [PROTO_METHOD_OBSTACLE_ADD] = &obstacle_add_record,
    [PROTO_METHOD_OBSTACLE_REMOVE] = &obstacle_remove_record,
    [PROTO_METHOD_OBSTACLE_SET] = &obstacle_set_record,
    [PROTO_METHOD_OBJECT_LIST] = &object_list_record,
    [PROTO_METHOD_OBJECT_GET] = &object_get_record,
    [PROTO_METHOD_OBJECT_REMOVE] = &object_remove_record,
    [PROTO_METHOD_OBJECT_SET] = &object_set_record,
    [PROTO_METHOD_PARTICLE_PIN] = &particle_pin_record,
    [PROTO_METHOD_PARTICLE_UNPIN] = &particle_unpin_record,
    [PROTO_METHOD_PARTICLE_TEAR] = &particle_tear_record,
    [PROTO_METHOD_BLADE_CUT] = &blade_cut_record,
    [PROTO_METHOD_PARTICLE_SET] = &particle_set_record,
    [PROTO_METHOD_PARTICLE_MOVE] = &particle_move_record,
    [PROTO_METHOD_PARTICLE_READ] = &particle_read_record,
    [PROTO_METHOD_OBJECT_STICKS] = &object_sticks_record,
    [PROTO_METHOD_FORCE_APPLY] = &force_apply_record,
    [PROTO_METHOD_GRAB_START] = &grab_start_record,
    [PROTO_METHOD_GRAB_MOVE] = &grab_move_record,
    [PROTO_METHOD_GRAB_END] = &grab_end_record,
    [PROTO_METHOD_WORLD_GET] = &world_get_record,
    [PROTO_METHOD_WORLD_MEASURE] = &world_measure_record,
    [PROTO_METHOD_WORLD_CONTACTS] = &world_contacts_record,
    [PROTO_METHOD_WORLD_SET] = &world_set_record,
    [PROTO_METHOD_WORLD_PAUSE] = &world_pause_record,
    [PROTO_METHOD_WORLD_RESUME] = &world_resume_record,
    [PROTO_METHOD_WORLD_STEP] = &world_step_record,
    [PROTO_METHOD_WORLD_RESET] = &world_reset_record,
    [PROTO_METHOD_BATCH_RUN] = &batch_run_record,
    [PROTO_METHOD_FRAMES_SUBSCRIBE] = &frames_subscribe_record,
    [PROTO_METHOD_FRAMES_UNSUBSCRIBE] = &frames_unsubscribe_record,
    [PROTO_METHOD_EVENTS_SUBSCRIBE] = &events_subscribe_record,
    [PROTO_METHOD_EVENTS_UNSUBSCRIBE] = &events_unsubscribe_record,
    [PROTO_METHOD_POINTER_MOVE] = &pointer_move_record,
    [PROTO_METHOD_CLIENT_INTRODUCE] = &client_introduce_record,
    [PROTO_METHOD_PEOPLE_LIST] = &people_list_record,
    [PROTO_METHOD_HAND_RAISE] = &hand_raise_record,
    [PROTO_METHOD_HAND_LOWER] = &hand_lower_record,
    [PROTO_METHOD_PEOPLE_GRANT] = &people_grant_record,
    [PROTO_METHOD_PEOPLE_REMOVE] = &people_remove_record,
    [PROTO_METHOD_SELECTION_SHOW] = &selection_show_record,
    [PROTO_METHOD_SCENE_LIST] = &scene_list_record,
    [PROTO_METHOD_SCENE_PREVIEW] = &scene_preview_record,
    [PROTO_METHOD_SCENE_LOAD] = &scene_load_record,
    [PROTO_METHOD_SCENE_SAVE] = &scene_save_record,
    [PROTO_METHOD_SCENE_DELETE] = &scene_delete_record,
    [PROTO_METHOD_RPC_DISCOVER] = &rpc_discover_record,
    [PROTO_METHOD_SESSION_AUTHENTICATE] = &session_authenticate_record,
    [PROTO_METHOD_SESSION_RESUME] = &session_resume_record,
    [PROTO_METHOD_WORLD_HISTORY] = &world_history_record,
    [PROTO_METHOD_WORLD_LOG] = &world_log_record,
    [PROTO_METHOD_WORLD_SEEK] = &world_seek_record,
    [PROTO_METHOD_WORLD_REPLAY] = &world_replay_record,
    [PROTO_METHOD_WORLD_UNDO] = &world_undo_record,
    [PROTO_METHOD_WORLD_REDO] = &world_redo_record,
    [PROTO_METHOD_WORLD_CANCEL] = &world_cancel_record,
    [PROTO_METHOD_SERVER_GET] = &server_get_record,
    [PROTO_METHOD_CLIENT_LIST] = &client_list_record,
    [PROTO_METHOD_CLIENT_CLOSE] = &client_close_record,
    [PROTO_METHOD_NODE_LIST] = &node_list_record,
    [PROTO_METHOD_NODE_DRAIN] = &node_drain_record,
    [PROTO_METHOD_WORLD_LIST] = &world_list_record,
    [PROTO_METHOD_WORLD_CREATE] = &world_create_record,
    [PROTO_METHOD_WORLD_BRANCH] = &world_branch_record,
    [PROTO_METHOD_WORLD_COPY] = &world_copy_record,
    [PROTO_METHOD_WORLD_REMOVE] = &world_remove_record,
    [PROTO_METHOD_WORLD_EXPORT] = &world_export_record,
    [PROTO_METHOD_WORLD_IMPORT] = &world_import_record,
    [PROTO_METHOD_WORLD_FREEZE] = &world_freeze_record,
    [PROTO_METHOD_BROADCAST_START] = &broadcast_start_record,
    [PROTO_METHOD_BROADCAST_STOP] = &broadcast_stop_record,
    [PROTO_METHOD_BROADCAST_GET] = &broadcast_get_record,
    [PROTO_METHOD_VIEW_SHOW] = &view_show_record,
    [PROTO_METHOD_VIEW_MOVE] = &view_move_record,
    [PROTO_METHOD_VIEW_FOLLOW] = &view_follow_record,
    [PROTO_METHOD_VIEW_PRESENT] = &view_present_record,
};
// clang-format on

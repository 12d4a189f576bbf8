// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
// The tables behind methods.h and field.h.
#include "proto/gen/methods.h"

#include "proto/field.h"

// clang-format off

const struct proto_method_info proto_methods[PROTO_METHOD_COUNT] = {
    [PROTO_METHOD_CLOTH_SPAWN] = {"cloth.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_MESH_SPAWN] = {"mesh.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_PARTICLES_SPAWN] = {"particles.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_ROPE_SPAWN] = {"rope.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_BODY_SPAWN] = {"body.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_PLANT_SPAWN] = {"plant.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_RAGDOLL_SPAWN] = {"ragdoll.spawn", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, true},
    [PROTO_METHOD_STICK_ADD] = {"stick.add", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_STICK_REMOVE] = {"stick.remove", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_OBSTACLE_ADD] = {"obstacle.add", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_OBSTACLE_REMOVE] = {"obstacle.remove", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_OBJECT_LIST] = {"object.list", PROTO_KIND_READ, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_OBJECT_GET] = {"object.get", PROTO_KIND_READ, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_OBJECT_REMOVE] = {"object.remove", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_PARTICLE_PIN] = {"particle.pin", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_PARTICLE_UNPIN] = {"particle.unpin", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_PARTICLE_SET] = {"particle.set", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_PARTICLE_MOVE] = {"particle.move", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_PARTICLE_READ] = {"particle.read", PROTO_KIND_READ, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_FORCE_APPLY] = {"force.apply", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_GRAB_START] = {"grab.start", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_GRAB_MOVE] = {"grab.move", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_GRAB_END] = {"grab.end", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_WORLD_GET] = {"world.get", PROTO_KIND_READ, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_WORLD_SET] = {"world.set", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, true, false},
    [PROTO_METHOD_WORLD_PAUSE] = {"world.pause", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_WORLD_RESUME] = {"world.resume", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_WORLD_STEP] = {"world.step", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_WORLD_RESET] = {"world.reset", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_BATCH_RUN] = {"batch.run", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_FRAMES_SUBSCRIBE] = {"frames.subscribe", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_FRAMES_UNSUBSCRIBE] = {"frames.unsubscribe", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_EVENTS_SUBSCRIBE] = {"events.subscribe", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_EVENTS_UNSUBSCRIBE] = {"events.unsubscribe", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_POINTER_MOVE] = {"pointer.move", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_SCENE_LIST] = {"scene.list", PROTO_KIND_READ, PROTO_ROLE_VIEWER, false, false},
    [PROTO_METHOD_SCENE_LOAD] = {"scene.load", PROTO_KIND_CHANGE, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_SCENE_SAVE] = {"scene.save", PROTO_KIND_READ, PROTO_ROLE_EDITOR, false, false},
    [PROTO_METHOD_RPC_DISCOVER] = {"rpc.discover", PROTO_KIND_SESSION, PROTO_ROLE_VIEWER, false, false},
};

const char *const proto_cloth_spawn_mesh_names[PROTO_CLOTH_SPAWN_MESH_COUNT] = {
    "grid",
    "hex",
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
};

const char *const proto_stick_add_kind_names[PROTO_STICK_ADD_KIND_COUNT] = {
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
};

const char *const proto_event_names[PROTO_EVENT_NAME_COUNT] = {
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
};

static const char *const sheet_pins_names[] = {
    "topCorners",
    "corners",
    "topEdge",
    "none",
};

static const struct proto_field stick_end_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_stick_end, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_stick_end, particle), .required = true, .minimum = 0.0, .maximum = 4294967294.0},
};
static const struct proto_record stick_end_record = {.fields = stick_end_fields, .count = 2u, .size = sizeof(struct proto_stick_end), .initial = NULL};

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
    {.name = "spacing", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, spacing), .has_offset = offsetof(struct proto_cloth_spawn, has_spacing), .minimum = 0.0, .maximum = 1000.0, .above = true, .unit = "m"},
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
    {.name = "tethers", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, tethers), .has_offset = offsetof(struct proto_cloth_spawn, has_tethers)},
    {.name = "tear", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, tear), .has_offset = offsetof(struct proto_cloth_spawn, has_tear), .minimum = 1.0, .maximum = 1000.0, .above = true},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_cloth_spawn, thickness), .has_offset = offsetof(struct proto_cloth_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "selfCollision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_cloth_spawn, self_collision), .has_offset = offsetof(struct proto_cloth_spawn, has_self_collision)},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_cloth_spawn, projection), .has_offset = offsetof(struct proto_cloth_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_cloth_spawn, color), .has_offset = offsetof(struct proto_cloth_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_cloth_spawn, name), .has_offset = offsetof(struct proto_cloth_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record cloth_spawn_record = {.fields = cloth_spawn_fields, .count = 23u, .size = sizeof(struct proto_cloth_spawn), .initial = &cloth_spawn_initial};

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
    {.name = "tethers", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, tethers), .has_offset = offsetof(struct proto_mesh_spawn, has_tethers)},
    {.name = "tear", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, tear), .has_offset = offsetof(struct proto_mesh_spawn, has_tear), .minimum = 1.0, .maximum = 1000.0, .above = true},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_mesh_spawn, thickness), .has_offset = offsetof(struct proto_mesh_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "selfCollision", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_mesh_spawn, self_collision), .has_offset = offsetof(struct proto_mesh_spawn, has_self_collision)},
    {.name = "projection", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_mesh_spawn, projection), .has_offset = offsetof(struct proto_mesh_spawn, has_projection), .names = proto_projection_names, .name_count = 2u},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_mesh_spawn, color), .has_offset = offsetof(struct proto_mesh_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_mesh_spawn, name), .has_offset = offsetof(struct proto_mesh_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record mesh_spawn_record = {.fields = mesh_spawn_fields, .count = 20u, .size = sizeof(struct proto_mesh_spawn), .initial = &mesh_spawn_initial};

static const struct proto_particles_spawn particles_spawn_initial = {
    .radius = 0.05f,
    .friction = 0.5f,
    .restitution = 0.0f,
};
static const struct proto_field particles_spawn_fields[] = {
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_particles_spawn, positions), .required = true, .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "velocities", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_particles_spawn, velocities), .has_offset = offsetof(struct proto_particles_spawn, has_velocities), .minimum = -1000.0, .maximum = 1000.0, .least = 3u, .most = 3000000u, .unit = "m/s"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_particles_spawn, masses), .has_offset = offsetof(struct proto_particles_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "radius", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, radius), .has_offset = offsetof(struct proto_particles_spawn, has_radius), .minimum = 0.0, .maximum = 1000.0, .unit = "m"},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, friction), .has_offset = offsetof(struct proto_particles_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particles_spawn, restitution), .has_offset = offsetof(struct proto_particles_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_particles_spawn, color), .has_offset = offsetof(struct proto_particles_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_particles_spawn, name), .has_offset = offsetof(struct proto_particles_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record particles_spawn_record = {.fields = particles_spawn_fields, .count = 8u, .size = sizeof(struct proto_particles_spawn), .initial = &particles_spawn_initial};

static const struct proto_rope_spawn rope_spawn_initial = {
    .particles = 20u,
    .mass = 0.5f,
    .pin = PROTO_ROPE_SPAWN_PIN_START,
    .friction = 0.5f,
    .restitution = 0.0f,
    .thickness = 0.0f,
    .stretch_compliance = 0.0f,
};
static const struct proto_field rope_spawn_fields[] = {
    {.name = "from", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_rope_spawn, from), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "to", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_rope_spawn, to), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
    {.name = "particles", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_rope_spawn, particles), .has_offset = offsetof(struct proto_rope_spawn, has_particles), .minimum = 2.0, .maximum = 100000.0},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, mass), .has_offset = offsetof(struct proto_rope_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "masses", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_rope_spawn, masses), .has_offset = offsetof(struct proto_rope_spawn, has_masses), .minimum = 0.000001, .maximum = 1000000.0, .least = 1u, .most = 1000000u},
    {.name = "pin", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_rope_spawn, pin), .has_offset = offsetof(struct proto_rope_spawn, has_pin), .names = proto_rope_spawn_pin_names, .name_count = 4u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, friction), .has_offset = offsetof(struct proto_rope_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, restitution), .has_offset = offsetof(struct proto_rope_spawn, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "thickness", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, thickness), .has_offset = offsetof(struct proto_rope_spawn, has_thickness), .minimum = 0.0, .maximum = 1.0, .unit = "m"},
    {.name = "stretchCompliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_rope_spawn, stretch_compliance), .has_offset = offsetof(struct proto_rope_spawn, has_stretch_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_rope_spawn, color), .has_offset = offsetof(struct proto_rope_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_rope_spawn, name), .has_offset = offsetof(struct proto_rope_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record rope_spawn_record = {.fields = rope_spawn_fields, .count = 12u, .size = sizeof(struct proto_rope_spawn), .initial = &rope_spawn_initial};

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
    {.name = "shape", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_body_spawn, shape), .has_offset = offsetof(struct proto_body_spawn, has_shape), .names = proto_body_spawn_shape_names, .name_count = 4u},
    {.name = "size", .type = PROTO_TYPE_SIZE, .offset = offsetof(struct proto_body_spawn, size), .has_offset = offsetof(struct proto_body_spawn, has_size), .minimum = 0.0, .maximum = 1000.0, .above = true, .unit = "m"},
    {.name = "vertices", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_body_spawn, vertices), .has_offset = offsetof(struct proto_body_spawn, has_vertices), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
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
static const struct proto_record body_spawn_record = {.fields = body_spawn_fields, .count = 14u, .size = sizeof(struct proto_body_spawn), .initial = &body_spawn_initial};

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
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_plant_spawn, height), .has_offset = offsetof(struct proto_plant_spawn, has_height), .minimum = 0.0, .maximum = 100.0, .above = true, .unit = "m"},
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
    {.name = "height", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, height), .has_offset = offsetof(struct proto_ragdoll_spawn, has_height), .minimum = 0.0, .maximum = 100.0, .above = true, .unit = "m"},
    {.name = "mass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, mass), .has_offset = offsetof(struct proto_ragdoll_spawn, has_mass), .minimum = 0.000001, .maximum = 1000000.0, .unit = "kg"},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_ragdoll_spawn, friction), .has_offset = offsetof(struct proto_ragdoll_spawn, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_ragdoll_spawn, color), .has_offset = offsetof(struct proto_ragdoll_spawn, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_ragdoll_spawn, name), .has_offset = offsetof(struct proto_ragdoll_spawn, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record ragdoll_spawn_record = {.fields = ragdoll_spawn_fields, .count = 8u, .size = sizeof(struct proto_ragdoll_spawn), .initial = &ragdoll_spawn_initial};

static const struct proto_stick_add stick_add_initial = {
    .kind = PROTO_STICK_ADD_KIND_EQUAL,
    .compliance = 0.0f,
};
static const struct proto_field stick_add_fields[] = {
    {.name = "a", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_add, a), .required = true, .record = &stick_end_record},
    {.name = "b", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_stick_add, b), .required = true, .record = &stick_end_record},
    {.name = "restLength", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_add, rest_length), .has_offset = offsetof(struct proto_stick_add, has_rest_length), .minimum = 0.0, .maximum = 100000.0, .above = true, .unit = "m"},
    {.name = "kind", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_stick_add, kind), .has_offset = offsetof(struct proto_stick_add, has_kind), .names = proto_stick_add_kind_names, .name_count = 3u},
    {.name = "compliance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_stick_add, compliance), .has_offset = offsetof(struct proto_stick_add, has_compliance), .minimum = 0.0, .maximum = 1000.0, .unit = "m/N"},
};
static const struct proto_record stick_add_record = {.fields = stick_add_fields, .count = 5u, .size = sizeof(struct proto_stick_add), .initial = &stick_add_initial};

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
    {.name = "spacing", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, spacing), .has_offset = offsetof(struct proto_obstacle_add, has_spacing), .minimum = 0.0, .maximum = 1000.0, .above = true, .unit = "m"},
    {.name = "heights", .type = PROTO_TYPE_REALS, .offset = offsetof(struct proto_obstacle_add, heights), .has_offset = offsetof(struct proto_obstacle_add, has_heights), .minimum = -100000.0, .maximum = 100000.0, .least = 4u, .most = 1000000u, .unit = "m"},
    {.name = "positions", .type = PROTO_TYPE_REAL_TRIPLES, .offset = offsetof(struct proto_obstacle_add, positions), .has_offset = offsetof(struct proto_obstacle_add, has_positions), .minimum = -100000.0, .maximum = 100000.0, .least = 3u, .most = 3000000u, .unit = "m"},
    {.name = "triangles", .type = PROTO_TYPE_INDEX_TRIPLES, .offset = offsetof(struct proto_obstacle_add, triangles), .has_offset = offsetof(struct proto_obstacle_add, has_triangles), .minimum = 0.0, .maximum = 4294967294.0, .least = 3u, .most = 6000000u},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, friction), .has_offset = offsetof(struct proto_obstacle_add, has_friction), .minimum = 0.0, .maximum = 10.0},
    {.name = "restitution", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_obstacle_add, restitution), .has_offset = offsetof(struct proto_obstacle_add, has_restitution), .minimum = 0.0, .maximum = 1.0},
    {.name = "color", .type = PROTO_TYPE_COLOR, .offset = offsetof(struct proto_obstacle_add, color), .has_offset = offsetof(struct proto_obstacle_add, has_color)},
    {.name = "name", .type = PROTO_TYPE_STRING, .offset = offsetof(struct proto_obstacle_add, name), .has_offset = offsetof(struct proto_obstacle_add, has_name), .least = 1u, .most = 64u, .format = PROTO_FORMAT_NAME},
};
static const struct proto_record obstacle_add_record = {.fields = obstacle_add_fields, .count = 18u, .size = sizeof(struct proto_obstacle_add), .initial = &obstacle_add_initial};

static const struct proto_field obstacle_remove_fields[] = {
    {.name = "obstacle", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_obstacle_remove, obstacle), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record obstacle_remove_record = {.fields = obstacle_remove_fields, .count = 1u, .size = sizeof(struct proto_obstacle_remove), .initial = NULL};

static const struct proto_record object_list_record = {.fields = NULL};

static const struct proto_field object_get_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_get, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record object_get_record = {.fields = object_get_fields, .count = 1u, .size = sizeof(struct proto_object_get), .initial = NULL};

static const struct proto_field object_remove_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_object_remove, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
};
static const struct proto_record object_remove_record = {.fields = object_remove_fields, .count = 1u, .size = sizeof(struct proto_object_remove), .initial = NULL};

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

static const struct proto_field particle_set_fields[] = {
    {.name = "object", .type = PROTO_TYPE_REF, .offset = offsetof(struct proto_particle_set, object), .required = true, .minimum = 1.0, .maximum = 4294967295.0},
    {.name = "particles", .type = PROTO_TYPE_INDICES, .offset = offsetof(struct proto_particle_set, particles), .required = true, .minimum = 0.0, .maximum = 4294967294.0, .least = 1u, .most = 1000000u},
    {.name = "inverseMass", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_particle_set, inverse_mass), .required = true, .minimum = 0.0, .maximum = 1000000.0, .unit = "1/kg"},
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

static const struct proto_field world_set_fields[] = {
    {.name = "gravity", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_world_set, gravity), .has_offset = offsetof(struct proto_world_set, has_gravity), .minimum = -10000.0, .maximum = 10000.0, .unit = "m/s²"},
    {.name = "damping", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, damping), .has_offset = offsetof(struct proto_world_set, has_damping), .minimum = 0.0, .maximum = 1.0, .below = true},
    {.name = "iterations", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_set, iterations), .has_offset = offsetof(struct proto_world_set, has_iterations), .minimum = 1.0, .maximum = 256.0},
    {.name = "substeps", .type = PROTO_TYPE_INTEGER, .offset = offsetof(struct proto_world_set, substeps), .has_offset = offsetof(struct proto_world_set, has_substeps), .minimum = 1.0, .maximum = 64.0},
    {.name = "tolerance", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, tolerance), .has_offset = offsetof(struct proto_world_set, has_tolerance), .minimum = 0.0, .maximum = 1.0},
    {.name = "squareRoot", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_world_set, square_root), .has_offset = offsetof(struct proto_world_set, has_square_root), .names = proto_world_set_square_root_names, .name_count = 2u},
    {.name = "bounds", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_world_set, bounds), .has_offset = offsetof(struct proto_world_set, has_bounds), .record = &bounds_record},
    {.name = "wind", .type = PROTO_TYPE_RECORD, .offset = offsetof(struct proto_world_set, wind), .has_offset = offsetof(struct proto_world_set, has_wind), .record = &wind_record},
    {.name = "friction", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_world_set, friction), .has_offset = offsetof(struct proto_world_set, has_friction), .minimum = 0.0, .maximum = 10.0},
};
static const struct proto_record world_set_record = {.fields = world_set_fields, .count = 9u, .size = sizeof(struct proto_world_set), .initial = NULL};

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
    {.name = "encoding", .type = PROTO_TYPE_ENUM, .offset = offsetof(struct proto_frames_subscribe, encoding), .has_offset = offsetof(struct proto_frames_subscribe, has_encoding), .names = proto_frames_subscribe_encoding_names, .name_count = 3u},
    {.name = "adapt", .type = PROTO_TYPE_BOOLEAN, .offset = offsetof(struct proto_frames_subscribe, adapt), .has_offset = offsetof(struct proto_frames_subscribe, has_adapt)},
    {.name = "step", .type = PROTO_TYPE_REAL, .offset = offsetof(struct proto_frames_subscribe, step), .has_offset = offsetof(struct proto_frames_subscribe, has_step), .minimum = 0.00006103515625, .maximum = 1.0, .unit = "m"},
};
static const struct proto_record frames_subscribe_record = {.fields = frames_subscribe_fields, .count = 5u, .size = sizeof(struct proto_frames_subscribe), .initial = &frames_subscribe_initial};

static const struct proto_record frames_unsubscribe_record = {.fields = NULL};

static const struct proto_field events_subscribe_fields[] = {
    {.name = "events", .type = PROTO_TYPE_MASK, .offset = offsetof(struct proto_events_subscribe, events), .has_offset = offsetof(struct proto_events_subscribe, has_events), .least = 1u, .most = 32u, .names = proto_event_names, .name_count = 19u},
};
static const struct proto_record events_subscribe_record = {.fields = events_subscribe_fields, .count = 1u, .size = sizeof(struct proto_events_subscribe), .initial = NULL};

static const struct proto_record events_unsubscribe_record = {.fields = NULL};

static const struct proto_field pointer_move_fields[] = {
    {.name = "position", .type = PROTO_TYPE_VEC3, .offset = offsetof(struct proto_pointer_move, position), .required = true, .minimum = -100000.0, .maximum = 100000.0, .unit = "m"},
};
static const struct proto_record pointer_move_record = {.fields = pointer_move_fields, .count = 1u, .size = sizeof(struct proto_pointer_move), .initial = NULL};

static const struct proto_record scene_list_record = {.fields = NULL};

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

static const struct proto_record rpc_discover_record = {.fields = NULL};

const struct proto_record *const proto_records[PROTO_METHOD_COUNT] = {
    [PROTO_METHOD_CLOTH_SPAWN] = &cloth_spawn_record,
    [PROTO_METHOD_MESH_SPAWN] = &mesh_spawn_record,
    [PROTO_METHOD_PARTICLES_SPAWN] = &particles_spawn_record,
    [PROTO_METHOD_ROPE_SPAWN] = &rope_spawn_record,
    [PROTO_METHOD_BODY_SPAWN] = &body_spawn_record,
    [PROTO_METHOD_PLANT_SPAWN] = &plant_spawn_record,
    [PROTO_METHOD_RAGDOLL_SPAWN] = &ragdoll_spawn_record,
    [PROTO_METHOD_STICK_ADD] = &stick_add_record,
    [PROTO_METHOD_STICK_REMOVE] = &stick_remove_record,
    [PROTO_METHOD_OBSTACLE_ADD] = &obstacle_add_record,
    [PROTO_METHOD_OBSTACLE_REMOVE] = &obstacle_remove_record,
    [PROTO_METHOD_OBJECT_LIST] = &object_list_record,
    [PROTO_METHOD_OBJECT_GET] = &object_get_record,
    [PROTO_METHOD_OBJECT_REMOVE] = &object_remove_record,
    [PROTO_METHOD_PARTICLE_PIN] = &particle_pin_record,
    [PROTO_METHOD_PARTICLE_UNPIN] = &particle_unpin_record,
    [PROTO_METHOD_PARTICLE_SET] = &particle_set_record,
    [PROTO_METHOD_PARTICLE_MOVE] = &particle_move_record,
    [PROTO_METHOD_PARTICLE_READ] = &particle_read_record,
    [PROTO_METHOD_FORCE_APPLY] = &force_apply_record,
    [PROTO_METHOD_GRAB_START] = &grab_start_record,
    [PROTO_METHOD_GRAB_MOVE] = &grab_move_record,
    [PROTO_METHOD_GRAB_END] = &grab_end_record,
    [PROTO_METHOD_WORLD_GET] = &world_get_record,
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
    [PROTO_METHOD_SCENE_LIST] = &scene_list_record,
    [PROTO_METHOD_SCENE_LOAD] = &scene_load_record,
    [PROTO_METHOD_SCENE_SAVE] = &scene_save_record,
    [PROTO_METHOD_RPC_DISCOVER] = &rpc_discover_record,
};
// clang-format on

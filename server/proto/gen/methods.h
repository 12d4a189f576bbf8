// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
// The protocol's methods: their names, and one struct of parameters per method. Beside an optional member stands a
// `has_` member, which is true when the request gave the parameter; otherwise the member holds its default, or zero.
#ifndef WEFT_PROTO_GEN_METHODS_H
#define WEFT_PROTO_GEN_METHODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

// clang-format off

enum proto_method {
    PROTO_METHOD_CLOTH_SPAWN,
    PROTO_METHOD_MESH_SPAWN,
    PROTO_METHOD_PARTICLES_SPAWN,
    PROTO_METHOD_ROPE_SPAWN,
    PROTO_METHOD_BODY_SPAWN,
    PROTO_METHOD_PLANT_SPAWN,
    PROTO_METHOD_RAGDOLL_SPAWN,
    PROTO_METHOD_SOFT_SPAWN,
    PROTO_METHOD_STICK_ADD,
    PROTO_METHOD_STICK_SET,
    PROTO_METHOD_STICK_REMOVE,
    PROTO_METHOD_OBSTACLE_ADD,
    PROTO_METHOD_OBSTACLE_REMOVE,
    PROTO_METHOD_OBSTACLE_SET,
    PROTO_METHOD_OBJECT_LIST,
    PROTO_METHOD_OBJECT_GET,
    PROTO_METHOD_OBJECT_REMOVE,
    PROTO_METHOD_OBJECT_SET,
    PROTO_METHOD_PARTICLE_PIN,
    PROTO_METHOD_PARTICLE_UNPIN,
    PROTO_METHOD_PARTICLE_TEAR,
    PROTO_METHOD_BLADE_CUT,
    PROTO_METHOD_PARTICLE_SET,
    PROTO_METHOD_PARTICLE_MOVE,
    PROTO_METHOD_PARTICLE_READ,
    PROTO_METHOD_OBJECT_STICKS,
    PROTO_METHOD_FORCE_APPLY,
    PROTO_METHOD_GRAB_START,
    PROTO_METHOD_GRAB_MOVE,
    PROTO_METHOD_GRAB_END,
    PROTO_METHOD_WORLD_GET,
    PROTO_METHOD_WORLD_MEASURE,
    PROTO_METHOD_WORLD_CONTACTS,
    PROTO_METHOD_WORLD_SET,
    PROTO_METHOD_WORLD_PAUSE,
    PROTO_METHOD_WORLD_RESUME,
    PROTO_METHOD_WORLD_STEP,
    PROTO_METHOD_WORLD_RESET,
    PROTO_METHOD_BATCH_RUN,
    PROTO_METHOD_FRAMES_SUBSCRIBE,
    PROTO_METHOD_FRAMES_UNSUBSCRIBE,
    PROTO_METHOD_EVENTS_SUBSCRIBE,
    PROTO_METHOD_EVENTS_UNSUBSCRIBE,
    PROTO_METHOD_POINTER_MOVE,
    PROTO_METHOD_CLIENT_INTRODUCE,
    PROTO_METHOD_PEOPLE_LIST,
    PROTO_METHOD_HAND_RAISE,
    PROTO_METHOD_HAND_LOWER,
    PROTO_METHOD_PEOPLE_GRANT,
    PROTO_METHOD_PEOPLE_REMOVE,
    PROTO_METHOD_SELECTION_SHOW,
    PROTO_METHOD_SCENE_LIST,
    PROTO_METHOD_SCENE_PREVIEW,
    PROTO_METHOD_SCENE_LOAD,
    PROTO_METHOD_SCENE_SAVE,
    PROTO_METHOD_SCENE_DELETE,
    PROTO_METHOD_RPC_DISCOVER,
    PROTO_METHOD_SESSION_AUTHENTICATE,
    PROTO_METHOD_SESSION_RESUME,
    PROTO_METHOD_WORLD_HISTORY,
    PROTO_METHOD_WORLD_LOG,
    PROTO_METHOD_WORLD_SEEK,
    PROTO_METHOD_WORLD_REPLAY,
    PROTO_METHOD_WORLD_UNDO,
    PROTO_METHOD_WORLD_REDO,
    PROTO_METHOD_WORLD_CANCEL,
    PROTO_METHOD_SERVER_GET,
    PROTO_METHOD_CLIENT_LIST,
    PROTO_METHOD_CLIENT_CLOSE,
    PROTO_METHOD_NODE_LIST,
    PROTO_METHOD_NODE_DRAIN,
    PROTO_METHOD_WORLD_LIST,
    PROTO_METHOD_WORLD_CREATE,
    PROTO_METHOD_WORLD_BRANCH,
    PROTO_METHOD_WORLD_COPY,
    PROTO_METHOD_WORLD_REMOVE,
    PROTO_METHOD_WORLD_EXPORT,
    PROTO_METHOD_WORLD_IMPORT,
    PROTO_METHOD_WORLD_FREEZE,
    PROTO_METHOD_BROADCAST_START,
    PROTO_METHOD_BROADCAST_STOP,
    PROTO_METHOD_BROADCAST_GET,
    PROTO_METHOD_VIEW_SHOW,
    PROTO_METHOD_VIEW_MOVE,
    PROTO_METHOD_VIEW_FOLLOW,
    PROTO_METHOD_VIEW_PRESENT,
    PROTO_METHOD_COUNT
};

enum proto_kind { PROTO_KIND_READ, PROTO_KIND_CHANGE, PROTO_KIND_SESSION, PROTO_KIND_COUNT };
// Each role may do what those before it may do; a client of the role NONE has shown no token.
enum proto_role { PROTO_ROLE_NONE, PROTO_ROLE_VIEWER, PROTO_ROLE_EDITOR, PROTO_ROLE_ADMIN, PROTO_ROLE_COUNT };
extern const char *const proto_role_names[PROTO_ROLE_COUNT];
// A method of the engine belongs to a world: it is recorded, or only reads. One of the host needs the process: tokens,
// files, other worlds, the history, the store or the clock.
enum proto_part { PROTO_PART_ENGINE, PROTO_PART_HOST, PROTO_PART_COUNT };

// What a command makes; its result holds the id.
enum proto_makes {
    PROTO_MAKES_NOTHING,
    PROTO_MAKES_OBJECT,
    PROTO_MAKES_OBSTACLE,
    PROTO_MAKES_STICK,
    PROTO_MAKES_GRAB,
    PROTO_MAKES_COUNT
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

// ROW(CLOTH_SPAWN, cloth_spawn) and so on for every method of a part, but for batch.run, whose commands have rows.
#define PROTO_ENGINE_METHODS(ROW) \
    ROW(CLOTH_SPAWN, cloth_spawn) \
    ROW(MESH_SPAWN, mesh_spawn) \
    ROW(PARTICLES_SPAWN, particles_spawn) \
    ROW(ROPE_SPAWN, rope_spawn) \
    ROW(BODY_SPAWN, body_spawn) \
    ROW(PLANT_SPAWN, plant_spawn) \
    ROW(RAGDOLL_SPAWN, ragdoll_spawn) \
    ROW(SOFT_SPAWN, soft_spawn) \
    ROW(STICK_ADD, stick_add) \
    ROW(STICK_SET, stick_set) \
    ROW(STICK_REMOVE, stick_remove) \
    ROW(OBSTACLE_ADD, obstacle_add) \
    ROW(OBSTACLE_REMOVE, obstacle_remove) \
    ROW(OBSTACLE_SET, obstacle_set) \
    ROW(OBJECT_LIST, object_list) \
    ROW(OBJECT_GET, object_get) \
    ROW(OBJECT_REMOVE, object_remove) \
    ROW(OBJECT_SET, object_set) \
    ROW(PARTICLE_PIN, particle_pin) \
    ROW(PARTICLE_UNPIN, particle_unpin) \
    ROW(PARTICLE_TEAR, particle_tear) \
    ROW(BLADE_CUT, blade_cut) \
    ROW(PARTICLE_SET, particle_set) \
    ROW(PARTICLE_MOVE, particle_move) \
    ROW(PARTICLE_READ, particle_read) \
    ROW(OBJECT_STICKS, object_sticks) \
    ROW(FORCE_APPLY, force_apply) \
    ROW(GRAB_START, grab_start) \
    ROW(GRAB_MOVE, grab_move) \
    ROW(GRAB_END, grab_end) \
    ROW(WORLD_GET, world_get) \
    ROW(WORLD_MEASURE, world_measure) \
    ROW(WORLD_CONTACTS, world_contacts) \
    ROW(WORLD_SET, world_set) \
    ROW(WORLD_PAUSE, world_pause) \
    ROW(WORLD_RESUME, world_resume) \
    ROW(WORLD_RESET, world_reset) \
    ROW(FRAMES_SUBSCRIBE, frames_subscribe) \
    ROW(FRAMES_UNSUBSCRIBE, frames_unsubscribe) \
    ROW(EVENTS_SUBSCRIBE, events_subscribe) \
    ROW(EVENTS_UNSUBSCRIBE, events_unsubscribe) \
    ROW(POINTER_MOVE, pointer_move) \
    ROW(CLIENT_INTRODUCE, client_introduce) \
    ROW(PEOPLE_LIST, people_list) \
    ROW(HAND_RAISE, hand_raise) \
    ROW(HAND_LOWER, hand_lower) \
    ROW(SELECTION_SHOW, selection_show) \
    ROW(RPC_DISCOVER, rpc_discover) \
    ROW(VIEW_SHOW, view_show) \
    ROW(VIEW_MOVE, view_move) \
    ROW(VIEW_FOLLOW, view_follow) \
    ROW(VIEW_PRESENT, view_present)

#define PROTO_HOST_METHODS(ROW) \
    ROW(WORLD_STEP, world_step) \
    ROW(PEOPLE_GRANT, people_grant) \
    ROW(PEOPLE_REMOVE, people_remove) \
    ROW(SCENE_LIST, scene_list) \
    ROW(SCENE_PREVIEW, scene_preview) \
    ROW(SCENE_LOAD, scene_load) \
    ROW(SCENE_SAVE, scene_save) \
    ROW(SCENE_DELETE, scene_delete) \
    ROW(SESSION_AUTHENTICATE, session_authenticate) \
    ROW(SESSION_RESUME, session_resume) \
    ROW(WORLD_HISTORY, world_history) \
    ROW(WORLD_LOG, world_log) \
    ROW(WORLD_SEEK, world_seek) \
    ROW(WORLD_REPLAY, world_replay) \
    ROW(WORLD_UNDO, world_undo) \
    ROW(WORLD_REDO, world_redo) \
    ROW(WORLD_CANCEL, world_cancel) \
    ROW(SERVER_GET, server_get) \
    ROW(CLIENT_LIST, client_list) \
    ROW(CLIENT_CLOSE, client_close) \
    ROW(NODE_LIST, node_list) \
    ROW(NODE_DRAIN, node_drain) \
    ROW(WORLD_LIST, world_list) \
    ROW(WORLD_CREATE, world_create) \
    ROW(WORLD_BRANCH, world_branch) \
    ROW(WORLD_COPY, world_copy) \
    ROW(WORLD_REMOVE, world_remove) \
    ROW(WORLD_EXPORT, world_export) \
    ROW(WORLD_IMPORT, world_import) \
    ROW(WORLD_FREEZE, world_freeze) \
    ROW(BROADCAST_START, broadcast_start) \
    ROW(BROADCAST_STOP, broadcast_stop) \
    ROW(BROADCAST_GET, broadcast_get)

// The codes of the protocol's errors.
enum proto_error {
    PROTO_ERROR_PARSE = -32700,
    PROTO_ERROR_REQUEST = -32600,
    PROTO_ERROR_METHOD = -32601,
    PROTO_ERROR_INVALID = -32602,
    PROTO_ERROR_INTERNAL = -32603,
    PROTO_ERROR_BUSY = -32000,
    PROTO_ERROR_DENIED = -32001,
    PROTO_ERROR_NOT_FOUND = -32002,
    PROTO_ERROR_LIMIT = -32003,
    PROTO_ERROR_STATE = -32004,
    PROTO_ERROR_RATE = -32005,
    PROTO_ERROR_FROZEN = -32006,
};

// Numbers; of positions and velocities three per particle, one after another.
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

enum proto_sheet_pins_choice {
    PROTO_SHEET_PINS_TOP_CORNERS,
    PROTO_SHEET_PINS_CORNERS,
    PROTO_SHEET_PINS_TOP_EDGE,
    PROTO_SHEET_PINS_NONE,
    PROTO_SHEET_PINS_LIST,
    PROTO_SHEET_PINS_COUNT
};

struct proto_sheet_pins {
    enum proto_sheet_pins_choice choice;
    struct proto_indices indices; // with the choice LIST
};

enum proto_body_part_shape {
    PROTO_BODY_PART_SHAPE_BOX,
    PROTO_BODY_PART_SHAPE_HULL,
    PROTO_BODY_PART_SHAPE_SPHERE,
    PROTO_BODY_PART_SHAPE_CAPSULE,
    PROTO_BODY_PART_SHAPE_CYLINDER,
    PROTO_BODY_PART_SHAPE_COUNT
};
extern const char *const proto_body_part_shape_names[PROTO_BODY_PART_SHAPE_COUNT];

enum proto_cloth_spawn_mesh {
    PROTO_CLOTH_SPAWN_MESH_GRID,
    PROTO_CLOTH_SPAWN_MESH_HEX,
    PROTO_CLOTH_SPAWN_MESH_COUNT
};
extern const char *const proto_cloth_spawn_mesh_names[PROTO_CLOTH_SPAWN_MESH_COUNT];

enum proto_fabric {
    PROTO_FABRIC_COTTON,
    PROTO_FABRIC_DENIM,
    PROTO_FABRIC_POLYESTER,
    PROTO_FABRIC_NYLON,
    PROTO_FABRIC_TWILL,
    PROTO_FABRIC_BLANKET,
    PROTO_FABRIC_COUNT
};
extern const char *const proto_fabric_names[PROTO_FABRIC_COUNT];

enum proto_projection {
    PROTO_PROJECTION_CURRENT,
    PROTO_PROJECTION_START,
    PROTO_PROJECTION_COUNT
};
extern const char *const proto_projection_names[PROTO_PROJECTION_COUNT];

enum proto_rope_spawn_pin {
    PROTO_ROPE_SPAWN_PIN_START,
    PROTO_ROPE_SPAWN_PIN_END,
    PROTO_ROPE_SPAWN_PIN_BOTH,
    PROTO_ROPE_SPAWN_PIN_NONE,
    PROTO_ROPE_SPAWN_PIN_COUNT
};
extern const char *const proto_rope_spawn_pin_names[PROTO_ROPE_SPAWN_PIN_COUNT];

enum proto_body_spawn_shape {
    PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON,
    PROTO_BODY_SPAWN_SHAPE_BOX,
    PROTO_BODY_SPAWN_SHAPE_HULL,
    PROTO_BODY_SPAWN_SHAPE_FRAME,
    PROTO_BODY_SPAWN_SHAPE_SPHERE,
    PROTO_BODY_SPAWN_SHAPE_CAPSULE,
    PROTO_BODY_SPAWN_SHAPE_CYLINDER,
    PROTO_BODY_SPAWN_SHAPE_COMPOUND,
    PROTO_BODY_SPAWN_SHAPE_COUNT
};
extern const char *const proto_body_spawn_shape_names[PROTO_BODY_SPAWN_SHAPE_COUNT];

enum proto_soft_spawn_shape {
    PROTO_SOFT_SPAWN_SHAPE_BOX,
    PROTO_SOFT_SPAWN_SHAPE_BALL,
    PROTO_SOFT_SPAWN_SHAPE_TETRAHEDRA,
    PROTO_SOFT_SPAWN_SHAPE_COUNT
};
extern const char *const proto_soft_spawn_shape_names[PROTO_SOFT_SPAWN_SHAPE_COUNT];

enum proto_stick_add_kind {
    PROTO_STICK_ADD_KIND_EQUAL,
    PROTO_STICK_ADD_KIND_AT_MOST,
    PROTO_STICK_ADD_KIND_AT_LEAST,
    PROTO_STICK_ADD_KIND_COUNT
};
extern const char *const proto_stick_add_kind_names[PROTO_STICK_ADD_KIND_COUNT];

enum proto_stick_set_kind {
    PROTO_STICK_SET_KIND_EQUAL,
    PROTO_STICK_SET_KIND_AT_MOST,
    PROTO_STICK_SET_KIND_AT_LEAST,
    PROTO_STICK_SET_KIND_COUNT
};
extern const char *const proto_stick_set_kind_names[PROTO_STICK_SET_KIND_COUNT];

enum proto_obstacle_add_shape {
    PROTO_OBSTACLE_ADD_SHAPE_SPHERE,
    PROTO_OBSTACLE_ADD_SHAPE_BOX,
    PROTO_OBSTACLE_ADD_SHAPE_PLANE,
    PROTO_OBSTACLE_ADD_SHAPE_CAPSULE,
    PROTO_OBSTACLE_ADD_SHAPE_HEIGHTFIELD,
    PROTO_OBSTACLE_ADD_SHAPE_MESH,
    PROTO_OBSTACLE_ADD_SHAPE_COUNT
};
extern const char *const proto_obstacle_add_shape_names[PROTO_OBSTACLE_ADD_SHAPE_COUNT];

enum proto_particle_move_mode {
    PROTO_PARTICLE_MOVE_MODE_TELEPORT,
    PROTO_PARTICLE_MOVE_MODE_PUSH,
    PROTO_PARTICLE_MOVE_MODE_COUNT
};
extern const char *const proto_particle_move_mode_names[PROTO_PARTICLE_MOVE_MODE_COUNT];

enum proto_world_set_square_root {
    PROTO_WORLD_SET_SQUARE_ROOT_EXACT,
    PROTO_WORLD_SET_SQUARE_ROOT_APPROXIMATE,
    PROTO_WORLD_SET_SQUARE_ROOT_COUNT
};
extern const char *const proto_world_set_square_root_names[PROTO_WORLD_SET_SQUARE_ROOT_COUNT];

enum proto_frames_subscribe_encoding {
    PROTO_FRAMES_SUBSCRIBE_ENCODING_GRID,
    PROTO_FRAMES_SUBSCRIBE_ENCODING_RAW,
    PROTO_FRAMES_SUBSCRIBE_ENCODING_MOTION,
    PROTO_FRAMES_SUBSCRIBE_ENCODING_TICKS,
    PROTO_FRAMES_SUBSCRIBE_ENCODING_COUNT
};
extern const char *const proto_frames_subscribe_encoding_names[PROTO_FRAMES_SUBSCRIBE_ENCODING_COUNT];

enum proto_event_name {
    PROTO_EVENT_NAME_OBJECT_ADDED,
    PROTO_EVENT_NAME_OBJECT_REMOVED,
    PROTO_EVENT_NAME_OBJECT_CHANGED,
    PROTO_EVENT_NAME_OBSTACLE_ADDED,
    PROTO_EVENT_NAME_OBSTACLE_REMOVED,
    PROTO_EVENT_NAME_OBSTACLE_CHANGED,
    PROTO_EVENT_NAME_STICK_ADDED,
    PROTO_EVENT_NAME_STICK_CHANGED,
    PROTO_EVENT_NAME_STICK_REMOVED,
    PROTO_EVENT_NAME_PARTICLE_PINNED,
    PROTO_EVENT_NAME_PARTICLE_UNPINNED,
    PROTO_EVENT_NAME_GRAB_STARTED,
    PROTO_EVENT_NAME_GRAB_ENDED,
    PROTO_EVENT_NAME_UNDO_PROGRESS,
    PROTO_EVENT_NAME_COMMANDS_LOST,
    PROTO_EVENT_NAME_WORLD_CHANGED,
    PROTO_EVENT_NAME_CLIENT_JOINED,
    PROTO_EVENT_NAME_CLIENT_LEFT,
    PROTO_EVENT_NAME_CLIENT_CHANGED,
    PROTO_EVENT_NAME_SELECTION_CHANGED,
    PROTO_EVENT_NAME_POINTER_MOVED,
    PROTO_EVENT_NAME_STICK_BROKEN,
    PROTO_EVENT_NAME_BODY_QUARANTINED,
    PROTO_EVENT_NAME_OBJECT_SLEPT,
    PROTO_EVENT_NAME_OBJECT_WOKE,
    PROTO_EVENT_NAME_FRAMES_PACED,
    PROTO_EVENT_NAME_VIEW_SHOWN,
    PROTO_EVENT_NAME_VIEW_MOVED,
    PROTO_EVENT_NAME_COUNT
};
extern const char *const proto_event_names[PROTO_EVENT_NAME_COUNT];

enum proto_people_grant_role {
    PROTO_PEOPLE_GRANT_ROLE_VIEWER,
    PROTO_PEOPLE_GRANT_ROLE_EDITOR,
    PROTO_PEOPLE_GRANT_ROLE_COUNT
};
extern const char *const proto_people_grant_role_names[PROTO_PEOPLE_GRANT_ROLE_COUNT];

// A typed command. `params` points to the struct of its method, NULL where the method has no parameters.
struct proto_command {
    enum proto_method method;
    const void *params;
    const char *params_text; // the params as compact JSON, "{}" when absent; not terminated
    size_t params_length;
    uint64_t at_tick; // the tick that shall be the first to see the change; absent from `params_text`
    bool has_at_tick;
};

struct proto_commands {
    const struct proto_command *items;
    uint32_t count;
};

// BodyPart
struct proto_body_part {
    enum proto_body_part_shape shape;
    struct vec3 size; // m
    bool has_size;
    struct proto_floats vertices; // m
    bool has_vertices;
    float radius; // m
    bool has_radius;
    float length; // m
    bool has_length;
    float height; // m
    bool has_height;
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    float density;
    bool has_density;
    float share;
    bool has_share;
};

// StickEnd
struct proto_stick_end {
    struct proto_ref object;
    uint32_t particle;
    bool has_particle;
    struct vec3 point; // m
    bool has_point;
    struct vec3 anchor; // m
    bool has_anchor;
    struct proto_indices particles;
    bool has_particles;
    struct proto_floats weights;
    bool has_weights;
};

// StickSwing
struct proto_stick_swing {
    float amplitude; // m
    float period; // s
    bool has_period;
    float phase;
    bool has_phase;
};

// PathPoint
struct proto_path_point {
    float time; // s
    struct vec3 position; // m
    struct quat rotation;
    bool has_rotation;
};

// Bounds
struct proto_bounds {
    struct vec3 min; // m
    struct vec3 max; // m
};

// Wind
struct proto_wind {
    struct vec3 velocity; // m/s
    float gust;
    bool has_gust;
};

// cloth.spawn: Create a cloth.
struct proto_cloth_spawn {
    uint32_t columns;
    uint32_t rows;
    float spacing; // m
    bool has_spacing;
    enum proto_cloth_spawn_mesh mesh;
    bool has_mesh;
    bool shear;
    bool has_shear;
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    struct proto_sheet_pins pin;
    bool has_pin;
    float mass; // kg
    bool has_mass;
    float areal_density; // kg/m²
    bool has_areal_density;
    struct proto_floats masses;
    bool has_masses;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    float stretch_compliance; // m/N
    bool has_stretch_compliance;
    bool bend;
    bool has_bend;
    float bend_compliance; // m/N
    bool has_bend_compliance;
    enum proto_fabric fabric;
    bool has_fabric;
    float stretch_warp; // N/m
    bool has_stretch_warp;
    float stretch_weft; // N/m
    bool has_stretch_weft;
    float shear_stiffness; // N/m
    bool has_shear_stiffness;
    float bend_warp; // N·m
    bool has_bend_warp;
    float bend_weft; // N·m
    bool has_bend_weft;
    float crease_curvature; // 1/m
    bool has_crease_curvature;
    bool tethers;
    bool has_tethers;
    float tear;
    bool has_tear;
    float tear_force; // N
    bool has_tear_force;
    float thickness; // m
    bool has_thickness;
    bool self_collision;
    bool has_self_collision;
    enum proto_projection projection;
    bool has_projection;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// mesh.spawn: Create a cloth from a triangle mesh.
struct proto_mesh_spawn {
    struct proto_floats positions; // m
    struct proto_indices triangles;
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    struct proto_sheet_pins pin;
    bool has_pin;
    float mass; // kg
    bool has_mass;
    float areal_density; // kg/m²
    bool has_areal_density;
    struct proto_floats masses;
    bool has_masses;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    float stretch_compliance; // m/N
    bool has_stretch_compliance;
    bool bend;
    bool has_bend;
    float bend_compliance; // m/N
    bool has_bend_compliance;
    enum proto_fabric fabric;
    bool has_fabric;
    float stretch_warp; // N/m
    bool has_stretch_warp;
    float stretch_weft; // N/m
    bool has_stretch_weft;
    float shear_stiffness; // N/m
    bool has_shear_stiffness;
    float bend_warp; // N·m
    bool has_bend_warp;
    float bend_weft; // N·m
    bool has_bend_weft;
    float crease_curvature; // 1/m
    bool has_crease_curvature;
    bool tethers;
    bool has_tethers;
    float tear;
    bool has_tear;
    float tear_force; // N
    bool has_tear_force;
    float thickness; // m
    bool has_thickness;
    bool self_collision;
    bool has_self_collision;
    enum proto_projection projection;
    bool has_projection;
    float pressure; // Pa
    bool has_pressure;
    bool supplied;
    bool has_supplied;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// particles.spawn: Create loose particles.
struct proto_particles_spawn {
    struct proto_floats positions; // m
    struct proto_floats velocities; // m/s
    bool has_velocities;
    struct proto_floats masses;
    bool has_masses;
    float radius; // m
    bool has_radius;
    bool collision;
    bool has_collision;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// rope.spawn: Create a rope: a chain of sticks.
struct proto_rope_spawn {
    struct vec3 from; // m
    bool has_from;
    struct vec3 to; // m
    bool has_to;
    struct proto_floats positions; // m
    bool has_positions;
    uint32_t particles;
    bool has_particles;
    float mass; // kg
    bool has_mass;
    struct proto_floats masses;
    bool has_masses;
    enum proto_rope_spawn_pin pin;
    bool has_pin;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    float thickness; // m
    bool has_thickness;
    bool collision;
    bool has_collision;
    float stretch_compliance; // m/N
    bool has_stretch_compliance;
    float tear_force; // N
    bool has_tear_force;
    enum proto_projection projection;
    bool has_projection;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// body.spawn: Create a rigid body: four particles with six constraints.
struct proto_body_spawn {
    enum proto_body_spawn_shape shape;
    bool has_shape;
    struct proto_size size; // m
    bool has_size;
    struct proto_floats vertices; // m
    bool has_vertices;
    float radius; // m
    bool has_radius;
    float length; // m
    bool has_length;
    float height; // m
    bool has_height;
    struct proto_list parts;
    bool has_parts;
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    struct vec3 velocity; // m/s
    bool has_velocity;
    struct vec3 angular_velocity; // rad/s
    bool has_angular_velocity;
    float mass; // kg
    bool has_mass;
    struct proto_floats masses;
    bool has_masses;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    enum proto_projection projection;
    bool has_projection;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// plant.spawn: Create a plant.
struct proto_plant_spawn {
    struct vec3 position; // m
    bool has_position;
    float height; // m
    bool has_height;
    uint32_t levels;
    bool has_levels;
    uint32_t leaves;
    bool has_leaves;
    float mass; // kg
    bool has_mass;
    float stiffness;
    bool has_stiffness;
    float friction;
    bool has_friction;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// ragdoll.spawn: Create a ragdoll.
struct proto_ragdoll_spawn {
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    struct vec3 velocity; // m/s
    bool has_velocity;
    float height; // m
    bool has_height;
    float mass; // kg
    bool has_mass;
    float friction;
    bool has_friction;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// soft.spawn: Create a soft body: particles and tetrahedra of an elastic material.
struct proto_soft_spawn {
    enum proto_soft_spawn_shape shape;
    bool has_shape;
    struct vec3 size; // m
    bool has_size;
    float radius; // m
    bool has_radius;
    struct proto_indices cells;
    bool has_cells;
    struct proto_floats positions; // m
    bool has_positions;
    struct proto_indices tetrahedra;
    bool has_tetrahedra;
    struct vec3 position; // m
    bool has_position;
    struct quat rotation;
    bool has_rotation;
    struct vec3 velocity; // m/s
    bool has_velocity;
    struct vec3 angular_velocity; // rad/s
    bool has_angular_velocity;
    float young; // Pa
    bool has_young;
    float poisson;
    bool has_poisson;
    float density; // kg/m³
    bool has_density;
    float viscosity; // s
    bool has_viscosity;
    struct proto_sheet_pins pin;
    bool has_pin;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    float thickness; // m
    bool has_thickness;
    bool self_collision;
    bool has_self_collision;
    enum proto_projection projection;
    bool has_projection;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// stick.add: Join two points with a stick.
struct proto_stick_add {
    struct proto_stick_end a;
    struct proto_stick_end b;
    float rest_length; // m
    bool has_rest_length;
    enum proto_stick_add_kind kind;
    bool has_kind;
    float compliance; // m/N
    bool has_compliance;
    enum proto_projection projection;
    bool has_projection;
    struct proto_stick_swing swing;
    bool has_swing;
    float break_force; // N
    bool has_break_force;
};

// stick.set: Change a stick that stick.add added.
struct proto_stick_set {
    uint32_t stick;
    float rest_length; // m
    bool has_rest_length;
    float rate; // m/s
    bool has_rate;
    enum proto_stick_set_kind kind;
    bool has_kind;
    float compliance; // m/N
    bool has_compliance;
    struct proto_stick_swing swing;
    bool has_swing;
    float break_force; // N
    bool has_break_force;
};

// stick.remove: Remove a stick that stick.add added.
struct proto_stick_remove {
    uint32_t stick;
};

// obstacle.add: Add an obstacle, which stays or moves by a velocity or along a path.
struct proto_obstacle_add {
    enum proto_obstacle_add_shape shape;
    struct vec3 position; // m
    bool has_position;
    float radius; // m
    bool has_radius;
    struct vec3 size; // m
    bool has_size;
    struct quat rotation;
    bool has_rotation;
    struct vec3 normal; // 1
    bool has_normal;
    struct vec3 from; // m
    bool has_from;
    struct vec3 to; // m
    bool has_to;
    uint32_t columns;
    bool has_columns;
    uint32_t rows;
    bool has_rows;
    float spacing; // m
    bool has_spacing;
    struct proto_floats heights; // m
    bool has_heights;
    struct proto_floats positions; // m
    bool has_positions;
    struct proto_indices triangles;
    bool has_triangles;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    struct vec3 velocity; // m/s
    bool has_velocity;
    struct vec3 angular_velocity; // rad/s
    bool has_angular_velocity;
    struct vec3 pivot; // m
    bool has_pivot;
    struct vec3 surface_velocity; // m/s
    bool has_surface_velocity;
    struct proto_list path;
    bool has_path;
    bool loop;
    bool has_loop;
    float path_time; // s
    bool has_path_time;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
};

// obstacle.remove: Remove an obstacle.
struct proto_obstacle_remove {
    uint32_t obstacle;
};

// obstacle.set: Change the color, name, material or motion of an obstacle.
struct proto_obstacle_set {
    uint32_t obstacle;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    struct vec3 velocity; // m/s
    bool has_velocity;
    struct vec3 angular_velocity; // rad/s
    bool has_angular_velocity;
    struct vec3 pivot; // m
    bool has_pivot;
    struct vec3 surface_velocity; // m/s
    bool has_surface_velocity;
    struct proto_list path;
    bool has_path;
    bool loop;
    bool has_loop;
    float path_time; // s
    bool has_path_time;
};

// object.get: Get the properties of an object.
struct proto_object_get {
    struct proto_ref object;
};

// object.remove: Remove an object and the sticks and grabs on it.
struct proto_object_remove {
    struct proto_ref object;
};

// object.set: Change the color, name or material of an object.
struct proto_object_set {
    struct proto_ref object;
    uint32_t color; // 0xRRGGBB
    bool has_color;
    const char *name;
    bool has_name;
    float friction;
    bool has_friction;
    float restitution;
    bool has_restitution;
    float stretch_compliance; // m/N
    bool has_stretch_compliance;
    float bend_compliance; // m/N
    bool has_bend_compliance;
    float stretch_warp; // N/m
    bool has_stretch_warp;
    float stretch_weft; // N/m
    bool has_stretch_weft;
    float shear_stiffness; // N/m
    bool has_shear_stiffness;
    float bend_warp; // N·m
    bool has_bend_warp;
    float bend_weft; // N·m
    bool has_bend_weft;
    float young; // Pa
    bool has_young;
    float poisson;
    bool has_poisson;
    float viscosity; // s
    bool has_viscosity;
    float pressure; // Pa
    bool has_pressure;
    float mass; // kg
    bool has_mass;
};

// particle.pin: Pin particles: only commands move them.
struct proto_particle_pin {
    struct proto_ref object;
    struct proto_indices particles;
    struct vec3 position; // m
    bool has_position;
};

// particle.unpin: Unpin particles and restore their masses.
struct proto_particle_unpin {
    struct proto_ref object;
    struct proto_indices particles;
};

// particle.tear: Tear a cloth along the edges between these particles, or around one.
struct proto_particle_tear {
    struct proto_ref object;
    struct proto_indices particles;
};

// blade.cut: Cut cloth, meshes and ropes with a blade that moves along a path.
struct proto_blade_cut {
    struct proto_ref object;
    bool has_object;
    struct proto_floats path; // m
    struct proto_floats far_path; // m
    bool has_far_path;
    struct vec3 blade; // m
    bool has_blade;
};

// particle.set: Set properties of particles.
struct proto_particle_set {
    struct proto_ref object;
    struct proto_indices particles;
    float inverse_mass; // 1/kg
};

// particle.move: Move one particle.
struct proto_particle_move {
    struct proto_ref object;
    uint32_t particle;
    struct vec3 position; // m
    enum proto_particle_move_mode mode;
    bool has_mode;
};

// particle.read: Read positions, velocities and inverse masses.
struct proto_particle_read {
    struct proto_ref object;
    struct proto_indices particles;
    bool has_particles;
};

// object.sticks: Read an object's sticks: ends, lengths, and batches of the solver.
struct proto_object_sticks {
    struct proto_ref object;
    uint32_t from;
    bool has_from;
    uint32_t most;
    bool has_most;
    bool lengths_only;
    bool has_lengths_only;
};

// force.apply: Apply a force for a number of ticks.
struct proto_force_apply {
    struct proto_ref object;
    struct proto_indices particles;
    bool has_particles;
    struct vec3 force; // N
    uint32_t ticks;
    bool has_ticks;
};

// grab.start: Grab a particle, or the surface point nearest to a point.
struct proto_grab_start {
    struct proto_ref object;
    uint32_t particle;
    bool has_particle;
    struct vec3 point; // m
    bool has_point;
};

// grab.move: Move a grab.
struct proto_grab_move {
    uint32_t grab;
    struct vec3 position; // m
};

// grab.end: End a grab.
struct proto_grab_end {
    uint32_t grab;
};

// world.contacts: List the contacts between objects.
struct proto_world_contacts {
    uint32_t most;
    bool has_most;
};

// world.set: Change parameters of the world; omitted ones keep their values.
struct proto_world_set {
    struct vec3 gravity; // m/s²
    bool has_gravity;
    float damping;
    bool has_damping;
    uint32_t iterations;
    bool has_iterations;
    uint32_t substeps;
    bool has_substeps;
    float tolerance;
    bool has_tolerance;
    enum proto_world_set_square_root square_root;
    bool has_square_root;
    struct proto_bounds bounds;
    bool has_bounds;
    struct proto_wind wind;
    bool has_wind;
    float air_density; // kg/m³
    bool has_air_density;
    float friction;
    bool has_friction;
    bool sleep;
    bool has_sleep;
};

// world.step: Step a paused world; the reply comes when all ticks are computed.
struct proto_world_step {
    uint32_t ticks;
    bool has_ticks;
};

// batch.run: Run commands in order: all of them, or none if one is refused.
struct proto_batch_run {
    struct proto_commands commands;
    uint64_t at_tick;
    bool has_at_tick;
};

// frames.subscribe: Subscribe to frames: the topology, a keyframe, then frames.
struct proto_frames_subscribe {
    uint32_t every_ticks;
    bool has_every_ticks;
    struct proto_indices objects;
    bool has_objects;
    enum proto_frames_subscribe_encoding encoding;
    bool has_encoding;
    bool adapt;
    bool has_adapt;
    float step; // m
    bool has_step;
};

// events.subscribe: Subscribe to events.
struct proto_events_subscribe {
    uint32_t events; // bits of the enum
    bool has_events;
};

// pointer.move: Show your pointer to others.
struct proto_pointer_move {
    struct vec3 position; // m
    bool has_position;
    bool laser;
    bool has_laser;
};

// client.introduce: Set your name and your color.
struct proto_client_introduce {
    const char *name;
    bool has_name;
    uint32_t color; // 0xRRGGBB
    bool has_color;
};

// hand.lower: Lower your hand; an owner may lower anyone's.
struct proto_hand_lower {
    uint32_t client;
    bool has_client;
};

// people.grant: Let a person edit this world, or only view it.
struct proto_people_grant {
    uint32_t client;
    enum proto_people_grant_role role;
};

// people.remove: Remove a person from this world: the connection is closed with code 4001.
struct proto_people_remove {
    uint32_t client;
    const char *reason;
    bool has_reason;
};

// selection.show: Show your selection to others.
struct proto_selection_show {
    struct proto_indices objects;
    bool has_objects;
    struct proto_indices particles;
    bool has_particles;
};

// scene.preview: Preview the first ticks of a scene without changing a world.
struct proto_scene_preview {
    const char *name;
    uint32_t ticks;
    bool has_ticks;
};

// scene.load: Load a scene: it replaces the world, at tick 0 in a new epoch.
struct proto_scene_load {
    const char *name;
};

// scene.save: Save the world as a scene.
struct proto_scene_save {
    const char *name;
    const char *title;
    bool has_title;
    bool overwrite;
    bool has_overwrite;
};

// scene.delete: Delete a saved scene.
struct proto_scene_delete {
    const char *name;
};

// session.authenticate: Authenticate with a token.
struct proto_session_authenticate {
    const char *token;
};

// session.resume: Name this session by a key, to resume it after a lost connection.
struct proto_session_resume {
    const char *session;
};

// world.history: List the commands and branches in the world's history.
struct proto_world_history {
    uint32_t timeline;
    bool has_timeline;
    uint64_t from;
    bool has_from;
    uint32_t most;
    bool has_most;
};

// world.log: Get the commands that rebuild the world.
struct proto_world_log {
    uint64_t from;
    bool has_from;
    uint32_t most;
    bool has_most;
};

// world.seek: Go to any tick of the world's history.
struct proto_world_seek {
    uint64_t tick;
    bool has_tick;
    uint32_t timeline;
    bool has_timeline;
};

// world.replay: Replay a tick or a range of the history at any speed.
struct proto_world_replay {
    uint64_t from;
    uint64_t to;
    bool has_to;
    uint64_t tick;
    bool has_tick;
    uint32_t timeline;
    bool has_timeline;
    float speed;
    bool has_speed;
    bool loop;
    bool has_loop;
};

// world.undo: Undo your last command.
struct proto_world_undo {
    bool scene;
    bool has_scene;
    bool force;
    bool has_force;
    bool background;
    bool has_background;
    float within; // s
    bool has_within;
};

// world.redo: Redo the command that you undid last.
struct proto_world_redo {
    bool force;
    bool has_force;
    bool background;
    bool has_background;
    float within; // s
    bool has_within;
};

// client.close: Close a client's connection with code 1008.
struct proto_client_close {
    uint64_t client;
    const char *reason;
    bool has_reason;
};

// node.drain: Make a node give its worlds to other nodes, or end that.
struct proto_node_drain {
    const char *url;
    bool has_url;
    bool draining;
    bool has_draining;
};

// world.create: Create a world from a scene, at /worlds/NAME.
struct proto_world_create {
    const char *name;
    const char *scene;
    bool has_scene;
    float tick_hz; // Hz
    bool has_tick_hz;
    bool paused;
    bool has_paused;
    bool temporary;
    bool has_temporary;
};

// world.branch: Create a world from any tick of this one.
struct proto_world_branch {
    const char *name;
    uint64_t tick;
    bool has_tick;
    uint32_t timeline;
    bool has_timeline;
    bool paused;
    bool has_paused;
    bool temporary;
    bool has_temporary;
    uint32_t copies;
    bool has_copies;
};

// world.copy: Create your own copy of this world, or find the one you have.
struct proto_world_copy {
    const char *key;
};

// world.remove: Remove a world and its history permanently.
struct proto_world_remove {
    const char *name;
};

// world.export: Export a range of the world's history as one file, a capsule.
struct proto_world_export {
    uint64_t from;
    bool has_from;
    uint64_t to;
    bool has_to;
    uint32_t timeline;
    bool has_timeline;
};

// world.import: Create a world from the end of a capsule.
struct proto_world_import {
    const char *name;
    const char *capsule;
    bool paused;
    bool has_paused;
};

// world.freeze: Freeze editing for everyone else, or unfreeze it.
struct proto_world_freeze {
    bool frozen;
    const char *message;
    bool has_message;
};

// broadcast.start: Start to broadcast this world over HTTP to any number of viewers.
struct proto_broadcast_start {
    bool embed;
    bool has_embed;
};

// view.show: Ask everyone to see your view.
struct proto_view_show {
    struct vec3 eye; // m
    struct vec3 target; // m
};

// view.move: Send your camera to your followers.
struct proto_view_move {
    struct vec3 eye; // m
    struct vec3 target; // m
};

// view.follow: Follow the camera of another client, or stop following.
struct proto_view_follow {
    uint32_t client;
    bool has_client;
};

// view.present: Ask everyone to follow your camera, or stop asking.
struct proto_view_present {
    bool presenting;
};

// clang-format on
#endif

// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
// Copies the parameters of a method into the description that the simulation takes. A parameter that the request left
// out and that has no default leaves its member as it was. Arrays are not copied: they live as long as the request.
#ifndef WEFT_APP_GEN_DESCRIPTIONS_H
#define WEFT_APP_GEN_DESCRIPTIONS_H

#include "proto/gen/methods.h"
#include "sim/sim.h"

// clang-format off

static inline enum sim_body_shape body_part_shape_of(enum proto_body_part_shape value) {
    static const enum sim_body_shape values[PROTO_BODY_PART_SHAPE_COUNT] = {
        [PROTO_BODY_PART_SHAPE_BOX] = SIM_BODY_BOX,
        [PROTO_BODY_PART_SHAPE_HULL] = SIM_BODY_HULL,
        [PROTO_BODY_PART_SHAPE_SPHERE] = SIM_BODY_SPHERE,
        [PROTO_BODY_PART_SHAPE_CAPSULE] = SIM_BODY_CAPSULE,
        [PROTO_BODY_PART_SHAPE_CYLINDER] = SIM_BODY_CYLINDER,
    };
    return values[value];
}

static inline enum sim_lattice cloth_spawn_mesh_of(enum proto_cloth_spawn_mesh value) {
    static const enum sim_lattice values[PROTO_CLOTH_SPAWN_MESH_COUNT] = {
        [PROTO_CLOTH_SPAWN_MESH_GRID] = SIM_LATTICE_GRID,
        [PROTO_CLOTH_SPAWN_MESH_HEX] = SIM_LATTICE_HEX,
    };
    return values[value];
}

static inline enum sim_fabric_name fabric_of(enum proto_fabric value) {
    static const enum sim_fabric_name values[PROTO_FABRIC_COUNT] = {
        [PROTO_FABRIC_COTTON] = SIM_FABRIC_COTTON,
        [PROTO_FABRIC_DENIM] = SIM_FABRIC_DENIM,
        [PROTO_FABRIC_POLYESTER] = SIM_FABRIC_POLYESTER,
        [PROTO_FABRIC_NYLON] = SIM_FABRIC_NYLON,
        [PROTO_FABRIC_TWILL] = SIM_FABRIC_TWILL,
        [PROTO_FABRIC_BLANKET] = SIM_FABRIC_BLANKET,
    };
    return values[value];
}

static inline enum sim_projection projection_of(enum proto_projection value) {
    static const enum sim_projection values[PROTO_PROJECTION_COUNT] = {
        [PROTO_PROJECTION_CURRENT] = SIM_PROJECTION_CURRENT,
        [PROTO_PROJECTION_START] = SIM_PROJECTION_START,
    };
    return values[value];
}

static inline enum sim_pin_preset rope_spawn_pin_of(enum proto_rope_spawn_pin value) {
    static const enum sim_pin_preset values[PROTO_ROPE_SPAWN_PIN_COUNT] = {
        [PROTO_ROPE_SPAWN_PIN_START] = SIM_PIN_START,
        [PROTO_ROPE_SPAWN_PIN_END] = SIM_PIN_END,
        [PROTO_ROPE_SPAWN_PIN_BOTH] = SIM_PIN_BOTH,
        [PROTO_ROPE_SPAWN_PIN_NONE] = SIM_PIN_NONE,
    };
    return values[value];
}

static inline enum sim_body_shape body_spawn_shape_of(enum proto_body_spawn_shape value) {
    static const enum sim_body_shape values[PROTO_BODY_SPAWN_SHAPE_COUNT] = {
        [PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON] = SIM_BODY_TETRAHEDRON,
        [PROTO_BODY_SPAWN_SHAPE_BOX] = SIM_BODY_BOX,
        [PROTO_BODY_SPAWN_SHAPE_HULL] = SIM_BODY_HULL,
        [PROTO_BODY_SPAWN_SHAPE_FRAME] = SIM_BODY_FRAME,
        [PROTO_BODY_SPAWN_SHAPE_SPHERE] = SIM_BODY_SPHERE,
        [PROTO_BODY_SPAWN_SHAPE_CAPSULE] = SIM_BODY_CAPSULE,
        [PROTO_BODY_SPAWN_SHAPE_CYLINDER] = SIM_BODY_CYLINDER,
        [PROTO_BODY_SPAWN_SHAPE_COMPOUND] = SIM_BODY_COMPOUND,
    };
    return values[value];
}

static inline enum sim_soft_shape soft_spawn_shape_of(enum proto_soft_spawn_shape value) {
    static const enum sim_soft_shape values[PROTO_SOFT_SPAWN_SHAPE_COUNT] = {
        [PROTO_SOFT_SPAWN_SHAPE_BOX] = SIM_SOFT_BOX,
        [PROTO_SOFT_SPAWN_SHAPE_BALL] = SIM_SOFT_BALL,
        [PROTO_SOFT_SPAWN_SHAPE_TETRAHEDRA] = SIM_SOFT_TETRAHEDRA,
    };
    return values[value];
}

static inline enum sim_stick_kind stick_add_kind_of(enum proto_stick_add_kind value) {
    static const enum sim_stick_kind values[PROTO_STICK_ADD_KIND_COUNT] = {
        [PROTO_STICK_ADD_KIND_EQUAL] = SIM_STICK_EQUAL,
        [PROTO_STICK_ADD_KIND_AT_MOST] = SIM_STICK_AT_MOST,
        [PROTO_STICK_ADD_KIND_AT_LEAST] = SIM_STICK_AT_LEAST,
    };
    return values[value];
}

static inline enum sim_stick_kind stick_set_kind_of(enum proto_stick_set_kind value) {
    static const enum sim_stick_kind values[PROTO_STICK_SET_KIND_COUNT] = {
        [PROTO_STICK_SET_KIND_EQUAL] = SIM_STICK_EQUAL,
        [PROTO_STICK_SET_KIND_AT_MOST] = SIM_STICK_AT_MOST,
        [PROTO_STICK_SET_KIND_AT_LEAST] = SIM_STICK_AT_LEAST,
    };
    return values[value];
}

static inline enum sim_obstacle_shape obstacle_add_shape_of(enum proto_obstacle_add_shape value) {
    static const enum sim_obstacle_shape values[PROTO_OBSTACLE_ADD_SHAPE_COUNT] = {
        [PROTO_OBSTACLE_ADD_SHAPE_SPHERE] = SIM_OBSTACLE_SPHERE,
        [PROTO_OBSTACLE_ADD_SHAPE_BOX] = SIM_OBSTACLE_BOX,
        [PROTO_OBSTACLE_ADD_SHAPE_PLANE] = SIM_OBSTACLE_PLANE,
        [PROTO_OBSTACLE_ADD_SHAPE_CAPSULE] = SIM_OBSTACLE_CAPSULE,
        [PROTO_OBSTACLE_ADD_SHAPE_HEIGHTFIELD] = SIM_OBSTACLE_HEIGHTFIELD,
        [PROTO_OBSTACLE_ADD_SHAPE_MESH] = SIM_OBSTACLE_MESH,
    };
    return values[value];
}

static inline enum sim_move_mode particle_move_mode_of(enum proto_particle_move_mode value) {
    static const enum sim_move_mode values[PROTO_PARTICLE_MOVE_MODE_COUNT] = {
        [PROTO_PARTICLE_MOVE_MODE_TELEPORT] = SIM_MOVE_TELEPORT,
        [PROTO_PARTICLE_MOVE_MODE_PUSH] = SIM_MOVE_PUSH,
    };
    return values[value];
}

static inline enum sim_square_root world_set_square_root_of(enum proto_world_set_square_root value) {
    static const enum sim_square_root values[PROTO_WORLD_SET_SQUARE_ROOT_COUNT] = {
        [PROTO_WORLD_SET_SQUARE_ROOT_EXACT] = SIM_SQUARE_ROOT_EXACT,
        [PROTO_WORLD_SET_SQUARE_ROOT_APPROXIMATE] = SIM_SQUARE_ROOT_APPROXIMATE,
    };
    return values[value];
}

static inline enum sim_pin_preset sheet_pins_choice_of(enum proto_sheet_pins_choice value) {
    static const enum sim_pin_preset values[PROTO_SHEET_PINS_COUNT] = {
        [PROTO_SHEET_PINS_TOP_CORNERS] = SIM_PIN_TOP_CORNERS,
        [PROTO_SHEET_PINS_CORNERS] = SIM_PIN_CORNERS,
        [PROTO_SHEET_PINS_TOP_EDGE] = SIM_PIN_TOP_EDGE,
        [PROTO_SHEET_PINS_NONE] = SIM_PIN_NONE,
        [PROTO_SHEET_PINS_LIST] = SIM_PIN_LIST,
    };
    return values[value];
}

static inline struct sim_pins sheet_pins_of(const struct proto_sheet_pins *pins) {
    return (struct sim_pins){.preset = sheet_pins_choice_of(pins->choice), .indices = pins->indices.items, .count = pins->indices.count};
}

static inline void fill_cloth_spawn(struct sim_cloth_desc *desc, const struct proto_cloth_spawn *params) {
    desc->columns = params->columns;
    desc->rows = params->rows;
    desc->spacing = params->spacing;
    desc->lattice = cloth_spawn_mesh_of(params->mesh);
    desc->sheet.shear = params->shear;
    desc->sheet.position = params->position;
    desc->sheet.rotation = params->rotation;
    desc->sheet.pins = sheet_pins_of(&params->pin);
    if (params->has_mass) {
        desc->sheet.mass = params->mass;
    }
    if (params->has_areal_density) {
        desc->sheet.areal_density = params->areal_density;
    }
    if (params->has_masses) {
        desc->sheet.masses = params->masses.items;
    }
    desc->sheet.friction = params->friction;
    desc->sheet.restitution = params->restitution;
    desc->sheet.stretch_compliance = params->stretch_compliance;
    desc->sheet.bend = params->bend;
    desc->sheet.bend_compliance = params->bend_compliance;
    if (params->has_stretch_warp) {
        desc->sheet.fabric.stretch_warp = params->stretch_warp;
    }
    if (params->has_stretch_weft) {
        desc->sheet.fabric.stretch_weft = params->stretch_weft;
    }
    if (params->has_shear_stiffness) {
        desc->sheet.fabric.shear = params->shear_stiffness;
    }
    if (params->has_bend_warp) {
        desc->sheet.fabric.bend_warp = params->bend_warp;
    }
    if (params->has_bend_weft) {
        desc->sheet.fabric.bend_weft = params->bend_weft;
    }
    if (params->has_crease_curvature) {
        desc->sheet.fabric.crease = params->crease_curvature;
    }
    desc->sheet.tethers = params->tethers;
    if (params->has_tear) {
        desc->sheet.tear = params->tear;
    }
    if (params->has_tear_force) {
        desc->sheet.tear_force = params->tear_force;
    }
    desc->sheet.thickness = params->thickness;
    desc->sheet.self_collision = params->self_collision;
    desc->sheet.projection = projection_of(params->projection);
}

static inline void fill_mesh_spawn(struct sim_mesh_desc *desc, const struct proto_mesh_spawn *params) {
    desc->positions = params->positions.items;
    desc->particles = params->positions.count / 3;
    desc->triangles = params->triangles.items;
    desc->triangle_count = params->triangles.count / 3;
    desc->sheet.position = params->position;
    desc->sheet.rotation = params->rotation;
    desc->sheet.pins = sheet_pins_of(&params->pin);
    if (params->has_mass) {
        desc->sheet.mass = params->mass;
    }
    if (params->has_areal_density) {
        desc->sheet.areal_density = params->areal_density;
    }
    if (params->has_masses) {
        desc->sheet.masses = params->masses.items;
    }
    desc->sheet.friction = params->friction;
    desc->sheet.restitution = params->restitution;
    desc->sheet.stretch_compliance = params->stretch_compliance;
    desc->sheet.bend = params->bend;
    desc->sheet.bend_compliance = params->bend_compliance;
    if (params->has_stretch_warp) {
        desc->sheet.fabric.stretch_warp = params->stretch_warp;
    }
    if (params->has_stretch_weft) {
        desc->sheet.fabric.stretch_weft = params->stretch_weft;
    }
    if (params->has_shear_stiffness) {
        desc->sheet.fabric.shear = params->shear_stiffness;
    }
    if (params->has_bend_warp) {
        desc->sheet.fabric.bend_warp = params->bend_warp;
    }
    if (params->has_bend_weft) {
        desc->sheet.fabric.bend_weft = params->bend_weft;
    }
    if (params->has_crease_curvature) {
        desc->sheet.fabric.crease = params->crease_curvature;
    }
    desc->sheet.tethers = params->tethers;
    if (params->has_tear) {
        desc->sheet.tear = params->tear;
    }
    if (params->has_tear_force) {
        desc->sheet.tear_force = params->tear_force;
    }
    desc->sheet.thickness = params->thickness;
    desc->sheet.self_collision = params->self_collision;
    desc->sheet.projection = projection_of(params->projection);
    if (params->has_pressure) {
        desc->gas.pressure = params->pressure;
    }
    desc->gas.supplied = params->supplied;
}

static inline void fill_particles_spawn(struct sim_particles_desc *desc, const struct proto_particles_spawn *params) {
    desc->positions = params->positions.items;
    desc->particles = params->positions.count / 3;
    if (params->has_velocities) {
        desc->velocities = params->velocities.items;
    }
    if (params->has_masses) {
        desc->masses = params->masses.items;
    }
    desc->radius = params->radius;
    desc->collision = params->collision;
    desc->friction = params->friction;
    desc->restitution = params->restitution;
}

static inline void fill_rope_spawn(struct sim_rope_desc *desc, const struct proto_rope_spawn *params) {
    if (params->has_from) {
        desc->from = params->from;
    }
    if (params->has_to) {
        desc->to = params->to;
    }
    desc->particles = params->particles;
    desc->mass = params->mass;
    if (params->has_masses) {
        desc->masses = params->masses.items;
    }
    desc->pins.preset = rope_spawn_pin_of(params->pin);
    desc->friction = params->friction;
    desc->restitution = params->restitution;
    desc->thickness = params->thickness;
    desc->collision = params->collision;
    desc->stretch_compliance = params->stretch_compliance;
    if (params->has_tear_force) {
        desc->tear_force = params->tear_force;
    }
    desc->projection = projection_of(params->projection);
}

static inline void fill_body_spawn(struct sim_body_desc *desc, const struct proto_body_spawn *params) {
    desc->shape = body_spawn_shape_of(params->shape);
    if (params->has_size) {
        desc->size = params->size.length;
        desc->extents = params->size.extents;
    }
    if (params->has_vertices) {
        desc->vertices = params->vertices.items;
        desc->vertex_count = params->vertices.count / 3;
    }
    if (params->has_radius) {
        desc->radius = params->radius;
    }
    if (params->has_length) {
        desc->length = params->length;
    }
    if (params->has_height) {
        desc->length = params->height;
    }
    desc->position = params->position;
    desc->rotation = params->rotation;
    desc->velocity = params->velocity;
    desc->angular_velocity = params->angular_velocity;
    desc->mass = params->mass;
    if (params->has_masses) {
        desc->masses = params->masses.items;
    }
    desc->friction = params->friction;
    desc->restitution = params->restitution;
    desc->projection = projection_of(params->projection);
}

static inline void fill_plant_spawn(struct sim_plant_desc *desc, const struct proto_plant_spawn *params) {
    desc->position = params->position;
    desc->height = params->height;
    desc->levels = params->levels;
    desc->leaves = params->leaves;
    desc->mass = params->mass;
    desc->stiffness = params->stiffness;
    desc->friction = params->friction;
}

static inline void fill_ragdoll_spawn(struct sim_ragdoll_desc *desc, const struct proto_ragdoll_spawn *params) {
    desc->position = params->position;
    desc->rotation = params->rotation;
    desc->velocity = params->velocity;
    desc->height = params->height;
    desc->mass = params->mass;
    desc->friction = params->friction;
}

static inline void fill_soft_spawn(struct sim_soft_desc *desc, const struct proto_soft_spawn *params) {
    desc->shape = soft_spawn_shape_of(params->shape);
    if (params->has_size) {
        desc->extents = params->size;
    }
    if (params->has_radius) {
        desc->radius = params->radius;
    }
    if (params->has_positions) {
        desc->positions = params->positions.items;
        desc->particles = params->positions.count / 3;
    }
    desc->position = params->position;
    desc->rotation = params->rotation;
    desc->velocity = params->velocity;
    desc->angular_velocity = params->angular_velocity;
    desc->young = params->young;
    desc->poisson = params->poisson;
    desc->density = params->density;
    desc->viscosity = params->viscosity;
    desc->pins = sheet_pins_of(&params->pin);
    desc->friction = params->friction;
    desc->restitution = params->restitution;
    desc->thickness = params->thickness;
    desc->self_collision = params->self_collision;
    desc->projection = projection_of(params->projection);
}

static inline void fill_stick_add(struct sim_stick_desc *desc, const struct proto_stick_add *params) {
    if (params->has_rest_length) {
        desc->rest_length = params->rest_length;
    }
    desc->kind = stick_add_kind_of(params->kind);
    desc->compliance = params->compliance;
    desc->projection = projection_of(params->projection);
    if (params->has_break_force) {
        desc->break_force = params->break_force;
    }
}

static inline void fill_obstacle_add(struct sim_obstacle *desc, const struct proto_obstacle_add *params) {
    desc->shape = obstacle_add_shape_of(params->shape);
    desc->position = params->position;
    if (params->has_radius) {
        desc->radius = params->radius;
    }
    if (params->has_size) {
        desc->size = params->size;
    }
    desc->rotation = params->rotation;
    if (params->has_normal) {
        desc->normal = params->normal;
    }
    if (params->has_from) {
        desc->from = params->from;
    }
    if (params->has_to) {
        desc->to = params->to;
    }
    if (params->has_columns) {
        desc->columns = params->columns;
    }
    if (params->has_rows) {
        desc->rows = params->rows;
    }
    if (params->has_spacing) {
        desc->spacing = params->spacing;
    }
    if (params->has_heights) {
        desc->heights = params->heights.items;
    }
    if (params->has_positions) {
        desc->positions = params->positions.items;
        desc->vertices = params->positions.count / 3;
    }
    if (params->has_triangles) {
        desc->triangles = params->triangles.items;
        desc->triangle_count = params->triangles.count / 3;
    }
    desc->friction = params->friction;
    desc->restitution = params->restitution;
}

static inline void fill_world_set(struct sim_parameters *desc, const struct proto_world_set *params) {
    if (params->has_gravity) {
        desc->gravity = params->gravity;
    }
    if (params->has_damping) {
        desc->damping = params->damping;
    }
    if (params->has_iterations) {
        desc->iterations = params->iterations;
    }
    if (params->has_substeps) {
        desc->substeps = params->substeps;
    }
    if (params->has_tolerance) {
        desc->tolerance = params->tolerance;
    }
    if (params->has_square_root) {
        desc->square_root = world_set_square_root_of(params->square_root);
    }
    if (params->has_bounds) {
        desc->bounds_min = params->bounds.min;
        desc->bounds_max = params->bounds.max;
    }
    if (params->has_wind) {
        desc->wind_velocity = params->wind.velocity;
        desc->wind_gust = params->wind.gust;
    }
    if (params->has_air_density) {
        desc->air_density = params->air_density;
    }
    if (params->has_friction) {
        desc->friction = params->friction;
    }
    if (params->has_sleep) {
        desc->sleep = params->sleep;
    }
}

// clang-format on
#endif

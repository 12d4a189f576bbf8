// SPDX-License-Identifier: MIT
#include "engine/describe/describe.h"

#include <stdio.h>
#include <string.h>

#include "engine/describe/motion.h"
#include "engine/record/record.h"

static const char *const kind_names[SIM_KIND_COUNT] = {
    [SIM_KIND_PARTICLES] = "particles", [SIM_KIND_CLOTH] = "cloth", [SIM_KIND_MESH] = "mesh",
    [SIM_KIND_ROPE] = "rope",           [SIM_KIND_BODY] = "body",   [SIM_KIND_PLANT] = "plant",
    [SIM_KIND_RAGDOLL] = "ragdoll",     [SIM_KIND_SOFT] = "soft",
};
// The core and the protocol number these alike, so one table of names serves both.
_Static_assert((int)SIM_LATTICE_COUNT == (int)PROTO_CLOTH_SPAWN_MESH_COUNT, "lattices");
_Static_assert((int)SIM_BODY_SHAPE_COUNT == (int)PROTO_BODY_SPAWN_SHAPE_COUNT, "shapes of bodies");
_Static_assert((int)SIM_SOFT_SHAPE_COUNT == (int)PROTO_SOFT_SPAWN_SHAPE_COUNT, "shapes of soft bodies");
_Static_assert((int)SIM_PROJECTION_COUNT == (int)PROTO_PROJECTION_COUNT, "projections");
_Static_assert((int)SIM_STICK_KIND_COUNT == (int)PROTO_STICK_ADD_KIND_COUNT, "kinds of stick");
_Static_assert((int)SIM_OBSTACLE_SHAPE_COUNT == (int)PROTO_OBSTACLE_ADD_SHAPE_COUNT, "shapes of obstacles");
_Static_assert((int)SIM_SQUARE_ROOT_COUNT == (int)PROTO_WORLD_SET_SQUARE_ROOT_COUNT, "square roots");

static void write_color(struct json_writer *out, bool has_color, uint32_t color) {
    json_writer_key(out, "color");
    if (!has_color) {
        json_writer_null(out);
        return;
    }
    char text[8];
    snprintf(text, sizeof text, "#%06x", color & 0xffffffu);
    json_writer_string(out, text);
}

static void write_name(struct json_writer *out, const char *name, const char *kind, uint32_t id) {
    char made[32];
    snprintf(made, sizeof made, "%s %u", kind, id);
    json_writer_member_string(out, "name", name != NULL && name[0] != '\0' ? name : made);
}

void describe_identity(struct engine_world *world, const struct sim_object_view *view, const char *id_key,
                       struct json_writer *out) {
    const struct object_record *record = engine_find_object(world, view->id);
    json_writer_member_unsigned(out, id_key, view->id);
    json_writer_member_string(out, "kind", kind_names[view->kind]);
    write_name(out, record != NULL ? record->name : NULL, kind_names[view->kind], view->id);
    write_color(out, record != NULL && record->has_color, record != NULL ? record->color : 0);
    json_writer_member_unsigned(out, "particles", view->particles);
}

void describe_look(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    const struct object_record *record = engine_find_object(world, view->id);
    write_name(out, record != NULL ? record->name : NULL, kind_names[view->kind], view->id);
    if (record != NULL && record->has_color) {
        write_color(out, true, record->color);
    }
}

void describe_obstacle_look(struct engine_world *world, const struct sim_obstacle *obstacle, struct json_writer *out) {
    const struct obstacle_record *record = engine_find_obstacle(world, obstacle->id);
    write_name(out, record != NULL ? record->name : NULL, proto_obstacle_add_shape_names[obstacle->shape],
               obstacle->id);
    if (record != NULL && record->has_color) {
        write_color(out, true, record->color);
    }
}

void describe_lattice(const struct sim_object_view *view, struct json_writer *out) {
    if (view->kind != SIM_KIND_CLOTH) {
        return;
    }
    json_writer_member_unsigned(out, "columns", view->columns);
    json_writer_member_unsigned(out, "rows", view->rows);
    json_writer_member_float(out, "spacing", view->spacing);
    json_writer_member_string(out, "mesh", proto_cloth_spawn_mesh_names[view->lattice]);
}

void describe_shape(const struct sim_object_view *view, struct json_writer *out) {
    if (view->kind == SIM_KIND_BODY) {
        json_writer_member_string(out, "shape", proto_body_spawn_shape_names[view->shape]);
    }
}

void describe_stiffness(const struct sim_object_view *view, struct json_writer *out) {
    if (view->stretch_compliance != NULL) {
        json_writer_member_float(out, "stretchCompliance", *view->stretch_compliance);
    }
    if (view->bend_compliance != NULL) {
        json_writer_member_float(out, "bendCompliance", *view->bend_compliance);
    }
    if (view->fabric != NULL) {
        json_writer_member_float(out, "stretchWarp", view->fabric->stretch_warp);
        json_writer_member_float(out, "stretchWeft", view->fabric->stretch_weft);
        json_writer_member_float(out, "shearStiffness", view->fabric->shear);
        json_writer_member_float(out, "bendWarp", view->fabric->bend_warp);
        json_writer_member_float(out, "bendWeft", view->fabric->bend_weft);
        if (view->fabric->crease > 0.0f) {
            json_writer_member_float(out, "creaseCurvature", view->fabric->crease);
        }
    }
    if (view->tetrahedron_count > 0) {
        json_writer_member_float(out, "young", view->young);
        json_writer_member_float(out, "poisson", view->poisson);
        json_writer_member_float(out, "viscosity", view->viscosity);
    }
    if (view->gas.filled) {
        json_writer_member_float(out, "pressure", view->gas.pressure);
    }
}

void describe_volume(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    if (view->tetrahedron_count > 0) {
        json_writer_member_double(out, "volume", sim_object_volume(world->sim, view->id));
    }
    if (view->gas.filled) {
        const struct sim_gas_state gas = sim_object_gas(world->sim, view->id);
        json_writer_key(out, "gas");
        json_writer_open_object(out);
        json_writer_member_double(out, "pressure", gas.pressure);
        json_writer_member_double(out, "volume", gas.volume);
        json_writer_close_object(out);
    }
}

void describe_mass(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    json_writer_member_double(out, "mass", sim_object_mass(world->sim, view));
}

void describe_object_members(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    describe_identity(world, view, "object", out);
    json_writer_member_unsigned(out, "sticks", view->sticks);
    json_writer_member_unsigned(out, "triangles", view->triangle_count);
    if (view->tetrahedron_count > 0) {
        json_writer_member_unsigned(out, "tetrahedra", view->tetrahedron_count);
    }
    json_writer_member_unsigned(out, "pins", view->pins);
    describe_lattice(view, out);
    json_writer_member_float(out, "radius", view->radius);
    json_writer_member_float(out, "friction", view->friction);
    json_writer_member_float(out, "restitution", view->restitution);
    json_writer_member_string(out, "projection", proto_projection_names[view->projection]);
    describe_shape(view, out);
    json_writer_member_boolean(out, "asleep", view->asleep);
    json_writer_member_boolean(out, "quarantined", view->quarantined);
}

void describe_object(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    json_writer_open_object(out);
    describe_object_members(world, view, out);
    json_writer_close_object(out);
}

static void write_reals(struct json_writer *out, const char *key, const float *values, size_t count) {
    json_writer_key(out, key);
    json_writer_open_array(out);
    for (size_t i = 0; i < count; i++) {
        json_writer_float(out, values[i]);
    }
    json_writer_close_array(out);
}

void describe_obstacle_place(const struct sim_obstacle *obstacle, struct json_writer *out) {
    if (obstacle->shape != SIM_OBSTACLE_CAPSULE) {
        json_writer_member_vec3(out, "position", obstacle->position);
    }
    if (obstacle->shape == SIM_OBSTACLE_BOX || obstacle->shape == SIM_OBSTACLE_MESH) {
        json_writer_key(out, "rotation");
        json_writer_quat(out, obstacle->rotation);
    } else if (obstacle->shape == SIM_OBSTACLE_PLANE) {
        json_writer_member_vec3(out, "normal", obstacle->normal);
    } else if (obstacle->shape == SIM_OBSTACLE_CAPSULE) {
        json_writer_member_vec3(out, "from", obstacle->from);
        json_writer_member_vec3(out, "to", obstacle->to);
    }
}

void describe_obstacle_shape(const struct sim_obstacle *obstacle, struct json_writer *out) {
    if (obstacle->shape != SIM_OBSTACLE_CAPSULE) {
        json_writer_member_vec3(out, "position", obstacle->position);
    }
    switch (obstacle->shape) {
    case SIM_OBSTACLE_SPHERE:
        json_writer_member_float(out, "radius", obstacle->radius);
        break;
    case SIM_OBSTACLE_BOX:
        json_writer_member_vec3(out, "size", obstacle->size);
        json_writer_key(out, "rotation");
        json_writer_quat(out, obstacle->rotation);
        break;
    case SIM_OBSTACLE_PLANE:
        json_writer_member_vec3(out, "normal", obstacle->normal);
        break;
    case SIM_OBSTACLE_CAPSULE:
        json_writer_member_vec3(out, "from", obstacle->from);
        json_writer_member_vec3(out, "to", obstacle->to);
        json_writer_member_float(out, "radius", obstacle->radius);
        break;
    case SIM_OBSTACLE_HEIGHTFIELD:
        json_writer_member_unsigned(out, "columns", obstacle->columns);
        json_writer_member_unsigned(out, "rows", obstacle->rows);
        json_writer_member_float(out, "spacing", obstacle->spacing);
        break;
    case SIM_OBSTACLE_MESH:
        json_writer_key(out, "rotation");
        json_writer_quat(out, obstacle->rotation);
        break;
    case SIM_OBSTACLE_SHAPE_COUNT:
        break;
    }
    json_writer_member_float(out, "friction", obstacle->friction);
    json_writer_member_float(out, "restitution", obstacle->restitution);
}

static void write_arrays(const struct sim_obstacle *obstacle, struct json_writer *out) {
    if (obstacle->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        write_reals(out, "heights", obstacle->heights, (size_t)obstacle->columns * obstacle->rows);
    } else if (obstacle->shape == SIM_OBSTACLE_MESH) {
        write_reals(out, "positions", obstacle->positions, 3 * (size_t)obstacle->vertices);
        json_writer_key(out, "triangles");
        json_writer_open_array(out);
        for (size_t i = 0; i < 3 * (size_t)obstacle->triangle_count; i++) {
            json_writer_unsigned(out, obstacle->triangles[i]);
        }
        json_writer_close_array(out);
    }
}

void describe_obstacle_identity(struct engine_world *world, const struct sim_obstacle *obstacle, bool with_id,
                                struct json_writer *out) {
    const struct obstacle_record *record = engine_find_obstacle(world, obstacle->id);
    const char *shape = proto_obstacle_add_shape_names[obstacle->shape];
    bool named = record != NULL && record->name[0] != '\0', colored = record != NULL && record->has_color;
    if (with_id) {
        json_writer_member_unsigned(out, "id", obstacle->id);
    }
    json_writer_member_string(out, "shape", shape);
    if (with_id || named) {
        write_name(out, named ? record->name : NULL, shape, obstacle->id);
    }
    if (with_id || colored) {
        write_color(out, colored, colored ? record->color : 0);
    }
}

void describe_obstacle_going_on(struct engine_world *world, uint32_t index, struct json_writer *out) {
    const struct sim_obstacle obstacle = sim_world_obstacle_going_on(world->sim, index);
    describe_obstacle_identity(world, &obstacle, false, out);
    describe_obstacle_shape(&obstacle, out);
    describe_motion_members(&obstacle, out);
    write_arrays(&obstacle, out);
}

void describe_obstacle(struct engine_world *world, uint32_t index, struct json_writer *out) {
    uint64_t tick = 0;
    const struct sim_obstacle *obstacle = sim_world_obstacle_start(world->sim, index, &tick);
    json_writer_open_object(out);
    describe_obstacle_identity(world, obstacle, true, out);
    describe_obstacle_shape(obstacle, out);
    describe_motion(obstacle, tick, out);
    write_arrays(obstacle, out);
    json_writer_close_object(out);
}

void describe_grab_members(struct engine_world *world, const struct sim_grab_view *grab, struct json_writer *out) {
    json_writer_member_unsigned(out, "grab", grab->id);
    json_writer_member_unsigned(out, "object", grab->object);
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < grab->carriers; i++) {
        json_writer_unsigned(out, grab->particle[i]);
    }
    json_writer_close_array(out);
    json_writer_key(out, "weights");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < grab->carriers; i++) {
        json_writer_float(out, grab->weight[i]);
    }
    json_writer_close_array(out);
    for (uint32_t i = 0; i < world->grab_count; i++) {
        if (world->grabs[i].id == grab->id) {
            json_writer_member_unsigned(out, "client", world->grabs[i].number);
        }
    }
}

static void describe_point(const struct sim_stick_point *point, struct json_writer *out) {
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    for (uint32_t k = 0; k < point->carriers; k++) {
        json_writer_unsigned(out, point->particle[k]);
    }
    json_writer_close_array(out);
    json_writer_key(out, "weights");
    json_writer_open_array(out);
    for (uint32_t k = 0; k < point->carriers; k++) {
        json_writer_float(out, point->weight[k]);
    }
    json_writer_close_array(out);
}

void describe_swing(const struct sim_stick_swing *swing, struct json_writer *out) {
    json_writer_key(out, "swing");
    json_writer_open_object(out);
    json_writer_member_float(out, "amplitude", swing->amplitude);
    if (swing->amplitude > 0.0f) {
        json_writer_member_float(out, "period", swing->period);
        json_writer_member_float(out, "phase", swing->phase);
    }
    json_writer_close_object(out);
}

void describe_stick_members(const struct sim_stick_view *stick, const uint32_t refs[2], struct json_writer *out) {
    const struct sim_stick_end *ends[2] = {&stick->a, &stick->b};
    const struct sim_stick_point *points[2] = {&stick->a_point, &stick->b_point};
    for (int i = 0; i < 2; i++) {
        json_writer_key(out, i == 0 ? "a" : "b");
        json_writer_open_object(out);
        json_writer_key(out, "object");
        if (refs != NULL) {
            char text[16];
            snprintf(text, sizeof text, "$%u", refs[i]);
            json_writer_string(out, text);
        } else {
            json_writer_unsigned(out, ends[i]->object);
        }
        if (points[i]->carriers > 0) {
            describe_point(points[i], out);
        } else {
            json_writer_member_unsigned(out, "particle", ends[i]->particle);
        }
        json_writer_close_object(out);
    }
    json_writer_member_float(out, "restLength", stick->rest_length);
    json_writer_member_float(out, "compliance", stick->compliance);
    json_writer_member_string(out, "kind", proto_stick_add_kind_names[stick->kind]);
    json_writer_member_string(out, "projection", proto_projection_names[stick->projection]);
    if (stick->swing.amplitude > 0.0f) {
        describe_swing(&stick->swing, out);
    }
    if (stick->break_force > 0.0f) {
        json_writer_member_float(out, "breakForce", stick->break_force);
    }
}

void describe_stick(const struct sim_stick_view *stick, struct json_writer *out) {
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "id", stick->id);
    describe_stick_members(stick, NULL, out);
    if (stick->rate > 0.0f) {
        json_writer_member_float(out, "targetLength", stick->target_length);
        json_writer_member_float(out, "rate", stick->rate);
    }
    if (stick->break_force > 0.0f) {
        json_writer_member_float(out, "force", stick->force);
    }
    json_writer_close_object(out);
}

void describe_bounds(const struct sim_parameters *parameters, struct json_writer *out) {
    json_writer_key(out, "bounds");
    json_writer_open_object(out);
    json_writer_member_vec3(out, "min", parameters->bounds_min);
    json_writer_member_vec3(out, "max", parameters->bounds_max);
    json_writer_close_object(out);
}

// The members that world.get and world.set share, into an open object.
void describe_parameters(const struct sim_parameters *parameters, struct json_writer *out) {
    json_writer_member_vec3(out, "gravity", parameters->gravity);
    json_writer_member_float(out, "damping", parameters->damping);
    json_writer_member_unsigned(out, "iterations", parameters->iterations);
    json_writer_member_unsigned(out, "substeps", parameters->substeps);
    json_writer_member_float(out, "tolerance", parameters->tolerance);
    json_writer_member_string(out, "squareRoot", proto_world_set_square_root_names[parameters->square_root]);
    describe_bounds(parameters, out);
    json_writer_key(out, "wind");
    json_writer_open_object(out);
    json_writer_member_vec3(out, "velocity", parameters->wind_velocity);
    json_writer_member_float(out, "gust", parameters->wind_gust);
    json_writer_close_object(out);
    json_writer_member_float(out, "airDensity", parameters->air_density);
    json_writer_member_float(out, "friction", parameters->friction);
    json_writer_member_boolean(out, "sleep", parameters->sleep);
}

static double share(uint64_t bytes, uint32_t count) {
    return count > 0 ? (double)bytes / (double)count : 0.0;
}

void describe_memory(const struct sim_world *sim, struct json_writer *out) {
    const struct sim_memory memory = sim_world_memory(sim);
    const struct sim_counts counts = sim_world_counts(sim);
    json_writer_key(out, "memory");
    json_writer_open_object(out);
    json_writer_member_double(out, "bytesPerParticle", share(memory.particle_bytes, counts.particles));
    const uint32_t sticks = counts.sticks - sim_world_stick_count(sim); // added ones belong to no object
    json_writer_member_double(out, "bytesPerStick", share(memory.stick_bytes, sticks));
    json_writer_member_unsigned(out, "particleBytes", memory.particle_bytes);
    json_writer_member_unsigned(out, "stickBytes", memory.stick_bytes);
    json_writer_close_object(out);
}

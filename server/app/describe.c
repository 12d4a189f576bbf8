// SPDX-License-Identifier: MIT
// The world as JSON: for object.list and events, for the topology, and as the scene file that would build it again.
#include <stdio.h>
#include <string.h>

#include "app/world.h"

static const char *const kind_names[SIM_KIND_COUNT] = {
    [SIM_KIND_PARTICLES] = "particles", [SIM_KIND_CLOTH] = "cloth", [SIM_KIND_MESH] = "mesh",
    [SIM_KIND_ROPE] = "rope",           [SIM_KIND_BODY] = "body",
};
// The core and the protocol number these alike, so one table of names serves both.
_Static_assert((int)SIM_LATTICE_COUNT == (int)PROTO_CLOTH_SPAWN_MESH_COUNT, "lattices");
_Static_assert((int)SIM_PROJECTION_COUNT == (int)PROTO_PROJECTION_COUNT, "projections");
_Static_assert((int)SIM_STICK_KIND_COUNT == (int)PROTO_STICK_ADD_KIND_COUNT, "kinds of stick");
_Static_assert((int)SIM_OBSTACLE_SHAPE_COUNT == (int)PROTO_OBSTACLE_ADD_SHAPE_COUNT, "shapes of obstacles");
_Static_assert((int)SIM_SQUARE_ROOT_COUNT == (int)PROTO_WORLD_SET_SQUARE_ROOT_COUNT, "square roots");

static void write_color(struct proto_text *out, bool has_color, uint32_t color) {
    proto_text_key(out, "color");
    if (!has_color) {
        proto_text_null(out);
        return;
    }
    char text[8];
    snprintf(text, sizeof text, "#%06x", color & 0xffffffu);
    proto_text_string(out, text);
}

static void write_name(struct proto_text *out, const char *name, const char *kind, uint32_t id) {
    char made[32];
    snprintf(made, sizeof made, "%s %u", kind, id);
    proto_text_member_string(out, "name", name != NULL && name[0] != '\0' ? name : made);
}

static void write_identity(struct world *world, const struct sim_object_view *view, const char *id_key,
                           struct proto_text *out) {
    const struct object_record *record = world_find_object(world, view->id);
    proto_text_member_unsigned(out, id_key, view->id);
    proto_text_member_string(out, "kind", kind_names[view->kind]);
    write_name(out, record != NULL ? record->name : NULL, kind_names[view->kind], view->id);
    write_color(out, record != NULL && record->has_color, record != NULL ? record->color : 0);
    proto_text_member_unsigned(out, "particles", view->particles);
}

static void write_lattice(const struct sim_object_view *view, struct proto_text *out) {
    if (view->kind != SIM_KIND_CLOTH) {
        return;
    }
    proto_text_member_unsigned(out, "columns", view->columns);
    proto_text_member_unsigned(out, "rows", view->rows);
    proto_text_member_real32(out, "spacing", view->spacing);
    proto_text_member_string(out, "mesh", proto_cloth_spawn_mesh_names[view->lattice]);
}

void describe_object_members(struct world *world, const struct sim_object_view *view, struct proto_text *out) {
    write_identity(world, view, "object", out);
    proto_text_member_unsigned(out, "sticks", view->sticks);
    proto_text_member_unsigned(out, "triangles", view->triangle_count);
    proto_text_member_unsigned(out, "pins", view->pins);
    write_lattice(view, out);
    proto_text_member_real32(out, "radius", view->radius);
    proto_text_member_real32(out, "friction", view->friction);
    proto_text_member_string(out, "projection", proto_projection_names[view->projection]);
}

void describe_object(struct world *world, const struct sim_object_view *view, struct proto_text *out) {
    proto_text_open_object(out);
    describe_object_members(world, view, out);
    proto_text_close_object(out);
}

void describe_obstacle_members(struct world *world, const struct sim_obstacle *obstacle, bool with_id,
                               struct proto_text *out) {
    const struct obstacle_record *record = world_find_obstacle(world, obstacle->id);
    const char *shape = proto_obstacle_add_shape_names[obstacle->shape];
    bool named = record != NULL && record->name[0] != '\0', colored = record != NULL && record->has_color;
    if (with_id) {
        proto_text_member_unsigned(out, "id", obstacle->id);
    }
    proto_text_member_string(out, "shape", shape);
    if (with_id || named) {
        write_name(out, named ? record->name : NULL, shape, obstacle->id);
    }
    if (with_id || colored) {
        write_color(out, colored, colored ? record->color : 0);
    }
    proto_text_member_vec3(out, "position", obstacle->position);
    if (obstacle->shape == SIM_OBSTACLE_SPHERE) {
        proto_text_member_real32(out, "radius", obstacle->radius);
    } else if (obstacle->shape == SIM_OBSTACLE_BOX) {
        proto_text_member_vec3(out, "size", obstacle->size);
        proto_text_key(out, "rotation");
        proto_text_quat(out, obstacle->rotation);
    } else {
        proto_text_member_vec3(out, "normal", obstacle->normal);
    }
    proto_text_member_real32(out, "friction", obstacle->friction);
}

void describe_obstacle(struct world *world, const struct sim_obstacle *obstacle, struct proto_text *out) {
    proto_text_open_object(out);
    describe_obstacle_members(world, obstacle, true, out);
    proto_text_close_object(out);
}

void describe_grab_members(struct world *world, const struct sim_grab_view *grab, struct proto_text *out) {
    proto_text_member_unsigned(out, "grab", grab->id);
    proto_text_member_unsigned(out, "object", grab->object);
    proto_text_key(out, "particles");
    proto_text_open_array(out);
    for (uint32_t i = 0; i < grab->carriers; i++) {
        proto_text_unsigned(out, grab->particle[i]);
    }
    proto_text_close_array(out);
    proto_text_key(out, "weights");
    proto_text_open_array(out);
    for (uint32_t i = 0; i < grab->carriers; i++) {
        proto_text_real32(out, grab->weight[i]);
    }
    proto_text_close_array(out);
    for (uint32_t i = 0; i < world->grab_count; i++) {
        if (world->grabs[i].id == grab->id) {
            proto_text_member_unsigned(out, "client", world->grabs[i].client);
        }
    }
}

void describe_stick_members(const struct sim_stick_view *stick, const uint32_t refs[2], struct proto_text *out) {
    const struct sim_stick_end *ends[2] = {&stick->a, &stick->b};
    for (int i = 0; i < 2; i++) {
        proto_text_key(out, i == 0 ? "a" : "b");
        proto_text_open_object(out);
        proto_text_key(out, "object");
        if (refs != NULL) {
            char text[16];
            snprintf(text, sizeof text, "$%u", refs[i]);
            proto_text_string(out, text);
        } else {
            proto_text_unsigned(out, ends[i]->object);
        }
        proto_text_member_unsigned(out, "particle", ends[i]->particle);
        proto_text_close_object(out);
    }
    proto_text_member_real32(out, "restLength", stick->rest_length);
    proto_text_member_string(out, "kind", proto_stick_add_kind_names[stick->kind]);
}

void describe_stick(const struct sim_stick_view *stick, struct proto_text *out) {
    proto_text_open_object(out);
    proto_text_member_unsigned(out, "id", stick->id);
    describe_stick_members(stick, NULL, out);
    proto_text_close_object(out);
}

static void write_bounds(const struct sim_parameters *parameters, struct proto_text *out) {
    proto_text_key(out, "bounds");
    proto_text_open_object(out);
    proto_text_member_vec3(out, "min", parameters->bounds_min);
    proto_text_member_vec3(out, "max", parameters->bounds_max);
    proto_text_close_object(out);
}

// The members that world.get and world.set share, into an open object.
void describe_parameters(const struct sim_parameters *parameters, struct proto_text *out) {
    proto_text_member_vec3(out, "gravity", parameters->gravity);
    proto_text_member_real32(out, "damping", parameters->damping);
    proto_text_member_unsigned(out, "iterations", parameters->iterations);
    proto_text_member_unsigned(out, "substeps", parameters->substeps);
    proto_text_member_string(out, "squareRoot", proto_world_set_square_root_names[parameters->square_root]);
    write_bounds(parameters, out);
    proto_text_key(out, "wind");
    proto_text_open_object(out);
    proto_text_member_vec3(out, "velocity", parameters->wind_velocity);
    proto_text_member_real32(out, "gust", parameters->wind_gust);
    proto_text_close_object(out);
    proto_text_member_real32(out, "friction", parameters->friction);
}

static void write_topology_object(struct world *world, const struct sim_object_view *view, uint32_t *offset,
                                  struct proto_text *out) {
    proto_text_open_object(out);
    write_identity(world, view, "id", out);
    proto_text_member_real32(out, "radius", view->radius);
    write_lattice(view, out);
    if (view->kind == SIM_KIND_MESH) {
        proto_text_key(out, "triangles");
        proto_text_open_object(out);
        proto_text_member_unsigned(out, "offset", *offset);
        proto_text_member_unsigned(out, "count", view->triangle_count);
        proto_text_close_object(out);
        *offset += 3 * view->triangle_count;
    }
    proto_text_key(out, "pins");
    proto_text_open_array(out);
    for (uint32_t i = 0; view->pins > 0 && i < view->particles; i++) {
        if (sim_particle_is_pinned(world->sim, view->first + i)) {
            proto_text_unsigned(out, i);
        }
    }
    proto_text_close_array(out);
    proto_text_close_object(out);
}

// `known` are the ids of the epoch before, rising: what is not among them was added, what is gone of them removed.
static void write_topology_objects(struct world *world, const uint32_t *known, uint32_t known_count, bool delta,
                                   struct proto_text *out) {
    uint32_t count = sim_world_object_count(world->sim);
    proto_text_key(out, "removed");
    proto_text_open_array(out);
    for (uint32_t i = 0, at = 0; delta && i < known_count; i++) {
        while (at < count && sim_world_object_at(world->sim, at).id < known[i]) {
            at++;
        }
        if (at == count || sim_world_object_at(world->sim, at).id != known[i]) {
            proto_text_unsigned(out, known[i]);
        }
    }
    proto_text_close_array(out);
    proto_text_key(out, "objects");
    proto_text_open_array(out);
    uint32_t newest_known = delta && known_count > 0 ? known[known_count - 1] : 0;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct sim_object_view view = sim_world_object_at(world->sim, i);
        if (view.id > newest_known) {
            write_topology_object(world, &view, &offset, out);
        }
    }
    proto_text_close_array(out);
}

void describe_topology(struct world *world, const uint32_t *known, uint32_t known_count, bool delta,
                       struct proto_text *out) {
    const struct sim_world *sim = world->sim;
    proto_text_open_object(out);
    proto_text_key(out, "base");
    if (delta) {
        proto_text_unsigned(out, world->published_epoch);
    } else {
        proto_text_null(out);
    }
    write_topology_objects(world, known, known_count, delta, out);
    proto_text_key(out, "obstacles");
    proto_text_open_array(out);
    for (uint32_t i = 0; i < sim_world_obstacle_count(sim); i++) {
        describe_obstacle(world, sim_world_obstacle_at(sim, i), out);
    }
    proto_text_close_array(out);
    proto_text_key(out, "sticks");
    proto_text_open_array(out);
    for (uint32_t i = 0; i < sim_world_stick_count(sim); i++) {
        struct sim_stick_view stick = sim_world_stick_at(sim, i);
        describe_stick(&stick, out);
    }
    proto_text_close_array(out);
    proto_text_key(out, "grabs");
    proto_text_open_array(out);
    for (uint32_t i = 0; i < sim_world_grab_count(sim); i++) {
        struct sim_grab_view grab = sim_world_grab_at(sim, i);
        proto_text_open_object(out);
        describe_grab_members(world, &grab, out);
        proto_text_close_object(out);
    }
    proto_text_close_array(out);
    write_bounds(sim_world_parameters(sim), out);
    proto_text_close_object(out);
}

// SPDX-License-Identifier: MIT
// Carrying commands to a tape and from it: one description of each serves both ways. What is forgotten here shows as
// scenes that the server builds otherwise than the tape.
#include "tape.h"

#include <stdlib.h>
#include <string.h>

static void carry_bytes(struct tape *tape, void *data, size_t size) {
    const size_t done = tape->failed || size == 0 ? 0
                        : tape->writing           ? fwrite(data, 1, size, tape->file)
                                                  : fread(data, 1, size, tape->file);
    tape->failed = tape->failed || done != size;
}

#define CARRY(tape, field) carry_bytes((tape), &(field), sizeof(field))

// Elements of four bytes each, or NULL.
static const void *carry_array(struct tape *tape, const void *data, size_t count) {
    uint8_t there = data != NULL ? 1 : 0;
    CARRY(tape, there);
    if (tape->failed || there == 0) {
        return NULL;
    }
    const size_t bytes = 4 * count;
    void *copy = malloc(bytes + 1);
    if (copy == NULL || tape->arrays == TAPE_ARRAYS_MAX) {
        free(copy);
        tape->failed = true;
        return NULL;
    }
    if (tape->writing) {
        memcpy(copy, data, bytes);
    }
    carry_bytes(tape, copy, bytes);
    tape->array[tape->arrays++] = copy;
    return copy;
}

static void carry_pins(struct tape *tape, struct sim_pins *pins) {
    CARRY(tape, pins->preset);
    CARRY(tape, pins->count);
    pins->indices = carry_array(tape, pins->indices, pins->count);
}

static void carry_sheet(struct tape *tape, struct sim_sheet_desc *sheet, size_t particles) {
    CARRY(tape, sheet->position);
    CARRY(tape, sheet->rotation);
    carry_pins(tape, &sheet->pins);
    sheet->masses = carry_array(tape, sheet->masses, particles);
    CARRY(tape, sheet->mass);
    CARRY(tape, sheet->areal_density);
    CARRY(tape, sheet->shear);
    CARRY(tape, sheet->friction);
    CARRY(tape, sheet->restitution);
    CARRY(tape, sheet->projection);
    CARRY(tape, sheet->stretch_compliance);
    CARRY(tape, sheet->bend);
    CARRY(tape, sheet->bend_compliance);
    CARRY(tape, sheet->fabric);
    CARRY(tape, sheet->tethers);
    CARRY(tape, sheet->tear);
    CARRY(tape, sheet->tear_force);
    CARRY(tape, sheet->thickness);
    CARRY(tape, sheet->self_collision);
}

static void carry_cloth(struct tape *tape, struct sim_cloth_desc *cloth) {
    CARRY(tape, cloth->columns);
    CARRY(tape, cloth->rows);
    CARRY(tape, cloth->spacing);
    CARRY(tape, cloth->lattice);
    carry_sheet(tape, &cloth->sheet, (size_t)cloth->columns * cloth->rows);
}

static void carry_mesh(struct tape *tape, struct sim_mesh_desc *mesh) {
    CARRY(tape, mesh->particles);
    CARRY(tape, mesh->triangle_count);
    mesh->positions = carry_array(tape, mesh->positions, 3 * (size_t)mesh->particles);
    mesh->triangles = carry_array(tape, mesh->triangles, 3 * (size_t)mesh->triangle_count);
    CARRY(tape, mesh->gas.filled);
    CARRY(tape, mesh->gas.pressure);
    CARRY(tape, mesh->gas.supplied);
    carry_sheet(tape, &mesh->sheet, mesh->particles);
}

static void carry_particles(struct tape *tape, struct sim_particles_desc *particles) {
    CARRY(tape, particles->particles);
    particles->positions = carry_array(tape, particles->positions, 3 * (size_t)particles->particles);
    particles->velocities = carry_array(tape, particles->velocities, 3 * (size_t)particles->particles);
    particles->masses = carry_array(tape, particles->masses, particles->particles);
    CARRY(tape, particles->radius);
    CARRY(tape, particles->friction);
    CARRY(tape, particles->restitution);
    CARRY(tape, particles->collision);
}

static void carry_rope(struct tape *tape, struct sim_rope_desc *rope) {
    CARRY(tape, rope->from);
    CARRY(tape, rope->to);
    CARRY(tape, rope->particles);
    rope->positions = carry_array(tape, rope->positions, 3 * rope->particles);
    CARRY(tape, rope->mass);
    rope->masses = carry_array(tape, rope->masses, rope->particles);
    carry_pins(tape, &rope->pins);
    CARRY(tape, rope->friction);
    CARRY(tape, rope->restitution);
    CARRY(tape, rope->thickness);
    CARRY(tape, rope->collision);
    CARRY(tape, rope->stretch_compliance);
    CARRY(tape, rope->projection);
    CARRY(tape, rope->tear_force);
}

// The shape of a part, or of a body that is one.
static void carry_part(struct tape *tape, struct sim_body_part *part) {
    CARRY(tape, part->shape);
    CARRY(tape, part->extents);
    CARRY(tape, part->vertex_count);
    part->vertices = carry_array(tape, part->vertices, 3 * (size_t)part->vertex_count);
    CARRY(tape, part->radius);
    CARRY(tape, part->length);
    CARRY(tape, part->position);
    CARRY(tape, part->rotation);
    CARRY(tape, part->density);
    CARRY(tape, part->share);
}

static void carry_parts(struct tape *tape, struct sim_body_desc *body) {
    static struct sim_body_part parts[SIM_BODY_PARTS_MAX];
    CARRY(tape, body->radius);
    CARRY(tape, body->length);
    CARRY(tape, body->part_count);
    for (uint32_t i = 0; i < body->part_count && i < SIM_BODY_PARTS_MAX; i++) {
        parts[i] = tape->writing ? body->parts[i] : parts[i];
        carry_part(tape, &parts[i]);
    }
    body->parts = parts;
}

static void carry_body(struct tape *tape, struct sim_body_desc *body) {
    CARRY(tape, body->shape);
    CARRY(tape, body->size);
    CARRY(tape, body->extents);
    CARRY(tape, body->vertex_count);
    const size_t vertices = body->shape == SIM_BODY_HULL ? body->vertex_count : 4;
    body->vertices = carry_array(tape, body->vertices, 3 * vertices);
    carry_parts(tape, body);
    CARRY(tape, body->position);
    CARRY(tape, body->rotation);
    CARRY(tape, body->velocity);
    CARRY(tape, body->angular_velocity);
    CARRY(tape, body->mass);
    body->masses = carry_array(tape, body->masses, 4);
    CARRY(tape, body->friction);
    CARRY(tape, body->restitution);
    CARRY(tape, body->projection);
}

static void carry_soft(struct tape *tape, struct sim_soft_desc *soft) {
    CARRY(tape, soft->shape);
    CARRY(tape, soft->extents);
    CARRY(tape, soft->radius);
    CARRY(tape, soft->cells);
    CARRY(tape, soft->particles);
    CARRY(tape, soft->tetrahedron_count);
    soft->positions = carry_array(tape, soft->positions, 3 * (size_t)soft->particles);
    soft->tetrahedra = carry_array(tape, soft->tetrahedra, 4 * (size_t)soft->tetrahedron_count);
    CARRY(tape, soft->position);
    CARRY(tape, soft->rotation);
    CARRY(tape, soft->velocity);
    CARRY(tape, soft->angular_velocity);
    CARRY(tape, soft->young);
    CARRY(tape, soft->poisson);
    CARRY(tape, soft->density);
    CARRY(tape, soft->viscosity);
    carry_pins(tape, &soft->pins);
    CARRY(tape, soft->friction);
    CARRY(tape, soft->restitution);
    CARRY(tape, soft->thickness);
    CARRY(tape, soft->self_collision);
    CARRY(tape, soft->projection);
}

static void carry_motion(struct tape *tape, struct sim_motion *motion) {
    CARRY(tape, motion->velocity);
    CARRY(tape, motion->angular_velocity);
    CARRY(tape, motion->pivot);
    CARRY(tape, motion->surface_velocity);
    CARRY(tape, motion->points);
    motion->path = carry_array(tape, motion->path, (sizeof *motion->path / sizeof(float)) * (size_t)motion->points);
    CARRY(tape, motion->loop);
    CARRY(tape, motion->path_time);
}

static void carry_obstacle(struct tape *tape, struct sim_obstacle *obstacle) {
    CARRY(tape, obstacle->shape);
    CARRY(tape, obstacle->position);
    CARRY(tape, obstacle->radius);
    CARRY(tape, obstacle->size);
    CARRY(tape, obstacle->rotation);
    CARRY(tape, obstacle->normal);
    CARRY(tape, obstacle->from);
    CARRY(tape, obstacle->to);
    CARRY(tape, obstacle->columns);
    CARRY(tape, obstacle->rows);
    CARRY(tape, obstacle->spacing);
    obstacle->heights = carry_array(tape, obstacle->heights, (size_t)obstacle->columns * obstacle->rows);
    CARRY(tape, obstacle->vertices);
    CARRY(tape, obstacle->triangle_count);
    obstacle->positions = carry_array(tape, obstacle->positions, 3 * (size_t)obstacle->vertices);
    obstacle->triangles = carry_array(tape, obstacle->triangles, 3 * (size_t)obstacle->triangle_count);
    CARRY(tape, obstacle->friction);
    CARRY(tape, obstacle->restitution);
    carry_motion(tape, &obstacle->motion);
}

static void carry_choice(struct tape *tape, struct tape_choice *choice) {
    CARRY(tape, choice->object);
    CARRY(tape, choice->count);
    choice->indices = carry_array(tape, choice->indices, choice->count);
    CARRY(tape, choice->moved);
    CARRY(tape, choice->position);
    CARRY(tape, choice->inverse_mass);
}

static void carry_cut(struct tape *tape, struct tape_cut *cut) {
    CARRY(tape, cut->object);
    CARRY(tape, cut->blade.places);
    cut->blade.path = carry_array(tape, cut->blade.path, 3 * (size_t)cut->blade.places);
    cut->blade.far_path = carry_array(tape, cut->blade.far_path, 3 * (size_t)cut->blade.places);
}

static void carry_contents(struct tape *tape, struct tape_command *command) {
    switch (command->kind) {
    case TAPE_SCENE:
        CARRY(tape, command->of.name);
        break;
    case TAPE_PARAMETERS:
        CARRY(tape, command->of.parameters);
        break;
    case TAPE_CLOTH:
        carry_cloth(tape, &command->of.cloth);
        break;
    case TAPE_MESH:
        carry_mesh(tape, &command->of.mesh);
        break;
    case TAPE_PARTICLES:
        carry_particles(tape, &command->of.particles);
        break;
    case TAPE_ROPE:
        carry_rope(tape, &command->of.rope);
        break;
    case TAPE_BODY:
        carry_body(tape, &command->of.body);
        break;
    case TAPE_PLANT:
        CARRY(tape, command->of.plant);
        break;
    case TAPE_RAGDOLL:
        CARRY(tape, command->of.ragdoll);
        break;
    case TAPE_SOFT:
        carry_soft(tape, &command->of.soft);
        break;
    case TAPE_OBSTACLE:
        carry_obstacle(tape, &command->of.obstacle);
        break;
    case TAPE_MOVE:
        CARRY(tape, command->of.move.obstacle);
        carry_motion(tape, &command->of.move.motion);
        break;
    case TAPE_STICK:
        CARRY(tape, command->of.stick);
        break;
    case TAPE_PIN:
    case TAPE_UNPIN:
    case TAPE_MASS:
        carry_choice(tape, &command->of.choice);
        break;
    case TAPE_CUT:
        carry_cut(tape, &command->of.cut);
        break;
    case TAPE_KIND_COUNT:
        tape->failed = true;
    }
}

bool tape_carry(struct tape *tape, struct tape_command *command) {
    tape_release(tape);
    uint32_t kind = (uint32_t)command->kind;
    CARRY(tape, kind);
    if (!tape->failed) {
        command->kind = kind < TAPE_KIND_COUNT ? (enum tape_kind)kind : TAPE_KIND_COUNT;
        carry_contents(tape, command);
    }
    return !tape->failed;
}

void tape_release(struct tape *tape) {
    for (uint32_t i = 0; i < tape->arrays; i++) {
        free(tape->array[i]);
    }
    tape->arrays = 0;
}

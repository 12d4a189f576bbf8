// SPDX-License-Identifier: MIT
// Building scenes from a tape and running them.
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scene_stops_read(struct scene_stops *stops, const char *text) {
    stops->count = 0;
    while (*text != '\0' && stops->count < SCENE_STOPS_MAX) {
        char *end = NULL;
        stops->at[stops->count++] = (unsigned)strtoul(text, &end, 10);
        if (end == text) {
            return false;
        }
        text = end;
    }
    return stops->count > 0 && *text == '\0';
}

bool scene_tell(const char *name, struct sim_world *world, const struct scene_stops *stops) {
    uint32_t count[SIM_EVENT_KIND_COUNT] = {0};
    unsigned tick = 0;
    for (unsigned stop = 0; stop < stops->count; stop++) {
        for (; tick < stops->at[stop]; tick++) {
            sim_world_step(world);
            for (uint32_t i = 0; i < sim_world_event_count(world); i++) {
                count[sim_world_event_at(world, i).kind]++;
            }
        }
        printf("%s %u %016" PRIx64 " torn %" PRIu32 " slept %" PRIu32 " woke %" PRIu32 "\n", name, tick,
               sim_world_hash(world), count[SIM_EVENT_TORN], count[SIM_EVENT_SLEPT], count[SIM_EVENT_WOKE]);
    }
    return count[SIM_EVENT_QUARANTINED] == 0;
}

static enum result choose(struct sim_world *world, enum tape_kind kind, const struct tape_choice *choice) {
    if (kind == TAPE_PIN) {
        const struct vec3 *position = choice->moved ? &choice->position : NULL;
        return sim_particle_pin(world, choice->object, choice->indices, choice->count, position, NULL);
    }
    if (kind == TAPE_UNPIN) {
        return sim_particle_unpin(world, choice->object, choice->indices, choice->count, NULL);
    }
    return sim_particle_set_inverse_mass(world, choice->object, choice->indices, choice->count, choice->inverse_mass,
                                         NULL);
}

static enum result apply(struct sim_world *world, const struct tape_command *command) {
    uint32_t id = 0;
    struct sim_blade_result cut;
    switch (command->kind) {
    case TAPE_PARAMETERS:
        return sim_world_set_parameters(world, &command->of.parameters, NULL);
    case TAPE_CLOTH:
        return sim_cloth_spawn(world, &command->of.cloth, &id, NULL);
    case TAPE_MESH:
        return sim_mesh_spawn(world, &command->of.mesh, &id, NULL);
    case TAPE_PARTICLES:
        return sim_particles_spawn(world, &command->of.particles, &id, NULL);
    case TAPE_ROPE:
        return sim_rope_spawn(world, &command->of.rope, &id, NULL);
    case TAPE_BODY:
        return sim_body_spawn(world, &command->of.body, &id, NULL);
    case TAPE_PLANT:
        return sim_plant_spawn(world, &command->of.plant, &id, NULL);
    case TAPE_RAGDOLL:
        return sim_ragdoll_spawn(world, &command->of.ragdoll, &id, NULL);
    case TAPE_SOFT:
        return sim_soft_spawn(world, &command->of.soft, &id, NULL);
    case TAPE_OBSTACLE:
        return sim_obstacle_add(world, &command->of.obstacle, &id, NULL);
    case TAPE_MOVE:
        return sim_obstacle_move(world, command->of.move.obstacle, &command->of.move.motion, NULL);
    case TAPE_STICK:
        return sim_stick_join(world, &command->of.stick, &id, NULL);
    case TAPE_PIN:
    case TAPE_UNPIN:
    case TAPE_MASS:
        return choose(world, command->kind, &command->of.choice);
    case TAPE_CUT:
        return sim_blade_cut(world, command->of.cut.object, &command->of.cut.blade, &cut, NULL);
    case TAPE_SCENE:
    case TAPE_KIND_COUNT:
        break;
    }
    return RESULT_INVALID;
}

// Ids begin anew with a world, so each scene has its own. `*world` is NULL when memory is out.
static enum result begin(struct sim_world **world) {
    static const struct sim_capacity capacity = {.particles = 20000,
                                                 .sticks = 100000,
                                                 .triangles = 40000,
                                                 .objects = 1000,
                                                 .obstacles = 100,
                                                 .shape_words = 200000};
    *world = NULL;
    return sim_world_create(&capacity, 60.0f, world);
}

static bool end(struct sim_world *world, const char *name, const struct scene_stops *stops) {
    const bool good = scene_tell(name, world, stops);
    sim_world_destroy(world);
    return good;
}

bool scene_play(struct tape *tape, const struct scene_stops *stops) {
    struct sim_world *world = NULL;
    bool good = true;
    char name[TAPE_NAME_MAX] = "";
    struct tape_command command = {.kind = TAPE_SCENE};
    while (good && tape_carry(tape, &command)) {
        if (command.kind == TAPE_SCENE) {
            good = world == NULL || end(world, name, stops);
            memcpy(name, command.of.name, sizeof name);
            good = begin(&world) == RESULT_OK && good;
        } else {
            good = world != NULL && apply(world, &command) == RESULT_OK;
        }
    }
    tape_release(tape);
    return (world == NULL || end(world, name, stops)) && good;
}

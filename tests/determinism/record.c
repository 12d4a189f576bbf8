// SPDX-License-Identifier: MIT
// Loads scenes as the server does and writes the commands that its simulation is given to a tape; then runs them, and
// prints what whoever plays the tape has to print too: record FOLDER "TICKS TICKS…" TAPE NAME…
//
// The linker puts the functions below in front of those of the simulation (--wrap in the Makefile).
#include <stdio.h>
#include <stdlib.h>

#include "host/world/load_scene.h"
#include "host/worlds/world_life.h"
#include "scene.h"

static struct tape tape = {.writing = true}; // the simulation's callers know nothing of it

// A command counts when the simulation took it.
static enum result keep(enum result result, struct tape_command *command) {
    if (result == RESULT_OK) {
        (void)tape_carry(&tape, command);
    }
    return result;
}

// NAME(world, description, id, fault), which KIND holds as MEMBER.
#define RECORD(name, type, kind_, member)                                                                              \
    enum result __real_##name(struct sim_world *, const type *, uint32_t *, struct fault *);                           \
    enum result __wrap_##name(struct sim_world *, const type *, uint32_t *, struct fault *);                           \
    enum result __wrap_##name(struct sim_world *world, const type *desc, uint32_t *id, struct fault *fault) {          \
        return keep(__real_##name(world, desc, id, fault),                                                             \
                    &(struct tape_command){.kind = (kind_), .of.member = *desc});                                      \
    }

RECORD(sim_cloth_spawn, struct sim_cloth_desc, TAPE_CLOTH, cloth)
RECORD(sim_mesh_spawn, struct sim_mesh_desc, TAPE_MESH, mesh)
RECORD(sim_particles_spawn, struct sim_particles_desc, TAPE_PARTICLES, particles)
RECORD(sim_rope_spawn, struct sim_rope_desc, TAPE_ROPE, rope)
RECORD(sim_body_spawn, struct sim_body_desc, TAPE_BODY, body)
RECORD(sim_plant_spawn, struct sim_plant_desc, TAPE_PLANT, plant)
RECORD(sim_ragdoll_spawn, struct sim_ragdoll_desc, TAPE_RAGDOLL, ragdoll)
RECORD(sim_soft_spawn, struct sim_soft_desc, TAPE_SOFT, soft)
RECORD(sim_stick_join, struct sim_stick_desc, TAPE_STICK, stick)
RECORD(sim_obstacle_add, struct sim_obstacle, TAPE_OBSTACLE, obstacle)

enum result __real_sim_obstacle_move(struct sim_world *, uint32_t, const struct sim_motion *, struct fault *);
enum result __wrap_sim_obstacle_move(struct sim_world *, uint32_t, const struct sim_motion *, struct fault *);
enum result __wrap_sim_obstacle_move(struct sim_world *world, uint32_t obstacle, const struct sim_motion *motion,
                                     struct fault *fault) {
    const struct tape_move move = {.obstacle = obstacle, .motion = *motion};
    return keep(__real_sim_obstacle_move(world, obstacle, motion, fault),
                &(struct tape_command){.kind = TAPE_MOVE, .of.move = move});
}

enum result __real_sim_world_set_parameters(struct sim_world *, const struct sim_parameters *, struct fault *);
enum result __wrap_sim_world_set_parameters(struct sim_world *, const struct sim_parameters *, struct fault *);
enum result __wrap_sim_world_set_parameters(struct sim_world *world, const struct sim_parameters *parameters,
                                            struct fault *fault) {
    return keep(__real_sim_world_set_parameters(world, parameters, fault),
                &(struct tape_command){.kind = TAPE_PARAMETERS, .of.parameters = *parameters});
}

enum result __real_sim_particle_pin(struct sim_world *, uint32_t, const uint32_t *, uint32_t, const struct vec3 *,
                                    struct fault *);
enum result __wrap_sim_particle_pin(struct sim_world *, uint32_t, const uint32_t *, uint32_t, const struct vec3 *,
                                    struct fault *);
enum result __wrap_sim_particle_pin(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                                    const struct vec3 *position, struct fault *fault) {
    const struct tape_choice choice = {.object = object,
                                       .count = count,
                                       .indices = indices,
                                       .moved = position != NULL,
                                       .position = position != NULL ? *position : (struct vec3){0.0f, 0.0f, 0.0f}};
    return keep(__real_sim_particle_pin(world, object, indices, count, position, fault),
                &(struct tape_command){.kind = TAPE_PIN, .of.choice = choice});
}

enum result __real_sim_particle_unpin(struct sim_world *, uint32_t, const uint32_t *, uint32_t, struct fault *);
enum result __wrap_sim_particle_unpin(struct sim_world *, uint32_t, const uint32_t *, uint32_t, struct fault *);
enum result __wrap_sim_particle_unpin(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                                      struct fault *fault) {
    const struct tape_choice choice = {.object = object, .count = count, .indices = indices};
    return keep(__real_sim_particle_unpin(world, object, indices, count, fault),
                &(struct tape_command){.kind = TAPE_UNPIN, .of.choice = choice});
}

enum result __real_sim_particle_set_inverse_mass(struct sim_world *, uint32_t, const uint32_t *, uint32_t, float,
                                                 struct fault *);
enum result __wrap_sim_particle_set_inverse_mass(struct sim_world *, uint32_t, const uint32_t *, uint32_t, float,
                                                 struct fault *);
enum result __wrap_sim_particle_set_inverse_mass(struct sim_world *world, uint32_t object, const uint32_t *indices,
                                                 uint32_t count, float inverse_mass, struct fault *fault) {
    const struct tape_choice choice = {
        .object = object, .count = count, .indices = indices, .inverse_mass = inverse_mass};
    return keep(__real_sim_particle_set_inverse_mass(world, object, indices, count, inverse_mass, fault),
                &(struct tape_command){.kind = TAPE_MASS, .of.choice = choice});
}

enum result __real_sim_blade_cut(struct sim_world *, uint32_t, const struct sim_blade *, struct sim_blade_result *,
                                 struct fault *);
enum result __wrap_sim_blade_cut(struct sim_world *, uint32_t, const struct sim_blade *, struct sim_blade_result *,
                                 struct fault *);
enum result __wrap_sim_blade_cut(struct sim_world *world, uint32_t object, const struct sim_blade *blade,
                                 struct sim_blade_result *cut, struct fault *fault) {
    return keep(__real_sim_blade_cut(world, object, blade, cut, fault),
                &(struct tape_command){.kind = TAPE_CUT, .of.cut = {object, *blade}});
}

static bool record(char *folder, const struct scene_stops *stops, const char *name) {
    struct tape_command scene = {.kind = TAPE_SCENE};
    snprintf(scene.of.name, sizeof scene.of.name, "%s", name);
    char choice[CONFIG_SCENE_NAME_MAX + 8];
    snprintf(choice, sizeof choice, "main=%s", name);
    char *arguments[] = {"record", "--scenes", folder, "--world", choice};
    struct config config;
    struct fault fault = {0};
    struct world *world = NULL;
    if (!tape_carry(&tape, &scene) || config_read(5, arguments, &config, &fault) != RESULT_OK ||
        world_create(&config, &(struct world_plan){.name = "main", .tick_hz = config.tick_hz}, &world, &fault) !=
            RESULT_OK ||
        world_open_scene(world, name, &fault) != RESULT_OK) {
        fprintf(stderr, "%s: %s\n", name, fault.message);
        world_destroy(world);
        return false;
    }
    const bool good = scene_tell(name, world->engine->sim, stops);
    world_destroy(world);
    return good && !tape.failed;
}

int main(int argc, char **argv) {
    struct scene_stops stops;
    if (argc < 5 || !scene_stops_read(&stops, argv[2]) || (tape.file = fopen(argv[3], "wb")) == NULL) {
        fprintf(stderr, "usage: record FOLDER \"TICKS TICKS…\" TAPE NAME…\n");
        return 2;
    }
    bool good = true;
    for (int i = 4; i < argc && good; i++) {
        good = record(argv[1], &stops, argv[i]);
    }
    tape_release(&tape);
    return fclose(tape.file) == 0 && good ? 0 : 1;
}

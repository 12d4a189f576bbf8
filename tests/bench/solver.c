// SPDX-License-Identifier: MIT
// One contender relaxing one sheet, once: solver CONTENDER SHEET SIDE SUBSTEPS SWEEPS THREADS TICKS [WATCHED]
//
// CONTENDER is exact, sqrtfree or tethers (Weft; the last is exact and has tethers to the pins), bullet, or
// bullet-shuffled (its sticks in random order); SHEET grid, irregular or shuffled. The sheet is let go flat and upright
// with its top corners pinned, under gravity alone. The first ticks warm up and are not timed. Prints one line of JSON:
// projections (one stick satisfied once), CPU and wall seconds of the timed ticks; the stretch left, mean and worst of
// all sticks; and the mean stretch over WATCHED more ticks before that, for a sheet that is not damped swings.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bullet.h"
#include "clock.h"
#include "sheet.h"
#include "sim/sim.h"
#include "workers.h"

#define WARM_TICKS 5u

struct run {
    const char *contender;
    struct sheet sheet;
    uint32_t substeps, sweeps, threads, ticks, watched;
};

struct outcome {
    double cpu_s, wall_s, relaxing_s;
    struct stretch stretch;
    double watched_mean;
};

static void watch(struct outcome *outcome, const struct run *run, const float *x, const float *y, const float *z) {
    outcome->stretch = sheet_stretch(&run->sheet, x, y, z);
    outcome->watched_mean += run->watched > 0 ? outcome->stretch.mean / run->watched : 0.0;
}

static struct sim_sheet_desc describe(const struct sheet *sheet, bool tethers) {
    struct sim_sheet_desc desc = sim_cloth_desc_default().sheet;
    desc.tethers = tethers;
    desc.pins = (struct sim_pins){SIM_PIN_LIST, sheet->pin, 2};
    desc.mass = sheet->particle_mass * (float)sheet->particles;
    return desc;
}

static bool spawn(struct sim_world *world, const struct sheet *sheet, bool tethers, struct fault *fault) {
    uint32_t object;
    if (sheet->kind == SHEET_GRID) {
        struct sim_cloth_desc cloth = sim_cloth_desc_default();
        cloth.columns = cloth.rows = sheet->side;
        cloth.spacing = SHEET_SPACING;
        cloth.sheet = describe(sheet, tethers);
        return sim_cloth_spawn(world, &cloth, &object, fault) == RESULT_OK;
    }
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = sheet->position;
    mesh.particles = sheet->particles;
    mesh.triangles = sheet->triangle;
    mesh.triangle_count = sheet->triangles;
    mesh.sheet = describe(sheet, tethers);
    return sim_mesh_spawn(world, &mesh, &object, fault) == RESULT_OK;
}

static struct sim_world *make_world(const struct run *run) {
    const struct sheet *sheet = &run->sheet;
    const struct sim_capacity capacity = {sheet->particles, sheet->sticks, sheet->triangles, 1, 1, 1};
    struct sim_world *world;
    struct fault fault = {0};
    if (sim_world_create(&capacity, 60.0f, &world) != RESULT_OK) {
        (void)fprintf(stderr, "no memory for the world\n");
        return NULL;
    }
    struct sim_parameters parameters = sim_parameters_default();
    parameters.substeps = run->substeps;
    parameters.iterations = run->sweeps;
    parameters.square_root =
        strcmp(run->contender, "sqrtfree") == 0 ? SIM_SQUARE_ROOT_APPROXIMATE : SIM_SQUARE_ROOT_EXACT;
    if (sim_world_set_parameters(world, &parameters, &fault) != RESULT_OK ||
        !spawn(world, sheet, strcmp(run->contender, "tethers") == 0, &fault)) {
        (void)fprintf(stderr, "%s\n", fault.message);
        sim_world_destroy(world);
        return NULL;
    }
    (void)workers_give(world, run->threads);
    if (sim_world_counts(world).sticks != sheet->sticks) {
        (void)fprintf(stderr, "Weft made %u sticks of %u\n", sim_world_counts(world).sticks, sheet->sticks);
        sim_world_destroy(world);
        return NULL;
    }
    return world;
}

static bool run_weft(const struct run *run, struct outcome *outcome) {
    struct sim_world *world = make_world(run);
    if (world == NULL) {
        return false;
    }
    for (uint32_t tick = 0; tick < WARM_TICKS; tick++) {
        sim_world_step(world);
    }
    const double cpu = cpu_s(), wall = wall_s();
    for (uint32_t tick = 0; tick < run->ticks; tick++) {
        sim_world_step(world);
    }
    outcome->cpu_s = cpu_s() - cpu;
    outcome->wall_s = wall_s() - wall;
    outcome->relaxing_s = outcome->cpu_s;
    for (uint32_t tick = 0; tick < run->watched; tick++) {
        sim_world_step(world);
        const struct sim_particles_view view = sim_world_particles(world);
        watch(outcome, run, view.x, view.y, view.z);
    }
    sim_world_destroy(world);
    return true;
}

static bool run_bullet(const struct run *run, struct outcome *outcome) {
    const uint32_t count = run->sheet.particles;
    float *position = malloc(3 * count * sizeof *position);
    struct bullet *bullet =
        bullet_create(&run->sheet, run->substeps, run->sweeps, strcmp(run->contender, "bullet") != 0);
    if (position == NULL || bullet == NULL) {
        free(position);
        return false;
    }
    for (uint32_t tick = 0; tick < WARM_TICKS; tick++) {
        bullet_tick(bullet);
    }
    const double cpu = cpu_s(), wall = wall_s(), relaxing = bullet_relaxing_s(bullet);
    for (uint32_t tick = 0; tick < run->ticks; tick++) {
        bullet_tick(bullet);
    }
    outcome->cpu_s = cpu_s() - cpu;
    outcome->wall_s = wall_s() - wall;
    outcome->relaxing_s = bullet_relaxing_s(bullet) - relaxing;
    for (uint32_t tick = 0; tick < run->watched; tick++) {
        bullet_tick(bullet);
        bullet_positions(bullet, position, position + count, position + 2 * count);
        watch(outcome, run, position, position + count, position + 2 * count);
    }
    bullet_destroy(bullet);
    free(position);
    return true;
}

// The sheet itself, for contenders in other languages: particles, sticks, positions, ends, rest lengths, pins.
static bool write_sheet(const struct sheet *sheet) {
    bool written = fwrite(&sheet->particles, 4, 1, stdout) == 1 && fwrite(&sheet->sticks, 4, 1, stdout) == 1;
    written = written && fwrite(sheet->position, 12, sheet->particles, stdout) == sheet->particles;
    written = written && fwrite(sheet->stick_a, 4, sheet->sticks, stdout) == sheet->sticks;
    written = written && fwrite(sheet->stick_b, 4, sheet->sticks, stdout) == sheet->sticks;
    written = written && fwrite(sheet->rest, 4, sheet->sticks, stdout) == sheet->sticks;
    return written && fwrite(sheet->pin, 4, 2, stdout) == 2;
}

static double told(double value) {
    return isfinite(value) ? value : 1e30; // JSON knows no infinity
}

static void write_outcome(const struct run *run, const struct outcome *outcome) {
    const double projections = (double)run->sheet.sticks * run->substeps * run->sweeps * run->ticks;
    (void)printf("{\"projections\":%.0f,\"cpu\":%.6f,\"wall\":%.6f,\"relaxing\":%.6f,\"mean\":%.9g,\"worst\":%.9g,"
                 "\"watched\":%.9g,\"sticks\":%u,\"particles\":%u}\n",
                 projections, outcome->cpu_s, outcome->wall_s, outcome->relaxing_s, told(outcome->stretch.mean),
                 told(outcome->stretch.worst), told(outcome->watched_mean), run->sheet.sticks, run->sheet.particles);
}

int main(int argc, char **argv) {
    enum sheet_kind kind;
    struct run run;
    struct outcome outcome = {.cpu_s = 0.0};
    if ((argc != 8 && argc != 9) || !sheet_kind_of(argv[2], &kind)) {
        (void)fprintf(stderr, "solver CONTENDER SHEET SIDE SUBSTEPS SWEEPS THREADS TICKS [WATCHED]\n");
        return 2;
    }
    run = (struct run){.contender = argv[1],
                       .substeps = (uint32_t)strtoul(argv[4], NULL, 10),
                       .sweeps = (uint32_t)strtoul(argv[5], NULL, 10),
                       .threads = (uint32_t)strtoul(argv[6], NULL, 10),
                       .ticks = (uint32_t)strtoul(argv[7], NULL, 10),
                       .watched = argc == 9 ? (uint32_t)strtoul(argv[8], NULL, 10) : 0};
    if (!sheet_init(&run.sheet, kind, (uint32_t)strtoul(argv[3], NULL, 10))) {
        (void)fprintf(stderr, "no memory for the sheet\n");
        return 1;
    }
    bool done;
    if (strcmp(run.contender, "sheet") == 0) {
        done = write_sheet(&run.sheet);
    } else {
        done = strncmp(run.contender, "bullet", 6) == 0 ? run_bullet(&run, &outcome) : run_weft(&run, &outcome);
        if (done) {
            write_outcome(&run, &outcome);
        }
    }
    sheet_free(&run.sheet);
    return done ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// A cloth that is wrung: twist COLUMNS ROWS TURNS THREADS. Its two ends are held; one turns about the cloth's axis,
// half a turn a second, and comes nearer by what the rope that forms takes up: at n turns a fibre of the length L that
// winds at ROPE_RADIUS reaches √(L² − (2πn·ROPE_RADIUS)²). The rope's section has room for the cloth's if no edge is
// stretched: 0.8 m × 6 mm = 48 cm² in 60 cm². Prints one line of JSON: particles, ticks, median, 95th percentile, mean
// and worst CPU ms of a tick, the mean of the last turn, the crossings counted after every tenth tick, and the hash of
// the end.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/crossing.h"
#include "clock.h"
#include "median.h"
#include "sim/sim.h"
#include "workers.h"

#define TICK_RATE 60.0f
#define SPACING 0.05f
#define THICKNESS 0.006f
#define TICKS_A_TURN 120u
#define CHECKED_TICKS 10u
#define ROPE_RADIUS 0.0437f // m

struct wringer {
    struct sim_world *world;
    uint32_t cloth, columns, rows;
    uint32_t *grab; // of the turning end, one for each column
};

static void must(enum result result, const struct fault *fault) {
    if (result != RESULT_OK) {
        (void)fprintf(stderr, "%s\n", fault->message);
        exit(1);
    }
}

static void *reserve(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        (void)fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

// The cloth hangs in the plane of x and y, its rows from the top down: its axis is y.
static void spawn(struct wringer *wringer) {
    const uint32_t particles = wringer->columns * wringer->rows;
    const struct sim_capacity capacity = {particles, 8 * particles, 2 * particles, 1, 1, 2 * wringer->columns};
    struct fault fault = {.message = "no memory for the world"};
    must(sim_world_create(&capacity, TICK_RATE, &wringer->world), &fault);
    struct sim_parameters parameters = sim_parameters_default();
    parameters.damping = 0.02f;
    must(sim_world_set_parameters(wringer->world, &parameters, &fault), &fault);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = wringer->columns;
    cloth.rows = wringer->rows;
    cloth.spacing = SPACING;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = THICKNESS;
    cloth.sheet.self_collision = true;
    cloth.sheet.position.y = 10.0f;
    must(sim_cloth_spawn(wringer->world, &cloth, &wringer->cloth, &fault), &fault);
}

static struct vec3 place_of(const struct wringer *wringer, uint32_t index) {
    const struct sim_particles_view view = sim_world_particles(wringer->world);
    return (struct vec3){view.x[index], view.y[index], view.z[index]};
}

static void hold(struct wringer *wringer) {
    const uint32_t last = (wringer->rows - 1) * wringer->columns;
    struct fault fault;
    wringer->grab = reserve(wringer->columns * sizeof *wringer->grab);
    for (uint32_t i = 0; i < wringer->columns; i++) {
        uint32_t still = 0;
        must(sim_grab_start_particle(wringer->world, wringer->cloth, i, &still, &fault), &fault);
        must(sim_grab_start_particle(wringer->world, wringer->cloth, last + i, &wringer->grab[i], &fault), &fault);
    }
}

static void turn(const struct wringer *wringer, float turns, struct vec3 top, float length) {
    struct fault fault;
    const float angle = turns * 6.2831853f;
    const float wound = angle * ROPE_RADIUS;
    const float reach = wound < length ? sqrtf(length * length - wound * wound) : 0.0f;
    for (uint32_t i = 0; i < wringer->columns; i++) {
        const float across = ((float)i - 0.5f * (float)(wringer->columns - 1)) * SPACING;
        const struct vec3 to = {top.x + across * cosf(angle), top.y - reach, across * sinf(angle)};
        must(sim_grab_move(wringer->world, wringer->grab[i], to, &fault), &fault);
    }
}

static uint32_t count_crossings(const struct wringer *wringer) {
    const struct sim_particles_view p = sim_world_particles(wringer->world);
    const struct sim_object_view view = sim_world_object_at(wringer->world, 0);
    struct crossing_point *point = reserve(p.count * sizeof *point);
    struct crossing_triangle *triangle = reserve(view.triangle_count * sizeof *triangle);
    for (uint32_t i = 0; i < p.count; i++) {
        point[i] = (struct crossing_point){{p.x[i], p.y[i], p.z[i]}};
    }
    for (uint32_t i = 0; i < 3 * view.triangle_count; i++) {
        triangle[i / 3].corner[i % 3] = view.first + view.triangles[i];
    }
    const uint32_t count = crossing_count(point, triangle, view.triangle_count);
    free(point);
    free(triangle);
    return count;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        (void)fprintf(stderr, "twist COLUMNS ROWS TURNS THREADS\n");
        return 2;
    }
    struct wringer wringer = {.columns = (uint32_t)strtoul(argv[1], NULL, 10),
                              .rows = (uint32_t)strtoul(argv[2], NULL, 10)};
    const uint32_t ticks = (uint32_t)strtoul(argv[3], NULL, 10) * TICKS_A_TURN;
    spawn(&wringer);
    (void)workers_give(wringer.world, (unsigned)strtoul(argv[4], NULL, 10));
    hold(&wringer);
    const struct vec3 top = place_of(&wringer, wringer.columns / 2);
    const struct vec3 bottom = place_of(&wringer, (wringer.rows - 1) * wringer.columns + wringer.columns / 2);
    double *cpu = reserve(ticks * sizeof *cpu);
    double sum = 0.0, last_turn = 0.0, worst = 0.0;
    uint32_t crossings = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        const float turns = (float)(tick + 1) / (float)TICKS_A_TURN;
        turn(&wringer, turns, top, top.y - bottom.y);
        const double before = cpu_s();
        sim_world_step(wringer.world);
        cpu[tick] = (cpu_s() - before) * 1e3;
        sum += cpu[tick];
        last_turn += tick + TICKS_A_TURN >= ticks ? cpu[tick] / TICKS_A_TURN : 0.0;
        worst = cpu[tick] > worst ? cpu[tick] : worst;
        crossings += tick % CHECKED_TICKS == CHECKED_TICKS - 1 ? count_crossings(&wringer) : 0;
    }
    const double median = median_of(cpu, ticks);
    const double p95 = quantile_of(cpu, ticks, 0.95);
    (void)printf("{\"particles\":%u,\"ticks\":%u,\"medianMs\":%.4f,\"p95Ms\":%.4f,\"meanMs\":%.4f,\"worstMs\":%.4f,"
                 "\"lastTurnMs\":%.4f,"
                 "\"crossings\":%u,\"hash\":\"%016" PRIx64 "\"}\n",
                 wringer.columns * wringer.rows, ticks, median, p95, sum / ticks, worst, last_turn, crossings,
                 sim_world_hash(wringer.world));
    sim_world_destroy(wringer.world);
    free(wringer.grab);
    free(cpu);
    return 0;
}

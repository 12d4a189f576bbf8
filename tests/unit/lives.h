// SPDX-License-Identifier: MIT
// Short random lives, each from one seed: randomness, random commands, and what a life that fails says of itself.
//
// WEFT_LIVES lives are led, from WEFT_SEED on; the seed of a life that fails is printed, and WEFT_SEED=that
// WEFT_LIVES=1 leads just that life again.
#ifndef WEFT_TESTS_LIVES_H
#define WEFT_TESTS_LIVES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LIVES_PARAMS_MAX 512
#define CASE(condition) lives_check(condition, #condition, __FILE__, __LINE__)

static uint64_t lives_seed; // of the life that is led

static inline void lives_check(bool holds, const char *what, const char *file, int line) {
    if (!holds) {
        fail_msg("%s, line %d: %s; WEFT_SEED=%llu WEFT_LIVES=1 leads this life again", file, line, what,
                 (unsigned long long)lives_seed);
    }
}

// ---- randomness (splitmix64) -------------------------------------------------------------------------------------

static uint64_t lives_state;

static inline uint64_t draw(void) {
    uint64_t z = (lives_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint32_t below(uint32_t count) {
    return (uint32_t)(draw() % count);
}

static inline double between(double low, double high) {
    return low + (high - low) * ((double)(draw() >> 11) / 9007199254740992.0);
}

// ---- commands ----------------------------------------------------------------------------------------------------

// A random command, sound or not, for a world at this tick: returns the method, and writes its params as JSON.
static inline const char *lives_command(uint64_t tick, char params[LIVES_PARAMS_MAX]) {
    params[0] = '{', params[1] = '}', params[2] = '\0';
    // All that is drawn is drawn here, one after another: every compiler leads the same life.
    const uint32_t id = 1 + below(12), index = below(40), few = 1 + below(4), many = 2 + below(12);
    const double x = between(-2, 2), y = between(0, 3), z = between(-2, 2), share = between(0, 1);
    const bool either = below(2) == 0;
    switch (below(16)) {
    case 0:
        snprintf(params, LIVES_PARAMS_MAX,
                 "{\"columns\":%u,\"rows\":%u,\"position\":[%g,%g,%g],\"spacing\":0.1,\"tear\":%g}", many, few + 1, x,
                 y, z, 1.05 + 2 * share);
        return "cloth.spawn";
    case 1:
        snprintf(params, LIVES_PARAMS_MAX, "{\"from\":[%g,%g,%g],\"to\":[0,3,0],\"particles\":%u}", x, y, z, many);
        return "rope.spawn";
    case 2:
        snprintf(params, LIVES_PARAMS_MAX, "{\"shape\":\"box\",\"size\":[0.3,0.2,%g],\"position\":[%g,%g,%g]}",
                 0.6 * share - 0.1, x, y, z);
        return "body.spawn";
    case 3:
        snprintf(params, LIVES_PARAMS_MAX, "{\"position\":[%g,%g,%g]}", x, y, z);
        return "body.spawn";
    case 4:
        snprintf(params, LIVES_PARAMS_MAX, "{\"shape\":\"sphere\",\"radius\":%g,\"position\":[%g,0,%g]}",
                 0.1 + 0.5 * share, x, z);
        return "obstacle.add";
    case 5:
        snprintf(params, LIVES_PARAMS_MAX, "{\"object\":%u}", id);
        return "object.remove";
    case 6:
        snprintf(params, LIVES_PARAMS_MAX, "{\"object\":%u,\"particle\":%u}", id, index);
        return "grab.start";
    case 7:
        snprintf(params, LIVES_PARAMS_MAX, "{\"grab\":%u,\"position\":[%g,%g,%g]}", id, x, y, z);
        return "grab.move";
    case 8:
        snprintf(params, LIVES_PARAMS_MAX, "{\"grab\":%u}", id);
        return "grab.end";
    case 9:
        snprintf(params, LIVES_PARAMS_MAX, "{\"gravity\":[0,%g,0],\"substeps\":%u}", 25 * share - 20, few);
        return "world.set";
    case 10:
        snprintf(params, LIVES_PARAMS_MAX, "{\"object\":%u,\"particles\":[%u]}", id, index);
        return either ? "particle.pin" : "particle.unpin";
    case 11:
        snprintf(params, LIVES_PARAMS_MAX,
                 "{\"commands\":[{\"method\":\"rope.spawn\",\"params\":{\"from\":[0,2,0],\"to\":[1,2,0],"
                 "\"particles\":4}},{\"method\":\"object.remove\",\"params\":{\"object\":%s}}]}",
                 either ? "\"$0\"" : "4711");
        return "batch.run";
    case 12:
        return either ? "world.pause" : "world.resume";
    case 13:
        snprintf(params, LIVES_PARAMS_MAX, "{\"ticks\":%u}", few);
        return "world.step";
    case 14:
        snprintf(params, LIVES_PARAMS_MAX, "{\"columns\":3,\"rows\":3,\"atTick\":%llu}",
                 (unsigned long long)(tick + few));
        return "cloth.spawn";
    default:
        return either ? "frames.subscribe" : "world.reset";
    }
}

// ---- leading -----------------------------------------------------------------------------------------------------

static inline void lives_begin(uint64_t seed) {
    lives_seed = lives_state = seed;
}

static inline uint64_t lives_setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

// Leads `count` lives, or as many as WEFT_LIVES says.
static inline void lives_lead(uint64_t count, void (*lead)(uint64_t seed)) {
    const uint64_t first = lives_setting("WEFT_SEED", 1), lives = lives_setting("WEFT_LIVES", count);
    for (uint64_t life = 0; life < lives; life++) {
        lead(first + life);
    }
    print_message("%llu short lives, from seed %llu on\n", (unsigned long long)lives, (unsigned long long)first);
}

#endif

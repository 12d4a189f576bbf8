// SPDX-License-Identifier: MIT
// The bands of an irregular mesh. Each stick has to come after the sticks of earlier colours that share a particle with
// it. A seam begins as the place between two bands; in each colour it takes the sticks that cross that place or touch a
// particle that the seam has taken, and with them their particles. So no stick of a band shares a particle with a stick
// of another band or with a stick of a seam in an earlier colour: all bands can be relaxed at once, in all colours, and
// after them the seams, with the same bits as colour after colour.
#include "sim/stick/stick_seam.h"

#include "sim/stick/stick_plan.h"
#include "sim/world/work.h"

#define SEAM_SHARE_MAX 3u // the seams have at most this part of the sticks: one third

size_t stick_seam_capacity(const struct sim_capacity *capacity) {
    const size_t rows = STICK_PLANNED_COLOURS_MAX + 1;
    return capacity->sticks / WORK_STICKS_MIN * rows * (SIM_WORKERS_MAX - 1);
}

uint32_t stick_band_begin(const struct object *object, unsigned band, unsigned bands) {
    return work_begin(0, object->particles, band, bands);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// The sticks of a colour, numbers `first` to before `end`, that belong to the seam, which takes their particles.
static struct stick_seam take(const uint32_t *a, const uint32_t *b, uint32_t first, uint32_t end,
                              struct stick_seam *particles) {
    while (first < end && most(a[first], b[first]) < particles->first) {
        first++;
    }
    while (end > first && least(a[end - 1], b[end - 1]) >= particles->end) {
        end--;
    }
    for (uint32_t i = first; i < end; i++) {
        particles->first = least(particles->first, least(a[i], b[i]));
        particles->end = most(particles->end, most(a[i], b[i]) + 1);
    }
    return (struct stick_seam){first, end};
}

bool stick_seam_divide(const struct sim_world *world, const struct object *object, const struct stick_ends *ends,
                       unsigned bands, struct stick_seam *seam) {
    const uint32_t *a = ends->a, *b = ends->b;
    const unsigned seams = bands - 1;
    struct stick_seam *particles = seam + (size_t)object->colours * seams;
    uint64_t taken = 0;
    for (unsigned i = 0; i < seams; i++) {
        const uint32_t begin = stick_band_begin(object, i + 1, bands);
        particles[i] = (struct stick_seam){begin, begin};
    }
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t *end = world->colour_end + object->first_colour + colour;
        for (unsigned i = 0; i < seams; i++) {
            struct stick_seam *found = &seam[(size_t)colour * seams + i];
            *found = take(a, b, colour == 0 ? 0 : end[-1], *end, &particles[i]);
            taken += found->end - found->first;
        }
    }
    for (unsigned i = 0; i < seams; i++) { // to whole batches, so that no copy of a band reads a place of another
        particles[i].first -= particles[i].first % STICK_BLOCK_BATCH;
        particles[i].end += STICK_BLOCK_BATCH - 1;
        particles[i].end = least(particles[i].end - particles[i].end % STICK_BLOCK_BATCH, object->particles);
    }
    for (unsigned i = 0; i < seams; i++) {
        const uint32_t before = i == 0 ? 0 : particles[i - 1].end;
        const uint32_t after = i + 1 == seams ? object->particles : particles[i + 1].first;
        if (particles[i].first < before || particles[i].end > after) {
            return false;
        }
    }
    return taken * SEAM_SHARE_MAX <= object->sticks;
}

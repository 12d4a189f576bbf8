// SPDX-License-Identifier: MIT
// Names that nobody chose: the first animal after the client's number that nobody here goes by, in the color that the
// fewest here have.
#include "engine/state/person.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const char *const animals[] = {
    "Otter", "Heron",  "Badger", "Finch",  "Lynx",  "Tortoise", "Magpie", "Beaver", "Gecko",  "Swallow", "Hare",
    "Owl",   "Marten", "Toad",   "Dragon", "Wren",  "Hedgehog", "Seal",   "Robin",  "Salmon", "Fox",     "Crane",
    "Newt",  "Bison",  "Kite",   "Mole",   "Ibis",  "Walrus",   "Gull",   "Stoat",  "Raven",  "Dolphin", "Moth",
    "Deer",  "Puffin", "Lizard", "Weasel", "Stork", "Beetle",   "Squid",  "Lark",   "Moose",  "Cuckoo",  "Panda",
};
#define ANIMALS (sizeof animals / sizeof animals[0])

// Told apart on dark and on light, also by most who see colors otherwise: neighbours differ in lightness.
static const uint32_t colors[] = {0x0091ff, 0xf76808, 0x30a46c, 0xe93d82, 0xf5c518, 0x7c5cff,
                                  0x00c2d7, 0xe5484d, 0x99cc33, 0xd36bff, 0xb98a5e, 0x8fa3bf};
#define COLORS (sizeof colors / sizeof colors[0])

void person_set_name(struct person *person, const char *name) {
    const size_t length = strlen(name);
    size_t end = 0;
    for (uint32_t characters = 0; end < length && characters < PERSON_CHARACTERS_MAX; characters++) {
        const size_t size = utf8_read(name + end, length - end, NULL);
        if (size == 0) {
            break;
        }
        end += size;
    }
    snprintf(person->name, sizeof person->name, "%.*s", (int)end, name);
}

static bool is_taken(const char *name, const struct person *const *others, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(others[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void make_up_name(struct person *person, uint32_t client, const struct person *const *others, uint32_t count) {
    for (size_t i = 0; i < ANIMALS; i++) {
        const char *name = animals[(client - 1 + i) % ANIMALS];
        if (!is_taken(name, others, count)) {
            person_set_name(person, name);
            return;
        }
    }
    snprintf(person->name, sizeof person->name, "%s %u", animals[(client - 1) % ANIMALS], client);
}

void person_make_up(struct person *person, uint32_t client, const struct person *const *others, uint32_t count) {
    uint32_t used[COLORS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < COLORS; k++) {
            used[k] += others[i]->color == colors[k];
        }
    }
    size_t least = 0;
    for (size_t k = 1; k < COLORS; k++) {
        least = used[k] < used[least] ? k : least;
    }
    person->color = colors[least];
    make_up_name(person, client, others, count);
}

void describe_person(const struct person *person, struct json_writer *out) {
    char color[8];
    snprintf(color, sizeof color, "#%06x", person->color & 0xffffffu);
    json_writer_member_string(out, "name", person->name);
    json_writer_member_string(out, "color", color);
}

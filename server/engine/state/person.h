// SPDX-License-Identifier: MIT
// By which name and in which color people know a client. Everyone has both: its own, its token's, or made up.
#ifndef WEFT_ENGINE_STATE_PERSON_H
#define WEFT_ENGINE_STATE_PERSON_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/json/json_writer.h"

#define PERSON_CHARACTERS_MAX 40
#define PERSON_NAME_MAX (4 * PERSON_CHARACTERS_MAX + 1) // bytes of its UTF-8 and the end

struct person {
    char name[PERSON_NAME_MAX];
    uint32_t color; // 0xRRGGBB
    bool named;     // it said so itself: no token names it
};

// As many characters of a name as a person's may have.
void person_set_name(struct person *person, const char *name);
// A name and a color for the client with this number, as different as can be from those of the others.
void person_make_up(struct person *person, uint32_t client, const struct person *const *others, uint32_t count);
// The members name and color, into an open object.
void describe_person(const struct person *person, struct json_writer *out);

#endif

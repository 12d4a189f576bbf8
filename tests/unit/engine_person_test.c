// SPDX-License-Identifier: MIT
// Names and colors that are made up differ from those of the others, and names are cut between characters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/state/person.h"

#define CROWD 200u
#define COLORS 12u

static void two_hundred_people_have_two_hundred_names_and_share_colors_evenly(void **unused) {
    (void)unused;
    static struct person people[CROWD];
    const struct person *others[CROWD] = {NULL};
    for (uint32_t i = 0; i < CROWD; i++) {
        person_make_up(&people[i], i + 1, others, i);
        others[i] = &people[i];
        assert_true(people[i].name[0] != '\0');
        assert_false(people[i].named);
        uint32_t alike = 0;
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(people[k].name, people[i].name);
            alike += people[k].color == people[i].color;
        }
        assert_int_equal(alike, i / COLORS);
    }
}

static void who_comes_takes_the_color_that_is_free(void **unused) {
    (void)unused;
    struct person people[COLORS];
    const struct person *others[COLORS];
    for (uint32_t i = 0; i < COLORS; i++) {
        person_make_up(&people[i], i + 1, others, i);
        others[i] = &people[i];
    }
    const uint32_t left = people[7].color;
    people[7].color = people[3].color; // chosen by hand
    struct person late;
    person_make_up(&late, 13, others, COLORS);
    assert_int_equal(late.color, left);
}

static void a_name_of_more_than_forty_characters_is_cut_between_two(void **unused) {
    (void)unused;
    char name[64 * 4 + 1] = "";
    for (int i = 0; i < 64; i++) {
        strcat(name, "\xf0\x9d\x94\xb8"); // four bytes
    }
    struct person person;
    person_set_name(&person, name);
    assert_int_equal(strlen(person.name), PERSON_CHARACTERS_MAX * 4);
    assert_memory_equal(person.name, name, PERSON_CHARACTERS_MAX * 4);
    person_set_name(&person, "Ada");
    assert_string_equal(person.name, "Ada");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hundred_people_have_two_hundred_names_and_share_colors_evenly),
        cmocka_unit_test(who_comes_takes_the_color_that_is_free),
        cmocka_unit_test(a_name_of_more_than_forty_characters_is_cut_between_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

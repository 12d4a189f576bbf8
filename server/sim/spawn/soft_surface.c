// SPDX-License-Identifier: MIT
// The surface of a set of tetrahedra: the faces that only one of them has, in the order of the tetrahedra. All faces
// are sorted by their corners, which brings equal ones together.
#include "sim/spawn/soft_surface.h"

#include <stdio.h>

#include "sim/geometry/sort.h"
// The corners of the face across from each corner, counter-clockwise as seen from outside.
static const uint32_t outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static struct soft_face face_of(const struct soft_form *form, uint32_t place) {
    const uint32_t *corner = form->corner + 4 * (size_t)(place / 4);
    struct soft_face face = {.place = place};
    for (unsigned k = 0; k < 3; k++) {
        face.low[k] = corner[outward[place % 4][k]];
    }
    for (unsigned round = 0; round < 3; round++) { // three exchanges sort three
        const unsigned k = round % 2;
        if (face.low[k] > face.low[k + 1]) {
            const uint32_t low = face.low[k + 1];
            face.low[k + 1] = face.low[k];
            face.low[k] = low;
            face.turned = !face.turned;
        }
    }
    return face;
}

static int compare_corners(const struct soft_face *a, const struct soft_face *b) {
    for (unsigned k = 0; k < 3; k++) {
        if (a->low[k] != b->low[k]) {
            return a->low[k] < b->low[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_faces(const void *a, const void *b) {
    const struct soft_face *first = a;
    const struct soft_face *second = b;
    const int corners = compare_corners(first, second);
    return corners != 0 ? corners : first->place < second->place ? -1 : first->place > second->place ? 1 : 0;
}

static int compare_places(const void *a, const void *b) {
    const struct soft_face *first = a;
    const struct soft_face *second = b;
    return first->place < second->place ? -1 : first->place > second->place ? 1 : 0;
}

static enum result refuse(const struct soft_face *face, const char *why, struct fault *fault) {
    char pointer[FAULT_POINTER_MAX];
    snprintf(pointer, sizeof pointer, "/tetrahedra/%u", face->place / 4);
    return fault_set(fault, RESULT_INVALID, pointer, "tetrahedron %u has the face of particles %u, %u and %u, which %s",
                     face->place / 4, face->low[0], face->low[1], face->low[2], why);
}

enum result soft_surface_find(struct soft_form *form, struct fault *fault) {
    const uint32_t faces = 4 * form->tetrahedra;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < faces; i++) {
        form->face[i] = face_of(form, i);
    }
    sort_elements(form->face, faces, sizeof *form->face, compare_faces);
    for (uint32_t i = 0; i < faces;) {
        uint32_t same = i + 1;
        while (same < faces && compare_corners(&form->face[i], &form->face[same]) == 0) {
            same++;
        }
        if (same - i > 2) {
            return refuse(&form->face[i + 2], "two others have already", fault);
        }
        if (same - i == 2 && form->face[i].turned == form->face[i + 1].turned) {
            return refuse(&form->face[i + 1], "another has on the same side: they overlap", fault);
        }
        if (same - i == 1) {
            form->face[kept] = form->face[i];
            kept++;
        }
        i = same;
    }
    sort_elements(form->face, kept, sizeof *form->face, compare_places);
    for (uint32_t i = 0; i < kept; i++) {
        const uint32_t place = form->face[i].place;
        for (unsigned k = 0; k < 3; k++) {
            form->triangle[3 * (size_t)i + k] = form->corner[4 * (size_t)(place / 4) + outward[place % 4][k]];
        }
    }
    form->triangles = kept;
    return RESULT_OK;
}

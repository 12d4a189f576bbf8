// SPDX-License-Identifier: MIT
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_WORDS 4u
#define OBJECT_WORDS 9u

static uint32_t *read_words(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    uint32_t *words = NULL;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) {
        *count = (size_t)ftell(file) / sizeof *words;
        rewind(file);
        words = malloc(*count * sizeof *words);
        if (words != NULL && fread(words, sizeof *words, *count, file) != *count) {
            free(words);
            words = NULL;
        }
    }
    (void)fclose(file);
    return words;
}

bool recording_read(struct recording *recording, const char *path) {
    size_t count = 0;
    uint32_t *words = read_words(path, &count);
    *recording = (struct recording){.words = words};
    if (words == NULL || count < HEAD_WORDS) {
        return false;
    }
    recording->object_count = words[0];
    recording->particles = words[1];
    recording->frames = words[2];
    const size_t triangles = HEAD_WORDS + (size_t)OBJECT_WORDS * words[0];
    const size_t positions = triangles + words[3];
    if (count != positions + 3 * (size_t)words[1] * words[2]) {
        return false;
    }
    recording->position = (const float *)(words + positions);
    recording->objects = calloc(words[0] + 1, sizeof *recording->objects);
    recording->x = malloc(3 * (size_t)words[1] * sizeof *recording->x);
    if (recording->objects == NULL || recording->x == NULL) {
        return false;
    }
    recording->y = recording->x + words[1];
    recording->z = recording->y + words[1];
    for (uint32_t i = 0; i < words[0]; i++) {
        const uint32_t *said = words + HEAD_WORDS + OBJECT_WORDS * i;
        float spacing = 0.0f;
        memcpy(&spacing, &said[5], sizeof spacing);
        recording->objects[i] = (struct packer_object){
            (enum packer_shape)said[0],  said[1], said[2], said[3], said[4], spacing, said[6] != 0,
            words + triangles + said[7], said[8]};
    }
    return true;
}

void recording_free(struct recording *recording) {
    free(recording->words);
    free(recording->objects);
    free(recording->x);
}

void recording_show(const struct recording *recording, uint32_t frame) {
    const float *from = recording->position + 3 * (size_t)recording->particles * frame;
    for (uint32_t i = 0; i < recording->particles; i++) {
        recording->x[i] = from[3 * i];
        recording->y[i] = from[3 * i + 1];
        recording->z[i] = from[3 * i + 2];
    }
}

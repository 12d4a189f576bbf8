// SPDX-License-Identifier: MIT
// Reads a file of the tree in a test. Tests run in the root of the tree.
#ifndef WEFT_READ_FILE_H
#define WEFT_READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

// Free the bytes with free().
static inline unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

#endif

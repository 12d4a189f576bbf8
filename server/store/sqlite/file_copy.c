// SPDX-License-Identifier: MIT
#include "store/sqlite/file_copy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK_BYTES (1u << 16)
#define PAGE_SIZE_AT 16
#define USUAL_PAGE_SIZE 4096u

uint32_t store_page_size(const char *path) {
    unsigned char bytes[2] = {0};
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return USUAL_PAGE_SIZE;
    }
    const bool read = fseek(file, PAGE_SIZE_AT, SEEK_SET) == 0 && fread(bytes, 1, 2, file) == 2;
    (void)fclose(file);
    const uint32_t size = (uint32_t)bytes[0] << 8 | bytes[1];
    return read && size >= 512 && (size & (size - 1)) == 0 ? size : read && size == 1 ? 65536u : USUAL_PAGE_SIZE;
}

FILE *store_create_copy(const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (file >= 0 && out == NULL) {
        (void)close(file);
    }
    return out;
}

bool store_copy_bytes(FILE *in, FILE *out) {
    char *bytes = malloc(BLOCK_BYTES);
    bool copied = bytes != NULL;
    for (size_t size = BLOCK_BYTES; copied && size == BLOCK_BYTES;) {
        size = fread(bytes, 1, BLOCK_BYTES, in);
        copied = fwrite(bytes, 1, size, out) == size;
    }
    free(bytes);
    return copied;
}

bool store_make_file(const char *path) {
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0;
}

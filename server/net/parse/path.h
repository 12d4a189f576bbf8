// SPDX-License-Identifier: MIT
// Paths of requests.
#ifndef WEFT_NET_PARSE_PATH_H
#define WEFT_NET_PARSE_PATH_H

#include <stdbool.h>
#include <stddef.h>

// Decodes percent signs, folds repeated slashes and dot segments (RFC 3986, 5.2.4), and terminates. False when there is
// no room. `path` begins with a slash.
bool path_decode(const char *path, size_t length, char *out, size_t size);
// Whether a decoded path may be the name of a file: no segment is empty or begins with a dot, none belongs to a package
// manager, and nothing in it could be decoded once more.
bool path_names_file(const char *path);

#endif

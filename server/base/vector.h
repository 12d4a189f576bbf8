// SPDX-License-Identifier: MIT
// Vectors and quaternions as they cross the borders between modules. The kernels work on structures of arrays instead.
#ifndef WEFT_BASE_VECTOR_H
#define WEFT_BASE_VECTOR_H

struct vec3 {
    float x, y, z;
};

struct quat {
    float x, y, z, w; // rotation; unit length
};

#endif

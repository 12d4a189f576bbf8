// SPDX-License-Identifier: MIT
// Vectors and quaternions for the interfaces between modules. The kernels of the simulation use structures of arrays.
#ifndef WEFT_BASE_VECTOR_H
#define WEFT_BASE_VECTOR_H

struct vec3 {
    float x, y, z;
};

struct quat {
    float x, y, z, w; // rotation; unit length
};

#endif

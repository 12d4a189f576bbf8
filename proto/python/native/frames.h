// SPDX-License-Identifier: MIT
// Decodes streams of frames in coding 2 (proto/FRAMES.md): the payload of each message, from its header and ranges,
// which Python has read.
#ifndef WEFT_PYTHON_FRAMES_H
#define WEFT_PYTHON_FRAMES_H

#include <stdint.h>

#define WEFT_STREAM_PLANES 5 // of the last four frames, and of particles at rest

typedef struct weft_stream weft_stream;

// An object of the stream, by the neighbours from which its particles are predicted: 0 a lattice, 1 triangles, 2 a
// chain, 3 a body, 4 nothing.
typedef struct weft_stream_object {
    uint32_t count; // particles
    uint32_t shape;
    uint32_t columns, rows;    // of a lattice
    const uint32_t *triangles; // of a mesh: three particles each; read during the call only
    uint32_t triangle_count;
} weft_stream_object;

// NULL when memory runs out, or where a lattice or a triangle does not fit its object.
weft_stream *weft_stream_create(const weft_stream_object *objects, uint32_t count);
void weft_stream_destroy(weft_stream *stream); // NULL is allowed
uint32_t weft_stream_particles(const weft_stream *stream);
// Three rows of the x, y and z of all particles, in steps of the grid.
int32_t *weft_stream_plane(weft_stream *stream, uint32_t plane);
// Decodes a payload of so many words, of the objects whose indices are given, rising, into planes[0], from the frames
// in the first of planes[1] to planes[3]. Whatever the payload holds, nothing else is written. Returns 0, or 1: it is
// cut off, 2: it goes on behind the last particle, 3: a state of the coder is none.
int weft_stream_decode(weft_stream *stream, const uint32_t *which, uint32_t which_count, uint32_t baselines,
                       const uint32_t *planes, const uint32_t *payload, uint32_t words);

#endif

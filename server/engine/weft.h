/* SPDX-License-Identifier: MIT */
/*
 * Weft as a library: one shared Verlet world. It takes JSON-RPC commands from any number of clients, ticks, and gives
 * back replies, events, frames and records. It has no clock, thread, socket or file, and never prints.
 *
 * The same snapshot and the same records give the same bits on every machine, also in WebAssembly.
 *
 *     weft_error error;
 *     weft_world *world;
 *     if (weft_world_create(NULL, &world, &error) != WEFT_OK) {
 *         puts(error.message);
 *     }
 *     weft_world_join(world, 1, NULL, WEFT_ROLE_EDITOR, &error);
 *     const char spawn[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cloth.spawn\","
 *                          "\"params\":{\"columns\":20,\"rows\":20}}";
 *     weft_world_submit(world, 1, spawn, strlen(spawn));
 *     weft_world_tick(world);
 *     weft_output output;
 *     while (weft_world_take(world, &output)) {
 *         ...
 *     }
 *
 * Rules of the interface:
 * - A world is used by one thread at a time. Different worlds are independent.
 * - Lengths are in bytes, positions in m, velocities in m/s, masses in kg, times in s. Numbers are little-endian on all
 *   platforms that Weft runs on.
 * - A function that can fail returns a weft_result and fills the weft_error, which may be NULL. On a failure its
 * outputs and the world are unchanged.
 * - Pointers that a function returns belong to the world, and are valid until the next call for the same world.
 *
 * The methods and events are those of the protocol (PROTOCOL.md); binary messages are laid out in FRAMES.md.
 */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

typedef struct weft_world weft_world;

/* ---- results ------------------------------------------------------------------------------------------------- */

typedef enum weft_result {
    WEFT_OK = 0,
    WEFT_PARSE,     /* the text is not valid JSON */
    WEFT_REQUEST,   /* the JSON is no request object */
    WEFT_METHOD,    /* there is no such method */
    WEFT_INVALID,   /* an argument or member is missing, unknown, mistyped or out of range */
    WEFT_BUSY,      /* a queue is full: nothing was applied, try again */
    WEFT_DENIED,    /* the role does not allow it */
    WEFT_NOT_FOUND, /* there is no such object, particle, client … */
    WEFT_LIMIT,     /* a capacity would be exceeded */
    WEFT_STATE,     /* not possible now */
    WEFT_RATE,      /* over the client's rate (of a server only) */
    WEFT_FROZEN,    /* another client has frozen the world (of a server only) */
    WEFT_MEMORY,    /* memory ran out */
    WEFT_IO,        /* a file or socket failed (of a server only) */
    WEFT_DAMAGED    /* a snapshot or record was changed */
} weft_result;

typedef struct weft_error {
    weft_result result;
    char pointer[128]; /* JSON pointer to the member to blame, below the params; "" without one */
    char message[320]; /* one English sentence */
} weft_error;

/* ---- versions ------------------------------------------------------------------------------------------------ */

WEFT_API const char *weft_version(void); /* such as "0.1.0" */
/* The version of the arithmetic. Worlds of different physics versions compute different bits. */
WEFT_API uint32_t weft_physics_version(void);

/* ---- a world ------------------------------------------------------------------------------------------------- */

/* Fill with weft_options_default, then change what is to differ. */
typedef struct weft_options {
    size_t size;      /* sizeof(weft_options), so that later versions know what the caller knows */
    const char *name; /* of the world, up to 64 bytes; copied */
    float tick_hz;    /* ticks a second of the world's time, 1 to 1000 */
    uint32_t max_particles, max_sticks, max_objects, max_obstacles; /* capacities */
    uint32_t lanes; /* float32 numbers a vector: 4, 8 or 16; 0: as many as the machine has. No bit depends on it. */
    /* Calls task(argument, 0) … task(argument, shares - 1), each once and on any thread, and returns when all have
     * returned; `shares` is at most `threads` (up to 8). NULL: the world ticks on the calling thread. No bit depends on
     * it. */
    void (*parallel_for)(void *context, unsigned shares, void (*task)(void *argument, unsigned share), void *argument);
    void *parallel_context;
    uint32_t threads;
} weft_options;

WEFT_API weft_options weft_options_default(void);
/* An empty world at tick 0, running. `options` NULL: the defaults. Errors: WEFT_INVALID, WEFT_MEMORY. */
WEFT_API weft_result weft_world_create(const weft_options *options, weft_world **world, weft_error *error);
WEFT_API void weft_world_destroy(weft_world *world); /* NULL is allowed */

/* ---- clients ------------------------------------------------------------------------------------------------- */

typedef enum weft_role { WEFT_ROLE_NONE, WEFT_ROLE_VIEWER, WEFT_ROLE_EDITOR, WEFT_ROLE_ADMIN } weft_role;

/* A client is a number that the caller chooses, above 0 and below 2^63. It gets the event `hello`. `name` NULL or "":
 * one is made up. Errors: WEFT_INVALID (the number is taken or not allowed), WEFT_MEMORY. */
WEFT_API weft_result weft_world_join(weft_world *world, uint64_t client, const char *name, weft_role role,
                                     weft_error *error);
/* The client lets go of what it holds. Nothing happens if there is no such client. */
WEFT_API void weft_world_leave(weft_world *world, uint64_t client);

/* One JSON-RPC message of a client: a request, or an array of up to 100 requests, whose replies come one by one. It is
 * applied at the next tick boundary (weft_world_tick, weft_world_apply), or at the tick that its `atTick` names.
 * Whatever is wrong with it is said in its reply. Methods that need a server (tokens, files, other worlds, history) are
 * refused. Errors: WEFT_NOT_FOUND (no such client), WEFT_BUSY (4,096 messages wait), WEFT_MEMORY. */
WEFT_API weft_result weft_world_submit(weft_world *world, uint64_t client, const char *json, size_t length);

/* ---- time ---------------------------------------------------------------------------------------------------- */

/* Applies what was submitted. Then, if the world is running or a world.step is under way, steps once and sends frames.
 * Returns 1 if it stepped, else 0. */
WEFT_API int weft_world_tick(weft_world *world);
/* Steps once whether or not the world runs, after what was submitted and the records that were applied: for a world
 * that follows the ticks of another one. */
WEFT_API void weft_world_step(weft_world *world);
/* Applies what was submitted, without a step; a frame shows what that changed. */
WEFT_API void weft_world_apply(weft_world *world);
WEFT_API uint64_t weft_world_tick_count(const weft_world *world);

/* ---- outputs ------------------------------------------------------------------------------------------------- */

typedef enum weft_output_kind {
    WEFT_OUTPUT_TEXT,   /* a reply or an event for `client`, JSON */
    WEFT_OUTPUT_BINARY, /* a topology, a frame, a snapshot or ticks for `client` (FRAMES.md) */
    WEFT_OUTPUT_CLOSE,  /* `client` cannot be served any more, for the reason in `bytes` */
    WEFT_OUTPUT_RECORD  /* what was applied before a tick (FRAMES.md, type 4), for whoever keeps or mirrors the world */
} weft_output_kind;

typedef struct weft_output {
    weft_output_kind kind;
    uint64_t client; /* 0: a record */
    const uint8_t *bytes;
    size_t length;
} weft_output;

/* The next output, in the order in which they came about: 1, or 0 when there is none. The bytes are valid until the
 * next call for this world. Outputs are kept until they are taken; when memory runs out for one, its client is given
 * WEFT_OUTPUT_CLOSE. */
WEFT_API int weft_world_take(weft_world *world, weft_output *output);

/* ---- records, snapshots, hashes ------------------------------------------------------------------------------- */

/* Applies what a record says, instead of commands submitted here. The world must be at the tick before the record's.
 * Errors: WEFT_DAMAGED (no record), WEFT_INVALID (of another physics version), WEFT_STATE (of another tick): nothing
 * was applied. Any other: a command was refused that was accepted when it was recorded, so the world differs from the
 * one that the records are of; restore a snapshot. */
WEFT_API weft_result weft_world_record_apply(weft_world *world, const void *bytes, size_t length, weft_error *error);

/* Follows another world in lockstep: takes a binary message of type 5 or 6 (FRAMES.md, "Lockstep") that a server or
 * another engine sends to a client which subscribed to frames with the encoding "ticks". A snapshot makes the world
 * what that world was; it must not be compressed. Ticks apply what was applied there and step as often; ticks that the
 * world has made already are passed over. Errors: WEFT_STATE (the ticks are of a snapshot that has not come, or do not
 * follow on the world's tick): nothing was applied, keep the message until the snapshot comes. WEFT_DAMAGED (the bytes
 * are no such message, or the hash of the state differs from that of the other world), or those of weft_world_restore
 * and weft_world_record_apply: subscribe anew for another snapshot. */
WEFT_API weft_result weft_world_follow(weft_world *world, const void *bytes, size_t length, weft_error *error);

/* Predicts: applies a command of the client with this number (`session` of hello) at once, before the next tick, as
 * if its record had come. `*text` is its result in brackets, "[{…}]", until the next call. Go back to a state that was
 * kept before to take it back. Errors: those of the command; WEFT_INVALID if it is no change of a tick. */
WEFT_API weft_result weft_world_predict(weft_world *world, uint32_t client, const char *json, size_t length,
                                        const char **text, size_t *text_length, weft_error *error);

/* Before predicting in a large world: all that neither these objects nor what the client with this number holds can
 * touch stands still until something touches or changes it, and costs no time. What is predicted then holds only for
 * these objects, so go back to a state that was kept before. `objects` are ids; those that do not exist are passed
 * over. Errors: WEFT_MEMORY; then nothing was changed. */
WEFT_API weft_result weft_world_isolate(weft_world *world, uint32_t client, const uint32_t *objects, uint32_t count,
                                        weft_error *error);

/* Keeps the present state within this process, and returns to it, much faster than by a snapshot. A state can be
 * returned to any number of times, by the world that kept it only. Errors: WEFT_MEMORY; when weft_world_return fails
 * the world has to be restored from a snapshot. */
typedef struct weft_state weft_state;
WEFT_API weft_result weft_world_keep(weft_world *world, weft_state **state, weft_error *error);
WEFT_API weft_result weft_world_return(weft_world *world, const weft_state *state, weft_error *error);
WEFT_API void weft_state_destroy(weft_state *state); /* NULL is allowed */

/* All state, including names and the scene. It is read by weft_world_restore of the same physics version. NULL when
 * memory ran out. */
WEFT_API const uint8_t *weft_world_snapshot(weft_world *world, size_t *length);
/* Makes the world what it was. The bytes are checked; they may come from a stranger. Errors: WEFT_INVALID, WEFT_LIMIT
 * (it is larger than this world's capacities), WEFT_DAMAGED, WEFT_MEMORY. */
WEFT_API weft_result weft_world_restore(weft_world *world, const void *bytes, size_t length, weft_error *error);
/* A hash of the state of the physics, equal wherever the same was computed. */
WEFT_API uint64_t weft_world_hash(const weft_world *world);

/* ---- hosts --------------------------------------------------------------------------------------------------- */

/* For a program that is to its worlds what a server is: it keeps their records and snapshots, and answers the methods
 * that need a history, files or other worlds (`"x-part": "host"` in the schema), which weft_world_submit refuses. */

/* Checks a message whose method the caller answers itself: that it is a request, its parameters, and the client's role.
 * 1: all is well. 0: it is refused, and an output is the reply that says why. */
WEFT_API int weft_world_check(weft_world *world, uint64_t client, const char *json, size_t length);

/* Places in messages at which the host adds members. */
typedef enum weft_place {
    WEFT_PLACE_HELLO,     /* hello, after `protocol` */
    WEFT_PLACE_LIMITS,    /* hello, in `limits` */
    WEFT_PLACE_QUOTA,     /* hello, in `limits.own` */
    WEFT_PLACE_CLOCK,     /* hello and world.get, after `running` */
    WEFT_PLACE_CHANGED,   /* the event world.changed, after `running` */
    WEFT_PLACE_PHYSICS,   /* world.get, after `stateHash` */
    WEFT_PLACE_STATISTICS /* world.get, after `limits` */
} weft_place;

/* Adds the member `name` with the value `json` at a place, or replaces its value; `json` NULL removes it. Both texts
 * are copied. Errors: WEFT_INVALID (no such place, no JSON value), WEFT_MEMORY. */
WEFT_API weft_result weft_world_describe(weft_world *world, weft_place place, const char *name, const char *json,
                                         weft_error *error);
/* Sends the event world.changed with this reason to the clients that want it; it names the client that changed the
 * world, if there is such a client. */
WEFT_API void weft_world_changed(weft_world *world, const char *reason, uint64_t client);
/* Sends an event of the protocol to the clients that want it. `params` is a JSON object. Errors: WEFT_INVALID (no such
 * event, no object), WEFT_MEMORY. */
WEFT_API weft_result weft_world_event(weft_world *world, const char *name, const char *params, weft_error *error);

/* Applies the records of a message of type 4, whatever tick it names (`length` 0: none), and steps so many times, but
 * sends neither frames nor events: for a host that computes a part of a history again. Errors: those of
 * weft_world_record_apply but WEFT_STATE; a record that was refused leaves the world as it was before that record. */
WEFT_API weft_result weft_world_replay(weft_world *world, const void *bytes, size_t length, uint32_t ticks,
                                       weft_error *error);
/* After weft_world_restore and weft_world_replay: a new epoch begins, in which all clients are shown the whole world
 * anew. With `past` 1 the world is one of the past until the next call: grabs belong to nobody, and events say that it
 * stands. */
WEFT_API void weft_world_show(weft_world *world, int past);

/* Whether the clock runs. Setting it is not recorded; world.pause and world.resume are. */
WEFT_API int weft_world_running(const weft_world *world);
WEFT_API void weft_world_set_running(weft_world *world, int running);
/* Frames refer to the objects of their epoch (FRAMES.md). */
WEFT_API uint32_t weft_world_epoch(const weft_world *world);

/* The number of the last command. Each command has one, also in a batch, and what it makes has it as its id. */
WEFT_API uint32_t weft_world_sequence(const weft_world *world);
/* The name of the scene that the world was made of; "" without one. */
WEFT_API const char *weft_world_scene(const weft_world *world);
/* Its commands as the parameters of batch.run, not terminated. NULL if it has none. */
WEFT_API const char *weft_world_scene_commands(const weft_world *world, size_t *length);
/* A scene file that makes what there is now, as scene.save writes it, not terminated; `*commands` is how many commands
 * it has. Valid until the next call. NULL when memory ran out. */
WEFT_API const char *weft_world_scene_text(weft_world *world, const char *title, size_t *length, uint32_t *commands);

/* The records of a message of type 4 as text, not terminated, valid until the next call: an array with an object for
 * each, whose members are `kind` ("command", "scene", "release", "clock", "load"), `client` and `number` (the
 * simulation's sequence number before it); of a command `method`, `params`, `made` (the ids of what it made), `object`
 * (the one that it is about) and `clock` (true if it only starts, stops or steps the clock); of a release `grab`; of a
 * scene and a load `name`; of a scene and a clock `running`. Errors: WEFT_DAMAGED, WEFT_INVALID, WEFT_MEMORY. */
WEFT_API weft_result weft_world_record_text(weft_world *world, const void *bytes, size_t length, const char **text,
                                            size_t *text_length, weft_error *error);

/* ---- scenes -------------------------------------------------------------------------------------------------- */

/* Makes the world anew from a scene file, all or nothing; its ticks count from 0 again, so that whoever keeps records
 * should keep a snapshot then. world.reset makes it anew again. Errors: those of its
 * commands; the pointer leads into the file. */
WEFT_API weft_result weft_world_load_scene(weft_world *world, const char *name, const char *json, size_t length,
                                           weft_error *error);

/* ---- views --------------------------------------------------------------------------------------------------- */

/* Particles as arrays of the world, one element a particle, all of the same length. Objects lie one after another
 * (weft_object); a command or a tick may move them. The arrays stay where they are as long as the world. y is as far
 * behind x in memory as z behind y, and so are dy and dz: together they are a matrix with a constant stride. */
typedef struct weft_particles {
    uint32_t count;
    const float *x, *y, *z;    /* m */
    const float *dx, *dy, *dz; /* way of the last substep, m: divided by `substep` a velocity */
    const float *inverse_mass; /* 1/kg; 0: pinned */
    float substep;             /* s */
} weft_particles;
WEFT_API weft_particles weft_world_particles(const weft_world *world);

typedef struct weft_object {
    uint32_t id, first, particles;
    uint32_t triangle_count;
    const uint32_t *triangles; /* three particles each, counted from the object's first; NULL: none */
} weft_object;
WEFT_API uint32_t weft_world_object_count(const weft_world *world);
/* Objects by rising ids. `index` is below the count. */
WEFT_API weft_object weft_world_object_at(const weft_world *world, uint32_t index);

typedef enum weft_contact_kind {
    WEFT_CONTACT_OBSTACLE,
    WEFT_CONTACT_BOUNDS,
    WEFT_CONTACT_BODY, /* a solid object */
    WEFT_CONTACT_SELF, /* a cloth with itself */
    WEFT_CONTACT_CLOTH /* two cloths */
} weft_contact_kind;

typedef struct weft_contact {
    uint32_t kind;    /* weft_contact_kind */
    uint32_t object;  /* id */
    uint32_t other;   /* id of an object or obstacle; 0: not known, or the bounds */
    float x, y, z;    /* m, on the object */
    float nx, ny, nz; /* unit normal, towards the object */
    float depth;      /* m, remaining depth; negative where the two are apart */
    float slip;       /* m/s, along the surface */
    float friction;   /* coefficient of the pair */
} weft_contact;
/* The contacts of the last tick, found anew on each call: writes at most `most` (up to 1,000,000), spread evenly over
 * all, to `contacts`, and sets `*count` to how many it wrote, `*total` to how many there are and `*complete` to 1 if
 * all pairs were examined, else 0. `total` and `complete` may be NULL. Errors: WEFT_INVALID (`most`), WEFT_MEMORY. */
WEFT_API weft_result weft_world_contacts(const weft_world *world, weft_contact *contacts, uint32_t most,
                                         uint32_t *count, uint32_t *total, int *complete, weft_error *error);

#ifdef __cplusplus
}
#endif

#endif

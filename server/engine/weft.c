// SPDX-License-Identifier: MIT
// The public face of the engine: a world with a queue of requests before it and an outbox behind it.
#include "engine/weft.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "engine/client/client.h"
#include "engine/command/run.h"
#include "engine/command/scene_load.h"
#include "engine/command/world.h"
#include "engine/outbox.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/weft_core.h"
#include "engine/weft_follow.h"
#include "engine/weft_host.h"
#include "engine/weft_members.h"
#include "engine/weft_records.h"
#include "engine/weft_requests.h"
#include "engine/weft_view.h"
#include "engine/world/engine_world.h"
#include "engine/world/follow.h"
#include "engine/world/lockstep.h"
#include "engine/world/membership.h"
#include "engine/world/world_snapshot.h"
#include "sim/archive.h"

#define CLIENT_MAX ENGINE_ORPHANED // client numbers lie below

static_assert((int)WEFT_DAMAGED == (int)RESULT_DAMAGED && (int)WEFT_MEMORY == (int)RESULT_MEMORY &&
                  (int)WEFT_STATE == (int)RESULT_STATE && (int)RESULT_COUNT == (int)WEFT_DAMAGED + 1,
              "weft_result is enum result");
static_assert((int)WEFT_PLACE_HELLO == (int)ENGINE_PLACE_HELLO &&
                  (int)WEFT_PLACE_STATISTICS == (int)ENGINE_PLACE_STATISTICS,
              "weft_place is enum engine_place");
static_assert((int)WEFT_ROLE_ADMIN == (int)PROTO_ROLE_ADMIN, "weft_role is enum proto_role");

// ---- errors ------------------------------------------------------------------------------------------------------

static weft_result report(weft_error *error, enum result result, const struct fault *fault) {
    if (error != NULL) {
        error->result = (weft_result)result;
        snprintf(error->pointer, sizeof error->pointer, "%s", result != RESULT_OK ? fault->pointer : "");
        snprintf(error->message, sizeof error->message, "%s", result != RESULT_OK ? fault->message : "");
    }
    return (weft_result)result;
}

const char *weft_version(void) {
    return WEFT_VERSION;
}

uint32_t weft_physics_version(void) {
    return SIM_PHYSICS_VERSION;
}

// ---- a world -----------------------------------------------------------------------------------------------------

weft_options weft_options_default(void) {
    const struct sim_capacity capacity = sim_capacity_default();
    return (weft_options){.size = sizeof(weft_options),
                          .name = "world",
                          .tick_hz = 60.0f,
                          .max_particles = capacity.particles,
                          .max_sticks = capacity.sticks,
                          .max_objects = capacity.objects,
                          .max_obstacles = capacity.obstacles};
}

static enum result check_options(const weft_options *options, struct fault *fault) {
    if (options->size != sizeof *options) {
        return fault_set(fault, RESULT_INVALID, "/size", "size must be sizeof(weft_options), %zu, got %zu",
                         sizeof *options, options->size);
    }
    if (!(options->tick_hz >= 1.0f && options->tick_hz <= 1000.0f)) {
        return fault_set(fault, RESULT_INVALID, "/tick_hz", "tick_hz must be 1 to 1000, got %g",
                         (double)options->tick_hz);
    }
    if (options->name != NULL && strlen(options->name) > ENGINE_NAME_MAX) {
        return fault_set(fault, RESULT_INVALID, "/name", "name must have at most %d bytes, got %zu", ENGINE_NAME_MAX,
                         strlen(options->name));
    }
    if (options->parallel_for != NULL && (options->threads < 1 || options->threads > SIM_WORKERS_MAX)) {
        return fault_set(fault, RESULT_INVALID, "/threads", "threads must be 1 to %u, got %u", SIM_WORKERS_MAX,
                         options->threads);
    }
    return RESULT_OK;
}

static struct weft_world *world_of(void *outbox) {
    return (struct weft_world *)((char *)outbox - offsetof(struct weft_world, outbox));
}

// A grab ended because its client left.
static void grab_released(void *context, uint32_t grab, uint32_t sequence) {
    const struct engine_change change = {.kind = RECORD_RELEASE, .grab = grab, .sequence = sequence};
    struct weft_world *world = world_of(context);
    weft_records_note(world, engine_next_tick(world->engine), 0, &change);
}

static void describe(void *context, enum engine_place place, const struct client *client, struct json_writer *out) {
    (void)client;
    weft_members_write(world_of(context)->members, place, out);
}

// The outbox's functions, by way of the world that holds it.
static struct engine_host make_host(struct weft_world *world) {
    struct engine_host host = outbox_host;
    host.context = &world->outbox;
    host.grab_released = grab_released;
    host.describe = describe;
    return host;
}

weft_result weft_world_create(const weft_options *given, weft_world **out, weft_error *error) {
    const weft_options options = given != NULL ? *given : weft_options_default();
    struct fault fault = {0};
    enum result result = check_options(&options, &fault);
    struct weft_world *world = result == RESULT_OK ? calloc(1, sizeof *world) : NULL;
    if (result == RESULT_OK && world == NULL) {
        result = fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (world == NULL) {
        return report(error, result, &fault);
    }
    weft_requests_init(world);
    const struct engine_host host = make_host(world);
    struct engine_options made = {
        .name = options.name != NULL ? options.name : "",
        .tick_hz = options.tick_hz,
        .capacity = sim_capacity_default(),
        .quota = {.particles = UINT32_MAX, .sticks = UINT32_MAX, .objects = UINT32_MAX, .obstacles = UINT32_MAX},
        .host = &host};
    made.capacity.particles = options.max_particles;
    made.capacity.sticks = options.max_sticks;
    made.capacity.objects = options.max_objects;
    made.capacity.obstacles = options.max_obstacles;
    // Triangles and shapes are in proportion to the particles, as in the defaults.
    const double share = (double)options.max_particles / (double)sim_capacity_default().particles;
    made.capacity.triangles = (uint32_t)fmin(4e9, ceil(share * (double)made.capacity.triangles));
    made.capacity.shape_words = (uint32_t)fmin(4e9, ceil(share * (double)made.capacity.shape_words));
    result = engine_create(&made, &world->engine, &fault);
    if (result == RESULT_OK && options.lanes != 0 && !sim_world_set_lanes(world->engine->sim, options.lanes)) {
        result = fault_set(&fault, RESULT_INVALID, "/lanes",
                           "lanes must be 0, or 4, 8 or 16 if this machine has such vectors, got %u", options.lanes);
    }
    if (result != RESULT_OK) {
        weft_world_destroy(world);
        return report(error, result, &fault);
    }
    if (options.parallel_for != NULL) {
        const struct sim_workers workers = {options.parallel_context, options.threads, options.parallel_for};
        sim_world_set_workers(world->engine->sim, &workers);
    }
    world->engine->running = true;
    *out = world;
    return report(error, RESULT_OK, &fault);
}

void weft_world_destroy(weft_world *world) {
    if (world == NULL) {
        return;
    }
    weft_requests_free(world);
    engine_destroy(world->engine);
    outbox_free(&world->outbox);
    message_release(world->taken);
    bytes_free(&world->records);
    bytes_free(&world->snapshot);
    weft_members_free(world->members);
    free(world);
}

// ---- clients -----------------------------------------------------------------------------------------------------

weft_result weft_world_join(weft_world *world, uint64_t client, const char *name, weft_role role, weft_error *error) {
    struct fault fault = {0};
    if (client == 0 || client >= CLIENT_MAX || engine_find_client(world->engine, client) != NULL) {
        return report(error,
                      fault_set(&fault, RESULT_INVALID, "/client",
                                "client must be a number from 1 to 2^63 - 1 that no client has, got %llu",
                                (unsigned long long)client),
                      &fault);
    }
    if ((unsigned)role >= PROTO_ROLE_COUNT) {
        return report(error, fault_set(&fault, RESULT_INVALID, "/role", "role must be one of weft_role, got %d", role),
                      &fault);
    }
    const struct client_facts facts = {
        .name = name != NULL ? name : "", .role = (enum proto_role)role, .owner = client};
    const struct client *added = engine_add_client(world->engine, client, &facts);
    if (added == NULL) {
        return report(error, fault_set(&fault, RESULT_MEMORY, "", "out of memory"), &fault);
    }
    engine_greet_client(world->engine, added);
    return report(error, RESULT_OK, &fault);
}

void weft_world_leave(weft_world *world, uint64_t client) {
    engine_remove_client(world->engine, client);
    outbox_forget_client(&world->outbox, client);
    weft_records_flush(world); // a snapshot that follows holds the releases of its grabs already
}

weft_result weft_world_submit(weft_world *world, uint64_t client, const char *json, size_t length) {
    return (weft_result)weft_requests_submit(world, client, json, length);
}

// ---- time --------------------------------------------------------------------------------------------------------

void weft_world_apply(weft_world *world) {
    weft_requests_apply(world);
    weft_core_show(world);
}

int weft_world_tick(weft_world *world) {
    engine_release_orphaned_grabs(world->engine);
    weft_requests_apply(world);
    if (!world->engine->running && !world->engine->stepping) {
        weft_core_show(world);
        return 0;
    }
    weft_core_step(world);
    return 1;
}

void weft_world_step(weft_world *world) {
    weft_requests_apply(world);
    weft_core_step(world);
}

uint64_t weft_world_tick_count(const weft_world *world) {
    return sim_world_tick(world->engine->sim);
}

// ---- outputs -----------------------------------------------------------------------------------------------------

int weft_world_take(weft_world *world, weft_output *output) {
    struct output next;
    message_release(world->taken);
    world->taken = NULL;
    if (!outbox_take(&world->outbox, &next)) {
        return 0;
    }
    world->taken = next.message;
    const bool text = next.message != NULL && message_kind(next.message) == MESSAGE_TEXT;
    *output = (weft_output){.kind = next.kind == OUTPUT_CLOSE    ? WEFT_OUTPUT_CLOSE
                                    : next.kind == OUTPUT_RECORD ? WEFT_OUTPUT_RECORD
                                    : text                       ? WEFT_OUTPUT_TEXT
                                                                 : WEFT_OUTPUT_BINARY,
                            .client = next.client,
                            .bytes = next.message != NULL ? message_data(next.message) : NULL,
                            .length = next.message != NULL ? message_length(next.message) : 0};
    return 1;
}

// ---- records of other worlds, snapshots ---------------------------------------------------------------------------

weft_result weft_world_record_apply(weft_world *world, const void *bytes, size_t length, weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_records_apply(world, bytes, length, &fault), &fault);
}

const uint8_t *weft_world_snapshot(weft_world *world, size_t *length) {
    bytes_free(&world->snapshot);
    world->snapshot = (struct bytes){0};
    engine_write_snapshot(world->engine, world->sequence, &world->snapshot);
    if (world->snapshot.failed) {
        return NULL;
    }
    *length = world->snapshot.length;
    return world->snapshot.data;
}

static enum result restore(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct fault ignored;
    struct bytes before = {0};
    const uint32_t epoch = sim_world_epoch(engine->sim);
    engine_write_snapshot(engine, world->sequence, &before);
    enum result result = before.failed ? fault_set(fault, RESULT_MEMORY, "", "out of memory")
                                       : engine_read_snapshot(engine, bytes, length, &world->sequence, fault);
    if (result != RESULT_OK && !before.failed &&
        engine_read_snapshot(engine, before.data, before.length, &world->sequence, &ignored) != RESULT_OK) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory: the world is empty now");
    }
    bytes_free(&before);
    sim_world_renew_epoch(engine->sim, epoch);
    engine_claim_orphaned_grabs(engine);
    engine_show_anew(engine);
    weft_records_drop(world);
    return result;
}

weft_result weft_world_restore(weft_world *world, const void *bytes, size_t length, weft_error *error) {
    struct fault fault = {0};
    return report(error, restore(world, bytes, length, &fault), &fault);
}

// ---- following another world -------------------------------------------------------------------------------------

static enum result follow_snapshot(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct bytes snapshot = {0};
    uint32_t generation;
    enum result result = follow_read_snapshot(bytes, length, &generation, &snapshot, fault);
    if (result == RESULT_OK) {
        result = restore(world, snapshot.data, snapshot.length, fault);
    }
    bytes_free(&snapshot);
    if (result == RESULT_OK) {
        world->follows = true;
        world->generation = generation;
    }
    return result;
}

weft_result weft_world_follow(weft_world *world, const void *bytes, size_t length, weft_error *error) {
    struct fault fault = {0};
    const bool is_snapshot = length > 0 && *(const unsigned char *)bytes == LOCKSTEP_SNAPSHOT_TYPE;
    const enum result result =
        is_snapshot ? follow_snapshot(world, bytes, length, &fault) : weft_follow_ticks(world, bytes, length, &fault);
    return report(error, result, &fault);
}

weft_result weft_world_predict(weft_world *world, uint32_t client, const char *json, size_t length, const char **text,
                               size_t *text_length, weft_error *error) {
    struct fault fault = {0};
    const enum result result = weft_follow_predict(world, client, json, length, &fault);
    if (result == RESULT_OK) {
        *text = world->engine->result.data;
        *text_length = world->engine->result.length;
    }
    return report(error, result, &fault);
}

weft_result weft_world_isolate(weft_world *world, uint32_t client, const uint32_t *objects, uint32_t count,
                               weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_follow_isolate(world, client, objects, count, &fault), &fault);
}

weft_result weft_world_keep(weft_world *world, weft_state **state, weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_follow_keep(world, state, &fault), &fault);
}

weft_result weft_world_return(weft_world *world, const weft_state *state, weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_follow_return(world, state, &fault), &fault);
}

void weft_state_destroy(weft_state *state) {
    weft_follow_forget(state);
}

uint64_t weft_world_hash(const weft_world *world) {
    return sim_world_hash(world->engine->sim);
}

// ---- hosts -------------------------------------------------------------------------------------------------------

int weft_world_check(weft_world *world, uint64_t client, const char *json, size_t length) {
    return weft_host_check(world, client, json, length) ? 1 : 0;
}

weft_result weft_world_describe(weft_world *world, weft_place place, const char *name, const char *json,
                                weft_error *error) {
    struct fault fault = {0};
    const enum result result =
        (unsigned)place <= WEFT_PLACE_STATISTICS
            ? weft_members_set(&world->members, (enum engine_place)place, name, json, &fault)
            : fault_set(&fault, RESULT_INVALID, "/place", "place must be one of weft_place, got %d", (int)place);
    return report(error, result, &fault);
}

void weft_world_changed(weft_world *world, const char *reason, uint64_t client) {
    engine_tell_changed_by(world->engine, reason, engine_find_client(world->engine, client));
    engine_flush_events(world->engine);
}

weft_result weft_world_event(weft_world *world, const char *name, const char *params, weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_host_event(world, name, params, &fault), &fault);
}

weft_result weft_world_replay(weft_world *world, const void *bytes, size_t length, uint32_t ticks, weft_error *error) {
    struct fault fault = {0};
    return report(error, weft_host_replay(world, bytes, length, ticks, &fault), &fault);
}

void weft_world_show(weft_world *world, int past) {
    weft_host_show(world, past != 0);
}

int weft_world_running(const weft_world *world) {
    return world->engine->running ? 1 : 0;
}

void weft_world_set_running(weft_world *world, int running) {
    world->engine->running = running != 0;
}

uint32_t weft_world_epoch(const weft_world *world) {
    return sim_world_epoch(world->engine->sim);
}

uint32_t weft_world_sequence(const weft_world *world) {
    return sim_world_sequence(world->engine->sim);
}

const char *weft_world_scene(const weft_world *world) {
    return world->engine->scene;
}

const char *weft_world_scene_commands(const weft_world *world, size_t *length) {
    return weft_host_scene_commands(world, length);
}

const char *weft_world_scene_text(weft_world *world, const char *title, size_t *length, uint32_t *commands) {
    return weft_host_scene_text(world, title, length, commands);
}

weft_result weft_world_record_text(weft_world *world, const void *bytes, size_t length, const char **text,
                                   size_t *text_length, weft_error *error) {
    struct fault fault = {0};
    const enum result result = weft_host_record_text(world, bytes, length, &fault);
    if (result == RESULT_OK) {
        *text = world->engine->result.data;
        *text_length = world->engine->result.length;
    }
    return report(error, result, &fault);
}

// ---- scenes and views --------------------------------------------------------------------------------------------

weft_result weft_world_load_scene(weft_world *world, const char *name, const char *json, size_t length,
                                  weft_error *error) {
    struct proto_scene_about about;
    struct proto_request *request = NULL;
    struct fault fault = {0};
    struct engine_world *engine = world->engine;
    const struct engine_change change = {.kind = RECORD_LOAD, .sequence = sim_world_sequence(engine->sim)};
    const uint64_t tick = engine_next_tick(engine);
    enum result result =
        name != NULL && name[0] != '\0' && strlen(name) <= ENGINE_NAME_MAX
            ? RESULT_OK
            : fault_set(&fault, RESULT_INVALID, "/name", "name must have 1 to %d bytes", ENGINE_NAME_MAX);
    if (result == RESULT_OK) {
        result = proto_scene_parse(json, length, &request, &about, &fault);
    }
    if (result == RESULT_OK) {
        result = engine_load_scene(engine, name, request, &fault);
        if (result != RESULT_OK) {
            proto_request_destroy(request);
        }
    }
    if (result == RESULT_OK) {
        engine_tell_changed(engine, "load");
        engine_settle(engine);
        weft_records_note(world, tick, 0, &change);
    }
    return report(error, result, &fault);
}

weft_particles weft_world_particles(const weft_world *world) {
    const struct sim_particles_view view = sim_world_particles(world->engine->sim);
    return (weft_particles){.count = view.count,
                            .x = view.x,
                            .y = view.y,
                            .z = view.z,
                            .dx = view.dx,
                            .dy = view.dy,
                            .dz = view.dz,
                            .inverse_mass = view.inverse_mass,
                            .substep = view.substep};
}

uint32_t weft_world_object_count(const weft_world *world) {
    return sim_world_object_count(world->engine->sim);
}

weft_object weft_world_object_at(const weft_world *world, uint32_t index) {
    const struct sim_object_view view = sim_world_object_at(world->engine->sim, index);
    return (weft_object){.id = view.id,
                         .first = view.first,
                         .particles = view.particles,
                         .triangle_count = view.triangle_count,
                         .triangles = view.triangles};
}

weft_result weft_world_contacts(const weft_world *world, weft_contact *contacts, uint32_t most, uint32_t *count,
                                uint32_t *total, int *complete, weft_error *error) {
    struct fault fault = {0};
    struct weft_contact_list list = {.contacts = contacts, .most = most};
    const enum result result = weft_view_contacts(world, &list, &fault);
    if (result == RESULT_OK) {
        *count = list.count;
    }
    if (result == RESULT_OK && total != NULL) {
        *total = list.total;
    }
    if (result == RESULT_OK && complete != NULL) {
        *complete = list.complete ? 1 : 0;
    }
    return report(error, result, &fault);
}

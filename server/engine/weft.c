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
#include "engine/client/role.h"
#include "engine/command/run.h"
#include "engine/command/scene_load.h"
#include "engine/command/world.h"
#include "engine/outbox.h"
#include "engine/record/record.h"
#include "engine/record/tick_event.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/state/schedule.h"
#include "engine/state/tick.h"
#include "engine/view/variant.h"
#include "engine/weft_core.h"
#include "engine/weft_follow.h"
#include "engine/weft_world.h"
#include "engine/world/engine_world.h"
#include "engine/world/follow.h"
#include "engine/world/lockstep.h"
#include "engine/world/membership.h"
#include "engine/world/note_change.h"
#include "engine/world/snapshot.h"
#include "engine/world/snapshot_message.h"
#include "engine/world/tick_message.h"
#include "sim/archive.h"

#define PENDING_MAX 4096u
#define CLIENT_MAX ENGINE_ORPHANED // client numbers lie below

static_assert((int)WEFT_DAMAGED == (int)RESULT_DAMAGED && (int)WEFT_MEMORY == (int)RESULT_MEMORY &&
                  (int)WEFT_STATE == (int)RESULT_STATE && (int)RESULT_COUNT == (int)WEFT_DAMAGED + 1,
              "weft_result is enum result");
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

// A grab ended because its client left.
static void grab_released(void *context, uint32_t grab, uint32_t sequence);
static void flush_records(struct weft_world *world);

// The outbox's functions, by way of the world that holds it.
static struct engine_host make_host(struct weft_world *world) {
    struct engine_host host = outbox_host;
    host.context = &world->outbox;
    host.grab_released = grab_released;
    return host;
}

static struct weft_world *world_of(void *outbox) {
    return (struct weft_world *)((char *)outbox - offsetof(struct weft_world, outbox));
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
    world->pending_tail = &world->pending;
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

static void free_pending(struct pending *pending) {
    proto_request_destroy(pending->request);
    free(pending);
}

void weft_world_destroy(weft_world *world) {
    if (world == NULL) {
        return;
    }
    while (world->pending != NULL) {
        struct pending *pending = world->pending;
        world->pending = pending->next;
        free_pending(pending);
    }
    engine_destroy(world->engine);
    outbox_free(&world->outbox);
    message_release(world->taken);
    bytes_free(&world->records);
    bytes_free(&world->snapshot);
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
    flush_records(world); // a snapshot that follows holds the releases of its grabs already
}

// ---- records -----------------------------------------------------------------------------------------------------

// Notes a change for the record of a tick: the one that was next before the change, which may have been a reset.
static void note_change(struct weft_world *world, uint64_t tick, uint32_t client, const struct engine_change *change) {
    struct bytes data = {0};
    engine_write_record(world->engine, change, &data);
    if (world->records.length == 0) {
        tick_message_begin(&world->records, sim_world_epoch(world->engine->sim), tick, SIM_PHYSICS_VERSION);
    }
    const struct engine_record record = {.sequence = ++world->sequence,
                                         .kind = (uint32_t)change->kind,
                                         .client = client,
                                         .data = data.data,
                                         .size = data.length};
    tick_message_add(&world->records, &record);
    engine_note_change(world->engine, client, change, &data);
    world->records.failed = world->records.failed || data.failed;
    bytes_free(&data);
}

static void grab_released(void *context, uint32_t grab, uint32_t sequence) {
    const struct engine_change change = {.kind = RECORD_RELEASE, .grab = grab, .sequence = sequence};
    struct weft_world *world = world_of(context);
    note_change(world, engine_next_tick(world->engine), 0, &change);
}

// Hands out the record of what was applied. Who lacks one for want of memory has to be told: the record's place is
// taken by an empty one.
static void flush_records(struct weft_world *world) {
    if (world->records.length == 0 && !world->records.failed) {
        return;
    }
    const size_t length = world->records.failed ? 0 : world->records.length;
    struct message *message = message_create(MESSAGE_BINARY, length);
    if (message != NULL) {
        memcpy(message_data(message), world->records.data, length);
        message_set_length(message, length);
        (void)outbox_add(&world->outbox, OUTPUT_RECORD, 0, message);
    }
    bytes_free(&world->records);
    world->records = (struct bytes){0};
}

// ---- requests ----------------------------------------------------------------------------------------------------

static enum result submit_one(struct weft_world *world, uint64_t client, const char *text, size_t length) {
    struct pending *pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return RESULT_MEMORY;
    }
    pending->client = client;
    const enum result result = proto_request_parse(text, length, &pending->request, &pending->id, &pending->fault);
    if (result != RESULT_OK) {
        pending->request = NULL;
    } else {
        pending->id = pending->request->id;
    }
    pending->id.bundle = 0;
    *world->pending_tail = pending;
    world->pending_tail = &pending->next;
    world->pending_count++;
    return RESULT_OK;
}

weft_result weft_world_submit(weft_world *world, uint64_t client, const char *json, size_t length) {
    struct proto_slice elements[PROTO_ARRAY_MAX];
    struct fault fault;
    uint32_t count = 0;
    if (engine_find_client(world->engine, client) == NULL) {
        return WEFT_NOT_FOUND;
    }
    if (!proto_is_array(json, length)) {
        return world->pending_count == PENDING_MAX ? WEFT_BUSY : (weft_result)submit_one(world, client, json, length);
    }
    if (proto_array_split(json, length, elements, &count, &fault) != RESULT_OK) {
        const struct proto_id none = {.present = true, .text = "null"};
        engine_send_fault(world->engine, client, &none, &fault);
        return WEFT_OK;
    }
    if (world->pending_count + count > PENDING_MAX) {
        return WEFT_BUSY;
    }
    enum result result = RESULT_OK;
    for (uint32_t i = 0; result == RESULT_OK && i < count; i++) {
        result = submit_one(world, client, elements[i].text, elements[i].length);
    }
    return (weft_result)result;
}

// Steps a world that stands: the reply comes after the last step.
static enum result begin_step(struct weft_world *world, const struct pending *pending, struct fault *fault) {
    const struct proto_world_step *params = pending->request->command.params;
    struct engine_world *engine = world->engine;
    if (engine->running) {
        return fault_set(fault, RESULT_STATE, "", "world.step needs a paused world: call world.pause first");
    }
    if (engine->stepping) {
        return fault_set(fault, RESULT_BUSY, "", "a world.step is under way: wait for its reply");
    }
    engine->stepping = true;
    world->step_until = sim_world_tick(engine->sim) + params->ticks;
    world->step_client = pending->client;
    world->step_id = pending->id;
    return RESULT_OK;
}

static enum result run(struct weft_world *world, const struct pending *pending, struct client *client, bool *deferred,
                       struct fault *fault) {
    struct engine_world *engine = world->engine;
    const struct proto_command *command = &pending->request->command;
    if (command->method == PROTO_METHOD_BATCH_RUN) {
        return engine_run_batch(engine, client, command->params, fault);
    }
    if (command->method == PROTO_METHOD_WORLD_STEP) {
        *deferred = true;
        return begin_step(world, pending, fault);
    }
    struct command_call call = {.world = engine,
                                .client = client,
                                .command = command,
                                .id = &pending->id,
                                .result = &engine->result,
                                .fault = fault};
    json_writer_clear(&engine->result);
    const enum result result = engine_run_command(&call);
    *deferred = call.deferred;
    return result;
}

static void apply(struct weft_world *world, const struct pending *pending) {
    struct engine_world *engine = world->engine;
    struct client *client = engine_find_client(engine, pending->client);
    struct fault fault = pending->fault;
    if (client == NULL) {
        return; // it has left
    }
    if (pending->request == NULL) {
        engine_send_fault(engine, pending->client, &pending->id, &fault);
        return;
    }
    const struct proto_command *command = &pending->request->command;
    const struct engine_change change = {
        .kind = RECORD_COMMAND, .command = command, .sequence = sim_world_sequence(engine->sim)};
    const bool changes =
        command->method == PROTO_METHOD_BATCH_RUN || proto_methods[command->method].kind == PROTO_KIND_CHANGE;
    const uint32_t number = client->number;
    const uint64_t tick = engine_next_tick(engine);
    bool deferred = false;
    enum result result = role_check(client->role, command, &fault);
    result = result == RESULT_OK ? run(world, pending, client, &deferred, &fault) : result;
    if (result != RESULT_OK) {
        engine_drop_events(engine);
        engine_send_fault(engine, pending->client, &pending->id, &fault);
        return;
    }
    if (changes && !deferred) {
        engine_settle(engine);
        note_change(world, tick, number, &change);
    }
    if (!deferred) {
        engine_send_result(engine, pending->client, &pending->id, &engine->result);
    }
}

// Whether a request waits for a later tick. One whose tick has passed or is too far ahead is refused.
static bool waits(struct weft_world *world, struct pending *pending) {
    const struct proto_command *command = pending->request != NULL ? &pending->request->command : NULL;
    if (command == NULL || !command->has_at_tick) {
        return false;
    }
    if (pending->waits) {
        return command->at_tick > engine_next_tick(world->engine);
    }
    uint32_t own = 0, all = 0;
    for (const struct pending *other = world->pending; other != NULL; other = other->next) {
        all += other->waits ? 1 : 0;
        own += other->waits && other->client == pending->client ? 1 : 0;
    }
    const enum schedule answer = engine_schedule(world->engine, command, own, all, &pending->fault);
    if (answer == SCHEDULE_REFUSED) {
        proto_request_destroy(pending->request);
        pending->request = NULL;
    }
    pending->waits = answer == SCHEDULE_LATER;
    return pending->waits;
}

static void apply_due(struct weft_world *world) {
    struct pending **place = &world->pending;
    while (*place != NULL) {
        struct pending *pending = *place;
        if (waits(world, pending)) {
            place = &pending->next;
            continue;
        }
        *place = pending->next;
        if (*place == NULL) {
            world->pending_tail = place;
        }
        world->pending_count--;
        apply(world, pending);
        free_pending(pending);
    }
    flush_records(world);
}

// ---- time --------------------------------------------------------------------------------------------------------

void weft_world_apply(weft_world *world) {
    apply_due(world);
    weft_core_show(world);
}

int weft_world_tick(weft_world *world) {
    engine_release_orphaned_grabs(world->engine);
    apply_due(world);
    if (!world->engine->running && !world->engine->stepping) {
        weft_core_show(world);
        return 0;
    }
    weft_core_step(world);
    return 1;
}

void weft_world_step(weft_world *world) {
    apply_due(world);
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

// Nothing is applied of a message that is cut off, or of another tick or physics version.
static enum result check_records(const struct engine_world *engine, const struct tick_message_head *head,
                                 struct bytes_reader in, struct fault *fault) {
    const unsigned long long tick = head->tick, next = engine_next_tick(engine);
    if (head->physics != SIM_PHYSICS_VERSION) {
        return fault_set(fault, RESULT_INVALID, "",
                         "the records are of physics version %u, this engine computes version %u", head->physics,
                         SIM_PHYSICS_VERSION);
    }
    if (tick != next) {
        return fault_set(fault, RESULT_STATE, "", "the records are of tick %llu, the world's next tick is %llu", tick,
                         next);
    }
    struct engine_record record;
    for (uint32_t i = 0; i < head->count; i++) {
        if (!tick_message_next(&in, tick, &record)) {
            return fault_set(fault, RESULT_DAMAGED, "", "the records of tick %llu are cut off", tick);
        }
    }
    return bytes_are_read(&in) ? RESULT_OK
                               : fault_set(fault, RESULT_DAMAGED, "", "bytes follow the records of tick %llu", tick);
}

weft_result weft_world_record_apply(weft_world *world, const void *bytes, size_t length, weft_error *error) {
    struct bytes_reader in;
    struct fault fault = {0};
    struct tick_message_head head;
    struct engine_world *engine = world->engine;
    enum result result = tick_message_open(bytes, length, &in, &head, &fault);
    if (result == RESULT_OK) {
        result = check_records(engine, &head, in, &fault);
    }
    struct engine_record record;
    for (uint32_t i = 0; result == RESULT_OK && i < head.count && tick_message_next(&in, head.tick, &record); i++) {
        engine->replaying = engine->tells_events = true;
        result = engine_apply_record(engine, &record, &fault);
        engine->replaying = engine->tells_events = false;
        world->sequence = record.sequence;
        engine->revision++;
        engine->frame_stale = true;
    }
    return report(error, result, &fault);
}

static void write_snapshot(struct weft_world *world, struct bytes *out) {
    struct engine_world *engine = world->engine;
    struct bytes names = {0};
    const struct snapshot_message message = {.physics = SIM_PHYSICS_VERSION,
                                             .sequence = world->sequence,
                                             .state_size = sim_world_archive_length(engine->sim)};
    engine_sweep_records(engine);
    engine_save_names(engine, &names);
    bytes_clear(out);
    unsigned char *state = snapshot_message_begin(out, &message);
    if (state != NULL) {
        sim_world_archive(engine->sim, state);
    }
    snapshot_message_end(out, names.data, names.length);
    out->failed = out->failed || names.failed;
    bytes_free(&names);
}

const uint8_t *weft_world_snapshot(weft_world *world, size_t *length) {
    bytes_free(&world->snapshot);
    world->snapshot = (struct bytes){0};
    write_snapshot(world, &world->snapshot);
    if (world->snapshot.failed) {
        return NULL;
    }
    *length = world->snapshot.length;
    return world->snapshot.data;
}

static enum result read_snapshot(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct snapshot_message message;
    enum result result = snapshot_message_read(bytes, length, &message, fault);
    if (result == RESULT_OK && message.physics != SIM_PHYSICS_VERSION) {
        result = fault_set(fault, RESULT_INVALID, "",
                           "the snapshot is of physics version %u, this engine computes version %u", message.physics,
                           SIM_PHYSICS_VERSION);
    }
    if (result == RESULT_OK) {
        result = sim_world_unarchive(engine->sim, message.state, message.state_size, fault);
    }
    if (result == RESULT_OK) {
        result = engine_load_names(engine, message.names, message.names_size, fault);
    }
    if (result == RESULT_OK) {
        world->sequence = message.sequence;
    }
    return result;
}

static enum result restore(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct fault ignored;
    struct bytes before = {0};
    const uint32_t epoch = sim_world_epoch(engine->sim);
    write_snapshot(world, &before);
    enum result result = before.failed ? fault_set(fault, RESULT_MEMORY, "", "out of memory")
                                       : read_snapshot(world, bytes, length, fault);
    if (result != RESULT_OK && !before.failed &&
        read_snapshot(world, before.data, before.length, &ignored) != RESULT_OK) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory: the world is empty now");
    }
    bytes_free(&before);
    sim_world_renew_epoch(engine->sim, epoch);
    engine_claim_orphaned_grabs(engine);
    engine_show_anew(engine);
    bytes_free(&world->records);
    world->records = (struct bytes){0};
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

// ---- scenes and views --------------------------------------------------------------------------------------------

weft_result weft_world_load_scene(weft_world *world, const char *name, const char *json, size_t length,
                                  weft_error *error) {
    char title[PROTO_TITLE_MAX], description[PROTO_DESCRIPTION_MAX];
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
        result = proto_scene_parse(json, length, &request, title, description, &fault);
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
        note_change(world, tick, 0, &change);
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

// SPDX-License-Identifier: MIT
#include "engine/world/lockstep.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "engine/state/to_host.h"
#include "engine/world/world_snapshot.h"

#define HASH_FLAG 1u
#define COUNT_MAX 255u                        // so many records, or more
#define HASH_EVERY 60u                        // ticks
#define RECORDS_MAX ((size_t)4 * 1024 * 1024) // bytes; members of a world that changes more are sent a snapshot

// ---- numbers of varying length: seven bits a byte, the lowest first; bit 7: more follow ----------------------------

static void add_varint(struct bytes *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        bytes_add_u8(out, (uint8_t)(value | 0x80));
    }
    bytes_add_u8(out, (uint8_t)value);
}

static void clear_records(struct lockstep *lockstep) {
    bytes_clear(&lockstep->records);
    lockstep->count = 0;
}

// ---- noting ------------------------------------------------------------------------------------------------------

bool lockstep_is_followed(const struct lockstep *lockstep) {
    return lockstep->members > 0 || lockstep->is_recorded;
}

static bool is_noting(const struct engine_world *world) {
    return lockstep_is_followed(&world->lockstep) && !world->lockstep.renew;
}

void lockstep_note_grab_move(struct engine_world *world, uint32_t client, const struct proto_grab_move *move) {
    struct bytes *records = &world->lockstep.records;
    if (!is_noting(world)) {
        return;
    }
    const float position[] = {move->position.x, move->position.y, move->position.z};
    add_varint(records, LOCKSTEP_GRAB_MOVE);
    add_varint(records, client);
    add_varint(records, move->grab);
    bytes_add(records, position, sizeof position);
    world->lockstep.count++;
}

void lockstep_note_record(struct engine_world *world, const struct engine_record *record) {
    struct lockstep *lockstep = &world->lockstep;
    if (!is_noting(world)) {
        return;
    }
    add_varint(&lockstep->records, record->kind);
    add_varint(&lockstep->records, record->client);
    add_varint(&lockstep->records, record->size);
    bytes_add(&lockstep->records, record->data, record->size);
    lockstep->count++;
    lockstep->renew = lockstep->records.length > RECORDS_MAX || record->kind == RECORD_SCENE;
}

// ---- sending -----------------------------------------------------------------------------------------------------

static void write_header(unsigned char *out, const unsigned char word[4], uint32_t generation, uint64_t tick) {
    memcpy(out, word, 4);
    memcpy(out + 4, &generation, sizeof generation);
    memcpy(out + 8, &tick, sizeof tick);
}

// Tells all members of the ticks since the last message. False when memory ran out.
static bool send_ticks(struct engine_world *world) {
    struct lockstep *lockstep = &world->lockstep;
    const uint64_t tick = sim_world_tick(world->sim);
    const bool has_records = lockstep->records.length > 0;
    // Records that came after the last tick were noted before the newest one, if there was one.
    const uint64_t before = !has_records ? lockstep->tick : tick > lockstep->noted_tick ? tick - 1 : tick;
    const bool hashed = tick > before && tick % HASH_EVERY == 0;
    const size_t length = LOCKSTEP_HEADER + (hashed ? sizeof(uint64_t) : 0) + lockstep->records.length;
    struct message *message = message_pool_take(world->frames, MESSAGE_BINARY, length);
    if (message == NULL) {
        return false;
    }
    unsigned char *data = message_data(message);
    const unsigned char word[] = {LOCKSTEP_TICKS_TYPE, hashed ? HASH_FLAG : 0, (unsigned char)(tick - before),
                                  (unsigned char)(lockstep->count < COUNT_MAX ? lockstep->count : COUNT_MAX)};
    write_header(data, word, lockstep->generation, before);
    data += LOCKSTEP_HEADER;
    if (hashed) {
        const uint64_t hash = sim_world_hash(world->sim);
        memcpy(data, &hash, sizeof hash);
        data += sizeof hash;
    }
    if (has_records) {
        memcpy(data, lockstep->records.data, lockstep->records.length);
    }
    message_set_length(message, length);
    if (lockstep->is_recorded) {
        engine_record(world, message_retain(message));
    }
    engine_publish_ordered(world, ENGINE_CHANNEL_TICKS, UINT32_MAX, false, message);
    clear_records(lockstep);
    lockstep->tick = tick;
    return true;
}

// A message of type 5; NULL when memory ran out.
static struct message *make_snapshot(struct engine_world *world) {
    struct bytes snapshot = {0};
    engine_write_snapshot(world, 0, &snapshot);
    struct message *message =
        snapshot.failed ? NULL : message_create(MESSAGE_BINARY, LOCKSTEP_HEADER + snapshot.length);
    if (message != NULL) {
        unsigned char *data = message_data(message);
        write_header(data, (const unsigned char[]){LOCKSTEP_SNAPSHOT_TYPE, 0, 0, 0}, world->lockstep.generation,
                     sim_world_tick(world->sim));
        memcpy(data + LOCKSTEP_HEADER, snapshot.data, snapshot.length);
        message_set_length(message, LOCKSTEP_HEADER + snapshot.length);
    }
    bytes_free(&snapshot);
    return message;
}

static bool is_snapshot_wanted(const struct engine_world *world) {
    if (world->lockstep.wants_snapshot) {
        return true;
    }
    for (uint32_t i = 0; i < world->client_count; i++) {
        if (world->clients[i].wants_snapshot) {
            return true;
        }
    }
    return false;
}

// Sends a snapshot to the members that want one. They join first: messages of ticks that overtake it come after it.
static void send_snapshots(struct engine_world *world) {
    uint64_t *clients = malloc((world->client_count + 1) * sizeof *clients); // a recording may be alone
    struct message *snapshot = clients == NULL ? NULL : make_snapshot(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->client_count; i++) {
        struct client *client = &world->clients[i];
        if (client->wants_snapshot && snapshot != NULL) {
            clients[count++] = client->id;
            engine_join(world, client->id, ENGINE_CHANNEL_TICKS, 1, UINT32_MAX);
        } else if (client->wants_snapshot) {
            engine_close(world, client->id, 1013, "out of memory");
        }
        client->wants_snapshot = false;
    }
    if (snapshot != NULL && world->lockstep.wants_snapshot) {
        world->lockstep.wants_snapshot = false;
        engine_record(world, message_retain(snapshot));
    }
    if (snapshot != NULL && count > 0) {
        engine_send_snapshot(world, clients, count, snapshot);
    } else {
        message_release(snapshot);
    }
    free(clients);
}

// Members cannot follow from where they are: all of them are sent a snapshot.
static void renew(struct engine_world *world) {
    struct lockstep *lockstep = &world->lockstep;
    lockstep->renew = false;
    lockstep->generation++;
    lockstep->tick = sim_world_tick(world->sim);
    clear_records(lockstep);
    lockstep->wants_snapshot = lockstep->is_recorded;
    for (uint32_t i = 0; i < world->client_count; i++) {
        world->clients[i].wants_snapshot = world->clients[i].follows_ticks;
    }
}

void lockstep_publish(struct engine_world *world, bool refresh) {
    struct lockstep *lockstep = &world->lockstep;
    const uint64_t tick = sim_world_tick(world->sim);
    if (!lockstep_is_followed(lockstep)) {
        clear_records(lockstep);
        lockstep->tick = lockstep->noted_tick = tick;
        lockstep->renew = false;
        return;
    }
    const uint64_t made = tick - lockstep->tick;
    const uint64_t expected = lockstep->noted_tick + (refresh ? 0 : 1);
    if (lockstep->renew || lockstep->records.failed || tick != expected || made > LOCKSTEP_STEPS_MAX) {
        renew(world);
    }
    const bool waits = made == 1 && tick % HASH_EVERY != 0 && lockstep->records.length == 0 && world->running;
    const bool due = tick != lockstep->tick || lockstep->records.length > 0;
    if (due && (!waits || is_snapshot_wanted(world) || refresh) && !send_ticks(world)) {
        renew(world);
    }
    lockstep->noted_tick = tick;
    if (is_snapshot_wanted(world)) { // also by members whose ticks could not be sent
        send_snapshots(world);
    }
}

void lockstep_record(struct engine_world *world, bool is_recorded) {
    world->lockstep.is_recorded = is_recorded;
    world->lockstep.wants_snapshot = is_recorded;
    world->frame_stale = world->frame_stale || is_recorded; // a world that stands shows itself, too
}

void lockstep_record_snapshot(struct engine_world *world) {
    world->lockstep.wants_snapshot = world->lockstep.is_recorded;
    world->frame_stale = true;
}

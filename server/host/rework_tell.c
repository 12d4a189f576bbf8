// SPDX-License-Identifier: MIT
// The events and members of replies about a rework: how far it has come, and which commands of other clients are lost.
#include "host/rework_tell.h"

#include <stdio.h>
#include <string.h>

#include "engine/event.h"
#include "engine/record/record.h"
#include "host/rework_internal.h"
#include "host/roster.h"

static const struct session *find_client(const struct world *world, uint32_t client) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].client == client) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

static void write_task(const struct rework *rework, struct json_writer *out) {
    json_writer_member_string(out, "task", rework->wish.task == REWORK_REDO ? "redo" : "undo");
    json_writer_member_unsigned(out, "client", rework->client);
    json_writer_member_string(out, "name", rework->name);
    if (rework->past != NULL) { // the worker's from the moment that it was read
        json_writer_member_string(out, "method", proto_methods[rework->past->method].name);
    }
}

static void write_progress(struct rework *rework, struct json_writer *out) {
    pthread_mutex_lock(&rework->mutex);
    const uint64_t first = rework->first_tick, live = rework->live_tick, at = rework->at_tick;
    const double left = rework->seconds_left;
    pthread_mutex_unlock(&rework->mutex);
    const double share = live > first && at > first ? (double)(at - first) / (double)(live - first) : 0.0;
    rework->told_share = share > rework->told_share ? share : rework->told_share; // never back, though the way grows
    json_writer_member_double(out, "progress", rework->told_share < 1.0 ? rework->told_share : 1.0);
    if (left >= 0.0) {
        json_writer_member_double(out, "secondsLeft", left);
    }
}

void describe_rework(const struct world *world, struct json_writer *out) {
    if (world->rework == NULL) {
        return;
    }
    json_writer_key(out, "undoing");
    json_writer_open_object(out);
    write_task(world->rework, out);
    write_progress(world->rework, out);
    json_writer_close_object(out);
}

void rework_tell_progress(struct world *world, struct rework *rework, const char *state, const char *message) {
    if (!engine_wants_event(world->engine, PROTO_EVENT_NAME_UNDO_PROGRESS)) {
        return;
    }
    struct json_writer *out = &world->engine->text;
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, "state", state);
    write_task(rework, out);
    write_progress(rework, out);
    if (message != NULL) {
        json_writer_member_string(out, "message", message);
    }
    if (strcmp(state, "refused") == 0 && rework->past != NULL) {
        rework_write_reasons(world, rework, out);
    }
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(out);
    engine_queue_event(world->engine, PROTO_EVENT_NAME_UNDO_PROGRESS, out);
    engine_flush_events(world->engine);
}

void rework_write_lost(struct world *world, const struct lost *lost, struct json_writer *out) {
    json_writer_open_array(out);
    for (uint32_t i = 0; i < lost->row_count; i++) {
        const struct lost_row *row = &lost->rows[i];
        const struct session *session = find_client(world, row->client);
        const struct object_record *object = row->object != 0 ? engine_find_object(world->engine, row->object) : NULL;
        json_writer_open_object(out);
        json_writer_member_unsigned(out, "client", row->client);
        if (session != NULL) {
            json_writer_member_string(out, "name", session->visitor->person.name);
        }
        json_writer_member_string(out, "method", proto_methods[row->method].name);
        if (row->object != 0) {
            json_writer_member_unsigned(out, "object", row->object);
        }
        if (object != NULL) {
            json_writer_member_string(out, "objectName", object->name);
        }
        json_writer_member_unsigned(out, "count", row->count);
        json_writer_member_unsigned(out, "tick", row->tick);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
}

void rework_tell_lost(struct world *world, const struct rework *rework) {
    const struct lost *lost = rework_lost(rework);
    if (lost->of_others == 0 || !engine_wants_event(world->engine, PROTO_EVENT_NAME_COMMANDS_LOST)) {
        return;
    }
    json_writer_clear(&world->engine->text);
    json_writer_open_object(&world->engine->text);
    write_task(rework, &world->engine->text);
    json_writer_key(&world->engine->text, "lost");
    rework_write_lost(world, lost, &world->engine->text);
    json_writer_close_object(&world->engine->text);
    engine_queue_event(world->engine, PROTO_EVENT_NAME_COMMANDS_LOST, &world->engine->text);
}

void rework_write_reasons(struct world *world, const struct rework *rework, struct json_writer *out) {
    if ((rework->needs_force || rework->too_long) && rework_lost(rework)->of_others > 0) {
        json_writer_key(out, "lost");
        rework_write_lost(world, rework_lost(rework), out);
    }
    if (rework->too_long) {
        if (rework->seconds_left >= 0.0) {
            json_writer_member_double(out, "seconds", rework->seconds_left);
        }
        json_writer_key(out, "opposite");
        json_writer_open_array(out);
        if (rework->opposite.length > 0 && !json_writer_failed(&rework->opposite)) {
            json_writer_raw(out, rework->opposite.data, rework->opposite.length);
        }
        json_writer_close_array(out);
    }
}

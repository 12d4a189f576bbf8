// SPDX-License-Identifier: MIT
// The events and members of replies about a undo: how far it has come, and which commands of other clients are lost.
#include "host/history/undo_report.h"

#include <stdio.h>
#include <string.h>

#include "engine/record/record.h"
#include "engine/state/event.h"
#include "host/connection/connection_list.h"
#include "host/history/undo_state.h"

static const struct session *find_client(const struct world *world, uint32_t client) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].client == client) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

static void write_task(const struct undo *undo, struct json_writer *out) {
    json_writer_member_string(out, "task", undo->request.task == UNDO_REDO ? "redo" : "undo");
    json_writer_member_unsigned(out, "client", undo->client);
    json_writer_member_string(out, "name", undo->name);
    if (undo->past != NULL) { // the worker's from the moment that it was read
        json_writer_member_string(out, "method", proto_methods[undo->past->method].name);
    }
}

static void write_progress(struct undo *undo, struct json_writer *out) {
    pthread_mutex_lock(&undo->mutex);
    const uint64_t first = undo->first_tick, live = undo->live_tick, at = undo->at_tick;
    const double left = undo->seconds_left;
    pthread_mutex_unlock(&undo->mutex);
    const double share = live > first && at > first ? (double)(at - first) / (double)(live - first) : 0.0;
    undo->told_share = share > undo->told_share ? share : undo->told_share; // never back, though the way grows
    json_writer_member_double(out, "progress", undo->told_share < 1.0 ? undo->told_share : 1.0);
    if (left >= 0.0) {
        json_writer_member_double(out, "secondsLeft", left);
    }
}

void describe_rework(const struct world *world, struct json_writer *out) {
    if (world->undo == NULL) {
        return;
    }
    json_writer_key(out, "undoing");
    json_writer_open_object(out);
    write_task(world->undo, out);
    write_progress(world->undo, out);
    json_writer_close_object(out);
}

void undo_tell_progress(struct world *world, struct undo *undo, const char *state, const char *message) {
    if (!engine_wants_event(world->engine, PROTO_EVENT_NAME_UNDO_PROGRESS)) {
        return;
    }
    struct json_writer *out = &world->engine->text;
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, "state", state);
    write_task(undo, out);
    write_progress(undo, out);
    if (message != NULL) {
        json_writer_member_string(out, "message", message);
    }
    if (strcmp(state, "refused") == 0 && undo->past != NULL) {
        undo_write_reasons(world, undo, out);
    }
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(out);
    engine_queue_event(world->engine, PROTO_EVENT_NAME_UNDO_PROGRESS, out);
    engine_flush_events(world->engine);
}

void undo_write_lost(struct world *world, const struct lost *lost, struct json_writer *out) {
    json_writer_open_array(out);
    for (uint32_t i = 0; i < lost->row_count; i++) {
        const struct lost_row *row = &lost->rows[i];
        const struct session *session = find_client(world, row->client);
        const struct object_record *object = row->object != 0 ? engine_find_object(world->engine, row->object) : NULL;
        json_writer_open_object(out);
        json_writer_member_unsigned(out, "client", row->client);
        if (session != NULL) {
            json_writer_member_string(out, "name", session->connection->person.name);
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

void undo_tell_lost(struct world *world, const struct undo *undo) {
    const struct lost *lost = undo_lost(undo);
    if (lost->of_others == 0 || !engine_wants_event(world->engine, PROTO_EVENT_NAME_COMMANDS_LOST)) {
        return;
    }
    json_writer_clear(&world->engine->text);
    json_writer_open_object(&world->engine->text);
    write_task(undo, &world->engine->text);
    json_writer_key(&world->engine->text, "lost");
    undo_write_lost(world, lost, &world->engine->text);
    json_writer_close_object(&world->engine->text);
    engine_queue_event(world->engine, PROTO_EVENT_NAME_COMMANDS_LOST, &world->engine->text);
}

void undo_write_reasons(struct world *world, const struct undo *undo, struct json_writer *out) {
    if ((undo->needs_force || undo->too_long) && undo_lost(undo)->of_others > 0) {
        json_writer_key(out, "lost");
        undo_write_lost(world, undo_lost(undo), out);
    }
    if (undo->too_long) {
        if (undo->seconds_left >= 0.0) {
            json_writer_member_double(out, "seconds", undo->seconds_left);
        }
        json_writer_key(out, "opposite");
        json_writer_open_array(out);
        if (undo->opposite.length > 0 && !json_writer_failed(&undo->opposite)) {
            json_writer_raw(out, undo->opposite.data, undo->opposite.length);
        }
        json_writer_close_array(out);
    }
}

// SPDX-License-Identifier: MIT
// Logging what a world does, in the order in which it does it, and beginning timelines.
//
// Each change is one post to the store, answered when that is settled; posts of one tick share a commit.
#include "host/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/message.h"
#include "base/result.h"
#include "engine/state/reply.h"
#include "engine/state/tick.h"
#include "engine/world/note_change.h"
#include "engine/world/tick_record.h"
#include "host/history/playback_state.h"
#include "host/history/reply_cache.h"
#include "host/history/seek_state.h"
#include "host/history/store_hub.h"
#include "host/run/scheduler.h"
#include "host/world/session.h"
#include "proto/message/response.h"

enum result history_create(struct world *world, struct store_hub *hub, uint64_t number) {
    struct history *history = calloc(1, sizeof *history);
    world->seek = calloc(1, sizeof *world->seek);
    world->playback = calloc(1, sizeof *world->playback);
    if (history == NULL || world->seek == NULL || world->playback == NULL) {
        free(history);
        return RESULT_MEMORY;
    }
    history->hub = hub;
    history->world = world;
    history->number = number;
    history->held_tail = &history->held;
    pthread_mutex_init(&history->mutex, NULL);
    const enum result result = store_hub_enter(hub, history);
    if (result != RESULT_OK) {
        pthread_mutex_destroy(&history->mutex);
        free(history);
        return result;
    }
    world->hub = hub;
    world->history = history;
    return RESULT_OK;
}

void history_destroy(struct history *history) {
    if (history == NULL) {
        return;
    }
    store_hub_leave(history->hub, history);
    while (history->held != NULL) {
        struct held_answer *held = history->held;
        history->held = held->next;
        message_release(held->message);
        free(held);
    }
    pthread_mutex_destroy(&history->mutex);
    free(history);
}

void history_retire(struct world *world) {
    world->retired = world->history;
    world->history = NULL;
}

void history_leave(struct world *world) {
    if (world->history != NULL) {
        store_hub_leave(world->history->hub, world->history); // later posts are of another history
    }
    history_retire(world);
}

bool history_is_saving(const struct history *history) {
    return history != NULL && atomic_load(&history->saving);
}

void history_wake(struct history *history) {
    if (atomic_load(&history->world->started)) {
        scheduler_wake(history->world->scheduler, history->world->task);
    }
}

struct engine_record history_record(const struct store_entry *entry) {
    return (struct engine_record){.tick = entry->tick,
                                  .sequence = entry->sequence,
                                  .kind = entry->kind,
                                  .client = entry->client,
                                  .data = entry->record.data,
                                  .size = entry->record.size};
}

// ---- posting -----------------------------------------------------------------------------------------------------

struct store *history_store(const struct world *world) {
    return store_hub_store(world->hub);
}

// What the store did not take is missing from the log. That of a removed world is nobody's loss.
enum result history_note_post(struct world *world, enum result result, const struct fault *fault) {
    if (result != RESULT_OK && !atomic_exchange(&world->history->lost, true) && result != RESULT_NOT_FOUND) {
        log_error("store", "%s: what happens is not stored: %s", world->name, fault->message);
    }
    return result;
}

static enum result append(struct world *world, const struct store_entry *entries, uint32_t count, struct fault *fault) {
    struct history *history = world->history;
    history->ticket++;
    const enum result result =
        store_append(history_store(world), history->number, entries, count, history->ticket, fault);
    history->sequence += result == RESULT_OK ? count : 0;
    for (uint32_t i = 0; i < count; i++) {
        world->entry_logged(world, &entries[i]);
    }
    return history_note_post(world, result, fault);
}

static enum result post_entry(struct world *world, const struct history_change *change, const struct json_writer *reply,
                              struct fault *fault) {
    struct history *history = world->history;
    struct bytes record = {0};
    const struct engine_change made = {
        .kind = change->kind, .command = change->command, .grab = change->grab, .sequence = change->sequence};
    engine_write_record(world->engine, &made, &record);
    engine_note_change(world->engine, change->session != NULL ? change->session->client : 0, &made, &record);
    if (record.failed) {
        bytes_free(&record);
        return history_note_post(world, RESULT_MEMORY, (fault_set(fault, RESULT_MEMORY, "", "out of memory"), fault));
    }
    const struct session *session = change->session;
    const bool named = change->key != NULL && change->key[0] != '\0' && reply != NULL;
    const struct store_entry entry = {.tick = engine_next_tick(world->engine),
                                      .sequence = history->sequence + 1,
                                      .kind = (uint32_t)change->kind,
                                      .client = session != NULL ? session->client : 0,
                                      .session = named ? change->key : NULL,
                                      .request = named ? change->id->text : NULL,
                                      .reply = named ? reply->data : NULL,
                                      .reply_length = named ? reply->length : 0,
                                      .record = {record.data, record.length}};
    const enum result result = append(world, &entry, 1, fault);
    bytes_free(&record);
    return result;
}

// ---- posting together --------------------------------------------------------------------------------------------

enum result history_gather(struct world *world, struct fault *fault) {
    return store_group_begin(history_store(world), world->history->number, fault);
}

void history_hand_over(struct world *world) {
    struct history *history = world->history;
    struct fault fault;
    const enum result result = store_group_commit(history_store(world), history->number, &fault);
    if (history_note_post(world, result, &fault) != RESULT_OK) {
        history_settle(history, history->ticket, result, &fault); // who waits for it waits no longer
    }
}

void history_drop_gathered(struct world *world) {
    store_group_discard(history_store(world), world->history->number);
    atomic_store(&world->history->lost, true);
}

// ---- answers that are held ---------------------------------------------------------------------------------------

// The change was made and viewers have seen it; but it will not be there after a restart, unless the store recovers.
static struct message *not_stored(const struct proto_id *id, const struct fault *why) {
    struct fault fault;
    struct json_writer text;
    fault_set(&fault, RESULT_IO, "", "the change was made, but could not be stored: %.200s", why->message);
    json_writer_init(&text);
    proto_write_error(&text, id, &fault);
    struct message *message = reply_message(id, &text);
    json_writer_free(&text);
    return message;
}

static bool is_lost(const struct history *history, uint64_t ticket) {
    for (uint32_t i = 0; i < history->lost_count; i++) {
        if (ticket >= history->lost_posts[i].first && ticket <= history->lost_posts[i].last) {
            return true;
        }
    }
    return false;
}

// Whether another node has the world, or is about to: changes that were not stored get no reply, and their clients
// repeat them there.
static bool is_elsewhere(const struct history *history) {
    return atomic_load(&history->taken) || atomic_load(&history->world->departs);
}

// Sends a message whose post is settled; under the mutex. `fault` is the reason if its change could not be stored;
// NULL: the store failed some time ago.
static void send_held(struct history *history, struct held_answer *held, const struct fault *fault) {
    struct net_server *net = history->world->net;
    const bool own_lost = held->own != 0 && is_lost(history, held->own);
    if ((own_lost || is_lost(history, held->ticket)) && is_elsewhere(history)) {
        message_release(held->message);
        free(held);
        return;
    }
    if (own_lost) {
        struct fault failed;
        fault_set(&failed, RESULT_IO, "", "the store failed then");
        message_release(held->message);
        held->message = not_stored(&held->id, fault != NULL ? fault : &failed);
    }
    if (held->message != NULL) {
        net_post_send(net, held->connection_id, held->message);
    } else {
        net_post_close(net, held->connection_id, 1013, "out of memory");
    }
    free(held);
}

// Sends a message once the post `ticket` is settled. With an id it answers the change of the post `own`, which may be
// settled already: the store may fail before the answer is held.
static void hold_for(struct world *world, uint64_t connection_id, const struct proto_id *id, uint64_t ticket,
                     uint64_t own, struct message *take) {
    struct history *history = world->history;
    struct held_answer *held = malloc(sizeof *held);
    if (held == NULL) {
        message_release(take);
        net_post_close(world->net, connection_id, 1013, "out of memory");
        return;
    }
    *held = (struct held_answer){
        .ticket = ticket, .connection_id = connection_id, .own = id != NULL ? own : 0, .message = take};
    if (id != NULL) {
        held->id = *id;
    }
    pthread_mutex_lock(&history->mutex);
    if (history->settled >= ticket) { // while the mutex is held nothing of this connection is on its way
        send_held(history, held, NULL);
    } else {
        *history->held_tail = held;
        history->held_tail = &held->next;
    }
    pthread_mutex_unlock(&history->mutex);
}

// The answer to a change, whose post is the last one: the session's answers from now on wait for it.
static void hold(struct world *world, uint64_t connection_id, const struct proto_id *id, struct message *take) {
    struct session *session = world_find_session(world, connection_id);
    if (session != NULL) {
        session->ticket = world->history->ticket;
    }
    hold_for(world, connection_id, id, world->history->ticket, world->history->ticket, take);
}

void history_send(struct world *world, uint64_t connection_id, struct message *take) {
    if (take == NULL) {
        net_post_close(world->net, connection_id, 1013, "out of memory");
        return;
    }
    const struct session *session = world->history != NULL ? world_find_session(world, connection_id) : NULL;
    if (session == NULL || session->ticket == 0) {
        net_post_send(world->net, connection_id, take);
        return;
    }
    hold_for(world, connection_id, NULL, session->ticket, 0, take);
}

// The reply to the same request when it was made before, for the place that it has now.
static struct message *give_again(const struct proto_id *id, struct message *message) {
    if (message_bundle(message) == id->bundle) {
        return message_retain(message);
    }
    struct message *copy = message_from_text((const char *)message_data(message), message_length(message));
    if (copy != NULL) {
        message_set_bundle(copy, id->bundle);
    }
    return copy;
}

void history_send_again(struct world *world, uint64_t connection_id, const struct proto_id *id, struct message *message,
                        uint64_t ticket) {
    struct history *history = world->history;
    struct session *session = world_find_session(world, connection_id);
    struct message *again = give_again(id, message);
    if (again == NULL || history == NULL || ticket == 0) {
        history_send(world, connection_id, again);
        return;
    }
    if (session != NULL && session->ticket < ticket) {
        session->ticket = ticket;
    }
    hold_for(world, connection_id, id, session != NULL ? session->ticket : ticket, ticket, again);
}

bool history_is_settled(struct world *world, const struct session *session) {
    if (world->history == NULL) {
        return true;
    }
    const uint64_t begun = world->history->begun, own = session->ticket;
    atomic_store(&world->history->awaited, true); // before it is asked: it may be settled in between
    pthread_mutex_lock(&world->history->mutex);
    const bool settled = world->history->settled >= (own > begun ? own : begun);
    pthread_mutex_unlock(&world->history->mutex);
    return settled;
}

static void note_lost(struct history *history, struct ticket_range range) {
    struct ticket_range *lost = history->lost_posts;
    if (history->lost_count > 0 && lost[history->lost_count - 1].last + 1 == range.first) {
        lost[history->lost_count - 1].last = range.last;
        return;
    }
    if (history->lost_count == HISTORY_LOST_MAX) { // rather say that too much was lost than too little
        lost[1].first = lost[0].first;
        memmove(lost, lost + 1, (HISTORY_LOST_MAX - 1) * sizeof *lost);
        history->lost_count--;
    }
    lost[history->lost_count++] = range;
}

void history_settle(struct history *history, uint64_t ticket, enum result result, const struct fault *fault) {
    if (ticket == HISTORY_NO_TICKET) {
        return;
    }
    if (result == RESULT_STATE && history->world->taken != NULL) {
        atomic_store(&history->taken, true);
        history->world->taken(history->world);
    }
    pthread_mutex_lock(&history->mutex);
    if (result != RESULT_OK) { // with the posts of its group
        note_lost(history, (struct ticket_range){history->settled < ticket ? history->settled + 1 : ticket, ticket});
    }
    history->settled = ticket;
    struct held_answer **place = &history->held;
    while (*place != NULL) {
        struct held_answer *held = *place;
        if (held->ticket > ticket) {
            place = &held->next;
            continue;
        }
        *place = held->next;
        send_held(history, held, held->ticket == ticket ? fault : NULL);
    }
    history->held_tail = place;
    pthread_mutex_unlock(&history->mutex);
    const bool lost = result != RESULT_OK && result != RESULT_NOT_FOUND;
    if (lost) {
        atomic_store(&history->lost, true);
    }
    if (atomic_exchange(&history->awaited, false) || lost) {
        history_wake(history);
    }
}

// ---- changes -----------------------------------------------------------------------------------------------------

// Answers a change once its post, the last one, is settled; at once when it failed.
static void answer_post(struct world *world, uint64_t connection_id, const char *key, const struct proto_id *id,
                        enum result result, const struct fault *fault) {
    if (result != RESULT_OK) {
        if (is_elsewhere(world->history)) {
            return;
        }
        struct message *message = not_stored(id, fault);
        reply_cache_keep(world, key, id->text, message, 0);
        history_send(world, connection_id, message);
        return;
    }
    struct message *message = reply_message(id, &world->engine->reply);
    if (message != NULL) {
        reply_cache_keep(world, key, id->text, message, world->history->ticket);
        hold(world, connection_id, id, message);
    } else {
        net_post_close(world->net, connection_id, 1013, "out of memory");
    }
}

// Where there is no history, what named sessions were answered is remembered all the same.
static void answer_at_once(struct world *world, const struct history_change *change) {
    json_writer_clear(&world->engine->reply);
    proto_write_reply(&world->engine->reply, change->id, change->result);
    struct message *message = reply_message(change->id, &world->engine->reply);
    if (message != NULL) {
        reply_cache_keep(world, change->key, change->id->text, message, 0);
        net_post_send(world->net, change->connection_id, message);
    } else {
        net_post_close(world->net, change->connection_id, 1013, "out of memory");
    }
}

void history_note(struct world *world, const struct history_change *change) {
    const bool answered = change->id != NULL && change->id->present && change->connection_id != WORLD_NO_CONNECTION;
    if (world->history == NULL) {
        const struct engine_change made = {
            .kind = change->kind, .command = change->command, .grab = change->grab, .sequence = change->sequence};
        engine_note_change(world->engine, change->session != NULL ? change->session->client : 0, &made, NULL);
        if (answered) {
            answer_at_once(world, change);
        }
        return;
    }
    history_leave_past(world);
    struct fault fault;
    json_writer_clear(&world->engine->reply);
    if (answered) {
        proto_write_reply(&world->engine->reply, change->id, change->result);
    }
    const enum result result = post_entry(world, change, answered ? &world->engine->reply : NULL, &fault);
    if (answered) {
        answer_post(world, change->connection_id, change->key, change->id, result, &fault);
    }
}

enum result history_mark(struct world *world, uint64_t hash, struct fault *fault) {
    struct history *history = world->history;
    history->ticket++;
    return history_note_post(world,
                             store_append_hash(history_store(world), history->number,
                                               sim_world_tick(world->engine->sim), hash, history->ticket, fault),
                             fault);
}

// Only the reply is kept: what it tells of is in the log otherwise.
static enum result keep_reply(struct world *world, const struct session *session, const struct proto_id *id,
                              struct fault *fault) {
    if (session->key[0] == '\0') {
        return RESULT_OK;
    }
    const struct store_entry entry = {.tick = engine_next_tick(world->engine),
                                      .client = session->client,
                                      .session = session->key,
                                      .request = id->text,
                                      .reply = world->engine->reply.data,
                                      .reply_length = world->engine->reply.length};
    world->history->ticket++;
    return history_note_post(
        world, store_append(history_store(world), world->history->number, &entry, 1, world->history->ticket, fault),
        fault);
}

void history_answer(struct world *world, uint64_t connection_id, const struct proto_id *id,
                    const struct json_writer *result) {
    struct fault fault;
    const struct session *session = world_find_session(world, connection_id);
    if (!id->present || session == NULL) {
        return;
    }
    if (world->history == NULL) {
        answer_at_once(world, &(struct history_change){
                                  .connection_id = connection_id, .key = session->key, .id = id, .result = result});
        return;
    }
    json_writer_clear(&world->engine->reply);
    proto_write_reply(&world->engine->reply, id, result);
    answer_post(world, connection_id, session->key, id, keep_reply(world, session, id, &fault), &fault);
}

void history_answer_step(struct world *world, uint64_t connection_id, const struct proto_id *id,
                         const struct json_writer *result) {
    struct fault fault;
    if (world->history != NULL && id->present) {
        (void)history_mark(world, sim_world_hash(world->engine->sim), &fault); // if it fails, so does the answer
    }
    history_answer(world, connection_id, id, result);
}

const char *history_absence(const struct world *world) {
    return world->temporary
               ? "no temporary world keeps one: make one that is not temporary, on a server with --data DIR"
               : "this server keeps none: start weftd with --data DIR";
}

bool history_is_stored(struct world *world) {
    return history_is_stored_to(world, world->history->ticket);
}

bool history_is_stored_to(struct world *world, uint64_t ticket) {
    struct history *history = world->history;
    atomic_store(&history->awaited, true);
    pthread_mutex_lock(&history->mutex);
    const bool stored = history->settled >= ticket || atomic_load(&history->lost);
    pthread_mutex_unlock(&history->mutex);
    return stored;
}

void history_copy_entries(struct world *world, const struct store_entry *entries, uint32_t count) {
    struct fault fault;
    if (count > 0) {
        (void)append(world, entries, count, &fault);
    }
}

void history_note_clock(struct world *world) {
    struct fault fault;
    const struct history_change change = {.kind = RECORD_CLOCK, .sequence = sim_world_sequence(world->engine->sim)};
    (void)post_entry(world, &change, NULL, &fault);
    (void)history_mark(world, sim_world_hash(world->engine->sim), &fault);
}

uint32_t history_home(const struct world *world) {
    const struct history *history = world->history;
    return history->home < atomic_load(&history->oldest) ? history->timeline : history->home;
}

void history_leave_past(struct world *world) {
    struct history *history = world->history;
    if (history != NULL) {
        history->home = history->timeline;
        world->past_left(world);
    }
}

// SPDX-License-Identifier: MIT
// Messages on their way in, and the thread that parses the long ones.
#include "host/worlds/intake.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "base/result.h"
#include "engine/state/reply.h"
#include "host/connection/backpressure.h"
#include "host/connection/connection_list.h"
#include "host/connection/rate_limit.h"
#include "host/run/scheduler.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/world/reply.h"
#include "proto/message/peek.h"
#include "proto/message/response.h"

#define CLOSE_POLICY 1008
#define CLOSE_TRY_AGAIN 1013
#define THREAD_NICE 10

// A message to be parsed (`text`), an item to be posted, or one to be freed (no world). Its bytes are those of the
// text.
struct job {
    struct thread_job job;
    const struct intake *intake;
    struct intake_origin origin;
    struct item *item;
    char *text;
    bool refused; // it is over the budget: only its id matters
    struct fault fault;
};

struct intake {
    struct item_disposer disposer; // first, so that a disposer is its intake
    struct net_server *net;
    struct job_thread *thread;
};

// ---- answers at once ---------------------------------------------------------------------------------------------

static void close_for_want(const struct intake *intake, uint64_t connection_id, const char *reason) {
    net_post_close(intake->net, connection_id, CLOSE_TRY_AGAIN, reason);
}

static void answer(const struct intake *intake, uint64_t connection_id, const struct proto_id *id,
                   const struct fault *fault) {
    struct json_writer text;
    if (!id->present) {
        return;
    }
    json_writer_init(&text);
    proto_write_error(&text, id, fault);
    struct message *message = reply_message(id, &text);
    if (message != NULL) {
        net_post_send(intake->net, connection_id, message);
    } else {
        close_for_want(intake, connection_id, "out of memory");
    }
    json_writer_free(&text);
}

static void set_over_rate(struct connection *connection, uint32_t retry_ms, struct fault *fault) {
    fault_set(fault, RESULT_RATE, "",
              "over this client's rate of %.0f units per second: nothing was applied, try again in %u ms",
              connection_budget(connection)->rate, retry_ms);
    fault->retry_after_ms = retry_ms;
}

// ---- items -------------------------------------------------------------------------------------------------------

static struct item *create_item(const struct intake_origin *origin, enum item_kind kind, size_t bytes) {
    struct item *item = calloc(1, sizeof *item);
    if (item != NULL) {
        item->kind = kind;
        item->connection_id = origin->connection_id;
        item->bytes = bytes;
    }
    return item;
}

// The queue is full: said at once, out of turn, for nothing was applied.
static void post_or_refuse(const struct intake *intake, const struct intake_origin *origin, struct item *item) {
    struct fault fault;
    if (world_post(origin->world, item) == RESULT_OK) {
        return;
    }
    if (item->kind == ITEM_LEAVE) {
        log_error("world", "%s: no room to note that a client left", origin->world->name);
        item_destroy(item);
        return;
    }
    const struct proto_id id = item->kind == ITEM_REQUEST ? item->request->id : item->id;
    item_destroy(item);
    fault_set(&fault, RESULT_BUSY, "", "the world has %u messages waiting: nothing was applied, try again",
              WORLD_INBOX_MAX);
    atomic_fetch_add(&backpressure_connection(origin->backpressure)->refusals, 1);
    world_note_refusal(origin->world, RESULT_BUSY);
    answer(intake, origin->connection_id, &id, &fault);
}

static void punish(const struct intake *intake, const struct intake_origin *origin) {
    uint32_t hold_ms = 0;
    char reason[96];
    struct connection *connection = backpressure_connection(origin->backpressure);
    switch (rate_limit_note_refusal(connection_budget(connection), scheduler_now_ns(), &hold_ms)) {
    case RATE_LIMIT_NOTHING:
        break;
    case RATE_LIMIT_HOLD:
        net_post_hold_reading(intake->net, origin->connection_id, hold_ms);
        break;
    case RATE_LIMIT_CLOSE:
        snprintf(reason, sizeof reason, "continuously over the rate of %.0f units per second",
                 connection_budget(connection)->rate);
        log_warn("net", "%s: closing a client from %s: %s", origin->world->name, connection->facts.address, reason);
        net_post_close(intake->net, origin->connection_id, CLOSE_POLICY, reason);
        break;
    }
}

// The refusal takes the item's turn in the world: there cannot be many, since who has too many is held. The item has
// the id.
static void refuse_over_rate(const struct intake *intake, const struct intake_origin *origin, struct item *item,
                             const struct fault *fault) {
    proto_request_destroy(item->request);
    item->request = NULL;
    item->kind = ITEM_FAULT;
    item->fault = *fault;
    atomic_fetch_add(&backpressure_connection(origin->backpressure)->refusals, 1);
    post_or_refuse(intake, origin, item);
    punish(intake, origin);
}

// Parses a request into its item; one that is none becomes a fault.
static void parse_into(struct item *item, const char *text, size_t length) {
    if (proto_request_parse(text, length, &item->request, &item->id, &item->fault) != RESULT_OK) {
        item->kind = ITEM_FAULT;
        item->request = NULL;
    }
}

// Reads a request, or of one that is refused (`over_rate`) only its id.
static void read_into(struct item *item, const char *text, size_t length, const struct fault *over_rate) {
    if (over_rate != NULL) {
        proto_peek_id(text, length, &item->id);
    } else {
        parse_into(item, text, length);
    }
}

// Hands the item to its world if the client's budget covers it.
static void enter(const struct intake *intake, const struct intake_origin *origin, struct item *item, size_t length,
                  const struct fault *over_rate) {
    struct connection *connection = backpressure_connection(origin->backpressure);
    const double command =
        item->kind == ITEM_REQUEST && over_rate == NULL ? rate_limit_command_cost(&item->request->command) : 1.0;
    uint32_t retry_ms = 0;
    struct fault fault;
    if (over_rate != NULL) {
        refuse_over_rate(intake, origin, item, over_rate);
    } else if (rate_limit_take(connection_budget(connection), rate_limit_message_cost(length) + command,
                               scheduler_now_ns(), &retry_ms)) {
        post_or_refuse(intake, origin, item);
    } else {
        set_over_rate(connection, retry_ms, &fault);
        refuse_over_rate(intake, origin, item, &fault);
    }
}

// ---- arrays of requests ------------------------------------------------------------------------------------------

// Whether its client waits for a reply.
static bool is_answered(const struct item *item) {
    return item->request != NULL ? item->request->id.present : item->id.present;
}

// Its reply goes to that place of the bundle.
static void set_place(struct item *item, uint64_t number, uint32_t place) {
    const uint64_t bundle = NET_BUNDLE(number, place);
    item->id.bundle = bundle;
    if (item->request != NULL) {
        item->request->id.bundle = bundle;
    }
}

_Static_assert(PROTO_ARRAY_MAX <= NET_BUNDLE_PLACES, "every request of an array has a place");

// Items for all elements, the first of which is given. False when memory is out: then none was made.
static bool create_items(const struct intake_origin *origin, struct item **items, uint32_t count) {
    for (uint32_t at = 1; at < count; at++) {
        items[at] = create_item(origin, ITEM_REQUEST, 0);
        if (items[at] == NULL) {
            while (--at > 0) {
                item_destroy(items[at]);
            }
            return false;
        }
        items[at]->backpressure = origin->backpressure;
        items[at]->disposer = items[0]->disposer;
        backpressure_add(origin->backpressure);
    }
    return true;
}

// The requests of an array, in their order; they have nothing in common but that their replies are one array. Takes the
// first item.
static void admit_elements(const struct intake *intake, const struct intake_origin *origin, struct item *first,
                           const struct proto_slice *elements, uint32_t count, const struct fault *over_rate) {
    static atomic_uint_fast64_t last_number;
    struct item *items[PROTO_ARRAY_MAX] = {first};
    uint32_t answers = 0;
    if (!create_items(origin, items, count)) {
        item_destroy(first);
        close_for_want(intake, origin->connection_id, "out of memory");
        return;
    }
    const uint64_t number = origin->posted ? 0 : atomic_fetch_add(&last_number, 1) + 1;
    for (uint32_t at = 0; at < count; at++) {
        read_into(items[at], elements[at].text, elements[at].length, over_rate);
        if (is_answered(items[at])) {
            set_place(items[at], number, answers++);
        }
    }
    if (answers > 0 || origin->posted) {
        net_post_expect(intake->net, origin->connection_id, number, answers, true);
    }
    for (uint32_t at = 0; at < count; at++) {
        enter(intake, origin, items[at], elements[at].length, over_rate);
    }
}

// Splits an array into its requests. False: the array is refused as a whole and gets one reply, as text that is no
// request does. In an array over the rate each request gets its own reply, if the requests can be found in the text.
static bool split(struct item *item, const char *text, size_t length, const struct fault *over_rate,
                  struct proto_slice elements[PROTO_ARRAY_MAX], uint32_t *count) {
    if (over_rate == NULL) {
        return proto_array_split(text, length, elements, count, &item->fault) == RESULT_OK;
    }
    item->fault = *over_rate;
    *count = (uint32_t)proto_peek_elements(text, length, elements, PROTO_ARRAY_MAX);
    return *count > 0 && *count <= PROTO_ARRAY_MAX;
}

// Parses a message into its item and lets that in. `over_rate`: it is refused for that, and hardly looked at.
static void admit(const struct intake *intake, const struct intake_origin *origin, struct item *item, const char *text,
                  size_t length, const struct fault *over_rate) {
    struct proto_slice elements[PROTO_ARRAY_MAX];
    uint32_t count = 0;
    if (!proto_is_array(text, length)) {
        read_into(item, text, length, over_rate);
    } else if (split(item, text, length, over_rate, elements, &count)) {
        admit_elements(intake, origin, item, elements, count, over_rate);
        return;
    } else {
        item->kind = ITEM_FAULT;
        item->id = (struct proto_id){.present = true, .text = "null"};
    }
    if (origin->posted) {
        net_post_expect(intake->net, origin->connection_id, 0, is_answered(item) ? 1 : 0, false);
    }
    enter(intake, origin, item, length, over_rate);
}

// ---- the thread of long messages ---------------------------------------------------------------------------------

static void free_item(struct item *item) {
    proto_request_destroy(item->request);
    free(item);
}

static void run_job(struct thread_job *base) {
    struct job *job = (struct job *)base;
    const struct intake *intake = job->intake;
    if (job->origin.world == NULL) {
        free_item(job->item);
    } else if (job->text != NULL && backpressure_is_abandoned(job->origin.backpressure)) {
        item_destroy(job->item); // its client has gone and waits for no reply
    } else if (job->text != NULL) {
        admit(intake, &job->origin, job->item, job->text, job->job.bytes, job->refused ? &job->fault : NULL);
    } else {
        post_or_refuse(intake, &job->origin, job->item);
    }
    if (job->origin.backpressure != NULL) {
        backpressure_end_reading(job->origin.backpressure);
    }
    free(job->text);
    free(job);
}

// NULL when memory is out.
static struct job *create_job(const struct intake *intake, const struct intake_origin *origin, struct item *item,
                              char *text, size_t length) {
    struct job *job = calloc(1, sizeof *job);
    if (job != NULL) {
        job->job = (struct thread_job){.run = run_job, .bytes = length};
        job->intake = intake;
        job->origin = *origin;
        job->item = item;
        job->text = text;
    }
    return job;
}

// Hands a text over to be parsed. Takes text and item.
static void read_later(struct intake *intake, const struct intake_origin *origin, struct item *item, char *take,
                       size_t length, const struct fault *over_rate) {
    struct job *job = create_job(intake, origin, item, take, length);
    if (job != NULL) {
        job->refused = over_rate != NULL;
        if (over_rate != NULL) {
            job->fault = *over_rate;
        }
        item->disposer = &intake->disposer;
        backpressure_enter(origin->backpressure, length);
        item->backpressure = origin->backpressure;
        backpressure_begin_reading(origin->backpressure);
        if (job_thread_post(intake->thread, &job->job) == RESULT_OK) {
            return;
        }
        backpressure_end_reading(origin->backpressure);
    }
    free(job);
    free(take);
    item_destroy(item);
    close_for_want(intake, origin->connection_id, "too many long messages are being read: try again later");
}

// ---- in ----------------------------------------------------------------------------------------------------------

// Whether there is enough to look at the message at all.
static bool can_pay(const struct intake_origin *origin, size_t length, struct fault *fault) {
    struct connection *connection = backpressure_connection(origin->backpressure);
    uint32_t retry_ms = 0;
    atomic_fetch_add_explicit(&connection->messages, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&connection->bytes_received, length, memory_order_relaxed);
    if (rate_limit_has(connection_budget(connection), rate_limit_message_cost(length) + 1.0, scheduler_now_ns(),
                       &retry_ms)) {
        return true;
    }
    set_over_rate(connection, retry_ms, fault);
    return false;
}

void intake_text(struct intake *intake, const struct intake_origin *origin, const char *text, size_t length) {
    if (length > INTAKE_SHORT_BYTES || backpressure_is_reading(origin->backpressure)) {
        char *copy = malloc(length + 1);
        if (copy == NULL) {
            close_for_want(intake, origin->connection_id, "out of memory");
            return;
        }
        memcpy(copy, text, length);
        intake_long_text(intake, origin, copy, length);
        return;
    }
    struct item *item = create_item(origin, ITEM_REQUEST, length);
    if (item == NULL) {
        close_for_want(intake, origin->connection_id, "out of memory");
        return;
    }
    struct fault fault;
    item->backpressure = origin->backpressure;
    backpressure_enter(origin->backpressure, length);
    const bool pays = can_pay(origin, length, &fault);
    admit(intake, origin, item, text, length, pays ? NULL : &fault);
}

void intake_long_text(struct intake *intake, const struct intake_origin *origin, char *take, size_t length) {
    struct fault fault;
    const bool pays = can_pay(origin, length, &fault);
    struct item *item = create_item(origin, ITEM_REQUEST, length);
    if (item == NULL) {
        free(take);
        close_for_want(intake, origin->connection_id, "out of memory");
        return;
    }
    read_later(intake, origin, item, take, length, pays ? NULL : &fault);
}

void intake_refuse(struct intake *intake, const struct intake_origin *origin, enum result cause, const char *sentence) {
    struct item *item = create_item(origin, ITEM_FAULT, 0);
    if (item == NULL) {
        close_for_want(intake, origin->connection_id, "out of memory");
        return;
    }
    item->id.present = true;
    snprintf(item->id.text, sizeof item->id.text, "null");
    fault_set(&item->fault, cause, "", "%s", sentence);
    item->backpressure = origin->backpressure;
    backpressure_enter(origin->backpressure, 0);
    intake_post(intake, origin, item);
}

void intake_post(struct intake *intake, const struct intake_origin *origin, struct item *take) {
    struct job *job = backpressure_is_reading(origin->backpressure) ? create_job(intake, origin, take, NULL, 0) : NULL;
    if (job != NULL) {
        backpressure_begin_reading(origin->backpressure);
        if (job_thread_post(intake->thread, &job->job) == RESULT_OK) {
            return;
        }
        backpressure_end_reading(origin->backpressure);
        free(job);
    }
    post_or_refuse(intake, origin, take);
}

static void dispose(struct item_disposer *disposer, struct item *take) {
    struct intake *intake = (struct intake *)disposer;
    struct job *job = create_job(intake, &(struct intake_origin){0}, take, NULL, 0);
    if (job == NULL || job_thread_post(intake->thread, &job->job) != RESULT_OK) {
        free(job);
        free_item(take);
    }
}

struct intake_metrics intake_read_metrics(struct intake *intake) {
    const struct job_thread_load load = job_thread_read_load(intake->thread);
    return (struct intake_metrics){load.waiting, load.bytes};
}

// ---- life --------------------------------------------------------------------------------------------------------

enum result intake_create(struct intake **out) {
    struct intake *intake = calloc(1, sizeof *intake);
    if (intake == NULL) {
        return RESULT_MEMORY;
    }
    intake->disposer = (struct item_disposer){dispose};
    const struct job_thread_options options = {.nice = THREAD_NICE, .bytes_max = INTAKE_WAITING_BYTES};
    const enum result result = job_thread_create(&options, &intake->thread);
    if (result != RESULT_OK) {
        free(intake);
        return result;
    }
    *out = intake;
    return RESULT_OK;
}

void intake_attach(struct intake *intake, struct net_server *net) {
    intake->net = net;
}

void intake_stop(struct intake *intake) {
    if (intake != NULL) {
        job_thread_stop(intake->thread);
    }
}

void intake_destroy(struct intake *intake) {
    if (intake != NULL) {
        job_thread_destroy(intake->thread);
        free(intake);
    }
}

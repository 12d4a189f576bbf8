// SPDX-License-Identifier: MIT
// Of the life of a server in host_lives_test.c: people, who connect, send and repeat requests, read what comes and go,
// and the network between them and the server.
#ifndef WEFT_TESTS_HOST_LIFE_PEOPLE_H
#define WEFT_TESTS_HOST_LIFE_PEOPLE_H

#include "host_life_follower.h"

// ---- people ------------------------------------------------------------------------------------------------------

static void come(uint32_t index) {
    struct visitor *person = &life.people[index];
    if (life.link_count == LINKS_MAX) {
        return;
    }
    struct link *link = &life.links[life.link_count++];
    *link = (struct link){.id = life.link_count, .person = index, .is_open = true};
    const struct net_request greeting = {
        .address = "127.0.0.1", .loopback = true, .cookie = "", .bearer = "", .content_type = ""};
    CASE(process_handlers.may_connect(process_handlers.user, &greeting) == 0);
    const int admission = process_handlers.admit(process_handlers.user, "/");
    CASE(admission >= 0);
    process_handlers.opened(process_handlers.user, link->id, admission, "127.0.0.1");
    person->link = link;
    person->is_known = false;
    char text[128];
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"session.resume\",\"params\":{\"session\":\"person-%u\"}}",
             index);
    put(&link->to_host, (struct letter){.text = strdup(text)});
    if (index == FOLLOWER) {
        follow_nothing();
    }
}

static void send_request(uint32_t index, uint32_t number) {
    struct visitor *person = &life.people[index];
    const struct request *sent = &person->requests[number - 1];
    if (sent->is_timed && person->link->is_sent[number]) {
        return; // while the first copy waits for its tick, another one of the same connection gets no reply of its own
    }
    person->link->is_sent[number] = true;
    put(&person->link->to_host, (struct letter){.text = strdup(sent->text), .request = number});
    if (index == FOLLOWER && strstr(sent->text, "\"frames.") != NULL) {
        follow_nothing();
        life.following = FOLLOWS_ASKED;
        life.asked = number;
    }
}

// A command of the engine's, or one of those that the host adds.
static const char *choose_command(uint32_t index, char params[LIVES_PARAMS_MAX]) {
    const uint64_t tick = sim_world_tick(world()->engine->sim);
    const uint32_t back = below(40);
    snprintf(params, LIVES_PARAMS_MAX, "{}");
    switch (below(28)) {
    case 0:
        snprintf(params, LIVES_PARAMS_MAX, "{\"background\":%s,\"force\":%s}", back % 2 == 0 ? "true" : "false",
                 back % 3 == 0 ? "true" : "false");
        return "world.undo";
    case 1:
        return "world.redo";
    case 7:
        snprintf(params, LIVES_PARAMS_MAX, "{\"from\":%llu,\"speed\":2}",
                 (unsigned long long)(tick > back ? tick - back : 0));
        return "world.replay";
    case 8:
        snprintf(params, LIVES_PARAMS_MAX, "{\"name\":\"%s\"}", back % 3 == 0 ? "empty" : "rope");
        return "scene.load";
    case 9:
        return "world.pause";
    case 2:
        snprintf(params, LIVES_PARAMS_MAX, "{\"tick\":%llu}", (unsigned long long)(tick > back ? tick - back : 0));
        return "world.seek";
    case 3:
        return "world.resume";
    case 4:
        return "world.get";
    case 5:
    case 6:
        snprintf(params, LIVES_PARAMS_MAX, "%s", index == FOLLOWER ? "{\"encoding\":\"ticks\"}" : "{}");
        return "frames.subscribe";
    default:
        return lives_command(tick, params);
    }
}

static void request(uint32_t index, const char *method, const char *params) {
    struct visitor *person = &life.people[index];
    if (person->request_count == REQUESTS_MAX) {
        return;
    }
    struct request *made = &person->requests[person->request_count++];
    snprintf(made->text, sizeof made->text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}",
             person->request_count, method, params);
    made->is_timed = strstr(params, "\"atTick\"") != NULL;
    made->is_subscription = strstr(params, "\"ticks\"}") != NULL && strcmp(method, "frames.subscribe") == 0;
    made->is_change = strncmp(method, "frames.", 7) != 0 && strcmp(method, "world.get") != 0;
    send_request(index, person->request_count);
}

static void command(uint32_t index) {
    char params[LIVES_PARAMS_MAX];
    const char *method = choose_command(index, params);
    request(index, method, params);
}

// Late, and twice: a change once more, whether or not it was answered.
static void repeat(uint32_t index) {
    struct visitor *person = &life.people[index];
    if (person->request_count > 0) {
        const uint32_t number = 1 + below(person->request_count);
        if (person->requests[number - 1].is_change) {
            send_request(index, number);
        }
    }
}

// Who has come back repeats what was not answered, and what was answered by a server that was killed since.
static void repeat_unanswered(uint32_t index) {
    const struct visitor *person = &life.people[index];
    const uint32_t from = person->request_count > 12 ? person->request_count - 12 : 0;
    for (uint32_t i = from; i < person->request_count; i++) {
        const struct request *sent = &person->requests[i];
        if (sent->is_change && (sent->reply == NULL || sent->is_doubted || below(8) == 0)) {
            send_request(index, i + 1);
        }
    }
}

// Ends a connection: in good order, or so that the server finds out later.
static void go(uint32_t index, bool abruptly) {
    struct link *link = life.people[index].link;
    life.people[index].link = NULL;
    link->is_cut = true;
    empty(&link->from_host);
    if (abruptly) {
        empty(&link->to_host);
    }
    if (index == FOLLOWER) {
        follow_nothing();
    }
}

static void take_reply(struct link *link, uint32_t number, const char *text) {
    struct visitor *person = &life.people[link->person];
    CASE(number <= person->request_count && link->waiting[number] > 0);
    link->waiting[number]--;
    total.replies++;
    const bool succeeded = strstr(text, ",\"result\":") != NULL;
    if (number == 0) {
        person->is_known = succeeded;
        if (succeeded) {
            repeat_unanswered(link->person);
        } else { // an older connection's session.resume came later than this one's
            go(link->person, true);
        }
        return;
    }
    struct request *asked = &person->requests[number - 1];
    if (asked->reply != NULL && asked->is_change) {
        total.same++;
        asked->is_doubted = false;
        if (strcmp(asked->reply, text) != 0) {
            fail_msg("%s was answered %s, and then %s; WEFT_SEED=%llu WEFT_LIVES=1 leads this life again", asked->text,
                     asked->reply, text, (unsigned long long)lives_seed);
        }
    } else if (succeeded && asked->reply == NULL) {
        asked->reply = strdup(text);
        life.is_answered = asked->is_change;
    }
    if (link->person == FOLLOWER && life.following == FOLLOWS_ASKED && life.asked == number) {
        life.following = asked->is_subscription && succeeded ? FOLLOWS_WAITING : FOLLOWS_NOTHING;
    }
}

// The person reads what has come.
static bool receive(struct link *link) {
    struct letter letter;
    if (!take(&link->from_host, &letter)) {
        return false;
    }
    unsigned number;
    bool is_kept = false;
    if (message_kind(letter.message) == MESSAGE_BINARY) {
        is_kept = link->person == FOLLOWER && take_binary(&letter);
    } else {
        char *text = strndup((const char *)message_data(letter.message), message_length(letter.message));
        CASE(text != NULL);
        if (sscanf(text, "{\"jsonrpc\":\"2.0\",\"id\":%u,", &number) == 1) {
            take_reply(link, number, text);
        } else {
            CASE(strstr(text, "\"method\":") != NULL);
        }
        free(text);
    }
    if (!is_kept) {
        message_release(letter.message);
    }
    return true;
}

// ---- the network's turns -----------------------------------------------------------------------------------------

// A message arrives.
static bool deliver(struct link *link) {
    struct letter letter;
    if (!link->is_open || link->is_held || link->is_closing || !take(&link->to_host, &letter)) {
        return false;
    }
    link->waiting[letter.request]++;
    process_handlers.message(process_handlers.user, link->id, letter.text, strlen(letter.text));
    free(letter.text);
    return true;
}

// A connection ends at the server: the person has gone, or has read the last that the server sends.
static bool end_link(struct link *link) {
    const bool is_over = link->is_cut ? link->to_host.first == NULL : link->is_closing && link->from_host.first == NULL;
    if (!link->is_open || (!is_over && !(link->is_cut && link->is_closing))) {
        return false;
    }
    link->is_open = link->follows_ticks = false;
    empty(&link->to_host);
    if (!link->is_cut) {
        go(link->person, true);
    }
    process_handlers.closed(process_handlers.user, link->id, below(2) == 0);
    return true;
}

// Something happens on one of the connections that the server knows. False when there was nothing to do.
static bool work_links(void) {
    const uint32_t first = below(LINKS_MAX), kind = below(3);
    for (uint32_t i = 0; i < LINKS_MAX; i++) {
        struct link *link = &life.links[(first + i) % LINKS_MAX];
        if (link->is_open && ((kind == 0 && deliver(link)) || (kind == 1 && !link->is_cut && receive(link)) ||
                              (kind == 2 && end_link(link)))) {
            return true;
        }
    }
    return false;
}

#endif

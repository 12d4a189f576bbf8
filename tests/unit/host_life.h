// SPDX-License-Identifier: MIT
// The life of a server in host_lives_test.c: its data, what the server sends, and what its world was at each moment.
#ifndef WEFT_TESTS_HOST_LIFE_H
#define WEFT_TESTS_HOST_LIFE_H

#include <string.h>

#include "engine/weft.h"
#include "host/app.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback_state.h"
#include "host/history/seek_state.h"
#include "host/world/world_state.h"
#include "simulated_process.h"

#define PEOPLE 3u
#define LINKS_MAX 128u
#define REQUESTS_MAX 160u // of one person
#define STATES_MAX 8192u
#define PATH_MAX_BYTES 256
#define FNV_BASIS 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u
#define FOLLOWER 0u // the person that follows in lockstep

// ---- a life ------------------------------------------------------------------------------------------------------

struct letter { // to or from the server
    struct letter *next;
    struct message *message; // from it
    uint64_t hash;           // of the world when these ticks were sent
    uint32_t request;        // to it; 0: session.resume
    char *text;
};

struct letters {
    struct letter *first, **last;
};

struct link { // a connection
    uint64_t id;
    uint32_t person;
    bool is_open;       // at the server
    bool is_cut;        // the person is not there any more
    bool is_closing;    // the server has said that it closes it
    bool is_held;       // the server does not read
    bool follows_ticks; // it is in the channel of ticks
    bool has_frames;    // it is in a channel of frames
    struct letters to_host, from_host;
    bool is_sent[REQUESTS_MAX + 1];
    uint32_t waiting[REQUESTS_MAX + 1]; // copies of each request that arrived and are not answered; [0]: of the resume
};

struct request { // number i + 1 of its person
    char text[LIVES_PARAMS_MAX + 128];
    bool is_change;
    bool is_subscription; // to ticks
    bool is_timed;        // it waits for a tick
    bool is_doubted;      // a server that was killed has answered it
    char *reply;          // the first one with a result, or NULL
};

enum following { FOLLOWS_NOTHING, FOLLOWS_ASKED, FOLLOWS_WAITING, FOLLOWS_TICKS };

struct visitor {
    struct link *link; // NULL: it is away
    bool is_known;     // the link's session.resume was answered
    uint32_t request_count;
    struct request requests[REQUESTS_MAX];
};

struct state { // of the world
    uint32_t timeline;
    uint64_t sequence, tick, hash;
};

static struct {
    struct app *app;
    struct config config;
    char folder[PATH_MAX_BYTES];
    uint32_t folder_count;
    bool is_answered; // a change was, just now
    bool is_dead;     // what the server still sends goes nowhere
    struct link links[LINKS_MAX];
    uint32_t link_count;
    struct visitor people[PEOPLE];
    struct state states[STATES_MAX];
    uint32_t state_count;
    weft_world *follower;
    enum following following;
    uint32_t asked; // the request for ticks that was sent last
    uint32_t generation;
    uint64_t digest;     // of all bytes that the server has sent
    struct letters kept; // ticks that wait for their snapshot
} life;

static struct { uint64_t followed, records, starts, forks, known, same, ticks, renewals, replies; } total;

static struct world *world(void) {
    return process_task.context;
}

static void digest(const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        life.digest = (life.digest ^ ((const unsigned char *)bytes)[i]) * FNV_PRIME;
    }
}

static void put(struct letters *letters, struct letter letter) {
    struct letter *made = malloc(sizeof *made);
    CASE(made != NULL);
    *made = letter;
    made->next = NULL;
    letters->last = letters->first == NULL ? &letters->first : letters->last;
    *letters->last = made;
    letters->last = &made->next;
}

static bool take(struct letters *letters, struct letter *letter) {
    struct letter *first = letters->first;
    if (first == NULL) {
        return false;
    }
    letters->first = first->next;
    *letter = *first;
    free(first);
    return true;
}

static void empty(struct letters *letters) {
    for (struct letter letter; take(letters, &letter);) {
        message_release(letter.message);
        free(letter.text);
    }
}

// ---- what the server sends ---------------------------------------------------------------------------------------

static struct link *link_of(uint64_t id) {
    struct link *link = id >= 1 && id <= life.link_count ? &life.links[id - 1] : NULL;
    return link != NULL && link->is_open && !life.is_dead ? link : NULL;
}

static void net_sent(uint64_t connection, struct message *taken) {
    struct link *link = link_of(connection);
    digest(message_data(taken), message_length(taken));
    if (link == NULL || link->is_cut) {
        message_release(taken);
        return;
    }
    put(&link->from_host, (struct letter){.message = taken});
}

static void net_closed_by_host(uint64_t connection, uint16_t code, const char *reason) {
    struct link *link = link_of(connection);
    digest(&code, sizeof code);
    digest(reason, strlen(reason));
    if (link != NULL) {
        link->is_closing = true;
    }
}

static void net_reading(uint64_t connection, bool held) {
    struct link *link = link_of(connection);
    if (link != NULL) {
        link->is_held = held;
    }
}

static void net_joined(uint64_t connection, uint32_t channel, bool joined) {
    struct link *link = link_of(connection);
    if (link != NULL && channel == ENGINE_CHANNEL_TICKS) {
        link->follows_ticks = joined;
    } else if (link != NULL && channel != ENGINE_CHANNEL_EVENTS) {
        link->has_frames = joined;
    }
}

static void net_published(uint32_t channel, struct message *taken) {
    digest(message_data(taken), message_length(taken));
    for (uint32_t i = 0; channel == ENGINE_CHANNEL_TICKS && i < life.link_count; i++) {
        struct link *link = &life.links[i];
        if (link->is_open && !link->is_cut && link->follows_ticks && !life.is_dead) {
            put(&link->from_host,
                (struct letter){.message = message_retain(taken), .hash = sim_world_hash(world()->engine->sim)});
        }
    }
    message_release(taken);
}

// ---- what the world was ------------------------------------------------------------------------------------------

static struct state present(const struct world *of) {
    return (struct state){.timeline = of->history->timeline,
                          .sequence = of->history->sequence,
                          .tick = sim_world_tick(of->engine->sim),
                          .hash = sim_world_hash(of->engine->sim)};
}

static struct state *find_state(uint32_t timeline, uint64_t sequence, uint64_t tick) {
    for (uint32_t i = life.state_count; i > 0; i--) {
        struct state *state = &life.states[i - 1];
        if (state->timeline == timeline && state->sequence == sequence && state->tick == tick) {
            return state;
        }
    }
    return NULL;
}

static void note_state(const struct world *of) {
    if (seek_is_on(of) || playback_is_showing(of)) {
        return; // it is on the way, or shows its past
    }
    const struct state now = present(of);
    struct state *known = find_state(now.timeline, now.sequence, now.tick);
    if (known == NULL) {
        CASE(life.state_count < STATES_MAX);
        known = &life.states[life.state_count++];
    }
    *known = now;
}

void __real_history_note(struct world *of, const struct history_change *change);
void __wrap_history_note(struct world *of, const struct history_change *change) {
    __real_history_note(of, change);
    note_state(of);
}

void __real_history_note_clock(struct world *of);
void __wrap_history_note_clock(struct world *of) {
    __real_history_note_clock(of);
    note_state(of);
}

// Ticks cost so much that there are snapshots between them.
void __real_history_tick(struct world *of, uint64_t cost_ns);
void __wrap_history_tick(struct world *of, uint64_t cost_ns) {
    __real_history_tick(of, cost_ns + below(30000000));
    note_state(of);
    total.ticks++;
}

// The world was brought to this entry of that timeline.
void __real_history_begin_fork(struct world *of, uint32_t timeline, uint64_t sequence);
void __wrap_history_begin_fork(struct world *of, uint32_t timeline, uint64_t sequence) {
    const struct state *before = find_state(timeline, sequence, sim_world_tick(of->engine->sim));
    CASE(before == NULL || before->hash == sim_world_hash(of->engine->sim));
    __real_history_begin_fork(of, timeline, sequence);
    note_state(of);
    total.forks++;
    total.known += before != NULL ? 1 : 0;
}

void __real_history_begin_scene(struct world *of);
void __wrap_history_begin_scene(struct world *of) {
    __real_history_begin_scene(of);
    note_state(of);
}

#endif

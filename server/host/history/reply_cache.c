// SPDX-License-Identifier: MIT
// A list of keys, each with a ring of replies. There are few keys, so a scan is enough.
#include "host/history/reply_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"

struct reply {
    char *request; // its id as JSON text
    struct message *message;
    uint64_t ticket; // of the post that it tells of, 0: none
};

struct name {
    struct name *next; // the one used before
    char key[WORLD_KEY_MAX];
    uint32_t first, count; // of the ring
    struct reply ring[REPLY_CACHE_MAX];
};

struct reply_cache {
    struct name *names; // the one used last first
    uint32_t count;
};

static void clear(struct reply *reply) {
    free(reply->request);
    message_release(reply->message);
    *reply = (struct reply){0};
}

static void free_name(struct name *name) {
    for (uint32_t i = 0; i < REPLY_CACHE_MAX; i++) {
        clear(&name->ring[i]);
    }
    free(name);
}

void reply_cache_free(struct reply_cache *replies) {
    while (replies != NULL && replies->names != NULL) {
        struct name *name = replies->names;
        replies->names = name->next;
        free_name(name);
    }
    free(replies);
}

// Finds the key and brings it to the front.
static struct name *find(struct world *world, const char *key) {
    struct name **place = world->replies != NULL ? &world->replies->names : NULL;
    while (place != NULL && *place != NULL) {
        struct name *name = *place;
        if (strcmp(name->key, key) == 0) {
            *place = name->next;
            name->next = world->replies->names;
            world->replies->names = name;
            return name;
        }
        place = &name->next;
    }
    return NULL;
}

bool reply_cache_know(struct world *world, const char *key) {
    return find(world, key) != NULL;
}

static bool is_here(const struct world *world, const char *key) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (strcmp(world->sessions[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

// Forgets the key used longest ago of those that nobody here goes by.
static void forget_one(struct world *world) {
    struct name **oldest = NULL;
    for (struct name **place = &world->replies->names; *place != NULL; place = &(*place)->next) {
        oldest = is_here(world, (*place)->key) ? oldest : place;
    }
    if (oldest != NULL) {
        struct name *name = *oldest;
        *oldest = name->next;
        world->replies->count--;
        free_name(name);
    }
}

static void add(struct name *name, const char *request, struct message *message, uint64_t ticket) {
    char *copy = strdup(request);
    if (copy == NULL || message == NULL) {
        free(copy);
        return; // what is not remembered is done again
    }
    struct reply *reply = &name->ring[(name->first + name->count) % REPLY_CACHE_MAX];
    if (name->count == REPLY_CACHE_MAX) {
        name->first = (name->first + 1) % REPLY_CACHE_MAX;
    } else {
        name->count++;
    }
    clear(reply);
    reply->request = copy;
    reply->message = message_retain(message);
    reply->ticket = ticket;
}

bool reply_cache_begin(struct world *world, const char *key, const struct store_reply *before, uint32_t count) {
    world->replies = world->replies != NULL ? world->replies : calloc(1, sizeof *world->replies);
    struct name *name = world->replies != NULL ? calloc(1, sizeof *name) : NULL;
    if (name == NULL) {
        return false;
    }
    if (world->replies->count >= REPLY_CACHE_NAMES_MAX) {
        forget_one(world);
    }
    memcpy(name->key, key, strlen(key) + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct message *message = message_from_text(before[i].reply, before[i].reply_length);
        add(name, before[i].request, message, 0);
        message_release(message);
    }
    name->next = world->replies->names;
    world->replies->names = name;
    world->replies->count++;
    return true;
}

void reply_cache_keep(struct world *world, const char *key, const char *request, struct message *message,
                      uint64_t ticket) {
    struct name *name = key[0] != '\0' ? find(world, key) : NULL;
    if (name != NULL) {
        add(name, request, message, ticket);
    }
}

struct message *reply_cache_find(struct world *world, const struct session *session, const struct proto_id *id,
                                 uint64_t *ticket) {
    struct name *name = session->key[0] != '\0' && id->present ? find(world, session->key) : NULL;
    for (uint32_t i = 0; name != NULL && i < name->count; i++) {
        const struct reply *reply = &name->ring[(name->first + i) % REPLY_CACHE_MAX];
        if (strcmp(reply->request, id->text) == 0) {
            *ticket = reply->ticket;
            return reply->message;
        }
    }
    return NULL;
}

// SPDX-License-Identifier: MIT
#include "store/postgres/owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/database/row.h"
#include "store/database/sql.h"
#include "store/store_state.h"

#define NUMBER_MAX 22u // characters of a comma and a number, and the terminator

// ---- the epochs that this server remembers --------------------------------------------------------------------------

// The place of a world in the list, or the place where it belongs.
static uint32_t find(const struct store *store, uint64_t world) {
    uint32_t low = 0, high = store->owned_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (store->owned[middle].world < world) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_known(const struct store *store, uint32_t at, uint64_t world) {
    return at < store->owned_count && store->owned[at].world == world;
}

// Makes room for one world more. Returns false when memory runs out.
static bool make_room(struct store *store) {
    if (store->owned_count < store->owned_capacity) {
        return true;
    }
    const uint32_t capacity = store->owned_capacity == 0 ? 64 : 2 * store->owned_capacity;
    struct store_owned *owned = realloc(store->owned, capacity * sizeof *owned);
    if (owned != NULL) {
        store->owned = owned;
        store->owned_capacity = capacity;
    }
    return owned != NULL;
}

int store_owner_adopt(struct store *store, uint64_t world, uint64_t epoch) {
    pthread_mutex_lock(&store->mutex);
    const uint32_t at = find(store, world);
    const bool known = is_known(store, at, world), kept = known || make_room(store);
    if (!known && kept) {
        memmove(&store->owned[at + 1], &store->owned[at], (store->owned_count - at) * sizeof *store->owned);
        store->owned_count++;
    }
    if (kept) {
        store->owned[at] = (struct store_owned){world, epoch};
    }
    pthread_mutex_unlock(&store->mutex);
    return kept ? STORE_SQL_OK : STORE_SQL_MEMORY;
}

uint64_t store_owner_epoch(const struct store *store, uint64_t world) {
    const uint32_t at = find(store, world);
    return is_known(store, at, world) ? store->owned[at].epoch : 0;
}

// The value of the column `node` for worlds that this server owns: the number of the node, or the name of the machine
// of a server that has the database alone.
static void own_name(const struct store *store, char name[STORE_NAME_MAX + 1]) {
    name[0] = name[STORE_NAME_MAX] = '\0';
    if (store->shared) {
        snprintf(name, STORE_NAME_MAX + 1, "%s", store->node);
    } else {
        (void)gethostname(name, STORE_NAME_MAX);
    }
}

// ---- taking and leaving worlds --------------------------------------------------------------------------------------

int store_owner_take_all(struct store *store) {
    char node[STORE_NAME_MAX + 1];
    own_name(store, node);
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(&store->connection, &code,
                                          "UPDATE owner SET epoch=epoch+1, node=?1, url=NULL, lease_until=NULL,"
                                          " since=now() RETURNING world, epoch",
                                          "t", (const char *)node);
    if (rows == NULL) {
        return code;
    }
    while ((code = store_step(rows)) == STORE_SQL_ROW) {
        code = store_owner_adopt(store, store_column(rows, 0), store_column(rows, 1));
        if (code != STORE_SQL_OK) {
            break;
        }
    }
    return store_done(rows, code);
}

int store_owner_add(struct store *store, uint64_t world) {
    char node[STORE_NAME_MAX + 1];
    own_name(store, node);
    const int code = store_owner_adopt(store, world, 1);
    return code != STORE_SQL_OK
               ? code
               : store_execute(&store->connection, "INSERT INTO owner(world, epoch, node, url) VALUES(?1,1,?2,?3)",
                               "utt", world, (const char *)node, store->shared ? (const char *)store->node_url : NULL);
}

int store_owner_remove(struct store *store, uint64_t world) {
    return store_execute(&store->connection, "DELETE FROM owner WHERE world=?1", "u", world);
}

// ---- claims ---------------------------------------------------------------------------------------------------------

// The parameters of both queries: arrays of numbers as PostgreSQL reads them.
struct arrays {
    char *worlds;                   // of all claims
    char *timed_worlds, *timelines; // of claims with a timeline, side by side
    bool timed;                     // there is a claim with a timeline
};

static void put_number(char **at, uint64_t number) {
    *at += snprintf(*at, NUMBER_MAX, "%s%lld", (*at)[-1] == '{' ? "" : ",", (long long)number);
}

static bool write_arrays(const struct store_claim *claims, uint32_t count, struct arrays *arrays) {
    const size_t size = (size_t)count * NUMBER_MAX + 3;
    char *text = malloc(3 * size);
    if (text == NULL) {
        return false;
    }
    char *worlds = text, *timed_worlds = text + size, *timelines = text + 2 * size;
    *arrays = (struct arrays){.worlds = worlds, .timed_worlds = timed_worlds, .timelines = timelines};
    *worlds++ = *timed_worlds++ = *timelines++ = '{';
    for (uint32_t i = 0; i < count; i++) {
        put_number(&worlds, claims[i].world);
        if (claims[i].timeline != 0) {
            put_number(&timed_worlds, claims[i].world);
            put_number(&timelines, claims[i].timeline);
            arrays->timed = true;
        }
    }
    memcpy(worlds, "}", 2);
    memcpy(timed_worlds, "}", 2);
    memcpy(timelines, "}", 2);
    return true;
}

// Whether the present owner row names this server. The node's number counts, too: leases do not wait for a standby, so
// if a standby takes the primary's place without the newest of them, two nodes may have got the same epoch one after
// the other.
static bool is_own(const struct store *store, struct store_rows *row) {
    const uint64_t world = store_column(row, 0), epoch = store_column(row, 1);
    const char *node = store_column_text(row, 2);
    return store_owner_epoch(store, world) == epoch &&
           (!store->shared || (node != NULL && strcmp(node, store->node) == 0));
}

// The rows are locked in the order of their numbers, so two servers never wait for one another.
static int lock_owners(struct store *store, struct store_claim *claims, uint32_t count, const struct arrays *arrays) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(&store->connection, &code,
                                          "SELECT world, epoch, node FROM owner WHERE world=ANY(CAST(?1 AS BIGINT[]))"
                                          " ORDER BY world FOR SHARE",
                                          "t", (const char *)arrays->worlds);
    if (rows == NULL) {
        return code;
    }
    uint32_t next = 0;
    while ((code = store_step(rows)) == STORE_SQL_ROW) {
        const uint64_t world = store_column(rows, 0);
        const bool owned = is_own(store, rows);
        while (next < count && claims[next].world < world) {
            next++;
        }
        for (; next < count && claims[next].world == world; next++) {
            claims[next].owned = owned;
        }
    }
    return store_done(rows, code);
}

static int by_place(const void *a, const void *b) {
    const struct store_claim *first = a, *second = b;
    return first->world != second->world ? (first->world > second->world) - (first->world < second->world)
                                         : (first->timeline > second->timeline) - (first->timeline < second->timeline);
}

static int read_timelines(struct store *store, struct store_claim *claims, uint32_t count,
                          const struct arrays *arrays) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(&store->connection, &code,
                                          "SELECT " STORE_TIMELINE_COLUMNS " FROM timeline WHERE (world, timeline) IN"
                                          " (SELECT * FROM unnest(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[])))",
                                          "tt", (const char *)arrays->timed_worlds, (const char *)arrays->timelines);
    if (rows == NULL) {
        return code;
    }
    while ((code = store_step(rows)) == STORE_SQL_ROW) {
        struct store_claim key = {0};
        const bool intact = store_timeline_read(rows, &key.row);
        key.world = key.row.world;
        key.timeline = key.row.timeline;
        struct store_claim *claim = bsearch(&key, claims, count, sizeof *claims, by_place);
        if (claim != NULL) {
            claim->row = key.row;
            claim->found = true;
            claim->intact = intact;
        }
    }
    return store_done(rows, code);
}

int store_owner_claim(struct store *store, struct store_claim *claims, uint32_t count) {
    struct arrays arrays = {0};
    if (!write_arrays(claims, count, &arrays)) {
        return STORE_SQL_MEMORY;
    }
    int code = lock_owners(store, claims, count, &arrays);
    if (code == STORE_SQL_OK && arrays.timed) {
        code = read_timelines(store, claims, count, &arrays);
    }
    free(arrays.worlds);
    return code;
}

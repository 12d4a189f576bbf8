// SPDX-License-Identifier: MIT
// The connection commits with synchronous_commit=local: a lease must not depend on a standby. That loses nothing. The
// writes of a new owner wait for the standby as always, and the standby gets the owner's row before it; if a standby
// without that row becomes the primary, the new owner's epoch is not in it, and its writes are refused: also when
// another node gets the same epoch there, since a claim compares the node, too (owner.c).
#include "store/postgres/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database/sql.h"
#include "store/postgres/statement.h"

#define PARAMETERS_MAX 8
#define NUMBER_MAX 24
#define ANSWER_MS 2000u // longer than PostgreSQL may take for a statement, shorter than a lease
#define SETTINGS                                                                                                       \
    "SET synchronous_commit=local; SET lock_timeout=500; SET statement_timeout=1500; SET client_min_messages=error;"   \
    " LISTEN weft_nodes"
#define NOTIFY "NOTIFY weft_nodes"
#define FORGET_LOST "DELETE FROM node WHERE lease_until<clock_timestamp()-interval '1 hour'"
#define LEASE "clock_timestamp()+interval '3 s'"

struct store_nodes {
    char *address;
    char url[STORE_URL_MAX + 1], version[STORE_VERSION_TEXT_MAX];
    uint32_t physics;
    uint64_t number;
    struct store_connection connection; // its `sql` is NULL while there is none
};

// ---- statements -----------------------------------------------------------------------------------------------------

// The parameters of a statement, as texts.
struct parameters {
    uint32_t count;
    const char *values[PARAMETERS_MAX];
    char numbers[PARAMETERS_MAX][NUMBER_MAX];
};

static void add_text(struct parameters *parameters, const char *text) {
    parameters->values[parameters->count++] = text;
}

static void add_number(struct parameters *parameters, int64_t number) {
    char *text = parameters->numbers[parameters->count];
    snprintf(text, NUMBER_MAX, "%" PRId64, number);
    add_text(parameters, text);
}

static enum result refuse(const struct store_nodes *nodes, const char *action, struct fault *fault) {
    return store_postgres_was_locked(&nodes->connection)
               ? fault_set(fault, RESULT_BUSY, "", "%s has to wait: a transaction of its owner is not over", action)
               : fault_set(fault, RESULT_IO, "", "%s failed: PostgreSQL: %s", action,
                           store_postgres_error(&nodes->connection));
}

// Runs a statement. Returns its rows, which the caller clears; NULL after an error.
static PGresult *run(struct store_nodes *nodes, const char *text, const struct parameters *parameters,
                     const char *action, enum result *result, struct fault *fault) {
    if (nodes->connection.sql == NULL) {
        *result = fault_set(fault, RESULT_IO, "", "%s failed: there is no connection to PostgreSQL", action);
        return NULL;
    }
    PGresult *rows = store_postgres_ask(&nodes->connection, text, parameters != NULL ? parameters->values : NULL,
                                        parameters != NULL ? parameters->count : 0);
    *result = rows != NULL ? RESULT_OK : refuse(nodes, action, fault);
    return rows;
}

// Runs a statement that returns a number if it changes a row.
static enum result change(struct store_nodes *nodes, const char *text, const struct parameters *parameters,
                          const char *action, uint64_t *value, struct fault *fault) {
    enum result result = RESULT_IO;
    PGresult *rows = run(nodes, text, parameters, action, &result, fault);
    if (rows == NULL) {
        return result;
    }
    if (PQntuples(rows) == 0) {
        result = fault_set(fault, RESULT_STATE, "", "%s is refused: another node was first", action);
    } else {
        *value = strtoull(PQgetvalue(rows, 0, 0), NULL, 10);
    }
    PQclear(rows);
    return result;
}

// ---- the entry ------------------------------------------------------------------------------------------------------

static enum result connect_anew(struct store_nodes *nodes, struct fault *fault) {
    store_disconnect(&nodes->connection);
    nodes->connection = (struct store_connection){0};
    enum result result = store_postgres_connect(nodes->address, ANSWER_MS, &nodes->connection, fault);
    if (result != RESULT_OK) {
        nodes->connection = (struct store_connection){0};
        return result;
    }
    PGresult *set = store_postgres_run(&nodes->connection, SETTINGS);
    if (set == NULL) {
        result = refuse(nodes, "joining the nodes", fault);
    }
    PQclear(set);
    return result;
}

static enum result enter(struct store_nodes *nodes, struct fault *fault) {
    struct parameters parameters = {0};
    enum result cleared = RESULT_IO;
    PQclear(run(nodes, FORGET_LOST, NULL, "forgetting lost nodes", &cleared, fault)); // else the next node does
    add_text(&parameters, nodes->url);
    add_number(&parameters, nodes->physics);
    add_text(&parameters, nodes->version);
    return change(nodes,
                  "INSERT INTO node(url, physics, version, lease_until) VALUES($1,$2,$3," LEASE ")"
                  " ON CONFLICT(url) DO UPDATE SET node=excluded.node, physics=excluded.physics,"
                  " version=excluded.version, started=now(), lease_until=excluded.lease_until, draining=false, worlds=0"
                  " RETURNING node",
                  &parameters, "joining the nodes", &nodes->number, fault);
}

static void release(struct store_nodes *nodes) {
    store_disconnect(&nodes->connection);
    free(nodes->address);
    free(nodes);
}

enum result store_nodes_join(const struct store_node_options *options, struct store_nodes **nodes,
                             struct fault *fault) {
    struct store_nodes *made = calloc(1, sizeof *made);
    if (made == NULL || (made->address = strdup(options->address)) == NULL) {
        free(made);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while joining the nodes");
    }
    snprintf(made->url, sizeof made->url, "%s", options->url);
    snprintf(made->version, sizeof made->version, "%s", options->version);
    made->physics = options->physics;
    enum result result = connect_anew(made, fault);
    if (result == RESULT_OK) {
        result = enter(made, fault);
    }
    if (result != RESULT_OK) {
        release(made);
        return result;
    }
    store_nodes_notify(made);
    *nodes = made;
    return RESULT_OK;
}

uint64_t store_nodes_number(const struct store_nodes *nodes) {
    return nodes->number;
}

void store_nodes_leave(struct store_nodes *nodes) {
    if (nodes == NULL) {
        return;
    }
    struct fault fault;
    uint64_t left = 0;
    struct parameters parameters = {0};
    add_number(&parameters, (int64_t)nodes->number);
    // If a statement here fails, the end of the lease has the same effect.
    (void)change(nodes,
                 "UPDATE owner SET epoch=epoch+1, node=NULL, url=NULL, ready=false WHERE node=$1::text RETURNING world",
                 &parameters, "leaving the nodes", &left, &fault);
    (void)change(nodes, "DELETE FROM node WHERE node=$1::bigint RETURNING node", &parameters, "leaving the nodes",
                 &left, &fault);
    store_nodes_notify(nodes);
    release(nodes);
}

// ---- the lease ------------------------------------------------------------------------------------------------------

static const char *text_at(const PGresult *rows, int row, int column) {
    return PQgetvalue(rows, row, column);
}

static uint64_t number_at(const PGresult *rows, int row, int column) {
    return strtoull(PQgetvalue(rows, row, column), NULL, 10);
}

static bool flag_at(const PGresult *rows, int row, int column) {
    return PQgetvalue(rows, row, column)[0] == 't';
}

static enum result read_nodes(struct store_nodes *nodes, struct store_nodes_view *view, struct fault *fault) {
    enum result result = RESULT_IO;
    PGresult *rows = run(nodes,
                         "SELECT node, url, physics, version, headroom, worlds, clients, draining,"
                         " CAST(extract(epoch FROM lease_until-clock_timestamp())*1000 AS BIGINT) FROM"
                         " (SELECT * FROM node ORDER BY lease_until DESC LIMIT 64) newest ORDER BY node",
                         NULL, "reading the nodes", &result, fault);
    view->node_count = rows != NULL ? (uint32_t)PQntuples(rows) : 0;
    for (int at = 0; at < (int)view->node_count; at++) {
        struct store_node_row *row = &view->nodes[at];
        *row = (struct store_node_row){
            .node = number_at(rows, at, 0),
            .physics = (uint32_t)number_at(rows, at, 2),
            .load = {.headroom = strtoll(text_at(rows, at, 4), NULL, 10),
                     .worlds = (uint32_t)number_at(rows, at, 5),
                     .clients = (uint32_t)number_at(rows, at, 6)},
            .draining = flag_at(rows, at, 7),
            .lease_ms = strtoll(text_at(rows, at, 8), NULL, 10),
        };
        snprintf(row->url, sizeof row->url, "%s", text_at(rows, at, 1));
        snprintf(row->version, sizeof row->version, "%s", text_at(rows, at, 3));
    }
    PQclear(rows);
    return result;
}

static enum result read_owners(struct store_nodes *nodes, struct store_nodes_view *view, struct fault *fault) {
    enum result result = RESULT_IO;
    PGresult *rows = run(
        nodes,
        "SELECT w.world, o.epoch, w.name, coalesce(n.node, 0), coalesce(o.url, ''), o.ready, coalesce((SELECT physics"
        " FROM timeline t WHERE t.world=w.world ORDER BY timeline DESC LIMIT 1), 0) FROM world w"
        " JOIN owner o ON o.world=w.world LEFT JOIN node n ON n.node::text=o.node ORDER BY w.world LIMIT 1024",
        NULL, "reading the owners", &result, fault);
    view->world_count = rows != NULL ? (uint32_t)PQntuples(rows) : 0;
    for (int at = 0; at < (int)view->world_count; at++) {
        struct store_owner_row *row = &view->worlds[at];
        *row = (struct store_owner_row){.world = number_at(rows, at, 0),
                                        .epoch = number_at(rows, at, 1),
                                        .node = number_at(rows, at, 3),
                                        .ready = flag_at(rows, at, 5),
                                        .physics = (uint32_t)number_at(rows, at, 6)};
        snprintf(row->name, sizeof row->name, "%s", text_at(rows, at, 2));
        snprintf(row->url, sizeof row->url, "%s", text_at(rows, at, 4));
    }
    PQclear(rows);
    return result;
}

static bool stands(const struct store_nodes *nodes) {
    return nodes->connection.sql != NULL && store_postgres_stands(&nodes->connection);
}

enum result store_nodes_renew(struct store_nodes *nodes, const struct store_node_load *load,
                              struct store_nodes_view *view, struct fault *fault) {
    enum result result = stands(nodes) ? RESULT_OK : connect_anew(nodes, fault);
    uint64_t number = 0;
    if (result == RESULT_OK) {
        struct parameters parameters = {0};
        add_number(&parameters, (int64_t)nodes->number);
        add_number(&parameters, load->headroom);
        add_number(&parameters, load->worlds);
        add_number(&parameters, load->clients);
        result = change(nodes,
                        "UPDATE node SET lease_until=" LEASE ", headroom=$2, worlds=$3, clients=$4 WHERE node=$1"
                        " RETURNING node",
                        &parameters, "renewing the lease", &number, fault);
    }
    if (result == RESULT_STATE) {
        return fault_set(fault, RESULT_STATE, "/node-url",
                         "another server was started with --node-url %s, and has taken this node's place", nodes->url);
    }
    if (result == RESULT_OK) {
        result = read_nodes(nodes, view, fault);
    }
    if (result == RESULT_OK) {
        result = read_owners(nodes, view, fault);
    }
    return result == RESULT_OK ? RESULT_OK : RESULT_IO;
}

// ---- owners ---------------------------------------------------------------------------------------------------------

// Ends the transaction that holds a world's row if it waits for its client. PostgreSQL does that by itself only between
// whole requests: not when the client was stopped while it sent one. A commit is left alone.
static void end_holder(struct store_nodes *nodes, uint64_t world) {
    enum result result = RESULT_IO;
    struct fault fault;
    struct parameters parameters = {0};
    add_number(&parameters, (int64_t)world);
    PQclear(run(nodes,
                "SELECT pg_terminate_backend(a.pid) FROM owner o JOIN pg_stat_activity a ON a.backend_xid=o.xmax"
                " WHERE o.world=$1 AND a.wait_event='ClientRead' AND a.pid<>pg_backend_pid()",
                &parameters, "taking the world", &result, &fault)); // else the next attempt does
}

enum result store_nodes_take(struct store_nodes *nodes, uint64_t world, uint64_t epoch, uint64_t *new_epoch,
                             struct fault *fault) {
    struct parameters parameters = {0};
    add_number(&parameters, (int64_t)nodes->number);
    add_number(&parameters, (int64_t)world);
    add_number(&parameters, (int64_t)epoch);
    add_text(&parameters, nodes->url);
    const enum result result =
        change(nodes,
               "UPDATE owner SET epoch=epoch+1, node=$1::text, url=$4, ready=false, since=now()"
               " WHERE world=$2::bigint AND epoch=$3::bigint"
               " AND EXISTS(SELECT 1 FROM node n WHERE n.node::text=$1 AND n.lease_until>clock_timestamp())"
               " AND NOT EXISTS(SELECT 1 FROM node n WHERE n.node::text=owner.node AND n.node::text<>$1"
               " AND n.lease_until>clock_timestamp()) RETURNING epoch",
               &parameters, "taking the world", new_epoch, fault);
    if (result == RESULT_BUSY) { // so its owner has no lease
        end_holder(nodes, world);
    }
    return result;
}

enum result store_nodes_give(struct store_nodes *nodes, uint64_t world, uint64_t epoch, uint64_t to,
                             struct fault *fault) {
    uint64_t given = 0;
    struct parameters parameters = {0};
    add_number(&parameters, (int64_t)nodes->number);
    add_number(&parameters, (int64_t)world);
    add_number(&parameters, (int64_t)epoch);
    add_number(&parameters, (int64_t)to);
    const enum result result =
        change(nodes,
               "UPDATE owner SET epoch=epoch+1, node=(SELECT node::text FROM node WHERE node=$4::bigint),"
               " url=(SELECT url FROM node WHERE node=$4::bigint), ready=false, since=now()"
               " WHERE world=$2::bigint AND epoch=$3::bigint AND node=$1::text RETURNING epoch",
               &parameters, "giving the world away", &given, fault);
    if (result == RESULT_OK) {
        store_nodes_notify(nodes);
    }
    return result;
}

enum result store_nodes_ready(struct store_nodes *nodes, uint64_t world, uint64_t epoch, struct fault *fault) {
    uint64_t done = 0;
    struct parameters parameters = {0};
    add_number(&parameters, (int64_t)world);
    add_number(&parameters, (int64_t)epoch);
    const enum result result = change(nodes, "UPDATE owner SET ready=true WHERE world=$1 AND epoch=$2 RETURNING world",
                                      &parameters, "telling of the world", &done, fault);
    if (result == RESULT_OK) {
        store_nodes_notify(nodes);
    }
    return result;
}

enum result store_nodes_drain(struct store_nodes *nodes, const char *url, bool draining, struct fault *fault) {
    uint64_t done = 0;
    struct parameters parameters = {0};
    add_text(&parameters, url);
    add_text(&parameters, draining ? "true" : "false");
    const enum result result = change(nodes, "UPDATE node SET draining=$2 WHERE url=$1 RETURNING node", &parameters,
                                      "draining the node", &done, fault);
    if (result == RESULT_OK) {
        store_nodes_notify(nodes);
    }
    return result == RESULT_STATE
               ? fault_set(fault, RESULT_NOT_FOUND, "/url", "there is no node %s: node.list tells which there are", url)
               : result;
}

void store_nodes_notify(struct store_nodes *nodes) {
    enum result result = RESULT_IO;
    struct fault fault;
    PQclear(run(nodes, NOTIFY, NULL, "telling the nodes", &result, &fault)); // else they look within a second
}

void store_nodes_wait(struct store_nodes *nodes, int wake, uint32_t timeout_ms) {
    struct pollfd waited[2] = {{.fd = wake, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    PGconn *handle = stands(nodes) ? store_postgres_handle(&nodes->connection) : NULL;
    PGnotify *told = handle != NULL ? PQnotifies(handle) : NULL;
    if (told == NULL) {
        waited[1].fd = handle != NULL ? PQsocket(handle) : -1;
        if (poll(waited, 2, (int)timeout_ms) > 0 && waited[1].revents != 0) {
            (void)PQconsumeInput(handle); // a lost connection is noticed by the next statement
            told = PQnotifies(handle);
        }
    }
    while (told != NULL) {
        PQfreemem(told);
        told = PQnotifies(handle);
    }
}

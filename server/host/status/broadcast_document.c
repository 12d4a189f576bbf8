// SPDX-License-Identifier: MIT
#include "host/status/broadcast_document.h"

#include <string.h>

#include "host/worlds/broadcast.h"

bool broadcast_document_is_at(const char *path) {
    struct broadcast_path parts;
    return broadcast_path_read(path, &parts);
}

// The world that a path names; NULL when there is none.
static struct world *find_world(struct worlds *worlds, const struct broadcast_path *path) {
    const int index = worlds_find(worlds, path->world);
    return index >= 0 ? worlds_at(worlds, (uint32_t)index) : NULL;
}

bool broadcast_document_may_embed(struct worlds *worlds, const char *path) {
    struct broadcast_path parts;
    if (!broadcast_path_read(path, &parts)) {
        return false;
    }
    const struct world *world = find_world(worlds, &parts);
    struct broadcast_files *files = world != NULL ? broadcast_files_of(world) : NULL;
    return files == NULL || broadcast_files_may_embed(files, parts.key);
}

static struct message *sentence(const char *text) {
    return message_from_text(text, strlen(text));
}

struct message *broadcast_document_find(struct worlds *worlds, const char *path, struct net_document *document) {
    struct broadcast_path parts;
    struct world *world = broadcast_path_read(path, &parts) ? find_world(worlds, &parts) : NULL;
    struct broadcast_files *files = world != NULL ? broadcast_files_of(world) : NULL;
    struct broadcast_answer answer = {0};
    if (files != NULL) {
        answer = broadcast_files_find(files, parts.key, parts.file);
    }
    document->status = 404;
    if (!answer.on) {
        document->shared = true;
        return sentence("There is no such broadcast: it has not begun, or it has ended.\n");
    }
    document->shared = answer.embed;
    atomic_fetch_add(&world->metrics.broadcast_requests, 1);
    if (answer.message == NULL && answer.json) {
        document->status = 503;
        return sentence("The broadcast has just begun: try again in a second.\n");
    }
    if (answer.message == NULL) {
        return sentence("The broadcast has no such file: it is older than what is kept, or it never was.\n");
    }
    document->status = 200;
    document->content_type = answer.json ? "application/json" : "application/octet-stream";
    document->cache_control = answer.cache_control;
    atomic_fetch_add(&world->metrics.broadcast_sent, message_length(answer.message));
    return answer.message;
}

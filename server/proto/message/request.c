// SPDX-License-Identifier: MIT
// Parses whole messages: the JSON check, cJSON, the envelope, then the params by the method's table.
#include "proto/message/request.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proto/json/json_check.h"
#include "proto/message/decode.h"
#include "proto/message/peek.h"

// A request with the arena that it lies in and owns.
struct holder {
    struct proto_request request; // first, so that a pointer to it is a pointer to the holder
    struct arena arena;
};

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory while reading the message");
}

// ---- the tree -----------------------------------------------------------------------------------------------------

// Checks and parses `text`; the caller deletes the tree.
static enum result read_tree(const char *text, size_t length, struct arena *arena, struct proto_slice *compact,
                             cJSON **tree, struct fault *fault) {
    enum result result = json_check_compact(text, length, arena, &compact->text, &compact->length, fault);
    if (result != RESULT_OK) {
        return result;
    }
    *tree = cJSON_ParseWithLengthOpts(compact->text, compact->length + 1, NULL, true);
    return *tree == NULL ? out_of_memory(fault) : RESULT_OK; // a checked text can fail for no other reason
}

// Creates a holder in an empty arena. The holder takes the arena over only when parsing has succeeded.
static struct holder *create_holder(struct arena *arena) {
    arena_init(arena);
    struct holder *holder = arena_take(arena, sizeof *holder);
    if (holder != NULL) {
        memset(holder, 0, sizeof *holder);
    }
    return holder;
}

struct proto_request *proto_request_begin(struct arena *arena) {
    struct holder *holder = create_holder(arena);
    return holder == NULL ? NULL : &holder->request;
}

void proto_request_own(struct proto_request *request, const struct arena *arena) {
    ((struct holder *)(void *)request)->arena = *arena;
}

void proto_request_destroy(struct proto_request *request) {
    if (request != NULL) {
        struct arena arena = ((struct holder *)(void *)request)->arena;
        arena_free(&arena);
    }
}

// ---- the envelope -------------------------------------------------------------------------------------------------

// The members of a request object.
struct envelope {
    const cJSON *version, *method, *params, *id;
    struct proto_slice params_text, id_text;
    const cJSON *unknown; // the first member with another name
};

static struct envelope read_envelope(const cJSON *tree, struct proto_slice compact, struct proto_slice written) {
    struct envelope envelope = {0};
    struct proto_slice_walk walk = proto_slice_begin(compact.text);
    size_t at = 0;
    for (const cJSON *member = tree->child; member != NULL; member = member->next, at++) {
        proto_slice_next(&walk);
        if (strcmp(member->string, "jsonrpc") == 0) {
            envelope.version = member;
        } else if (strcmp(member->string, "method") == 0) {
            envelope.method = member;
        } else if (strcmp(member->string, "params") == 0) {
            envelope.params = member;
            envelope.params_text = walk.value;
        } else if (strcmp(member->string, "id") == 0) {
            envelope.id = member;
            envelope.id_text = proto_peek_value(written.text, written.length, at); // the check rewrites long numbers
        } else if (envelope.unknown == NULL) {
            envelope.unknown = member;
        }
    }
    return envelope;
}

static const struct proto_id null_id = {.present = true, .text = "null"};

// Copies the id as it was written, or refuses a value that is no id.
static enum result read_id(const struct envelope *envelope, struct proto_id *id, struct fault *fault) {
    if (envelope->id == NULL) {
        *id = (struct proto_id){0};
        return RESULT_OK;
    }
    *id = null_id;
    if (!cJSON_IsString(envelope->id) && !cJSON_IsNumber(envelope->id) && !cJSON_IsNull(envelope->id)) {
        return fault_set(fault, RESULT_REQUEST, "/id", "id must be a string, a number or null");
    }
    if (envelope->id_text.length >= PROTO_ID_MAX) {
        return fault_set(fault, RESULT_REQUEST, "/id", "id must have at most %u bytes, got %zu", PROTO_ID_MAX - 1,
                         envelope->id_text.length);
    }
    memcpy(id->text, envelope->id_text.text, envelope->id_text.length);
    id->text[envelope->id_text.length] = '\0';
    return RESULT_OK;
}

// Checks the envelope; `method` is the name in it.
static enum result check_envelope(const struct envelope *envelope, const char **method, struct fault *fault) {
    char got[PROTO_GOT_MAX];
    if (envelope->version == NULL || !cJSON_IsString(envelope->version) ||
        strcmp(envelope->version->valuestring, "2.0") != 0) {
        return fault_set(fault, RESULT_REQUEST, "/jsonrpc", "jsonrpc must be \"2.0\"%s",
                         envelope->version == NULL ? "; it is missing" : "");
    }
    if (envelope->method == NULL || !cJSON_IsString(envelope->method)) {
        return fault_set(fault, RESULT_REQUEST, "/method", "method must be a string%s",
                         envelope->method == NULL ? "; it is missing" : "");
    }
    if (envelope->unknown != NULL) {
        const struct proto_subject subject = {.method = "", .command = -1};
        const struct proto_path path = {.name = envelope->unknown->string};
        proto_shorten(envelope->unknown->string, got, sizeof got);
        return proto_refuse(fault, &subject, &path, RESULT_REQUEST,
                            "a request has jsonrpc, method, params and id, no %s", got);
    }
    *method = envelope->method->valuestring;
    return RESULT_OK;
}

static enum result refuse_non_object(const cJSON *tree, struct fault *fault) {
    char got[PROTO_GOT_MAX];
    proto_describe_got(tree, got, sizeof got);
    return fault_set(fault, RESULT_REQUEST, "", "a request must be an object, got %s", got);
}

static enum result parse_tree(const cJSON *tree, struct proto_slice compact, struct proto_slice written,
                              struct arena *arena, struct proto_command *command, struct proto_id *id,
                              struct fault *fault) {
    if (!cJSON_IsObject(tree)) {
        return refuse_non_object(tree, fault);
    }
    const struct envelope envelope = read_envelope(tree, compact, written);
    const char *name = "";
    enum result result = read_id(&envelope, id, fault);
    if (result == RESULT_OK) {
        result = check_envelope(&envelope, &name, fault);
        if (result != RESULT_OK && !id->present) {
            *id = null_id; // JSON-RPC answers an invalid request without an id with the id null
        }
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct proto_decoder decoder = {.arena = arena, .fault = fault, .text = envelope.params_text};
    decoder.subject = (struct proto_subject){name, -1};
    enum proto_method method = PROTO_METHOD_COUNT;
    result = proto_decode_method(&decoder, name, NULL, &method);
    return result == RESULT_OK ? proto_decode_command(&decoder, method, envelope.params, NULL, command) : result;
}

bool proto_is_array(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') {
        at++;
    }
    return at < length && text[at] == '[';
}

enum result proto_array_split(const char *text, size_t length, struct proto_slice elements[PROTO_ARRAY_MAX],
                              uint32_t *count, struct fault *fault) {
    struct arena arena;
    const char *compact = NULL;
    size_t compact_length = 0;
    arena_init(&arena);
    const enum result result = json_check_compact(text, length, &arena, &compact, &compact_length, fault);
    arena_free(&arena);
    if (result != RESULT_OK) {
        return result;
    }
    const size_t found = proto_peek_elements(text, length, elements, PROTO_ARRAY_MAX);
    if (found == 0) {
        return fault_set(fault, RESULT_REQUEST, "", "an array of requests must hold at least one");
    }
    if (found > PROTO_ARRAY_MAX) {
        return fault_set(fault, RESULT_LIMIT, "",
                         "an array may hold at most %u requests, this one has more: send several, or use batch.run",
                         PROTO_ARRAY_MAX);
    }
    *count = (uint32_t)found;
    return RESULT_OK;
}

enum result proto_request_parse(const char *text, size_t length, struct proto_request **request, struct proto_id *id,
                                struct fault *fault) {
    struct arena arena;
    cJSON *tree = NULL;
    struct proto_slice compact = {0};
    *id = null_id;
    struct holder *holder = create_holder(&arena);
    if (holder == NULL) {
        proto_peek_id(text, length, id);
        return out_of_memory(fault);
    }
    enum result result = read_tree(text, length, &arena, &compact, &tree, fault);
    if (result == RESULT_MEMORY) {
        proto_peek_id(text, length, id); // the message may be valid: its sender gets its id back
    }
    if (result == RESULT_OK) {
        result =
            parse_tree(tree, compact, (struct proto_slice){text, length}, &arena, &holder->request.command, id, fault);
    }
    cJSON_Delete(tree);
    if (result != RESULT_OK) {
        arena_free(&arena);
        return result;
    }
    holder->request.id = *id;
    holder->arena = arena;
    *request = &holder->request;
    return RESULT_OK;
}

// ---- scenes -------------------------------------------------------------------------------------------------------

static enum result read_title(const cJSON *member, size_t characters, char *out, struct fault *fault) {
    const struct proto_subject subject = {.method = "", .command = -1};
    const struct proto_path path = {.name = member->string};
    char allowed[PROTO_ALLOWED_MAX];
    size_t length = 0;
    for (const char *at = cJSON_IsString(member) ? member->valuestring : ""; *at != '\0'; at++) {
        length += (*at & 0xC0) != 0x80; // the first byte of a character
    }
    if (!cJSON_IsString(member) || length > characters) {
        snprintf(allowed, sizeof allowed, "a string of at most %zu characters", characters);
        return proto_refuse_value(fault, &subject, &path, allowed, member);
    }
    memcpy(out, member->valuestring, strlen(member->valuestring) + 1);
    return RESULT_OK;
}

static enum result read_order(const cJSON *member, uint32_t *out, struct fault *fault) {
    const struct proto_subject subject = {.method = "", .command = -1};
    const struct proto_path path = {.name = member->string};
    const double value = cJSON_IsNumber(member) ? member->valuedouble : 0.0;
    char allowed[PROTO_ALLOWED_MAX];
    if (value < 1.0 || value > (double)PROTO_SCENE_ORDER_MAX || value != (double)(uint32_t)value) {
        snprintf(allowed, sizeof allowed, "an integer from 1 to %u", PROTO_SCENE_ORDER_MAX);
        return proto_refuse_value(fault, &subject, &path, allowed, member);
    }
    *out = (uint32_t)value;
    return RESULT_OK;
}

// Makes the commands of a scene the params of a batch.run request, {"commands":…}.
static enum result wrap_commands(struct arena *arena, struct proto_slice list, const struct proto_commands *commands,
                                 struct proto_command *command, struct fault *fault) {
    static const char head[] = "{\"commands\":";
    size_t length = sizeof head - 1 + list.length + 1;
    struct proto_batch_run *batch = arena_take(arena, sizeof *batch);
    char *text = arena_take(arena, length);
    if (batch == NULL || text == NULL) {
        return out_of_memory(fault);
    }
    memset(batch, 0, sizeof *batch);
    batch->commands = *commands;
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, list.text, list.length);
    text[length - 1] = '}';
    *command = (struct proto_command){
        .method = PROTO_METHOD_BATCH_RUN, .params = batch, .params_text = text, .params_length = length};
    return RESULT_OK;
}

static enum result parse_scene(const cJSON *tree, const char *text, struct arena *arena, struct proto_command *command,
                               struct proto_scene_about *about, struct fault *fault) {
    static const struct proto_field field = {.name = "commands", .type = PROTO_TYPE_COMMANDS, .most = 10000};
    struct proto_decoder decoder = {.arena = arena, .fault = fault, .subject = {"a scene", -1}};
    struct proto_slice list = {0};
    struct proto_commands commands = {0};
    if (!cJSON_IsObject(tree)) {
        return fault_set(fault, RESULT_INVALID, "",
                         "a scene must be an object with title, description, chapter, order and commands");
    }
    struct proto_slice_walk walk = proto_slice_begin(text);
    for (const cJSON *member = tree->child; member != NULL; member = member->next) {
        proto_slice_next(&walk);
        const struct proto_path path = {.name = member->string};
        enum result result = RESULT_OK;
        if (strcmp(member->string, "title") == 0) {
            result = read_title(member, 64, about->title, fault);
        } else if (strcmp(member->string, "description") == 0) {
            result = read_title(member, 256, about->description, fault);
        } else if (strcmp(member->string, "chapter") == 0) {
            result = read_title(member, 64, about->chapter, fault);
        } else if (strcmp(member->string, "order") == 0) {
            result = read_order(member, &about->order, fault);
        } else if (strcmp(member->string, "commands") == 0) {
            list = walk.value;
            result = proto_decode_commands(&decoder, member, list, &field, &path, &commands);
        } else {
            char got[PROTO_GOT_MAX];
            proto_shorten(member->string, got, sizeof got);
            result = proto_refuse(fault, &decoder.subject, &path, RESULT_INVALID,
                                  "a scene has title, description, chapter, order and commands, no %s", got);
        }
        if (result != RESULT_OK) {
            return result;
        }
    }
    if (list.length == 0) {
        return fault_set(fault, RESULT_INVALID, "/commands", "commands is missing: a scene is a list of commands");
    }
    return wrap_commands(arena, list, &commands, command, fault);
}

// Notes the place of each command in the file of a scene, each counted from the one before it.
static enum result note_places(const char *text, size_t length, struct arena *arena, struct proto_request *request,
                               struct fault *fault) {
    const uint32_t count = ((const struct proto_batch_run *)request->command.params)->commands.count;
    struct proto_place *places = arena_take(arena, (count + 1) * sizeof *places);
    struct proto_slice *commands = malloc((count + 1) * sizeof *commands);
    if (places == NULL || commands == NULL) {
        free(commands);
        return out_of_memory(fault);
    }
    const char *from = text;
    struct proto_place place = {1, 1};
    const size_t list = proto_peek_pointer(text, length, "/commands");
    (void)proto_peek_elements(text + list, length - list, commands, count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t bytes = (size_t)(commands[i].text - from);
        const struct proto_place step = proto_place_of(from, bytes, bytes);
        place.column = step.line == 1 ? place.column + step.column - 1 : step.column;
        place.line += step.line - 1;
        places[i] = place;
        from = commands[i].text;
    }
    free(commands);
    request->places = places;
    return RESULT_OK;
}

enum result proto_scene_parse(const char *text, size_t length, struct proto_request **request,
                              struct proto_scene_about *about, struct fault *fault) {
    struct arena arena;
    cJSON *tree = NULL;
    struct proto_slice compact = {0};
    struct proto_scene_about own = {0};
    struct holder *holder = create_holder(&arena);
    if (holder == NULL) {
        return out_of_memory(fault);
    }
    enum result result = read_tree(text, length, &arena, &compact, &tree, fault);
    if (result == RESULT_OK) {
        result = parse_scene(tree, compact.text, &arena, &holder->request.command, &own, fault);
    }
    if (result == RESULT_OK) {
        result = note_places(text, length, &arena, &holder->request, fault);
    }
    cJSON_Delete(tree);
    if (result != RESULT_OK) {
        arena_free(&arena);
        return result;
    }
    *about = own;
    holder->arena = arena;
    *request = &holder->request;
    return RESULT_OK;
}

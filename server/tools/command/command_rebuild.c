// SPDX-License-Identifier: MIT
// A recording is one JSON document: the scene {name, firstId, tickHz} and, unless the scene is one of Weft's own, its
// sceneCommands; the commands [{tick, method, params, made}]; at the end, tick and stateHash. Without a scene, the
// commands are given to the world as it is, with the same distances in ticks.
//
// Ids are not part of the state, so a rebuilt world may have others: ids of the scene are shifted by the first id that
// scene.load returns, and ids that a command made are replaced by those of its answer. All other text of the recording
// is passed on unchanged, so that no number is rounded.
#include "tools/command/command_rebuild.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "tools/client/rpc_client.h"
#include "tools/command/command_io.h"
#include "tools/text/json_slice.h"

#define STEP_TICKS 1000u // in one request, so that its answer comes in time
#define RETRY_MS 100u    // if the server names no time

// An id in the recording and the id of the same object in this world.
struct id_pair {
    uint64_t recorded, present;
};

struct rebuild {
    struct client *client;
    uint64_t start, tick; // the tick at which the recording begins, and the present tick
    int64_t shift;        // from ids of the scene in the recording to those in this world
    struct id_pair *ids;  // of objects that commands made, by rising `recorded`
    uint32_t id_count;
    bool answered, failed;
    char *answer; // to the last request
    size_t answer_length;
    enum exit_status status;
};

// ---- asking ---------------------------------------------------------------------------------------------------------

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice answer) {
    struct rebuild *rebuild = user;
    (void)id; // only one request waits for an answer
    free(rebuild->answer);
    rebuild->answer = strndup(answer.text, answer.length);
    rebuild->answer_length = rebuild->answer != NULL ? answer.length : 0;
    rebuild->answered = true;
    rebuild->failed = failed;
}

static struct json_slice answer_of(const struct rebuild *rebuild) {
    return (struct json_slice){rebuild->answer, rebuild->answer_length};
}

static bool read_unsigned(struct json_slice object, const char *name, uint64_t *number) {
    struct json_slice value;
    if (!json_member(object, name, &value) || *value.text < '0' || *value.text > '9') {
        return false;
    }
    *number = strtoull(value.text, NULL, 10);
    return true;
}

// Whether the server asks to try again; waits as long as the server says.
static bool must_try_again(const struct rebuild *rebuild) {
    struct json_slice code, data;
    if (!json_member(answer_of(rebuild), "code", &code) || (!json_is(code, "-32000") && !json_is(code, "-32005"))) {
        return false;
    }
    uint64_t wait_ms = RETRY_MS;
    if (json_member(answer_of(rebuild), "data", &data)) {
        (void)read_unsigned(data, "retryAfterMs", &wait_ms);
    }
    const struct timespec wait = {(time_t)(wait_ms / 1000), (long)(wait_ms % 1000) * 1000000};
    (void)nanosleep(&wait, NULL);
    return true;
}

// Sends a request and waits for the answer. Returns false after an error, which it writes with `what` before it.
static bool ask(struct rebuild *rebuild, const char *what, struct json_slice method, struct json_slice params) {
    struct fault fault;
    do {
        rebuild->answered = false;
        enum result result = client_request(rebuild->client, method, params) != 0
                                 ? RESULT_OK
                                 : fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        client_expect(rebuild->client);
        while (result == RESULT_OK && !rebuild->answered) {
            result = client_service(rebuild->client, &fault);
        }
        if (result != RESULT_OK || rebuild->answer == NULL) {
            const char *why = result != RESULT_OK ? fault.message : "out of memory";
            rebuild->status = command_fail(EXIT_UNREACHABLE, "%s%s", what, why);
            return false;
        }
    } while (rebuild->failed && must_try_again(rebuild));
    if (rebuild->failed) {
        command_write_error(what, answer_of(rebuild));
        rebuild->status = EXIT_REFUSED;
    }
    return !rebuild->failed;
}

static bool ask_text(struct rebuild *rebuild, const char *method, const char *params) {
    return ask(rebuild, "", (struct json_slice){method, strlen(method)}, (struct json_slice){params, strlen(params)});
}

// ---- ids ------------------------------------------------------------------------------------------------------------

static bool names_id(struct json_slice name) {
    static const char *const names[] = {"\"object\"", "\"objects\"", "\"obstacle\"", "\"stick\"", "\"grab\""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (json_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

static uint64_t present_id(const struct rebuild *rebuild, uint64_t recorded) {
    uint32_t low = 0, high = rebuild->id_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rebuild->ids[middle].recorded < recorded) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < rebuild->id_count && rebuild->ids[low].recorded == recorded ? rebuild->ids[low].present
                                                                             : recorded + (uint64_t)rebuild->shift;
}

// Writes a value with the ids of this world.
static void write_present(FILE *out, const struct rebuild *rebuild, struct json_slice name, struct json_slice value) {
    const bool object = *value.text == '{';
    if (!object && *value.text != '[') {
        if (names_id(name) && *value.text >= '0' && *value.text <= '9') {
            (void)fprintf(out, "%" PRIu64, present_id(rebuild, strtoull(value.text, NULL, 10)));
        } else {
            (void)fwrite(value.text, 1, value.length, out);
        }
        return;
    }
    struct json_slice key, item;
    (void)fputc(*value.text, out);
    for (size_t at = 0, count = 0; json_next(value, &at, &key, &item); count++) {
        (void)fprintf(out, "%s%.*s%s", count > 0 ? "," : "", (int)key.length, key.text, object ? ":" : "");
        write_present(out, rebuild, object ? key : name, item);
    }
    (void)fputc(object ? '}' : ']', out);
}

static bool add_id(struct rebuild *rebuild, uint64_t recorded, uint64_t present) {
    if (rebuild->id_count > 0 && rebuild->ids[rebuild->id_count - 1].recorded >= recorded) {
        rebuild->status = command_fail(
            EXIT_REFUSED, "made: ids must rise from command to command, but %" PRIu64 " does not", recorded);
        return false;
    }
    struct id_pair *grown = array_grow(rebuild->ids, rebuild->id_count, sizeof *grown);
    if (grown == NULL) {
        rebuild->status = command_fail(EXIT_REFUSED, "out of memory");
        return false;
    }
    rebuild->ids = grown;
    rebuild->ids[rebuild->id_count++] = (struct id_pair){recorded, present};
    return true;
}

// Pairs the id in one result, if it has one, with the next id of `made`.
static bool pair_one(struct rebuild *rebuild, struct json_slice result, struct json_slice made, size_t *at) {
    static const char *const kinds[] = {"object", "stick", "obstacle", "grab"};
    struct json_slice none, recorded;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint64_t present;
        if (read_unsigned(result, kinds[i], &present)) {
            return !json_next(made, at, &none, &recorded) ||
                   add_id(rebuild, strtoull(recorded.text, NULL, 10), present);
        }
    }
    return true;
}

static bool pair_ids(struct rebuild *rebuild, struct json_slice made) {
    struct json_slice results, none, result;
    size_t at = 0, made_at = 0;
    if (!json_member(answer_of(rebuild), "results", &results)) {
        return pair_one(rebuild, answer_of(rebuild), made, &made_at);
    }
    while (json_next(results, &at, &none, &result)) {
        if (!pair_one(rebuild, result, made, &made_at)) {
            return false;
        }
    }
    return true;
}

// ---- commands -------------------------------------------------------------------------------------------------------

static bool step_to(struct rebuild *rebuild, uint64_t tick) {
    while (rebuild->tick < rebuild->start + tick) {
        const uint64_t left = rebuild->start + tick - rebuild->tick;
        char params[40];
        (void)snprintf(params, sizeof params, "{\"ticks\":%" PRIu64 "}", left < STEP_TICKS ? left : STEP_TICKS);
        if (!ask_text(rebuild, "\"world.step\"", params) ||
            !read_unsigned(answer_of(rebuild), "tick", &rebuild->tick)) {
            return false;
        }
    }
    return true;
}

// Runs one command, so that the step of tick `shown` is the first to see it.
static bool run_command(struct rebuild *rebuild, struct json_slice command, uint64_t number, uint64_t shown) {
    struct json_slice method, params = {"{}", 2}, made = {"[]", 2}, text = {NULL, 0};
    char what[40];
    char *present = NULL;
    (void)snprintf(what, sizeof what, "command %" PRIu64 ": ", number);
    if (!json_member(command, "method", &method) || *method.text != '"') {
        rebuild->status = command_fail(EXIT_REFUSED, "%sit has no method", what);
        return false;
    }
    (void)json_member(command, "params", &params);
    (void)json_member(command, "made", &made);
    FILE *out = open_memstream(&present, &text.length);
    if (out == NULL) {
        rebuild->status = command_fail(EXIT_REFUSED, "out of memory");
        return false;
    }
    write_present(out, rebuild, (struct json_slice){"", 0}, params);
    const bool written = fclose(out) == 0;
    text.text = present;
    const bool given =
        written && step_to(rebuild, shown - 1) && ask(rebuild, what, method, text) && pair_ids(rebuild, made);
    free(present);
    return given;
}

// Whether the commands have different ticks, so that the clock must be stopped while they are given.
static bool have_different_ticks(struct json_slice commands) {
    struct json_slice none, command;
    uint64_t first = 0, tick;
    for (size_t at = 0; json_next(commands, &at, &none, &command);) {
        if (!read_unsigned(command, "tick", &tick)) {
            return false; // run_commands reports it
        }
        if (first != 0 && tick != first) {
            return true;
        }
        first = tick;
    }
    return false;
}

static bool run_commands(struct rebuild *rebuild, struct json_slice commands, bool whole) {
    struct json_slice none, command;
    uint64_t number = 0, tick, first = 1;
    for (size_t at = 0; json_next(commands, &at, &none, &command);) {
        if (!read_unsigned(command, "tick", &tick) || tick == 0) {
            rebuild->status = command_fail(EXIT_REFUSED, "command %" PRIu64 ": it has no tick", number);
            return false;
        }
        first = number == 0 && !whole ? tick : first;
        if (!run_command(rebuild, command, number++, tick - first + 1)) {
            return false;
        }
    }
    return true;
}

// ---- beginning and end ----------------------------------------------------------------------------------------------

// Loads the scene into the stopped world; without a scene, reads the tick of the world. `*resumes` becomes true once a
// running clock was stopped.
static bool load_scene(struct rebuild *rebuild, struct json_slice recording, bool apart, bool *resumes) {
    struct json_slice scene, name, commands, value;
    uint64_t recorded = 1, present = 1;
    if (!ask_text(rebuild, "\"world.get\"", "{}")) {
        return false;
    }
    const bool running = json_member(answer_of(rebuild), "running", &value) && json_is(value, "true");
    if (!json_member(recording, "scene", &scene)) {
        *resumes = apart && running;
        if (apart && (!ask_text(rebuild, "\"world.pause\"", "{}") || !ask_text(rebuild, "\"world.get\"", "{}"))) {
            return false;
        }
        (void)read_unsigned(answer_of(rebuild), "tick", &rebuild->tick);
        rebuild->start = rebuild->tick;
        return true;
    }
    struct json_slice wanted, found;
    if (json_member(scene, "tickHz", &wanted) && json_member(answer_of(rebuild), "tickHz", &found) &&
        strtod(wanted.text, NULL) != strtod(found.text, NULL)) {
        rebuild->status = command_fail(EXIT_MISSED, "this server makes %.*s ticks a second; the hash wants %.*s",
                                       (int)found.length, found.text, (int)wanted.length, wanted.text);
        return false;
    }
    const bool own = json_member(recording, "sceneCommands", &commands);
    char *params = NULL;
    if (!json_member(scene, "name", &name) ||
        asprintf(&params, "{\"name\":%.*s}", own ? 7 : (int)name.length, own ? "\"empty\"" : name.text) < 0) {
        rebuild->status = command_fail(EXIT_REFUSED, "the scene has no name");
        return false;
    }
    *resumes = running;
    const bool loaded = ask_text(rebuild, "\"world.pause\"", "{}") && ask_text(rebuild, "\"scene.load\"", params);
    free(params);
    if (loaded && read_unsigned(scene, "firstId", &recorded) &&
        read_unsigned(answer_of(rebuild), "firstId", &present)) {
        rebuild->shift = (int64_t)present - (int64_t)recorded;
    }
    if (!loaded || !own || asprintf(&params, "{\"commands\":%.*s}", (int)commands.length, commands.text) < 0) {
        return loaded;
    }
    const bool built = json_is(commands, "[]") || ask_text(rebuild, "\"batch.run\"", params);
    free(params);
    return built;
}

static enum exit_status finish(struct rebuild *rebuild, struct json_slice recording) {
    struct json_slice wanted = {"", 0}, found = {"", 0};
    uint64_t tick;
    if (read_unsigned(recording, "tick", &tick) && !step_to(rebuild, tick)) {
        return rebuild->status;
    }
    if (!ask_text(rebuild, "\"world.get\"", "{}")) {
        return rebuild->status;
    }
    (void)json_member(answer_of(rebuild), "stateHash", &found);
    (void)printf("%.*s\n", found.length < 2 ? 0 : (int)found.length - 2, found.text + 1);
    if (json_member(recording, "stateHash", &wanted) &&
        (wanted.length != found.length || memcmp(wanted.text, found.text, found.length) != 0)) {
        return command_fail(EXIT_MISSED, "this is not the same state: the expected hash is %.*s", (int)wanted.length,
                            wanted.text);
    }
    return command_flush();
}

static enum exit_status rebuild_all(const struct settings *settings, struct json_slice recording) {
    struct rebuild rebuild = {.status = EXIT_REFUSED};
    struct client_handlers handlers = {.user = &rebuild, .reply = on_reply};
    struct json_slice commands, scene;
    struct fault fault;
    if (!json_member(recording, "commands", &commands) || *commands.text != '[') {
        return command_fail(EXIT_REFUSED, "a recording has commands: the page copies recordings as raw JSON");
    }
    if (client_create(settings, &handlers, &rebuild.client, &fault) != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    bool resumes = false;
    const bool given = load_scene(&rebuild, recording, have_different_ticks(commands), &resumes) &&
                       run_commands(&rebuild, commands, json_member(recording, "scene", &scene));
    enum exit_status status = given ? finish(&rebuild, recording) : rebuild.status;
    if (resumes && status != EXIT_UNREACHABLE && !ask_text(&rebuild, "\"world.resume\"", "{}") && status == EXIT_DONE) {
        status = rebuild.status;
    }
    client_destroy(rebuild.client);
    free(rebuild.answer);
    free(rebuild.ids);
    return status;
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    if (count != 1) {
        return command_fail(EXIT_USAGE, "rebuild takes one file, a recording, or - for stdin");
    }
    const bool from_stdin = strcmp(arguments[0], "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(arguments[0], "rb");
    size_t length = 0, wrong = 0;
    errno = 0;
    char *text = file != NULL ? command_read_all(file, &length) : NULL;
    const int error = errno;
    if (file != NULL && !from_stdin) {
        (void)fclose(file);
    }
    if (text == NULL) {
        return command_fail(EXIT_USAGE, "%s: %s", arguments[0], error != 0 ? strerror(error) : "it cannot be read");
    }
    struct json_slice recording;
    const enum exit_status status =
        json_check(text, length, &recording, &wrong) == JSON_VALID && *recording.text == '{'
            ? rebuild_all(settings, recording)
            : command_fail(EXIT_REFUSED, "%s is not a JSON object from byte %zu on", arguments[0], wrong + 1);
    free(text);
    return status;
}

const struct command command_rebuild = {
    .name = "rebuild",
    .usage = "rebuild FILE|-",
    .summary = "repeat the commands of a recording, and compare the hash",
    .help = "A recording is the raw JSON that the page copies: a scene, the commands given since, each with its\n"
            "tick, and the hash of the state at the end. The command stops the world's clock, loads the scene,\n"
            "gives every command at its tick, prints the hash, and lets the clock run again if it was running. The\n"
            "former content of the world is lost. The commands of a recording without a scene are given to the\n"
            "world as it is.\n"
            "\n"
            "  weftctl rebuild rebuild.json\n"
            "  weftctl --world lab rebuild - < rebuild.json\n"
            "\n"
            "Exit status: 0 the hash is equal, 1 an error, 2 wrong usage, 3 no connection or no answer, 4 the hash\n"
            "differs, or the server has another tick rate.\n",
    .takers = 0,
    .run = run,
};

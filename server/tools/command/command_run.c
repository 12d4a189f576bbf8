// SPDX-License-Identifier: MIT
// Every line that is run has a place, 1, 2, 3 …, and waits in the slot (place mod SETTINGS_WINDOW_MAX) until its answer
// is printed, so results and errors come in the order of the lines. Without --keep-going a request is sent only after
// the one before it succeeded, for nothing after an error may be done; with --keep-going or --window, requests are sent
// ahead.
//
// A server that cannot read the id of a request answers with a null id. Such answers are kept until every other request
// is answered, and nothing is sent meanwhile; then they belong to the remaining requests in order, since the server
// answers unreadable requests in the order in which it reads them.
#include "tools/command/command_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/client/monotonic.h"
#include "tools/client/rpc_client.h"
#include "tools/command/command_io.h"
#include "tools/text/json_layout.h"
#include "tools/text/json_slice.h"
#include "tools/text/line_reader.h"

#define RUN_WINDOW_KEEP_GOING 64u
#define RUN_PROGRESS_S 0.2

// The outcome of a line. `text` is a JSON value from the server; with `ours`, a sentence that says why the line was not
// sent.
struct answer {
    uint64_t line, id;
    bool given, failed, ours;
    char *text;
    size_t length;
};

enum run_input { RUN_UNKNOWN, RUN_LINES, RUN_WHOLE };

struct run {
    const struct settings *settings;
    struct client *client;
    struct line_reader *lines;
    uint32_t window;
    struct answer slots[SETTINGS_WINDOW_MAX];
    uint64_t first, next; // places: of the oldest line that is not printed, and of the next line
    uint64_t unanswered;
    struct answer unidentified[SETTINGS_WINDOW_MAX];
    uint64_t unidentified_count;
    enum run_input input;
    char *whole; // one JSON text over several lines
    size_t whole_length, whole_capacity;
    bool ended, stopped; // the input has ended; nothing more is sent
    bool shows_progress;
    double progress_due_s;
    uint64_t done, errors;
    enum exit_status status;
};

// ---- progress -------------------------------------------------------------------------------------------------------

static void show_progress(struct run *run) {
    if (run->shows_progress && monotonic_s() >= run->progress_due_s) {
        run->progress_due_s = monotonic_s() + RUN_PROGRESS_S;
        (void)fprintf(stderr, "\r\033[K%" PRIu64 " requests done, %" PRIu64 " errors ", run->done, run->errors);
        (void)fflush(stderr);
    }
}

static void clear_progress(const struct run *run) {
    if (run->shows_progress) {
        (void)fputs("\r\033[K", stderr);
    }
}

// ---- answers --------------------------------------------------------------------------------------------------------

static void fail(struct run *run, enum exit_status status) {
    run->status = run->status == EXIT_DONE || status == EXIT_UNREACHABLE ? status : run->status;
    run->errors++;
    run->stopped = run->stopped || !run->settings->keep_going || status == EXIT_UNREACHABLE;
}

static struct answer *slot_at(struct run *run, uint64_t place) {
    return &run->slots[place % SETTINGS_WINDOW_MAX];
}

static void give(struct run *run, struct answer *slot, const struct answer *answer) {
    slot->text = answer->text;
    slot->length = answer->length;
    slot->failed = answer->failed;
    slot->given = true;
    run->unanswered--;
}

static void give_unidentified(struct run *run) {
    uint64_t taken = 0;
    for (uint64_t place = run->first; place < run->next; place++) {
        if (!slot_at(run, place)->given) {
            give(run, slot_at(run, place), &run->unidentified[taken++]);
        }
    }
    run->unidentified_count = 0;
}

// Returns the unanswered request of this id, or NULL.
static struct answer *find_slot(struct run *run, uint64_t id) {
    for (uint64_t place = run->first; place < run->next; place++) {
        if (slot_at(run, place)->id == id && !slot_at(run, place)->given) {
            return slot_at(run, place);
        }
    }
    return NULL;
}

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice text) {
    struct run *run = user;
    struct answer *slot = id == 0 ? NULL : find_slot(run, id);
    bool known = id == 0 ? run->unidentified_count < run->unanswered : slot != NULL;
    struct answer answer = {.failed = failed, .text = known ? malloc(text.length + 1) : NULL, .length = text.length};
    if (answer.text == NULL) {
        return;
    }
    memcpy(answer.text, text.text, text.length);
    if (slot == NULL) {
        run->unidentified[run->unidentified_count++] = answer;
    } else {
        give(run, slot, &answer);
    }
    if (run->unidentified_count == run->unanswered) {
        give_unidentified(run);
    }
    if (run->unanswered == 0) {
        client_expect_nothing(run->client);
    } else {
        client_expect(run->client);
    }
}

static void print_answer(struct run *run, const struct answer *answer) {
    char prefix[40];
    run->done++;
    if (!answer->failed) {
        json_write_compact(stdout, (struct json_slice){answer->text, answer->length});
        (void)fputc('\n', stdout);
        return;
    }
    clear_progress(run);
    if (answer->ours) {
        fail(run, command_fail(EXIT_REFUSED, "line %" PRIu64 ": %s", answer->line, answer->text));
        return;
    }
    snprintf(prefix, sizeof prefix, "line %" PRIu64 ": ", answer->line);
    command_write_error(prefix, (struct json_slice){answer->text, answer->length});
    fail(run, EXIT_REFUSED);
}

// Returns false when no answer was ready.
static bool print_answers(struct run *run) {
    uint64_t before = run->first;
    while (!run->stopped && run->first < run->next && slot_at(run, run->first)->given) {
        struct answer *slot = slot_at(run, run->first++);
        print_answer(run, slot);
        free(slot->text);
        *slot = (struct answer){0};
    }
    if (run->first > before && command_flush() != EXIT_DONE) {
        run->status = EXIT_REFUSED;
        run->stopped = true;
    }
    return run->first > before;
}

// ---- requests -------------------------------------------------------------------------------------------------------

// Gives a line a place, with the reason why it is not sent, so that the reason is printed in order.
static void refuse(struct run *run, uint64_t line, const char *why, int length, const char *what) {
    struct answer answer = {.line = line, .given = true, .failed = true, .ours = true};
    size_t size = strlen(why) + (size_t)length + 1;
    answer.text = malloc(size);
    if (answer.text == NULL) {
        fail(run, command_fail(EXIT_REFUSED, "line %" PRIu64 ": %s", line, why));
        return;
    }
    answer.length = (size_t)snprintf(answer.text, size, "%s%.*s", why, length, what);
    *slot_at(run, run->next++) = answer;
}

static void send_request(struct run *run, struct json_slice method, struct json_slice params, uint64_t line) {
    uint64_t id = client_request(run->client, method, params);
    if (id == 0) {
        refuse(run, line, "out of memory", 0, "");
        return;
    }
    *slot_at(run, run->next++) = (struct answer){.line = line, .id = id};
    if (run->unanswered++ == 0) {
        client_expect(run->client);
    }
}

// Runs {"method", "params"}, with or without "jsonrpc" and "id"; the request is sent with an id of its own.
static void run_request(struct run *run, struct json_slice text, uint64_t line) {
    static const char *const known[] = {"\"method\"", "\"params\"", "\"jsonrpc\"", "\"id\""};
    struct json_slice name, value, method = {"", 0}, params = {"", 0};
    size_t at = 0;
    while (json_next(text, &at, &name, &value)) {
        size_t row = 0;
        while (row < 4 && !json_is(name, known[row])) {
            row++;
        }
        if (row == 4) {
            refuse(run, line, "a request has method and params, not ", (int)name.length, name.text);
            return;
        }
        method = row == 0 ? value : method;
        params = row == 1 ? value : params;
    }
    if (method.length == 0) {
        refuse(run, line, "a request needs a method: {\"method\": \"world.get\"}", 0, "");
    } else {
        send_request(run, method, params, line);
    }
}

// Runs the commands of {"title", "description", "chapter", "order", "commands"} as one batch.
static void run_scene(struct run *run, struct json_slice scene, uint64_t line) {
    static const char *const known[] = {"\"commands\"", "\"title\"", "\"description\"", "\"chapter\"", "\"order\""};
    static const size_t rows = sizeof known / sizeof *known;
    struct json_slice name, value, commands = {"", 0};
    size_t at = 0;
    while (json_next(scene, &at, &name, &value)) {
        size_t row = 0;
        while (row < rows && !json_is(name, known[row])) {
            row++;
        }
        if (row == rows) {
            refuse(run, line, "a scene has title, description, chapter, order and commands, not ", (int)name.length,
                   name.text);
            return;
        }
        commands = row == 0 ? value : commands;
    }
    size_t length = commands.length + sizeof "{\"commands\":}";
    char *params = malloc(length);
    if (params == NULL) {
        refuse(run, line, "out of memory", 0, "");
        return;
    }
    length = (size_t)snprintf(params, length, "{\"commands\":%.*s}", (int)commands.length, commands.text);
    send_request(run, (struct json_slice){"\"batch.run\"", 11}, (struct json_slice){params, length}, line);
    free(params);
}

// Runs a JSON text, which is a scene or a request.
static void run_object(struct run *run, struct json_slice text, uint64_t line) {
    struct json_slice commands;
    if (*text.text != '{') {
        refuse(run, line, "a request is a JSON object: {\"method\": \"world.get\"}", 0, "");
    } else if (json_member(text, "commands", &commands)) {
        run_scene(run, text, line);
    } else {
        run_request(run, text, line);
    }
}

// ---- input ----------------------------------------------------------------------------------------------------------

// If the JSON text of the first line is unfinished, all other lines belong to it.
static bool append_whole(struct run *run, const struct line *line) {
    size_t needed = run->whole_length + line->length + 2;
    if (needed > run->whole_capacity) {
        char *grown = needed > COMMAND_INPUT_MAX ? NULL : realloc(run->whole, needed + needed / 2);
        if (grown == NULL) {
            return false;
        }
        run->whole = grown;
        run->whole_capacity = needed + needed / 2;
    }
    memcpy(run->whole + run->whole_length, line->text, line->length);
    run->whole_length += line->length;
    run->whole[run->whole_length++] = '\n';
    return true;
}

static void run_whole(struct run *run) {
    struct json_slice value;
    size_t wrong = 0;
    while (run->whole[run->whole_length - 1] == '\n') { // so that an error is reported for the last line that has text
        run->whole_length--;
    }
    if (json_check(run->whole, run->whole_length, &value, &wrong) == JSON_VALID) {
        run_object(run, value, 1);
        return;
    }
    uint64_t line = 1;
    for (size_t at = 0; at < wrong; at++) {
        line += run->whole[at] == '\n';
    }
    refuse(run, line, wrong == run->whole_length ? "the JSON text ends too early" : "the JSON text is wrong here", 0,
           "");
}

static void take_line(struct run *run, const struct line *line) {
    size_t start = strspn(line->text, " \t"), wrong = 0;
    struct json_slice value;
    if (run->input != RUN_WHOLE && (line->text[start] == '\0' || line->text[start] == '#')) {
        // Empty lines count, so that an error in the text is reported with the right line number.
        if (run->input == RUN_UNKNOWN && !append_whole(run, &(struct line){"", 0, 0})) {
            refuse(run, line->number, "out of memory", 0, "");
        }
        return;
    }
    if (run->input == RUN_WHOLE) {
        if (!append_whole(run, line)) {
            refuse(run, line->number, "the text is too large", 0, "");
        }
        return;
    }
    enum json_verdict verdict = json_check(line->text, line->length, &value, &wrong);
    if (verdict == JSON_UNFINISHED && run->input == RUN_UNKNOWN) {
        run->input = RUN_WHOLE;
        if (!append_whole(run, line)) {
            refuse(run, line->number, "the text is too large", 0, "");
        }
        return;
    }
    run->input = RUN_LINES;
    if (verdict == JSON_VALID) {
        run_object(run, value, line->number);
    } else {
        char place[64];
        int length = snprintf(place, sizeof place, ", from byte %zu on", wrong + 1);
        refuse(run, line->number, "this is not one JSON text", length, place);
    }
}

// Sends requests until the window is full.
static void take_input(struct run *run) {
    while (!run->ended && !run->stopped && run->unidentified_count == 0 && run->next - run->first < run->window) {
        struct line line;
        enum line_state state = line_reader_take(run->lines, &line);
        if (state == LINE_WAIT) {
            return;
        }
        if (state == LINE_TAKEN) {
            take_line(run, &line);
            free(line.text);
            continue;
        }
        run->ended = true;
        if (state == LINE_FAILED) {
            fail(run,
                 command_fail(EXIT_REFUSED, "the input cannot be read: %s", strerror(line_reader_error(run->lines))));
        } else if (run->input == RUN_WHOLE) {
            run_whole(run);
        }
    }
}

static void wake(void *user) {
    struct run *run = user;
    client_wake(run->client);
}

static void run_all(struct run *run) {
    struct fault fault;
    for (;;) {
        take_input(run);
        bool printed = print_answers(run);
        if (run->stopped || (run->ended && run->first == run->next)) {
            break;
        }
        if (printed) { // the window has room again
            continue;
        }
        if (client_service(run->client, &fault) != RESULT_OK) {
            clear_progress(run);
            uint64_t line = run->first < run->next ? slot_at(run, run->first)->line : 0;
            run->status = line > 0 ? command_fail(EXIT_UNREACHABLE, "line %" PRIu64 ": %s", line, fault.message)
                                   : command_fail(EXIT_UNREACHABLE, "%s", fault.message);
            break;
        }
        show_progress(run);
    }
    clear_progress(run);
    uint64_t ahead = 0;
    for (uint64_t place = run->first; place < run->next; place++) {
        ahead += !slot_at(run, place)->ours;
    }
    if (ahead > 0 && run->status == EXIT_REFUSED) {
        (void)command_fail(run->status, "%" PRIu64 " later requests had already been sent and may be done", ahead);
    }
}

static enum exit_status run_file(const struct settings *settings, int handle) {
    struct fault fault;
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        (void)close(handle);
        return command_fail(EXIT_REFUSED, "out of memory");
    }
    run->settings = settings;
    run->window = settings->window > 0 ? settings->window : settings->keep_going ? RUN_WINDOW_KEEP_GOING : 1;
    run->first = run->next = 1;
    run->shows_progress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0;
    run->progress_due_s = monotonic_s() + 2 * RUN_PROGRESS_S;
    struct client_handlers handlers = {.user = run, .reply = on_reply};
    if (client_create(settings, &handlers, &run->client, &fault) != RESULT_OK) {
        run->status = command_fail(EXIT_UNREACHABLE, "%s", fault.message);
        (void)close(handle);
    } else {
        run->lines = line_reader_create(handle, wake, run);
        if (run->lines == NULL) {
            run->status = command_fail(EXIT_REFUSED, "no thread could be started to read the input");
            (void)close(handle);
        } else {
            run_all(run);
        }
    }
    line_reader_destroy(run->lines);
    client_destroy(run->client);
    for (size_t slot = 0; slot < SETTINGS_WINDOW_MAX; slot++) {
        free(run->slots[slot].text);
    }
    for (uint64_t at = 0; at < run->unidentified_count; at++) {
        free(run->unidentified[at].text);
    }
    enum exit_status status = run->status;
    free(run->whole);
    free(run);
    return status;
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    if (count != 1) {
        return command_fail(EXIT_USAGE, "run needs one file, or - for stdin; see weftctl help run");
    }
    int handle = strcmp(arguments[0], "-") == 0 ? dup(STDIN_FILENO) : open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (handle < 0) {
        return command_fail(EXIT_USAGE, "cannot open %s: %s", arguments[0], strerror(errno));
    }
    return run_file(settings, handle);
}

const struct command command_run = {
    .name = "run",
    .usage = "run [--keep-going] [--window N] FILE|-",
    .summary = "run a scene file, or requests line by line",
    .help = "FILE is a scene, {\"title\", \"description\", \"commands\": [...]}, which is run as one batch: all of it\n"
            "or nothing. Or FILE has one request on each line, {\"method\": ..., \"params\": {...}}. Blank lines and\n"
            "lines that start with # are skipped. A FILE of - is stdin. Each result is written to stdout, one on\n"
            "a line, in the order of the requests; errors are written to stderr with the number of their line.\n"
            "\n"
            "The first error ends the run. Each request waits for the answer to the one before, so that nothing\n"
            "after an error is done; a running world answers once a tick. With --keep-going, errors do not end\n"
            "the run, and 64 requests wait for their answers at once.\n"
            "\n"
            "  weftctl run scene.json\n"
            "  echo '{\"method\": \"world.step\", \"params\": {\"ticks\": 60}}' | weftctl run -\n"
            "\n"
            "Exit status: 0 all done, 1 an error, 2 wrong usage, 3 no connection or no answer.\n",
    .takers = SETTINGS_RUN,
    .run = run,
};

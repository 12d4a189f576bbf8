// SPDX-License-Identifier: MIT
// Subscribes to frames and events, counts them, and calls world.get once a second. Rates are averages since the last
// figures were shown.
#include "tools/command/command_watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/frame/frame.h"
#include "tools/client/frame_header.h"
#include "tools/client/interrupt.h"
#include "tools/client/monotonic.h"
#include "tools/client/rpc_client.h"
#include "tools/client/tick_follower.h"
#include "tools/command/command_io.h"
#include "tools/text/json_layout.h"
#include "tools/text/json_slice.h"

#define WATCH_BEAT_MS 100u
#define WATCH_TERMINAL_S 0.5
#define WATCH_LINE_S 1.0
#define WATCH_ASK_S 1.0
#define WATCH_EVENTS_SHOWN 5u

// What was received since the last figures.
struct tally {
    uint64_t frames, bytes, frame_bytes, frame_particles;
};

struct watch {
    const struct settings *settings;
    struct client *client;
    bool on_terminal, over;
    double started, shown, due, asked; // s
    uint64_t figures;                  // how often figures were shown
    struct tally tally;
    uint64_t tick, particles, missed, events;
    struct tick_follower *follower; // with the encoding "ticks"
    bool has_tick;
    char *world; // the last result of world.get; NULL: none yet
    struct json_slice world_value;
    uint64_t asked_id;
    char *recent[WATCH_EVENTS_SHOWN]; // the newest is the last
    unsigned lines_drawn;
    enum exit_status status;
};

// ---- what comes in --------------------------------------------------------------------------------------------------

// Computes the ticks, which count as frames. A state that differs from the server's ends the command.
static void take_ticks(struct watch *watch, const uint8_t *bytes, size_t length) {
    struct fault fault;
    const uint64_t before = tick_follower_tick(watch->follower);
    if (tick_follower_take(watch->follower, bytes, length, &fault) != RESULT_OK) {
        watch->status = command_fail(EXIT_REFUSED, "%s", fault.message);
        watch->over = true;
        return;
    }
    const uint64_t tick = tick_follower_tick(watch->follower);
    watch->particles = tick_follower_particles(watch->follower);
    watch->tally.frames += watch->has_tick && tick > before ? tick - before : 0;
    watch->tally.frame_bytes += length;
    watch->tally.frame_particles += watch->particles * (watch->has_tick && tick > before ? tick - before : 1);
    watch->tick = tick;
    watch->has_tick = true;
}

static void on_binary(void *user, const uint8_t *bytes, size_t length) {
    struct watch *watch = user;
    watch->tally.bytes += length;
    if (watch->follower != NULL && tick_follower_is_for(bytes, length)) {
        take_ticks(watch, bytes, length);
        return;
    }
    struct frame_header header;
    if (!frame_header_read(bytes, length, &header)) {
        return;
    }
    if (header.type == PROTO_BINARY_TOPOLOGY) { // a frame leaves out sleeping particles
        watch->particles = header.count;
    }
    if (!frame_header_is_frame(&header)) {
        return;
    }
    const uint64_t tick = header.tick, every = watch->settings->every_ticks;
    const uint64_t count = header.count;
    watch->particles = count > watch->particles ? count : watch->particles;
    watch->tally.frames++;
    watch->tally.frame_bytes += length;
    watch->tally.frame_particles += watch->particles;
    if (watch->has_tick && tick > watch->tick + every) {
        watch->missed += (tick - watch->tick) / every - 1;
    }
    watch->tick = tick;
    watch->has_tick = true;
}

static void on_event(void *user, struct json_slice method, struct json_slice params) {
    struct watch *watch = user;
    watch->events++;
    if (!watch->on_terminal || method.length < 2) {
        return;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) {
        return;
    }
    (void)fprintf(stream, "%.*s ", (int)method.length - 2, method.text + 1);
    json_write_compact(stream, params);
    if (fclose(stream) != 0) {
        free(text);
        return;
    }
    free(watch->recent[0]);
    memmove(watch->recent, watch->recent + 1, sizeof watch->recent - sizeof watch->recent[0]);
    watch->recent[WATCH_EVENTS_SHOWN - 1] = text;
}

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice answer) {
    struct watch *watch = user;
    if (failed && id == watch->asked_id) { // perhaps the server is busy; world.get is called again in a second
        watch->asked_id = 0;
        return;
    }
    if (failed) {
        command_write_error("", answer);
        watch->status = EXIT_REFUSED;
        watch->over = true;
        return;
    }
    client_expect_nothing(watch->client);
    char *copy = id == watch->asked_id ? malloc(answer.length) : NULL;
    if (copy != NULL) {
        memcpy(copy, answer.text, answer.length);
        free(watch->world);
        watch->world = copy;
        watch->world_value = (struct json_slice){copy, answer.length};
        watch->asked_id = 0;
    }
}

// ---- figures --------------------------------------------------------------------------------------------------------

struct figures {
    double frames_per_s, bytes_per_s, bytes_per_particle, bytes_per_frame;
};

static struct figures take_figures(struct watch *watch, double now) {
    const struct tally *tally = &watch->tally;
    double elapsed = now - watch->shown;
    struct figures figures = {
        .frames_per_s = elapsed > 0 ? (double)tally->frames / elapsed : 0,
        .bytes_per_s = elapsed > 0 ? (double)tally->bytes / elapsed : 0,
        .bytes_per_particle =
            tally->frame_particles > 0 ? (double)tally->frame_bytes / (double)tally->frame_particles : 0,
        .bytes_per_frame = tally->frames > 0 ? (double)tally->frame_bytes / (double)tally->frames : 0,
    };
    watch->tally = (struct tally){0};
    watch->shown = now;
    watch->figures++;
    return figures;
}

static bool is_number(struct json_slice value) {
    return *value.text == '-' || (*value.text >= '0' && *value.text <= '9');
}

static void write_line(struct watch *watch, const struct figures *figures) {
    (void)printf("seconds=%.1f tick=%" PRIu64 " framesPerSecond=%.1f bytesPerSecond=%.0f bytesPerParticle=%.2f"
                 " particles=%" PRIu64 " missedTicks=%" PRIu64 " events=%" PRIu64,
                 watch->shown - watch->started, watch->tick, figures->frames_per_s, figures->bytes_per_s,
                 figures->bytes_per_particle, watch->particles, watch->missed, watch->events);
    if (watch->follower != NULL) {
        (void)printf(" hashes=%" PRIu64, tick_follower_hashes(watch->follower));
    }
    struct json_slice timing, name, value;
    size_t at = 0;
    if (watch->world != NULL && json_member(watch->world_value, "timing", &timing)) {
        while (json_next(timing, &at, &name, &value)) {
            if (name.length > 2 && is_number(value)) {
                (void)printf(" %.*s=%.*s", (int)name.length - 2, name.text + 1, (int)value.length, value.text);
            }
        }
    }
    (void)fputc('\n', stdout);
}

// Starts a line of the figures on a terminal.
static void draw(struct watch *watch, const char *label) {
    (void)printf("%s\033[K  %-10s", watch->lines_drawn++ == 0 ? "" : "\n", label);
}

static void write_amount(double bytes, const char *unit) {
    static const char *const prefix[] = {"", "k", "M", "G"};
    size_t step = 0;
    for (; bytes >= 1000 && step < 3; step++) {
        bytes /= 1000;
    }
    (void)printf("%.*f %sB%s", step == 0 ? 0 : 2, bytes, prefix[step], unit);
}

// Draws all numbers in a member of the result of world.get, rounded.
static void draw_numbers(struct watch *watch, const char *member) {
    struct json_slice object, name, value;
    size_t at = 0;
    if (watch->world == NULL || !json_member(watch->world_value, member, &object)) {
        return;
    }
    draw(watch, member);
    for (unsigned shown = 0; json_next(object, &at, &name, &value);) {
        if (name.length > 2 && is_number(value)) {
            if (shown > 0 && shown % 4 == 0) {
                draw(watch, "");
            }
            (void)printf("%.*s %.9g   ", (int)name.length - 2, name.text + 1,
                         round(strtod(value.text, NULL) * 1e3) / 1e3);
            shown++;
        }
    }
}

static void draw_title(struct watch *watch) {
    struct json_slice name = {"", 0}, version = {"", 0}, hello = client_hello(watch->client), running;
    (void)json_member(hello, "server", &name);
    (void)json_member(hello, "version", &version);
    bool stands =
        watch->world != NULL && json_member(watch->world_value, "running", &running) && json_is(running, "false");
    draw(watch, "world");
    (void)printf("%s at %s:%u", watch->settings->world, watch->settings->host, watch->settings->port);
    if (name.length > 2 && version.length > 2) {
        (void)printf("   %.*s %.*s", (int)name.length - 2, name.text + 1, (int)version.length - 2, version.text + 1);
    }
    (void)fputs(stands ? "   paused" : "", stdout);
}

static void draw_all(struct watch *watch, const struct figures *figures) {
    if (watch->lines_drawn > 0) {
        (void)printf("\033[%uA", watch->lines_drawn);
    }
    watch->lines_drawn = 0;
    (void)fputs("\r\033[?7l", stdout); // a line too long for the terminal is cut, not wrapped
    draw_title(watch);
    draw(watch, "tick");
    (void)printf("%" PRIu64 "   missed %" PRIu64, watch->tick, watch->missed);
    if (watch->follower != NULL) {
        (void)printf("   hashes compared %" PRIu64, tick_follower_hashes(watch->follower));
    }
    draw(watch, "frames");
    (void)printf("%.1f /s   ", figures->frames_per_s);
    write_amount(figures->bytes_per_frame, " each");
    draw(watch, "bytes");
    write_amount(figures->bytes_per_s, "/s");
    (void)printf("   %.2f B/particle", figures->bytes_per_particle);
    draw(watch, "particles");
    (void)printf("%" PRIu64, watch->particles);
    draw_numbers(watch, "timing");
    draw_numbers(watch, "counts");
    draw(watch, "events");
    (void)printf("%" PRIu64 "   (Ctrl-C ends)", watch->events);
    for (size_t at = 0; at < WATCH_EVENTS_SHOWN; at++) {
        if (watch->recent[at] != NULL) {
            draw(watch, "");
            (void)fputs(watch->recent[at], stdout);
        }
    }
    (void)fputs("\033[J\033[?7h\n", stdout);
}

static void show(struct watch *watch, double now) {
    struct figures figures = take_figures(watch, now);
    if (watch->on_terminal) {
        draw_all(watch, &figures);
    } else {
        write_line(watch, &figures);
    }
    if (command_flush() != EXIT_DONE) {
        watch->status = EXIT_REFUSED;
        watch->over = true;
    }
}

// ---- asking ---------------------------------------------------------------------------------------------------------

static uint64_t ask(struct watch *watch, const char *method, const char *params) {
    uint64_t id = client_request(watch->client, (struct json_slice){method, strlen(method)},
                                 (struct json_slice){params, strlen(params)});
    if (id == 0) {
        watch->status = command_fail(EXIT_REFUSED, "out of memory");
        watch->over = true;
    }
    client_expect(watch->client);
    return id;
}

static void ask_for_frames(struct watch *watch) {
    const struct settings *settings = watch->settings;
    char params[128], step[40] = "";
    if (watch->follower != NULL) {
        (void)ask(watch, "\"frames.subscribe\"", "{\"encoding\":\"ticks\"}");
        return;
    }
    if (settings->step_m > 0) {
        (void)snprintf(step, sizeof step, ",\"step\":%.17g", settings->step_m);
    }
    (void)snprintf(params, sizeof params, "{\"everyTicks\":%u,\"encoding\":\"%s\"%s}", settings->every_ticks,
                   settings->encoding[0] != '\0' ? settings->encoding : "motion", step);
    (void)ask(watch, "\"frames.subscribe\"", params);
}

static double pace_of(const struct watch *watch) {
    return watch->on_terminal ? WATCH_TERMINAL_S : WATCH_LINE_S;
}

static void on_beat(void *user) {
    struct watch *watch = user;
    double now = monotonic_s(), slack = WATCH_BEAT_MS * 0.5e-3;
    double pace = pace_of(watch);
    bool ends = watch->settings->seconds > 0 && now - watch->started >= watch->settings->seconds - slack;
    if (watch->asked_id == 0 && now - watch->asked >= WATCH_ASK_S - slack) {
        watch->asked = now;
        watch->asked_id = ask(watch, "\"world.get\"", "{}");
    }
    if (now >= watch->due - slack || (ends && watch->figures == 0)) {
        show(watch, now);
        watch->due = watch->due + pace > now ? watch->due + pace : now + pace;
    }
    watch->over = watch->over || ends;
}

static void subscribe(struct watch *watch) {
    ask_for_frames(watch);
    (void)ask(watch, "\"events.subscribe\"", "{}");
}

// The world has moved to another node, where frames begin anew.
static void on_reconnected(void *user) {
    struct watch *watch = user;
    watch->has_tick = false;
    if (watch->follower != NULL) {
        tick_follower_begin_anew(watch->follower);
    }
    subscribe(watch);
}

static enum exit_status watch_world(struct watch *watch) {
    const struct client_handlers handlers = {.user = watch,
                                             .reply = on_reply,
                                             .event = on_event,
                                             .binary = on_binary,
                                             .beat = on_beat,
                                             .reconnected = on_reconnected};
    struct fault fault;
    if (strcmp(watch->settings->encoding, "ticks") == 0 &&
        tick_follower_create(&watch->follower, &fault) != RESULT_OK) {
        return command_fail(EXIT_REFUSED, "%s", fault.message);
    }
    if (client_create(watch->settings, &handlers, &watch->client, &fault) != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    watch->started = watch->shown = watch->asked = monotonic_s();
    watch->due = watch->started + pace_of(watch);
    subscribe(watch);
    watch->asked_id = ask(watch, "\"world.get\"", "{}");
    client_set_beat(watch->client, WATCH_BEAT_MS);
    while (!watch->over && !interrupted()) {
        if (client_service(watch->client, &fault) != RESULT_OK) {
            watch->status = command_fail(EXIT_UNREACHABLE, "%s", fault.message);
            watch->over = true;
        }
    }
    return watch->status;
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    (void)arguments;
    if (count != 0) {
        return command_fail(EXIT_USAGE, "watch takes no arguments; see weftctl help watch");
    }
    interrupt_catch();
    struct watch watch = {.settings = settings, .on_terminal = isatty(STDOUT_FILENO) == 1};
    enum exit_status status = watch_world(&watch);
    client_destroy(watch.client);
    tick_follower_destroy(watch.follower);
    for (size_t at = 0; at < WATCH_EVENTS_SHOWN; at++) {
        free(watch.recent[at]);
    }
    free(watch.world);
    return status;
}

const struct command command_watch = {
    .name = "watch",
    .usage = "watch [--seconds N] [--every TICKS] [--encoding NAME] [--step M]",
    .summary = "show live what a viewer receives: frames/s, bytes/s, tick time",
    .help =
        "Subscribes to the frames and events of the world. Shows the frames and bytes received per second,\n"
        "the bytes per particle of the world, the tick, the frames that are missing, and the timing that the\n"
        "server reports. On a terminal the figures change in place; elsewhere they are one line of NAME=VALUE\n"
        "words a second. The encoding is motion, as for the page, unless --encoding names another. With ticks\n"
        "no positions come: this machine computes the ticks, and compares the hashes. Ctrl-C ends the command.\n"
        "\n"
        "  weftctl watch\n"
        "  weftctl watch --seconds 10 > figures.txt\n"
        "  weftctl watch --encoding grid --step 1/1024 --every 4\n"
        "  weftctl watch --encoding ticks\n"
        "\n"
        "Exit status: 0 ended by Ctrl-C or --seconds, 1 refused by the server or a hash differs, 2 wrong usage, 3 no\n"
        "connection, or the connection was lost.\n",
    .takers = SETTINGS_WATCH,
    .run = run,
};

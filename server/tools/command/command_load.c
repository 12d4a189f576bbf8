// SPDX-License-Identifier: MIT
// Figures are lines of NAME=VALUE words, for grep and awk; thresholds make the command a test.
#include "tools/command/command_load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/client/interrupt.h"
#include "tools/client/latency.h"
#include "tools/client/load_clients.h"
#include "tools/client/monotonic.h"
#include "tools/command/command_io.h"

#define LOAD_SETTLE_S 0.5 // after the last subscription: keyframes and topologies are on their way
#define LOAD_BEAT_MS 50
#define LOAD_LINE_S 1.0
#define LOAD_STRETCH_FRAMES 4000000u // at most, of one stretch of latency

// The frames of one viewer since counting began.
struct reception {
    uint64_t frames, tick;
    uint32_t epoch;
    double last_s; // arrival of the newest frame; 0: none yet
};

struct load {
    const struct settings *settings;
    struct load_clients *clients;
    struct reception *receptions;
    struct latency latency;
    bool counts;    // the viewers have settled
    double started; // s
    double shown;
    uint64_t frames, bytes, missed, frames_shown, missed_shown;
    double longest_gap_s; // longest time without a frame, of any viewer
};

static void on_frame(void *user, const struct load_frame *frame) {
    struct load *load = user;
    struct reception *reception = &load->receptions[frame->viewer];
    if (!load->counts) {
        return;
    }
    const uint64_t step = load->settings->every_ticks;
    if (reception->last_s > 0 && reception->epoch == frame->epoch) {
        const double gap = frame->arrival_s - reception->last_s;
        load->longest_gap_s = gap > load->longest_gap_s ? gap : load->longest_gap_s;
        load->missed += frame->before > reception->tick ? (frame->before - reception->tick) / step : 0;
    }
    *reception = (struct reception){reception->frames + frame->count, frame->tick, frame->epoch, frame->arrival_s};
    load->frames += frame->count;
    load->bytes += frame->bytes;
    if (frame->count > 0) { // changes of a world that stands are not due at any time
        latency_add(&load->latency, frame->tick, frame->arrival_s);
    }
}

// ---- figures --------------------------------------------------------------------------------------------------------

static uint32_t readers_of(const struct load *load) {
    return load->settings->clients - load->settings->stalled;
}

static void write_spread(const struct latency_spread *spread) {
    (void)printf(" p50Ms=%.3f p99Ms=%.3f maxMs=%.3f", latency_ms(spread, 0.5), latency_ms(spread, 0.99),
                 spread->most_ms);
}

static void write_ends(const struct load *load) {
    (void)printf(" lost=%u dropped=%u moved=%u\n", load_clients_lost(load->clients),
                 load_clients_dropped(load->clients), load_clients_moved(load->clients));
}

static enum exit_status write_line(struct load *load, double now) {
    const double elapsed = now - load->shown;
    const double frames = (double)(load->frames - load->frames_shown);
    latency_end_interval(&load->latency);
    (void)printf("seconds=%.1f framesPerSecond=%.2f missedFrames=%" PRIu64, now - load->started,
                 elapsed > 0 ? frames / elapsed / readers_of(load) : 0.0, load->missed - load->missed_shown);
    write_spread(&load->latency.since_shown);
    write_ends(load);
    load->shown = now;
    load->frames_shown = load->frames;
    load->missed_shown = load->missed;
    memset(&load->latency.since_shown, 0, sizeof load->latency.since_shown);
    return command_flush();
}

static double slowest_rate(const struct load *load, double elapsed) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < readers_of(load); i++) {
        least = load->receptions[i].frames < least ? load->receptions[i].frames : least;
    }
    return elapsed > 0 ? (double)least / elapsed : 0.0;
}

// Writes the last line, and checks the thresholds.
static enum exit_status conclude(struct load *load, double now) {
    const struct settings *settings = load->settings;
    const double elapsed = now - load->started;
    latency_end_interval(&load->latency);
    const double p99 = latency_ms(&load->latency.total, 0.99), slowest = slowest_rate(load, elapsed);
    (void)printf(
        "total seconds=%.2f clients=%u stalled=%u frames=%" PRIu64 " framesPerSecond=%.2f slowestPerSecond=%.2f"
        " bytesPerFrame=%.0f missedFrames=%" PRIu64 " longestGapMs=%.1f",
        elapsed, settings->clients, settings->stalled, load->frames,
        elapsed > 0 ? (double)load->frames / elapsed / readers_of(load) : 0.0, slowest,
        load->frames > 0 ? (double)load->bytes / (double)load->frames : 0.0, load->missed, load->longest_gap_s * 1e3);
    write_spread(&load->latency.total);
    write_ends(load);
    if (command_flush() != EXIT_DONE) {
        return EXIT_REFUSED;
    }
    if (load_clients_lost(load->clients) > 0) {
        return command_fail(EXIT_UNREACHABLE, "%u of %u viewers were disconnected", load_clients_lost(load->clients),
                            readers_of(load));
    }
    enum exit_status status = EXIT_DONE;
    if (settings->max_p99_ms > 0 && (load->frames == 0 || p99 > settings->max_p99_ms)) {
        status = load->frames == 0 ? command_fail(EXIT_MISSED, "no frame came, so there is no p99")
                                   : command_fail(EXIT_MISSED, "p99 is %.3f ms, above the %g ms of --max-p99", p99,
                                                  settings->max_p99_ms);
    }
    if (settings->min_rate > 0 && slowest < settings->min_rate) {
        status = command_fail(EXIT_MISSED, "a viewer got %.2f frames/s, below the %g of --min-rate", slowest,
                              settings->min_rate);
    }
    return status;
}

// ---- the run --------------------------------------------------------------------------------------------------------

static void settle(struct load *load) {
    const double end = monotonic_s() + LOAD_SETTLE_S;
    while (monotonic_s() < end && !interrupted()) {
        load_clients_service(load->clients, LOAD_BEAT_MS);
    }
    load->counts = true;
    load->started = load->shown = monotonic_s();
}

static enum exit_status watch_clients(struct load *load) {
    const struct settings *settings = load->settings;
    settle(load);
    double now = load->started;
    while (!interrupted() && load_clients_lost(load->clients) < readers_of(load) &&
           (settings->seconds <= 0 || now - load->started < settings->seconds)) {
        load_clients_service(load->clients, LOAD_BEAT_MS);
        now = monotonic_s();
        if (now - load->shown >= LOAD_LINE_S && write_line(load, now) != EXIT_DONE) {
            return EXIT_REFUSED;
        }
    }
    return conclude(load, now);
}

static enum exit_status run_load(struct load *load) {
    const struct settings *settings = load->settings;
    const struct load_plan plan = {.settings = settings,
                                   .clients = settings->clients,
                                   .stalled = settings->stalled,
                                   .user = load,
                                   .frame = on_frame};
    struct fault fault;
    load->receptions = calloc(settings->clients, sizeof *load->receptions);
    if (load->receptions == NULL) {
        return command_fail(EXIT_REFUSED, "out of memory");
    }
    if (load_clients_create(&plan, &load->clients, &fault) != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    const double hz = load_clients_tick_hz(load->clients);
    const double wanted = 2.0 * hz * settings->clients + 1000.0;
    if (latency_init(&load->latency, hz, wanted < LOAD_STRETCH_FRAMES ? (size_t)wanted : LOAD_STRETCH_FRAMES) !=
        RESULT_OK) {
        return command_fail(EXIT_REFUSED, "out of memory");
    }
    return watch_clients(load);
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    (void)arguments;
    if (count != 0) {
        return command_fail(EXIT_USAGE, "load takes no arguments; see weftctl help load");
    }
    if (settings->tls) { // a token must not be sent in the clear to a server with TLS
        return command_fail(EXIT_USAGE, "load does not support TLS; use a ws:// address of the server");
    }
    if (settings->stalled >= settings->clients) {
        return command_fail(EXIT_USAGE, "stalled must be fewer than clients, got %u of %u", settings->stalled,
                            settings->clients);
    }
    interrupt_catch();
    struct load *load = calloc(1, sizeof *load);
    if (load == NULL) {
        return command_fail(EXIT_REFUSED, "out of memory");
    }
    load->settings = settings;
    const enum exit_status status = run_load(load);
    load_clients_destroy(load->clients);
    latency_free(&load->latency);
    free(load->receptions);
    free(load);
    return status;
}

const struct command command_load = {
    .name = "load",
    .usage = "load [--clients N] [--seconds S] [--stalled K] [--max-p99 MS] [--min-rate HZ]",
    .summary = "connect many viewers, and show how fast and how late frames come",
    .help = "Connects --clients viewers, subscribes each to the frames of the world, and writes one line of\n"
            "NAME=VALUE words a second and one at the end: frames per second of a viewer, missing frames, and the\n"
            "lateness of frames (p50, p99 and maximum). Frames name their ticks, and ticks have a fixed rate: the\n"
            "lateness of a frame is how much later its last byte came than that rate allows, counted from the\n"
            "earliest frame of the same second. With --encoding ticks every tick counts as a frame; the ticks are not\n"
            "computed, only that none is missing is checked. The last --stalled of the viewers subscribe and never "
            "read: the\n"
            "server should disconnect them, and the others should not be affected. A world that moves to another\n"
            "node is followed there, and ticks that nobody was sent meanwhile count as missing. TLS is not supported.\n"
            "Ctrl-C ends the command.\n"
            "\n"
            "  weftctl load --clients 1000 --seconds 10\n"
            "  weftctl load --clients 5000 --encoding ticks\n"
            "  weftctl load --clients 500 --stalled 50 --seconds 30 --max-p99 5 --min-rate 59\n"
            "\n"
            "Exit status: 0 ended by Ctrl-C or --seconds with every threshold met, 2 wrong usage, 3 no connection,\n"
            "or a viewer that reads was disconnected, 4 a threshold was missed.\n",
    .takers = SETTINGS_LOAD,
    .run = run,
};

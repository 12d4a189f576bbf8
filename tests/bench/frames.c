// SPDX-License-Identifier: MIT
// What a recorded scene costs as frames in each coding: frames RECORDING STEPS_PER_M [STREAM]. Prints one line of JSON
// per coding: bytes a particle a frame, CPU ns a particle to encode and to decode (−1: not measured here). With STREAM
// the frames of the best coding are written there, each after its length in a u32, for the decoders of the page.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "packer.h"
#include "recording.h"
#include "rivals.h"

#define FIRST_COUNTED 3u // the codec warms up on as many frames
#define EVERY_MOST 8u

struct bill {
    double bytes, encode_ns, decode_ns;
};

static void write_bill(const char *name, const struct recording *recording, const struct bill *bill) {
    (void)printf("{\"coding\":\"%s\",\"particles\":%u,\"bytes\":%.5f,\"encodeNs\":%.3f,\"decodeNs\":%.3f}\n", name,
                 recording->particles, bill->bytes, bill->encode_ns, bill->decode_ns);
}

static void write_frame(FILE *stream, const uint8_t *bytes, size_t length) {
    const uint32_t word = (uint32_t)length;
    if (fwrite(&word, sizeof word, 1, stream) != 1 || fwrite(bytes, 1, length, stream) != length) {
        (void)fprintf(stderr, "the stream cannot be written\n");
        exit(1);
    }
}

// A stream of every `every`-th frame as the server packs it.
static bool bill_packer(const struct recording *recording, enum packer_coding coding, float step, uint32_t every,
                        FILE *stream, struct bill *bill) {
    struct packer *packer = packer_create(coding, recording->objects, recording->object_count, step);
    if (packer == NULL) {
        return false;
    }
    double seconds = 0.0, bytes = 0.0;
    uint32_t counted = 0;
    for (uint32_t at = 0, sent = 0; at < recording->frames; at += every, sent++) {
        recording_show(recording, at);
        const double started = cpu_s();
        const size_t length = packer_pack(packer, at + 1, recording->x, recording->y, recording->z);
        const double ended = cpu_s();
        if (sent >= FIRST_COUNTED) {
            seconds += ended - started;
            bytes += (double)length;
            counted++;
        }
        if (stream != NULL) {
            write_frame(stream, packer_bytes(packer), length);
        }
    }
    const double share = (double)counted * recording->particles;
    *bill = (struct bill){bytes / share, 1e9 * seconds / share, -1.0};
    packer_destroy(packer);
    return true;
}

// The last frame again, as a keyframe and as what is sent when everything sleeps.
static bool bill_single(const struct recording *recording, enum packer_coding coding, float step, bool asleep,
                        struct bill *bill) {
    struct packer *packer = packer_create(coding, recording->objects, recording->object_count, step);
    if (packer == NULL) {
        return false;
    }
    double bytes = 0.0;
    for (uint32_t at = 0; at < recording->frames; at++) {
        recording_show(recording, at);
        (void)packer_pack(packer, at + 1, recording->x, recording->y, recording->z);
        bytes += (double)(asleep ? packer_pack_asleep(packer) : packer_pack_keyframe(packer));
    }
    *bill = (struct bill){bytes / recording->frames / recording->particles, -1.0, -1.0};
    packer_destroy(packer);
    return true;
}

static void bill_rival(const struct recording *recording, const struct rival *rival, float step) {
    struct rival_cost cost = {0};
    for (uint32_t at = 0; at < recording->frames; at++) {
        recording_show(recording, at);
        rival_take(recording->x, recording->y, recording->z, recording->particles, step, at == 0);
        if (at > 0 && !rival->run(recording->particles, &cost)) {
            (void)fprintf(stderr, "%s does not give back what it was given\n", rival->name);
            exit(1);
        }
    }
    const double share = (double)(recording->frames - 1) * recording->particles;
    const struct bill bill = {(double)cost.bytes / share, 1e9 * cost.encode_s / share, 1e9 * cost.decode_s / share};
    write_bill(rival->name, recording, &bill);
}

static void bill_own(const struct recording *recording, float step, FILE *stream) {
    static const char *const names[] = {"raw", "grid", "codec"};
    struct bill bill;
    for (enum packer_coding coding = PACKER_RAW; coding <= PACKER_CODEC; coding++) {
        if (bill_packer(recording, coding, step, 1, coding == PACKER_BEST ? stream : NULL, &bill)) {
            write_bill(names[coding], recording, &bill);
        }
    }
    if (bill_single(recording, PACKER_BEST, step, false, &bill)) {
        write_bill("keyframe", recording, &bill);
    }
    if (bill_single(recording, PACKER_BEST, step, true, &bill)) {
        write_bill("asleep", recording, &bill);
    }
    for (uint32_t every = 2; every <= EVERY_MOST; every *= 2) {
        char name[16];
        (void)snprintf(name, sizeof name, "every%u", every);
        if (bill_packer(recording, PACKER_BEST, step, every, NULL, &bill)) {
            write_bill(name, recording, &bill);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) {
        (void)fprintf(stderr, "frames RECORDING STEPS_PER_M [STREAM]\n");
        return 2;
    }
    struct recording recording;
    FILE *stream = argc == 4 ? fopen(argv[3], "wb") : NULL;
    if (!recording_read(&recording, argv[1]) || (argc == 4 && stream == NULL) || !rival_init(recording.particles)) {
        (void)fprintf(stderr, "%s cannot be read, or there is no memory for it\n", argv[1]);
        return 1;
    }
    const float step = 1.0f / strtof(argv[2], NULL);
    bill_own(&recording, step, stream);
    for (size_t at = 0; at < rival_count; at++) {
        bill_rival(&recording, &rivals[at], step);
    }
    rival_free();
    recording_free(&recording);
    return stream != NULL && fclose(stream) != 0 ? 1 : 0;
}

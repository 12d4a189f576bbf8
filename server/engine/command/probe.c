// SPDX-License-Identifier: MIT
// Long replies are copied from the simulation between two ticks, and the host may have their text written later.
#include "engine/command/probe.h"

#include <stdlib.h>

#include "engine/command/command.h"
#include "sim/probe.h"

#define WRITE_INLINE_MAX 1000u // sticks or contacts written out between two ticks

// ---- what is long ------------------------------------------------------------------------------------------------

struct stick_copy {
    uint32_t a, b;
    float rest, length; // m
};

struct batch_copy {
    struct sim_batch_view batch;
    uint32_t end;
};

// Copied between two ticks, written later; `batches` lie behind the sticks.
struct probe {
    struct engine_long_reply reply; // first, so that a reply is its probe
    uint64_t tick;
    void (*write)(const struct probe *probe, struct json_writer *out);
    uint32_t epoch, from, count, total;
    bool lengths_only, complete;
    uint32_t batches;
    struct batch_copy *batch;
    struct stick_copy *stick;
    struct sim_contact *contact;
};

static void free_probe(struct probe *probe) {
    if (probe != NULL) {
        free(probe->batch);
        free(probe->stick);
        free(probe->contact);
        free(probe);
    }
}

static void write_reply(const struct engine_long_reply *reply, struct json_writer *out) {
    const struct probe *probe = (const struct probe *)reply;
    probe->write(probe, out);
}

static void free_reply(struct engine_long_reply *reply) {
    free_probe((struct probe *)reply);
}

static struct probe *new_probe(const struct command_call *call,
                               void (*write)(const struct probe *probe, struct json_writer *out)) {
    struct probe *probe = calloc(1, sizeof *probe);
    if (probe != NULL) {
        probe->reply = (struct engine_long_reply){.write = write_reply, .free = free_reply};
        probe->tick = sim_world_tick(call->world->sim);
        probe->epoch = sim_world_epoch(call->world->sim);
        probe->write = write;
    }
    return probe;
}

// Writes it now, or leaves that to the host; takes the probe.
static enum result answer(struct command_call *call, struct probe *probe) {
    const struct engine_host *host = &call->world->host;
    if (probe->count <= WRITE_INLINE_MAX || !call->id->present || call->client == NULL || host->reply_later == NULL) {
        probe->write(probe, call->result);
        free_probe(probe);
        return RESULT_OK;
    }
    const enum result result = host->reply_later(host->context, call->client->id, call->id, &probe->reply);
    if (result != RESULT_OK) {
        free_probe(probe);
        return fault_set(call->fault, result, "", "too many long answers are being written: try again");
    }
    call->deferred = true;
    return RESULT_OK;
}

// ---- sticks ------------------------------------------------------------------------------------------------------

_Static_assert((int)SIM_STICK_KIND_COUNT == (int)PROTO_STICK_ADD_KIND_COUNT, "kinds of stick");

static void write_layout(const struct probe *probe, struct json_writer *out) {
    json_writer_key(out, "restLengths");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_float(out, probe->stick[i].rest);
    }
    json_writer_close_array(out);
    json_writer_key(out, "ends");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_unsigned(out, probe->stick[i].a);
        json_writer_unsigned(out, probe->stick[i].b);
    }
    json_writer_close_array(out);
    json_writer_key(out, "batches");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < probe->batches; i++) {
        json_writer_open_object(out);
        json_writer_member_string(out, "kind", proto_stick_add_kind_names[probe->batch[i].batch.kind]);
        json_writer_member_boolean(out, "bends", probe->batch[i].batch.bends);
        json_writer_member_float(out, "compliance", probe->batch[i].batch.compliance);
        json_writer_member_unsigned(out, "end", probe->batch[i].end);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
}

static void write_sticks(const struct probe *probe, struct json_writer *out) {
    json_writer_member_unsigned(out, "tick", probe->tick);
    json_writer_member_unsigned(out, "epoch", probe->epoch);
    json_writer_member_unsigned(out, "sticks", probe->total);
    json_writer_member_unsigned(out, "from", probe->from);
    json_writer_key(out, "lengths");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_float(out, probe->stick[i].length);
    }
    json_writer_close_array(out);
    if (!probe->lengths_only) {
        write_layout(probe, out);
    }
}

static bool copy_batches(const struct sim_world *sim, uint32_t index, const struct sim_sticks_view *sticks,
                         struct probe *probe) {
    probe->batch = malloc((sticks->batches + 1) * sizeof *probe->batch);
    for (uint32_t i = 0; probe->batch != NULL && i < sticks->batches; i++) {
        probe->batch[i] = (struct batch_copy){sim_object_batch(sim, index, i), sticks->batch_end[i]};
        probe->batches++;
    }
    return probe->batch != NULL;
}

static bool copy_sticks(const struct sim_world *sim, uint32_t index, uint32_t most, struct probe *probe) {
    const struct sim_sticks_view sticks = sim_object_sticks(sim, index);
    const uint32_t from = probe->from < sticks.count ? probe->from : sticks.count;
    const uint32_t count = sticks.count - from < most ? sticks.count - from : most;
    probe->total = sticks.count;
    probe->stick = malloc((count + 1) * sizeof *probe->stick);
    if (probe->stick == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t stick = from + i;
        probe->stick[i] = (struct stick_copy){sticks.a[stick], sticks.b[stick], sticks.rest[stick],
                                              sim_object_stick_length(sim, index, stick)};
    }
    probe->count = count;
    return probe->lengths_only || copy_batches(sim, index, &sticks, probe);
}

enum result command_object_sticks(struct command_call *call) {
    const struct proto_object_sticks *params = call->command->params;
    const struct sim_world *sim = call->world->sim;
    uint32_t object;
    struct sim_object_view view;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_object_find(sim, object, &view, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    uint32_t index = 0;
    while (sim_world_object_at(sim, index).id != object) {
        index++;
    }
    struct probe *probe = new_probe(call, write_sticks);
    if (probe != NULL) {
        probe->from = params->from;
        probe->lengths_only = params->lengths_only;
    }
    if (probe == NULL || !copy_sticks(sim, index, params->most, probe)) {
        free_probe(probe);
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    return answer(call, probe);
}

// ---- the whole world ---------------------------------------------------------------------------------------------

static void write_triple(struct json_writer *out, const char *key, struct sim_triple triple) {
    json_writer_key(out, key);
    json_writer_open_array(out);
    json_writer_double(out, triple.x);
    json_writer_double(out, triple.y);
    json_writer_double(out, triple.z);
    json_writer_close_array(out);
}

static void write_stretch(struct json_writer *out, const struct sim_measure *measure) {
    json_writer_key(out, "stretch");
    json_writer_open_object(out);
    json_writer_member_double(out, "mean", measure->mean_stretch);
    json_writer_member_double(out, "worst", measure->worst_stretch);
    if (measure->worst[0].object != 0 && measure->worst[0].object == measure->worst[1].object) {
        json_writer_member_unsigned(out, "object", measure->worst[0].object);
        json_writer_key(out, "particles");
        json_writer_open_array(out);
        json_writer_unsigned(out, measure->worst[0].particle);
        json_writer_unsigned(out, measure->worst[1].particle);
        json_writer_close_array(out);
    }
    json_writer_member_unsigned(out, "sticks", measure->sticks);
    json_writer_close_object(out);
}

enum result command_world_measure(struct command_call *call) {
    const struct sim_measure measure = sim_world_measure(call->world->sim);
    json_writer_member_unsigned(call->result, "tick", sim_world_tick(call->world->sim));
    json_writer_member_double(call->result, "mass", measure.mass);
    json_writer_member_double(call->result, "kineticEnergy", measure.kinetic);
    json_writer_member_double(call->result, "potentialEnergy", measure.potential);
    write_triple(call->result, "momentum", measure.momentum);
    write_triple(call->result, "angularMomentum", measure.angular_momentum);
    write_triple(call->result, "centre", measure.centre);
    write_stretch(call->result, &measure);
    json_writer_key(call->result, "compliance");
    json_writer_open_object(call->result);
    json_writer_member_double(call->result, "residual", measure.compliance_residual);
    json_writer_member_unsigned(call->result, "sticks", measure.compliant_sticks);
    json_writer_close_object(call->result);
    return RESULT_OK;
}

// ---- contacts ----------------------------------------------------------------------------------------------------

static const char *const contact_kinds[SIM_CONTACT_KIND_COUNT] = {
    [SIM_CONTACT_OBSTACLE] = "obstacle", [SIM_CONTACT_BOUNDS] = "bounds", [SIM_CONTACT_BODY] = "body",
    [SIM_CONTACT_SELF] = "self",         [SIM_CONTACT_CLOTH] = "cloth",
};

static void open_list(struct json_writer *out, const char *key) {
    json_writer_key(out, key);
    json_writer_open_array(out);
}

static void write_what(const struct probe *probe, struct json_writer *out) {
    open_list(out, "kinds");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_string(out, contact_kinds[probe->contact[i].kind]);
    }
    json_writer_close_array(out);
    open_list(out, "objects");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_unsigned(out, probe->contact[i].object);
    }
    json_writer_close_array(out);
    open_list(out, "others");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_unsigned(out, probe->contact[i].other);
    }
    json_writer_close_array(out);
}

static void write_where(const struct probe *probe, struct json_writer *out) {
    open_list(out, "points");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_vec3(out, probe->contact[i].point);
    }
    json_writer_close_array(out);
    open_list(out, "normals");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_vec3(out, probe->contact[i].normal);
    }
    json_writer_close_array(out);
    open_list(out, "depths");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_float(out, probe->contact[i].depth);
    }
    json_writer_close_array(out);
}

static void write_contacts(const struct probe *probe, struct json_writer *out) {
    json_writer_member_unsigned(out, "tick", probe->tick);
    json_writer_member_unsigned(out, "contacts", probe->total);
    json_writer_member_boolean(out, "complete", probe->complete);
    write_what(probe, out);
    write_where(probe, out);
    open_list(out, "slips");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_float(out, probe->contact[i].slip);
    }
    json_writer_close_array(out);
    open_list(out, "frictions");
    for (uint32_t i = 0; i < probe->count; i++) {
        json_writer_float(out, probe->contact[i].friction);
    }
    json_writer_close_array(out);
}

enum result command_world_contacts(struct command_call *call) {
    const struct proto_world_contacts *params = call->command->params;
    struct probe *probe = new_probe(call, write_contacts);
    if (probe != NULL) {
        probe->contact = malloc(params->most * sizeof *probe->contact);
    }
    if (probe == NULL || probe->contact == NULL) {
        free_probe(probe);
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    probe->count = sim_world_contacts(call->world->sim, probe->contact, params->most, &probe->total, &probe->complete);
    return answer(call, probe);
}

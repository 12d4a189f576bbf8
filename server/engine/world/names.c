// SPDX-License-Identifier: MIT
#include "engine/world/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/client/client.h"
#include "engine/record/record.h"
#include "engine/world/scene_record.h"
#include "proto/message/method.h"

#define METHOD_NAME_MAX 64

enum { MASSES_CHANGED = 1, SET_SINCE = 2 };

// ---- writing -----------------------------------------------------------------------------------------------------

static void write_object(const struct object_record *record, struct bytes *out) {
    bytes_add_u32(out, record->id);
    bytes_add_text(out, record->name);
    bytes_add_u32(out, record->has_color ? 1 : 0);
    bytes_add_u32(out, record->color);
    bytes_add_text(out, proto_methods[record->method].name);
    bytes_add_block(out, record->params, record->params_length);
    bytes_add_u32(out, record->particles);
    bytes_add_block(out, record->pins, record->pin_count * sizeof *record->pins);
    bytes_add_u32(out, record->pins_moved ? 1 : 0);
    bytes_add_u32(out, (record->masses_changed ? MASSES_CHANGED : 0) | (record->set ? SET_SINCE : 0));
}

void engine_save_names(const struct engine_world *world, struct bytes *out) {
    bytes_add_u32(out, ENGINE_NAMES_VERSION);
    bytes_add_u32(out, world->running ? 1 : 0);
    bytes_add_u32(out, world->next_client);
    engine_write_scene(world, out);
    bytes_add_u32(out, world->object_count);
    for (uint32_t i = 0; i < world->object_count; i++) {
        write_object(&world->objects[i], out);
    }
    bytes_add_u32(out, world->obstacle_count);
    for (uint32_t i = 0; i < world->obstacle_count; i++) {
        const struct obstacle_record *record = &world->obstacles[i];
        bytes_add_u32(out, record->id);
        bytes_add_text(out, record->name);
        bytes_add_u32(out, record->has_color ? 1 : 0);
        bytes_add_u32(out, record->color);
    }
    bytes_add_u32(out, world->grab_count);
    for (uint32_t i = 0; i < world->grab_count; i++) {
        bytes_add_u32(out, world->grabs[i].id);
        bytes_add_u32(out, world->grabs[i].number);
    }
}

// ---- reading -----------------------------------------------------------------------------------------------------

static bool is_plain_text(const char *text) {
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t code = 0;
        const size_t step = utf8_read(text + at, length - at, &code);
        if (step == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0)) {
            return false;
        }
        at += step;
    }
    return true;
}

static bool read_look(struct bytes_reader *in, char name[RECORD_NAME_MAX], bool *has_color, uint32_t *color) {
    bytes_take_text(in, name, RECORD_NAME_MAX);
    *has_color = bytes_take_u32(in) != 0;
    *color = bytes_take_u32(in) & 0xffffffu;
    return !in->failed && is_plain_text(name);
}

// These give RESULT_INVALID for bytes that do not fit the world, RESULT_MEMORY when memory is out.
static enum result read_pins(struct bytes_reader *in, struct object_record *record) {
    size_t length;
    const unsigned char *block = bytes_take_block(in, &length);
    if (block == NULL || length % sizeof *record->pins != 0 || length / sizeof *record->pins > record->particles) {
        return RESULT_INVALID;
    }
    if (length > 0) {
        record->pins = malloc(length);
        if (record->pins == NULL) {
            return RESULT_MEMORY;
        }
        memcpy(record->pins, block, length);
        record->pin_count = (uint32_t)(length / sizeof *record->pins);
    }
    for (uint32_t i = 0; i < record->pin_count; i++) {
        if (record->pins[i] >= record->particles || (i > 0 && record->pins[i] <= record->pins[i - 1])) {
            return RESULT_INVALID;
        }
    }
    return RESULT_OK;
}

// What it holds already is its own, also when it turns out to be none.
static enum result read_object(struct bytes_reader *in, const struct sim_object_view *view,
                               struct object_record *record) {
    char method[METHOD_NAME_MAX];
    record->id = bytes_take_u32(in);
    if (record->id != view->id || !read_look(in, record->name, &record->has_color, &record->color)) {
        return RESULT_INVALID;
    }
    bytes_take_text(in, method, sizeof method);
    if (in->failed || !proto_method_find(method, &record->method) ||
        proto_methods[record->method].makes != PROTO_MAKES_OBJECT) {
        return RESULT_INVALID;
    }
    const unsigned char *params = bytes_take_block(in, &record->params_length);
    if (params == NULL || record->params_length == 0) {
        return RESULT_INVALID;
    }
    record->params = malloc(record->params_length);
    if (record->params == NULL) {
        return RESULT_MEMORY;
    }
    memcpy(record->params, params, record->params_length);
    record->particles = bytes_take_u32(in);
    if (in->failed || record->particles > view->particles) {
        return RESULT_INVALID;
    }
    const enum result result = read_pins(in, record);
    if (result != RESULT_OK) {
        return result;
    }
    record->pins_moved = bytes_take_u32(in) != 0;
    const uint32_t changed = bytes_take_u32(in);
    record->masses_changed = (changed & MASSES_CHANGED) != 0;
    record->set = (changed & SET_SINCE) != 0;
    return in->failed ? RESULT_INVALID : RESULT_OK;
}

static enum result read_objects(struct engine_world *world, struct bytes_reader *in) {
    const uint32_t count = bytes_take_u32(in);
    enum result result = RESULT_OK;
    if (in->failed || count != sim_world_object_count(world->sim)) {
        return RESULT_INVALID;
    }
    world->objects = calloc((size_t)count + 1, sizeof *world->objects);
    if (world->objects == NULL) {
        return RESULT_MEMORY;
    }
    world->object_capacity = count + 1;
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        world->object_count++;
        result = read_object(in, &view, &world->objects[i]);
    }
    return result;
}

static enum result read_obstacles(struct engine_world *world, struct bytes_reader *in) {
    const uint32_t count = bytes_take_u32(in);
    if (in->failed || count != sim_world_obstacle_count(world->sim)) {
        return RESULT_INVALID;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct obstacle_record *record = engine_add_obstacle(world, bytes_take_u32(in));
        if (record == NULL) {
            return RESULT_MEMORY;
        }
        if (record->id != sim_world_obstacle_at(world->sim, i)->id ||
            !read_look(in, record->name, &record->has_color, &record->color)) {
            return RESULT_INVALID;
        }
    }
    return RESULT_OK;
}

static enum result read_grabs(struct engine_world *world, struct bytes_reader *in) {
    const uint32_t count = bytes_take_u32(in);
    if (in->failed || count != sim_world_grab_count(world->sim)) {
        return RESULT_INVALID;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = bytes_take_u32(in);
        const struct client holder = engine_logged_client(bytes_take_u32(in));
        if (in->failed || id != sim_world_grab_at(world->sim, i).id) {
            return RESULT_INVALID;
        }
        if (engine_add_grab(world, id, &holder) == NULL) {
            return RESULT_MEMORY;
        }
    }
    return RESULT_OK;
}

static enum result read_records(struct engine_world *world, struct bytes_reader *in) {
    enum result result = read_objects(world, in);
    result = result == RESULT_OK ? read_obstacles(world, in) : result;
    result = result == RESULT_OK ? read_grabs(world, in) : result;
    return result == RESULT_OK && !bytes_are_read(in) ? RESULT_INVALID : result;
}

enum result engine_load_names(struct engine_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct bytes_reader in = {.data = bytes, .length = length};
    const uint32_t version = bytes_take_u32(&in);
    engine_free_records(world);
    if (!in.failed && version != ENGINE_NAMES_VERSION) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot's names are of version %u, this server reads %u",
                         version, ENGINE_NAMES_VERSION);
    }
    world->running = bytes_take_u32(&in) != 0;
    const uint32_t next_client = bytes_take_u32(&in);
    world->next_client = next_client > world->next_client ? next_client : world->next_client;
    enum result result = engine_read_scene(world, &in, fault);
    if (result == RESULT_OK) {
        result = read_records(world, &in);
        if (result != RESULT_OK) {
            fault_set(fault, result, "",
                      result == RESULT_MEMORY ? "out of memory"
                                              : "the snapshot cannot be used: its names do not fit its objects");
        }
    }
    if (result != RESULT_OK) {
        engine_free_records(world);
    }
    return result;
}

// SPDX-License-Identifier: MIT
// Names, pointers and selections are no state of the world: they are not recorded, not saved, and go with their client.
#include "engine/command/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/client/client.h"
#include "engine/describe/describe.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/person.h"

#define LISTED_MAX 256u // people that one answer tells of

// ---- names and colors ---------------------------------------------------------------------------------------------

static bool shows_nothing(const char *name) {
    return strspn(name, " ") == strlen(name);
}

enum result command_client_introduce(struct command_call *call) {
    const struct proto_client_introduce *params = call->command->params;
    struct person person = call->client->person;
    if (params->has_name && shows_nothing(params->name)) {
        return fault_set(call->fault, RESULT_INVALID, "/name",
                         "name must be a string of 1 to %u characters without control, invisible or direction-changing "
                         "ones, not all of them spaces",
                         PERSON_CHARACTERS_MAX);
    }
    if (params->has_name) {
        person_set_name(&person, params->name);
        person.named = true;
    }
    person.color = params->has_color ? params->color : person.color;
    call->client->person = person;
    client_describe(call->client, call->result);
    client_tell_changed(call->world, call->client);
    return RESULT_OK;
}

// ---- what is selected --------------------------------------------------------------------------------------------

// Objects and obstacles never share an id.
static bool is_selectable(struct engine_world *world, uint32_t id) {
    return engine_find_object(world, id) != NULL || engine_find_obstacle(world, id) != NULL;
}

static enum result check_objects(const struct command_call *call, const struct proto_indices *objects) {
    char pointer[32];
    for (uint32_t i = 0; i < objects->count; i++) {
        if (!is_selectable(call->world, objects->items[i])) {
            snprintf(pointer, sizeof pointer, "/objects/%u", i);
            return fault_set(call->fault, RESULT_NOT_FOUND, pointer, "there is no object %u: object.list tells which",
                             objects->items[i]);
        }
    }
    return RESULT_OK;
}

static enum result check_runs(const struct command_call *call, const struct proto_indices *runs) {
    char pointer[32];
    for (uint32_t i = 0; i + 2 < runs->count; i += 3) {
        const uint32_t id = runs->items[i], first = runs->items[i + 1], count = runs->items[i + 2];
        struct sim_object_view view;
        snprintf(pointer, sizeof pointer, "/particles/%u", i / 3);
        if (sim_object_find(call->world->sim, id, &view, NULL) != RESULT_OK) {
            return fault_set(call->fault, RESULT_NOT_FOUND, pointer, "there is no object %u: object.list tells which",
                             id);
        }
        if (count == 0 || first >= view.particles || count > view.particles - first) {
            return fault_set(call->fault, RESULT_INVALID, pointer,
                             "particles must hold runs [object, first, count] of at least one particle, object %u has "
                             "%u, got first %u, count %u",
                             id, view.particles, first, count);
        }
    }
    return RESULT_OK;
}

// Ids, then runs; none at all needs no memory.
static bool keep_selection(struct client *client, const struct proto_indices *objects,
                           const struct proto_indices *runs) {
    const uint32_t count = objects->count + runs->count;
    uint32_t *selected = NULL;
    if (count > 0) {
        selected = malloc(count * sizeof *selected);
        if (selected == NULL) {
            return false;
        }
        if (objects->count > 0) {
            memcpy(selected, objects->items, objects->count * sizeof *selected);
        }
        if (runs->count > 0) {
            memcpy(selected + objects->count, runs->items, runs->count * sizeof *selected);
        }
    }
    free(client->selected);
    client->selected = selected;
    client->selected_objects = objects->count;
    client->selected_words = count;
    return true;
}

// What has gone since is left out.
static void describe_selection(struct engine_world *world, const struct client *client, struct json_writer *out) {
    json_writer_key(out, "objects");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < client->selected_objects; i++) {
        if (is_selectable(world, client->selected[i])) {
            json_writer_unsigned(out, client->selected[i]);
        }
    }
    json_writer_close_array(out);
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    for (uint32_t i = client->selected_objects; i + 2 < client->selected_words; i += 3) {
        if (engine_find_object(world, client->selected[i]) != NULL) {
            json_writer_open_array(out);
            for (uint32_t k = 0; k < 3; k++) {
                json_writer_unsigned(out, client->selected[i + k]);
            }
            json_writer_close_array(out);
        }
    }
    json_writer_close_array(out);
}

enum result command_selection_show(struct command_call *call) {
    const struct proto_selection_show *params = call->command->params;
    struct engine_world *world = call->world;
    enum result result = check_objects(call, &params->objects);
    if (result == RESULT_OK) {
        result = check_runs(call, &params->particles);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (!keep_selection(call->client, &params->objects, &params->particles)) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    if (engine_wants_event(world, PROTO_EVENT_NAME_SELECTION_CHANGED)) {
        json_writer_clear(&world->text);
        json_writer_open_object(&world->text);
        json_writer_member_unsigned(&world->text, "client", call->client->number);
        describe_selection(world, call->client, &world->text);
        json_writer_close_object(&world->text);
        engine_queue_event(world, PROTO_EVENT_NAME_SELECTION_CHANGED, &world->text);
        engine_flush_events(world);
    }
    return RESULT_OK;
}

// ---- everyone ----------------------------------------------------------------------------------------------------

static uint32_t client_of(const struct engine_world *world, uint32_t grab) {
    for (uint32_t i = 0; i < world->grab_count; i++) {
        if (world->grabs[i].id == grab) {
            return world->grabs[i].number;
        }
    }
    return 0;
}

const struct client *client_find_holder(struct engine_world *world, uint32_t object, uint32_t particle) {
    for (uint32_t i = 0; i < sim_world_grab_count(world->sim); i++) {
        const struct sim_grab_view grab = sim_world_grab_at(world->sim, i);
        bool held = false;
        for (uint32_t k = 0; k < grab.carriers; k++) {
            held = held || (grab.object == object && grab.particle[k] == particle);
        }
        const uint32_t client = held ? client_of(world, grab.id) : 0;
        for (uint32_t k = 0; held && k < world->client_count; k++) {
            if (world->clients[k].number == client) {
                return &world->clients[k];
            }
        }
    }
    return NULL;
}

static void describe_held(struct engine_world *world, const struct client *client, struct json_writer *out) {
    json_writer_key(out, "grabs");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < sim_world_grab_count(world->sim); i++) {
        const struct sim_grab_view grab = sim_world_grab_at(world->sim, i);
        if (client_of(world, grab.id) == client->number) {
            json_writer_open_object(out);
            describe_grab_members(world, &grab, out);
            json_writer_close_object(out);
        }
    }
    json_writer_close_array(out);
}

static void describe_one(struct engine_world *world, const struct client *client, struct json_writer *out) {
    json_writer_open_object(out);
    client_describe(client, out);
    describe_held(world, client, out);
    json_writer_key(out, "selection");
    json_writer_open_object(out);
    describe_selection(world, client, out);
    json_writer_close_object(out);
    if (client->points) {
        json_writer_member_vec3(out, "pointer", client->pointer);
    }
    json_writer_close_object(out);
}

struct comer {
    uint32_t client, index; // of its client
};

static int compare_comers(const void *a, const void *b) {
    const uint32_t left = ((const struct comer *)a)->client, right = ((const struct comer *)b)->client;
    return (left > right) - (left < right);
}

enum result command_people_list(struct command_call *call) {
    struct engine_world *world = call->world;
    struct comer *comers = malloc((world->client_count + 1) * sizeof *comers);
    if (comers == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->client_count; i++) {
        if (!world->clients[i].passing) {
            comers[count++] = (struct comer){world->clients[i].number, i};
        }
    }
    qsort(comers, count, sizeof *comers, compare_comers); // sessions that end leave gaps, which later ones fill
    json_writer_key(call->result, "people");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < count && i < LISTED_MAX; i++) {
        describe_one(world, &world->clients[comers[i].index], call->result);
    }
    json_writer_close_array(call->result);
    json_writer_member_unsigned(call->result, "clients", count);
    free(comers);
    return RESULT_OK;
}

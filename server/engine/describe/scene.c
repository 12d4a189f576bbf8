// SPDX-License-Identifier: MIT
// The parameters, the obstacles, the commands that made the objects as they were given, then pins, masses and sticks as
// they are now. Momentary motion is not part of a scene, nor are tears: a torn cloth is saved whole, and sticks to
// particles that tearing made are left out.
#include "engine/describe/scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/describe/describe.h"
#include "engine/record/record.h"

static void open_command(struct json_writer *out, const char *method, uint32_t *count) {
    json_writer_line(out);
    json_writer_open_object(out);
    json_writer_member_string(out, "method", method);
    json_writer_key(out, "params");
    (*count)++;
}

static void write_ref(struct json_writer *out, uint32_t command) {
    char text[16];
    snprintf(text, sizeof text, "$%u", command);
    json_writer_member_string(out, "object", text);
}

static void write_obstacles(struct engine_world *world, struct json_writer *out, uint32_t *count) {
    for (uint32_t i = 0; i < sim_world_obstacle_count(world->sim); i++) {
        open_command(out, "obstacle.add", count);
        json_writer_open_object(out);
        describe_obstacle_going_on(world, i, out);
        json_writer_close_object(out);
        json_writer_close_object(out);
    }
}

static bool was_pinned(const struct object_record *record, uint32_t index) {
    uint32_t low = 0, high = record->pin_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (record->pins[middle] == index) {
            return true;
        }
        if (record->pins[middle] < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

static void write_pin(const struct sim_particles_view *all, uint32_t slot, uint32_t index, uint32_t command,
                      struct json_writer *out, uint32_t *count) {
    open_command(out, "particle.pin", count);
    json_writer_open_object(out);
    write_ref(out, command);
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    json_writer_unsigned(out, index);
    json_writer_close_array(out);
    json_writer_member_vec3(out, "position", (struct vec3){all->x[slot], all->y[slot], all->z[slot]});
    json_writer_close_object(out);
    json_writer_close_object(out);
}

// Pins that came, moved or went since the object was made.
static void write_pins(struct engine_world *world, const struct object_record *record,
                       const struct sim_object_view *view, uint32_t command, struct json_writer *out, uint32_t *count) {
    struct sim_particles_view all = sim_world_particles(world->sim);
    bool unpinned = false;
    for (uint32_t i = 0; i < record->particles; i++) {
        uint32_t slot = view->first + i;
        bool before = was_pinned(record, i), now = sim_particle_is_pinned(world->sim, slot);
        unpinned = unpinned || (before && !now);
        if (now && (!before || record->pins_moved)) {
            write_pin(&all, slot, i, command, out, count);
        }
    }
    if (!unpinned) {
        return;
    }
    open_command(out, "particle.unpin", count);
    json_writer_open_object(out);
    write_ref(out, command);
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < record->pin_count; i++) {
        if (!sim_particle_is_pinned(world->sim, view->first + record->pins[i])) {
            json_writer_unsigned(out, record->pins[i]);
        }
    }
    json_writer_close_array(out);
    json_writer_close_object(out);
    json_writer_close_object(out);
}

// Inverse masses as they are, a command for each run of equal ones.
static void write_masses(struct engine_world *world, const struct object_record *record,
                         const struct sim_object_view *view, uint32_t command, struct json_writer *out,
                         uint32_t *count) {
    for (uint32_t i = 0; i < record->particles;) {
        float inverse_mass = sim_particle_own_inverse_mass(world->sim, view->first + i);
        open_command(out, "particle.set", count);
        json_writer_open_object(out);
        write_ref(out, command);
        json_writer_member_float(out, "inverseMass", inverse_mass);
        json_writer_key(out, "particles");
        json_writer_open_array(out);
        while (i < record->particles && sim_particle_own_inverse_mass(world->sim, view->first + i) == inverse_mass) {
            json_writer_unsigned(out, i++);
        }
        json_writer_close_array(out);
        json_writer_close_object(out);
        json_writer_close_object(out);
    }
}

// A color, name or material that it was given since.
static void write_look(const struct object_record *record, const struct sim_object_view *view, uint32_t command,
                       struct json_writer *out, uint32_t *count) {
    open_command(out, "object.set", count);
    json_writer_open_object(out);
    write_ref(out, command);
    if (record->name[0] != '\0') {
        json_writer_member_string(out, "name", record->name);
    }
    if (record->has_color) {
        char text[8];
        snprintf(text, sizeof text, "#%06x", record->color & 0xffffffu);
        json_writer_member_string(out, "color", text);
    }
    json_writer_member_float(out, "friction", view->friction);
    json_writer_member_float(out, "restitution", view->restitution);
    describe_stiffness(view, out);
    json_writer_close_object(out);
    json_writer_close_object(out);
}

// Returns for each object the number of the command that makes it, in the order of the objects.
static uint32_t *write_objects(struct engine_world *world, struct json_writer *out, uint32_t *count) {
    uint32_t objects = sim_world_object_count(world->sim);
    uint32_t *made_by = malloc((objects + 1) * sizeof *made_by);
    for (uint32_t i = 0; made_by != NULL && i < objects; i++) {
        struct sim_object_view view = sim_world_object_at(world->sim, i);
        const struct object_record *record = engine_find_object(world, view.id);
        made_by[i] = *count;
        open_command(out, proto_methods[record->method].name, count);
        json_writer_raw(out, record->params, record->params_length);
        json_writer_close_object(out);
        if (record->set) {
            write_look(record, &view, made_by[i], out, count);
        }
        write_pins(world, record, &view, made_by[i], out, count);
        if (record->masses_changed) {
            write_masses(world, record, &view, made_by[i], out, count);
        }
    }
    return made_by;
}

static uint32_t object_index(const struct sim_world *sim, uint32_t id) {
    uint32_t low = 0, high = sim_world_object_count(sim);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (sim_world_object_at(sim, middle).id <= id) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool was_made_with(struct engine_world *world, struct sim_stick_end end, const struct sim_stick_point *point) {
    const struct object_record *record = engine_find_object(world, end.object);
    bool was = record != NULL && end.particle < record->particles;
    for (uint32_t k = 0; k < point->carriers && was; k++) {
        was = point->particle[k] < record->particles;
    }
    return was;
}

static void write_sticks(struct engine_world *world, const uint32_t *made_by, struct json_writer *out,
                         uint32_t *count) {
    for (uint32_t i = 0; i < sim_world_stick_count(world->sim); i++) {
        struct sim_stick_view stick = sim_world_stick_at(world->sim, i);
        if (!was_made_with(world, stick.a, &stick.a_point) || !was_made_with(world, stick.b, &stick.b_point)) {
            continue;
        }
        const uint32_t refs[2] = {made_by[object_index(world->sim, stick.a.object)],
                                  made_by[object_index(world->sim, stick.b.object)]};
        open_command(out, "stick.add", count);
        json_writer_open_object(out);
        describe_stick_members(&stick, refs, out);
        json_writer_close_object(out);
        json_writer_close_object(out);
    }
}

uint32_t describe_scene(struct engine_world *world, const char *title, struct json_writer *out) {
    uint32_t count = 0;
    json_writer_open_object(out);
    json_writer_member_string(out, "title", title);
    json_writer_key(out, "commands");
    json_writer_open_array(out);
    open_command(out, "world.set", &count);
    json_writer_open_object(out);
    describe_parameters(sim_world_parameters(world->sim), out);
    json_writer_close_object(out);
    json_writer_close_object(out);
    write_obstacles(world, out, &count);
    uint32_t *made_by = write_objects(world, out, &count);
    if (made_by != NULL) {
        write_sticks(world, made_by, out, &count);
    }
    json_writer_close_array(out);
    json_writer_close_object(out);
    out->failed = out->failed || made_by == NULL;
    free(made_by);
    return count;
}

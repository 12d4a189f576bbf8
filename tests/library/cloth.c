/* A cloth falls in a world of Weft's: build with `cc cloth.c $(pkg-config --cflags --libs weft)`. */
#include <stdio.h>
#include <string.h>
#include <weft.h>

#define SCRIPT_CLIENT 1

static int submit(weft_world *world, const char *json) {
    return weft_world_submit(world, SCRIPT_CLIENT, json, strlen(json)) == WEFT_OK;
}

int main(void) {
    weft_options options = weft_options_default();
    weft_world *world = NULL;
    weft_error error;
    weft_output output;
    int tick;

    options.max_particles = 10000;
    options.max_sticks = 80000;
    if (weft_world_create(&options, &world, &error) != WEFT_OK ||
        weft_world_join(world, SCRIPT_CLIENT, "Example", WEFT_ROLE_EDITOR, &error) != WEFT_OK) {
        printf("There is no world: %s.\n", error.message);
        return 1;
    }
    if (!submit(world, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"cloth.spawn\", \"params\":"
                       " {\"columns\": 20, \"rows\": 20, \"spacing\": 0.05, \"position\": [0, 2, 0]}}")) {
        puts("The command was not taken.");
        return 1;
    }
    for (tick = 0; tick < 120; tick++) {
        weft_world_tick(world);
        /* The hello and the reply; without a client, the record of the tick. */
        while (weft_world_take(world, &output)) {
            if (output.kind == WEFT_OUTPUT_TEXT) {
                printf("%.*s\n", (int)output.length, (const char *)output.bytes);
            }
        }
    }
    {
        const weft_particles particles = weft_world_particles(world);
        const weft_object cloth = weft_world_object_at(world, 0);
        const unsigned last = cloth.first + cloth.particles - 1;
        printf("particle %u of %u is at %.6f %.6f %.6f\n", last, particles.count, (double)particles.x[last],
               (double)particles.y[last], (double)particles.z[last]);
    }
    printf("tick %llu, hash %016llx\n", (unsigned long long)weft_world_tick_count(world),
           (unsigned long long)weft_world_hash(world));
    weft_world_destroy(world);
    return 0;
}

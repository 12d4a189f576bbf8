// SPDX-License-Identifier: MIT
// The object is a cJSON tree whose leaves are raw text, so that no number is rounded.
#include "tools/text/arguments.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "tools/text/json_slice.h"

static bool is_vector(const char *value) {
    return strchr(value, ',') != NULL && strspn(value, "0123456789+-.eE, ") == strlen(value);
}

static cJSON *value_of(const char *value) {
    size_t length = strlen(value);
    if (json_check(value, length, NULL, NULL) == JSON_VALID) {
        return cJSON_CreateRaw(value);
    }
    if (is_vector(value)) {
        char *vector = malloc(length + 3);
        if (vector == NULL) {
            return NULL;
        }
        snprintf(vector, length + 3, "[%s]", value);
        cJSON *made = json_check(vector, length + 2, NULL, NULL) == JSON_VALID ? cJSON_CreateRaw(vector)
                                                                               : cJSON_CreateString(value);
        free(vector);
        return made;
    }
    return cJSON_CreateString(value);
}

// Walks along the parts of `name` to the object of its last part, and makes missing objects. `*last` becomes the last
// part. Returns NULL with a fault when a part is empty or already has a plain value.
static cJSON *find_parent(cJSON *root, char *name, const char **last, struct fault *fault) {
    cJSON *parent = root;
    for (char *part = name;;) {
        char *dot = strchr(part, '.');
        if (dot == part || *part == '\0') {
            (void)fault_set(fault, RESULT_INVALID, "", "a name is missing around a dot or before \"=\"");
            return NULL;
        }
        if (dot == NULL) {
            *last = part;
            return parent;
        }
        *dot = '\0';
        cJSON *child = cJSON_GetObjectItemCaseSensitive(parent, part);
        if (child == NULL) {
            child = cJSON_AddObjectToObject(parent, part);
        }
        if (child == NULL || !cJSON_IsObject(child)) {
            (void)fault_set(fault, child == NULL ? RESULT_MEMORY : RESULT_INVALID, "",
                            child == NULL ? "out of memory" : "%s is given twice, whole and by its members", part);
            return NULL;
        }
        parent = child;
        part = dot + 1;
    }
}

static bool add_pair(cJSON *root, const char *pair, struct fault *fault) {
    const char *equals = strchr(pair, '=');
    if (equals == NULL) {
        (void)fault_set(fault, RESULT_INVALID, "", "params are name=value pairs or one JSON object, got \"%s\"", pair);
        return false;
    }
    char *name = strndup(pair, (size_t)(equals - pair));
    const char *last = NULL;
    cJSON *parent = name == NULL ? NULL : find_parent(root, name, &last, fault);
    bool added = false;
    if (name == NULL) {
        (void)fault_set(fault, RESULT_MEMORY, "", "out of memory");
    } else if (parent != NULL && cJSON_GetObjectItemCaseSensitive(parent, last) != NULL) {
        (void)fault_set(fault, RESULT_INVALID, "", "%s is given twice", last);
    } else if (parent != NULL) {
        cJSON *value = value_of(equals + 1);
        added = value != NULL && cJSON_AddItemToObject(parent, last, value) != 0;
        if (!added) {
            cJSON_Delete(value);
            (void)fault_set(fault, RESULT_MEMORY, "", "out of memory");
        }
    }
    free(name);
    return added;
}

char *arguments_to_json(int count, char **pairs, struct fault *fault) {
    cJSON *root = cJSON_CreateObject();
    bool added = root != NULL;
    for (int pair = 0; added && pair < count; pair++) {
        added = add_pair(root, pairs[pair], fault);
    }
    char *text = added ? cJSON_PrintUnformatted(root) : NULL;
    if (text == NULL && added) {
        (void)fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    cJSON_Delete(root);
    return text;
}

// SPDX-License-Identifier: MIT
#include "store/database/snapshot_row.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "store/database/clock.h"
#include "store/database/row.h"
#include "store/database/sql.h"
#include "store/store_state.h"

#define COMPRESSION_LEVEL 1 // higher levels hardly shrink positions further

static size_t compress(void *to, size_t capacity, const struct store_snapshot *snapshot) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL) {
        return 0;
    }
    ZSTD_outBuffer out = {to, capacity, 0};
    ZSTD_inBuffer state = {snapshot->state.data, snapshot->state.size, 0};
    ZSTD_inBuffer extra = {snapshot->extra.data, snapshot->extra.size, 0};
    size_t left = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
    if (!ZSTD_isError(left)) {
        left = ZSTD_CCtx_setPledgedSrcSize(context, state.size + extra.size);
    }
    while (!ZSTD_isError(left) && state.pos < state.size) {
        left = ZSTD_compressStream2(context, &out, &state, ZSTD_e_continue);
    }
    if (!ZSTD_isError(left)) {
        left = ZSTD_compressStream2(context, &out, &extra, ZSTD_e_end);
    }
    ZSTD_freeCCtx(context);
    return left == 0 ? out.pos : 0; // the buffer is large enough, so only a lack of memory leaves anything
}

static enum result check_size(const struct store_snapshot *snapshot, struct fault *fault) {
    return snapshot->state.size > STORE_BYTES_MAX || snapshot->extra.size > STORE_BYTES_MAX - snapshot->state.size
               ? fault_set(fault, RESULT_LIMIT, "", "a snapshot may have at most %u bytes", STORE_BYTES_MAX)
               : RESULT_OK;
}

static void take_bytes(struct store_packed *packed, const struct store_snapshot *snapshot, const unsigned char *bytes,
                       size_t size) {
    *packed = (struct store_packed){
        .head = *snapshot,
        .state_size = snapshot->state.size,
        .extra_size = snapshot->extra.size,
    };
    packed->bytes.data = bytes;
    packed->bytes.size = size;
    packed->head.saved_ms = store_clock_ms();
    packed->head.state = packed->head.extra = (struct store_bytes){0};
}

// Returns NULL when memory runs out.
static unsigned char *compress_all(const struct store_snapshot *snapshot, size_t *size) {
    const size_t capacity = ZSTD_compressBound(snapshot->state.size + snapshot->extra.size);
    unsigned char *roomy = malloc(capacity);
    *size = roomy == NULL ? 0 : compress(roomy, capacity, snapshot);
    unsigned char *bytes = *size == 0 ? NULL : malloc(*size); // exact, since it may wait in the queue for a while
    if (bytes != NULL) {
        memcpy(bytes, roomy, *size);
    }
    free(roomy);
    return bytes;
}

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
}

enum result store_snapshot_pack(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) {
    enum result result = check_size(snapshot, fault);
    if (result != RESULT_OK) {
        return result;
    }
    size_t size = 0;
    unsigned char *bytes = compress_all(snapshot, &size);
    if (bytes == NULL) {
        return out_of_memory(fault);
    }
    take_bytes(packed, snapshot, bytes, size);
    return RESULT_OK;
}

enum result store_snapshot_copy(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) {
    enum result result = check_size(snapshot, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const size_t size = snapshot->state.size + snapshot->extra.size;
    unsigned char *bytes = malloc(size + 1);
    if (bytes == NULL) {
        return out_of_memory(fault);
    }
    if (snapshot->state.size > 0) {
        memcpy(bytes, snapshot->state.data, snapshot->state.size);
    }
    if (snapshot->extra.size > 0) {
        memcpy(bytes + snapshot->state.size, snapshot->extra.data, snapshot->extra.size);
    }
    take_bytes(packed, snapshot, bytes, size);
    packed->raw = true;
    return RESULT_OK;
}

bool store_snapshot_compress(struct store_packed *packed) {
    if (!packed->raw) {
        return true;
    }
    const struct store_snapshot whole = {.state = packed->bytes};
    size_t size = 0;
    unsigned char *bytes = compress_all(&whole, &size);
    if (bytes == NULL) {
        return false;
    }
    free((void *)packed->bytes.data);
    packed->bytes.data = bytes;
    packed->bytes.size = size;
    packed->raw = false;
    return true;
}

static enum result unpack(const struct store_packed *packed, struct store_snapshot *snapshot, struct fault *fault) {
    const uint64_t size = packed->state_size + packed->extra_size;
    if (packed->state_size > STORE_BYTES_MAX || packed->extra_size > STORE_BYTES_MAX || size > STORE_BYTES_MAX ||
        ZSTD_getFrameContentSize(packed->bytes.data, packed->bytes.size) != size) {
        return fault_set(fault, RESULT_DAMAGED, "", "the sizes of the snapshot of tick %llu contradict one another",
                         (unsigned long long)packed->head.tick);
    }
    unsigned char *bytes = malloc(size > 0 ? size : 1);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (bytes == NULL || context == NULL) {
        free(bytes);
        ZSTD_freeDCtx(context);
        return out_of_memory(fault);
    }
    const size_t read = ZSTD_decompressDCtx(context, bytes, size, packed->bytes.data, packed->bytes.size);
    ZSTD_freeDCtx(context);
    if (read != size) {
        free(bytes);
        return fault_set(fault, RESULT_DAMAGED, "", "the snapshot of tick %llu cannot be decompressed",
                         (unsigned long long)packed->head.tick);
    }
    *snapshot = packed->head;
    snapshot->state = (struct store_bytes){bytes, (size_t)packed->state_size};
    snapshot->extra = (struct store_bytes){bytes + packed->state_size, (size_t)packed->extra_size};
    return RESULT_OK;
}

struct store_rows *store_snapshot_query(struct store_connection *connection, uint64_t number,
                                        struct store_packed *packed, uint64_t *checksum, int *code) {
    struct store_rows *rows =
        store_query(connection, code,
                    "SELECT timeline, tick, sequence, hash, version, saved_ms, state_size, extra_size, checksum, bytes"
                    " FROM snapshot WHERE snapshot=?1",
                    "u", number);
    *code = rows == NULL ? *code : store_step(rows);
    if (*code == STORE_SQL_ROW) {
        *packed = (struct store_packed){
            .head = {.timeline = (uint32_t)store_column(rows, 0),
                     .tick = store_column(rows, 1),
                     .sequence = store_column(rows, 2),
                     .hash = store_column(rows, 3),
                     .version = (uint32_t)store_column(rows, 4),
                     .saved_ms = store_column(rows, 5)},
            .state_size = store_column(rows, 6),
            .extra_size = store_column(rows, 7),
            .bytes = store_column_bytes(rows, 9),
        };
        *checksum = store_column(rows, 8);
    }
    return rows;
}

static enum result read_snapshot(const struct store_rows *statement, struct store_snapshot *snapshot,
                                 struct fault *fault) {
    const uint64_t world = store_column(statement, 0), checksum = store_column(statement, 9);
    const struct store_packed packed = {
        .head = {.timeline = (uint32_t)store_column(statement, 1),
                 .tick = store_column(statement, 2),
                 .sequence = store_column(statement, 3),
                 .hash = store_column(statement, 4),
                 .version = (uint32_t)store_column(statement, 5),
                 .saved_ms = store_column(statement, 6)},
        .state_size = store_column(statement, 7),
        .extra_size = store_column(statement, 8),
        .bytes = store_column_bytes(statement, 10),
    };
    if (packed.bytes.data == NULL && store_out_of_memory(statement)) {
        return out_of_memory(fault);
    }
    if (checksum != store_snapshot_checksum(world, &packed)) {
        return fault_set(fault, RESULT_DAMAGED, "", "the snapshot of tick %llu does not have its checksum",
                         (unsigned long long)packed.head.tick);
    }
    return unpack(&packed, snapshot, fault);
}

enum result store_snapshot_load(struct store_connection *connection, uint64_t number, struct store_snapshot *snapshot,
                                struct fault *fault) {
    int code = STORE_SQL_OK;
    struct store_rows *statement =
        store_query(connection, &code,
                    "SELECT world, timeline, tick, sequence, hash, version, saved_ms, state_size, extra_size, checksum,"
                    " bytes FROM snapshot WHERE snapshot=?1",
                    "u", number);
    if (statement == NULL) {
        return store_sql_fault(fault, connection, code, "reading a snapshot");
    }
    code = store_step(statement);
    const enum result result = code == STORE_SQL_ROW ? read_snapshot(statement, snapshot, fault)
                                                     : fault_set(fault, RESULT_DAMAGED, "", "a snapshot is missing");
    code = store_done(statement, code);
    return code == STORE_SQL_OK ? result : store_sql_fault(fault, connection, code, "reading a snapshot");
}

// SPDX-License-Identifier: MIT
// Reading the records that record_write.h describes.
#ifndef WEFT_PROTO_RECORD_RECORD_READ_H
#define WEFT_PROTO_RECORD_RECORD_READ_H

#include "proto/message/request.h"

// A request without id. Errors: RESULT_INVALID (no record, or not of a command that could have been decoded),
// RESULT_MEMORY. Destroy with proto_request_destroy.
enum result proto_record_read(const void *bytes, size_t size, struct proto_request **request,
                              struct fault *fault) WEFT_MUST_USE;

#endif

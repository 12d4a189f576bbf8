// SPDX-License-Identifier: MIT
// The metrics of the server, as Prometheus reads them.
#ifndef WEFT_HOST_STATUS_METRICS_H
#define WEFT_HOST_STATUS_METRICS_H

#include "host/status/document.h"

// metrics.c: the text that Prometheus reads, version 0.0.4.
uint64_t metrics_resident_bytes(void); // of this process; the most there were so far where the system has no /proc
struct message *metrics_build(const struct document_sources *sources);

#endif

// SPDX-License-Identifier: MIT
// The server as a whole: worlds, workers, network, and how they are wired.
#ifndef WEFT_HOST_APP_H
#define WEFT_HOST_APP_H

#include "base/result.h"
#include "host/config/config.h"

#ifndef WEFT_VERSION
#endif

#define APP_STRANGER_MESSAGE_MAX 4096u // the same for the role none, which can only show a token
#define APP_DRAIN_MS 2000u             // for clients to say good-bye at the end

struct app;

// Builds the worlds, binds the port and starts the workers. Errors: what the configuration or a scene gets wrong,
// RESULT_IO (port taken), RESULT_MEMORY. `config` must outlive the app.
enum result app_create(const struct config *config, struct app **app, struct fault *fault) WEFT_MUST_USE;
uint16_t app_port(const struct app *app);
void app_run(struct app *app);                   // on the calling thread, until app_stop
void app_stop(struct app *app, const char *why); // from a signal handler or any thread
void app_destroy(struct app *app);

#endif

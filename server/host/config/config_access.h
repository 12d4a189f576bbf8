// SPDX-License-Identifier: MIT
// The options that say who may come in; config.c holds the table of all.
#ifndef WEFT_HOST_CONFIG_CONFIG_ACCESS_H
#define WEFT_HOST_CONFIG_CONFIG_ACCESS_H

#include "host/config/config.h"

// As the other setters: `source` is what names the option in a message.
enum result config_set_editors_import(struct config *config, const char *source, const char *value,
                                      struct fault *fault);
enum result config_set_guests(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_origin(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_frame_ancestors(struct config *config, const char *source, const char *value,
                                       struct fault *fault);
enum result config_set_allow_host(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_tokens(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_tls_cert(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_node_url(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_tls_key(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_insecure(struct config *config, const char *source, const char *value, struct fault *fault);
enum result config_set_per_address(struct config *config, const char *source, const char *value, struct fault *fault);

// Once all were read: what they mean together, and what follows from them. Errors: RESULT_INVALID.
enum result config_finish_access(struct config *config, struct fault *fault) WEFT_MUST_USE;

#endif

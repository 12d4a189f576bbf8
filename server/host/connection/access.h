// SPDX-License-Identifier: MIT
// Who may do what: which role somebody gets who comes, by token or by where from, and which methods a role may call.
//
// Without a file of tokens everyone of this machine is an administrator, and everyone else what `guests` says (editor).
// With one, a page shows its token in a cookie, a script in its first request or in the handshake's Authorization; who
// shows none is what `guests` says (none) if it is a page, and has no role at all if it is a script.
//
// The file is read again when it has changed; whose token is no longer in it, or has another role, is closed.
// Thread-safe but for `access_look`, which is the net thread's.
#ifndef WEFT_HOST_CONNECTION_ACCESS_H
#define WEFT_HOST_CONNECTION_ACCESS_H

#include <stdbool.h>

#include "host/config/config.h"
#include "host/connection/token.h"
#include "net/net.h"

#define ACCESS_COOKIE "weft"            // over plain HTTP
#define ACCESS_COOKIE_TLS "__Host-weft" // browsers hold this one to TLS, this host and its root
#define ACCESS_PATIENCE_MS 10000u       // to show a token
#define ACCESS_WRONG_MAX 5u             // tokens that one connection may get wrong

struct access;

// What somebody is.
struct grant {
    enum proto_role role;
    char token[TOKEN_ID_MAX];  // its id, "" for none
    char name[TOKEN_NAME_MAX]; // the token's
};

// Errors: what is wrong with the file of tokens; RESULT_INVALID where the configuration would let strangers in, or
// their tokens be overheard, without saying so; RESULT_MEMORY.
enum result access_create(const struct config *config, struct access **access, struct fault *fault) WEFT_MUST_USE;
void access_destroy(struct access *access); // NULL is allowed

bool access_has_tokens(const struct access *access);
// Who comes. Returns 0, or the HTTP status that refuses: 401 for an Authorization that is none.
int access_greet(struct access *access, const struct net_request *request, struct grant *grant);
// Errors: RESULT_DENIED.
enum result access_authenticate(struct access *access, const char *token, struct grant *grant,
                                struct fault *fault) WEFT_MUST_USE;
// Reads the file again if it has changed and was left alone since the last look; true when it was.
bool access_look(struct access *access);
// Whether a grant still holds.
bool access_holds(struct access *access, const struct grant *grant);

// The page's login and logout: POST /login with the token as its body sets the cookie, POST /logout takes it away.
bool access_submit(struct access *access, const struct net_request *request, const char *path, const char *body,
                   size_t length, struct net_answer *answer);
// Whether somebody may get a document of the application. Returns 0 or the HTTP status that refuses.
bool access_is_stranger(struct access *access, const struct net_request *request); // may not even watch
int access_document(struct access *access, const struct net_request *request, const char *path);

#endif

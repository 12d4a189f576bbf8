// SPDX-License-Identifier: MIT
// The file of tokens: who may do what, one line each.
//
//     ID ROLE CREATED sha256:HASH NAME…
//     5f01c2aa editor 2026-01-31T12:00:00Z sha256:9f86…(64 digits) class 3b
//
// A token is "weft_" and 256 random bits; the file holds SHA-256 of it, never the token. That is enough here: salts and
// slow functions make guessing passwords dear, and 256 random bits cannot be guessed at any price; a fast hash keeps
// the check on the network thread from becoming a way to keep it busy. Hashes are compared in constant time. A line
// that begins with '#' is a remark.
//
// The file is written beside itself and moved into place, so that a reader never sees half of it, and locked by who
// changes it.
#ifndef WEFT_HOST_CONNECTION_TOKEN_H
#define WEFT_HOST_CONNECTION_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "proto/gen/methods.h"

#define TOKEN_TEXT_MAX 64 // bytes of a token, and the end
#define TOKEN_ID_MAX 9    // eight hexadecimal digits, and the end
#define TOKEN_NAME_MAX 65 // printable characters, and the end
#define TOKEN_TIME_MAX 21
#define TOKEN_HASH_BYTES 32
#define TOKENS_MAX 10000u // in a file

struct token {
    char id[TOKEN_ID_MAX];
    char created[TOKEN_TIME_MAX];
    char name[TOKEN_NAME_MAX];
    enum proto_role role;
    uint8_t hash[TOKEN_HASH_BYTES];
};

struct token_list { // zero is empty
    struct token *items;
    uint32_t count;
};

// "viewer", "editor" or "admin". Errors: RESULT_INVALID.
enum result token_role_parse(const char *text, enum proto_role *role, struct fault *fault) WEFT_MUST_USE;

// Reads a file; the list is to be freed. Errors: RESULT_NOT_FOUND, RESULT_IO, RESULT_MEMORY, RESULT_INVALID with the
// line that is none.
enum result token_file_read(const char *path, struct token_list *list, struct fault *fault) WEFT_MUST_USE;
void token_list_free(struct token_list *list);

// The entry whose token this is, or NULL.
const struct token *token_find(const struct token_list *list, const char *text);

// Adds a token to the file, which is made if there is none, and tells it. Errors: as above, and RESULT_LIMIT.
enum result token_make(const char *path, enum proto_role role, const char *name, char text[TOKEN_TEXT_MAX],
                       struct token *made, struct fault *fault) WEFT_MUST_USE;
// Takes the token of that id out of the file. Errors: as above; RESULT_NOT_FOUND also when there is no such id.
enum result token_revoke(const char *path, const char *id, struct token *revoked, struct fault *fault) WEFT_MUST_USE;

#endif

// SPDX-License-Identifier: MIT
#include "net/http/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/connection/connection.h"
#include "net/http/response.h"
#include "net/parse/path.h"

#define PAGE_BYTES_MAX (256 << 10) // of a page whose inline scripts are named
#define ETAG_MAX 48
#define BUNDLED "/app/" // the folder of bundled files (web/site/served.mjs)

struct content_type {
    const char *extension;
    const char *type;
};

static const struct content_type content_types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json; charset=utf-8"},
    {".map", "application/json; charset=utf-8"},
    {".md", "text/markdown; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".ico", "image/x-icon"},
    {".wasm", "application/wasm"},
    {".bin", "application/octet-stream"},
};

static const char *content_type_of(const char *path) {
    const char *extension = strrchr(path, '.');
    for (size_t i = 0; extension != NULL && i < sizeof content_types / sizeof content_types[0]; i++) {
        if (strcasecmp(extension, content_types[i].extension) == 0) {
            return content_types[i].type;
        }
    }
    return "application/octet-stream";
}

// Pages are sent as they are: their heads name the scripts that they contain.
static bool is_page(const char *content_type) {
    return strncmp(content_type, "text/html", 9) == 0;
}

// Whether an element of Accept-Encoding (RFC 9110, 12.5.3) is gzip or "*", and its weight, if any, is not 0.
static bool element_accepts_gzip(const char *element, size_t length) {
    while (length > 0 && (*element == ' ' || *element == '\t')) {
        element++;
        length--;
    }
    const size_t name = strcspn(element, " \t;,");
    if (!((name == 4 && strncasecmp(element, "gzip", 4) == 0) || (name == 1 && *element == '*'))) {
        return false;
    }
    const char *weight = memmem(element, length, "q=", 2);
    if (weight == NULL) {
        return true;
    }
    const char *digits = weight + 2;
    const size_t nothing = strspn(digits, "0.");
    const size_t end = (size_t)(element + length - digits);
    return nothing < end && digits[nothing] >= '1' && digits[nothing] <= '9';
}

static bool accepts_gzip(const char *accept_encoding) {
    for (const char *at = accept_encoding; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (element_accepts_gzip(at, length)) {
            return true;
        }
        at += length + (at[length] == ',');
    }
    return false;
}
// Opens a regular file below the web root; −1 when there is none. `suffix` is appended to the path.
static int open_file(const struct net_server *server, const char *path, const char *suffix, struct stat *status) {
    char name[4096];
    const int length = snprintf(name, sizeof name, "%s%s%s", server->web_root, path, suffix);
    if (length < 0 || (size_t)length >= sizeof name) {
        return -1;
    }
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return -1;
    }
    if (fstat(file, status) != 0 || !S_ISREG(status->st_mode)) {
        close(file);
        return -1;
    }
    return file;
}

// A page is read whole, because its head names the scripts that it may run. This is also so where the client has the
// page already, for it uses the new head with the old page.
static void send_page(struct connection *connection, struct response_head *head, int file, size_t size) {
    struct message *message = message_create(MESSAGE_TEXT, size);
    const ssize_t count = message == NULL ? -1 : pread(file, message_data(message), size, 0);
    close(file);
    if (count < 0) {
        message_release(message);
        connection_kill(connection);
        return;
    }
    message_set_length(message, (size_t)count);
    head->page = (const char *)message_data(message);
    head->page_length = (size_t)count;
    if (head->status == 200) {
        response_send(connection, head, message);
        return;
    }
    response_send(connection, head, NULL);
    message_release(message);
}

// A file to be sent. Its compressed form is another representation, with an entity tag of its own (RFC 9110, 8.8.3.3).
struct file_form {
    int file;             // of the form that is sent
    uint64_t length;      // of that form
    const char *type;     // of the original, like `original`
    bool compressed;      // that form is gzip
    bool lasting;         // its name changes with its content
    struct stat original; // the tag is made of its time and size
};

static void send_form(struct connection *connection, const struct file_form *form) {
    char etag[ETAG_MAX];
    char known[4 * ETAG_MAX];
    char headers[ETAG_MAX + 128];
    const struct stat *original = &form->original;
    snprintf(etag, sizeof etag, "\"%llx-%lx-%llx%s\"", (unsigned long long)original->st_mtim.tv_sec,
             (unsigned long)original->st_mtim.tv_nsec, (unsigned long long)original->st_size,
             form->compressed ? "-gz" : "");
    snprintf(headers, sizeof headers, "Cache-Control: %s\r\nVary: Accept-Encoding\r\n%sETag: %s\r\n",
             form->lasting ? "public, max-age=31536000, immutable" : "no-cache",
             form->compressed ? "Content-Encoding: gzip\r\n" : "", etag);
    const bool fresh =
        head_copy_field(&connection->request.head, "if-none-match", known, sizeof known) && strstr(known, etag) != NULL;
    struct response_head head = {
        .status = fresh ? 304 : 200, .headers = headers, .content_type = fresh ? NULL : form->type, .page = ""};
    if (is_page(form->type) && original->st_size <= PAGE_BYTES_MAX) {
        send_page(connection, &head, form->file, (size_t)original->st_size);
    } else if (fresh) {
        close(form->file);
        response_send(connection, &head, NULL);
    } else {
        response_send_file(connection, &head, form->file, form->length);
    }
}

// Replaces the open file by its gzip form, which the build writes beside it as NAME.gz (web/compress.mjs), unless that
// is older than the file.
static void choose_compressed(const struct net_server *server, const char *path, struct file_form *form) {
    struct stat status;
    const int file = open_file(server, path, ".gz", &status);
    if (file < 0) {
        return;
    }
    const struct timespec made = status.st_mtim, changed = form->original.st_mtim;
    if (made.tv_sec < changed.tv_sec || (made.tv_sec == changed.tv_sec && made.tv_nsec < changed.tv_nsec)) {
        close(file);
        return;
    }
    close(form->file);
    form->file = file;
    form->length = (uint64_t)status.st_size;
    form->compressed = true;
}

bool file_send(struct connection *connection, const char *path) {
    char accepted[256];
    struct file_form form = {.file = -1, .type = content_type_of(path)};
    form.lasting = strncmp(path, BUNDLED, sizeof BUNDLED - 1) == 0;
    if (path_names_file(path)) {
        form.file = open_file(connection->server, path, "", &form.original);
    }
    if (form.file < 0) {
        return false;
    }
    form.length = (uint64_t)form.original.st_size;
    if (!is_page(form.type) &&
        head_copy_field(&connection->request.head, "accept-encoding", accepted, sizeof accepted) &&
        accepts_gzip(accepted)) {
        choose_compressed(connection->server, path, &form);
    }
    send_form(connection, &form);
    return true;
}

// SPDX-License-Identifier: MIT
// Connections are counted by address in a hash table. IPv6 addresses count by their first 64 bits, since every
// household has that many addresses.
#include "net/connection/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024u // a power of two

struct address_count {
    struct address_count *next;
    uint8_t key[16];
    struct net_server *server;
    uint32_t connections;
    bool loopback;
};

static bool is_loopback(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, address, sizeof ipv4);
        return ntohl(ipv4.sin_addr.s_addr) >> 24 == 127;
    }
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, address, sizeof ipv6);
    const uint8_t *bytes = ipv6.sin6_addr.s6_addr;
    return IN6_IS_ADDR_LOOPBACK(&ipv6.sin6_addr) || (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr) && bytes[12] == 127);
}

bool address_is_loopback(const char *text) {
    struct sockaddr_storage address = {0};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
        memcpy(&address, &ipv4, sizeof ipv4);
    } else if (inet_pton(AF_INET6, text, &ipv6.sin6_addr) == 1) {
        memcpy(&address, &ipv6, sizeof ipv6);
    } else {
        return false;
    }
    return is_loopback(&address);
}

bool address_table_create(struct net_server *server) {
    server->address_counts = calloc(BUCKETS, sizeof(struct address_count *));
    return server->address_counts != NULL;
}

static void make_key(const struct sockaddr_storage *address, uint8_t key[16]) {
    memset(key, 0, 16);
    if (address->ss_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, address, sizeof ipv4);
        key[10] = key[11] = 0xff;
        memcpy(key + 12, &ipv4.sin_addr, 4);
        return;
    }
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, address, sizeof ipv6);
    memcpy(key, &ipv6.sin6_addr, IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr) ? 16 : 8);
}

static struct address_count **find_bucket(struct net_server *server, const uint8_t key[16]) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t at = 0; at < 16; at++) {
        hash = (hash ^ key[at]) * 16777619u;
    }
    return &server->address_counts[hash & (BUCKETS - 1)];
}

struct address_count *address_count_connection(struct net_server *server, const struct sockaddr_storage *address) {
    uint8_t key[16];
    make_key(address, key);
    struct address_count **bucket = find_bucket(server, key);
    struct address_count *count = *bucket;
    while (count != NULL && memcmp(count->key, key, sizeof key) != 0) {
        count = count->next;
    }
    if (count == NULL) {
        count = calloc(1, sizeof *count);
        if (count == NULL) {
            return NULL;
        }
        memcpy(count->key, key, sizeof key);
        count->server = server;
        count->loopback = is_loopback(address);
        count->next = *bucket;
        *bucket = count;
    }
    count->connections++;
    return count;
}

void address_forget_connection(struct address_count *count) {
    if (count == NULL || --count->connections > 0) {
        return;
    }
    struct address_count **link = find_bucket(count->server, count->key);
    while (*link != count) {
        link = &(*link)->next;
    }
    *link = count->next;
    free(count);
}

bool address_is_crowded(const struct address_count *count) {
    const struct net_options *options = &count->server->options;
    const uint32_t most = options->address_max;
    return most > 0 && count->connections > most && (!count->loopback || options->address_max_on_loopback);
}

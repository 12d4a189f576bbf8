// SPDX-License-Identifier: MIT
// Addresses come from getifaddrs, the code from libqrencode. Two rows of modules make one line of text: half blocks are
// about as wide as they are high. The light modules are what is drawn, so that the code also reads on a dark terminal
// that gets no colours; where there are colours, black and white are set, whatever the terminal's own are.
#include "host/connection/invite.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <qrencode.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUIET_ZONE 4                            // modules of light around the code, as ISO/IEC 18004 asks
#define WHITE_ON_BLACK "\033[38;5;231;48;5;16m" // from the colour cube, which themes leave alone
#define COLOURS_OFF "\033[0m"

// How likely a second device reaches an address.
enum reach { REACH_PRIVATE, REACH_PUBLIC, REACH_VIRTUAL, REACH_NONE };

struct address {
    enum reach reach;
    char text[INET_ADDRSTRLEN];
};

// Bridges and pairs that containers and virtual machines make: addresses within this machine.
static bool is_virtual(const char *interface) {
    static const char *const prefixes[] = {"docker", "br-", "veth", "virbr", "podman", "cni", "lxc"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(interface, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static enum reach reach_of(const struct ifaddrs *entry, uint32_t ip) {
    bool link_local = ip >> 16 == 0xA9FE; // 169.254/16
    if ((entry->ifa_flags & IFF_UP) == 0 || (entry->ifa_flags & IFF_LOOPBACK) != 0 || link_local) {
        return REACH_NONE;
    }
    if (is_virtual(entry->ifa_name)) {
        return REACH_VIRTUAL;
    }
    bool private_range = ip >> 24 == 10 || ip >> 20 == 0xAC1 || ip >> 16 == 0xC0A8; // RFC 1918
    return private_range ? REACH_PRIVATE : REACH_PUBLIC;
}

// Finds this machine's IPv4 addresses, the most reachable first; returns how many.
static size_t find_addresses(struct address addresses[INVITE_ADDRESSES_MAX]) {
    struct ifaddrs *entries = NULL;
    size_t count = 0;
    if (getifaddrs(&entries) != 0) {
        return 0;
    }
    for (const struct ifaddrs *entry = entries; entry != NULL && count < INVITE_ADDRESSES_MAX;
         entry = entry->ifa_next) {
        if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_INET) {
            continue;
        }
        struct sockaddr_in socket_address;
        memcpy(&socket_address, entry->ifa_addr, sizeof socket_address);
        struct address found = {.reach = reach_of(entry, ntohl(socket_address.sin_addr.s_addr))};
        if (found.reach == REACH_NONE ||
            inet_ntop(AF_INET, &socket_address.sin_addr, found.text, sizeof found.text) == NULL) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && addresses[at - 1].reach > found.reach; at--) {
            addresses[at] = addresses[at - 1];
        }
        addresses[at] = found;
    }
    freeifaddrs(entries);
    return count;
}

static bool is_light(const QRcode *code, int row, int column) {
    bool outside = row < 0 || column < 0 || row >= code->width || column >= code->width;
    return outside || (code->data[row * code->width + column] & 1) == 0;
}

static void print_code(FILE *out, const QRcode *code, bool colours) {
    static const char *const halves[2][2] = {{" ", "▄"}, {"▀", "█"}}; // [upper is light][lower is light]
    for (int row = -QUIET_ZONE; row < code->width + QUIET_ZONE; row += 2) {
        fputs(colours ? "  " WHITE_ON_BLACK : "  ", out);
        for (int column = -QUIET_ZONE; column < code->width + QUIET_ZONE; column++) {
            fputs(halves[is_light(code, row, column)][is_light(code, row + 1, column)], out);
        }
        fputs(colours ? COLOURS_OFF "\n" : "\n", out);
    }
}

bool app_invite_is_everywhere(const char *host) {
    return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

// The environment variable `container` is set in a container, see systemd.io/CONTAINER_INTERFACE. The image of docker/
// sets it.
bool app_invite_is_contained(void) {
    const char *container = getenv("container");
    return container != NULL && container[0] != '\0';
}

size_t app_invite_find(const char *host, uint16_t port, bool tls, char urls[INVITE_ADDRESSES_MAX][INVITE_URL_MAX]) {
    struct address addresses[INVITE_ADDRESSES_MAX];
    if (!app_invite_is_everywhere(host) || app_invite_is_contained()) {
        return 0;
    }
    const size_t count = find_addresses(addresses);
    for (size_t i = 0; i < count; i++) {
        snprintf(urls[i], INVITE_URL_MAX, "%s://%s:%u", tls ? "https" : "http", addresses[i].text, (unsigned)port);
    }
    return count;
}

void app_invite_print(FILE *out, const char *host, uint16_t port, const char *world, bool tls) {
    char urls[INVITE_ADDRESSES_MAX][INVITE_URL_MAX];
    char page[2 * INVITE_URL_MAX];
    if (!app_invite_is_everywhere(host) || app_invite_is_contained()) {
        return;
    }
    const size_t count = app_invite_find(host, port, tls, urls);
    if (count == 0) {
        fputs("This machine is in no network, so no other device can open the page.\n", out);
        return;
    }
    const bool usual = strcmp(world, "main") == 0;
    fputs("In your network, from any device:\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %s/%s%s\n", urls[i], usual ? "" : "?world=", usual ? "" : world);
    }
    snprintf(page, sizeof page, "%s/%s%s", urls[0], usual ? "" : "?world=", usual ? "" : world);
    QRcode *code = QRcode_encodeString8bit(page, 0, QR_ECLEVEL_L);
    if (code != NULL) {
        print_code(out, code, isatty(fileno(out)) != 0);
        QRcode_free(code);
    }
    fflush(out);
}

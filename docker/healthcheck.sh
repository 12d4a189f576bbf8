#!/bin/bash
# SPDX-License-Identifier: MIT
# Requests /livez of the server in this container, or another path: healthcheck.sh [/readyz], by HTTP or, where HTTP has
# no answer, by HTTPS; the certificate need not be trusted. A container that fails this check may be restarted (Docker
# Swarm does so), which repairs neither a full disk nor a lost database: hence /livez. The image has no curl: bash opens
# one connection itself, openssl the other.
set -u
path=${1:-/livez}
export port=${WEFT_PORT:-8080}
export request="GET $path HTTP/1.1"$'\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

# shellcheck disable=SC2016 # the inner bash expands them
plain() {
    timeout 3 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$port" && printf %s "$request" >&3 && head -n 1 <&3' 2>/dev/null
}
tls() {
    printf %s "$request" | timeout 3 openssl s_client -quiet -connect "127.0.0.1:$port" 2>/dev/null | head -n 1
}

answer=$(plain </dev/null)
[ -n "$answer" ] || answer=$(tls)
[[ $answer == "HTTP/1.1 200 "* ]]

#!/bin/bash
# SPDX-License-Identifier: MIT
# Asks the server in this container whether it is well. bash opens the connection itself: the image has no curl.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${WEFT_PORT:-8080}"
printf 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&3
read -r -t 3 _ status _ <&3
[ "$status" = 200 ]

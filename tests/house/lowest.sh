#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs a command at the lowest priority: lowest.sh COMMAND [ARGUMENT…]. It has a session of its own, because Linux shares
# processors between sessions before it looks at the nice values in them (autogroups, sched(7)), and a browser that tests
# open is a session: beside it, `nice` alone would leave the command a third of the time.
exec setsid --wait bash -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$@"' lowest "$@"

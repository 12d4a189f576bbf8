#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs a command with a PostgreSQL of its own: postgres.sh COMMAND [ARGUMENT…]
#
# The server lies in a new folder, listens only on a socket there, asks for a password, and ends with the command, which
# gets the server's address as TEST_POSTGRES; TEST_POSTGRES_PID is its first process. PostgreSQL refuses to run as root:
# root runs it as nobody. It does not sync to the disk, but for TEST_POSTGRES_SYNC=1: its promises after a power cut are
# not tested here. With TEST_POSTGRES_STANDBY=1 a synchronous standby follows it, on port 5433 of the same folder, and
# TEST_POSTGRES names both: a client gets the one that takes writes.
set -eu

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo 'PostgreSQL is missing: tests/house/install.sh unit installs it' >&2; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/weft-postgres-XXXXXX")
echo 'only for tests' >"$folder/password"
run=()
if [ "$(id -u)" -eq 0 ]; then
    chown nobody "$folder" "$folder/password"
    run=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups env -C "$folder" HOME="$folder")
fi
end() {
    [ ! -d "$folder/standby" ] || "${run[@]}" "$bin/pg_ctl" -D "$folder/standby" -m immediate stop >/dev/null 2>&1 || true
    "${run[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap end EXIT
"${run[@]}" "$bin/initdb" -D "$folder/data" -U weft --auth=scram-sha-256 --pwfile="$folder/password" --encoding=UTF8 --locale=C --no-sync \
    >/dev/null
sync=off
[ -z "${TEST_POSTGRES_SYNC:-}" ] || sync=on
start() { # start DATA PORT
    "${run[@]}" "$bin/pg_ctl" -D "$folder/$1" -l "$folder/log" -w -o \
        "-p $2 -c listen_addresses= -c unix_socket_directories=$folder -c fsync=$sync -c shared_buffers=16MB -c max_connections=50" \
        start >/dev/null || { cat "$folder/log" >&2; exit 1; }
}
start data 5432
export PGPASSWORD='only for tests'
"$bin/createdb" -h "$folder" -U weft weft
export TEST_POSTGRES="postgres://weft:only%20for%20tests@/weft?host=$folder"
if [ -n "${TEST_POSTGRES_STANDBY:-}" ]; then
    "${run[@]}" "$bin/pg_basebackup" --dbname="host=$folder user=weft application_name=standby" --pgdata="$folder/standby" \
        --write-recovery-conf --checkpoint=fast --no-sync
    start standby 5433
    query() { "$bin/psql" -h "$folder" -U weft -d weft --no-psqlrc --quiet --tuples-only --no-align -c "$1"; }
    query "ALTER SYSTEM SET synchronous_standby_names='standby'"
    query 'SELECT pg_reload_conf()' >/dev/null
    until [ "$(query "SELECT count(*) FROM pg_stat_replication WHERE sync_state='sync'")" = 1 ]; do sleep 0.1; done
    export TEST_POSTGRES="postgres://weft:only%20for%20tests@/weft?host=$folder,$folder&port=5432,5433&target_session_attrs=read-write"
fi
unset PGPASSWORD
TEST_POSTGRES_PID=$(head -1 "$folder/data/postmaster.pid")
export TEST_POSTGRES_PID
status=0
"$@" || status=$?
exit "$status"

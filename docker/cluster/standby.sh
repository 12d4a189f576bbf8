#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The synchronous standby of a cluster, in the folder PGDATA: standby.sh [OPTION OF POSTGRES…]. It begins as a copy of the
# primary at PRIMARY_HOST and PRIMARY_PORT, which it waits for, and then follows it. It waits for no standby itself, so
# that it takes writes when it is promoted: pg_ctl promote.
set -eu
export PGPASSWORD=$WEFT_DATABASE_PASSWORD
primary="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=standby application_name=standby"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    chmod 700 "$PGDATA"
    until pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf --checkpoint=fast --no-password; do
        sleep 1
    done
fi
exec postgres -c synchronous_standby_names= "$@"

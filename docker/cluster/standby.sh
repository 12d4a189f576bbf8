#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The synchronous standby of a cluster, in the folder PGDATA: standby.sh [OPTION OF POSTGRES…]. It begins as a copy of the
# primary at PRIMARY_HOST and PRIMARY_PORT, which it waits for, and then follows it. It waits for no standby itself, so
# that it takes writes when it is promoted: pg_ctl promote. Keepalives end a connection whose other side is gone: nothing
# else does while the primary has not answered yet, and the standby would wait for hours.
set -eu
export PGPASSWORD=$WEFT_DATABASE_PASSWORD
primary="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=standby application_name=standby keepalives_idle=5 keepalives_interval=1 keepalives_count=5"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    chmod 700 "$PGDATA"
    until pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf --checkpoint=fast --no-password; do
        sleep 1
    done
fi
exec postgres -c synchronous_standby_names= "$@"

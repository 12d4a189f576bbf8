#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the database of a cluster, once, on a new PostgreSQL that only its own superuser reaches: roles for the nodes and
# for the standby, whose password is WEFT_DATABASE_PASSWORD. From the next start of the server on, a commit waits until
# the standby has it, too. PostgreSQL's image (compose.cluster.yaml) and cluster.sh call this script.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$WEFT_DATABASE_PASSWORD" --dbname=postgres <<'SQL'
CREATE ROLE weft LOGIN PASSWORD :'password';
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'password';
CREATE DATABASE weft OWNER weft TEMPLATE template0 ENCODING 'UTF8';
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
echo 'host replication standby all scram-sha-256' >>"$PGDATA/pg_hba.conf"

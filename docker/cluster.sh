#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Starts a cluster on this machine with Debian's packages: the services of compose.cluster.yaml, but without containers
# and Grafana. `make cluster` installs, builds and calls this script. Variables: OUT, the folder with weftd; PORT, the
# page's port and the first of seven; NODES, 1 to 3; CLUSTER, the folder of all data, $OUT/cluster by default.
#
# The script prints one address to open, and ends all its processes on Ctrl-C or SIGTERM; if the script is killed, they
# end by themselves. A node that ends in another way is restarted after 10 s, as by a service manager. The data is still
# there at the next start; to begin with an empty cluster, remove the folder.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath "${OUT:-build}")
folder=$(realpath --canonicalize-missing "${CLUSTER:-$out/cluster}")
port=${PORT:-8080} nodes=${NODES:-3}
PATH=$PATH:/usr/sbin
RESTART_S=10 # from the end of a node until its restart
PATIENCE_S=60

fail() {
    printf 'cluster: %s\n' "$@" >&2
    exit 1
}

# ---- prerequisites ---------------------------------------------------------------------------------------------------

[[ $nodes =~ ^[123]$ ]] || fail "NODES is 1, 2 or 3, not $nodes"
if ! [[ $port =~ ^[0-9]{4,5}$ ]] || ((port < 1024 || port > 65529)); then fail "PORT is 1024 to 65529, not $port"; fi
url=http://127.0.0.1:$port
primary_port=$((port + 4)) standby_port=$((port + 5)) prometheus_port=$((port + 6))
[ -x "$out/weftd" ] || fail "there is no $out/weftd: make cluster builds it"
for program in psql nginx prometheus; do
    command -v "$program" >/dev/null || fail "$program is missing: tests/house/install.sh cluster installs it"
done
database=$(find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
[ -n "$database" ] || fail 'PostgreSQL is missing: tests/house/install.sh cluster installs it'
database=$(dirname "$database")
for ((taken = port; taken <= port + 6; taken++)); do
    # shellcheck disable=SC2016 # the inner bash expands it
    ! timeout 1 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"' - "$taken" 2>/dev/null ||
        fail "something listens on port $taken; with PORT=N the cluster takes N to N + 6"
done

mkdir -p "$folder"/{log,nginx,prometheus}
exec 9>"$folder/lock"
flock --nonblock 9 || fail "another cluster uses $folder"

# PostgreSQL refuses to run as root, so root runs it as the user nobody, who needs access to the folder.
nobody=()
if [ "$(id -u)" -eq 0 ]; then
    nobody=(--reuid=nobody "--regid=$(id -g nobody)" --clear-groups)
    setpriv "${nobody[@]}" test -x "$folder" ||
        fail "PostgreSQL does not run as root, and nobody, as whom it would, does not get into $folder:" \
            'run this as another user, or give CLUSTER=FOLDER, which everyone may enter'
fi
as_database() { (cd "$folder" && setpriv ${nobody[@]+"${nobody[@]}"} env HOME="$folder" PATH="$database:$PATH" "$@"); }

# The password of the database is made once. Nodes read it from a file, so that no command line shows it.
umask 077
[ -s "$folder/pgpass" ] || echo "127.0.0.1:*:*:*:$(head -c 18 /dev/urandom | base64 | tr +/ -_)" >"$folder/pgpass"
WEFT_DATABASE_PASSWORD=$(cut -d : -f 5 "$folder/pgpass")
export WEFT_DATABASE_PASSWORD
umask 022

# ---- processes -------------------------------------------------------------------------------------------------------

sockets=                    # folder of a socket, while the database is made
declare -A pids=() again=() # pids: NAME → process; again: NAME → time of a node's restart
order=()                    # names of the processes, in the order of their start

# start NAME SIGNAL [--as-nobody] COMMAND…: starts a process with a session of its own, so that Ctrl-C reaches only this
# script, which ends the processes one after the other. The process gets SIGNAL if this script is killed.
start() {
    local name=$1 signal=$2 user=()
    shift 2
    if [ "$1" = --as-nobody ]; then
        user=(${nobody[@]+"${nobody[@]}"})
        shift
    fi
    # shellcheck disable=SC2093 # only the process in the background becomes the program
    (cd "$folder" && exec setsid setpriv --pdeathsig "$signal" ${user[@]+"${user[@]}"} "$@") \
        >>"$folder/log/$name.log" 2>&1 </dev/null 9>&- &
    pids[$name]=$!
    [[ " ${order[*]-} " == *" $name "* ]] || order+=("$name")
}
runs() { [ -n "${pids[$1]-}" ] && kill -0 "${pids[$1]}" 2>/dev/null; }
stop() { # stop NAME SIGNAL
    local deadline=$((SECONDS + 15))
    runs "$1" || return 0
    kill "-$2" "${pids[$1]}" 2>/dev/null || true
    while runs "$1"; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            echo "cluster: $1 did not end within 15 s and is killed" >&2
            kill -KILL "${pids[$1]}" 2>/dev/null || true
        fi
        sleep 0.1
    done
    unset "pids[$1]"
}
# shellcheck disable=SC2317 # called by a trap
end() {
    local name status=$?
    trap '' INT TERM HUP
    [ ${#order[@]} -eq 0 ] || echo 'cluster: ending'
    stop nginx QUIT
    for name in ${order[@]+"${order[@]}"}; do
        [[ $name != node* ]] || ! runs "$name" || kill -TERM "${pids[$name]}" 2>/dev/null || true
    done
    for name in ${order[@]+"${order[@]}"}; do [[ $name != node* ]] || stop "$name" TERM; done
    stop prometheus TERM
    stop primary INT # SIGINT: a fast shutdown, which keeps all commits
    stop standby INT
    [ -z "$sockets" ] || rm -rf "$sockets"
    exit "$status"
}
trap end EXIT
trap 'exit 0' INT TERM HUP

# await NAME WHAT COMMAND…: waits until the command succeeds. The process NAME must not end meanwhile.
await() {
    local name=$1 what=$2 deadline=$((SECONDS + PATIENCE_S))
    shift 2
    until "$@" >/dev/null 2>&1; do
        if ! runs "$name" || [ "$SECONDS" -ge "$deadline" ]; then
            tail -n 15 "$folder/log/$name.log" >&2
            fail "$what did not happen; above is the end of $folder/log/$name.log"
        fi
        sleep 0.1
    done
}

# ---- PostgreSQL: a primary and its synchronous standby -----------------------------------------------------------------

version=$("$database/postgres" --version | grep -oE '[0-9]+' | head -n 1)
for role in primary standby; do
    kept=$(cat "$folder/$role/PG_VERSION" 2>/dev/null || true)
    [ "${kept:-$version}" = "$version" ] || fail "$folder/$role is of PostgreSQL $kept, and here is $version: pg_upgrade moves it"
done
if [ -e "$folder/standby/PG_VERSION" ] && [ ! -e "$folder/standby/standby.signal" ] && [ ! -e "$folder/standby/backup_label" ]; then
    fail "the standby was promoted, so what is in $folder/standby counts:" \
        'remove the folder "primary" beside it and rename "standby" to "primary"; a new standby is made then'
fi
# A folder that was incomplete when this script was killed is made anew.
[ -e "$folder/primary/made" ] || rm -rf "$folder/primary"
[ -e "$folder/standby/standby.signal" ] || rm -rf "$folder/standby"
for role in primary standby; do
    [ -d "$folder/$role" ] || install -d -m 700 "$folder/$role"
    [ ${#nobody[@]} -eq 0 ] || chown nobody "$folder/$role"
done

settings=(-c wal_keep_size=256MB -c shared_buffers=32MB)
start_database() { # start_database NAME COMMAND…
    start "$1" INT --as-nobody env PATH="$database:$PATH" PGDATA="$folder/$1" PRIMARY_HOST=127.0.0.1 PRIMARY_PORT="$primary_port" \
        "${@:2}" "${settings[@]}"
}
if [ ! -e "$folder/primary/made" ]; then # on a socket that no other program reaches
    echo "cluster: making a database in $folder"
    as_database initdb --pgdata="$folder/primary" --username=postgres --auth-local=trust --auth-host=scram-sha-256 \
        --encoding=UTF8 --locale=C >>"$folder/log/primary.log" 2>&1 || fail "initdb failed: $folder/log/primary.log says why"
    sockets=$(as_database mktemp -d /tmp/weft-cluster-XXXXXX)
    start_database primary postgres -c listen_addresses= -c "unix_socket_directories=$sockets"
    await primary 'the first start of the primary' as_database psql -h "$sockets" -U postgres -c 'SELECT 1'
    as_database env PGHOST="$sockets" PGUSER=postgres PGDATA="$folder/primary" bash <docker/cluster/primary.sh
    stop primary INT
    rm -rf "$sockets"
    touch "$folder/primary/made"
fi
settings+=(-c listen_addresses=127.0.0.1 -c unix_socket_directories=)
start_database primary postgres -p "$primary_port"
query() { PGPASSFILE=$folder/pgpass timeout 5 psql --no-psqlrc --quiet -h 127.0.0.1 -p "$primary_port" -U weft -d weft -c "$1"; }
await primary 'the start of the primary' query 'SELECT 1'
cp docker/cluster/standby.sh "$folder/standby.sh" # the user nobody may have no access to the original
chmod 755 "$folder/standby.sh"
start_database standby "$folder/standby.sh" -p "$standby_port"
await standby 'the start of the standby' query 'CREATE TEMPORARY TABLE a (b int)' # a commit waits for the standby

# ---- nodes -------------------------------------------------------------------------------------------------------------

# After a promotion of the standby, libpq finds the server that accepts writes.
store="postgres://weft@127.0.0.1:$primary_port,127.0.0.1:$standby_port/weft?target_session_attrs=read-write"
# nginx serves this machine alone, where everyone may do everything, as with one server: --guests admin.
start_node() { # start_node N
    start "node$1" TERM env PGPASSFILE="$folder/pgpass" "$out/weftd" --port $((port + $1)) --store "$store" --node-url "$url/nodes/$1" \
        --origin "$url" --guests admin --max-per-address 0 --web "$out/web" --scenes "$PWD/server/scenes"
}
for ((n = 1; n <= nodes; n++)); do
    start_node "$n"
    await "node$n" "the start of node $n" env WEFT_PORT=$((port + n)) docker/healthcheck.sh /readyz
done

# ---- nginx and Prometheus ------------------------------------------------------------------------------------------------

# The configurations for containers, with other addresses and folders.
changes=() targets=
for n in 1 2 3; do
    changes+=(-e "s/server node$n:8080 resolve/server 127.0.0.1:$((port + n))/")
    [ "$n" -le "$nodes" ] && targets+="${targets:+, }127.0.0.1:$((port + n))" || changes+=(-e "/^    server node$n:/d")
done
sed -e '/^resolver /d' "${changes[@]}" -e "s|listen 80;|listen 127.0.0.1:$port;|" -e "s|/var/cache/nginx/weft|$folder/nginx/cache|" \
    docker/cluster/nginx.conf >"$folder/nginx/weft.conf"
{
    [ ${#nobody[@]} -eq 0 ] || echo "user nobody $(id -gn nobody);"
    echo "daemon off; worker_processes 1; pid $folder/nginx/pid; error_log stderr warn;"
    echo 'events { worker_connections 4096; }'
    echo 'http {'
    echo '    access_log off;'
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "    ${kind}_temp_path $folder/nginx/$kind;"; done
    echo "    include $folder/nginx/weft.conf;"
    echo '}'
} >"$folder/nginx/nginx.conf"
start nginx QUIT nginx -p "$folder/nginx" -c "$folder/nginx/nginx.conf" -e stderr
await nginx 'the start of nginx' env WEFT_PORT="$port" docker/healthcheck.sh /readyz

sed -e "s/targets: .*/targets: [$targets]/" docker/prometheus/prometheus.yaml >"$folder/prometheus/prometheus.yaml"
cp docker/prometheus/alerts.yaml "$folder/prometheus/"
start prometheus TERM prometheus --config.file="$folder/prometheus/prometheus.yaml" --storage.tsdb.path="$folder/prometheus/data" \
    --storage.tsdb.retention.size=256MB --web.listen-address="127.0.0.1:$prometheus_port"
await prometheus 'the start of Prometheus' env WEFT_PORT="$prometheus_port" docker/healthcheck.sh /-/ready

# ---- while it runs -------------------------------------------------------------------------------------------------------

printf '\n  %-12s %-24s %s\n' part address process
for name in "${order[@]}"; do
    case $name in
    primary) at=127.0.0.1:$primary_port ;;
    standby) at=127.0.0.1:$standby_port ;;
    prometheus) at=http://127.0.0.1:$prometheus_port/ ;;
    nginx) at=$url/ ;;
    *) at=http://127.0.0.1:$((port + ${name#node}))/ ;;
    esac
    printf '  %-12s %-24s %s\n' "$name" "$at" "${pids[$name]}"
done
printf '\nThe cluster is ready: open %s/ in a browser (Ctrl-C ends it)\n' "$url"

promotion="$database/pg_ctl promote -D $folder/standby"
[ ${#nobody[@]} -eq 0 ] || promotion="setpriv ${nobody[*]} $promotion"
while sleep 1 9>&- & wait $!; do
    for name in "${order[@]}"; do
        if [ -n "${pids[$name]-}" ] && ! runs "$name"; then
            status=0
            wait "${pids[$name]}" || status=$?
            unset "pids[$name]"
            if [[ $name == node* ]]; then
                again[$name]=$((SECONDS + RESTART_S))
                echo "cluster: $name has ended with status $status; it is started again in $RESTART_S s"
            else
                echo "cluster: $name has ended with status $status; $folder/log/$name.log may say why"
                [ "$name" != primary ] || echo "cluster: the standby takes its place by: $promotion"
            fi
        elif [ -n "${again[$name]-}" ] && [ "$SECONDS" -ge "${again[$name]}" ]; then
            unset "again[$name]"
            start_node "${name#node}"
            echo "cluster: $name is started again: process ${pids[$name]}"
        fi
    done
done 2>/dev/null # where bash would report each process that was killed

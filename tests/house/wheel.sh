#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Installs the wheel that `make wheel` has left in $OUT/wheel, and tries it (proto/python/tests/try_wheel.py) in a Debian
# 12 root with Python and nothing else, made by debootstrap below $OUT/debroots: without compiler, headers and the
# libraries that the server needs; then by uvx. Needs root, debootstrap and the network; keeps the root it fetched.
# wheel.sh here: on this machine, in a new virtual environment.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "${OUT:=build}"
OUT=$(cd "$OUT" && pwd)
UV=0.13.9 # of PyPI
wheels=("$OUT"/wheel/weft_world-*-cp311-abi3-manylinux_*.whl)
if [ ${#wheels[@]} -ne 1 ] || [ ! -s "${wheels[0]}" ]; then
    echo "$OUT/wheel has no wheel of this name, or several: make wheel" >&2
    exit 1
fi
wheel=${wheels[0]}

if [ "${1:-}" = here ]; then
    rm -rf "$OUT/wheel-test"
    /usr/bin/python3 -m venv "$OUT/wheel-test"
    "$OUT/wheel-test/bin/pip" install --quiet --disable-pip-version-check "$wheel"
    exec env PYTHONDONTWRITEBYTECODE=1 "$OUT/wheel-test/bin/python" -P proto/python/tests/try_wheel.py proto/python/README.md
fi
[ $# -eq 0 ] || { echo "wheel.sh [here], got \"$1\"" >&2; exit 2; }
for need in debootstrap unshare chroot; do
    command -v $need >/dev/null || { echo "Needs $need: apt-get install $need" >&2; exit 1; }
done
[ "$(id -u)" -eq 0 ] || { echo 'Needs root, to make and enter another Debian: sudo make test-wheel' >&2; exit 1; }
# Mounts made from here on are this script's own and end with it.
[ -n "${WEFT_UNSHARED:-}" ] || WEFT_UNSHARED=1 exec unshare --mount --propagation private "$0"

roots=$OUT/debroots root=$OUT/debroots/wheel-run
mkdir -p "$roots"
mirror=$(grep -hEo 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

passed=0
check() { # check WHAT COMMAND…: ends the script where the command fails
    local what=$1
    shift
    "$@" || { echo "✖ $what"; echo "$passed passed, 1 failed"; exit 1; }
    passed=$((passed + 1))
    echo "✔ $what"
}
enter() { # enter COMMAND…: in the root, with the host's network, proxies and certificate authorities
    local pass=() name authorities=${SSL_CERT_FILE:-${NODE_EXTRA_CA_CERTS:-}}
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL UV_INDEX_URL; do
        [ -z "${!name:-}" ] || pass+=("$name=${!name}")
    done
    if [ -r "$authorities" ]; then
        cp -L "$authorities" "$root/etc/host-authorities.crt"
        pass+=(PIP_CERT=/etc/host-authorities.crt SSL_CERT_FILE=/etc/host-authorities.crt)
    fi
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PIP_DISABLE_PIP_VERSION_CHECK=1 ${pass[@]+"${pass[@]}"} chroot "$root" "$@" </dev/null
}
compilers_and_headers() {
    enter sh -c 'for name in gcc cc clang tcc make ld; do command -v $name; done; ls /usr/include/*.h 2>/dev/null' || true
    enter dpkg-query -W -f '${db:Status-Status} ${Package}\n' '*-dev' 2>/dev/null | grep '^installed ' || true
}
has_no_compiler() { [ -z "$(compilers_and_headers)" ]; }
has_no_libraries() {
    [ -z "$(find "$root" -xdev \( -name 'libcjson*' -o -name 'libwebsockets*' -o -name 'libpq*' -o -name 'libqrencode*' \) -print)" ]
}
says_version() { [[ $(enter "$@") == 'weft-world '[0-9]* ]]; }

if [ ! -d "$roots/bookworm" ]; then # used only once it is whole
    rm -rf --one-file-system "$roots/bookworm.part"
    unshare --mount --propagation private debootstrap --variant=minbase bookworm "$roots/bookworm.part" "${mirror% }"
    mv "$roots/bookworm.part" "$roots/bookworm"
fi
rm -rf --one-file-system "$root"
cp -ax "$roots/bookworm" "$root"
enter apt-get -q update
enter apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends python3 python3-venv
mkdir "$root/wheels"
cp "$wheel" proto/python/README.md proto/python/tests/try_wheel.py "$root/wheels"
file=/wheels/$(basename "$wheel")

check 'the root has neither compiler nor headers' has_no_compiler
check 'it has none of the libraries of the server' has_no_libraries
check 'pip installs the wheel' enter sh -c "python3 -m venv /weft && /weft/bin/pip install --quiet $file"
check 'example, licences, python -m weft_world and weft-world' enter /weft/bin/python -P /wheels/try_wheel.py /wheels/README.md
check 'pip installs uv' enter sh -c "python3 -m venv /uv && /uv/bin/pip install --quiet uv==$UV"
check 'uvx --from FILE weft-world' says_version /uv/bin/uvx --quiet --python /usr/bin/python3 --from "$file" weft-world --version
check 'uvx weft-world, from where it is found' says_version /uv/bin/uvx --quiet --python /usr/bin/python3 --find-links /wheels weft-world --version
check 'pip takes all of it away' enter sh -c '/weft/bin/pip uninstall --quiet --yes weft-world && ! ls -d /weft/lib/python3*/site-packages/weft_world* 2>/dev/null'
echo "$passed passed, 0 failed"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints the changelog of the Debian packages: changelog.sh VERSION. The changelog names the release of Debian of the
# build, so that a machine that is upgraded to the next release gets the packages of that one; README.md, "Changes",
# lists the changes.
set -euo pipefail
[ $# -eq 1 ] && [[ $1 =~ ^[0-9][0-9.]*$ ]] || { echo 'changelog.sh VERSION, such as 0.1.0' >&2; exit 2; }
cd "$(dirname "$0")/.."
release=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_ID:-}") || release=
[ -n "$release" ] || { echo 'The packages are built on Debian 12 or 13, whose libraries they name.' >&2; exit 1; }
date=$(date -R --date="@${SOURCE_DATE_EPOCH:-$(stat -c %Y server/base/version.h)}")
printf 'weft (%s+deb%s) unstable; urgency=medium\n\n  * README.md says under "Changes" what changed.\n\n -- The Weft authors <weft@localhost>  %s\n' \
    "$1" "$release" "$date"

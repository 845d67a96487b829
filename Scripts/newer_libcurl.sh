#!/usr/bin/env bash
# Prints a folder with the libcurl of Debian 12's backports (8.14.1), for LD_LIBRARY_PATH. URLSession on Linux loads the libcurl
# of the system, which there is 7.88.1.
#
# It downloads the package once (2 MB), checks its signature, and installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/.build/newer-libcurl
library=$folder/root/usr/lib/$(uname -m)-linux-gnu
keys=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
    echo "error: no newer libcurl: $1" >&2
    exit 1
}

# The mirror that this Debian uses.
mirror() {
    local lists=(/etc/apt/sources.list.d/debian.sources /etc/apt/sources.list)
    # One of the lists is missing.
    { grep -hoE 'https?://[^ ]+/debian/?( |$)' "${lists[@]}" 2> /dev/null || true; } | head -n 1
}

if [ ! -e "$library/libcurl.so.4" ]; then
    [ -e "$keys" ] || fail "this is not Debian: $keys is missing"
    mirror=$(mirror)
    [ -n "$mirror" ] || fail "the sources of this Debian name no mirror"
    rm -rf "$folder"
    mkdir -p "$folder"/{lists/partial,cache/archives/partial}
    echo "deb [signed-by=$keys] $mirror bookworm-backports main" > "$folder/sources.list"
    options=(
        -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache"
        # As root, apt would use a user who may not write here.
        -o APT::Sandbox::User=
    )
    (
        cd "$folder" && apt-get "${options[@]}" update &&
            apt-get "${options[@]}" download libcurl4/bookworm-backports && dpkg -x libcurl4_*.deb root
    ) > "$folder/log" 2>&1 || {
        tail -n 3 "$folder/log" >&2
        fail "it could not be downloaded (see $folder/log)"
    }
fi
missing=$(ldd "$library/libcurl.so.4" | grep 'not found' || true)
[ -z "$missing" ] || fail "it needs libraries that are not here:$missing"
echo "$library"

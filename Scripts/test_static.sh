#!/usr/bin/env bash
# Checks what the library promises on Linux in a program that has Swift and Foundation in it, as programs in containers often do. It
# runs on the libcurl of the system, and on a newer one.
#
# Swift Testing cannot be linked statically. So it is not the tests that run, but `soak promises`, on the tests' servers.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "error: $1" >&2
    exit 1
}

swift build --package-path Soak -c release --static-swift-stdlib --scratch-path .build-static "$@"
program=.build-static/release/soak

libraries=$(ldd "$program")
if grep -q libFoundation <<< "$libraries"; then fail "Foundation is not in the program, but loaded by it."; fi
grep -q 'libcurl\.so\.4 =>' <<< "$libraries" || fail "The program does not load libcurl."

"$program" promises
newer=$(Scripts/newer_libcurl.sh)
LD_LIBRARY_PATH=$newer "$program" promises

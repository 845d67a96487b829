#!/usr/bin/env bash
# Prints the instructions that a request costs in each of its forms, and how they compare to the form written by hand.
#
# Each form runs with two counts of requests; the difference is what the additional requests cost, without start-up.
set -euo pipefail
cd "$(dirname "$0")/.."

few=${FEW:-500}
many=${MANY:-3500}

if [[ -z ${PROGRAM:-} ]]; then
    swift build --configuration release --product RequestOverhead >&2
    PROGRAM=$(swift build --configuration release --show-bin-path)/RequestOverhead
fi
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT

instructions() {
    local log="$counts/$1-$2"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$PROGRAM" "$1" "$2" 2>"$log" ||
        { cat "$log" >&2; exit 1; }
    awk '/Collected/ { print $NF }' "$log"
}

cost() {
    local long short
    long=$(instructions "$1" "$many")
    short=$(instructions "$1" "$few")
    echo $(((long - short) / (many - few)))
}

compare() {
    local form=$1 raw ours
    raw=$(cost "$2")
    ours=$(cost "$3")
    printf '%-26s %12d %12d %8s\n' "$form" "$raw" "$ours" "$(awk "BEGIN { printf \"%.3f\", $ours / $raw }")"
}

printf '%-26s %12s %12s %8s\n' request "by hand" library ratio
compare "callback" raw-callback callback
compare "callback, decoded" raw-callback-json callback-json
compare "async" raw-async async
compare "async, decoded" raw-async-json async-json
# What the guard against unanswered challenges needs on Linux costs this much before the library begins.
compare "async by callback, by hand" raw-async raw-async-by-callback

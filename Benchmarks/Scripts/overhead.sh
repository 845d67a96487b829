#!/usr/bin/env bash
# Prints the instructions that a request costs in each of its forms, and how they compare to the form written by hand.
#
# Each form runs with two counts of requests; the difference is what the additional requests cost, without start-up.
set -euo pipefail
cd "$(dirname "$0")/.."

few=${FEW:-500}
many=${MANY:-1500}

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

cost() { echo $((($(instructions "$1" "$many") - $(instructions "$1" "$few")) / (many - few))); }

compare() {
    local raw ours
    raw=$(cost "raw-$1")
    ours=$(cost "$1")
    printf '%-16s %12d %12d %8s\n' "$1" "$raw" "$ours" "$(awk "BEGIN { printf \"%.3f\", $ours / $raw }")"
}

printf '%-16s %12s %12s %8s\n' request raw library ratio
for form in ${FORMS:-callback callback-json async async-json}; do
    compare "$form"
done

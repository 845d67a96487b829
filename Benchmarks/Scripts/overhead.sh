#!/usr/bin/env bash
# Prints what a request over loopback costs in each of its forms, and how that compares to the form written by hand:
# instructions, or with SWITCHES=1 context switches and microseconds.
#
# Instructions: each form runs with two counts of requests; the difference is what the additional requests cost, without
# start-up. Switches and time: alternating runs of a process each, seven pairs; the medians.
set -euo pipefail
cd "$(dirname "$0")/.."

few=${FEW:-200}
many=${MANY:-1200}

command -v nginx >/dev/null || { echo "error: nginx is missing: apt-get install nginx-light" >&2; exit 1; }
if [[ -z ${PROGRAM:-} ]]; then
    swift build --configuration release --product RequestOverhead >&2
    PROGRAM=$(swift build --configuration release --show-bin-path)/RequestOverhead
fi
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$folder"' EXIT

# A server in a process of its own, so that nothing is counted but what the client does.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/nginx.conf" <<CONFIGURATION
pid $folder/pid;
error_log $folder/error.log;
worker_processes 1;
events {}
http {
    access_log off;
    keepalive_requests 1000000;
    server {
        listen 127.0.0.1:$port;
        default_type application/json;
        add_header Cache-Control no-cache;
        location / {
            return 200 '{"id": 7, "name": "Hejira", "artist": "Joni Mitchell", "year": 1976, "songs": 9}';
        }
    }
}
CONFIGURATION
nginx -c "$folder/nginx.conf" -e "$folder/error.log"
url=http://127.0.0.1:$port/albums/7

instructions() {
    local log="$folder/$1-$2"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$PROGRAM" "$1" "$2" "$url" 2>"$log" ||
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
    printf '%-20s %12d %12d %8s\n' "$form" "$raw" "$ours" "$(awk "BEGIN { printf \"%.3f\", $ours / $raw }")"
}

# Prints context switches and microseconds a request.
run() {
    /usr/bin/env python3 - "$PROGRAM" "$1" "$url" <<'PROGRAM'
import resource, subprocess, sys, time
count = 3000
start = time.monotonic()
subprocess.run([sys.argv[1], sys.argv[2], str(count), sys.argv[3]], check=True)
duration = time.monotonic() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print((usage.ru_nvcsw + usage.ru_nivcsw) / count, duration / count * 1e6)
PROGRAM
}

pairs() {
    for _ in 1 2 3 4 5 6 7; do
        run "$2" >>"$folder/$2"
        run "$3" >>"$folder/$3"
    done
    for form in "$2" "$3"; do
        printf '%-20s %-14s %10s %10s\n' "$1" "$form" "$(median 1 "$form")" "$(median 2 "$form")"
    done
}

median() { sort -n -k "$1" "$folder/$2" | awk -v column="$1" 'NR == 4 { printf "%.1f", $column }'; }

if [[ -n ${SWITCHES:-} ]]; then
    printf '%-20s %-14s %10s %10s\n' request form switches "µs"
    pairs "callback" raw-callback callback
    pairs "async" raw-async async
else
    printf '%-20s %12s %12s %8s\n' request "by hand" library ratio
    compare "callback" raw-callback callback
    compare "callback, decoded" raw-callback-json callback-json
    compare "async" raw-async async
    compare "async, decoded" raw-async-json async-json
    compare "upload of 10 kB" raw-upload upload
    compare "… from a file" raw-file-upload file-upload
    printf '\n%-20s %12s %12s %8s\n' request "plain method" client ratio
    compare "client" async-json client
    compare "client, middleware" async-json client-middleware
    compare "… and two more" async-json client-all-middleware
fi

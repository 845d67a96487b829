#!/usr/bin/env bash
# Runs the tests that need servers with certificates of a trusted authority, or HTTP/2: nginx is both.
#
# The tests run in a mount namespace of their own, in which the authorities of the system are others.
#
# Arguments are those of `swift test`. By default, they are a filter for these tests. After `--`, they are another command to
# run instead.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then set -- --filter 'TrustedServerTests|PinnedPublicKeysTests|ClientCertificateTests|LongHeadTests|ResponseLengthTests|TrailersTests|EarlyAnswerTests|BusyWaitTests/fullWindow|TLSTests|ProxyTests|TunnelTests|RejectedProtectionSpaceTests|WaitingRequestTests|CookieTests|CrowdTests|SharedConnectionTests|ResponseChainTests|RepeatedBodyTests|RedirectTests/credentialAfterHops|CancellationTests/.*[rR]edirect|FaultMatrixTests/asynchronous'; fi

command=(swift test)
if [ "$1" = -- ]; then
    command=()
    shift
fi

command -v nginx > /dev/null || { echo "error: install nginx, for example with apt-get install nginx-light" >&2; exit 1; }

folder=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server"; fi
    # What nginx itself lacks (connections, descriptors), and not what a test does to it.
    grep -E "\[(emerg|alert|crit)\]" "$folder/error.log" | head -n 5 >&2 || true
    rm -rf "$folder"
}
trap finish EXIT

authorities=/etc/ssl/certs/ca-certificates.crt
past=20200101000000Z
present=20210101000000Z
future=20480101000000Z
distant=20490101000000Z

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/ca.key" -out "$folder/ca.crt" -days 2 \
    -subj "/CN=Authority of the tests" -addext basicConstraints=critical,CA:TRUE 2> /dev/null
# The second authority is that of the loopback server's certificates. Those of the system are left out: no test needs them,
# and URLSession reads the whole list for each connection.
cat "$folder/ca.crt" Tests/TestSupport/LoopbackServer/Certificates/authority.pem \
    > "$folder/authorities.crt"
touch "$folder/index.txt"
cat > "$folder/ca.cnf" << EOF
[ca]
default_ca = tests
[tests]
database = $folder/index.txt
new_certs_dir = $folder
rand_serial = yes
default_md = sha256
unique_subject = no
policy = any
[any]
commonName = supplied
EOF

# certificate NAME HOSTS FROM TO
certificate() {
    openssl req -newkey rsa:2048 -nodes -keyout "$folder/$1.key" -out "$folder/$1.csr" -subj "/CN=$1" 2> /dev/null
    echo "subjectAltName = DNS:${2//,/,DNS:}" > "$folder/$1.ext"
    openssl ca -batch -notext -config "$folder/ca.cnf" -cert "$folder/ca.crt" -keyfile "$folder/ca.key" \
        -in "$folder/$1.csr" -out "$folder/$1.crt" -extfile "$folder/$1.ext" -startdate "$3" -enddate "$4" 2> /dev/null
}
certificate valid "localhost,*.example.localhost,*.home.example.localhost" "$past" "$distant"
certificate expired localhost "$past" "$present"
certificate future localhost "$future" "$distant"
certificate other example.com "$past" "$distant"

read -r http1 http2 expired notYetValid otherName < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(5)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])')

cat > "$folder/nginx.conf" << EOF
daemon off;
pid $folder/pid;
error_log $folder/error.log;
# Eight tests at once may send 100 requests each, and each request has a connection to the loopback server.
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
    access_log off;
    client_max_body_size 0;
    # A test sends more than 1,000 on one connection.
    keepalive_requests 10000;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    absolute_redirect off;
    ssl_certificate $folder/valid.crt;
    ssl_certificate_key $folder/valid.key;
    map \$arg_set \$cookie {
        plain "a=b";
        secure "a=b; Secure";
        path "a=b; Path=/a";
        expired "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
        lasting "a=b; Expires=Thu, 01 Jan 2099 00:00:00 GMT";
        aged "a=b; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
        dead "a=b; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT";
        domain "a=b; Domain=localhost";
        other "a=b; Domain=example.com";
        hidden "a=b; HttpOnly; SameSite=Strict";
    }
    server {
        listen 127.0.0.1:$http1 ssl;
        listen 127.0.0.1:$http2 ssl http2;
        add_header Set-Cookie \$cookie;
        add_header X-Protocol \$server_protocol always;
        location = /a/b/c {
            if (\$arg_to) { return 302 \$arg_to; }
            return 200 "\$request_uri";
        }
        location ~ ^/loopback/(\d+)(/.*)\$ {
            proxy_pass http://127.0.0.1:\$1\$2\$is_args\$args;
            proxy_set_header X-Connection \$connection;
            proxy_http_version 1.1;
            proxy_redirect off;
            proxy_buffering off;
            proxy_request_buffering off;
        }
        # A long head fits into one buffer.
        location ~ ^/long-heads/(\d+)(/.*)\$ {
            proxy_pass http://127.0.0.1:\$1\$2;
            proxy_buffer_size 256k;
            proxy_buffers 4 256k;
            proxy_busy_buffers_size 256k;
        }
        location /cookie-parser {
            proxy_pass http://127.0.0.1:\$http_x_port;
            proxy_buffer_size 16k;
            proxy_buffers 4 16k;
            proxy_busy_buffers_size 16k;
        }
        location = /challenge {
            add_header WWW-Authenticate 'Basic realm="x"' always;
            return 401 "refused";
        }
        # For the benchmarks.
        location = /album {
            default_type application/json;
            return 200 '{"id": 7, "name": "Hejira", "artist": "Joni Mitchell", "year": 1976}';
        }
        location = /cookie { return 200 "\$http_cookie"; }
        location / { return 200 "\$request_uri"; }
    }
    server {
        listen 127.0.0.1:$expired ssl;
        ssl_certificate $folder/expired.crt;
        ssl_certificate_key $folder/expired.key;
    }
    server {
        listen 127.0.0.1:$notYetValid ssl;
        ssl_certificate $folder/future.crt;
        ssl_certificate_key $folder/future.key;
    }
    server {
        listen 127.0.0.1:$otherName ssl;
        ssl_certificate $folder/other.crt;
        ssl_certificate_key $folder/other.key;
    }
}
EOF
nginx -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" &
server=$!
for port in "$http1" "$http2" "$expired" "$notYetValid" "$otherName"; do
    for _ in {1..100}; do
        if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then break; fi
        sleep 0.05
    done
done
kill -0 "$server" 2> /dev/null || { server=; echo "error: nginx did not start" >&2; exit 1; }

export TRUSTED_SERVERS="http1=$http1 http2=$http2 expired=$expired notYetValid=$notYetValid otherName=$otherName"
export TEST_AUTHORITIES="$folder/authorities.crt"
export TRUSTS_TEST_AUTHORITY=1
# These would name other authorities.
unset URLSessionCertificateAuthorityInfoFile CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
# Without root, a user namespace allows the mount.
options=(--mount)
if [ "$(id -u)" -ne 0 ]; then options+=(--map-root-user); fi
unshare "${options[@]}" bash -c "
    mount --bind \"\$TEST_AUTHORITIES\" $authorities
    exec \"\$@\"" bash "${command[@]}" "$@"

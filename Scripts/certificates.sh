#!/usr/bin/env bash
# Makes the certificates of the test server: each file holds a certificate and its key. They say nothing to anybody but
# the tests, so the keys are no secret.
set -euo pipefail
cd "$(dirname "$0")/../Tests/TestSupport/LoopbackServer/Certificates"

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

cat >"$work/ca.cnf" <<END
[ca]
default_ca = tests
[tests]
database = $work/index.txt
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[here]
basicConstraints = critical, CA:FALSE
subjectAltName = IP:127.0.0.1, DNS:localhost
[elsewhere]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:example.com
END
touch "$work/index.txt"

# certificate NAME EXTENSIONS SIGNER [END]: the signer may be the certificate itself.
certificate() {
    local name=$1 extensions=$2 signer=$3 end=${4:-21260101000000Z}
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=URLSessionResult tests: $name" \
        -keyout "$work/$name.key" -out "$work/$name.csr" 2>"$work/log"
    if [ "$signer" = "$name" ]; then
        set -- -selfsign -keyfile "$work/$name.key"
    else
        set -- -cert "$work/$signer.crt" -keyfile "$work/$signer.key"
    fi
    openssl ca -batch -notext -config "$work/ca.cnf" -extensions "$extensions" -startdate 20200101000000Z \
        -enddate "$end" -in "$work/$name.csr" -out "$work/$name.crt" "$@" 2>"$work/log" || { cat "$work/log"; exit 1; }
    cat "$work/$name.crt" "$work/$name.key" >"$name.pem"
}

certificate authority authority authority
certificate other-authority authority other-authority
certificate valid here authority
certificate expired here authority 20200102000000Z
certificate other-host elsewhere authority
certificate self-signed here self-signed
certificate untrusted-authority here other-authority

# What signs is not kept: nobody who trusts the authority for a while trusts anything else by it.
rm other-authority.pem
cp "$work/authority.crt" authority.pem

#!/usr/bin/env bash
# Builds a version of libcurl, such as 8.18.0, and prints its folder for LD_LIBRARY_PATH. Installs nothing.
#
# Needs git, and Debian's cmake ninja-build libssl-dev libnghttp2-dev libbrotli-dev zlib1g-dev. `CURL_REPOSITORY` may name a clone.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?"usage: Scripts/build_libcurl.sh VERSION"}
folder=$PWD/.build/libcurl-$version
log=$folder/log
# Up to 7.80, the names of some options begin otherwise.
case $version in 7.7* | 7.80*) prefix=CMAKE ;; *) prefix=CURL ;; esac

if [ ! -e "$folder/lib/libcurl.so.4" ]; then
    rm -rf "$folder"
    mkdir -p "$folder/lib"
    {
        git clone --quiet --depth 1 --branch "curl-${version//./_}" \
            "${CURL_REPOSITORY:-https://github.com/curl/curl}" "$folder/source"
        # Before 7.86, cmake does not look for `socketpair`, which every system has.
        cmake -G Ninja -S "$folder/source" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-DHAVE_SOCKETPAIR=1 \
            -D"${prefix}_USE_OPENSSL=ON" -D"${prefix}_USE_LIBSSH2=OFF" \
            -DUSE_NGHTTP2=ON -DCURL_BROTLI=ON -DCURL_DISABLE_LDAP=ON -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF \
            -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DBUILD_LIBCURL_DOCS=OFF -DENABLE_CURL_MANUAL=OFF \
            -DCURL_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt -DCURL_CA_PATH=none
        ninja -C "$folder/build"
    } > "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "error: libcurl $version was not built, see $log" >&2; exit 1; }
    # Before 8, cmake gives the library no version.
    library=$(find "$folder/build/lib" -name 'libcurl.so*' -type f)
    ln -s "$library" "$folder/lib/libcurl.so.4"
fi
echo "$folder/lib"

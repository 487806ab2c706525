# Sourced by portable.sh: the C libraries as archives.
#
#   build_parts
#
# sets `parts` to a folder, made once for its content, on Debian 12: lib has archives and no shared
# library, so that the linker finds none there, licenses has what their authors ask to be handed on,
# and versions tells which they are. libcurl has HTTP, TLS, gzip and HTTP/2 and nothing else;
# Debian's archive of it needs Kerberos and LDAP, which have no form to be linked in.

source "$root/Demo/packaging/sources.sh"

# What is taken as it is from the system's packages for development: its archive, and its package.
declare -A archive_of=(
  [ssl]=libssl-dev [crypto]=libssl-dev [sqlite3]=libsqlite3-dev [z]=zlib1g-dev
  [nghttp2]=libnghttp2-dev [lzma]=liblzma-dev [stdc++]=libstdc++-12-dev
)

build_parts() {
  local key scratch
  key=$({
    cat "$lock" "$root/Demo/packaging/"{parts,sources}.sh "$root/Demo/packaging/older.c"
    dpkg-query --show "${archive_of[@]}" gcc libc6-dev
  } | sha256sum | cut -c -16)
  parts=$portable/parts-$key
  [ ! -d "$parts" ] || return 0
  echo "Building libcurl and libxml2; that takes minutes, once." >&2
  scratch=$(mktemp -d)
  # In a shell of its own, since none ends at the first failure while it is asked whether it failed.
  if ! root=$root bash -euo pipefail -c 'source "$root/Demo/packaging/parts.sh"; make_parts "$@"' \
    parts "$scratch" "$scratch/parts" >"$scratch/log" 2>&1; then
    cat "$scratch/log" >&2
    echo "The C libraries could not be built; what went wrong is said above." >&2
    return 1
  fi
  mkdir -p "${parts%/*}"
  # From another file system it would be copied: what is there under its name is whole.
  rm -rf "$parts.new"
  mv "$scratch/parts" "$parts.new"
  mv "$parts.new" "$parts"
  rm -rf "$scratch"
}

make_parts() {
  local scratch=$1 made=$2 name upstream file digest
  mkdir -p "$made"/{lib,licenses}
  list_sources "$scratch"
  grep -v '^#' "$lock" | while read -r name upstream file digest; do
    (mkdir "$scratch/$name.files" && cd "$scratch/$name.files" &&
      fetch_source "$name" "$upstream" "$file" "$digest" "$scratch")
    (cd "$scratch/$name" && "build_$name" "$scratch/to")
    cp "$scratch/$name/debian/copyright" "$made/licenses/$name"
    echo "$name $(cat "$scratch/$name.version")" >>"$made/versions"
  done
  cp "$scratch"/to/lib/lib{curl,xml2}.a "$made/lib/"
  cc -O2 -fPIC -fno-builtin -c -o "$made/lib/older.o" "$root/Demo/packaging/older.c"
  for name in "${!archive_of[@]}"; do take_archive "$name" "${archive_of[$name]}" "$made"; done
  # Its runtime is linked in as well.
  cp "$(swift_root)/share/swift/LICENSE.txt" "$made/licenses/swift"
  sort -u -o "$made/versions" "$made/versions"
}

swift_root() {
  swift -print-target-info | sed -n 's,.*"runtimeResourcePath": "\(.*\)/lib/swift".*,\1,p'
}

# take_archive LIBRARY PACKAGE MADE
take_archive() {
  cp "$(cc --print-file-name="lib$1.a")" "$3/lib/"
  cp "/usr/share/doc/$2/copyright" "$3/licenses/${2%-dev}"
  echo "${2%-dev} $(dpkg-query --show --showformat '${Version}' "$2")" >>"$3/versions"
}

# Functions in sections of their own, so that the linker leaves out what nobody calls; and none of
# the C library's that are younger than 2.34.
configure_part() {
  # Debian's patches are newer than what was generated: nothing is to be generated anew.
  find . -exec touch -d @0 {} +
  ac_cv_func_arc4random=no ./configure --prefix=/ --disable-shared --enable-static \
    --disable-dependency-tracking "$@" \
    CFLAGS="-O2 -fPIC -ffunction-sections -fdata-sections -fstack-protector-strong \
      -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$PWD=."
}

build_curl() {
  configure_part --with-openssl --with-nghttp2 --with-zlib --without-brotli --without-zstd \
    --without-libidn2 --without-libpsl --without-libssh2 --without-librtmp --without-nghttp3 \
    --without-ngtcp2 --without-ca-bundle --without-ca-path --disable-ldap --disable-ldaps \
    --disable-rtsp --disable-dict --disable-telnet --disable-tftp --disable-pop3 --disable-imap \
    --disable-smb --disable-smtp --disable-gopher --disable-mqtt --disable-ftp --disable-file \
    --disable-ipfs --disable-websockets --disable-ntlm --disable-kerberos-auth \
    --disable-negotiate-auth --disable-bearer-auth --disable-aws --disable-tls-srp \
    --disable-alt-svc --disable-hsts --disable-cookies --disable-doh --disable-mime \
    --disable-form-api --disable-unix-sockets --disable-libcurl-option --disable-manual \
    --disable-docs --disable-rt
  # Without the program.
  make -C lib -j "$(nproc)" libcurl.la
  make -C lib install-libLTLIBRARIES DESTDIR="$1"
}

# What reads pages and feeds; no network, no schemas, no ICU and no decompression.
build_libxml2() {
  configure_part --without-python --without-icu --without-lzma --without-zlib --without-http \
    --without-ftp --without-catalog --without-debug --without-mem-debug --without-legacy \
    --without-modules --without-schemas --without-schematron --without-xinclude --without-xptr \
    --without-c14n --without-docbook
  make -j "$(nproc)" libxml2.la
  make install-libLTLIBRARIES DESTDIR="$1"
}

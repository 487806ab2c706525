# Sourced by wheel.sh: roots where there is no Swift, and what the programs do in them. Needs root.
#
#   try_in_root SCRATCH PROGRAMS
#
# tries the programs of a folder in a root that has the C library of this system and nothing else.
#
#   try_in_debian PROGRAMS SUITE…
#
# tries them in roots that debootstrap makes.

root_needs=(nginx openssl unshare)

try_in_root() {
  local place=$1/root package
  mkdir -p "$place"/usr/{lib,lib64}
  for package in lib lib64; do ln -s "usr/$package" "$place/$package"; done
  for package in libc6 libgcc-s1; do dpkg-query --listfiles "$package"; done | sort -u |
    while IFS= read -r package; do
      if [ -f "$package" ]; then printf '%s\n' "${package#/}"; fi
    done | tar -C / --no-recursion -cf - -T - | tar -C "$place" --keep-directory-symlink -xf -
  try_programs "$1" "$2"
}

try_in_debian() {
  local programs=$1 suite scratch mirror
  shift
  require debootstrap
  mirror=$(debian_mirrors | sed -n '\,/debian/$,{p;q}')
  for suite; do
    scratch=$(mktemp -d)
    if ! debootstrap --variant=minbase "$suite" "$scratch/root" "$mirror" >"$scratch/log" 2>&1; then
      tail -n 3 "$scratch/log" >&2
      echo "debootstrap made no root of $suite." >&2
      return 1
    fi
    try_programs "$scratch" "$programs"
    echo "$(sed -n 's/^PRETTY_NAME=//p' "$scratch/root/etc/os-release"): all three run."
    rm -rf "$scratch"
  done
}

# try_programs SCRATCH PROGRAMS: in SCRATCH/root.
try_programs() {
  local place=$1/root name
  require "${root_needs[@]}"
  mkdir -p "$place"/{programs,dev,proc,tmp}
  cp "$2"/{mirror,records,documents} "$place/programs/"
  [ -e "$place/dev/null" ] || mknod -m 666 "$place/dev/null" c 1 3
  for name in mirror records documents; do
    in_root "$place" "$name" --version >"$1/said"
    grep -qx "$name [0-9.]*" "$1/said" || complain "$name doesn't say its version" "$1/said"
    grep -q '^libcurl .*(HTTP/2)$' "$1/said" || complain "$name speaks no HTTP/2" "$1/said"
  done
  serve "$1"
  try_fetching "$1" || { stop_serving "$1"; return 1; }
  stop_serving "$1"
}

# in_root ROOT [VARIABLE=VALUE…] PROGRAM ARGUMENT…: with no other variables, and so without a home.
in_root() {
  local place=$1 variables=()
  shift
  while [[ $1 = *=* ]]; do variables+=("$1"); shift; done
  within "$place" env -i PATH=/programs "${variables[@]}" "$(command -v chroot)" "$place" "$@"
}

# within ROOT COMMAND…: Swift's runtime reads the arguments of a program from /proc.
within() {
  # shellcheck disable=SC2016
  unshare --mount sh -c 'mount --bind /proc "$0/proc" && exec "$@"' "$@"
}

complain() {
  echo "$1:" >&2
  cat "$2" >&2
  return 1
}

# Over HTTP/2, with certificates from where each system has them, and without any.
try_fetching() {
  local place=$1/root said=$1/said catalog="https://127.0.0.1:$port/catalog.ndjson" file
  cp "$1/certificate.pem" "$place/tmp/"
  for _ in first second; do
    in_root "$place" SSL_CERT_FILE=/tmp/certificate.pem mirror sync "$catalog" /copy \
      >"$said" 2>&1 || complain "mirror doesn't sync" "$said" || return
  done
  cmp "$1/site/a.txt" "$place/copy/a.txt" || return
  [ "$(grep -c '/a.txt$' "$1/requests")" = 1 ] ||
    complain "a file wasn't fetched once" "$1/requests" || return
  ! grep -qv '^HTTP/2.0 ' "$1/requests" ||
    complain "another HTTP was spoken" "$1/requests" || return
  ! in_root "$place" mirror sync "$catalog" /copy >"$said" 2>&1 || return
  grep -q 'has no certificates to know a server by.*SSL_CERT_FILE' "$said" ||
    complain "nothing is said of certificates" "$said" || return
  for file in ssl/certs/ca-certificates.crt pki/tls/certs/ca-bundle.crt ssl/ca-bundle.pem \
    ssl/cert.pem; do
    install -D -m 644 "$1/certificate.pem" "$place/etc/$file"
    in_root "$place" mirror sync "$catalog" /copy >"$said" 2>&1 ||
      complain "certificates in /etc/$file aren't found" "$said" || return
    rm "$place/etc/$file"
  done
  try_read_only "$place" "$catalog" "$said"
}

# It says its version, and in a sentence why it can't sync.
try_read_only() {
  # shellcheck disable=SC2016
  unshare --mount sh -eu -c 'mount --bind "$0" "$0"
    mount -o remount,bind,ro "$0"
    mount --bind /proc "$0/proc"
    env -i "$2" "$0" /programs/mirror --version
    ! env -i SSL_CERT_FILE=/tmp/certificate.pem "$2" "$0" /programs/mirror sync "$1" /new' \
    "$1" "$2" "$(command -v chroot)" >"$3" 2>&1 ||
    complain "a root that is read-only isn't borne" "$3" || return
  grep -qi 'read-only' "$3" || complain "nobody says that it is read-only" "$3"
}

# A server on this machine, whose certificate nobody else trusts; sets `port`.
serve() {
  local folder=$1
  mkdir -p "$folder/site"
  echo hello >"$folder/site/a.txt"
  printf '{"catalog":1,"complete":true}\n{"key":"a.txt","version":"1"}\n' \
    >"$folder/site/catalog.ndjson"
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$folder/key.pem" -out "$folder/certificate.pem" \
    2>/dev/null
  port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1])')
  cat >"$folder/nginx" <<CONFIGURATION
user root;
pid $folder/pid;
error_log $folder/errors;
events {}
http {
  log_format protocol '\$server_protocol \$uri';
  access_log $folder/requests protocol;
  server {
    listen 127.0.0.1:$port ssl http2;
    ssl_certificate $folder/certificate.pem;
    ssl_certificate_key $folder/key.pem;
    root $folder/site;
  }
}
CONFIGURATION
  nginx -q -e "$folder/errors" -c "$folder/nginx"
}

stop_serving() { kill "$(cat "$1/pid")"; }

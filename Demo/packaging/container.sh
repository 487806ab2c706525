# Sourced by Demo/package: an image of a container that runs `mirror`, of a root of Debian's.

container_needs=(debootstrap buildah)

# Files as they are, in place of an overlay: this works in a container, too.
build_image() { buildah --storage-driver vfs "$@"; }

# make_container FOLDER: the image as FOLDER/mirror.container.tar, an archive as Docker
# and Podman load it, of the package of mirror that is there.
make_container() {
  local folder=$1 place
  folder=$(cd "$folder" && pwd)
  place=$(mktemp -d)
  make_debian_root bookworm "$place/root"
  cp "$folder"/onewaysynchronizer-mirror_*.deb "$place/root/"
  chroot "$place/root" sh -c 'dpkg --install /*.deb && rm /*.deb' >"$place/log" 2>&1 ||
    { cat "$place/log" >&2; return 1; }
  rm -rf "$place/root"/var/{cache,log,lib/apt/lists}/*
  tar -C "$place/root" --sort=name --numeric-owner --exclude=./proc/* --exclude=./sys/* \
    -cf "$place/root.tar" .
  rm -rf "$place/root"
  build_image bud --isolation chroot --format docker --tag mirror \
    --file "$root/Demo/packaging/Containerfile" "$place" >"$place/log" 2>&1 ||
    { cat "$place/log" >&2; return 1; }
  rm -f "$folder/mirror.container.tar"
  build_image push mirror "docker-archive:$folder/mirror.container.tar:mirror:latest" 2>/dev/null
  rm -rf "$place"
  ls -sh "$folder/mirror.container.tar"
}

# make_debian_root SUITE PLACE: what Debian can't do without, and the certificates.
make_debian_root() {
  local log
  log=$(mktemp)
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2" http://deb.debian.org/debian \
    >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  rm -f "$log"
}

# It syncs what it is told to, says how that stands, and may write nothing else.
try_container() {
  local place id
  place=$(mktemp -d)
  mkdir "$place/source"
  chmod 755 "$place"
  echo hello >"$place/source/a.txt"
  printf '{"catalog":1,"complete":true}\n{"key":"a.txt"}\n' >"$place/source/catalog.ndjson"
  printf '[a]\ncatalog = file:///source/catalog.ndjson\nfolder = /srv/mirror/a\n' \
    >"$place/mirror.ini"
  id=$(build_image from mirror)
  in_container "$id" "$place" sh -c '[ "$(id -u)" = 10001 ] && ! touch /usr/bin/x 2>/dev/null'
  if in_container "$id" "$place" mirror status --quiet --config /etc/mirror.ini 2>/dev/null; then
    echo "The health check is content before anything was synced." >&2
    return 1
  fi
  in_container "$id" "$place" mirror sync --config /etc/mirror.ini
  in_container "$id" "$place" mirror status --quiet --config /etc/mirror.ini
  [ "$(in_container "$id" "$place" cat /srv/mirror/a/a.txt)" = hello ]
  build_image rm "$id" >/dev/null
  rm -rf "$place"
  echo "The container syncs as a user of its own, and its health check tells whether it has."
}

in_container() {
  local id=$1 place=$2
  shift 2
  build_image run --isolation chroot --user 10001:10001 \
    --volume "$place/source:/source:ro" --volume "$place/mirror.ini:/etc/mirror.ini:ro" \
    "$id" -- "$@"
}

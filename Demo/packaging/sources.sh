# Sourced by portable.sh: the sources that portable.lock names, through apt, which checks them by
# Debian's keys. The configuration is one of its own; the system's isn't touched.
#
#   fetch_source NAME UPSTREAM FILE SHA256 SCRATCH
#
# gets the newest revision that can be had into the folder where it is called, unpacks it, with
# Debian's patches, as SCRATCH/NAME, and writes which it was to SCRATCH/NAME.version.

lock=$root/Demo/packaging/portable.lock

fetch_source() {
  local name=$1 upstream=$2 file=$3 digest=$4 scratch=$5 version
  for version in $(revisions "$name" "$upstream" "$scratch"); do
    # A mirror may list a revision whose files it no longer has.
    apt_sources "$scratch" get source --download-only "$name=$version" || continue
    echo "$digest  $file" | sha256sum --check --quiet - || return 1
    dpkg-source --no-check -x "${name}_$version.dsc" "$scratch/$name" || return 1
    echo "$version" >"$scratch/$name.version"
    return
  done
  echo "No revision of $name $upstream can be had from Debian's mirror." >&2
  return 1
}

# The newest first.
revisions() {
  apt_sources "$3" cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -Vru |
    while read -r version; do
      if [ "${version%-*}" = "$2" ]; then echo "$version"; fi
    done
}

# apt_sources SCRATCH get|cache ARGUMENT…
apt_sources() {
  local place=$1/apt tool=$2
  shift 2
  "apt-$tool" -o Dir::Etc::sourcelist="$place/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State="$place/state" -o Dir::State::status=/dev/null -o Dir::Cache="$place/cache" \
    -o APT::Sandbox::User=root -q "$@"
}

# What apt knows of Debian 13's sources, at the mirrors that the system's packages come from.
list_sources() {
  local place=$1/apt keys=/usr/share/keyrings/debian-archive-keyring.gpg address suite
  if [ ! -s "$keys" ]; then
    echo "Debian's keys aren't in $keys; they are in the package debian-archive-keyring." >&2
    return 1
  fi
  mkdir -p "$place"/{state/lists/partial,cache/archives/partial}
  debian_mirrors | while read -r address; do
    suite=trixie
    [ "$address" = "${address%-security/}" ] || suite=trixie-security
    echo "deb-src [signed-by=$keys] $address $suite main"
  done >"$place/sources.list"
  apt_sources "$1" get update
}

# As it is written: what apt knows itself, it forgets with its lists, which images have none of.
debian_mirrors() {
  local written
  written=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    grep -v '^ *#' | tr -s ' \t' '\n' |
    sed -n 's,^\(https\?://.*/debian\(-security\)\?\)/*$,\1/,p' | sort -u) || true
  printf '%s\n' ${written:-http://deb.debian.org/debian/ http://deb.debian.org/debian-security/}
}

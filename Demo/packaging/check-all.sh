# Sourced by Demo/package: what is tried by hand, as it takes a network, or long.

all_needs=(lintian piuparts diffoscope debootstrap buildah)

check_all() {
  local folder=$1 suite
  require "${all_needs[@]}"
  check_words "$folder"
  check_twice "$folder"
  for suite in bookworm trixie testing; do try_suite "$suite" "$folder"; done
  try_in_debian "$programs" bookworm trixie testing
  check_leftovers "$folder"
  make_container "$folder"
  try_container
}

# No word of lintian's but on what lintian-overrides gives a reason for.
check_words() {
  lintian --allow-root --no-cfg --fail-on error,warning "$1"/*.changes
  echo "lintian has nothing to say."
}

# What is made a second time, from an empty folder, is the same, byte for byte.
check_twice() {
  local folder=$1 again deb
  again=$(mktemp -d)
  (
    build_options=(-c release --package-path "$root" --scratch-path "$root/.build/programs")
    rm -rf "$root/.build/again" "$root"/.build/portable/programs-*
    mv "$root/.build/programs" "$root/.build/again"
    make_debian "$again"
  )
  rm -rf "$root/.build/again"
  for deb in "$again"/*.deb; do diffoscope "$folder/${deb##*/}" "$deb"; done
  rm -rf "$again"
  echo "Two builds are equal."
}

# try_suite SUITE FOLDER: apt installs from the copy of the repository in a system of that version.
try_suite() {
  local suite=$1 folder=$2 place
  place=$(mktemp -d)
  make_debian_root "$suite" "$place"
  add_repository "$place" "$folder"
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
    unshare --mount --pid --fork /bin/sh -eu -c \
    'mount -t proc proc "$0/proc" && exec chroot "$0" /bin/sh -eu /try.sh' "$place" ||
    { echo "It doesn't work in $suite; look in $place." >&2; return 1; }
  rm -rf "$place"
  echo "Installed, run and removed in $suite."
}

# Installed and purged, nothing is left behind.
check_leftovers() {
  local place
  place=$(mktemp -d)
  make_debian_root bookworm "$place"
  piuparts --existing-chroot "$place" --distribution bookworm --no-eatmydata \
    --mirror 'http://deb.debian.org/debian main' --fail-on-broken-symlinks "$1"/*.deb \
    >"$1/piuparts.log" ||
    { tail -n 40 "$1/piuparts.log" >&2; return 1; }
  rm -rf "$place"
  echo "piuparts passes."
}

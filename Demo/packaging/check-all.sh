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

# What is made a second time, with nothing there that was compiled, is the same, byte for byte.
check_twice() {
  local folder=$1 again made
  again=$(mktemp -d)
  rm -rf "$root/.build/programs"
  (
    portable=$again/portable
    make_debian "$again"
    make_wheel "$again"
  )
  for made in "$again"/*.{deb,whl}; do diffoscope "$folder/${made##*/}" "$made"; done
  rm -rf "$again"
  echo "Packages and wheel are equal to those of a build from nothing."
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
    { echo "It doesn't work in $suite." >&2; return 1; }
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

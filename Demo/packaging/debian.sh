# Sourced by Demo/package: Debian packages of the three programs.
#
# Their names begin with the project's: "mirror" was a package of Debian's once, with higher
# versions than ours, and "records" and "documents" are words that others may want as well.

source "$root/Demo/packaging/portable.sh"

debian_needs=("${portable_needs[@]}" dh dpkg-buildpackage dpkg-shlibdeps git)

# make_debian FOLDER: the packages, what they were made of and from, in FOLDER.
make_debian() {
  local folder=$1 scratch version
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  portable_programs
  scratch=$(mktemp -d)
  version=$("$programs/mirror" --version | sed -n '1s/^mirror //p')
  (umask 022 && make_source "$scratch/onewaysynchronizer" "$version")
  if ! (cd "$scratch/onewaysynchronizer" && SOURCE_DATE_EPOCH=$(moment) DEB_BUILD_OPTIONS=nocheck \
    dpkg-buildpackage --build=binary --no-sign --no-pre-clean) >"$scratch/log" 2>&1; then
    cat "$scratch/log" >&2
    echo "The Debian packages could not be made; what went wrong is said above." >&2
    return 1
  fi
  rm -f "$folder"/onewaysynchronizer[-_]*
  cp "$scratch"/*.deb "$scratch"/*.changes "$scratch"/*.buildinfo "$folder/"
  rm -rf "$scratch"
  ls -sh "$folder"/*.deb
}

# The second that everything made is dated to: the day of the newest version in the changelog, or
# else of the last commit.
moment() {
  local day
  day=$(sed -n 's/^## \[[0-9].*\] - \([0-9-]*\)$/\1/p' "$root/CHANGELOG.md" | head -n 1)
  if [ -n "$day" ]; then
    date --utc --date "$day" +%s
  else
    git -C "$root" log -1 --format=%ct
  fi
}

# make_source FOLDER VERSION: what dpkg-buildpackage makes packages of.
make_source() {
  local source=$1 version=$2 name day
  day=$(date --utc --rfc-email --date "@$(moment)")
  mkdir -p "$source/made"
  cp -R "$root/Demo/packaging/debian" "$source/debian"
  cp "$root/CHANGELOG.md" "$source/"
  cat >"$source/debian/changelog" <<CHANGELOG
onewaysynchronizer ($version-1) unstable; urgency=medium

  * New version; the file "changelog" says what is new.

 -- The OneWaySynchronizer developers <nobody@example.org>  $day
CHANGELOG
  for name in mirror records documents; do furnish "$name" "$source/made/$name"; done
  add_units "$source/made/mirror"
}

# furnish NAME TREE: a program with its manual and what shells complete it by, below /usr.
furnish() {
  local name=$1 tree=$2 program=$programs/$1 page
  local about=$tree/share/doc/onewaysynchronizer-$name
  install -D -m 755 "$program" "$tree/bin/$name"
  # What is linked in, and what its authors ask to be handed on.
  mkdir -p "$about"
  cp -R "$parts/licenses" "$about/parts"
  cp "$parts/versions" "$about/parts/"
  mkdir -p "$tree/share/man/man1"
  "$program" manual >"$tree/share/man/man1/$name.1"
  for page in $(pages "$name" "$program"); do
    "$program" manual "$page" >"$tree/share/man/man1/$name-$page.1"
  done
  completion "$program" bash "$tree/share/bash-completion/completions/$name"
  completion "$program" zsh "$tree/share/zsh/vendor-completions/_$name"
  completion "$program" fish "$tree/share/fish/vendor_completions.d/$name.fish"
}

# The commands that the first page of the program's manual tells of.
pages() { "$2" manual | sed -n "s/^\\\\fB$1\\\\-\\([a-z]*\\)\\\\fP(1)\$/\\1/p"; }

completion() { "$1" completion "$2" | install -D -m 644 /dev/stdin "$3"; }

add_units() {
  local unit
  for unit in "$root"/Demo/mirror/systemd/*.{service,timer}; do
    install -D -m 644 "$unit" "$1/lib/systemd/system/${unit##*/}"
  done
  install -D -m 644 "$root/Demo/mirror/systemd/mirror.sysusers.conf" "$1/lib/sysusers.d/mirror.conf"
}

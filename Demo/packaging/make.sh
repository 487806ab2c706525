# Sourced by Demo/package: from the sources to a package and a tarball. The C libraries stay those of
# the system, which mends them; Swift's is no part of Debian, and linked in.

source "$root/Demo/programs.sh"

# The commands that the program's help and its pages tell of.
commands() {
  "$1" manual | sed -n 's/^\\fBmirror\\-\([a-z]*\)\\fP(1)$/\1/p'
}

# fill TREE: what is installed, below /usr.
fill() {
  local tree=$1 command manual=$1/usr/share/man/man1 documents=$1/usr/share/doc/mirror
  install -D -m 755 "$program" "$tree/usr/bin/mirror"
  strip --strip-all "$tree/usr/bin/mirror"
  mkdir -p "$manual" "$documents"
  "$program" manual | gzip -9n >"$manual/mirror.1.gz"
  for command in $(commands "$program"); do
    "$program" manual "$command" | gzip -9n >"$manual/mirror-$command.1.gz"
  done
  "$program" completion bash |
    install -D -m 644 /dev/stdin "$tree/usr/share/bash-completion/completions/mirror"
  "$program" completion zsh |
    install -D -m 644 /dev/stdin "$tree/usr/share/zsh/vendor-completions/_mirror"
  "$program" completion fish |
    install -D -m 644 /dev/stdin "$tree/usr/share/fish/vendor_completions.d/mirror.fish"
  install -m 644 "$root/LICENSE" "$documents/copyright"
  gzip -9nc "$root/CHANGELOG.md" >"$documents/changelog.gz"
  fill_units "$tree"
}

# Services and timers, where there are any.
fill_units() {
  local unit
  for unit in "$root"/Demo/mirror/systemd/*.{service,timer}; do
    [ -f "$unit" ] || continue
    install -D -m 644 "$unit" "$1/usr/lib/systemd/system/${unit##*/}"
  done
  unit=$root/Demo/mirror/systemd/mirror.sysusers.conf
  [ ! -f "$unit" ] || install -D -m 644 "$unit" "$1/usr/lib/sysusers.d/mirror.conf"
}

# depends TREE: the packages of the libraries that the program is linked to.
depends() {
  local scratch
  scratch=$(mktemp -d)
  mkdir "$scratch/debian"
  printf 'Source: mirror\n\nPackage: mirror\nArchitecture: any\n' >"$scratch/debian/control"
  (cd "$scratch" && dpkg-shlibdeps -O "$1/usr/bin/mirror" 2>/dev/null) |
    sed -n 's/^shlibs:Depends=//p'
  rm -rf "$scratch"
}

# describe TREE VERSION ARCHITECTURE: what the package's database knows of it.
describe() {
  local tree=$1
  mkdir -p "$tree/DEBIAN"
  cat >"$tree/DEBIAN/control" <<CONTROL
Package: mirror
Version: $2
Architecture: $3
Maintainer: The authors of OneWaySynchronizer <nobody@example.org>
Section: net
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $(depends "$tree"), ca-certificates
Description: keeps a folder equal to a remote catalog over HTTP
 Follows a catalog, the directory listing of a web server or a SHA256SUMS file
 in one direction. Nothing is lost: what vanished is kept for days, what was
 edited is kept aside, and no listing that went wrong removes anything.
CONTROL
}

make_packages() {
  local folder=$1 tree version architecture release name
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  program=$(program mirror)
  tree=$(mktemp -d)
  # A folder of mktemp is its owner's alone, and would be so once it is installed.
  chmod 755 "$tree"
  version=$("$program" --version | cut -d ' ' -f 2)
  architecture=$(dpkg --print-architecture)
  release=$(. /etc/os-release && echo "${ID}${VERSION_ID:-}")
  name=mirror-$version-$release-$architecture
  (umask 022; fill "$tree")
  tar -C "$tree" --owner=0 --group=0 --sort=name --transform "s,^\./usr,$name," \
    -czf "$folder/$name.tar.gz" ./usr
  (umask 022; describe "$tree" "$version" "$architecture")
  dpkg-deb --root-owner-group --build "$tree" "$folder/mirror_${version}_$architecture.deb" >/dev/null
  echo "The program takes $(stat -c %s "$tree/usr/bin/mirror" | numfmt --to=iec-i --suffix=B), stripped."
  rm -rf "$tree"
  ls -sh "$folder"/*.deb "$folder"/*.tar.gz
}

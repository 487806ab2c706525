# Sourced by Demo/package: installs what was made where there is no Swift, and tries it there.
#
# The place is a root of its own with copies of some of this system's packages: what the program
# depends on, by its own word, and what it takes to install a package and to read a manual.

check_packages() {
  local folder=$1 place
  place=$(mktemp -d)
  make_root "$place" "$folder"
  cp "$folder"/*.deb "$folder"/*.tar.gz "$place/tmp/"
  cp "$root/Demo/packaging/try.sh" "$place/try.sh"
  # Without a network, and with nothing of this system but what was copied.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
    unshare --net --mount --pid --fork /bin/sh -eu -c \
    'mount -t proc proc "$0/proc" && exec chroot "$0" /bin/sh -eu /try.sh' "$place" ||
    { echo "What was made doesn't work; look in $place." >&2; return 1; }
  rm -rf "$place"
  echo "Installed, run and removed where there is no Swift."
}

needed_packages() {
  local depends
  depends=$(dpkg-deb --field "$1"/*.deb Depends | tr ',' '\n' | sed 's/(.*//; s/|.*//; s/ //g')
  # shellcheck disable=SC2086
  apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts \
    --no-breaks --no-replaces --no-enhances $depends dash coreutils dpkg tar grep sed gzip diffutils \
    libc-bin man-db groff-base | sed -n 's/^\([a-z0-9][^ ]*\)$/\1/p' | cut -d : -f 1 | sort -u
}

make_root() {
  local place=$1 name package
  mkdir -p "$place"/{tmp,dev,proc,root,etc,opt} "$place"/usr/{bin,sbin,lib,lib64} \
    "$place"/var/{cache,log,lib/dpkg/{info,updates,triggers}}
  mknod -m 666 "$place/dev/null" c 1 3
  for name in bin sbin lib lib64; do ln -s "usr/$name" "$place/$name"; done
  for package in $(needed_packages "$2"); do
    dpkg-query --status "$package" >>"$place/var/lib/dpkg/status" || continue
    echo >>"$place/var/lib/dpkg/status"
    cp /var/lib/dpkg/info/"$package"{,:*}.list "$place/var/lib/dpkg/info/" || true
    dpkg-query --listfiles "$package"
  done 2>/dev/null | sort -u | while IFS= read -r name; do
    if [ -f "$name" ] || [ -L "$name" ]; then printf '%s\n' "${name#/}"; fi
  done | tar -C / --no-recursion --ignore-failed-read -cf - -T - 2>/dev/null |
    tar -C "$place" --keep-directory-symlink -xf -
}

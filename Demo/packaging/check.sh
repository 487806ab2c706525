# Sourced by Demo/package: tries the Debian packages where there is no Swift.
#
# They come from a signed repository, of which `mirror` made a copy. The place is a root of its own
# with copies of some of this system's packages: what the programs depend on, by their own word, and
# what it takes to install a package and to read a manual.

check_needs=(groff man unshare python3 apt-get)

# check_debian FOLDER: makes the packages and a repository of them there, and tries both.
check_debian() {
  local folder=$1 place
  make_debian "$folder"
  make_repository "$folder" "$folder/repository"
  mirror_repository "$folder"
  place=$(mktemp -d)
  make_root "$place" "$folder"
  add_repository "$place" "$folder"
  # Without a network, and with nothing of this system but what was copied.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
    unshare --net --mount --pid --fork /bin/sh -eu -c \
    'mount -t proc proc "$0/proc" && exec chroot "$0" /bin/sh -eu /try.sh' "$place" ||
    { echo "What was made doesn't work." >&2; return 1; }
  rm -rf "$place"
  echo "Installed by apt from a copy that mirror made, run and removed where there is no Swift."
}

# add_repository PLACE FOLDER: what try.sh wants to be there.
add_repository() {
  cp -R "$2/copy" "$1/repository"
  cp -R "$2/wrong" "$1/wrong"
  cp "$2/repository/onewaysynchronizer.gpg" "$1/usr/share/keyrings/"
  cp "$root/Demo/packaging/try.sh" "$1/try.sh"
  # Nobody else's packages, and no network.
  rm -f "$1/etc/apt/sources.list"
}

# mirror_repository FOLDER: makes FOLDER/copy of FOLDER/repository, byte for byte what apt needs,
# and FOLDER/wrong, of which the signature is wrong, and which `mirror` refuses.
mirror_repository() {
  local folder=$1 served address
  rm -rf "$folder"/{copy,wrong,refused}
  cp -R "$folder/repository" "$folder/wrong"
  sed -i 's/^Label: .*/Label: Somebody/' "$folder/wrong/dists/stable/InRelease"
  python3 -u -m http.server --bind 127.0.0.1 --directory "$folder" 0 >"$folder/server.log" 2>&1 &
  served=$!
  until address=$(grep -o 'http://127[^)]*' "$folder/server.log"); do kill -0 $served; done
  (
    trap 'kill $served' EXIT
    follow repository copy
    # Each file of the copy, and none besides: `cmp` ends with 1 where one is missing there.
    (cd "$folder/copy" && find pool dists -type f -print0 | xargs -0 -I {} cmp {} ../repository/{})
    diff -r "$folder/repository/pool" "$folder/copy/pool"
    if follow wrong refused 2>"$folder/words"; then
      echo "mirror took a repository whose signature is wrong." >&2
      exit 1
    fi
    grep 'BAD' "$folder/words"
  )
}

follow() {
  "$programs/mirror" sync "$address$1/dists/stable/" "$folder/$2" --format debian \
    --keyring "$folder/repository/onewaysynchronizer.gpg"
}

# What is needed of this system: by the packages' own word, and to install and try them.
needed_packages() {
  local names more
  more=$(for deb in "$1"/*.deb; do dpkg-deb --field "$deb" Depends; done |
    tr ',' '\n' | sed 's/(.*//; s/|.*//; s/ //g' | sort -u)
  more="$more dash coreutils dpkg tar grep sed gzip diffutils findutils libc-bin man-db groff-base
    apt gpgv init-system-helpers"
  until [ "$more" = "${names:-}" ]; do
    names=$more
    # shellcheck disable=SC2086
    more=$(installed $(apt-cache depends --installed --no-recommends --no-suggests --no-conflicts \
      --no-breaks --no-replaces --no-enhances $names |
      sed -n 's/^[ |]*\(PreDepends: \|Depends: \|\)<\{0,1\}\([a-z0-9][^:> ]*\).*/\2/p'))
  done
  echo "$names"
}

# Those of the packages that this system has.
installed() {
  dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' | sort -u
}

make_root() {
  local place=$1 name package
  mkdir -p "$place"/{tmp,dev,proc,root,opt} "$place"/usr/{bin,sbin,lib,lib64,share/keyrings} \
    "$place"/etc/apt/{sources.list.d,apt.conf.d,preferences.d,trusted.gpg.d} \
    "$place"/var/{cache/apt/archives/partial,lib/apt/lists/partial,log/apt} \
    "$place"/var/lib/dpkg/{info,updates,triggers}
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

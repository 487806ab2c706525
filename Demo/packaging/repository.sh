# Sourced by Demo/package: a signed repository of the Debian packages, which apt installs from.

repository_needs=(gpg gpgv apt-ftparchive xz)

# make_repository DEBS FOLDER [KEY]: FOLDER is what a web server is to publish, made of the packages
# in DEBS. KEY is the fingerprint of a key in the keyring of whoever calls; without it, one is made
# for this repository and forgotten. What is published already stays until the new one is whole.
make_repository() {
  local debs=$1 folder=$2 key=${3:-} scratch
  may_make_repository "$folder" "$key" || return
  scratch=$(mktemp -d)
  # Not as a condition, in which bash would go on after an error.
  fill_repository "$debs" "$scratch/repository" "$key" "$scratch" >"$scratch/log" 2>&1 &
  if ! wait $!; then
    cat "$scratch/log" >&2
    echo "The repository could not be made; what went wrong is said above." >&2
    return 1
  fi
  exchange "$scratch/repository" "$folder"
  rm -rf "$scratch"
  echo "$folder is a repository; $folder/onewaysynchronizer.sources tells apt of it."
}

# may_make_repository FOLDER KEY: nothing is replaced but what this script made.
may_make_repository() {
  [ ! -e "$1" ] || [ -f "$1/onewaysynchronizer.sources" ] ||
    { echo "$1 is there, and no repository of these packages: name another folder." >&2; return 1; }
  [ -z "$2" ] || gpg --list-secret-keys "$2" >/dev/null 2>&1 ||
    { echo "The keyring has no secret key $2." >&2; return 1; }
}

# exchange NEW FOLDER: two renames, once the new one lies on the same file system.
exchange() {
  local new old
  new=$(mktemp -d "$2.new.XXXXXX")
  old=$new/before
  mv "$1" "$new/after"
  [ ! -e "$2" ] || mv "$2" "$old"
  mv "$new/after" "$2"
  rm -rf "$new"
}

fill_repository() {
  local debs=$1 folder=$2 key=$3 scratch=$4 pool=pool/main/o/onewaysynchronizer
  install -D -m 644 -t "$folder/$pool" "$debs"/*.deb
  cd "$folder"
  write_lists "$pool"
  [ -n "$key" ] || make_key "$scratch/keys"
  gpg --export "$key" >onewaysynchronizer.gpg
  sign_suite "$key"
  write_source
  [ "${GNUPGHOME:-}" != "$scratch/keys" ] || gpgconf --kill gpg-agent
}

# write_lists POOL: the lists of the suite "stable", under their names and those of their digests.
write_lists() {
  local architecture lists digest list release
  architecture=$(dpkg --print-architecture)
  lists=dists/stable/main/binary-$architecture
  mkdir -p "$lists/by-hash/SHA256"
  apt-ftparchive --arch "$architecture" packages "$1" >"$lists/Packages"
  gzip -9nk "$lists/Packages"
  xz -k "$lists/Packages"
  release=(
    Origin=OneWaySynchronizer Label=OneWaySynchronizer Suite=stable Codename=stable
    Architectures="$architecture" Components=main Acquire-By-Hash=yes
    MD5=false SHA1=false SHA512=false
  )
  apt-ftparchive "${release[@]/#/-oAPT::FTPArchive::Release::}" release dists/stable \
    >"$scratch/Release"
  mv "$scratch/Release" dists/stable/Release
  for list in "$lists"/Packages*; do
    digest=$(sha256sum "$list" | cut -d ' ' -f 1)
    cp "$list" "$lists/by-hash/SHA256/$digest"
  done
}

# make_key PLACE: sets `key` to one in a keyring of its own: nobody's own is touched.
make_key() {
  export GNUPGHOME=$1
  mkdir -m 700 "$GNUPGHOME"
  gpg --batch --quiet --pinentry-mode loopback --passphrase '' \
    --quick-generate-key 'OneWaySynchronizer, a key for one repository' ed25519 sign 1y
  key=$(gpg --list-keys --with-colons | sed -n 's/^fpr:*\([0-9A-F]*\):$/\1/p' | head -n 1)
}

sign_suite() {
  cd dists/stable
  gpg --batch --yes --local-user "$1" --clearsign --output InRelease Release
  gpg --batch --yes --local-user "$1" --armor --detach-sign --output Release.gpg Release
  cd - >/dev/null
}

write_source() {
  cat >onewaysynchronizer.sources <<'SOURCES'
# For /etc/apt/sources.list.d, once the address is that of the server, and onewaysynchronizer.gpg is
# where Signed-By says.
Types: deb
URIs: https://packages.example.org/
Suites: stable
Components: main
Signed-By: /usr/share/keyrings/onewaysynchronizer.gpg
SOURCES
}

# Run in a root without Swift, where /tmp holds a package and a tarball: both work there.
fail() {
  echo "$*" >&2
  exit 1
}

! ls /usr/lib/*/libswift* /usr/lib/libswift* 2>/dev/null || fail "there is Swift here"

mkdir /tmp/source
echo hello >/tmp/source/a.txt
printf '{"catalog":1,"complete":true}\n{"key":"a.txt"}\n' >/tmp/source/catalog.ndjson

# try_program PROGRAM: it says its version, and fetches a file.
try_program() {
  "$1" --version | grep '^mirror [0-9]' || fail "$1 doesn't say its version"
  rm -rf /tmp/copy
  "$1" sync file:///tmp/source/catalog.ndjson /tmp/copy || fail "$1 doesn't sync"
  [ "$(cat /tmp/copy/a.txt)" = hello ] || fail "$1 fetched something else"
}

dpkg --install /tmp/*.deb || fail "the package can't be installed"
try_program mirror
for page in mirror mirror-sync; do
  MANPAGER=cat man "$page" >/tmp/page 2>/tmp/words || fail "there is no page $page"
  grep -qi "mirror" /tmp/page || fail "the page $page is empty"
  [ ! -s /tmp/words ] || fail "the page $page is wrong: $(cat /tmp/words)"
done
for file in bash-completion/completions/mirror zsh/vendor-completions/_mirror \
  fish/vendor_completions.d/mirror.fish; do
  [ -s "/usr/share/$file" ] || fail "$file is missing"
done
dpkg --purge mirror || fail "the package can't be removed"
for place in /usr/bin/mirror /usr/share/man/man1/mirror.1.gz /usr/share/doc/mirror; do
  [ ! -e "$place" ] || fail "$place is still there"
done

tar -xzf /tmp/*.tar.gz -C /opt
try_program /opt/mirror-*/bin/mirror
[ -s /opt/mirror-*/share/man/man1/mirror.1.gz ] || fail "the tarball has no manual"

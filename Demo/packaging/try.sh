# Run in a root without Swift, where /repository holds the packages, and /wrong the same with a
# signature that is none: apt installs from the one, and refuses the other.
fail() {
  echo "$*" >&2
  exit 1
}

[ -z "$(find /usr /opt -name 'libswift*')" ] || fail "there is Swift here"

packages="onewaysynchronizer-mirror onewaysynchronizer-records onewaysynchronizer-documents"

# update REPOSITORY: has apt read its lists, and nobody else's.
update() {
  rm -rf /var/lib/apt/lists
  cat >/etc/apt/sources.list.d/onewaysynchronizer.sources <<SOURCES
Types: deb
URIs: file:$1/
Suites: stable
Components: main
Signed-By: /usr/share/keyrings/onewaysynchronizer.gpg
SOURCES
  apt_get update >/tmp/words 2>&1
}

# There is no user in this root that apt could hand its downloads to.
apt_get() { apt-get -o APT::Sandbox::User=root -o Dpkg::Use-Pty=false --yes "$@"; }

try_pages() {
  for page; do
    [ -s "/usr/share/man/man1/$page.1.gz" ] || fail "there is no page $page"
    command -v man >/dev/null || continue
    MANPAGER=cat man "$page" >/tmp/page 2>/tmp/words || fail "there is no page $page"
    grep -qi "${page%%-*}" /tmp/page || fail "the page $page is empty"
    [ ! -s /tmp/words ] || fail "the page $page is wrong: $(cat /tmp/words)"
  done
}

try_completions() {
  for file in "bash-completion/completions/$1" "zsh/vendor-completions/_$1" \
    "fish/vendor_completions.d/$1.fish"; do
    [ -s "/usr/share/$file" ] || fail "$file is missing"
  done
}

try_mirror() {
  mkdir /tmp/source
  echo hello >/tmp/source/a.txt
  printf '{"catalog":1,"complete":true}\n{"key":"a.txt"}\n' >/tmp/source/catalog.ndjson
  mirror sync file:///tmp/source/catalog.ndjson /tmp/copy || fail "mirror doesn't sync"
  [ "$(cat /tmp/copy/a.txt)" = hello ] || fail "mirror fetched something else"
}

try_records() {
  echo '[{"id":1,"name":"One"}]' | records sync --create /tmp/a.db things - || fail "no records"
  records get /tmp/a.db things 1 | grep -q '"One"' || fail "records wrote something else"
}

try_documents() {
  documents init /tmp/store --service https://example.org/ --type note || fail "no store"
  documents put /tmp/store note a '{"title":"One"}' || fail "no document"
  documents get /tmp/store a | grep -q '"One"' || fail "documents stored something else"
}

! update /wrong || fail "apt took a repository whose signature is wrong"
grep -q 'is not signed' /tmp/words || fail "apt says: $(cat /tmp/words)"
# shellcheck disable=SC2086
! apt_get install $packages >/tmp/words 2>&1 || fail "apt installed what isn't signed"

update /repository || fail "apt refuses the repository: $(cat /tmp/words)"
# shellcheck disable=SC2086
apt_get install $packages >/tmp/words 2>&1 || fail "apt doesn't install: $(cat /tmp/words)"
for name in mirror records documents; do
  "$name" --version | grep "^$name [0-9]" || fail "$name doesn't say its version"
  try_pages "$name" "$name-sync"
  try_completions "$name"
  "try_$name"
done
# shellcheck disable=SC2086
apt_get purge $packages >/tmp/words 2>&1 || fail "apt doesn't remove: $(cat /tmp/words)"
! find /usr/bin /usr/share /usr/lib/systemd /usr/lib/sysusers.d 2>/dev/null |
  grep -E '/_?(mirror|records|documents)[^/]*$|/onewaysynchronizer-' || fail "that is still there"

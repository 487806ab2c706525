# Sourced by Demo/run, which sets `root` and `mirror`: publishes a gallery, mirrors it, changes it,
# mirrors it again, and checks what happened each time.

source "$root/Demo/gallery/server.sh"

work=$(mktemp -d)
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

gallery=$work/gallery
copy=$work/copy

fail() {
  echo "The demonstration failed: $1" >&2
  exit 1
}

show() {
  echo
  echo "\$ $*"
}

heading() {
  echo
  echo "── $1"
}

publish() {
  show mirror publish gallery --previews previews --title Landscapes
  "$mirror" publish "$gallery" --previews previews --title Landscapes
  # As if it were published a minute ago: a date of this very second proves nothing to a later
  # request, and the run after next would ask for the whole catalog once more.
  touch -d "1 minute ago" "$gallery/catalog.ndjson"
}

sync() {
  forget_requests
  show mirror sync "$address/catalog.ndjson" copy --previews
  (cd "$work" && "$mirror" sync "$address/catalog.ndjson" copy --previews)
  settle_requests
}

# Names and digests of the pictures in a folder.
pictures() {
  (cd "$1" && find . -path ./.mirror -prune -o -path ./previews -prune -o -name '*.svg' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum)
}

expect_equal_pictures() {
  pictures "$gallery" >"$work/there"
  pictures "$copy" >"$work/here"
  diff "$work/there" "$work/here" >&2 || fail "the copy differs from the gallery as shown above."
}

# expect_previews COUNT: that many previews are held, each byte for byte one of the gallery's.
expect_previews() {
  (cd "$copy/.mirror/previews" && find . -type f -exec sha256sum {} +) | cut -d' ' -f1 |
    sort >"$work/here"
  (cd "$gallery/previews" && find . -type f -exec sha256sum {} +) | cut -d' ' -f1 |
    sort >"$work/there"
  diff "$work/there" "$work/here" >&2 || fail "the previews differ as shown above."
  [ "$(wc -l <"$work/here")" -eq "$1" ] || fail "there should be $1 previews."
}

# expect_requests LINE…: exactly these requests were made, in any order.
expect_requests() {
  printf '%s\n' "$@" | LC_ALL=C sort >"$work/expected"
  requests | LC_ALL=C sort >"$work/made"
  diff "$work/expected" "$work/made" >&2 ||
    fail "other requests were made (>) than expected (<), as shown above."
}

count_requests() {
  local count
  count=$(requests | wc -l)
  [ "$count" -eq "$1" ] || fail "$count requests were made where $1 were expected."
}

tree() {
  (cd "$1" && find . -path ./.mirror -prune -o -type d -print | LC_ALL=C sort |
    while read -r directory; do
      printf '%s/  %s\n' "$directory" \
        "$(find "$directory" -maxdepth 1 -type f -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')"
    done)
}

heading "A gallery of forty pictures, published on a web server"
"$root/Demo/gallery/make" "$gallery"
publish
start_server "$gallery" "$work/server" || fail "there is no web server."

heading "The first run fetches everything, the previews before the contents"
sync
expect_equal_pictures
expect_previews 40
count_requests 81
echo; echo "The copy now holds:"
tree "$copy"

heading "At the source one picture is added, one painted over, one removed"
"$root/Demo/gallery/make" "$gallery" "Dunes/11" 1001
"$root/Demo/gallery/make" "$gallery" "Harbour/03" 1002
rm "$gallery/Night sky/07.svg" "$gallery/previews/Night sky/07.svg.svg"
pictures "$copy" >"$work/before"
publish

heading "The second run does exactly these three things"
sync
expect_equal_pictures
expect_previews 40
expect_requests \
  "GET /catalog.ndjson 200" \
  "GET /previews/Dunes/11.svg.svg 200" "GET /Dunes/11.svg 200" \
  "GET /previews/Harbour/03.svg.svg 200" "GET /Harbour/03.svg 200"
pictures "$copy" >"$work/after"
show diff before after
diff "$work/before" "$work/after" || true

heading "The third run finds nothing new, and it takes one request to know"
sync
expect_equal_pictures
expect_requests "GET /catalog.ndjson 304"
show tail access.log
requests

heading "Five mirrors of one configuration at once, on four connections together"
configuration=$work/mirrors.ini
{
  printf '[defaults]\nconnections = 4\nafter-change = cat >>hooks\n'
  printf '\n[all]\ncatalog = %s/catalog.ndjson\nfolder = five/all\n' "$address"
  for series in "Dunes" "Harbour" "Night sky" "Über den Wäldern"; do
    "$mirror" publish "$gallery/$series" --quiet
    printf '\n[%s]\ncatalog = %s/%s/catalog.ndjson\nfolder = five/%s\n' \
      "$series" "$address" "${series// /%20}" "$series"
  done
} >"$configuration"
mkdir "$work/five"
show cat mirrors.ini
cat "$configuration"
show mirror config check mirrors.ini
(cd "$work" && "$mirror" config check mirrors.ini | tail -1)
forget_requests
show mirror sync --config mirrors.ini --jobs 5
(cd "$work" && "$mirror" sync --config mirrors.ini --jobs 5)
used=$(connections)
[ "$used" -le 4 ] || fail "$used connections were made where 4 were allowed."
[ "$(wc -l <"$work/hooks")" -eq 5 ] || fail "the hook wasn't run once for each mirror."
copy=$work/five/all
expect_equal_pictures
for series in "Dunes" "Harbour" "Night sky" "Über den Wäldern"; do
  pictures "$gallery/$series" >"$work/there"
  pictures "$work/five/$series" >"$work/here"
  diff "$work/there" "$work/here" >&2 || fail "$series differs as shown above."
done

heading "All of it was as it should be."

# Sourced by Demo/package: the three programs with all that they need linked in, but for the C
# library, so that they run on any Linux whose C library is new enough.
#
#   portable_programs
#
# makes them, where they aren't there for these sources, and sets `programs` to the folder that has
# mirror, records and documents, stripped; and with them `parts`, as parts.sh tells.
#
#   copy_programs FOLDER
#
# copies them there.

source "$root/Demo/packaging/parts.sh"
source "$root/Demo/programs.sh"

three=(mirror records documents)
portable_needs=(
  libcurl sqlite3 libcrypto libxml-2.0 zlib liblzma libnghttp2 cc make dpkg-source
  sha256sum strip objdump
)

portable_programs() {
  require "${portable_needs[@]}"
  build_parts
  local key made
  key=$({
    swift --version 2>/dev/null
    echo "$parts"
    cd "$root" && find Sources Demo/{mirror,records,documents,Console,Access} \
      Package.swift Demo/programs.sh Demo/packaging/portable.{sh,ld} -type f -print0 |
      sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c -16)
  made=$root/.build/portable/programs-$key
  [ -d "$made" ] || link_programs "$made"
  programs=$made
}

# The objects are those of every other build; only the linking differs.
link_programs() {
  local made=$1 name
  build_programs "${three[@]}"
  rm -rf "${made%/*}"/programs-*
  mkdir -p "$made.new"
  for name in "${three[@]}"; do
    link "$name" "$made.new/$name"
    strip --strip-all "$made.new/$name"
  done
  mv "$made.new" "$made"
}

# link NAME PROGRAM: from the objects of the program of that name. The archives come before the
# system's libraries. What is exported would all be kept, and nothing is looked up in a program by
# its name; nor is the stack unwound, see portable.ld.
link() {
  swiftc -emit-executable -static-stdlib -use-ld=lld -L "$parts/lib" -lssl -lnghttp2 \
    -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker "--defsym=main=$1_main" \
    -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker "$root/Demo/packaging/portable.ld" \
    "$parts/lib/older.o" "@$programs/$1.product/Objects.LinkFileList" -o "$2"
}

copy_programs() {
  portable_programs
  mkdir -p "$1"
  cp "$programs"/* "$1/"
  ls -sh "$1"
}

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

portable=$root/.build/portable
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
  made=$portable/programs-$key
  [ -d "$made" ] || link_programs "$made"
  programs=$made
}

# The objects are those of every other build; only the linking differs.
link_programs() {
  local made=$1 name
  build_programs "${three[@]}"
  rm -rf "$portable"/programs-*
  mkdir -p "$made.new"
  for name in "${three[@]}"; do
    link "$name" "$made.new/$name"
    strip --strip-all "$made.new/$name"
    is_portable "$made.new/$name"
  done
  mv "$made.new" "$made"
}

# It runs where the C library is glibc 2.34, and has at most 25 MiB.
is_portable() {
  local least size
  least=$(least_glibc "$1")
  [ "$(printf '2.34\n%s\n' "$least" | sort -V | tail -n 1)" = 2.34 ] ||
    { echo "${1##*/} asks for glibc $least, not for 2.34." >&2; return 1; }
  size=$(stat -c %s "$1")
  [ "$size" -le $((25 << 20)) ] ||
    { echo "${1##*/} has $size bytes, more than 25 MiB." >&2; return 1; }
}

# The least version of the C library that all of the programs run with.
least_glibc() {
  objdump --dynamic-syms "$@" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -n 1
}

# link NAME PROGRAM: from the objects of the program of that name. The archives come before the
# system's libraries. What is exported would all be kept, so nothing is, and nobody finds it by its
# name: SSL_pending, which csync_tls_pending names weakly, must be there, since without it an answer
# that nobody asked for is taken for another's. The stack isn't unwound, see portable.ld.
link() {
  swiftc -emit-executable -static-stdlib -use-ld=lld -L "$parts/lib" -lssl -lnghttp2 \
    -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now \
    -Xlinker --defsym=csync_pending=SSL_pending -Xlinker "--defsym=main=$1_main" \
    -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker "$root/Demo/packaging/portable.ld" \
    "$parts/lib/older.o" "@$programs/$1.product/Objects.LinkFileList" -o "$2"
}

copy_programs() {
  portable_programs
  mkdir -p "$1"
  cp "$programs"/* "$1/"
  ls -sh "$1"
}

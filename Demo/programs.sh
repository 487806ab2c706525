# Sourced by what runs our programs; `root` is the folder of the package.
#
#   path=$(program NAME)
#
# Builds a program, and prints where it is. Silent if that goes well; otherwise the compiler's words are
# shown. One build serves the demonstrations, the package and the benchmark: with Swift's runtime linked
# in, where the system allows it.

build_options=(-c release --package-path "$root" --scratch-path "$root/.build/programs")
[ "$(uname)" = Darwin ] || build_options+=(--static-swift-stdlib)

program() {
  local log folder
  folder=$(swift build "${build_options[@]}" --show-bin-path)
  [ -x "$folder/$1" ] || echo "Building $1; the first time takes minutes." >&2
  log=$(mktemp)
  if ! swift build "${build_options[@]}" --product "$1" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "$1 could not be built; the compiler's words are above." >&2
    return 1
  fi
  rm -f "$log"
  echo "$folder/$1"
}

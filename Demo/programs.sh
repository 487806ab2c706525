# Sourced by what runs our programs; `root` is the folder of the package.
#
#   build_programs NAME…
#
# Builds these programs side by side, in the folder `programs`. If that fails, the compiler's words
# are shown. One build serves the demonstrations, the package and the benchmark: with Swift's
# runtime linked in, where the system allows it.
#
#   path=$(program NAME)
#
# Builds a program, and prints where it is.

build_options=(-c release --package-path "$root" --scratch-path "$root/.build/programs")
[ "$(uname)" = Darwin ] || build_options+=(--static-swift-stdlib)

build_programs() {
  local log name
  programs=$(swift build "${build_options[@]}" --show-bin-path)
  for name; do
    [ -x "$programs/$name" ] || { echo "Building $*; the first time takes minutes." >&2; break; }
  done
  log=$(mktemp)
  if ! MIRROR_ONLY="$*" swift build "${build_options[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "$* could not be built; the compiler's words are above." >&2
    return 1
  fi
  rm -f "$log"
}

program() {
  build_programs "$1" && echo "$programs/$1"
}

# Sourced by Demo/package: a wheel that holds the programs, as pip installs it.
#
#   make_wheel FOLDER
#
# makes it there, of `portable_programs`, and sets `wheel` to its path.
#
#   check_wheel
#
# makes it and looks at it with what reads wheels, installs it in an environment of its own, and
# runs the programs in a root where there is no Swift; needs root.

source "$root/Demo/packaging/portable.sh"
source "$root/Demo/packaging/roots.sh"

wheel_readers=(auditwheel==6.8.2 twine==7.0.0 check-wheel-contents==0.6.3)

make_wheel() {
  portable_programs
  require python3
  mkdir -p "$1"
  wheel=$(python3 "$root/Demo/packaging/wheel.py" "$programs" "$root/LICENSE" "$parts" \
    "$("$programs/mirror" --version | sed -n '1s/^mirror //p')" "$(wheel_platform)" "$1")
}

# The least that the programs ask of the C library, as wheels name it.
wheel_platform() {
  echo "manylinux_$(least_glibc "$programs"/* | tr . _)_$(uname -m)"
}

check_wheel() {
  local folder place python other
  folder=$root/.build/package
  make_wheel "$folder"
  python=$(python_with "$root/.build/wheel" "${wheel_readers[@]}")
  "$python" -m auditwheel show "$wheel" | tr -s '[:space:]' ' ' |
    grep -qF "platform tag: \"$(wheel_platform)\"" ||
    { echo "auditwheel finds that the wheel's name isn't true." >&2; return 1; }
  "$python" -m twine check --strict "$wheel"
  # It has programs, and nothing to import.
  "$python" -m check_wheel_contents --ignore W007 "$wheel"
  place=$(mktemp -d)
  other=$wheel
  make_wheel "$place"
  cmp "$other" "$wheel"
  python3 -m venv "$place/environment"
  "$place/environment/bin/pip" install --quiet --no-index "$wheel"
  try_in_root "$place" "$place/environment/bin"
  rm -rf "$place"
  wheel=$other
  echo "${wheel##*/}: $(stat -c %s "$wheel" | numfmt --to=iec-i --suffix=B);" \
    "installed, and run where there is no Swift."
}

# Sourced by Tests/run: the tests under one of the compiler's sanitizers.

# sanitize address|thread [ARGUMENT…]: the arguments are those of `tests`. Ends with a failure also
# when only a program that a test started was reported on.
sanitize() {
  local kind=${1:-} reports status=0 calmly=()
  shift || true
  reports=$(mktemp -d)
  case $kind in
    # XCTest itself leaks, and the tests end without letting go of everything.
    address) export ASAN_OPTIONS="detect_leaks=0 log_path=$reports/report" ;;
    # By default every program sleeps for a second before it ends.
    thread) export TSAN_OPTIONS="exitcode=66 atexit_sleep_ms=0 log_path=$reports/report" ;;
    *) usage >&2; exit 64 ;;
  esac
  # Neither can lay out its memory where the kernel randomizes addresses widely.
  if setarch "$(uname -m)" -R true 2>/dev/null; then calmly=(setarch "$(uname -m)" -R); fi
  # A report names functions without it; for lines leave it out.
  swift build --build-tests "${bare[@]}" --sanitize="$kind" --scratch-path ".build/$kind"
  # Under a sanitizer everything takes up to ten times as long.
  "${calmly[@]}" python3 -B Tests/Runner/run_tests.py ".build/$kind/debug/"*PackageTests.xctest \
    --limit 600 "${in_memory[@]}" "$@" || status=$?
  if compgen -G "$reports/report*" >/dev/null; then
    cat "$reports"/report*
    status=1
  fi
  rm -rf "$reports"
  return $status
}

# Sourced by Tests/run: runs the targets of FuzzTargets under libFuzzer.

fuzzing=.build/fuzzing
driver=$fuzzing/release/FuzzDriver

# Not every toolchain has libFuzzer, and nothing but linking with it tells.
can_fuzz() {
  local probe linked=0
  probe=$(mktemp -d)
  cat >"$probe/probe.swift" <<'SWIFT'
@_cdecl("LLVMFuzzerTestOneInput")
public func probe(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 { 0 }
SWIFT
  swiftc -parse-as-library -sanitize=fuzzer "$probe/probe.swift" -o "$probe/probe" \
    >/dev/null 2>&1 || linked=1
  rm -rf "$probe"
  return $linked
}

# Optimized, but with every trap left in; libFuzzer sees into all of the package's modules.
build_fuzzer() {
  MIRROR_FUZZING=1 swift build -c release --scratch-path "$fuzzing" --product FuzzDriver "${bare[@]}" \
    -Xswiftc -parse-as-library -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld
}

require_fuzzer() {
  if ! can_fuzz; then
    echo "Not fuzzed: this toolchain can't link libFuzzer (swiftc -sanitize=fuzzer)."
    exit 0
  fi
  build_fuzzer
}

# run_fuzzer TARGET ARGUMENT…: with libFuzzer's arguments; the files that a target writes are kept
# off the disk where possible.
run_fuzzer() {
  local name=$1 status=0 room
  shift
  room=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
  TMPDIR=$room SWIFT_BACKTRACE=enable=no MIRROR_FUZZ_TARGET=$name \
    "$driver" -timeout=1 -rss_limit_mb=1024 -malloc_limit_mb=256 "$@" || status=$?
  rm -rf "$room"
  return $status
}

# fuzz_one TARGET LONGEST SECONDS
fuzz_one() {
  local name=$1 finds=$fuzzing/finds log=$fuzzing/$1.log status=0 executions found
  mkdir -p "$finds/$name"
  # Other inputs each time, but where the same has to come out again.
  run_fuzzer "$name" -max_len="$2" -max_total_time="$3" -print_final_stats=1 \
    -seed="${MIRROR_FUZZ_SEED:-0}" -runs="${MIRROR_FUZZ_RUNS:--1}" \
    -artifact_prefix="$finds/$name-" "$finds/$name" "Tests/Fuzzing/Corpus/$name" \
    >"$log" 2>&1 || status=$?
  found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  # 70 is libFuzzer's word for "took too long": on a busy machine that may not be the input's fault.
  if [ $status -eq 70 ] && run_fuzzer "$name" "$found" >/dev/null 2>&1; then status=0; fi
  executions=$(sed -n 's/stat::number_of_executed_units: *//p' "$log")
  if [ $status -ne 0 ]; then
    grep -a -m 1 -E 'Fatal error|ERROR: libFuzzer' "$log" || tail -n 20 "$log"
    echo "$name failed after ${executions:-some} executions. Replay it with:"
    echo "  Tests/run --fuzz-input $name $found"
    return 1
  fi
  printf '%-14s %10s executions\n' "$name" "$executions"
  if [ -n "${MIRROR_FAULT_RESULTS:-}" ]; then
    printf 'Fuzz\t%s\t%s\tno crash, no broken promise, no input over 1 s\n' "$name" "$executions" \
      >>"$MIRROR_FAULT_RESULTS"
  fi
}

# fuzz [SECONDS] [TARGET]: all targets or one, side by side on as many cores as there are.
fuzz() {
  local seconds=10 known=0 running=0 failed=0 name longest targets
  if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
  fi
  require_fuzzer
  targets=$("$driver")
  while read -r name longest; do
    [ -z "${1:-}" ] || [ "$1" = "$name" ] || continue
    known=1
    if [ $running -ge "$(nproc)" ]; then
      wait -n || failed=1
      running=$((running - 1))
    fi
    fuzz_one "$name" "$longest" "$seconds" &
    running=$((running + 1))
  done <<<"$targets"
  while [ $running -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
  done
  if [ $known -eq 0 ]; then
    echo "There is no fuzz target '$1'; these there are:" >&2
    cut -d ' ' -f 1 <<<"$targets" >&2
    exit 64
  fi
  return $failed
}

# fuzz_input TARGET FILE…: runs inputs once more, and nothing else.
fuzz_input() {
  require_fuzzer
  run_fuzzer "$@"
}

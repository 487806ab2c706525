import Foundation
import TestSupport
import XCTest

/// Tests/Runner, over a program of which some tests hang, end their process or fail.
///
/// A test that hung kept the whole suite for 20 minutes, and nobody could say which it was.
final class TestRunnerTests: XCTestCase {
  private static let runner = URL(filePath: #filePath)
    .appending(path: "../../Runner/run_tests.py").standardizedFileURL.path

  private let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(Self.program.utf8).write(to: place.appending(path: "tests"))
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: place)
  }

  /// Lists its tests, and plays those that it's given, as XCTest's programs do.
  private static let program = #"""
    #!/bin/sh
    if [ "$1" = --list-tests ]; then
      printf '%s\n' 'Listing 9 tests:' '' A.One/testFirst A.One/testHangs A.One/testLast \
        B.One/testFirst B.One/testCrashes B.One/testFails B.One/testLast \
        C.One/testMeets D.One/testMeets
      exit
    fi
    IFS=,
    status=0
    for name in $1; do
      test="Test Case '$(echo "${name#*.}" | tr / .)'"
      case $name in
        *Hangs) echo "$test started at"; sleep 1000 & echo $! >"$0.child"; wait ;;
        *Meets) echo "$test started at"; touch "$0.${name%%.*}"
          until [ -e "$0.C" ] && [ -e "$0.D" ]; do sleep 0.1; done
          echo "$test passed (0 s)" ;;
        *Crashes) echo "$test started at"; kill -KILL $$ ;;
        *Fails) echo "$test started at
    error: no
    $test failed (0 s)"; status=1 ;;
        *) echo "$test started at
    $test passed (0 s)"; echo "${name%%.*} $TMPDIR" >>"$0.places" ;;
      esac
    done
    exit $status
    """#

  private func start(_ arguments: String...) throws -> ChildProcess {
    let program = place.appending(path: "tests").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return try ChildProcess(
      try Programs.find("python3"), ["-B", Self.runner, program] + arguments,
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: place, records: place)
  }

  private func lines(_ child: ChildProcess) -> [String] {
    child.printed.split(separator: "\n").map(String.init)
  }

  private func isAlive(_ number: Int32) -> Bool {
    // One that is dead and not yet waited for by who began it is nobody's load.
    let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? false
  }

  /// `nil` as long as its number isn't written.
  private func child() -> Int32? {
    let place = place.appending(path: "tests.child")
    let text = try? String(contentsOf: place, encoding: .utf8)
    return text.flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
  }

  /// Those of all its threads.
  private func children(of process: Int32) throws -> [Int32] {
    let threads = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: threads).flatMap {
      try String(contentsOfFile: "\(threads)/\($0)/children", encoding: .utf8)
        .split(separator: " ").compactMap { Int32($0) }
    }
  }

  func testWhoHangsOrEndsItsProcessIsNamedAndTheRestGoesOn() throws {
    let child = try start("--limit", "5", "--skip", "Meets")
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(1), child.said)
    let lines = lines(child)
    XCTAssertEqual(
      lines.filter { $0.hasSuffix("passed (0 s)") }.map { $0.split(separator: "'")[1] },
      ["One.testFirst", "One.testLast", "One.testFirst", "One.testLast"])
    XCTAssertTrue(
      lines.contains("── The threads of its process, as A.One/testHangs did not end:"),
      child.printed)
    XCTAssertEqual(
      Array(lines.suffix(5)).dropLast(),
      [
        "── What failed:", "A.One/testHangs did not end within 5 s",
        "B.One/testCrashes did not end: its process was ended by signal 9",
        "B.One/testFails failed",
      ])
    XCTAssertTrue(lines.last?.hasPrefix("Executed 7 tests, with 3 failures") == true)
    XCTAssertFalse(isAlive(try XCTUnwrap(self.child())), "what the test that hung had begun")
  }

  /// Its last lines come, and it ends, just as waiting for them has come to its end.
  func testWhatAProcessPrintsLastIsReadThoughItHasEnded() throws {
    let script = #"""
      import os, select, sys
      sys.path.insert(0, os.path.dirname(sys.argv[1]))
      import watched_process
      wait = select.select
      def late(read, write, other, limit):
          if limit == 0:
              return wait(read, write, other, 0)
          os.waitid(os.P_PID, watched.process.pid, os.WEXITED | os.WNOWAIT)
          return [], [], []
      select.select = late
      class Limits:
          def of(self, name):
              return 60
      watched = watched_process.WatchedProcess(
          watched_process.TestProgram(sys.argv[2]), ["A.One/testFirst"], Limits(), watched_process.Printed(True))
      watched.run()
      print(watched.is_complete, watched.failed)
      """#
    let program = place.appending(path: "tests").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let child = try ChildProcess(
      try Programs.find("python3"), ["-B", "-c", script, Self.runner, program],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: place, records: place)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertEqual(lines(child).suffix(2), ["Test Case 'One.testFirst' passed (0 s)", "True {}"])
  }

  func testOnlyWhatFitsAFilterAndNoSkipIsRun() throws {
    let child = try start("--filter", "^A", "--filter", "Last", "--skip", "Hangs")
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertTrue(lines(child).last?.hasPrefix("Executed 3 tests, with 0 failures") == true)
    let none = try start("--filter", "Nobody")
    XCTAssertEqual(try none.end(within: .seconds(60)), .exited(64), "it can't pass")
  }

  /// Each of two waits until the other one has begun.
  func testLanesRunBesideEachOther() throws {
    let lanes = try start(
      "--limit", "30", "--filter", "Meets|Last", "--lane", "^C", "--lane", "^(B|C)")
    XCTAssertEqual(try lanes.end(within: .seconds(60)), .exited(0), lanes.said)
    XCTAssertEqual(
      lines(lanes).filter { $0.hasSuffix("passed (0 s)") }.map { $0.split(separator: "'")[1] },
      ["One.testLast", "One.testMeets", "One.testLast", "One.testMeets"],
      "A and D, which fit none, then B, then C, and none is mixed with others")
    XCTAssertTrue(lines(lanes).last?.hasPrefix("Executed 4 tests, with 0 failures") == true)
  }

  func testModulesThatFitHaveTheirTemporaryFilesInMemoryAndNoneIsLeft() throws {
    let child = try start("--filter", "Last", "--memory", "^B")
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    let places = try String(contentsOf: place.appending(path: "tests.places"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
    XCTAssertEqual(places.map(\.first), ["A", "B"])
    XCTAssertEqual(places.first?.count, 1, "where it's usual")
    let room = try? FileManager.default.attributesOfFileSystem(forPath: "/dev/shm")[.systemFreeSize]
    guard let room = room as? Int64, room >= 2 << 30 else { return }
    let memory = try XCTUnwrap(places.last?.dropFirst().first)
    XCTAssertTrue(memory.hasPrefix("/dev/shm/tests-"), "\(memory)")
    XCTAssertFalse(FileManager.default.fileExists(atPath: String(memory)))
  }

  func testASoakTellsHowOftenWhatFailed() throws {
    let child = try start("--soak", "3", "--filter", "Fails|Last")
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(1), child.said)
    let lines = lines(child)
    XCTAssertEqual(
      Array(lines.suffix(2)),
      ["── What failed how often, of 3 whole rounds beside load:", "3× B.One/testFails failed"])
    XCTAssertEqual(lines.filter { $0.hasPrefix("── Round") }.count, 3)
    XCTAssertEqual(lines.filter { $0 == "error: no" }.count, 3)
    XCTAssertFalse(child.printed.contains("testLast"), "what passes isn't shown")
  }

  func testAnInterruptedSoakLeavesNoLoadBehind() throws {
    for signal in [SIGTERM, SIGKILL] {
      try? FileManager.default.removeItem(at: place.appending(path: "tests.child"))
      let soak = try start("--soak", "1", "--filter", "Hangs|Meets", "--lane", "^A", "--lane", "^C")
      while child() == nil, soak.isRunning { sched_yield() }
      let begun = try children(of: soak.identifier)
      XCTAssertGreaterThan(begun.count, 3, "a lane's tests, the disk's load and two for a core")
      soak.send(signal)
      let end = try soak.end(within: .seconds(60))
      XCTAssertEqual(end, signal == SIGKILL ? .killed(by: SIGKILL) : .exited(130), soak.said)
      // The kernel ends them when it gets to it.
      while begun.contains(where: isAlive) { sched_yield() }
      kill(try XCTUnwrap(child()), SIGKILL)
    }
  }
}

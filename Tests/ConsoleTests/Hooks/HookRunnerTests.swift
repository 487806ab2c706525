import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

@testable import Console

final class HookRunnerTests: XCTestCase {
  private var place = ""

  override func setUpWithError() throws { place = try temporaryFolder().path }

  private func run(
    _ command: String, limit: Duration = .seconds(60), grace: Duration = .seconds(5),
    report: [UInt8] = [], environment: [String: String] = ["PATH": "/usr/bin:/bin"]
  ) async -> HookEnd {
    await HookRunner(environment: environment)
      .run(Hook(command, limit: limit, grace: grace), with: report)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(place)/\(name)", encoding: .utf8)
  }

  func testAHookReadsTheReportToItsEnd() async throws {
    let report = Array(String(repeating: "{\"event\":\"ended\"}\n", count: 50_000).utf8)
    await assertEqual(run("cat > \(place)/report", report: report), .succeeded)
    XCTAssertEqual(try text("report").utf8.count, report.count)
  }

  func testAHookThatReadsNothingKeepsNobodyWaiting() async {
    let end = await run("exec 0<&-; exit 0", report: [UInt8](repeating: 32, count: 8 << 20))
    XCTAssertEqual(end, .succeeded)
  }

  func testHowAHookEnded() async {
    let cases: [(String, HookEnd)] = [
      ("true", .succeeded), ("exit 3", .exited(3)), ("kill -9 $$", .killed(by: 9)),
      ("no-such-command-anywhere 2> /dev/null", .exited(127)),
    ]
    for (command, expected) in cases {
      let end = await run(command)
      XCTAssertEqual(end, expected, command)
      XCTAssertEqual(end.trouble == nil, command == "true")
    }
  }

  /// A parent that ignores SIGCHLD leaves it so to its children: every hook counted as successful.
  func testWhereNobodyCanTellHowAHookEndedItDoesNotCountAsSuccessful() async {
    let before = signal(SIGCHLD, SIG_IGN)
    defer { signal(SIGCHLD, before) }
    let end = await run("exit 3")
    XCTAssertEqual(end, .lost)
    XCTAssertEqual(end.trouble?.hasPrefix("ended, and nobody can tell how;"), true)
  }

  func testATimeLimitEndsTheWholeGroup() async throws {
    let began = ContinuousClock.now
    let end = await run(
      "(trap 'echo told > \(place)/child; exit' TERM; while :; do sleep 0.02; done) & sleep 99",
      limit: .milliseconds(300))
    XCTAssertEqual(end, .overdue(.milliseconds(300)))
    XCTAssertEqual(try text("child"), "told\n", "it had the time to end in good order")
    assertKept(.seconds(20), since: began)
  }

  func testWhoHeedsNoSignalIsKilled() async throws {
    let end = await run(
      "trap '' TERM; echo $$ > \(place)/number; while :; do sleep 0.02; done",
      limit: .milliseconds(200), grace: .milliseconds(100))
    XCTAssertEqual(end, .overdue(.milliseconds(200)))
    let number = try XCTUnwrap(Int32(try text("number").trimmingCharacters(in: .newlines)))
    XCTAssertEqual(kill(number, 0), -1, "it is gone")
  }

  func testACancelledRunTakesItsHookAlong() async throws {
    let place = place
    let task = Task {
      await HookRunner().run(
        Hook("echo > \(place)/begun; sleep 99", limit: .seconds(60), grace: .milliseconds(100)),
        with: [])
    }
    while !FileManager.default.fileExists(atPath: "\(place)/begun") { await Task.yield() }
    task.cancel()
    await assertEqual(task.value, .cancelled)
  }

  /// It takes as long as the hook is given: that it is short is what is tested.
  func testACancelledRunDoesNotWaitLongForAHookThatHeedsNoSignal() async throws {
    let place = place
    let task = Task {
      await HookRunner().run(
        Hook(
          "trap '' TERM; (trap '' TERM; sleep 9) & echo > \(place)/begun; sleep 9; sleep 9",
          limit: .seconds(60)), with: [])
    }
    while !FileManager.default.fileExists(atPath: "\(place)/begun") { await Task.yield() }
    let began = ContinuousClock.now
    task.cancel()
    await assertEqual(task.value, .cancelled)
    assertKept(.seconds(2), since: began)
  }

  func testAHookGetsNoFileOfOursAndTheSignalsOfANewProcess() async throws {
    let held = open("/dev/null", O_RDONLY)
    defer { close(held) }
    signal(SIGPIPE, SIG_IGN)
    let end = await run(
      "ls /proc/self/fd | sort -n | tail -1 > \(place)/files; grep SigIgn /proc/self/status > \(place)/signals"
    )
    XCTAssertEqual(end, .succeeded)
    // `ls` has opened the one that it looks at.
    XCTAssertLessThanOrEqual(try XCTUnwrap(Int(try text("files").dropLast())), 3)
    let ignored = try XCTUnwrap(UInt64(try text("signals").dropFirst(8).dropLast(), radix: 16))
    XCTAssertEqual(ignored & 1 << UInt64(SIGPIPE - 1), 0)
  }

  func testTheEnvironmentIsTheOneThatWasGiven() async throws {
    _ = await run(
      "env > \(place)/variables", environment: ["PATH": "/usr/bin:/bin", "COLOUR": "blue"])
    let variables = try text("variables")
    XCTAssertTrue(variables.contains("COLOUR=blue"))
    XCTAssertFalse(variables.contains("HOME="))
  }
}

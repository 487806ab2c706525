import CatalogMirror
import Console
import SyncLock
import SynchronizerTesting
import XCTest

@testable import mirror

/// What `--progress` prints where no line can be drawn again and again: to a pipe, or in cron.
final class PlainProgressTests: XCTestCase {
  private let lines = Locked<[String]>([])
  private let progress = Locked(MirrorProgress())

  private func invocation(_ arguments: String...) throws -> Invocation {
    let parsed = try ArgumentParser.parse(
      ["sync", "http://h/", "copy"] + arguments, of: Invocation.program)
    guard case .run(let words) = parsed else { throw UsageError("no command") }
    return try Invocation(words, in: [:])
  }

  func testALineAMinuteAndOnlyIfAskedFor() throws {
    let pipe = Terminal(isTerminal: false, environment: ["TERM": "xterm"])
    XCTAssertEqual(try invocation("--progress").pace(on: pipe), .minutely)
    XCTAssertEqual(try invocation().pace(on: pipe), .never)
    let dumb = Terminal(isTerminal: true, environment: ["TERM": "dumb"])
    XCTAssertEqual(try invocation("--progress").pace(on: dumb), .minutely)
    XCTAssertNil(ProgressDisplay(.never).interval)
  }

  func testEachMinuteHasOneCalmLine() async throws {
    let (clock, gate) = (ManualClock(), Gate())
    let display = ProgressDisplay(.minutely) { [lines] line in lines.withLock { $0.append(line) } }
    let reporter = PeopleReporter(display, isVerbose: false)
    let run = Task { [progress] in
      try await showing(by: reporter, on: clock, { progress.withLock { $0 } }) {
        try await gate.wait()
      }
    }
    for minute in 0...4 {
      try await clock.sleepers(atLeast: 1)
      XCTAssertEqual(lines.withLock { $0.count }, minute, "nothing between two minutes")
      clock.advance(by: .seconds(59))
      XCTAssertEqual(lines.withLock { $0.count }, minute)
      progress.withLock { progress in
        progress.stage = .contents
        (progress.itemsTotal, progress.bytesTotal) = (10, 10 << 20)
        (progress.itemsDone, progress.bytesDone) = (minute, Int64(minute) << 20)
      }
      clock.advance(by: .seconds(1))
    }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    try await run.value
    let told = lines.withLock { $0 }
    XCTAssertEqual(told.count, 5)
    XCTAssertEqual(told[0], "contents: 0%, 0 of 10 items, 0 B of 10.0 MiB")
    XCTAssertEqual(
      told[4], "contents: 40%, 4 of 10 items, 4.0 MiB of 10.0 MiB, 17.1 KiB/s, 6 min left")
    for line in told {
      XCTAssertFalse(line.unicodeScalars.contains { $0.value < 0x20 }, line)
    }
  }
}

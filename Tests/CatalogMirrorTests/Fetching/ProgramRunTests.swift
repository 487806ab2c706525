import Foundation
import SyncFiles
import TestSupport
import XCTest

@testable import CatalogMirror

/// A program that is run to its end, or to the end of its time.
final class ProgramRunTests: XCTestCase {
  private func run(
    _ script: String, _ files: [String] = [], within limit: Duration = .seconds(60)
  ) throws -> ProgramRun.End {
    try ProgramRun.run(
      "sh", [.word("-c"), .word(script), .word("sh")] + files.map { .file(Array($0.utf8)) },
      within: limit)
  }

  func testItGetsItsFilesAndNothingElseToRead() throws {
    let end = try run("cat \"$2\" \"$1\"; cat; echo to the other >&2", ["one", "two"])
    XCTAssertEqual(end, .ended(status: 0, said: Array("twooneto the other\n".utf8)))
  }

  func testItsStatusOrSignalIsTold() throws {
    XCTAssertEqual(try run("exit 3"), .ended(status: 3, said: []))
    XCTAssertEqual(try run("kill -9 $$"), .killed(by: 9))
    XCTAssertThrowsError(try ProgramRun.run("no-such-program", [], within: .seconds(1)))
  }

  /// More than there are places for: one would have taken the place of another.
  func testOneThatWouldGetTooManyFilesIsNotStarted() throws {
    XCTAssertThrowsError(try run("exit 0", Array(repeating: "", count: 14)))
    XCTAssertEqual(
      try run("exit 0", Array(repeating: "", count: 13)), .ended(status: 0, said: []))
  }

  /// gpgv that waited for ever would have had the run wait, too.
  func testOneThatDoesNotEndIsKilledWithItsGroupWhenItsTimeIsOver() throws {
    let group = try Group()
    defer { group.close() }
    var limit = Duration.milliseconds(100)
    repeat {
      limit *= 2
      XCTAssertEqual(try group.run(within: limit), .overdue)
    } while !group.hasBegun()
    XCTAssertTrue(group.isGone(), "what it has started was left running")
  }

  func testOneThatIsNotWantedAnyMoreIsKilledWithItsGroup() throws {
    let group = try Group()
    defer { group.close() }
    let stop = StopFlag()
    Thread.detachNewThread {
      while !group.hasBegun() { sched_yield() }
      stop.raise()
    }
    XCTAssertEqual(try group.run(within: .seconds(600), until: stop), .stopped)
    XCTAssertTrue(group.isGone(), "what it has started was left running")
  }

  /// A parent that ignored SIGCHLD left it so to the mirror, which then asked for ever how gpgv had
  /// ended.
  func testWhereNobodyCanTellHowItEndedThatIsTold() throws {
    let before = signal(SIGCHLD, SIG_IGN)
    defer { signal(SIGCHLD, before) }
    XCTAssertEqual(try run("exit 0"), .lost)
    XCTAssertEqual(try run("exit 3"), .lost)
  }
}

/// A program that has started another: which holds the end of a pipe, and tells that it is there.
private struct Group: Sendable {
  private let directory = FileManager.default.temporaryDirectory.path + "/group-\(UUID())"
  private let pipe: Int32

  init() throws {
    try makeFolder(at: directory)
    mkfifo(directory + "/pipe", 0o600)
    pipe = open(directory + "/pipe", O_RDONLY | O_NONBLOCK)
  }

  func run(within limit: Duration, until stop: StopFlag = StopFlag()) throws -> ProgramRun.End {
    let script = #"(echo >"$0/begun"; exec sleep 600) >"$0/pipe" & wait"#
    return try ProgramRun.run(
      "sh", [.word("-c"), .word(script), .word(directory)], within: limit, until: stop)
  }

  func hasBegun() -> Bool { isThere(directory + "/begun") }

  /// Whether nobody holds the pipe's other end, soon. A kill takes a moment.
  func isGone() -> Bool {
    let deadline = Patience.end
    var byte: UInt8 = 0
    while read(pipe, &byte, 1) != 0 {
      guard ContinuousClock.now < deadline else { return false }
      sched_yield()
    }
    return true
  }

  func close() {
    Foundation.close(pipe)
    try? FileManager.default.removeItem(atPath: directory)
  }
}

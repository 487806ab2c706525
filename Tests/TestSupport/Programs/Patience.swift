import Foundation
import XCTest

/// How long tests wait for what comes from outside of them, and how they judge what takes its time.
///
/// A machine that others use as well serves everybody later. Nothing that a test waits for may fail
/// for that; and a promise in seconds is one of a machine that isn't busy.
package enum Patience {
  /// Whether the tests run beside load that `Tests/run --soak` makes.
  private static var isSoaked: Bool {
    ProcessInfo.processInfo.environment["TESTS_BESIDE_LOAD"] != nil
  }

  /// How long something is waited for that comes at once on a machine that isn't busy: a little less
  /// than a test may take, so that it says what didn't come.
  package static var usual: Duration { isSoaked ? .seconds(250) : .seconds(50) }

  /// When to stop waiting, for something that begins to be waited for now.
  package static var end: ContinuousClock.Instant { .now + usual }

  /// Whether more programs want to compute than there are processors.
  private static var isBusy: Bool {
    guard !isSoaked, let words = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)
    else { return true }
    // As in "0.51 0.44 0.40 2/311 4711": of the last minute, and how many run at this moment.
    let fields = words.split(separator: " ")
    let last = fields.first.flatMap { Double($0) } ?? .infinity
    let now = fields.dropFirst(3).first?.split(separator: "/").first.flatMap { Double($0) }
    // Of those that run at this moment, this test is one, and whoever it waited for another.
    let processors = Double(ProcessInfo.processInfo.activeProcessorCount)
    return last >= processors || (now ?? .infinity) > processors + 2
  }

  /// What a promise comes to now: ten times as long where the machine is busy.
  package static func promised(_ limit: Duration) -> Duration { isBusy ? limit * 10 : limit }
}

/// Asserts that no more time has gone by since `start` than is promised; on a busy machine, ten
/// times as much.
package func assertKept(
  _ promise: Duration, since start: ContinuousClock.Instant,
  _ claim: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {
  let took = start.duration(to: .now)
  XCTAssertLessThan(took, Patience.promised(promise), claim(), file: file, line: line)
}

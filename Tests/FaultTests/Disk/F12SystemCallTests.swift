import TestSupport
import XCTest

/// F12: killed before every state-changing system call of a reference run.
final class F12SystemCallTests: DiskTestCase {
  func testF12_killedBeforeAnyCallOfAFirstCopyNothingIsLost() async throws {
    try await killBeforeCalls(onTheWayTo: .first, quick: 14)
  }

  func testF12_killedBeforeAnyCallOfAnUpdateNothingIsLost() async throws {
    try await killBeforeCalls(onTheWayTo: .second, quick: 26)
  }

  private func killBeforeCalls(
    onTheWayTo state: ReferenceWorld.State, quick: Int, line: UInt = #line
  ) async throws {
    let calls = try referenceCalls(to: state)
    let numbers = Steps.chosen(of: calls.count, quick: quick)
    var survived: [Int] = []
    for number in numbers {
      let fault = Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
      try prepare(for: state)
      let outcome = try sync(with: fault)
      if outcome.end != .killed(by: SIGKILL) { survived.append(number) }
      let call = try disk.calls(in: copy).last?.description ?? ""
      try await assertAllIsWell(
        afterTheWayTo: state, "\(fault) (\(call)) on the way to \(state)", line: line)
    }
    // What runs side by side meets in another order, and a run may do with a few calls less.
    XCTAssert(
      survived.allSatisfy { $0 > calls.count - 10 }, "not killed at \(survived)", line: line)
    try Extent.record(
      "F12", "killed before a system call, on the way to the \(state) state",
      count: numbers.count - survived.count,
      "whole, true, converges; what was recorded isn't fetched again")
  }
}

/// Which steps of a row are taken.
enum Steps {
  /// All of `1...last` in the full form, so many of them by the seed in the quick form or when a
  /// count is asked for.
  static func chosen(of last: Int, quick: Int) -> [Int] {
    let count = Extent.count(quick: quick, full: last)
    var generator = SeededGenerator(seed: Extent.seed())
    return count >= last
      ? Array(1...last) : (1...last).shuffled(using: &generator).prefix(count).sorted()
  }
}

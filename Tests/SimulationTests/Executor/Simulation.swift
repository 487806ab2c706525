import Foundation
import SyncLock
import XCTest

/// Runs a world for each of many seeds; a failing seed says how to replay it.
enum Simulation {
  /// One story in a world of its own. Called on the world's thread; runs its executor.
  typealias Story = @Sendable (World) -> Void

  /// What many seeds came to.
  private struct Tally: Sendable {
    var next: UInt64
    let end: UInt64
    var steps = 0
    var replayed = 0
    var failures: [String] = []

    mutating func take() -> UInt64? {
      guard next < end, failures.count < 5 else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// Runs the story with every seed that is asked for; 1 % of them twice, which has to be the same.
  static func run(
    _ name: String, seeds: SimulationExtent = .asked, file: StaticString = #filePath,
    line: UInt = #line, _ story: @escaping Story
  ) {
    let tally = Locked(Tally(next: seeds.first, end: seeds.first + UInt64(seeds.count)))
    let began = ContinuousClock.now
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let ends = (0..<workers).map { XCTestExpectation(description: "worker \($0)") }
    for end in ends {
      let thread = Thread {
        while let seed = tally.withLock({ $0.take() }) { Self.run(seed, story, tally) }
        end.fulfill()
      }
      thread.stackSize = 16 << 20
      thread.start()
    }
    // The main thread meanwhile posts the synchronizers' notifications and so lets go of them.
    XCTAssertEqual(XCTWaiter().wait(for: ends, timeout: 1_000_000), .completed)
    let result = tally.withLock { $0 }
    for failure in result.failures { XCTFail("\(name), \(failure)", file: file, line: line) }
    SimulationExtent.tell(
      "\(name): \(result.next - seeds.first) of \(seeds.count) seeds from \(seeds.first), "
        + "\(result.steps) steps, "
        + "\(result.replayed) replayed, \(result.failures.count) failed, "
        + "in \(ContinuousClock.now - began)")
  }

  private static func run(_ seed: UInt64, _ story: Story, _ tally: Locked<Tally>) {
    let first = World(seed: seed)
    story(first)
    let executor = first.executor
    var problems = executor.problems
    let isReplayed = seed % 100 == 0 || !problems.isEmpty
    var notes: [String] = []
    if isReplayed {
      let second = World(seed: seed, keepsNotes: true)
      story(second)
      notes = second.executor.notes
      if second.executor.digest != executor.digest {
        problems.append(
          "the replay came to \(second.executor.digest), not \(executor.digest): "
            + "something that no seed decides made a difference")
      }
    }
    let steps = executor.steps
    let failure = problems.isEmpty ? nil : text(seed, problems, notes)
    tally.withLock { tally in
      tally.steps += steps
      if isReplayed { tally.replayed += 1 }
      if let failure { tally.failures.append(failure) }
    }
  }

  private static func text(_ seed: UInt64, _ problems: [String], _ notes: [String]) -> String {
    """
    seed \(seed): \(problems.joined(separator: "; "))
    The last that happened:
      \(notes.suffix(SimulationExtent.notesShown).joined(separator: "\n  "))
    To replay it: Tests/run --simulate 1 --from \(seed)
    """
  }
}

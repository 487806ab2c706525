import Foundation
import XCTest

/// Three replicas and a server, whatever goes wrong: at rest all have the same, nothing that was
/// saved is nowhere, and one more sync does nothing.
final class ConvergenceTests: XCTestCase {
  func testReplicasConvergeWhateverGoesWrong() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MIRROR_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 30
    let day = UInt64(Date().timeIntervalSince1970 / 86_400)
    let first = environment["MIRROR_SIMULATION_FROM"].flatMap(UInt64.init) ?? day * 10_000
    let isLong = environment["MIRROR_SIMULATION_SEEDS"] != nil
    // Nothing is waited for: more of them would only get in each other's way.
    let lanes = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    let problems = try await withThrowingTaskGroup(of: [String].self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var problems: [String] = []
          for seed in stride(from: first + lane, to: first + count, by: Int(lanes)) {
            let isTwice = (seed - first).isMultiple(of: isLong ? 100 : 10)
            problems += try await Self.problems(of: seed, isTwice: isTwice, isAlone: count == 1)
          }
          return problems
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    XCTAssertEqual(problems, [])
  }

  /// What isn't as it should be; of a seed that is told alone, with all that happened.
  private static func problems(
    of seed: UInt64, isTwice: Bool, isAlone: Bool
  ) async throws -> [String] {
    let story = try await tell(seed)
    var problems = story.problems
    if isAlone, !problems.isEmpty { problems += story.log }
    if isTwice, try await tell(seed).log != story.log {
      problems.append("seed \(seed), told again, goes another way")
    }
    return problems
  }

  private static func tell(_ seed: UInt64) async throws -> ConvergenceStory {
    var story = ConvergenceStory(seed: seed)
    try await story.run()
    return story
  }
}

import Foundation
import XCTest

/// Three replicas and a server, whatever goes wrong: at rest all have the same, nothing that was
/// saved is nowhere, and one more sync does nothing.
final class ConvergenceTests: XCTestCase {
  func testReplicasConvergeWhateverGoesWrong() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MIRROR_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 60
    let day = UInt64(Date().timeIntervalSince1970 / 86_400)
    let first = environment["MIRROR_SIMULATION_FROM"].flatMap(UInt64.init) ?? day * 10_000
    let isLong = environment["MIRROR_SIMULATION_SEEDS"] != nil
    for seed in first..<first + count {
      let story = try await tell(seed)
      XCTAssertEqual(story.problems, [], count == 1 ? story.log.joined(separator: "\n") : "")
      guard (seed - first).isMultiple(of: isLong ? 100 : 10) else { continue }
      let again = try await tell(seed)
      XCTAssertEqual(again.log, story.log, "seed \(seed), told again")
    }
  }

  private func tell(_ seed: UInt64) async throws -> ConvergenceStory {
    var story = ConvergenceStory(seed: seed)
    try await story.run()
    return story
  }
}

import Foundation

/// Stories that a seed decides: `MIRROR_SIMULATION_SEEDS` says how many are told,
/// `MIRROR_SIMULATION_FROM` which is the first; by default 30, others each day.
enum SeededStories {
  typealias Story = @Sendable (UInt64) async throws -> (problems: [String], log: [String])

  /// What isn't as it should be.
  static func problems(_ tell: @escaping Story) async throws -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MIRROR_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 30
    let day = UInt64(Date().timeIntervalSince1970 / 86_400)
    let first = environment["MIRROR_SIMULATION_FROM"].flatMap(UInt64.init) ?? day * 10_000
    let isLong = environment["MIRROR_SIMULATION_SEEDS"] != nil
    // Nothing is waited for: more of them would only get in each other's way.
    let lanes = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    return try await withThrowingTaskGroup(of: [String].self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var problems: [String] = []
          for seed in stride(from: first + lane, to: first + count, by: Int(lanes)) {
            let isTwice = (seed - first).isMultiple(of: isLong ? 100 : 10)
            problems += try await Self.problems(of: seed, tell, isTwice, isAlone: count == 1)
          }
          return problems
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Of a seed that is told alone, with all that happened.
  private static func problems(
    of seed: UInt64, _ tell: Story, _ isTwice: Bool, isAlone: Bool
  ) async throws -> [String] {
    let story = try await tell(seed)
    var problems = story.problems
    if isAlone, !problems.isEmpty { problems += story.log }
    if isTwice, try await tell(seed).log != story.log {
      problems.append("seed \(seed), told again, goes another way")
    }
    return problems
  }
}

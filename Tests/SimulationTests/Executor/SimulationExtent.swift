import Foundation

/// Which seeds are run: as `Tests/run --simulate` asks, or a few, others each day.
struct SimulationExtent {
  var first: UInt64
  var count: Int

  static var asked: SimulationExtent {
    let count = variable("MIRROR_SIMULATION_SEEDS").flatMap(Int.init) ?? 60
    let day = UInt64(Date().timeIntervalSince1970 / 86_400)
    let first = variable("MIRROR_SIMULATION_FROM").flatMap(UInt64.init) ?? day * 10_000
    return SimulationExtent(first: first, count: count)
  }

  /// Which of so many places one after the other are visited: all when simulations are asked for,
  /// else every fifth, others each day.
  static func places(from first: Int) -> StrideTo<Int> {
    guard variable("MIRROR_SIMULATION_SEEDS") == nil else {
      return stride(from: first, to: .max, by: 1)
    }
    return stride(from: first + Int(Date().timeIntervalSince1970 / 86_400) % 5, to: .max, by: 5)
  }

  /// How many of the last notes a failure shows: all that are kept, when it is one seed.
  static var notesShown: Int { asked.count == 1 ? 2_000 : 40 }

  /// Tells whoever runs simulations by hand what came of them.
  static func tell(_ sentence: String) {
    guard variable("MIRROR_SIMULATION_SEEDS") != nil else { return }
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}

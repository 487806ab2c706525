import Foundation
import TestSupport

/// The seeds of a random test: as many as are asked for where it may take long, else the usual number;
/// and from the one that is asked for on.
func seeds(usually count: UInt64, atLeast least: UInt64 = 1, share: UInt64 = 1) -> Range<UInt64> {
  let environment = ProcessInfo.processInfo.environment
  let asked = environment["MIRROR_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? count
  let first = environment["MIRROR_SIMULATION_FROM"].flatMap(UInt64.init) ?? 1
  return first..<first + max(least, asked / share)
}

/// True in so many of a hundred cases.
func isLucky(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
  Int.random(in: 0..<100, using: &random) < percent
}

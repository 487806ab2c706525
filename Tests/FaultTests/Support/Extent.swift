import Foundation
import TestSupport

/// How much of the fault matrix is run: the quick form, as in CI, or the full one of
/// `Tests/run --faults full`.
enum Extent {
  case quick
  case full

  /// As the caller of the tests asked for it.
  static var asked: Extent { variable("MIRROR_FAULTS") == "full" ? .full : .quick }

  /// How often a fault is produced: as often as `--count` says, else as the form has it.
  static func count(quick: Int, full: Int) -> Int {
    variable("MIRROR_FAULT_COUNT").flatMap(Int.init) ?? (asked == .full ? full : quick)
  }

  /// The seed of a row's random choices: the one of `--seed`, else one of the day, so that the
  /// rows see something new each time. Say it in every failure.
  static func seed() -> UInt64 {
    variable("MIRROR_FAULT_SEED").flatMap(UInt64.init)
      ?? UInt64(Date().timeIntervalSince1970 / 86_400)
  }

  /// Notes what a row has shown, for the table in the documentation.
  ///
  /// - Parameters:
  ///   - row: The number in the matrix, as `F12`.
  ///   - fault: What was produced, in a few words.
  ///   - count: How often.
  ///   - finding: What was found afterwards; only what the test has asserted.
  static func record(_ row: String, _ fault: String, count: Int, _ finding: String) throws {
    guard let path = variable("MIRROR_FAULT_RESULTS") else { return }
    let line = [row, fault, String(count), finding].joined(separator: "\t") + "\n"
    if !isThere(path) {
      try Data().write(to: URL(filePath: path))
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.utf8))
    try file.close()
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}

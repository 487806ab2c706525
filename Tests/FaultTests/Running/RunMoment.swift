import Foundation
import TestSupport

/// A moment in a run of `mirror --json`, chosen at random.
enum RunMoment: CustomStringConvertible {
  /// So long after its start.
  case after(Duration)
  /// So long after it told that a stage began.
  case within(stage: String, Duration)

  /// The stages as a run goes through them; what comes before the first is its start.
  static let stages = [
    "look", "list", "decide", "previews", "contents", "commit", "remove", "done",
  ]
  /// Those in which a run changes something.
  private static let busy = ["contents", "commit", "remove"]

  /// Half of them anywhere in a run of a usual length and a little after, half of them in one of
  /// the stages in which something is changed, however short that is.
  static func random(in length: Duration, _ random: inout SeededGenerator) -> RunMoment {
    let share = Double.random(in: 0..<1, using: &random)
    guard let stage = busy.randomElement(using: &random), random.oneIn(2) else {
      return .after(length * share)
    }
    return .within(stage: stage, length * share * share * 0.1)
  }

  /// Waits for the moment; returns whether the run hadn't ended by then.
  func wait(for child: ChildProcess) throws -> Bool {
    switch self {
    case .after(let delay):
      Self.pause(delay)
    case .within(let stage, let delay):
      while !child.printed.contains("\"stage\":\"\(stage)\"") {
        if child.hasEnded { return false }
        Self.pause(.microseconds(200))
      }
      Self.pause(delay)
    }
    return !child.hasEnded
  }

  /// The last stage that a run has told of.
  static func stage(in printed: String) -> String {
    let lines = printed.split(separator: "\n")
    for line in lines.reversed() {
      guard line.contains("\"event\":\"stage\"") else { continue }
      if let stage = stages.first(where: { line.contains("\"stage\":\"\($0)\"") }) { return stage }
    }
    return "start"
  }

  static func pause(_ duration: Duration) {
    usleep(UInt32(max(duration / .microseconds(1), 0)))
  }

  var description: String {
    switch self {
    case .after(let delay): "after \(delay)"
    case .within(let stage, let delay): "\(delay) into \(stage)"
    }
  }
}

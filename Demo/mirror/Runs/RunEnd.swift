import CatalogMirror
import Console

/// What a run of a mirror came to, also one that couldn't begin.
struct RunEnd: Sendable {
  var status: ExitStatus
  /// What was done; `nil` where the run couldn't begin.
  var report: MirrorReport?
  var problem: String?
  /// In seconds since 1970.
  var startedAt: Double
  var duration: Duration

  /// Whether something in the folder is other than before.
  var hasChanged: Bool {
    guard let report else { return false }
    let changes = [
      report.added, report.updated, report.repaired, report.previews, report.removed,
      report.displaced,
    ]
    return changes.contains { $0 > 0 }
  }

  /// Whether somebody has to look: not where another run was at work, or a person or the run's own
  /// limit of time ended it.
  var hasFailed: Bool {
    switch status {
    case .failed, .refused, .usage: true
    // A limit of time that was reached is nothing to look after by itself.
    case .someFailed: report?.timeLimit == nil || (report?.failed ?? 0) > 0
    case .done, .locked, .cancelled: false
    }
  }

  /// Whether the source, or what the run stands on, isn't as it should be on the whole.
  var isFailure: Bool {
    switch status {
    case .failed, .refused, .usage: true
    case .done, .someFailed, .locked, .cancelled: false
    }
  }

  var word: String {
    if let report { return report.word }
    switch status {
    case .locked: return "locked"
    case .cancelled: return "cancelled"
    case .refused: return "refused"
    case .done, .failed, .someFailed, .usage: return "failed"
    }
  }

  /// Adds what a line of JSON tells of it: the same members as of a run that could begin.
  func write(to line: inout JSONMembers) {
    if let report { return report.write(to: &line) }
    line.add("outcome", word)
    line.add("status", Int(status.rawValue))
    line.addSeconds("seconds", duration)
    line.addFailures("failures", [(nil, problem ?? word)])
  }
}

import CatalogMirror
import Console

extension MirrorReport.Outcome {
  var word: String {
    switch self {
    case .done: "done"
    case .someFailed: "some failed"
    case .failed: "failed"
    case .removalRefused: "refused"
    case .cancelled: "cancelled"
    }
  }

  /// The word for a run that its time limit ended: nobody cancelled it.
  static let outOfTime = "out of time"

  /// How many of how many items would have gone, if that was refused.
  var refusedRemoval: (count: Int, of: Int)? {
    guard case .removalRefused(let count, let of) = self else { return nil }
    return (count, of)
  }

  var status: ExitStatus {
    switch self {
    case .done: .done
    case .someFailed: .someFailed
    case .failed: .failed
    case .removalRefused: .refused
    case .cancelled: .cancelled
    }
  }
}

extension MirrorReport {
  /// Whether the run was cut short by its own time limit: what is done is done, and the next one
  /// goes on.
  private var isOutOfTime: Bool { outcome == .cancelled && timeLimit != nil }

  var word: String { isOutOfTime ? Outcome.outOfTime : outcome.word }

  /// The exit status that tells it. Who gave a limit of time has asked for this end, so that it
  /// isn't that of a signal: some items are to be done by the next run.
  var status: ExitStatus { isOutOfTime ? .someFailed : outcome.status }
}

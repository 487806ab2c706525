import CatalogMirror
import Console

extension MirrorReport.Outcome {
  /// The outcome as a word.
  var word: String {
    switch self {
    case .done: "done"
    case .someFailed: "some failed"
    case .failed: "failed"
    case .removalRefused: "refused"
    case .cancelled: "cancelled"
    }
  }

  /// How many of how many items would have gone, if that was refused.
  var refusedRemoval: (count: Int, of: Int)? {
    guard case .removalRefused(let count, let of) = self else { return nil }
    return (count, of)
  }

  /// The exit status that tells it.
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

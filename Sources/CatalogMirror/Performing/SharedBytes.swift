import SyncLock
import SyncText

/// What comes last may be listed under several names with the same bytes, as an index is under
/// those of its digests: they are fetched once, and copied.
final class SharedBytes: Sendable {
  private enum Progress {
    /// Somebody fetches them; these wait for it.
    case underWay([CheckedContinuation<HeldBytes?, Never>])
    case staged(HeldBytes)
  }

  private let state = Locked<[SHA256Digest: Progress]>([:])

  /// A file with these bytes in the staging area, where it stays until everything that comes last
  /// is placed; waits as long as somebody else fetches them. `nil` for who is to fetch them
  /// himself, and then to say ``ended(_:with:)``.
  func twin(of digest: SHA256Digest) async -> HeldBytes? {
    await withCheckedContinuation { waiting in
      let staged: HeldBytes?? = state.withLock { state in
        switch state[digest] {
        case nil:
          state[digest] = .underWay([])
          return .some(nil)
        case .staged(let file): return file
        case .underWay(let others):
          state[digest] = .underWay(others + [waiting])
          return nil
        }
      }
      if let staged { waiting.resume(returning: staged) }
    }
  }

  /// The bytes were fetched, or not: then each who waits tries by himself.
  func ended(_ digest: SHA256Digest, with staged: HeldBytes?) {
    let waiting: [CheckedContinuation<HeldBytes?, Never>] = state.withLock { state in
      switch state[digest] {
      case .staged: return []
      case nil:
        state[digest] = staged.map(Progress.staged)
        return []
      case .underWay(let waiting):
        state[digest] = staged.map(Progress.staged)
        return waiting
      }
    }
    for other in waiting { other.resume(returning: staged) }
  }

  /// What was staged is placed or gone. Who still waits tries by himself.
  func forget() {
    let known = state.withLock { state in
      defer { state = [:] }
      return state
    }
    for case .underWay(let waiting) in known.values {
      for other in waiting { other.resume(returning: nil) }
    }
  }
}

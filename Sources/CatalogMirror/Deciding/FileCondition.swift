import SyncFiles
import SyncText

/// What a look at a file tells of it: the rule for what counts as damaged.
enum FileCondition: Equatable, Sendable {
  case asLeft
  /// It has another date. Equal bytes mean that it was only touched, or copied back.
  case toBeHashed(against: SHA256Digest)
  /// It isn't what it was.
  case damaged
  case gone

  /// The condition of a file that was left in this state.
  ///
  /// - Parameters:
  ///   - stamp: The state in which it was left.
  ///   - sha256: The digest of its bytes, if it is known.
  ///   - status: What stands there now; `nil` for nothing.
  init(leftAs stamp: FileStamp, sha256: SHA256Digest?, now status: FileStatus?) {
    guard let status else {
      self = .gone
      return
    }
    if stamp.matches(status) {
      self = .asLeft
    } else if status.kind == .file, status.size == stamp.size, let sha256 {
      self = .toBeHashed(against: sha256)
    } else {
      self = .damaged
    }
  }
}

/// Decides when a folder that changes is published again.
///
/// A change is waited out: more follow most often, and what is being written is not yet what is to
/// be published. A folder that never comes to rest is published all the same, now and then. After a
/// failure the next attempt comes by itself, later and later, as not every cause is a change in the
/// folder.
struct ChangeSettling {
  /// How long nothing must have changed. Default half a second.
  let quiet: Duration
  /// The longest that a change waits for others to end.
  static let patience = Duration.seconds(10)
  /// The time after a first failure, doubled with each further one.
  static let firstPause = Duration.seconds(2)
  static let longestPause = Duration.seconds(120)

  private var changes: Changes?
  private var failure: Failure?

  /// Of a folder in which nothing has changed yet.
  init(quiet: Duration = .milliseconds(500)) {
    self.quiet = quiet
  }

  private struct Changes {
    var first: Duration
    var last: Duration
  }

  private struct Failure {
    var pause: Duration
    var end: Duration
  }

  mutating func noteChange(at now: Duration) {
    changes = Changes(first: changes?.first ?? now, last: now)
  }

  /// The folder is looked at: what has changed until now is seen.
  mutating func noteLook() {
    changes = nil
  }

  mutating func noteSuccess() {
    failure = nil
  }

  mutating func noteFailure(at now: Duration) {
    let pause = failure.map { min(Self.longestPause, $0.pause * 2) } ?? Self.firstPause
    failure = Failure(pause: pause, end: now + pause)
  }

  /// How long to wait until it is to be published, if nothing more happens; `nil` when it isn't.
  func wait(at now: Duration) -> Duration? {
    let due = failure?.end ?? changes.map { min($0.last + quiet, $0.first + Self.patience) }
    return due.map { max(.zero, $0 - now) }
  }
}

/// How often one sync asks a server that is in trouble.
///
/// Any answer without trouble begins it anew. Times are measured from the clock's origin.
struct TryBudget: Sendable, Equatable {
  /// The most tries in a row. By default 3.
  var tries = 3
  /// The time in which they must be made. By default 10 s.
  var span = Duration.seconds(10)
  private(set) var made = 0
  /// When the first one of them was sent.
  private(set) var since: Duration?

  /// A request ended in trouble: answers when the next try is made, or `nil` if the sync ends.
  ///
  /// - Parameters:
  ///   - now: when it ended.
  ///   - began: when it was sent.
  ///   - wait: how long the server is to be left alone.
  mutating func troubled(at now: Duration, sentAt began: Duration, wait: Duration) -> Duration? {
    made += 1
    let start = since ?? began
    since = start
    let next = now + wait
    return made < tries && next - start < span ? next : nil
  }

  /// A request ended without trouble.
  mutating func answered() {
    made = 0
    since = nil
  }
}

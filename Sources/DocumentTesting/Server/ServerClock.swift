/// The clock of a server, which may be wrong. Times are milliseconds since 1970.
package struct ServerClock: Sendable, Hashable {
  /// By how much it is ahead of the true time.
  package private(set) var skew: Int64

  /// A clock that is ahead by so much.
  package init(skew: Int64 = 0) {
    self.skew = skew
  }

  /// Somebody sets it: on by so much, or back.
  package mutating func step(by length: Int64) {
    skew += length
  }

  /// What it shows at a true time.
  package func time(at now: Int64) -> Int64 { now + skew }
}

/// Gives each change of a store a number that none had before.
struct RevisionCounter: Sendable, Equatable {
  private(set) var next: Int64

  /// A counter that goes on where a store left off.
  init(next: Int64) {
    self.next = next
  }

  /// A number that nothing else has.
  mutating func fresh() -> Revision {
    defer { next += 1 }
    return Revision(next)
  }
}

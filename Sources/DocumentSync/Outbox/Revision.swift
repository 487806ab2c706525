/// The number of one content of one document.
///
/// Each change takes the next number of the store, so that no two contents share one, whichever
/// document they are of. Requests that differ never carry the same revision.
struct Revision: Sendable, Hashable, Comparable {
  /// Rises from change to change.
  let number: Int64

  init(_ number: Int64) {
    self.number = number
  }

  static func < (one: Revision, other: Revision) -> Bool { one.number < other.number }
}

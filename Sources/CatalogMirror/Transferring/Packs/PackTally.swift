/// What came in packs.
struct PackTally: Equatable, Sendable {
  /// How many requests for packs brought files.
  var requests = 0
  /// How many files came with them and were of use.
  var files = 0
  /// How many packs were given up.
  var givenUp = 0

  mutating func add(_ other: PackTally) {
    requests += other.requests
    files += other.files
    givenUp += other.givenUp
  }
}

/// What came in packs.
struct PackTally: Equatable, Sendable {
  /// How many parts of packs were asked for.
  var requests = 0
  /// How many files came with them.
  var files = 0
  /// Bytes of these files.
  var bytes: Int64 = 0
  /// How many packs were given up.
  var givenUp = 0

  mutating func add(_ other: PackTally) {
    requests += other.requests
    files += other.files
    bytes += other.bytes
    givenUp += other.givenUp
  }
}

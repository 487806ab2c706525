@testable import CatalogMirror
@testable import SyncText

/// What the user of a simulated folder did in it, and may rely on.
struct UserNotes: Sendable {
  /// What the user wrote and nobody may lose, by path, as long as it was the last thing that the
  /// user did there.
  var mine: [String: [UInt8]] = [:]
  /// What was once found among the displaced files: it stays there.
  var displaced: Set<SHA256Digest> = []
  /// Where the user was at work since the mirror last looked at everything.
  var touched: Set<String> = []
  /// The keys of which the index recorded content when it was looked at last.
  var held: Set<String> = []
  /// How many items the index knew then, or will as soon as it is told of what a crash placed.
  var known = 0
  /// Keys whose previews are newer than the index knows, since a run couldn't record them.
  var newerPreviews: Set<String> = []
  /// Files that a run placed and didn't live to record, and that the user touched before another
  /// run did: no longer in the state that was marked, they are anybody's.
  var strangers: [String: [UInt8]] = [:]

  /// The user wrote something.
  mutating func wrote(_ bytes: [UInt8], at path: String) {
    removed(path)
    mine[path] = bytes
  }

  /// The user removed something, with all that was in it.
  mutating func removed(_ path: String) {
    for other in mine.keys where other == path || other.hasPrefix(path + "/") { mine[other] = nil }
    touched(path)
  }

  /// The user was at work there, and in what lies below.
  mutating func touched(_ path: String) { touched.insert(path) }

  /// Whether the user was at work there, above or below.
  func isTouched(_ key: String) -> Bool {
    touched.contains { $0 == key || key.hasPrefix($0 + "/") || $0.hasPrefix(key + "/") }
  }
}

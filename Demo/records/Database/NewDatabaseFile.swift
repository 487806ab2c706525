import Console

/// A file that is to be a database, and may not be there yet.
struct NewDatabaseFile: Sendable {
  /// Where it is, or will be.
  let path: String
  private let isNew: Bool

  init(_ path: String) throws(DatabaseFileProblem) {
    do throws(DatabaseFileProblem) {
      self.path = try DatabaseFile(path).path
      isNew = false
    } catch .missing {
      self.path = path
      isNew = true
    }
  }

  /// Removes the file if it wasn't there and holds nothing: SQLite makes it before it has anything
  /// to write.
  func removeIfEmpty() {
    guard isNew, let facts = try? PathFacts(of: path, followingLink: false), facts.kind == .file,
      facts.size == 0
    else { return }
    PathFacts.remove(path)
  }
}

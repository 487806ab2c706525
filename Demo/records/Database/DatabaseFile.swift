import Console

/// The file that was named as a database, as it is before SQLite looks at it.
struct DatabaseFile: Sendable {
  /// Where it really is: SQLite is to follow no link, and a person's path may be one.
  let path: String

  /// Looks for the file; nothing is made.
  init(_ path: String) throws(DatabaseFileProblem) {
    guard try Self.kind(of: path) != .directory else { throw .directory(path) }
    let isLink = (try? PathFacts(of: path, followingLink: false))?.kind == .link
    self.path = isLink ? PathFacts.realPath(of: path) ?? path : path
  }

  private static func kind(of path: String) throws(DatabaseFileProblem) -> PathFacts.Kind {
    do throws(PathFacts.Problem) {
      return try PathFacts(of: path).kind
    } catch {
      throw error.isAbsence ? .missing(path) : .unreachable(path, error.reason)
    }
  }

  /// Its first bytes; `nil` where they can't be read.
  var header: DatabaseHeader? {
    FileBytes(of: path, limit: DatabaseHeader.length).map { DatabaseHeader($0.bytes) }
  }
}

enum DatabaseFileProblem: Error, Equatable, CustomStringConvertible {
  case missing(String)
  case directory(String)
  /// And the system's words.
  case unreachable(String, String)
  /// SQLite's of today can't read it, or not write it.
  case newer(String)

  var description: String {
    switch self {
    case .missing(let path):
      """
      there is no database '\(shown(path))'; check its name, or have 'records sync --create' make it
      """
    case .directory(let path): "'\(shown(path))' is a directory; name the database in it"
    case .unreachable(let path, let reason):
      "the database '\(shown(path))' can't be reached (\(reason)); check its name and rights"
    case .newer(let path):
      """
      the database '\(shown(path))' was written by a newer SQLite, and was left as it is; use a \
      program that has that one
      """
    }
  }

  private func shown(_ path: String) -> String { path.escaped }
}

import Console
import SyncSystem
import SyncText

/// The file that was named as a database, as it is before SQLite looks at it.
struct DatabaseFile: Sendable {
  /// Where it really is: SQLite is to follow no link, and a person's path may be one.
  let path: String

  /// Looks for the file; nothing is made.
  init(_ path: String) throws(DatabaseFileProblem) {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .missing(path) : .unreachable(path, String(cString: strerror(errno)))
    }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw .directory(path) }
    var isLink = stat()
    if lstat(path, &isLink) == 0, isLink.st_mode & S_IFMT == S_IFLNK,
      let real = realpath(path, nil)
    {
      defer { free(real) }
      self.path = String(cString: real)
    } else {
      self.path = path
    }
  }

  /// Its first bytes; `nil` where they can't be read.
  var header: DatabaseHeader? {
    FileBytes(of: path, limit: DatabaseHeader.length).map { DatabaseHeader($0.bytes) }
  }
}

/// Why a file can't be a database.
enum DatabaseFileProblem: Error, Equatable, CustomStringConvertible {
  case missing(String)
  case directory(String)
  /// And the system's words.
  case unreachable(String, String)
  /// SQLite's of today can't read it, or not write it.
  case newer(String)

  var description: String {
    switch self {
    case .missing(let path): "there is no database '\(shown(path))'; check its name"
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

  private func shown(_ path: String) -> String { ByteString.escape(path) }
}

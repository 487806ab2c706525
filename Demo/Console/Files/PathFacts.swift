import SyncSystem

/// What stands at a path.
public struct PathFacts: Equatable, Sendable {
  /// What it is.
  public enum Kind: Equatable, Sendable {
    case file
    case directory
    case link
    case other
  }

  /// Why nothing is known of what stands there.
  public struct Problem: Error, Equatable {
    /// Whether nothing does.
    public var isAbsence: Bool
    /// In the system's words.
    public var reason: String
  }

  public let kind: Kind
  /// In bytes.
  public let size: Int64
  /// What tells it from everything else, whatever it is called.
  public let identity: [UInt64]

  /// Looks at a path; the last name is followed if it is a link, unless said otherwise.
  public init(of path: String, followingLink: Bool = true) throws(Problem) {
    var facts = stat()
    guard (followingLink ? stat(path, &facts) : lstat(path, &facts)) == 0 else {
      throw Problem(
        isAbsence: errno == ENOENT || errno == ENOTDIR, reason: String(cString: strerror(errno)))
    }
    kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    size = Int64(facts.st_size)
    identity = [UInt64(facts.st_dev), UInt64(facts.st_ino)]
  }

  /// The path from the root to what a path leads to, without links; `nil` where it leads nowhere.
  public static func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Removes a name of a file; what can't be removed stays.
  public static func remove(_ path: String) { unlink(path) }
}

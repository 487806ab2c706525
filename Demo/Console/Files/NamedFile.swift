import SyncLock

/// Files that the values of options name.
public enum NamedFile {
  /// What came of those that give their bytes once, as a pipe does: of several mirrors each applies
  /// an option anew, and who reads nothing the second time takes it for a list of nothing.
  private static let once = Locked<[String: FileBytes]>([:])

  /// The bytes of a file, also of a pipe; `nil` where it can't be read, or has no end that is met
  /// within 64 MiB.
  public static func bytes(of path: String) -> [UInt8]? {
    let limit = 64 << 20
    return file(at: path, limit: limit).flatMap { $0.bytes.count > limit ? nil : $0.bytes }
  }

  /// A file, also a pipe, as far as one byte past a limit; `nil` where it can't be read.
  public static func file(at path: String, limit: Int) -> FileBytes? {
    if let known = once.withLock({ $0[path] }) { return known }
    guard let file = FileBytes(of: path, limit: limit + 1) else { return nil }
    if !file.isRegular { once.withLock { $0[path] = file } }
    return file
  }
}

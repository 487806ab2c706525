import SyncLock

/// Files that the values of options name.
package enum NamedFile {
  /// What came of those that give their bytes once, as a pipe does: of several mirrors each applies
  /// an option anew, and who reads nothing the second time takes it for a list of nothing.
  private static let once = Locked<[String: [UInt8]]>([:])

  /// The bytes of a file, also of a pipe; `nil` where it can't be read.
  package static func bytes(of path: String) -> [UInt8]? {
    if let known = once.withLock({ $0[path] }) { return known }
    guard let file = FileBytes(of: path) else { return nil }
    if !file.isRegular { once.withLock { $0[path] = file.bytes } }
    return file.bytes
  }
}

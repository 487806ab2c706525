import SyncSystem

/// What stands in a file, or comes out of a pipe, as far as it is asked for.
public struct FileBytes: Sendable {
  public let bytes: [UInt8]
  /// Whether it can be read again: a pipe can't.
  public let isRegular: Bool
  /// Whether it's a file that others than its owner may read.
  public let isOpenToOthers: Bool

  /// Reads to the end, or to the limit; `nil` where the file can't be read.
  public init?(of path: String, limit: Int = .max) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    self.init(ofOpen: file, limit: limit)
  }

  /// The same of what is open, from where it stands.
  public init?(ofOpen file: Int32, limit: Int = .max) {
    var facts = stat()
    guard fstat(file, &facts) == 0, let bytes = Self.read(file, limit) else { return nil }
    (self.bytes, isRegular) = (bytes, facts.st_mode & S_IFMT == S_IFREG)
    isOpenToOthers = isRegular && facts.st_mode & 0o044 != 0
  }

  private static func read(_ file: Int32, _ limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let room = min(limit - bytes.count, 64 << 10)
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        repeat {
          count = SyncSystem.read(file, buffer.baseAddress, room)
        } while count < 0 && errno == EINTR
        filled = max(count, 0)
      }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece
    }
    return bytes
  }
}

import SyncSystem

/// Writes files that others read at any time: they find the old one or the new one, whole.
package enum WholeFile {
  /// Why a file couldn't be written, in the system's words.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var path: String
    package var reason: String

    /// The rest of a sentence that says what wasn't written.
    package var description: String { "'\(path)' can't be written: \(reason)" }
  }

  /// Puts a file of these bytes in the place of the one that may be there. After a power cut either
  /// may be there: nobody waits for the disk.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // Beside it, since a file can't be moved to another file system; hidden, and of another ending,
    // so that who reads a directory of such files passes it over.
    let name = ".\(parts.last ?? "").\(getpid()).new"
    let aside = (parts.dropLast() + [name[...]]).joined(separator: "/")
    do throws(Failure) {
      try create(bytes, at: aside)
      guard rename(aside, path) == 0 else { throw Failure(path: path, reason: last) }
    } catch {
      unlink(aside)
      throw Failure(path: path, reason: error.reason)
    }
  }

  private static func create(_ bytes: [UInt8], at path: String) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(path: path, reason: last) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { SyncSystem.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(path: path, reason: last) }
      rest = rest.dropFirst(count)
    }
  }

  private static var last: String { String(cString: strerror(errno)) }
}

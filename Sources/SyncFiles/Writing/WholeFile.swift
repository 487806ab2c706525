import SyncSystem

/// Writes files that others read at any time: they find the old one or the new one, whole. Devices
/// and FIFOs are written into, and links followed (see ``FilePlace``).
package enum WholeFile {
  /// Why a file couldn't be written, in the system's words.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var path: String
    package var reason: String

    /// A reason to write nothing to a path.
    package init(path: String, reason: String) {
      (self.path, self.reason) = (path, reason)
    }

    /// The rest of a sentence that says what wasn't written.
    package var description: String { "'\(path)' can't be written: \(reason)" }
  }

  /// Puts a file of these bytes in the place of the one that may be there. After a power cut either
  /// may be there: nobody waits for the disk. The reader of a FIFO is waited for, but not long.
  package static func write(
    _ bytes: [UInt8], to path: String, until isHopeless: FilePlace.Patience = isHopeless
  ) throws(Failure) {
    do throws(Errno) {
      try FilePlace(userPath: path).write(bytes, isDurable: false, until: isHopeless)
    } catch {
      throw Failure(path: path, reason: error.text)
    }
  }

  /// Whether a FIFO's reader is waited for no longer: he hasn't read for ten seconds, or the task
  /// was cancelled meanwhile.
  package static func isHopeless(_ idle: Duration) -> Bool {
    Task.isCancelled || idle > .seconds(10)
  }
}

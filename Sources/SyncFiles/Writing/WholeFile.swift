import SyncSystem

/// Writes files that others read at any time: they find the old one or the new one, whole. Devices
/// and FIFOs are written into, and links followed (see ``FilePlace``).
package enum WholeFile {
  /// Puts a file of these bytes in the place of the one that may be there. After a power cut either
  /// may be there: nobody waits for the disk. The reader of a FIFO is waited for, but not long.
  package static func write(
    _ bytes: [UInt8], to path: String, until isHopeless: FilePlace.Patience = isHopeless
  ) throws(Errno) {
    try FilePlace(userPath: path).write(bytes, isDurable: false, until: isHopeless)
  }

  /// Whether a FIFO's reader is waited for no longer: he hasn't read for ten seconds, or the task
  /// was cancelled meanwhile.
  package static func isHopeless(_ idle: Duration) -> Bool {
    Task.isCancelled || idle > .seconds(10)
  }
}

import Foundation
import TestSupport

/// A file system in memory that is the place for temporary files as long as it is there: a flush of
/// a file system waits for all that anybody wrote to it, and a fault that a shim makes is the same on
/// every disk.
final class MemoryPlace {
  private let disk: TestDisk
  private let temporary: String?

  init() throws {
    let files = FileManager.default
    let place = files.temporaryDirectory.appending(path: "memory-\(UUID().uuidString)")
    try makeFolder(at: place)
    disk = try TestDisk(inMemoryAt: place, options: "size=1g")
    temporary = ProcessInfo.processInfo.environment["TMPDIR"]
    setenv("TMPDIR", place.path, 1)
  }

  /// Temporary files go where they went before.
  func end() throws {
    if let temporary { setenv("TMPDIR", temporary, 1) } else { unsetenv("TMPDIR") }
    try disk.end()
    try FileManager.default.removeItem(at: disk.place)
  }
}

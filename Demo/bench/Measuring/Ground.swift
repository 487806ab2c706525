import CSyncSystem
import Foundation

/// A file system made for one round: an ext4 image, mounted.
///
/// On a disk where much was just deleted the same work takes several times as long; so every round
/// gets a new one, and what the last one left to do on the disk is done before the clock starts.
struct Ground {
  /// How much a round may need.
  struct Room {
    var bytes: Int
    var files: Int
  }

  private let folder: URL
  private let image: URL

  /// A new, empty file system.
  static func make(_ room: Room, image: URL, at folder: URL) throws -> Ground {
    try? FileManager.default.removeItem(at: image)
    _ = FileManager.default.createFile(atPath: image.path, contents: nil)
    // The journal, the table of inodes and the blocks that are begun come on top.
    truncate(image.path, 160 << 20 + room.bytes * 5 / 4 + room.files * 5_120)
    // Nothing is left for the kernel to make ready later, while the clock runs.
    try Tools.run(
      "mkfs.ext4",
      [
        "-q", "-F", "-m", "0", "-N", "\(room.files + 2_000)",
        "-E", "lazy_itable_init=0,lazy_journal_init=0", image.path,
      ])
    return try Ground(image: image, at: folder)
  }

  /// A copy of a file system that was prepared.
  static func copy(of original: URL, image: URL, at folder: URL) throws -> Ground {
    try? FileManager.default.removeItem(at: image)
    try Tools.run("cp", ["--sparse=always", original.path, image.path])
    return try Ground(image: image, at: folder)
  }

  private init(image: URL, at folder: URL) throws {
    (self.image, self.folder) = (image, folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Tools.run("mount", ["-o", "loop", image.path, folder.path])
  }

  /// Reads every name and every file's metadata, so that all contenders find them in memory.
  func look() throws {
    try Tools.run("find", [folder.path, "-size", "+1000G"])
  }

  /// Brings to the disk whatever waits for it, here and beneath.
  func settle() throws {
    #if os(Linux)
      for place in [folder.path, image.path] {
        let descriptor = open(place, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard csync_syncfs(descriptor) == 0 else {
          throw BenchProblem(description: "\(place): syncfs failed, error \(errno)")
        }
      }
    #else
      sync()
    #endif
  }

  /// Lets `body` work in it, and unmounts it then; the image stays.
  func use<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let outcome = Result { try body(folder) }
    try Tools.run("umount", [folder.path])
    return try outcome.get()
  }
}

import CSyncSystem
import Foundation

/// A file system made for one round: an ext4 image, mounted.
///
/// On a disk where much was just deleted the same work takes several times as long; so every round
/// gets a new one, and what the last one left to do on the disk is done before the clock starts.
/// The image is used past the system's cache, as a disk is: what is flushed is copied once, not
/// twice.
struct Ground {
  /// How much a round may need.
  struct Room {
    var bytes: Int
    var files: Int

    /// The size of the image. ext4 begins to write at once what it would write later when less than
    /// twice as much is free as waits; the journal, the table of inodes and the blocks that are
    /// begun come on top.
    fileprivate var size: Int { 160 << 20 + bytes * 3 + files * 5_120 }
  }

  private let folder: URL

  /// A new, empty file system.
  static func make(_ room: Room, image: URL, at folder: URL) throws -> Ground {
    try allot(room.size, to: image)
    // Nothing is left for the kernel to make ready later, while the clock runs.
    try Tools.run(
      "mkfs.ext4",
      [
        "-q", "-F", "-m", "0", "-N", "\(room.files + 2_000)",
        "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", image.path,
      ])
    return try Ground(image: image, at: folder)
  }

  /// A copy of a file system that was prepared.
  static func copy(of original: URL, image: URL, at folder: URL) throws -> Ground {
    try? FileManager.default.removeItem(at: image)
    try Tools.run("cp", ["--sparse=always", original.path, image.path])
    try Tools.run("sync", [image.path])
    return try Ground(image: image, at: folder)
  }

  /// An image that was used before is used again: after the warm-up, what is written has its place
  /// on the disk.
  private static func allot(_ size: Int, to image: URL) throws {
    let file = open(image.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else {
      throw BenchProblem(description: "\(image.path) can't be made, error \(errno)")
    }
    guard Int(status.st_size) != size else { return }
    guard ftruncate(file, 0) == 0, ftruncate(file, off_t(size)) == 0 else {
      throw BenchProblem(
        description: "\(image.path) can't be given \(Units.bytes(Double(size))), error \(errno)")
    }
  }

  private init(image: URL, at folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let device = try Tools.run(
      "losetup", ["--find", "--show", "--direct-io=on", image.path]
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    // Let go of at once, it stays for as long as it is mounted.
    defer { _ = try? Tools.run("losetup", ["--detach", device]) }
    try Tools.run("mount", [device, folder.path])
  }

  /// Reads every name and every file's metadata, so that all contenders find them in memory.
  func look() throws {
    try Tools.run("find", [folder.path, "-size", "+1000G"])
  }

  /// Reads all that its files hold, so that all contenders find it in memory.
  func read() throws {
    try Tools.run("sh", ["-c", #"find "$0" -type f -exec cat {} + >/dev/null"#, folder.path])
  }

  /// Brings to the disk whatever waits for it.
  func settle() throws {
    #if os(Linux)
      let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      guard csync_syncfs(descriptor) == 0 else {
        throw BenchProblem(description: "\(folder.path): syncfs failed, error \(errno)")
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

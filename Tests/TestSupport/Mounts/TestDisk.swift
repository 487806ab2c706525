package import Foundation

/// A file system that is mounted for the time of a test: in memory, or in an image of its own.
package final class TestDisk {
  /// What it is.
  package enum Kind: Equatable, Sendable {
    case memory
    case ext4
    case xfs
  }

  /// Where it is mounted.
  package let place: URL
  private let kind: Kind
  private let image: URL?
  private var isMounted = false

  /// Mounts a file system in memory at an existing folder.
  ///
  /// - Parameter options: As mount(8) takes them, for example `size=64k`.
  package init(inMemoryAt place: URL, options: String? = nil) throws {
    (self.place, kind, image) = (place, .memory, nil)
    try Self.run(
      "mount", ["-t", "tmpfs"] + (options.map { ["-o", $0] } ?? []) + ["tmpfs", place.path])
    isMounted = true
  }

  /// Makes a fresh image and mounts it at an existing folder.
  ///
  /// - Parameters:
  ///   - image: The file for it; what was there is gone.
  ///   - bytes: Its size, of which only what is written takes room. XFS wants 300 MiB.
  ///   - settings: For the program that makes the file system, for example `-N 64`.
  package init(
    _ kind: Kind, in image: URL, bytes: Int, settings: [String] = [], at place: URL
  ) throws {
    (self.place, self.kind, self.image) = (place, kind, image)
    try? FileManager.default.removeItem(at: image)
    try Data().write(to: image)
    let file = try FileHandle(forWritingTo: image)
    try file.truncate(atOffset: UInt64(bytes))
    try file.close()
    switch kind {
    case .memory: throw Refused(program: "mkfs", said: "a file system in memory has no image")
    case .ext4: try Self.run("mkfs.ext4", ["-q", "-F", "-m", "0"] + settings + [image.path])
    case .xfs: try Self.run("mkfs.xfs", ["-q", "-f"] + settings + [image.path])
    }
    try mount()
  }

  deinit { try? end() }

  /// Cuts the power: whatever the file system hasn't written it forgets, its journal included, and
  /// every call on it fails from now on (FS_IOC_SHUTDOWN, with the log not flushed).
  package func cutPower() throws {
    let folder = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(folder) }
    var withoutLog: UInt32 = 2
    let shutDown: UInt = 0x8004_587D
    guard ioctl(folder, shutDown, &withoutLog) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// What a machine does after a power cut: unmounts, mounts again, replays the journal.
  package func restart() throws {
    try end()
    try mount()
  }

  /// Mounts it again with other options.
  package func remount(_ options: String) throws {
    try Self.run("mount", ["-o", "remount," + options, place.path])
  }

  /// Unmounts it and lets its loop device go.
  package func end() throws {
    guard isMounted else { return }
    isMounted = false
    // A file system in memory has nothing to lose by those who still stand in it.
    try Self.run("umount", (kind == .memory ? ["-l"] : []) + [place.path])
  }

  private func mount() throws {
    guard let image else { return }
    try Self.run("mount", ["-o", "loop", image.path, place.path])
    isMounted = true
  }

  /// A program of the system refused.
  package struct Refused: Error {
    package var program: String
    package var said: String
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: try Programs.find(program))
    process.arguments = arguments
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Refused(program: program, said: String(decoding: said, as: UTF8.self))
    }
  }
}

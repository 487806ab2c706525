import Foundation
import TestSupport

/// A disk that holds "A" and "a" for one name, as an exFAT stick or a Mac's does: exFAT in a file,
/// mounted through FUSE.
final class FoldingDisk {
  let place: URL
  private let device: String
  private let records: URL

  /// Makes and mounts one at `place`, an empty folder; its image goes beside it.
  init(at place: URL, records: URL) throws {
    self.place = place
    self.records = records
    let image = place.appendingPathExtension("image")
    try Data().write(to: image)
    try FileHandle(forWritingTo: image).truncate(atOffset: 16 << 20)
    try Self.run("mkfs.exfat", [image.path], records)
    let printed = try Self.run("losetup", ["--find", "--show", image.path], records)
    device = printed.trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      try Self.run("bash", ["-c", Self.mount, "mount", device, place.path], records)
    } catch {
      try Self.run("losetup", ["--detach", device], records)
      throw error
    }
  }

  // What serves the disk stays behind, and must not keep the descriptors by which Foundation sees
  // that a program has ended.
  private static let mount = """
    for place in /proc/$$/fd/*; do
      number=${place##*/}
      [ "$number" -le 2 ] || eval "exec $number>&-"
    done
    exec mount.exfat-fuse "$1" "$2" >/dev/null 2>&1
    """

  /// Unmounts it.
  func close() throws {
    defer { _ = try? Self.run("losetup", ["--detach", device], records) }
    try Self.run("umount", [place.path], records)
  }

  /// A program that is needed failed.
  struct NotWorking: Error {
    var program: String
    var said: String
  }

  @discardableResult
  private static func run(
    _ name: String, _ arguments: [String], _ records: URL
  ) throws -> String {
    let child = try ChildProcess(
      try Programs.find(name), arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      directory: records, records: records)
    guard try child.end(within: .seconds(60)) == .exited(0) else {
      throw NotWorking(program: name, said: child.said + child.printed)
    }
    return child.printed
  }
}

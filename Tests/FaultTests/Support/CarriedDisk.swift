import Foundation
import TestSupport

/// A disk as people carry them around, mounted for the time of a test through FUSE: it takes fewer
/// names than others, or holds several for one.
final class CarriedDisk {
  /// What it is.
  enum Kind: CustomStringConvertible {
    /// In an image of its own. "A" and "a" are one name.
    case exFAT
    /// In an image of its own, with the names that Windows takes.
    case ntfs
    /// As `Tests/Preload/OddDisk.c` serves it by its rules; with what it is like.
    case odd([String], like: String = "some")

    /// As Linux has it, where it has it.
    static let vfat = odd(
      ["case", "dots", "short", "plain", "seconds", "rights"], like: "FAT")
    /// As others than Linux' own driver may serve it, through FUSE.
    static let renumberedFAT = odd(
      ["case", "dots", "short", "renumber"], like: "FAT, each name with a number of its own")
    /// As Linux has it, where it has it.
    static let eCryptfs = odd(["names143", "rename"], like: "eCryptfs")
    /// As a Mac has it.
    static let hfsPlus = odd(["case", "forms"], like: "HFS+")

    var description: String {
      switch self {
      case .exFAT: "exFAT"
      case .ntfs: "NTFS with Windows' names"
      case .odd(_, let like): "a disk with the rules of \(like)"
      }
    }
  }

  let place: URL
  private let kind: Kind
  private let records: URL
  /// What is stored: an image, or a folder.
  private let store: URL
  private var device: String?
  private var isMounted = false

  /// Makes and mounts one at `place`, an empty folder; what is stored goes beside it.
  init(_ kind: Kind, at place: URL, records: URL) throws {
    (self.kind, self.place, self.records) = (kind, place, records)
    store = place.appendingPathExtension("store")
    do {
      switch kind {
      case .exFAT:
        try makeImage()
        try run("mkfs.exfat", store.path)
        try mount("mount.exfat-fuse", try attach(), place.path)
      case .ntfs:
        try makeImage()
        try run("mkntfs", "--fast", "--force", "--quiet", store.path)
        try mount("ntfs-3g", "-o", "windows_names", store.path, place.path)
      case .odd(let rules, _):
        try makeFolder(at: store)
        let server = try compile()
        try mount(server, store.path, place.path, rules.joined(separator: ","))
      }
      isMounted = true
    } catch {
      try detach()
      throw error
    }
  }

  /// Unmounts it, where it is mounted.
  func close() throws {
    guard isMounted else { return }
    isMounted = false
    defer { try? detach() }
    try run("umount", place.path)
  }

  private func makeImage() throws {
    try Data().write(to: store)
    try FileHandle(forWritingTo: store).truncate(atOffset: 32 << 20)
  }

  private func attach() throws -> String {
    let printed = try run("losetup", "--find", "--show", store.path)
    let device = printed.trimmingCharacters(in: .whitespacesAndNewlines)
    self.device = device
    return device
  }

  private func detach() throws {
    guard let device else { return }
    self.device = nil
    try run("losetup", "--detach", device)
  }

  private func compile() throws -> String {
    let source = Programs.package.appending(path: "Tests/Preload/OddDisk.c").path
    let program = records.appending(path: "OddDisk").path
    guard !FileManager.default.isExecutableFile(atPath: program) else { return program }
    try run(
      "sh", "-c",
      "$(command -v cc || command -v clang) -Wall -Wextra -Werror -O1 "
        + "$(pkg-config --cflags fuse3) \"$0\" -o \"$1\" $(pkg-config --libs fuse3)",
      source, program)
    return program
  }

  // What serves the disk stays behind, and must not keep the descriptors by which Foundation sees
  // that a program has ended.
  private func mount(_ program: String, _ arguments: String...) throws {
    let script = """
      for place in /proc/$$/fd/*; do
        number=${place##*/}
        [ "$number" -le 2 ] || eval "exec $number>&-"
      done
      exec "$0" "$@" >/dev/null 2>&1
      """
    _ = try run("bash", ["-c", script, program] + arguments)
  }

  /// A program that is needed failed.
  struct NotWorking: Error {
    var program: String
    var said: String
  }

  @discardableResult
  private func run(_ name: String, _ arguments: String...) throws -> String {
    try run(name, arguments)
  }

  private func run(_ name: String, _ arguments: [String]) throws -> String {
    let child = try ChildProcess(
      try Programs.find(name), arguments,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: records,
      records: records)
    guard try child.end(within: .seconds(60)) == .exited(0) else {
      throw NotWorking(program: name, said: child.said + child.printed)
    }
    return child.printed
  }
}

extension FaultTestCase {
  /// Makes a folder and mounts a disk there, until it is closed or the test is over.
  @discardableResult
  func mount(_ kind: CarriedDisk.Kind, at place: URL) throws -> CarriedDisk {
    try makeFolder(at: place)
    let disk = try CarriedDisk(kind, at: place, records: base.appending(path: "records"))
    atEnd { try disk.close() }
    return disk
  }
}

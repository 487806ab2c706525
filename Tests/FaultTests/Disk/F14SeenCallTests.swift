import Foundation
import TestSupport
import XCTest

/// F14 and F12 rest on the preloaded library seeing every call that changes the folder: what
/// strace sees of the same run must be the same.
final class F14SeenCallTests: DiskTestCase {
  func testF14_everyCallThatChangesTheFolderIsSeen() throws {
    for state in [ReferenceWorld.State.first, .second] {
      try prepare(for: state)
      let log = base.appending(path: "strace")
      let environment = try disk.environment(nil, in: copy)
      let child = try start(
        ["-f", "-qq", "-y", "-s", "4096", "-e", "trace=all", "-o", log.path]
          + environment.flatMap { ["-E", "\($0.key)=\($0.value)"] }
          + [Programs.mirror, "sync", try catalog, copy.path] + options,
        program: try Programs.find("strace"))
      XCTAssertEqual(try child.end(within: .seconds(120)), .exited(0), child.said)
      let ours = Dictionary(grouping: try disk.calls(in: copy), by: \.kind).mapValues(\.count)
      let theirs = try SystemCallLog(log, below: copy.path)
      XCTAssertEqual(theirs.unknown, [], "calls that nobody has thought of")
      XCTAssertEqual(theirs.counts, ours, "on the way to \(state)")
      XCTAssertGreaterThan(ours.values.reduce(0, +), 100)
    }
  }
}

/// What strace wrote of a program's calls that concern one folder.
private struct SystemCallLog {
  /// How many calls changed something, by kind.
  private(set) var counts: [FaultyDisk.Kind: Int] = [:]
  /// Calls that are neither known to change nothing nor of a known kind.
  private(set) var unknown: Set<String> = []

  private static let kinds: [String: FaultyDisk.Kind] = [
    "write": .write, "pwrite64": .write, "writev": .write, "pwritev": .write, "pwritev2": .write,
    "ftruncate": .truncate, "truncate": .truncate, "fsync": .fsync, "fdatasync": .fdatasync,
    "syncfs": .syncfs, "utimensat": .times, "fchmod": .mode, "fchown": .mode, "chmod": .mode,
    "fallocate": .allocate, "mkdir": .mkdir, "mkdirat": .mkdir, "unlink": .unlink,
    "unlinkat": .unlink, "rmdir": .unlink, "rename": .rename, "renameat": .rename,
    "renameat2": .rename, "link": .link, "linkat": .link, "symlink": .link, "symlinkat": .link,
  ]

  // `sync_file_range` is a hint that changes nothing, and `readlink` is our own library's.
  private static let harmless: Set<String> = [
    "read", "pread64", "lseek", "close", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs",
    "fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "fcntl",
    "flock", "fadvise64", "sync_file_range", "getcwd", "execve",
  ]

  init(_ log: URL, below folder: String) throws {
    // A call that was interrupted by another thread's stands in two lines; the first has its
    // arguments. SQLite is given names in a directory that is held open.
    let marks = ["<\(folder)", "\"\(folder)", "\"/proc/self/fd/"]
    for line in try readText(log).split(separator: "\n")
    where marks.contains(where: line.contains) {
      let call = line.drop { $0.isNumber || $0 == " " }
      guard let name = call.split(separator: "(").first.map(String.init),
        !call.hasPrefix("<..."), !call.hasPrefix("+++"), !call.hasPrefix("---")
      else { continue }
      note(name, call, folder)
    }
  }

  private mutating func note(_ name: String, _ call: Substring, _ folder: String) {
    switch name {
    case "open", "openat", "openat2", "creat":
      let changes = call.contains("O_CREAT") || call.contains("O_TRUNC") || name == "creat"
      if changes { counts[.create, default: 0] += 1 }
    case "ioctl" where call.contains("FICLONE"): counts[.clone, default: 0] += 1
    case "mmap":
      if call.contains("MAP_SHARED"), call.contains("PROT_WRITE") { unknown.insert("mmap") }
    default:
      if let kind = Self.kinds[name] {
        counts[kind, default: 0] += 1
      } else if !Self.harmless.contains(name) {
        unknown.insert(name)
      }
    }
  }
}

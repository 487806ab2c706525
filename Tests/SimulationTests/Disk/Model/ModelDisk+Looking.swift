import CatalogMirror
import SyncLock
@testable import SyncFiles

/// Looking at the disk and changing it from outside of any process: no calls, no faults.
extension ModelDisk {
  /// What stands under a path.
  enum Thing: Hashable, Sendable {
    case file([UInt8])
    case directory
    case link([UInt8])

    static func text(_ text: String) -> Thing { .file(Array(text.utf8)) }
  }

  /// Everything below a directory as processes see it, by paths relative to it.
  func tree(below path: String = "/") -> [String: Thing] {
    state.withLock { state in
      var found: [String: Thing] = [:]
      guard let names = try? ModelFileSystem.split(path).names,
        let top = try? state.walk(names, from: state.root)
      else { return found }
      Self.collect(top, "", into: &found)
      return found
    }
  }

  private static func collect(_ inode: Inode, _ path: String, into found: inout [String: Thing]) {
    for (name, entry) in inode.names {
      let child = path + String(decoding: name, as: UTF8.self)
      switch entry.inode.kind {
      case .file: found[child] = .file(entry.inode.bytes.visible)
      case .symbolicLink: found[child] = .link(entry.inode.target)
      case .directory, .special:
        found[child] = .directory
        collect(entry.inode, child + "/", into: &found)
      }
    }
  }

  /// Puts a thing at a path, with the directories above it, in place of what may stand there.
  /// Not durable before it is settled.
  func put(_ thing: Thing, at path: String) throws {
    let now = now()
    try state.withLock { state in
      let (names, path) = try ModelFileSystem.split(path)
      guard let last = names.last else { return }
      var directory = state.root
      for name in names.dropLast() {
        let there = directory.names[name]?.inode
        directory =
          if let there { there } else {
            try state.add(.directory, name, in: directory, mode: 0o755, now: now)
          }
      }
      try? state.unlink(last, in: directory, now: now)
      switch thing {
      case .directory:
        _ = try state.add(.directory, last, in: directory, mode: 0o755, now: now)
      case .link(let target):
        _ = try state.add(.symbolicLink, last, in: directory, mode: 0o777, now: now, target: target)
      case .file(let bytes):
        let made = try state.open(
          last, in: directory, path: path, [.writing, .creating], 0o644, now)
        defer { state.close(made) }
        try bytes.withUnsafeBytes { buffer in
          _ = try state.write(buffer, to: made, at: 0, now)
        }
      }
    }
  }

  /// Flips a bit of a file's, as a disk does that forgets: nothing else of the file changes.
  func flipBit(_ bit: Int, of path: String) throws {
    try state.withLock { state in
      let names = try ModelFileSystem.split(path).names
      guard let last = names.last else { return }
      let inode = try state.find(last, in: try state.walk(names.dropLast(), from: state.root))
      let flipped = inode.bytes.visible[bit / 8] ^ (1 << UInt8(bit % 8))
      withUnsafeBytes(of: flipped) { inode.bytes.write($0, at: bit / 8) }
      inode.bytes.flush()
    }
  }

  /// Removes a file or link, or a directory with all that is in it.
  func remove(_ path: String) throws {
    let now = now()
    try state.withLock { state in
      let names = try ModelFileSystem.split(path).names
      guard let last = names.last else { return }
      try Self.remove(
        last, in: try state.walk(names.dropLast(), from: state.root), &state, now)
    }
  }

  private static func remove(
    _ name: [UInt8], in directory: Inode, _ state: inout DiskState, _ now: Int64
  ) throws {
    let inode = try state.find(name, in: directory)
    guard inode.kind == .directory else {
      return try state.unlink(name, in: directory, now: now)
    }
    for child in inode.names.keys { try remove(child, in: inode, &state, now) }
    try state.removeDirectory(name, in: directory, now: now)
  }
}

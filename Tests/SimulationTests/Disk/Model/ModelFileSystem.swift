import CatalogMirror
@testable import SyncFiles

/// A ``ModelDisk`` as one process sees it.
struct ModelFileSystem: FileSystem {
  let disk: ModelDisk
  let generation: Int

  func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Int32 {
    try open(userPath: path, flags, mode: 0)
  }

  /// As ``open(userPath:_:)``, and makes a file with the flags for it.
  func open(userPath path: String, _ flags: OpenFlags, mode: UInt32) throws(Errno) -> Int32 {
    _ = try disk.begin(flags.callKind, generation, on: nil, Array(path.utf8.dropFirst()))
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      let (names, path) = try Self.split(path)
      let directory = try state.walk(names.dropLast(), from: state.root)
      return try state.open(
        names.last ?? Array(".".utf8), in: directory, path: path, flags, mode, now)
    }
  }

  func makeDirectory(userPath path: String) throws(Errno) {
    _ = try disk.begin(.makeDirectory, generation, on: nil, Array(path.utf8.dropFirst()))
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      let (names, _) = try Self.split(path)
      guard let last = names.last else { throw .exists }
      let directory = try state.walk(names.dropLast(), from: state.root)
      _ = try state.add(.directory, last, in: directory, mode: 0o755, now: now)
    }
  }

  func checkMayWrite(userPath path: String) throws(Errno) {
    _ = try disk.begin(.access, generation, on: nil, Array(path.utf8.dropFirst()))
    try disk.perform(generation) { state throws(Errno) in
      _ = try state.walk(try Self.split(path).names[...], from: state.root)
    }
  }

  func open(
    _ name: [UInt8], in directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    _ = try disk.begin(flags.callKind, generation, on: directory, name)
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      let place = try state.directory(directory)
      let path = state.path(directory) + "/" + String(decoding: name, as: UTF8.self)
      return try state.open(name, in: place, path: path, flags, mode, now)
    }
  }

  func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    _ = try disk.begin(flags.callKind, generation, on: directory, path)
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      guard path.count < 4_096 else { throw .nameTooLong }
      let names = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
      guard let last = names.last else { throw .absent }
      let place = try state.walk(names.dropLast(), from: try state.directory(directory))
      let full = state.path(directory) + "/" + String(decoding: path, as: UTF8.self)
      return try state.open(last, in: place, path: full, flags, mode, now)
    }
  }

  func close(_ descriptor: Int32) {
    try? disk.perform(generation) { $0.close(descriptor) }
  }

  func makeDirectory(_ name: [UInt8], in directory: Int32, mode: UInt32) throws(Errno) {
    _ = try disk.begin(.makeDirectory, generation, on: directory, name)
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      _ = try state.add(
        .directory, name, in: try state.directory(directory), mode: mode, now: now)
    }
  }

  func unlink(_ name: [UInt8], in directory: Int32) throws(Errno) {
    _ = try disk.begin(.unlink, generation, on: directory, name)
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      try state.unlink(name, in: try state.directory(directory), now: now)
    }
  }

  func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno) {
    _ = try disk.begin(.removeDirectory, generation, on: directory, name)
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      try state.removeDirectory(name, in: try state.directory(directory), now: now)
    }
  }

  func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    _ = try disk.begin(.rename, generation, on: target, newName)
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      try state.rename(
        name, in: try state.directory(directory), to: newName, in: try state.directory(target),
        rule, now: now)
    }
  }

  /// The names of an absolute path, and the path without what means nothing.
  static func split(_ path: String) throws(Errno) -> (names: [[UInt8]], path: String) {
    guard path.hasPrefix("/") else { throw .absent }
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
    return (names, names.map { "/" + String(decoding: $0, as: UTF8.self) }.joined())
  }
}

extension OpenFlags {
  fileprivate var callKind: DiskCall.Kind { contains(.creating) ? .create : .open }
}

extension DiskState {
  /// The directory that the names lead to, through no link.
  func walk(_ names: some Sequence<[UInt8]>, from start: Inode) throws(Errno) -> Inode {
    var here = start
    for name in names {
      here = try find(name, in: here)
      switch here.kind {
      case .directory: continue
      case .symbolicLink: throw .link
      case .file, .special: throw .notADirectory
      }
    }
    return here
  }

  mutating func open(
    _ name: [UInt8], in directory: Inode, path: String, _ flags: OpenFlags, _ mode: UInt32,
    _ now: Int64
  ) throws(Errno) -> Int32 {
    let isWritable = flags.contains(.writing)
    guard !name.isEmpty else { throw .absent }
    guard let inode = try lookUp(name, in: directory) else {
      guard flags.contains(.creating) else { throw .absent }
      let made = try add(.file, name, in: directory, mode: mode, now: now)
      return opened(made, path: path, isWritable: isWritable)
    }
    if flags.contains([.creating, .exclusively]) { throw .exists }
    switch inode.kind {
    case .directory: if isWritable || flags.contains(.creating) { throw .isADirectory }
    case .symbolicLink: throw flags.contains(.directory) ? .notADirectory : .link
    case .file, .special: if flags.contains(.directory) { throw .notADirectory }
    }
    return opened(inode, path: path, isWritable: isWritable)
  }
}

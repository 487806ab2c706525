import CatalogMirror
@testable import SyncFiles

extension ModelFileSystem {
  func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    _ = try disk.begin(.read, generation, on: descriptor)
    return try disk.perform(generation) { state throws(Errno) in
      let file = try state.file(descriptor)
      let count = try state.read(descriptor, at: file.place, into: buffer)
      file.place += count
      return count
    }
  }

  func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    _ = try disk.begin(.read, generation, on: descriptor)
    return try disk.perform(generation) { state throws(Errno) in
      try state.read(descriptor, at: Int(offset), into: buffer)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int {
    let limit = try disk.begin(.write, generation, on: descriptor)
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      let file = try state.file(descriptor)
      let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, limit)))
      let count = try state.write(piece, to: descriptor, at: file.place, now)
      file.place += count
      return count
    }
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    let limit = try disk.begin(.write, generation, on: descriptor)
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, limit)))
      return try state.write(piece, to: descriptor, at: Int(offset), now)
    }
  }

  func rewind(_ descriptor: Int32) throws(Errno) {
    _ = try disk.begin(.rewind, generation, on: descriptor)
    try disk.perform(generation) { state throws(Errno) in
      try state.file(descriptor).place = 0
    }
  }

  func truncate(_ descriptor: Int32, to length: Int64) throws(Errno) {
    _ = try disk.begin(.truncate, generation, on: descriptor)
    let now = disk.now()
    try disk.perform(generation) { state throws(Errno) in
      let file = try state.file(descriptor)
      guard file.isWritable, file.inode.kind == .file, length >= 0 else { throw .invalid }
      let blocks = FileBytes.blocks(Int(length))
      try state.take(blocks: blocks - file.inode.bytes.blocks)
      file.inode.bytes.resize(to: Int(length))
      file.inode.modified = now
    }
  }

  func setModified(_ descriptor: Int32, nanoseconds: Int64) throws(Errno) {
    _ = try disk.begin(.setModified, generation, on: descriptor)
    try disk.perform(generation) { state throws(Errno) in
      try state.inode(descriptor).modified = nanoseconds
    }
  }

  func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
    _ = try disk.begin(.status, generation, on: descriptor)
    return try disk.perform(generation) { state throws(Errno) in
      try state.inode(descriptor).status
    }
  }

  func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus {
    _ = try disk.begin(.status, generation, on: directory, name)
    return try disk.perform(generation) { state throws(Errno) in
      try state.find(name, in: try state.directory(directory)).status
    }
  }

  func entries(of directory: Int32) throws(Errno) -> [DirectoryEntry] {
    _ = try disk.begin(.entries, generation, on: directory)
    return try disk.perform(generation) { state throws(Errno) in
      let inode = try state.directory(directory)
      let file = try state.file(directory)
      defer { file.place = .max }
      guard file.place == 0 else { return [] }
      return inode.names.sorted { $0.value.order < $1.value.order }.map {
        DirectoryEntry(name: $0.key, kind: $0.value.inode.kind)
      }
    }
  }

  func space(_ descriptor: Int32) throws(Errno) -> DiskSpace {
    _ = try disk.begin(.space, generation, on: descriptor)
    return try disk.perform(generation) { state throws(Errno) in
      _ = try state.inode(descriptor)
      return DiskSpace(
        free: state.freeBlocks * Int64(FileBytes.block), total: state.capacity)
    }
  }

  func lock(_ descriptor: Int32, shared: Bool) throws(Errno) {
    _ = try disk.begin(.lock, generation, on: descriptor)
    try disk.perform(generation) { state throws(Errno) in
      let inode = try state.inode(descriptor)
      guard inode.lock(shared ? .shared : .exclusive, for: descriptor) else { throw .wouldBlock }
    }
  }

  func flush(_ descriptor: Int32) throws(Errno) {
    do {
      _ = try disk.begin(.flush, generation, on: descriptor)
    } catch {
      try disk.perform(generation) { state throws(Errno) in
        state.drop(try state.inode(descriptor))
      }
      throw error
    }
    try disk.perform(generation) { state throws(Errno) in
      state.flush(try state.inode(descriptor))
    }
  }

  func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    do {
      _ = try disk.begin(.flushFileSystem, generation, on: descriptor)
    } catch {
      try disk.perform(generation) { $0.drop(nil) }
      throw error
    }
    try disk.perform(generation) { $0.flushEverything() }
  }

  func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64) {
    _ = try? disk.begin(.startWriteBack, generation, on: descriptor)
  }
}

extension DiskState {
  func read(
    _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    let inode = try inode(descriptor)
    guard inode.kind == .file else { throw .isADirectory }
    let count = max(0, min(buffer.count, inode.bytes.count - offset))
    guard count > 0 else { return 0 }
    inode.bytes.visible.withUnsafeBytes { bytes in
      buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }
    return count
  }

  mutating func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int, _ now: Int64
  ) throws(Errno) -> Int {
    let file = try file(descriptor)
    guard file.isWritable, file.inode.kind == .file else { throw .badDescriptor }
    guard !bytes.isEmpty else { return 0 }
    let inode = file.inode
    let room = (Int(clamping: freeBlocks) + inode.bytes.blocks).multipliedReportingOverflow(
      by: FileBytes.block)
    let count = room.overflow ? bytes.count : min(bytes.count, room.partialValue - offset)
    guard count > 0 else { throw .noSpace }
    let end = max(inode.bytes.count, offset + count)
    try take(blocks: FileBytes.blocks(end) - inode.bytes.blocks)
    inode.bytes.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
    inode.modified = now
    return count
  }
}

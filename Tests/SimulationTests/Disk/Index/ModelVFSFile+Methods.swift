import CSyncSQLite

extension ModelVFSFile {
  /// The calls of SQLite's on an open file.
  nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
    // Unsafe: written here only, and read by SQLite ever after.
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: table)
    return UnsafePointer(methods)
  }()

  private static var table: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { file in
      guard let open = ModelVFSFile.taken(file) else { return SQLITE_OK }
      open.close()
      return SQLITE_OK
    }
    methods.xRead = { file, buffer, count, offset in
      ModelVFSFile.of(file).read(
        UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: Int(offset))
    }
    methods.xWrite = { file, bytes, count, offset in
      ModelVFSFile.of(file).write(
        UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: Int(offset))
    }
    methods.xTruncate = { file, length in ModelVFSFile.of(file).truncate(to: length) }
    methods.xSync = { file, _ in ModelVFSFile.of(file).flush() }
    methods.xFileSize = { file, size in ModelVFSFile.of(file).size(size) }
    methods.xLock = { file, level in ModelVFSFile.of(file).lock(level) }
    methods.xUnlock = { file, level in ModelVFSFile.of(file).unlock(level) }
    methods.xCheckReservedLock = { file, result in ModelVFSFile.of(file).isReserved(result) }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in Int32(FileBytes.block) }
    // What SQLite's own says of a file on Linux.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = { file, number, size, extend, result in
      ModelVFSFile.of(file).region(
        number, size: size, extend: extend != 0,
        UnsafeMutableRawPointer(result)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
    }
    methods.xShmLock = { file, offset, count, flags in
      ModelVFSFile.of(file).lockRegion(offset, count, flags)
    }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, _ in ModelVFSFile.of(file).unmapRegions() }
    return methods
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> ModelVFSFile {
    guard let open = handle(file)?.pointee.file else {
      preconditionFailure("SQLite uses no file that isn't open")
    }
    return open.takeUnretainedValue()
  }

  private static func taken(_ file: UnsafeMutablePointer<sqlite3_file>?) -> ModelVFSFile? {
    guard let handle = handle(file) else { return nil }
    defer { handle.pointee.file = nil }
    return handle.pointee.file?.takeRetainedValue()
  }

  private static func handle(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<ModelVFSHandle>? {
    file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: ModelVFSHandle.self) }
  }
}

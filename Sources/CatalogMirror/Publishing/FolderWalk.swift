#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Walks a folder through descriptors, so that no symbolic link leads out of it, and hashes what
/// it finds.
struct FolderWalk: ~Copyable {
  private let folder: String
  private let catalog: String
  private let root: WalkDescriptor
  private(set) var files: [PublishedFile] = []
  private(set) var skipped: [PublishReport.Skipped] = []

  /// Opens the folder.
  init(folder: String, catalog: String) throws(PublishError) {
    self.folder = folder
    self.catalog = catalog
    root = try WalkDescriptor(
      open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open", CatalogKey(folder).description)
  }

  /// Walks and hashes everything.
  mutating func run() throws(PublishError) {
    let directory = try WalkDescriptor(
      openat(root.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open", ".")
    try walk(directory, prefix: [])
  }

  /// Replaces the catalog, unless it has these bytes already; whether it did.
  func replaceCatalog(with bytes: [UInt8]) throws(PublishError) -> Bool {
    if try existingCatalog(as: bytes) { return false }
    let temporary = CatalogFileName(catalog).temporary
    unlinkat(root.number, temporary, 0)
    do throws(PublishError) {
      let file = try WalkDescriptor(
        openat(root.number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644),
        "create", temporary)
      try file.writeAll(bytes, name: temporary)
      guard fsync(file.number) == 0 else { throw .last("flush", temporary) }
      guard renameat(root.number, temporary, root.number, catalog) == 0 else {
        throw .last("rename", temporary)
      }
    } catch {
      unlinkat(root.number, temporary, 0)
      throw error
    }
    guard fsync(root.number) == 0 else { throw .last("flush", CatalogKey(folder).description) }
    return true
  }

  private func existingCatalog(as bytes: [UInt8]) throws(PublishError) -> Bool {
    let number = openat(root.number, catalog, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return false }
    let file = try WalkDescriptor(number, "open", catalog)
    guard let status = file.status, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == bytes.count
    else { return false }
    var old: [UInt8] = []
    try file.readAll(name: catalog) { old += $0 }
    return old == bytes
  }

  private mutating func walk(
    _ directory: borrowing WalkDescriptor, prefix: [UInt8]
  ) throws(PublishError) {
    for name in try directory.names(shown: CatalogKey.escape(prefix)).sorted(by: {
      $0.lexicographicallyPrecedes($1)
    }) {
      if prefix.isEmpty, CatalogFileName(catalog).isOwn(name) { continue }
      try visit(name, in: directory, key: CatalogKey(bytes: prefix + name))
    }
  }

  private mutating func visit(
    _ name: [UInt8], in directory: borrowing WalkDescriptor, key: CatalogKey
  ) throws(PublishError) {
    var status = stat()
    let found = name.asCString { fstatat(directory.number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard found == 0 else {
      if errno == ENOENT { return }
      throw .last("look at", key.description)
    }
    let path: RelativePath
    do throws(KeyProblem) {
      path = try RelativePath(key)
    } catch {
      return skip(key, .key(error))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let number = name.asCString {
        openat(directory.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
      let inner = try WalkDescriptor(number, "open", key.description)
      try walk(inner, prefix: key.bytes + [UInt8(ascii: "/")])
    case S_IFREG:
      let number = name.asCString {
        openat(directory.number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      let file = try WalkDescriptor(number, "open", key.description)
      files.append(try hash(file, path: path))
    default:
      skip(key, .notAFile)
    }
  }

  private mutating func skip(_ key: CatalogKey, _ reason: PublishReport.Skipped.Reason) {
    skipped.append(.init(name: key.description, reason: reason))
  }

  /// Hashes a file, and once more from the start if it changed meanwhile.
  private func hash(
    _ file: borrowing WalkDescriptor, path: RelativePath
  ) throws(PublishError) -> PublishedFile {
    for _ in 0..<2 {
      guard let before = file.status else { throw .last("look at", path.description) }
      guard lseek(file.number, 0, SEEK_SET) == 0 else { throw .last("read", path.description) }
      var hasher = SHA256Hasher()
      var size: Int64 = 0
      try file.readAll(name: path.description) { bytes in
        hasher.update(bytes)
        size += Int64(bytes.count)
      }
      let digest = hasher.finish()
      guard let after = file.status, size == Int64(before.st_size), before.isSame(as: after) else {
        continue
      }
      return PublishedFile(
        path: path, size: size, modified: Int(before.modificationTime.tv_sec), digest: digest)
    }
    throw .changing(path: path.description)
  }
}

/// The names in the folder that belong to the catalog itself and to the mirror.
private struct CatalogFileName {
  let name: String

  init(_ name: String) {
    self.name = name
  }

  /// Where the next catalog is written before it is renamed. Beside the catalog, so that the rename
  /// stays on one file system; with the process in its name, so that two writers don't share it.
  var temporary: String { ".\(name).\(getpid()).partial" }

  func isOwn(_ bytes: [UInt8]) -> Bool {
    bytes == Array(name.utf8) || bytes.elementsEqual(RelativePath.mirrorFolder.utf8)
      || bytes.starts(with: ".\(name).".utf8) && bytes.suffix(8).elementsEqual(".partial".utf8)
  }
}

extension stat {
  fileprivate var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// Whether neither size nor modification time changed between two looks.
  fileprivate func isSame(as other: stat) -> Bool {
    st_size == other.st_size && modificationTime.tv_sec == other.modificationTime.tv_sec
      && modificationTime.tv_nsec == other.modificationTime.tv_nsec
  }
}

extension [UInt8] {
  /// Calls `body` with these bytes as a C string; the bytes hold no NUL, being a directory's name.
  fileprivate func asCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map(body) ?? body("")
      }
    }
  }
}

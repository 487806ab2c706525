import SyncFiles
import SyncFolder
import SyncText

/// Walks a folder through descriptors, so that no symbolic link leads out of it, and hashes what
/// it finds.
struct FolderWalk {
  private let root: Descriptor
  private let names: CatalogFileNames
  private let stop: StopFlag
  private(set) var files: [PublishedFile] = []
  private(set) var skipped: [PublishReport.Skipped] = []

  /// Opens the folder.
  init(folder: String, catalog: String, until stop: StopFlag) throws(PublishError) {
    self.stop = stop
    names = CatalogFileNames(catalog)
    root = try PublishError.translating("open", CatalogKey(folder).description) {
      () throws(Errno) in
      try Descriptor.open(
        userPath: folder, [.reading, .directory], in: SystemFileSystem())
    }
  }

  /// Walks and hashes everything, in the byte order of the names.
  /// - Throws: ``PublishError``, or `CancellationError` when it is to stop.
  mutating func run() throws {
    // Reading a directory moves its descriptor's place: "." is another open file.
    let directory = try open(Array(".".utf8), in: root, [.reading, .directory], key: nil)
    try walk(directory, prefix: [])
  }

  /// Replaces the catalog, unless it has these bytes already; whether it did.
  func replaceCatalog(with bytes: [UInt8]) throws(PublishError) -> Bool {
    try PublishError.translating("write", names.catalog) { () throws(Errno) in
      guard try existingCatalog() != bytes else { return false }
      try write(bytes)
      return true
    }
  }

  private func write(_ bytes: [UInt8]) throws(Errno) {
    let (temporary, final) = (Array(names.temporary.utf8), Array(names.catalog.utf8))
    do { try root.unlink(temporary) } catch .absent {}
    do throws(Errno) {
      let file = try root.open(name: temporary, [.writing, .creating, .exclusively], mode: 0o666)
      try file.write(bytes)
      try file.flush()
      try root.rename(temporary, to: root, final, .replacing)
      try root.flush()
    } catch {
      try? root.unlink(temporary)
      throw error
    }
  }

  private func existingCatalog() throws(Errno) -> [UInt8]? {
    do {
      let file = try root.open(name: Array(names.catalog.utf8), [.reading, .withoutWaiting])
      guard try file.status().kind == .file else { return nil }
      var bytes: [UInt8] = []
      try file.readAll { bytes += $0 }
      return bytes
    } catch .absent {
      return nil
    }
  }

  private mutating func walk(
    _ directory: Descriptor, prefix: [UInt8]
  ) throws {
    let shown = prefix.isEmpty ? "." : CatalogKey.escape(prefix)
    let entries = try PublishError.translating("list", shown) { () throws(Errno) in
      try directory.entries()
    }
    for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) })
    where !prefix.isEmpty || !names.isOwn(entry.name) {
      try visit(entry, in: directory, key: CatalogKey(bytes: prefix + entry.name))
    }
  }

  private mutating func visit(
    _ entry: DirectoryEntry, in directory: Descriptor, key: CatalogKey
  ) throws {
    try stop.check()
    let path: RelativePath
    do throws(KeyProblem) {
      path = try RelativePath(key)
    } catch {
      return skip(key, .key(error))
    }
    switch entry.kind {
    case .directory:
      let inner = try open(entry.name, in: directory, [.reading, .directory], key: key)
      try walk(inner, prefix: key.bytes + [UInt8(ascii: "/")])
    case .file:
      let file = try open(entry.name, in: directory, [.reading, .withoutWaiting], key: key)
      files.append(try hash(file, path: path))
    case .symbolicLink, .special:
      skip(key, .notAFile)
    }
  }

  private func open(
    _ name: [UInt8], in directory: Descriptor, _ flags: OpenFlags, key: CatalogKey?
  ) throws(PublishError) -> Descriptor {
    try PublishError.translating("open", key?.description ?? ".") { () throws(Errno) in
      try directory.open(name: name, flags)
    }
  }

  private mutating func skip(_ key: CatalogKey, _ reason: PublishReport.Skipped.Reason) {
    skipped.append(.init(name: key.description, reason: reason))
  }

  /// Hashes a file, and once more from the start if it changed meanwhile.
  private func hash(
    _ file: Descriptor, path: RelativePath
  ) throws -> PublishedFile {
    for _ in 0..<2 {
      if let (digest, status) = try hashIfStill(file, path) {
        return PublishedFile(
          path: path, size: status.size,
          modified: Int((Double(status.modifiedNanoseconds) / 1e9).rounded(.down)),
          digest: digest)
      }
    }
    throw PublishError.changing(path: path.description)
  }

  private func hashIfStill(
    _ file: Descriptor, _ path: RelativePath
  ) throws -> (SHA256Digest, FileStatus)? {
    do {
      return try file.hashedIfStill(until: stop)
    } catch let error as Errno {
      throw PublishError.system(action: "read", path: path.description, reason: error.text)
    }
  }
}

/// The names in the folder that belong to the catalog itself and to the mirror.
private struct CatalogFileNames {
  let catalog: String

  init(_ catalog: String) {
    self.catalog = catalog
  }

  /// Where the next catalog is written before it is renamed. Beside the catalog, so that the rename
  /// stays on one file system; with the process in its name, so that two writers don't share it.
  var temporary: String { ".\(catalog).\(Descriptor.currentProcess).partial" }

  func isOwn(_ bytes: [UInt8]) -> Bool {
    bytes == Array(catalog.utf8) || bytes.elementsEqual(RelativePath.mirrorFolder.utf8)
      || bytes.starts(with: ".\(catalog).".utf8) && bytes.suffix(8).elementsEqual(".partial".utf8)
  }
}

extension Descriptor {
  /// The digest of the whole file and the state it was in; `nil` when it changed meanwhile.
  fileprivate func hashedIfStill(until stop: StopFlag) throws -> (SHA256Digest, FileStatus)? {
    let before = try status()
    try rewind()
    var hasher = SHA256Hasher()
    var size: Int64 = 0
    try readPieces { bytes in
      try stop.check()
      hasher.update(bytes)
      size += Int64(bytes.count)
    }
    guard try status() == before, size == before.size else { return nil }
    return (hasher.finish(), before)
  }
}

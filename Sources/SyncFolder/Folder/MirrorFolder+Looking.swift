package import SyncFiles
package import SyncText

extension MirrorFolder {
  /// What stands at `path`; `nil` when nothing does, or when the way to it leads through a link,
  /// a mount point or something that is no directory.
  package func look(at path: RelativePath) throws -> FileStatus? {
    try look(at: [path])[0].get()
  }

  /// What stands at each of `paths`, in their order, as ``look(at:)-(RelativePath)`` has it.
  ///
  /// Fast when paths of the same directory follow each other. What can't be looked at fails on its
  /// own; the others are told all the same.
  package func look(at paths: [RelativePath]) -> [Result<FileStatus?, FolderError>] {
    let cache = DirectoryCache(self)
    var missing: BeneathPath?
    return paths.map { relative in
      let path = BeneathPath(relative)
      let parent = path.parent
      if parent == missing { return .success(nil) }
      do throws(Errno) {
        return .success(try cache.directory(parent).status(of: path.name))
      } catch {
        guard error.meansNoWay else {
          // What keeps this user from looking at a name is its directory.
          return .failure(FolderError(error, error == .noRights ? parent : path))
        }
        missing = parent
        return .success(nil)
      }
    }
  }

  /// Reads the whole file at `path` and gives its digest and the state that it was read in.
  ///
  /// It is hashed by `algorithms`, too.
  ///
  /// `stop` ends it between two pieces, and `telling` hears of the bytes of each. Regular files
  /// only; opening never waits, whatever stands there. Throws ``FolderError/Code/changedWhileRead``
  /// when the file was written to meanwhile.
  package func hash(
    _ path: RelativePath, by algorithms: Set<ContentDigest.Algorithm> = [],
    until stop: StopFlag = StopFlag(), telling: (Int) -> Void = { _ in }
  ) throws -> HashedFile {
    try hash(BeneathPath(path), by: algorithms, until: stop, telling: telling)
  }

  func hash(
    _ path: BeneathPath, by algorithms: Set<ContentDigest.Algorithm> = [],
    until stop: StopFlag = StopFlag(), telling: (Int) -> Void = { _ in }
  ) throws -> HashedFile {
    do {
      let file = try open(path, [.reading, .withoutWaiting])
      return try hash(path, opened: file, by: algorithms, until: stop, telling: telling)
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  func hash(
    _ path: BeneathPath, opened file: Descriptor, by algorithms: Set<ContentDigest.Algorithm> = [],
    until stop: StopFlag = StopFlag(), telling: (Int) -> Void = { _ in }
  ) throws -> HashedFile {
    let before = try file.status()
    guard before.kind == .file else { throw FolderError(.blocked, path.description) }
    var hasher = FileHasher(algorithms)
    var size: Int64 = 0
    try file.readPieces { piece in
      try stop.check()
      hasher.update(piece)
      size += Int64(piece.count)
      telling(piece.count)
    }
    guard try file.status() == before, before.size == size else {
      throw FolderError(.changedWhileRead, path.description)
    }
    return HashedFile(digests: hasher.finish(), stamp: before.stamp)
  }

  /// Opens and reads the whole file at `path`; `nil` for one whose bytes can't be had: this user or
  /// the disk can't read them, or somebody writes to it.
  func read(_ path: BeneathPath) throws -> (Descriptor, HashedFile)? {
    do {
      let file = try open(path, [.reading, .withoutWaiting])
      return (file, try hash(path, opened: file))
    } catch let error as FolderError where error.code == .changedWhileRead {
      return nil
    } catch let error as Errno where [.notPermitted, .noRights, .inputOutput].contains(error) {
      return nil
    }
  }
}

/// The digest of a file, and the state of the file that it belongs to.
package struct HashedFile: Sendable {
  package let digests: FileDigests
  package let stamp: FileStamp

  package var sha256: SHA256Digest { digests.sha256 }
}

extension Errno {
  /// Whether it means that there is no way to a name, so that nothing can stand there.
  var meansNoWay: Bool {
    [.absent, .notADirectory, .link, .otherFileSystem, .nameTooLong, .controlFolder].contains(self)
  }
}

extension MirrorFolder {
  /// What stands in `.mirror/previews/` under `name`; `nil` when nothing does.
  package func lookAtPreview(named name: String) throws -> FileStatus? {
    let path = try BeneathPath.previews.appending(plain: name)
    do {
      return try open(path.parent, [.reading, .directory]).status(of: path.name)
    } catch  where error.meansNoWay {
      return nil
    } catch { throw FolderError(error, path) }
  }

  /// Reads the whole file in `.mirror/previews/` under `name`, as `hash` does.
  package func hashPreview(
    named name: String, until stop: StopFlag = StopFlag(),
    telling: (Int) -> Void = { _ in }
  ) throws -> HashedFile {
    try hash(try BeneathPath.previews.appending(plain: name), until: stop, telling: telling)
  }

  package func previewNames() throws -> [String] {
    do {
      return try list(BeneathPath.previews).map { String(decoding: $0.name, as: UTF8.self) }
    } catch .absent {
      return []
    } catch { throw FolderError(error, BeneathPath.previews) }
  }

  /// Removes previews; one that isn't there is no error. Not made durable: a preview that comes
  /// back after a power cut belongs to nobody and does no harm.
  package func removePreviews(named names: [String]) throws {
    let paths = try names.map(BeneathPath.previews.appending(plain:))
    do {
      let directory = try open(BeneathPath.previews, [.reading, .directory])
      for path in paths {
        do { try directory.unlink(path.name) } catch .absent {}
      }
    } catch .absent {
      return
    } catch { throw FolderError(error, BeneathPath.previews) }
  }
}

/// Hashes a file by SHA-256, and by what else is asked for, as its bytes come. Not thread-safe.
struct FileHasher: ~Copyable {
  private var sha256 = SHA256Hasher()
  private let others: [ContentHasher]

  init(_ algorithms: Set<ContentDigest.Algorithm> = []) {
    others =
      algorithms.isEmpty
      ? [] : algorithms.subtracting([.sha256]).compactMap { ContentHasher($0) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha256.update(bytes)
    for other in others { other.update(bytes) }
  }

  consuming func finish() -> FileDigests {
    let further = others.compactMap { $0.finish() }
    return FileDigests(sha256: sha256.finish(), further: further)
  }
}

package struct FileDigests: Sendable {
  package let sha256: SHA256Digest
  /// By what else was asked for, as far as the system has it.
  package let further: [ContentDigest]

  /// The first of these that is another one than the file's. One by an algorithm that the file
  /// wasn't hashed by tells nothing.
  package func mismatch(among wanted: [ContentDigest]) -> ContentDigest? {
    let own = [ContentDigest(sha256)] + further
    return wanted.first { wanted in
      own.contains { $0.algorithm == wanted.algorithm && $0 != wanted }
    }
  }

  /// Whether the file is the one that has this digest, and no other can be.
  package func prove(_ digest: ContentDigest) -> Bool {
    digest.algorithm.provesEquality && ([ContentDigest(sha256)] + further).contains(digest)
  }
}

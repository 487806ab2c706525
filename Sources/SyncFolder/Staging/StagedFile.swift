package import SyncFiles
import SyncLock
package import SyncText

/// A file that is being written into the staging area, hashed as it grows.
///
/// One user at a time: whoever writes hands it on only after the last call has returned. Calls
/// block on the disk; they belong on a transport's thread or on a queue. One that is let go of
/// without ``finish(modified:)`` or ``suspend()`` is removed.
package final class StagedFile: @unchecked Sendable {  // one user at a time, by contract
  package var name: String { String(decoding: path.name, as: UTF8.self) }
  package var count: Int64 { written + Int64(gathered?.bytes.count ?? 0) }

  private let staging: Staging
  private let path: BeneathPath
  /// The open file; `nil` once it was finished, suspended or discarded.
  package private(set) var file: Descriptor?
  /// How many bytes were handed on, to the system or to `trailing`.
  private var written: Int64 = 0
  /// What comes after them.
  private var gathered: Piece?
  /// `nil` once it was handed to `trailing`, or has finished.
  private var hasher: FileHasher?
  /// What it is hashed by beside SHA-256.
  private let algorithms: Set<ContentDigest.Algorithm>
  /// Writes and hashes, once the file is a large one.
  private var trailing: TrailingWriter?
  /// How much a file has before its bytes are worth being gathered.
  package static let worthGathering: Int64 = 64 << 10

  init(
    _ staging: Staging, path: BeneathPath, file: Descriptor,
    hashedBy algorithms: Set<ContentDigest.Algorithm>
  ) {
    self.staging = staging
    self.algorithms = algorithms
    hasher = FileHasher(algorithms)
    self.path = path
    self.file = file
  }

  deinit { discard() }

  /// How many of them are in the file; others wait in memory.
  package var settledCount: Int64 { trailing?.written ?? written }

  package var failure: FolderError? { trailing?.failure.map { FolderError($0, path) } }

  /// Appends `bytes`. Of a large file, the last ones are written later.
  /// - Throws: when bytes can't be written, these or earlier ones. The file is good for
  ///   ``restart()``, ``suspend()`` and ``discard()`` only then.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    _ = try opened()
    guard written >= Self.worthGathering else { return try put(bytes) }
    var rest = bytes
    while !rest.isEmpty {
      let piece = gathered ?? staging.pieces.take()
      gathered = piece
      // Pieces end where a multiple of their size does, which suits the system's memory.
      let end = Piece.size - Int(written % Int64(Piece.size))
      rest = piece.take(rest, upTo: end)
      if piece.bytes.count == end { try handOn(piece) }
    }
  }

  package func settle() throws {
    if let gathered { try handOn(gathered) }
    do throws(Errno) { try trailing?.settle() } catch { throw FolderError(error, path) }
  }

  private func handOn(_ piece: Piece) throws {
    gathered = nil
    if trailing == nil, staging.writesBeside, written >= TrailingWriter.worthwhile {
      trailing = TrailingWriter(
        try opened(), written: written, hasher: takeHasher(), pool: staging.pieces,
        startsWriteBack: staging.durability != .none)
    }
    guard let trailing else {
      defer { staging.pieces.giveBack(piece) }
      return try put(piece.bytes)
    }
    written += Int64(piece.bytes.count)
    do throws(Errno) { try trailing.append(piece) } catch { throw FolderError(error, path) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws {
    let file = try opened()
    do throws(Errno) { try file.write(bytes) } catch { throw FolderError(error, path) }
    hasher?.update(bytes)
    written += Int64(bytes.count)
  }

  /// Goes back to an empty file.
  /// - Throws: also what writing in the background has failed with, if it wasn't thrown yet.
  package func restart() throws {
    if let failure = letGo() { throw FolderError(failure, path) }
    do {
      try opened().truncate()
    } catch let error as Errno {
      throw FolderError(error, path)
    }
    hasher = FileHasher(algorithms)
    written = 0
  }

  /// Ends the file and says what it is. `modified` is in seconds since 1970; without it the file
  /// was modified now.
  ///
  /// Files that need a flush of their own keep their descriptor for it; when four of them wait
  /// already, this one is flushed here, so that a fast network goes at the pace of the disk.
  package func finish(modified: Double?) throws -> Staged {
    try finish(modifiedNanoseconds: modified.flatMap(Self.nanoseconds))
  }

  /// As ``finish(modified:)``, in nanoseconds since 1970.
  func finish(modifiedNanoseconds nanoseconds: Int64?) throws -> Staged {
    try settle()
    let staged = try staging.close(
      opened(), path, size: written, modifiedNanoseconds: nanoseconds, digests)
    file = nil
    return staged
  }

  /// Closes the file and leaves it where it is, for ``Staging/resume(name:inode:lengths:until:)``.
  package func suspend() {
    // Best effort: what can't be written isn't there to be gone on with.
    try? settle()
    letGo()
    file = nil
  }

  /// Closes the file and removes it. Does nothing when it was finished, suspended or discarded.
  package func discard() {
    guard file != nil else { return }
    letGo()
    file = nil
    // Best effort: what stays behind is swept at the next start.
    try? staging.directory.unlink(path.name)
  }

  /// Reads what the file holds, to hash it.
  func takeIn(until stop: StopFlag, telling: (Int) -> Void = { _ in }) throws {
    guard let file else { return }
    try file.readPieces { piece in
      try stop.check()
      hasher?.update(piece)
      written += Int64(piece.count)
      telling(piece.count)
    }
  }

  /// Gives the empty file the bytes of another one, without reading them; they have to be taken in.
  /// - Returns: whether the disk can; if not, the file is empty still.
  func clone(_ source: Descriptor) throws -> Bool {
    guard staging.mayClone.withLock({ $0 }) else { return false }
    let file = try opened()
    do throws(Errno) {
      try file.clone(source)
      return true
    } catch {
      if [.notSupported, .noSuchCall, .otherFileSystem, .noTerminal].contains(error) {
        staging.mayClone.withLock { $0 = false }
      }
      try restart()
      return false
    }
  }

  /// Forgets what waits in memory. Nothing is being written any more when it returns.
  /// - Returns: a failure that nobody knows of.
  @discardableResult
  private func letGo() -> Errno? {
    if let gathered { staging.pieces.giveBack(gathered) }
    gathered = nil
    defer { trailing = nil }
    return trailing?.abandon()
  }

  private func digests() -> FileDigests {
    defer { trailing = nil }
    return trailing?.finish() ?? takeHasher().finish()
  }

  private func takeHasher() -> FileHasher {
    guard let taken = hasher.take() else { preconditionFailure("the bytes were hashed elsewhere") }
    return taken
  }

  private func opened() throws -> Descriptor {
    guard let file else {
      throw FolderError(.stagedFileGone, path.description, reason: "it was closed before")
    }
    return file
  }

  // A date that no file system keeps is no date.
  static func nanoseconds(_ seconds: Double) -> Int64? {
    let nanoseconds = (seconds * 1_000_000_000).rounded(.down)
    return Int64(exactly: nanoseconds)
  }
}

extension Staging {
  /// Ends an open file, all of whose bytes are written, and says what it is.
  func close(
    _ file: Descriptor, _ path: BeneathPath, size: Int64, modifiedNanoseconds nanoseconds: Int64?,
    _ digests: () throws -> FileDigests
  ) throws -> Staged {
    do {
      if let nanoseconds { try file.setModified(nanoseconds: nanoseconds) }
      let status = try file.status()
      guard status.size == size else { throw FolderError(.changedWhileRead, path.description) }
      let owed = try flushOwed(file, path, size: size)
      return Staged(
        name: String(decoding: path.name, as: UTF8.self), size: size, digests: try digests(),
        inode: status.inode, modifiedNanoseconds: status.modifiedNanoseconds, flushOwed: owed)
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  private func flushOwed(
    _ file: Descriptor, _ path: BeneathPath, size: Int64
  ) throws -> Staged.FlushOwed {
    switch durability {
    case .none: return .nothing
    case .batch where size < BatchLimits.large: return .sharedFlush
    case .batch, .file: break
    }
    if let held = UnflushedFile(file, in: folder) { return .ownFlush(held) }
    do {
      try file.flush()
    } catch { throw FolderError.flush(error, path.description) }
    return .nothing
  }
}

/// A file in the staging area whose bytes are all there and known by their digest. A
/// ``BatchCommitter`` brings it into the tree.
package struct Staged: Sendable {
  package let name: String
  package let size: Int64
  package let digests: FileDigests
  /// Its number on the file system, which it keeps in its final place.
  package let inode: UInt64
  /// Its modification time, as the file system keeps it: nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// What still has to be done before its bytes are on the disk.
  let flushOwed: FlushOwed

  package var sha256: SHA256Digest { digests.sha256 }

  package var stamp: FileStamp {
    FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode)
  }

  /// What is owed to a staged file before it may be renamed into place.
  enum FlushOwed: Sendable {
    /// Nothing: it was flushed, or durability isn't asked for.
    case nothing
    /// A flush of its own, through the descriptor that it was written by: only that one is sure to
    /// be told of a failed write-back.
    case ownFlush(UnflushedFile)
    /// The batch's flush.
    case sharedFlush
  }
}

/// A finished file whose descriptor is kept open until its flush.
final class UnflushedFile: Sendable {
  let descriptor: Descriptor
  private let folder: MirrorFolder
  /// Few, so that a run has at most two descriptors a download and 32 more.
  private static let limit = 4

  /// `nil` when as many files as are allowed are held already.
  init?(_ descriptor: Descriptor, in folder: MirrorFolder) {
    let granted = folder.unflushedFiles.withLock { held in
      guard held < Self.limit else { return false }
      held += 1
      return true
    }
    guard granted else { return nil }
    self.descriptor = descriptor
    self.folder = folder
  }

  deinit { folder.unflushedFiles.withLock { $0 -= 1 } }
}

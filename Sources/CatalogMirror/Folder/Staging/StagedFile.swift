/// A file that is being written into the staging area, hashed as it grows.
///
/// One user at a time: whoever writes hands it on only after the last call has returned. Calls
/// block on the disk; they belong on a transport's thread or on a queue. One that is let go of
/// without ``finish(modified:)`` or ``suspend()`` is removed.
package final class StagedFile: @unchecked Sendable {  // one user at a time, by contract
  /// Its name in the staging area.
  package var name: String { String(decoding: path.name, as: UTF8.self) }
  /// The bytes that it holds.
  package private(set) var count: Int64 = 0

  private let staging: Staging
  private let path: BeneathPath
  /// The open file; `nil` once it was finished, suspended or discarded.
  private(set) var file: Descriptor?
  private var hasher = SHA256Hasher()
  /// In place of `hasher`, once the file is a large one.
  private var trailing: TrailingHasher?
  private var writeBackStarted: Int64 = 0
  private static let writeBackStep: Int64 = 8 << 20

  init(_ staging: Staging, path: BeneathPath, file: Descriptor) {
    self.staging = staging
    self.path = path
    self.file = file
  }

  deinit { discard() }

  /// Appends `bytes`; all of them, or it throws and the file is good for ``restart()``,
  /// ``suspend()`` and ``discard()`` only.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    let file = try opened()
    do {
      try file.write(bytes)
    } catch { throw FolderError(error, path) }
    hash(bytes)
    count += Int64(bytes.count)
    guard count - writeBackStarted >= Self.writeBackStep else { return }
    // The flush at the end then finds little left to do, and other files' flushes don't wait for
    // this one.
    file.startWriteBack(from: writeBackStarted, count: count - writeBackStarted)
    writeBackStarted = count
  }

  /// Goes back to an empty file.
  package func restart() throws {
    do {
      try opened().truncate()
    } catch let error as Errno {
      throw FolderError(error, path)
    }
    hasher = SHA256Hasher()
    trailing = nil
    count = 0
    writeBackStarted = 0
  }

  /// Ends the file and says what it is. `modified` is in seconds since 1970; without it the file
  /// was modified now.
  ///
  /// Files that need a flush of their own keep their descriptor for it; when four of them wait
  /// already, this one is flushed here, so that a fast network goes at the pace of the disk.
  package func finish(modified: Double?) throws -> Staged {
    let file = try opened()
    do {
      if let modified, let nanoseconds = Self.nanoseconds(modified) {
        try file.setModified(nanoseconds: nanoseconds)
      }
      let status = try file.status()
      guard status.size == count else { throw FolderError(.changedWhileRead, path.description) }
      let owed = try flushOwed(file)
      self.file = nil
      return Staged(
        name: name, size: count, sha256: digest(), inode: status.inode,
        modifiedNanoseconds: status.modifiedNanoseconds, flushOwed: owed)
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  /// Closes the file and leaves it where it is, for ``Staging/resume(name:inode:lengths:until:)``.
  package func suspend() {
    file = nil
  }

  /// Closes the file and removes it. Does nothing when it was finished, suspended or discarded.
  package func discard() {
    guard file != nil else { return }
    file = nil
    // Best effort: what stays behind is swept at the next start.
    try? staging.directory.unlink(path.name)
  }

  /// Hashes what the file holds already.
  func takeIn(until stop: StopFlag) throws {
    guard let file else { return }
    try file.readPieces { piece in
      try stop.check()
      hasher.update(piece)
      count += Int64(piece.count)
    }
    writeBackStarted = count
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) {
    if trailing == nil, count >= TrailingHasher.worthwhile {
      trailing = TrailingHasher(takeHasher())
    }
    if let trailing { trailing.update(bytes) } else { hasher.update(bytes) }
  }

  private func digest() -> SHA256Digest {
    defer { trailing = nil }
    return trailing?.finish() ?? takeHasher().finish()
  }

  private func takeHasher() -> SHA256Hasher {
    var taken = SHA256Hasher()
    swap(&hasher, &taken)
    return taken
  }

  private func opened() throws -> Descriptor {
    guard let file else {
      throw FolderError(.stagedFileGone, path.description, reason: "it was closed before")
    }
    return file
  }

  private func flushOwed(_ file: Descriptor) throws -> Staged.FlushOwed {
    switch staging.durability {
    case .none: return .nothing
    case .batch where count < BatchLimits.large: return .sharedFlush
    case .batch, .file: break
    }
    if let held = HeldFile(file, in: staging.folder) { return .ownFlush(held) }
    do {
      try file.flush()
    } catch { throw FolderError.flush(error, path.description) }
    return .nothing
  }

  // A date that no file system keeps is no date.
  private static func nanoseconds(_ seconds: Double) -> Int64? {
    let nanoseconds = (seconds * 1_000_000_000).rounded(.down)
    return Int64(exactly: nanoseconds)
  }
}

private import Dispatch
package import SyncFiles
import SyncLock

/// A file of a known size that is written into the staging area in several parts at once, and
/// hashed from its beginning on as far as it is there.
///
/// Each part has a ``PartWriter`` of its own. What comes where the hash has come to is hashed from
/// memory; what came early is read again once the gap before it is closed, and with it all that
/// comes while it is read, so that nothing waits in memory for that. One that is let go of without
/// ``finish(modified:)`` or ``suspend()`` is removed.
package final class StagedParts: @unchecked Sendable {  // what has no lock belongs to a queue
  package let size: Int64
  package let name: String
  /// The number of the file on the file system.
  package let inode: UInt64
  package let file: Descriptor

  let staging: Staging
  private let path: BeneathPath
  /// Belongs to `hashing`.
  private var hasher: FileHasher
  private let state: Locked<State>
  /// `nil` where everything is done on the thread that asks for it.
  private let writing: DispatchQueue?
  private let hashing: DispatchQueue?

  init(
    _ staging: Staging, _ path: BeneathPath, _ file: Descriptor, inode: UInt64, size: Int64,
    written: ByteRanges, hasher: consuming FileHasher
  ) {
    (self.staging, self.path, self.file, self.size) = (staging, path, file, size)
    name = String(decoding: path.name, as: UTF8.self)
    self.inode = inode
    self.hasher = hasher
    state = Locked(State(written: written, hashed: written.prefix))
    let isBeside = staging.writesBeside
    writing = isBeside ? DispatchQueue(label: "mirror.write", qos: .userInitiated) : nil
    hashing = isBeside ? DispatchQueue(label: "mirror.hash", qos: .userInitiated) : nil
  }

  // Nothing is under way any more, as what is holds on to it: there is nothing to wait for, which
  // the queue whose work was the last one couldn't do.
  deinit {
    if !state.withLock({ $0.isOver }) { unlink() }
  }

  /// What is in the file: handed to the system, though maybe not on the disk.
  package var written: ByteRanges { state.withLock { $0.written } }

  /// How far it is hashed, but for what waits in memory.
  package var hashed: Int64 { state.withLock { $0.hashed } }

  /// What writing or reading has failed with.
  package var failure: FolderError? { state.withLock { $0.failure } }

  /// A writer for what comes from so many bytes behind the start on.
  package func part(at offset: Int64) -> PartWriter { PartWriter(self, at: offset) }

  /// Waits, without holding a thread, until the hash has followed everything that was handed over.
  ///
  /// - Throws: what writing or reading has failed with; `CancellationError` soon after the task was
  ///   cancelled, as after ``hashNoMore()``.
  package func catchUp() async throws {
    if let writing, let hashing {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          writing.async { hashing.async { continuation.resume() } }
        }
      } onCancel: {
        hashNoMore()
      }
    }
    try throwHashFailure()
  }

  /// Ends the hashing, for good: of a file that won't be finished in this run.
  package func hashNoMore() {
    state.withLock { $0.isHashedNoMore = true }
  }

  /// Ends the file, all of whose bytes have come, and says what it is; see
  /// ``StagedFile/finish(modified:)``. Waits for the hash: best after ``catchUp()``.
  package func finish(modified: Double?) throws -> Staged {
    try settle()
    guard written.prefix == size else {
      throw FolderError(.failed, path.description, reason: "not all parts of it have come")
    }
    let staged = try staging.close(
      file, path, size: size,
      modifiedNanoseconds: modified.flatMap(StagedFile.nanoseconds)
    ) {
      try self.digests()
    }
    state.withLock { $0.isOver = true }
    return staged
  }

  /// Waits until what was handed over is in the file.
  /// - Throws: what writing or reading has failed with.
  package func settle() throws {
    writing?.sync {}
    try throwFailure()
  }

  /// Leaves the file where it is, for ``Staging/resumeParts(name:inode:size:of:hashedBy:until:)``.
  /// Nothing is written any more when it returns.
  package func suspend() {
    letGo()
    state.withLock { $0.isOver = true }
  }

  /// Removes the file. Does nothing when it was finished, suspended or discarded.
  package func discard() {
    guard !state.withLock({ $0.isOver }) else { return }
    suspend()
    unlink()
  }

  /// Best effort: what stays behind is swept at the next start.
  private func unlink() {
    try? staging.directory.unlink(path.name)
  }

  private func letGo() {
    state.withLock { $0.isAbandoned = true }
    writing?.sync {}
    hashing?.sync {}
  }

  func throwFailure() throws {
    if let failure { throw failure }
  }

  private func throwHashFailure() throws {
    try throwFailure()
    if state.withLock({ $0.isHashedNoMore }) { throw CancellationError() }
  }

  private func digests() throws -> FileDigests {
    let digests = { [self] in
      var finished = FileHasher()
      swap(&hasher, &finished)
      return finished.finish()
    }
    let result = hashing?.sync(execute: digests) ?? digests()
    try throwHashFailure()
    return result
  }
}

/// Writing and hashing.
extension StagedParts {
  /// Takes a piece over that belongs at `offset`. Waits while too many are still to be written.
  func put(_ piece: Piece, at offset: Int64) {
    let pool = staging.pieces
    guard let writing else {
      write(piece, at: offset) { pool.giveBack(piece) }
      return
    }
    pool.awaitRoom()
    writing.async { [self] in
      write(piece, at: offset) { pool.giveBackWritten(piece) }
    }
  }

  private func write(_ piece: Piece, at offset: Int64, _ giveBack: @escaping @Sendable () -> Void) {
    guard state.withLock({ $0.goesOn }) else { return giveBack() }
    do throws(Errno) {
      try file.write(piece.bytes, at: offset)
    } catch {
      state.withLock { $0.failure = $0.failure ?? FolderError(error, path) }
      return giveBack()
    }
    let range = offset..<offset + Int64(piece.bytes.count)
    let next = state.withLock { $0.wrote(range, startsWriteBack: startsWriteBack) }
    if next.isInOrder {
      hash { [self] hasher in
        if state.withLock({ $0.hashGoesOn }) { hasher.update(piece.bytes) }
        giveBack()
      }
    } else {
      giveBack()
    }
    if next.isBehind { hash { [self] in follow(&$0) } }
    // The flush at the end then finds little left to do.
    for range in next.unhurried.ranges {
      file.startWriteBack(from: range.lowerBound, count: Int64(range.count))
    }
  }

  private var startsWriteBack: Bool { staging.durability != .none }

  /// Hashes from the file what is there without a gap, until nothing is left.
  private func follow(_ hasher: inout FileHasher) {
    do {
      while let range = state.withLock({ $0.nextBehind() }) {
        let count = try file.readPieces(of: range) { piece in
          guard state.withLock({ $0.hashGoesOn }) else { throw CancellationError() }
          hasher.update(piece)
          state.withLock { $0.hashed += Int64(piece.count) }
        }
        guard count < range.count else { continue }
        throw FolderError(.changedWhileRead, path.description)
      }
    } catch let error as Errno {
      state.withLock { $0.failure = $0.failure ?? FolderError(error, path) }
    } catch let error as FolderError {
      state.withLock { $0.failure = $0.failure ?? error }
    } catch {}  // it is given up
  }

  private func hash(_ work: @escaping @Sendable (inout FileHasher) -> Void) {
    guard let hashing else { return work(&hasher) }
    hashing.async { [self] in work(&hasher) }
  }
}

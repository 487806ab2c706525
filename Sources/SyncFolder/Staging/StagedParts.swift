private import Dispatch
package import SyncFiles
import SyncLock
import SyncText

/// A file of a known size that is written into the staging area in several parts at once, and
/// hashed from its beginning on as far as it is there.
///
/// Each part has a ``PartWriter`` of its own. What comes where the hash has come to is hashed from
/// memory; what came early is read again once the gap before it is closed. One that is let go of
/// without ``finish(modified:)`` or ``suspend()`` is removed.
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

  fileprivate struct State {
    /// What is in the file.
    var written: ByteRanges
    /// How far the file is hashed, or will be once the queue has done its work.
    var hashed: Int64
    var unhurried: Int64 = 0
    var failure: FolderError?
    var isAbandoned = false
    /// Whether nothing is left to be done with the file.
    var isOver = false

    var goesOn: Bool { failure == nil && !isAbandoned }
  }

  /// How much is written before the disk is given it to do.
  fileprivate static let writeBackStep: Int64 = 8 << 20

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

  deinit { discard() }

  /// What is in the file: handed to the system, though maybe not on the disk.
  package var written: ByteRanges { state.withLock { $0.written } }

  /// What writing or reading has failed with.
  package var failure: FolderError? { state.withLock { $0.failure } }

  /// A writer for what comes from so many bytes behind the start on.
  package func part(at offset: Int64) -> PartWriter { PartWriter(self, at: offset) }

  /// Ends the file, all of whose bytes have come, and says what it is; see
  /// ``StagedFile/finish(modified:)``.
  package func finish(modified: Double?) throws -> Staged {
    try settle()
    guard written.prefix == size else {
      throw FolderError(.changedWhileRead, path.description)
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
    // Best effort: what stays behind is swept at the next start.
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

  private func digests() throws -> FileDigests {
    let digests = { [self] in
      var finished = FileHasher()
      swap(&hasher, &finished)
      return finished.finish()
    }
    let result = hashing?.sync(execute: digests) ?? digests()
    try throwFailure()
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
    let next = state.withLock { $0.wrote(offset..<offset + Int64(piece.bytes.count)) }
    if next.isInOrder {
      hash { hasher in
        hasher.update(piece.bytes)
        giveBack()
      }
    } else {
      giveBack()
    }
    if !next.early.isEmpty { takeIn(next.early) }
    guard next.isWorthWriteBack, staging.durability != .none else { return }
    // The flush at the end then finds little left to do.
    file.startWriteBack(from: 0, count: size)
  }

  /// Hashes what came early, from the file.
  private func takeIn(_ range: Range<Int64>) {
    hash { [self] hasher in
      guard state.withLock({ $0.goesOn }) else { return }
      do {
        let count = try file.readPieces(of: range) { piece in
          guard state.withLock({ $0.goesOn }) else { throw CancellationError() }
          hasher.update(piece)
        }
        guard count < range.count else { return }
        let error = FolderError(.changedWhileRead, path.description)
        state.withLock { $0.failure = $0.failure ?? error }
      } catch let error as Errno {
        state.withLock { $0.failure = $0.failure ?? FolderError(error, path) }
      } catch {}  // it is given up
    }
  }

  private func hash(_ work: @escaping @Sendable (inout FileHasher) -> Void) {
    guard let hashing else { return work(&hasher) }
    hashing.async { [self] in work(&hasher) }
  }
}

extension StagedParts.State {
  /// What is to be done after a range was written: whether it is hashed as it is, which bytes that
  /// came early are hashed after it, and whether the disk is to begin with what it has.
  fileprivate mutating func wrote(
    _ range: Range<Int64>
  ) -> (isInOrder: Bool, early: Range<Int64>, isWorthWriteBack: Bool) {
    written.insert(range)
    let isInOrder = range.lowerBound == hashed
    if isInOrder { hashed = range.upperBound }
    let early = hashed..<max(hashed, written.prefix)
    hashed = early.upperBound
    unhurried += Int64(range.count)
    let isWorthWriteBack = unhurried >= StagedParts.writeBackStep
    if isWorthWriteBack { unhurried = 0 }
    return (isInOrder, early, isWorthWriteBack)
  }
}

private import Dispatch
import SyncFiles
import SyncLock

/// Writes the bytes of a large file on a thread of its own, and hashes them on another, while the
/// next ones come: each takes about as long as fetching from a fast network does.
///
/// One user at a time. Pieces are written in the order in which they were appended; after one that
/// failed none is.
final class TrailingWriter: @unchecked Sendable {  // what isn't behind the lock belongs to a queue
  /// How much a file has before its bytes are worth the way to another thread.
  static let worthwhile: Int64 = 1 << 20
  /// How much is written before the disk is given it to do.
  private static let writeBackStep: Int64 = 8 << 20

  private let writing = DispatchQueue(label: "mirror.write", qos: .userInitiated)
  private let hashing = DispatchQueue(label: "mirror.hash", qos: .userInitiated)
  private let pool: PiecePool
  private let file: Descriptor
  private let startsWriteBack: Bool
  /// Belongs to `hashing`.
  private var hasher: FileHasher
  /// Belongs to `writing`.
  private var writeBackStarted: Int64
  private let state: Locked<State>

  private struct State {
    var written: Int64
    var failure: Errno?
    /// Whether the user knows of the failure.
    var wasThrown = false
    var isAbandoned = false

    var goesOn: Bool { failure == nil && !isAbandoned }
  }

  /// Goes on with a file at its end, `written` bytes far, and with a hasher that has seen them;
  /// gives pieces back to `pool`.
  init(
    _ file: Descriptor, written: Int64, hasher: consuming FileHasher, pool: PiecePool,
    startsWriteBack: Bool
  ) {
    self.file = file
    self.hasher = hasher
    self.pool = pool
    self.startsWriteBack = startsWriteBack
    writeBackStarted = written
    state = Locked(State(written: written))
  }

  var written: Int64 { state.withLock { $0.written } }

  var failure: Errno? { state.withLock { $0.failure } }

  /// Takes the next piece over. Waits while too many are still to be written.
  /// - Throws: what writing an earlier one has failed with.
  func append(_ piece: Piece) throws(Errno) {
    pool.awaitRoom()
    writing.async { [self] in
      write(piece.bytes)
      hashing.async { [self] in
        if state.withLock({ $0.goesOn }) { hasher.update(piece.bytes) }
        pool.giveBackWritten(piece)
      }
    }
    try throwFailure()
  }

  func settle() throws(Errno) {
    writing.sync {}
    try throwFailure()
  }

  /// The digests of everything that was appended; nothing may follow. Waits for them.
  func finish() -> FileDigests {
    writing.sync {}
    return hashing.sync {
      var finished = FileHasher()
      swap(&hasher, &finished)
      return finished.finish()
    }
  }

  /// Writes no more. What is being written is, when it returns; the file isn't used any more.
  /// - Returns: a failure that wasn't thrown yet.
  @discardableResult
  func abandon() -> Errno? {
    state.withLock { $0.isAbandoned = true }
    writing.sync {}
    hashing.sync {}
    return state.withLock { $0.wasThrown ? nil : $0.failure }
  }

  private func throwFailure() throws(Errno) {
    let failure = state.withLock { state in
      state.wasThrown = state.failure != nil
      return state.failure
    }
    if let failure { throw failure }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    guard state.withLock({ $0.goesOn }) else { return }
    do throws(Errno) {
      try file.write(bytes)
    } catch {
      return state.withLock { $0.failure = error }
    }
    let written = state.withLock { state in
      state.written += Int64(bytes.count)
      return state.written
    }
    guard startsWriteBack, written - writeBackStarted >= Self.writeBackStep else { return }
    // The flush at the end then finds little left to do, and other files' flushes don't wait for
    // this one.
    file.startWriteBack(from: writeBackStarted, count: written - writeBackStarted)
    writeBackStarted = written
  }
}

/// Bytes of a growing file that are written, and hashed, as one.
///
/// One call for 256 KiB costs the system a third of what sixteen for 16 KiB do, which is how a
/// transport hands them over.
final class Piece: @unchecked Sendable {  // handed over, and back, never shared
  static let size = 256 << 10

  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4_096)
  private var count = 0

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Takes as many of the bytes as there is room for, and at most up to `end` bytes in all; gives
  /// the others.
  func take(_ bytes: UnsafeRawBufferPointer, upTo end: Int) -> UnsafeRawBufferPointer {
    let taken = min(bytes.count, end - count)
    UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
    count += taken
    return UnsafeRawBufferPointer(rebasing: bytes[taken...])
  }

  fileprivate func empty() { count = 0 }
}

/// Pieces that are used again: new memory costs as much as hashing what is put into it.
final class PiecePool: Sendable {
  /// How many may wait to be written, of all files together.
  private static let most = 64
  private let room = DispatchSemaphore(value: most)
  private let spare = Locked<[Piece]>([])

  func take() -> Piece {
    spare.withLock { $0.popLast() } ?? Piece()
  }

  func giveBack(_ piece: Piece) {
    piece.empty()
    spare.withLock { if $0.count < Self.most { $0.append(piece) } }
  }

  func awaitRoom() {
    room.wait()
  }

  func giveBackWritten(_ piece: Piece) {
    giveBack(piece)
    room.signal()
  }
}

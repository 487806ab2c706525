private import Dispatch
private import SyncLock

/// Hashes the bytes of a large file on a thread of its own while the next ones come: hashing takes
/// as long as fetching from a fast network does.
///
/// One writer at a time. It waits when four pieces of 256 KiB are still to be hashed.
final class TrailingHasher: @unchecked Sendable {  // each property has one user at a time
  /// How much a file has before its bytes are worth the way to another thread.
  static let worthwhile: Int64 = 1 << 20

  private let queue = DispatchQueue(label: "mirror.hash", qos: .userInitiated)
  private let room = DispatchSemaphore(value: 4)
  private var hasher: SHA256Hasher
  private var piece = Piece()
  /// A piece or two that were hashed, to be filled again: new memory costs as much as hashing does.
  private let spare = Locked<[Piece]>([])

  /// Bytes that are handed over as one.
  private final class Piece: @unchecked Sendable {  // handed over, and back, never shared
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    private var count = 0

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }
    var isFull: Bool { count == memory.count }

    /// Takes as many of the bytes as there is room for; gives the others.
    func take(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      let taken = min(bytes.count, memory.count - count)
      UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
      count += taken
      return UnsafeRawBufferPointer(rebasing: bytes[taken...])
    }

    func empty() { count = 0 }
  }

  /// Goes on with a hasher that has seen the beginning.
  init(_ hasher: consuming SHA256Hasher) {
    self.hasher = hasher
  }

  /// Takes the next bytes, which are copied.
  func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      rest = piece.take(rest)
      if piece.isFull { handOver() }
    }
  }

  /// The digest of everything taken; nothing may follow. Blocks until it is there.
  func finish() -> SHA256Digest {
    handOver()
    return queue.sync {
      var finished = SHA256Hasher()
      swap(&hasher, &finished)
      return finished.finish()
    }
  }

  private func handOver() {
    room.wait()
    let full = piece
    piece = spare.withLock { $0.popLast() } ?? Piece()
    queue.async { [self] in
      hasher.update(full.bytes)
      full.empty()
      spare.withLock { if $0.count < 2 { $0.append(full) } }
      room.signal()
    }
  }
}

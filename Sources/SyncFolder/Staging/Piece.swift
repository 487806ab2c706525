private import Dispatch
internal import SyncLock

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

  /// An empty piece.
  func take() -> Piece {
    spare.withLock { $0.popLast() } ?? Piece()
  }

  func giveBack(_ piece: Piece) {
    piece.empty()
    spare.withLock { if $0.count < Self.most { $0.append(piece) } }
  }

  /// Waits until one more may wait to be written.
  func awaitRoom() {
    room.wait()
  }

  func giveBackWritten(_ piece: Piece) {
    giveBack(piece)
    room.signal()
  }
}

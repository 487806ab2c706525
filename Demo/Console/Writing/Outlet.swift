import Dispatch
import SyncLock
import SyncSystem

/// One place that output leads to. What is to be written waits in a bounded queue for a thread of
/// its own: a reader who doesn't read holds up nothing but what he doesn't read.
public final class Outlet: @unchecked Sendable {  // the state is touched under the lock alone
  /// What happens to a text for which there is no room.
  public enum Weight {
    /// It waits for room: a result. The caller has nothing else to do by then, and is none of
    /// Swift's few threads where there may be much of it (see ``Streams/telling(_:)``).
    case kept
    /// It is left out and counted: what happened to an item while the run goes on.
    case counted
    /// It is left out where anything else waits: how far a run is at a moment.
    case fleeting
  }

  /// Why nothing more can be written.
  public enum End {
    /// Whoever read has stopped of his own accord, and has heard enough.
    case readerGone
    /// It fails; why, in the system's words.
    case failed(String)
  }

  /// The bytes that may wait, or be on their way to the reader.
  private static let room = 4 << 20

  private struct Piece {
    var descriptor: Int32
    var bytes: [UInt8]
    var isKept: Bool
  }

  private struct State {
    var waiting: [Piece] = []
    /// Those of the pieces that are being written, too: they are still held.
    var heldBytes = 0
    var isWriting = false
    var hasThread = false
    var leftOut = 0
    var end: End?
    /// Whether a text that was to be kept couldn't be written.
    var hasLost = false
    /// Until when a reader is waited for; `nil` for as long as it takes.
    var deadline: ContinuousClock.Instant?
  }

  private let condition = Condition()
  private var state = State()

  /// An outlet; one that can't be written to from the start, if it has an end.
  public init(end: End? = nil) {
    state.end = end
  }

  /// Has a text written after all that was to be written before.
  public func write(_ text: String, to descriptor: Int32, _ weight: Weight) {
    write(Array(text.utf8), to: descriptor, weight)
  }

  /// As a text; a piece may end anywhere in one.
  public func write(_ bytes: [UInt8], to descriptor: Int32, _ weight: Weight) {
    let piece = Piece(descriptor: descriptor, bytes: bytes, isKept: weight == .kept)
    condition.lock()
    defer { condition.unlock() }
    if weight == .kept { wait { Self.hasRoom(for: piece, in: $0) } }
    guard state.end == nil, Self.admits(piece, weight, in: state) else {
      state.hasLost = state.hasLost || weight == .kept
      if weight == .counted { state.leftOut += 1 }
      return
    }
    state.waiting.append(piece)
    state.heldBytes += piece.bytes.count
    if !state.hasThread {
      state.hasThread = true
      SystemThread.start { self.writeAll() }
    }
    condition.broadcast()
  }

  /// How many texts were left out since this was asked last.
  public func takeLeftOut() -> Int {
    condition.lock()
    defer { condition.unlock() }
    defer { state.leftOut = 0 }
    return state.leftOut
  }

  /// From now on the reader is waited for until then, and no longer.
  public func hurry(until deadline: ContinuousClock.Instant) {
    condition.lock()
    defer { condition.unlock() }
    state.deadline = deadline
    condition.broadcast()
  }

  /// Waits until everything is written or can't be; says why something that was to be kept
  /// couldn't.
  public func finish() -> String? {
    condition.lock()
    defer { condition.unlock() }
    // What was only just told gets its chance, however late it is.
    state.deadline = state.deadline.map { max($0, .now + .milliseconds(150)) }
    wait { $0.waiting.isEmpty && !$0.isWriting }
    switch state.end {
    case .readerGone: return nil
    case .failed(let reason): return state.hasLost ? reason : nil
    case nil:
      let isDone = state.waiting.isEmpty && !state.isWriting
      return isDone && !state.hasLost ? nil : "nobody read it"
    }
  }

  private static func admits(_ piece: Piece, _ weight: Weight, in state: State) -> Bool {
    switch weight {
    case .kept, .counted: hasRoom(for: piece, in: state)
    case .fleeting: state.waiting.isEmpty && !state.isWriting
    }
  }

  /// A piece that is larger than all room has it alone.
  private static func hasRoom(for piece: Piece, in state: State) -> Bool {
    state.heldBytes == 0 || state.heldBytes + piece.bytes.count <= room
  }

  /// Waits, with the lock, for something that the writing thread brings about, unless it has failed
  /// or there is no time.
  private func wait(until isSo: (State) -> Bool) {
    while !isSo(state), state.end == nil {
      if let deadline = state.deadline {
        let left = deadline - ContinuousClock.now
        guard left > .zero else { return }
        wake(in: left)
      }
      condition.wait()
    }
  }

  /// A condition's own limit goes by the date, which may be wrong or jump.
  private func wake(in time: Duration) {
    DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) {
      self.condition.lock()
      self.condition.broadcast()
      self.condition.unlock()
    }
  }

  private func writeAll() {
    condition.lock()
    while true {
      while state.waiting.isEmpty { condition.wait() }
      let pieces = state.waiting
      (state.waiting, state.isWriting) = ([], true)
      condition.broadcast()
      condition.unlock()
      let (end, rest) = Self.write(pieces)
      condition.lock()
      state.isWriting = false
      state.heldBytes -= pieces.reduce(0) { $0 + $1.bytes.count }
      if let end {
        state.end = end
        state.hasLost = state.hasLost || (rest + state.waiting).contains(where: \.isKept)
        (state.waiting, state.heldBytes) = ([], 0)
      }
      condition.broadcast()
    }
  }

  /// Writes pieces one after the other; what couldn't be written is left, with the reason.
  private static func write(_ pieces: [Piece]) -> (end: End?, rest: ArraySlice<Piece>) {
    for (index, piece) in pieces.enumerated() {
      if let end = write(piece) { return (end, pieces[index...]) }
    }
    return (nil, [])
  }

  private static func write(_ piece: Piece) -> End? {
    var bytes = ArraySlice(piece.bytes)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        SyncSystem.write(piece.descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        // Whoever gave us the stream has made it one that doesn't wait.
        var event = pollfd(fd: piece.descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, -1)
      } else if errno != EINTR {
        return errno == EPIPE ? .readerGone : .failed(String(cString: strerror(errno)))
      }
    }
    return nil
  }
}

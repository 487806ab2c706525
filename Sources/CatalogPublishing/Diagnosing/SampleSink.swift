import SyncFetching
import SyncLock

/// Takes the first bytes of a body, and cuts what follows.
final class SampleSink: ByteSink {
  struct Enough: Error {}

  private struct State {
    var answer: ByteAnswer?
    var bytes: [UInt8] = []
  }

  private let limit: Int
  private let state = Locked(State())

  /// A sink for so many bytes; 0 takes the header alone.
  init(_ limit: Int) {
    self.limit = limit
  }

  /// What the answer says of itself.
  var answer: ByteAnswer? { state.withLock { $0.answer } }

  var bytes: [UInt8] { state.withLock { $0.bytes } }

  func begin(_ answer: ByteAnswer) throws {
    state.withLock { $0 = State(answer: answer) }
    if limit == 0 { throw Enough() }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let isFull = state.withLock { state in
      state.bytes += bytes.prefix(limit - state.bytes.count)
      return state.bytes.count == limit
    }
    if isFull { throw Enough() }
  }
}

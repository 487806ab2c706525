import SyncFetching
import SyncLock
import SyncTransport

/// Takes the first bytes of a body and then ends the transfer.
final class SampleSink: ByteSink {
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

  var answer: ByteAnswer? { state.withLock { $0.answer } }

  var bytes: [UInt8] { state.withLock { $0.bytes } }

  var isFull: Bool { state.withLock { $0.answer != nil && $0.bytes.count == limit } }

  private var full: TransportError {
    TransportError(.bodyTooLarge(limit: Int64(limit)), at: answer?.url ?? "")
  }

  func begin(_ answer: ByteAnswer) throws {
    state.withLock { $0 = State(answer: answer) }
    if limit == 0 { throw full }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let isFull = state.withLock { state in
      state.bytes += bytes.prefix(limit - state.bytes.count)
      return state.bytes.count == limit
    }
    if isFull { throw full }
  }
}

import SyncLock
import SyncTransport
import SynchronizerTesting

/// Keeps what it is told, and does what it is told to in return.
final class RecordingReceiver: BodyReceiver {
  private let onBegin: @Sendable (HTTPHead, Resumption) throws -> Void
  private let onReceive: @Sendable (Int) throws -> Demand
  private let state = Locked(State())
  /// Opened with the first byte.
  let hasReceived = Gate()

  private struct State: Sendable {
    var heads: [HTTPHead] = []
    var bytes: [UInt8] = []
    var calls = 0
  }

  /// A receiver with what else it does; `onReceive` is given the count of bytes so far.
  init(
    onBegin: @escaping @Sendable (HTTPHead, Resumption) throws -> Void = { _, _ in },
    onReceive: @escaping @Sendable (Int) throws -> Demand = { _ in .more }
  ) {
    self.onBegin = onBegin
    self.onReceive = onReceive
  }

  var heads: [HTTPHead] { state.withLock { $0.heads } }
  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var calls: Int { state.withLock { $0.calls } }

  func begin(_ head: HTTPHead, resumption: Resumption) throws {
    state.withLock { state in
      state.calls += 1
      state.heads.append(head)
      state.bytes = []
    }
    try onBegin(head, resumption)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    let count = state.withLock { state in
      state.calls += 1
      state.bytes += bytes
      return state.bytes.count
    }
    hasReceived.open()
    return try onReceive(count)
  }
}

private import SyncLock

/// Collects a body in memory, up to a limit.
///
/// The limit counts bytes after decoding, so a small answer that unpacks to a huge one is cut too.
package final class DataReceiver: BodyReceiver {
  private let limit: Int
  private let state = Locked(State())

  private struct State: Sendable {
    var address = ""
    var bytes: [UInt8] = []
  }

  /// A receiver for at most `limit` bytes; a longer body ends its exchange with the code
  /// `bodyTooLarge`.
  package init(limit: Int) {
    self.limit = limit
  }

  package var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// Starts over; a length over the limit is refused before its first byte.
  package func begin(_ head: HTTPHead, resumption: Resumption) throws {
    try state.withLock { state in
      state.address = head.address.redacted
      state.bytes.removeAll()
      guard case .length(let length) = head.framing else { return }
      guard length <= limit else { throw tooLarge(at: state.address) }
      state.bytes.reserveCapacity(Int(length))
    }
  }

  package func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try state.withLock { state in
      guard state.bytes.count + bytes.count <= limit else { throw tooLarge(at: state.address) }
      state.bytes.append(contentsOf: bytes)
      return .more
    }
  }

  private func tooLarge(at address: String) -> TransportError {
    TransportError(.bodyTooLarge(limit: Int64(limit)), at: address)
  }
}

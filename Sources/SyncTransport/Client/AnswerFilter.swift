private import SyncLock

/// Passes on the body of an answer that is wanted; drops that of any other, and cuts a long one.
final class AnswerFilter: BodyReceiver {
  private let receiver: any BodyReceiver
  private let wanted: Wanted
  private let method: HTTPRequest.Method
  private let state = Locked(State())

  enum Wanted {
    /// Those with a status of 2xx.
    case successes
    /// All but redirects that are followed.
    case every
  }

  private struct State: Sendable {
    var hasHead = false
    var unwanted = false
    var telling: HTTPHead?
    var dropped = 0
    var start: [UInt8] = []
    var refusal: (any Error)?
  }

  /// What is kept of its start, for what it says of a failure.
  private static let worthKeeping = 1024

  /// What is read of an unwanted body so that its connection can be kept.
  private static let worthReading = 64 * 1024

  /// A filter for the answer to one request of that method.
  init(_ receiver: any BodyReceiver, wanted: Wanted, method: HTTPRequest.Method) {
    self.receiver = receiver
    self.wanted = wanted
    self.method = method
  }

  /// The head of an answer whose status says more than how its body ended: the receiver isn't told
  /// of it, or it's a failure that may pass.
  var telling: HTTPHead? { state.withLock { $0.telling } }

  var hasHead: Bool { state.withLock { $0.hasHead } }

  var unwantedStart: [UInt8] { state.withLock { $0.start } }

  var refusal: (any Error)? { state.withLock { $0.refusal } }

  func begin(_ head: HTTPHead, resumption: Resumption) throws {
    let isWanted = wants(head.status)
    state.withLock { ($0.hasHead, $0.telling, $0.unwanted) = (true, nil, false) }
    if !isWanted || TransportError.isTransient(status: head.status) {
      state.withLock { ($0.telling, $0.unwanted) = (head, !isWanted) }
    }
    if isWanted { try note { try receiver.begin(head, resumption: resumption) } }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    let isUnwanted = try state.withLock { state in
      guard state.unwanted else { return false }
      state.dropped += bytes.count
      state.start += bytes.prefix(max(0, Self.worthKeeping - state.start.count))
      if state.dropped > Self.worthReading, let head = state.telling {
        throw TransportError(.bodyTooLarge(limit: Int64(Self.worthReading)), at: head.address)
      }
      return true
    }
    return isUnwanted ? .more : try note { try receiver.receive(bytes) }
  }

  private func wants(_ status: Int) -> Bool {
    switch wanted {
    case .successes: (200...299).contains(status)
    case .every: !RedirectRule.isFollowed(status, to: method)
    }
  }

  private func note<Value>(_ call: () throws -> Value) throws -> Value {
    do {
      return try call()
    } catch {
      state.withLock { $0.refusal = error }
      throw error
    }
  }
}

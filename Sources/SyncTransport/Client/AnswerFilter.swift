private import SyncLock

/// Passes on the body of a success; drops the body of any other answer, and cuts a long one.
final class AnswerFilter: BodyReceiver {
  private let receiver: any BodyReceiver
  private let state = Locked(State())

  private struct State: Sendable {
    var unwanted: HTTPHead?
    var dropped = 0
    var refusal: (any Error)?
  }

  /// Thrown to cut an unwanted body.
  private struct Enough: Error {}

  /// What is read of an unwanted body so that its connection can be kept.
  private static let worthReading = 64 * 1024

  init(_ receiver: any BodyReceiver) {
    self.receiver = receiver
  }

  /// The head of an answer that the receiver isn't told of.
  var unwanted: HTTPHead? { state.withLock { $0.unwanted } }

  /// What the receiver threw.
  var refusal: (any Error)? { state.withLock { $0.refusal } }

  func begin(_ head: HTTPHead, resumption: Resumption) throws {
    guard (200...299).contains(head.status) else {
      state.withLock { $0.unwanted = head }
      return
    }
    try note { try receiver.begin(head, resumption: resumption) }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    let isUnwanted = try state.withLock { state in
      guard state.unwanted != nil else { return false }
      state.dropped += bytes.count
      guard state.dropped <= Self.worthReading else { throw Enough() }
      return true
    }
    return isUnwanted ? .more : try note { try receiver.receive(bytes) }
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

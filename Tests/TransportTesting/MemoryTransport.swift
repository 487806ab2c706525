import SyncLock
package import SyncTransport
import SynchronizerTesting

/// A transport without a network, for tests: each address has its answers, and every request is
/// kept. It holds to the same contract as the real one.
package final class MemoryTransport: Transport {
  private let state = Locked(State())

  private struct State: Sendable {
    var answers: [WebAddress: [Answer]] = [:]
    var log: [HTTPRequest] = []
    var bodies: [[UInt8]] = []
  }

  /// A transport that knows no address: it answers 404 to everything.
  package init() {}

  /// Sets what an address answers: one after the other, the last one for ever.
  package func answer(_ address: WebAddress, with answers: [Answer]) {
    state.withLock { $0.answers[address] = answers }
  }

  /// Sets what an address answers for ever.
  package func answer(_ address: WebAddress, with answer: Answer) {
    self.answer(address, with: [answer])
  }

  /// Every request, in the order in which they came.
  package var log: [HTTPRequest] { state.withLock { $0.log } }

  /// The bodies of these requests; empty where there was none.
  package var bodies: [[UInt8]] { state.withLock { $0.bodies } }

  /// Answers as set; see ``Transport/exchange(_:into:)``.
  package func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let answer = next(for: request, with: try Self.body(of: request))
    answer.arrival?.open()
    try await answer.headGate?.wait()
    if let remote = answer.remote, !request.admits(remote) {
      throw TransportError(.addressRefused, at: request.address, detail: "\(remote)")
    }
    if let remote = answer.remote { request.onConnected(remote) }
    if let refusal = answer.refusal { throw TransportError(refusal, at: request.address) }
    let head = answer.head(for: request)
    let isBodiless = head.framing == .noBody
    let sent = try await deliver(isBodiless ? [] : answer.body, of: answer, head, to: receiver)
    if let breakage = answer.breakage { throw TransportError(breakage, at: request.address) }
    return HTTPResponse(head: head, bodyBytes: sent)
  }

  private static func body(of request: HTTPRequest) throws -> [UInt8] {
    for field in request.headersToSend.fields { try request.requireSendable(field) }
    guard let body = request.bodyToSend else { return [] }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    do {
      while bytes.count < body.length {
        let count = try room.withUnsafeMutableBytes {
          try body.read(at: Int64(bytes.count), into: $0)
        }
        bytes += room[..<count]
      }
      return bytes
    } catch let error as TransportError {
      throw TransportError(.unreadableBody, at: request.address, detail: error.detail)
    }
  }

  private func next(for request: HTTPRequest, with body: [UInt8]) -> Answer {
    state.withLock { state in
      state.log.append(request)
      state.bodies.append(body)
      guard var answers = state.answers[request.address], let first = answers.first else {
        return Answer(status: 404)
      }
      if answers.count > 1 {
        answers.removeFirst()
        state.answers[request.address] = answers
      }
      return first
    }
  }

  private func deliver(
    _ body: [UInt8], of answer: Answer, _ head: HTTPHead, to receiver: any BodyReceiver
  ) async throws -> Int64 {
    let pause = Locked(Gate())
    try receiver.begin(head, resumption: Resumption { pause.withLock { $0 }.open() })
    var start = 0
    while start < body.count {
      try Task.checkCancellation()
      let end = min(body.count, start + max(1, answer.pieceSize))
      // A fresh gate for each piece: a resume during `receive` opens the one that's waited at.
      let gate = Gate()
      pause.withLock { $0 = gate }
      let demand = try body.withUnsafeBytes { bytes in
        try receiver.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
      start = end
      if start < body.count || answer.breakage != nil {
        if demand == .pause { try await gate.wait() }
        try await answer.bodyGate?.wait()
      }
    }
    try Task.checkCancellation()
    return Int64(body.count)
  }
}

import SyncLock
import SyncTransport
import TransportTesting

/// A web site in memory: each address has its answers, as in `MemoryTransport`; besides, one with
/// an `ETag` answers 304 to who has it, and a test may act whenever a request comes.
final class Site: Transport {
  typealias Answer = MemoryTransport.Answer
  typealias Responder = @Sendable (_ request: HTTPRequest) -> Answer?
  typealias Hook = @Sendable (_ request: HTTPRequest, _ number: Int) async throws -> Void

  private struct State {
    var answers: [WebAddress: [Answer]] = [:]
    var log: [HTTPRequest] = []
    var hook: Hook?
    var responder: Responder?
  }

  private let state = Locked(State())

  /// Every request, in the order in which they came.
  var log: [HTTPRequest] { state.withLock { $0.log } }

  /// The addresses of all requests, without scheme and host.
  var asked: [String] { log.map(\.address.path) }

  func forgetLog() { state.withLock { $0.log = [] } }

  /// What happens before a request is answered; its number counts from 1, since the log was
  /// forgotten last.
  func onRequest(_ hook: Hook?) { state.withLock { $0.hook = hook } }

  /// Answers first, where it has an answer.
  func respond(_ responder: Responder?) { state.withLock { $0.responder = responder } }

  /// Sets what an address answers: one after the other, the last one for ever.
  func answer(_ url: String, _ answers: Answer...) throws {
    let address = try WebAddress(url)
    state.withLock { $0.answers[address] = answers }
  }

  /// Sets what all addresses answer, at once: no request meets a part of the old and of the new.
  func publish(_ answers: [String: Answer]) throws {
    let lists = try answers.map { (try WebAddress($0), [$1]) }
    let byAddress = Dictionary(lists, uniquingKeysWith: +)
    state.withLock { $0.answers = byAddress }
  }

  /// Forgets all addresses: they answer 404.
  func clear() { state.withLock { $0.answers = [:] } }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    let (number, hook) = state.withLock { state in
      state.log.append(request)
      return (state.log.count, state.hook)
    }
    try await hook?(request, number)
    let memory = MemoryTransport()
    let own = state.withLock { $0.responder }?(request)
    memory.answer(request.address, with: own ?? next(for: request))
    return try await memory.exchange(request, into: receiver)
  }

  private func next(for request: HTTPRequest) -> Answer {
    state.withLock { state in
      guard var answers = state.answers[request.address], let first = answers.first else {
        return Answer(status: 404)
      }
      if answers.count > 1 {
        answers.removeFirst()
        state.answers[request.address] = answers
      }
      if let tag = first.headers["ETag"], request.headers["If-None-Match"] == tag {
        return Answer(status: 304, headers: first.headers)
      }
      return first
    }
  }
}

extension MemoryTransport.Answer {
  /// A text with headers.
  static func text(_ text: String, _ headers: (String, String)...) -> Self {
    Self(headers: HTTPHeaders(headers), body: Array(text.utf8))
  }

  /// A status without a body.
  static func status(_ status: Int, _ headers: (String, String)...) -> Self {
    Self(status: status, headers: HTTPHeaders(headers))
  }
}

import SyncLock
import DocumentSync
import DocumentTesting

/// A good endpoint with one flaw.
struct FlawedEndpoint: DocumentEndpoint {
  let flaw: Flaw
  let inner: ReferenceEndpoint
  let server: ReferenceServer
  let memory = Locked(FlawMemory())

  init(_ flaw: Flaw, _ inner: ReferenceEndpoint, server: ReferenceServer) {
    self.flaw = flaw
    self.inner = inner
    self.server = server
  }

  func capabilities() async throws -> EndpointCapabilities { try await inner.capabilities() }

  func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    if flaw == .tellsItsTokenInErrors {
      throw EndpointError(
        .refused(status: 500, words: "\(inner.token) broke it", subject: .document))
    }
    do {
      var reply = try await list(flaw == .mixesCollections ? "one" : collection, place)
      if case .page(let page) = reply.end { reply.end = .page(try bend(page, at: place)) }
      switch (flaw, reply.end, place) {
      case (.neverForgets, .forgot, _): reply.end = .unchanged
      case (.forgetsAtOnce, _, .since): reply.end = .forgot
      default: break
      }
      return reply
    } catch let error as EndpointError where flaw == .seesEmptyListsInPortals {
      guard case .unreadable = error.reason else { throw error }
      return EndpointReply<ChangesAnswer>(.page(ChangePage(extent: .everything, documents: [])))
    } catch is CancellationError where flaw == .wrapsCancellation {
      throw EndpointError(.lost)
    }
  }

  func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    if flaw == .deniesWhatItSent, Task.isCancelled {
      let (endpoint, request) = (inner, request)
      await Task.detached { _ = await endpoint.push(request) }.value
      return EndpointReply<PushEnd>(.unreachable)
    }
    var reply = await answer(to: bend(request))
    if case .answered(var answer) = reply.end {
      bend(&answer, to: request)
      reply.end = .answered(answer)
    }
    switch (flaw, reply.end) {
    case (.keepsNoAnswers, _): reply.notes.call = nil
    case (.hearsNoWishes, _): reply.notes.wishes = ServerWishes()
    case (.hidesStatuses, .answered(let answer)) where answer.status >= 500: reply.end = .lost
    case (.believesPortals, .unreadable): reply.end = .answered(PushAnswer(status: 204))
    case (.deniesLosses, .lost): reply.end = .unreachable
    default: break
    }
    return reply
  }

  func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    var reply = await inner.push(batch: requests)
    if flaw == .believesPortalsForMany, reply.end == .whole(.unreadable) {
      reply.end = .whole(.answered(PushAnswer(status: 200)))
    }
    guard case .parts(let parts) = reply.end else { return reply }
    switch flaw {
    case .judgesBatchesAsAWhole where parts.contains { $0.end.status == 412 }:
      reply.end = .whole(.answered(PushAnswer(status: 412)))
    case .shufflesParts: reply.end = .parts(parts.reversed())
    case .dropsParts: reply.end = .parts(parts.filter { $0.end.status != 412 })
    default: break
    }
    return reply
  }
}

/// What a flawed endpoint remembers.
struct FlawMemory {
  var snapshot: [DocumentChange] = []
  var count = 0
}

extension PushEnd {
  fileprivate var status: Int? {
    guard case .answered(let answer) = self else { return nil }
    return answer.status
  }
}

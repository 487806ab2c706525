import SyncLock
@testable import DocumentSync

/// A server of one collection whose answers to pushes the test writes. It has no lists, unless the
/// test gives it some.
final class AnsweringEndpoint: DocumentEndpoint {
  /// Says what a request is answered.
  typealias Answering = @Sendable (PushRequest) -> EndpointReply<PushEnd>

  private let capabilities: EndpointCapabilities
  /// Whether it makes the ids of its documents.
  private let makesKeys: Bool
  private let state: Locked<State>

  private struct State {
    var answer: Answering
    var asked: [SendKind] = []
    var list: ChangesAnswer?
  }

  init(
    _ features: Set<EndpointCapabilities.Feature>, batchEntries: Int = 1,
    makesKeys: Bool = false, _ answer: @escaping Answering
  ) {
    self.makesKeys = makesKeys
    capabilities = EndpointCapabilities(features: features, batchEntries: batchEntries)
    state = Locked(State(answer: answer))
  }

  /// What was asked, in order.
  var asked: [SendKind] { state.withLock { $0.asked } }

  /// From now on it answers so.
  func answer(_ answer: @escaping Answering) { state.withLock { $0.answer = answer } }

  /// From now on each list is this page.
  func list(_ extent: ChangePage.Extent, _ entries: [(id: DocumentID, state: DocumentState)]) {
    let page = ChangePage(extent, of: entries, checkpoint: "1")
    state.withLock { $0.list = .page(page) }
  }

  func capabilities() async throws -> EndpointCapabilities { capabilities }

  func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    EndpointReply<ChangesAnswer>(state.withLock { $0.list } ?? .withoutLists)
  }

  func makesKeys(in collection: String) -> Bool { makesKeys }

  func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    let answer = state.withLock { state in
      state.asked.append(request.kind)
      return state.answer
    }
    return answer(request)
  }

  /// Takes everything as it is.
  static let taking: Answering = { _ in
    EndpointReply<PushEnd>(.answered(PushAnswer(status: 200, version: DocumentVersion("1"))))
  }

  /// Has this of every document.
  static func showing(_ value: DocumentValue, _ version: String) -> Answering {
    { _ in
      let copy = ServerCopy(value: value, version: DocumentVersion(version))
      return EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 200, version: copy.version, shown: .present(copy))))
    }
  }
}

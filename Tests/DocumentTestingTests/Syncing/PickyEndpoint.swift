import SyncLock
import DocumentSync
import DocumentTesting

/// A server that refuses documents with a member `bad`.
struct PickyEndpoint: DocumentEndpoint {
  let inner: ReferenceEndpoint
  /// The ids of what was refused, in order.
  let refused = Locked<[String]>([])

  init(_ inner: ReferenceEndpoint) { self.inner = inner }

  func capabilities() async throws -> EndpointCapabilities {
    var capabilities = try await inner.capabilities()
    capabilities.batchEntries = 1
    return capabilities
  }

  func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    try await inner.changes(in: collection, from: place)
  }

  func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    switch request.kind {
    case .create, .update:
      guard request.body?["bad"] != nil else { return await inner.push(request) }
      refused.withLock { $0.append(request.id.text) }
      return EndpointReply<PushEnd>(.answered(PushAnswer(status: 422, words: "it's bad")))
    case .delete, .look: return await inner.push(request)
    }
  }
}

import DocumentTesting
import Foundation

@testable import DocumentSync

/// A server at which each account has documents of its own, as whoever is signed in sees it: behind
/// it stands a server in memory for each.
struct AccountsEndpoint: DocumentEndpoint {
  let accounts: [String: ReferenceEndpoint]
  let authorization: AuthorizationSource

  static func password(of name: String) -> String { "the password of \(name)" }

  /// The documents of whoever a request says that it's made for.
  private func inner() async throws -> ReferenceEndpoint {
    let said = try await authorization()
    let known = accounts.first { name, _ in
      let pair = Data("\(name):\(Self.password(of: name))".utf8).base64EncodedString()
      return said == "Basic \(pair)"
    }
    guard let known else {
      throw EndpointError(.refused(status: 401, words: "who is that?", subject: .collection))
    }
    return known.value
  }

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner().capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner().changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard let inner = try? await inner() else { return EndpointReply<PushEnd>(.unreachable) }
    return await inner.push(request)
  }

  @concurrent func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    guard let inner = try? await inner() else {
      return EndpointReply<BatchEnd>(.whole(.unreachable))
    }
    return await inner.push(batch: requests)
  }
}

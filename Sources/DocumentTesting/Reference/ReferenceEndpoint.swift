public import DocumentSync
import SyncText

/// A ``ReferenceServer`` as one account sees it.
public struct ReferenceEndpoint: NewsEndpoint {
  let server: ReferenceServer
  /// Who it is: so the server's witness calls those who wrote.
  package let name: String

  /// A token that its requests carry, and that must appear nowhere.
  package var token: String { "token of \(name)" }

  /// What the server can do.
  @concurrent public func capabilities() async throws -> EndpointCapabilities {
    let call = try ask(.capabilities)
    guard case .capabilities(let capabilities) = call.reply else { throw call.error }
    return capabilities
  }

  /// What has changed in a collection.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try list(collection, place, ListPart())
  }

  /// The same of documents whose members have a filter's values.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    var part = ListPart()
    part.filter = filter
    return try list(collection, place, part)
  }

  /// The ids of such documents.
  @concurrent public func ids(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    var part = ListPart()
    (part.filter, part.isOfIDs) = (filter, true)
    return try list(collection, place, part)
  }

  private func list(
    _ collection: String, _ place: ChangesPlace, _ part: ListPart
  ) throws -> EndpointReply<ChangesAnswer> {
    let call = try ask(.changes(in: collection, from: place, part))
    guard case .changes(let answer) = call.reply else { throw call.error }
    return EndpointReply<ChangesAnswer>(answer, notes: call.notes)
  }

  /// Whether the server gives the documents of a collection ids of its own.
  public func makesKeys(in collection: String) -> Bool {
    server.manners.serverKeys.contains(collection)
  }

  /// A document's id; that of one with an id of the server's own is a number.
  public func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue {
    makesKeys(in: collection)
      ? Int64(id.text).map { DocumentValue($0) } ?? DocumentValue(id.text)
      : DocumentValue(id.text)
  }

  /// Stores, removes or shows a document.
  @concurrent public func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard !Task.isCancelled else { return EndpointReply<PushEnd>(.unreachable) }
    let call = ReferenceCall(self, .push(request))
    guard case .push(let answer) = call.reply else { return EndpointReply<PushEnd>(call.error) }
    return EndpointReply<PushEnd>(.answered(answer), notes: call.notes)
  }

  /// Stores, removes or shows many documents.
  @concurrent public func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    guard !Task.isCancelled else { return EndpointReply<BatchEnd>(.whole(.unreachable)) }
    let call = ReferenceCall(self, .batch(requests))
    guard case .batch(let answers) = call.reply else {
      return EndpointReply<BatchEnd>(.whole(call.error.end), notes: call.notes)
    }
    return EndpointReply<BatchEnd>(
      .parts(answers.map { EndpointReply<PushEnd>(.answered($0)) }), notes: call.notes)
  }

  /// Has a file stored, found, read or removed.
  @concurrent public func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    let call = try ask(.file(request))
    guard case .file(let end) = call.reply else { throw call.error }
    return EndpointReply<FileEnd>(end, notes: call.notes)
  }

  /// Waits for a change of the collections; no fault befalls it.
  @concurrent public func waitForNews(since checkpoints: [String: String?]) async throws {
    try await server.waitForNews(since: checkpoints)
  }

  private func ask(_ request: ServerRequest) throws -> ReferenceCall {
    try Task.checkCancellation()
    return ReferenceCall(self, request)
  }
}

/// A call that was made, in an endpoint's words.
struct ReferenceCall {
  let reply: ServerReply
  let notes: CallNotes

  init(_ endpoint: ReferenceEndpoint, _ request: ServerRequest) {
    let exchange = endpoint.server.call(request, from: endpoint.name)
    reply = exchange.reply
    notes = CallNotes(
      wishes: exchange.wishes, date: exchange.date,
      call: Self.record(of: request, exchange, token: endpoint.token))
  }

  /// Why there is no answer to a question.
  var error: EndpointError {
    let reason: EndpointError.Reason =
      switch reply {
      case .refused(let answer):
        .refused(status: answer.status, words: answer.words, subject: answer.subject)
      case .unreachable: .unreachable
      case .lost: .lost
      case .garbled, .capabilities, .changes, .push, .batch, .file: .unreadable("it is no JSON")
      }
    return EndpointError(reason, notes: notes)
  }

  /// The call as it is shown. Requests and portals speak of the token, which is taken out.
  private static func record(
    of request: ServerRequest, _ exchange: ServerExchange, token: String
  ) -> EndpointCall {
    let (status, body) = said(exchange.reply, token: token)
    let wishes: [(String, Duration?)] = [
      ("Retry-After", exchange.wishes.retryAfter), ("Backoff", exchange.wishes.backoff),
    ]
    return EndpointCall(
      request.method, "https://reference.example\(request.path)?access_token=\(token)",
      status: status,
      fields: wishes.compactMap { name, wait in
        wait.map { (name, "\($0.components.seconds)") }
      },
      body: Array(body.utf8),
      problem: exchange.reply == .garbled ? "at byte 0 stands what begins no value" : nil,
      secrets: [token])
  }

  private static func said(_ reply: ServerReply, token: String) -> (status: Int?, body: String) {
    switch reply {
    case .lost, .unreachable: (nil, "")
    case .garbled: (200, "<html>welcome, \(token), to the network of this hotel</html>")
    case .refused(let answer), .push(let answer):
      (answer.status, answer.words.isEmpty ? "" : DocumentValue(answer.words).text)
    case .capabilities, .changes, .batch, .file: (200, "{}")
    }
  }
}

extension ServerRequest {
  fileprivate var method: String {
    switch self {
    case .capabilities, .changes, .file(.find), .file(.read): "GET"
    case .batch, .file(.store): "POST"
    case .file(.remove): "DELETE"
    case .push(let send):
      switch send.kind {
      case .create, .update: "PUT"
      case .delete: "DELETE"
      case .look: "GET"
      }
    }
  }

  fileprivate var path: String {
    switch self {
    case .capabilities: "/"
    case .batch: "/batch"
    case .file: "/files"
    case .changes(let collection, _, _): "/\(PercentEncoding.encode(path: collection.utf8))"
    case .push(let send):
      "/\(PercentEncoding.encode(path: send.collection.utf8))"
        + "/\(PercentEncoding.encode(path: send.id.text.utf8))"
    }
  }
}

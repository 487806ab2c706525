import DocumentSync

/// What came in place of what a test asked for.
struct OtherReply: Error { var text: String }

extension DocumentEndpoint {
  /// What a request is answered; an error where no answer comes.
  func answer(to request: PushRequest) async throws -> PushAnswer {
    try await push(request).answered
  }

  /// A page of a list; an error where something else comes.
  func page(_ collection: String, _ place: ChangesPlace) async throws -> ChangePage {
    let reply = try await changes(in: collection, from: place)
    guard case .page(let page) = reply.end else { throw OtherReply(text: "\(reply.end)") }
    return page
  }
}

extension EndpointReply<PushEnd> {
  var answered: PushAnswer {
    get throws {
      guard case .answered(let answer) = end else { throw OtherReply(text: "\(end)") }
      return answer
    }
  }
}

extension EndpointReply<BatchEnd> {
  /// What the parts are answered, each by itself.
  var answered: [PushAnswer] {
    get throws {
      guard case .parts(let parts) = end else { throw OtherReply(text: "\(end)") }
      return try parts.map { try $0.answered }
    }
  }
}

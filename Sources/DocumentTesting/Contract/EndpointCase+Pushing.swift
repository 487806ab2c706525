import DocumentSync

/// Asking for documents to be stored and removed.
extension EndpointCase {
  /// Asks for one document, and looks at what is kept of the call.
  func push(_ send: PushRequest) async -> PushReply {
    let reply = await endpoint.push(send)
    hear(reply.notes, reply.end.words)
    return reply
  }

  /// Stores a new document, which must succeed.
  @discardableResult
  func create(
    _ id: DocumentID, _ body: DocumentValue? = nil, key: String? = nil
  ) async throws -> Held {
    let body = try body ?? fixture.document(id, saying: "first")
    return try accepted(
      await push(.create(id, body, in: fixture.collection, key: key ?? freshKey())), id, body)
  }

  /// Stores as many documents as three pages hold, less one.
  func createPages() async throws -> [Held] {
    var all: [Held] = []
    for number in 0..<(3 * fixture.pageSize - 1) {
      all.append(try await create(id("page\(number)")))
    }
    return all
  }

  /// Changes a document, which must succeed.
  @discardableResult
  func update(_ held: Held, saying text: String) async throws -> Held {
    let body = try fixture.document(held.id, saying: text)
    let send = PushRequest.update(
      held.id, body, from: held.version, in: fixture.collection, key: freshKey())
    let new = try accepted(await push(send), held.id, body)
    if new.version == held.version { report(.versionUsedAgain, held.id) }
    return new
  }

  /// Removes a document, which must succeed.
  func delete(_ held: Held) async throws {
    let reply = await push(
      .delete(held.id, from: held.version, in: fixture.collection, key: freshKey()))
    guard reply.isSuccess else {
      report(.callFailed(reply.end.summary), held.id)
      throw CaseIsOver()
    }
    expectNone(held.id)
  }

  /// A request whose condition isn't met: it must be answered with a conflict, which shows what is
  /// there if it shows anything.
  func conflict(_ send: PushRequest) async {
    let reply = await push(send)
    guard let answer = reply.end.answer, [409, 412].contains(answer.status) else {
      return report(.noConflict(reply.end.summary), send.id)
    }
    if let shown = answer.shown, !isExpected(shown, send.id) { report(.wrongShown, send.id) }
  }

  private func isExpected(_ shown: DocumentState, _ id: DocumentID) -> Bool {
    guard let held = expected[id] else { return shown.copy == nil }
    return shown.copy?.value == held.body && shown.copy?.version == held.version
  }
}

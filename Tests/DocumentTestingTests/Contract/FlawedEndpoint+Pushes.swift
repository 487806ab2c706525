import DocumentTesting
import DocumentSync

/// What is wrong with its pushes.
extension FlawedEndpoint {
  func bend(_ send: PushRequest) -> PushRequest {
    switch flaw {
    case .mixesCollections: send.with(collection: "one", key: send.idempotencyKey)
    case .ignoresKeys, .doesItTwice: send.with(collection: send.collection, key: nil)
    default: send
    }
  }

  func answer(to send: PushRequest) async -> EndpointReply<PushEnd> {
    if flaw == .swallowsUpdates, case .update = send.kind {
      return EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 200, version: DocumentVersion("new"))))
    }
    let reply = await inner.push(send)
    guard case .answered(let answer) = reply.end else { return reply }
    switch (flaw, send.kind, answer.shown) {
    case (.overwrites, .create, .present(let copy)?), (.overwrites, .update, .present(let copy)?),
      (.doesItTwice, .create, .present(let copy)?), (.doesItTwice, .update, .present(let copy)?):
      return await overwrite(copy, with: send) ?? reply
    case (.overwritesAndRefuses, .create, .present(let copy)?),
      (.overwritesAndRefuses, .update, .present(let copy)?):
      _ = await overwrite(copy, with: send)
      return reply
    case (.removesWhateverIsThere, .delete, .present(let copy)?):
      return await inner.push(.delete(send.id, from: copy.version, in: send.collection, key: nil))
    case (.bringsBack, .update, .deleted?):
      guard let body = send.body else { return reply }
      return await inner.push(.create(send.id, body, in: send.collection, key: nil))
    default: return reply
    }
  }

  private func overwrite(_ copy: ServerCopy, with send: PushRequest) async -> EndpointReply<
    PushEnd
  >? {
    guard let body = send.body else { return nil }
    return await inner.push(
      .update(send.id, body, from: copy.version, in: send.collection, key: nil))
  }

  func bend(_ answer: inout PushAnswer, to send: PushRequest) {
    switch (flaw, send.kind) {
    case (.answersAnotherVersion, .create): answer.version = DocumentVersion("another")
    case (.keepsVersions, .update(let old)): answer.version = old
    case (.showsNothing, .look): answer.shown = nil
    case (.showsSomethingElse, .update) where answer.status == 412:
      answer.shown = .deleted(nil)
    case (.failsOnAbsence, .delete) where answer.status == 410: answer = PushAnswer(status: 400)
    case (.takesUnreadableForAbsent, .look) where answer.shown == nil:
      answer = PushAnswer(status: 404)
    case (.tellsItsToken, _): answer.words += inner.token
    default: break
    }
  }
}

extension PushRequest {
  fileprivate func with(collection: String, key: String?) -> PushRequest {
    switch (kind, body) {
    case (.create, let body?): .create(id, body, in: collection, key: key)
    case (.update(let version), let body?):
      .update(id, body, from: version, in: collection, key: key)
    case (.delete(let version), _): .delete(id, from: version, in: collection, key: key)
    case (.look, _), (.create, nil), (.update, nil): .look(at: id, in: collection)
    }
  }
}

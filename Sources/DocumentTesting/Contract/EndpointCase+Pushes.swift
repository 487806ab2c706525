import DocumentSync

extension EndpointCase {
  func createOverExisting() async throws {
    try require(.preconditions)
    let held = try await create(id("one"))
    let other = try fixture.document(held.id, saying: "other")
    await conflict(.create(held.id, other, in: fixture.collection, key: freshKey()))
    try await judgeUntouched()
    try await update(held, saying: "second")
    try await judgeAll()
  }

  func staleUpdate() async throws {
    try require(.preconditions)
    let held = try await create(id("one"))
    try await update(held, saying: "second")
    let late = try fixture.document(held.id, saying: "late")
    await conflict(
      .update(held.id, late, from: held.version, in: fixture.collection, key: freshKey()))
    try await judgeUntouched()
  }

  func staleDeletion() async throws {
    try require(.preconditions)
    let held = try await create(id("one"))
    try await update(held, saying: "second")
    await conflict(
      .delete(held.id, from: held.version, in: fixture.collection, key: freshKey()))
    try await judgeUntouched()
  }

  /// What a refused request has changed must be told as such.
  private func judgeUntouched() async throws {
    let replica = try await replica()
    for (id, held) in expected where replica.documents[id]?.version != held.version {
      report(.refusedWithEffect, id)
    }
    judge(replica)
  }

  func updateOfDeleted() async throws {
    try require(.preconditions)
    let held = try await create(id("one"))
    try await delete(held)
    let body = try fixture.document(held.id, saying: "late")
    let reply = await push(
      .update(held.id, body, from: held.version, in: fixture.collection, key: freshKey()))
    if reply.isSuccess { report(.broughtBack, held.id) }
    try await judgeAll()
  }

  func repeatedDeletion() async throws {
    let held = try await create(id("one"))
    try await delete(held)
    let reply = await push(
      .delete(held.id, from: held.version, in: fixture.collection, key: freshKey()))
    if !reply.isSuccess, !reply.tellsAbsence {
      report(.absenceNotTold(reply.end.summary), held.id)
    }
    try await judgeAll()
  }

  /// Each request is sent again, at once and after the document has been changed.
  func repeatedKey() async throws {
    try require(.idempotencyKeys)
    let id = id("one")
    let first = PushRequest.create(
      id, try fixture.document(id, saying: "first"), in: fixture.collection, key: freshKey())
    let version = try await sendTwice(first)
    let second = PushRequest.update(
      id, try fixture.document(id, saying: "second"), from: version, in: fixture.collection,
      key: freshKey())
    let newer = try await sendTwice(second)
    await sendAgain(first, answered: version)
    try await judgeOneEffect()
    _ = try await sendTwice(.delete(id, from: newer, in: fixture.collection, key: freshKey()))
    await sendAgain(second, answered: newer)
    try await judgeOneEffect()
  }

  private func sendTwice(_ send: PushRequest) async throws -> DocumentVersion {
    let reply = await push(send)
    let version: DocumentVersion
    if let body = send.body {
      version = try accepted(reply, send.id, body).version
    } else {
      guard reply.isSuccess else {
        report(.callFailed(reply.end.summary), send.id)
        throw CaseEnd.over
      }
      expectNone(send.id)
      version = reply.end.answer?.version ?? DocumentVersion("")
    }
    await sendAgain(send, answered: version)
    try await judgeOneEffect()
    return version
  }

  private func sendAgain(_ send: PushRequest, answered version: DocumentVersion) async {
    let again = await push(send)
    let isSame = again.isSuccess && (again.end.answer?.version ?? DocumentVersion("")) == version
    if !isSame { report(.answeredOtherwise(again.end.summary), send.id) }
  }

  private func judgeOneEffect() async throws {
    let replica = try await replica()
    for id in Set(expected.keys).union(replica.documents.keys)
    where replica.documents[id]?.version != expected[id]?.version {
      report(.secondEffect, id)
    }
  }

  func batch() async throws {
    guard capabilities.batchEntries > 1 else {
      throw CaseEnd.notChecked("the server takes no batches")
    }
    if capabilities.has(.preconditions) { try await mixedBatch() }
    var sends: [PushRequest] = []
    for number in 0..<min(capabilities.batchEntries, 200) {
      let id = id("many\(number)")
      sends.append(
        .create(
          id, try fixture.document(id, saying: "\(number)"), in: fixture.collection,
          key: freshKey()))
    }
    for (send, part) in zip(sends, try await parts(of: sends)) { note(part, of: send) }
    try await judgeAll()
  }

  /// One that is refused stands before one that isn't.
  private func mixedBatch() async throws {
    let held = try await create(id("held"))
    try await update(held, saying: "second")
    let late = try fixture.document(held.id, saying: "late")
    let id = id("new")
    let sends = [
      PushRequest.update(
        held.id, late, from: held.version, in: fixture.collection, key: freshKey()),
      .create(
        id, try fixture.document(id, saying: "new"), in: fixture.collection, key: freshKey()),
    ]
    let parts = try await parts(of: sends)
    guard parts.count == 2 else { return }
    if ![409, 412].contains(parts[0].end.answer?.status) {
      report(.partMisjudged(parts[0].end.summary), held.id)
    }
    note(parts[1], of: sends[1])
    try await judgeAll()
  }

  private func parts(of sends: [PushRequest]) async throws -> [EndpointReply<PushEnd>] {
    let reply = await endpoint.push(batch: sends)
    hear(reply.notes)
    switch reply.end {
    case .parts(let parts) where parts.count == sends.count:
      for part in parts { hear(part.notes, part.end.words) }
      return parts
    case .parts(let parts): report(.noParts("\(parts.count) parts for \(sends.count)"))
    case .whole(let end): report(.noParts(end.summary))
    }
    throw CaseEnd.over
  }

  private func note(_ part: EndpointReply<PushEnd>, of send: PushRequest) {
    guard let body = send.body, part.isSuccess, part.end.answer?.version != nil else {
      return report(.partMisjudged(part.end.summary), send.id)
    }
    _ = try? accepted(part, send.id, body)
  }
}

import DocumentSync

extension EndpointCase {
  func unreadableDocument() async throws {
    try await create(id("a"))
    var replica = try await replica()
    let broken = try await create(id("b"))
    try await create(id("c"))
    guard try await fixture.setReadable(false, broken.id) else {
      throw CaseEnd.notChecked("all documents of the fixture can be read; see setReadable")
    }
    try await follow(&replica)
    judge(replica, unreadable: broken)
    judge(try await self.replica(), unreadable: broken)
    let shown = await push(.look(at: broken.id, in: fixture.collection))
    if shown.tellsAbsence { report(.unreadableTakenForAbsent, broken.id) }
    guard try await fixture.setReadable(true, broken.id) else { return }
    let mended = await push(.look(at: broken.id, in: fixture.collection))
    if mended.end.answer?.shown?.copy?.value != broken.body {
      report(.callFailed("a look at it once it could be read: \(mended.end.summary)"), broken.id)
    }
  }

  private func judge(_ replica: ReplicaModel, unreadable broken: Held) {
    if replica.documents[broken.id] != nil { report(.wrongContent, broken.id) }
    let isTold = replica.unreadable.contains { $0.id == nil || $0.id == broken.id }
    if !isTold { report(.unreadableNotTold, broken.id) }
    for id in expected.keys.sorted() where id != broken.id && replica.documents[id] == nil {
      report(.notListed, id)
    }
  }

  func forgetting() async throws {
    try require(.changes)
    for name in ["a", "b"] { try await create(id(name)) }
    let replica = try await replica()
    guard let checkpoint = replica.checkpoint else { throw CaseEnd.over }
    guard try await fixture.forgetEverything() else {
      throw CaseEnd.notChecked("the fixture's server forgets nothing; see forgetEverything")
    }
    expectNothing()
    try await judgeForgotten(checkpoint)
    try await judgeAll()
    // One that has documents again is as good as another one.
    try await create(id("c"))
    try await judgeForgotten(checkpoint)
    try await judgeAll()
  }

  private func judgeForgotten(_ checkpoint: String) async throws {
    let reply = try await endpoint.changes(in: fixture.collection, from: .since(checkpoint))
    hear(reply.notes)
    if reply.end != .forgot { report(.forgettingNotTold) }
  }

  func revival() async throws {
    try require(.revivals)
    let held = try await create(id("one"))
    var replica = try await replica()
    try await delete(held)
    let body = try fixture.document(held.id, saying: "another")
    let reply = await push(.create(held.id, body, in: fixture.collection, key: freshKey()))
    guard reply.isSuccess else {
      throw CaseEnd.notChecked("the server makes nothing anew: \(reply.end.summary)")
    }
    try accepted(reply, held.id, body)
    try await follow(&replica)
    judge(replica)
    switch replica.told[held.id] {
    case .revived: break
    case .present, .deleted, .forgotten, nil: report(.revivalNotTold, held.id)
    }
  }

  func collections() async throws {
    guard let other = fixture.otherCollection else {
      throw CaseEnd.notChecked("the fixture has one collection; see otherCollection")
    }
    try await create(id("mine"))
    var replica = try await replica()
    let id = id("theirs")
    let body = try fixture.document(id, saying: "theirs")
    let reply = await push(.create(id, body, in: other, key: freshKey()))
    guard reply.isSuccess else {
      report(.callFailed(reply.end.summary), id)
      throw CaseEnd.over
    }
    try await follow(&replica)
    if replica.told[id] != nil { report(.foreign, id) }
    if try await self.replica().told[id] != nil { report(.foreign, id) }
    let shown = await push(.look(at: id, in: fixture.collection))
    if shown.isSuccess, shown.end.answer?.shown?.copy != nil { report(.foreign, id) }
  }

  /// Calls are cancelled from their beginning, and while they are under way.
  func cancelling() async throws {
    try await create(id("before"))
    for steps in [0, 1, 3, 10, 100] {
      try await cancelledPush(after: steps)
      try await cancelledList(after: steps)
    }
  }

  private func cancelledPush(after steps: Int) async throws {
    let id = id("cancelled\(steps)")
    let body = try fixture.document(id, saying: "cancelled")
    let send = PushRequest.create(id, body, in: fixture.collection, key: freshKey())
    let endpoint = endpoint
    let reply = await cancelled(after: steps) { await endpoint.push(send) }
    hear(reply.notes, reply.end.words)
    let isThere = await push(.look(at: id, in: fixture.collection)).end.answer?.shown?.copy != nil
    switch reply.end {
    case .unreachable, .impossible: if isThere { report(.untrueEnd, id) }
    case .answered: if reply.isSuccess, !isThere { report(.notListed, id) }
    case .lost, .unreadable: break
    }
  }

  private func cancelledList(after steps: Int) async throws {
    let (endpoint, collection) = (endpoint, fixture.collection)
    let failure = await cancelled(after: steps) { () async -> (any Error)? in
      do {
        _ = try await endpoint.changes(in: collection, from: .beginning)
        return nil
      } catch {
        return error
      }
    }
    if let failure, !(failure is CancellationError) {
      report(.cancellationWrapped("\(failure)"))
    }
  }

  private func cancelled<Value: Sendable>(
    after steps: Int, _ call: @escaping @Sendable () async -> Value
  ) async -> Value {
    await withTaskGroup(of: Value.self) { group in
      if steps == 0 { group.cancelAll() }
      group.addTask { await call() }
      for _ in 0..<steps { await Task.yield() }
      group.cancelAll()
      for await value in group { return value }
      return await call()
    }
  }

  func notes() async throws {
    let held = try await create(id("one"))
    let none = id("none")
    let refused = [
      PushRequest.look(at: none, in: fixture.collection),
      .update(
        none, held.body, from: held.version, in: fixture.collection, key: freshKey()),
      .delete(none, from: held.version, in: fixture.collection, key: freshKey()),
    ]
    for send in refused {
      let reply = await push(send)
      guard let answer = reply.end.answer, !(200...299).contains(answer.status) else { continue }
      if reply.notes.call?.status == nil { report(.answerNotKept, send.id) }
    }
    try await judgeAll()
  }
}

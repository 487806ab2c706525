import DocumentSync

/// Checks in which the server, or the way to it, is in trouble.
extension EndpointCase {
  func portal() async throws {
    let held = try await create(id("one"))
    let replica = try await replica()
    try await disturb(with: .portal)
    let sends = try sends(over: held)
    for send in sends { judgePortal(await push(send), send.id) }
    if capabilities.batchEntries > 1 { try await portalForMany(held) }
    await expectNoList(replica) { .portalBelieved($0) }
    try await calm()
    try await judgeAll()
  }

  private func portalForMany(_ held: Held) async throws {
    let other = id("other")
    let reply = await endpoint.push(batch: [
      .create(
        other, try fixture.document(other, saying: "other"), in: fixture.collection,
        key: freshKey()),
      .delete(held.id, from: held.version, in: fixture.collection, key: freshKey()),
    ])
    hear(reply.notes)
    switch reply.end {
    case .parts(let parts): for part in parts { judgePortal(part) }
    case .whole(let end): judgePortal(EndpointReply<PushEnd>(end))
    }
  }

  private func judgePortal(_ reply: EndpointReply<PushEnd>, _ id: DocumentID? = nil) {
    guard reply.isSuccess || reply.tellsAbsence || reply.end.answer?.shown != nil else { return }
    report(.portalBelieved(reply.end.summary), id)
  }

  func noAnswer() async throws {
    let held = try await create(id("one"))
    let replica = try await replica()
    try await disturb(with: .noAnswer)
    let new = id("new")
    let body = try fixture.document(new, saying: "new")
    let reply = await push(.create(new, body, in: fixture.collection, key: freshKey()))
    if reply.end != .lost { report(.lossNotTold(reply.end.summary), new) }
    let look = await push(.look(at: held.id, in: fixture.collection))
    if look.end.answer != nil { report(.lossNotTold(look.end.summary), held.id) }
    await expectNoList(replica) { .lossNotTold($0) }
    try await calm()
  }

  func refusals() async throws {
    let held = try await create(id("one"))
    let replica = try await replica()
    for (trouble, status) in [(EndpointTrouble.busy, 503), (.unauthorized, 401)] {
      try await disturb(with: trouble)
      for send in try sends(over: held) {
        let reply = await push(send)
        if reply.end.answer?.status != status {
          report(.refusalNotTold(reply.end.summary), send.id)
        }
        listen(to: reply.notes, under: trouble)
      }
      if let error = await expectNoList(replica, { .refusalNotTold($0) }) {
        if error.status != status { report(.refusalNotTold("\(error)")) }
        listen(to: error.notes, under: trouble)
      }
    }
    try await calm()
    try await judgeAll()
  }

  private func listen(to notes: CallNotes, under trouble: EndpointTrouble) {
    if trouble == .busy, notes.wishes.retryAfter != .seconds(7) { report(.wishNotHeard) }
    if notes.call?.status == nil { report(.answerNotKept) }
  }

  /// One request of each kind, all of which would be taken.
  private func sends(over held: Held) throws -> [PushRequest] {
    let (new, collection) = (id("new"), fixture.collection)
    let body = try fixture.document(held.id, saying: "second")
    return [
      .look(at: held.id, in: collection),
      .create(
        new, try fixture.document(new, saying: "new"), in: collection, key: freshKey()),
      .update(held.id, body, from: held.version, in: collection, key: freshKey()),
      .delete(held.id, from: held.version, in: collection, key: freshKey()),
    ]
  }

  private func disturb(with trouble: EndpointTrouble) async throws {
    guard try await fixture.setTrouble(trouble) else {
      throw CaseEnd.notChecked("the fixture's server is never in trouble; see setTrouble")
    }
  }

  private func calm() async throws {
    _ = try await fixture.setTrouble(nil)
  }

  /// Asks for all lists there are, none of which can be had; answers the last error.
  @discardableResult
  private func expectNoList(
    _ replica: ReplicaModel, _ problem: (String) -> EndpointViolation.Problem
  ) async -> EndpointError? {
    var places = [ChangesPlace.beginning]
    if let checkpoint = replica.checkpoint { places.append(.since(checkpoint)) }
    var last: EndpointError?
    for place in places {
      do {
        let reply = try await endpoint.changes(in: fixture.collection, from: place)
        hear(reply.notes)
        report(problem("a list"))
      } catch let error as EndpointError {
        hear(error.notes, "\(error)")
        last = error
      } catch {
        report(problem("\(error)"))
      }
    }
    return last
  }
}

extension EndpointError {
  /// The status with which the server refused, if it did.
  fileprivate var status: Int? {
    guard case .refused(let status, _, _) = reason else { return nil }
    return status
  }
}

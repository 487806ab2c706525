import DocumentSync

/// Following the lists, and comparing.
extension EndpointCase {
  /// Reads the list from where the replica is.
  ///
  /// - Parameter between: called after each page but the last, with the number of pages so far.
  func follow(
    _ replica: inout ReplicaModel, between: (Int) async throws -> Void = { _ in }
  ) async throws {
    let start = capabilities.has(.changes) ? replica.checkpoint : nil
    var place = start.map { ChangesPlace.since($0) } ?? .beginning
    var extent: ChangePage.Extent?
    replica.begin()
    for number in 1...500 {
      let reply = try await endpoint.changes(in: fixture.collection, from: place)
      hear(reply.notes)
      switch reply.answer {
      case .unchanged:
        if start == nil { report(.callFailed("no change since nothing")) }
        return
      case .withoutLists: return
      case .forgot:
        report(.forgotTooSoon)
        throw CaseIsOver()
      case .page(let page):
        if let extent, extent != page.extent { report(.extentChanged) }
        extent = page.extent
        replica.apply(page)
        guard let next = page.next else { return isOver(replica) }
        place = .page(next)
      }
      try await between(number)
    }
    report(.endless)
    throw CaseIsOver()
  }

  private func isOver(_ replica: ReplicaModel) {
    if capabilities.has(.changes), replica.checkpoint == nil { report(.noCheckpoint) }
  }

  /// A replica that has read everything.
  func replica() async throws -> ReplicaModel {
    var replica = ReplicaModel()
    try await follow(&replica)
    return replica
  }

  /// Follows the list, or reads it from the beginning where deletions aren't told.
  func followDeletions(_ replica: inout ReplicaModel) async throws {
    if !capabilities.has(.tombstones) { replica = ReplicaModel() }
    try await follow(&replica)
  }

  /// Compares what a replica knows with what the server must have.
  func judge(_ replica: ReplicaModel) {
    for id in Set(expected.keys).union(replica.documents.keys).sorted() {
      switch (expected[id], replica.documents[id]) {
      case (let held?, let copy?):
        if copy.value != held.body {
          report(.wrongContent, id)
        } else if copy.version != held.version {
          report(.wrongVersion, id)
        }
      case (.some, nil): report(.notListed, id)
      case (nil, .some): report(.listedButGone, id)
      case (nil, nil): break
      }
    }
  }

  /// Follows from the beginning, and compares.
  func judgeAll() async throws {
    judge(try await replica())
  }
}

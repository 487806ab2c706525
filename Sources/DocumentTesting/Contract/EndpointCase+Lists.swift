import DocumentSync

extension EndpointCase {
  func run(_ check: EndpointCheck) async throws {
    try await learnCapabilities()
    switch check {
    case .emptyCollection: try await emptyCollection()
    case .createdDocument: try await createdDocument()
    case .oddDocuments: try await oddDocuments()
    case .pages: try await pages()
    case .checkpoints: try await checkpoints()
    case .changesWhilePaging: try await changesWhilePaging()
    case .nothingNew: try await nothingNew()
    case .equalTimes: try await equalTimes()
    case .updatedDocument: try await updatedDocument()
    case .deletedDocument: try await deletedDocument()
    case .createOverExisting: try await createOverExisting()
    case .staleUpdate: try await staleUpdate()
    case .staleDeletion: try await staleDeletion()
    case .updateOfDeleted: try await updateOfDeleted()
    case .repeatedDeletion: try await repeatedDeletion()
    case .repeatedKey: try await repeatedKey()
    case .batch: try await batch()
    case .unreadableDocument: try await unreadableDocument()
    case .forgetting: try await forgetting()
    case .revival: try await revival()
    case .collections: try await collections()
    case .cancelling: try await cancelling()
    case .portal: try await portal()
    case .noAnswer: try await noAnswer()
    case .refusals: try await refusals()
    case .notes: try await notes()
    }
  }

  private func emptyCollection() async throws {
    var replica = try await replica()
    judge(replica)
    try await follow(&replica)
    judge(replica)
  }

  private func createdDocument() async throws {
    let held = try await create(id("one"))
    try await create(id("two"))
    try await judgeAll()
    let shown = await push(.look(at: held.id, in: fixture.collection))
    guard let copy = shown.end.answer?.shown?.copy else {
      return report(.callFailed("a look at it showed \(shown.end.summary)"), held.id)
    }
    if copy.value != held.body { report(.wrongContent, held.id) }
    if copy.version != held.version { report(.wrongVersion, held.id) }
    let absent = await push(.look(at: id("none"), in: fixture.collection))
    if !absent.tellsAbsence { report(.absenceNotTold(absent.end.summary), id("none")) }
  }

  private func oddDocuments() async throws {
    for (number, body) in fixture.oddDocuments.enumerated() {
      try await create(id("odd\(number)"), body)
    }
    for odd in fixture.oddIDs { try await create(odd) }
    try await judgeAll()
  }

  private func pages() async throws {
    _ = try await createPages()
    let replica = try await replica()
    judge(replica)
    notePages(of: replica)
  }

  private func notePages(of replica: ReplicaModel) {
    guard replica.pages < 2 else { return }
    findings.notChecked = "all documents came in one page; see pageSize"
  }

  /// Stops a list after each of its pages, and goes on from that page's checkpoint.
  private func checkpoints() async throws {
    try require(.changes)
    _ = try await createPages()
    var place = ChangesPlace.beginning
    var replica = ReplicaModel()
    while replica.pages < 500 {
      let reply = try await endpoint.changes(in: fixture.collection, from: place)
      guard case .page(let page) = reply.end else {
        report(.forgotTooSoon)
        throw CaseEnd.over
      }
      replica.apply(page)
      if page.checkpoint != nil {
        var other = replica
        try await follow(&other)
        judge(other)
      }
      guard let next = page.next else { return notePages(of: replica) }
      place = .page(next)
    }
    report(.endless)
  }

  /// After the first page, documents change that were on it and others that weren't.
  private func changesWhilePaging() async throws {
    let all = try await createPages()
    var replica = ReplicaModel()
    try await follow(&replica) { page in
      if page == 1 { try await changeSome(of: all) }
    }
    notePages(of: replica)
    try await followDeletions(&replica)
    judge(replica)
  }

  private func changeSome(of all: [Held]) async throws {
    guard all.count >= 6 else { return }
    let (first, last) = (all[0], all[all.count - 1])
    try await update(first, saying: "changed")
    try await update(last, saying: "changed")
    try await delete(all[1])
    try await delete(all[all.count - 2])
    try await create(id("new"))
    try await update(all[2], saying: "changed")
  }

  private func nothingNew() async throws {
    for number in 0..<3 { try await create(id("\(number)")) }
    var replica = try await replica()
    for _ in 0..<2 {
      let known = replica.documents
      try await follow(&replica)
      for (id, copy) in replica.documents where known[id]?.version != copy.version {
        report(.toldWithoutChange, id)
      }
      judge(replica)
    }
  }

  /// Whoever asks right after one of them was stored must not miss the next one.
  private func equalTimes() async throws {
    try await create(id("before"))
    try await fixture.stopClock()
    var replica = try await replica()
    for number in 0..<(fixture.pageSize + 3) {
      try await create(id("\(number)"))
      try await follow(&replica)
      judge(replica)
    }
  }

  private func updatedDocument() async throws {
    let one = try await create(id("one"))
    try await create(id("two"))
    var replica = try await replica()
    let again = try await update(one, saying: "second")
    try await follow(&replica)
    judge(replica)
    try await update(again, saying: "third")
    try await follow(&replica)
    judge(replica)
    try await judgeAll()
  }

  private func deletedDocument() async throws {
    let one = try await create(id("one"))
    let two = try await create(id("two"))
    var replica = try await replica()
    try await delete(one)
    try await followDeletions(&replica)
    judge(replica)
    try await delete(two)
    try await followDeletions(&replica)
    judge(replica)
    try await judgeAll()
  }
}

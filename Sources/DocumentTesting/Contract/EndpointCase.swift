import DocumentSync

/// One check over one fixture: pushes documents, follows the lists, and compares what is told with
/// what must be.
final class EndpointCase<Fixture: EndpointFixture> {
  let fixture: Fixture
  let endpoint: Fixture.Endpoint
  let findings: EndpointFindings
  private(set) var capabilities = EndpointCapabilities(features: [])
  /// What the server must have.
  private(set) var expected: [DocumentID: Held] = [:]
  /// Keeps apart what servers remember of several runs.
  private let run = String(UInt32.random(in: .min ... .max), radix: 36)
  private var keys = 0

  /// A document that the server must have.
  struct Held {
    let id: DocumentID
    let body: DocumentValue
    let version: DocumentVersion
  }

  init(_ fixture: Fixture, endpoint: Fixture.Endpoint, findings: EndpointFindings) {
    self.fixture = fixture
    self.endpoint = endpoint
    self.findings = findings
  }

  func report(_ problem: EndpointViolation.Problem, _ id: DocumentID? = nil) {
    findings.report(problem, id)
  }

  func learnCapabilities() async throws {
    capabilities = try await endpoint.capabilities()
    guard !capabilities.isReadOnly else { throw CaseEnd.notChecked("the server is read-only") }
  }

  /// Ends the check unless the endpoint claims to do this.
  func require(_ feature: EndpointCapabilities.Feature) throws {
    guard capabilities.has(feature) else {
      throw CaseEnd.notChecked("the endpoint claims no \(feature)")
    }
  }

  func id(_ name: String) -> DocumentID { DocumentID("\(name)-\(run)") }

  func freshKey() -> String {
    keys += 1
    return "contract-\(run)-\(keys)"
  }

  /// Judges what is kept of a call.
  func hear(_ notes: CallNotes, _ words: String = "") {
    let text = "\(notes.call?.text ?? "") \(words)"
    if fixture.secrets.contains(where: { !$0.isEmpty && text.contains($0) }) {
      report(.secretShown)
    }
  }

  /// Takes down that the server has a document, since it said so.
  @discardableResult
  func accepted(_ reply: EndpointReply<PushEnd>, _ id: DocumentID, _ body: DocumentValue) throws
    -> Held
  {
    guard reply.isSuccess, let version = reply.end.answer?.version else {
      report(.callFailed(reply.end.summary), id)
      throw CaseEnd.over
    }
    let held = Held(id: id, body: body, version: version)
    expected[id] = held
    return held
  }

  /// Takes down that the server has a document no more.
  func expectNone(_ id: DocumentID) {
    expected[id] = nil
  }

  /// Takes down that the server has nothing, since it forgot everything.
  func expectNothing() {
    expected = [:]
  }
}

/// Asking for documents to be stored and removed.
extension EndpointCase {
  /// Asks for one document, and looks at what is kept of the call.
  func push(_ send: PushRequest) async -> EndpointReply<PushEnd> {
    let reply = await endpoint.push(send)
    hear(reply.notes, reply.end.words)
    return reply
  }

  /// Stores a new document, which must succeed.
  @discardableResult
  func create(_ id: DocumentID, _ body: DocumentValue? = nil) async throws -> Held {
    let body = try body ?? fixture.document(id, saying: "first")
    return try accepted(
      await push(.create(id, body, in: fixture.collection, key: freshKey())), id, body)
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
      throw CaseEnd.over
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
      switch reply.end {
      case .unchanged:
        if start == nil { report(.callFailed("no change since nothing")) }
        return
      case .withoutLists: return
      case .forgot:
        report(.forgotTooSoon)
        throw CaseEnd.over
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
    throw CaseEnd.over
  }

  private func isOver(_ replica: ReplicaModel) {
    if capabilities.has(.changes), replica.checkpoint == nil { report(.noCheckpoint) }
  }

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

  func judgeAll() async throws {
    judge(try await replica())
  }
}

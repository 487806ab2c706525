import DocumentEndpoints
import DocumentSync
import DocumentTesting
import SynchronizerTesting
import TestSupport
import XCTest

/// When syncs are made, where a store comes from, and which servers there are.
final class WishedSyncsTests: WishesTestCase {
  /// A device whose syncs are made without a wait.
  private func scheduled(
    _ collections: [SyncedCollection] = [SyncedCollection("notes")],
    first: Duration = .seconds(86_400), every interval: Duration? = nil
  ) async throws -> DocumentReplica {
    try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "phone"),
      options: ReplicaOptions(
        server: "https://notes.example", collections: collections, syncsEdits: false,
        firstSync: first, syncInterval: interval, requestWindow: RequestWindow(quiet: .zero)))
  }

  /// in the foreground and in the background
  func testASyncIsMadeInTheForegroundAndInTheBackground() async throws {
    let phone = try await scheduled(first: .zero)
    try await phone.save(milk, ["n": 1], in: "notes")
    let isMade = try await phone.scheduler.syncOnce()
    XCTAssertTrue(isMade)
    XCTAssertNotNil(server.documents(in: "notes")[milk])
    let (ends, ended) = AsyncStream<Void>.makeStream()
    phone.scheduler.afterSync { _, _ in ended.yield() }
    async let schedule: Void = phone.scheduler.run()
    var iterator = ends.makeAsyncIterator()
    await iterator.next()
    let changes = phone.changes
    try await phone.save(bread, ["n": 1], in: "notes")
    phone.scheduler.trigger(.foreground)
    await untilSent(bread, by: changes)
    await phone.scheduler.stop()
    await schedule
  }

  /// a timer
  func testATimerSyncs() async throws {
    let clock = ManualClock()
    let options = ReplicaOptions(
      server: "https://notes.example", collections: [SyncedCollection("notes")],
      syncsEdits: false, firstSync: .seconds(1), syncInterval: .seconds(60))
    let phone = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "phone"), options: options, clock: clock)
    async let schedule: Void = phone.scheduler.run()
    for (id, wait) in [(milk, Duration.seconds(1)), (bread, .seconds(60))] {
      let changes = phone.changes
      try await phone.save(id, ["n": 1], in: "notes")
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: wait)
      await untilSent(id, by: changes)
    }
    await phone.scheduler.stop()
    await schedule
  }

  /// what the system calls in the background
  func testTheSystemsMomentIsForOneSync() async throws {
    let phone = try await scheduled()
    try await phone.save(milk, ["n": 1], in: "notes")
    try await phone.scheduler.syncOnce()
    XCTAssertNotNil(server.documents(in: "notes")[milk])
  }

  /// by hand
  func testASyncIsMadeByHand() async throws {
    let phone = try await scheduled()
    try await phone.save(milk, ["n": 1], in: "notes")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    let changes = phone.changes
    try await phone.save(bread, ["n": 1], in: "notes")
    phone.requestSync()
    await untilSent(bread, by: changes)
  }

  /// a type that goes another way
  func testATypeGoesAnotherWay() async throws {
    let letters = SyncedCollection(
      "letters", sender: { request in DocumentVersion("\(request.id) went by post") })
    let phone = try await scheduled([letters])
    try await phone.save(milk, ["n": 1], in: "letters")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.version), [DocumentVersion("milk went by post")])
    XCTAssertEqual(server.documents(in: "letters"), [:])
  }

  /// what runs around each sync
  func testClosuresRunBeforeAndAfterEachSync() async throws {
    let phone = try await scheduled()
    let (order, told) = AsyncStream<String>.makeStream()
    phone.scheduler.beforeSync { reasons in told.yield("before \(reasons.map(\.rawValue))") }
    phone.scheduler.afterSync { _, error in
      told.yield("after, \(error == nil ? "well" : "badly")")
      told.finish()
    }
    try await phone.sync()
    let all = await order.reduce(into: []) { $0.append($1) }
    XCTAssertEqual(all, ["before [\"manual\"]", "after, well"])
  }

  /// a store that is made and brought up to date by itself
  func testAStoreShipsWithTheApp() async throws {
    let folder = try temporaryFolder()
    let (shipped, own) = (
      folder.appending(path: "shipped.sqlite").path, folder.appending(path: "own.sqlite").path
    )
    func open(_ path: String, _ shipped: String?) async throws -> DocumentReplica {
      try await DocumentReplica(
        .file(path), endpoint: server.endpoint(named: "phone"),
        options: ReplicaOptions(
          server: "https://notes.example", collections: [SyncedCollection("notes")],
          syncsEdits: false, shippedStore: shipped))
    }
    let maker = try await open(shipped, nil)
    try await maker.stash(milk, ["title": "Milk"], in: "notes")
    await maker.close()
    for _ in 1...2 {
      let phone = try await open(own, shipped)
      let note = try await phone.document(milk)
      XCTAssertEqual(note?["title"], "Milk")
      await phone.close()
    }
  }

  /// only a part of a collection
  func testOnlyAPartOfACollectionIsHeld() async throws {
    let (desk, open) = (try await device("desk"), CollectionFilter([.init("status", "open")]))
    let phone = try await device(
      "phone", [SyncedCollection("notes", policies: [.merge], filter: open)])
    try await desk.save(milk, ["status": "open"], in: "notes")
    try await desk.save(bread, ["status": "done"], in: "notes")
    try await desk.sync()
    try await phone.sync()
    let held = try await phone.ids()
    XCTAssertEqual(held, [milk])
    try await desk.save(milk, ["status": "done"], in: "notes")
    try await desk.sync()
    let report = try await phone.sync(SyncWishes(listsFilters: true))
    XCTAssertEqual(report.received.map(\.hasLeftFilter), [true])
  }

  /// answers wrapped in `data`
  func testAnAnswerWithoutDataCountsForNothing() async throws {
    let endpoint = try ServiceEndpoint.rest(
      server: try service("serve-rows.py") + "/plain", dialect: RestDialect.documentService,
      authorization: { "Token secret" })
    let phone = try await device(at: endpoint)
    try await phone.save(milk, ["docType": "note"], in: "notes")
    _ = try? await phone.sync()
    let (status, answer) = (try await phone.status(of: milk), try await phone.lastAnswer(to: milk))
    XCTAssertEqual(status?.isPending, true)
    XCTAssertEqual(answer?.status, 201)
  }

  /// `Authorization: Token token=…`
  func testATokenIsSentAsTheServiceWantsIt() async throws {
    let address = try service("serve-documents.py") + "/api"
    let account = Account(tokenPrefix: "Token token=")
    let phone = try await DocumentReplica(
      .memory, account: account,
      options: ReplicaOptions(
        server: address, collections: [SyncedCollection("notes")], syncsEdits: false)
    ) { authorization in
      try ServiceEndpoint.rest(
        server: address, dialect: .documentService, authorization: authorization)
    }
    try await account.signIn(with: .token(name: "ann", token: "secret"))
    try await phone.save(milk, ["docType": "note"], in: "notes")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// other endpoints
  func testAnEndpointOfOnesOwnIsChecked() async throws {
    struct Fixture: EndpointFixture {
      let server = ReferenceServer()
      func makeEndpoint() async throws -> OwnEndpoint {
        OwnEndpoint(inner: server.endpoint(named: "own"))
      }
    }
    let endpoint: any DocumentEndpoint = OwnEndpoint(inner: server.endpoint(named: "own"))
    let phone = try await device(at: endpoint)
    try await phone.save(milk, ["n": 1], in: "notes")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    let result = await EndpointContract.check { Fixture() }
    XCTAssertTrue(result.violations.isEmpty, "\(result)")
  }
}

/// An endpoint as somebody writes it who imports what is public.
struct OwnEndpoint: DocumentEndpoint {
  let inner: ReferenceEndpoint

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner.capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await inner.push(request)
  }
}

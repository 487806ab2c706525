import DocumentEndpoints
import DocumentSync
import DocumentTesting
import SynchronizerTesting
import XCTest

/// An account, what its syncs are made for, and what they tell.
final class WishedAccountTests: WishesTestCase {
  /// A device under an account, with a service that lets in who has the token `secret`.
  private func device(_ address: String, of account: Account) async throws -> DocumentReplica {
    let options = ReplicaOptions(
      server: address, collections: [SyncedCollection("notes")], syncsEdits: false)
    return try await DocumentReplica(.memory, account: account, options: options) {
      authorization in
      try ServiceEndpoint.rest(server: address, authorization: authorization)
    }
  }

  private func address() throws -> String { try service("serve-rows.py") + "/plain" }

  /// an account that exists whether or not somebody is signed in
  func testAnAccountIsThereBeforeAnybodyIs() async throws {
    let account = Account(service: OfferingService(), tokenPrefix: "Token ")
    let phone = try await device(try address(), of: account)
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    XCTAssertEqual(account.status, .signedOut)
    try await account.makeAccount(name: "ann", password: "a password")
    XCTAssertEqual(account.status, .ready(name: "ann"))
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    try await account.signOut()
    let unseen = try await phone.count()
    try await account.signIn(name: "ann", password: "a password")
    let seen = try await phone.count()
    XCTAssertEqual([unseen, seen], [0, 1])
  }

  /// the account syncs
  func testAnAccountSyncs() async throws {
    let account = Account(tokenPrefix: "Token ")
    let address = try address()
    let phone = try await DocumentReplica(
      .memory, account: account,
      options: ReplicaOptions(
        server: address, collections: [SyncedCollection("notes")], syncsEdits: false),
      endpoint: { try ServiceEndpoint.rest(server: address, authorization: $0) })
    try await account.signIn(with: .token(name: "ann", token: "secret"))
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// who calls the API knows neither account nor model
  func testAnEndpointAsksWithoutAnAccountOrAStore() async throws {
    let endpoint: any DocumentEndpoint = try plain(try service("serve-rows.py"))
    let reply = try await endpoint.changes(in: "notes", from: .beginning)
    guard case .page = reply.end else { return XCTFail("\(reply.end)") }
  }

  /// expired tokens are the call's business
  func testATokenIsRenewedByTheCall() async throws {
    let account = Account(service: OfferingService(), tokenPrefix: "Token ")
    let phone = try await device(try address(), of: account)
    try await account.signIn(with: .token(name: "ann", token: "expired", refresh: "again"))
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    let report = try await phone.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// the whole answer, nothing hidden
  func testTheWholeAnswerIsWithTheFailure() async throws {
    let account = Account(tokenPrefix: "Token ")
    let phone = try await device(try address(), of: account)
    try await account.signIn(with: .token(name: "ann", token: "secret"))
    try await phone.save(milk, ["name": "unwanted"], in: "notes")
    let failures: [DocumentReport.Failure] = try await phone.sync().failures
    let answer = try XCTUnwrap(failures.first?.answer)
    XCTAssertEqual(answer.status, 422)
    XCTAssertTrue(answer.body.contains("nobody wants it"), answer.body)
    let last = try await phone.lastAnswer(to: milk)
    XCTAssertEqual(last, answer)
    try await account.signIn(with: .token(name: "ann", token: "expired"))
    do {
      try await phone.sync()
      XCTFail("nobody is let in by that token")
    } catch let failure as DocumentSyncFailure {
      XCTAssertEqual(failure.answer?.status, 401)
    }
  }

  /// triggers: launch, foreground, an account, an edit
  func testEachReasonTriggersASync() async throws {
    let (told, tell) = AsyncStream<[SyncReason]>.makeStream()
    let account = Account(service: OfferingService(), tokenPrefix: "Token ")
    let address = try address()
    let options = ReplicaOptions(
      server: address, collections: [SyncedCollection("notes")], firstSync: .zero,
      requestWindow: RequestWindow(quiet: .zero))
    let phone = try await DocumentReplica(.memory, account: account, options: options) {
      try ServiceEndpoint.rest(server: address, authorization: $0)
    }
    phone.scheduler.beforeSync { tell.yield($0) }
    var reasons = told.makeAsyncIterator()
    try await account.makeAccount(name: "ann", password: "a password")
    async let schedule: Void = phone.scheduler.run()
    let atLaunch = await reasons.next()
    XCTAssertEqual(atLaunch, [.signIn, .launch])
    phone.scheduler.trigger(.foreground)
    let inForeground = await reasons.next()
    XCTAssertEqual(inForeground, [.foreground])
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    let afterEdit = await reasons.next()
    XCTAssertEqual(afterEdit, [.edit])
    await phone.scheduler.stop()
    await schedule
  }

  /// many at once, run once after two seconds
  func testManyRequestsAreOneSync() async throws {
    let clock = ManualClock()
    let options = ReplicaOptions(
      server: "https://notes.example", collections: [SyncedCollection("notes")],
      syncsEdits: false, requestWindow: RequestWindow(quiet: .seconds(2), atMost: .seconds(10)))
    let phone = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "phone"), options: options, clock: clock)
    let (ends, ended) = AsyncStream<Void>.makeStream()
    let (order, told) = AsyncStream<String>.makeStream()
    phone.scheduler.beforeSync { _ in told.yield("sync") }
    phone.scheduler.afterSync { _, _ in ended.yield() }
    for _ in 1...5 { phone.requestSync() }
    try await clock.sleepers(atLeast: 1)
    told.yield("two seconds")
    clock.advance(by: .seconds(2))
    var iterator = ends.makeAsyncIterator()
    await iterator.next()
    try await phone.sync()
    told.finish()
    let all = await order.reduce(into: []) { $0.append($1) }
    XCTAssertEqual(all, ["two seconds", "sync", "sync"])
    XCTAssertEqual(RequestWindow(), RequestWindow(quiet: .seconds(2), atMost: .seconds(10)))
  }

  /// a merger for each type
  func testMembersHaveMergersOfTheirOwn() async throws {
    let mergers: [DocumentPath: MemberMerger] = [
      ["text"]: .lines, ["n"]: .counter,
      ["title"]: MemberMerger { _, here, there in [here, there].max { "\($0)" < "\($1)" } },
    ]
    let notes = SyncedCollection("notes", policies: [.merge], mergers: mergers)
    let (phone, desk) = (
      try await super.device("phone", [notes]), try await super.device("desk", [notes])
    )
    try await phone.save(milk, ["text": "a\nb\nc\n", "n": 1, "title": "x"], in: "notes")
    try await phone.sync()
    try await desk.sync()
    try await phone.save(milk, ["text": "A\nb\nc\n", "n": 2, "title": "y"], in: "notes")
    try await desk.save(milk, ["text": "a\nb\nC\n", "n": 3, "title": "z"], in: "notes")
    try await phone.sync()
    try await desk.sync()
    let merged = try await desk.document(milk)
    XCTAssertEqual(merged, ["text": "A\nb\nC\n", "n": 4, "title": "z"])
  }

  /// what a user changed, apart from what a sync changed
  func testEachChangeSaysWhoMadeIt() async throws {
    let (phone, desk) = (try await super.device(), try await super.device("desk"))
    try await desk.save(bread, ["title": "Bread"], in: "notes")
    try await desk.sync()
    var changes = phone.changes.makeAsyncIterator()
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    let edit: StoreChange? = await changes.next()
    XCTAssertEqual(edit?.origin, .user)
    try await phone.sync(SyncWishes(ways: .pull))
    let pull: StoreChange? = await changes.next()
    XCTAssertEqual(pull?.origin, .sync)
    XCTAssertEqual(pull?.documents.map(\.id), [bread])
  }

  /// views that needn't know where a change comes from
  @MainActor
  func testAViewSeesEditsAndSyncsAlike() async throws {
    let (phone, desk) = (try await super.device(), try await super.device("desk"))
    try await desk.save(Note(id: milk, title: "Milk"))
    try await desk.sync()
    try await phone.sync()
    let live = LiveDocument(Note(id: milk, title: "Milk"), in: phone)
    let view = Task { try await live.follow() }
    defer { view.cancel() }
    let titles = phone.values(of: milk, as: Note.self)
    let list = Task {
      for try await note in titles where note?.title == "Oat milk" { return note }
      return nil
    }
    try await phone.save(Note(id: milk, title: "Soy milk"))
    await until { live.value.title == "Soy milk" }
    try await phone.sync()
    try await desk.sync()
    try await desk.save(Note(id: milk, title: "Oat milk"))
    try await desk.sync()
    try await phone.sync()
    await until { live.value.title == "Oat milk" }
    let seen = try await list.value
    XCTAssertEqual(seen?.title, "Oat milk")
  }
}

/// A service that makes accounts, and gives another token for one that doesn't count any more.
private struct OfferingService: AccountService {
  @concurrent func credentials(
    for request: AccountRequest
  ) async throws -> AccountCredentials? {
    switch request {
    case .signIn(let name, _), .makeAccount(let name, _): .token(name: name, token: "secret")
    case .renew(let old): .token(name: old.name, token: "secret")
    case .changePassword, .askForPassword: throw DocumentError.notOffered("that")
    }
  }
}

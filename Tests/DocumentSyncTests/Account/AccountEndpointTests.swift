import DocumentEndpoints
import DocumentSync
import DocumentTesting
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// What becomes of requests that a server refuses with 401.
final class AccountEndpointTests: XCTestCase {
  private let server = ReferenceServer()
  private let door = GuardedEndpoint.Door()
  private let service = ScriptedService()
  private let kept = MemoryCredentials(.token(name: "ann", token: "old", refresh: "more"))
  private lazy var account = Account(credentials: kept, service: service)
  private lazy var endpoint = AccountEndpoint(account: account) { [server, door] authorization in
    GuardedEndpoint(inner: server.endpoint(named: "ann"), door: door, authorization: authorization)
  }

  private func letIn(_ tokens: String...) {
    door.counts.withLock { $0 = Set(tokens.map { "Bearer \($0)" }) }
  }

  private func renews(_ answers: Result<AccountCredentials?, EndpointError>...) {
    service.answers.withLock { $0.renewals = answers }
  }

  private var new: AccountCredentials { .token(name: "ann", token: "new", refresh: "later") }

  private func request(_ id: String) -> PushRequest {
    .create(DocumentID(id), ["text": "milk"], in: "notes", key: id)
  }

  private func status(_ end: PushEnd) -> Int? {
    guard case .answered(let answer) = end else { return nil }
    return answer.status
  }

  private func assertUnauthorized(_ body: () async throws -> Void, line: UInt = #line) async {
    do {
      try await body()
      XCTFail("it's let in", line: line)
    } catch {
      guard case .refused(401, _, _)? = (error as? EndpointError)?.reason else {
        return XCTFail("\(error)", line: line)
      }
    }
  }

  func testARefusedFileIsAskedForOnceMoreUnderTheNewToken() async throws {
    letIn("new")
    renews(.success(new))
    let place = FilePlace(collection: "notes", document: DocumentID("milk"), digest: "0")
    try await assertEqual(endpoint.file(.find(place)).end, .missing)
  }

  func testARefusedRequestIsSentOnceMoreUnderANewToken() async throws {
    letIn("new")
    renews(.success(new))
    await assertEqual(status(endpoint.push(request("a")).end), 201)
    XCTAssertEqual(door.shown.withLock { $0 }, ["Bearer old", "Bearer new"])
    await assertEqual(kept.load(), new, "the new token is kept")
    _ = try await endpoint.changes(in: "notes", from: .beginning)
    XCTAssertEqual(service.calls, ["renew ann"])
  }

  func testTheTokenIsRenewedOnceForManyRequests() async throws {
    letIn("new")
    renews(.success(new))
    door.refusing.close()
    let (endpoint, requests) = (endpoint, (0..<8).map { request("\($0)") })
    let replies = await withTaskGroup(of: EndpointReply<PushEnd>.self) { group in
      for request in requests { group.addTask { await endpoint.push(request) } }
      try? await door.refusing.waiters(atLeast: 8)
      door.refusing.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(replies.compactMap { status($0.end) }, Array(repeating: 201, count: 8))
    XCTAssertEqual(service.calls, ["renew ann"])
    XCTAssertEqual(door.shown.withLock { $0.count }, 16, "each is sent once more")
  }

  func testARequestThatWasRefusedUnderAnOldTokenMakesTheNewOneNotDoubtful() async throws {
    letIn("new")
    renews(.success(new))
    door.refusing.close()
    let (endpoint, requests) = (endpoint, [request("late"), request("early")])
    async let late = endpoint.push(requests[0])
    try await door.refusing.waiters(atLeast: 1)
    async let early = endpoint.push(requests[1])
    try await door.refusing.waiters(atLeast: 2)
    door.refusing.open()
    await assertEqual([late, early].map { status($0.end) }, [201, 201])
    XCTAssertEqual(account.status, .ready(name: "ann"))
    XCTAssertEqual(service.calls, ["renew ann"])
  }

  func testASecondRefusalIsGivenOnAndEndsTriggeredSyncsUntilSomebodySignsIn() async throws {
    renews(.success(new))
    await assertUnauthorized { _ = try await endpoint.changes(in: "notes", from: .beginning) }
    XCTAssertEqual(account.status, .refused(name: "ann"))
    XCTAssertFalse(account.status.allowsTriggeredSyncs)
    XCTAssertEqual(door.shown.withLock { $0.count }, 2)
    await assertUnauthorized { _ = try await endpoint.capabilities() }
    XCTAssertEqual(door.shown.withLock { $0.count }, 3, "by hand it's asked, and only once")
    letIn("fresh")
    try await account.signIn(with: .token(name: "ann", token: "fresh"))
    XCTAssertTrue(account.status.allowsTriggeredSyncs)
    _ = try await endpoint.capabilities()
  }

  func testWithoutAnythingToRenewTheFirstRefusalIsTheLast() async throws {
    await assertEqual(status(endpoint.push(request("a")).end), 401)
    XCTAssertEqual(account.status, .refused(name: "ann"))
    XCTAssertEqual(door.shown.withLock { $0.count }, 1)
  }

  func testAServiceThatCantBeReachedMakesNobodyRefused() async throws {
    renews(.failure(EndpointError(.unreachable)), .success(new))
    await assertEqual(status(endpoint.push(request("a")).end), 401)
    XCTAssertEqual(account.status, .ready(name: "ann"))
    letIn("new")
    await assertEqual(status(endpoint.push(request("a")).end), 201)
  }

  func testAServiceThatRefusesToRenewMakesTheAccountRefused() async throws {
    renews(.failure(ScriptedService.refusal))
    await assertEqual(status(endpoint.push(request("a")).end), 401)
    XCTAssertEqual(account.status, .refused(name: "ann"))
    await assertNotNil(kept.load(), "nothing is dropped")
  }

  func testNothingIsSentWhileNobodyIsSignedIn() async throws {
    try await account.signOut()
    await assertEqual(endpoint.push(request("a")).end, .impossible)
    await assertEqual(endpoint.push(batch: [request("a")]).end, .whole(.impossible))
    if let error = await thrown((any Error).self, by: try await endpoint.capabilities()) {
      let reason = (error as? EndpointError)?.reason
      XCTAssertEqual(reason, .impossible("nobody is signed in; sign in first"))
    }
    XCTAssertEqual(door.shown.withLock { $0 }, [])
  }

  func testCredentialsThatCantBeReadAreToldAndNothingIsSent() async throws {
    let account = Account(credentials: UnreadableCredentials())
    let endpoint = AccountEndpoint(server.endpoint(named: "ann"), account: account)
    if let error = await thrown(
      (any Error).self, by: try await endpoint.changes(in: "notes", from: .beginning))
    {
      let reason = (error as? EndpointError)?.reason
      XCTAssertEqual(reason, .impossible("f holds no credentials; remove it, and sign in again"))
    }
    await assertEqual(endpoint.push(request("a")).end, .impossible)
    XCTAssertTrue(server.calls.isEmpty)
  }

  func testWhatTheServerWouldNeverTakeIsSaidAsTheEndpointInsideSaysIt() throws {
    let kinto = try KintoEndpoint(server: "https://example.org/v1", bucket: "b")
    let endpoint = AccountEndpoint(kinto, account: account)
    for content: DocumentValue in [["n": 1], ["last_modified": 1]] {
      XCTAssertEqual(
        endpoint.problem(with: DocumentID("a"), content, in: "notes"),
        kinto.problem(with: DocumentID("a"), content, in: "notes"), "\(content)")
    }
    XCTAssertNotNil(endpoint.problem(with: DocumentID("a"), ["last_modified": 1], in: "notes"))
  }

  func testSigningInDoesntWaitForRequestsThatWaitForIt() async throws {
    letIn("fresh")
    service.renewing.close()
    let (account, endpoint, request) = (account, endpoint, request("a"))
    async let waiting = endpoint.push(request)
    try await service.renewing.waiters(atLeast: 1)
    try await account.signIn(with: .token(name: "ann", token: "fresh"))
    await assertEqual(status(waiting.end), 201, "it goes on with what was signed in with")
    service.renewing.open()
    XCTAssertEqual(account.status, .ready(name: "ann"))
    await assertEqual(kept.load(), .token(name: "ann", token: "fresh"))
  }

  func testRequestsThatComeWhileSomebodySignsInWaitForThat() async throws {
    letIn("fresh")
    service.answers.withLock { $0.signIn = .success(.token(name: "bob", token: "fresh")) }
    service.signingIn.close()
    let (account, endpoint, request) = (account, endpoint, request("a"))
    async let signIn: Void = account.signIn(name: "bob", password: "beer")
    try await service.signingIn.waiters(atLeast: 1)
    async let waiting = endpoint.push(request)
    service.signingIn.open()
    try await signIn
    await assertEqual(status(waiting.end), 201)
    XCTAssertEqual(door.shown.withLock { $0 }, ["Bearer fresh"])
  }

  func testOfABatchOnlyTheRefusedPartsAreSentAgain() async throws {
    letIn("old", "new")
    renews(.success(new))
    door.refusedPart.withLock { $0 = 1 }
    let reply = await endpoint.push(batch: ["a", "b", "c"].map(request))
    guard case .parts(let parts) = reply.end else { return XCTFail("\(reply.end)") }
    XCTAssertEqual(parts.map { status($0.end) }, [201, 201, 201])
    XCTAssertEqual(server.events.count, 3, "each document was stored once")
    XCTAssertEqual(account.status, .ready(name: "ann"))
  }

  func testAPushThatIsCancelledWhileTheTokenIsRenewedEndsWithTheRefusal() async throws {
    service.renewing.close()
    let (endpoint, request) = (endpoint, request("a"))
    let task = Task { await endpoint.push(request) }
    try await service.renewing.waiters(atLeast: 1)
    task.cancel()
    await assertEqual(status(task.value.end), 401)
    renews(.success(new))
    service.renewing.open()
    letIn("new")
    await assertEqual(status(endpoint.push(request).end), 201, "the renewal went on without it")
    XCTAssertEqual(service.calls, ["renew ann"])
  }

  func testWhatReadsAndIsCancelledWhileItWaitsThrowsThat() async throws {
    service.renewing.close()
    let endpoint = endpoint
    let task = Task { try await endpoint.capabilities() }
    try await service.renewing.waiters(atLeast: 1)
    task.cancel()
    await assertThrows(CancellationError.self, try await task.value)
    service.renewing.open()
  }

  func testWhatIsCancelledBeforeItIsSentNeverWas() async throws {
    let (endpoint, request) = (endpoint, request("a"))
    let gate = Gate()
    let task = Task {
      try? await gate.wait()
      return await endpoint.push(request)
    }
    task.cancel()
    await assertEqual(task.value.end, .unreachable)
    XCTAssertEqual(door.shown.withLock { $0 }, [])
  }

  func testTheContractOfEndpointsIsKept() async {
    let result = await EndpointContract.check { AccountFixture() }
    XCTAssertEqual(result.violations, [], "\(result)")
  }
}

/// Where what was kept can't be read.
private struct UnreadableCredentials: CredentialStore {
  func load() async throws -> AccountCredentials? { throw ServiceError.unreadable(path: "f") }
  func keep(_ credentials: AccountCredentials) async throws {}
  func remove() async throws {}
}

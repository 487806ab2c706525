import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// What the endpoint makes of a real server's lists.
final class KintoListingTests: KintoTestCase {
  func testNothingNewIsOneRequest() async throws {
    try await makeCollection()
    try await put("a")
    let transport = CountingTransport()
    let endpoint = try endpoint(over: transport)
    let everything = try await endpoint.page(collection, .beginning)
    let checkpoint = try XCTUnwrap(everything.checkpoint)
    _ = transport.takeRequests()
    let reply = try await endpoint.changes(in: collection, from: .since(checkpoint))
    XCTAssertEqual(reply.end, .unchanged)
    XCTAssertNotNil(reply.notes.date)
    XCTAssertEqual(transport.takeRequests(), ["GET /v1\(records)"])
  }

  func testADeletionAfterTheLastPageIsNewsAndOneBeforeTheListIsNot() async throws {
    try await makeCollection()
    for id in ["a", "b"] { try await put(id) }
    try await me().ask(.delete, "\(records)/a")
    let endpoint = try endpoint()
    let first = try await endpoint.page(collection, .beginning)
    XCTAssertEqual(first.documents.map(\.id), ["b"].map { DocumentID($0) })
    let checkpoint = try XCTUnwrap(first.checkpoint)
    let unchanged = try await endpoint.changes(in: collection, from: .since(checkpoint))
    XCTAssertEqual(unchanged.end, .unchanged)
    try await me().ask(.delete, "\(records)/b")
    let news = try await endpoint.page(collection, .since(checkpoint))
    XCTAssertEqual(news.documents.map(\.id.text), ["b"])
    XCTAssertNil(news.documents.first?.state.copy)
  }

  /// The tombstone is on no page of a list of everything, and lies before its last document.
  func testADeletionBetweenTwoPagesOfEverythingIsToldByTheNextList() async throws {
    try await makeCollection()
    for id in ["a", "b", "c"] { try await put(id) }
    let endpoint = try endpoint(pageSize: 2)
    let first = try await endpoint.page(collection, .beginning)
    try await me().ask(.delete, "\(records)/a")
    try await put("c", #"{"n": 2}"#)
    let last = try await endpoint.page(collection, .page(try XCTUnwrap(first.next)))
    XCTAssertNil(last.next)
    let news = try await endpoint.page(collection, .since(try XCTUnwrap(last.checkpoint)))
    XCTAssertEqual(Set(news.documents.filter { $0.state.copy == nil }.map(\.id.text)), ["a"])
  }

  func testWhatTheServerAddsIsNoPartOfADocument() async throws {
    try await makeCollection()
    try await me().ask(
      .put, "/buckets/\(bucket)/collections/\(collection)",
      #"{"data": {"schema": {"properties": {"n": {"type": "integer"}}}}}"#)
    let version = try await put("a", #"{"n": 1, "docType": "note"}"#).lastModified
    try await assertEqual(
      endpoint().page(collection, .beginning).documents,
      [
        DocumentChange(
          id: DocumentID("a"),
          state: .present(
            ServerCopy(
              value: ["n": 1, "docType": "note"], version: DocumentVersion("\(version)"),
              time: version)))
      ])
  }

  func testAFlushBetweenTwoPagesIsNoShortListOfEverything() async throws {
    try await makeCollection()
    for id in ["a", "b", "c"] { try await put(id) }
    let transport = CountingTransport()
    let endpoint = try endpoint(pageSize: 2, over: transport)
    let first = try await endpoint.page(collection, .beginning)
    let me = try me()
    let home = "/buckets/\(bucket)"
    let collection = collection
    transport.before("_token") {
      try await me.flush()
      try await me.register()
      try await me.ask(.put, home, "{}")
      try await me.ask(.put, "\(home)/collections/\(collection)", "{}")
    }
    try await assertEqual(
      endpoint.changes(in: collection, from: .page(try XCTUnwrap(first.next))).end, .forgot)
  }

  func testAFlushedServerThatOthersWroteToIsNoticed() async throws {
    try await makeCollection()
    try await put("a")
    let endpoint = try endpoint()
    let everything = try await endpoint.page(collection, .beginning)
    let checkpoint = try XCTUnwrap(everything.checkpoint)
    try await me().flush()
    try await me().register()
    try await makeCollection()
    try await put("b")
    let reply = try await endpoint.changes(in: collection, from: .since(checkpoint))
    XCTAssertEqual(reply.end, .forgot)
    try await assertEqual(endpoint.page(collection, .beginning).documents.map(\.id.text), ["b"])
  }

  /// As after a backup was put back: what is known here lies ahead of what the server has.
  func testAnOlderServerForgotWhetherItIsMinutesOrDaysBehind() async throws {
    try await makeCollection()
    let now = try await put("a").lastModified
    let endpoint = try endpoint()
    let everything = try await endpoint.page(collection, .beginning)
    let checkpoint = try XCTUnwrap(everything.checkpoint)
    let generation = try XCTUnwrap(checkpoint.split(separator: "/").last)
    for ahead in [60_000, 3 * 86_400_000] {
      let later = "\(now + Int64(ahead))/\(generation)"
      try await assertEqual(endpoint.changes(in: collection, from: .since(later)).end, .forgot)
    }
    for text in ["", "x", "12", "12/x", "-1/-", "1/2/3"] {
      let reply = try await endpoint.changes(in: collection, from: .since(text))
      XCTAssertEqual(reply.end, .forgot, text)
      let page = try await endpoint.changes(in: collection, from: .page(text))
      XCTAssertEqual(page.end, .forgot, text)
    }
  }

  func testAMissingBucketIsMadeByTheFirstList() async throws {
    try await assertEqual(endpoint().page(collection, .beginning).documents, [])
    try await assertEqual(me().ask(.get, records).status, 200)
  }

  func testTheBucketOfAnotherIsNobodysFaultAndNothingIsMade() async throws {
    try await makeCollection()
    let other = try await KintoAccount.make()
    let endpoint = try endpoint(as: other)
    do {
      _ = try await endpoint.changes(in: collection, from: .beginning)
      XCTFail("a list of a bucket that may not be read")
    } catch let error as EndpointError {
      guard case .refused(403, _, .collection) = error.reason else { return XCTFail("\(error)") }
      XCTAssertEqual(error.notes.call?.status, 403)
    }
  }

  func testCapabilitiesAreTheServersAndTheAccountsPasswordIsChecked() async throws {
    let capabilities = try await endpoint().capabilities()
    XCTAssertEqual(capabilities.features, [.preconditions, .changes, .tombstones, .files])
    XCTAssertEqual(capabilities.batchEntries, 100)
    XCTAssertFalse(capabilities.isReadOnly)
    let wrong = try KintoEndpoint(server: try me().server.address) { "Basic bm9ib2R5Om5v" }
    do {
      _ = try await wrong.capabilities()
      XCTFail("an account that isn't there")
    } catch let error as EndpointError {
      guard case .refused(401, _, _) = error.reason else { return XCTFail("\(error)") }
    }
  }

  func testAServerThatIsBackWithoutAnythingForgot() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kinto-\(bucket)")
    let account = try await KintoAccount.make(at: try KintoServer(in: folder))
    let endpoint = try endpoint(as: account)
    let everything = try await endpoint.page(collection, .beginning)
    let checkpoint = try XCTUnwrap(everything.checkpoint)
    try account.server.stop()
    try account.server.start()
    try await account.register()
    let reply = try await endpoint.changes(in: collection, from: .since(checkpoint))
    XCTAssertEqual(reply.end, .forgot)
    try account.server.stop()
  }
}

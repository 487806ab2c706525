import DocumentSync
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// What the endpoint makes of answers that no real server gives on demand.
final class KintoScriptTests: XCTestCase {
  private let transport = MemoryTransport()
  private let home = "https://example.org/v1/buckets/b/collections/c"
  private let json = ("Content-Type", "application/json")

  private func endpoint(
    authorization: AuthorizationSource? = { "Basic bWU6c2VjcmV0IHdvcmQ=" }
  ) throws -> KintoEndpoint {
    let transport = transport
    return try KintoEndpoint(
      server: "https://example.org", bucket: "b", options: ServiceOptions(over: transport),
      authorization: authorization)
  }

  private func answer(
    _ path: String, _ status: Int = 200, _ fields: [(String, String)] = [], _ body: String
  ) throws {
    transport.answer(
      try WebAddress(path),
      with: MemoryTransport.Answer(
        status: status, headers: HTTPHeaders([json] + fields), body: Array(body.utf8)))
  }

  private func answerList(_ fields: [(String, String)], _ body: String) throws {
    try answer(home, 200, [], #"{"data": {"id": "c", "last_modified": 3}}"#)
    try answer("\(home)/records?_sort=last_modified", 200, fields, body)
  }

  private func reasonOfList() async throws -> EndpointError.Reason? {
    do {
      _ = try await endpoint().changes(in: "c", from: .beginning)
      return nil
    } catch let error as EndpointError {
      XCTAssertNotNil(error.notes.call)
      return error.reason
    }
  }

  func testWhatCannotBeReadIsToldAndTheRestIsTaken() async throws {
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    try answerList(
      [("ETag", "\"9\"")],
      """
      {"data": [{"id": "a", "last_modified": 5, "n": 1},
        {"id": "b", "last_modified": 6, "n": \(deep)},
        {"last_modified": 7}, {"id": "d"}, 1,
        {"id": "e", "last_modified": 8, "n": 1e999}, {"id": "f", "last_modified": 9, "n": 2}]}
      """)
    let reply = try await endpoint().changes(in: "c", from: .beginning)
    guard case .page(let page) = reply.end else { return XCTFail("\(reply)") }
    XCTAssertEqual(page.documents.map(\.id.text), ["a", "f"])
    XCTAssertEqual(page.unreadable.map(\.id?.text), ["b", nil, "d", nil, "e"])
    XCTAssertEqual(page.unreadable.map(\.place), [1, 2, 3, 4, 5])
    XCTAssertEqual(page.checkpoint, "9/3")
  }

  /// One file of which a record says nonsense kept everything else from travelling.
  func testAFileWhoseLocationIsNoAddressIsNotThereAndNoTroubleOfTheServers() async throws {
    for location in ["http://[", "http://a b/", "ftp://example.org/a"] {
      let file = ServerFile(location: location, digest: "a", size: 1)
      try await assertEqual(endpoint().file(.read(file, from: 0, count: 1)).end, .missing, location)
    }
    XCTAssertEqual(transport.log.count, 0)
  }

  func testAListThatIsNoneIsNotUnderstood() async throws {
    for (fields, body) in [
      ([("ETag", "\"9\"")], "<html>"), ([("ETag", "\"9\"")], #"{"data": {}}"#),
      ([("ETag", "\"9\"")], #"{"data": []} x"#), ([("ETag", "\"nine\"")], #"{"data": []}"#),
      ([], #"{"data": []}"#),
      ([("ETag", "\"9\""), ("Next-Page", "https://example.net/v1/x?_token=1")], #"{"data": []}"#),
    ] as [([(String, String)], String)] {
      try answerList(fields, body)
      guard case .unreadable = try await reasonOfList() else { return XCTFail(body) }
    }
  }

  func testTheServersWishesAndDateAreHeardAndItsRefusalIsKeptWithoutSecrets() async throws {
    try answer(
      home, 503,
      [
        ("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Backoff", "30"),
        ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("X-Echo", "bWU6c2VjcmV0IHdvcmQ="),
      ], #"{"code": 503, "errno": 201, "message": "secret word is too busy"}"#)
    if let error = await thrown(
      EndpointError.self, by: try await endpoint().changes(in: "c", from: .beginning))
    {
      XCTAssertEqual(error.notes.wishes.retryAfter, .seconds(60))
      XCTAssertEqual(error.notes.wishes.backoff, .seconds(30))
      XCTAssertEqual(error.notes.date, 784_111_777_000)
      let text = error.notes.call?.text ?? ""
      XCTAssertTrue(text.contains("is too busy"), text)
      XCTAssertFalse(text.contains("secret word") || text.contains("bWU6"), text)
    }
  }

  func testWhatFailsOnTheWayIsLostUnreachableOrImpossible() async throws {
    let request = PushRequest.create(DocumentID("a"), [:], in: "c", key: "k")
    for (code, end, reason) in [
      (.couldNotResolve, .unreachable, .unreachable),
      (.couldNotConnect, .unreachable, .unreachable),
      (.timedOut, .unreachable, .unreachable), (.tls, .unreachable, .unreachable),
      (.stalled, .lost, .lost), (.interrupted, .lost, .lost), (.shortBody, .lost, .lost),
      (.closed, .lost, .lost), (.certificate, .impossible, nil),
      (.addressRefused, .impossible, nil),
      (.malformedAnswer, .unreadable, nil), (.bodyTooLarge(limit: 1), .unreadable, nil),
    ] as [(TransportError.Code, PushEnd, EndpointError.Reason?)] {
      let failure = MemoryTransport.Answer(refusal: code)
      transport.answer(try WebAddress("\(home)/records/a"), with: failure)
      transport.answer(try WebAddress(home), with: failure)
      let reply = await (try endpoint()).push(request)
      XCTAssertEqual(reply.end, end, "\(code)")
      XCTAssertNotNil(reply.notes.call?.problem, "\(code)")
      let met = try await reasonOfList()
      if let reason { XCTAssertEqual(met, reason, "\(code)") }
      switch (met, end) {
      case (.impossible, .impossible), (.unreadable, .unreadable), (.lost, .lost),
        (.unreachable, .unreachable):
        break
      default: XCTFail("\(code): \(String(describing: met))")
      }
    }
  }

  func testWithoutAnAuthorizationNothingIsSent() async throws {
    struct Locked: Error {}
    let request = PushRequest.create(DocumentID("a"), [:], in: "c", key: "k")
    await assertEqual((try endpoint { throw Locked() }).push(request).end, .impossible)
    await assertEqual((try endpoint { throw EndpointError(.lost) }).push(request).end, .unreachable)
    let refused = await
      (try endpoint {
        throw EndpointError(.refused(status: 401, words: "no", subject: .collection))
      }).push(request)
    XCTAssertEqual(
      refused.end,
      .answered(PushAnswer(status: 401, words: "no", subject: .collection)))
    XCTAssertEqual(transport.log.count, 0)
  }

  func testEachRequestHasItsConditionKeyAndAuthorization() async throws {
    let requests: [PushRequest] = [
      .create(DocumentID("a"), ["n": 1.50], in: "c", key: "k1"),
      .update(DocumentID("a"), ["n": 2], from: DocumentVersion("7"), in: "c", key: "k2"),
      .delete(DocumentID("a"), from: DocumentVersion("7"), in: "c", key: "k3"),
    ]
    try answer("\(home)/records/a", 503, [], "{}")
    for request in requests { _ = await (try endpoint()).push(request) }
    XCTAssertEqual(transport.log.map(\.method), [.put, .put, .delete])
    XCTAssertEqual(transport.log.map { $0.headers["If-None-Match"] }, ["*", nil, nil])
    XCTAssertEqual(transport.log.map { $0.headers["If-Match"] }, [nil, "\"7\"", "\"7\""])
    XCTAssertEqual(transport.log.map { $0.headers["Idempotency-Key"] }, ["k1", "k2", "k3"])
    XCTAssertEqual(
      Set(transport.log.map { $0.headers["Authorization"] }), ["Basic bWU6c2VjcmV0IHdvcmQ="])
    XCTAssertEqual(String(decoding: transport.bodies[0], as: UTF8.self), #"{"data":{"n":1.5}}"#)
  }

  func testAnotherServerThatHasAFileIsToldNothingOfTheAccount() async throws {
    let ours = "https://example.org/files/a.png", theirs = "https://files.example.net/a.png"
    for place in [ours, theirs] { try answer(place, 200, [], "abc") }
    for place in [ours, theirs] {
      let file = ServerFile(location: place, digest: "0", size: 9)
      let reply = try await endpoint().file(.read(file, from: 1, count: 2))
      XCTAssertEqual(reply.end, .bytes(Array("abc".utf8), from: 0), "the whole, unasked")
    }
    XCTAssertEqual(
      transport.log.map { $0.headers["Authorization"] }, ["Basic bWU6c2VjcmV0IHdvcmQ=", nil])
    XCTAssertEqual(transport.log.map { $0.headers["Range"] }, ["bytes=1-2", "bytes=1-2"])
  }

  func testABatchWithABrokenPartTellsNothingOfTheOthers() async throws {
    let requests = ["a", "b"].map { id in
      PushRequest.create(DocumentID(id), [:], in: "c", key: "k-\(id)")
    }
    let path = "/v1/buckets/b/collections/c/records"
    func part(_ id: String, _ status: Int) -> String {
      """
      {"path": "\(path)/\(id)", "status": \(status), "headers": {"Retry-After": "3"},
       "body": {"data": {"id": "\(id)", "last_modified": 7}, "code": \(status), "errno": 201}}
      """
    }
    try answer(
      "https://example.org/v1/batch", 200, [],
      #"{"responses": [\#(part("a", 201)), \#(part("b", 503))]}"#)
    let reply = await (try endpoint()).push(batch: requests)
    guard case .parts(let parts) = reply.end else { return XCTFail("\(reply.end)") }
    XCTAssertEqual(parts[0].end, .lost)
    XCTAssertEqual(parts[1].end, .answered(PushAnswer(status: 503)))
    XCTAssertEqual(parts[1].notes.wishes.retryAfter, .seconds(3))
    // Parts of others, too few parts, and none.
    for body in [
      #"{"responses": [\#(part("b", 201)), \#(part("a", 201))]}"#,
      #"{"responses": [\#(part("a", 201))]}"#, "{}", "<html>",
    ] {
      try answer("https://example.org/v1/batch", 200, [], body)
      let reply = await (try endpoint()).push(batch: requests)
      XCTAssertEqual(reply.end, .whole(.unreadable), body)
      XCTAssertNotNil(reply.notes.call?.problem)
    }
    let sent = String(decoding: transport.bodies.last ?? [], as: UTF8.self)
    XCTAssertTrue(sent.contains(#""Idempotency-Key":"k-b""#), sent)
  }
}

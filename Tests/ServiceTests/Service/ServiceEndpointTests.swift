import DocumentTesting
import DocumentEndpoints
import DocumentSync
import Foundation
import SyncTransport
import TestSupport
import XCTest

/// The endpoint for plain document services, over one.
final class ServiceEndpointTests: XCTestCase {
  private let token = "token-of-the-tests"
  private var service: LoopbackService?

  override func setUpWithError() throws {
    service = try LoopbackService(
      Programs.find("python3"), "serve-documents.py", [token], in: temporaryFolder())
  }

  override func tearDownWithError() throws { try service?.stop() }

  private func endpoint(
    _ path: String = "/api/", token: String? = nil, over transport: (any Transport)? = nil
  ) throws -> RestEndpoint {
    let value = "Token token=\(token ?? self.token)"
    return try RestEndpoint(
      server: try XCTUnwrap(service).address + path, dialect: .documentService,
      options: transport.map { ServiceOptions(over: $0) } ?? ServiceOptions(),
      authorization: { value })
  }

  private let id = DocumentID("a b/ü")
  private let first: DocumentValue = ["docType": "note", "n": 1]
  private let second: DocumentValue = ["docType": "note", "n": 2, "large": 9_007_199_254_740_993]

  func testADocumentIsStoredChangedShownAndRemoved() async throws {
    let endpoint = try endpoint()
    let created = try await endpoint.answer(to: .create(id, first, in: "notes", key: "1"))
    XCTAssertEqual(created.status, 201)
    let version = try XCTUnwrap(created.version)
    let updated = try await endpoint.answer(
      to: .update(id, second, from: version, in: "notes", key: "2"))
    XCTAssertEqual(updated.status, 200)
    XCTAssertNotEqual(updated.version, version)
    XCTAssertNil(updated.shown)
    let shown = try await endpoint.answer(to: .look(at: id, in: "others"))
    XCTAssertEqual(shown.shown?.copy?.value, second)
    XCTAssertEqual(shown.shown?.copy?.version, updated.version)
    let deletion = PushRequest.delete(id, from: version, in: "notes", key: "3")
    try await assertEqual(endpoint.answer(to: deletion).status, 200)
    let again = try await endpoint.answer(to: deletion)
    XCTAssertEqual(again, PushAnswer(status: 404, words: "there is no such document"))
    try await assertEqual(endpoint.answer(to: .look(at: id, in: "notes")), again)
  }

  func testRefusalsAreTheServicesWordsAndTheTokenIsShownNowhere() async throws {
    let refused = await (try endpoint()).push(.create(id, ["n": 1], in: "notes", key: "1"))
    XCTAssertEqual(try refused.answered, PushAnswer(status: 422, words: "a document has a type"))
    XCTAssertEqual(refused.notes.call?.status, 422)
    let stranger = await (try endpoint(token: "another-secret"))
      .push(.create(id, first, in: "notes", key: "1"))
    XCTAssertEqual(try stranger.answered.status, 401)
    for reply in [refused, stranger] {
      let text = "\(String(describing: reply.notes.call))"
      XCTAssertFalse(text.contains(token) || text.contains("another-secret"), text)
    }
  }

  /// A page that isn't found isn't the service's word about a document.
  func testAWrongAddressRemovesNothing() async throws {
    let lost = try endpoint("/elsewhere")
    for request in [
      PushRequest.look(at: id, in: "notes"),
      .delete(id, from: DocumentVersion("1"), in: "notes", key: "1"),
    ] {
      let refused = try await lost.answer(to: request)
      XCTAssertEqual(refused.status, 404)
      XCTAssertEqual(refused.subject, .collection)
    }
  }

  func testASuccessWithoutTheDocumentIsNone() async throws {
    let transport = TroubledTransport()
    let endpoint = try endpoint(over: transport)
    let requests = [
      PushRequest.create(id, first, in: "notes", key: "1"),
      .update(id, first, from: DocumentVersion("1"), in: "notes", key: "2"),
      .look(at: id, in: "notes"),
      .delete(id, from: DocumentVersion("1"), in: "notes", key: "3"),
    ]
    transport.set(.portal)
    for request in requests {
      let reply = await endpoint.push(request)
      XCTAssertEqual(reply.end, .unreadable, "\(request.kind)")
      XCTAssertNotNil(reply.notes.call?.problem, "\(request.kind)")
    }
    transport.set(.noAnswer)
    for request in requests {
      await assertEqual(endpoint.push(request).end, .lost, "\(request.kind)")
    }
    transport.set(.busy)
    await assertEqual(endpoint.push(requests[0]).notes.wishes.retryAfter, .seconds(7))
  }

  func testNothingIsToldOfOthersAndNothingIsTakenForRemoved() async throws {
    let endpoint = try endpoint()
    try await assertEqual(endpoint.capabilities(), EndpointCapabilities(features: []))
    try await assertEqual(endpoint.changes(in: "notes", from: .beginning).end, .withoutLists)
  }

  func testWhatItCannotHaveIsNotSent() async throws {
    let endpoint = try endpoint()
    let cases: [(DocumentID, DocumentValue)] = [
      (DocumentID(""), first), (DocumentID(".."), first), (id, ["id": "a"]), (id, [1]),
    ]
    for (id, body) in cases {
      XCTAssertNotNil(endpoint.problem(with: id, body, in: "notes"))
      let reply = await endpoint.push(.create(id, body, in: "notes", key: "1"))
      XCTAssertEqual(try reply.answered.status, 400)
    }
    XCTAssertNil(endpoint.problem(with: id, first, in: "notes"))
  }

  func testItsAddressIsReadAsThatOfAnyService() {
    for server in ["", "example.org", "https://me:secret@example.org", "https://example.org/?a"] {
      XCTAssertThrowsError(try RestEndpoint(server: server), server) { error in
        XCTAssertTrue(error is ServiceError, "\(error)")
      }
    }
  }
}

import DocumentSync
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// Rows whose keys the service makes, as they are asked for and answered.
final class RestServerKeysTests: XCTestCase {
  private let transport = MemoryTransport()
  private let first = DocumentID.uuid7()

  private func endpoint(_ change: (inout RestDialect) -> Void = { _ in }) throws -> RestEndpoint {
    let transport = transport
    var dialect = RestDialect(serverKeys: ["tasks"])
    change(&dialect)
    return try RestEndpoint(
      server: "https://example.org", dialect: dialect, options: ServiceOptions(over: transport))
  }

  private func answer(
    _ path: String, _ body: String, status: Int = 201, _ fields: (String, String)...
  ) throws {
    transport.answer(
      try WebAddress("https://example.org/\(path)"),
      with: MemoryTransport.Answer(
        status: status, headers: HTTPHeaders(fields), body: Array(body.utf8)))
  }

  private func make(_ endpoint: RestEndpoint) async -> PushEnd {
    await endpoint.push(.create(first, ["n": 1], in: "tasks", key: nil)).end
  }

  private var sent: String { String(decoding: transport.bodies.last ?? [], as: UTF8.self) }

  func testARowIsMadeWithoutAKeyAndTheAnswerNamesIt() async throws {
    for numeric in [false, true] {
      let endpoint = try endpoint { $0.hasNumericKeys = numeric }
      XCTAssertNil(endpoint.problem(with: first, ["n": 1], in: "tasks"))
      try answer("tasks", #"{"id": 7, "n": 1}"#)
      guard case .answered(let made) = await make(endpoint) else { return XCTFail() }
      XCTAssertEqual(sent, #"{"n":1}"#)
      XCTAssertEqual(made.madeAs, DocumentID("7"))
      let version = try XCTUnwrap(made.version)
      XCTAssertEqual(endpoint.reference(to: DocumentID("7"), version, in: "tasks"), 7)
      try answer("tasks/7", #"{"id": 7, "n": 2}"#, status: 200)
      _ = await endpoint.push(
        .update(DocumentID("7"), ["n": 2], from: version, in: "tasks", key: nil))
      XCTAssertTrue(sent.contains(#""id":7"#), sent)
    }
  }

  func testALocationNamesItWhereTheAnswerSaysNothingElse() async throws {
    for (status, body) in [(201, ""), (204, ""), (201, #"{"created": true}"#)] {
      try answer("tasks", body, status: status, ("Location", "/tasks/a%20b?x=1"))
      guard case .answered(let made) = try await make(endpoint()) else { return XCTFail(body) }
      XCTAssertEqual(made.madeAs, DocumentID("a b"))
      XCTAssertEqual(made.version != nil, body.isEmpty)
    }
  }

  func testAnAnswerThatNamesNoKeyCannotBeUnderstood() async throws {
    for (status, body) in [(201, ""), (200, "{}"), (200, #"{"n": 1}"#), (200, "<html>")] {
      try answer("tasks", body, status: status)
      try await assertEqual(make(endpoint()), .unreadable, body)
    }
  }

  func testOtherModelsKeepTheirIds() async throws {
    try answer("lists", #"{"id": "a", "n": 1}"#)
    let endpoint = try endpoint()
    XCTAssertFalse(endpoint.makesKeys(in: "lists"))
    let end = await endpoint.push(.create(DocumentID("a"), ["n": 1], in: "lists", key: nil)).end
    guard case .answered(let made) = end else { return XCTFail("\(end)") }
    XCTAssertTrue(sent.contains(#""id":"a""#), sent)
    XCTAssertNil(made.madeAs)
    XCTAssertEqual(endpoint.reference(to: DocumentID("a"), nil, in: "lists"), "a")
  }

  func testAServiceThatKnowsRequestsSaysSo() async throws {
    for knows in [false, true] {
      let capabilities = try await endpoint { $0.knowsRequests = knows }.capabilities()
      XCTAssertEqual(capabilities.has(.idempotencyKeys), knows)
    }
  }

  func testAnIDMayNameItsModelAndTheServiceSeesTheKeyAlone() async throws {
    let endpoint = try endpoint { $0.idsNameModels = true }
    let seven = DocumentID("tasks/7")
    try answer("tasks", #"{"id": 7, "n": 1}"#)
    guard case .answered(let made) = await make(endpoint) else { return XCTFail() }
    XCTAssertEqual(made.madeAs, seven)
    XCTAssertEqual(endpoint.reference(to: seven, made.version, in: "tasks"), 7)
    try answer("tasks", #"[{"id": 7, "n": 1}]"#, status: 200)
    let list = try await endpoint.changes(in: "tasks", from: .beginning)
    guard case .page(let page) = list.end else { return XCTFail("\(list)") }
    XCTAssertEqual(page.documents.map(\.id), [seven])
    try answer("tasks/7", #"{"id": 7, "n": 2}"#, status: 200)
    let version = try XCTUnwrap(made.version)
    let end = await endpoint.push(.update(seven, ["n": 2], from: version, in: "tasks", key: nil))
    guard case .answered(let changed) = end.end else { return XCTFail("\(end)") }
    XCTAssertNotNil(changed.version)
    XCTAssertTrue(sent.contains(#""id":7"#), sent)
    XCTAssertNotNil(
      try self.endpoint { $0.idsNameModels = true }.problem(
        with: DocumentID("a"), ["n": 1], in: "lists"))
  }

  /// Only an entity tag is a validator: with a date and a digest, each answer would be another one.
  func testALookNamesTheEntityTagThatIsKnown() async throws {
    let transport = transport
    let service = try RestEndpoint(
      server: "https://example.org", dialect: .documentService,
      options: ServiceOptions(over: transport))
    for (version, field) in [("\"tag\"", "\"tag\""), ("0123456789abcdef", nil)] {
      try answer("document/7", "", status: 304)
      let end = await service.push(
        .look(at: DocumentID("7"), in: "notes", knowing: DocumentVersion(version))
      ).end
      guard case .answered(let said) = end else { return XCTFail("\(end)") }
      XCTAssertEqual(said.status, 304)
      XCTAssertEqual(transport.log.last?.headers["If-None-Match"], field)
    }
  }
}

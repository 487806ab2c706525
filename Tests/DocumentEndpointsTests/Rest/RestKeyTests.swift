import DocumentSync
import SyncTransport
import TransportTesting
import XCTest

@testable import DocumentEndpoints

/// Keys that are numbers where nobody said so.
///
/// "It has no key", a sync said of each row whose key was a number.
final class RestKeyTests: XCTestCase {
  private let transport = MemoryTransport()

  private func endpoint() throws -> RestEndpoint {
    let transport = transport
    return try RestEndpoint(server: "https://example.org", options: ServiceOptions(over: transport))
  }

  private func answer(_ path: String, _ body: String, status: Int = 200) throws {
    transport.answer(
      try WebAddress("https://example.org/\(path)"),
      with: MemoryTransport.Answer(
        status: status, headers: HTTPHeaders([("Content-Type", "application/json")]),
        body: Array(body.utf8)))
  }

  private func version(of state: DocumentState) -> DocumentVersion? {
    if case .present(let copy) = state { copy.version } else { nil }
  }

  func testANumberIsAKeyAndIsWrittenAsANumberAgain() async throws {
    try answer("tasks", #"[{"id": 3, "n": 1}, {"id": "4", "n": 1}]"#)
    let endpoint = try endpoint()
    let reply = try await endpoint.changes(in: "tasks", from: .beginning)
    guard case .page(let page) = reply.end else { return XCTFail("\(reply)") }
    XCTAssertEqual(page.documents.map(\.id.text), ["3", "4"])
    XCTAssertEqual(page.unreadable.count, 0)
    for (document, key) in zip(page.documents, ["3", #""4""#]) {
      var version = try XCTUnwrap(version(of: document.state))
      // Also where the service says nothing of what it took.
      for body in [#"{"id": \#(key), "n": 2}"#, ""] {
        try answer("tasks/\(document.id.text)", body, status: body.isEmpty ? 204 : 200)
        let pushed = await endpoint.push(
          .update(document.id, ["n": 2], from: version, in: "tasks", key: nil))
        guard case .answered(let answer) = pushed.end else { return XCTFail("\(pushed)") }
        let sent = transport.bodies.last.map { String(decoding: $0, as: UTF8.self) }
        XCTAssertTrue(sent?.contains(#""id":\#(key)"#) ?? false, "\(sent ?? "")")
        XCTAssertNil(answer.shown, "it took what was sent")
        version = try XCTUnwrap(answer.version)
      }
    }
  }

  func testAnotherKeyInTheAnswerToACreationIsToldWhateverElseIsWrongWithItsRow() async throws {
    let transport = transport
    var dialect = RestDialect()
    (dialect.row, dialect.modified) = ("row", "at")
    let endpoint = try RestEndpoint(
      server: "https://example.org", dialect: dialect, options: ServiceOptions(over: transport))
    for row in [#"{"id": 6, "n": 1, "at": "2026-11-27T00:00:00Z"}"#, #"{"id": "6"}"#] {
      try answer("tasks", #"{"row": \#(row)}"#, status: 201)
      let pushed = await endpoint.push(.create(DocumentID("7"), ["n": 1], in: "tasks", key: nil))
      guard case .answered(let answer) = pushed.end else { return XCTFail("\(pushed)") }
      XCTAssertEqual(answer.madeAs, DocumentID("6"))
      XCTAssertNil(answer.version)
    }
  }

  func testADocumentServiceMayMakeItsKeysItselfToo() async throws {
    let transport = transport
    let service = try RestEndpoint(
      server: "https://example.org", dialect: .documentService,
      options: ServiceOptions(over: transport))
    let send = PushRequest.create(DocumentID("7"), ["n": 1], in: "tasks", key: nil)
    for (id, made) in [("6", "6"), (#""x""#, "x"), ("7", nil)] {
      try answer("document", #"{"data": {"id": \#(id), "n": 1}}"#, status: 201)
      let pushed = await service.push(send)
      guard case .answered(let answer) = pushed.end else { return XCTFail("\(pushed)") }
      XCTAssertEqual(answer.madeAs?.text, made)
      XCTAssertEqual(answer.version == nil, made != nil)
    }
  }

  /// The version of what was taken is the one under which the next list has it: else that would
  /// count as somebody else's change.
  func testWhatIsOnlyAcknowledgedHasTheVersionThatTheListGivesIt() async throws {
    let transport = transport
    var dialect = RestDialect()
    dialect.modified = "at"
    let endpoint = try RestEndpoint(
      server: "https://example.org", dialect: dialect, options: ServiceOptions(over: transport))
    let members = #""text": "mine", "n": 1, "at": "2026-11-27T00:00:00Z""#
    for key in [#""7""#, "7"] {
      try answer(
        "tasks", #"{"id": \#(key), "at": "2026-11-27T00:00:00Z", "made": true}"#, status: 201)
      let pushed = await endpoint.push(
        .create(DocumentID("7"), ["text": "mine", "n": 1], in: "tasks", key: nil))
      guard case .answered(let taken) = pushed.end else { return XCTFail("\(pushed)") }
      XCTAssertNil(taken.shown)
      try answer("tasks", #"[{"id": \#(key), \#(members)}]"#)
      let reply = try await endpoint.changes(in: "tasks", from: .beginning)
      guard case .page(let page) = reply.end else { return XCTFail("\(reply)") }
      XCTAssertEqual(page.documents.map { version(of: $0.state) }, [taken.version], key)
    }
  }

  func testAnAnswerThatOnlyNamesTheRowOrTheDocumentTakesNothingsPlace() async throws {
    let body: DocumentValue = ["text": "mine", "docType": "note"]
    let send = PushRequest.create(DocumentID("a"), body, in: "tasks", key: nil)
    let said = #"{"id": "a", "docType": "note"}"#
    let transport = transport
    let service = try RestEndpoint(
      server: "https://example.org", dialect: .documentService,
      options: ServiceOptions(over: transport))
    try answer("tasks", said, status: 201)
    try answer("document", "{\"data\": \(said)}", status: 201)
    let endpoints: [any DocumentEndpoint] = [try endpoint(), service]
    for endpoint in endpoints {
      let pushed = await endpoint.push(send)
      guard case .answered(let answer) = pushed.end else { return XCTFail("\(pushed)") }
      XCTAssertEqual(answer.status, 201)
      XCTAssertNotNil(answer.version)
      XCTAssertNil(answer.shown)
    }
  }
}

import DocumentSync
import SyncText
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import DocumentEndpoints

/// What a dialect makes of calls, and the plain document service among dialects.
final class RestDialectTests: XCTestCase {
  private let transport = MemoryTransport()

  private func endpoint(_ dialect: RestDialect) throws -> RestEndpoint {
    let transport = transport
    return try RestEndpoint(
      server: "https://example.org", dialect: dialect, options: ServiceOptions(over: transport))
  }

  private func answer(_ path: String, _ body: String, tag: String? = nil) throws {
    let fields = tag.map { [("ETag", $0)] } ?? []
    transport.answer(
      try WebAddress("https://example.org/\(path)"),
      with: MemoryTransport.Answer(
        status: 200, headers: HTTPHeaders([("Content-Type", "application/json")] + fields),
        body: Array(body.utf8)))
  }

  private func answer(
    of endpoint: RestEndpoint, to request: PushRequest
  ) async throws -> PushAnswer {
    let end = await endpoint.push(request).end
    guard case .answered(let answer) = end else { throw UnexpectedEnd(end: end) }
    return answer
  }

  private struct UnexpectedEnd: Error { let end: PushEnd }

  /// Each was sent as `DELETE /document`.
  func testADocumentServiceIsAskedNoQueriesAndNoProcedures() async throws {
    let service = try endpoint(.documentService)
    for verb in [RestVerb.filter, .rpc("finish")] {
      for id in [nil, DocumentID("a")] {
        XCTAssertThrowsError(try RestDialect.documentService.line(of: RestCall(verb, "n", id: id)))
      }
    }
    await assertThrows(
      EndpointError(.impossible(RestDialect.isPlain)),
      try await service.callProcedure("finish", of: "notes", id: DocumentID("a")))
    try await assertEqual(service.documents(in: "notes", matching: []).end, .withoutLists)
    let options = ReplicaOptions(
      server: "https://example.org", account: "", collections: [SyncedCollection("notes")])
    let replica = try await DocumentReplica(.memory, endpoint: service, options: options)
    await assertThrows(
      DocumentError.noQueries,
      try await replica.remember(query: "all", matching: [], in: "notes"))
    await replica.close()
    XCTAssertEqual(transport.log.count, 0)
  }

  /// Stores know documents by these versions.
  func testADocumentServicesVersionIsItsEntityTagOrElseAWholeDigest() async throws {
    let service = try endpoint(.documentService)
    let body: DocumentValue = ["n": 1]
    let digest = "\(SHA256Digest(of: body.json.canonicalBytes))"
    XCTAssertEqual(digest.count, 64)
    for (id, tag) in [(#""7""#, nil), ("7", nil), ("7", #""v1/#3""#)] {
      for path in ["document", "document/7"] {
        try answer(path, #"{"data": {"id": \#(id), "n": 1}}"#, tag: tag)
      }
      let look = try await answer(of: service, to: .look(at: DocumentID("7"), in: "notes"))
      let version = try XCTUnwrap(look.shown?.copy?.version)
      XCTAssertEqual(version.text, tag ?? digest)
      let taken = try await answer(
        of: service, to: .update(DocumentID("7"), body, from: version, in: "notes", key: nil))
      XCTAssertEqual(taken.version, version)
      let sent = transport.bodies.last.map { String(decoding: $0, as: UTF8.self) }
      XCTAssertTrue(sent?.contains(#""id":"7""#) ?? false, "\(sent ?? "")")
    }
  }

  func testALineThatADialectDoesntMakeIsTheUsualOne() async throws {
    let dialect = RestDialect { call in
      call.verb == .get ? RestLine("get", ["one", call.id?.text ?? ""]) : nil
    }
    let endpoint = try endpoint(dialect)
    try answer("one/a", #"{"id": "a", "n": 1}"#)
    try answer("notes", "[]")
    let shown = try await answer(of: endpoint, to: .look(at: DocumentID("a"), in: "notes"))
    XCTAssertNotNil(shown.shown)
    _ = try await endpoint.changes(in: "notes", from: .beginning)
    XCTAssertEqual(transport.log.map(\.address.path), ["/one/a", "/notes"])
    XCTAssertEqual(transport.log.map { $0.headers["Cache-Control"] }, ["no-cache", "no-cache"])
  }

  /// It counted as UTF-8.
  func testNoEndpointIsMadeWithAnEncodingThatIsntKnown() throws {
    XCTAssertThrowsError(try endpoint(RestDialect(charset: "windows-1252"))) { error in
      XCTAssertEqual(error as? ServiceError, .badCharset("windows-1252"))
      XCTAssertTrue("\(error)".contains("iso-8859-1"), "\(error)")
    }
    XCTAssertNoThrow(try endpoint(RestDialect(charset: "ISO-8859-1")))
  }
}

import DocumentSync
import SyncTransport
import TransportTesting
import XCTest

@testable import DocumentEndpoints

/// Files of a REST service, each under an address of its own.
final class RestFilesTests: XCTestCase {
  private let transport = MemoryTransport()
  private let facts = FileFacts(
    digest: String(repeating: "0a", count: 32), size: 3, name: "my cat/1.png", type: "image/png")

  private func endpoint(_ files: RestFiles) throws -> RestEndpoint {
    var dialect = RestDialect()
    dialect.files = files
    let transport = transport
    return try RestEndpoint(
      server: "https://example.org/api", dialect: dialect,
      options: ServiceOptions(over: transport), authorization: { "Token secret" })
  }

  private func place(_ id: String = "a b", address: String? = nil) -> FilePlace {
    FilePlace(
      collection: "tasks", document: DocumentID(id), digest: facts.digest, member: "picture",
      address: address)
  }

  private func answer(_ address: String, _ status: Int, _ body: String = "") throws {
    transport.answer(
      try WebAddress(address),
      with: MemoryTransport.Answer(status: status, headers: HTTPHeaders(), body: Array(body.utf8)))
  }

  private func end(of request: FileRequest, _ files: RestFiles) async throws -> FileEnd {
    try await endpoint(files).file(request).end
  }

  func testAFileIsPutWhereTheTemplateSaysAndNobodyElseIsToldWhoAsks() async throws {
    let rows = [
      (
        "https://files.example/{type}/{id}/{member}/{name}",
        "https://files.example/tasks/a%20b/picture/my%20cat%2F1.png", false
      ),
      (
        "https://example.org/f/{id}/{member}/{digest}",
        "https://example.org/f/a%20b/picture/\(facts.digest)", true
      ),
    ]
    for (template, address, isSigned) in rows {
      let files = RestFiles(at: template)
      try answer(address, 201)
      XCTAssertEqual(try endpoint(files).address(ofFile: facts, at: place()), address)
      guard
        case .there(let file) = try await end(
          of: .store(place(), facts, FileContent([1, 2, 3])), files)
      else { return XCTFail(template) }
      XCTAssertEqual(file.location, address)
      let request = try XCTUnwrap(transport.log.last)
      XCTAssertEqual(request.method.name, "PUT")
      XCTAssertEqual(transport.bodies.last, [1, 2, 3])
      XCTAssertEqual(request.headersToSend["Content-Type"], "image/png")
      XCTAssertEqual(request.headersToSend["Authorization"] != nil, isSigned, template)
    }
  }

  func testARequestHasTheKeyThatItWasGiven() async throws {
    let address = "https://example.org/f/tasks/7/picture"
    let files = RestFiles(at: "https://example.org/f/{type}/{id}/{member}")
    try answer(address, 201)
    for key in ["one", "two", nil] {
      var place = place("7")
      place.idempotencyKey = key
      _ = try await end(of: .store(place, facts, FileContent([1])), files)
      XCTAssertEqual(transport.log.last?.headersToSend["Idempotency-Key"], key)
    }
  }

  func testTheServiceMaySayWhereAFileIs() async throws {
    let files = RestFiles(at: "https://example.org/uploads", answer: "url")
    XCTAssertNil(try endpoint(files).address(ofFile: facts, at: place()))
    try answer("https://example.org/uploads", 200, #"{"url": "https://cdn.example/7.png"}"#)
    guard case .there(let file) = try await end(of: .store(place(), facts, FileContent([1])), files)
    else { return XCTFail("it's there") }
    XCTAssertEqual(file.location, "https://cdn.example/7.png")
    XCTAssertEqual(transport.log.last?.method.name, "POST")
    try answer("https://example.org/uploads", 200, "{}")
    guard case .unusable = try await end(of: .store(place(), facts, FileContent([1])), files)
    else { return XCTFail("it doesn't say where") }
  }

  func testARemovalGoesToTheAddressAndWhatIsNotThereIsRemoved() async throws {
    let files = RestFiles(at: "https://files.example/{id}/{member}")
    let address = "https://files.example/7/picture"
    for status in [200, 204, 404, 410] {
      try answer(address, status)
      let end = try await end(of: .remove(place(address: address)), files)
      XCTAssertEqual(end, .missing, "\(status)")
      XCTAssertEqual(transport.log.last?.method.name, "DELETE")
    }
    try answer(address, 403)
    guard case .refused(403, _) = try await end(of: .remove(place(address: address)), files)
    else { return XCTFail("it's refused") }
  }

  func testTroubleOfTheServiceIsItsOwnAndTroubleElsewhereConcernsTheFileAlone() async throws {
    for status in [401, 429, 503, 507] {
      try answer("https://example.org/f/7/picture", status)
      do {
        let end = try await end(
          of: .store(place("7"), facts, FileContent([1])),
          RestFiles(at: "https://example.org/f/{id}/{member}"))
        XCTFail("\(status): \(end)")
      } catch let error as EndpointError {
        guard case .refused(status, _, .collection) = error.reason else {
          return XCTFail("\(error)")
        }
      }
      try answer("https://files.example/7/picture", status)
      let end = try await end(
        of: .store(place("7"), facts, FileContent([1])),
        RestFiles(at: "https://files.example/{id}/{member}"))
      switch end {
      case .unusable, .refused(401, _): break
      default: XCTFail("\(status): \(end)")
      }
    }
    try answer("https://example.org/f/7/picture", 413)
    guard
      case .refused(413, _) = try await end(
        of: .store(place("7"), facts, FileContent([1])),
        RestFiles(at: "https://example.org/f/{id}/{member}"))
    else { return XCTFail("it's too large") }
  }

  func testAnAddressIsThatOfAMembersFileOrNot() throws {
    let rows: [(String, String, Bool)] = [
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/7/picture/a.png", true),
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/7/picture/", false),
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/7/picture/../../x", false),
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/7/picture/..", false),
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/77/picture/a.png", false),
      ("https://f.example/{type}/{id}/{member}/{name}", "tasks/7/picture/a?b", false),
      ("https://f.example/{digest}-{member}-{id}", "0a-picture-7", true),
      ("https://f.example/{digest}-{member}-{id}", "0a-picture-8", false),
      ("https://f.example/{member}/{id}", "picture/7", true),
      ("https://f.example/{member}/{id}", "picture/77", false),
    ]
    for (template, address, isIt) in rows {
      let endpoint = try endpoint(RestFiles(at: template))
      XCTAssertEqual(
        endpoint.isAddress("https://f.example/\(address)", ofFileAt: place("7")), isIt, address)
    }
    let other = try endpoint(RestFiles(at: "https://f.example/{id}", answer: "url"))
    XCTAssertFalse(other.isAddress("https://f.example/7", ofFileAt: place("7")))
  }

  func testAnIdThatLeadsElsewhereMakesNoAddress() async throws {
    for id in ["..", "."] {
      let end = try await end(
        of: .store(place(id), facts, FileContent([1])),
        RestFiles(at: "https://files.example/{id}/{member}"))
      guard case .unusable = end else { return XCTFail("\(id): \(end)") }
    }
    XCTAssertEqual(transport.log.count, 0)
  }

  func testATemplateThatMakesNoAddressOfAFileAloneIsRefusedAtOnce() throws {
    let templates = [
      "https://files.example/{what}/{id}/{member}", "https://files.example/{id}/{member",
      "ftp://f/{id}/{member}", "https://files.example/{id}/{name}",
      "https://files.example/{type}/{member}/{digest}", "https://files.example/{digest}",
    ]
    for template in templates {
      XCTAssertThrowsError(try endpoint(RestFiles(at: template)), template) {
        XCTAssertEqual($0 as? ServiceError, .badTemplate(template))
      }
    }
    XCTAssertNoThrow(try endpoint(RestFiles(at: "files/{type}/{id}/{member}")))
    XCTAssertNoThrow(try endpoint(RestFiles(at: "https://files.example/new", answer: "url")))
  }

  func testWithoutATemplateThereAreNoFiles() throws {
    let transport = transport
    let endpoint = try RestEndpoint(
      server: "https://example.org", options: ServiceOptions(over: transport))
    XCTAssertEqual(endpoint.keepsFiles, false)
    XCTAssertFalse(endpoint.keepsFilesAtAddresses)
  }
}

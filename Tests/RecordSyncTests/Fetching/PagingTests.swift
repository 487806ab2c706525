import SyncText
import TestSupport
import XCTest
@testable import RecordSync

/// Lists whose pages are asked for by cursors, numbers and keys, as services document them.
final class PagingTests: XCTestCase {
  private func database() throws -> TestDatabase {
    try TestDatabase("users: name TEXT; users = (1, 'Ann'), (2, 'Ben'), (3, 'Cid')")
  }

  /// Serves these bodies at these targets, and nothing else.
  private func serve(_ bodies: [String: String]) throws -> FaultServer {
    let server = try FaultServer { request, _ in
      guard let body = bodies[request.path] else {
        return FaultAnswer(status: 404)
      }
      return FaultAnswer(text: body, headers: [("Content-Type", "application/json")])
    }
    addTeardownBlock { server.stop() }
    return server
  }

  private func sync(
    _ database: TestDatabase, _ url: String, _ paging: RecordPaging, items: String = "data"
  ) async throws -> RecordReport {
    var address = RecordAddress(url)
    (address.retries, address.paging) = (0, paging)
    var payload = RecordPayload.address(address)
    if let path = PayloadPath(items) { payload.form = .items(path) }
    return try await database.sync(payload, "users")
  }

  func testACursorIsAParameterOfTheNextRequest() async throws {
    let server = try serve([
      "/l?n=2&c=old": #"{"data": [{"id": 1}], "meta": {"cursor": "a&b=ü/"}}"#,
      "/l?n=2&c=a%26b%3D%C3%BC%2F": #"{"meta": {"cursor": -12.5e3}, "data": [{"id": 4}]}"#,
      "/l?n=2&c=-12.5e3": #"{"data": [{"id": 5}], "meta": {"cursor": null}}"#,
    ])
    let path = try XCTUnwrap(PayloadPath("meta.cursor"))
    let database = try database()
    let report = try await sync(
      database, server.url("/l?n=2&c=old"), .cursor(path, parameter: "c"))
    XCTAssertEqual(report.remarks, [])
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["1", "4", "5"])
  }

  /// Only what is proven to be all deletes: one total, and as many different keys.
  func testPagesByNumberAreAllOnlyWhereTheirTotalsSaySo() async throws {
    let cases: [(pages: [String], isAll: Bool)] = [
      (
        [#"[{"id": 1}, {"id": 4}]"#, #"[{"id": 5}]"#, "[]"].map { "{\"data\":\($0),\"total\":3}" },
        true
      ),
      ([#"[{"id": 1}, {"id": 4}]"#, #"[{"id": 5}]"#, "[]"].map { "{\"data\":\($0)}" }, false),
      // Something came meanwhile, and moved the others on.
      (
        [
          #"{"data": [{"id": 1}, {"id": 4}], "total": 3}"#,
          #"{"data": [{"id": 4, "name": "x"}, {"id": 5}], "total": 4}"#,
          #"{"data": [], "total": 4}"#,
        ], false
      ),
      (
        [
          #"{"data": [{"id": 1}, {"id": 4}], "total": 4}"#,
          #"{"data": [{"id": 4, "name": "x"}, {"id": 5}], "total": 4}"#,
          #"{"data": [], "total": 4}"#,
        ], false
      ),
    ]
    for (number, (pages, isAll)) in cases.enumerated() {
      let counts = pages.map { $0.count(of: "{\"") - 1 }
      let offsets = counts.indices.map { counts[..<$0].reduce(0, +) }
      var bodies: [String: String] = [:]
      for (place, page) in pages.enumerated() {
        bodies[place == 0 ? "/o" : "/o?skip=\(offsets[place])"] = page
        bodies[place == 0 ? "/p?x=1&page=2" : "/p?x=1&page=\(place + 2)"] = page
      }
      let server = try serve(bodies)
      for (path, paging) in [
        ("/o", RecordPaging.offset(parameter: "skip")),
        ("/p?x=1&page=2", .page(parameter: "page")),
      ] {
        let database = try database()
        let report = try await sync(database, server.url(path), paging)
        XCTAssertEqual(report.remarks.contains(.partial(.sliding)), !isAll, "\(number) \(path)")
        let rows = try database.rows("SELECT id FROM users")
        XCTAssertEqual(rows.contains("2"), !isAll, "\(number) \(path): \(rows)")
        XCTAssertTrue(rows.contains("5"), "\(number) \(path): \(rows)")
      }
      server.stop()
    }
  }

  /// Each in the form that its own documentation gives.
  func testPresetsFollowTheFormsOfTheirDocumentation() async throws {
    let forms: [(String, String, [String: String])] = [
      (
        "odata", "/u",
        [
          "/u":
            #"{"@odata.context": "x", "value": [{"id": 1}], "@odata.nextLink": "u?$skiptoken=1"}"#,
          "/u?$skiptoken=1": #"{"@odata.context": "x", "value": [{"id": 4}]}"#,
        ]
      ),
      (
        "json-api", "/u",
        [
          "/u": #"{"links": {"self": "/u", "next": "/u?page[number]=2"}, "data": [{"id": "1"}]}"#,
          "/u?page%5Bnumber%5D=2":
            #"{"links": {"self": "/x", "next": null}, "data": [{"id": "4"}]}"#,
          "/u?page[number]=2": #"{"links": {"self": "/x", "next": null}, "data": [{"id": "4"}]}"#,
        ]
      ),
      (
        "json-api", "/o",
        [
          "/o":
            #"{"links": {"next": {"href": "/o?p=2", "meta": {"n": 1}}}, "data": [{"id": "1"}]}"#,
          "/o?p=2": #"{"links": {"self": {"href": "/o"}}, "data": [{"id": "4"}]}"#,
        ]
      ),
      (
        "drf", "/u",
        [
          "/u": #"{"count": 2, "next": "/u?page=2", "previous": null, "results": [{"id": 1}]}"#,
          "/u?page=2": #"{"count": 2, "next": null, "previous": "/u", "results": [{"id": 4}]}"#,
        ]
      ),
      (
        "stripe", "/u?limit=1",
        [
          "/u?limit=1": #"{"object": "list", "has_more": true, "data": [{"id": 1}]}"#,
          "/u?limit=1&starting_after=1":
            #"{"object": "list", "has_more": false, "data": [{"id": 4}]}"#,
        ]
      ),
      (
        "kubernetes", "/u?limit=1",
        [
          "/u?limit=1": #"{"kind": "L", "metadata": {"continue": "ENC"}, "items": [{"id": 1}]}"#,
          "/u?limit=1&continue=ENC":
            #"{"kind": "L", "metadata": {"continue": ""}, "items": [{"id": 4}]}"#,
        ]
      ),
    ]
    for (name, start, bodies) in forms {
      let server = try serve(bodies)
      let database = try database()
      var address = RecordAddress(server.url(start))
      address.retries = 0
      let preset = try XCTUnwrap(PagingPreset.named(name))
      let report = try await database.sync(.pages(address, as: preset), "users")
      XCTAssertEqual(report.remarks, [], name)
      XCTAssertEqual(try database.rows("SELECT id FROM users"), ["1", "4"], name)
      server.stop()
    }
  }

  /// A list of one page has no member for the next one.
  func testWhereAPresetsListNamesNoNextPageThereIsNone() async throws {
    let server = try serve(["/u": #"{"value": [{"id": 1}]}"#])
    let database = try database()
    let preset = try XCTUnwrap(PagingPreset.named("odata"))
    let report = try await database.sync(
      .pages(RecordAddress(server.url("/u")), as: preset), "users")
    XCTAssertEqual(report.remarks, [])
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["1"])
  }

  func testAKeyThatComesAgainIsAnError() async throws {
    let server = try serve([
      "/u": #"{"has_more": true, "data": [{"id": 1}]}"#,
      "/u?after=1": #"{"has_more": true, "data": [{"id": 1}]}"#,
    ])
    let database = try database()
    await assertThrows(
      PayloadProblem.self,
      try await sync(database, server.url("/u"), .after(parameter: "after")))
    XCTAssertEqual(try database.table("users").count, 3)
  }

  /// It would be asked for ever.
  func testAServerThatTakesNoNoticeOfTheNumberIsAnError() async throws {
    let body = #"{"data": [{"name": "x"}, {"name": "y"}]}"#
    let server = try FaultServer { _, _ in
      FaultAnswer(text: body, headers: [("Content-Type", "application/json")])
    }
    addTeardownBlock { server.stop() }
    let database = try database()
    await assertThrows(
      PayloadProblem.self,
      try await sync(database, server.url("/u"), .offset(parameter: "skip"))
    ) {
      if case .pageTwice = $0 { true } else { false }
    }
    XCTAssertEqual(server.requests.map(\.path), ["/u", "/u?skip=2"])
  }

  /// Each would have passed for all there is.
  func testWhatTellsNothingOfTheNextPageIsAnError() async throws {
    let server = try serve([
      "/keyless": #"{"data": [{"id": 1}, {"code": "a"}]}"#,
      "/alone?n=0": #"{"offset": 0, "items": []}"#, "/broken": #"{"data": [{"id": 1}"#,
    ])
    for (path, items, paging) in [
      ("/keyless", "data", RecordPaging.after(parameter: "a")),
      ("/alone?n=0", "", .offset(parameter: "n")), ("/broken", "data", .page(parameter: "p")),
    ] {
      let database = try database()
      await assertThrows(
        PayloadProblem.self, try await sync(database, server.url(path), paging, items: items), path)
      XCTAssertEqual(try database.table("users").count, 3, path)
    }
    let packed = try FaultServer { _, _ in
      FaultAnswer(storedInGzip(Array(#"{"data": [{"id": 1}], "next": null}"#.utf8)))
    }
    addTeardownBlock { packed.stop() }
    let next = try XCTUnwrap(PayloadPath("next"))
    for paging in [RecordPaging.next(next), .page(parameter: "p")] {
      let database = try database()
      await assertThrows(
        PayloadProblem.self, try await sync(database, packed.url("/x"), paging))
      XCTAssertEqual(try database.table("users").count, 3)
    }
  }

  /// JSON:API's own names, with brackets that need not be written as `%5B`.
  func testAParameterIsTheSameHoweverItIsWritten() throws {
    let address = try XCTUnwrap(URLReference("https://h/a?page[number]=4&x=1&q=a+b"))
    XCTAssertEqual(address.number(of: "page[number]"), 4)
    XCTAssertEqual(
      address.setting("page[number]", to: "5").text, "https://h/a?x=1&q=a+b&page%5Bnumber%5D=5")
    XCTAssertEqual(address.setting("q", to: "c").query, "page[number]=4&x=1&q=c")
  }

  /// An element was inserted meanwhile: the last page has only what the one before it had, too.
  func testASlideOfOneElementMakesAPart() async throws {
    let server = try serve([
      "/u": #"{"data": [{"id": 1}, {"id": 2}]}"#, "/u?s=2": #"{"data": [{"id": 2}, {"id": 3}]}"#,
      "/u?s=4": #"{"data": [{"id": 3}]}"#, "/u?s=5": #"{"data": []}"#,
    ])
    let database = try database()
    let report = try await sync(database, server.url("/u"), .offset(parameter: "s"))
    XCTAssertEqual(report.remarks, [.partial(.sliding)])
    XCTAssertEqual(try database.table("users").count, 3)
  }

  func testArraysBehindEachOtherAreOneList() throws {
    for text in [#"[{"id":1}][{"id":2}]"#, "[{\"id\":1}]\n[]\n[{\"id\":2}]\n"] {
      XCTAssertEqual(PayloadReading(text).elements, [#"{"id":1}"#, #"{"id":2}"#], text)
      XCTAssertNil(PayloadReading(text).problem, text)
    }
    for text in [#"[{"id":1}]{"id":2}"#, #"[{"id":1}][{"id":2}"#, #"[1] 2"#] {
      XCTAssertNotNil(PayloadReading(text).problem, text)
    }
    var reader = PayloadReader(Array("[][]".utf8))
    var window = PayloadWindow()
    while try reader.next(&window) {}
    XCTAssertTrue(reader.mayGoOn, "a further array may have been cut off")
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}

import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// A complete list has to look like one: an error of a service, `{"id": "unauthorized", …}`, was
/// taken for a list of one, and the table was wiped.
final class WholeListTests: XCTestCase {
  private func database() throws -> TestDatabase {
    try TestDatabase(
      "users (id TEXT PRIMARY KEY, name TEXT); notes: user_id TEXT REFERENCES users",
      "users = ('1', 'Ann'), ('2', 'Ben'); notes = (5, '1')")
  }

  func testAnObjectThatStandsAloneIsPutAndDeletesNothing() async throws {
    for creates in [false, true] {
      for payload in [
        #"{"id": "1", "name": "Bea", "notes": []}"#, #" { "name" : "Bea", "id": "1" } "#,
      ] {
        let database = try database()
        let report = try await database.sync(payload, "users") { $0.creates = creates }
        XCTAssertEqual(report.remarks, [.putAlone(table: "users")], payload)
        XCTAssertEqual(try database.table("users"), ["1|Bea", "2|Ben"], payload)
        XCTAssertEqual(try database.table("notes"), ["5|1"], payload)
      }
    }
  }

  func testAtTheEndOfAPathItIsPutToo() async throws {
    let database = try database()
    let body = #"{"data": {"id": "1", "name": "Bea"}, "more": [1]}"#
    try await assertEqual(
      database.sync(body, "users", items: "data").remarks, [.putAlone(table: "users")])
    XCTAssertEqual(try database.table("users"), ["1|Bea", "2|Ben"])
  }

  /// What follows on the first object may come much later than that.
  func testASecondValueOrTheNameMakesAListOfIt() async throws {
    let folder = try TestFolder()
    let long = String(repeating: " ", count: 3_000_000)
    for (name, text) in [
      ("a.json", "{\"id\": \"1\", \"name\": \"Ann\"}\(long){\"id\": \"3\"}"),
      ("b.ndjson", #"{"id": "3"}"#),
      ("c.json", #"[{"id": "3"}]"#),
    ] {
      let database = try database()
      let path = folder.path + "/" + name
      try Data(text.utf8).write(to: URL(filePath: path))
      let report = try await database.sync(.file(path), "users")
      XCTAssertEqual(report.remarks, [], name)
      XCTAssertEqual(report.tables["users"]?.inserted.map(\.description), [#""3""#], name)
      XCTAssertFalse(report.tables["users"]?.deleted.isEmpty ?? true, name)
    }
    let database = try database()
    let path = folder.path + "/" + "d.json"
    try Data("{\"id\": \"1\", \"name\": \"Bea\"}\(long)".utf8).write(to: URL(filePath: path))
    try await assertEqual(database.sync(.file(path), "users").remarks, [.putAlone(table: "users")])
    XCTAssertEqual(try database.table("users"), ["1|Bea", "2|Ben"])
  }

  func testAnObjectThatIsNoneOfTheTablesIsAnError() async throws {
    for creates in [false, true] {
      for payload in [
        #"{"id": "unauthorized", "message": "Invalid credentials provided."}"#,
        #"{"id": "1", "name": "Bea", "error": "gone"}"#,
        #"{"id": "1", "name": "Bea", "errors": [{"code": 5}]}"#,
      ] {
        let database = try database()
        await assertThrows(
          try await database.sync(payload, "users") { $0.creates = creates }
        ) {
          switch $0 as? PayloadProblem {
          case .errorBody, .strangeObject: break
          default: XCTFail("\($0)")
          }
        }
        XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Ben"], payload)
        XCTAssertEqual(try database.columns("users"), ["id TEXT", "name TEXT"], payload)
      }
    }
    let empty = try TestDatabase()
    await assertThrows(
      PayloadProblem.self, try await empty.create(#"{"id": "x", "error": "gone"}"#, "users"))
    XCTAssertEqual(try empty.tables(), [])
  }

  func testAnErrorThatIsEmptyOrAColumnIsNone() async throws {
    for error in ["null", "false", "0", "\"\"", "[]", "{}"] {
      let database = try database()
      _ = try await database.sync(
        "{\"id\": \"1\", \"name\": \"Bea\", \"error\": \(error)}", "users")
      XCTAssertEqual(try database.table("users"), ["1|Bea", "2|Ben"], error)
    }
    let database = try TestDatabase("CREATE TABLE jobs (id INTEGER PRIMARY KEY, error TEXT)")
    _ = try await database.sync(#"{"id": 1, "error": "gone"}"#, "jobs")
    XCTAssertEqual(try database.table("jobs"), ["1|gone"])
  }

  func testWhatABodySaysBesideItsElementsMakesItAPart() async throws {
    let rows: [(beside: String, remarks: [PayloadRemark])] = [
      (#""errors": [{"message": "m"}]"#, [.partial(.errors("errors"))]),
      (#""errors": []"#, []), (#""error": null"#, []),
      (#""has_more": true"#, [.partial(.more("has_more"))]), (#""has_more": false"#, []),
      (#""next": "/b""#, [.partial(.more("next"))]), (#""next": null"#, []),
      (#""nextPageToken": "t""#, [.partial(.more("nextPageToken"))]),
      (#""@odata.nextLink": "/b""#, [.partial(.more("@odata.nextLink"))]),
      (#""meta": {"next_cursor": "c"}"#, [.partial(.more("meta.next_cursor"))]),
      (#""count": 12"#, [.partial(.total("count", 12, came: 1))]), (#""count": 1"#, []),
    ]
    for (beside, remarks) in rows {
      for body in [
        "{\(beside), \"data\": [{\"id\": \"1\", \"notes\": []}]}",
        "{\"data\": [{\"id\": \"1\", \"notes\": []}], \(beside)}",
      ] {
        let database = try database()
        try await assertEqual(database.sync(body, "users", items: "data").remarks, remarks, body)
        let isPart = !remarks.isEmpty
        XCTAssertEqual(try database.table("users"), ["1|Ann"] + (isPart ? ["2|Ben"] : []), body)
        XCTAssertEqual(try database.table("notes"), isPart ? ["5|1"] : [], body)
      }
    }
  }

  /// What a sync of one of two rows, with something beside it, says of the payload.
  private func remarks(
    beside: String, _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> [PayloadRemark] {
    let database = try database()
    do {
      let body = "{\(beside), \"data\": [{\"id\": \"1\"}]}"
      let remarks = try await database.sync(body, "users", items: "data", change).remarks
      let left = remarks.isEmpty ? ["1|Ann"] : ["1|Ann", "2|Ben"]
      XCTAssertEqual(try database.table("users"), left, beside)
      return remarks
    } catch {
      XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Ben"], beside)
      throw error
    }
  }

  func testMoreIsHeardUnderEveryUsualNameAtAnyUsualPlace() async throws {
    let rows: [(beside: String, reason: PayloadRemark.Reason)] = [
      (
        #""meta":{"pagination":{"total":4,"next":"/x"}}"#,
        .total("meta.pagination.total", 4, came: 1)
      ),
      (#""page":{"totalElements":4,"totalPages":2}"#, .total("page.totalElements", 4, came: 1)),
      (#""totalItems":4"#, .total("totalItems", 4, came: 1)),
      (#""total":"4""#, .total("total", 4, came: 1)),
      (#""hits":2,"total":{"value":4}"#, .total("total", 4, came: 1)),
      (#""total_pages":2,"page":1"#, .more("total_pages")),
      (#""page":{"totalPages":"2"}"#, .more("page.totalPages")),
      (#""has_more":"true""#, .more("has_more")),
      (#""last":false"#, .more("last")),
      (#""incomplete_results":true"#, .more("incomplete_results")),
      (#""links":[{"rel":"self","href":"/a"},{"rel":"next","href":"/b"}]"#, .more("links")),
      (#""link":[{"relation":"next","url":"/b"}]"#, .more("link")),
      (#""_links":{"next":{"href":"/b"}}"#, .more("_links.next")),
      (#""paging":{"cursors":{"after":"a"},"next":"/b"}"#, .more("paging.next")),
      (#""meta":{"page":{"cursor":{"next":"c"}}}"#, .more("meta.page.cursor.next")),
      (#""error":{"code":0,"message":"gone"}"#, .errors("error")),
      (#""success":false"#, .errors("success")), (#""ok":"false""#, .errors("ok")),
      (#""status":"error","message":"gone""#, .errors("status")),
      (#""status":503"#, .errors("status")), (#""stat":"fail""#, .errors("stat")),
      (#""code":"500","message":"gone""#, .errors("code")),
      (#""message":"gone","code":429"#, .errors("code")),
      (#""errorCode":"E7""#, .errors("errorCode")),
      (#""error_message":"x""#, .errors("error_message")),
      (#""Errors":["x"]"#, .errors("Errors")),
      (#""meta":{"code":400,"error_type":"x"}"#, .errors("meta.error_type")),
    ]
    for (beside, reason) in rows {
      try await assertEqual(remarks(beside: beside), [.partial(reason)], beside)
    }
  }

  func testWhatSaysNothingLeavesAListWhole() async throws {
    for beside in [
      #""error":{"code":0,"message":""}"#, #""error":"0""#, #""errors":[null,{}]"#,
      #""error":"false""#, #""links":{"next":{"href":null}}"#,
      #""_links":{"next":{"href":null,"templated":true}}"#,
      #""links":[{"rel":"next","href":null},{"rel":"last","href":"/a"}]"#,
      #""has_more":false,"next_cursor":"abc""#, #""next_cursor":"abc","has_more":"false""#,
      #""meta":{"cursor":"abc","isLast":true}"#, #""next":"""#, #""total":"1","total_pages":1"#,
      #""success":true,"status":"ok","message":"all""#, #""code":500"#, #""status":200"#,
      #""next2":"/b","hasMore1":true,"error2":"x","status1":503"#, #""añerror":"x""#,
      #""errcode":0,"errmsg":"ok","result":450"#, #""message":"450 rows","code":200"#,
      #""page":{"number":0,"size":20,"totalElements":1,"totalPages":1},"last":true"#,
    ] {
      try await assertEqual(remarks(beside: beside), [], beside)
    }
  }

  func testStrictnessLetsNoPartPass() async throws {
    for beside in [#""total":4"#, #""next":"/b""#, #""errors":["gone"]"#] {
      await assertThrows(
        RecordError.self, try await remarks(beside: beside) { $0.isStrict = true }, "\(beside)"
      ) {
        if case .strict("users", .partial) = $0 { true } else { false }
      }
    }
    try await assertEqual(remarks(beside: #""total":1"#) { $0.isStrict = true }, [])
  }

  func testAPathsNamesMayHaveDotsInQuotes() throws {
    for (text, same) in [
      (#""a.b""#, #"a\.b"#), (#"x."a.b".c"#, #"x.a\.b.c"#), (#""a""#, "a"), (#"a"b"#, #"a\"b"#),
    ] {
      XCTAssertEqual(PayloadPath(text), try XCTUnwrap(PayloadPath(same)), text)
    }
    XCTAssertNotEqual(PayloadPath("a.b"), PayloadPath(#""a.b""#))
    for text in ["", ".", "a.", ".a", "a..b", #""a"#, #""a"b"#, #""""#, "a\\"] {
      XCTAssertNil(PayloadPath(text), text)
    }
  }
}

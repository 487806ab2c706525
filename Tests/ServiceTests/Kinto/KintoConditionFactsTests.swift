import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// What a Kinto server makes of conditions, deletions and members of its own.
final class KintoConditionFactsTests: KintoTestCase {
  override func setUp() async throws {
    try await super.setUp()
    try await makeCollection()
  }

  func testAnIfMatchIsANumberInQuotesAndAnEmptyOneIsNoCondition() async throws {
    let version = try await put("a").lastModified
    for (value, status) in [
      ("\(version)", 400), ("\"x\"", 400), ("\"\(version - 1)\"", 412), ("\"\(version)\"", 200),
      ("", 200),
    ] {
      try await assertEqual(put("a", fields: [("If-Match", value)]).status, status, value)
    }
  }

  func testAConflictShowsTheRecord() async throws {
    let version = try await put("a", #"{"n": 1}"#).lastModified
    for (method, field) in [
      (HTTPRequest.Method.put, ("If-None-Match", "*")),
      (.put, ("If-Match", "\"\(version - 1)\"")), (.delete, ("If-Match", "\"\(version - 1)\"")),
    ] {
      let answer = try await me().ask(
        method, "\(records)/a", method == .put ? #"{"data": {}}"# : nil, fields: [field])
      XCTAssertEqual(answer.status, 412)
      XCTAssertEqual(
        try answer.json["details"]?["existing"],
        ["n": 1, "id": "a", "last_modified": DocumentValue(version)])
    }
  }

  func testAConditionOnWhatIsNotThereIsAConflictWithoutARecord() async throws {
    let version = try await put("a").lastModified
    try await me().ask(.delete, "\(records)/a")
    for id in ["a", "never"] {
      let answer = try await put(id, fields: [("If-Match", "\"\(version)\"")])
      XCTAssertEqual(answer.status, 412, id)
      XCTAssertNil(try answer.json["details"], id)
    }
  }

  func testADeletionIsATombstoneAndIsNotFoundTheSecondTime() async throws {
    let version = try await put("a").lastModified
    let deleted = try await me().ask(
      .delete, "\(records)/a", fields: [("If-Match", "\"\(version)\"")])
    XCTAssertEqual(deleted.status, 200)
    XCTAssertEqual(
      try deleted.data,
      ["id": "a", "last_modified": DocumentValue(try deleted.lastModified), "deleted": true])
    for method in [HTTPRequest.Method.delete, .get] {
      try await assertEqual(me().ask(method, "\(records)/a").status, 404)
    }
    try await assertEqual(put("a", fields: [("If-None-Match", "*")]).status, 201)
  }

  func testATombstoneIsFoundByItsIDInQuotes() async throws {
    for id in ["007", "true", "abc"] {
      try await put(id)
      try await me().ask(.delete, "\(records)/\(id)")
    }
    let found = try await me().ask(
      .get, "\(records)?_since=0&in_id=%22007%22,%22true%22,%22abc%22,%22never%22")
    XCTAssertEqual(Set(try ids(found)), ["007", "true", "abc"])
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=0&in_id=%22007%22")), ["007"])
    await assertEqual(try ids(me().ask(.get, "\(records)?in_id=%22007%22")), [])
  }

  func testATimeThatIsSentMovesTheClockOfTheCollectionOrIsHiddenFromOthers() async throws {
    let before = try await put("a").lastModified
    let past = try await put("past", #"{"last_modified": \#(before - 100_000)}"#)
    XCTAssertEqual(try past.lastModified, before - 100_000)
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=\(before)")), [])
    let future = before + 3_600_000
    try await put("future", #"{"last_modified": \#(future)}"#)
    let next = try await put("next").lastModified
    XCTAssertGreaterThan(next, future)
  }

  func testABodyThatSaysItIsDeletedLooksLikeATombstone() async throws {
    try await put("a", #"{"deleted": true}"#)
    await assertEqual(try me().ask(.get, "\(records)/a").data?["deleted"], true)
  }

  func testIntegersAreExactUpTo64BitsAndOthersAreDoubles() async throws {
    try await put(
      "a",
      """
      {"most": 18446744073709551615, "least": -9223372036854775808, "more": 18446744073709551616,
       "long": 0.12345678901234567890, "plain": 1.5, "power": 1e3}
      """)
    let data = try await me().ask(.get, "\(records)/a").data
    XCTAssertEqual(data?["most"], DocumentValue(UInt64.max))
    XCTAssertEqual(data?["least"], DocumentValue(Int64.min))
    XCTAssertNotEqual(data?["more"], try DocumentValue(parsing: "18446744073709551616"))
    XCTAssertNotEqual(data?["long"], try DocumentValue(parsing: "0.12345678901234567890"))
    XCTAssertEqual(data?["plain"], 1.5)
    XCTAssertEqual(data?["power"], 1000)
  }

  /// Its reader of numbers isn't exact: of numbers with 16 digits or more some become the next
  /// double.
  func testADoubleOfManyDigitsMayComeBackAsItsNeighbour() async throws {
    try await put("a", #"{"many": 0.9745963848909007, "fifteen": 0.974596384890901}"#)
    let data = try await me().ask(.get, "\(records)/a").data
    XCTAssertEqual(data?["many"]?.double, 0.9745963848909008)
    XCTAssertEqual(data?["fifteen"], 0.974596384890901)
  }

  func testAnAttachmentGoesWithAPlainPutThatHasItNot() async throws {
    let file =
      "--x\r\nContent-Disposition: form-data; name=\"attachment\"; filename=\"a.txt\"\r\n"
      + "Content-Type: text/plain\r\n\r\nhello\r\n--x--\r\n"
    let server = try me().server.address
    var request = HTTPRequest(try WebAddress("\(server)/v1\(records)/a/attachment"))
    request.method = .post
    request.headers.add("Authorization", try me().authorization)
    request.body = RequestBody(Array(file.utf8), mediaType: "multipart/form-data; boundary=x")
    try await assertEqual(
      HTTPClient(CurlTransport()).answer(to: FetchRequest(request), limit: 1 << 20).status, 201)
    let attachment = try await me().ask(.get, "\(records)/a").data?["attachment"]
    XCTAssertNotNil(attachment?["location"]?.string)
    XCTAssertNotNil(attachment?["hash"]?.string)
    try await put("a", #"{"n": 1}"#)
    try await assertNil(me().ask(.get, "\(records)/a").data?["attachment"])
  }

  func testASchemaAddsAMemberAndRefusesOthers() async throws {
    try await me().ask(
      .put, "/buckets/\(bucket)/collections/\(collection)",
      #"{"data": {"schema": {"properties": {"n": {"type": "integer"}}}}}"#)
    await assertNotNil(try put("good", #"{"n": 1}"#).data?["schema"]?.integer)
    try await assertEqual(put("bad", #"{"n": "one"}"#).status, 400)
  }
}

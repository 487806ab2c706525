import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// What the endpoint takes for granted of a Kinto server: a new version that differs is noticed.
final class KintoFactsTests: KintoTestCase {
  func testTheGreetingTellsSettingsAndWhetherItKnowsTheAccount() async throws {
    let known = try await me().ask(.get, "/").json
    XCTAssertEqual(known["settings"]?["batch_max_requests"], 100)
    XCTAssertEqual(known["settings"]?["readonly"], false)
    XCTAssertNotNil(known["user"])
    XCTAssertNotNil(known["http_api_version"])
    XCTAssertNotNil(known["capabilities"]?["attachments"])
    let unknown = try await me().ask(.get, "/", as: "Basic bm9ib2R5Om5v")
    XCTAssertEqual(unknown.status, 200)
    XCTAssertNil(try unknown.json["user"])
    try await assertEqual(me().ask(.get, records, as: "Basic bm9ib2R5Om5v").status, 401)
  }

  func testAMissingBucketIsForbiddenToReadersAndNotFoundByWriters() async throws {
    let list = try await me().ask(.get, records)
    XCTAssertEqual([list.status, Int(try errno(list))], [403, 121])
    let written = try await put("a")
    XCTAssertEqual([written.status, Int(try errno(written))], [404, 111])
  }

  func testAMissingCollectionAndAMissingRecordHaveNumbersOfTheirOwn() async throws {
    try await me().ask(.put, "/buckets/\(bucket)", "{}")
    for method in [HTTPRequest.Method.get, .delete] {
      let answer = try await me().ask(method, "\(records)/a")
      XCTAssertEqual([answer.status, Int(try errno(answer))], [404, 111])
    }
    let written = try await put("a")
    XCTAssertEqual([written.status, Int(try errno(written))], [404, 111])
    try await makeCollectionOnly()
    for method in [HTTPRequest.Method.get, .delete] {
      let answer = try await me().ask(method, "\(records)/a")
      XCTAssertEqual([answer.status, Int(try errno(answer))], [404, 110])
    }
  }

  func testWhatIsThereIsNotMadeAnewUnderTheConditionThatItIsNot() async throws {
    try await makeCollection()
    let before = try await me().ask(.get, "/buckets/\(bucket)/collections/\(collection)")
    for path in ["/buckets/\(bucket)", "/buckets/\(bucket)/collections/\(collection)"] {
      let answer = try await me().ask(.put, path, "{}", fields: [("If-None-Match", "*")])
      XCTAssertEqual(answer.status, 412)
    }
    let after = try await me().ask(.get, "/buckets/\(bucket)/collections/\(collection)")
    XCTAssertEqual(try before.lastModified, try after.lastModified)
  }

  func testIDsAreOfLettersDigitsHyphensAndUnderscores() async throws {
    try await makeCollection()
    for (id, status) in [
      ("a", 201), ("A-b_9", 201), ("0", 201), ("-a", 400), ("_a", 400), ("a%20b", 400),
      ("a.b", 400), ("%C3%A9", 400),
    ] {
      try await assertEqual(put(id).status, status, id)
    }
  }

  func testVersionsOfACollectionDifferAndRise() async throws {
    try await makeCollection()
    let me = try me()
    let path = records
    let versions = try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await me.ask(.put, "\(path)/r\(number)", #"{"data": {}}"#).lastModified
        }
      }
      return try await group.reduce(into: [Int64]()) { $0.append($1) }
    }
    XCTAssertEqual(Set(versions).count, 60)
    let next = try await put("later").lastModified
    XCTAssertGreaterThan(next, versions.max() ?? 0)
    await assertEqual(try me.ask(.get, records).change, next)
  }

  func testEqualContentGetsANewVersion() async throws {
    try await makeCollection()
    let first = try await put("a", #"{"n": 1}"#).lastModified
    let second = try await put("a", #"{"n": 1}"#).lastModified
    XCTAssertGreaterThan(second, first)
  }

  func testAListIsUnchangedAsLongAsItsTagIsTheSame() async throws {
    try await makeCollection()
    try await put("a")
    let tag = try await me().ask(.get, records).change
    let fields = [("If-None-Match", "\"\(tag)\"")]
    for query in ["", "?_sort=last_modified&_since=%22\(tag)%22"] {
      try await assertEqual(me().ask(.get, records + query, fields: fields).status, 304, query)
    }
    try await put("b")
    try await assertEqual(me().ask(.get, records, fields: fields).status, 200)
  }

  func testThePressureOfAServerIsToldWithEveryAnswer() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "busy-\(bucket)")
    let server = try KintoServer(
      in: folder, settings: ["kinto.backoff": "3", "kinto.readonly": "true"])
    defer { try? server.stop() }
    try await assertNotNil(me().ask(.get, "/").json["settings"])
    let client = HTTPClient(CurlTransport())
    var request = HTTPRequest(try WebAddress("\(server.address)/v1/"))
    let greeting = try await client.answer(to: FetchRequest(request), limit: 1 << 20)
    XCTAssertEqual(greeting.headers["Backoff"], "3")
    XCTAssertEqual(try greeting.json["settings"]?["readonly"], true)
    request = HTTPRequest(try WebAddress("\(server.address)/v1\(records)/a"))
    request.method = .put
    request.body = RequestBody(Array(#"{"data": {}}"#.utf8), mediaType: "application/json")
    let refused = try await client.answer(to: FetchRequest(request), limit: 1 << 20)
    XCTAssertEqual(refused.status, 405)
    XCTAssertEqual(refused.headers["Backoff"], "3")
  }

  private func makeCollectionOnly() async throws {
    try await me().ask(.put, "/buckets/\(bucket)/collections/\(collection)", "{}")
  }
}

extension KintoTestCase {
  /// The server's number for a refusal.
  func errno(_ answer: HTTPAnswer) throws -> Int64 {
    try XCTUnwrap(try answer.json["errno"]?.integer)
  }
}

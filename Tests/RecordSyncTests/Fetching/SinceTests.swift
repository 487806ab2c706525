import OneWaySynchronizer
import SyncText
import TestSupport
import XCTest
@testable import RecordSync

/// Lists of which only what is new is asked for.
final class SinceTests: XCTestCase {
  private func serve(_ answer: @escaping @Sendable (String) -> String) throws -> FaultServer {
    let server = try FaultServer { request, _ in
      FaultAnswer(
        text: answer(request.path),
        headers: [("Content-Type", "application/json"), ("ETag", "\"same\"")])
    }
    addTeardownBlock { server.stop() }
    return server
  }

  private func payload(
    _ url: String, _ column: String, items: String? = nil,
    _ change: (inout RecordAddress) -> Void = { _ in }
  ) -> RecordPayload {
    var address = RecordAddress(url)
    address.retries = 0
    address.since = RecordSince(column: column, parameter: "since")
    change(&address)
    var payload = RecordPayload.address(address)
    if let path = items.flatMap({ PayloadPath($0) }) { payload.form = .items(path) }
    return payload
  }

  /// It said that no row had a value.
  func testAGreatestValueThatIsNoDateIsNamedAndAllIsAskedFor() async throws {
    let server = try serve { $0 == "/i" ? #"[{"id": 1, "at": "2024-01-01"}]"# : "[]" }
    let database = try TestDatabase("issues: at DATETIME; issues = (5, 'garbage')")
    let report = try await database.sync(payload(server.url("/i"), "at"), "issues")
    XCTAssertEqual(report.remarks, [.unusableSince(column: "at", value: "garbage")])
    XCTAssertEqual(try database.rows("SELECT id FROM issues"), ["1", "5"])
  }

  func testTheGreatestValueIsAskedByAndNothingIsDeletedForBeingAbsent() async throws {
    let server = try serve { path in
      switch path {
      case "/i?state=all":
        #"[{"id": 1, "at": "2024-01-01T10:00:00Z"}, {"id": 2, "at": "2024-01-02T10:00:00Z"}]"#
      case "/i?state=all&since=2024-01-02T10%3A00%3A00Z":
        #"""
        [{"id": 2, "at": "2024-01-02T10:00:00Z", "tags": [{"id": 5}]},
         {"id": 3, "at": "2024-01-03T10:00:00+02:00", "tags": [{"id": 5}, {"id": 6}]}]
        """#
      default: "[]"
      }
    }
    let database = try TestDatabase()
    let payload = payload(server.url("/i?state=all"), "at")
    let first = try await database.sync(payload, "issues") { $0.creates = true }
    XCTAssertEqual(first.remarks, [.incremental(column: "at", since: nil)])
    let second = try await database.sync(payload, "issues") {
      ($0.creates, $0.isStrict) = (true, true)
    }
    XCTAssertEqual(
      second.remarks, [.incremental(column: "at", since: "2024-01-02T10:00:00Z")])
    XCTAssertEqual(try database.rows("SELECT id FROM issues"), ["1", "2", "3"])
    let third = try await database.sync(payload, "issues")
    XCTAssertEqual(third.status, .unchanged)
    XCTAssertEqual(try database.rows("SELECT id FROM issues"), ["1", "2", "3"])
    XCTAssertEqual(
      server.requests.map(\.path),
      [
        "/i?state=all", "/i?state=all&since=2024-01-02T10%3A00%3A00Z",
        "/i?state=all&since=2024-01-03T10%3A00%3A00%2B02%3A00",
      ])
    XCTAssertEqual(try database.tables(), ["issues", "issues_tags", "tags"])
    XCTAssertFalse(try database.declarations().joined().contains("recordsync_sources"))
  }

  /// An object that came is whole.
  func testWhatHangsOnARowThatCameFollowsIt() async throws {
    let server = try serve { path in
      path.hasSuffix("since=1") ? #"[{"id": 1, "n": 2, "notes": [{"id": 8}]}]"# : "[]"
    }
    let database = try TestDatabase(
      "issues: n; notes: issue_id INTEGER REFERENCES issues; issues = (1, 1), (2, 0)",
      "notes = (7, 1), (8, 1), (9, 2)")
    try await database.sync(payload(server.url("/i"), "n"), "issues")
    XCTAssertEqual(try database.rows("SELECT id FROM notes"), ["8", "9"])
    XCTAssertEqual(try database.rows("SELECT id FROM issues"), ["1", "2"])
  }

  func testADateIsWrittenAsTheServiceHasThem() async throws {
    for (type, kind, held) in [
      ("INTEGER", ColumnType.DateStorage.milliseconds, "1704103200000"),
      ("INTEGER", .seconds, "1704103200"), ("TEXT", .text, "'2024-01-01T10:00:00.000Z'"),
    ] {
      for (form, sent) in [
        (ExportedDates.rfc3339, "2024-01-01T10%3A00%3A00Z"), (.seconds, "1704103200"),
        (.milliseconds, "1704103200000"), (.pattern("%Y/%m/%d"), "2024%2F01%2F01"),
      ] {
        let server = try serve { _ in "[]" }
        let database = try TestDatabase("users: at \(type); users = (1, \(held)), (2, NULL)")
        let overrides = SchemaOverrides.of("users") { $0.column("at") { $0.date = kind } }
        let payload = payload(server.url("/u?since=old"), "at") { $0.since?.dates = form }
        let report = try await database.sync(payload, "users", overrides: overrides)
        XCTAssertEqual(report.status, .unchanged)
        XCTAssertEqual(server.requests.map(\.path), ["/u?since=\(sent)"], "\(kind) \(form)")
        XCTAssertEqual(try database.table("users").count, 2)
        server.stop()
      }
    }
  }

  func testOnlyTheRowsOfWhichThePayloadSpeaksAreAsked() async throws {
    let server = try serve { _ in #"{"data": [], "next": null}"# }
    let database = try TestDatabase("users: team, n REAL; users = (1, 'a', 2.5), (2, 'b', 9)")
    let payload = payload(server.url("/u"), "n", items: "data")
    try await database.sync(payload, "users") {
      $0.scope = RecordScope(condition: "team = ?", values: ["a"])
    }
    try await database.sync(payload, "users") {
      $0.scope = RecordScope(condition: "team = ?", values: ["c"])
    }
    XCTAssertEqual(server.requests.map(\.path), ["/u?since=2.5", "/u"])
    let wrong = self.payload(server.url("/u"), "m")
    await assertThrows(saying: "no column “m”", try await database.sync(wrong, "users"))
  }

  /// The next sync would begin behind it.
  func testARestThatIsLeftIsAnError() async throws {
    let server = try serve { _ in #"{"data": [{"id": 3, "n": 8}], "has_more": true}"# }
    let database = try TestDatabase("users: n; users = (1, 5)")
    await assertThrows(
      PayloadProblem.self,
      try await database.sync(payload(server.url("/u"), "n", items: "data"), "users") {
        $0.operations = .keep
      }
    ) {
      if case .source(_, .restIsLeft("has_more")) = $0 { true } else { false }
    }
    XCTAssertEqual(try database.table("users"), ["1|5"])
  }

  func testPagesOfWhatIsNewAreFollowed() async throws {
    let server = try serve { path in
      path.contains("page=2")
        ? #"{"data": [{"id": 4, "n": 9}], "next": null}"#
        : #"{"data": [{"id": 3, "n": 8}], "next": "/u?since=5&page=2"}"#
    }
    let database = try TestDatabase("users: n; users = (1, 5)")
    let next = try XCTUnwrap(PayloadPath("next"))
    let payload = payload(server.url("/u"), "n", items: "data") { $0.paging = .next(next) }
    try await database.sync(payload, "users")
    XCTAssertEqual(try database.table("users"), ["1|5", "3|8", "4|9"])
    XCTAssertEqual(server.requests.map(\.path), ["/u?since=5", "/u?since=5&page=2"])
  }

  func testAProcessorAsksForWhatIsNew() async throws {
    let server = try serve { _ in #"[{"id": 3, "n": 8}]"# }
    let database = try TestDatabase("users: n; users = (1, 5), (2, 4)")
    let store = try await RecordStore(path: database.path)
    let processor = RecordProcessor(
      store, table: "users", source: payload(server.url("/u"), "n"))
    _ = try await Synchronizer(processor: processor, options: processor.syncOptions).sync()
    XCTAssertEqual(try database.table("users"), ["1|5", "2|4", "3|8"])
    XCTAssertEqual(server.requests.map(\.path), ["/u?since=5"])
  }
}

import Foundation
import OneWaySynchronizer
@testable import RecordSync
import SyncLock
import TestSupport
import XCTest

/// Nothing new costs one request.
final class RememberedSourceTests: XCTestCase {
  private struct Page: Sendable {
    var body: String
    var etag: String?
  }

  private let page = Locked(Page(body: "[]"))
  private var server: FaultServer?

  override func setUpWithError() throws {
    let server = try FaultServer { [page] request, _ in
      let page = page.withLock { $0 }
      return .honest(Array(page.body.utf8), to: request, etag: page.etag)
    }
    addTeardownBlock { server.stop() }
    self.server = server
    publish(#"[{"id": 1, "name": "Ann", "pets": [{"id": 1, "name": "Rex"}]}]"#, as: "\"1\"")
  }

  private func publish(_ body: String, as etag: String?) {
    page.withLock { $0 = Page(body: body, etag: etag) }
  }

  private func database() throws -> TestDatabase {
    try TestDatabase("users: name TEXT UNIQUE; pets: name TEXT, user_id -> users(id); others:")
  }

  /// The state that the server was asked about, if it was asked about one.
  @discardableResult
  private func sync(
    _ database: TestDatabase, _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> (status: RecordReport.Status, asked: String?) {
    let server = try XCTUnwrap(server)
    _ = server.takeRequests()
    var address = RecordAddress(server.url("/users"))
    address.retries = 0
    let report = try await database.sync(.address(address), "users", change)
    let requests = server.takeRequests()
    XCTAssertEqual(requests.count, 1)
    return (report.status, requests[0]["If-None-Match"])
  }

  func testASourceThatIsAsItWasCostsOneRequestAndWritesNothing() async throws {
    let database = try database()
    let first = try await sync(database)
    XCTAssertEqual(first.status, .written)
    XCTAssertNil(first.asked)
    let bytes = try Data(contentsOf: URL(filePath: database.path))
    for _ in 0..<2 {
      let again = try await sync(database)
      XCTAssertEqual(again.status, .unchanged)
      XCTAssertEqual(again.asked, "\"1\"")
    }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: database.path)), bytes)
    publish(#"[{"id": 1, "name": "Bea"}]"#, as: "\"2\"")
    try await assertEqual(sync(database).status, .written)
    XCTAssertEqual(try database.table("users"), ["1|Bea"])
  }

  func testTablesThatWereMadeForASourceAreRememberedWithIt() async throws {
    let database = try TestDatabase()
    try await assertEqual(sync(database) { $0.creates = true }.status, .written)
    let bytes = try Data(contentsOf: URL(filePath: database.path))
    let again = try await sync(database) { $0.creates = true }
    XCTAssertEqual(again.asked, "\"1\"")
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(try Data(contentsOf: URL(filePath: database.path)), bytes)
    publish(#"[{"id": 1, "name": "Bea", "age": 5}]"#, as: "\"2\"")
    try await sync(database) { $0.creates = true }
    XCTAssertEqual(try database.table("users"), ["1|Bea|5"])
    try await assertEqual(sync(database) { $0.creates = true }.asked, "\"2\"")
  }

  func testAConditionMaySpeakOfAColumnThatThePayloadBrings() async throws {
    let database = try TestDatabase()
    try await sync(database) { $0.creates = true }
    publish(#"[{"id": 1, "name": "Ann", "archived": 0}]"#, as: "\"2\"")
    let grown = try await sync(database) {
      $0.creates = true
      $0.scope = RecordScope(condition: "archived = 0")
    }
    XCTAssertEqual(grown.status, .written)
    XCTAssertEqual(try database.rows("SELECT id, archived FROM users"), ["1|0"])
  }

  func testWhatWasChangedHereIsMendedThoughTheSourceIsAsItWas() async throws {
    let database = try database()
    try await sync(database)
    for change in [
      "UPDATE users SET name = 'Zoe'", "DELETE FROM pets", "INSERT INTO users VALUES (9, 'Eve')",
      "UPDATE pets SET user_id = NULL",
    ] {
      try database.run(change)
      let mended = try await sync(database)
      XCTAssertNil(mended.asked, change)
      XCTAssertEqual(mended.status, .written, change)
      XCTAssertEqual(try database.table("users"), ["1|Ann"], change)
      XCTAssertEqual(try database.table("pets"), ["1|Rex|1"], change)
    }
    try database.run("INSERT INTO others VALUES (1)")
    let untouched = try await sync(database)
    XCTAssertEqual(untouched.asked, "\"1\"", "no row of that table hangs on the payload")
  }

  func testOtherOptionsOrAnotherSchemaFetchEverything() async throws {
    let database = try database()
    try await sync(database)
    try await assertNil(sync(database) { $0.operations = .keep }.asked)
    try await assertNil(sync(database) { $0.isPlan = true }.asked)
    try await assertNil(sync(database) { $0.scope = RecordScope(condition: "id > 0") }.asked)
    try await assertEqual(sync(database).asked, "\"1\"")
    try database.run("ALTER TABLE users ADD COLUMN age INTEGER")
    try await assertNil(sync(database).asked)
  }

  func testWhatHasToBeToldAgainIsNotRemembered() async throws {
    let database = try database()
    publish(#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ann"}]"#, as: "\"1\"")
    try await sync(database)
    try await assertNil(sync(database).asked, "a row was refused")
    publish(#"[{"id": 1, "name": "Ann"}]"#, as: "\"2\"")
    try await sync(database)
    publish(#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ann"}]"#, as: "\"3\"")
    try await assertEqual(sync(database).asked, "\"2\"")
    try await assertNil(sync(database).asked, "what was remembered before is forgotten")
    for body in [#"[{"id": 1, "name": ["Ann"]}]"#, #"[{"id": 1, "name": "Ann"}, {}]"#] {
      publish(body, as: "\"4\"")
      try await sync(database)
      try await assertNil(sync(database).asked, "not all of it is in the tables")
    }
  }

  func testAFailedSyncRemembersNothingNew() async throws {
    let database = try database()
    try await sync(database)
    publish(#"[{"id": 1, "name": "#, as: "\"2\"")
    await assertThrows((any Error).self, try await sync(database))
    publish(#"[{"id": 1, "name": "Bea"}]"#, as: "\"2\"")
    let mended = try await sync(database)
    XCTAssertEqual(mended.asked, "\"1\"")
    XCTAssertEqual(mended.status, .written)
  }

  func testTheTableIsMadeOnlyWhenThereIsSomethingToRemember() async throws {
    let names = "SELECT name FROM sqlite_schema WHERE name LIKE 'recordsync%'"
    let database = try database()
    publish("[]", as: nil)
    try await sync(database)
    XCTAssertEqual(try database.rows(names), [])
    publish("[]", as: "\"1\"")
    try await sync(database)
    XCTAssertEqual(try database.rows(names).count, 1)
    let tables = try await RecordStore(path: database.path).schema().tables.map(\.name)
    XCTAssertEqual(tables, ["others", "pets", "users"])
  }

  /// The first page's state was taken for the whole list's, and what changed on the second was
  /// never seen.
  func testAListOfSeveralPagesIsFetchedEachTime() async throws {
    let database = try database()
    let second = Locked(#"[{"id": 2, "name": "Bea"}]"#)
    let pages = Locked(2)
    let server = try FaultServer { request, _ in
      guard request.path != "/second" else {
        return FaultAnswer(text: second.withLock { $0 }, headers: [])
      }
      let links = pages.withLock { $0 } > 1 ? [("Link", "</second>; rel=\"next\"")] : []
      let body = #"[{"id": 1, "name": "Ann"}]"#
      let isKnown = request["If-None-Match"] == "\"1\""
      return FaultAnswer(
        isKnown ? [] : Array(body.utf8), status: isKnown ? 304 : 200,
        headers: [("ETag", "\"1\"")] + links)
    }
    addTeardownBlock { server.stop() }
    var address = RecordAddress(server.url("/first"))
    address.retries = 0
    _ = try await database.sync(.address(address), "users")
    second.withLock { $0 = #"[{"id": 2, "name": "Cid"}]"# }
    _ = try await database.sync(.address(address), "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Cid"])
    pages.withLock { $0 = 1 }
    _ = try await database.sync(.address(address), "users")
    pages.withLock { $0 = 2 }
    _ = try await database.sync(.address(address), "users")
    XCTAssertEqual(
      try database.table("users"), ["1|Ann", "2|Cid"], "a page came behind the one that stayed")
    _ = server.takeRequests()
    _ = try await database.sync(.address(address), "users")
    XCTAssertNil(server.takeRequests().first?["If-None-Match"], "forgotten")
  }

  func testAPassOfAProcessorEndsAtOnce() async throws {
    let database = try database()
    let server = try XCTUnwrap(server)
    let store = try await RecordStore(path: database.path)
    let processor = RecordProcessor(store, table: "users", source: .url(server.url("/users")))
    let synchronizer = Synchronizer(processor: processor, options: processor.syncOptions)
    _ = try await synchronizer.plan()
    try await synchronizer.sync()
    XCTAssertEqual(try database.table("pets"), ["1|Rex|1"])
    try await assertEqual(synchronizer.sync().passes[0].counts.listed, 0)
    XCTAssertEqual(server.requests.map { $0["If-None-Match"] }, [nil, nil, "\"1\""])
  }

  func testARealServerAnswersThatNothingHasChanged() async throws {
    let folder = try temporaryFolder()
    let root = folder.appending(path: "root")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let file = root.appending(path: "users.json")
    try Data(#"[{"id": 1, "name": "Ann"}]"#.utf8).write(to: file)
    // What was modified in the second of the answer proves nothing.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file.path)
    let nginx = try NginxServer(root: root, state: folder.appending(path: "state"))
    let database = try database()
    let store = try await RecordStore(path: database.path)
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await store.sync(.url(nginx.url + "users.json"), into: "users")
      XCTAssertEqual(report.status, status)
    }
    XCTAssertEqual(try nginx.takeRequests().map(\.status), [200, 304])
  }
}

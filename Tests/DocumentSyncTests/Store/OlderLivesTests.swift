import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// A store that was made when nobody noted whose the life of a document was.
///
/// What had happened to an id was told to whoever had a document of it later.
final class OlderLivesTests: StoreTestCase {
  private let (ann, bob, nobody) = (Int64(1), Int64(2), Int64(3))
  private let names: [Int64: String] = [1: "ann", 2: "bob", 3: ""]

  /// An older store of these accounts' collections.
  private func makeOlder(
    _ homes: [(account: Int64, collection: String)], at path: String? = nil
  ) throws -> Connection {
    let older = try Connection(
      path: path ?? self.path, migrations: Array(StoreSchema.migrations.prefix(7)))
    for home in homes {
      try older.run(
        "INSERT INTO scopes (number, server, account, collection) VALUES (?1, ?2, ?3, ?4)",
        home.account, notes.server, names[home.account], home.collection)
    }
    return older
  }

  private func add(
    _ id: DocumentID, in scope: Int64, entry: Int64? = nil, _ older: Connection
  ) throws {
    try older.run(
      """
      INSERT INTO documents (id, scope, entry, hidden, base_version, body, base_body)
      VALUES (?1, ?2, ?3, 0, '1', '{}', ?4)
      """, id.text, scope, entry, entry.map { _ in #"{"n":1}"# })
    guard let entry else { return }
    try older.run(
      """
      INSERT INTO outbox (number, id, scope, revision, change, base, phase, is_last, since, form)
      VALUES (?1, ?2, ?3, ?1, 'update', '1', 'waiting', 0, 7, 1)
      """, entry, id.text, scope)
  }

  /// What happened to an id, and which revision it was about.
  private func trace(
    _ id: DocumentID, _ events: [(what: String, revision: Int64?)], _ older: Connection
  ) throws {
    let now = time.withLock { $0 }
    for (offset, event) in events.enumerated() {
      try older.run(
        "INSERT INTO traces (id, place, at, what, revision) VALUES (?1, ?2, ?3, ?4, ?5)", id.text,
        offset + 1, now + Int64(offset), event.what, event.revision)
    }
  }

  /// How much of the life of a document each account is told.
  private func told(_ id: DocumentID) async throws -> [String: Int] {
    let store = try await openStore()
    var counts: [String: Int] = [:]
    for name in names.values {
      let owner = DocumentOwner(server: notes.server, account: name)
      counts[name] = try await store.seen { owner }.read {
        try $0.life(of: id)?.moments.count ?? 0
      }
    }
    await store.close()
    return counts
  }

  func testWhereOnlyOneAccountWasAllIsItsOwn() async throws {
    let older = try makeOlder([(ann, "notes"), (nobody, "notes")])
    try add(milk, in: ann, older)
    for id in [milk, bread] { try trace(id, [("saved", 1), ("deletionDone", 2)], older) }
    for id in [milk, bread] {
      let told = try await told(id)
      XCTAssertEqual(told, ["ann": 2, "bob": 0, "": 0], "\(id)")
    }
  }

  func testWhatAnotherMayHaveLeftIsToldNobody() async throws {
    let older = try makeOlder([(ann, "notes"), (bob, "notes")])
    try add(milk, in: bob, older)
    for id in [milk, bread] { try trace(id, [("saved", 1)], older) }
    for id in [milk, bread] {
      let told = try await told(id)
      XCTAssertEqual(told, ["ann": 0, "bob": 0, "": 0], "\(id)")
    }
  }

  func testWhatHappenedSinceTheChangeThatWaitsIsOfWhoMadeIt() async throws {
    let older = try makeOlder([(ann, "notes"), (bob, "notes")])
    try add(milk, in: bob, entry: 5, older)
    try older.run("UPDATE store SET next = 7")
    try trace(milk, [("saved", 3), ("edited", 5), ("sent", 5), ("unanswered", nil)], older)
    let told = try await told(milk)
    XCTAssertEqual(told, ["ann": 0, "bob": 3, "": 0])
  }

  func testWhereOnlyOneAccountHadTheCollectionTheDocumentsLifeIsItsOwn() async throws {
    let older = try makeOlder([(ann, "notes"), (bob, "tags")])
    try add(milk, in: ann, older)
    try trace(milk, [("saved", 1), ("deletionDone", nil), ("accepted", 4)], older)
    try trace(bread, [("saved", 1)], older)
    var told = try await told(milk)
    XCTAssertEqual(told, ["ann": 1, "bob": 0, "": 0], "what was deleted may have been bob's")
    told = try await self.told(bread)
    XCTAssertEqual(told, ["ann": 0, "bob": 0, "": 0])
  }

  func testWhatGaveWayTellsWhoseItWas() async throws {
    let older = try makeOlder([(ann, "notes"), (bob, "notes")])
    try add(milk, in: bob, older)
    try trace(milk, [("resigned", 1), ("saved", 2)], older)
    try older.run("UPDATE traces SET lost = 1 WHERE what = 'resigned'")
    try older.run(
      """
      INSERT INTO lost (id, scope, path, value, side, reason, at)
      SELECT id, ?1, '[]', '{}', 'here', 'resigned', at FROM traces WHERE lost = 1
      """, ann)
    let told = try await told(milk)
    XCTAssertEqual(told, ["ann": 1, "bob": 0, "": 0])
  }

  func testNobodyIsToldWhatAnAccountMayHaveLeftToIt() async throws {
    let older = try makeOlder([(ann, "notes"), (nobody, "notes")])
    try add(milk, in: nobody, older)
    try trace(milk, [("saved", 1)], older)
    let told = try await told(milk)
    XCTAssertEqual(told, ["ann": 0, "bob": 0, "": 0])
  }

  func testSyncsThatMayHaveBeenAnothersAreToldNobody() async throws {
    for (other, told) in [((nobody, "notes"), 1), ((bob, "tags"), 0)] {
      let file = folder.appending(path: "store-\(told).sqlite").path
      let older = try makeOlder([(ann, "notes"), other], at: file)
      try older.run("INSERT INTO runs (began, ended, reason, counts) VALUES (1, 2, 'hand', '{}')")
      let store = try await openStore(.file(file))
      for (name, count) in ["ann": told, "bob": 0, "": 0] {
        let owner = DocumentOwner(server: notes.server, account: name)
        let runs = try await store.seen { owner }.read { try $0.runs() }
        XCTAssertEqual(runs.count, count, name)
      }
      let all = try await store.ofAllAccounts.read { try $0.runs() }
      XCTAssertEqual(all.count, 1)
    }
  }
}

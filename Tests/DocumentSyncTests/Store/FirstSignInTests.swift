import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// What was here before anybody signed in is theirs who signs in first.
///
/// Only what had been changed here was: what had been pulled stayed with nobody, and no call showed
/// it any more until a server listed it again, which may be never.
final class FirstSignInTests: SignedOutTestCase {
  /// How many rows each table has of a collection.
  private func rows(_ number: Int64?, _ store: DocumentStore) async throws -> [String: Int64] {
    try await store.withConnection { connection in
      let tables = try connection.rows(
        """
        SELECT tables.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND columns.name = 'scope'
        """
      ) { try $0.text(0) }
      var counts: [String: Int64] = [:]
      for table in tables.compactMap({ Identifier($0) }) {
        counts[table.name] = try connection.row(
          "SELECT count(*) FROM \(table) WHERE scope = ?1", number
        ) { try $0.integer(0) }
      }
      return counts
    }
  }

  func testAllOfTheTimeBeforeAnybodySignedInIsTheirsAndNothingOfItStaysBehind() async throws {
    for way in Self.ways.indices {
      let store = try await makeStore()
      let number = try await number(nobodys, store)
      let before = try await rows(number, store)
      XCTAssertEqual(before.values.filter { $0 == 0 }, [], "\(before)")
      try await enter(notes, store, way: way)
      let after = try await rows(number, store)
      XCTAssertEqual(after.values.filter { $0 > 0 }, [], "\(after)")

      let (own, left) = (try await ids(store, by: notes), try await ids(store, by: nobodys))
      XCTAssertEqual([own, left], [["milk", "bread", "eggs", "tea", "rye"], []])
      try await assertEqual(store.ready(notes), [bread, eggs, gone])
      let anns = seen(store, by: notes)
      try await assertEqual(anns.baseCopy(bread)?.value, ["text": "bread"])
      try await assertEqual(anns.read { try $0.lost().map(\.loss.value) }, [["text": "given up"]])
      let events = try await anns.read { try $0.life(of: rye)?.moments.map(\.event) }
      XCTAssertEqual(events?.last, .resigned)
      let found = try await anns.read { try $0.documents(ofQuery: "all", in: notes) }
      XCTAssertEqual(found.map(\.id), [milk, bread])
      try await assertEqual(anns.read { try $0.fileCounts() }, FileCounts(down: 1, removing: 1))
      try await assertEqual(anns.failures(of: notes).map(\.name), ["bad"])
      try await assertEqual(anns.read { try $0.runs().map(\.began.milliseconds) }, [1])
    }
  }

  /// Both were made under one first id, and have other keys by now.
  func testAFirstIDGoesOnNamingTheAccountsOwn() async throws {
    for way in Self.ways.indices {
      let store = try await openStore(.memory)
      for (home, key) in [(nobodys, "1"), (notes, "2")] {
        let own = seen(store, by: home)
        try await own.save(DocumentEdit(milk, in: home, ["key": DocumentValue(key)]))
        var rules = KeyRules()
        rules.areServers = true
        let isTaken = try await own.sync { [rules] in
          try $0.take(DocumentID(key), for: milk, nil, rules)
        }
        XCTAssertTrue(isTaken)
      }
      try await enter(notes, store, way: way)
      let anns = seen(store, by: notes)
      try await assertEqual(anns.get(milk), ["key": "2"])
      try await assertEqual(anns.get(DocumentID("1")), ["key": "1"])
      try await anns.save(DocumentEdit(milk, in: notes, ["key": "edited"]))
      try await assertEqual(anns.get(DocumentID("2")), ["key": "edited"])
    }
  }

  func testTheNextAccountSeesNothingOfItAndTheFirstOneAllWhenItIsBack() async throws {
    let store = try await makeStore()
    try await enter(notes, store)
    try await store.becomes("bob", .drop)
    let theirs = seen(store, by: bobs)
    try await assertEqual(ids(store, by: bobs), [])
    let (lost, runs, life) = try await theirs.read {
      (try $0.lost(), try $0.runs(), try $0.life(of: rye))
    }
    XCTAssertEqual(lost, [])
    XCTAssertEqual(runs, [])
    XCTAssertNil(life)
    try await enter(notes, store)
    try await assertEqual(ids(store, by: notes), ["milk", "bread", "tea", "gone", "rye"])
  }

  func testWhatNobodyMayReadIsSeenOnceTheServerShowsIt() async throws {
    let store = try await makeStore()
    try await store.hide(true, nobodys)
    try await enter(notes, store)
    try await assertEqual(ids(store, by: notes), ["eggs", "tea"], "the server never had these")
    try await store.pull(milk, .present(copy(["text": "milk"], "1")), notes)
    try await assertEqual(ids(store, by: notes), ["milk", "eggs", "tea"])
  }

  // MARK: - What the account has already

  func testAQueryThatTheAccountRemembersIsNotReplacedByNobodys() async throws {
    let store = try await makeStore()
    try await store.makeSynced(DocumentID("own"), ["n": 1])
    try await store.sync { try $0.remember(query: "all", [DocumentID("own")], of: notes) }
    try await enter(notes, store)
    let found = try await seen(store, by: notes).read {
      try $0.documents(ofQuery: "all", in: notes)
    }
    XCTAssertEqual(found.map(\.id.text), ["own"])
  }

  func testWhatIsToBeRemovedOfADocumentGoesWithItsKeptEdit() async throws {
    let store = try await openStore(.memory)
    try await store.makeSynced(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await addFile(milk, "removing", loose: 1, in: notes, store)
    try await store.becomes("bob", .keep)
    let files = try await seen(store, by: bobs).read { try $0.fileCounts() }
    XCTAssertEqual(files, FileCounts(removing: 1))
  }
}

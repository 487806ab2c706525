import Foundation
import TestSupport
import XCTest
@testable import RecordSync

/// Several rows as values, and as they change.
final class ReadingTests: XCTestCase {
  private func users() throws -> TestDatabase {
    try TestDatabase(
      """
      users: name TEXT, age INTEGER, active BOOLEAN;
      users = (1, 'Ann', 30, 1), (2, 'Ben', 20, 0), (3, 'Cid', NULL, 1), (4, 'Dan', 30, 0)
      """)
  }

  private struct User: Decodable, Equatable {
    var id: Int64
    var name: String
    var active: Bool
  }

  func testRowsComeInTheOrderThatIsAskedFor() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    let asked: [([RecordOrder], Int?, [Int64])] = [
      ([], nil, [1, 2, 3, 4]), ([.ascending("age")], nil, [3, 2, 1, 4]),
      ([.descending("AGE"), .descending("name")], nil, [4, 1, 2, 3]),
      ([.descending("age")], 2, [1, 4]), ([], 0, []), ([], -1, []), ([], 9, [1, 2, 3, 4]),
    ]
    for (order, limit, ids) in asked {
      let rows = try await store.rows(of: "users", order: order, limit: limit)
      XCTAssertEqual(rows.map { $0["id"]?.integer }, ids, "\(order) \(limit ?? -9)")
    }
    let active = try await store.rows(
      of: "users", .condition("active AND id > ?", values: [1]), as: User.self)
    XCTAssertEqual(active, [User(id: 3, name: "Cid", active: true)])
    let one = try await store.rows(of: "users", .key(2), limit: 1, as: User.self)
    XCTAssertEqual(one, [User(id: 2, name: "Ben", active: false)])
    try await assertEqual(store.rows(of: "users", .key(2), limit: 0), [])
    await assertThrows(
      RecordError.order(table: "users", column: "size; --"),
      try await store.rows(of: "users", order: [.ascending("size; --")]))
  }

  func testRowsOfATableThatExtendsAnotherHaveTheColumnsOfBoth() async throws {
    let database = try TestDatabase(
      """
      people: name TEXT; pilots (id INTEGER PRIMARY KEY REFERENCES people, hours INTEGER);
      people = (1, 'Ann'), (2, 'Ben'); pilots = (2, 70), (1, 80)
      """)
    let store = try await RecordStore(path: database.path)
    let rows = try await store.rows(of: "pilots", order: [.descending("hours")])
    XCTAssertEqual(
      rows.map(\.values),
      [
        ["id": 1, "name": "Ann", "hours": 80], ["id": 2, "name": "Ben", "hours": 70],
      ])
  }

  func testRowsAreCounted() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    try await assertEqual(store.count(of: "users"), 4)
    try await assertEqual(store.count(of: "users", .condition("age = ?", values: [30])), 2)
    try await assertEqual(store.count(of: "users", .key(2)), 1)
    try await assertEqual(store.count(of: "users", .key("x")), 0)
    await assertThrows(RecordError.self, try await store.count(of: "none"))
  }

  func testAStatementReadsAndDoesNothingElse() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    let found = try await store.query(
      "SELECT age, count(*) AS n, x'01' AS b FROM users WHERE id < ? GROUP BY age", [9])
    XCTAssertEqual(
      found,
      [
        ["age": nil, "n": 1, "b": .bytes([1])], ["age": 20, "n": 1, "b": .bytes([1])],
        ["age": 30, "n": 2, "b": .bytes([1])],
      ])
    let before = try database.table("users")
    for sql in [
      "DELETE FROM users", "SELECT nothing FROM users", "", "SELECT 1; DELETE FROM users",
      "SELECT id, id FROM users", "PRAGMA user_version = 7", "ATTACH 'x' AS y", "SELECT ?",
      "SELECT 1\0",
      "INSERT INTO users (id) VALUES (9) RETURNING id", "BEGIN",
    ] {
      await assertThrows(RecordError.self, try await store.query(sql))
    }
    XCTAssertEqual(try database.table("users"), before)
  }

  func testRowsAreToldAnewOnceTheyHaveChangedWhoeverDidIt() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    let adults = store.live(
      "users", .condition("age > 20", values: []), every: .milliseconds(5), as: User.self)
    var told = adults.makeAsyncIterator()
    try await assertEqual(told.next()?.map(\.id), [1, 4])
    // Of what isn't asked for, nothing is told.
    try await store.put(.text(#"{"id": 2, "age": 19}"#), into: "users")
    try await store.put(.text(#"{"id": 3, "age": 40}"#), into: "users")
    try await assertEqual(told.next()?.map(\.id), [1, 3, 4])
    try await RecordStore(path: database.path).delete(4, from: "users")
    try await assertEqual(told.next()?.map(\.id), [1, 3])
    // Who begins now begins with what is there.
    var second = adults.makeAsyncIterator()
    try await assertEqual(second.next()?.map(\.id), [1, 3])
  }

  func testWhoIsCancelledWaitsNoLonger() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    let (first, told) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      var counts: [Int] = []
      for try await rows in store.live("users") {
        counts.append(rows.count)
        told.yield()
      }
      return counts
    }
    for await _ in first { break }
    reader.cancel()
    try await assertEqual(reader.value, [4])
  }

  func testAnotherSpellingOfALetterIsAChange() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path)
    try await store.put(.text("{\"id\": 1, \"name\": \"\u{E9}\"}"), into: "users")
    var told = store.live("users", .key(1)).makeAsyncIterator()
    _ = try await told.next()
    try await store.put(.text("{\"id\": 1, \"name\": \"e\u{301}\"}"), into: "users")
    let name = try await told.next()?.first?["name"]?.text
    XCTAssertEqual(name.map { Array($0.utf8) }, Array("e\u{301}".utf8))
  }
}

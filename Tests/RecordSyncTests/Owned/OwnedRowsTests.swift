import XCTest

@testable import RecordSync

/// Rows that a list owns: their key is that of the parent and their place in the list, and their
/// objects carry none. An API's `attendees`, `tax_lines` and `conditions` have no key, and were
/// skipped.
final class OwnedRowsTests: XCTestCase {
  static let orders = """
    orders: note TEXT;
    products: name TEXT;
    lines (order_id INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,
      position INTEGER NOT NULL, sku TEXT, n INTEGER, product_id -> products,
      PRIMARY KEY (order_id, position))
    """

  /// As what is made has it: the position is declared, and so the list's alone.
  static let declared = SchemaOverrides.of("orders") {
    $0.relation("lines") { $0.position = "position" }
  }

  private func lines(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT order_id, position, sku, n FROM lines ORDER BY 1, 2")
  }

  @discardableResult
  private func sync(
    _ lines: String, _ database: TestDatabase, _ operations: Operations = .all
  ) async throws -> RecordReport {
    try await database.sync(
      #"[{"id": 1, "lines": \#(lines)}]"#, "orders", overrides: Self.declared
    ) { $0.operations = operations }
  }

  func testObjectsWithoutAKeyAreRowsByTheirPlaceAndThenUnchanged() async throws {
    let database = try TestDatabase(Self.orders)
    let payload = """
      [{"id": 1, "lines": [{"sku": "A", "n": 1}, {"sku": "A", "n": 1}]},
       {"id": 2, "lines": [{"sku": "B", "n": 2}]}]
      """
    let first = try await database.sync(payload, "orders", overrides: Self.declared)
    XCTAssertEqual(first.tables["lines"]?.inserted.count, 3)
    XCTAssertNil(first.tables["lines"].map(\.skipped).flatMap { $0 == 0 ? nil : $0 })
    XCTAssertEqual(try lines(database), ["1|0|A|1", "1|1|A|1", "2|0|B|2"])
    let again = try await database.sync(payload, "orders", overrides: Self.declared)
    XCTAssertEqual(again.status, .unchanged, "\(again)")
  }

  func testTheListIsFollowedThroughEveryChange() async throws {
    let database = try TestDatabase(Self.orders)
    let (a, b, c) = (#"{"sku":"a","n":1}"#, #"{"sku":"b"}"#, #"{"sku":"c","n":3}"#)
    let rows = ["a": "a|1", "b": "b|NULL", "c": "c|3"]
    for list in ["ab", "cab", "bac", "acb", "a", "", "bb", "abcabc", "c"] {
      let text = list.map { ["a": a, "b": b, "c": c]["\($0)"] ?? "" }.joined(separator: ",")
      let report = try await sync("[\(text)]", database)
      XCTAssertFalse(report.isPartial, "\(list): \(report)")
      let expected = list.enumerated().map { "1|\($0.offset)|\(rows["\($0.element)"] ?? "")" }
      XCTAssertEqual(try lines(database), expected, list)
      let again = try await sync("[\(text)]", database)
      XCTAssertEqual(again.status, .unchanged, "\(list): \(again)")
    }
  }

  func testWhatAnObjectDoesNotNameIsNotLeftFromTheOneThatStoodThere() async throws {
    let database = try TestDatabase(Self.orders)
    try await sync(
      #"[{"sku": "a", "n": 7, "product": {"id": 5, "name": "Pen"}}, {"sku": "b"}]"#, database)
    XCTAssertEqual(
      try database.rows("SELECT sku, n, product_id FROM lines ORDER BY position"),
      ["a|7|5", "b|NULL|NULL"])
    let text = #"[{"sku": "b"}, {"sku": "a", "n": 7, "product": {"id": 5, "name": "Pen"}}]"#
    try await sync(text, database)
    XCTAssertEqual(
      try database.rows("SELECT sku, n, product_id FROM lines ORDER BY position"),
      ["b|NULL|NULL", "a|7|5"])
    let again = try await sync(text, database)
    XCTAssertEqual(again.status, .unchanged, "\(again)")
  }

  func testColumnsWithADefaultAndLocalEditsStayTheTablesOwn() async throws {
    let database = try TestDatabase(
      """
      orders: note TEXT;
      lines (order_id -> orders, position INTEGER, sku TEXT, packed INTEGER DEFAULT 0,
        dirty TEXT, PRIMARY KEY (order_id, position))
      """)
    var overrides = Self.declared
    overrides.table("lines") { $0.edits = "dirty" }
    let payload = #"[{"id": 1, "lines": [{"sku": "a"}]}]"#
    try await database.sync(payload, "orders", overrides: overrides)
    try database.run("UPDATE lines SET packed = 1, dirty = 'packed'")
    let again = try await database.sync(payload, "orders", overrides: overrides)
    XCTAssertEqual(again.status, .unchanged, "\(again)")
    XCTAssertEqual(try database.rows("SELECT packed, dirty FROM lines"), ["1|packed"])
  }

  func testAnEmptyListAndNullLeaveNoRowsAndAnAbsentOneLeavesAll() async throws {
    for nothing in ["[]", "null"] {
      let database = try TestDatabase(Self.orders)
      try await sync(#"[{"sku": "a"}, {"sku": "b"}]"#, database)
      try await database.sync(#"[{"id": 1, "note": "x"}]"#, "orders", overrides: Self.declared)
      XCTAssertEqual(try lines(database), ["1|0|a|NULL", "1|1|b|NULL"])
      let report = try await sync(nothing, database)
      XCTAssertFalse(report.isPartial, "\(report)")
      XCTAssertEqual(report.tables["lines"]?.deleted.count, 2, nothing)
      XCTAssertEqual(try lines(database), [], nothing)
      let again = try await sync(nothing, database)
      XCTAssertEqual(again.status, .unchanged)
    }
  }

  func testWithKeepRowsBehindTheListsEndStay() async throws {
    let database = try TestDatabase(Self.orders)
    try await sync(#"[{"sku": "a"}, {"sku": "b"}]"#, database)
    try await sync(#"[{"sku": "x"}]"#, database, .keep)
    XCTAssertEqual(try lines(database), ["1|0|x|NULL", "1|1|b|NULL"])
    for nothing in ["[]", "null"] {
      let report = try await sync(nothing, database, .keep)
      XCTAssertEqual(report.status, .unchanged, nothing)
    }
    try await sync(#"[{"sku": "x"}, {"sku": "b"}, {"sku": "c"}]"#, database, .keep)
    XCTAssertEqual(try lines(database), ["1|0|x|NULL", "1|1|b|NULL", "1|2|c|NULL"])
  }

  func testOfOneParentsListsTheLastCountsWhereverWindowsEnd() async throws {
    let payload = """
      [{"id": 1, "lines": [{"sku": "a", "n": 1}, {"sku": "b"}, {"sku": "c"}]},
       {"id": 2, "lines": [{"sku": "p"}]},
       {"id": 1, "lines": [{"sku": "x"}]},
       {"id": 3, "lines": [{"sku": "q"}, {"sku": "r"}]},
       {"id": 2, "lines": [{"sku": "y"}, {"sku": "z"}]},
       {"id": 3, "lines": null}]
      """
    for size in [1, 1 << 20] {
      for before in ["", #"[{"id": 1, "lines": [{"sku": "o"}, {"sku": "b"}, {"sku": "c"}]}]"#] {
        let database = try TestDatabase(Self.orders)
        if !before.isEmpty {
          try await database.sync(before, "orders", overrides: Self.declared)
        }
        var text = RecordPayload.text(payload)
        text.bounds.window = size
        let report = try await database.sync(text, "orders", overrides: Self.declared)
        XCTAssertFalse(report.isPartial, "\(report)")
        XCTAssertEqual(
          try lines(database), ["1|0|x|NULL", "2|0|y|NULL", "2|1|z|NULL"], "\(size) \(before)")
        let again = try await database.sync(text, "orders", overrides: Self.declared)
        XCTAssertEqual(again.status, .unchanged, "\(size) \(before): \(again)")
      }
    }
  }

  func testListsOfManyParentsInManyWindows() async throws {
    let orders = (0..<60).map { order in
      let lines = (0..<order % 4).map { "{\"sku\":\"\(order).\($0)\",\"n\":\($0)}" }
      return "{\"id\":\(order),\"lines\":[\(lines.joined(separator: ","))]}"
    }
    let database = try TestDatabase(Self.orders)
    for (payload, turn) in [(orders, "first"), (orders.reversed(), "turned")] {
      var text = RecordPayload.text("[" + payload.joined(separator: ",") + "]")
      text.bounds.window = 64
      let report = try await database.sync(text, "orders", overrides: Self.declared)
      XCTAssertEqual(report.status, turn == "first" ? .written : .unchanged, "\(report)")
      XCTAssertEqual(try database.table("lines").count, 90)
      XCTAssertEqual(
        try database.rows("SELECT count(*) FROM lines WHERE sku = order_id || '.' || position"),
        ["90"])
    }
  }

  func testNullsInTheListAreSkippedAndPlainValuesAreNoRows() async throws {
    let database = try TestDatabase(Self.orders)
    let report = try await sync(#"[{"sku": "a"}, null, {"sku": "b"}]"#, database)
    XCTAssertEqual(report.tables["lines"]?.skipped, 1)
    XCTAssertEqual(try lines(database), ["1|0|a|NULL", "1|1|b|NULL"])
    let other = try await sync(#"[1, 2]"#, database)
    XCTAssertEqual(other.tables["orders"]?.mismatched.count, 1)
    XCTAssertEqual(try lines(database).count, 2, "what makes no sense empties nothing")
  }

  func testAUniqueColumnFollowsTheOrderToo() async throws {
    let database = try TestDatabase(
      """
      orders: note TEXT;
      lines (order_id -> orders, position INTEGER, sku TEXT UNIQUE,
        PRIMARY KEY (order_id, position))
      """)
    for list in ["abc", "cba", "xabc", "b"] {
      let text = list.map { "{\"sku\":\"\($0)\"}" }.joined(separator: ",")
      let report = try await sync("[\(text)]", database)
      XCTAssertFalse(report.isPartial, "\(list): \(report)")
      XCTAssertEqual(
        try database.rows("SELECT sku FROM lines ORDER BY position"), list.map { "\($0)" })
    }
  }
}

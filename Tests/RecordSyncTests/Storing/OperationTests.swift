@testable import RecordSync
import XCTest

/// What a sync may do with what is nested, operation by operation.
final class OperationTests: XCTestCase {
  private let people = """
    companies: name TEXT; users: name TEXT, company_id -> companies;
    notes: text TEXT, user_id -> users; tags: name TEXT;
    user_tags (user_id -> users, tag_id -> tags, PRIMARY KEY (user_id, tag_id));
    companies = (1, 'Acme'); users = (1, 'Ann', 1), (2, 'Ben', NULL);
    notes = (1, 'one', 1), (2, 'two', 1), (3, 'three', 2); tags = (1, 'red'), (2, 'blue');
    user_tags = (1, 1), (1, 2), (2, 1)
    """

  private func links(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT * FROM user_tags ORDER BY 1, 2")
  }

  func testEachHasItsBit() {
    let all: [Operations] = [
      .insert, .update, .delete, .insertRelations, .updateRelations, .deleteRelations,
    ]
    XCTAssertEqual(all.map(\.rawValue), [1, 2, 4, 8, 16, 32])
    XCTAssertEqual(Operations.all.rawValue, 63)
    XCTAssertEqual(Operations.keep.rawValue, 1 + 2 + 8 + 16)
  }

  func testInsertingRelationsAloneAddsNestedRowsAndLinksToThem() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "name": "A", "company": {"id": 1, "name": "Other"},
        "notes": [{"id": 1, "text": "uno"}, {"id": 7, "text": "seven"}],
        "tags": [{"id": 2, "name": "BLUE"}, {"id": 5, "name": "green"}]},
       {"id": 2, "name": "B", "company": {"id": 9, "name": "New"}}, {"id": 3, "name": "C"}]
      """, "users"
    ) { $0.operations = .insertRelations }
    XCTAssertEqual(try database.table("users"), ["1|Ann|1", "2|Ben|9"])
    XCTAssertEqual(try database.table("companies"), ["1|Acme", "9|New"])
    XCTAssertEqual(try database.table("notes"), ["1|one|1", "2|two|1", "3|three|2", "7|seven|1"])
    XCTAssertEqual(try database.table("tags"), ["1|red", "2|blue", "5|green"])
    XCTAssertEqual(try links(database), ["1|1", "1|2", "1|5", "2|1"])
    XCTAssertFalse(report.isPartial, "\(report)")
  }

  func testInsertingAloneTouchesNeitherColumnsNorLinksOfRowsThatAreThere() async throws {
    let database = try TestDatabase(people)
    try await database.sync(
      """
      [{"id": 1, "name": "A", "company": null, "notes": [], "tags": [{"id": 1}]},
       {"id": 2, "company_id": 1, "notes": [{"id": 1}, {"id": 7}], "tag_ids": [2]},
       {"id": 3, "name": "Cid", "company_id": 1}, {"id": 4, "company": {"id": 1}}]
      """, "users"
    ) { $0.operations = .insert }
    XCTAssertEqual(
      try database.table("users"), ["1|Ann|1", "2|Ben|NULL", "3|Cid|1", "4|NULL|NULL"])
    XCTAssertEqual(try database.table("notes"), ["1|one|1", "2|two|1", "3|three|2"])
    XCTAssertEqual(try links(database), ["1|1", "1|2", "2|1"])
  }

  func testKeepingUnlinksNothingButClearsAColumnThatIsNull() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "company": null, "tags": null, "notes": null},
       {"id": 2, "tags": [], "tag_ids": [], "notes": []}]
      """, "users"
    ) { $0.operations = .keep }
    XCTAssertEqual(report.status, .unchanged, "\(report)")
    XCTAssertEqual(try links(database), ["1|1", "1|2", "2|1"])
    XCTAssertEqual(try database.table("notes"), ["1|one|1", "2|two|1", "3|three|2"])
    try await database.sync(#"[{"id": 1, "company_id": null}]"#, "users") {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.table("users"), ["1|Ann|NULL", "2|Ben|NULL"])
  }

  func testWithoutRelationsANewRowThatNeedsALinkGivenAsAnObjectIsRefused() async throws {
    let database = try TestDatabase(
      "companies:; users: company_id INTEGER NOT NULL REFERENCES companies; companies = (1)")
    let report = try await database.sync(
      """
      [{"id": 2, "company": {"id": 9}}, {"id": 3, "company_id": 1}, {"id": 4, "company": {"id": 1}}]
      """, "users"
    ) { $0.operations = [.insert, .update] }
    XCTAssertEqual(try database.table("users"), ["3|1"])
    XCTAssertEqual(try database.table("companies"), ["1"])
    XCTAssertEqual(
      report.tables["users"]?.refused,
      [2, 4].map {
        RefusedRow(
          key: RecordKey([.integer($0)]), reason: "NOT NULL constraint failed: users.company_id")
      })
  }
}

import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// Tests of what tables have to become for a payload.
class DecisionTestCase: XCTestCase {
  func assertDecided(
    _ rows: [(declared: [String], payload: String, changes: [String])]
  ) throws {
    for (declared, payload, changes) in rows {
      let found = try decide(declared, payload)
      XCTAssertEqual(found.map(\.description), changes, payload)
    }
  }

  func decide(
    _ declared: [String], _ payload: String, isWide: Bool = false, isExact: Bool = false
  ) throws -> [SchemaChange] {
    let connection = try Connection(in: .memory, named: "memory", options: ConnectionOptions())
    for statement in declared { try connection.run(SQL(written: statement, values: [])) }
    var present = try PresentTables(in: connection, SchemaOverrides(), creates: true)
    present.isExact = isExact
    let payload = LoadedPayload(.text(payload))
    let seen = try payload.look(for: "top", in: present, nil, on: connection)
    return try SchemaDecision(
      for: seen.outline, seen.findings, of: "top", in: present,
      ColumnLook(isWide: { _, _ in isWide })
    ).changes
  }
}

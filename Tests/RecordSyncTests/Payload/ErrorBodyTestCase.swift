@testable import RecordSync
import XCTest

/// What tests of errors share that came instead of a list: a table of two rows, and what is made of
/// a body that is none of its.
class ErrorBodyTestCase: XCTestCase {
  static let rows = ["a1|Ann|NULL|NULL|NULL", "a2|Ben|NULL|NULL|NULL"]

  func database() throws -> TestDatabase {
    try TestDatabase(
      "apps (id TEXT PRIMARY KEY, name TEXT, message TEXT, title TEXT, status INTEGER)",
      "INSERT INTO apps (id, name) VALUES ('a1', 'Ann'), ('a2', 'Ben')")
  }

  /// What sync, plan, verify, a sync that only adds, and one that makes columns say of a payload.
  func problems(
    _ body: String, items: String? = nil, line: UInt = #line
  ) async throws -> [PayloadProblem?] {
    let changes: [(inout RecordOptions) -> Void] = [
      { _ in }, { $0.isPlan = true }, { $0.operations = .keep }, { $0.creates = true },
      { ($0.creates, $0.isPlan) = (true, true) },
    ]
    var problems: [PayloadProblem?] = []
    for number in 0...changes.count {
      let database = try database()
      let store = try await RecordStore(path: database.path)
      var payload = RecordPayload.text(body)
      if let items { payload.form = .items(try XCTUnwrap(PayloadPath(items))) }
      do {
        if number < changes.count {
          var options = RecordOptions()
          changes[number](&options)
          _ = try await store.sync(payload, into: "apps", options: options)
        } else {
          _ = try await store.verify(payload, against: "apps")
        }
        problems.append(nil)
      } catch let problem as PayloadProblem {
        problems.append(problem)
        XCTAssertEqual(try database.table("apps"), Self.rows, "\(number): \(body)", line: line)
      }
    }
    return problems
  }
}

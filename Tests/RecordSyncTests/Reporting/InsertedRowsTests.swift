import XCTest

@testable import RecordSync

/// What a report tells of new rows: their keys, in the order in which the payload names them first.
final class InsertedRowsTests: SchemaTestCase {
  private func builder(_ numbers: [Int64]) throws -> ReportBuilder {
    var builder = ReportBuilder(try schema("CREATE TABLE users (id INTEGER PRIMARY KEY)"))
    for number in numbers {
      builder.insert(
        RecordKey([.integer(number)]), at: ReportBuilder.Moment(element: Int(number), row: 0),
        in: 0)
    }
    return builder
  }

  func testKeysThatAreInOrderAreNotCopied() throws {
    let builder = try builder(Array(0..<1_000))
    let reports = [builder.reports(), builder.reports()]
    let places = try reports.map { reports in
      try XCTUnwrap(reports["users"]).inserted.withUnsafeBufferPointer { $0.baseAddress }
    }
    XCTAssertEqual(places[0], places[1])
  }

  func testTheyStandWhereTheyAreNamedFirst() throws {
    var builder = try builder([5, 2, 9, 4])
    builder.name(RecordKey([.integer(9)]), at: ReportBuilder.Moment(element: 3, row: 0), in: 0)
    builder.takeBack(RecordKey([.integer(5)]), in: 0)
    XCTAssertEqual(builder.reports()["users"]?.inserted.map(\.integer), [2, 9, 4])
    builder.insert(RecordKey([.integer(7)]), at: ReportBuilder.Moment(element: 1, row: 0), in: 0)
    XCTAssertEqual(builder.reports()["users"]?.inserted.map(\.integer), [7, 2, 9, 4])
  }
}

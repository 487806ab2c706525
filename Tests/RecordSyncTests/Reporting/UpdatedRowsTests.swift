import XCTest

@testable import RecordSync

final class UpdatedRowsTests: XCTestCase {
  func testARowIsToldOnceWithAllItsColumnsInTheOrderOfThePayload() {
    var rows = UpdatedRows()
    func moment(_ element: Int) -> ReportBuilder.Moment {
      ReportBuilder.Moment(element: element, row: 0)
    }
    func key(_ number: Int64) -> RecordKey { RecordKey(.integer(number)) }
    rows.add(key(1), columns: [2], at: moment(5), isFirst: true)
    rows.add(key(2), columns: [2, 0], at: moment(1), isFirst: true)
    rows.add(key(1), columns: [0, 2], at: moment(6), isFirst: false)
    rows.add(key(3), columns: [1], at: moment(3), isFirst: true)
    rows.add(key(3), columns: [1], at: moment(7), isFirst: false)
    let told = rows.reports { $0.map { "c\($0)" } }
    XCTAssertEqual(
      told,
      [
        UpdatedRow(key: key(2), columns: ["c0", "c2"]), UpdatedRow(key: key(3), columns: ["c1"]),
        UpdatedRow(key: key(1), columns: ["c0", "c2"]),
      ])
  }
}

import XCTest

@testable import RecordSync

/// The rows of a window are found by their keys, however many there are.
final class KeyPlacesTests: XCTestCase {
  private func row(_ key: RecordKey, _ table: Int) -> DraftRow {
    DraftRow(table: table, key: key, identity: key, values: [], rights: [], isTop: true)
  }

  private func key(_ number: Int) -> RecordKey {
    switch number % 3 {
    case 0: RecordKey([.integer(Int64(number))])
    case 1: RecordKey([.text("\(number)")])
    default: RecordKey([.integer(Int64(number)), .text("part")])
    }
  }

  func testEveryRowHasOnePlaceInItsOwnTable() {
    var draft = Draft(tables: 2)
    for number in 0..<5_000 {
      let (place, isNew) = draft.place(of: key(number), in: 0, adding: row(key(number), 0))
      XCTAssertEqual(place, number)
      XCTAssertTrue(isNew)
    }
    for number in 0..<5_000 {
      let (place, isNew) = draft.place(of: key(number), in: 0, adding: row(key(number), 0))
      XCTAssertEqual(place, number)
      XCTAssertFalse(isNew)
      XCTAssertEqual(draft.place(of: key(number), in: 0), number)
      XCTAssertNil(draft.place(of: key(number), in: 1))
    }
    XCTAssertEqual(draft.rows.count, 5_000)
    XCTAssertNil(draft.place(of: key(5_000), in: 0))
  }

  func testAnIntegerAndItsTextAreTwoKeys() {
    var draft = Draft(tables: 1)
    let keys = [RecordKey([.integer(7)]), RecordKey([.text("7")]), RecordKey([.real(7)])]
    for key in keys { _ = draft.place(of: key, in: 0, adding: row(key, 0)) }
    XCTAssertEqual(keys.map { draft.place(of: $0, in: 0) }, [0, 1, 2])
  }

  func testTheNextDraftBeginsEmpty() {
    var draft = Draft(tables: 1)
    for number in 0..<100 { _ = draft.place(of: key(number), in: 0, adding: row(key(number), 0)) }
    var next = Draft(after: draft)
    XCTAssertEqual(next, Draft(tables: 1))
    XCTAssertNil(next.place(of: key(0), in: 0))
    XCTAssertEqual(next.place(of: key(5), in: 0, adding: row(key(5), 0)).place, 0)
    XCTAssertEqual(next.place(of: key(5), in: 0), 0)
  }
}

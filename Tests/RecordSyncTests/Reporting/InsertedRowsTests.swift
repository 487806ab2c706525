import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// The keys of new rows, which a payload has millions of.
final class InsertedRowsTests: SchemaTestCase {
  func testKeysAreWhatAnArrayIs() {
    for seed in seeds(usually: 20) {
      var random = SeededGenerator(seed: seed)
      var (keys, model) = (RecordKeys(), [RecordKey]())
      for _ in 0..<200 {
        let key = key(after: model.last, using: &random)
        keys.append(key)
        model.append(key)
      }
      XCTAssertEqual(Array(keys), model, "seed \(seed)")
      XCTAssertEqual(model.indices.map { keys[$0] }, model, "seed \(seed)")
      XCTAssertEqual(keys, RecordKeys(model))
      XCTAssertNotEqual(keys, RecordKeys(model.dropLast()))
      XCTAssertEqual("\(keys)", "\(model)")
    }
    XCTAssertEqual(RecordKeys().first, nil)
    XCTAssertEqual(([RecordKey(.integer(.max)), RecordKey(.integer(.min))] as RecordKeys).count, 2)
  }

  private func key(after last: RecordKey?, using random: inout SeededGenerator) -> RecordKey {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: RecordKey(.integer(.random(in: -5...500, using: &random)))
    case 1: RecordKey(.text("a\(Int.random(in: 0..<9, using: &random))"))
    case 2: RecordKey([.integer(1), .text("b")])
    default: RecordKey(.integer((last?.integer ?? 0) + 1))
    }
  }

  /// Rows that are written later than they stand in the payload, that are taken back, and that an
  /// earlier element names.
  func testTheyStandInTheOrderOfThePayload() {
    for seed in seeds(usually: 9) {
      var random = SeededGenerator(seed: seed)
      let disorder = seed.isMultiple(of: 3) ? 0 : 3
      var rows = InsertedRows()
      var model: [(key: RecordKey, moment: ReportBuilder.Moment)] = []
      var named: [RecordKey: ReportBuilder.Moment] = [:]
      for number in 0..<20_000 {
        let element = number / 3 + (isLucky(disorder, &random) ? 500 : 0)
        let moment = ReportBuilder.Moment(element: element, row: number % 300)
        let key = RecordKey(.integer(Int64(number)))
        rows.insert(key, at: moment)
        model.append((key, moment))
        guard isLucky(disorder, &random), number % 2 == 0 else { continue }
        let place = max(0, number - .random(in: 0..<9_000, using: &random))
        guard place < model.count else { continue }
        let other = model[place].key
        XCTAssertTrue(rows.contains(other))
        if isLucky(30, &random) {
          let earlier = ReportBuilder.Moment(element: element / 2, row: 0)
          rows.name(other, at: earlier)
          named[other] = min(named[other] ?? earlier, earlier)
        } else {
          rows.takeBack(other)
          model.remove(at: place)
          XCTAssertFalse(rows.contains(other))
          guard isLucky(50, &random) else { continue }
          // Tried once more.
          rows.insert(other, at: moment)
          model.append((other, moment))
        }
      }
      for place in model.indices {
        model[place].moment = min(
          model[place].moment, named[model[place].key] ?? model[place].moment)
      }
      let expected = ReportBuilder.inOrder(model) { $0.moment }.map(\.key)
      XCTAssertEqual(Array(rows.inOrder), expected, "seed \(seed)")
    }
  }

  func testTheyStandWhereTheyAreNamedFirst() throws {
    var builder = ReportBuilder(try schema("CREATE TABLE users (id INTEGER PRIMARY KEY)"))
    for number in [5, 2, 9, 4] as [Int64] { insert(number, at: Int(number), into: &builder) }
    builder.name(RecordKey(.integer(9)), at: ReportBuilder.Moment(element: 3, row: 0), in: 0)
    builder.takeBack(RecordKey(.integer(5)), in: 0)
    XCTAssertEqual(builder.reports()["users"]?.inserted.map(\.integer), [2, 9, 4])
    insert(7, at: 1, into: &builder)
    XCTAssertEqual(builder.reports()["users"]?.inserted.map(\.integer), [7, 2, 9, 4])
  }

  private func insert(_ number: Int64, at element: Int, into builder: inout ReportBuilder) {
    let moment = ReportBuilder.Moment(element: element, row: 0)
    builder.insert(RecordKey(.integer(number)), at: moment, in: 0)
  }
}

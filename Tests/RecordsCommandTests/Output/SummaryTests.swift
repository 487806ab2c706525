import Console
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

@testable import records

/// What a sync did, in lines.
final class SummaryTests: XCTestCase {
  private func key(_ number: Int64) -> RecordKey { RecordKey([.integer(number)]) }

  private func summary(
    _ purpose: Summary.Purpose, _ change: (inout TableReport) -> Void
  ) -> Summary {
    var table = TableReport()
    change(&table)
    let report = RecordReport(status: .written, tables: ["users": table])
    return Summary(report: report, table: "Users", purpose: purpose)
  }

  func testEveryKindOfChangeIsCounted() {
    let all: (inout TableReport) -> Void = { table in
      table.inserted = [self.key(1)]
      table.updated = [UpdatedRow(key: self.key(2), columns: ["a"])]
      table.deleted = [self.key(3)]
      table.moved = [self.key(4)]
      (table.linked, table.unlinked, table.reordered) = (5, 6, 7)
    }
    let counts = "1 added, 1 changed, 1 deleted, 1 moved, 5 linked, 6 unlinked, 7 reordered"
    XCTAssertEqual(summary(.sync, all).tables, ["users: \(counts)"])
    XCTAssertEqual(summary(.sync, all).sentence, "done: \(counts)")
    XCTAssertEqual(
      summary(.plan, all).sentence,
      "would add 1, change 1, delete 1, move 1, link 5, unlink 6, reorder 7")
    XCTAssertEqual(
      summary(.plan, all).tables.dropFirst(),
      ["  add 1", "  change 2: a", "  delete 3", "  move 4"])
  }

  func testWhatWentWithOthersIsToldBesideTheDeleted() {
    let change: (inout TableReport) -> Void = { table in
      table.deleted = [self.key(1), self.key(2), self.key(3)]
      table.cascaded = 2
    }
    XCTAssertEqual(summary(.sync, change).sentence, "done: 3 deleted, 2 of them by cascade")
    XCTAssertEqual(summary(.plan, change).sentence, "would delete 3, 2 of them by cascade")
  }

  func testOfManyRowsTheFirstAreNamed() {
    let many = summary(.verify) { $0.inserted = RecordKeys((1...12).map(self.key)) }
    XCTAssertEqual(many.tables.count, 12)
    XCTAssertEqual(many.tables.last, "  add 2 more")
  }

  func testTheStatusTellsWhetherRowsWereRefused() {
    let refuse: (inout TableReport) -> Void = {
      $0.refused = [RefusedRow(key: nil, reason: "NOT NULL")]
    }
    for (purpose, status) in [
      (Summary.Purpose.sync, ExitStatus.someFailed), (.plan, .someFailed), (.verify, .failed),
    ] {
      XCTAssertEqual(summary(purpose, refuse).status, status)
      XCTAssertEqual(
        summary(purpose) { $0.unlinked = 1 }.status, purpose == .verify ? .failed : .done)
      XCTAssertEqual(summary(purpose) { $0.skipped = 1 }.status, .done)
    }
    XCTAssertNotNil(summary(.sync, refuse).advice)
    XCTAssertNil(summary(.plan, refuse).advice, "nothing was written yet")
    XCTAssertEqual(summary(.sync, refuse).sentence, "unchanged, but 1 row refused")
    XCTAssertEqual(
      NoticeLines.lines(of: summary(.sync, refuse).report),
      ["users: a row without a key was refused: NOT NULL"])
  }

  /// It said that all was as the payload had it.
  func testWhatIsNotInTheTablesIsSaidWhereNothingElseIsToBeDone() {
    let change: (inout TableReport) -> Void = { table in
      table.mismatched = [Mismatch(key: nil, column: "age", came: "x", wanted: "an integer")]
      table.unknown = ["a": 3, "b": 1]
      table.skipped = 1
    }
    let words = """
      but for 1 value that its column can't hold, 2 members that nothing takes, 1 object without a \
      usable key
      """
    XCTAssertEqual(
      summary(.sync, change).sentence, "unchanged: Users is as the payload has it, \(words)")
    // A status of 0 says that they are equal; what they aren't in stands first.
    XCTAssertEqual(
      summary(.verify, change).sentence, "equal, \(words): the rest is as the payload has it")
    XCTAssertEqual(summary(.verify, change).status, .done)
    XCTAssertEqual(
      summary(.verify) { $0.twins = [self.key(1)] }.sentence,
      "equal, but for 1 key that several rows share: the rest is as the payload has it")
    XCTAssertEqual(summary(.verify) { _ in }.sentence, "equal: Users is as the payload has it")
  }

  func testNoticesAreNamedAFewAtATime() {
    let report = summary(.sync) { table in
      table.unknown = Dictionary(uniqueKeysWithValues: (10..<22).map { ("name\($0)", $0) })
      table.unresolved = (0..<11).map {
        UnresolvedReference(key: self.key($0), name: "boss_id", target: self.key(99))
      }
      table.keptEdits = [UpdatedRow(key: self.key(1), columns: ["name"])]
      table.twins = [self.key(5)]
    }.report
    let lines = NoticeLines.lines(of: report)
    XCTAssertEqual(lines.count, 10 + 1 + 1 + 1 + 1)
    XCTAssertEqual(
      lines[0], "users 0: boss_id names 99, which isn't there; the link stays as it was")
    XCTAssertEqual(lines[10], "users: 1 more that name what isn't there")
    XCTAssertEqual(lines[11], "users 1: name was edited here, and stays")
    XCTAssertEqual(
      lines[12],
      "users 5: several rows share this key, and none may be deleted; the oldest was synced")
    XCTAssertTrue(lines[13].hasPrefix("users: names that nothing takes: name21 (21), name20 (20)"))
    XCTAssertTrue(lines[13].hasSuffix("name12 (12), and 2 more"), lines[13])
  }
}

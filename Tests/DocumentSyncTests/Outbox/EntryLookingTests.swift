import XCTest

@testable import DocumentSync

/// A look at what is to be changed next.
final class EntryLookingTests: EntryTableTestCase {
  private let refusal = Refusal(status: 400, words: "too long")

  func testALookAheadOfAnEditIsAnswered() {
    var looking = Start.update.entry
    XCTAssertEqual(looking.sendBegan(fresh: .nine, looksFirst: .changes)?.kind, .look)
    let rows: [(SendVerdict, Row)] = [
      (.deleted(nil), Row(step: .asks, phase: .contested(nil))),
      (.refused(refusal), .stays(nil, .waiting)),
      (.shown(.copy(.one), refusal), .stays(nil, .waiting)),
      (.shown(.copy(.two), refusal), .meets(nil)),
      (.tooMany(refusal), .stays(nil, .waiting)),
    ]
    for (verdict, row) in rows {
      var entry = looking
      XCTAssertEqual(entry.answered(verdict), row.step, "\(verdict)")
      XCTAssertEqual(entry.phase, row.phase, "\(verdict)")
      XCTAssertEqual(entry.change, .update(base: .one), "\(verdict)")
      XCTAssertEqual(entry.unanswered, [], "\(verdict)")
    }
  }
}

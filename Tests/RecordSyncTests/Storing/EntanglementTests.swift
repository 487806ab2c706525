import SyncDatabase
import XCTest

@testable import RecordSync

/// Rows of which windows say different things are noticed, whatever their addresses are.
final class EntanglementTests: XCTestCase {
  private static let addresses: [[StoredValue]] = [
    [.integer(7)], [.text("a")], [.integer(1), .text("b")],
  ]
  private static let name = RowName(table: 1, identity: RecordKey([.integer(7)]))

  func testARowThatIsChangedInAnotherWindowIsNoticed() {
    for address in Self.addresses {
      var found = Entanglement(standsApart: [1])
      found.beginWindow()
      found.insert(address, in: 1)
      found.update(address, in: 1, Self.name)
      XCTAssertEqual(found.rows, [])
      found.beginWindow()
      found.update(address, in: 2, Self.name)
      XCTAssertEqual(found.rows, [], "of another table")
      found.update(address, in: 1, Self.name)
      XCTAssertEqual(found.rows, [Self.name.hashValue])
    }
  }

  func testARowThatClaimsOthersThanBeforeIsNoticed() {
    // `nil` was not looked at: whatever comes later is another thing, and nothing itself.
    for (claims, isNoticed) in [
      ([5, 5], false), ([5, 6], true), ([nil, 5], true), ([nil, nil], false), ([5, nil], false),
      ([5, nil, 5], true), ([nil, nil, 5, 5], true),
    ] as [([Int?], Bool)] {
      for address in Self.addresses {
        var found = Entanglement(standsApart: [1])
        for claim in claims {
          found.beginWindow()
          found.claim(address, in: 1, claim, Self.name)
        }
        XCTAssertEqual(found.rows.isEmpty, !isNoticed, "\(claims), \(address)")
      }
    }
  }

  func testNothingIsNoticedOfWhatHadToWait() {
    for address in Self.addresses {
      var found = Entanglement(standsApart: [1])
      found.insert(address, in: 1)
      found.claim(address, in: 1, 5, Self.name)
      found.isEnding = true
      found.beginWindow()
      found.update(address, in: 1, Self.name)
      found.claim(address, in: 1, 6, Self.name)
      XCTAssertEqual(found.rows, [])
    }
  }
}

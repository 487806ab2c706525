import XCTest

@testable import RecordSync

/// What a window comes to, by what is found for its elements: none may go its own way that another may
/// have to be merged with.
final class FlatWindowTests: XCTestCase {
  private struct Case {
    var what: String
    var same: [Int64] = []
    var new: [Int64] = []
    var different: [Int64] = []
    var otherNew = 0
    /// Elements in the order in which they are inserted, and those left; `nil` for a window that goes
    /// the usual way as a whole.
    var isApart: (new: [Int], rest: [Int])?
  }

  private let cases = [
    Case(what: "nothing", isApart: ([], [])),
    Case(what: "rows as they are", same: [1, 2, 3], isApart: ([], [])),
    Case(what: "in any order", same: [3, 1, 2], isApart: ([], [])),
    Case(what: "one twice", same: [1, 2, 1], isApart: nil),
    Case(what: "one that differs", same: [1, 3], different: [2], isApart: ([], [2])),
    Case(
      what: "one that is right once and differs once", same: [1, 2], different: [2], isApart: nil),
    Case(what: "one that differs twice", different: [2, 2], isApart: nil),
    Case(what: "new ones, by their keys", new: [7, 5, 6], isApart: ([1, 2, 0], [])),
    Case(what: "a new one twice", new: [7, 5, 7], isApart: nil),
    Case(what: "new ones beside others", same: [1], new: [5], different: [2], isApart: ([1], [2])),
    Case(
      what: "a new one whose key is told in another way", same: [1], new: [5, 4], otherNew: 1,
      isApart: ([], [1, 2, 3])),
  ]

  func testWhatIsDoneAtOnceAndWhatIsLeft() {
    for test in cases {
      var window = FlatWindow()
      var element = 0
      func next() -> Int {
        defer { element += 1 }
        return element
      }
      for row in test.same {
        window.addSame(row)
        _ = next()
      }
      for key in test.new { window.addNew(next(), .number(key), []) }
      for row in test.different { window.addOther(next(), row: row) }
      for _ in 0..<test.otherNew { window.addOther(next()) }
      let isApart = [UInt8]().withUnsafeBufferPointer { window.order($0) }
      XCTAssertEqual(isApart, test.isApart != nil, test.what)
      guard let wanted = test.isApart else { continue }
      XCTAssertEqual(window.new.map(\.element), wanted.new, test.what)
      XCTAssertEqual(window.rest, wanted.rest, test.what)
    }
  }

  func testWhatIsRefusedIsLeftInItsPlace() {
    var window = FlatWindow()
    window.addOther(1, row: 1)
    window.addOther(4, row: 4)
    window.refuse([5, 2])
    XCTAssertEqual(window.rest, [1, 2, 4, 5])
  }

  func testItHardlyPaysWhereMostElementsNeedMore() {
    var window = FlatWindow()
    XCTAssertFalse(window.isHopeless)
    window.addOther(0, row: 1)
    XCTAssertTrue(window.isHopeless)
    window.addSame(2)
    XCTAssertFalse(window.isHopeless, "half of them")
    window.addOther(2, row: 3)
    XCTAssertTrue(window.isHopeless)
  }
}

import XCTest

@testable import RecordSync

/// What a window comes to, by what is found for its elements: none may go its own way that another may
/// have to be merged with.
final class ComparedWindowTests: XCTestCase {
  private struct Case {
    var what: String
    /// The keys of the elements, in this order.
    var same: [Int64] = []
    var new: [Int64] = []
    var other: [Int64] = []
    /// Elements in the order in which they are inserted, and those left; `nil` for a window that goes
    /// the general way as a whole.
    var isApart: (new: [Int], rest: [Int])?
  }

  private let cases = [
    Case(what: "nothing", isApart: ([], [])),
    Case(what: "rows as they are", same: [1, 2, 3], isApart: ([], [])),
    Case(what: "in any order", same: [3, 1, 2], isApart: ([], [])),
    Case(what: "one twice", same: [1, 2, 1], isApart: nil),
    Case(what: "one that differs", same: [1, 3], other: [2], isApart: ([], [2])),
    Case(what: "one that is right once and differs once", same: [1, 2], other: [2], isApart: nil),
    Case(what: "one that differs twice", other: [2, 2], isApart: nil),
    Case(what: "new ones, by their keys", new: [7, 5, 6], isApart: ([1, 2, 0], [])),
    Case(what: "a new one twice", new: [7, 5, 7], isApart: nil),
    Case(what: "new ones beside others", same: [1], new: [5], other: [2], isApart: ([1], [2])),
    Case(
      what: "a new one that is told in another way besides", same: [1], new: [5, 4], other: [4],
      isApart: nil),
  ]

  func testWhatIsDoneAtOnceAndWhatIsLeft() {
    for test in cases {
      var window = ComparedWindow(tables: 2)
      for key in test.same { window.addElement(.number(key), key, .same) }
      for key in test.new { window.addElement(.number(key), nil, .new) }
      for key in test.other { window.addElement(.number(key), key, .other) }
      [UInt8]().withUnsafeBufferPointer { text in
        XCTAssertEqual(window.namesEachOnce(text, in: [0, 1]), test.isApart != nil, test.what)
        guard let wanted = test.isApart else { return }
        XCTAssertEqual(window.newElements(text), wanted.new, test.what)
        XCTAssertEqual(window.elements(.other), wanted.rest, test.what)
      }
    }
  }

  func testWhatIsRefusedIsLeftInItsPlace() {
    var window = ComparedWindow(tables: 1)
    let fates: [ComparedWindow.Fate] = [.same, .other, .new, .same, .other, .new]
    for (key, fate) in fates.enumerated() {
      window.addElement(.number(Int64(key)), fate == .new ? nil : Int64(key), fate)
    }
    window.refuseNew()
    XCTAssertEqual(window.elements(.other), [1, 2, 4, 5])
    XCTAssertEqual(window.elements(.same), [0, 3])
  }

  func testItHardlyPaysWhereMostElementsNeedMore() {
    var window = ComparedWindow(tables: 1)
    XCTAssertFalse(window.isHopeless)
    window.addElement(.number(1), 1, .other)
    XCTAssertTrue(window.isHopeless)
    window.addElement(.number(2), 2, .same)
    XCTAssertFalse(window.isHopeless, "half of them")
    window.addElement(.number(3), 3, .other)
    XCTAssertTrue(window.isHopeless)
  }
}

extension ComparedWindow {
  fileprivate mutating func addElement(_ key: FlatKey, _ row: Int64?, _ fate: Fate) {
    addElement(key, row, fate, [])
  }
}

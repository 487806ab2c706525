@testable import DocumentSync
import XCTest

final class MemberTimesTests: XCTestCase {
  func testEachChangeIsStampedAndAllElseKeepsItsTime() {
    let first = (["a": 1, "b": 1] as DocumentValue).stamped(over: nil, at: 100)
    XCTAssertEqual(first, ["a": 1, "b": 1, "_times": ["a": 100, "b": 100]])
    let second = (["a": 2, "b": 1, "c": .null] as DocumentValue).stamped(over: first, at: 200)
    XCTAssertEqual(second["_times"], ["a": 200, "b": 100, "c": 200])
    let third = (["a": 2, "c": .null] as DocumentValue).stamped(over: second, at: 300)
    XCTAssertEqual(third["_times"], ["a": 200, "b": 300, "c": 200])
    XCTAssertEqual(third.withoutTimes, ["a": 2, "c": .null])
  }

  func testAWayOfWritingIsNoChange() throws {
    let old: DocumentValue = ["a": 1, "_times": ["a": 100]]
    let new = try DocumentValue(parsing: #"{"a":1.0}"#).stamped(over: old, at: 200)
    XCTAssertEqual(new["_times"], ["a": 100])
    XCTAssertEqual(new["a"]?.text, "1.0")
  }

  func testAClockThatGoesBackMakesNoChangeOlderThanTheLast() {
    let old: DocumentValue = [
      "a": 1, "b": 1, "_times": ["a": 500, "b": 9_223_372_036_854_775_807],
    ]
    let new = (["a": 2, "b": 2] as DocumentValue).stamped(over: old, at: 200)
    XCTAssertEqual(new["_times"], ["a": 501, "b": 9_223_372_036_854_775_807])
  }

  func testWhatIsNoTimeIsPassedOver() {
    let times = MemberTimes(of: ["_times": ["a": 1, "b": "x", "c": 1.5, "d": .null, "e": 2.0]])
    XCTAssertEqual(times.value, ["a": 1, "e": 2])
    for other: DocumentValue in [["_times": 5], ["_times": [1]], [:], 7] {
      XCTAssertEqual(MemberTimes(of: other).value, [:])
    }
  }

  func testTimesAreNoContent() {
    let (one, other): (DocumentValue, DocumentValue) =
      (["a": 1, "_times": ["a": 1]], ["a": 1, "_times": ["a": 2]])
    XCTAssertNotEqual(one, other)
    XCTAssertTrue(one.hasSameContent(as: other))
    XCTAssertTrue(one.hasSameContent(as: ["a": 1]))
    XCTAssertFalse(one.hasSameContent(as: ["a": 2, "_times": ["a": 1]]))
  }
}

import DocumentSync
import XCTest

final class MergersInMergesTests: XCTestCase {
  private let mergers: [DocumentPath: MemberMerger] = [
    ["text"]: .lines, ["stats", "visits"]: .counter, ["tags"]: .tags,
  ]

  private func merge(
    _ base: DocumentValue?, _ here: DocumentValue, _ there: DocumentValue
  ) -> ThreeWayMerge {
    ThreeWayMerge(base: base, here: here, there: there, mergers: mergers) { _ in .there }
  }

  func testAMergerDecidesForItsMemberAlone() {
    let merge = merge(
      ["text": "a\nb\nc", "tags": ["x"], "other": ["x"]],
      ["text": "A\nb\nc", "tags": ["x", "y"], "other": ["x", "y"]],
      ["text": "a\nb\nC", "tags": [], "other": []])
    XCTAssertEqual(merge.value, ["text": "A\nb\nC", "tags": ["y"], "other": []])
    XCTAssertEqual(merge.clashes.map(\.path), [["other"]])
  }

  func testWhatAMergerCannotUniteClashes() {
    let merge = merge(["text": "a"], ["text": "b"], ["text": "c"])
    XCTAssertEqual(merge.value, ["text": "c"])
    XCTAssertEqual(merge.clashes.map(\.path), [["text"]])
  }

  func testARemovedMemberIsNotForAMerger() {
    let merge = merge(["tags": ["a"]], ["tags": ["b"]], [:])
    XCTAssertEqual(merge.clashes.map(\.path), [["tags"]])
  }

  /// Two devices that count the same visit number have seen two visits, also where nothing else
  /// tells their documents apart.
  func testTwoWhoCountToTheSameNumberHaveCountedTwice() {
    let (base, both): (DocumentValue, DocumentValue) =
      (["stats": ["visits": 5]], ["stats": ["visits": 6]])
    XCTAssertEqual(merge(base, both, both).value, ["stats": ["visits": 7]])
    XCTAssertEqual(merge(base, both, both).clashes, [])
  }

  func testWithoutABaseEqualCountsAgree() {
    let made: DocumentValue = ["stats": ["visits": 6]]
    XCTAssertEqual(merge(nil, made, made).value, made)
    XCTAssertEqual(merge(nil, made, made).clashes, [])
  }

  func testAMergerThatNestsTooDeepHasNoWord() throws {
    for (depth, isTaken) in [(511, true), (512, false)] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let deep = try DocumentValue(parsing: text)
      let merge = ThreeWayMerge(
        base: ["a": 1], here: ["a": 2], there: ["a": 3],
        mergers: [["a"]: MemberMerger { _, _, _ in deep }]
      ) { _ in .there }
      XCTAssertEqual(merge.value["a"], isTaken ? deep : 3)
      XCTAssertNoThrow(try DocumentValue(parsing: merge.value.text))
    }
  }
}

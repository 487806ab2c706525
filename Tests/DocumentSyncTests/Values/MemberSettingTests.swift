import XCTest

@testable import DocumentSync

/// One member of a document, at any depth, is given another value.
final class MemberSettingTests: XCTestCase {
  func testOnlyThatMemberChanges() throws {
    let value = try DocumentValue(parsing: #"{"a": {"b": 1.0, "c": [1]}, "d": 1e0}"#)
    XCTAssertEqual(try value.setting(["a", "c"], to: 2).text, #"{"a":{"b":1.0,"c":2},"d":1e0}"#)
    XCTAssertEqual(try value.setting(["a", "b"], to: nil), ["a": ["c": [1]], "d": 1])
    XCTAssertEqual(try value.setting(.whole, to: ["x": 1]), ["x": 1])
  }

  func testWhatIsMissingOnTheWayIsMadeAndWhatIsNoObjectGivesWay() throws {
    XCTAssertEqual(try ([:] as DocumentValue).setting(["a", "b"], to: 1), ["a": ["b": 1]])
    XCTAssertEqual(try (["a": 7] as DocumentValue).setting(["a", "b"], to: 1), ["a": ["b": 1]])
    XCTAssertEqual(try (["a": 7] as DocumentValue).setting(["a", "b"], to: nil), ["a": 7])
    XCTAssertThrowsError(try (7 as DocumentValue).setting(["a"] as DocumentPath, to: 1))
    XCTAssertThrowsError(try ([:] as DocumentValue).setting(.whole, to: nil))
  }

  func testThePlaceOfWhatGivesWayIsKnown() {
    let value: DocumentValue = ["a": ["b": 1], "c": 7]
    XCTAssertEqual(value.taken(at: ["a", "b"]), ["a", "b"])
    XCTAssertEqual(value.taken(at: ["c", "b"]), ["c"])
    XCTAssertEqual(value.taken(at: .whole), .whole)
    XCTAssertNil(value.taken(at: ["a", "x"]))
    XCTAssertNil(value.taken(at: ["x"]))
  }
}

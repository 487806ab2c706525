import DocumentSync
import XCTest

@testable import DocumentEndpoints

final class KintoCarryingTests: XCTestCase {
  private func problem(
    _ content: String, id: String = "a", in collection: String = "c"
  ) throws -> String? {
    KintoCarrying.problem(with: DocumentID(id), try DocumentValue(parsing: content), in: collection)
  }

  func testPlainDocumentsAreCarried() throws {
    for content in [
      "{}", #"{"docType": "note", "nested": {"id": 1, "deleted": true, "schema": 2}}"#,
      #"{"ID": 1, "Deleted": 1, "attachments": []}"#,
      #"{"most": 18446744073709551615, "least": -9223372036854775808, "zero": -0.0}"#,
      #"{"n": [0.1, 1e-7, 1.50, 1e300, 5e-324, 0.9745963848909007, 1e3]}"#,
      #"{"attachment": {"location": "x", "hash": "y", "size": 1}}"#,
    ] {
      XCTAssertNil(try problem(content), content)
    }
  }

  func testMembersOfTheServersOwnAreRefusedByName() throws {
    for name in ["id", "last_modified", "deleted", "schema", "attachment", #"i\u0064"#] {
      let sentence = try XCTUnwrap(try problem(#"{"\#(name)": null}"#), name)
      XCTAssertTrue(sentence.contains(name == #"i\u0064"# ? "\"id\"" : "\"\(name)\""), sentence)
    }
  }

  func testNumbersThatWouldBeOthersAreRefused() throws {
    for number in [
      "18446744073709551616", "-9223372036854775809", "0.12345678901234567890", "1e-400",
      "123456789012345678901234567890",
    ] {
      let sentence = try XCTUnwrap(try problem(#"{"a": [{"b": \#(number)}]}"#), number)
      XCTAssertTrue(sentence.contains(number), sentence)
    }
  }

  func testNamesDepthAndKindAreTheServers() throws {
    for id in ["", "-a", "_a", "a b", "a.b", "é", "a/b"] {
      XCTAssertNotNil(try problem("{}", id: id), id)
      XCTAssertNotNil(try problem("{}", in: id), id)
    }
    for id in ["a", "0", "A-b_c", String(repeating: "x", count: 300)] {
      XCTAssertNil(try problem("{}", id: id), id)
    }
    XCTAssertNotNil(try problem("[1]"))
    let deep = { (levels: Int) in
      #"{"a": "# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        + "}"
    }
    XCTAssertNil(try problem(deep(KintoCarrying.deepestNesting - 1)))
    XCTAssertNotNil(try problem(deep(KintoCarrying.deepestNesting)))
  }
}

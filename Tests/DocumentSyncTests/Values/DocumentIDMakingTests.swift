import Foundation
import XCTest

@testable import DocumentSync

/// Ids that are made here.
final class DocumentIDMakingTests: XCTestCase {
  func testAUUIDOfVersionSevenBeginsWithItsTime() throws {
    let id = DocumentID.uuid7(at: 0x0123_4567_89AB)
    XCTAssertTrue(id.text.hasPrefix("01234567-89ab-7"), id.text)
    let parts = id.text.split(separator: "-").map(\.count)
    XCTAssertEqual(parts, [8, 4, 4, 4, 12])
    XCTAssertNotNil(UUID(uuidString: id.text))
    let variant = try XCTUnwrap(id.text.split(separator: "-")[3].first)
    XCTAssertTrue("89ab".contains(variant), id.text)
  }

  func testLaterUUIDsComeLaterInTheOrderOfIds() {
    let times: [Int64] = [-5, 1, 2, 1_700_000_000_000, 1_700_000_000_001, 0xFFFF_FFFF_FFFF]
    let ids = times.map { DocumentID.uuid7(at: $0) }
    XCTAssertEqual(ids, ids.sorted())
    XCTAssertTrue(DocumentID.uuid7(at: .max).text.hasPrefix("ffffffff-ffff-7"))
    let before = DocumentID.uuid7(at: Int64(Date().timeIntervalSince1970 * 1_000) - 1)
    XCTAssertLessThan(before, .uuid7())
    XCTAssertLessThan(DocumentID.uuid7(), .uuid7(at: 4_000_000_000_000))
  }

  func testNoTwoIdsAreTheSame() {
    var seen: Set<DocumentID> = []
    for _ in 0..<2_000 {
      XCTAssertTrue(seen.insert(.uuid7(at: 7)).inserted)
      XCTAssertTrue(seen.insert(.randomNumber()).inserted)
    }
  }

  func testRandomNumbersAreAboveAThousandAndFillAllTheirBits() throws {
    let numbers = try (0..<2_000).map { _ in try XCTUnwrap(UInt64(DocumentID.randomNumber().text)) }
    XCTAssertGreaterThan(try XCTUnwrap(numbers.min()), 1_000)
    XCTAssertLessThan(try XCTUnwrap(numbers.max()), 1 << 53)
    for bit in 0..<53 {
      let count = numbers.filter { $0 >> UInt64(bit) & 1 == 1 }.count
      XCTAssertTrue((800...1_200).contains(count), "bit \(bit): \(count)")
    }
  }

  func testANameHasOneIdOnEveryDevice() {
    let id = DocumentID.named("café au lait", ofType: "tag")
    XCTAssertEqual(id, .named("  cafe\u{301}\tau  lait\n", ofType: "tag"))
    // SHA-256 of "tag", NUL and "milk", reckoned by another program.
    XCTAssertEqual(
      DocumentID.named("milk", ofType: "tag").text, "43d56931-71f5-8c96-a116-ed3a8f7c0027")
    XCTAssertNotEqual(id, .named("café au lait", ofType: "label"))
    XCTAssertNotEqual(id, .named("Café au lait", ofType: "tag"))
    XCTAssertEqual(
      DocumentID.named("STRASSE Σ", ofType: "tag", ignoringCase: true),
      .named("straße ς", ofType: "tag", ignoringCase: true))
  }

  func testAnIdIsWrittenAsAStringAndReadFromANumberToo() throws {
    let ids = try DocumentValue(parsing: #"["a", 7, "007"]"#).decode([DocumentID].self)
    XCTAssertEqual(ids.map(\.text), ["a", "7", "007"])
    XCTAssertEqual(try DocumentValue.encode(ids), ["a", "7", "007"])
  }
}

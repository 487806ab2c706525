import Foundation
import TestSupport
import XCTest
@testable import RecordSync

/// Payloads that come as gzip, from wherever they come.
final class PackedPayloadTests: XCTestCase {
  private let text = #"[{"id":1,"n":"a"},{"id":2}]"#
  private let elements = [#"{"id":1,"n":"a"}"#, #"{"id":2}"#]

  func testItIsUnpackedHoweverItComes() {
    var generator = SeededGenerator(seed: 7)
    let packed = storedInGzip(Array(text.utf8))
    XCTAssertEqual(PayloadReading(PayloadReader(packed)), reading(elements))
    for _ in 0..<100 {
      let length = Int.random(in: 1...20, using: &generator)
      XCTAssertEqual(PayloadReading(pieces: packed) { length }, reading(elements), "\(length)")
    }
  }

  /// Section 2.2 of RFC 1952: what several members hold is joined.
  func testMembersAreJoined() {
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      let packed = storedInGzip(Array(bytes[..<end])) + storedInGzip(Array(bytes[end...]))
      XCTAssertEqual(PayloadReading(PayloadReader(packed)), reading(elements), "\(end)")
    }
  }

  /// Also where all of the JSON has come: what was lost may have been more.
  func testEveryCutIsAnError() {
    let packed = storedInGzip(Array(text.utf8))
    for end in 2..<packed.count {
      let found = PayloadReading(PayloadReader(Array(packed[..<end])))
      XCTAssertEqual(found.problem, .gzip(isCut: true), "cut after \(end)")
    }
  }

  func testDamageAndWhatStandsBehindAreErrors() {
    let packed = storedInGzip(Array(text.utf8))
    for place in packed.indices.dropFirst(15) {
      var damaged = packed
      damaged[place] ^= 1
      XCTAssertNotNil(PayloadReading(PayloadReader(damaged)).problem, "\(place)")
    }
    let followed = PayloadReading(PayloadReader(packed + Array("more".utf8)))
    XCTAssertEqual(followed.problem, .gzip(isCut: false))
  }

  func testTheNameTellsTheFormThoughItEndsInGz() throws {
    let file = try temporaryFolder().appending(path: "rows.ndjson.gz")
    try Data(storedInGzip(Array(#"{"id":1}"#.utf8))).write(to: file)
    let reader = try RecordPayload.file(file.path).reader()
    XCTAssertEqual(PayloadReading(reader).elements, [#"{"id":1}"#])
    XCTAssertEqual(RecordPayload.file(file.path).payloadForm(of: file.path), .lines)
  }

  private func reading(_ elements: [String]) -> PayloadReading {
    var reading = PayloadReading("[]")
    reading.elements = elements
    return reading
  }
}

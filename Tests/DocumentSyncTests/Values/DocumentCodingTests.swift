import DocumentSync
import Foundation
import XCTest

final class DocumentCodingTests: XCTestCase {
  private struct Note: Codable, Equatable {
    var title = "a/b"
    var count = Int64.max
    var size = UInt64.max
    var ratio = 0.1
    var due: Date? = Date(timeIntervalSince1970: 1_700_000_000.123)
    var tags: [String] = []
    var place: Place?

    struct Place: Codable, Equatable { var name: String }
  }

  func testValuesComeBackAsTheyWent() throws {
    let notes = [
      Note(), Note(count: .min, size: 0, due: nil),
      Note(tags: ["é", "\n"], place: .init(name: "x")),
    ]
    for note in notes {
      let value = try DocumentValue.encode(note)
      XCTAssertEqual(try value.decode(Note.self), note)
      XCTAssertEqual(try DocumentValue(parsing: value.text).decode(Note.self), note)
    }
  }

  func testTheTextIsPlainAndTheSameEachTime() throws {
    XCTAssertEqual(
      try DocumentValue.encode(Note(place: .init(name: "p"))).text,
      #"{"count":9223372036854775807,"due":"2023-11-14T22:13:20.123Z","place":{"name":"p"},"#
        + #""ratio":0.1,"size":18446744073709551615,"tags":[],"title":"a/b"}"#)
  }

  func testDatesOfOtherProgramsAreRead() throws {
    for text in ["2023-11-14T22:13:20Z", "2023-11-14T23:13:20+01:00", "2023-11-14 22:13:20.000Z"] {
      XCTAssertEqual(try DocumentValue(text).decode(Date.self).timeIntervalSince1970, 1_700_000_000)
    }
    XCTAssertThrowsError(try DocumentValue("yesterday").decode(Date.self))
  }

  func testWhatNoDocumentHoldsIsNotEncoded() {
    XCTAssertThrowsError(try DocumentValue.encode([Double.infinity]))
    XCTAssertThrowsError(try DocumentValue.encode([Date.distantPast.addingTimeInterval(-1e12)]))
  }

  func testWhatTheTypeDoesNotKnowIsPassedOver() throws {
    let value: DocumentValue = ["name": "x", "other": [1, 2]]
    XCTAssertEqual(try value.decode(Note.Place.self), Note.Place(name: "x"))
  }
}

import DocumentSync
import Foundation
import XCTest

final class DocumentUpdatingTests: XCTestCase {
  private struct Note: Codable {
    var title: String
    var due: Date?
    var size: Double?
    var tags: [String]?
    var place: Place?

    struct Place: Codable {
      var name: String
      var floor: Int?
    }
  }

  private func updated(_ text: String, _ change: (inout Note) -> Void) throws -> String {
    let document = try DocumentValue(parsing: text)
    var note = try document.decode(Note.self)
    change(&note)
    return try document.updating(with: note).text
  }

  func testWhatTheTypeDoesNotKnowStays() throws {
    XCTAssertEqual(
      try updated(#"{"x":1.0,"title":"a","y":{"z":[]}}"#) { $0.title = "b" },
      #"{"x":1.0,"title":"b","y":{"z":[]}}"#)
    XCTAssertEqual(
      try updated(#"{"title":"a","place":{"x":1,"name":"p"}}"#) { $0.place?.name = "q" },
      #"{"title":"a","place":{"x":1,"name":"q"}}"#)
  }

  func testAMemberThatIsNilNowGoes() throws {
    XCTAssertEqual(
      try updated(#"{"title":"a","due":"2026-01-01T00:00:00Z","x":1}"#) { $0.due = nil },
      #"{"title":"a","x":1}"#)
    XCTAssertEqual(
      try updated(#"{"title":"a","place":{"name":"p","floor":1,"x":1}}"#) { $0.place?.floor = nil },
      #"{"title":"a","place":{"name":"p","x":1}}"#)
    XCTAssertEqual(
      try updated(#"{"title":"a","place":{"name":"p","x":1}}"#) { $0.place = nil },
      #"{"title":"a"}"#)
  }

  func testAMemberThatWasNilComes() throws {
    XCTAssertEqual(
      try updated(#"{"title":"a"}"#) { $0.place = .init(name: "p", floor: nil) },
      #"{"title":"a","place":{"name":"p"}}"#)
    XCTAssertEqual(
      try updated(#"{"title":"a","tags":null}"#) { $0.tags = ["t"] }, #"{"title":"a","tags":["t"]}"#
    )
  }

  /// The type would write the date with milliseconds and the number with fewer digits.
  func testWhatWasNotChangedStaysAsItIsWritten() throws {
    let text =
      #"{ "size":1.00000000000000000001,"due":"2026-01-01T01:00:00+01:00","tags":null,"title":"a" }"#
    XCTAssertEqual(try updated(text) { _ in }, text)
    XCTAssertEqual(
      try updated(text) { $0.title = "b" },
      #"{"size":1.00000000000000000001,"due":"2026-01-01T01:00:00+01:00","tags":null,"title":"b"}"#)
    XCTAssertEqual(
      try updated(text) { $0.size = 2 }.contains(#""size":2,"due":"2026-01-01T01:00:00+01:00""#),
      true)
  }

  func testWhatCannotBeReadAsTheTypeIsNotChangedByGuess() throws {
    let note = Note(title: "a")
    XCTAssertThrowsError(try DocumentValue(parsing: #"{"title":7}"#).updating(with: note))
  }
}

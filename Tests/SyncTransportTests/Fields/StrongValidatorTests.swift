import SyncTransport
import XCTest

final class StrongValidatorTests: XCTestCase {
  private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  func testOnlyStrongTagsAndDatesWithoutATagMakeOne() {
    let table: [(etag: String?, date: String?, made: StrongValidator?)] = [
      ("\"a\"", date, .etag("\"a\"")), ("\"a\"", nil, .etag("\"a\"")), (nil, date, .date(date)),
      // A date doesn't stand in for a weak or broken tag.
      ("W/\"a\"", date, nil), ("a", date, nil), ("W/\"a\"", nil, nil), (nil, "yesterday", nil),
      (nil, nil, nil),
    ]
    for (etag, modified, made) in table {
      XCTAssertEqual(
        StrongValidator(etag: etag, lastModified: modified), made,
        "\(etag ?? "-") \(modified ?? "-")")
      if let made { XCTAssertEqual(StrongValidator(stored: made.text), made) }
    }
  }

  func testAnAnswerIsOfTheSameStateOnlyWhenItsOwnFieldsProveIt() {
    let tag = StrongValidator.etag("\"a\"")
    XCTAssertTrue(tag.isOfAnswer(etag: "\"a\"", lastModified: nil))
    for other in ["\"b\"", "W/\"a\"", "a", nil] {
      XCTAssertFalse(tag.isOfAnswer(etag: other, lastModified: date), other ?? "-")
    }
    let day = StrongValidator.date(date)
    XCTAssertTrue(day.isOfAnswer(etag: nil, lastModified: date))
    XCTAssertFalse(day.isOfAnswer(etag: "\"a\"", lastModified: date))
    for other in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", nil] {
      XCTAssertFalse(day.isOfAnswer(etag: nil, lastModified: other), other ?? "-")
    }
  }

  func testAStoredOneIsBelievedOnlyInItsForm() {
    for forged in ["W/\"a\"", "a\r\nX: y", "\"1\"\r\nX: y", "soon", ""] {
      XCTAssertNil(StrongValidator(stored: forged), forged)
    }
  }
}

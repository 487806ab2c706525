import XCTest

@testable import DocumentSync

final class PauseWaitTests: XCTestCase {
  func testAWaitIsOverWhenItsTimeHasCome() {
    let wait = PauseWait(.milliseconds(1_500), from: 10_000)
    XCTAssertEqual(wait, PauseWait(from: 10_000, until: 11_500))
    XCTAssertEqual(wait.remaining(at: 10_000), .milliseconds(1_500))
    XCTAssertEqual(wait.remaining(at: 11_499), .milliseconds(1))
    XCTAssertEqual(wait.remaining(at: 11_500), .zero)
    XCTAssertEqual(wait.remaining(at: .max), .zero)
  }

  func testAFractionCountsAsAWholeMillisecond() {
    XCTAssertEqual(PauseWait(.nanoseconds(1), from: 0).until, 1)
    XCTAssertEqual(PauseWait(.nanoseconds(1_000_001), from: 0).until, 2)
  }

  func testAClockThatIsPutBackDoesNotMakeItLonger() {
    let wait = PauseWait(.seconds(60), from: 1_000_000)
    XCTAssertEqual(wait.remaining(at: 0), .seconds(60))
    XCTAssertEqual(wait.reckoned(at: 0), PauseWait(from: 0, until: 60_000))
    XCTAssertEqual(wait.reckoned(at: 1_030_000), wait)
  }

  func testNoLengthIsTooLongAndNoneNegative() {
    XCTAssertEqual(PauseWait(.seconds(Int64.max), from: 5).until, .max)
    XCTAssertEqual(PauseWait(.seconds(-5), from: 5).until, 5)
    XCTAssertEqual(PauseWait(.seconds(Int64.min), from: 5).until, 5)
    XCTAssertEqual(PauseWait(from: 7, until: 3).until, 7)
    XCTAssertEqual(PauseWait(from: .min, until: .max).remaining(at: .min), .milliseconds(Int64.max))
  }

  func testOfTwoWaitsTheOneThatEndsLaterIsTheLonger() {
    let (one, two) = (PauseWait(from: 0, until: 9), PauseWait(from: 5, until: 8))
    XCTAssertEqual(PauseWait.longer(one, two), one)
    XCTAssertEqual(PauseWait.longer(two, one), one)
    XCTAssertEqual(PauseWait.longer(nil, two), two)
    XCTAssertEqual(PauseWait.longer(one, nil), one)
    XCTAssertNil(PauseWait.longer(nil, nil))
  }
}

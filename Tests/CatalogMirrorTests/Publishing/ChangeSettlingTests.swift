import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

final class ChangeSettlingTests: XCTestCase {
  func testWithoutAChangeNothingIsDue() {
    XCTAssertNil(ChangeSettling().wait(at: .seconds(1_000)))
  }

  func testAChangeIsWaitedOut() {
    var settling = ChangeSettling()
    settling.noteChange(at: .seconds(10))
    XCTAssertEqual(settling.wait(at: .seconds(10)), ChangeSettling().quiet)
    settling.noteChange(at: .seconds(10) + .milliseconds(400))
    XCTAssertEqual(
      settling.wait(at: .seconds(10) + .milliseconds(500)), .milliseconds(400))
    XCTAssertEqual(settling.wait(at: .seconds(11)), .zero)
  }

  func testAStormIsNotWaitedForWithoutEnd() {
    var settling = ChangeSettling()
    for tenth in 0..<99 { settling.noteChange(at: .milliseconds(tenth * 100)) }
    XCTAssertEqual(settling.wait(at: .milliseconds(9_800)), .milliseconds(200))
    XCTAssertEqual(settling.wait(at: ChangeSettling.patience), .zero)
  }

  func testWhatChangesDuringALookIsLookedAtAgain() {
    var settling = ChangeSettling()
    settling.noteChange(at: .zero)
    settling.noteLook()
    XCTAssertNil(settling.wait(at: .seconds(1)))
    settling.noteChange(at: .seconds(2))
    settling.noteSuccess()
    XCTAssertEqual(settling.wait(at: .seconds(2)), ChangeSettling().quiet)
  }

  func testAFailureIsTriedAgainByItselfLaterAndLater() {
    var (settling, now) = (ChangeSettling(), Duration.zero)
    for seconds in [2, 4, 8, 16, 32, 64, 120, 120] {
      settling.noteLook()
      settling.noteFailure(at: now)
      // Changes don't hasten it: a file that is being written would be told each time.
      settling.noteChange(at: now)
      XCTAssertEqual(settling.wait(at: now), .seconds(seconds))
      now += .seconds(seconds)
      XCTAssertEqual(settling.wait(at: now), .zero)
    }
    settling.noteLook()
    settling.noteSuccess()
    XCTAssertNil(settling.wait(at: now))
    settling.noteFailure(at: now)
    XCTAssertEqual(settling.wait(at: now), ChangeSettling.firstPause)
  }
}

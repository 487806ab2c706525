import TestSupport
import XCTest

@testable import RecordSync

/// Listeners that come and go while a store tells of changes.
final class LeavingListenersTests: XCTestCase {
  func testListenersComeAndGoWhileAStoreTellsOfChanges() {
    let teller = ChangeTeller()
    let report = RecordReport(status: .written)
    XCTAssertTrue(
      LeavingReaders.comeAndGo {
        teller.changes()
      } while: {
        teller.tell(of: report)
      })
  }
}

import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Readers of a replica's streams that come and go while something is told.
final class LeavingReadersTests: XCTestCase {
  func testViewsOfAnAccountComeAndGoWhileSomebodySignsInAndOut() {
    let account = Account()
    XCTAssertTrue(
      LeavingReaders.comeAndGo {
        account.statuses
      } while: {
        try? await account.signIn(name: "ann", password: "milk")
        try? await account.signOut()
      })
  }

  func testViewsOfTheActivityComeAndGoWhileSyncsBeginAndEnd() {
    let isActive = Newest(false, tellsEach: true)
    XCTAssertTrue(
      LeavingReaders.comeAndGo {
        isActive.values
      } while: {
        isActive.put(true).tell()
        isActive.put(false).tell()
      })
  }

  func testListenersComeAndGoWhileAStoreTellsOfChanges() {
    let hub = ChangeHub()
    let change = StoreChange(origin: .others, documents: [], isComplete: false)
    XCTAssertTrue(
      LeavingReaders.comeAndGo {
        hub.subscribe()
      } while: {
        hub.tell(change)
      })
  }
}

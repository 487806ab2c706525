import TestSupport
import XCTest

@testable import CatalogMirror

/// Subscribers that come and go while a run tells what it does.
final class LeavingSubscribersTests: XCTestCase {
  func testSubscribersComeAndGoWhileARunTellsWhatItDoes() {
    let observer = MirrorObserver()
    XCTAssertTrue(
      LeavingReaders.comeAndGo {
        observer.subscribe()
      } while: {
        observer.enter(.list)
      })
  }
}

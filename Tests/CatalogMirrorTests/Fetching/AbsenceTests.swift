import SyncTransport
import XCTest

@testable import CatalogMirror

/// Which failures say that there is nothing, so that it is looked for elsewhere.
final class AbsenceTests: XCTestCase {
  func testWhatIsForbiddenForAWhileMayBeThere() {
    let table: [(TransportError.Code, Duration?, isCertain: Bool?)] = [
      (.status(404), nil, true), (.status(410), nil, true), (.status(403), nil, false),
      (.status(403), .seconds(9), nil), (.status(401), nil, nil), (.status(429), nil, nil),
      (.status(500), nil, nil), (.couldNotConnect, nil, nil), (.keyRefused, nil, nil),
    ]
    for (code, retryAfter, isCertain) in table {
      var error = TransportError(code, at: "https://example.org")
      error.retryAfter = retryAfter
      XCTAssertEqual(error.absence?.isCertain, isCertain, "\(error)")
    }
  }
}

import Console
import XCTest

/// The numbers that programs end with.
final class ExitStatusTests: XCTestCase {
  func testOfSeveralRunsTheGravestIsTold() {
    let order: [ExitStatus] = [.cancelled, .usage, .failed, .refused, .locked, .someFailed, .done]
    XCTAssertEqual(Set(order), Set(ExitStatus.allCases))
    for (place, status) in order.enumerated() {
      for other in order[place...] { XCTAssertEqual(ExitStatus.ofAll([other, status]), status) }
    }
    XCTAssertEqual(ExitStatus.ofAll([]), .done)
  }
}

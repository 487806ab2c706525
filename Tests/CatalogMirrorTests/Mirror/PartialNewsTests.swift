import XCTest

@testable import CatalogMirror

/// A list that can't say whether it is whole says so once.
final class PartialNewsTests: RunTestCase {
  func testWhyNothingIsRemovedIsNewsOnce() async throws {
    var told: [Bool] = []
    for isComplete in [false, false, true, false] {
      try serve([Thing("a", "alpha")], isComplete: isComplete)
      let mirror = mirror()
      let events = mirror.events
      _ = try await mirror.sync()
      mirror.endEvents()
      for await case .listed(_, let partial, let isNews) in events {
        XCTAssertEqual(partial.isEmpty, isComplete)
        told.append(isNews)
      }
    }
    XCTAssertEqual(told, [true, false, false, true])
  }
}

import Foundation
import XCTest

extension MirrorTestCase {
  /// Waits until something is so in the world outside the test, which announces nothing: looks
  /// again and again, and fails after a time that no sound machine needs.
  package func waitUntil(
    _ claim: String, within limit: Duration = Patience.usual, _ isSo: () throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + limit
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw NeverSo(claim: claim) }
      sched_yield()
    }
  }

  /// What was waited for didn't come about.
  package struct NeverSo: Error {
    package var claim: String
  }
}

import SynchronizerTesting
import XCTest

@testable import CatalogMirror

/// A run whose time is up ends as one that is cancelled, and says why.
final class RunTimerTests: RunTestCase {
  func testARunWhoseTimeIsUpKeepsWhatIsDoneAndTheNextGoesOn() async throws {
    let things = (0..<3).map { Thing("\($0)", "text \($0)") }
    try serve(things)
    let reached = Gate()
    site.onRequest { _, number in
      guard number == 4 else { return }
      reached.open()
      try await Gate().wait()
    }
    let mirror = mirror {
      $0.concurrency = 1
      $0.maximumDuration = .seconds(60)
    }
    async let ending = mirror.sync()
    try await reached.wait()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    let report = try await ending
    site.onRequest(nil)
    XCTAssertEqual(report.outcome, .cancelled)
    XCTAssertEqual(report.timeLimit, .seconds(60))
    XCTAssertEqual(report.added, 2)
    let status = try await self.mirror().status()
    XCTAssertEqual(status.runs.first?.outcome, "out of time")
    XCTAssertEqual(status.runs.first?.error, "the time that the run may take, 60 s, was over")
    let next = try await syncWell { $0.maximumDuration = .seconds(60) }
    XCTAssertEqual(next.added, 1)
    XCTAssertNil(next.timeLimit)
  }
}

import Console
import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import mirror

/// A run with what belongs to it.
final class MirrorJobTests: XCTestCase {
  func testALimitOfTimeThatWasReachedIsNeitherASignalNorAFailure() {
    var report = MirrorReport(outcome: .cancelled)
    XCTAssertEqual(report.status, .cancelled)
    XCTAssertEqual(report.word, "cancelled")
    report.timeLimit = .seconds(3)
    XCTAssertEqual(report.status, .someFailed)
    XCTAssertEqual(report.word, "out of time")
    let end = RunEnd(status: report.status, report: report, startedAt: 0, duration: .zero)
    XCTAssertFalse(end.hasFailed)
    XCTAssertFalse(end.isFailure)
    report.failed = 1
    let failing = RunEnd(status: report.status, report: report, startedAt: 0, duration: .zero)
    XCTAssertTrue(failing.hasFailed, "items failed before its time was up")
    XCTAssertTrue(
      Summary.advice(for: report)?.hasPrefix("the time limit of 3.0 s was reached (status 2)")
        ?? false)
  }

  func testADryRunThatFailsIsToldToNobodyElse() async throws {
    let place = FileManager.default.temporaryDirectory.path + "/job-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    try makeFolder(at: place)
    var invocation = Invocation(command: .sync)
    invocation.mirror.catalog = "nothing://h/"
    invocation.mirror.folder = place + "/copy"
    invocation.isDryRun = true
    invocation.unattended.afterFailure = "echo > \(place)/hook"
    let job = MirrorJob(
      "one", invocation, sharing: MirrorClient(), metrics: MetricsFile("\(place)/metrics"))
    await assertEqual(job.run(SilentReporter()).status, .usage)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: place), [])
  }

  func testARunThatIsCancelledDuringItsHookEndsAsCancelled() async throws {
    let place = FileManager.default.temporaryDirectory.path + "/job-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    try makeFolder(at: place)
    var invocation = Invocation(command: .sync)
    invocation.mirror.catalog = "nothing://h/"
    invocation.mirror.folder = place + "/copy"
    invocation.unattended.afterFailure = "echo > \(place)/begun; exec sleep 99"
    let job = MirrorJob("one", invocation, sharing: MirrorClient(), metrics: nil)
    let run = Task { await job.run(SilentReporter()) }
    while !isThere("\(place)/begun") { await Task.yield() }
    run.cancel()
    await assertEqual(run.value.status, .cancelled)
  }
}

import CatalogMirror
import Console
import Foundation
import TestSupport
import XCTest

@testable import mirror

/// A run with what belongs to it.
final class MirrorJobTests: XCTestCase {
  func testARunThatIsCancelledDuringItsHookEndsAsCancelled() async throws {
    let place = FileManager.default.temporaryDirectory.path + "/job-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    var invocation = Invocation(command: .sync)
    invocation.mirror.catalog = "nothing://h/"
    invocation.mirror.folder = place + "/copy"
    invocation.unattended.afterFailure = "echo > \(place)/begun; exec sleep 99"
    let job = MirrorJob("one", invocation, sharing: MirrorClient(), metrics: nil)
    let run = Task { await job.run(SilentReporter()) }
    while !FileManager.default.fileExists(atPath: "\(place)/begun") { await Task.yield() }
    run.cancel()
    let end = await run.value
    XCTAssertEqual(end.status, .cancelled)
  }
}

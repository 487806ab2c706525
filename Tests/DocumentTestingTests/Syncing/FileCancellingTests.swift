import TestSupport
import XCTest

@testable import DocumentSync

/// Nobody has to wait for the end of a file that takes long.
final class FileCancellingTests: XCTestCase {
  private let rig = FileRig()

  func testASyncIsCancelledWhileAFileTravels() async throws {
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let here = try await rig.replica { _ in
      begins.yield()
      // Until it's cancelled.
      try await Task.sleep(for: .seconds(3_600))
      return nil
    }
    try await rig.attach(here)
    let sync = Task { try await here.sync() }
    for await _ in begun { break }
    sync.cancel()
    await assertThrows(CancellationError.self, try await sync.value)
    try await assertEqual(rig.counts(here).up, 1)
  }
}

import SynchronizerTesting
import XCTest

@testable import CatalogMirror

extension RunTestCase {
  /// A run that is cancelled when its request of this number begins, which is never answered; the
  /// catalog is number 1. One that makes fewer requests ends as it does.
  func syncCancelled(
    atRequest number: Int, _ change: (inout MirrorOptions) -> Void = { $0.concurrency = 1 }
  ) async throws -> MirrorReport {
    let reached = Gate()
    site.forgetLog()
    site.onRequest { _, current in
      guard current == number else { return }
      reached.open()
      try await Gate().wait()
    }
    defer { site.onRequest(nil) }
    return try await Self.cancelling(mirror(change), at: reached)
  }

  /// A run that is cancelled when a gate opens.
  static func cancelling(_ mirror: FolderMirror, at gate: Gate) async throws -> MirrorReport {
    try await withThrowingTaskGroup(of: MirrorReport?.self) { group in
      group.addTask { try await mirror.sync() }
      group.addTask {
        try? await gate.wait()
        return nil
      }
      var report = try await group.next() ?? nil
      group.cancelAll()
      if report == nil { report = try await group.next() ?? nil }
      return try XCTUnwrap(report)
    }
  }
}

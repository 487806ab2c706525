import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles

/// Each call of a run fails once, one run after the other, and the power fails when the run has
/// come to its end: what was recorded is there, also when it was a flush that failed.
final class ModelFailingCallTests: ModelMirrorTestCase {
  func testF14_aFirstRunSurvivesTheFailureOfAnyCall() async throws {
    try await failEverywhere(from: try emptyDisk(), [:], to: Self.before)
  }

  func testF14_aRunThatChangesMuchSurvivesTheFailureOfAnyCall() async throws {
    try await failEverywhere(from: try await mirroredDisk(), Self.before, to: Self.after)
  }

  private func failEverywhere(
    from start: ModelDisk, _ before: [String: String], to after: [String: String]
  ) async throws {
    for errno in before.isEmpty ? [Errno.inputOutput] : [.inputOutput, .noSpace] {
      try await everywhere(moreThan: 200) { number in
        try await self.fail(start, before, after, errno, atCall: number)
      }
    }
  }

  /// Whether the run made so many calls.
  private func fail(
    _ start: ModelDisk, _ before: [String: String], _ after: [String: String], _ errno: Errno,
    atCall number: Int
  ) async throws -> Bool {
    let disk = start.copy()
    let first = disk.count
    let failed = Locked<DiskCall?>(nil)
    disk.onCall { call in
      guard call.number - first == number else { return nil }
      failed.withLock { $0 = call }
      return .error(errno)
    }
    let change: (inout MirrorOptions) -> Void = { options in
      options.maximumRemoval = .all
      options.concurrency = 1
    }
    _ = try? await sync(try site(after), on: disk, change)
    disk.onCall(nil)
    guard let call = failed.withLock({ $0 }) else { return false }
    var random = SeededGenerator(seed: UInt64(number))
    disk.crash(using: &random)
    try await assertIsMadeUpFor(disk, before, after, "\(errno.text) at \(call)", change)
    return true
  }
}

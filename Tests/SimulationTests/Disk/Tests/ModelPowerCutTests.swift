import SyncLock
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// The power fails before each call that changes the disk, one run after the other: what was
/// recorded is there, what is there is whole, and the next run makes everything right.
final class ModelPowerCutTests: ModelMirrorTestCase {
  func testF13_aFirstRunSurvivesALossOfPowerAtAnyCall() async throws {
    try await cutEverywhere(from: try emptyDisk(), [:], to: Self.before)
  }

  func testF13_aRunThatChangesMuchSurvivesALossOfPowerAtAnyCall() async throws {
    try await cutEverywhere(from: try await mirroredDisk(), Self.before, to: Self.after)
  }

  private func cutEverywhere(
    from start: ModelDisk, _ before: [String: String], to after: [String: String]
  ) async throws {
    for durability in before.isEmpty ? [Durability.batch] : [.batch, .file] {
      try await everywhere(moreThan: 50) { number in
        try await self.cut(start, before, after, durability, atChange: number)
      }
    }
  }

  /// Whether the run made so many changes.
  private func cut(
    _ start: ModelDisk, _ before: [String: String], _ after: [String: String],
    _ durability: Durability, atChange number: Int
  ) async throws -> Bool {
    let disk = start.copy()
    let changes = Locked(0)
    let cutShort = Locked<ModelDisk?>(nil)
    disk.onCall { call in
      guard call.kind.changesDisk else { return nil }
      let count = changes.withLock { count in
        count += 1
        return count
      }
      if count == number {
        cutShort.withLock { $0 = disk.copy() }
        disk.kill()
      }
      return nil
    }
    let change: (inout MirrorOptions) -> Void = { options in
      options.durability = durability
      options.maximumRemoval = .all
      options.concurrency = 1
    }
    _ = try? await sync(try site(after), on: disk, change)
    guard let fate = cutShort.withLock({ $0 }) else { return false }
    var random = SeededGenerator(seed: UInt64(number))
    fate.crash(using: &random)
    let place = "\(durability), before change \(number)"
    try await assertIsMadeUpFor(fate, before, after, place, change)
    return true
  }
}

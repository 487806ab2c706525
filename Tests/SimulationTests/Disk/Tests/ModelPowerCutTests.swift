import SyncLock
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror

/// The power fails before each call that changes the disk, one run after the other: what was
/// recorded is there, what is there is whole, and the next run makes everything right.
final class ModelPowerCutTests: ModelMirrorTestCase {
  private static let before = [
    "same": "same", "changed": "old", "gone": "gone", "deep/gone": "gone too", "file": "a file",
    "directory/x": "x",
  ]
  private static let after = [
    "same": "same", "changed": "new", "new": "new", "file/now": "in a directory",
    "directory": "a file", "deep/new": "new too",
  ]

  func testF13_aFirstRunSurvivesALossOfPowerAtAnyCall() async throws {
    let disk = try emptyDisk()
    try await cutEverywhere(from: disk, [:], to: Self.before)
  }

  func testF13_aRunThatChangesMuchSurvivesALossOfPowerAtAnyCall() async throws {
    let disk = try emptyDisk()
    let report = try await sync(try site(Self.before), on: disk)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    disk.settle()
    try await cutEverywhere(from: disk, Self.before, to: Self.after)
  }

  private func cutEverywhere(
    from start: ModelDisk, _ before: [String: String], to after: [String: String]
  ) async throws {
    for durability in [Durability.batch, .file] {
      var number = 1
      while try await cut(start, before, after, durability, atChange: number) { number += 1 }
      XCTAssertGreaterThan(number, 50, "there was something to cut short")
    }
  }

  /// Whether the run made so many changes.
  private func cut(
    _ start: ModelDisk, _ before: [String: String], _ after: [String: String],
    _ durability: Durability, atChange number: Int
  ) async throws -> Bool {
    let disk = start.copy()
    let changes = Locked(0)
    let fates = Locked<[ModelDisk]>([])
    disk.onCall { call in
      guard call.kind.changesDisk else { return nil }
      let count = changes.withLock { count in
        count += 1
        return count
      }
      if count == number {
        fates.withLock { $0 = (0..<2).map { _ in disk.copy() } }
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
    for (index, fate) in fates.withLock({ $0 }).enumerated() {
      var random = SeededGenerator(seed: UInt64(number * 2 + index))
      fate.crash(using: &random)
      let place = "\(durability), change \(number), fate \(index)"
      try await assertIsSound(fate, before, after, place)
      let report = try await sync(try site(after), on: fate, change)
      XCTAssertEqual(report.outcome, .done, "\(report.failures), \(place)")
      XCTAssertEqual(texts(fate), after, place)
      let again = try await sync(try site(after), on: fate, change)
      XCTAssertTrue(again.wasUnchanged, place)
    }
    return changes.withLock { $0 } >= number
  }

  private func assertIsSound(
    _ disk: ModelDisk, _ before: [String: String], _ after: [String: String], _ place: String
  ) async throws {
    let found = texts(disk)
    for (key, text) in found {
      XCTAssertTrue(
        [before[key], after[key]].contains(text), "\(key) is torn: '\(text)', \(place)")
    }
    for (key, text) in before where after[key] == text {
      XCTAssertEqual(found[key], text, "\(key) is lost, \(place)")
    }
    for (key, row) in try await rows(disk.copy()) where row.state == .present {
      guard let content = row.content, found[key].map(digest) != content.sha256 else { continue }
      XCTAssertEqual(found[key], after[key], "\(key) is claimed and not there, \(place)")
    }
  }

  private func digest(of text: String) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}

import Foundation
import SyncDatabase
import SyncEngine
import TestSupport
import XCTest

@testable import CatalogMirror

/// What a look finds damaged a run finds damaged, too: a look changes nothing and sends the user to
/// a run.
final class ReadersAgreeTests: XCTestCase {
  /// In nanoseconds since 1970.
  private static let moment: Int64 = 1_700_000_000_000_000_000

  /// All that a run reads that looks at the files and finds nothing new.
  private static func readAsARun(_ reader: IndexReader) throws {
    try reader.checkAllButItems()
    _ = try reader.unfinishedPlacements()
    _ = try reader.unfinishedRemovals()
    var last: CatalogKey?
    repeat {
      last = try reader.expectedFiles(after: last, atMost: 7).last?.key
    } while last != nil
  }

  /// What `status` and `verify` read.
  private static func readAsALook(_ reader: IndexReader) throws {
    try reader.forEachItem { _ in }
    _ = try reader.counts()
    _ = try reader.failures()
    _ = try reader.recentRuns(limit: 10)
    _ = try MirrorRules(in: reader)
    for name in [ValueName.catalog, .wantsContents, .unreadableList] { _ = try reader.value(name) }
  }

  // A seeded walk over single faults, as many as the index is small.
  func testWhatAnyLookFindsDamagedARunFindsDamaged() async throws {
    let path = try temporaryIndexPath()
    try await fill(path)
    let whole = try Data(contentsOf: URL(filePath: path))
    var random = SeededGenerator(seed: 18)
    var found = 0
    for round in 0..<150 {
      var bytes = whole
      let place = Int.random(in: 4_096..<bytes.count, using: &random)
      bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      try bytes.write(to: URL(filePath: path))
      // One that can't be opened, neither opens.
      guard let index = try? await MirrorIndex.open(path: path, synchronous: .off) else { continue }
      let run = await damage(index, Self.readAsARun)
      let look = await damage(index, Self.readAsALook)
      await index.close()
      found += look == nil ? 0 : 1
      if let look, run == nil { XCTFail("round \(round), byte \(place): \(look)") }
    }
    XCTAssertGreaterThan(found, 10)
  }

  private func damage(
    _ index: MirrorIndex, _ body: @escaping @Sendable (IndexReader) throws -> Void
  ) async -> (any Error)? {
    do {
      try await index.read(body)
      return nil
    } catch {
      return error
    }
  }

  /// An index with a little of everything.
  private func fill(_ path: String) async throws {
    let index = try await MirrorIndex.open(path: path)
    try await index.write { writer in
      for number in 0..<40 {
        var entry = CatalogEntry.plain("key \(number)")
        entry.line = LineDigest(bytes: (0..<16).map { UInt8($0 + number) })
        try writer.record([.content(entry, .plain()), .preview(entry, .plain())])
        var run = RunRecord(
          startedNanoseconds: Self.moment, endedNanoseconds: Self.moment + 7, ending: .succeeded,
          catalog: "https://mirror.test/catalog")
        run.counts.listed = number
        try writer.recordRun(run)
        try writer.finishRemoval(
          of: [],
          quarantined: [
            QuarantinedFile(
              name: "q/\(number)", key: CatalogKey("gone \(number)"), size: 1 << 40,
              removedNanoseconds: Self.moment)
          ])
      }
      try writer.replaceFailures(
        (0..<20).map { FailedItem(key: CatalogKey("key \($0)"), sentence: "it failed") })
      for name in [
        ValueName.folderID, .catalog, .wantsContents, .unreadableList, .removalRule, .keepingRule,
        .filterRules,
      ] { try writer.setValue("7", for: name) }
    }
    await index.close()
  }
}

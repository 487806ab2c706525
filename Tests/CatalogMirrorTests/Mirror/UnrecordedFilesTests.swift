import XCTest

@testable import CatalogMirror

/// Files that are in their place and couldn't be recorded, since their directory couldn't be made
/// durable (M15, M20).
final class UnrecordedFilesTests: RunTestCase {
  private let names = (0..<300).map { "d/\($0)" }
  private var old: [Thing] { names.map { Thing($0, "old \($0)") } }
  private var new: [Thing] { names.map { Thing($0, "new \($0)") } }

  /// The system doesn't tell whose bytes it lost, and a disk that lost some is no disk to go on with.
  func testM20_aFlushOfTheFolderThatFailsEndsTheRunWithOneError() async throws {
    let report = try await failTheFirstFlushOfADirectory()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(
      report.failures.map(\.sentence),
      [
        """
        the disk could not keep what was last written to \(folder); check the disk, then sync \
        again (\(Errno.inputOutput.text))
        """
      ])
  }

  func testM15_whatABatchPlacedAndCouldNotRecordIsKnownForOursByTheNextRun() async throws {
    try await failTheFirstFlushOfADirectory()
    let placed = Set(try tree().filter { $0.value.hasPrefix("new") }.keys)
    XCTAssertEqual(placed.count, BatchLimits.files)
    let marks = try await withIndex { try $0.unfinishedPlacements() }
    XCTAssertEqual(Set(marks.map(\.key.description)), placed)
    let next = try await syncWell()
    XCTAssertEqual(next.adopted, 0, "they are known for ours, and needn't be compared")
    XCTAssertEqual(site.asked.count, 1 + names.count - placed.count, "the catalog, and the rest")
    try await assertIndexIsTrue()
  }

  func testM15_whatABatchPlacedAndCouldNotRecordIsRemovedWhenTheCatalogDropsIt() async throws {
    try await failTheFirstFlushOfADirectory()
    try serve([Thing("d/last", "kept")])
    try await syncWell { $0.maximumRemoval = .all }
    XCTAssertEqual(try tree(), ["d/last": "kept"])
    try await assertIndexIsTrue()
  }

  @discardableResult
  private func failTheFirstFlushOfADirectory() async throws -> MirrorReport {
    try serve(old)
    try await syncWell()
    try serve(new)
    let disk = ScriptedDisk()
    var world = environment
    world.fileSystem = disk
    disk.failNextFile()
    return try await Mirror(mirror { $0.durability = .batch }.options, in: world).sync()
  }
}

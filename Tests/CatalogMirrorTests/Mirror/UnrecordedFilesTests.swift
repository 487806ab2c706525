import XCTest

@testable import CatalogMirror

/// Files that are in their place and couldn't be recorded, in a run that goes on (M15).
final class UnrecordedFilesTests: RunTestCase {
  /// The index noted which files a batch was about to place. When the flush of the batch's
  /// directory failed, the next batch's record let go of those notes as well: the index then claimed
  /// the old bytes of files that held the new ones, and nothing told the next run that they are ours.
  func testM15_whatABatchCouldNotRecordIsKnownAlsoWhenTheNextOneDid() async throws {
    let names = (0..<300).map { "d/\($0)" }
    try serve(names.map { Thing($0, "old \($0)") })
    try await syncWell()
    let after = names.map { Thing($0, "new \($0)") }
    try serve(after)
    let disk = ScriptedDisk()
    var world = environment
    world.fileSystem = disk
    disk.failNextFile()
    let report = try await Mirror(mirror { $0.durability = .batch }.options, in: world).sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(report.failures.count, BatchLimits.files)
    XCTAssertEqual(try tree(), Dictionary(after.map { ($0.key, $0.text) }) { $1 })
    let marks = try await withIndex { try $0.unfinishedPlacements() }
    XCTAssertEqual(marks.count, BatchLimits.files)
    let next = try await syncWell()
    XCTAssertEqual(next.adopted, 0, "they are known for ours, and needn't be compared")
    XCTAssertEqual(site.asked.count, 1, "only the catalog: everything is there")
    try await assertIndexIsTrue()
  }
}

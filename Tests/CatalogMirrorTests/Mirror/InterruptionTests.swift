import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText
@testable import SyncFiles

/// Runs that end before their time: cancelled, or killed.
final class InterruptionTests: RunTestCase {
  private let before = (0..<6).map { Thing("d/\($0)", "old \($0)") } + [Thing("gone", "gone")]
  private let after = (0..<6).map { Thing("d/\($0)", "new \($0)") } + [Thing("add", "add")]

  private func assertWhole(line: UInt = #line) async throws {
    let versions = Dictionary(
      (before + after).map { ($0.key, [$0.text]) }, uniquingKeysWith: { $0 + $1 })
    for (name, text) in try tree() {
      XCTAssert(versions[name]?.contains(text) ?? false, "\(name) is torn: \(text)", line: line)
    }
    try await assertIndexIsTrue(line: line)
  }

  func testWhatWasFinishedIsKeptAndNotFetchedAgain() async throws {
    for number in 1...9 {
      try? FileManager.default.removeItem(atPath: folder)
      try serve(before)
      try await syncWell()
      try serve(after)
      let report = try await syncCancelled(atRequest: number)
      let done = max(0, number - 2)
      XCTAssertEqual(report.outcome, number <= 8 ? .cancelled : .done)
      XCTAssertEqual(report.added + report.updated, min(done, 7))
      try await assertWhole()
      XCTAssert(number > 8 || exists("gone"), "a cancelled run removes nothing")
      let finished = Set(site.asked.dropFirst().prefix(done))
      try await syncWell()
      XCTAssertEqual(finished.intersection(site.asked), [], "cancelled at \(number)")
      XCTAssertEqual(try tree(), Dictionary(after.map { ($0.key, $0.text) }) { $1 })
    }
  }

  func testATransferCutInTheMiddleLeavesNothing() async throws {
    try serve(before)
    try await syncWell()
    try serve(after)
    let reached = Gate()
    var slow = Site.Answer.text("new 0")
    slow.pieceSize = 2
    slow.arrival = reached
    slow.bodyGate = Gate()
    try site.answer(Self.root + "d/0", slow)
    let seen = Gate()
    let mirror = mirror { $0.concurrency = 1 }
    let progress: @Sendable () -> Int64 = { mirror.progress.bytesDone }
    async let run = Self.cancelling(mirror, at: seen)
    try await reached.wait()
    while progress() < 2 { await Task.yield() }
    seen.open()
    let report = try await run
    XCTAssertEqual(report.outcome, .cancelled)
    XCTAssertEqual(try inside("staging"), [:])
    try await assertWhole()
  }

  func testARunCancelledBeforeItBeganMakesNothing() async throws {
    try serve(before)
    let report = try await syncCancelled(atRequest: 1)
    XCTAssertEqual(report.outcome, .cancelled)
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder))
  }

  func testTheLockIsGivenBack() async throws {
    try serve(before)
    _ = try await syncCancelled(atRequest: 3)
    try await syncWell()
  }

  func testWhatACrashCaughtInAReplacementIsKeptAside() async throws {
    // It may be what a person wrote between our last look and the exchange.
    try serve([Thing("a", "alpha")])
    try await syncWell()
    try put("edited", at: folder + "/.mirror/staging/swap-0123456789abcdef")
    try put("known", at: folder + "/.mirror/staging/swap-0123456789abcdef-some%2Fpath")
    try await syncWell()
    XCTAssertEqual(
      try String(
        contentsOfFile: folder + "/.mirror/displaced/recovered/swap-0123456789abcdef",
        encoding: .utf8), "edited")
    XCTAssertEqual(
      try String(
        contentsOfFile: folder + "/.mirror/displaced/recovered/some/path", encoding: .utf8),
      "known")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror/staging"), [])
  }

  func testADirectoryCaughtInAReplacementIsKeptAsideToo() async throws {
    try serve([Thing("a", "alpha")])
    try await syncWell()
    try put("mine", at: folder + "/.mirror/staging/swap-00/note")
    try await syncWell()
    XCTAssertEqual(
      try String(
        contentsOfFile: folder + "/.mirror/displaced/recovered/swap-00/note", encoding: .utf8),
      "mine")
  }

  func testWhatACrashLeftInStagingIsSwept() async throws {
    try serve(before)
    try await syncWell()
    try place("torn", at: ".mirror/staging/abandoned")
    try place("torn", at: ".mirror/staging/deep/er")
    try await syncWell()
    XCTAssertEqual(try inside("staging"), [:])
    XCTAssertFalse(exists(".mirror/staging/deep"))
  }

  func testACrashBetweenTheRenameAndTheRecordIsMadeUpFor() async throws {
    try serve(before)
    try await syncWell()
    // As if the new bytes were in place, and the transaction had never been.
    try place("new 0", at: "d/0")
    try place("add", at: "add")
    try serve(after)
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 2)
    XCTAssertEqual(try tree(), Dictionary(after.map { ($0.key, $0.text) }) { $1 })
    XCTAssertEqual(try inside("displaced"), [:])
    try await assertIndexIsTrue()
  }

  func testWhatWasPlacedAndNotRecordedIsOursAlsoWhenItsItemVanished() async throws {
    try serve(before)
    try await syncWell()
    for name in ["placed", "edited since"] { try place("placed", at: name) }
    for name in ["placed", "edited since", "never"] { try await mark(name) }
    try place("edited", at: "edited since")
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 1)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["placed": "placed"])
    XCTAssertEqual(try tree()["edited since"], "edited", "somebody's, and left alone")
    try await assertIndexIsTrue()
    let marks = try await withIndex { try $0.unfinishedPlacements() }
    XCTAssertEqual(marks, [])
  }

  /// As before a file is renamed to where it may stand already.
  private func mark(_ name: String) async throws {
    let folder = try XCTUnwrap(try MirrorFolder.inspect(path: folder))
    let stamp = try folder.look(at: RelativePath(CatalogKey(name)))?.stamp
    try await changeIndex { writer in
      let content = IndexedContent(
        version: .revision("1"), size: stamp?.size ?? 1,
        modifiedNanoseconds: stamp?.modifiedNanoseconds ?? 1, inode: stamp?.inode ?? 1,
        sha256: digest(of: "placed"))
      try writer.markPlacing([PlacementMark(key: CatalogKey(name), locator: nil, content: content)])
    }
  }

  func testARemovalMarkedButNotMovedIsOff() async throws {
    try serve(before)
    try await syncWell()
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    let report = try await syncWell()
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(report.removed, 0)
    let row = try await rows()["gone"]
    XCTAssertEqual(row?.state, .present)
    XCTAssert(exists("gone"))
    try serve(after)
    try await syncWell()
    XCTAssertFalse(exists("gone"))
  }

  func testARemovalMovedButNotRecordedIsFinished() async throws {
    try serve(before)
    try await syncWell()
    try await changeIndex { writer in
      try writer.markRemoving([
        RemovalMark(key: CatalogKey("gone"), quarantineName: "20250131T120000Z/gone")
      ])
    }
    try put("gone", at: folder + "/.mirror/quarantine/20250131T120000Z/gone")
    try remove("gone")
    try serve(after)
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 0)
    let row = try await rows()["gone"]
    XCTAssertNil(row)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["gone": "gone"])
    try await assertIndexIsTrue()
  }

  func testARemovalMovedButNotRecordedIsFetchedAgainIfItIsStillListed() async throws {
    try serve(before, etag: "\"1\"")
    try await syncWell()
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    try remove("gone")
    let report = try await syncWell()
    XCTAssertEqual(report.outcome, .done)
    XCTAssert(exists("gone"), "the catalog still has it")
    try await assertIndexIsTrue()
  }

  func testAFileThatWasEditedWhileItsRemovalWasMarkedStays() async throws {
    try serve(before)
    try await syncWell()
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    try place("edited", at: "gone")
    try serve(after)
    try await syncWell()
    XCTAssertEqual(try tree()["gone"], "edited")
    try await assertIndexIsTrue()
  }
}

import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText

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
      try await syncWell(to: before)
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

  func testARunCancelledBeforeItBeganMakesNothing() async throws {
    try serve(before)
    assertEnds(try await syncCancelled(atRequest: 1), .cancelled)
    XCTAssertFalse(isThere(folder))
  }

  func testWhatACrashCaughtInAReplacementIsKeptAside() async throws {
    // It may be what a person wrote between our last look and the exchange.
    try await syncWell(to: [Thing("a", "alpha")])
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
    try await syncWell(to: [Thing("a", "alpha")])
    try put("mine", at: folder + "/.mirror/staging/swap-00/note")
    try await syncWell()
    XCTAssertEqual(
      try String(
        contentsOfFile: folder + "/.mirror/displaced/recovered/swap-00/note", encoding: .utf8),
      "mine")
  }

  func testWhatWasPlacedAndNotRecordedIsOursAlsoWhenItsItemVanished() async throws {
    try await syncWell(to: before)
    for name in ["placed", "edited since"] { try place("placed", at: name) }
    for name in ["placed", "edited since", "never"] { try await mark(name) }
    try place("edited", at: "edited since")
    try await assertEqual(syncWell().removed, 1)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["placed": "placed"])
    XCTAssertEqual(try tree()["edited since"], "edited", "somebody's, and left alone")
    try await assertIndexIsTrue()
    try await assertEqual(withIndex { try $0.unfinishedPlacements() }, [])
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
    try await syncWell(to: before)
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    let report = try await syncWell()
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(report.removed, 0)
    try await assertEqual(rows()["gone"]?.state, .present)
    XCTAssert(exists("gone"))
    try await syncWell(to: after)
    XCTAssertFalse(exists("gone"))
  }

  func testARemovalMovedButNotRecordedIsFetchedAgainIfItIsStillListed() async throws {
    try await syncWell(to: before, etag: "\"1\"")
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    try remove("gone")
    assertEnds(try await syncWell())
    XCTAssert(exists("gone"), "the catalog still has it")
    try await assertIndexIsTrue()
  }

  func testAFileThatWasEditedWhileItsRemovalWasMarkedStays() async throws {
    try await syncWell(to: before)
    try await changeIndex { writer in
      try writer.markRemoving([RemovalMark(key: CatalogKey("gone"), quarantineName: "x/gone")])
    }
    try place("edited", at: "gone")
    try await syncWell(to: after)
    XCTAssertEqual(try tree()["gone"], "edited")
    try await assertIndexIsTrue()
  }
}

/// A run whose time is up ends as one that is cancelled, and says why.
final class RunTimerTests: RunTestCase {
  func testARunWhoseTimeIsUpKeepsWhatIsDoneAndTheNextGoesOn() async throws {
    let things = (0..<3).map { Thing("\($0)", "text \($0)") }
    try serve(things)
    let reached = Gate()
    site.onRequest { _, number in
      guard number == 4 else { return }
      reached.open()
      try await Gate().wait()
    }
    let mirror = mirror {
      $0.concurrency = 1
      $0.maximumDuration = .seconds(60)
    }
    async let ending = mirror.sync()
    try await reached.wait()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    let report = try await ending
    site.onRequest(nil)
    XCTAssertEqual(report.outcome, .cancelled)
    XCTAssertEqual(report.timeLimit, .seconds(60))
    XCTAssertEqual(report.added, 2)
    let status = try await self.mirror().status()
    XCTAssertEqual(status.runs.first?.outcome, "out of time")
    XCTAssertEqual(status.runs.first?.error, "the time that the run may take, 60 s, was over")
    let next = try await syncWell { $0.maximumDuration = .seconds(60) }
    XCTAssertEqual(next.added, 1)
    XCTAssertNil(next.timeLimit)
  }
}

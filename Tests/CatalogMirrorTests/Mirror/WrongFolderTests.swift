import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// The folder must be the one that is meant, for as long as a run lasts, and for one run.
final class WrongFolderTests: RunTestCase {
  private let things = (0..<4).map { Thing("\($0)", "text \($0)") }

  private func assertThrows(
    _ isExpected: (MirrorError) -> Bool, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      XCTFail("no error", line: line)
    } catch let error as MirrorError {
      XCTAssert(isExpected(error), "\(error)", line: line)
    } catch {
      XCTFail("\(error)", line: line)
    }
  }

  private func isLocked(_ error: MirrorError) -> Bool {
    if case .locked(let path, _) = error { path == folder } else { false }
  }

  func testAFolderThatIsReplacedDuringTheRunStopsIt() async throws {
    try serve(things)
    try await syncWell()
    try serve([Thing("0", "changed"), Thing("new", "new")])
    let (folder, aside) = (folder, base + "/aside")
    site.onRequest { request, _ in
      guard request.address.path == "/pub/0" else { return }
      try FileManager.default.moveItem(atPath: folder, toPath: aside)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
    }
    let report = try await sync { $0.concurrency = 1 }
    XCTAssertNotEqual(report.outcome, .done)
    XCTAssert(
      report.failures.contains { $0.sentence.contains("vanished or was replaced") },
      "\(report.failures)")
    XCTAssertEqual(try files(below: folder), [:], "the mount point isn't filled")
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: aside, toPath: folder)
    XCTAssertEqual(try tree(), Dictionary(things.map { ($0.key, $0.text) }) { $1 })
    site.onRequest(nil)
    try await syncWell()
    XCTAssertEqual(try tree(), ["0": "changed", "new": "new"])
  }

  func testAMarkerThatVanishesDuringTheRunStopsIt() async throws {
    try serve(things)
    try await syncWell()
    try serve([things[0]])
    let marker = folder + "/.mirror/marker"
    site.onRequest { _, _ in try FileManager.default.removeItem(atPath: marker) }
    let report = try await sync()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(try tree().count, 4, "nothing was removed")
  }

  func testExistingRefusesAFolderThatIsNoMirror() async throws {
    try serve(things)
    let isNoMirror: (MirrorError) -> Bool = { error in
      if case .folder(let error) = error { error.code == .notAMirror } else { false }
    }
    await assertThrows({ if case .folder = $0 { true } else { false } }) {
      try await sync { $0.requiresExisting = true }
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    await assertThrows(isNoMirror) { try await sync { $0.requiresExisting = true } }
    XCTAssertEqual(try files(below: folder), [:])
    XCTAssertEqual(site.asked, [])
    try await syncWell()
    try await syncWell { $0.requiresExisting = true }
  }

  func testASecondRunIsRefusedWithPlanAndVerify() async throws {
    let paused = try await pauseNextRun()
    try serve([Thing("0", "changed")])
    let (first, second) = (mirror(), mirror())
    async let run = first.sync()
    try await paused.arrived.wait()
    await assertThrows(isLocked) { _ = try await second.sync() }
    await assertThrows(isLocked) { _ = try await second.plan() }
    await assertThrows(isLocked) { _ = try await second.verify() }
    XCTAssertEqual(site.asked.count, 1, "a refused run sends nothing")
    paused.goesOn.open()
    let report = try await run
    XCTAssertEqual(report.outcome, .done)
    let status = try await second.status()
    XCTAssertEqual(status.contents, 1)
  }

  func testARunThatWaitsBeginsWhenTheOtherEnds() async throws {
    let paused = try await pauseNextRun()
    let (first, waiting) = (mirror(), mirror { $0.waitsForLock = true })
    async let run = first.sync()
    try await paused.arrived.wait()
    let events = waiting.events
    async let later = waiting.sync()
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(waiting.progress.stage, .wait)
    paused.goesOn.open()
    let report = try await run
    clock.advance(by: .milliseconds(100))
    let second = try await later
    waiting.endEvents()
    var holders: [LockHolder?] = []
    for await event in events { if case .waiting(let holder) = event { holders.append(holder) } }
    XCTAssertEqual(
      holders.map { $0?.process }, [ProcessInfo.processInfo.processIdentifier], "told once")
    XCTAssertEqual([report.outcome, second.outcome], [.done, .done])
  }

  func testALookThatWaitsBeginsWhenTheRunEnds() async throws {
    let paused = try await pauseNextRun()
    let (first, waiting) = (mirror(), mirror { $0.waitsForLock = true })
    async let run = first.sync()
    try await paused.arrived.wait()
    async let later = waiting.status()
    try await clock.sleepers(atLeast: 1)
    paused.goesOn.open()
    let report = try await run
    XCTAssertEqual(report.outcome, .done)
    clock.advance(by: .milliseconds(100))
    let status = try await later
    XCTAssertEqual(status.contents, 4)
  }

  private typealias PausedRun = (arrived: Gate, goesOn: Gate)

  /// Fills the folder, and has the next run wait at its first request.
  private func pauseNextRun() async throws -> PausedRun {
    try serve(things)
    try await syncWell()
    let paused: PausedRun = (Gate(), Gate())
    site.onRequest { _, number in
      guard number == 1 else { return }
      paused.arrived.open()
      try await paused.goesOn.wait()
    }
    site.forgetLog()
    return paused
  }

  func testAFirstListingThatWasOvertakenIsAskedForAgain() async throws {
    // A first run asks for the listing before it has the folder; another run may be faster, and
    // what the slow one got may be older than what is there by then.
    let newer = things + [Thing("fresh", "fresh")]
    let type = ("Content-Type", "application/x-ndjson")
    let answers = (
      old: Site.Answer.text(try catalog(things), type),
      new: Site.Answer.text(try catalog(newer), type)
    )
    try serve(newer)
    let faster = mirror()
    site.onRequest { [site] _, number in
      guard number == 1 else { return }
      site.onRequest(nil)
      _ = try await faster.sync()
      try site.answer(Self.catalogURL, answers.old, answers.new)
    }
    let report = try await mirror().sync()
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(report.removed, 0)
    XCTAssertEqual(try tree()["fresh"], "fresh")
  }

  func testTheIndexOfAnotherFolderIsSetAside() async throws {
    try serve(things)
    try await syncWell()
    let index = try Data(contentsOf: URL(fileURLWithPath: folder + "/.mirror/index.sqlite"))
    try FileManager.default.removeItem(atPath: folder)
    try await syncWell()
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    try index.write(to: URL(fileURLWithPath: folder + "/.mirror/index.sqlite"))
    await assertThrows({ if case .index = $0 { true } else { false } }) {
      _ = try await mirror().status()
    }
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, things.count)
    XCTAssertEqual(try tree().count, 4)
    try await assertIndexIsTrue()
  }

  func testAFolderThatLostItsMarkerGetsANewOneAndLosesNothing() async throws {
    try serve(things, etag: "\"1\"")
    try await syncWell()
    try place("mine", at: "mine")
    try remove(".mirror/marker")
    let report = try await syncWell()
    XCTAssertEqual([report.added, report.removed, report.displaced], [0, 0, 0])
    XCTAssertEqual(try tree().count, 5)
    let again = try await syncWell()
    XCTAssert(again.wasUnchanged)
  }

  func testAPathThatIsNoFolderIsOneClearError() async throws {
    try serve(things)
    try put("text", at: folder)
    await assertThrows({ if case .folder = $0 { true } else { false } }) { try await sync() }
    XCTAssertEqual(site.asked, [])
    await assertThrows({ if case .folder = $0 { true } else { false } }) {
      try await sync { $0.folder = self.base + "/no/such/folder" }
    }
  }

  /// A marker that was lost is made anew before the lock is taken. The run that did so may end
  /// right then, turned away by another one: the next run then took the index for another folder's.
  func testAnIndexOutlivesARunThatMadeANewMarkerAndEnded() async throws {
    try serve([Thing("kept", "1"), Thing("gone", "2")])
    try await syncWell()
    try remove(".mirror/marker")
    _ = try MirrorFolder.open(path: folder, mode: .create)
    try serve([Thing("kept", "1")])
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror")
    XCTAssertEqual(names.filter { $0.hasPrefix("index-damaged") }, [])
    let marker = try String(contentsOfFile: folder + "/.mirror/marker", encoding: .utf8)
    XCTAssertFalse(marker.contains("unbound"), "the index holds it now")
  }

}

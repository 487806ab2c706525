import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// The folder must be the one that is meant, for as long as a run lasts, and for one run.
final class WrongFolderTests: RunTestCase {
  private let things = (0..<4).map { Thing("\($0)", "text \($0)") }

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
    assertEnds(try await run)
    clock.advance(by: .milliseconds(100))
    try await assertEqual(later.contents, 4)
  }

  private typealias PausedRun = (arrived: Gate, goesOn: Gate)

  /// Fills the folder, and has the next run wait at its first request.
  private func pauseNextRun() async throws -> PausedRun {
    try await syncWell(to: things)
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

  func testAPathThatIsNoFolderIsRefusedBeforeAnythingIsAskedFor() async throws {
    try put("text", at: folder)
    await assertThrows(MirrorError.self, try await sync(to: things)) {
      if case .folder = $0 { true } else { false }
    }
    XCTAssertEqual(site.asked, [])
  }

  /// A marker that was lost is made anew before the lock is taken. The run that did so may end
  /// right then, turned away by another one: the next run then took the index for another folder's.
  func testAnIndexOutlivesARunThatMadeANewMarkerAndEnded() async throws {
    try await syncWell(to: [Thing("kept", "1"), Thing("gone", "2")])
    try remove(".mirror/marker")
    _ = try MirrorFolder.open(path: folder, mode: .create)
    try await assertEqual(syncWell(to: [Thing("kept", "1")]).removed, 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror")
    XCTAssertEqual(names.filter { $0.hasPrefix("index-damaged") }, [])
    let marker = try readText(folder + "/.mirror/marker")
    XCTAssertFalse(marker.contains("unbound"), "the index holds it now")
  }
}

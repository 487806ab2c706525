import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder

/// `status` beside a run: what the run says of itself.
final class RunningStatusTests: RunTestCase {
  private let things = (0..<3).map { Thing("\($0)", "text \($0)") }

  /// Asks for the status while a run waits for its last item.
  private func statusDuringARun(
    _ environment: MirrorEnvironment? = nil, _ prepare: @escaping @Sendable () throws -> Void = {}
  ) async throws -> MirrorStatus {
    let (reached, goOn) = (Gate(), Gate())
    site.forgetLog()
    site.onRequest { _, number in
      guard number == 4 else { return }
      reached.open()
      try await goOn.wait()
    }
    defer { site.onRequest(nil) }
    let mirror = mirror { $0.concurrency = 1 }
    let running = FolderMirror(mirror.options, in: environment ?? self.environment)
    async let report = running.sync()
    try await reached.wait()
    try prepare()
    let status = try await mirror.status()
    goOn.open()
    try await assertEqual(report.outcome, .done)
    return status
  }

  func testStatusTellsOfTheRunAndTouchesNothing() async throws {
    try serve(things)
    let status = try await statusDuringARun()
    XCTAssertTrue(status.isMirror)
    XCTAssertEqual(status.catalog, Self.catalogURL)
    let running = try XCTUnwrap(status.running)
    XCTAssertEqual(running.holder?.process, ProcessInfo.processInfo.processIdentifier)
    XCTAssertEqual(running.holder?.since, "20250131T120000Z")
    XCTAssertNotNil(running.progress)
    XCTAssertFalse(exists(".mirror/status.json"), "it ends with the run")
    let after = try await mirror().status()
    XCTAssertNil(after.running)
    XCTAssertEqual(after.contents, 3)
  }

  func testARunSaysHowFarItIs() async throws {
    try serve(things)
    var environment = environment
    environment.makeDiskQueue = { DispatchDiskQueue() }
    environment.statusInterval = .zero
    let file = "\(folder)/.mirror/status.json"
    let status = try await statusDuringARun(environment) {
      // The run waits, and so says it once more and then nothing.
      let deadline = Patience.end
      while ContinuousClock.now < deadline {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        if RunningMirror(written: bytes)?.progress?.itemsDone == 2 { return }
      }
      XCTFail("it never said so")
    }
    let progress = try XCTUnwrap(status.running?.progress)
    XCTAssertEqual(progress.stage, .contents)
    XCTAssertEqual(progress.itemsDone, 2)
    XCTAssertEqual(progress.itemsTotal, 3)
    XCTAssertEqual(progress.bytesTotal, 18)
  }

  func testWhatARunLeftThatWasKilledIsNotBelieved() async throws {
    try serve(things)
    let old = RunningMirror(
      holder: LockHolder(process: 1, since: "20240101T000000Z"), catalog: "https://old.test/",
      progress: MirrorProgress())
    try await syncWell()
    let path = "\(folder)/.mirror/status.json"
    try Data(old.written).write(to: URL(fileURLWithPath: path))
    try await assertNil(mirror().status().running, "nobody holds the lock")
    let held = try FolderLock.acquire(
      in: MirrorFolder.open(path: folder, mode: .existing), now: 0)
    let status = try await mirror().status()
    XCTAssertEqual(status.running?.holder?.process, ProcessInfo.processInfo.processIdentifier)
    XCTAssertNil(status.running?.progress)
    XCTAssertEqual(status.running?.catalog, Self.catalogURL, "the marker names it")
    held.release()
  }

  func testWhatIsWrittenIsReadBackAndRubbishIsNot() throws {
    var progress = MirrorProgress()
    progress.stage = .contents
    (progress.pages, progress.itemsDone, progress.itemsTotal) = (1, 2, 3)
    (progress.bytesDone, progress.bytesTotal, progress.failed) = (4, 5, 6)
    let running = RunningMirror(
      holder: LockHolder(process: 7, since: "20250131T120000Z"), catalog: "https://h/\"",
      progress: progress)
    XCTAssertEqual(RunningMirror(written: running.written), running)
    for text in ["", "{", "[]", "{}", #"{"status":2,"process":7,"since":"x"}"#, "null", "\u{0}"] {
      XCTAssertNil(RunningMirror(written: Array(text.utf8)), text)
    }
    for count in running.written.indices.dropLast() {
      let cut = RunningMirror(written: Array(running.written.prefix(count)))
      XCTAssertNil(cut, "cut after \(count) bytes")
    }
  }
}

import OneWaySynchronizer
import TestSupport
import XCTest

// What the guide says of views that appear, of pauses and of a program's end.

extension GuideTests {
  func testWhatTheGuideSaysOfViewsPausesAndEndsWorks() async throws {
    let archive = ShelfArchive()
    await archive.fill(["short": "word"])
    let synchronizer = Synchronizer(
      processor: DocumentProcessor(archive: archive, folder: try newFolder()))
    try await appear(with: synchronizer)
    try await assertNil(synchronizer.sync(ifOlderThan: .seconds(86_400)))
    try await openOffline("short", with: synchronizer)
    try await goodbye(synchronizer)
    await assertEqual(archive.asked, ["short"])
    XCTAssertEqual(synchronizer.options.concurrency, 1)
    let retries = politeRetries()
    XCTAssertEqual(retries.pause(2, Busy(retryAfter: .seconds(9))), .stage(.seconds(9)))
    guard case .item = retries.pause(2, Busy(retryAfter: nil)) else {
      return XCTFail("an item alone waits")
    }
  }
}

func appear(with synchronizer: Synchronizer<DocumentProcessor>) async throws {
  if let report = try await synchronizer.sync(ifOlderThan: .seconds(60)) {
    show("\(report.counts.downloaded) documents are new")
  }
}

func openOffline(
  _ key: String, with synchronizer: Synchronizer<DocumentProcessor>
) async throws {
  switch try await synchronizer.ensure(key, policy: .heldWillDo) {
  case .notChecked: show("\(key) is here, perhaps an older one")
  default: show("\(key) is here")
  }
}

struct Busy: Error {
  let retryAfter: Duration?
}

func politeRetries() -> DownloadRetries {
  let doubling = DownloadRetries.doublingPause()
  return DownloadRetries(
    attempts: 3,
    pause: { attempt, error in
      guard let wait = (error as? Busy)?.retryAfter else { return doubling(attempt, error) }
      return .stage(wait)  // the server said when to come back
    })
}

func goodbye(_ synchronizer: Synchronizer<DocumentProcessor>) async throws {
  synchronizer.update { options in
    options.concurrency = 1
    options.stopOnError = true
  }
  try await synchronizer.drain()
}

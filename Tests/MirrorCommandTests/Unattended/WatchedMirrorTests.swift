import CatalogMirror
import Console
import Foundation
import TestSupport
import XCTest

@testable import mirror

/// The folder of a mirror that is watched.
final class WatchedMirrorTests: XCTestCase {
  private var place = URL(filePath: "/")
  private var folder: String { place.path + "/copy" }
  private var catalog: URL { place.appending(path: "source/catalog.ndjson") }

  override func setUpWithError() throws {
    place = try temporaryFolder()
    try makeFolder(at: catalog.deletingLastPathComponent())
    try Data("a".utf8).write(to: place.appending(path: "source/a.txt"))
    try publish()
  }

  private func publish() throws {
    try Data("{\"catalog\":1,\"complete\":true}\n{\"key\":\"a.txt\"}\n".utf8).write(to: catalog)
  }

  private var configuration: MirrorConfiguration {
    get throws {
      var invocation = Invocation(command: .watch)
      invocation.mirror.catalog = catalog.absoluteString
      invocation.mirror.folder = folder
      return try MirrorConfiguration(of: invocation)
    }
  }

  func testAFolderThatWasAMirrorIsNotMadeAnew() async throws {
    let (watch, job) = try (MirrorWatch(configuration, nil), configuration.order.jobs[0])
    let first = await watch.run(job)
    XCTAssertEqual(first.status, .done, first.problem ?? "")
    try FileManager.default.removeItem(atPath: folder)

    let gone = await watch.run(job)
    XCTAssertEqual(gone.status, .failed)
    XCTAssertTrue(watch.isFailure(gone), "its runs become fewer")
    XCTAssertEqual(
      gone.problem,
      """
      '\(folder)' was a mirror and is none any more; mount its disk. If it was removed on purpose, \
      'mirror sync' makes it anew.
      """)
    XCTAssertFalse(isThere(folder))

    try makeFolder(at: folder)
    await assertEqual(watch.run(job).problem, gone.problem, "an empty mount point is there")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])

    let sync = MirrorJob("one", job.settings.invocation, sharing: .init(), metrics: nil)
    let asked = await sync.run(SilentReporter())
    XCTAssertEqual(asked.status, .done, asked.problem ?? "")
    let last = await watch.run(job)
    XCTAssertEqual(last.status, .done, last.problem ?? "")
  }

  func testAMirrorOfEarlierIsKnownFromTheFirstLookOn() async throws {
    let (watch, job) = try (MirrorWatch(configuration, nil), configuration.order.jobs[0])
    let made = try await MirrorWatch(configuration, nil).run(job)
    XCTAssertEqual(made.status, .done, made.problem ?? "")
    try FileManager.default.removeItem(at: catalog)
    let failed = await watch.run(job)
    XCTAssertEqual(failed.status, .failed)
    try FileManager.default.removeItem(atPath: folder)
    try publish()
    await assertEqual(watch.run(job).status, .failed)
    XCTAssertFalse(isThere(folder))
  }
}

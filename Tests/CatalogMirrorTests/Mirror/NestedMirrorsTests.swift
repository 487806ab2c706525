import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// A mirror in the folder of another one.
final class NestedMirrorsTests: RunTestCase {
  private var inner: String { folder + "/sub/inner" }

  func testNoMirrorIsMadeAmongTheFilesOfAnother() async throws {
    try await syncWell(to: [Thing("sub/inner/a", "a"), Thing("b", "b"), Thing("sub/c", "c")])
    for place in ["sub/inner", "sub"] {
      let inner = mirror { $0.folder = self.folder + "/" + place }
      site.forgetLog()
      let ran = await folderCode { try await inner.sync() }
      XCTAssertEqual(ran, .amongFiles(ofMirror: folder), place)
      await assertEqual(folderCode { try await inner.plan() }, ran, place)
      XCTAssertEqual(site.asked, [], "nothing is asked of the source")
    }
    let told = FolderError(.amongFiles(ofMirror: "/srv/pub"), "/srv/pub/x")
    XCTAssertEqual(
      "\(told)",
      """
      /srv/pub/x lies among the files of /srv/pub, another mirror; use a folder elsewhere, or have \
      that mirror leave this place out, and sync it first
      """)
    XCTAssertEqual(MirrorError.folder(told).advice, .leaveOut)
    try await syncWell()
  }

  func testAPlaceWhereTheOtherHasNothingIsAsGoodAsAny() async throws {
    try await syncWell(to: [Thing("sub/c", "c"), Thing("sub/inner-not/d", "d")])
    try await syncWell { ($0.folder, $0.makesParents) = (self.inner, true) }
    XCTAssertEqual(try readText(inner + "/sub/c"), "c")
    try await syncWell()
  }

  func testAMirrorThatCannotBeAskedCountsAsOneWithFilesThere() async throws {
    try await syncWell(to: [Thing("c", "c")])
    let lock = try FolderLock.acquire(in: MirrorFolder.open(path: folder, mode: .existing), now: 0)
    let atWork = await folderCode { try await mirror { $0.folder = self.folder + "/new" }.sync() }
    XCTAssertEqual(atWork, .amongFiles(ofMirror: folder))
    lock.release()
    try await syncWell { $0.folder = self.folder + "/new" }
  }

  func testWhatBelongsIntoAnotherMirrorFailsAtOnceAndIsToldOnce() async throws {
    try await syncWell(to: [Thing("b", "b")])
    try await syncWell { ($0.folder, $0.makesParents) = (self.inner, true) }
    try serve(
      [Thing("b", "b"), Thing("n", "n"), Thing("sub/own", "own")]
        + ["x", "y/z", "b"].map { Thing("sub/inner/" + $0, "theirs") })
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.outcome, .someFailed)
    XCTAssertEqual(plan.fetches.map(\.key), ["n", "sub/own"])
    XCTAssertEqual(
      plan.unusable.compactMap(\.key), ["sub/inner/x", "sub/inner/y/z", "sub/inner/b"])
    let report = try await sync(ending: .someFailed)
    XCTAssertEqual(report.added, 2)
    XCTAssertEqual([report.failed, report.misplaced], [3, 3])
    XCTAssertEqual(report.failures.count, 1, "\(report.failures)")
    XCTAssertEqual(report.failures.first?.sentence, plan.unusable.first?.sentence)
    XCTAssertEqual(site.asked.filter { $0.contains("inner") }, [], "nothing is fetched for nothing")
    XCTAssertEqual(try readText(inner + "/b"), "b")
  }
}

import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

/// Bytes that are here, under another key or in quarantine, aren't fetched.
final class CopiedBytesTests: RunTestCase {
  private let catalogOnly = ["/pub/catalog.ndjson"]
  private let all: @Sendable (inout MirrorOptions) -> Void = { $0.maximumRemoval = .all }

  /// A run of which every event is known.
  private func deeds(
    to things: [Thing], _ change: (inout MirrorOptions) -> Void = { $0.maximumRemoval = .all }
  ) async throws -> Deeds {
    try serve(things)
    site.forgetLog()
    return try await Deeds(of: mirror(change))
  }

  private func texts(_ things: [Thing]) -> [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }) { $1 }
  }

  func testAMovedFolderCostsOneRequest() async throws {
    let names = (0..<20).map { "\($0).txt" }
    try await syncWell(to: names.map { Thing("old/\($0)", "text of \($0)") })
    let moved = names.map { Thing("new/deep/\($0)", "text of \($0)") }
    let deeds = try await deeds(to: moved)
    XCTAssertEqual(deeds.report.outcome, .done)
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(try tree(), texts(moved))
    XCTAssertEqual(
      deeds.copied["new/deep/3.txt"], CopySource(key: "old/3.txt", place: .content))
    XCTAssertEqual(deeds.copied.count, 20)
    let report = deeds.report
    XCTAssertEqual([report.added, report.removed, report.copied], [20, 20, 20])
    XCTAssertEqual(report.bytes, 0, "none came")
    XCTAssertEqual(report.copiedBytes, moved.reduce(0) { $0 + Int64($1.text.utf8.count) })
    let run = try await mirror().status().runs.first
    XCTAssertEqual(run?.copied, 20)
    XCTAssertEqual(run?.copiedBytes, report.copiedBytes)
    XCTAssertEqual(run?.bytes, 0)
    try await assertIndexIsTrue()
  }

  /// Two keys of one file would be edited as one.
  func testACopyIsAFileOfItsOwn() async throws {
    try await syncWell(to: [Thing("a", "same")])
    let deeds = try await deeds(to: [Thing("a", "same"), Thing("b", "same"), Thing("c", "same")])
    XCTAssertEqual(Set(deeds.copied.keys), ["b", "c"])
    XCTAssertEqual(site.asked, catalogOnly)
    let links = try ["a", "b", "c"].map {
      try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")[.referenceCount] as? Int
    }
    XCTAssertEqual(links, [1, 1, 1])
    try rot("a", "SAME")
    XCTAssertEqual(try tree(), ["a": "SAME", "b": "same", "c": "same"])
  }

  func testWhatWasEditedUnseenIsNotTakenForWhatItWas() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    try rot("a", "ALPHA")
    let things = [Thing("a", "alpha"), Thing("b", "beta"), Thing("c", "alpha")]
    let deeds = try await deeds(to: things) { $0.trustsIndex = true }
    XCTAssertEqual(site.asked, catalogOnly + ["/pub/c"])
    XCTAssertEqual(deeds.copied, [:])
    XCTAssertEqual(deeds.report.copied, 0)
    XCTAssertEqual(deeds.report.bytes, 5)
    XCTAssertEqual(try tree(), ["a": "ALPHA", "b": "beta", "c": "alpha"], "the edit stays")
    XCTAssertEqual(try inside("staging"), [:])
  }

  func testWhatVanishedOrIsNoFileAnyMoreIsFetched() async throws {
    let held = [Thing("a", "alpha"), Thing("b", "beta"), Thing("c", "gamma")]
    try await syncWell(to: held)
    try remove("a")
    try remove("b")
    try makeFolder(at: folder + "/b")
    try remove("c")
    try put("gamma", at: base + "/outside")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/c", withDestinationPath: base + "/outside")
    try serve(held + [Thing("x", "alpha"), Thing("y", "beta"), Thing("z", "gamma")])
    let report = try await syncWell { $0.trustsIndex = true }
    XCTAssertEqual(site.asked.sorted(), catalogOnly + ["/pub/x", "/pub/y", "/pub/z"])
    XCTAssertEqual(report.copied, 0)
  }

  func testWhatComesBackIsCopiedFromQuarantineUntilThatIsEmptied() async throws {
    let (kept, gone) = (Thing("a", "alpha"), Thing("b/c", "beta"))
    try await syncWell(to: [kept, gone])
    try await syncWell(to: [kept])
    XCTAssertEqual(try movedAway(to: "quarantine"), ["b/c": "beta"])
    try serve([kept, Thing("new", "beta")])
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.copies.map(\.content?.description), ["b/c in quarantine"])
    let back = try await deeds(to: [kept, Thing("new", "beta")])
    XCTAssertEqual(back.copied, ["new": CopySource(key: "b/c", place: .quarantine)])
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["b/c": "beta"], "it stays there")
    // Somebody empties it, and the index doesn't know.
    try await syncWell(to: [kept])
    try FileManager.default.removeItem(atPath: folder + "/.mirror/quarantine")
    let fetched = try await deeds(to: [kept, gone])
    XCTAssertEqual(fetched.copied, [:])
    XCTAssertEqual(site.asked, catalogOnly + ["/pub/b/c"])
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "beta"])
    try await assertIndexIsTrue()
  }

  func testAnEmptyFileIsMadeWithoutARequest() async throws {
    let things = [
      Thing("empty", "") { $0.modified = "2024-05-01T00:00:00Z" },
      Thing("unsized", "") { $0.hasSize = false },
    ]
    try serve(things)
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.empties.map(\.key), ["empty", "unsized"])
    XCTAssertEqual(plan.fetches, [], "nothing has to come")
    let report = try await syncWell(to: things)
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(try tree(), ["empty": "", "unsized": ""])
    XCTAssertEqual([report.added, report.copied], [2, 0])
    let date = try FileManager.default.attributesOfItem(atPath: folder + "/empty")[
      .modificationDate]
    XCTAssertEqual((date as? Date)?.timeIntervalSince1970, 1_714_521_600)
    // Without a digest, only the server can tell.
    try await syncWell(to: things + [Thing("told", "") { $0.hasDigest = false }])
    XCTAssertEqual(site.asked, catalogOnly + ["/pub/told"])
  }

  /// A catalog that gives two sizes for one digest lies in one of them.
  func testAnotherSizeIsNotCopied() async throws {
    try await syncWell(to: [Thing("a", "alpha")])
    try serve([Thing("a", "alpha"), Thing("b", "alpha")])
    let lie =
      try catalog([Thing("a", "alpha")])
      + Thing("b", "alpha").line().replacing("\"size\":5", with: "\"size\":4") + "\n"
    try serveCatalog(lie)
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.fetches.map(\.key), ["b"])
    let report = try await sync(ending: .someFailed)
    XCTAssertEqual(report.copied, 0)
    XCTAssertEqual(try tree(), ["a": "alpha"])
    XCTAssert(site.asked.contains("/pub/b"))
  }

  /// None of the two has its new bytes yet when the other one's are copied from it.
  func testTwoFilesChangePlaces() async throws {
    try await syncWell(to: [Thing("a", "one"), Thing("b", "two"), Thing("c", "three")])
    let things = [Thing("a", "two"), Thing("b", "one"), Thing("c", "three")]
    let deeds = try await deeds(to: things)
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(deeds.copied.mapValues(\.key), ["a": "b", "b": "a"])
    XCTAssertEqual(deeds.report.updated, 2)
    XCTAssertEqual(try tree(), texts(things))
    try await assertIndexIsTrue()
  }

  func testAFileBecomesADirectoryWithItself() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    let things = [Thing("a/b", "alpha"), Thing("b", "beta")]
    let deeds = try await deeds(to: things)
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(deeds.report.failures, [])
    XCTAssertEqual(try tree(), texts(things))
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "alpha"])
  }

  func testADamagedFileIsMadeOfItsTwin() async throws {
    let things = [Thing("a", "alpha"), Thing("b", "alpha")]
    try await syncWell(to: things)
    try place("edited", at: "a")
    let deeds = try await deeds(to: things)
    XCTAssertEqual(deeds.copied, ["a": CopySource(key: "b", place: .content)])
    XCTAssertEqual(deeds.reasons, ["a": "damaged"])
    XCTAssertEqual(try tree(), texts(things))
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
  }

  func testAPlanSaysFromWhatEachIsCopied() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    try place("edited", at: "b")
    try serve([Thing("c", "alpha"), Thing("d", "beta"), Thing("e", "epsilon")])
    let plan = try await mirror(all).plan()
    XCTAssertEqual(plan.copies.map(\.item.key), ["c"])
    XCTAssertEqual(plan.copies.map(\.content), [CopySource(key: "a", place: .content)])
    XCTAssertEqual(plan.copies.map(\.bytes), [0])
    XCTAssertEqual(plan.fetches.map(\.key), ["d", "e"], "what the look found edited isn't there")
    XCTAssertEqual(plan.bytes, 11)
    try await syncWell(all)
    XCTAssertEqual(site.asked.sorted(), catalogOnly + ["/pub/d", "/pub/e"])
  }

  func testAFileKeepsTheDateThatTheCatalogGivesOrElseItsOwn() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    let old = Date(timeIntervalSince1970: 1_600_000_000)
    for name in ["a", "b"] { try setDate(old, of: "\(folder)/\(name)") }
    try await syncWell(
      to: [Thing("c", "alpha"), Thing("d", "beta") { $0.modified = "2024-05-01T00:00:00Z" }], all)
    XCTAssertEqual(site.asked, catalogOnly)
    let dates = try ["c", "d"].map {
      try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")[.modificationDate]
        as? Date
    }
    XCTAssertEqual(dates.map { $0?.timeIntervalSince1970 }, [1_600_000_000, 1_714_521_600])
  }
}

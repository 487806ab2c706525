import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

/// By which means bytes come where there are several, and what is held already.
final class CopiedOrProvenTests: RunTestCase {
  private let catalogOnly = ["/pub/catalog.ndjson"]

  private func deeds(
    to things: [Thing], _ change: (inout MirrorOptions) -> Void = { $0.maximumRemoval = .all }
  ) async throws -> Deeds {
    try serve(things)
    site.forgetLog()
    return try await Deeds(of: mirror(change))
  }

  private func inode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.systemFileNumber] as? Int
  }

  private let bare = ["a", "b"].map { key in
    Thing(key, "text of \(key)") {
      $0.version = "1"
      $0.hasDigest = false
      $0.modified = "2024-05-01T00:00:00Z"
    }
  }
  private let proven = ["a", "b"].map { key in
    // With a date of whole seconds, which an edit can be given again.
    Thing(key, "text of \(key)") { $0.modified = "2024-05-01T00:00:00Z" }
  }

  /// A catalog that gives digests where it gave none changes no file.
  func testWhatIsHeldUnderADigestThatIsNewToTheCatalogIsReadAndConfirmed() async throws {
    try await syncWell(to: bare)
    let before = try inode("a")
    try serve(proven)
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.fetches.map(\.key) + plan.copies.map(\.item.key) + plan.adoptions, [])
    let deeds = try await deeds(to: proven + [Thing("c", "text of a")])
    XCTAssertEqual(site.asked, catalogOnly)
    XCTAssertEqual(deeds.confirmed, ["a", "b"])
    XCTAssertEqual(deeds.copied, ["c": CopySource(key: "a", place: .content)])
    XCTAssertEqual(deeds.report.confirmed, 2)
    XCTAssertEqual([deeds.report.updated, deeds.report.copied, deeds.report.equal], [0, 1, 0])
    XCTAssertEqual(try inode("a"), before, "the file stays")
    try await assertIndexIsTrue()
    let again = try await self.deeds(to: proven + [Thing("c", "text of a")])
    XCTAssertEqual(again.confirmed, [])
    XCTAssertEqual(again.fetched, [])
  }

  func testWhatWasEditedUnseenIsNotConfirmedUnderANewDigest() async throws {
    try await syncWell(to: bare)
    try rot("a", "TEXT OF A")
    let deeds = try await deeds(to: proven) { $0.trustsIndex = true }
    XCTAssertEqual(site.asked, catalogOnly + ["/pub/a"])
    XCTAssertEqual(deeds.confirmed, ["b"])
    XCTAssertEqual(deeds.copied, [:])
    XCTAssertEqual(try tree()["b"], "text of b")
  }

  /// Each is copied before its own bytes go, though large files are placed at once.
  func testLargeFilesMoveOnByOneName() async throws {
    let logs = (0..<3).map { String(repeating: "line \($0)\n", count: 1_300_000) }
    XCTAssertGreaterThan(logs[0].utf8.count, Int(BatchLimits.large))
    try await syncWell(to: [Thing("log.1", logs[1]), Thing("log.2", logs[2])])
    let shifted = logs.enumerated().map { Thing("log.\($0 + 1)", $1) }
    try serve(shifted)
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.copies.map(\.item.key), ["log.3", "log.2"])
    let deeds = try await deeds(to: shifted) { $0.concurrency = 1 }
    XCTAssertEqual(site.asked, catalogOnly + ["/pub/log.1"])
    XCTAssertEqual(deeds.copied.mapValues(\.key), ["log.2": "log.1", "log.3": "log.2"])
    XCTAssertEqual(
      try tree() == Dictionary(shifted.map { ($0.key, $0.text) }) { $1 }, true, "other bytes")
  }

  /// The server tells which of the two digests is wrong.
  func testAnEmptyFileIsHeldAgainstAllItsDigests() async throws {
    let (nothing, other) = ([UInt8](), Array("other".utf8))
    for (bytes, outcome) in [(nothing, MirrorReport.Outcome.done), (other, .someFailed)] {
      try? FileManager.default.removeItem(atPath: folder)
      let sha512 = try XCTUnwrap(ContentDigest(.sha512, of: bytes))
      let hash = sha512.description.dropFirst("sha512 ".count)
      try serveMetalink(
        """
        <hash type="sha-256">\(SHA256Digest(of: nothing))</hash>
        <hash type="sha-512">\(hash)</hash>
        """)
      let report = try await sync(ending: outcome)
      XCTAssertEqual(site.asked.contains("/pub/a"), outcome == .someFailed)
      XCTAssertEqual(try tree(), outcome == .done ? ["a": ""] : [:])
      XCTAssertEqual(
        report.failures.map(\.sentence).joined().contains("SHA-512"), outcome == .someFailed)
      XCTAssertEqual(try inside("staging"), [:])
    }
  }

  private func serveMetalink(_ hashes: String) throws {
    site.clear()
    try site.answer(
      Self.catalogURL,
      .text(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <metalink xmlns="urn:ietf:params:xml:ns:metalink">
        <file name="a"><size>0</size>\(hashes)<url>\(Self.root)a</url></file>
        </metalink>
        """, ("Content-Type", "application/metalink4+xml")))
    try site.answer(Self.root + "a", .text(""))
    site.forgetLog()
  }

  /// The same bytes came under another key meanwhile. A part from an address that is another one by
  /// now is of no use.
  func testAPartIsGoneOnWithBeforeACopyIsMade() async throws {
    let (whole, kept) = (Self.longText(), 1_500_000)
    for (address, asks) in [("a", ["bytes=\(kept)-"]), ("moved/a", [])] {
      try? FileManager.default.removeItem(atPath: folder)
      for (url, cuts) in [("a", [kept]), (address, [])] {
        try serve([Thing("a", whole) { $0.urls = [url] }, Thing("b", whole)])
        PartedFile(Self.root + url, whole, cuts: cuts, validators: [("ETag", "\"1\"")])
          .place(on: site)
        let report = try await sync { $0.concurrency = 1 }
        guard cuts.isEmpty else {
          XCTAssertEqual(report.failures.map(\.key), ["a"])
          continue
        }
        XCTAssertEqual(report.failures, [])
        XCTAssertEqual(ranges(), asks)
        XCTAssertEqual(report.copied, asks.isEmpty ? 1 : 0)
        XCTAssertEqual(report.bytes, asks.isEmpty ? 0 : Int64(whole.utf8.count - kept))
        XCTAssertEqual(try tree()["a"] == whole, true, "other bytes")
      }
    }
  }
}

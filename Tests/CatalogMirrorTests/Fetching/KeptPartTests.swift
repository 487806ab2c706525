import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// What one run was cut in, the next one goes on with: only in the same version, and only with
/// bytes that were on the disk.
final class KeptPartTests: RunTestCase {
  private static let whole = longText()
  private static let kept = 1_500_000
  private var url: String { Self.root + "a" }

  private func serveItem(
    _ text: String = whole, cuts: [Int] = [], etag: String = "\"1\"",
    _ change: (inout Thing) -> Void = { _ in }
  ) throws {
    try serve([
      Thing("a", text) {
        $0.version = "1"; change(&$0)
      }
    ])
    PartedFile(url, text, cuts: cuts, validators: [("ETag", etag)]).place(on: site)
  }

  /// A first run that keeps a part.
  private func keepPart(_ change: (inout Thing) -> Void = { _ in }) async throws {
    try? FileManager.default.removeItem(atPath: folder)
    try serveItem(cuts: [Self.kept], change)
    try await sync(ending: .someFailed)
    XCTAssertEqual(try staged().count, 2, "the part and its record")
    XCTAssertEqual(try tree(), [:])
  }

  private func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror/staging")
  }

  private func stagedPath(isRecord: Bool) throws -> String {
    let name = try staged().first { $0.hasPrefix("resume-") == isRecord }
    return try XCTUnwrap(name.map { "\(folder)/.mirror/staging/\($0)" })
  }

  /// A run that ends well, with the whole in place, after these requests.
  private func assertNextRun(
    asksFor wanted: [String?], receives bytes: Int, text: String = whole, line: UInt = #line
  ) async throws {
    let report = try await syncWell(line: line)
    XCTAssertEqual(ranges(), wanted, line: line)
    XCTAssertEqual(try tree() == ["a": text], true, "other bytes", line: line)
    XCTAssertEqual(report.bytes, Int64(bytes), line: line)
    try await assertIndexIsTrue(line: line)
  }

  private var rest: Int { Self.whole.utf8.count - Self.kept }

  func testTheNextRunGoesOnWhereTheLastOneWasCut() async throws {
    for hasDigest in [true, false] {
      try await keepPart { $0.hasDigest = hasDigest }
      try await assertNextRun(asksFor: ["bytes=\(Self.kept)-"], receives: rest)
    }
  }

  func testARunOfPreviewsOnlyLeavesThePartsOfContentsAlone() async throws {
    // With its preview held, the item is known to the next run, and its content isn't wanted.
    let pictured: (inout Thing) -> Void = { $0.preview = .init(url: "p/a.txt", text: "small") }
    try? FileManager.default.removeItem(atPath: folder)
    try serveItem(cuts: [Self.kept], pictured)
    let first = try await sync { $0.previews = .also }
    XCTAssertEqual([first.previews, first.failures.count], [1, 1])
    try serveItem(cuts: [], pictured)
    try await syncWell { $0.previews = .only }
    XCTAssertEqual(try staged().count, 2, "the part and its record")
    try await assertEqual(syncWell { $0.previews = .also }.bytes, Int64(rest))
    XCTAssertEqual(try tree() == ["a": Self.whole], true, "other bytes")
  }

  func testWithoutSizeOrDigestItGoesOnToo() async throws {
    let bare: (inout Thing) -> Void = {
      $0.hasSize = false
      $0.hasDigest = false
    }
    try await keepPart(bare)
    try await assertNextRun(asksFor: ["bytes=\(Self.kept)-"], receives: rest)
  }

  func testACancelledRunKeepsWhatItHad() async throws {
    for hasDigest in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      try serveItem { $0.hasDigest = hasDigest }
      let (held, cancels) = (Gate(), Gate())
      var answer = Site.Answer.text(Self.whole, ("ETag", "\"1\""))
      (answer.pieceSize, answer.bodyGate) = (Self.kept, held)
      site.onRequest(nil)
      try site.answer(url, answer)
      let mirror = mirror()
      async let run = Self.cancelling(mirror, at: cancels)
      try await held.arrivals(atLeast: 1)
      cancels.open()
      assertEnds(try await run, .cancelled)
      try serveItem { $0.hasDigest = hasDigest }
      try await assertNextRun(asksFor: ["bytes=\(Self.kept)-"], receives: rest)
    }
  }

  func testProgressTellsWhatIsLeftToCome() async throws {
    try await keepPart()
    let mirror = mirror()
    _ = try await mirror.sync()
    XCTAssertEqual(mirror.progress.bytesDone, Int64(rest))
    XCTAssertEqual(mirror.progress.bytesTotal, Int64(rest))
  }

  func testASmallPartIsNotKept() async throws {
    try serveItem(cuts: [1000])
    try await sync(ending: .someFailed)
    XCTAssertEqual(try staged(), [])
  }

  func testWhatAnotherRunDoesNotAddToStaysAsItIs() async throws {
    try await keepPart()
    try serveItem(cuts: [0])
    try await sync(ending: .someFailed)
    try serveItem()
    try await assertNextRun(asksFor: ["bytes=\(Self.kept)-"], receives: rest)
  }

  func testPartsOfTwoVersionsAreNeverJoined() async throws {
    let other = Self.longText("TEXT")
    XCTAssertEqual(other.utf8.count, Self.whole.utf8.count)
    let changes: [(inout Thing) -> Void] = [{ $0.version = "2" }, { _ in }]
    for (number, change) in changes.enumerated() {
      let hasDigest = number == 1
      try await keepPart { $0.hasDigest = hasDigest }
      // Under the same tag: only the catalog tells.
      try serveItem(other) {
        $0.hasDigest = hasDigest
        change(&$0)
      }
      try await assertNextRun(asksFor: [nil], receives: other.utf8.count, text: other)
    }
  }

  func testAChangeThatOnlyTheServerKnowsOfIsNeverJoined() async throws {
    try await keepPart { $0.hasDigest = false }
    let other = Self.longText("TEXT")
    try serveItem(other, etag: "\"2\"") { $0.hasDigest = false }
    try await assertNextRun(
      asksFor: ["bytes=\(Self.kept)-"], receives: other.utf8.count, text: other)
  }

  func testAPartWithOtherBytesIsFetchedWholeOnce() async throws {
    try await keepPart()
    let part = try stagedPath(isRecord: false)
    try Data(repeating: 0, count: Self.kept).write(to: URL(fileURLWithPath: part))
    try await assertNextRun(
      asksFor: ["bytes=\(Self.kept)-", nil], receives: Self.whole.utf8.count)
  }

  func testWithADigestWhatGrewAfterTheRecordCounts() async throws {
    try await keepPart()
    let part = try stagedPath(isRecord: false)
    try Data(Self.whole.utf8.prefix(1_600_000)).write(to: URL(fileURLWithPath: part))
    try await assertNextRun(asksFor: ["bytes=1600000-"], receives: rest - 100_000)
  }

  func testWithoutADigestOnlyWhatWasFlushedCounts() async throws {
    try await keepPart { $0.hasDigest = false }
    let part = try stagedPath(isRecord: false)
    let garbage = Array(Self.whole.utf8.prefix(Self.kept)) + Array(repeating: 0, count: 5000)
    try Data(garbage).write(to: URL(fileURLWithPath: part))
    try await assertNextRun(asksFor: ["bytes=\(Self.kept)-"], receives: rest)
  }

  func testAPartShorterThanItsRecordSaysIsNotUsed() async throws {
    try await keepPart { $0.hasDigest = false }
    let part = try stagedPath(isRecord: false)
    try Data(Self.whole.utf8.prefix(Self.kept - 1)).write(to: URL(fileURLWithPath: part))
    try await assertNextRun(asksFor: [nil], receives: Self.whole.utf8.count)
  }

  func testAnotherFileUnderThePartsNameIsNotTakenForIt() async throws {
    try await keepPart { $0.hasDigest = false }
    let part = try stagedPath(isRecord: false)
    try put(Self.longText("TEXT"), at: base + "/other")
    try FileManager.default.removeItem(atPath: part)
    try FileManager.default.moveItem(atPath: base + "/other", toPath: part)
    try await assertNextRun(asksFor: [nil], receives: Self.whole.utf8.count)
  }

  func testOfAPartThatIsWholeTheLastByteIsAskedFor() async throws {
    try await keepPart()
    let part = try stagedPath(isRecord: false)
    try Data(Self.whole.utf8).write(to: URL(fileURLWithPath: part))
    try await assertNextRun(asksFor: ["bytes=\(Self.whole.utf8.count - 1)-"], receives: 1)
  }

  func testARecordThatIsTornMissingOrForgedIsNotBelieved() async throws {
    let outside = base + "/outside"
    try put("canary", at: outside)
    let damages: [(String) throws -> Void] = [
      { try FileManager.default.removeItem(atPath: $0) },
      { try Data().write(to: URL(fileURLWithPath: $0)) },
      { try Data("{}".utf8).write(to: URL(fileURLWithPath: $0)) },
      { try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: $0)) },
      { path in
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
      },
      { path in
        try FileManager.default.removeItem(atPath: path)
        try makeLink(at: path, to: outside)
      },
      { try self.forge($0) { $0.file = "../../../outside" } },
      { path in try self.forge(path) { $0.file = (path as NSString).lastPathComponent } },
      { try self.forge($0) { $0.file = Staging.swapPrefix + "x" } },
      { try self.forge($0) { $0.flushed = -1 } },
      { try self.forge($0) { $0.validator = "\"1\"\r\nX: y" } },
      { try self.forge($0) { $0.savedAt = .nan } },
      { try self.forge($0) { $0.locator = "" } },
    ]
    for (number, damage) in damages.enumerated() {
      try await keepPart { $0.hasDigest = false }
      try damage(try stagedPath(isRecord: true))
      try await assertNextRun(asksFor: [nil], receives: Self.whole.utf8.count)
      XCTAssertEqual(try readText(outside), "canary", "\(number)")
    }
  }

  func testALinkInPlaceOfThePartIsNotFollowed() async throws {
    try put(Self.whole, at: base + "/outside")
    try await keepPart { $0.hasDigest = false }
    let part = try stagedPath(isRecord: false)
    try FileManager.default.removeItem(atPath: part)
    try makeLink(at: part, to: base + "/outside")
    try await assertNextRun(asksFor: [nil], receives: Self.whole.utf8.count)
    XCTAssertEqual(try readText(base + "/outside"), Self.whole)
  }

  func testAPartExpiresAfterAWeekOrWithItsItem() async throws {
    try await keepPart()
    now.withLock { $0 += 8 * 86_400 }
    try await assertNextRun(asksFor: [nil], receives: Self.whole.utf8.count)
    try await keepPart()
    try await syncWell(to: [Thing("b", "beta")])
    XCTAssertEqual(try staged(), [])
  }

  func testAPartialListingLetsNoPartGo() async throws {
    try await keepPart()
    try await syncWell(to: [Thing("b", "beta")], isComplete: false)
    try serveItem()
    let report = try await syncWell { $0.maximumRemoval = .all }
    XCTAssertEqual(ranges(), ["bytes=\(Self.kept)-"])
    XCTAssertEqual(report.removed, 1)
  }

  func testAnotherLocatorStartsOver() async throws {
    let other = "https://two.test/a"
    try await keepPart { $0.hasDigest = false }
    try serve([
      Thing("a", Self.whole) {
        $0.version = "1"
        $0.hasDigest = false
        $0.urls = [other]
      }
    ])
    PartedFile(other, Self.whole).place(on: site)
    try await syncWell()
    XCTAssertEqual(site.log.last?.headers["Range"], nil)
    XCTAssertEqual(try staged(), [])
  }

  private func forge(_ path: String, _ change: (inout PartialRecord) -> Void) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var record = try XCTUnwrap(PartialRecord(bytes))
    change(&record)
    try Data(record.encoded() ?? []).write(to: URL(fileURLWithPath: path))
  }
}

import Foundation
import SyncText
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// A disk that is full, or fills up (F15): small file systems in memory.
final class FullDiskTests: RunTestCase {
  /// Without sizes, so that nothing can be checked ahead.
  private let unsized = (0..<12).map { number in
    Thing("d\(number % 3)/\(number)", String(repeating: "\(number) ", count: 900 * (number + 1))) {
      $0.hasSize = false
    }
  }

  private func texts(_ things: [Thing]) -> [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }) { $1 }
  }

  override func setUpWithError() throws {
    try super.setUpWithError()
    try makeFolder(at: folder)
  }

  /// A run on a disk that is too small: how it failed, in one sentence; `nil` when it didn't.
  private func failure(line: UInt = #line) async throws -> String? {
    do {
      let report = try await sync()
      if report.outcome == .done { return nil }
      XCTAssertEqual(report.outcome, .failed, "\(report.failures)", line: line)
      XCTAssertEqual(report.failures.map(\.key), [nil], "\(report.failures)", line: line)
      return report.failures.first?.sentence
    } catch let error as MirrorError {
      return error.description
    }
  }

  func testWhatDoesNotFitIsNotBegun() async throws {
    try await withMount(at: folder, options: "size=2m") {
      let things = (0..<30).map { Thing("\($0)", String(repeating: "x", count: 100_000)) }
      try serve(things)
      let sentence = try await failure()
      let needed = ByteAmount.text(30 * 102_400 + (1 << 20))
      XCTAssert(sentence?.contains("\(needed) are needed") ?? false, "\(sentence ?? "")")
      XCTAssert(sentence?.contains("are free; nothing was fetched") ?? false)
      XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
      XCTAssertEqual(try tree(), [:])
      try remount(folder, options: "size=8m")
      try await syncWell()
      XCTAssertEqual(try tree(), texts(things))
    }
  }

  func testAnItemThatIsLargerThanTheDiskFailsAlone() async throws {
    try await withMount(at: folder, options: "size=2m") {
      let report = try await sync(
        to: [Thing("large", String(repeating: "x", count: 3 << 20)), Thing("small", "small")],
        ending: .someFailed)
      XCTAssertEqual(report.failures.map(\.key), ["large"])
      XCTAssert(report.failures[0].sentence.contains("larger than the disk"))
      XCTAssertEqual(try tree(), ["small": "small"])
      XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/small"])
    }
  }

  /// It named the staged file, `.mirror/staging/` and a number, which nobody knows.
  func testWhereTheDiskIsFullIsToldByTheItemsName() async throws {
    try await withMount(at: folder, options: "size=2m") {
      try serve([
        Thing("pictures/large", String(repeating: "x", count: 4 << 20)) { $0.hasSize = false }
      ])
      let sentence = try await failure() ?? ""
      XCTAssert(sentence.hasPrefix("no space is left for pictures/large; free some"), sentence)
    }
  }

  func testWhatIsNeededIsThePeakInWholeBlocks() {
    let margin = SpaceNeed.margin
    var need = SpaceNeed(capacity: 1 << 30)
    XCTAssertEqual(need.bytes, 0)
    need.add(nil, replacing: 10)
    need.add(1 << 31, replacing: nil)
    XCTAssertEqual(need.bytes, 0, "what isn't known, or can't be, isn't counted")
    need.add(1, replacing: nil)
    XCTAssertEqual(need.bytes, 4_096 + margin)
    need.add(4_097, replacing: 8_192)
    need.add(8_192, replacing: nil)
    XCTAssertEqual(need.bytes, 12_288 + margin, "the old file's room is free for the next")
    need.add(1 << 20, replacing: 1 << 20)
    XCTAssertEqual(need.bytes, 12_288 + (1 << 20) + margin)
    var largest = SpaceNeed()
    for _ in 0..<3 { largest.add(.max, replacing: nil) }
    XCTAssertEqual(largest.bytes, .max)
  }

  func testWhatIsThereAlreadyNeedsNoRoom() async throws {
    let things = (0..<10).map { Thing("\($0)", String(repeating: "\($0)", count: 200_000)) }
    try await withMount(at: folder, options: "size=4m") {
      for thing in things { try place(thing.text, at: thing.key) }
      try await assertEqual(syncWell(to: things).adopted, 10)
    }
  }

  func testTheRoomOfWhatIsReplacedCounts() async throws {
    let old = (0..<10).map { Thing("\($0)", String(repeating: "\($0)", count: 200_000)) }
    let new = old.map { Thing($0.key, "n" + $0.text) }
    try await withMount(at: folder, options: "size=5m") {
      try await syncWell(to: old)
      try serve(new)
      // Each is placed before the next comes, so that one file's room is enough.
      try await syncWell { $0.durability = .file }
      XCTAssertEqual(try tree(), texts(new))
    }
  }

  func testAReadOnlyFolderIsOneClearError() async throws {
    try await withMount(at: folder, options: "size=8m") {
      try await syncWell(to: [unsized[0]])
      try remount(folder, options: "ro")
      try serve(unsized)
      let sentence = try await failure()
      XCTAssert(sentence?.contains("read-only") ?? false, "\(sentence ?? "")")
      XCTAssertEqual(try tree().count, 1)
    }
  }

  func testAFolderWhoseContentIsRemovedDuringTheRunEndsItOnce() async throws {
    let folder = folder
    try serve(unsized)
    site.onRequest { _, number in
      guard number == 4 else { return }
      try FileManager.default.removeItem(atPath: folder)
    }
    let report = try await sync(ending: .failed) { $0.concurrency = 1 }
    XCTAssertEqual(report.failures.map(\.key), [nil])
    XCTAssert(report.failures[0].sentence.contains("vanished"), "\(report.failures)")
    XCTAssertEqual(site.asked.count, 4, "nothing more is asked for")
    site.onRequest(nil)
    try await syncWell()
  }

  func testWhatIsUnderWayIsCutWhenTheRunEnds() async throws {
    let folder = folder
    try serve([unsized[0], unsized[1]])
    let hangs = Gate()
    site.onRequest { _, number in
      switch number {
      case 2:
        hangs.open()
        try await Gate().wait()
      case 3:
        try await hangs.wait()
        try FileManager.default.removeItem(atPath: folder)
      default: break
      }
    }
    try await assertEqual(sync(ending: .failed) { $0.concurrency = 2 }.failures.map(\.key), [nil])
  }
}

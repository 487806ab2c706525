import TestSupport
import Foundation
import SyncText
import SynchronizerTesting
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
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
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

  /// Whatever lies in the tree is whole.
  private func assertTreeIsWhole(_ things: [Thing], _ name: String, line: UInt = #line) throws {
    let whole = texts(things)
    for (key, text) in try tree() {
      XCTAssert(whole[key] == text, "\(name): \(key) is torn", line: line)
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
      try serve([Thing("large", String(repeating: "x", count: 3 << 20)), Thing("small", "small")])
      let report = try await sync()
      XCTAssertEqual(report.outcome, .someFailed)
      XCTAssertEqual(report.failures.map(\.key), ["large"])
      XCTAssert(report.failures[0].sentence.contains("larger than the disk"))
      XCTAssertEqual(try tree(), ["small": "small"])
      XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/small"])
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
      try serve(things)
      let report = try await syncWell()
      XCTAssertEqual(report.adopted, 10)
    }
  }

  func testTheRoomOfWhatIsReplacedCounts() async throws {
    let old = (0..<10).map { Thing("\($0)", String(repeating: "\($0)", count: 200_000)) }
    let new = old.map { Thing($0.key, "n" + $0.text) }
    try await withMount(at: folder, options: "size=5m") {
      try serve(old)
      try await syncWell()
      try serve(new)
      // Each is placed before the next comes, so that one file's room is enough.
      try await syncWell { $0.durability = .file }
      XCTAssertEqual(try tree(), texts(new))
    }
  }

  func testF15_aDiskThatFillsUpEndsTheRunOnceAndTheNextGoesOn() async throws {
    var kilobytes = 4
    var failures = 0
    while true {
      var isDone = false
      try await withMount(at: folder, options: "size=\(kilobytes)k") {
        try serve(unsized)
        let sentence = try await failure()
        try assertTreeIsWhole(unsized, "\(kilobytes) KiB")
        if let sentence {
          failures += 1
          XCTAssert(sentence.contains("no space is left"), "\(kilobytes) KiB: \(sentence)")
        }
        isDone = sentence == nil
        try remount(folder, options: "size=8m")
        let kept = try tree().count
        let report = try await syncWell()
        XCTAssertEqual(report.added + report.adopted + kept >= unsized.count, true)
        XCTAssertEqual(try tree(), texts(unsized))
        try await assertIndexIsTrue()
      }
      if isDone { break }
      kilobytes += 4
    }
    XCTAssertGreaterThan(failures, 50)
  }

  func testF15_aDiskWithoutInodesEndsTheRunOnceAndTheNextGoesOn() async throws {
    var inodes = 2
    while true {
      var isDone = false
      try await withMount(at: folder, options: "size=8m,nr_inodes=\(inodes)") {
        try serve(unsized)
        let sentence = try await failure()
        try assertTreeIsWhole(unsized, "\(inodes) inodes")
        if let sentence {
          XCTAssert(sentence.contains("no space is left"), "\(inodes): \(sentence)")
        }
        isDone = sentence == nil
        try remount(folder, options: "nr_inodes=1000")
        try await syncWell()
        XCTAssertEqual(try tree(), texts(unsized))
        try await assertIndexIsTrue()
      }
      if isDone { break }
      inodes += 1
    }
    XCTAssertGreaterThan(inodes, 15)
  }

  func testF15_anUpdateThatFillsTheDiskKeepsOldOrNewAndRemovesNothing() async throws {
    let new = unsized.dropFirst(2).map { thing in
      Thing(thing.key, "new " + thing.text + thing.text) { $0.hasSize = false }
    }
    for kilobytes in stride(from: 8, to: 600, by: 24) {
      try await withMount(at: folder, options: "size=8m") {
        try serve(unsized)
        try await syncWell()
        let used = try used(folder)
        try remount(folder, options: "size=\(used + kilobytes)k")
        try serve(new)
        let sentence = try await failure()
        for (key, text) in try tree() {
          XCTAssert(texts(unsized)[key] == text || texts(new)[key] == text, "\(key) is torn")
        }
        if sentence != nil { XCTAssertEqual(try tree().count, 12, "nothing was removed") }
        try remount(folder, options: "size=8m")
        try await syncWell()
        XCTAssertEqual(try tree(), texts(new))
        try await assertIndexIsTrue()
      }
    }
  }

  func testAReadOnlyFolderIsOneClearError() async throws {
    try await withMount(at: folder, options: "size=8m") {
      try serve([unsized[0]])
      try await syncWell()
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
    let report = try await sync { $0.concurrency = 1 }
    XCTAssertEqual(report.outcome, .failed)
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
    let report = try await sync { $0.concurrency = 2 }
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(report.failures.map(\.key), [nil])
  }

  private func used(_ place: String) throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: place)
    let size = try XCTUnwrap(facts[.systemSize] as? NSNumber).intValue
    let free = try XCTUnwrap(facts[.systemFreeSize] as? NSNumber).intValue
    return (size - free) / 1_024
  }
}

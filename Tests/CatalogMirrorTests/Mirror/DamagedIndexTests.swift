import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// An index that was damaged between two runs, or turns out to be during one (F18).
final class DamagedIndexTests: RunTestCase {
  private let things = (0..<60).map { Thing("d/\($0)", "text \($0)") }
  private var index: String { folder + "/.mirror/index.sqlite" }

  /// A mirror with a foreign file, whose index nobody has open.
  private func fill() async throws {
    try await syncWell(to: things, etag: "\"1\"")
    try place("mine", at: "foreign")
  }

  private var whole: [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }) { $1 }.merging(["foreign": "mine"]) { $1 }
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: index)) }

  private func damage(_ change: (inout Data) -> Void) throws -> Data {
    var data = try bytes()
    change(&data)
    try data.write(to: URL(filePath: index))
    return data
  }

  /// Overwrites the page on which a table begins: nobody notices before it is read.
  private func damageTable(_ name: String) throws {
    let start = try beginning(ofTable: name)
    _ = try damage { $0.replaceSubrange(start..<start + 4_096, with: Data(count: 4_096)) }
  }

  /// Has that page say that its free space begins beyond it: all of it can be read, and no row goes
  /// into it (sqlite.org, "Database File Format", 1.6).
  private func fillTable(_ name: String) throws {
    let start = try beginning(ofTable: name)
    _ = try damage { $0.replaceSubrange(start + 1..<start + 3, with: [0xff, 0xff]) }
  }

  private func beginning(ofTable name: String) throws -> Int {
    let root = try Connection(path: index).row(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?1", name
    ) { try $0.integer(0) }
    return (Int(try XCTUnwrap(root)) - 1) * 4_096
  }

  private func assertRebuilt(line: UInt = #line) async throws {
    let report = try await syncWell(line: line)
    XCTAssertEqual(report.adopted, things.count, "nothing is fetched", line: line)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"], line: line)
    XCTAssertEqual(try tree(), whole, line: line)
    try await assertIndexIsTrue(line: line)
    try await assertTrue(syncWell(line: line).wasUnchanged, line: line)
  }

  /// A run that died while it made an index leaves half of one under another name, and one that
  /// died while it set one aside leaves a log: SQLite would take it for that of the next index.
  func testWhatIsLeftOfAnEarlierIndexIsNoPartOfTheNext() async throws {
    try await fill()
    let earlier = try await MirrorIndex.open(path: index)
    try await earlier.write { try $0.setValue("yes", for: ValueName("earlier")) }
    let log = try Data(contentsOf: URL(filePath: index + "-wal"))
    await earlier.close()
    try FileManager.default.removeItem(atPath: index)
    try log.write(to: URL(filePath: index + "-wal"))
    for name in ["index-new.sqlite", "index-new.sqlite-journal", "index-new.sqlite-wal"] {
      try Data(repeating: 7, count: 3_000).write(to: URL(filePath: folder + "/.mirror/" + name))
    }
    try await syncWell()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror")
    XCTAssertEqual(left.filter { $0.hasPrefix("index") }, ["index.sqlite"])
    XCTAssertEqual(try tree(), whole)
    try await assertIndexIsTrue()
    try await assertNil(withIndex { try $0.value(ValueName("earlier")) })
  }

  private static let faults: [(String, @Sendable (inout Data) -> Void)] = [
    ("header zeroed", { $0.replaceSubrange(0..<100, with: Data(count: 100)) }),
    ("other bytes", { $0 = Data(repeating: 7, count: 3_000) }),
    ("cut to half", { $0 = $0.prefix($0.count / 8192 * 4096) }),
    ("cut within the header", { $0 = $0.prefix(60) }),
    ("cut within a page", { $0 = $0.prefix(9_000) }),
    ("write version", { $0[18] = 9 }),
    ("read version", { $0[19] = 9 }),
    ("schema zeroed", { $0.replaceSubrange(100..<4096, with: Data(count: 3996)) }),
    ("all but the first page", { $0.replaceSubrange(4096..., with: Data(count: $0.count - 4096)) }),
  ]

  func testF18_aDamagedIndexIsSetAsideAndRebuiltFromTheFiles() async throws {
    for (name, fault) in Self.faults {
      try? FileManager.default.removeItem(atPath: folder)
      try await fill()
      let damaged = try damage(fault)
      try await assertRebuilt()
      let aside = try setAside
      XCTAssertEqual(aside.count, 1, name)
      let kept = try Data(contentsOf: URL(filePath: folder + "/.mirror/" + (aside.first ?? "")))
      XCTAssertEqual(kept, damaged, name)
    }
  }

  func testTwoIndexesThatAreSetAsideInOneSecondHaveTwoNames() async throws {
    try await fill()
    for _ in 0..<2 {
      _ = try damage(Self.faults[0].1)
      try await assertRebuilt()
    }
    XCTAssertEqual(
      try setAside,
      ["index-damaged-20250131T120000Z-2.sqlite", "index-damaged-20250131T120000Z.sqlite"])
  }

  func testARunTellsThatItRebuildsTheIndex() async throws {
    try await fill()
    _ = try damage(Self.faults[0].1)
    let mirror = mirror()
    let events = mirror.events
    _ = try await mirror.sync()
    mirror.endEvents()
    var told: [String] = []
    for await event in events {
      if case .rebuildingIndex(let aside) = event { told.append(aside) }
    }
    XCTAssertEqual(told, try setAside)
    XCTAssertEqual(told.count, 1)
  }

  func testWhatTheListingDoesNotConfirmIsForeignFromThenOn() async throws {
    try await fill()
    _ = try damage(Self.faults[0].1)
    let report = try await syncWell(to: Array(things.dropFirst(59)))
    XCTAssertEqual([report.removed, report.adopted], [0, 1])
    XCTAssertEqual(try tree(), whole)
  }

  func testLookingAtADamagedIndexSaysSoAndChangesNothing() async throws {
    for (name, fault) in Self.faults {
      try? FileManager.default.removeItem(atPath: folder)
      try await fill()
      _ = try damage(fault)
      let before = try listing(of: folder)
      for (command, look) in looks() {
        await assertThrows(MirrorError.self, try await look(), "\(name), \(command)") {
          if case .index(_, .damaged) = $0 { true } else { false }
        }
      }
      XCTAssertEqual(try listing(of: folder), before, name)
    }
  }

  func testDamageInTheMiddleOfARunFailsItAndTheNextRebuilds() async throws {
    try await fill()
    try fillTable("placing")
    let report = try await sync(to: things + [Thing("new", "new")], ending: .failed)
    XCTAssertEqual(report.failures.map(\.key), [nil])
    XCTAssert(report.failures[0].sentence.contains("is damaged"), "\(report.failures)")
    XCTAssertEqual(try tree(), whole)
    let next = try await syncWell()
    XCTAssertEqual([next.adopted, next.added], [60, 1])
    XCTAssertEqual(try setAside.count, 1)
  }

  func testARunThatCannotBeRecordedIsNotDone() async throws {
    try await fill()
    try fillTable("runs")
    try await assertEqual(sync(ending: .failed).failures.count, 1)
    try await assertRebuilt()
  }

  func testDamageBesideTheItemsIsFoundAtTheStartAndRebuiltAtOnce() async throws {
    for table in ["failures", "runs", "quarantine", "meta"] {
      try? FileManager.default.removeItem(atPath: folder)
      try await fill()
      try damageTable(table)
      try await assertRebuilt()
      XCTAssertEqual(try setAside.count, 1, table)
    }
  }

  func testF18_anIndexOfAnotherSchemaIsRebuiltAtOnce() async throws {
    // Found by fuzzing: one bit in the schema's text, and the run said "a fault of the program".
    try await fill()
    try await changeIndex {
      try $0.connection.execute("ALTER TABLE runs DROP COLUMN error")
    }
    try await assertRebuilt()
    XCTAssertEqual(try setAside.count, 1)
  }
}

import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror

/// Damage that a run has no need to read.
///
/// A random bit of a full round of the fault matrix turned the last column of an item from bytes
/// into text. `verify --repair` called the index damaged and said to sync; a sync that found nothing
/// new read the item's other columns only, and was content. Whoever followed the advice went round
/// in a circle.
final class OverlookedDamageTests: RunTestCase {
  private let things = (0..<5).map { Thing("d/\($0)", "text \($0)") }
  private var index: URL { URL(filePath: folder + "/.mirror/index.sqlite") }
  private static let directory = "https://mirror.test/pub/closed/"
  private static let rule = "the rule of it"

  /// One kind of damage each, with what it is done by.
  private enum Damage {
    /// Of an item: the kind of its line, one letter of the line, the checksum before it, and the
    /// kind of what it says of further digests.
    case kindOfLine, line, checksum, kindOfChecks
    /// Of the first item: the kind of its key, so that a search for any key passes over it.
    case kindOfKey
    /// One letter of a text that no statement needs.
    case text(String)
    /// A change that a statement can do.
    case statement(StaticString)

    /// Another line, as far as anybody can tell: where it is needed, it is read anew.
    var isHarmless: Bool {
      if case .line = self { true } else { false }
    }

    var isOfItems: Bool {
      switch self {
      case .kindOfLine, .kindOfKey, .line, .checksum, .kindOfChecks: true
      case .text, .statement: false
      }
    }
  }

  private static let inItems: [Damage] = [
    .kindOfLine, .kindOfKey, .line, .checksum, .kindOfChecks,
  ]
  private static let inRecords: [Damage] = [
    .text(directory), .text(rule),
    .statement("UPDATE runs SET outcome = 'splendid'"),
    .statement("UPDATE runs SET started = -9223372036854775807"),
    .statement(
      """
      INSERT INTO quarantine (name, key, size, removed_at) VALUES ('a', x'61', 9223372036854775807, 1800000000000000000),
        ('b', x'62', 9223372036854775807, 1800000000000000000)
      """),
    .statement(
      """
      INSERT INTO quarantine (name, key, size, removed_at) VALUES (CAST(x'ff' AS TEXT), x'61', 1, 1800000000000000000)
      """),
  ]

  private func fill() async throws {
    try? FileManager.default.removeItem(atPath: folder)
    try await syncWell(to: things, etag: "\"1\"")
    try await changeIndex { writer in
      try writer.setValue(Self.directory + "\tit may not be read", for: .unreadableList)
      try writer.setValue(Self.rule, for: .filterRules)
    }
  }

  /// Does the damage behind the index's back.
  private func inflict(_ damage: Damage) async throws {
    if case .statement(let text) = damage {
      return try Connection(path: index.path).execute(text)
    }
    var data = try Data(contentsOf: index)
    if case .text(let text) = damage {
      data[try XCTUnwrap(data.range(of: Data(text.utf8))).lowerBound] ^= 1
    } else {
      data[try await place(of: damage, in: data)] ^= 1
    }
    try data.write(to: index)
  }

  /// Where a part of an item's row stands (sqlite.org, "Database File Format", 2.1): after the length
  /// of all of it, in two bytes, come the length of the header, the kinds of the columns, and the
  /// columns. The key is the first; after the checksum come the line and, of no bytes here, the
  /// further digests.
  private func place(of damage: Damage, in data: Data) async throws -> Int {
    var key = CatalogKey("d/2")
    if case .kindOfKey = damage { key = CatalogKey("d/0") }
    let line = try await withIndex { [key] in try $0.item(key)?.entry.line?.bytes }
    let columns = try XCTUnwrap(data.range(of: Data(try XCTUnwrap(line))))
    let end = columns.upperBound
    let found = (end - 1_000..<end - 128).last { start in
      let length = end - start
      return data[start - 2] == UInt8(0x80 | length >> 7) && data[start - 1] == UInt8(length & 0x7f)
    }
    let start = try XCTUnwrap(found)
    switch damage {
    case .kindOfKey:
      XCTAssertEqual(data[start + 1], 12 + 3 * 2, "3 bytes")
      return start + 1
    case .kindOfLine:
      XCTAssertEqual(data[start + Int(data[start]) - 2], 12 + 16 * 2, "16 bytes")
      return start + Int(data[start]) - 2
    case .kindOfChecks:
      XCTAssertEqual(data[start + Int(data[start]) - 1], 0, "nothing")
      return start + Int(data[start]) - 1
    case .checksum: return columns.lowerBound - 1
    case .line, .text, .statement: return columns.lowerBound
    }
  }

  /// Whatever a look calls damaged, the advice to sync is true: the run sets the index aside and
  /// makes it anew, and then every look is content.
  func testF18_whatALookCallsDamagedTheNextSyncRebuilds() async throws {
    for damage in Self.inItems + Self.inRecords {
      try await fill()
      try await inflict(damage)
      var told: [String] = []
      for (command, look) in looks() {
        do { try await look() } catch MirrorError.index(_, .damaged) { told.append(command) }
      }
      if damage.isOfItems, !damage.isHarmless {
        XCTAssertEqual(told, ["status", "plan", "verify", "repair"], "\(damage)")
      }
      XCTAssertEqual(try setAside, [], "\(damage)")
      try await assertMended(damage) { _ in }
    }
  }

  /// A run that trusts the index reads no items that it needn't fetch, and yet all of the rest.
  func testARunThatTrustsTheIndexFindsDamageBesideTheItems() async throws {
    for damage in Self.inRecords.prefix(3) {
      try await fill()
      try await inflict(damage)
      try await assertMended(damage) { $0.trustsIndex = true }
    }
  }

  /// Of a catalog that has changed, it reads all of them, though it need do nothing with any.
  func testARunThatTrustsTheIndexFindsDamageOfItemsWhereTheCatalogIsAnother() async throws {
    for damage in Self.inItems {
      try await fill()
      try await inflict(damage)
      try serve(things, header: #","title":"anew""#, etag: "\"2\"")
      try await assertMended(damage) { $0.trustsIndex = true }
    }
  }

  func testDamageOfItemsIsAdvisedToBeSyncedWithALookAtTheFiles() async throws {
    try await fill()
    try await inflict(.kindOfLine)
    try await syncWell { $0.trustsIndex = true }
    XCTAssertEqual(try setAside, [], "it didn't read it")
    let found = await thrown(MirrorError.self, by: try await mirror().repair())
    let error = try XCTUnwrap(found)
    XCTAssertEqual(error.advice, .lookAtFiles)
    XCTAssert("\(error)".contains("sync with a look at the files"), "\(error)")
    try await assertMended(.kindOfLine) { _ in }
  }

  private func assertMended(
    _ damage: Damage, line: UInt = #line, _ change: (inout MirrorOptions) -> Void
  ) async throws {
    let report = try await syncWell(line: line, change)
    XCTAssertEqual(report.adopted, damage.isHarmless ? 0 : 5, "\(damage)", line: line)
    XCTAssertEqual(try setAside.count, damage.isHarmless ? 0 : 1, "\(damage)", line: line)
    XCTAssertEqual(Set(site.asked), ["/pub/catalog.ndjson"], "\(damage)", line: line)
    for (command, look) in looks() {
      do { try await look() } catch { XCTFail("\(damage), \(command): \(error)", line: line) }
    }
    try await assertTrue(syncWell(line: line, change).wasUnchanged, "\(damage)", line: line)
    XCTAssertEqual(
      try tree(), Dictionary(things.map { ($0.key, $0.text) }) { $1 }, "\(damage)", line: line)
  }
}

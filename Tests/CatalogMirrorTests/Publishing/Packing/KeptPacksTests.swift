import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// Packs that the catalog names no more stay for a while, and nothing else is removed.
final class KeptPacksTests: PackingTestCase {
  private static let hour = 3_600.0

  /// Publishes a state in which one pack is no longer named; its name.
  private func replaceThePack() throws -> String {
    try writeFiles(0..<64)
    _ = try pack()
    let old = try XCTUnwrap(filesOfPacks().first)
    try writeFiles(0..<64, round: 1)
    XCTAssertEqual(try pack().packs?.removed, 0)
    XCTAssertEqual(try filesOfPacks().count, 2)
    return old
  }

  func testAPackStaysForADayFromWhenItWasNoLongerNamed() throws {
    let old = try replaceThePack()
    XCTAssertEqual(try pack(ahead: 23 * Self.hour).packs?.removed, 0)
    XCTAssertTrue(try filesOfPacks().contains(old))
    XCTAssertEqual(try pack(ahead: 25 * Self.hour).packs?.removed, 1)
    XCTAssertFalse(try filesOfPacks().contains(old))
    try assertPacksAreTrue()
  }

  func testHowLongItStaysMayBeSaid() throws {
    let old = try replaceThePack()
    _ = try pack(ahead: 2 * Self.hour) { $0.keepPacks = .seconds(3 * 3_600) }
    XCTAssertTrue(try filesOfPacks().contains(old))
    _ = try pack(ahead: 2 * Self.hour) { $0.keepPacks = .seconds(3_600) }
    XCTAssertFalse(try filesOfPacks().contains(old))
  }

  /// A publisher that lost its memory, or whose clock was ahead, takes nobody's pack too early.
  func testWithoutAMemoryTheDayBeginsNow() throws {
    let old = try replaceThePack()
    try FileManager.default.removeItem(at: folder.appending(path: ".catalog.ndjson.mirror-state"))
    _ = try pack(ahead: 25 * Self.hour)
    XCTAssertTrue(try filesOfPacks().contains(old))
    _ = try pack(ahead: 2 * Self.hour)
    XCTAssertTrue(try filesOfPacks().contains(old))
    _ = try pack(ahead: 25 * Self.hour)
    XCTAssertTrue(try filesOfPacks().contains(old))
    _ = try pack(ahead: 27 * Self.hour)
    XCTAssertFalse(try filesOfPacks().contains(old))
  }

  func testWhoPublishesWithoutPacksRemovesThemInTimeToo() throws {
    _ = try replaceThePack()
    XCTAssertNil(try writer { $0.packs = false }.write().packs)
    XCTAssertNil(try header()["packs"])
    XCTAssertEqual(try filesOfPacks().count, 2)
    let report = try writer(ahead: 49 * Self.hour).write()
    XCTAssertEqual(report.packs?.removed, 2)
    XCTAssertEqual(try filesOfPacks(), [])
  }

  /// A timer without the option dropped all packs, and the next one who gave it wrote them anew.
  func testPacksGoOnWhereNobodySaysOtherwise() throws {
    try writeFiles(0..<80)
    XCTAssertNil(try writer().write().packs, "nobody has asked for any")
    _ = try pack()
    let before = try named()
    try writeFiles(80..<100)
    let report = try writer(ahead: 120).write()
    XCTAssertEqual([report.packs?.files, report.packs?.waiting], [80, 20])
    XCTAssertEqual(try named(), before)
    try assertPacksAreTrue()
  }

  /// They were listed as files, and the catalog named none, without a word.
  func testPacksWhoseMarkIsGoneAreRefusedThoughNobodyAskedForAny() throws {
    try writeFiles(0..<80)
    _ = try pack()
    let before = try named()
    try FileManager.default.removeItem(at: packs.appending(path: PublishedNames.mark))
    XCTAssertThrowsError(try writer().write()) { error in
      XCTAssertEqual(
        error as? PublishError, .badOption(.packsOccupied("catalog.ndjson.packs")))
    }
    XCTAssertEqual(try named(), before)
    XCTAssertEqual(try writer { $0.packs = false }.write().entries, 81)
  }

  /// A mirror says of packs that aren't there to publish the folder again.
  func testPacksWhoseDirectoryIsGoneAreMadeAnewThoughNobodyAskedForAny() throws {
    try writeFiles(0..<80)
    _ = try pack()
    try FileManager.default.removeItem(at: packs)
    let report = try writer().write()
    XCTAssertEqual([report.entries, report.packs?.files], [80, 80])
    try assertPacksAreTrue()
  }

  func testHowMuchOfPacksIsReadIsToldWithTheFiles() throws {
    try writeFiles(0..<80, size: 5_000)
    _ = try pack()
    let size = try XCTUnwrap(try named().values.first).size
    var told: [PublishProgress] = []
    let report = try writer(ahead: 120) { $0.rehashes = true }.write { told.append($0) }
    XCTAssertEqual(report.hashed, 80)
    XCTAssertEqual(told.first?.files.total, 1, "the pack comes first")
    XCTAssertEqual(told.first?.bytes.total, size)
    XCTAssertTrue(told.contains { $0.files.done == 1 && $0.bytes.done == size })
    XCTAssertEqual(told.last?.files.done, 81)
    XCTAssertEqual(told.last.map { $0.bytes.done == $0.bytes.total }, true)
    XCTAssertTrue(zip(told, told.dropFirst()).allSatisfy { $0.bytes.done <= $1.bytes.done })
  }

  func testOnlyFilesThatAreNamedAsPacksAreEverRemoved() throws {
    _ = try replaceThePack()
    let digits = String(repeating: "0a", count: 32)
    let others = ["note.txt", digits.uppercased(), "\(digits)0", String(digits.dropLast())]
    for name in others { try write("catalog.ndjson.packs/\(name)", "mine") }
    let inner = String(repeating: "0b", count: 32)
    try write("catalog.ndjson.packs/\(inner)/file", "mine")
    try write("catalog.ndjson.packs/\(digits)", "no pack, but named as one")
    XCTAssertEqual(try pack { $0.keepPacks = .zero }.packs?.removed, 2)
    XCTAssertTrue(try filesOfPacks().isSuperset(of: others + [inner]))
    XCTAssertFalse(try filesOfPacks().contains(digits))
    try assertPacksAreTrue()
  }

  /// What a publisher had begun that was killed is nobody's, and waits for no day to be over.
  func testWhatWasBegunAndNotEndedIsRemovedAtOnce() throws {
    try writeFiles(0..<64)
    _ = try pack()
    let draft = String(repeating: "0", count: 32) + String(repeating: "c", count: 32)
    try write("catalog.ndjson.packs/\(draft)", "half of a pack")
    _ = try pack()
    XCTAssertFalse(try filesOfPacks().contains(draft))
    XCTAssertEqual(try filesOfPacks().count, 1)
  }

  func testADirectoryThatIsNotMarkedIsRefusedUnlessItIsEmpty() throws {
    try writeFiles(0..<64)
    try write("catalog.ndjson.packs/mine", "mine")
    XCTAssertThrowsError(try pack()) { error in
      XCTAssertEqual(
        error as? PublishError, .badOption(.packsOccupied("catalog.ndjson.packs")))
    }
    XCTAssertEqual(try text(of: "catalog.ndjson.packs/mine"), "mine")
    // To whoever wants no packs, it is a directory as any.
    XCTAssertEqual(try writer().write().entries, 65)
    try FileManager.default.removeItem(at: packs.appending(path: "mine"))
    XCTAssertEqual(try pack().packs?.named, 1)
    try assertPacksAreTrue()
  }

  func testALinkOrAFileInItsPlaceIsRefused() throws {
    try writeFiles(0..<64)
    let elsewhere = try temporaryFolder()
    try FileManager.default.createSymbolicLink(at: packs, withDestinationURL: elsewhere)
    XCTAssertThrowsError(try pack())
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path), [])
    try FileManager.default.removeItem(at: packs)
    try write("catalog.ndjson.packs", "mine")
    XCTAssertThrowsError(try pack())
    XCTAssertEqual(try text(of: "catalog.ndjson.packs"), "mine")
  }

  func testNoPacksAreWrittenBesideWhatIsNoFile() throws {
    try writeFiles(0..<64)
    XCTAssertEqual(mkfifo(folder.appending(path: "catalog.ndjson").path, 0o600), 0)
    XCTAssertThrowsError(try pack()) { error in
      XCTAssertEqual(
        error as? PublishError, .badOption(.packsBesideNothing("catalog.ndjson")))
    }
  }

  /// A folder that is watched doesn't take its own packs for a change.
  func testItsOwnPacksAreNoChangeOfTheFolder() throws {
    let name = Array("catalog.ndjson.packs".utf8)
    XCTAssertTrue(writer { $0.packs = true }.isOwn(name))
    XCTAssertFalse(writer().isOwn(name))
  }
}

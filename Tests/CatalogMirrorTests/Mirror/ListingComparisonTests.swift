import Foundation
import OneWaySynchronizer
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

/// What a listing, of which most lines may be known, means for what is held.
final class ListingComparisonTests: XCTestCase {
  private let wants = ItemNeed.Wants(contents: true, previews: true)

  /// An index that holds the contents of these keys.
  private func index(_ keys: [String]) async throws -> MirrorIndex {
    let index = try await emptyIndex()
    try await index.write { try $0.record(keys.map { .content(.plain($0), .plain()) }) }
    return index
  }

  /// A listing that names these keys anew, after known ones at these places.
  private func listing(known: [UInt32], named: [String], isComplete: Bool = true) -> Listing {
    var listing = Listing(format: .catalog)
    listing.known = known.enumerated().map {
      KnownLine(place: $1, position: UInt32($0 + 1))
    }
    listing.entries = UsableEntries(named.map { .plain($0, revision: "2") })
    listing.positions = named.indices.map { UInt32(known.count + $0 + 1) }
    if !isComplete { listing.completeness = .partial([.window]) }
    return listing
  }

  private func compare(
    _ index: MirrorIndex, _ listing: Listing, _ findings: LookFindings? = nil
  ) async throws -> ListingComparison {
    try await index.read { [wants] in try $0.compare(listing, findings, wants) }
  }

  func testOnlyWhatIsNamedAnewOrLackingIsHeld() async throws {
    let index = try await index(["a", "b", "c", "d"])
    let found = try await compare(index, listing(known: [0, 3], named: ["b", "new"]))
    XCTAssertEqual(Set(found.rows.keys.map(\.description)), ["b", "c"])
    XCTAssertEqual(found.vanished, [CatalogKey("c")])
    XCTAssert(found.incomplete.isEmpty)
    XCTAssertEqual(found.count, 4)
  }

  /// A server's own list tells every entry anew each time: of 200,000 that hadn't changed, the rows
  /// took half a gigabyte.
  func testWhatIsListedAsItIsHeldIsKnownAndNotHeldInMemory() async throws {
    let index = try await index(["a", "b", "c", "d"])
    try await index.write { try $0.record([.contentLost(CatalogKey("c"))]) }
    var listing = listing(known: [], named: ["a", "b", "c", "d", "new"])
    listing.entries = UsableEntries(
      ["a", "b", "c"].map { .plain($0) } + listing.entries.dropFirst(3),
      unsettled: [CatalogKey("b")])
    let found = try await compare(index, listing)
    XCTAssertEqual(Set(found.rows.keys.map(\.description)), ["c", "d"])
    XCTAssertEqual(found.listing.entries.map(\.key.description), ["c", "d", "new"])
    XCTAssertEqual(found.listing.positions, [3, 4, 5])
    XCTAssertEqual(
      found.listing.known, [KnownLine(place: 0, position: 1), KnownLine(place: 1, position: 2)],
      "what is held of b was proven to be its last state under this date")
    XCTAssertEqual(found.listing.count, 5)
    XCTAssertEqual(found.vanished, [])
    XCTAssertEqual(found.count, 4)
  }

  /// No file goes whose name is that of a listed one there, so that every listed one has to be
  /// known by its key.
  func testWhereNamesAreFoldedEveryListedKeyStaysInTheListing() async throws {
    let index = try await index(["a", "b"])
    var listing = listing(known: [], named: ["a"])
    listing.entries = [.plain("a")]
    let found = try await index.read { [wants, listing] in
      try $0.compare(listing, nil, wants, folding: NameFolding(caseFolding: true))
    }
    XCTAssertEqual(found.listing.entries.map(\.key.description), ["a"])
    XCTAssertEqual(found.listing.known, [])
  }

  func testAPartialListingLacksNothing() async throws {
    let index = try await index(["a", "b", "c"])
    let found = try await compare(
      index, listing(known: [0], named: ["b"], isComplete: false))
    XCTAssertNil(found.vanished)
    XCTAssertEqual(Array(found.rows.keys), [CatalogKey("b")])
  }

  func testWhatLiesBelowAnUnreadableDirectoryCountsAsPresent() async throws {
    let index = try await index(["a", "d-/x", "d", "d/x", "d/y", "e/d/x"])
    try await index.write { try $0.record([.contentLost(CatalogKey("d/y"))]) }
    var listing = listing(known: [], named: ["a"])
    listing.unreadable = [
      UnreadableDirectory(prefix: Array("d/".utf8), url: "https://h/d/", reason: "403")
    ]
    let found = try await compare(index, listing)
    XCTAssertEqual(
      Set((found.vanished ?? []).map(\.description)), ["d-/x", "d", "e/d/x"])
    XCTAssertEqual(found.incomplete.map(\.key), [CatalogKey("d/y")], "it is mended all the same")
  }

  /// A link to a directory whose target was away for a while, and a member of WebDAV of which only a
  /// refusal was said, were one failed item each; and everything below them was removed.
  func testWhatLiesBelowWhatCannotBeUsedCountsAsPresent() async throws {
    let index = try await index(["a", "d", "d-/x", "d/x", "d/y/z"])
    var listing = listing(known: [], named: ["a"])
    listing.unusable = [UnusableEntry(position: 2, key: CatalogKey("d"), problem: .notAFile)]
    try await assertEqual(compare(index, listing).vanished, [CatalogKey("d-/x")])
    listing.completeness = .changes(removed: [CatalogKey("d/x")])
    let changed = try await compare(index, listing)
    XCTAssertEqual(changed.vanished, [CatalogKey("d/x")], "what is named as gone is gone")
  }

  func testWhatIsKnownAndNotHeldIsIncomplete() async throws {
    let index = try await index(["a", "b", "c"])
    try await index.write { try $0.record([.contentLost(CatalogKey("b"))]) }
    let known = listing(known: [0, 1, 2], named: [])
    try await assertEqual(compare(index, known).incomplete.map(\.key), [CatalogKey("b")])
    var findings = LookFindings()
    findings.damaged = [CatalogKey("c")]
    let looking = try await compare(index, known, findings)
    XCTAssertEqual(looking.incomplete.map(\.key), [CatalogKey("c")], "a look knows better")
    XCTAssertEqual(Array(looking.rows.keys), [CatalogKey("c")])
  }

  func testANamedEntryCollidesWithAKnownOneAndBothCannotBeUsed() async throws {
    for (held, named) in [("a/b", "a"), ("a", "a/b"), ("a", "a/b/c")] {
      let index = try await index([held, "a-b", "z"])
      let place: UInt32 = held == "a" ? 0 : 1
      let found = try await compare(index, listing(known: [2, place], named: ["x", named]))
      XCTAssertEqual(found.listing.entries.map(\.key.description), ["x"])
      XCTAssertEqual(found.listing.positions, [3])
      XCTAssertEqual(found.listing.known.map(\.place), [2])
      XCTAssertEqual(
        found.listing.unusable.map { [$0.key?.description ?? "", "\($0.position)"] },
        [[held, "2"], [named, "4"]])
      XCTAssertEqual(found.vanished, [CatalogKey("a-b")], "neither of them is gone")
      XCTAssertNotNil(found.rows[CatalogKey(held)])
    }
  }

  func testAllEntriesBelowAKnownOneCollideWithIt() async throws {
    let index = try await index(["a"])
    let found = try await compare(
      index, listing(known: [0], named: ["a/b", "a/c", "b", "a/d/e"]))
    XCTAssertEqual(found.listing.entries.map(\.key.description), ["b"])
    XCTAssertEqual(
      found.listing.unusable.compactMap(\.key?.description), ["a", "a/b", "a/c", "a/d/e"])
  }

  func testKnownEntriesCollideToo() async throws {
    // The one came with an earlier listing, the other with a later one.
    let index = try await index(["a", "a-b", "a/b", "a/b/c", "z"])
    let found = try await compare(index, listing(known: [4, 3, 2, 1, 0], named: ["q"]))
    XCTAssertEqual(found.listing.known.map(\.place), [4, 1])
    XCTAssertEqual(
      found.listing.unusable.compactMap(\.key?.description), ["a/b/c", "a/b", "a"])
    XCTAssertEqual(found.vanished, [])
    XCTAssertEqual(Set(found.rows.keys.map(\.description)), ["a", "a/b", "a/b/c"])
  }

  func testWhatCollidesIsNotFetched() async throws {
    let index = try await index(["a", "a/b"])
    try await index.write { try $0.record([.contentLost(CatalogKey("a"))]) }
    let found = try await compare(index, listing(known: [0, 1], named: []))
    XCTAssert(found.incomplete.isEmpty)
    XCTAssertEqual(found.listing.unusable.count, 2)
  }

  func testDeepKeysTakeNoMoreThanTheirBytes() async throws {
    // Each has 1,900 directories above it; held one by one, they took gigabytes.
    let deep = { (number: Int) in "\(number)" + String(repeating: "/a", count: 1_900) }
    let index = try await index((0..<100).map(deep))
    let mixed = listing(known: (0..<100).map { UInt32($0) }, named: (100..<600).map(deep))
    // From here on the system counts the peak anew.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = try peakMegabytes()
    let found = try await compare(index, mixed)
    XCTAssertLessThan(try peakMegabytes() - before, 200)
    XCTAssertEqual(found.listing.entries.count, 500)
    XCTAssertEqual(found.listing.unusable.count, 0)
  }

  private func peakMegabytes() throws -> Int {
    let status = try readText("/proc/self/status")
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try XCTUnwrap(line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
      / 1_024
  }

  func testWhatIsIncompleteComesInTheOrderOfTheCatalog() async throws {
    let index = try await index(["a", "b", "c", "d"])
    try await index.write { writer in
      try writer.record(["a", "b", "d"].map { .contentLost(CatalogKey($0)) })
    }
    // Named is the third of five.
    var mixed = listing(known: [3, 1, 2, 0], named: ["n"])
    mixed.known = zip([3, 1, 2, 0], [1, 2, 4, 5]).map { KnownLine(place: $0, position: $1) }
    mixed.positions = [3]
    let found = try await compare(index, mixed)
    var view = LocalView(wants: wants)
    view.take(found.rows, of: found.count)
    guard
      case .changes(let items, let removed) = try view.sourceList(
        for: found, maximumRemoval: .all)
    else { return XCTFail("a complete listing is a list of changes") }
    XCTAssertEqual(items.map(\.id.description), ["d", "b", "n", "a"])
    XCTAssertEqual(removed, [])
  }

  func testAnItemThatNothingIsToBeDoneOfIsCheckedAllTheSame() async throws {
    let path = try temporaryIndexPath()
    let index = try await MirrorIndex.open(path: path)
    try await index.write { try $0.record([.content(.plain("a-key-to-be-found"), .plain())]) }
    try await index.moveLogIntoFile()
    await index.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let key = try XCTUnwrap(bytes.range(of: Data("a-key-to-be-found".utf8)))
    bytes[key.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: path))
    let damaged = try await MirrorIndex.open(path: path)
    await assertFails(.damaged) {
      _ = try await self.compare(damaged, self.listing(known: [0], named: []))
    }
    await damaged.close()
  }

  func testAnEntryThatStandsTwiceIsAnErrorOfTheListing() async throws {
    let index = try await index(["a", "b"])
    for twice in [
      listing(known: [0, 1], named: ["b"]), listing(known: [0, 1, 1], named: []),
      listing(known: [1, 0, 1], named: ["x"]),
    ] {
      await assertThrows(
        CatalogError.duplicateKey(CatalogKey("b")), try await compare(index, twice))
    }
  }

  /// One is left out and the other known, or both are known and outside by now.
  func testAnEntryThatStandsTwiceIsAnErrorAlsoOutside() async throws {
    let index = try await index(["a", "b"])
    var leftOut = listing(known: [0, 1], named: [])
    leftOut.leftOut = [LeftOut(key: CatalogKey("b"), reason: .tooLarge)]
    var (small, others) = (Scope(), Scope())
    small.maximumSize = 5
    others.rules = [.exclude(try KeyPattern("b"))]
    for (scope, twice) in [(small, leftOut), (others, listing(known: [1, 0, 1], named: []))] {
      for removes in [false, true] {
        let held = HeldScope(
          boundary: ScopeBoundary(scope, at: 0), removesOutside: removes)
        await assertThrows(
          CatalogError.duplicateKey(CatalogKey("b")),
          try await index.read { [wants] in try $0.compare(twice, nil, wants, within: held) })
      }
    }
  }

  func testAKnownItemThatIsGoneIsDamage() async throws {
    let index = try await index(["a"])
    await assertFails(.damaged) {
      _ = try await self.compare(index, self.listing(known: [0, 1], named: []))
    }
  }
}

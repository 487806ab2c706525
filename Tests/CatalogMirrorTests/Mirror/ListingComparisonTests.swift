import SyncDatabase
import XCTest

@testable import CatalogMirror

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
    listing.entries = named.map { .plain($0, revision: "2") }
    listing.positions = named.indices.map { UInt32(known.count + $0 + 1) }
    if !isComplete { listing.completeness = .partial([.window]) }
    return listing
  }

  private func compare(
    _ index: MirrorIndex, _ listing: Listing, _ findings: LocalLook.Findings? = nil
  ) async throws -> ListingComparison {
    try await index.read { [wants] in try $0.compare(listing, findings, wants) }
  }

  func testM18_onlyWhatIsNamedAnewOrLackingIsHeld() async throws {
    let index = try await index(["a", "b", "c", "d"])
    let found = try await compare(index, listing(known: [0, 3], named: ["b", "new"]))
    XCTAssertEqual(Set(found.rows.keys.map(\.description)), ["b", "c"])
    XCTAssertEqual(found.vanished, [CatalogKey("c")])
    XCTAssertEqual(found.incomplete, [])
    XCTAssertEqual(found.count, 4)
  }

  func testM3_aPartialListingLacksNothing() async throws {
    let index = try await index(["a", "b", "c"])
    let found = try await compare(
      index, listing(known: [0], named: ["b"], isComplete: false))
    XCTAssertNil(found.vanished)
    XCTAssertEqual(Array(found.rows.keys), [CatalogKey("b")])
  }

  func testM17_whatIsKnownAndNotHeldIsIncomplete() async throws {
    let index = try await index(["a", "b", "c"])
    try await index.write { try $0.record([.contentLost(CatalogKey("b"))]) }
    let known = listing(known: [0, 1, 2], named: [])
    let trusting = try await compare(index, known)
    XCTAssertEqual(trusting.incomplete, [CatalogKey("b")])
    var findings = LocalLook.Findings()
    findings.damaged = [CatalogKey("c")]
    let looking = try await compare(index, known, findings)
    XCTAssertEqual(looking.incomplete, [CatalogKey("c")], "a look knows better")
    XCTAssertEqual(Array(looking.rows.keys), [CatalogKey("c")])
  }

  func testM6_aNamedEntryCollidesWithAKnownOneAndBothCannotBeUsed() async throws {
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

  func testM6_allEntriesBelowAKnownOneCollideWithIt() async throws {
    let index = try await index(["a"])
    let found = try await compare(
      index, listing(known: [0], named: ["a/b", "a/c", "b", "a/d/e"]))
    XCTAssertEqual(found.listing.entries.map(\.key.description), ["b"])
    XCTAssertEqual(
      found.listing.unusable.compactMap(\.key?.description), ["a", "a/b", "a/c", "a/d/e"])
  }

  func testM6_anEntryThatStandsTwiceIsAnErrorOfTheListing() async throws {
    let index = try await index(["a", "b"])
    for twice in [
      listing(known: [0, 1], named: ["b"]), listing(known: [0, 1, 1], named: []),
      listing(known: [1, 0, 1], named: ["x"]),
    ] {
      do {
        _ = try await compare(index, twice)
        XCTFail("it was taken")
      } catch let error as CatalogError {
        XCTAssertEqual(error, .duplicateKey(CatalogKey("b")))
      }
    }
  }

  func testM21_aKnownItemThatIsGoneIsDamage() async throws {
    let index = try await index(["a"])
    await assertFails(.damaged) {
      _ = try await self.compare(index, self.listing(known: [0, 1], named: []))
    }
  }
}

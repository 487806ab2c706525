import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What was found of all items before anybody knew what is listed spares a walk where it can, and
/// changes nothing of what a listing means.
final class ItemSurveyTests: XCTestCase {
  private let names = ["a", "a-b", "a/b", "a/b/c", "b", "b/c", "d", "e", "f/g", "f/h"]

  /// A listing that names these keys anew, after known ones at these places.
  private func listing(known: [Int], named: [String]) -> Listing {
    var listing = Listing(format: .catalog)
    listing.known = known.enumerated().map {
      KnownLine(place: UInt32($1), position: UInt32($0 + 1))
    }
    listing.entries = UsableEntries(named.map { .plain($0, revision: "2") })
    listing.positions = named.indices.map { UInt32(known.count + $0 + 1) }
    return listing
  }

  /// All that a comparison says, or the error in place of it.
  private func shown(
    _ index: MirrorIndex, _ listing: Listing, _ wants: ItemNeed.Wants, after survey: ItemSurvey?
  ) async throws -> [String] {
    do {
      let found = try await index.read { try $0.compare(listing, nil, wants, after: survey) }
      return [
        "\(found.listing)", "\(found.rows.keys.sorted())", "\(found.incomplete)",
        "\(String(describing: found.vanished?.sorted()))", "\(found.count)",
      ]
    } catch let error as CatalogError {
      return ["\(error)"]
    }
  }

  func testAComparisonIsTheSameAfterASurvey() async throws {
    var random = SeededGenerator(seed: 7)
    var spared = 0
    for round in 0..<60 {
      let keys = names.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
      let lost = keys.filter { _ in random.oneIn(9) }
      let places = keys.indices.filter { _ in !random.oneIn(12) }
      let extra = random.oneIn(9) ? places.prefix(1) : []
      let named = names.filter { _ in random.oneIn(30) }
      let wants = ItemNeed.Wants(contents: !random.oneIn(5), previews: true)
      let index = try await emptyIndex()
      try await index.write { writer in
        try writer.record(keys.map { .content(.plain($0), .plain()) })
        try writer.record(lost.map { .contentLost(CatalogKey($0)) })
      }
      let known = random.oneIn(3) ? (places + extra).shuffled(using: &random) : places + extra
      let listing = listing(known: known, named: named)
      let survey = try await index.read { try $0.survey() }
      let walked = try await shown(index, listing, wants, after: nil)
      let surveyed = try await shown(index, listing, wants, after: survey)
      XCTAssertEqual(surveyed, walked, "round \(round): \(keys), \(known), \(named)")
      spared += survey.isAll(of: listing, wants) ? 1 : 0
      await index.close()
    }
    XCTAssertGreaterThan(spared, 5)
  }

  /// Of very many that are named anew, each row is read whole.
  func testManyNamedItemsAreHeldAsFewAre() async throws {
    let keys = (1_000..<2_200).map { "k/\($0)" }
    let index = try await emptyIndex()
    try await index.write { writer in
      try writer.record(keys.map { .content(.plain($0), .plain()) })
      try writer.record([.contentLost(CatalogKey("k/1001"))])
    }
    let listing = listing(known: [0, 1], named: Array(keys[3...]))
    let wants = ItemNeed.Wants(contents: true, previews: true)
    let held = try await index.read { try $0.items(keys[1...].map { CatalogKey($0) }) }
    for survey in [nil, try await index.read { try $0.survey() }] {
      let found = try await index.read { try $0.compare(listing, nil, wants, after: survey) }
      XCTAssertEqual(found.rows, held)
      XCTAssertEqual(found.incomplete.map(\.key), [CatalogKey("k/1001")])
      XCTAssertEqual(found.vanished, [CatalogKey("k/1002")])
      XCTAssertEqual(found.count, 1_200)
    }
  }

  func testOnlyAListingOfAllThatIsHeldIsAll() {
    let (both, previews) = (
      ItemNeed.Wants(contents: true, previews: true),
      ItemNeed.Wants(contents: false, previews: true)
    )
    let whole = listing(known: [0, 2, 1], named: [])
    XCTAssert(ItemSurvey(count: 3).isAll(of: whole, both))
    XCTAssert(ItemSurvey(count: 3, lacksContent: true).isAll(of: whole, previews))
    for survey in [
      ItemSurvey(count: 4), ItemSurvey(count: 2), ItemSurvey(count: 3, nests: true),
      ItemSurvey(count: 3, lacksContent: true), ItemSurvey(count: 3, lacksPreview: true),
    ] {
      XCTAssertFalse(survey.isAll(of: whole, both), "\(survey)")
    }
    var (unusable, leftOut) = (whole, whole)
    unusable.unusable = [UnusableEntry(position: 4, key: CatalogKey("x"), problem: .notAFile)]
    leftOut.leftOut = [LeftOut(key: CatalogKey("x"), reason: .tooLarge)]
    let twice = listing(known: [0, 1, 1], named: [])
    let beyond = listing(known: [0, 1, 3], named: [])
    for other in [unusable, leftOut, twice, beyond, listing(known: [0, 1, 2], named: ["x"])] {
      XCTAssertFalse(ItemSurvey(count: 3).isAll(of: other, both), "\(other)")
    }
  }

  func testNestingIsFoundWhereverPathNestingFindsIt() {
    var random = SeededGenerator(seed: 3)
    var found = 0
    for _ in 0..<500 {
      let keys = Set(
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Array("!/ab".utf8).randomElement(using: &random) ?? 0
          }
        })
      var (nesting, check) = (PathNesting<Int>(), NestingCheck())
      for key in keys.map(CatalogKey.init).sorted() {
        let isBelow = key.bytes.withUnsafeBytes { check.isBelowAnother($0) }
        XCTAssertEqual(isBelow, !nesting.next(key, 0).isEmpty, "\(key) of \(keys)")
        found += isBelow ? 1 : 0
      }
    }
    XCTAssertGreaterThan(found, 50)
  }
}

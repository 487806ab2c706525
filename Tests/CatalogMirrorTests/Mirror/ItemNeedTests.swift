import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What has to be fetched of an item, and why, as tables.
final class ItemNeedTests: XCTestCase {
  private typealias Wants = ItemNeed.Wants
  private let contents = Wants(contents: true, previews: false)

  private func item(_ version: ItemVersion, isSettled: Bool = true) -> MirrorItem {
    let entry = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"], version: version)
    return MirrorItem(entry, isSettled: isSettled)
  }

  private func held(_ version: ItemVersion, listedAs listed: ItemVersion? = nil) -> IndexedItem {
    var row = IndexedItem(
      entry: CatalogEntry(
        key: CatalogKey("a"), locators: ["https://h/a"], version: listed ?? version))
    row.content = IndexedContent(
      version: version, size: 1, modifiedNanoseconds: 0, inode: 0, sha256: nil,
      lastModified: listed == nil ? nil : "then")
    return row
  }

  func testContentIsFetchedForAReason() {
    let one = ItemVersion.revision("1")
    let two = ItemVersion.revision("2")
    let dated = ItemVersion.dateAndSize(date: "1", size: nil)
    typealias Row = (
      ItemVersion, isSettled: Bool, held: ItemVersion?, ItemNeed.Damage?, ItemNeed.Reason?,
      ItemNeed.Doubt?
    )
    let rows: [Row] = [
      (one, true, nil, nil, .new, nil), (one, true, nil, .edited, .damaged, nil),
      (one, true, nil, .gone, .deleted, nil), (.unknown, true, nil, nil, .new, nil),
      (one, false, nil, nil, .new, nil), (one, true, one, nil, nil, nil),
      (two, true, one, nil, .changed, nil), (dated, true, one, nil, .changed, nil),
      (.weakETag("1"), true, .strongETag("1"), nil, .changed, nil),
      (one, false, one, nil, nil, nil), (two, false, one, nil, .changed, nil),
      (.unknown, true, one, nil, .unsettled, .unversioned),
      (.unknown, true, .unknown, nil, .unsettled, .unversioned),
      (one, true, .unknown, nil, .unsettled, .unproven),
      (dated, true, .unknown, nil, .unsettled, .recent),
      (one, true, one, .unseen, .damaged, nil), (two, false, one, .unseen, .damaged, nil),
    ]
    for (version, isSettled, heldVersion, damage, reason, doubt) in rows {
      let need = ItemNeed(
        item(version, isSettled: isSettled), held: heldVersion.map { held($0) }, damage: damage,
        wants: contents)
      XCTAssertEqual(need.content, reason, "\(version), \(isSettled), \(heldVersion as Any)")
      XCTAssertEqual(need.doubt, doubt, "\(version), \(isSettled), \(heldVersion as Any)")
      XCTAssertNil(need.preview)
    }
  }

  /// What a young date was said to be, though it was the date that had changed.
  func testWhatProvedNothingIsHeldAgainstWhatWasListedWithIt() {
    let dated = { ItemVersion.dateAndSize(date: $0, size: $1) }
    typealias Row = (ItemVersion, listed: ItemVersion, ItemNeed.Reason, ItemNeed.Doubt?)
    let rows: [Row] = [
      (dated("1", 1), dated("1", 1), .unsettled, .recent),
      (dated("2", 1), dated("1", 1), .unsettled, .moved),
      (dated("2", nil), dated("1", nil), .changed, nil),
      (dated("2", 2), dated("1", 1), .changed, nil),
      (dated("1", 2), dated("1", 1), .changed, nil),
      (.revision("2"), .revision("1"), .changed, nil),
      (.revision("1"), .revision("1"), .unsettled, .unproven),
      (.unknown, dated("1", 1), .unsettled, .unversioned),
    ]
    for (version, listed, reason, doubt) in rows {
      let need = ItemNeed(
        item(version), held: held(.unknown, listedAs: listed), damage: nil, wants: contents)
      XCTAssertEqual(need.content, reason, "\(version), \(listed)")
      XCTAssertEqual(need.doubt, doubt, "\(version), \(listed)")
    }
  }

  func testWithoutContentsOnlyPreviewsAreWanted() {
    let need = ItemNeed(
      item(.revision("1")), held: nil, damage: .edited,
      wants: Wants(contents: false, previews: true))
    XCTAssert(need.isNothing)
  }

  func testAPreviewIsFetchedWhenItsOwnVersionIsAnother() {
    typealias Preview = CatalogEntry.Preview
    let url = "https://h/p"
    let rows: [(Preview?, held: Preview?, ItemNeed.Reason?)] = [
      (nil, nil, nil), (Preview(locator: url), nil, .new),
      (Preview(locator: url), Preview(locator: url), nil),
      (Preview(locator: url + "2"), Preview(locator: url), .changed),
      (
        Preview(locator: url + "2", version: .revision("1")),
        Preview(locator: url, version: .revision("1")), nil
      ),
      (
        Preview(locator: url, version: .revision("2")),
        Preview(locator: url, version: .revision("1")), .changed
      ),
      (Preview(locator: url), Preview(locator: url, version: .revision("1")), .changed),
      (nil, Preview(locator: url), nil),
    ]
    for (wanted, before, reason) in rows {
      var entry = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"])
      entry.preview = wanted
      var row = IndexedItem(entry: entry)
      row.preview = before.map {
        IndexedPreview(
          version: $0.ownVersion, name: "n", size: 1, modifiedNanoseconds: 0,
          sha256: digest(of: "p"))
      }
      let need = ItemNeed(
        MirrorItem(entry, isSettled: true), held: row, damage: nil,
        wants: Wants(contents: false, previews: true))
      XCTAssertEqual(need.preview, reason, "\(wanted as Any), \(before as Any)")
    }
  }

  func testAnUnusableEntryIsTriedOnceAndFails() {
    let unusable = MirrorItem.unusable(UnusableEntry(position: 3, key: nil, problem: .noKey))
    for (wants, content, preview) in [
      (contents, ItemNeed.Reason.unusable, nil),
      (Wants(contents: true, previews: true), .unusable, nil),
      (Wants(contents: false, previews: true), nil, ItemNeed.Reason.unusable),
    ] as [(Wants, ItemNeed.Reason?, ItemNeed.Reason?)] {
      let need = ItemNeed(unusable, held: held(.unknown), damage: nil, wants: wants)
      XCTAssertEqual(need.content, content)
      XCTAssertEqual(need.preview, preview)
    }
  }
}

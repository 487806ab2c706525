import SyncTransport
import XCTest

@testable import CatalogMirror

/// What several pages of changes say together.
final class ChangedKeysTests: XCTestCase {
  private func entry(_ key: String, _ version: String) -> ListedEntry {
    let entry = CatalogEntry(
      key: CatalogKey(key), locators: ["https://h/" + key], version: .revision(version))
    return .entry(entry, settled: true)
  }

  private func page(_ entries: [(String, String)] = [], removed: [String] = []) -> CatalogPage {
    var page = CatalogPage(format: CatalogFormatName("steps"), claim: .changes)
    page.entries = entries.map { entry($0.0, $0.1) }
    page.removed = removed.map { CatalogKey($0) }
    return page
  }

  private func together(_ pages: CatalogPage...) -> (entries: [ListedEntry], removed: Set<String>) {
    var changes = ChangedKeys(format: CatalogFormatName("steps"))
    for page in pages { changes.take(page) }
    return (changes.page.entries, Set(changes.removed.map { "\($0)" }))
  }

  func testOfEachKeyTheLastWordCounts() {
    let twice = together(page([("a", "1"), ("b", "1")]), page([("a", "2")]))
    XCTAssertEqual(twice.entries, [entry("b", "1"), entry("a", "2")])
    let gone = together(page([("a", "1")]), page(removed: ["a"]))
    XCTAssertEqual(gone.entries, [])
    XCTAssertEqual(gone.removed, ["a"])
    let back = together(page(removed: ["a"]), page([("a", "3")]))
    XCTAssertEqual(back.entries, [entry("a", "3")])
    XCTAssertEqual(back.removed, [])
  }

  func testWhereTheNewestComesFirstTheFirstWordCounts() {
    // A feed's archive may still hold what its newest page says anew, or says is deleted.
    var archive = page([("a", "1"), ("b", "1"), ("c", "1")], removed: ["d"])
    archive.terms.repetition = .ofOlderEntries
    let all = together(page([("a", "2"), ("d", "1")], removed: ["b"]), archive)
    XCTAssertEqual(all.entries, [entry("a", "2"), entry("d", "1"), entry("c", "1")])
    XCTAssertEqual(all.removed, ["b"])
  }

  func testADirectoryThatIsGoneTakesWhatWasNamedBelowItBefore() {
    let gone = together(page([("d/a", "1"), ("da", "1")]), page([("d/b", "1")], removed: ["d/"]))
    XCTAssertEqual(gone.entries, [entry("da", "1"), entry("d/b", "1")])
    XCTAssertEqual(gone.removed, ["d/"])
  }

  func testKeysLieBelowTheirDirectory() {
    var changes = ChangedKeys(format: CatalogFormatName("steps"))
    var page = page([("a", "1")], removed: ["b"])
    page.moveKeys(beneath: Array("d/".utf8))
    changes.take(page)
    XCTAssertEqual(changes.page.entries.map(\.key), [CatalogKey("d/a")])
    XCTAssertEqual(changes.removed, [CatalogKey("d/b")])
  }
}

/// Addresses that are signed anew for each listing are no change of what is behind them.
final class ChangedLocatorTests: RunTestCase {
  private func serveSigned(_ signature: String, _ texts: [String: String]) throws {
    let things = texts.sorted { $0.key < $1.key }.map { key, text in
      Thing(key, text) { $0.urls = ["https://mirror.test/o/\(key)?X-Amz-Signature=\(signature)"] }
    }
    try serve(things)
  }

  func testAnAddressThatDiffersInEachListingCostsNoTransfer() async throws {
    try serveSigned("one", ["a": "alpha", "b": "beta"])
    try await syncWell()
    try serveSigned("two", ["a": "alpha", "b": "beta 2"])
    try await syncWell()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/o/b"])
    XCTAssertEqual(site.log.last?.address.query, "X-Amz-Signature=two")
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta 2"])
  }
}

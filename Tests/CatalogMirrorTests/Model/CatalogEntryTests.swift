import XCTest

@testable import CatalogMirror
@testable import SyncText

/// An entry keeps what it is given, however it holds it.
final class CatalogEntryTests: XCTestCase {
  private let digest = SHA256Digest(of: "a".utf8)
  private let other = SHA256Digest(of: "b".utf8)

  func testAnEntryThatLiesWhereItsKeySaysEqualsOneWithThatAddress() {
    let own = CatalogEntry(
      plainKey: CatalogKey("a/b"), in: .init("https://h/x/"), version: .unknown)
    let listed = CatalogEntry(key: CatalogKey("a/b"), locators: ["https://h/x/a/b"])
    XCTAssertEqual(own.locators, ["https://h/x/a/b"])
    XCTAssertEqual(own, listed)
    XCTAssertEqual(Set([own, listed]).count, 1)
    let elsewhere = CatalogEntry(
      plainKey: CatalogKey("a/b"), in: .init("https://h/y/"), version: .unknown)
    XCTAssertNotEqual(own, elsewhere)
    XCTAssertNotEqual(elsewhere, listed)
  }

  func testTheBytesStayWhereTheyAreWhenTheKeyChanges() {
    var entry = CatalogEntry(
      plainKey: CatalogKey("b"), in: .init("https://h/x/"), version: .unknown)
    entry.key = CatalogKey("a/b")
    XCTAssertEqual(entry.locators, ["https://h/x/b"])
  }

  func testTheDigestIsKeptInWhateverOrderItAndTheVersionAreSet() {
    for version in [ItemVersion.digest(digest), .digest(other), .revision("1"), .unknown] {
      for sha256 in [digest, nil] {
        var one = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"])
        one.sha256 = sha256
        one.version = version
        var two = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"], version: version)
        two.sha256 = sha256
        XCTAssertEqual(one, two)
        XCTAssertEqual(one.sha256, sha256)
        XCTAssertEqual(two.sha256, sha256)
        XCTAssertEqual(one.version, version)
        one.version = .digest(digest)
        XCTAssertEqual(one.sha256, sha256)
        one.sha256 = nil
        XCTAssertNil(one.sha256)
        XCTAssertEqual(one.version, .digest(digest))
      }
    }
  }

  func testEachFactTellsEntriesApartAndACopyStaysAsItWas() throws {
    let changes: [(String, (inout CatalogEntry) -> Void)] = [
      ("key", { $0.key = CatalogKey("b") }), ("locators", { $0.locators = [] }),
      ("version", { $0.version = .revision("1") }), ("size", { $0.size = 0 }),
      ("estimatedSize", { $0.estimatedSize = 0 }), ("sha256", { [digest] in $0.sha256 = digest }),
      ("checks", { [digest] in $0.checks = [ContentDigest(digest)] }),
      ("modified", { $0.modified = 0 }), ("order", { $0.order = 1 }), ("title", { $0.title = "" }),
      ("preview", { $0.preview = .init(locator: "https://h/p") }), ("extra", { $0.extra = "{}" }),
      ("line", { $0.line = LineDigest.zeros }),
    ]
    let anew = {
      CatalogEntry(plainKey: CatalogKey("a"), in: .init("https://h/"), version: .unknown)
    }
    let plain = anew()
    XCTAssertEqual(Mirror(reflecting: plain).children.compactMap(\.label).count, changes.count)
    for (name, change) in changes {
      var changed = plain
      change(&changed)
      XCTAssertNotEqual(changed, plain, name)
      XCTAssertEqual(plain, anew(), name)
      var again = plain
      change(&again)
      XCTAssertEqual(changed, again, name)
      let labels = Mirror(reflecting: changed).children.compactMap(\.label)
      XCTAssert(labels.contains(name), name)
    }
  }

  /// As many as are packed together and more, each with other facts than the one before, so that
  /// each has neighbours that are longer, shorter, or stay by themselves.
  func testPackedEntriesSayWhatTheySaidBefore() {
    let places = [EntryPlace.Directory("https://h/x/"), EntryPlace.Directory("https://h/y/")]
    let versions: [ItemVersion] = [
      .unknown, .digest(digest), .digest(other), .dateAndSize(date: "14-Nov-2023 22:13", size: 7),
      .dateAndSize(date: "", size: nil), .dateAndSize(date: nil, size: 7),
      .dateAndSize(date: String(repeating: "d", count: 256), size: 7), .revision("1"),
      .dateAndSize(date: "d", size: 8), .strongETag("\"e\""),
    ]
    let dates: [Double] = [1.5, 1_700_000_000, -1, 4_294_967_296]
    var listed: [ListedEntry] = []
    for number in 0..<1_000 {
      var entry = CatalogEntry(
        plainKey: CatalogKey("a/\(number)"), in: places[number % 7 == 0 ? 1 : 0],
        version: versions[number % versions.count])
      if number % 2 == 0 { entry.size = 7 }
      if number % 37 == 0 { entry.size = 1 << 32 }
      if number % 3 == 0 { entry.modified = dates[number % dates.count] }
      if number % 5 == 0 { entry.sha256 = digest }
      if number % 11 == 0 { entry.line = LineDigest(digest) }
      if number % 13 == 0 { entry.estimatedSize = 9 }
      if number % 17 == 0 { entry.title = "t" }
      if number % 19 == 0 { entry.locators = ["https://h/z"] }
      if number % 29 == 0 { entry.locators = ["https://h/x/a/\(number)"] }
      if number % 31 == 0 { entry.locators = ["https://h/x/a/\(number)", "https://h/z"] }
      let unusable = UnusableEntry(position: number, key: nil, problem: .noKey)
      listed.append(
        number % 23 == 0 ? .unusable(unusable) : .entry(entry, settled: number % 2 == 0))
    }
    var packed: [ListedEntry] = []
    for entry in listed {
      packed.append(entry)
      packed.packLast()
    }
    packed.pack(0..<packed.count)
    XCTAssertEqual(packed, listed)
    for case (.entry(let one, _), .entry(let two, _)) in zip(packed, listed) {
      XCTAssertEqual(one.key, two.key)
      XCTAssertEqual(Array(one.keyBytes), two.key.bytes)
      XCTAssertEqual(one.estimatedSize, two.estimatedSize)
      XCTAssertEqual(one.hashValue, two.hashValue)
      XCTAssertEqual("\(Mirror(reflecting: one).children)", "\(Mirror(reflecting: two).children)")
      var (changed, changedToo) = (one, two)
      (changed.size, changedToo.size) = (3, 3)
      XCTAssertEqual(changed, changedToo)
      XCTAssertEqual(one, two)
    }
  }

  /// A key is the same whether it lies in a block or by itself, and no position is one.
  func testAnItemIsKnownByItsKeyWhereverThatLies() {
    let place = EntryPlace.Directory("https://h/x/")
    let open = ["a", "b"].map { name in
      let entry = CatalogEntry(plainKey: CatalogKey(name), in: place, version: .unknown)
      return ListedEntry.entry(entry, settled: true)
    }
    var packed = open
    packed.pack(0..<packed.count)
    let ids = [open, packed].map { list in list.compactMap(Self.id) }
    XCTAssertEqual(ids[0], [.key(CatalogKey("a")), .key(CatalogKey("b"))])
    guard case .packed = ids[1][0] else { return XCTFail("it isn't packed") }
    XCTAssertEqual(ids[0], ids[1])
    XCTAssertEqual(ids[0].map(\.hashValue), ids[1].map(\.hashValue))
    XCTAssertEqual(Set(ids[0]).union(ids[1]), Set(ids[1]))
    XCTAssertEqual(ids[1].map(\.description), ["a", "b"])
    XCTAssertNotEqual(ids[1][0], ids[0][1])
    XCTAssertNotEqual(ids[1][0], ids[1][1])
    XCTAssertNotEqual(ids[1][0], .position(0))
  }

  private static func id(of listed: ListedEntry) -> MirrorItem.ID? {
    guard case .entry(let entry, let isSettled) = listed else { return nil }
    return MirrorItem(entry, isSettled: isSettled).id
  }

  func testAnEntryTakesNoMoreRoomInAListThanTwoWords() {
    XCTAssertLessThanOrEqual(MemoryLayout<ListedEntry>.stride, 16)
    XCTAssertLessThanOrEqual(MemoryLayout<MirrorItem>.stride, 16)
    XCTAssertLessThanOrEqual(MemoryLayout<MirrorPlan.Fetch>.stride, 16)
  }

  /// Text that says the same in other bytes, as é in one or in two, is another text to who shows or
  /// compares it; for Swift it is equal, and it was not written.
  func testTextIsTakenByItsBytes() {
    let (one, two) = ("\u{E9}", "e\u{301}")
    XCTAssertEqual(one, two)
    var entry = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"])
    (entry.title, entry.extra, entry.preview) = (one, one, .init(locator: one))
    (entry.title, entry.extra, entry.preview) = (two, two, .init(locator: two))
    for text in [entry.title, entry.extra, entry.preview?.locator] {
      XCTAssertEqual(text.map { Array($0.utf8) }, Array(two.utf8))
    }
  }
}

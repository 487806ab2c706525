import TestSupport
@testable import CatalogMirror
import SyncDatabase
import XCTest
@testable import SyncText

/// What goes into the index comes out of it again, to the last byte.
final class IndexEncodingTests: XCTestCase {
  private static let oddTexts = [
    "", " ", ":", "12:34", "nul \0 inside", "é", "e\u{301}", "🗂\u{200d}\u{feff}", "\"quoted\"",
    "line\nbreak\r\n", "\u{fffe}\u{10ffff}", "'; DROP TABLE items; --",
  ]

  func testEveryKindOfVersionComesBack() async throws {
    let digest = try XCTUnwrap(SHA256Digest(bytes: Array(200..<232)))
    var versions: [ItemVersion] = [.digest(digest), .unknown]
    for size in [nil, 0, 12, Int64.max, -1] {
      versions.append(.dateAndSize(date: nil, size: size))
      versions += Self.oddTexts.map { .dateAndSize(date: $0, size: size) }
    }
    for text in Self.oddTexts {
      versions += [.strongETag(text), .weakETag(text), .revision(text)]
    }
    let entries = versions.enumerated().map { offset, version in
      CatalogEntry(key: CatalogKey("\(offset)"), locators: [], version: version)
    }
    try await assertEqual(roundTrip(entries).map { Self.exact($0) }, entries.map { Self.exact($0) })
  }

  func testVersionsThatDifferInBytesAloneStayApart() async throws {
    let texts = ["é", "e\u{301}"]
    let entries = texts.map {
      CatalogEntry(key: CatalogKey($0), locators: [], version: .revision($0))
    }
    let found = try await roundTrip(entries)
    XCTAssertEqual(found.map { Self.exact($0) }, entries.map { Self.exact($0) })
    XCTAssertNotEqual(Self.exact(found[0]), Self.exact(found[1]))
  }

  func testKeysAreBytes() async throws {
    let keys: [[UInt8]] = [
      [], [0], [0xff, 0xfe], Array("é".utf8), Array("e\u{301}".utf8), [0, 0],
    ]
    let entries = keys.map { CatalogEntry(key: CatalogKey(bytes: $0), locators: []) }
    try await assertEqual(roundTrip(entries).map(\.key.bytes), keys)
  }

  func testNilAndEmptyAreDifferentInEveryField() async throws {
    let bare = CatalogEntry(key: CatalogKey("bare"), locators: [])
    var empty = CatalogEntry(key: CatalogKey("empty"), locators: [""])
    empty.size = 0
    empty.estimatedSize = 0
    empty.modified = 0
    empty.title = ""
    empty.extra = ""
    empty.preview = CatalogEntry.Preview(locator: "")
    try await assertEqual(roundTrip([bare, empty]), [bare, empty])
  }

  func testAFullEntryComesBackWhole() async throws {
    for text in Self.oddTexts {
      var entry = CatalogEntry(
        key: CatalogKey("full"), locators: [text, text + "2", ""], version: .strongETag(text))
      entry.size = .max
      entry.estimatedSize = 1
      entry.sha256 = SHA256Digest(bytes: Array(0..<32))
      entry.checks = ContentDigest.Algorithm.allCases.compactMap { ContentDigest($0, of: [1]) }
      entry.modified = -1_234.567_891
      entry.order = .min
      entry.title = text
      entry.extra = "{\"x\":\"\(text)\"}"
      var preview = CatalogEntry.Preview(locator: text, version: .weakETag(text))
      preview.size = 7
      preview.sha256 = SHA256Digest(bytes: Array(32..<64))
      entry.preview = preview
      try await assertEqual(roundTrip([entry]).map { Self.exact($0) }, [Self.exact(entry)])
    }
  }

  func testFurtherDigestsThatChangedAreNoticedBitByBit() throws {
    let key = CatalogKey("a")
    let checks = [ContentDigest.Algorithm.sha1, .sha512].compactMap { ContentDigest($0, of: [1]) }
    guard case .blob(let stored)? = StoredChecks(checks, of: key)?.storedValue else {
      return XCTFail("digests are stored as bytes")
    }
    XCTAssertEqual(StoredChecks.checks(in: stored, of: key), checks)
    XCTAssertNil(StoredChecks.checks(in: stored, of: CatalogKey("b")), "another row's")
    for bit in 0..<stored.count * 8 {
      var damaged = stored
      damaged[bit / 8] ^= 1 << (bit % 8)
      XCTAssertNil(StoredChecks.checks(in: damaged, of: key), "bit \(bit)")
    }
  }

  func testADateThatIsNotANumberIsNoDate() async throws {
    var entry = CatalogEntry(key: CatalogKey("nan"), locators: [])
    entry.modified = .nan
    try await assertEqual(roundTrip([entry]).map(\.modified), [nil])
  }

  private func roundTrip(_ entries: [CatalogEntry]) async throws -> [CatalogEntry] {
    let index = try await emptyIndex()
    try await index.write { try $0.record(entries.map { .entry($0) }) }
    return try await index.read { reader in
      try entries.compactMap { try reader.item($0.key)?.entry }
    }
  }

  /// The entry's bytes as far as they show: equality of texts alone would fold Unicode forms.
  private static func exact(_ entry: CatalogEntry) -> [UInt8] {
    Array(String(reflecting: entry).utf8)
  }
}

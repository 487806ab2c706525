import CatalogMirror
import Foundation
import SyncDatabase
import TestSupport
import XCTest
@testable import SyncText

extension XCTestCase {
  /// The path of an index that doesn't exist yet, in a directory that goes away with the test.
  func temporaryIndexPath() throws -> String {
    try temporaryFolder().appending(path: "index.sqlite").path
  }

  /// A new, empty index.
  func emptyIndex() async throws -> MirrorIndex {
    try await MirrorIndex.open(path: try temporaryIndexPath())
  }

  /// The index as it would be found if the process were killed now: a copy of its files.
  func copyAsAfterAKill(of path: String) throws -> String {
    let copy = try temporaryIndexPath()
    for suffix in ["", "-wal"] where isThere(path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }

  /// Asserts that `body` throws a `DatabaseError` of this kind.
  func assertFails(
    _ code: DatabaseError.Code, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      XCTFail("no error", line: line)
    } catch let error as DatabaseError {
      XCTAssertEqual(error.code, code, "\(error)", line: line)
    } catch {
      XCTFail("\(error)", line: line)
    }
  }
}

extension CatalogEntry {
  /// An entry as a plain catalog gives it.
  static func plain(_ key: String, revision: String = "1") -> CatalogEntry {
    CatalogEntry(
      key: CatalogKey(key), locators: ["https://example.org/" + key],
      version: .revision(revision))
  }
}

extension PlaceableEntry {
  /// The same of a key that is a path.
  static func plain(_ key: String, revision: String = "1") -> PlaceableEntry {
    do {
      return try PlaceableEntry(.plain(key, revision: revision))
    } catch {
      preconditionFailure("the key '\(key)' \(error)")
    }
  }
}

extension IndexedContent {
  /// Content of a revision, with made-up facts.
  static func plain(revision: String = "1", size: Int64 = 100) -> IndexedContent {
    IndexedContent(
      version: .revision(revision), size: size,
      modifiedNanoseconds: 1_700_000_000_123_456_789, inode: .max,
      sha256: SHA256Digest(bytes: Array(0..<32)))
  }
}

extension IndexedPreview {
  private static let digest = SHA256Hasher().finish()

  /// A preview with made-up facts.
  static func plain(size: Int64 = 10) -> IndexedPreview {
    IndexedPreview(
      version: .weakETag("W/\"p\""), name: "ab12.jpg", size: size, modifiedNanoseconds: -5,
      sha256: digest)
  }
}

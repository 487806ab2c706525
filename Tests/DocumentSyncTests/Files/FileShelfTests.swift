import Foundation
import SyncText
import TestSupport
import XCTest

@testable import DocumentSync

/// Where the contents of files are.
final class FileShelfTests: StoreTestCase {
  private let bytes = Array("a picture".utf8)
  private var digest: String { "\(SHA256Digest(of: bytes))" }

  /// Both kinds.
  private var shelves: [FileContents] { [FileContents(besideStoreAt: path), FileContents()] }

  private var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path + "-files")
    return (names ?? []).sorted()
  }

  func testAContentIsKeptOnceUnderItsDigest() async throws {
    for shelf in shelves {
      try await assertNil(shelf.bytes(of: digest))
      for _ in 0..<2 { try await assertEqual(shelf.keep(bytes), digest) }
      try await assertEqual(shelf.bytes(of: digest), bytes)
    }
    XCTAssertEqual(names, [digest])
  }

  func testAContentAppearsWholeOrNotAtAll() async throws {
    for shelf in shelves {
      try await shelf.append(Array(bytes.prefix(4)), to: digest)
      try await assertNil(shelf.size(of: digest))
      try await assertEqual(shelf.beginning(of: digest), 4)
      try await shelf.append(Array(bytes.dropFirst(4)), to: digest)
      try await assertTrue(shelf.finish(digest))
      try await assertEqual(shelf.bytes(of: digest), bytes)
    }
    XCTAssertEqual(names, [digest])
  }

  func testWhatIsNotWhatItsDigestSaysIsThrownAway() async throws {
    for shelf in shelves {
      try await shelf.append(Array("another".utf8), to: digest)
      try await assertFalse(shelf.finish(digest))
      try await assertEqual(shelf.beginning(of: digest), 0)
      try await assertNil(shelf.bytes(of: digest))
    }
    XCTAssertEqual(names, [])
  }

  func testAFolderThatCannotBeUsedIsTold() async throws {
    try Data().write(to: URL(filePath: path + "-files"))
    if let problem = await thrown(
      DocumentError.self, by: try await FileContents(besideStoreAt: path).keep(bytes))
    {
      XCTAssertTrue("\(problem)".contains("store.sqlite-files"), "\(problem)")
    }
  }
}

import Foundation
import SyncText
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
      let before = try await shelf.bytes(of: digest)
      XCTAssertNil(before)
      for _ in 0..<2 {
        let name = try await shelf.keep(bytes)
        XCTAssertEqual(name, digest)
      }
      let after = try await shelf.bytes(of: digest)
      XCTAssertEqual(after, bytes)
    }
    XCTAssertEqual(names, [digest])
  }

  func testAContentAppearsWholeOrNotAtAll() async throws {
    for shelf in shelves {
      try await shelf.append(Array(bytes.prefix(4)), to: digest)
      let size = try await shelf.size(of: digest)
      XCTAssertNil(size)
      let beginning = try await shelf.beginning(of: digest)
      XCTAssertEqual(beginning, 4)
      try await shelf.append(Array(bytes.dropFirst(4)), to: digest)
      let isWhole = try await shelf.finish(digest)
      XCTAssertTrue(isWhole)
      let whole = try await shelf.bytes(of: digest)
      XCTAssertEqual(whole, bytes)
    }
    XCTAssertEqual(names, [digest])
  }

  func testWhatIsNotWhatItsDigestSaysIsThrownAway() async throws {
    for shelf in shelves {
      try await shelf.append(Array("another".utf8), to: digest)
      let isWhole = try await shelf.finish(digest)
      XCTAssertFalse(isWhole)
      let beginning = try await shelf.beginning(of: digest)
      XCTAssertEqual(beginning, 0)
      let kept = try await shelf.bytes(of: digest)
      XCTAssertNil(kept)
    }
    XCTAssertEqual(names, [])
  }

  func testAFolderThatCannotBeUsedIsTold() async throws {
    try Data().write(to: URL(filePath: path + "-files"))
    do {
      _ = try await FileContents(besideStoreAt: path).keep(bytes)
      XCTFail("it's kept")
    } catch let problem as DocumentError {
      XCTAssertTrue("\(problem)".contains("store.sqlite-files"), "\(problem)")
    }
  }
}

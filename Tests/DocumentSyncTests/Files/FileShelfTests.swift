import Foundation
import SyncLock
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

  /// Two who kept the same at once wrote one file together, and both lost it.
  func testWhoKeepTheSameAtOnceBothHaveIt() async throws {
    let (shelf, bytes) = (shelves[0], [UInt8](repeating: 7, count: 1 << 20))
    let digests = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { [path] in
          try await FileContents(besideStoreAt: path).keep(bytes)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    XCTAssertEqual(Set(names), digests)
    try await assertEqual(shelf.bytes(of: XCTUnwrap(digests.first)), bytes)
  }

  func testAFileIsCopiedAndReadAPieceAtATime() async throws {
    let (size, source) = (96 << 20, folder.appending(path: "film.mp4").path)
    XCTAssertTrue(FileManager.default.createFile(atPath: source, contents: nil))
    truncate(source, off_t(size))
    let before = try memory("VmRSS:")
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let facts = try await shelves[0].keep(path: source)
    XCTAssertEqual([facts.size, Int64(facts.name.count)], [Int64(size), 8])
    let read = Locked<(count: Int, longest: Int)>((0, 0))
    try await assertTrue(
      shelves[0].read(facts.digest) { piece in
        read.withLock { $0 = ($0.count + piece.count, max($0.longest, piece.count)) }
      })
    XCTAssertEqual(read.withLock { $0.count }, size)
    XCTAssertLessThanOrEqual(read.withLock { $0.longest }, 1 << 20)
    XCTAssertLessThan(try memory("VmHWM:") - before, 48 << 20)
    try await assertFalse(shelves[0].read(digest) { _ in })
    XCTAssertEqual(names, [facts.digest])
  }

  private func memory(_ name: String) throws -> Int {
    let status = try readText("/proc/self/status")
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix(name) })
    return try XCTUnwrap(line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
      << 10
  }

  func testWhatSomebodyLeftWhoWasKilledWhileWritingItGoesAfterADay() async throws {
    _ = try await shelves[0].keep(bytes)
    for (name, age) in [("new-old", 90_000.0), ("new-young", 0)] {
      let left = path + "-files/" + name
      try Data("half".utf8).write(to: URL(filePath: left))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: left)
    }
    let other = folder.appending(path: "a.txt")
    try Data("another".utf8).write(to: other)
    let facts = try await shelves[0].keep(path: other.path)
    XCTAssertEqual(names, [digest, facts.digest, "new-young"].sorted())
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

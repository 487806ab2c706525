import FolderTestSupport
import Foundation
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder

/// Servers that answer requests for parts in odd ways: nothing but the file is the file.
final class PartFaultTests: PartsTestCase {
  /// The headers of an answer with some of them in place of its own.
  private static func setting(
    _ name: String, _ value: String?, in answer: inout MemoryTransport.Answer
  ) {
    let kept = answer.headers.fields.filter { $0.name != name }.map { ($0.name, $0.value) }
    answer.headers = HTTPHeaders(kept + (value.map { [(name, $0)] } ?? []))
  }

  private static let other = longText("TEXT")

  private static func lies() -> [(String, RangedFile.Change)] {
    let size = whole.utf8.count
    return [
      (
        "another range",
        { answer, _ in
          setting("Content-Range", "bytes 5-\(4 + answer.body.count)/\(size)", in: &answer)
        }
      ),
      (
        "a shorter range",
        { answer, _ in
          answer.body.removeLast()
          let range = answer.headers["Content-Range"]?.split(separator: "-").first ?? ""
          let start = Int(range.dropFirst("bytes ".count)) ?? 0
          setting(
            "Content-Range", "bytes \(start)-\(start + answer.body.count - 1)/\(size)", in: &answer)
        }
      ),
      (
        "of another whole",
        { answer, _ in
          let range = answer.headers["Content-Range"]?.split(separator: "/").first ?? ""
          setting("Content-Range", "\(range)/\(size + 1)", in: &answer)
        }
      ),
      (
        "of an unknown whole",
        { answer, _ in
          let range = answer.headers["Content-Range"]?.split(separator: "/").first ?? ""
          setting("Content-Range", "\(range)/*", in: &answer)
        }
      ),
      ("no range", { answer, _ in setting("Content-Range", nil, in: &answer) }),
      (
        "several parts",
        { answer, _ in
          setting("Content-Type", "multipart/byteranges; boundary=x", in: &answer)
        }
      ),
      (
        "of another version",
        { answer, _ in
          setting("ETag", "\"2\"", in: &answer)
          answer.body = Array(repeating: 7, count: answer.body.count)
        }
      ),
      ("without a validator", { answer, _ in setting("ETag", nil, in: &answer) }),
      ("packed", { answer, _ in setting("Content-Encoding", "gzip", in: &answer) }),
      (
        "longer than it says",
        { answer, _ in
          answer.framing = .chunked
          answer.body += [1, 2, 3]
        }
      ),
      (
        "the whole of another version",
        { answer, _ in
          answer = .text(other, ("ETag", "\"2\""))
        }
      ),
      ("416", { answer, _ in answer = .status(416) }),
      ("304", { answer, _ in answer = .status(304) }),
    ]
  }

  func testALaterPartThatIsNotThePartHasTheFileFetchedInOnePiece() async throws {
    for (name, lie) in Self.lies() {
      let lied = Locked(false)
      try await fetchAnew { answer, number in
        guard number == 3, answer.status == 206 else { return }
        lied.withLock { $0 = true }
        try lie(&answer, number)
      }
      XCTAssertTrue(lied.withLock { $0 }, name)
      XCTAssertEqual(file.ranges.count { $0 == nil }, 1, name)
      XCTAssertEqual(file.ranges.last, .some(nil), name)
    }
  }

  func testAFirstPartThatIsNotThePartDoesSoToo() async throws {
    for (name, lie) in Self.lies() where !name.contains("version") {
      try await fetchAnew { answer, number in
        if number == 1 { try lie(&answer, number) }
      }
      XCTAssertEqual(file.ranges.first, "bytes=0-262143", name)
      XCTAssertEqual(file.ranges.last, .some(nil), name)
      XCTAssertEqual(file.ranges.count { $0 == nil }, 1, name)
    }
  }

  func testAFileThatShrinksInTheMiddleIsNoFileAndLeavesTheOldOne() async throws {
    try await fetchAnew { _, _ in }
    let listed = Self.longText("newer")
    try serve([Thing("a", listed) { $0.version = "2" }])
    file.become(listed, etag: "\"3\"")
    let file = file
    file.onAnswer { _, number in
      if number == 2 { file.become("short", etag: "\"4\"") }
    }
    let report = try await mirror { $0.streams = 3 }.sync()
    assertEnds(report, .someFailed)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    try await assertIndexIsTrue()
  }

  func testOnlyWhatAPartLacksIsAskedForAgain() async throws {
    try serveFile()
    file.onAnswer { answer, number in
      guard number == 3 else { return }
      answer.framing = .length(Int64(answer.body.count))
      answer.body = Array(answer.body.prefix(100_000))
      answer.breakage = .interrupted
    }
    let report = try await syncRetrying(1) { $0.streams = 3 }
    assertEnds(report)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    XCTAssertEqual(report.bytes, Int64(size))
    let asked = file.asked
    let ends = try XCTUnwrap(asked[2].range).dropFirst("bytes=".count).split(separator: "-")
    let rest = "bytes=\(try XCTUnwrap(Int(ends[0])) + 100_000)-\(ends[1])"
    XCTAssertEqual(asked.count { $0.range == rest && $0.condition == "\"1\"" }, 1)
    XCTAssertEqual(Set(asked.map(\.range)).count, asked.count, "nothing else twice")
  }

  func testAPartThatIsThereAndWhoseAnswerBreaksOffIsNotWrittenTwice() async throws {
    try serveFile()
    file.onAnswer { answer, number in
      // The byte that comes once more is another one, and isn't taken.
      if answer.body.count == 1 { answer.body = [0] }
      if number == 2 { answer.breakage = .interrupted }
    }
    let report = try await syncRetrying(1) { $0.streams = 3 }
    assertEnds(report)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }

  func testBytesOfAPartThatAreWrongAreFoundAndTheWholeIsFetchedPastTheCaches() async throws {
    try? FileManager.default.removeItem(atPath: folder)
    try serveFile()
    file.onAnswer { answer, number in
      if number == 2 { answer.body[1_000] ^= 1 }
    }
    assertEnds(try await mirror { $0.streams = 3 }.sync())
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    XCTAssertEqual(file.ranges.count { $0 == nil }, 1)
  }

  func testADiskThatFillsUpIsOneErrorAndTheNextRunGoesOn() async throws {
    let disk = FillingDisk()
    try serveFile()
    var environment = environment
    environment.fileSystem = disk
    var options = mirror { $0.streams = 3 }.options
    options.checksSpace = false
    disk.room.withLock { $0 = 1_500_000 }
    let report = try await FolderMirror(options, in: environment).sync()
    assertEnds(report, .failed)
    XCTAssertEqual(try tree(), [:])
    disk.room.withLock { $0 = .max }
    let next = try await FolderMirror(options, in: environment).sync()
    assertEnds(next)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    XCTAssertLessThanOrEqual(next.bytes, Int64(size) - PartialFiles.worthKeeping)
    XCTAssertEqual(try staged(), [])
  }
}

/// The real disk, with room for so many bytes of parts.
private final class FillingDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  let room = Locked(Int.max)

  func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    let hasRoom = room.withLock { room in
      room -= min(room, bytes.count)
      return room > 0
    }
    guard hasRoom else { throw .noSpace }
    return try base.write(bytes, to: descriptor, at: offset)
  }
}

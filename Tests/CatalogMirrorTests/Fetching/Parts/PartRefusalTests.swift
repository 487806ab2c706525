import Foundation
import SyncLock
import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// Servers, and what is on the way to them, that refuse requests for parts.
final class PartRefusalTests: PartsTestCase {
  private static let other = longText("TEXT")

  /// What a server, or something on the way to it, may say to a request for a range.
  private static let refusals = [400, 403, 405, 501, 505]

  func testAServerThatRefusesRangesGivesTheWholeAndIsNotAskedForPartsAgain() async throws {
    for status in Self.refusals {
      try? FileManager.default.removeItem(atPath: folder)
      try serve([Thing("a", whole) { $0.order = 1 }, Thing("b", Self.other) { $0.order = 2 }])
      file.onAnswer { answer, _ in
        if answer.status == 206 { answer = .status(status) }
      }
      assertEnds(try await inTurn().sync())
      XCTAssertEqual(file.ranges, ["bytes=0-262143", nil], "\(status)")
      XCTAssertTrue(try tree() == ["a": whole, "b": Self.other], "other bytes")
    }
    XCTAssertEqual(Set(rangesOfB), [nil])
  }

  func testAFileThatNobodyMayHaveSaysNothingOfTheOthers() async throws {
    for status in [401, 403, 404, 410] {
      try? FileManager.default.removeItem(atPath: folder)
      try serve([Thing("a", whole) { $0.order = 1 }, Thing("b", Self.other) { $0.order = 2 }])
      file.onAnswer { answer, _ in answer = .status(status) }
      assertEnds(try await inTurn().sync(), .someFailed)
      XCTAssertEqual(file.ranges.count, status == 403 ? 2 : 1, "\(status)")
      XCTAssertTrue(try tree() == ["b": Self.other], "other bytes")
    }
    XCTAssertEqual(Set(rangesOfB), ["bytes=0-262143"])
  }

  /// A mirror that fetches one item after the other.
  private func inTurn() -> FolderMirror {
    mirror {
      $0.streams = 3
      $0.concurrency = 1
    }
  }

  private var rangesOfB: [String?] {
    site.log.filter { $0.address.path == "/pub/b" }.map { $0.headers["Range"] }
  }

  func testWhereAFurtherPartIsRefusedWhatIsMissingComesOneAfterTheOther() async throws {
    for status in Self.refusals {
      // Each byte comes once, as it asserts.
      try await fetchAnew { answer, number in
        if number == 3 { answer = .status(status) }
      }
      XCTAssertEqual(file.ranges.count { $0 == nil }, 0, "\(status)")
    }
  }

  func testAFileThatIsForbiddenInTheMiddleKeepsItsParts() async throws {
    try serveFile()
    sizes.withLock { $0.least = 768 << 10 }
    file.onAnswer { answer, number in
      if number >= 3 { answer = .status(403) }
    }
    assertEnds(
      try await mirror {
        $0.streams = 2
        $0.connectionsPerOrigin = 1
      }.sync(), .someFailed)
    XCTAssertEqual(file.asked.count, 4)
    file.onAnswer { _, _ in }
    let next = try await mirror { $0.streams = 2 }.sync()
    assertEnds(next)
    XCTAssertLessThanOrEqual(next.bytes, Int64(size) - PartialFiles.worthKeeping)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }
}

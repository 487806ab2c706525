import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// The parts that one run has, the next one goes on with.
final class KeptPartsTests: PartsTestCase {
  private func record() throws -> PartialRecord {
    let name = try XCTUnwrap(staged().first { $0.hasPrefix("resume-") })
    let path = URL(filePath: "\(folder)/.mirror/staging/\(name)")
    return try XCTUnwrap(PartialRecord(Array(try Data(contentsOf: path))))
  }

  /// A first run in which the third part never comes; and what it keeps.
  private func keepParts() async throws -> ByteRanges {
    try? FileManager.default.removeItem(atPath: folder)
    try serveFile()
    sizes.withLock { $0.least = 768 << 10 }
    file.onAnswer { answer, number in
      if number == 3 { answer.refusal = .interrupted }
    }
    // One after the other, so that what comes when is known.
    let report = try await mirror {
      $0.streams = 2
      $0.connectionsPerOrigin = 1
    }.sync()
    assertEnds(report, .someFailed)
    let kept = try XCTUnwrap(record().parts)
    XCTAssertFalse(kept.isEmpty)
    file.onAnswer { _, _ in }
    return kept
  }

  /// A run that comes to a good end and receives so much.
  private func assertNextRun(
    receives bytes: Int64, streams: Int = 3, line: UInt = #line
  ) async throws {
    let mirror = mirror { $0.streams = streams }
    let report = try await mirror.sync()
    assertEnds(report, .done, line: line)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes", line: line)
    XCTAssertEqual(report.bytes, bytes, line: line)
    XCTAssertEqual(mirror.progress.bytesDone, bytes, line: line)
    XCTAssertEqual(mirror.progress.bytesTotal, bytes, line: line)
    XCTAssertEqual(try staged(), [], line: line)
    try await assertIndexIsTrue(line: line)
  }

  func testTheNextRunAsksForWhatIsMissingAlsoWithASingleStream() async throws {
    for streams in [3, 1] {
      let kept = try await keepParts()
      try await assertNextRun(receives: Int64(size) - kept.count, streams: streams)
      XCTAssertEqual(Set(file.asked.map(\.condition)), ["\"1\""])
    }
  }

  func testPartsBehindAGapAreKept() async throws {
    let kept = try await keepBehindGap()
    XCTAssertEqual(kept.ranges.count, 2, "\(kept)")
    try await assertNextRun(receives: Int64(size) - kept.count)
  }

  /// A first run in which the second part never begins, and the third comes whole.
  private func keepBehindGap() async throws -> ByteRanges {
    try? FileManager.default.removeItem(atPath: folder)
    try serveFile()
    let (held, late) = (Gate(), Gate())
    file.onAnswer { answer, number in
      if number == 2 { answer.headGate = held }
      if number == 4 { answer.headGate = late }
    }
    sizes.withLock { ($0.least, $0.most) = (512 << 10, 512 << 10) }
    let cancels = Gate()
    let mirror = mirror { $0.streams = 2 }
    async let run = Self.cancelling(mirror, at: cancels)
    try await held.arrivals(atLeast: 1)
    // The first and the third have come when the fourth is asked for.
    try await late.arrivals(atLeast: 1)
    cancels.open()
    assertEnds(try await run, .cancelled)
    file.onAnswer { _, _ in }
    return try XCTUnwrap(record().parts)
  }

  func testWhatComesInOnePieceGoesOnWithTheBeginningOfTheParts() async throws {
    let kept = try await keepBehindGap()
    sizes.withLock { $0.worthwhile = Int64(size) + 1 }
    try await assertNextRun(receives: Int64(size) - kept.prefix)
    XCTAssertEqual(file.ranges, ["bytes=\(kept.prefix)-"])
  }

  func testAPartThatAnOlderVersionLeftIsOneFromTheBeginning() async throws {
    for keepsRecord in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      try serveFile()
      file.onAnswer { answer, _ in
        answer.framing = .length(Int64(answer.body.count))
        answer.body = Array(answer.body.prefix(1_500_000))
        answer.breakage = .interrupted
      }
      assertEnds(try await mirror { $0.streams = 1 }.sync(), .someFailed)
      XCTAssertNil(try record().parts)
      file.onAnswer { answer, _ in
        if keepsRecord { answer.refusal = .interrupted }
      }
      if keepsRecord {
        assertEnds(try await mirror { $0.streams = 3 }.sync(), .someFailed)
        XCTAssertEqual(try record().parts?.ranges, [0..<1_500_000])
        file.onAnswer { _, _ in }
      }
      try await assertNextRun(receives: Int64(size) - 1_500_000)
      XCTAssertEqual(file.ranges.first??.hasPrefix("bytes=1500000-"), true, "\(file.ranges)")
      XCTAssertGreaterThan(file.ranges.count, 1, "it has several streams from then on")
    }
  }

  func testWhatCouldNotBeMadeOfPartsIsGoneOnWithAsOne() async throws {
    try serveFile()
    file.onAnswer { answer, number in
      // Such as from another mirror.
      if number == 2 { answer.headers = HTTPHeaders([("ETag", "\"other\"")]) }
      guard number > 2, answer.status == 200 else { return }
      answer.framing = .length(Int64(answer.body.count))
      answer.body = Array(answer.body.prefix(1_500_000))
      answer.breakage = .interrupted
    }
    let first = try await mirror {
      $0.streams = 2
      $0.connectionsPerOrigin = 1
    }.sync()
    assertEnds(first, .someFailed)
    XCTAssertEqual(file.ranges.count { $0 == nil }, 1)
    file.onAnswer { _, _ in }
    try await assertNextRun(receives: Int64(size) - 1_500_000)
    XCTAssertEqual(file.ranges, ["bytes=1500000-"])
  }

  func testPartsOfTwoVersionsAreNeverJoined() async throws {
    _ = try await keepBehindGap()
    let other = Self.longText("TEXT")
    file.become(other, etag: "\"2\"")
    let report = try await mirror { $0.streams = 3 }.sync()
    assertEnds(report, .someFailed)
    XCTAssertEqual(try tree(), [:])
    XCTAssertEqual(file.asked.first?.condition, "\"1\"")
    file.become(whole, etag: "\"1\"")
    try await assertNextRun(receives: Int64(size))
  }

  func testAPartWithOtherBytesIsFoundAndTheWholeIsFetchedOnce() async throws {
    _ = try await keepBehindGap()
    let kept = try record()
    let path = "\(folder)/.mirror/staging/\(kept.file)"
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.seek(toOffset: UInt64(try XCTUnwrap(kept.parts?.ranges.last).lowerBound))
    try handle.write(contentsOf: Data([0, 0, 0]))
    try handle.close()
    assertEnds(try await mirror { $0.streams = 3 }.sync())
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    XCTAssertEqual(file.ranges.count { $0 == nil }, 1)
  }

  func testOfAFileThatIsWholeTheLastByteIsAskedFor() async throws {
    _ = try await keepBehindGap()
    var kept = try record()
    kept.parts = ByteRanges(0..<Int64(size))
    let area = "\(folder)/.mirror/staging/"
    try Data(whole.utf8).withUnsafeBytes { bytes in
      let handle = try FileHandle(forWritingTo: URL(filePath: area + kept.file))
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    }
    let name = try XCTUnwrap(staged().first { $0.hasPrefix("resume-") })
    try Data(XCTUnwrap(kept.encoded())).write(to: URL(filePath: area + name))
    try await assertNextRun(receives: 1)
    XCTAssertEqual(file.ranges, ["bytes=\(size - 1)-\(size - 1)"])
  }
}

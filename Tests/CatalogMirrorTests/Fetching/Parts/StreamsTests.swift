import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A large file by several ranges at once.
final class StreamsTests: PartsTestCase {
  /// The ranges of requests, by their beginnings.
  private func bounds(_ asked: [RangedFile.Asked]) -> [Range<Int>] {
    asked.compactMap { asked -> Range<Int>? in
      let ends = (asked.range ?? "").dropFirst("bytes=".count).split(separator: "-")
      guard ends.count == 2, let start = Int(ends[0]), let last = Int(ends[1]) else { return nil }
      return start..<last + 1
    }.sorted { $0.lowerBound < $1.lowerBound }
  }

  func testOnceTheFirstPartBeginsSeveralComeAtOnceAndEachByteOnce() async throws {
    let (held, arrived) = (Gate(), Gate())
    try serveFile()
    file.onAnswer { answer, number in
      if number == 1 { answer.bodyGate = held } else { answer.headGate = arrived }
    }
    let mirror = mirror { $0.streams = 3 }
    async let run = mirror.sync()
    try await held.arrivals(atLeast: 1)
    try await arrived.waiters(atLeast: 2)
    XCTAssertEqual(file.asked.count, 3, "the first one is still under way")
    arrived.open()
    held.open()
    assertEnds(try await run)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    let bounds = bounds(file.asked)
    XCTAssertEqual(file.asked.first, .init(range: "bytes=0-262143"))
    XCTAssertEqual(
      file.asked.dropFirst().map(\.condition), file.asked.dropFirst().map { _ in "\"1\"" })
    XCTAssertEqual(bounds.count, file.asked.count)
    XCTAssertEqual(bounds.first?.lowerBound, 0)
    XCTAssertEqual(bounds.last?.upperBound, size)
    XCTAssertEqual(
      zip(bounds, bounds.dropFirst()).filter { $0.upperBound != $1.lowerBound }.count, 0)
    XCTAssertEqual(mirror.progress.bytesDone, Int64(size))
  }

  func testWithoutANumberAFileTakesTheRoomThatItsHostHas() async throws {
    let (held, arrived) = (Gate(), Gate())
    try serveFile()
    file.onAnswer { answer, number in
      if number == 1 { answer.bodyGate = held } else { answer.headGate = arrived }
    }
    let mirror = mirror()
    async let run = mirror.sync()
    try await held.arrivals(atLeast: 1)
    // A host begins with eight.
    try await arrived.waiters(atLeast: 7)
    XCTAssertEqual(file.asked.count, 8)
    arrived.open()
    held.open()
    assertEnds(try await run)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }

  func testWhereTheHostHasNoRoomPartsComeOneAfterTheOther() async throws {
    try serveFile()
    assertEnds(try await mirror { $0.connectionsPerOrigin = 1 }.sync())
    XCTAssertEqual(
      file.ranges, ["bytes=0-262143", "bytes=262144-1310719", "bytes=1310720-\(size - 1)"])
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }

  func testWhereOneConnectionCarriesAllRequestsAFileComesAsOne() async throws {
    try serveFile()
    file.isMultiplexed.withLock { $0 = true }
    assertEnds(try await mirror().sync())
    XCTAssertEqual(file.ranges, [nil])
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }

  func testWhileAPartIsSlowTheOthersDoNotRunFarAhead() async throws {
    let (held, last) = (Gate(), Gate())
    try serveFile()
    sizes.withLock { ($0.least, $0.most) = (64 << 10, 64 << 10) }
    let early = Locked<[Int]>([])
    file.onAnswer { answer, number in
      if number == 2 { answer.headGate = held }
      let range = answer.headers["Content-Range"] ?? ""
      let start = range.dropFirst("bytes ".count).split(separator: "-").first.flatMap { Int($0) }
      if !held.isOpen, let start { early.withLock { $0.append(start) } }
      // Twice two parts beyond the second one.
      if start == 256 << 10 { last.open() }
    }
    let mirror = mirror { $0.streams = 2 }
    async let run = mirror.sync()
    try await last.wait()
    held.open()
    assertEnds(try await run)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
    XCTAssertEqual(early.withLock { $0.max() }, 256 << 10)
  }

  func testAServerThatAnswersWithTheWholeIsTakenAtThat() async throws {
    try await fetchAnew { answer, _ in
      let etag = answer.headers["ETag"] ?? ""
      answer = .text(Self.whole, ("ETag", etag))
    }
    XCTAssertEqual(file.asked, [.init(range: "bytes=0-262143")])
  }

  func testAWholeThatIsCutIsGoneOnWithAsEver() async throws {
    try serveFile()
    file.onAnswer { answer, number in
      guard number == 1 else { return }
      answer = .text(Self.whole, ("ETag", "\"1\""))
      answer.framing = .length(Int64(answer.body.count))
      answer.body = Array(answer.body.prefix(5_000))
      answer.breakage = .interrupted
    }
    let report = try await syncRetrying(1) { $0.streams = 3 }
    assertEnds(report)
    XCTAssertEqual(
      file.asked,
      [.init(range: "bytes=0-262143"), .init(range: "bytes=5000-", condition: "\"1\"")])
    XCTAssertTrue(try tree() == ["a": whole], "other bytes")
  }

  func testWhatIsSmallOrNotVouchedForAndASingleStreamAskForNoPart() async throws {
    let changes: [(inout Thing) -> Void] = [{ $0.hasDigest = false }, { $0.hasSize = false }]
    for change in changes {
      try? FileManager.default.removeItem(atPath: folder)
      try serveFile(change)
      assertEnds(try await mirror { $0.streams = 3 }.sync())
      XCTAssertEqual(file.ranges, [nil])
    }
    try await fetchAnew(streams: 1) { _, _ in }
    XCTAssertEqual(file.ranges, [nil])
    sizes.withLock { $0.worthwhile = Int64(size) + 1 }
    try await fetchAnew { _, _ in }
    XCTAssertEqual(file.ranges, [nil])
    sizes.withLock { $0.worthwhile = Int64(size) }
    // Who says how many downloads there are has nothing found out.
    try? FileManager.default.removeItem(atPath: folder)
    try serveFile()
    assertEnds(try await mirror { $0.concurrency = 4 }.sync())
    XCTAssertEqual(file.ranges, [nil])
  }

  func testWithoutAStrongValidatorThereIsOneStreamAndTheHostIsNotAskedForPartsAgain() async throws {
    let other = Self.longText("other")
    try serve([Thing("a", whole) { $0.order = 1 }, Thing("b", other) { $0.order = 2 }])
    try site.answer(Self.root + "b", .text(other, ("ETag", "W/\"2\"")))
    file.onAnswer { answer, _ in
      let fields = answer.headers.fields.filter { $0.name != "ETag" }
      answer.headers = HTTPHeaders(fields.map { ($0.name, $0.value) } + [("ETag", "W/\"1\"")])
    }
    assertEnds(
      try await mirror {
        $0.streams = 3
        $0.concurrency = 1
      }.sync())
    XCTAssertEqual(file.ranges, ["bytes=0-262143", nil])
    XCTAssertEqual(
      site.log.filter { $0.address.path == "/pub/b" }.map { $0.headers["Range"] }, [nil])
    XCTAssertTrue(try tree() == ["a": whole, "b": other], "other bytes")
  }
}

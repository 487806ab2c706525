import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Nothing fails for a pack's sake.
final class PackFaultTests: RunTestCase {
  private let things = (0..<30).map { number in
    Thing("\(number)", "text \(number) " + String(repeating: "x", count: 90))
  }

  /// A run in which the packs are served in a manner; all of it comes in the end.
  private func run(
    _ manner: PackShelf.Manner, _ things: [Thing]? = nil, each count: Int = 1_000, gap: Int = 0,
    waits: Int = 0,
    line: UInt = #line, _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> (report: MirrorReport, told: [String]) {
    let things = things ?? self.things
    try servePacked(things, each: count, gap: gap, manner)
    let mirror = mirror(change)
    let events = mirror.events
    async let run = mirror.sync()
    for _ in 0..<waits {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(60))
    }
    let report = try await run
    mirror.endEvents()
    var told: [String] = []
    for await case .packGivenUp(_, let reason) in events { told.append(reason) }
    assertEnds(report, line: line)
    XCTAssertEqual(report.failures, [], line: line)
    let texts = Dictionary(things.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
    XCTAssertEqual(try tree(), texts, line: line)
    try await assertIndexIsTrue(line: line)
    return (report, told)
  }

  func testAPackThatIsGone() async throws {
    let (report, told) = try await run(.gone)
    XCTAssertEqual([report.packed, report.packRequests, report.packsGivenUp], [0, 0, 1])
    XCTAssertTrue(told.first?.contains("status 404") ?? false, "\(told)")
    XCTAssertEqual(askedByThemselves.count, 30)
  }

  func testPacksThatAreAllGoneAreNotAllAskedFor() async throws {
    let (report, told) = try await run(.gone, each: 3)
    XCTAssertLessThan(askedOfPacks.count, 8, "of ten")
    XCTAssertEqual(report.packsGivenUp, askedOfPacks.count)
    XCTAssertLessThanOrEqual(told.count, 4)
  }

  func testAPackOfOtherBytes() async throws {
    let (report, told) = try await run(.replaced)
    XCTAssertEqual(report.packed, 0)
    XCTAssertEqual(told.count, 1)
    XCTAssertTrue(told.first?.contains("digests") ?? false, "\(told)")
    XCTAssertEqual(askedByThemselves.count, 30)
  }

  func testAPackThatIsCoded() async throws {
    let (_, told) = try await run(.coded)
    XCTAssertTrue(told.first?.contains("gzip") ?? false, "\(told)")
  }

  func testAPackThatIsSaidNotToHaveChanged() async throws {
    let (report, told) = try await run(.unmodified)
    XCTAssertEqual([report.packed, report.packsGivenUp], [0, 1])
    XCTAssertTrue(told.first?.contains("304") ?? false, "\(told)")
    XCTAssertEqual(askedByThemselves.count, 30)
  }

  /// Behind its last file there is more, of which nothing is wanted.
  func testAPackThatIsCutBehindAllThatIsWantedIsNotAskedForAgain() async throws {
    let end = things.reduce(0) { $0 + $1.text.utf8.count + 10 }
    for manner in [PackShelf.Manner.cut(after: end - 5, times: 9), .cutThenGone(after: end - 5)] {
      try? FileManager.default.removeItem(atPath: folder)
      let (report, told) = try await runUntilAskedTwice(manner)
      XCTAssertEqual([report.packed, report.packRequests, report.packsGivenUp], [30, 1, 0])
      XCTAssertEqual(told, [])
      XCTAssertEqual(askedOfPacks, ["all", "bytes=0-0"])
    }
  }

  /// A run with a file of its own that comes once the pack has been asked for twice.
  private func runUntilAskedTwice(
    _ manner: PackShelf.Manner
  ) async throws -> (report: MirrorReport, told: [String]) {
    let (shelf, packed) = PackShelf.packing(things, gap: 10)
    let (last, asked, held) = (Thing("last", "by itself"), Locked(0), Gate())
    try serve(packed + [last], header: shelf.header)
    let answers = shelf.responder(manner)
    site.respond { request in
      if request.address.text == Self.root + last.key {
        var answer = Site.Answer.text(last.text)
        answer.headGate = held
        return answer
      }
      guard let answer = answers(request) else { return nil }
      let count = asked.withLock { count in
        count += 1
        return count
      }
      if count == 2 { held.open() }
      return answer
    }
    site.forgetLog()
    let mirror = mirror { $0.retries = 3 }
    let events = mirror.events
    async let run = mirror.sync()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    let report = try await run
    mirror.endEvents()
    var told: [String] = []
    for await case .packGivenUp(_, let reason) in events { told.append(reason) }
    assertEnds(report)
    XCTAssertEqual(try tree().count, 31)
    return (report, told)
  }

  /// A download that waits for a pack makes no request.
  func testWithOneRequestAtATimePacksAndSingleFilesCome() async throws {
    let large = Thing("3a", String(repeating: "z", count: 2 << 20))
    for manner in [PackShelf.Manner.honest, .gone, .cut(after: 1_000, times: 1)] {
      try? FileManager.default.removeItem(atPath: folder)
      _ = try await run(manner, things + [large], each: 10) { $0.concurrency = 1 }
    }
  }

  func testAPackThatIsLongerThanItSays() async throws {
    let (report, told) = try await run(.longer)
    XCTAssertEqual(report.packed, 30, "what was wanted had come")
    XCTAssertEqual(told, [])
  }

  func testAPackThatIsCutGoesOnFromItsNextFile() async throws {
    let (report, told) = try await run(.cut(after: 1_000, times: 1), waits: 1) { $0.retries = 3 }
    XCTAssertEqual(report.packed, 30)
    XCTAssertEqual(told, [])
    XCTAssertEqual(askedOfPacks.count, 2)
    XCTAssertEqual(report.packRequests, 2)
    XCTAssertEqual(askedOfPacks.first, "all")
    // Ten whole files had come, and a part of the next.
    let start = things.prefix(10).reduce(0) { $0 + $1.text.utf8.count }
    XCTAssertTrue(askedOfPacks.last?.hasPrefix("bytes=\(start)-") ?? false, "\(askedOfPacks)")
    XCTAssertEqual(askedByThemselves, [])
  }

  func testAPackThatIsCutTwiceKeepsWhatHasCome() async throws {
    let (report, told) = try await run(.cut(after: 1_000, times: 99), waits: 2) { $0.retries = 5 }
    XCTAssertEqual(report.packed, 20)
    XCTAssertEqual(askedByThemselves.count, 10)
    XCTAssertTrue(told.first?.contains("cut") ?? false, "\(told)")
  }

  private var some: [Thing] { things.map { Thing($0.key, $0.text + ($0.key < "2" ? "!" : "")) } }

  func testAnotherPartThanWasAskedFor() async throws {
    try await syncWell(to: things)
    let (report, told) = try await run(.shifted, some)
    XCTAssertEqual([report.packed, report.packsGivenUp], [0, 1])
    XCTAssertTrue(told.first?.contains("another part") ?? false, "\(told)")
  }

  func testTheWholeInPlaceOfAPartIsTakenIfItIsNotMuchMore() async throws {
    try await syncWell(to: things)
    let (report, _) = try await run(.whole, some)
    XCTAssertEqual(report.packed, report.updated)
    XCTAssertEqual(askedByThemselves, [])
  }

  func testTheWholeInPlaceOfASmallPartIsNotTaken() async throws {
    try await syncWell(to: things)
    let few = things.map { Thing($0.key, $0.text + (["4", "5"].contains($0.key) ? "!" : "")) }
    let (report, told) = try await run(.whole, few)
    XCTAssertEqual([report.updated, report.packed], [2, 0])
    XCTAssertTrue(told.first?.contains("parts") ?? false, "\(told)")
  }

  func testPlacesBehindTheEndOverlappingAndBackwards() async throws {
    let (shelf, packed) = PackShelf.packing(things)
    let places: [(Int) -> [Int]] = [
      { _ in [1, 4_000_000_000] }, { _ in [1, 7] }, { [1, $0 * 3] }, { [1, 2_000 - $0 * 60] },
      { _ in [9, 0] }, { _ in [1, 0] }, { packed[packed.count - 1 - $0].pack ?? [] },
    ]
    for place in places {
      let misplaced = packed.enumerated().map { number, thing in
        Thing(thing.key, thing.text) { $0.pack = place(number) }
      }
      try? FileManager.default.removeItem(atPath: folder)
      try serve(misplaced, header: shelf.header)
      site.respond(shelf.responder())
      try await syncWell()
      XCTAssertEqual(try tree().count, 30)
      try await assertIndexIsTrue()
    }
  }

  func testAPackThatIsPublishedAnewWhileItIsRead() async throws {
    // The catalog names packs that are gone by the time that they are asked for; the files have
    // changed, too, and fail by themselves, as they do without packs.
    try servePacked(things)
    site.respond(PackShelf.packing(things.map { Thing($0.key, $0.text + "new") }).shelf.responder())
    let report = try await syncWell()
    XCTAssertEqual(report.added, 30)
    XCTAssertEqual(report.packed, 0)
  }
}

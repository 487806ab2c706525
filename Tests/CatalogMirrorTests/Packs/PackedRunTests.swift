import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Many small files come in few requests.
final class PackedRunTests: RunTestCase {
  private func things(_ range: Range<Int>, _ word: String = "text") -> [Thing] {
    range.map { number in
      Thing(
        "d\(number / 10)/\(number)",
        "\(word) \(number) " + String(repeating: "x", count: number))
    }
  }

  private func texts(_ things: some Sequence<Thing>) -> [String: String] {
    Dictionary(things.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
  }

  private func bytes(_ things: [Thing]) -> Int64 {
    things.reduce(0) { $0 + Int64($1.text.utf8.count) }
  }

  func testAFirstCopyTakesARequestForEachPack() async throws {
    let things = things(0..<90)
    try servePacked(things, each: 30)
    let deeds = try await Deeds(of: mirror())
    assertEnds(deeds.report)
    XCTAssertEqual(askedOfPacks, ["all", "all", "all"])
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(try tree(), texts(things))
    XCTAssertEqual(deeds.fetched, Set(things.map(\.key)), "each has its event")
    let report = deeds.report
    XCTAssertEqual([report.added, report.packed, report.packRequests], [90, 90, 3])
    XCTAssertEqual(report.bytes, bytes(things))
    XCTAssertEqual(report.packsGivenUp, 0)
    let run = try await mirror().status().runs.first
    XCTAssertEqual([run?.packed, run?.packRequests], [90, 3])
    try await assertIndexIsTrue()
    try await syncUnchangedAfterPacks()
  }

  private func syncUnchangedAfterPacks() async throws {
    let report = try await syncWell()
    XCTAssertEqual(report.added + report.updated, 0)
    XCTAssertEqual(askedOfPacks + askedByThemselves, [])
  }

  func testWithoutPacksEachComesByItself() async throws {
    let things = things(0..<5)
    try servePacked(things)
    try await syncWell { $0.usesPacks = false }
    XCTAssertEqual(askedOfPacks, [])
    XCTAssertEqual(askedByThemselves, things.map(\.key).sorted())
  }

  func testWhatIsFlushedByItselfComesByItself() async throws {
    try servePacked(things(0..<3))
    try await syncWell { $0.durability = .file }
    XCTAssertEqual(askedOfPacks, [])
  }

  func testOnlyWhatIsWantedIsAskedFor() async throws {
    let first = things(0..<60)
    try await syncWell(to: first)
    // Twelve neighbours changed, and one that stands alone.
    let changed = first.enumerated().map { place, thing in
      (20..<32).contains(place) || place == 59 ? Thing(thing.key, thing.text + "!") : thing
    }
    try servePacked(changed, gap: 70_000)
    let report = try await syncWell()
    XCTAssertEqual(report.updated, 13)
    XCTAssertEqual(askedOfPacks, [], "with so much between them, each stands alone")
    XCTAssertEqual(askedByThemselves.count, 13)
    let again = first.map { Thing($0.key, $0.text + ($0.key.hasPrefix("d2/") ? "??" : "")) }
    try servePacked(again)
    let later = try await syncWell()
    XCTAssertEqual(later.packRequests, 1)
    XCTAssertTrue(askedOfPacks[0].hasPrefix("bytes="), "\(askedOfPacks)")
    XCTAssertEqual(try tree(), texts(again))
  }

  func testAFileThatStandsAloneComesByItself() async throws {
    try servePacked([Thing("a", "alpha")])
    try await syncWell()
    XCTAssertEqual(askedOfPacks, [])
    XCTAssertEqual(askedByThemselves, ["a"])
  }

  func testPreviewsComeInPacksOfTheirOwnFirst() async throws {
    var things = things(0..<20)
    for place in things.indices {
      things[place].preview = .init(url: "p/\(place).webp", text: "preview \(place)")
    }
    try servePacked(things)
    let report = try await syncWell { $0.previews = .also }
    XCTAssertEqual([report.previews, report.added, report.packed], [20, 20, 40])
    XCTAssertEqual(askedOfPacks, ["all", "all"])
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(Set(try inside("previews").values), Set(things.map { $0.preview?.text ?? "" }))
    XCTAssertTrue(try inside("previews").keys.allSatisfy { $0.hasSuffix(".webp") })
    try await assertIndexIsTrue()
  }

  func testWhatHasTheSameBytesComesOnce() async throws {
    let (shelf, packed) = PackShelf.packing([Thing("a", "same"), Thing("b", "other")])
    var twin = packed[0]
    twin.key = "c"
    try serve(packed + [twin], header: shelf.header)
    site.respond(shelf.responder())
    let report = try await syncWell()
    XCTAssertEqual(try tree(), ["a": "same", "b": "other", "c": "same"])
    XCTAssertEqual(report.packed, 3)
    XCTAssertEqual(askedOfPacks, ["all"])
  }

  /// The order of means: what is here, or stands there already, isn't asked of a pack.
  func testWhatIsHereIsNotAskedFor() async throws {
    let old = things(0..<4)
    try await syncWell(to: old)
    try place("adopted text", at: "new/1")
    let moved = old.map { Thing("moved/" + $0.key, $0.text) }
    let things = moved + [Thing("new/1", "adopted text"), Thing("x", "x1"), Thing("y", "y1")]
    try servePacked(things)
    let report = try await syncWell { $0.maximumRemoval = .all }
    XCTAssertEqual([report.copied, report.adopted, report.packed], [4, 1, 2])
    XCTAssertEqual(askedOfPacks.count, 1)
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(try tree(), texts(things))
  }

  func testAPlanSaysHowManyRequestsThereAreForHowManyFiles() async throws {
    try servePacked(things(0..<90), each: 30)
    let plan = try await mirror().plan()
    XCTAssertEqual([plan.fetches.count, plan.packed, plan.packRequests], [90, 90, 3])
    let without = try await mirror { $0.usesPacks = false }.plan()
    XCTAssertEqual([without.packed, without.packRequests], [0, 0])
  }

  func testWhatComesLastMayComeInAPack() async throws {
    let things = things(0..<6) + [Thing("z/index", "index"), Thing("z/twin", "index")]
    try servePacked(things)
    let last = try KeyPattern("z/*")
    let report = try await syncWell { $0.last = [last] }
    XCTAssertEqual(try tree(), texts(things))
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(report.added, 8)
    XCTAssertEqual(try inside("staging"), [:])
  }

  /// Nobody had asked for the files yet that had come whole.
  func testARunThatIsCutKeepsWhatHasCome() async throws {
    let things = things(0..<40)
    let (shelf, packed) = PackShelf.packing(things, each: 20)
    // Two more of one place: of the same bytes, and of others of their size.
    let like = packed[25]
    let twin = Thing("twin", like.text) { $0.pack = like.pack }
    let other = Thing("other", String(like.text.reversed())) { $0.pack = like.pack }
    try serve(packed + [twin, other], header: shelf.header)
    let honest = shelf.responder()
    let (held, pause, reached) = (Gate(), Gate(), Gate())
    site.respond { request in
      guard var answer = honest(request) else { return nil }
      if answer.body == shelf.bodies[0] {
        answer.headGate = held
      } else {
        answer.pieceSize = answer.body.count - 4
        answer.bodyGate = pause
      }
      return answer
    }
    async let meeting: Void = {
      try await pause.waiters(atLeast: 1)
      try await held.waiters(atLeast: 1)
      reached.open()
    }()
    let report = try await Self.cancelling(mirror { $0.concurrency = 3 }, at: reached)
    try await meeting
    XCTAssertEqual(report.outcome, .cancelled)
    XCTAssertEqual(try tree(), texts(things[20..<39] + [twin]))
    XCTAssertEqual([report.added, report.packed, report.packRequests], [20, 20, 1])
    XCTAssertEqual(report.adopted, 0)
    try await assertIndexIsTrue()
    site.respond(honest)
    try await syncWell()
    XCTAssertEqual(try tree(), texts(things + [twin, other]))
    try await assertIndexIsTrue()
  }

  func testTwoEntriesThatChangedPlacesInAPackComeByThemselvesPastCaches() async throws {
    let (shelf, packed) = PackShelf.packing(
      [Thing("a", "1234"), Thing("b", "5678"), Thing("c", "9")])
    var exchanged = packed
    (exchanged[0].pack, exchanged[1].pack) = (packed[1].pack, packed[0].pack)
    try serve(exchanged, header: shelf.header)
    site.respond(shelf.responder())
    site.forgetLog()
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "1234", "b": "5678", "c": "9"])
    XCTAssertEqual(askedByThemselves, ["a", "b"])
    let alone = site.log.filter { $0.address.text == Self.root + "a" }
    XCTAssertEqual(alone.first?.headers["Cache-Control"], "no-cache")
    XCTAssertEqual(try inside("staging"), [:])
  }
}

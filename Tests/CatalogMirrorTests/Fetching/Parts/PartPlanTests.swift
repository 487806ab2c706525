import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

final class PartPlanTests: XCTestCase {
  private static let mebibyte: Int64 = 1 << 20

  /// The lengths of the parts, in MiB, where that many streams are of use all along.
  private func lengths(of mebibytes: Int64, streams: Int) -> [Int64] {
    var plan = PartPlan(size: mebibytes * Self.mebibyte)
    var lengths: [Int64] = []
    while let part = plan.next(of: streams) { lengths.append(Int64(part.count) / Self.mebibyte) }
    return lengths
  }

  func testTheFirstPartIsSmallAndTheRestIsDividedAmongTheStreams() {
    XCTAssertEqual(lengths(of: 20, streams: 1), [4, 16])
    XCTAssertEqual(lengths(of: 20, streams: 8), [4, 4, 4, 4, 4])
    XCTAssertEqual(lengths(of: 100, streams: 1), [4, 32, 32, 32])
    XCTAssertEqual(lengths(of: 100, streams: 3), [4, 16, 16, 12, 12, 8, 8, 4, 4, 4, 4, 4, 4])
    XCTAssertEqual(lengths(of: 9, streams: 4), [4, 5], "no request for a crumb")
    XCTAssertEqual(lengths(of: 1_024, streams: 4).max(), 32)
  }

  func testNoPartIsAskedForFarBeyondASlowOne() throws {
    var plan = PartPlan(size: 1_024 * Self.mebibyte)
    let slow = try XCTUnwrap(plan.next(of: 2))
    var last = slow
    while let part = plan.next(of: 2, from: slow.lowerBound) { last = part }
    XCTAssertEqual(last.lowerBound, 100 * Self.mebibyte)
    XCTAssertFalse(plan.isOver)
    XCTAssertEqual(
      plan.next(of: 2, from: slow.upperBound)?.lowerBound, nil, "too early for 132 MiB")
    XCTAssertEqual(
      plan.next(of: 2, from: slow.upperBound + 1)?.lowerBound, 132 * Self.mebibyte)
  }

  func testAtRandomEachByteIsAskedForOnce() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      var sizes = PartSizes()
      sizes.least = Int64.random(in: 1...6, using: &random)
      sizes.most = sizes.least * Int64.random(in: 1...4, using: &random)
      let size = Int64.random(in: 1...200, using: &random)
      // A plain model: for each byte, how often it was there or asked for.
      var asked = [Int](repeating: 0, count: Int(size))
      var held = ByteRanges()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let start = Int64.random(in: 0..<size, using: &random)
        held.insert(start..<Int64.random(in: start...size, using: &random))
      }
      for range in held.ranges { for place in range { asked[Int(place)] += 1 } }
      var plan = PartPlan(size: size, held: held, sizes: sizes)
      while let part = plan.next(
        of: .random(in: 1...6, using: &random), from: plan.taken.prefix)
      {
        XCTAssertEqual(
          asked.firstIndex(of: 0).map(Int64.init), part.lowerBound, "the beginning first")
        for place in part { asked[Int(place)] += 1 }
        XCTAssertLessThanOrEqual(Int64(part.count), sizes.most + sizes.least)
      }
      XCTAssertEqual(asked, [Int](repeating: 1, count: Int(size)))
      XCTAssertEqual(plan.taken.ranges, [0..<size])
    }
  }

  func testStreamsAreAsManyAsThereIsRoomForOrAsWereAskedFor() {
    let found = StreamRules(.automatic, spare: 3)
    XCTAssertTrue(found.wantsParts(from: "https://h/a", room: 0))
    XCTAssertFalse(found.wantsParts(from: "https://h/a", room: nil))
    XCTAssertEqual(found.streams(having: 0, waiting: 0, room: 0), 1)
    XCTAssertEqual(found.streams(having: 2, waiting: 0, room: 5), 7)
    XCTAssertEqual(found.streams(having: 2, waiting: 2, room: 5), 5, "they will take of the room")
    XCTAssertEqual(found.streams(having: 2, waiting: 2, room: 1), 2)
    XCTAssertEqual(found.streams(having: 2, waiting: 0, room: 500), StreamRules.most)
    XCTAssertEqual(found.streams(having: 3, waiting: 0, room: nil), 3)
    let given = StreamRules(.count(4), spare: 3)
    XCTAssertTrue(given.wantsParts(from: "https://h/a", room: nil))
    XCTAssertEqual(given.streams(having: 1, waiting: 0, room: nil), 4)
    XCTAssertFalse(StreamRules(.count(1), spare: 3).wantsParts(from: "https://h/a", room: 8))
    given.notePartless("https://h/a")
    XCTAssertFalse(given.wantsParts(from: "https://h/b", room: nil))
    XCTAssertTrue(given.wantsParts(from: "https://g/a", room: nil))
  }

  func testAllFilesShareWhatIsToSpare() {
    let rules = StreamRules(.automatic, spare: 3)
    XCTAssertEqual(rules.take(2), 2)
    XCTAssertEqual(rules.take(2), 1)
    XCTAssertEqual(rules.take(1), 0)
    rules.giveBack(2)
    XCTAssertEqual(rules.take(5), 2)
  }
}

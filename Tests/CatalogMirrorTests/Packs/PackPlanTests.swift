import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Which parts of which packs are asked for.
final class PackPlanTests: XCTestCase {
  private func packs(_ sizes: [UInt32: Int64]) -> ListedPacks {
    ListedPacks(
      sizes.mapValues {
        .init(size: $0, sha256: SHA256Digest(of: [UInt8]()), directory: "https://h/p/")
      })
  }

  private func wish(_ pack: UInt32, _ offset: UInt32, _ size: Int64, _ item: Int = 0) throws
    -> PackPlan.Wish
  {
    try XCTUnwrap(PackPlan.Wish(PackPlace(pack: pack, offset: offset), size: size, item: item))
  }

  func testNeighboursAreOneRequestAndWhatStandsAloneHasNone() throws {
    let plan = PackPlan(
      [
        try wish(1, 0, 1_000, 0), try wish(1, 1_000, 1_000, 1),
        try wish(1, 500_000, 1_000, 2), try wish(2, 70_000, 10, 3),
      ], from: packs([1: 600_000, 2: 80_000]))
    XCTAssertEqual(plan.requests.map(\.bytes), [0..<2_000])
    XCTAssertEqual(plan.files, 2)
    XCTAssertNil(plan.piece(at: PackPlace(pack: 1, offset: 500_000), size: 1_000))
    XCTAssertNil(plan.piece(at: PackPlace(pack: 2, offset: 70_000), size: 10))
    XCTAssertEqual(plan.piece(at: PackPlace(pack: 1, offset: 1_000), size: 1_000), 1)
    XCTAssertNil(plan.piece(at: PackPlace(pack: 1, offset: 1_000), size: 999))
    XCTAssertNil(plan.piece(at: PackPlace(pack: 3, offset: 0), size: 1_000))
  }

  func testAPackOfWhichLittleIsNotWantedIsAskedForWhole() throws {
    let plan = PackPlan(
      [try wish(1, 50_000, 200_000, 0), try wish(1, 250_000, 100_000, 1)],
      from: packs([1: 400_000]))
    XCTAssertEqual(plan.requests.map(\.bytes), [0..<400_000])
    XCTAssertTrue(plan.isWhole(plan.requests[0]))
  }

  func testWhatEndsBehindItsPackOrOverlapsDoesNotCome() throws {
    let plan = PackPlan(
      [
        try wish(1, 0, 100, 0), try wish(1, 50, 100, 1), try wish(1, 100, 100, 2),
        try wish(1, 950, 100, 3), try wish(1, .max, 1 << 20, 4),
      ], from: packs([1: 1_000]))
    XCTAssertEqual(plan.pieces.map(\.offset), [0, 100])
  }

  private func firstItem(of piece: Int, in plan: PackPlan) -> UInt32 {
    plan.items[plan.copies(of: piece).lowerBound]
  }

  func testEqualFilesComeOnce() throws {
    let plan = PackPlan(
      [try wish(1, 0, 100, 0), try wish(1, 0, 100, 1)], from: packs([1: 1_000_000]))
    XCTAssertEqual(plan.requests.map(\.bytes), [0..<100])
    XCTAssertEqual(plan.pieces.map(\.copies), [2])
    XCTAssertEqual(plan.requests[0].room, 200)
    XCTAssertEqual(plan.items, [0, 1])
    XCTAssertEqual([0, 1].map(plan.piece), [0, 0])
  }

  func testARequestBringsNoMoreThanThereIsRoomFor() throws {
    let size: Int64 = 1 << 20
    var wishes = try (0..<100).map { try wish(1, 0, size, $0) }
    wishes += try (100..<110).map { try wish(1, 1 << 20, size, $0) }
    wishes.append(try wish(1, 2 << 20, 10, 110))
    let plan = PackPlan(wishes.shuffled(), from: packs([1: 4 << 20]))
    XCTAssertEqual(plan.requests.map(\.room), [32 << 20, (10 << 20) + 10])
    XCTAssertEqual(plan.items, Array(0..<32) + Array(100..<111))
    XCTAssertEqual(plan.files, 43)
  }

  func testRequestsComeInTheOrderInWhichTheirFirstItemsAreFetched() throws {
    let plan = PackPlan(
      [
        try wish(1, 0, 100, 7), try wish(1, 100, 100, 9), try wish(2, 0, 100, 3),
        try wish(2, 100, 100, 8),
      ], from: packs([1: 10_000, 2: 10_000]))
    XCTAssertEqual(plan.order.map { plan.packs[plan.requests[$0].pack] }.count, 2)
    XCTAssertEqual(
      plan.order.map { firstItem(of: plan.requests[$0].pieces.lowerBound, in: plan) }, [3, 7])
  }

  /// Against what each rule says by itself.
  func testEveryRuleHoldsOfPlansAtRandom() throws {
    var random = SeededGenerator(seed: 35)
    for _ in 0..<400 { try assertHolds(try someWishes(&random), line: #line) }
  }

  private func someWishes(
    _ random: inout SeededGenerator
  ) throws -> (wishes: [PackPlan.Wish], size: Int64) {
    var (wishes, offset): ([PackPlan.Wish], Int64) = ([], 0)
    let widest = [0, 100, 70_000, 200_000].randomElement(using: &random) ?? 0
    let largest = [10, 5_000, 256 << 10].randomElement(using: &random) ?? 1
    for item in 0..<Int.random(in: 0...40, using: &random) {
      offset += Int64.random(in: 0...Int64(widest), using: &random)
      let size = Int64.random(in: 1...Int64(largest), using: &random)
      wishes.append(try wish(5, UInt32(offset), size, item))
      offset += size
    }
    let size = offset + Int64.random(in: 1...100_000, using: &random)
    return (wishes.shuffled(using: &random), size)
  }

  private func assertHolds(
    _ given: (wishes: [PackPlan.Wish], size: Int64), line: UInt
  ) throws {
    let plan = PackPlan(given.wishes, from: packs([5: given.size]))
    var come: Set<UInt32> = []
    for request in plan.requests {
      let pieces = plan.pieces[request.pieces]
      XCTAssertLessThanOrEqual(request.room, PackPlan.mostRoom, line: line)
      XCTAssertGreaterThan(pieces.count, 1, "what stands alone has no request", line: line)
      let wanted = pieces.reduce(0) { $0 + Int64($1.size) }
      XCTAssertEqual(request.wanted, wanted, line: line)
      XCTAssertGreaterThanOrEqual(wanted * 2, Int64(request.bytes.count), line: line)
      XCTAssertLessThanOrEqual(Int64(request.bytes.count), PackPlan.longest, line: line)
      var end = request.bytes.lowerBound
      for piece in pieces {
        XCTAssertLessThanOrEqual(piece.bytes.lowerBound - end, PackPlan.widestGap, line: line)
        end = piece.bytes.upperBound
        XCTAssertTrue(come.insert(plan.items[piece.first]).inserted, line: line)
      }
      XCTAssertLessThanOrEqual(request.bytes.upperBound - end, PackPlan.widestGap, line: line)
    }
    // Between two that follow each other there is a reason not to have joined them.
    let sorted = given.wishes.sorted { $0.place.offset < $1.place.offset }
    var runs: [[PackPlan.Wish]] = []
    for wish in sorted {
      let isWithLast = runs.last?.last.map { last in
        plan.requests.contains { request in
          [last, wish].allSatisfy { one in
            plan.pieces[request.pieces].contains { plan.items[$0.first] == one.item }
          }
        }
      }
      if isWithLast ?? false { runs[runs.count - 1].append(wish) } else { runs.append([wish]) }
    }
    for (one, next) in zip(runs, runs.dropFirst()) {
      XCTAssertFalse(Self.mayBeJoined(one, next), "\(one) and \(next)", line: line)
    }
    let alone = runs.filter { $0.count == 1 }.map { $0[0].item }
    XCTAssertEqual(come.union(alone), Set(given.wishes.map(\.item)), line: line)
  }

  private static func mayBeJoined(_ one: [PackPlan.Wish], _ next: [PackPlan.Wish]) -> Bool {
    let end = { (wish: PackPlan.Wish) in Int64(wish.place.offset) + Int64(wish.size) }
    guard let first = one.first, let last = one.last, let following = next.first,
      let ending = next.last
    else { return false }
    let wanted = (one + next).reduce(0) { $0 + Int64($1.size) }
    let length = end(ending) - Int64(first.place.offset)
    return Int64(following.place.offset) - end(last) <= PackPlan.widestGap
      && wanted * 2 >= length && length <= PackPlan.longest
  }

  func testEachPieceIsFoundWithItsRequestAmongManyPacks() throws {
    var random = SeededGenerator(seed: 7)
    var wishes: [PackPlan.Wish] = []
    for pack in 1...UInt32(30) {
      for place in 0..<UInt32.random(in: 1...20, using: &random) {
        let offset = place * 1_000 + (place > 10 ? 500_000 : 0)
        wishes.append(try wish(pack, offset, 1_000, wishes.count))
      }
    }
    let sizes = Dictionary(uniqueKeysWithValues: (1...UInt32(30)).map { ($0, Int64(1 << 20)) })
    let plan = PackPlan(wishes.shuffled(using: &random), from: packs(sizes))
    XCTAssertGreaterThan(plan.requests.count, 30)
    for (number, request) in plan.requests.enumerated() {
      XCTAssertTrue(plan.requests(of: request.pack).contains(number))
      for piece in request.pieces {
        XCTAssertEqual(plan.request(of: piece), number)
        let wish = wishes[Int(firstItem(of: piece, in: plan))]
        XCTAssertEqual(plan.piece(at: wish.place, size: 1_000), piece)
      }
    }
    XCTAssertEqual(Set(plan.order), Set(plan.requests.indices))
  }
}

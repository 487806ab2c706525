import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What downloads that ask for pieces are told, and which streams there are.
final class PackDeskTests: XCTestCase {
  /// Packs of so many requests each, of two pieces of this size.
  private func desk(packs: UInt32, requests: UInt32 = 1, size: UInt32 = 100) throws -> PackDesk {
    var wishes: [PackPlan.Wish] = []
    for pack in 1...packs {
      for request in 0..<requests {
        for piece in 0..<UInt32(2) {
          let offset = request * (2 * size + 100_000) + piece * size
          wishes.append(
            try XCTUnwrap(
              PackPlan.Wish(
                PackPlace(pack: pack, offset: offset), size: Int64(size), item: wishes.count)))
        }
      }
    }
    let length = Int64(requests) * Int64(2 * size + 100_000)
    let listed = ListedPacks(
      Dictionary(
        uniqueKeysWithValues: (1...packs).map {
          ($0, .init(size: length, sha256: SHA256Digest(of: [UInt8]()), directory: "https://h/"))
        }))
    return PackDesk(PackPlan(wishes, from: listed))
  }

  private func order(_ next: PackDesk.Next?) throws -> PackDesk.Order {
    guard case .fetch(let order)? = next else { throw NoStream() }
    return order
  }

  private struct NoStream: Error {}

  func testStreamsAreFewAndEndWhenNothingIsLeft() throws {
    var desk = try desk(packs: 6)
    let orders = try (0..<PackDesk.mostRunning).map { _ in try order(desk.next()) }
    XCTAssertEqual(orders.map(\.request), [0, 1, 2, 3])
    XCTAssertNil(desk.next())
    desk.ended(orders[0], with: [0, 1])
    XCTAssertEqual(desk.next(), .fetch(.init(request: 4, piece: 8)))
    XCTAssertNil(desk.next())
    desk.ended(orders[1], with: [2, 3])
    XCTAssertEqual(desk.next(), .fetch(.init(request: 5, piece: 10)))
    desk.ended(orders[2], with: [4, 5])
    XCTAssertEqual(desk.next(), .end)
  }

  func testWhatIsAskedForComesFirst() throws {
    var desk = try desk(packs: 9)
    for _ in 0..<PackDesk.mostRunning { _ = desk.next() }
    XCTAssertNil(desk.ask(for: 16))
    XCTAssertNil(desk.ask(for: 17))
    desk.ended(.init(request: 0, piece: 0), with: [0, 1])
    XCTAssertEqual(desk.next(), .fetch(.init(request: 8, piece: 16)))
  }

  func testAPieceThatDoesNotComeIsSaidNotTo() throws {
    var desk = try desk(packs: 2)
    XCTAssertNil(desk.ask(for: 0))
    let first = try order(desk.next())
    XCTAssertNil(desk.answer(for: 0), "it may still come")
    desk.ended(first, with: [0, 1])
    for piece in [0, 1] { XCTAssertTrue(desk.ask(for: piece)?.isOwn ?? false) }
    XCTAssertNil(desk.ask(for: 2))
    desk.close()
    XCTAssertTrue(desk.answer(for: 2)?.isOwn ?? false)
    XCTAssertEqual(desk.next(), .end)
  }

  func testAPieceThatDiffersIsAskedForPastCachesAndManyGiveThePackUp() throws {
    var desk = try desk(packs: 1, requests: 4)
    let first = try order(desk.next())
    _ = desk.came(.init(differing: [0]))
    guard case .ownPastCaches? = desk.ask(for: 0) else {
      return XCTFail("it has come, and differs")
    }
    XCTAssertNil(desk.ask(for: 1))
    XCTAssertFalse(desk.differsTooOften(first.request))
    _ = desk.came(.init(differing: [1]))
    _ = try order(desk.next())
    _ = desk.came(.init(differing: [2, 3]))
    XCTAssertTrue(desk.differsTooOften(first.request))
    XCTAssertTrue(desk.giveUp(on: 0))
    XCTAssertFalse(desk.giveUp(on: 0))
    XCTAssertTrue(desk.ask(for: 6)?.isOwn ?? false)
    XCTAssertEqual(desk.next(), .end)
    XCTAssertEqual(desk.ahead, 0)
  }

  func testWhatHasNotComeTakesNoRoom() throws {
    // A megabyte a request.
    var desk = try desk(packs: 80, size: 512 << 10)
    var orders: [PackDesk.Order] = []
    while case .fetch(let order)? = desk.next() {
      orders.append(order)
      desk.ended(order, with: [])
      XCTAssertEqual(desk.ahead, 0)
    }
    XCTAssertEqual(orders.count, 80)
  }

  func testWhatFindsNoRoomIsFetchedByItself() throws {
    var desk = try desk(packs: 80, size: 512 << 10)
    for pack in 0..<64 { XCTAssertNil(desk.ask(for: pack * 2)) }
    XCTAssertEqual(desk.ahead, PackDesk.mostAhead)
    XCTAssertTrue(desk.ask(for: 128)?.isOwn ?? false)
    XCTAssertEqual(desk.ahead, PackDesk.mostAhead)
  }

  /// Of the two files of a request, one came by itself: the other would be half of its bytes.
  func testARequestOfWhichHalfWasFetchedOtherwiseIsNotMade() throws {
    var desk = try desk(packs: 1)
    XCTAssertNil(desk.release(0))
    XCTAssertEqual(desk.next(), .end)
    XCTAssertTrue(desk.ask(for: 1)?.isOwn ?? false)
  }

  func testAServerThatSendsTheWholeSendsWhatElseIsWantedOfIt() throws {
    var desk = try desk(packs: 1, requests: 3, size: 100_000)
    let first = try order(desk.next())
    XCTAssertEqual(desk.takeWhole(first, for: [0, 1]), [0, 1, 2, 3, 4, 5])
    XCTAssertEqual(desk.next(), .end)
    XCTAssertEqual(
      desk.takeWhole(first, for: [2, 3, 4, 5]), [2, 3, 4, 5], "once more, after it was cut")
    XCTAssertNil(desk.ask(for: 5), "it comes")
    desk.ended(first, with: [4, 5])
    XCTAssertTrue(desk.answer(for: 5)?.isOwn ?? false)
  }

  func testAWholeOfWhichLittleIsWantedIsNotTaken() throws {
    var desk = try desk(packs: 1, requests: 3)
    XCTAssertNil(desk.takeWhole(try order(desk.next()), for: [0, 1]))
  }

  /// The server sends all of it, but there is no room for what else is wanted.
  func testAWholeOfWhichLittleFindsRoomIsNotTaken() throws {
    var desk = try desk(packs: 2, requests: 70, size: 512 << 10)
    let first = try order(desk.next())
    for request in 70..<133 { XCTAssertNil(desk.ask(for: request * 2)) }
    XCTAssertEqual(desk.ahead, PackDesk.mostAhead)
    XCTAssertNil(desk.takeWhole(first, for: [0, 1]))
    XCTAssertEqual(desk.ahead, PackDesk.mostAhead)
  }

  func testAfterThreePacksThatGaveNothingNoOtherIsAskedFor() throws {
    var desk = try desk(packs: 20)
    for pack in 0..<3 {
      let next = try order(desk.next())
      XCTAssertTrue(desk.giveUp(on: pack))
      desk.ended(next, with: Array(desk.rest(of: next.request)))
    }
    XCTAssertEqual(desk.next(), .end)
    XCTAssertTrue(desk.ask(for: 30)?.isOwn ?? false)
    XCTAssertEqual(desk.tally.requests, 0, "none brought anything")
    XCTAssertEqual(desk.tally.givenUp, 3)
  }
}

extension PackDesk.Answer {
  var isOwn: Bool { if case .own = self { true } else { false } }
}

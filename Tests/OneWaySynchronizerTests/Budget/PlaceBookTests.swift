@testable import SyncEngine
import TestSupport
import XCTest

/// Who gets the places of a budget.
final class PlaceBookTests: XCTestCase {
  func testWhoComesLaterIsNotPassedOverForAsLongAsTheOthersHaveWork() {
    var book = PlaceBook(places: 1)
    let early = book.join()
    XCTAssertTrue(book.ask(1, for: early))
    let late = book.join()
    XCTAssertFalse(book.ask(2, for: late))
    XCTAssertTrue(book.mayKeep(early), "it has had one place, and the other is new")
    XCTAssertFalse(book.mayKeep(early), "and now it has had two")
    XCTAssertEqual(book.giveBack(early), [2])
  }

  func testWhoHasLentAPlaceTakesItAgainAndOthersWaitUntilThereAreAsManyAsThereShouldBe() {
    var book = PlaceBook(places: 1)
    let (one, two) = (book.join(), book.join())
    XCTAssertTrue(book.ask(1, for: one))
    XCTAssertEqual(book.giveBack(one), [])
    XCTAssertTrue(book.ask(2, for: two))
    book.takeAgain(one)
    XCTAssertEqual(book.free, -1)
    XCTAssertFalse(book.ask(3, for: two))
    XCTAssertEqual(book.giveBack(one), [], "there are as many as there should be")
    XCTAssertEqual(book.giveBack(two), [3])
    XCTAssertEqual(book.refuse(two), [])
    XCTAssertTrue(book.leave(one) == ([], []))
    XCTAssertFalse(book.has(one))
  }

  func testPlacesAreGivenAtOnceWhileThereAreAnyAndThenInTheOrderOfAsking() {
    var book = PlaceBook(places: 2)
    let share = book.join()
    XCTAssertEqual([1, 2, 3, 4].map { book.ask($0, for: share) }, [true, true, false, false])
    XCTAssertFalse(book.isContended, "there is one stage alone")
    XCTAssertTrue(book.mayKeep(share))
    XCTAssertEqual(book.giveBack(share), [3])
    book.forget(4, of: share)
    XCTAssertEqual(book.giveBack(share), [])
    XCTAssertEqual([book.free, book.waitingCount], [1, 0])
  }

  func testAPlaceGoesToWhoHasTheFewest() {
    var book = PlaceBook(places: 4)
    let (big, small) = (book.join(), book.join())
    for ticket in 0..<6 { _ = book.ask(ticket, for: big) }
    for ticket in 10..<14 { XCTAssertFalse(book.ask(ticket, for: small)) }
    XCTAssertFalse(book.mayKeep(big))
    XCTAssertEqual(book.giveBack(big), [10])
    XCTAssertFalse(book.mayKeep(big))
    XCTAssertEqual(book.giveBack(big), [11])
    XCTAssertTrue(book.mayKeep(big), "two for each")
    XCTAssertTrue(book.mayKeep(small))
    XCTAssertEqual(book.giveBack(big), [4])
    XCTAssertEqual(book.giveBack(small), [12])
  }

  func testOneSinglePlaceGoesFromOneToTheOther() {
    var book = PlaceBook(places: 1)
    let shares = (0..<3).map { _ in book.join() }
    for (ticket, share) in shares.enumerated() { _ = book.ask(ticket, for: share) }
    var turns: [Int] = []
    for turn in 0..<6 {
      let share = shares[turn % 3]
      XCTAssertFalse(book.mayKeep(share))
      _ = book.ask(3 + turn, for: share)
      turns += book.giveBack(share)
    }
    XCTAssertEqual(turns, [1, 2, 3, 4, 5, 6])
  }

  func testWhoComesLaterComesAfterThoseWhoWait() {
    var book = PlaceBook(places: 1)
    let (first, second) = (book.join(), book.join())
    _ = book.ask(1, for: first)
    _ = book.ask(2, for: second)
    let third = book.join()
    _ = book.ask(3, for: third)
    XCTAssertEqual(book.giveBack(first), [2])
    XCTAssertEqual(book.giveBack(second), [3])
  }

  func testAStageThatEndsLeavesNothingBehind() {
    var book = PlaceBook(places: 2)
    let (first, second) = (book.join(), book.join())
    for ticket in 0..<3 { _ = book.ask(ticket, for: first) }
    _ = book.ask(9, for: second)
    let (vain, granted) = book.leave(first)
    XCTAssertEqual([vain, granted], [[2], [9]])
    XCTAssertEqual(book.giveBack(first), [], "it is gone")
    XCTAssertFalse(book.ask(5, for: first))
    XCTAssertEqual([book.free, book.waitingCount], [1, 0])
  }

  func testThereMayComeToBeMorePlacesAndNeverFewer() {
    var book = PlaceBook(places: 1)
    let share = book.join()
    for ticket in 0..<4 { _ = book.ask(ticket, for: share) }
    XCTAssertEqual(book.raise(to: 3), [1, 2])
    XCTAssertEqual(book.raise(to: 2), [])
    XCTAssertEqual([book.places, book.free, book.waitingCount], [3, 0, 1])
  }

  func testInASeededWalkNobodyWaitsForAFreePlace() {
    for seed in 1...300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let places = Int.random(in: 1...5, using: &random)
      var book = PlaceBook(places: places)
      let shares = (0..<4).map { _ in book.join() }
      var (held, waiting, last) = ([Int: Int](), [Int: Int](), 0)
      for _ in 0..<200 {
        let share = shares.randomElement(using: &random) ?? 1
        var granted: [Int] = []
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          last += 1
          waiting[last] = share
          if book.ask(last, for: share) { granted = [last] }
        case 2:
          guard let ticket = waiting.keys.min() else { continue }
          book.forget(ticket, of: waiting.removeValue(forKey: ticket) ?? 0)
        default:
          guard held[share, default: 0] > 0 else { continue }
          held[share]? -= 1
          granted = book.giveBack(share)
        }
        for ticket in granted {
          guard let winner = waiting.removeValue(forKey: ticket) else { return XCTFail("\(seed)") }
          held[winner, default: 0] += 1
        }
        XCTAssertEqual(book.free, places - held.values.reduce(0, +), "seed \(seed)")
        XCTAssertEqual(book.waitingCount, waiting.count, "seed \(seed)")
        XCTAssertTrue(book.free == 0 || waiting.isEmpty, "seed \(seed)")
      }
    }
  }
}

@testable import SyncEngine
@testable import OneWaySynchronizer
import SynchronizerTesting
import XCTest

/// What those who wait for items are told, and when.
final class SeekerBookTests: XCTestCase {
  private typealias Book = SeekerBook<String>

  /// A book in which seeker 1 waits for "a" of the pass under way.
  private func book() -> Book {
    var book = Book()
    book.arrived(1, seeking: "a", isJoined: false)
    book.passBegan(for: [1, 9])
    return book
  }

  func testWhoIsContentIsToldWhatIsHeldWhereTheListFails() {
    var book = Book()
    book.arrived(1, seeking: "a", isJoined: false, isContentWithHeld: true)
    book.arrived(2, seeking: "b", isJoined: false, isContentWithHeld: true)
    book.arrived(3, seeking: "c", isJoined: false)
    book.passBegan(for: [1, 2, 3])
    XCTAssertEqual(book.listFailed(), ["a", "b"])
    XCTAssertFalse(book.isOpen, "who comes now waits for the next pass")
    XCTAssertEqual(words(book.found(held: ["a", "c"])), ["1 held unchecked"])
    XCTAssertEqual(words(book.closed(putsOff: true)), [], "the rest gets the pass's result")
  }

  private func words(_ actions: [Book.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .tell(let id, .held): "\(id) held"
      case .tell(let id, .heldUnchecked): "\(id) held unchecked"
      case .tell(let id, .notListed(let key)): "\(id) not listed \(key)"
      case .tell(let id, .leftOut(let key)): "\(id) left out \(key)"
      case .tell(let id, .failed(let failure)): "\(id) failed \(failure.key ?? "")"
      case .promote(let place): "promote \(place)"
      case .putOff(let id): "put off \(id)"
      }
    }
  }

  private func ledger(done: [Int], of count: Int = 5) -> ItemLedger {
    var ledger = ItemLedger(count: count)
    for place in done { ledger.finish(place) }
    return ledger
  }

  func testEachStandingHasItsAnswer() {
    let rows: [(Book.Standing, [String])] = [
      (.current, ["1 held"]), (.notListed, ["1 not listed a"]), (.leftOut, ["1 left out a"]),
      (.unknown, ["put off 1"]), (.download(3), ["promote 3"]),
    ]
    for (standing, answer) in rows {
      var book = book()
      XCTAssertEqual(book.sought.map(\.1), ["a"])
      XCTAssertEqual(words(book.found(standing, for: 1)), answer)
      XCTAssertEqual(words(book.found(standing, for: 1)), [], "told once")
      XCTAssertTrue(book.sought.isEmpty)
    }
  }

  func testThoseWhoLeaveAnItemDontChangeTheOrderOfTheOthers() {
    var book = book()
    for id: UInt64 in 2...5 { book.arrived(id, seeking: "a", isJoined: true) }
    for id: UInt64 in [4, 1, 5, 2, 3] { _ = book.found(.download(2), for: id) }
    book.forget(3)
    book.forget(1)
    XCTAssertEqual(book.soughtPlaces, [2])
    XCTAssertEqual(words(book.arrived(at: 2)), ["2 held", "4 held", "5 held"])
  }

  func testTheCommitTellsWhoseItemsAreDoneAndPutsOffWhoKnowsNothing() {
    var book = book()
    _ = book.found(.download(2), for: 1)
    book.arrived(2, seeking: "b", isJoined: true)
    _ = book.found(.download(4), for: 2)
    book.arrived(3, seeking: "c", isJoined: true)
    book.arrived(4, seeking: "d", isJoined: false)
    XCTAssertEqual(words(book.committed(ledger(done: [2, 3]))), ["1 held", "put off 3"])
    XCTAssertFalse(book.isOpen)
    XCTAssertEqual(words(book.found(.download(3), for: 3)), [], "it is found out anew")
    book.passBegan(for: [3, 4])
    XCTAssertEqual(Set(book.sought.map(\.0)), [3, 4])
  }

  func testAFailureIsToldToThoseWhoWaitAndToThoseWhoComeLaterUnlessItIsTriedAnew() {
    var book = book()
    book.arrived(2, seeking: "a", isJoined: true)
    _ = book.found(.download(2), for: 1)
    _ = book.found(.download(2), for: 2)
    let failure = SyncFailure(stage: .downloadContents, key: "a", cause: Refused())
    XCTAssertEqual(words(book.failed(2, with: failure)), ["1 failed a", "2 failed a"])
    book.arrived(3, seeking: "a", isJoined: true)
    XCTAssertEqual(words(book.found(.download(2), for: 3)), ["promote 2"])
    XCTAssertEqual(words(book.stillFailed(2)), ["3 failed a"])
    XCTAssertEqual(words(book.stillFailed(2)), [], "told once")
    XCTAssertEqual(words(book.stillFailed(1)), [])
    let lost = SyncFailure(stage: .commitDownloads, key: "a", cause: Refused())
    XCTAssertEqual(words(book.failed(2, with: lost)), [])
    book.arrived(5, seeking: "a", isJoined: true)
    XCTAssertEqual(words(book.found(.download(2), for: 5)), ["5 failed a"], "nobody tries it anew")
    book.passBegan(for: [])
    book.arrived(4, seeking: "a", isJoined: true)
    XCTAssertEqual(words(book.found(.download(2), for: 4)), ["promote 2"], "another pass")
  }

  func testWhatIsThereBeforeTheCommitIsToldToThoseWhoWaitForItAndOnce() {
    var book = book()
    book.arrived(2, seeking: "a", isJoined: true)
    book.arrived(3, seeking: "b", isJoined: true)
    for id in [1, 2] as [UInt64] { _ = book.found(.download(2), for: id) }
    _ = book.found(.download(3), for: 3)
    XCTAssertEqual(words(book.arrived(at: 2)), ["1 held", "2 held"])
    XCTAssertEqual(words(book.arrived(at: 2)), [], "told once")
    XCTAssertEqual(words(book.arrived(at: 4)), [], "nobody waits")
    XCTAssertEqual(words(book.committed(ledger(done: [2, 3]))), ["3 held"])
    XCTAssertEqual(words(book.arrived(at: 3)), [], "told by the commit")
  }

  func testAPassThatEndsWellPutsOffAndOneThatDoesNotLeavesItsResult() {
    for (well, answer) in [(true, ["put off 1"]), (false, [])] {
      var book = book()
      XCTAssertEqual(words(book.closed(putsOff: well)), answer)
      XCTAssertEqual(words(book.closed(putsOff: well)), [], "once")
    }
  }

  func testWhoIsGoneIsForgottenAndTheOthersAreNot() {
    var book = book()
    book.arrived(2, seeking: "a", isJoined: true)
    for id in [1, 2] as [UInt64] { _ = book.found(.download(0), for: id) }
    book.forget(1)
    book.forget(7)
    XCTAssertEqual(words(book.committed(ledger(done: [0]))), ["2 held"])
  }

  func testWhoAskedFirstComesFirst() {
    var book = book()
    book.arrived(2, seeking: "b", isJoined: true)
    _ = book.found(.download(1), for: 2)
    _ = book.found(.download(4), for: 1)
    XCTAssertEqual(book.soughtPlaces, [4, 1])
  }
}

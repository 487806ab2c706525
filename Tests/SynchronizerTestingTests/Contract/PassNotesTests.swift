import OneWaySynchronizer
import XCTest

@testable import SynchronizerTesting

/// What the calls of a pass say of an item that isn't held as it must be.
final class PassNotesTests: XCTestCase {
  private typealias Notes = PassNotes<String>

  func testTheFirstCallThatWentWrongIsTheCause() {
    let a = Text(id: "a", version: 1)
    let rows: [(list: SourceList<Text>, change: (inout Notes) -> Void, Violation.Problem)] = [
      (.unchanged, { _ in }, .saidUnchanged),
      (.changes(updated: [], removed: []), { _ in }, .leftOutOfChanges),
      (.changes(updated: [a], removed: []), { _ in }, .notUpdated),
      (.complete([a]), { $0.updates.given = ["a"] }, .notChosen),
      (.complete([a]), { $0.downloads.given = ["a"] }, .leftOutOfDownloads),
      (.complete([a]), { $0.updates = .init(given: ["a"], answered: ["a"]) }, .notUpdated),
      (.partial([a]), { _ in }, .notUpdated),
    ]
    for (list, change, cause) in rows {
      var notes = Notes()
      notes.list = ListNote(list)
      change(&notes)
      XCTAssertEqual(notes.cause(of: .notUpdated, "a"), cause, "\(list)")
      XCTAssertEqual(notes.cause(of: .wrongContent, "a"), .wrongContent, "\(list)")
    }
  }

  func testARemovalIsMissingWhereNobodyWasTold() {
    let rows: [(list: SourceList<Text>, Violation.Problem)] = [
      (.unchanged, .saidUnchanged), (.changes(updated: [], removed: []), .leftOutOfRemovals),
      (.changes(updated: [], removed: ["a"]), .notRemoved), (.complete([]), .notRemoved),
    ]
    for (list, cause) in rows {
      var notes = Notes()
      notes.list = ListNote(list)
      XCTAssertEqual(notes.cause(of: .notRemoved, "a"), cause, "\(list)")
    }
  }

  func testWhatWasSaidOfTheKeyWhenAskedByNameIsAProblemOfItsOwn() {
    var notes = Notes()
    notes.list = ListNote(SourceList<Text>.changes(updated: [], removed: ["a", "b"]))
    notes.naming.withItems = ["a"]
    XCTAssertNil(notes.cause(of: .notRemoved, "a"))
    XCTAssertEqual(notes.cause(of: .notRemoved, "b"), .notRemoved)
  }
}

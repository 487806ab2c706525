import XCTest

@testable import DocumentSync

/// What may have been made under a key that isn't known here, and what names documents without one.
final class EntryKeysTests: XCTestCase {
  private func entry(_ change: OutboxEntry.Change = .create) -> OutboxEntry {
    OutboxEntry(
      number: 1, id: DocumentID("a"), collection: "notes", revision: Revision(1), change: change)
  }

  private func lost(thenDeleted isDeleted: Bool = false) -> OutboxEntry {
    var entry = entry()
    _ = entry.sendBegan(fresh: Revision(2), makesKeys: true)
    _ = entry.answered(.unknown(.lost), looksAfter: true)
    guard isDeleted else { return entry }
    _ = entry.deleted(as: Revision(3))
    _ = entry.isLookedFor()
    return entry
  }

  func testOnlyACreationIsSentWithoutAKey() {
    for (change, isKeyless) in [
      (OutboxEntry.Change.create, true), (.update(base: DocumentVersion("1")), false),
    ] {
      var one = entry(change)
      XCTAssertEqual(one.sendBegan(fresh: Revision(2), makesKeys: true)?.isKeyless, isKeyless)
      var other = entry(change)
      XCTAssertEqual(other.sendBegan(fresh: Revision(2))?.isKeyless, false)
    }
  }

  func testWhatAWholeListDoesNotShowIsMadeAgainOrNeedNotBeDeleted() {
    var made = lost()
    XCTAssertTrue(made.isLostCreation)
    XCTAssertEqual(made.notMade(), .stays)
    XCTAssertEqual(made.phase, .waiting)
    var deleted = lost(thenDeleted: true)
    XCTAssertTrue(deleted.isLostCreation)
    XCTAssertEqual(deleted.notMade(), .leaves(.neverSent))
    var other = entry()
    XCTAssertEqual(other.notMade(), .stays)
    XCTAssertEqual(other, entry())
  }

  func testWhatNothingCanShowIsSetAsideUntilItIsWanted() {
    var made = lost()
    XCTAssertEqual(made.cannotBeFound(), .stays)
    XCTAssertEqual(made.phase, .setAside(.mayBeMade))
    _ = made.saved(as: Revision(4))
    XCTAssertEqual(made.phase, .setAside(.mayBeMade))
    _ = made.retryWanted(as: Revision(5))
    XCTAssertEqual(made.phase, .waiting)
    var deleted = lost(thenDeleted: true)
    XCTAssertEqual(deleted.cannotBeFound(), .stays)
    XCTAssertEqual(deleted.phase, .setAside(.mayBeMade))
    XCTAssertEqual(deleted.change, .delete(base: nil))
  }

  func testAContentThatTheServerMayKnowHasAnotherNumberWhenItNamesOthersOtherwise() {
    var unsent = entry()
    _ = unsent.renamed(as: Revision(7))
    XCTAssertEqual(unsent.revision, Revision(1))
    var sent = lost()
    _ = sent.renamed(as: Revision(7))
    XCTAssertEqual(sent.revision, Revision(7))
  }

  func testItWaitsForThoseThatItNamesAndForNoOthers() {
    var one = entry()
    _ = one.goesAfter([DocumentID("b"), DocumentID("c")])
    XCTAssertNil(one.sendBegan(fresh: Revision(2)))
    _ = one.goesNoLongerAfter([DocumentID("b"), DocumentID("c")])
    XCTAssertNotNil(one.sendBegan(fresh: Revision(2)))
  }
}

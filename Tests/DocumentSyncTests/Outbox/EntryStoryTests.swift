import XCTest

@testable import DocumentSync

/// Ways through an `OutboxEntry` that are longer than one event.
final class EntryStoryTests: XCTestCase {
  private typealias Start = EntryStart
  private let refusal = Refusal(status: 400, words: "too long")

  func testWhatGoesAfterOthersIsNotSentBeforeTheyHadTheirSuccess() {
    var entry = Start.update.entry
    _ = entry.saved(as: .two, after: [DocumentID("p"), DocumentID("q")])
    XCTAssertNil(entry.sendBegan(fresh: .nine))
    entry.awaits.remove(DocumentID("p"))
    XCTAssertNil(entry.sendBegan(fresh: .nine))
    entry.awaits.remove(DocumentID("q"))
    XCTAssertNotNil(entry.sendBegan(fresh: .nine))
  }

  func testADeletionGoesAfterNothingThatOnlyTheContentWentAfter() {
    var entry = Start.update.entry
    _ = entry.saved(as: .two, after: [DocumentID("never heard of")])
    _ = entry.deleted(as: .three, after: [DocumentID("child")])
    XCTAssertEqual(entry.awaits, [DocumentID("child")])
  }

  func testWhatIsDeletedAndMadeAgainIsACreationOnceTheDeletionIsKnown() {
    var entry = Start.lostDeleteSaved.entry
    XCTAssertEqual(entry.shown(.deleted(.two)), .losesBase)
    XCTAssertEqual(entry.sendBegan(fresh: .nine), SendOrder(revision: .two, kind: .create))
  }

  func testTriesCountSendsOfTheSameContentThatCameToNothing() {
    var entry = Start.create.entry
    let troubles: [SendVerdict] = [
      .untaken(.status(429)), .unknown(.lost), .stopped(.unauthorized), .tooMany(refusal),
    ]
    for verdict in troubles {
      _ = entry.sendBegan(fresh: .nine)
      _ = entry.answered(verdict)
    }
    XCTAssertEqual(entry.tries, 2, "credentials and batches aren't its own trouble")
    _ = entry.saved(as: .two)
    XCTAssertEqual(entry.tries, 0)
  }

  func testWhatTheServerBreaksOverGoesLastAndIsTriedWithAllOthersAgainOnceItIsEdited() {
    var entry = Start.create.entry
    for (count, batchShare) in [(4, BatchShare.atMost(2)), (2, .atMost(1)), (1, .last), (1, .last)]
    {
      _ = entry.sendBegan(fresh: .nine)
      _ = entry.answered(.unknown(.status(500)), inRequestOf: count)
      XCTAssertEqual(entry.batchShare, batchShare)
    }
    _ = entry.saved(as: .two)
    XCTAssertEqual(entry.batchShare, .any)
  }

  func testABatchThatIsRefusedMakesItsEntriesTravelInASmallerOne() {
    var entry = Start.create.entry
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.answered(.tooMany(refusal), inRequestOf: 100)
    XCTAssertEqual(entry.batchShare, .atMost(50))
  }

  func testOnlyRoundsInWhichASendCameTooLateAreCounted() {
    var entry = Start.contestedUpdate.entry
    _ = entry.met(.rebased(.two), as: .two)
    XCTAssertEqual(entry.rounds, 1)
    _ = entry.met(.rebased(.one), as: .three)
    XCTAssertEqual(entry.rounds, 1, "a pull was faster, and no send was in vain")
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.answered(.shown(.copy(.two), refusal))
    _ = entry.met(.rebased(.two), as: .nine)
    XCTAssertEqual(entry.rounds, 2)
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.answered(.shown(.copy(.one), refusal))
    _ = entry.met(.gaveUp, as: .nine)
    XCTAssertEqual(entry.phase, .setAside(.outrun(rounds: 2)))
    _ = entry.retryWanted(as: Revision(10))
    XCTAssertEqual(entry.rounds, 0)
  }

  func testAnEntryKeepsItsPlaceWhateverBecomesOfIt() {
    for start in Start.allCases {
      var entry = start.entry
      _ = entry.saved(as: .nine)
      _ = entry.deleted(as: Revision(10))
      XCTAssertEqual(entry.number, 1)
    }
  }
}

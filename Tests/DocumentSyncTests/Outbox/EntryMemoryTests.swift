import XCTest

@testable import DocumentSync

/// What an `OutboxEntry` remembers, how long, and under which numbers.
final class EntryMemoryTests: XCTestCase {
  private typealias Start = EntryStart
  private let refusal = Refusal(status: 400, words: "too long")

  func testAnAnswerThatWasLostIsRememberedOnceARevision() {
    var entry = Start.create.entry
    for revision in [Revision.one, .one, .two, .one] {
      if entry.revision != revision { _ = entry.saved(as: revision) }
      _ = entry.sendBegan(fresh: .nine)
      _ = entry.answered(.unknown(.lost))
    }
    XCTAssertEqual(entry.unanswered.map(\.revision), [.two, .one])
    XCTAssertEqual(entry.rememberedRevisions, [.one, .two])
    _ = entry.saved(as: .three)
    XCTAssertEqual(entry.rememberedRevisions, [.one, .two, .three])
  }

  func testALookThatWasLostIsNothingToRemember() {
    for isAbandoned in [false, true] {
      var entry = Start.looking.entry
      _ = isAbandoned ? entry.sendAbandoned() : entry.answered(.unknown(.lost))
      XCTAssertEqual(entry.unanswered, Start.lostCreateDeleted.entry.unanswered)
    }
  }

  func testOnASuccessAllThatWasRememberedIsForgotten() {
    var entry = Start.lostCreateEdited.entry
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.saved(as: .three)
    XCTAssertEqual(entry.answered(.accepted(.one)), .takesBase(.two, .one))
    XCTAssertTrue(entry.isUnsent)
    XCTAssertEqual(entry.tries, 0)
    XCTAssertEqual(entry.rememberedRevisions, [.three])
  }

  func testOnADeletionAllThatWasRememberedIsForgotten() {
    var entry = Start.lostDeleteSaved.entry
    XCTAssertEqual(entry.shown(.deleted(.two)), .losesBase)
    XCTAssertTrue(entry.isUnsent)
    XCTAssertEqual(entry.deleted(as: .three), .leaves(.neverSent))
  }

  func testOnAnotherBaseWhatWasRememberedIsForgottenAndTheContentHasANewNumber() {
    var entry = Start.lostCreateEdited.entry
    entry.tombstone = .at(.one)
    _ = entry.met(.rebased(.two), as: .three)
    XCTAssertTrue(entry.isUnsent)
    XCTAssertEqual(entry.tombstone, .none)
    XCTAssertEqual(entry.revision, .three)
  }

  func testWhatIsMadeAnewRemembersItsContentsAndNoDeletion() {
    var entry = Start.lostDeleteSaved.entry
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.answered(.unknown(.lost))
    XCTAssertEqual(entry.unanswered.map(\.revision), [.one, .two])
    _ = entry.met(.madeAnew(after: .at(.two)), as: .three)
    XCTAssertEqual(entry.unanswered.map(\.revision), [.two])
    XCTAssertEqual(entry.tombstone, .at(.two))
    XCTAssertEqual(entry.revision, .three)
  }

  func testTheDeletionBeforeADocumentWasMadeAnewIsNotItsOwn() {
    let burials: [(Tombstone, shown: DocumentVersion?, isSame: Bool)] = [
      (.none, .one, false), (.none, nil, false), (.at(.one), .one, true), (.at(.one), .two, false),
      (.at(.one), nil, true), (.at(nil), .two, true), (.at(nil), nil, true),
    ]
    for (tombstone, shown, isSame) in burials {
      var entry = OutboxEntry(
        number: 1, id: DocumentID("a"), collection: "notes", revision: .one, change: .create,
        tombstone: tombstone)
      _ = entry.sendBegan(fresh: .nine)
      _ = entry.answered(.unknown(.lost))
      let message = "\(tombstone), \(String(describing: shown))"
      XCTAssertEqual(entry.shown(.deleted(shown)), isSame ? .stays : .meets, message)
    }
  }

  func testADeletionThatIsShownBeforeTheFirstSendIsTheEarlierOneEverAfter() {
    var entry = Start.create.entry
    XCTAssertEqual(entry.shown(.deleted(.one)), .stays)
    XCTAssertEqual(entry.shown(.deleted(nil)), .stays)
    XCTAssertEqual(entry.tombstone, .at(.one), "what is known isn't forgotten")
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.answered(.unknown(.lost))
    XCTAssertEqual(entry.shown(.deleted(.one)), .stays)
    XCTAssertEqual(entry.shown(.deleted(.two)), .meets)
  }

  func testTheDeletionOfAnEntryIsTheBurialOfWhatIsSavedSince() {
    var entry = Start.sendingDeleteSaved.entry
    _ = entry.answered(.deleted(.two))
    XCTAssertEqual(entry.tombstone, .at(.two))
    _ = entry.sendBegan(fresh: .nine)
    _ = entry.saved(as: .three)
    _ = entry.answered(.accepted(.one))
    XCTAssertEqual(entry.tombstone, .none, "it's there again")
  }

  func testOneRevisionIsAlwaysTheSameRequest() {
    // It was sent as a creation twice. The second answer shows the first content, so that the
    // second one is now a change of it.
    var entry = Start.lostCreateEdited.entry
    let creation = entry.sendBegan(fresh: .nine)
    XCTAssertEqual(creation, SendOrder(revision: .two, kind: .create))
    XCTAssertEqual(
      entry.answered(.shown(.copy(.one), refusal), equal: .one), .takesBase(.one, .one))
    XCTAssertEqual(entry.sendBegan(fresh: .nine), SendOrder(revision: .nine, kind: .update(.one)))
    XCTAssertEqual(entry.revision, .nine)
  }

  func testADeletionKeepsItsNumberThroughALook() {
    var entry = Start.looking.entry
    _ = entry.answered(.shown(.copy(.two), refusal), equal: .one)
    XCTAssertEqual(entry.sendBegan(fresh: .nine), SendOrder(revision: .two, kind: .delete(.two)))
  }

  func testATryOfTheSameRequestKeepsItsKey() {
    var entry = Start.lostUpdate.entry
    let again = entry.sendBegan(fresh: .nine)
    XCTAssertEqual(again?.idempotencyKey(ofStore: "s"), "s-1")
    XCTAssertNil(Start.looking.entry.underWay?.idempotencyKey(ofStore: "s"))
  }

  func testATryAfterARefusalHasAKeyOfItsOwn() {
    var entry = Start.refusedCreate.entry
    _ = entry.retryWanted(as: .two)
    XCTAssertEqual(entry.sendBegan(fresh: .nine)?.idempotencyKey(ofStore: "s"), "s-2")
  }
}

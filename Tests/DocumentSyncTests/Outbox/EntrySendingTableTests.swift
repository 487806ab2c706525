import XCTest

@testable import DocumentSync

/// What becomes of requests, in each state of an `OutboxEntry`.
final class EntrySendingTableTests: EntryTableTestCase {
  private let refusal = Refusal(status: 400, words: "too long")

  func testItsTurnComes() {
    for start in Start.allCases {
      let before = start.entry
      var entry = before
      let order = entry.sendBegan(fresh: .nine)
      XCTAssertEqual(order, Self.order(start), "\(start)")
      guard let order else {
        XCTAssertEqual(entry, before, "\(start)")
        continue
      }
      XCTAssertEqual(entry.phase, .sending(order), "\(start)")
      XCTAssertEqual(entry.change, before.change, "\(start)")
    }
  }

  private static func order(_ start: Start) -> SendOrder? {
    switch start {
    case .create, .lostCreate: SendOrder(revision: .one, kind: .create)
    case .update, .lostUpdate: SendOrder(revision: .one, kind: .update(.one))
    case .delete, .lostDelete: SendOrder(revision: .one, kind: .delete(.one))
    case .lostCreateEdited: SendOrder(revision: .two, kind: .create)
    case .lostCreateDeleted: SendOrder(revision: .two, kind: .look)
    case .lostDeleteSaved: SendOrder(revision: .two, kind: .update(.one))
    case .sendingCreate, .sendingCreateEdited, .sendingCreateDeleted, .sendingUpdate,
      .sendingUpdateEdited, .sendingUpdateDeleted, .sendingDelete, .sendingDeleteSaved, .looking,
      .lookingSaved, .contestedCreate, .contestedUpdate, .contestedDelete, .parked, .refusedCreate,
      .refusedUpdate:
      nil
    }
  }

  func testTheContentIsAccepted() {
    expectAnswer(.accepted(.two)) {
      switch $0 {
      case .create, .update: .leaves(.accepted(.one, .two))
      case .createEdited, .updateEdited: .reaches(.one, .update(base: .two))
      case .createDeleted, .updateDeleted: .reaches(.one, .delete(base: .two))
      case .delete: .leaves(.deleted(.two))
      case .deleteSaved: .vanishes
      case .look, .lookSaved: .stays(nil, .waiting)
      }
    }
  }

  func testTheDocumentIsGone() {
    expectAnswer(.deleted(.two)) {
      switch $0 {
      case .create, .createEdited, .update, .updateEdited, .deleteSaved, .lookSaved: .vanishes
      case .createDeleted, .updateDeleted, .delete, .look: .leaves(.deleted(.two))
      }
    }
  }

  func testAnotherContentIsShown() {
    expectAnswer(.shown(.copy(.two), refusal)) {
      switch $0 {
      case .createDeleted: .leaves(.neverSent)
      case .create, .createEdited, .update, .updateEdited, .updateDeleted, .delete, .deleteSaved,
        .look, .lookSaved:
        .meets(self.refusal)
      }
    }
  }

  func testTheVeryContentIsShownThatWasSent() {
    expectAnswer(.shown(.copy(.two), refusal), equal: .one) {
      switch $0 {
      case .create, .update: .leaves(.accepted(.one, .two))
      case .createEdited, .updateEdited, .lookSaved: .reaches(.one, .update(base: .two))
      case .createDeleted, .updateDeleted, .look: .reaches(.one, .delete(base: .two))
      case .delete, .deleteSaved: .meets(self.refusal)
      }
    }
  }

  func testTheVersionIsShownThatItWasSentOn() {
    expectAnswer(.shown(.copy(.one), refusal)) {
      switch $0 {
      case .createDeleted: .leaves(.neverSent)
      case .create, .createEdited, .look, .lookSaved: .meets(self.refusal)
      case .update, .updateEdited, .updateDeleted, .delete, .deleteSaved:
        .stays(nil, .setAside(.refused(self.refusal)))
      }
    }
  }

  func testItIsSaidToBeDeleted() {
    expectAnswer(.shown(.deleted(.two), refusal)) {
      switch $0 {
      case .create: .stays(nil, .setAside(.refused(self.refusal)))
      case .createEdited: .stays(nil, .waiting)
      case .createDeleted: .leaves(.neverSent)
      case .update, .updateEdited, .deleteSaved, .lookSaved: .meets(self.refusal)
      case .updateDeleted, .delete, .look: .leaves(.deleted(.two))
      }
    }
  }

  func testTheServerHasSomethingElseAndDoesNotSayWhat() {
    expectAnswer(.unmet(refusal)) {
      switch $0 {
      case .createDeleted: .leaves(.neverSent)
      case .create, .createEdited, .update, .updateEdited, .updateDeleted, .delete, .deleteSaved,
        .look, .lookSaved:
        Row(step: .asks, phase: .contested(self.refusal))
      }
    }
  }

  func testItIsRefused() {
    expectAnswer(.refused(refusal)) {
      switch $0 {
      case .create, .update, .delete, .look: .stays(nil, .setAside(.refused(self.refusal)))
      case .createDeleted: .leaves(.neverSent)
      case .createEdited, .updateEdited, .updateDeleted, .deleteSaved, .lookSaved:
        .stays(nil, .waiting)
      }
    }
  }

  func testItIsNotTaken() {
    let verdicts: [SendVerdict] = [
      .untaken(.status(429)), .untaken(.unreachable), .tooMany(refusal), .stopped(.unauthorized),
      .stopped(.collection(refusal)), .stopped(.impossible),
    ]
    for verdict in verdicts {
      expectAnswer(verdict) {
        switch $0 {
        case .createDeleted: .leaves(.neverSent)
        case .create, .createEdited, .update, .updateEdited, .updateDeleted, .delete, .deleteSaved,
          .look, .lookSaved:
          .stays(nil, .waiting)
        }
      }
    }
  }

  func testItMayHaveBeenTaken() {
    let verdicts: [SendVerdict] = [
      .unknown(.lost), .unknown(.unreadable), .unknown(.status(502)), .stopped(.unexpected(302)),
    ]
    for verdict in verdicts { expectAnswer(verdict) { _ in .stays(nil, .waiting) } }
  }

  func testTheServerMadeItUnderAKeyOfItsOwn() {
    let key = DocumentID("6")
    expectAnswer(.madeAs(key)) {
      switch $0 {
      case .createDeleted: .leaves(.neverSent)
      case .create, .createEdited, .update, .updateEdited, .updateDeleted, .delete, .deleteSaved,
        .look, .lookSaved:
        .stays(nil, .setAside(.madeAs(key)))
      }
    }
    var entry = Start.sendingCreate.entry
    _ = entry.answered(.madeAs(key))
    let aside = entry
    _ = entry.saved(as: .two)
    XCTAssertEqual(entry.phase, aside.phase, "an edit would make another one")
    _ = entry.retryWanted(as: .three)
    XCTAssertEqual(entry.phase, .waiting)
    entry = aside
    XCTAssertEqual(entry.deleted(as: .two), .leaves(.neverSent))
  }

  func testWhatMayHaveBeenMadeIsLookedForWhereItMightBeMadeTwice() {
    let ends: [(inout OutboxEntry) -> EntryStep] = [
      { $0.answered(.unknown(.lost), looksAfter: true) },
      { $0.answered(.unknown(.unreadable), looksAfter: true) },
      { $0.answered(.unknown(.status(500)), looksAfter: true) },
      { $0.answered(.stopped(.unexpected(302)), looksAfter: true) },
      { $0.sendAbandoned(looksAfter: true) },
    ]
    for end in ends {
      expect(end) {
        switch Sent($0) {
        case .create, .createEdited: Row(step: .asks, phase: .contested(nil))
        case nil: .nothing
        default: .stays(nil, .waiting)
        }
      }
    }
    var entry = Start.sendingCreate.entry
    _ = entry.answered(.unknown(.lost), looksAfter: true)
    let lost = entry
    XCTAssertTrue(lost.isLostCreation)
    _ = entry.found(as: DocumentID("6"))
    XCTAssertEqual(entry.phase, .setAside(.madeAs(DocumentID("6"))))
    entry = lost
    _ = entry.notShown()
    XCTAssertEqual(entry.phase, .waiting)
    let again = entry.sendBegan(fresh: .nine)
    XCTAssertEqual(again, lost.lastOrder, "a server may know it again by its key")
    entry = lost
    _ = entry.retryWanted(as: .two)
    XCTAssertEqual(entry.phase, .waiting, "somebody wants it to be made, once more if need be")
    XCTAssertEqual(entry.sendBegan(fresh: .nine), lost.lastOrder)
  }

  func testTheStoreWasClosedMeanwhile() {
    expect({ $0.sendAbandoned() }) { Sent($0) == nil ? .nothing : .stays(nil, .waiting) }
    for start in Start.allCases {
      guard let order = start.entry.underWay, order.kind != .look else { continue }
      var entry = start.entry
      _ = entry.sendAbandoned()
      XCTAssertEqual(entry.unanswered, [order], "\(start)")
    }
  }

  /// What is under way, and what has been done here since.
  private enum Sent {
    case create, createEdited, createDeleted, update, updateEdited, updateDeleted, delete,
      deleteSaved, look, lookSaved

    init?(_ start: Start) {
      switch start {
      case .sendingCreate: self = .create
      case .sendingCreateEdited: self = .createEdited
      case .sendingCreateDeleted: self = .createDeleted
      case .sendingUpdate: self = .update
      case .sendingUpdateEdited: self = .updateEdited
      case .sendingUpdateDeleted: self = .updateDeleted
      case .sendingDelete: self = .delete
      case .sendingDeleteSaved: self = .deleteSaved
      case .looking: self = .look
      case .lookingSaved: self = .lookSaved
      case .create, .update, .delete, .lostCreate, .lostCreateEdited, .lostCreateDeleted,
        .lostUpdate, .lostDelete, .lostDeleteSaved, .contestedCreate, .contestedUpdate,
        .contestedDelete, .parked, .refusedCreate, .refusedUpdate:
        return nil
      }
    }
  }

  /// An answer without a request changes nothing.
  private func expectAnswer(
    _ verdict: SendVerdict, equal: Revision? = nil, line: UInt = #line, _ row: (Sent) -> Row
  ) {
    expect({ $0.answered(verdict, equal: equal) }, line: line) { Sent($0).map(row) ?? .nothing }
  }
}

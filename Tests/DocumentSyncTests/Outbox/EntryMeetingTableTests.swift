import XCTest

@testable import DocumentSync

/// What the server turns out to have, in each state of an `OutboxEntry`.
final class EntryMeetingTableTests: EntryTableTestCase {
  func testAnotherContentIsShown() {
    expectAtRest({ $0.shown(.copy(.two)) }) {
      switch $0 {
      case .create, .update, .delete, .lostCreate, .lostCreateEdited, .lostCreateDeleted,
        .lostUpdate, .lostDelete, .lostDeleteSaved, .refusedCreate, .refusedUpdate:
        .meets(nil)
      case .contestedCreate, .contestedUpdate, .contestedDelete: .meets(Start.refusal)
      case .parked: Row(step: .meets)
      }
    }
  }

  func testTheVersionIsShownThatItStandsOn() {
    expectAtRest({ $0.shown(.copy(.one)) }) {
      switch $0 {
      case .create, .lostCreate, .lostCreateEdited, .lostCreateDeleted, .refusedCreate: .meets(nil)
      case .contestedCreate: .meets(Start.refusal)
      case .contestedUpdate, .contestedDelete: .stays(nil, .setAside(.refused(Start.refusal)))
      case .update, .delete, .lostUpdate, .lostDelete, .lostDeleteSaved, .parked, .refusedUpdate:
        .nothing
      }
    }
  }

  func testTheFirstContentOfOursIsShown() {
    expectAtRest({ $0.shown(.copy(.two), equal: .one) }) {
      switch $0 {
      case .create, .update, .lostCreate, .lostUpdate, .contestedCreate, .contestedUpdate, .parked,
        .refusedCreate, .refusedUpdate:
        .leaves(.accepted(.one, .two))
      case .lostCreateEdited: .reaches(.one, .update(base: .two))
      case .lostCreateDeleted: .reaches(.one, .delete(base: .two))
      case .delete, .lostDelete, .lostDeleteSaved: .meets(nil)
      case .contestedDelete: .meets(Start.refusal)
      }
    }
  }

  func testADeletionIsShown() {
    expectAtRest({ $0.shown(.deleted(.two)) }) {
      switch $0 {
      case .create, .refusedCreate: .nothing
      case .contestedCreate: .stays(nil, .waiting)
      case .update, .lostCreate, .lostCreateEdited, .lostUpdate, .refusedUpdate: .meets(nil)
      case .contestedUpdate: .meets(Start.refusal)
      case .parked: Row(step: .meets)
      case .delete, .lostCreateDeleted, .lostDelete, .contestedDelete: .leaves(.deleted(.two))
      case .lostDeleteSaved: .vanishes
      }
    }
  }

  func testAWholePullTellsNothingOfIt() {
    expectAtRest({ $0.notShown() }) {
      switch $0 {
      case .contestedCreate, .contestedUpdate, .contestedDelete:
        .stays(nil, .setAside(.refused(Start.refusal)))
      case .create, .update, .delete, .lostCreate, .lostCreateEdited, .lostCreateDeleted,
        .lostUpdate, .lostDelete, .lostDeleteSaved, .parked, .refusedCreate, .refusedUpdate:
        .nothing
      }
    }
  }

  func testTheChangeIsPutOnTheServersVersion() {
    expectAtRest({ $0.met(.rebased(.two), as: .nine) }) {
      switch $0 {
      case .create, .update, .lostCreate, .lostCreateEdited, .lostUpdate, .lostDeleteSaved,
        .contestedCreate, .contestedUpdate, .parked, .refusedCreate, .refusedUpdate:
        .stays(.update(base: .two), .waiting)
      case .delete, .lostCreateDeleted, .lostDelete, .contestedDelete:
        .stays(.delete(base: .two), .waiting)
      }
    }
  }

  func testTheDocumentIsMadeAnew() {
    expectAtRest({ $0.met(.madeAnew(after: .at(.two)), as: .nine) }) {
      switch $0 {
      case .create, .update, .lostCreate, .lostCreateEdited, .lostUpdate, .lostDeleteSaved,
        .contestedCreate, .contestedUpdate, .parked, .refusedCreate, .refusedUpdate:
        .stays(.create, .waiting)
      case .delete, .lostCreateDeleted, .lostDelete, .contestedDelete: .leaves(.deleted(.two))
      }
    }
  }

  func testTheConflictIsPutOffOrGivenUpOrOver() {
    expectAtRest({ $0.met(.parked, as: .nine) }) { _ in .stays(nil, .parked) }
    expectAtRest({ $0.met(.gaveUp, as: .nine) }) { _ in
      .stays(nil, .setAside(.outrun(rounds: 0)))
    }
    expectAtRest({ $0.met(.over, as: .nine) }) { _ in .leaves(.gaveWay) }
  }

  /// The states without a request under way.
  private enum Rest: String {
    case create, update, delete, lostCreate, lostCreateEdited, lostCreateDeleted, lostUpdate,
      lostDelete, lostDeleteSaved, contestedCreate, contestedUpdate, contestedDelete, parked,
      refusedCreate, refusedUpdate

    init?(_ start: Start) { self.init(rawValue: "\(start)") }
  }

  /// While a request is under way, its answer comes first.
  private func expectAtRest(
    _ event: (inout OutboxEntry) -> EntryStep, line: UInt = #line, _ row: (Rest) -> Row
  ) {
    expect(event, line: line) { Rest($0).map(row) ?? Row(step: .later) }
  }
}

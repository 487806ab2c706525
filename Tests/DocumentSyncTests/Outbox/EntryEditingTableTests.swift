import XCTest

@testable import DocumentSync

/// What users do, in each state of an `OutboxEntry`.
final class EntryEditingTableTests: EntryTableTestCase {
  func testTheDocumentIsSaved() {
    expect({ $0.saved(as: .nine) }, Self.saved)
    for start in Start.allCases {
      var entry = start.entry
      _ = entry.saved(as: .nine)
      XCTAssertEqual(entry.revision, .nine, "\(start)")
    }
  }

  func testTheLastValueOfTheServerIsSavedAgain() {
    expect({ $0.saved(as: .nine, isBase: true) }) {
      switch $0 {
      case .update, .delete, .contestedUpdate, .contestedDelete, .parked, .refusedUpdate:
        .leaves(.reverted)
      case .create, .lostCreate, .lostCreateEdited, .lostCreateDeleted, .lostUpdate, .lostDelete,
        .lostDeleteSaved, .sendingCreate, .sendingCreateEdited, .sendingCreateDeleted,
        .sendingUpdate, .sendingUpdateEdited, .sendingUpdateDeleted, .sendingDelete,
        .sendingDeleteSaved, .looking, .lookingSaved, .contestedCreate, .refusedCreate:
        Self.saved($0)
      }
    }
  }

  func testTheDocumentIsDeleted() {
    let deletion = OutboxEntry.Change.delete(base: .one)
    expect({ $0.deleted(as: .nine) }) {
      switch $0 {
      case .create, .contestedCreate, .refusedCreate: .leaves(.neverSent)
      case .update, .lostUpdate, .lostDeleteSaved, .contestedUpdate, .parked, .refusedUpdate:
        .stays(deletion, .waiting)
      case .lostCreate, .lostCreateEdited: .stays(.delete(base: nil), .waiting)
      case .sendingCreate, .sendingCreateEdited, .lookingSaved: .stays(.delete(base: nil))
      case .sendingUpdate, .sendingUpdateEdited, .sendingDeleteSaved: .stays(deletion)
      case .delete, .lostCreateDeleted, .lostDelete, .sendingCreateDeleted, .sendingUpdateDeleted,
        .sendingDelete, .looking, .contestedDelete:
        .nothing
      }
    }
  }

  func testSomebodyWantsItToBeTriedAgain() {
    expect({ $0.retryWanted(as: .nine) }) {
      switch $0 {
      case .refusedCreate, .refusedUpdate: .stays(nil, .waiting)
      case .create, .update, .delete, .lostCreate, .lostCreateEdited, .lostCreateDeleted,
        .lostUpdate, .lostDelete, .lostDeleteSaved, .sendingCreate, .sendingCreateEdited,
        .sendingCreateDeleted, .sendingUpdate, .sendingUpdateEdited, .sendingUpdateDeleted,
        .sendingDelete, .sendingDeleteSaved, .looking, .lookingSaved, .contestedCreate,
        .contestedUpdate, .contestedDelete, .parked:
        .nothing
      }
    }
  }

  private static func saved(_ start: Start) -> Row {
    switch start {
    case .create, .update, .lostCreate, .lostCreateEdited, .lostUpdate, .lostDeleteSaved,
      .sendingCreate, .sendingCreateEdited, .sendingUpdate, .sendingUpdateEdited,
      .sendingDeleteSaved, .lookingSaved, .contestedCreate, .contestedUpdate, .parked:
      .nothing
    case .delete, .lostDelete, .sendingDelete, .sendingUpdateDeleted, .contestedDelete:
      .stays(.update(base: .one))
    case .lostCreateDeleted, .sendingCreateDeleted, .looking: .stays(.create)
    case .refusedCreate, .refusedUpdate: .stays(nil, .waiting)
    }
  }
}

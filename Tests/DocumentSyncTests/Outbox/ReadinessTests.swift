import TestSupport
import XCTest

@testable import DocumentSync

/// Which entries wait for others.
final class ReadinessTests: XCTestCase {
  private typealias Start = EntryStart

  func testEachThatIsAwaitedHoldsUpTheEntryOrIsTakenOutOfIt() {
    let id = DocumentID("p")
    for predecessor in [Predecessor.unknown, .unsent, .setAside, .inConflict] {
      let readiness = Readiness(awaiting: [id]) { _ in predecessor }
      XCTAssertEqual(readiness.waitsFor, [id: predecessor])
      XCTAssertEqual(readiness.satisfied.union(readiness.released), [])
    }
    let satisfied = Readiness(awaiting: [id]) { _ in .synced }
    XCTAssertEqual(satisfied.waitsFor, [:])
    XCTAssertEqual(satisfied.satisfied, [id])
    let released = Readiness(awaiting: [id]) { _ in .deleted }
    XCTAssertEqual(released.waitsFor, [:])
    XCTAssertEqual(released.released, [id], "it's told apart, so that a note can be made of it")
  }

  func testOneThatHoldsItUpIsEnough() {
    let known: [DocumentID: Predecessor] = [
      DocumentID("a"): .synced, DocumentID("b"): .deleted, DocumentID("c"): .setAside,
    ]
    let readiness = Readiness(awaiting: Set(known.keys).union([DocumentID("d")])) {
      known[$0] ?? .unknown
    }
    XCTAssertEqual(readiness.waitsFor, [DocumentID("c"): .setAside, DocumentID("d"): .unknown])
    XCTAssertEqual(readiness.satisfied, [DocumentID("a")])
    XCTAssertEqual(readiness.released, [DocumentID("b")])
  }

  func testWhatGoesAfterNothingIsReady() {
    let readiness = Readiness(awaiting: []) { _ in .unknown }
    XCTAssertEqual(readiness.waitsFor, [:])
  }

  func testEachStateOfAnEntryTellsThoseThatGoAfterItsDocument() {
    for start in Start.allCases {
      let expected: Predecessor =
        switch start {
        case .create, .update, .lostCreate, .lostCreateEdited, .lostUpdate, .lostDeleteSaved,
          .sendingCreate, .sendingCreateEdited, .sendingUpdate, .sendingUpdateEdited,
          .sendingDeleteSaved, .lookingSaved, .contestedCreate, .contestedUpdate:
          .unsent
        case .delete, .lostCreateDeleted, .lostDelete, .sendingCreateDeleted,
          .sendingUpdateDeleted, .sendingDelete, .looking, .contestedDelete:
          .deleted
        case .parked: .inConflict
        case .refusedCreate, .refusedUpdate: .setAside
        }
      XCTAssertEqual(start.entry.asPredecessor, expected, "\(start)")
    }
  }

  func testALookThatFailsIsNoAnswer() {
    struct Broken: Error, Equatable {}
    let look: (DocumentID) throws(Broken) -> Predecessor = { _ throws(Broken) in throw Broken() }
    assertThrows(Broken(), try Readiness(awaiting: [DocumentID("a")], known: look))
  }
}

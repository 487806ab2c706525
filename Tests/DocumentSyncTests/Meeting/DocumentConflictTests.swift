@testable import DocumentSync
import XCTest

final class DocumentConflictTests: XCTestCase {
  private func conflict(there: ServerCopy?) -> DocumentConflict {
    DocumentConflict(base: Letter.B.copy("1", time: 10), here: Letter.E.value, there: there)
  }

  func testEachResolutionDoesAsItSaysAndTellsWhatItLost() {
    let there = Letter.C.copy("2", time: 20)
    let table: [(ServerCopy?, DocumentConflict.Resolution, String)] = [
      (there, .there, "apply C2 by ask − here E"),
      (there, .here, "rebase E on C2 by ask − there C"),
      (there, .document(Letter.M.value), "rebase M on C2 by ask − here E − there C"),
      (there, .document(Letter.C.value), "apply C2 by ask − here E"),
      (nil, .there, "remove by ask − here E"),
      (there, .document(Letter.E.value), "rebase E on C2 by ask − there C"),
      (nil, .here, "make E again by ask"),
      (nil, .document(Letter.M.value), "make M again by ask − here E"),
    ]
    for (there, resolution, told) in table {
      XCTAssertEqual(conflict(there: there).decision(resolution).told, told)
    }
  }

  func testAfterAResolutionThereIsNothingMoreToDecide() {
    let there = Letter.C.copy("2", time: 20)
    for resolution: DocumentConflict.Resolution in [.here, .there, .document(Letter.M.value)] {
      let step = conflict(there: there).decision(resolution).step
      let here = HereCase.edited.state.after(step)
      XCTAssertEqual(
        Meeting(here, .present(there), policies: [.ask]).decide().step, .nothing, "\(resolution)")
    }
  }

  /// A document made on both sides was left to be decided, and then the server's was deleted.
  /// Whoever then decided for the server's had a copy here that the server had no more, and never
  /// heard of it.
  func testWhatTheServerSaysNextEndsAConflictOrTakesItsPlace() {
    let other = ThereCase.other.state
    func after(_ here: HereCase, _ there: DocumentState) -> DocumentConflict? {
      let meeting = Meeting(here.state, there, policies: [.ask])
      return meeting.conflict(after: meeting.decide())
    }
    XCTAssertNil(after(.created, .deleted(nil)))
    XCTAssertNil(after(.created, ThereCase.equal.state))
    XCTAssertNil(after(.edited, ThereCase.known.state))
    XCTAssertEqual(after(.edited, other)?.there?.value, Letter.O.value)
    XCTAssertEqual(after(.edited, .deleted(nil))?.here, Letter.E.value)
    XCTAssertNil(after(.edited, .deleted(nil))?.there)
  }
}

@testable import DocumentSync
import XCTest

final class MeetingTableTests: XCTestCase {
  private struct Cell: Hashable {
    var here: HereCase
    var there: ThereCase
    var policy: PolicyCase

    var meeting: Meeting {
      Meeting(here.state, there.state, policies: policy.policies, rounds: policy.rounds)
    }
  }

  private static let cells = HereCase.allCases.flatMap { here in
    ThereCase.allCases.flatMap { there in
      PolicyCase.allCases.map { Cell(here: here, there: there, policy: $0) }
    }
  }

  func testEveryMeetingIsDecidedAsTheTableSays() {
    var seen: Set<Cell> = []
    for row in MeetingRow.all {
      for here in row.here {
        for there in row.there {
          for (column, policy) in PolicyCase.allCases.enumerated() {
            let cell = Cell(here: here, there: there, policy: policy)
            let told = row.decisions[row.decisions.count == 1 ? 0 : column]
            XCTAssertEqual(cell.meeting.decide().told, told, "\(cell)")
            XCTAssertTrue(seen.insert(cell).inserted, "twice in the table: \(cell)")
          }
        }
      }
    }
    for cell in Self.cells { XCTAssertTrue(seen.contains(cell), "not in the table: \(cell)") }
  }

  /// What is left for somebody to decide stays left; all else finds nothing more to do.
  func testDecidingTwiceIsStable() {
    for cell in Self.cells {
      var meeting = cell.meeting
      let first = meeting.decide()
      meeting.here = meeting.here.after(first.step)
      let second = meeting.decide()
      switch first.step {
      case .park, .giveUp: XCTAssertEqual(second, first, "\(cell)")
      default:
        XCTAssertEqual(second.step, .nothing, "\(cell)")
        XCTAssertEqual(second.lost, [], "\(cell)")
      }
    }
  }

  func testARoundIsTakenWhereTheEditWasPutOverTheServersCopy() {
    for cell in Self.cells {
      let decision = cell.meeting.decide()
      let isOver = ["rebase E", "make E again"].contains { decision.told.hasPrefix($0) }
      XCTAssertEqual(
        decision.takesRound, isOver && decision.told.contains("by localWins"), "\(cell)")
    }
  }

  func testWhatIsKnownAfterEachStep() {
    let (copy, body) = (Letter.O.copy("2", time: 20), Letter.M.value)
    let conflict = DocumentConflict(base: nil, here: body, there: copy)
    let before = HereCase.editedAndSent.state
    let table: [(Decision.Step, Meeting.Here)] = [
      (.nothing, before), (.park(conflict), before), (.giveUp(conflict), before),
      (.acknowledge(copy), .synced(copy)), (.apply(copy), .synced(copy)),
      (.settle(copy), .synced(copy)), (.remove, .nothing), (.dropTombstone, .nothing),
      (.rebase(base: copy, body: body), .edited(base: copy, body: body, sent: .none)),
      (.makeAgain(body: body), .created(body: body, sent: .none)),
      (.keepTombstone(base: copy), .deleted(base: copy, sent: .none)),
    ]
    for (step, after) in table { XCTAssertEqual(before.after(step), after) }
  }

  func testEachWayOfWritingTheServersCopyIsTheSame() throws {
    let base = ServerCopy(
      value: try DocumentValue(parsing: #"{ "b":1.0, "a":1e0 }"#), version: DocumentVersion("1"))
    let meeting = Meeting(HereCase.edited.state, .present(base), policies: [.ask])
    XCTAssertEqual(meeting.decide().step, .nothing)
  }

  /// A version tells nothing where the copy isn't the one that is known under it.
  func testAnotherCopyUnderTheSameVersionIsAChange() {
    let other = DocumentState.present(Letter.O.copy("1", time: 10))
    XCTAssertEqual(Meeting(HereCase.synced.state, other).decide().told, "apply O1")
    XCTAssertEqual(
      Meeting(HereCase.edited.state, other, policies: [.merge]).decide().told,
      "rebase M on O1 by merge")
  }
}

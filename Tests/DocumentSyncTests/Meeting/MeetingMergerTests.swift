@testable import DocumentSync
import XCTest

final class MeetingMergerTests: XCTestCase {
  private func copy(_ count: Int, _ version: String) -> ServerCopy {
    ServerCopy(value: ["n": .init(count)], version: DocumentVersion(version))
  }

  private func decide(
    _ body: Int, sent: UnansweredSends = .none, _ there: Int, _ policies: [ConflictPolicy]
  ) -> Decision {
    Meeting(
      .edited(base: copy(5, "1"), body: ["n": .init(body)], sent: sent), .present(copy(there, "2")),
      policies: policies, mergers: [["n"]: .counter]
    ).decide()
  }

  func testTwoDevicesThatCountToTheSameNumberHaveCountedTwice() {
    let decision = decide(6, 6, [.merge])
    XCTAssertEqual(decision.step, .rebase(base: copy(6, "2"), body: ["n": 7]))
    XCTAssertEqual(decision.lost, [])
  }

  func testWhatWasSentFromHereIsNotCountedAgain() {
    let sent: UnansweredSends = [["n": 6]]
    XCTAssertEqual(decide(6, sent: sent, 6, [.merge]).step, .settle(copy(6, "2")))
    XCTAssertEqual(
      decide(8, sent: sent, 6, [.merge]).step, .rebase(base: copy(6, "2"), body: ["n": 8]))
  }

  func testOtherPoliciesDoNotAskMergers() {
    XCTAssertEqual(decide(6, 6, [.serverWins]).step, .settle(copy(6, "2")))
    XCTAssertEqual(decide(6, 7, [.latest]).step, .apply(copy(7, "2")))
  }

  func testADocumentWhoseTimesAloneDifferIsTheSame() {
    func timed(_ time: Int64, _ version: String) -> ServerCopy {
      ServerCopy(value: ["a": 1, "_times": ["a": .init(time)]], version: DocumentVersion(version))
    }
    XCTAssertEqual(
      Meeting(.synced(timed(1, "1")), .present(timed(2, "2"))).decide().step,
      .acknowledge(timed(2, "2")))
    let edit = Meeting.Here.edited(
      base: timed(1, "1"), body: ["a": 2, "_times": ["a": 5]], sent: .none)
    XCTAssertEqual(
      Meeting(edit, .present(timed(9, "2")), policies: [.ask]).decide().step,
      .rebase(base: timed(9, "2"), body: ["a": 2, "_times": ["a": 9]]))
  }
}

@testable import DocumentSync
import XCTest

final class PolicyLineTests: XCTestCase {
  private let base = ServerCopy(value: ["a": 1, "b": 1], version: DocumentVersion("1"), time: 10)
  private let theirs = ServerCopy(
    value: ["a": 3, "b": 1, "c": 1], version: DocumentVersion("2"), time: 20)

  private func told(
    _ policies: [ConflictPolicy], rounds: Int = 0, editedAt time: Int64 = 15
  ) -> String {
    let body: DocumentValue = ["a": 2, "b": 2, "_times": ["a": .init(time), "b": .init(time)]]
    let decision = Meeting(
      .edited(base: base, body: body, sent: .none), .present(theirs), policies: policies,
      rounds: rounds
    ).decide()
    guard case .rebase(_, let merged) = decision.step else { return decision.told }
    return "\(merged.withoutTimes.text) \(decision.reasons)"
  }

  func testWhatMergeCannotDecideGoesDownTheLine() {
    let (theirs, ours) = (#"{"a":3,"b":2,"c":1}"#, #"{"a":2,"b":2,"c":1}"#)
    let table: [([ConflictPolicy], Int, String)] = [
      ([.merge], 0, "\(theirs) by merge+serverWins − here a=2"),
      ([.merge, .serverWins, .ask], 0, "\(theirs) by merge+serverWins − here a=2"),
      ([.merge, .localWins(atMost: 3)], 2, "\(ours) by merge+localWins − there a=3"),
      ([.merge, .merge, .localWins(atMost: 3)], 2, "\(ours) by merge+merge+localWins − there a=3"),
      (
        [.merge, .localWins(atMost: 3), .serverWins], 3,
        "\(theirs) by merge+localWins+serverWins − here a=2"
      ),
      ([.merge, .latest], 0, "\(theirs) by merge+latest − here a=2"),
      ([.localWins(atMost: 1), .merge], 1, "\(theirs) by localWins+merge+serverWins − here a=2"),
      ([.latest, .ask], 0, #"{"a":3,"b":2,"c":1} by latest − here a=2"#),
    ]
    for (policies, rounds, decision) in table {
      XCTAssertEqual(told(policies, rounds: rounds), decision, "\(policies)")
    }
    XCTAssertEqual(told([.merge, .latest], editedAt: 25), "\(ours) by merge+latest − there a=3")
  }

  func testWhoIsToBeAskedIsAskedInTurn() {
    let table: [([ConflictPolicy], Int, String)] = [
      ([.merge, .ask], 0, "park"), ([.ask, .serverWins], 0, "park"),
      ([.merge, .localWins(atMost: 3)], 3, "give up"), ([.localWins(atMost: 0)], 0, "give up"),
      ([.localWins(atMost: 2), .ask], 2, "park"),
      ([.localWins(atMost: 1), .localWins(atMost: 2)], 2, "give up"),
    ]
    for (policies, rounds, start) in table {
      XCTAssertTrue(told(policies, rounds: rounds).hasPrefix(start), "\(policies)")
    }
  }

  func testRoundsCountForDeletionsAndNotForForgetting() {
    func decided(_ there: DocumentState, _ policies: [ConflictPolicy]) -> String {
      Meeting(HereCase.edited.state, there, policies: policies, rounds: 3).decide().told
    }
    let line: [ConflictPolicy] = [.localWins(atMost: 3), .merge]
    XCTAssertEqual(decided(.deleted(nil), line), "remove by localWins+merge − here E deleted")
    XCTAssertEqual(decided(.forgotten, line), "make E again by localWins")
    XCTAssertEqual(
      decided(ThereCase.revived.state, line), "apply R2 by localWins+merge − here E deleted")
  }

  func testOnlyWhoPutsTheEditOverTheCopyTakesARound() {
    let table: [([ConflictPolicy], Int, Bool)] = [
      ([.localWins(atMost: 1)], 0, true), ([.merge, .localWins(atMost: 1)], 0, true),
      ([.localWins(atMost: 1), .merge], 1, false), ([.localWins(atMost: 1)], 1, false),
    ]
    for (policies, rounds, takesRound) in table {
      let edit = Meeting.Here.edited(base: base, body: ["a": 2, "b": 2], sent: .none)
      let meeting = Meeting(edit, .present(theirs), policies: policies, rounds: rounds)
      XCTAssertEqual(meeting.decide().takesRound, takesRound, "\(policies) \(rounds)")
    }
  }

  func testWhatIsNoObjectIsTakenAsAWhole() {
    func copy(_ value: DocumentValue, _ version: String) -> ServerCopy {
      ServerCopy(value: value, version: DocumentVersion(version))
    }
    for policy: ConflictPolicy in [.merge, .latest, .serverWins] {
      let edit = Meeting.Here.edited(base: copy([1], "1"), body: [2], sent: .none)
      let decision = Meeting(edit, .present(copy([3], "2")), policies: [policy]).decide()
      XCTAssertEqual(decision.step, .apply(copy([3], "2")), "\(policy)")
      XCTAssertEqual(decision.lost.map(\.value), [[2]], "\(policy)")
    }
  }
}

@testable import DocumentSync
import TestSupport
import XCTest

/// Meetings made at random; a failure names the seed.
final class MeetingWalkTests: XCTestCase {
  static func policies(_ random: inout SeededGenerator) -> [ConflictPolicy] {
    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .serverWins
      case 1: .localWins(atMost: 2)
      case 2: .merge
      case 3: .latest
      default: .ask
      }
    }
  }

  private func meeting(_ random: inout SeededGenerator) -> Meeting {
    let first = random.document().stamped(over: nil, at: 10)
    let base = ServerCopy(value: first, version: DocumentVersion("1"), time: 10)
    let sent = random.edits(first).stamped(over: first, at: 12)
    let body = random.edits(sent).stamped(over: sent, at: 15 + Int64(random.next() % 10))
    var theirs = random.oneIn(6) ? sent : random.edits(first)
    if random.oneIn(2) { theirs = theirs.stamped(over: first, at: 15 + Int64(random.next() % 10)) }
    let copy = ServerCopy(value: theirs, version: DocumentVersion("2"), time: 20)
    let unanswered = UnansweredSends(bodies: random.oneIn(2) ? [sent] : [])
    let heres: [Meeting.Here] = [
      .created(body: body, sent: unanswered), .edited(base: base, body: body, sent: unanswered),
      .edited(base: base, body: body, sent: unanswered), .deleted(base: base, sent: unanswered),
    ]
    let theres: [DocumentState] = [
      .present(copy), .present(copy), .present(copy), .revived(copy), .deleted(nil), .forgotten,
    ]
    return Meeting(
      heres[Int.random(in: 0..<4, using: &random)], theres[Int.random(in: 0..<6, using: &random)],
      policies: Self.policies(&random), rounds: Int.random(in: 0..<4, using: &random))
  }

  func testNothingVanishes() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      let meeting = meeting(&random)
      let decision = meeting.decide()
      XCTAssertEqual(meeting.vanished(by: decision), [], "seed \(seed): \(meeting) \(decision)")
    }
  }

  func testNothingIsLostWhereNobodyElseChangedAnything() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      let decision = meeting(&random).decide()
      switch decision.basis {
      case .onlyOneSide, .ownSend, .agreement, .answer:
        XCTAssertEqual(decision.lost, [], "seed \(seed)")
      case .deletion, .policies: break
      }
      for loss in decision.lost where loss.path == .whole {
        XCTAssertEqual(loss.value, loss.value?.withoutTimes, "seed \(seed)")
      }
    }
  }

  func testDecidingTwiceIsStable() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      var meeting = meeting(&random)
      let first = meeting.decide()
      meeting.here = meeting.here.after(first.step)
      let second = meeting.decide()
      switch first.step {
      case .park, .giveUp: XCTAssertEqual(second, first, "seed \(seed)")
      default:
        XCTAssertEqual(second.step, .nothing, "seed \(seed): \(first)")
        XCTAssertEqual(second.lost, [], "seed \(seed)")
      }
    }
  }
}

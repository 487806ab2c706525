import XCTest

@testable import DocumentSync

/// What the end of a request for many means for each of them.
final class BatchOutcomeTests: XCTestCase {
  private let one = DocumentVersion("1")
  private var kinds: [SendOrder.Kind] { [.create, .update(one), .delete(one), .look] }

  func testPartsAreJudgedOneByOne() {
    var accepted = SendAnswer(status: 200)
    accepted.version = DocumentVersion("2")
    let outcome = BatchOutcome.parts([
      .answered(accepted), .answered(SendAnswer(status: 400)), .answered(SendAnswer(status: 404)),
      .answered(SendAnswer(status: 500)),
    ])
    XCTAssertEqual(
      outcome.verdicts(for: kinds),
      [
        .accepted(DocumentVersion("2")), .refused(Refusal(status: 400, words: "")), .deleted(nil),
        .untaken(.status(500)),
      ])
  }

  func testOfALostAnswerNothingIsKnownOfAnyPart() {
    expect(.unreadable, changes: .unknown(.unreadable), look: .untaken(.unreadable))
    expect(.lost, changes: .unknown(.lost), look: .untaken(.lost))
    expect(.unreachable, changes: .untaken(.unreachable), look: .untaken(.unreachable))
    expect(.impossible, changes: .stopped(.impossible), look: .stopped(.impossible))
  }

  func testOfPartsThatDoNotMatchTheEntriesNothingIsKnown() {
    for count in [0, 1, 3, 5] {
      let parts = [SendOutcome](repeating: .answered(SendAnswer(status: 200)), count: count)
      let unreadable = [SendVerdict](repeating: .unknown(.unreadable), count: 3)
      XCTAssertEqual(
        BatchOutcome.parts(parts).verdicts(for: kinds), unreadable + [.untaken(.unreadable)])
    }
    let success = SendOutcome.answered(SendAnswer(status: 200))
    expect(success, changes: .unknown(.unreadable), look: .untaken(.unreadable))
  }

  func testARefusedBatchIsNoJudgementAboutItsEntries() {
    for status in 400...499 {
      let verdict: SendVerdict =
        switch status {
        case 401, 407: .stopped(.unauthorized)
        case 408, 425, 429: .untaken(.status(status))
        default: .tooMany(Refusal(status: status, words: ""))
        }
      expect(.answered(SendAnswer(status: status)), changes: verdict, look: verdict)
    }
  }

  func testABrokenServerMayHaveTakenEachPart() {
    for status in [500, 502, 503] {
      expect(
        .answered(SendAnswer(status: status)), changes: .unknown(.status(status)),
        look: .untaken(.status(status)))
    }
    let strange = SendVerdict.stopped(.unexpected(302))
    expect(.answered(SendAnswer(status: 302)), changes: strange, look: strange)
  }

  func testACollectionThatIsMissingStopsTheBatchToo() {
    var answer = SendAnswer(status: 403)
    answer.subject = .collection
    let stopped = SendVerdict.stopped(.collection(Refusal(status: 403, words: "")))
    expect(.answered(answer), changes: stopped, look: stopped)
  }

  private func expect(
    _ whole: SendOutcome, changes: SendVerdict, look: SendVerdict, line: UInt = #line
  ) {
    XCTAssertEqual(
      BatchOutcome.whole(whole).verdicts(for: kinds), [changes, changes, changes, look], line: line)
  }
}

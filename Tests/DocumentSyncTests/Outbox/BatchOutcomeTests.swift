import XCTest

@testable import DocumentSync

/// What the end of a request for many means for each of them.
final class BatchOutcomeTests: XCTestCase {
  private let one = DocumentVersion("1")
  private var kinds: [SendOrder.Kind] { [.create, .update(one), .delete(one), .look] }

  func testPartsAreJudgedOneByOne() {
    let accepted = PushAnswer(status: 200, version: DocumentVersion("2"))
    let answers = [accepted] + [400, 404, 500].map { PushAnswer(status: $0) }
    let reply = EndpointReply<BatchEnd>(
      .parts(answers.map { EndpointReply<PushEnd>(.answered($0)) }))
    XCTAssertEqual(
      SendVerdict.verdicts(reply, to: kinds),
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
      let part = EndpointReply<PushEnd>(.answered(PushAnswer(status: 200)))
      let reply = EndpointReply<BatchEnd>(.parts(Array(repeating: part, count: count)))
      let unreadable = [SendVerdict](repeating: .unknown(.unreadable), count: 3)
      XCTAssertEqual(SendVerdict.verdicts(reply, to: kinds), unreadable + [.untaken(.unreadable)])
    }
    let success = PushEnd.answered(PushAnswer(status: 200))
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
      expect(.answered(PushAnswer(status: status)), changes: verdict, look: verdict)
    }
  }

  func testABrokenServerMayHaveTakenEachPart() {
    for status in [500, 502, 503] {
      expect(
        .answered(PushAnswer(status: status)), changes: .unknown(.status(status)),
        look: .untaken(.status(status)))
    }
    let strange = SendVerdict.stopped(.unexpected(302))
    expect(.answered(PushAnswer(status: 302)), changes: strange, look: strange)
  }

  func testACollectionThatIsMissingStopsTheBatchToo() {
    let answer = PushAnswer(status: 403, subject: .collection)
    let stopped = SendVerdict.stopped(.collection(Refusal(status: 403, words: "")))
    expect(.answered(answer), changes: stopped, look: stopped)
  }

  private func expect(
    _ whole: PushEnd, changes: SendVerdict, look: SendVerdict, line: UInt = #line
  ) {
    XCTAssertEqual(
      SendVerdict.verdicts(EndpointReply<BatchEnd>(.whole(whole)), to: kinds),
      [changes, changes, changes, look], line: line)
  }
}

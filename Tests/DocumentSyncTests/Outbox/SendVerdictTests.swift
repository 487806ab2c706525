import XCTest

@testable import DocumentSync

/// What each end of a request means for its entry: a row for every pair of a status and a kind of
/// request.
final class SendVerdictTests: XCTestCase {
  private let one = DocumentVersion("1")
  private let two = DocumentVersion("2")
  private var kinds: [SendOrder.Kind] { [.create, .update(one), .delete(one), .look] }

  func testASuccessIsAcceptedUnderTheVersionThatItTells() {
    for status in [200, 201, 204, 299] {
      let answer = PushAnswer(status: status, version: two)
      expect(answer, [.accepted(two), .accepted(two), .deleted(two), .untaken(.unreadable)])
    }
  }

  func testASuccessThatTellsNoVersionIsNotKnownToBeOne() {
    expect(
      PushAnswer(status: 200),
      [.unknown(.unreadable), .unknown(.unreadable), .deleted(nil), .untaken(.unreadable)])
  }

  func testACreationUnderAnotherKeyIsNotAccepted() {
    let answer = PushAnswer(status: 201, version: two, madeAs: DocumentID("6"))
    expect(
      answer,
      [.madeAs(DocumentID("6"), two), .accepted(two), .deleted(two), .untaken(.unreadable)])
  }

  func testWhatWasLookedUpIsShown() {
    let copy = DocumentState.copy(two)
    var answer = PushAnswer(status: 200, shown: copy)
    XCTAssertEqual(verdict(answer, to: .look), .shown(copy, Refusal(status: 200, words: "")))
    answer.shown = .deleted(two)
    XCTAssertEqual(verdict(answer, to: .look), .deleted(two))
  }

  func testEachOtherStatusHasItsMeaning() {
    for status in (0...199).map(\.self) + Array(300...399) + [600, 999, -1] {
      expect(status, Array(repeating: .stopped(.unexpected(status)), count: 4))
    }
    for status in 400...499 {
      let refusal = Refusal(status: status, words: "so there")
      let rows: [SendVerdict] =
        switch status {
        case 401, 407: Array(repeating: .stopped(.unauthorized), count: 4)
        case 404: [.refused(refusal), .unmet(refusal), .deleted(nil), .deleted(nil)]
        case 410:
          [.refused(refusal), .shown(.deleted(nil), refusal), .deleted(nil), .deleted(nil)]
        case 409, 412: Array(repeating: .unmet(refusal), count: 4)
        case 408, 425, 429: Array(repeating: .untaken(.status(status)), count: 4)
        default: Array(repeating: .refused(refusal), count: 4)
        }
      expect(status, rows)
    }
    for status in 500...599 {
      let maybe = SendVerdict.unknown(.status(status))
      expect(status, [maybe, maybe, maybe, .untaken(.status(status))])
    }
  }

  func testAServerThatSaysWhenToComeAgainDidNotTakeTheRequest() {
    for status in [500, 503] {
      let notes = CallNotes(wishes: ServerWishes(retryAfter: .seconds(1)))
      let taken = SendVerdict.unknown(.status(status))
      let verdict = status == 503 ? SendVerdict.untaken(.status(status)) : taken
      expect(
        PushAnswer(status: status), [verdict, verdict, verdict, .untaken(.status(status))],
        notes: notes)
    }
  }

  func testAConflictThatShowsTheServersValueIsMet() {
    for status in [409, 412] {
      let refusal = Refusal(status: status, words: "")
      var answer = PushAnswer(status: status)
      let revived = DocumentState.revived(ServerCopy(value: ["n": 1], version: two))
      for copy in [DocumentState.copy(two), revived] {
        answer.shown = copy
        expect(answer, Array(repeating: .shown(copy, refusal), count: 4))
      }
      answer.shown = .deleted(two)
      let gone = SendVerdict.shown(.deleted(two), refusal)
      expect(answer, [gone, gone, .deleted(two), .deleted(two)])
    }
  }

  func testAMissingOrForbiddenCollectionIsNoDocumentsFault() {
    for status in [403, 404, 410] {
      let answer = PushAnswer(status: status, subject: .collection)
      let reason = StopReason.collection(Refusal(status: status, words: ""))
      expect(answer, Array(repeating: .stopped(reason), count: 4))
    }
  }

  func testWithoutAnAnswerAChangeMayHaveBeenTakenUnlessNoServerWasReached() {
    for kind in kinds {
      let unreadable = kind == .look ? SendVerdict.untaken(.unreadable) : .unknown(.unreadable)
      XCTAssertEqual(SendVerdict(EndpointReply<PushEnd>(.unreadable), to: kind), unreadable)
      let lost = kind == .look ? SendVerdict.untaken(.lost) : .unknown(.lost)
      XCTAssertEqual(SendVerdict(EndpointReply<PushEnd>(.lost), to: kind), lost)
      XCTAssertEqual(
        SendVerdict(EndpointReply<PushEnd>(.unreachable), to: kind), .untaken(.unreachable))
      XCTAssertEqual(
        SendVerdict(EndpointReply<PushEnd>(.impossible), to: kind), .stopped(.impossible))
    }
  }

  func testOnlyTroubleHasTheServerLeftAlone() {
    let refusal = Refusal(status: 412, words: "")
    let well: [SendVerdict] = [
      .accepted(one), .deleted(nil), .shown(.deleted(nil), refusal), .unmet(refusal),
      .refused(refusal), .tooMany(refusal),
    ]
    XCTAssertTrue(well.allSatisfy { $0.notice == .answers })
    XCTAssertEqual(SendVerdict.unknown(.lost).notice, .isInTrouble(.lost))
    XCTAssertEqual(SendVerdict.untaken(.status(429)).notice, .isInTrouble(.status(429)))
    XCTAssertEqual(SendVerdict.stopped(.unauthorized).notice, .mustStop(.unauthorized))
  }

  func testOnlyABrokenServerMakesWhatWasSentSuspicious() {
    let innocent: [Trouble] = [
      .status(503), .status(429), .status(408), .unreadable, .lost, .unreachable,
    ]
    XCTAssertFalse(innocent.contains(where: \.isSuspicious))
    XCTAssertTrue([500, 502, 504].allSatisfy { Trouble.status($0).isSuspicious })
  }

  private func expect(_ status: Int, _ rows: [SendVerdict], line: UInt = #line) {
    expect(PushAnswer(status: status, words: "so there"), rows, line: line)
  }

  private func expect(
    _ answer: PushAnswer, _ rows: [SendVerdict], notes: CallNotes = CallNotes(),
    line: UInt = #line
  ) {
    XCTAssertEqual(
      kinds.map { verdict(answer, notes, to: $0) }, rows, "\(answer.status)", line: line)
  }

  private func verdict(
    _ answer: PushAnswer, _ notes: CallNotes = CallNotes(), to kind: SendOrder.Kind
  ) -> SendVerdict {
    SendVerdict(EndpointReply<PushEnd>(.answered(answer), notes: notes), to: kind)
  }
}

import TestSupport
import XCTest

@testable import DocumentSync

/// What an endpoint says reaches the outbox, and what it means for the entry.
final class PushOutcomeTests: XCTestCase {
  private let copy = ServerCopy(value: ["a": 1], version: DocumentVersion("5"), time: 5)

  private let refusal = Refusal(status: 412, words: "no")

  private func verdict(
    _ answer: PushAnswer, _ wishes: ServerWishes = ServerWishes()
  ) -> SendVerdict {
    SendVerdict(
      EndpointReply<PushEnd>(.answered(answer), notes: CallNotes(wishes: wishes)), to: .create)
  }

  func testAnAnswerKeepsAllThatItSays() {
    let five = DocumentVersion("5")
    XCTAssertEqual(
      verdict(PushAnswer(status: 412, shown: .present(copy), words: "no")),
      .shown(.present(copy), refusal))
    XCTAssertEqual(
      verdict(PushAnswer(status: 201, version: five, shown: .present(copy))),
      .accepted(five, as: copy))
    XCTAssertEqual(
      verdict(PushAnswer(status: 201, madeAs: DocumentID("6"))), .madeAs(DocumentID("6")))
    XCTAssertEqual(
      verdict(PushAnswer(status: 403, words: "no", subject: .collection)),
      .stopped(.collection(Refusal(status: 403, words: "no"))))
    XCTAssertEqual(
      verdict(PushAnswer(status: 503), ServerWishes(retryAfter: .seconds(1))),
      .untaken(.status(503)))
  }

  func testWhatIsShownIsComparedWithWhatWasSent() {
    let other = ServerCopy(value: ["a": 2], version: DocumentVersion("6"))
    let rows: [(shown: DocumentState, base: ServerCopy?, decisions: Int)] = [
      (.present(other), other, 1), (.present(copy), copy, 0), (.revived(copy), copy, 0),
      (.deleted(DocumentVersion("7")), nil, 0), (.deleted(nil), nil, 0),
    ]
    for row in rows {
      var (document, counter) = sent(["a": 1])
      let decisions = document.answered(.shown(row.shown, refusal), MeetingRules(), &counter)
      XCTAssertEqual(decisions.count, row.decisions, "\(row)")
      XCTAssertEqual(document.base, row.base, "\(row)")
      XCTAssertEqual(document.entry == nil, row.base != nil, "\(row)")
    }
  }

  /// A document that was made here, whose request is under way.
  private func sent(_ content: DocumentValue) -> (StoredDocument, RevisionCounter) {
    let scope = DocumentScope(server: "https://example.org", account: "", collection: "notes")
    var document = StoredDocument(id: DocumentID("milk"), scope: scope)
    var counter = RevisionCounter(next: 8)
    document.body = content
    document.entry = OutboxEntry(
      number: 1, id: document.id, collection: "notes", revision: Revision(7), change: .create)
    XCTAssertEqual(document.sendBegan(&counter)?.kind, .create)
    return (document, counter)
  }

  func testThePartsOfABatchAreKeptApart() {
    let parts = [
      EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 412, shown: .present(copy), words: "no"))),
      EndpointReply<PushEnd>(.lost),
    ]
    XCTAssertEqual(
      SendVerdict.verdicts(EndpointReply<BatchEnd>(.parts(parts)), to: [.create, .create]),
      [.shown(.present(copy), refusal), .unknown(.lost)])
  }

  func testAnAnswerForAllShowsNoneOfThem() {
    let whole = EndpointReply<BatchEnd>(
      .whole(.answered(PushAnswer(status: 412, shown: .present(copy)))))
    XCTAssertEqual(
      SendVerdict.verdicts(whole, to: [.create, .look]),
      Array(repeating: .tooMany(Refusal(status: 412, words: "")), count: 2))
  }

  func testWithoutBatchesDocumentsArePushedOneByOneUntilNoAnswerComes() async {
    let endpoint = CountingEndpoint()
    let sends = ["a", "lost", "b"].map { PushRequest.look(at: DocumentID($0), in: "notes") }
    await assertEqual(
      endpoint.push(batch: sends),
      EndpointReply<BatchEnd>(
        .parts([
          EndpointReply<PushEnd>(.answered(PushAnswer(status: 404))), EndpointReply<PushEnd>(.lost),
          EndpointReply<PushEnd>(.unreachable),
        ])))
  }

  func testAnErrorSaysWhatItMeansForTheServer() {
    let refused = { EndpointError(.refused(status: $0, words: "no", subject: .document)).notice }
    for status in [401, 407] { XCTAssertEqual(refused(status), .mustStop(.unauthorized)) }
    for status in [408, 425, 429, 500, 503] {
      XCTAssertEqual(refused(status), .isInTrouble(.status(status)))
    }
    for status in [403, 404, 410] {
      XCTAssertEqual(refused(status), .mustStop(.collection(Refusal(status: status, words: "no"))))
    }
    XCTAssertEqual(refused(302), .mustStop(.unexpected(302)))
    XCTAssertEqual(EndpointError(.unreadable("x")).notice, .isInTrouble(.unreadable))
    XCTAssertEqual(EndpointError(.lost).notice, .isInTrouble(.lost))
    XCTAssertEqual(EndpointError(.unreachable).notice, .isInTrouble(.unreachable))
    XCTAssertEqual(EndpointError(.impossible("x")).notice, .mustStop(.impossible))
  }
}

/// An endpoint without batches, that knows no document and loses one answer.
private struct CountingEndpoint: DocumentEndpoint {
  func capabilities() async throws -> EndpointCapabilities { EndpointCapabilities(features: []) }

  func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    EndpointReply<ChangesAnswer>(.unchanged)
  }

  func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    EndpointReply<PushEnd>(request.id.text == "lost" ? .lost : .answered(PushAnswer(status: 404)))
  }
}

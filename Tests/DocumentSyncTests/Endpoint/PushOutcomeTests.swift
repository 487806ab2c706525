import XCTest

@testable import DocumentSync

/// What an endpoint says becomes what the outbox judges.
final class PushOutcomeTests: XCTestCase {
  private let copy = ServerCopy(value: ["a": 1], version: DocumentVersion("5"), time: 5)

  private func known(_ value: DocumentValue) -> Revision? {
    value == ["a": 1] ? Revision(7) : nil
  }

  func testEndsWithoutAnAnswerStayWhatTheyAre() {
    XCTAssertEqual(PushReply(.unreadable).outcome(known: known), .unreadable)
    XCTAssertEqual(PushReply(.lost).outcome(known: known), .lost)
    XCTAssertEqual(PushReply(.unreachable).outcome(known: known), .unreachable)
    XCTAssertEqual(PushReply(.impossible).outcome(known: known), .impossible)
  }

  func testAnAnswerKeepsAllThatItSays() {
    let said = PushAnswer(
      status: 412, shown: .present(copy), words: "no", subject: .collection)
    let notes = CallNotes(wishes: ServerWishes(retryAfter: .seconds(1)))
    var answer = SendAnswer(status: 412)
    answer.shown = .copy(DocumentVersion("5"), equal: Revision(7))
    answer.words = "no"
    answer.subject = .collection
    answer.hasRetryAfter = true
    XCTAssertEqual(
      PushReply(.answered(said), notes: notes).outcome(known: known), .answered(answer))
  }

  func testWhatIsShownIsComparedWithWhatWasSent() {
    let other = ServerCopy(value: ["a": 2], version: DocumentVersion("6"))
    let rows: [(DocumentState, ShownState)] = [
      (.present(other), .copy(DocumentVersion("6"), equal: nil)),
      (.revived(copy), .copy(DocumentVersion("5"), equal: Revision(7))),
      (.deleted(DocumentVersion("7")), .deleted(DocumentVersion("7"))),
      (.deleted(nil), .deleted(nil)),
    ]
    for (shown, expected) in rows {
      let reply = PushReply(.answered(PushAnswer(status: 412, shown: shown)))
      guard case .answered(let answer) = reply.outcome(known: known) else {
        return XCTFail("\(shown)")
      }
      XCTAssertEqual(answer.shown, expected)
    }
  }

  func testThePartsOfABatchAreKeptApart() {
    let parts = [
      PushReply(.answered(PushAnswer(status: 412, shown: .present(copy)))), PushReply(.lost),
    ]
    var places: [Int] = []
    let outcome = BatchReply(parts: parts).outcome { place, _ in
      places.append(place)
      return Revision(Int64(place))
    }
    var answer = SendAnswer(status: 412)
    answer.shown = .copy(DocumentVersion("5"), equal: Revision(0))
    XCTAssertEqual(outcome, .parts([.answered(answer), .lost]))
    XCTAssertEqual(places, [0])
  }

  func testAnAnswerForAllShowsNoneOfThem() {
    let whole = BatchReply(whole: .answered(PushAnswer(status: 503)))
    XCTAssertEqual(
      whole.outcome { _, _ in Revision(1) }, .whole(.answered(SendAnswer(status: 503))))
  }

  func testWithoutBatchesDocumentsArePushedOneByOneUntilNoAnswerComes() async {
    let endpoint = CountingEndpoint()
    let sends = ["a", "lost", "b"].map { PushRequest.look(at: DocumentID($0), in: "notes") }
    let reply = await endpoint.push(batch: sends)
    XCTAssertEqual(
      reply,
      BatchReply(parts: [
        PushReply(.answered(PushAnswer(status: 404))), PushReply(.lost), PushReply(.unreachable),
      ]))
  }

  func testWhatAServerHasIsWhatADocumentMeets() {
    XCTAssertEqual(DocumentState.present(copy).there, .present(copy))
    XCTAssertEqual(DocumentState.revived(copy).there, .revived(copy))
    XCTAssertEqual(DocumentState.deleted(DocumentVersion("7")).there, .deleted)
  }

  func testAnErrorSaysWhatItMeansForTheServer() {
    let refused = { EndpointError(.refused(status: $0, words: "no", subject: .document)).notice }
    for status in [401, 407] { XCTAssertEqual(refused(status), .mustStop(.unauthorized)) }
    for status in [408, 425, 429, 500, 503] {
      XCTAssertEqual(refused(status), .isInTrouble(.status(status)))
    }
    for status in [403, 404, 410] {
      XCTAssertEqual(
        refused(status), .mustStop(.collection(Refusal(status: status, words: "no"))))
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

  func changes(in collection: String, from place: ChangesPlace) async throws -> ChangesReply {
    ChangesReply(.unchanged)
  }

  func push(_ request: PushRequest) async -> PushReply {
    PushReply(request.id.text == "lost" ? .lost : .answered(PushAnswer(status: 404)))
  }
}

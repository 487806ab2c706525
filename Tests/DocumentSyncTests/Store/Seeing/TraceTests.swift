import XCTest

@testable import DocumentSync

/// How what happens is written, and joins what happened before.
final class TraceTests: XCTestCase {
  private let version = DocumentVersion("é 7")

  private var events: [DocumentEvent] {
    let grounds: [Decision.Basis] = [
      .onlyOneSide, .ownSend, .agreement, .deletion, .policies([.ask]),
      .policies([.merge, .latest, .localWins, .serverWins]),
    ]
    let ends = DocumentMeetingEnd.Step.allCases.flatMap { step in
      grounds.map { DocumentMeetingEnd(step: step, basis: $0, version: version) }
    }
    return [
      .made, .edited(version), .edited(nil), .saved(times: 1), .saved(times: 9),
      .stashed(times: 2), .deleted, .takenAway, .reverted, .resigned, .retried, .sent(.create),
      .sent(.update(version)), .sent(.delete(version)), .sent(.look), .accepted(version),
      .removedThere, .refused(status: 413, words: "too large"), .unanswered(times: 3),
      .untaken(times: 1), .foundOther, .recognised(version), .conflictEnded, .hidden, .readable,
    ] + ends.map { .met($0) }
  }

  func testEverythingIsReadAsItWasWritten() {
    for event in events { XCTAssertEqual(TraceForm(event).event, event) }
    XCTAssertNil(TraceForm(what: "beamed").event)
    XCTAssertNil(TraceForm(what: "accepted").event)
    XCTAssertNil(TraceForm(what: "parked", words: "dice").event)
    XCTAssertNil(TraceForm(what: "sent", words: "update").event)
  }

  func testEverythingHasASentence() {
    let sentences = events.map(\.sentence)
    for sentence in sentences {
      XCTAssertEqual(sentence.first?.isLowercase, true, sentence)
      XCTAssertFalse(sentence.hasSuffix("."), sentence)
    }
    // Whether a side alone had changed, or both came to the same, makes no difference to people;
    // nor does a number of times that is written out.
    XCTAssertGreaterThanOrEqual(Set(sentences).count, sentences.count - 10)
  }

  func testWhatIsRepeatedJoinsWhatItRepeats() {
    func tail(_ beforeLast: String?, _ last: String?) -> TraceTail {
      TraceTail(
        last: last.map { .init(place: 5, what: $0) },
        beforeLast: beforeLast.map { .init(place: 4, what: $0) })
    }
    let table: [(TraceTail, DocumentEvent, Int, TraceTail.Write)] = [
      (tail(nil, nil), .made, 0, .append(1)),
      (tail("made", "saved"), .saved(times: 1), 0, .again(5)),
      (tail("made", "saved"), .saved(times: 1), 1, .append(6)),
      (tail("saved", "sent"), .saved(times: 1), 0, .append(6)),
      (tail(nil, "stashed"), .stashed(times: 1), 0, .again(5)),
      (tail(nil, "stashed"), .saved(times: 1), 0, .append(6)),
      (tail("untaken", "sent"), .untaken(times: 1), 0, .againAfter(removing: 5, at: 4)),
      (tail("untaken", "sent"), .unanswered(times: 1), 0, .append(6)),
      (tail("saved", "sent"), .untaken(times: 1), 0, .append(6)),
      (tail(nil, "sent"), .untaken(times: 1), 0, .append(6)),
      (tail("sent", "untaken"), .untaken(times: 1), 0, .append(6)),
      (tail("sent", "accepted"), .accepted(version), 0, .append(6)),
    ]
    for (tail, event, lost, write) in table {
      XCTAssertEqual(tail.joined(by: event, lost: lost), write, "\(tail), \(event)")
    }
  }
}

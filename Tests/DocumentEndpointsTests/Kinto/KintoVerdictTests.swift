import DocumentSync
import SyncText
import XCTest

@testable import DocumentEndpoints

/// What each answer of a Kinto server means, to each kind of request.
final class KintoVerdictTests: XCTestCase {
  private enum Asked: CaseIterable {
    case create, update, delete, look
  }

  private static let id = DocumentID("a")
  private static let body: DocumentValue = ["n": 1]
  private static let record = #"{"data": {"n": 1, "id": "a", "last_modified": 7}}"#
  private static let other = #"{"data": {"n": 1, "id": "b", "last_modified": 7}}"#
  private static let changed = #"{"data": {"n": 2, "id": "a", "last_modified": 7}}"#
  private static let tombstone = #"{"data": {"id": "a", "last_modified": 7, "deleted": true}}"#
  private static let portal = "<html>welcome</html>"
  private static let seven = DocumentVersion("7")
  private static let copy = ServerCopy(value: body, version: seven, time: 7)

  private func request(_ asked: Asked) -> PushRequest {
    let (id, six) = (Self.id, DocumentVersion("6"))
    switch asked {
    case .create: return .create(id, Self.body, in: "c", key: nil)
    case .update: return .update(id, Self.body, from: six, in: "c", key: nil)
    case .delete: return .delete(id, from: six, in: "c", key: nil)
    case .look: return .look(at: id, in: "c")
    }
  }

  private func verdict(_ asked: Asked, _ status: Int, _ text: String) -> KintoVerdict {
    let bytes = Array(text.utf8)
    let json = try? JSONValue(bytes, in: 0..<bytes.count, nesting: 10)
    return KintoVerdict(status, KintoBody(json), to: request(asked))
  }

  private func refusal(_ status: Int, _ errno: Int, _ details: String = "null") -> String {
    """
    {"code": \(status), "errno": \(errno), "error": "No", "message": "words", "details": \(details)}
    """
  }

  private func answered(
    _ status: Int, _ version: DocumentVersion? = nil, shown: DocumentState? = nil,
    words: String = "", about subject: RefusalSubject = .document
  ) -> KintoVerdict {
    .ended(
      .answered(
        PushAnswer(status: status, version: version, shown: shown, words: words, subject: subject)))
  }

  func testASuccessTellsOfTheDocumentThatWasMeant() {
    for asked in [Asked.create, .update] {
      XCTAssertEqual(verdict(asked, 201, Self.record), answered(201, Self.seven))
      XCTAssertEqual(verdict(asked, 200, Self.tombstone), .ended(.unreadable))
    }
    XCTAssertEqual(verdict(.delete, 200, Self.tombstone), answered(200, Self.seven))
    XCTAssertEqual(verdict(.delete, 200, Self.record), .ended(.unreadable))
    XCTAssertEqual(
      verdict(.look, 200, Self.record), answered(200, Self.seven, shown: .present(Self.copy)))
    for asked in Asked.allCases {
      for text in [Self.other, Self.portal, "", "{}", "[]", #"{"data": []}"#, "null"] {
        XCTAssertEqual(verdict(asked, 200, text), .ended(.unreadable), "\(asked) \(text)")
      }
    }
  }

  func testASuccessThatStoredSomethingElseShowsIt() {
    let shown = DocumentState.present(ServerCopy(value: ["n": 2], version: Self.seven, time: 7))
    XCTAssertEqual(verdict(.update, 200, Self.changed), answered(200, Self.seven, shown: shown))
  }

  func testAbsenceIsTheServersOwnWord() {
    for asked in Asked.allCases {
      let absent = PushAnswer(status: 404, words: "words")
      XCTAssertEqual(
        verdict(asked, 404, refusal(404, 110)),
        asked == .look ? .absent(absent) : .ended(.answered(absent)))
      XCTAssertEqual(
        verdict(asked, 404, refusal(404, 111)),
        .homeless(PushAnswer(status: 404, words: "words", subject: .collection)))
      XCTAssertEqual(
        verdict(asked, 404, refusal(404, 116)), answered(404, words: "words", about: .collection))
      XCTAssertEqual(verdict(asked, 404, Self.portal), answered(404, about: .collection))
      XCTAssertEqual(
        verdict(asked, 410, refusal(410, 202)), answered(410, words: "words", about: .collection))
    }
  }

  func testAConflictShowsWhatIsInItsWayIfTheServerDoes() {
    for asked in Asked.allCases {
      let shown = refusal(412, 114, #"{"existing": {"n": 1, "id": "a", "last_modified": 7}}"#)
      XCTAssertEqual(
        verdict(asked, 412, shown),
        answered(412, shown: .present(Self.copy), words: "words"))
      let foreign = refusal(412, 114, #"{"existing": {"n": 1, "id": "b", "last_modified": 7}}"#)
      XCTAssertEqual(verdict(asked, 412, foreign), answered(412, words: "words"))
      XCTAssertEqual(
        verdict(asked, 412, refusal(412, 114)),
        .absent(PushAnswer(status: 412, words: "words")))
      XCTAssertEqual(verdict(asked, 412, Self.portal), answered(412))
    }
  }

  func testWhoIsToBlameForOtherRefusals() {
    for asked in Asked.allCases {
      XCTAssertEqual(
        verdict(asked, 403, refusal(403, 121)),
        .forbidden(PushAnswer(status: 403, words: "words", subject: .collection)))
      // A server that takes no changes at present, and one that lost a race of its own.
      XCTAssertEqual(
        verdict(asked, 405, refusal(405, 115)), answered(403, words: "words", about: .collection))
      XCTAssertEqual(
        verdict(asked, 409, refusal(409, 122)), answered(503, words: "words", about: .collection))
      for status in [400, 401, 413, 415, 429, 500, 503] {
        XCTAssertEqual(
          verdict(asked, status, refusal(status, 107)), answered(status, words: "words"))
      }
      XCTAssertEqual(verdict(asked, 302, ""), answered(302))
    }
  }
}

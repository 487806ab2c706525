import TestSupport
import XCTest

@testable import DocumentSync

/// Servers that take what is sent, and say that they have stored something else.
///
/// Their answer took the place of the user's content: it was nowhere any more, and nobody was told.
final class OtherAnswerTests: XCTestCase {
  private let sent: DocumentValue = ["t": "MY WORK", "n": 1, "kept": true]

  func testWhatCameBackAsSomethingElseIsLostAndTold() async throws {
    let other: DocumentValue = ["t": "what the server says", "kept": true, "added": 7]
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.showing(other, "9"))
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, sent)
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.conflicts, [])
    try await assertEqual(mine.get(milk), other)
    let expected = [
      DocumentLoss(
        path: DocumentPath(names: ["t"]), value: "MY WORK", side: .here, reason: .answered),
      DocumentLoss(path: DocumentPath(names: ["n"]), value: 1, side: .here, reason: .answered),
    ]
    XCTAssertEqual(report.lost.map(\.loss), expected)
    try await assertEqual(mine.store.read { try $0.lost(of: nil) }.map(\.loss), expected)
    let life = try await mine.store.read { try $0.life(of: DocumentID("milk")) }
    let told = life.map { $0.sentences.joined(separator: "\n") } ?? ""
    XCTAssertTrue(told.contains("another one than it was sent"), told)
  }

  /// A date of a change that was sent as it had been was lost with each edit.
  func testMembersThatTheServerWritesItselfAreTakenFromItAndAreNoLoss() async throws {
    let stored: DocumentValue = ["t": "MY WORK", "n": 1, "by": "the server", "added": 7]
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.showing(stored, "9"))
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", serverOwned: ["by", "made"])]
    let mine = try await SyncedReplica(server, SyncedReplica.Time(), setting)
    try await mine.save(milk, ["t": "MY WORK", "n": 1, "by": "me", "made": "now"])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.lost, [])
    try await assertEqual(mine.store.read { try $0.lost(of: nil) }, [])
    try await assertEqual(mine.get(milk), stored)
    try await assertTrue(mine.store.read { try $0.isAtRest() })
  }

  func testWhatWasEditedMeanwhileIsSentAndNotLost() async throws {
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.taking)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, sent)
    try await assertNotNil(mine.store.sync { try $0.sendBegan(DocumentID("milk")) })
    try await mine.save(milk, ["t": "newer"])
    let copy = ServerCopy(value: ["t": "other"], version: DocumentVersion("9"))
    let decisions = try await mine.store.sync {
      try $0.answered(DocumentID("milk"), .accepted(DocumentVersion("9"), as: copy)).decisions
    }
    XCTAssertEqual(decisions, [])
    try await assertEqual(mine.get(milk), ["t": "newer"])
  }

  func testATypeThatTheServerLeavesOutIsNoLoss() async throws {
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.showing(["n": 1], "9"))
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["docType": "note", "n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.lost, [])
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testAnAnswerThatOnlyNamesTheDocumentShowsNothingOfIt() {
    let typed = PushRequest.create(
      milk, ["text": "mine", "docType": "note"], in: "notes", key: nil)
    XCTAssertFalse(typed.isShown(by: ["docType": "note"]))
    XCTAssertFalse(typed.isShown(by: ["docType": "note", "id": "milk", "_times": ["text": 1]]))
    XCTAssertTrue(typed.isShown(by: ["text": "other"]))
    let bare = PushRequest.create(milk, ["docType": "note"], in: "notes", key: nil)
    XCTAssertFalse(bare.isShown(by: ["added": 1]))
  }

  func testOnlyAnAnswerWithHalfOfWhatWasSentIsTheWholeDocument() {
    let request = PushRequest.create(milk, sent, in: "notes", key: nil)
    XCTAssertFalse(request.isShown(by: sent))
    XCTAssertFalse(request.isShown(by: [:]))
    XCTAssertFalse(request.isShown(by: ["n": 2, "created": "today"]))
    XCTAssertTrue(request.isShown(by: ["n": 2, "t": "x"]))
    XCTAssertTrue(PushRequest.look(at: milk, in: "notes").isShown(by: [:]))
  }
}

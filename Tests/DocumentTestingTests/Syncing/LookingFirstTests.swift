import TestSupport
import XCTest

@testable import DocumentSync

/// Changes and deletions at servers that don't hold their condition.
///
/// What somebody else had changed meanwhile was deleted or written over unseen, and was in no
/// table.
final class LookingFirstTests: XCTestCase {
  /// A replica with a document that the server has, and that was deleted here.
  private func deleted(_ server: AnsweringEndpoint) async throws -> SyncedReplica {
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await mine.delete(milk)
    return mine
  }

  func testWhatSomebodyElseChangedIsSeenBeforeAndIsLostByName() async throws {
    for features in [[], [.preconditions, .conditionsOfChangesAlone]]
      as [Set<EndpointCapabilities.Feature>]
    {
      let server = AnsweringEndpoint(features, AnsweringEndpoint.taking)
      let mine = try await deleted(server)
      server.answer(AnsweringEndpoint.showing(["n": 2], "2"))
      let report = try await mine.sync()
      XCTAssertEqual(server.asked, [.create, .look, .delete(DocumentVersion("2"))])
      XCTAssertEqual(report.lost.map(\.loss.value), [["n": 2]])
      XCTAssertEqual(report.lost.map(\.loss.side), [.there])
      XCTAssertEqual(report.sent.map(\.isRemoval), [true])
      try await assertEqual(mine.counts().outbox, 0)
    }
  }

  func testWhatIsAsItWasIsDeletedAndNothingIsLost() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await deleted(server)
    server.answer(AnsweringEndpoint.showing(["n": 1], "1"))
    try await assertEqual(mine.sync().lost, [])
    XCTAssertEqual(server.asked, [.create, .look, .delete(DocumentVersion("1"))])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testWhatMayNotBeLookedAtIsDeletedAllTheSame() async throws {
    let answers = [
      PushAnswer(status: 405), PushAnswer(status: 403),
      PushAnswer(status: 404, subject: .collection),
    ]
    for refusal in answers {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await deleted(server)
      server.answer { request in
        EndpointReply<PushEnd>(.answered(request.kind == .look ? refusal : PushAnswer(status: 200)))
      }
      try await assertEqual(mine.sync().failures, [], "\(refusal)")
      XCTAssertEqual(server.asked, [.create, .look, .delete(DocumentVersion("1"))], "\(refusal)")
      try await assertEqual(mine.counts().outbox, 0, "\(refusal)")
    }
  }

  func testWhatIsGoneAlreadyIsNotDeletedAgain() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await deleted(server)
    server.answer { _ in EndpointReply<PushEnd>(.answered(PushAnswer(status: 410))) }
    try await mine.sync()
    XCTAssertEqual(server.asked, [.create, .look])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testALookWithoutAnAnswerIsMadeAgainBeforeTheDeletion() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await deleted(server)
    server.answer { _ in EndpointReply<PushEnd>(.lost) }
    _ = try? await mine.sync()
    XCTAssertFalse(server.asked.contains(.delete(DocumentVersion("1"))))
    server.answer(AnsweringEndpoint.showing(["n": 1], "1"))
    try await mine.sync()
    XCTAssertEqual(server.asked.suffix(2), [.look, .delete(DocumentVersion("1"))])
  }

  func testADeletionInTroubleIsSentAgainAfterAnotherLook() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await deleted(server)
    let showing = AnsweringEndpoint.showing(["n": 1], "1")
    server.answer { request in
      request.kind == .look
        ? showing(request) : EndpointReply<PushEnd>(.answered(PushAnswer(status: 500)))
    }
    for _ in 0..<3 { try await mine.sync() }
    let deletions = server.asked.indices.filter { server.asked[$0].isDeletion }
    XCTAssertGreaterThanOrEqual(deletions.count, 3, "each sync tries it")
    XCTAssertTrue(deletions.allSatisfy { server.asked[$0 - 1] == .look }, "\(server.asked)")
    server.answer { request in
      request.kind == .look
        ? showing(request) : EndpointReply<PushEnd>(.answered(PushAnswer(status: 204)))
    }
    try await assertEqual(mine.sync().sent.map(\.isRemoval), [true])
  }

  func testAServerThatHoldsEveryConditionIsNotAskedBefore() async throws {
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.taking)
    let mine = try await deleted(server)
    try await mine.sync()
    XCTAssertEqual(server.asked, [.create, .delete(DocumentVersion("1"))])
  }

  // MARK: - Edits

  private let first: DocumentValue = ["docType": "note", "n": 1, "t": "old"]
  private let edit: DocumentValue = ["docType": "note", "n": 1, "t": "mine"]
  private let theirs: DocumentValue = ["docType": "note", "n": 2, "t": "old"]

  /// A replica with a document that the server has, and that was edited here.
  private func edited(
    _ server: AnsweringEndpoint, _ policies: [ConflictPolicy] = [.merge, .serverWins]
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: policies)]
    let mine = try await SyncedReplica(server, SyncedReplica.Time(), setting)
    try await mine.save(milk, first)
    try await mine.sync()
    try await mine.save(milk, edit)
    return mine
  }

  /// A server that has this of every document, and takes what comes.
  private func has(_ value: DocumentValue, _ version: String) -> AnsweringEndpoint.Answering {
    let look = AnsweringEndpoint.showing(value, version)
    return { request in
      guard request.kind != .look else { return look(request) }
      return EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 200, version: DocumentVersion("3"))))
    }
  }

  func testWhatSomebodyElseChangedIsSeenBeforeAnEditAndBothAreKept() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server)
    server.answer(has(theirs, "2"))
    let report = try await mine.sync()
    XCTAssertEqual(server.asked, [.create, .look, .update(DocumentVersion("2"))])
    XCTAssertEqual(report.lost, [])
    XCTAssertEqual(report.sent.map(\.id), [milk])
    try await assertEqual(mine.get(milk), ["docType": "note", "n": 2, "t": "mine"])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testWhatIsAsItWasIsChangedAndItsLifeTellsOfNoTryThatFailed() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server)
    server.answer(has(first, "1"))
    let report = try await mine.sync()
    XCTAssertEqual(report.conflicts, [])
    XCTAssertTrue(server.asked.contains(.update(DocumentVersion("1"))), "\(server.asked)")
    try await assertEqual(mine.counts().outbox, 0)
    let id = DocumentID("milk")
    let life = try await mine.store.read { try $0.life(of: id)?.sentences ?? [] }
    XCTAssertFalse(life.contains { $0.contains("didn't take it") }, "\(life)")
  }

  /// Each edit would have given way, at services that show more of a row than their lists do.
  func testMoreThanListsShowIsNoReasonForAWholeDocumentToGiveWay() async throws {
    let more = try first.setting("detail", to: "long")
    for policy in [ConflictPolicy.serverWins, .localWins(atMost: 3), .ask] {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await edited(server, [policy])
      server.answer(has(more, "2"))
      let report = try await mine.sync()
      XCTAssertEqual(report.lost, [], "\(policy)")
      XCTAssertTrue(server.asked.contains(.update(DocumentVersion("1"))), "\(server.asked)")
      try await assertEqual(mine.counts().outbox, 0, "\(policy)")
    }
  }

  func testWhatMayNotBeLookedAtIsChangedAllTheSame() async throws {
    let answers = [PushAnswer(status: 405), PushAnswer(status: 404, subject: .collection)]
    for refusal in answers {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await edited(server)
      let taking = has(edit, "3")
      server.answer { request in
        request.kind == .look ? EndpointReply<PushEnd>(.answered(refusal)) : taking(request)
      }
      _ = try? await mine.sync()
      XCTAssertTrue(server.asked.contains(.update(DocumentVersion("1"))), "\(server.asked)")
      try await assertEqual(mine.counts().outbox, 0, "\(refusal)")
    }
  }

  /// A service may say of each row that it isn't there, where it shows none alone.
  func testThatNothingIsShownIsNoDeletionOfWhatWasEdited() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server)
    server.answer { request in
      EndpointReply<PushEnd>(.answered(PushAnswer(status: request.kind == .look ? 404 : 200)))
    }
    let report = try await mine.sync(SyncWishes(ways: .push))
    XCTAssertEqual(report.lost, [])
    XCTAssertFalse(server.asked.contains(.update(DocumentVersion("1"))), "\(server.asked)")
    try await assertEqual(mine.get(milk), edit)
    try await assertEqual(mine.counts().outbox, 1)
  }

  func testAServerThatHoldsConditionsOfChangesIsNotAskedBeforeAnEdit() async throws {
    for features in [[.preconditions], [.preconditions, .conditionsOfChangesAlone]]
      as [Set<EndpointCapabilities.Feature>]
    {
      let server = AnsweringEndpoint(features, AnsweringEndpoint.taking)
      let mine = try await edited(server)
      let before = server.asked.count
      try await mine.sync()
      XCTAssertEqual(server.asked.dropFirst(before).first, .update(DocumentVersion("1")))
    }
  }
}

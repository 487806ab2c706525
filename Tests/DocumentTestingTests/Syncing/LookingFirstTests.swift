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
}

import TestSupport
import XCTest

@testable import DocumentSync

/// Edits at servers that hold no condition: each document is looked at before.
final class LookingBeforeEditsTests: XCTestCase {
  private let first: DocumentValue = ["docType": "note", "n": 1, "t": "old"]
  private let edit: DocumentValue = ["docType": "note", "n": 1, "t": "mine"]
  private let theirs: DocumentValue = ["docType": "note", "n": 2, "t": "old"]

  /// A replica with a document that the server has, and that was edited here.
  private func edited(
    _ server: AnsweringEndpoint, _ policies: [ConflictPolicy] = [.merge, .serverWins],
    asking decider: ConflictDecider? = nil
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.deciders.conflict = decider
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
    let looks = try await mine.store.read { try $0.life(of: id)?.moments ?? [] }
    XCTAssertFalse(looks.contains { $0.event == .sent(.look) }, "\(looks)")
  }

  /// Each edit would have given way, at services that show more of a row than their lists do; and
  /// what somebody else added would have been written over.
  func testMoreThanListsShowIsNoReasonForAWholeDocumentToGiveWayAndIsKept() async throws {
    let more = try first.setting("detail", to: "long")
    for policy in [ConflictPolicy.serverWins, .localWins(atMost: 3), .ask] {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await edited(server, [policy])
      server.answer(has(more, "2"))
      let report = try await mine.sync()
      XCTAssertEqual(report.lost, [], "\(policy)")
      XCTAssertTrue(server.asked.contains(.update(DocumentVersion("2"))), "\(server.asked)")
      try await assertEqual(mine.get(milk), edit.setting("detail", to: "long"), "\(policy)")
      try await assertEqual(mine.counts().outbox, 0, "\(policy)")
    }
  }

  /// Who decides may take long, and others go on meanwhile.
  func testWhatWasLeftToSomebodyIsLookedAtOnceMoreBeforeItIsSent() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let (old, new) = (
      ServerCopy(value: first, version: DocumentVersion("1")),
      ServerCopy(value: theirs, version: DocumentVersion("2"))
    )
    server.list(.everything, [(id: milk, state: .present(old))])
    let mine = try await edited(server, [.ask]) { _, _ in .here }
    server.list(.everything, [(id: milk, state: .present(new))])
    server.answer(has(theirs, "2"))
    try await mine.sync()
    XCTAssertEqual(server.asked, [.create, .look, .look, .update(DocumentVersion("2"))])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testAChangeWithoutAnAnswerIsKnownAgainWhereTheServerAddsMembers() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server, [.serverWins])
    let looks = [has(first, "1"), has(try edit.setting("size", to: 4), "2")]
    for look in looks {
      server.answer { request in
        request.kind == .look ? look(request) : EndpointReply<PushEnd>(.lost)
      }
      let report = try await mine.trySync()
      XCTAssertEqual(report.lost, [])
    }
    try await assertEqual(mine.get(milk), edit.setting("size", to: 4))
    try await assertEqual(mine.counts().outbox, 0)
  }

  /// Somebody else's members beside what was sent from here were written over, or taken out, by the
  /// edit since: as if the server had added them itself.
  func testWhatSomebodyAddsToAChangeWithoutAnAnswerIsKeptOrTold() async throws {
    for (since, policy) in [
      (try edit.setting("t", to: "newer"), [ConflictPolicy.serverWins]),
      (try edit.setting("detail", to: "short"), [.merge, .localWins(atMost: 3)]),
      (try edit.setting("detail", to: "short"), [.merge, .serverWins]),
    ] {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await edited(server, policy)
      let look = has(first, "1")
      server.answer { request in
        request.kind == .look ? look(request) : EndpointReply<PushEnd>(.lost)
      }
      try await mine.trySync()
      try await mine.save(milk, since)
      server.answer(has(try edit.setting("detail", to: "long"), "2"))
      let report = try await mine.sync()
      let kept: DocumentValue = policy.last == .serverWins ? "long" : since["detail"] ?? "long"
      try await assertEqual(mine.get(milk), since.setting("detail", to: kept), "\(policy)")
      let given: DocumentValue = kept == "long" ? "short" : "long"
      XCTAssertEqual(report.lost.map(\.loss.value), since["detail"] == nil ? [] : [given])
      try await assertEqual(mine.counts().outbox, 0)
    }
  }

  /// As ``testWhatSomebodyAddsToAChangeWithoutAnAnswerIsKeptOrTold()``, where it's deleted since:
  /// at once, or once somebody was asked.
  func testWhatSomebodyAddsToAChangeWithoutAnAnswerIsToldWhereItIsDeleted() async throws {
    let more = try edit.setting("detail", to: "long")
    for isAsked in [false, true] {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let mine = try await edited(server, [.ask])
      let look = has(first, "1")
      server.answer { request in
        request.kind == .look ? look(request) : EndpointReply<PushEnd>(.lost)
      }
      try await mine.trySync()
      server.answer(has(more, "2"))
      if isAsked {
        try await mine.save(milk, edit.setting("detail", to: "short"))
        try await mine.sync()
        try await assertEqual(mine.status(milk)?.problem, .conflict)
      }
      try await mine.delete(milk)
      try await mine.sync()
      XCTAssertEqual(server.asked.last, .delete(DocumentVersion("2")), "\(isAsked)")
      let lost = try await mine.store.read { try $0.lost().map(\.loss) }
      XCTAssertEqual(lost, [.whole(more, .there, .deletion)], "\(isAsked)")
      try await assertEqual(mine.get(milk), nil)
    }
  }

  func testAMemberThatWasTakenOutIsNoneThatTheServerAdds() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server, [.serverWins])
    try await mine.save(milk, first.setting("t", to: nil))
    for _ in 0..<2 {
      let look = has(first, "1")
      server.answer { request in
        request.kind == .look ? look(request) : EndpointReply<PushEnd>(.lost)
      }
      try await mine.trySync()
    }
    try await assertEqual(mine.get(milk), first.setting("t", to: nil))
    try await assertEqual(mine.counts().outbox, 1)
  }

  func testWhatBothAddedIsDecidedByThePolicy() async throws {
    let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
    let mine = try await edited(server, [.serverWins])
    try await mine.save(milk, edit.setting("detail", to: "short"))
    server.answer(has(try first.setting("detail", to: "long"), "2"))
    try await assertEqual(mine.sync().lost.count, 1)
    try await assertEqual(mine.get(milk)?["detail"], "long")
  }

  func testWhatCannotBeSeenIsChangedAllTheSame() async throws {
    let ends: [PushEnd] = [
      .answered(PushAnswer(status: 405)),
      .answered(PushAnswer(status: 404, subject: .collection)),
      .answered(PushAnswer(status: 501)), .answered(PushAnswer(status: 200)), .unreadable,
    ]
    for entries in [1, 10] {
      for end in ends {
        let server = AnsweringEndpoint([], batchEntries: entries, AnsweringEndpoint.taking)
        let mine = try await edited(server)
        let taking = has(edit, "3")
        server.answer { request in
          request.kind == .look ? EndpointReply<PushEnd>(end) : taking(request)
        }
        _ = try? await mine.sync()
        XCTAssertTrue(
          server.asked.contains(.update(DocumentVersion("1"))), "\(end): \(server.asked)")
        try await assertEqual(mine.counts().outbox, 0, "\(end)")
      }
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

  /// Without single rows, and with lists of changes, nothing but the edit's own answer tells whether
  /// a row is there that wasn't changed.
  func testWhatNoListNamesIsChangedAllTheSameAndNotMadeAgain() async throws {
    let copy = ServerCopy(value: first, version: DocumentVersion("1"))
    let all: [[ConflictPolicy]] = [[.merge, .serverWins], [.serverWins], [.latest], [.ask]]
    for policies in all {
      let server = AnsweringEndpoint([.tombstones], AnsweringEndpoint.taking)
      server.list(.everything, [(id: milk, state: .present(copy))])
      let mine = try await edited(server, policies)
      server.list(.changes, [])
      let taking = has(edit, "3")
      server.answer { request in
        request.kind == .look
          ? EndpointReply<PushEnd>(.answered(PushAnswer(status: 404))) : taking(request)
      }
      let report = try await mine.sync()
      XCTAssertEqual(report.lost, [], "\(policies)")
      XCTAssertEqual(server.asked.filter { $0 == .create }.count, 1, "\(server.asked)")
      XCTAssertEqual(server.asked.last, .update(DocumentVersion("1")), "\(policies)")
      try await assertEqual(mine.get(milk), edit)
      try await assertEqual(mine.counts().outbox, 0)
    }
  }

  func testAListOfEverythingTellsWhetherWhatIsNotShownIsThere() async throws {
    for isThere in [true, false] {
      let server = AnsweringEndpoint([], AnsweringEndpoint.taking)
      let copy = ServerCopy(value: first, version: DocumentVersion("1"))
      let others = (2...9).map { (id: DocumentID("\($0)"), state: DocumentState.present(copy)) }
      let all = [(id: milk, state: DocumentState.present(copy))] + others
      server.list(.everything, all)
      let mine = try await edited(server, [.serverWins])
      let taking = has(edit, "3")
      server.answer { request in
        request.kind == .look
          ? EndpointReply<PushEnd>(.answered(PushAnswer(status: 404))) : taking(request)
      }
      if !isThere { server.list(.everything, others) }
      let report = try await mine.sync()
      XCTAssertEqual(report.lost.count, isThere ? 0 : 1)
      XCTAssertEqual(server.asked.contains(.update(DocumentVersion("1"))), isThere)
      try await assertEqual(mine.counts().outbox, 0)
    }
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

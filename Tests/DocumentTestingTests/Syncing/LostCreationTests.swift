import TestSupport
import XCTest

@testable import DocumentSync

/// Documents that may have been made at a server that doesn't say so.
///
/// The answer 500 to a creation counted as if nothing had been made: it was sent again at once, and
/// a service that gives the ids itself made another row of it in each sync.
final class LostCreationTests: XCTestCase {
  private static let trouble: AnsweringEndpoint.Answering = { _ in
    EndpointReply<PushEnd>(.answered(PushAnswer(status: 500)))
  }

  /// The collection's documents say their type in a member of another name.
  private var setting: SyncedReplica.Setting {
    var setting = SyncedReplica.Setting()
    setting.collections[0].typeMember = "kind"
    return setting
  }

  func testALookInTroubleIsNoLookWhereThereAreNoLists() async throws {
    let server = AnsweringEndpoint([], Self.trouble)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["n": 1])
    for _ in 0..<2 {
      let report = try await mine.trySync()
      XCTAssertEqual(report.failures.map(\.name), ["milk"])
      XCTAssertEqual(report.failures.map(\.isWaiting), [true])
    }
    XCTAssertEqual(server.asked.filter { $0 == .create }.count, 1)
    XCTAssertTrue(server.asked.contains(.look))
    server.answer(AnsweringEndpoint.showing(["n": 1], "1"))
    try await assertEqual(mine.sync().sent.map(\.id), [milk])
    XCTAssertEqual(server.asked.filter { $0 == .create }.count, 1)
  }

  func testWhatALookDoesNotFindIsMadeAgain() async throws {
    let server = AnsweringEndpoint([], Self.trouble)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["n": 1])
    try await mine.trySync()
    server.answer { request in
      guard request.kind == .look else { return AnsweringEndpoint.taking(request) }
      return EndpointReply<PushEnd>(.answered(PushAnswer(status: 404)))
    }
    try await mine.sync()
    XCTAssertEqual(server.asked.suffix(2), [.look, .create])
  }

  func testAServerThatMakesNothingTwiceIsNotAskedBefore() async throws {
    let server = AnsweringEndpoint([.preconditions], Self.trouble)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["n": 1])
    try await mine.trySync()
    server.answer(AnsweringEndpoint.taking)
    try await mine.sync()
    XCTAssertFalse(server.asked.contains(.look))
    XCTAssertEqual(Set(server.asked), [.create])
  }

  /// Shows what a list has under another key after `sent` was sent without an answer: answers
  /// whether it counts as made of that.
  private func isMade(_ shown: DocumentValue, of sent: DocumentValue) async throws -> Bool {
    let server = AnsweringEndpoint([], Self.trouble)
    let mine = try await SyncedReplica(server, SyncedReplica.Time(), setting)
    try await mine.save(milk, sent)
    try await mine.trySync()
    let copy = ServerCopy(value: shown, version: DocumentVersion("6"))
    _ = try await mine.store.sync { [scope = mine.scope(), rules = mine.rules] in
      try $0.pulled(
        PulledPage([DocumentChange(id: DocumentID("6"), state: .present(copy))]), of: scope, rules)
    }
    return try await mine.counts().setAside == 1
  }

  func testTheTypesMemberTellsNothingOfWhatWasMade() async throws {
    let rows: [(DocumentValue, DocumentValue, Bool)] = [
      (["n": 1], ["kind": "note", "n": 1], true),
      (["n": 2], ["kind": "note", "n": 1], false),
      (["added": 1], ["kind": "note"], false),
      (["kind": "note", "added": 1], ["kind": "note"], false),
    ]
    for (shown, sent, isMade) in rows {
      try await assertEqual(self.isMade(shown, of: sent), isMade, "\(shown)")
    }
  }

  /// Somebody else's new document took the key of one that was never made, and nobody was told.
  func testWhatDiffersInTheServersOwnMembersMayBeSomebodyElses() async throws {
    let sent: DocumentValue = ["title": "Milk", "by": "ann", "made": 1]
    let theirs: DocumentValue = ["title": "Milk", "by": "bob", "made": 2]
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", serverOwned: ["by", "made"])]
    for (shown, isFound) in [(sent, true), (theirs, false)] {
      let server = AnsweringEndpoint([], makesKeys: true) { _ in EndpointReply<PushEnd>(.lost) }
      let copy = ServerCopy(value: shown, version: DocumentVersion("6"))
      server.list(.everything, [(id: DocumentID("6"), state: .present(copy))])
      let (mine, one) = (
        try await SyncedReplica(server, SyncedReplica.Time(), setting), DocumentID.uuid7()
      )
      try await mine.save(one, sent)
      for _ in 0..<2 { try await mine.trySync() }
      let ids = try await mine.store.read { try $0.ids(matching: DocumentQuery()) }
      XCTAssertEqual(Set(ids), isFound ? [DocumentID("6")] : [one, DocumentID("6")])
      try await assertEqual(mine.get(DocumentID("6")), shown)
      try await assertEqual(mine.get(one), sent)
      try await assertEqual(mine.counts().setAside, isFound ? 0 : 1)
      let words = try await mine.status(one)?.sentence ?? ""
      XCTAssertEqual(words.contains("it's sent again on demand only"), !isFound, words)
      XCTAssertEqual(server.asked, [.create])
    }
  }

  func testAnAnswerThatOnlyNamesTheTypeTakesNothingsPlace() async throws {
    let server = AnsweringEndpoint([.preconditions]) { request in
      let said: DocumentValue = ["kind": "note"]
      let copy = ServerCopy(value: said, version: DocumentVersion("1"))
      let shown = request.isShown(by: said) ? DocumentState.present(copy) : nil
      return EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 200, version: copy.version, shown: shown)))
    }
    let mine = try await SyncedReplica(server, SyncedReplica.Time(), setting)
    try await mine.save(milk, ["kind": "note", "text": "mine"])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.lost, [])
    try await assertEqual(mine.get(milk), ["kind": "note", "text": "mine"])
  }

  func testTheTypesMemberThatTheServerLeavesOutIsNoLoss() async throws {
    let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.showing(["n": 1], "9"))
    let mine = try await SyncedReplica(server, SyncedReplica.Time(), setting)
    try await mine.save(milk, ["kind": "note", "n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.lost, [])
  }
}

import TestSupport
import XCTest

@testable import DocumentSync

/// What servers that make the ids and have no lists answer to creations.
final class ServerKeyAnswersTests: XCTestCase {
  private let one = DocumentID.uuid7()

  private func ids(_ replica: SyncedReplica) async throws -> [String] {
    try await replica.store.read { try $0.ids(matching: DocumentQuery()).map(\.text) }
  }

  func testWhereNothingCanTellItIsSetAsideUntilItIsNamed() async throws {
    let server = AnsweringEndpoint([], makesKeys: true) { _ in EndpointReply<PushEnd>(.lost) }
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(one, ["n": 1])
    for _ in 0..<2 { try await mine.trySync() }
    try await assertEqual(mine.counts().setAside, 1)
    server.answer { _ in
      EndpointReply<PushEnd>(
        .answered(PushAnswer(status: 201, version: DocumentVersion("1"), madeAs: DocumentID("8"))))
    }
    try await mine.save(one, ["n": 2])
    try await assertEqual(mine.store.edit { try $0.retryAll() }, 0)
    try await mine.sync()
    XCTAssertEqual(server.asked, [.create])
    try await assertEqual(mine.store.edit { [one] in try $0.retry(one) }, true)
    try await mine.sync()
    XCTAssertEqual(server.asked.filter { $0 != .look }, [.create, .create])
    try await assertEqual(ids(mine), ["8"])
  }

  /// It was forgotten, and what the server may have made stayed without a word.
  func testADeletionOfWhatNothingCanTellIsSetAsideToo() async throws {
    let server = AnsweringEndpoint([], makesKeys: true) { _ in EndpointReply<PushEnd>(.lost) }
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(one, ["n": 1])
    try await mine.trySync(SyncWishes(ways: .push))
    try await mine.delete(one)
    for _ in 0..<2 { try await mine.trySync() }
    try await assertEqual(mine.counts().setAside, 1)
    let words = try await mine.store.read { [one] in try $0.reason(of: one)?.description } ?? ""
    XCTAssertTrue(words.contains("delete it there"), words)
    XCTAssertEqual(server.asked, [.create])
    try await assertEqual(mine.store.edit { [one] in try $0.resign(one) }, true)
    try await assertEqual(mine.counts().outbox, 0)
  }

  /// No other one stands in its place: its first id isn't asked for, which is none of the server's.
  func testAConflictOfACreationIsARefusal() async throws {
    let copy = ServerCopy(value: ["n": 9], version: DocumentVersion("9"))
    for shown in [nil, DocumentState.present(copy)] {
      let server = AnsweringEndpoint([], makesKeys: true) { _ in
        EndpointReply<PushEnd>(
          .answered(PushAnswer(status: 409, shown: shown, words: "there is one")))
      }
      let mine = try await SyncedReplica(server, SyncedReplica.Time())
      try await mine.save(one, ["n": 1])
      try await mine.trySync()
      XCTAssertEqual(server.asked, [.create])
      try await assertEqual(mine.status(one)?.words, "there is one")
    }
  }

  func testAnAnswerThatNamesNoKeyIsNone() async throws {
    let server = AnsweringEndpoint([], makesKeys: true, AnsweringEndpoint.taking)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(one, ["n": 1])
    try await mine.trySync()
    try await assertEqual(mine.counts().setAside, 1)
  }

  /// What the server adds to a row made it another one than was sent: the edit since gave way.
  func testAnEditOfWhatWasMadeWithMembersOfTheServersOwnIsNotLost() async throws {
    let server = AnsweringEndpoint([], makesKeys: true) { _ in EndpointReply<PushEnd>(.lost) }
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(one, ["n": 1])
    try await mine.trySync(SyncWishes(ways: .push))
    try await mine.save(one, ["n": 2])
    let copy = ServerCopy(value: ["n": 1, "done": false], version: DocumentVersion("1"))
    let page = PulledPage([DocumentChange(id: DocumentID("6"), state: .present(copy))])
    _ = try await mine.store.sync { [scope = mine.scope(), rules = mine.rules] in
      try $0.pulled(page, of: scope, rules)
    }
    try await assertEqual(ids(mine), ["6"])
    try await assertEqual(mine.get(one), ["n": 2, "done": false], "an update would take it out")
    try await assertEqual(mine.status(one)?.isPending, true)
    try await assertEqual(mine.store.read { try $0.lost().count }, 0)
  }
}

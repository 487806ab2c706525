import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Documents that are asked for one by one, of which one pull asks for no more than fifty.
///
/// Those whose look always failed were asked for in each pull, and those after them in none.
final class LookRotationTests: XCTestCase {
  private let ids = (10..<70).map { DocumentID("\($0)") }

  /// What was looked at, in order.
  private let looked = Locked<[DocumentID]>([])

  /// Shows a document at the end; all other looks end so.
  private func looks(_ end: PushEnd) -> AnsweringEndpoint.Answering {
    { [looked, ids] request in
      looked.withLock { $0.append(request.id) }
      guard request.id == ids.last else { return EndpointReply<PushEnd>(end) }
      return AnsweringEndpoint.showing(["n": 1], "1")(request)
    }
  }

  /// A replica of which sixty creations may have been made at a service without lists.
  private func lost(_ server: AnsweringEndpoint) async throws -> SyncedReplica {
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.sync()
    for id in ids { try await mine.save(id, ["n": 1]) }
    try await mine.store.sync { [ids] door in for id in ids { _ = try door.sendBegan(id) } }
    return mine
  }

  func testWhatMayHaveBeenMadeIsLookedForInTurn() async throws {
    let server = AnsweringEndpoint([], looks(.answered(PushAnswer(status: 403))))
    let mine = try await lost(server)
    try await mine.trySync()
    try await assertEqual(mine.trySync().sent.map(\.id), ids.suffix(1))
    let begin = looked.withLock { $0.prefix(100) }
    XCTAssertEqual(Array(begin), ids + ids.prefix(40), "none again before all were")
    XCTAssertEqual(server.asked.filter { $0 == .create }, [], "none is sent again unseen")
  }

  func testOneWhoseLookMeetsTroubleHoldsUpNoOther() async throws {
    let server = AnsweringEndpoint([], looks(.answered(PushAnswer(status: 500))))
    let mine = try await lost(server)
    for _ in ids { try await mine.trySync() }
    try await assertEqual(mine.counts().outbox, ids.count - 1)
    XCTAssertEqual(Set(looked.withLock { $0 }), Set(ids))
  }

  /// Asks one server for lists, and another one for everything else.
  private struct Listed: DocumentEndpoint {
    let inner: AnsweringEndpoint
    let pages: Locked<[ChangePage]>
    var features: Set<EndpointCapabilities.Feature> = [.preconditions, .changes, .tombstones]

    func capabilities() async throws -> EndpointCapabilities {
      EndpointCapabilities(features: features)
    }

    func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
      ChangesAnswer
    > {
      let page = pages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return EndpointReply<ChangesAnswer>(page.map { .page($0) } ?? .unchanged)
    }

    func push(_ request: PushRequest) async -> EndpointReply<PushEnd> { await inner.push(request) }
  }

  func testWhatCouldNotBeReadIsAskedForAgainThoughManyBeforeItCannotBe() async throws {
    let unread = ids.enumerated().map { place, id in
      UnreadableEntry(id: id, place: place, reason: "it's too large")
    }
    let page = ChangePage(
      extent: .everything, documents: [], unreadable: unread, checkpoint: "1")
    let server = Listed(
      inner: AnsweringEndpoint([], looks(.answered(PushAnswer(status: 403)))),
      pages: Locked([page]))
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.sync()
    try await assertEqual(mine.sync().received.map(\.id), ids.suffix(1))
    XCTAssertEqual(looked.withLock { $0.count }, 50)
  }

  /// A row that can't be read may be what the service made of it, under a key of its own.
  func testAListOfWhichARowCannotBeReadDoesNotSayThatNothingWasMade() async throws {
    for unread in [true, false] {
      let rows = [UnreadableEntry(id: DocumentID("8"), place: 0, reason: "it has no date")]
      let pages = [[], unread ? rows : []].map {
        ChangePage(
          extent: .everything, documents: [], unreadable: $0, checkpoint: "1")
      }
      let inner = AnsweringEndpoint([]) { request in
        EndpointReply<PushEnd>(
          .answered(PushAnswer(status: request.id == DocumentID("8") ? 403 : 404)))
      }
      let server = Listed(inner: inner, pages: Locked(pages), features: [.changes, .tombstones])
      let mine = try await SyncedReplica(server, SyncedReplica.Time())
      try await mine.sync()
      try await mine.save(ids[0], ["n": 1])
      try await mine.store.sync { [ids] door in _ = try door.sendBegan(ids[0]) }
      for _ in 0..<2 { try await mine.trySync() }
      XCTAssertEqual(inner.asked.contains(.create), !unread)
    }
  }

  /// More than are looked at in one pull: who wasn't isn't refused yet.
  func testARefusalThatWasNotLookedAtWaitsForTheNextPull() async throws {
    let server = AnsweringEndpoint([.preconditions]) { request in
      EndpointReply<PushEnd>(.answered(PushAnswer(status: request.kind == .look ? 403 : 412)))
    }
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.sync()
    for id in ids { try await mine.save(id, ["n": 1]) }
    try await mine.sync()
    let looks = server.asked.filter { $0 == .look }.count
    try await assertEqual(mine.counts().setAside, looks, "set aside is what was looked at")
    try await mine.sync()
    try await assertEqual(mine.counts().setAside, ids.count)
  }

  /// What a server refuses for a reason of its own is set aside once the pull has told nothing of
  /// it, whatever its look showed.
  func testARefusalThatNothingExplainsIsSetAsideAfterItsLook() async throws {
    let server = AnsweringEndpoint([.preconditions]) { request in
      EndpointReply<PushEnd>(.answered(PushAnswer(status: request.kind == .look ? 403 : 412)))
    }
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await assertEqual(mine.counts().setAside, 1)
  }
}

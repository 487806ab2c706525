import SyncLock
import DocumentTesting
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Closures that send in place of the endpoint.
final class SenderTests: XCTestCase {
  private let server = ReferenceServer()

  private func replica(
    clock: some Clock<Duration> = ContinuousClock(), _ sender: @escaping DocumentSender
  ) async throws -> DocumentReplica {
    let letters = SyncedCollection("letters", sender: sender)
    var options = ReplicaOptions(
      server: "https://notes.example", collections: [letters, SyncedCollection("notes")])
    options.syncsEdits = false
    return try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "mine"), options: options, clock: clock)
  }

  func testAClosureSendsTheDocumentsOfItsCollectionAndOfNoOther() async throws {
    let sent = Locked<[PushRequest]>([])
    let courier = server.endpoint(named: "courier")
    let replica = try await replica { request in
      sent.withLock { $0.append(request) }
      guard case .answered(let answer) = await courier.push(request).end else { throw Unclear() }
      return answer.version
    }
    try await replica.save(milk, ["n": 1], in: "letters")
    try await replica.save(DocumentID("bread"), ["n": 2], in: "notes")
    try await assertEqual(Set(replica.sync().sent.map(\.id.text)), ["milk", "bread"])
    XCTAssertEqual(sent.withLock { $0.map(\.id) }, [milk])
    XCTAssertEqual(server.events.filter { $0.writer == "courier" }.map(\.collection), ["letters"])
    XCTAssertEqual(server.events.filter { $0.writer == "mine" }.map(\.collection), ["notes"])
    try await assertTrue(replica.isAtRest())
  }

  func testWhatAClosureRefusesIsSetAsideAndWhatItThrowsElseIsSentAgainUnderItsKey() async throws {
    let keys = Locked<[String?]>([])
    let replica = try await replica { request in
      if request.id.text == "bad" { throw EndpointError(.refused(status: 422, words: "no")) }
      let count = keys.withLock { keys in
        keys.append(request.idempotencyKey)
        return keys.count
      }
      if count == 1 { throw Unclear() }
      return DocumentVersion("1")
    }
    try await replica.save(DocumentID("bad"), ["n": 1], in: "letters")
    try await assertEqual(replica.sync().failures.map(\.words), ["the server refused it (422): no"])
    try await replica.save(milk, ["n": 1], in: "letters")
    _ = try? await replica.sync()
    _ = try? await replica.sync()
    XCTAssertEqual(Set(keys.withLock { $0 }).count, 1)
    try await assertFalse(replica.isPending(milk))
  }

  func testAClosureThatTakesTooLongHasFailed() async throws {
    let clock = ManualClock()
    var letters = SyncedCollection("letters")
    letters.sender = { _ in
      try await Task.sleep(for: .seconds(86_400))
      return nil
    }
    let endpoint = RoutedEndpoint(server.endpoint(named: "mine"), [letters], clock: clock)
    let request = PushRequest.create(milk, ["n": 1], in: "letters", key: "1")
    async let reply = endpoint.push(request)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: letters.longestSend)
    await assertEqual(reply.end, .lost)
  }

  private struct Unclear: Error {}
}

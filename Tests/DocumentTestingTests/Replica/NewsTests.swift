import DocumentTesting
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Syncs that are made as soon as a server tells that it has news.
final class NewsTests: XCTestCase {
  private let rig = ReplicaRig()
  private let clock = ManualClock()

  private func replica(_ endpoint: any DocumentEndpoint) async throws -> DocumentReplica {
    try await DocumentReplica(
      .memory, endpoint: endpoint, options: ReplicaRig.options(), clock: clock)
  }

  func testWhatOthersSendIsHereWithoutAnybodyAsking() async throws {
    let mine = try await replica(rig.server.endpoint(named: "mine"))
    let theirs = try await rig.replica(named: "theirs")
    let following = Task { try await mine.followNews() }
    var values = mine.values(of: milk).makeAsyncIterator()
    try await assertEqual(values.next(), .some(nil))
    for n in 1...3 {
      try await theirs.save(milk, ["n": DocumentValue(n)], in: "notes")
      try await theirs.sync()
      try await assertEqual(values.next(), ["n": DocumentValue(n)])
    }
    following.cancel()
    try await following.value
    let syncs = rig.server.calls.filter { $0.caller == "mine" }.count
    try await theirs.save(milk, ["n": 4], in: "notes")
    try await theirs.sync()
    XCTAssertEqual(rig.server.calls.filter { $0.caller == "mine" }.count, syncs, "it's over")
  }

  func testItEndsWithTheReplica() async throws {
    let mine = try await replica(rig.server.endpoint(named: "mine"))
    try await mine.sync()
    let following = Task { try await mine.followNews() }
    await mine.close()
    let theirs = try await rig.replica(named: "theirs")
    try await theirs.save(milk, ["n": 1], in: "notes")
    try await theirs.sync()
    try await following.value
  }

  func testAServerThatCannotBeWaitedForIsAskedLessAndLess() async throws {
    let endpoint = SilentEndpoint(inner: rig.server.endpoint(named: "mine"))
    let mine = try await replica(endpoint)
    try await mine.sync()
    let following = Task { try await mine.followNews() }
    for (n, pause) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      try await clock.sleepers(atLeast: 1)
      XCTAssertEqual(endpoint.asked.withLock { $0 }, n + 1)
      clock.advance(by: .seconds(pause - 1))
      XCTAssertEqual(endpoint.asked.withLock { $0 }, n + 1, "not before \(pause) s")
      clock.advance(by: .seconds(1))
    }
    following.cancel()
    try await following.value
  }

  func testAnEndpointThatTellsNoNewsIsAnError() async throws {
    let mine = try await replica(PickyEndpoint(rig.server.endpoint(named: "mine")))
    await assertThrows(DocumentError.noNews, try await mine.followNews())
  }
}

/// An endpoint that doesn't say when there are news.
private struct SilentEndpoint: NewsEndpoint {
  let inner: ReferenceEndpoint
  let asked = Locked(0)

  @concurrent func waitForNews(since checkpoints: [String: String?]) async throws {
    asked.withLock { $0 += 1 }
    throw EndpointError(.lost)
  }

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner.capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await inner.push(request)
  }
}

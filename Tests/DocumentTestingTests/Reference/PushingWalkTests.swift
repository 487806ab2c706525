import DocumentSync
import DocumentTesting
import XCTest

/// What is saved reaches the server through an endpoint, whatever goes wrong on the way.
final class PushingWalkTests: XCTestCase {
  /// What arrives when nobody counts on it any more may bring a removed document back; a key helps
  /// against that, where the request has had its effect before. An old list, told after a push,
  /// shows what was there before it until the next list comes.
  private static func harmless(at server: ReferenceServer) -> [ServerFault] {
    ServerFault.ordinary.filter {
      switch $0 {
      case .arrivesLate, .staleAnswer: false
      case .arrivesTwice: server.manners.capabilities.has(.idempotencyKeys)
      default: true
      }
    }
  }

  func testWhatIsSavedReachesTheServerOnceWhateverGoesWrong() async {
    for seed in UInt64(0)..<120 {
      let server = ReferenceServer(manners: Self.manners(seed))
      let replica = replica("one", at: server, seed, among: Self.harmless(at: server))
      for _ in 0..<60 { await replica.step() }
      let saved = replica.documents
      await rest([replica], at: server)
      XCTAssertEqual(replica.documents, saved, "seed \(seed)")
      XCTAssertEqual(server.documents(in: "notes").mapValues(\.value), saved, "seed \(seed)")
      XCTAssertEqual(Self.storedTwice(at: server), [], "seed \(seed)")
      check([replica], seed)
    }
  }

  func testReplicasComeToTheSameWhateverGoesWrong() async {
    for seed in UInt64(0)..<120 {
      let server = ReferenceServer(manners: Self.manners(seed))
      let replicas = ["one", "two", "three"].enumerated().map { place, name in
        replica(name, at: server, seed * 10 + UInt64(place), among: ServerFault.ordinary)
      }
      for _ in 0..<40 { for replica in replicas { await replica.step() } }
      await rest(replicas, at: server)
      for replica in replicas {
        XCTAssertEqual(
          replica.documents, server.documents(in: "notes").mapValues(\.value),
          "seed \(seed), \(replica.name)")
      }
      check(replicas, seed)
    }
  }

  private static func manners(_ seed: UInt64) -> ServerManners {
    var manners = ServerManners(pageSize: 3)
    if seed.isMultiple(of: 2) { manners.capabilities.features.remove(.idempotencyKeys) }
    if seed.isMultiple(of: 3) { manners.showsConflicts = false }
    if seed.isMultiple(of: 5) { manners.capabilities.batchEntries = 2 }
    return manners
  }

  private func replica(
    _ name: String, at server: ReferenceServer, _ seed: UInt64, among faults: [ServerFault]
  ) -> PushingReplica {
    PushingReplica(
      name,
      server.endpoint(named: name, faults: .seeded(seed, oneIn: 3, among: faults)),
      seed: seed ^ 0xFACE)
  }

  private func rest(_ replicas: [PushingReplica], at server: ReferenceServer) async {
    server.deliverLate()
    for replica in replicas { server.setFaults(.none, of: replica.name) }
    for replica in replicas { await replica.comeToRest() }
    for replica in replicas { await replica.comeToRest() }
  }

  private func check(_ replicas: [PushingReplica], _ seed: UInt64) {
    for replica in replicas {
      XCTAssertTrue(replica.isAtRest, "seed \(seed), \(replica.name)")
      XCTAssertEqual(replica.mistakes, [], "seed \(seed), \(replica.name)")
    }
  }

  /// The contents, each of which was saved once, that were stored more than once.
  private static func storedTwice(at server: ReferenceServer) -> [String] {
    let stored = server.events.compactMap { event -> String? in
      guard case .stored(let id, let value, _, _) = event.deed else { return nil }
      return "\(id) \(value)"
    }
    return Dictionary(grouping: stored) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }
}

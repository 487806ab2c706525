import XCTest

@testable import DocumentSync

/// Random walks of people, others, a store that is opened again and again, and a server that fails.
final class StoreWalkTests: StoreTestCase {
  private static let seeds: Range<UInt64> = 0..<12

  func testWhereTheServerWinsAStoreSaysWhatANaiveOneSays() async throws {
    try await walk([])
  }

  func testWhereTheEditWinsAStoreSaysWhatANaiveOneSays() async throws {
    try await walk([.localWins(atMost: 1_000)])
  }

  func testWhereEditsAreMergedAStoreSaysWhatANaiveOneSays() async throws {
    try await walk([.merge, .localWins(atMost: 2), .serverWins])
  }

  func testWherePeopleAreAskedAStoreSaysWhatANaiveOneSays() async throws {
    try await walk([.ask])
  }

  private func walk(_ policies: [ConflictPolicy]) async throws {
    for seed in Self.seeds {
      let place = ReplicaStorePlace.file(folder.appending(path: "\(seed).sqlite").path)
      var walk = try await StoreWalk(seed: seed, notes, policies) { [self] in
        try await openStore(place)
      }
      for step in 0..<60 where walk.violations.isEmpty {
        try await walk.step()
        XCTAssertEqual(walk.violations, [], "seed \(seed), step \(step)")
      }
      if walk.violations.isEmpty { try await walk.comeToRest() }
      XCTAssertEqual(walk.violations, [], "seed \(seed), at rest")
    }
  }
}

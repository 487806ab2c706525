@testable import DocumentSync
import TestSupport
import XCTest

/// Devices that edit one document, and a server that forgets to answer; a failure names the seed.
final class ReplicaWalkTests: XCTestCase {
  private func step(
    _ replica: inout Replica, _ server: inout OneDocumentServer, at time: Int64,
    _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2: replica.edit(to: random.edit(replica.body ?? [:]), at: time)
    case 3: if random.oneIn(3) { replica.delete() }
    case 4: replica.pull(from: server)
    default:
      replica.push(to: &server, Replica.Network.allCases.randomElement(using: &random) ?? .up)
    }
  }

  /// Syncs until nothing more happens; whoever is asked decides at random.
  private func settle(
    _ replicas: inout [Replica], _ server: inout OneDocumentServer,
    _ random: inout SeededGenerator
  ) -> Bool {
    for _ in 0..<30 {
      let before = server.version
      for index in replicas.indices {
        let resolution: DocumentConflict.Resolution = random.oneIn(2) ? .here : .there
        replicas[index].resolve(resolution)
        replicas[index].push(to: &server, .up)
        replicas[index].pull(from: server)
      }
      let isQuiet = replicas.allSatisfy { $0.isAtRest && $0.conflict == nil }
      if isQuiet, server.version == before { return true }
    }
    return false
  }

  func testReplicasComeToTheSameAndNothingVanishes() {
    for seed in 0..<UInt64(60) {
      var random = SeededGenerator(seed: seed)
      var server = OneDocumentServer()
      var replicas = (0..<3).map { _ in
        Replica(
          policies: MeetingWalkTests.policies(&random), skew: .random(in: -99...99, using: &random))
      }
      for time in 0..<Int64(40) {
        step(&replicas[Int(random.next() % 3)], &server, at: time * 10, &random)
      }
      XCTAssertTrue(settle(&replicas, &server, &random), "seed \(seed): no rest")
      for replica in replicas {
        XCTAssertEqual(replica.faults, [], "seed \(seed)")
        XCTAssertEqual(replica.body, server.value?.withoutTimes, "seed \(seed)")
      }
      let atRest = (server, replicas.map(\.lost))
      XCTAssertTrue(settle(&replicas, &server, &random), "seed \(seed)")
      XCTAssertEqual(server.version, atRest.0.version, "seed \(seed): an echo")
      XCTAssertEqual(replicas.map(\.lost), atRest.1, "seed \(seed)")
    }
  }

  /// Whatever answers are lost: who is alone has no conflict, and the last edit is what stays.
  func testNobodyIsInConflictWithThemselves() {
    for seed in 0..<UInt64(100) {
      var random = SeededGenerator(seed: seed)
      var server = OneDocumentServer()
      var replicas = [Replica(policies: MeetingWalkTests.policies(&random))]
      for time in 0..<Int64(25) {
        step(&replicas[0], &server, at: time * 10, &random)
        XCTAssertNil(replicas[0].conflict, "seed \(seed)")
        XCTAssertEqual(replicas[0].lost, [], "seed \(seed)")
      }
      let last = replicas[0].body
      XCTAssertTrue(settle(&replicas, &server, &random), "seed \(seed)")
      XCTAssertEqual(replicas[0].lost, [], "seed \(seed)")
      XCTAssertEqual(server.value?.withoutTimes, last, "seed \(seed)")
    }
  }
}

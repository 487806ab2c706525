import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// A program dies in a sync, at each moment before and after each of its calls; another one goes on
/// with what it left on the disk.
final class DeathTests: XCTestCase {
  private let ids = ["milk", "bread", "eggs", "salt"].map(DocumentID.init)

  func testWhoGoesOnAfterADeathLosesNothingAndSendsNothingTwice() async throws {
    for policy in [ConflictPolicy.merge, .localWins(atMost: 3), .serverWins] {
      var last = 0
      while try await die(after: last, under: policy) { last += 1 }
      XCTAssertGreaterThan(last, 10, "\(policy)")
    }
  }

  /// Answers whether the program died before it was done.
  private func die(after last: Int, under policy: ConflictPolicy) async throws -> Bool {
    let folder = try temporaryFolder()
    let (first, second) = (folder.appending(path: "a").path, folder.appending(path: "b").path)
    let server = ReferenceServer(manners: Self.manners)
    let time = SyncedReplica.Time()
    let dying = DyingEndpoint(
      server.endpoint(named: "mine"), store: first, copy: second, last: last)
    let doomed = try await replica(dying, first, policy, time)
    try await begin(doomed, beside: server, policy, time)
    _ = try await doomed.trySync()
    _ = try await doomed.trySync()
    await doomed.store.close()
    guard dying.isDead else { return false }
    let heir = try await replica(server.endpoint(named: "mine"), second, policy, time)
    try await edit(heir)
    for _ in 0..<3 { try await heir.sync() }
    try await check(heir, server, "\(policy), after \(last)")
    await heir.store.close()
    return true
  }

  /// Documents of both, of which some are in conflict; edits and a deletion wait.
  private func begin(
    _ doomed: SyncedReplica, beside server: ReferenceServer, _ policy: ConflictPolicy,
    _ time: SyncedReplica.Time
  ) async throws {
    let other = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    for id in ids.prefix(3) {
      try await other.save(id, ["a": DocumentValue("theirs \(id)"), "b": "old"])
    }
    try await other.sync()
    try await edit(doomed)
    try await doomed.save(ids[3], ["a": "mine only"])
  }

  /// Idempotent: what a person would do again who doesn't know whether it was kept.
  private func edit(_ replica: SyncedReplica) async throws {
    if try await replica.get(ids[0]) == nil { try await replica.save(ids[0], ["c": "mine"]) }
  }

  private func check(
    _ heir: SyncedReplica, _ server: ReferenceServer, _ claim: String
  ) async throws {
    try await assertEqual(heir.counts().outbox, 0, claim)
    var here: [DocumentID: DocumentValue] = [:]
    for id in ids { here[id] = try await heir.get(id) }
    XCTAssertEqual(here, server.documents(in: "notes").mapValues(\.value), claim)
    XCTAssertEqual(here[ids[3]], ["a": "mine only"], claim)
    let mine = server.events.filter { event in
      guard case .stored(let id, _, _, _) = event.deed else { return false }
      return event.writer == "mine" && id == ids[3]
    }
    XCTAssertEqual(mine.count, 1, "\(claim): what was sent is sent once")
  }

  private func replica(
    _ endpoint: any DocumentEndpoint, _ path: String, _ policy: ConflictPolicy,
    _ time: SyncedReplica.Time
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: [policy])]
    setting.place = .file(path)
    return try await SyncedReplica(endpoint, time, setting)
  }

  private static let manners: ServerManners = {
    var manners = ServerManners(pageSize: 2)
    // Each document travels alone, so that there are many moments.
    manners.capabilities.batchEntries = 1
    return manners
  }()
}

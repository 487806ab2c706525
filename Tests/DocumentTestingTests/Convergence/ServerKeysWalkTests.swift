import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// Two replicas make, change and delete documents whose ids the server makes, while answers are
/// lost; one dies at any moment. Nothing is made twice, and nothing that was made is lost.
final class ServerKeysWalkTests: XCTestCase {
  /// Whether the server knows requests again: then nothing that goes wrong makes anything twice.
  private static func knowsRequests(_ seed: UInt64) -> Bool { seed % 3 == 0 }

  /// What leaves it open whether a request was taken. Where a server can't tell requests from each
  /// other, nobody can tell one that arrives later, nor a list that is older than a request.
  private static func faults(_ seed: UInt64) -> [ServerFault] {
    knowsRequests(seed)
      ? ServerFault.ordinary
      : [
        .unreachable, .requestLost, .answerLost, .breaks(status: 500, .before),
        .breaks(status: 502, .after), .busy(status: 503, retryAfter: nil), .garbled(.before),
        .garbled(.after),
      ]
  }

  private static func server(_ seed: UInt64) -> ReferenceServer {
    var features: Set<EndpointCapabilities.Feature> = [.preconditions]
    if seed % 2 == 0 { features.formUnion([.changes, .tombstones]) }
    if knowsRequests(seed) { features.insert(.idempotencyKeys) }
    var manners = ServerManners(
      capabilities: EndpointCapabilities(features: features, batchEntries: seed % 5 == 0 ? 4 : 1),
      pageSize: 3)
    manners.serverKeys = ["notes"]
    return ReferenceServer(manners: manners)
  }

  private static var setting: SyncedReplica.Setting {
    var setting = SyncedReplica.Setting()
    setting.collections = [
      SyncedCollection("notes", policies: [.merge], references: [["parent"]: "notes"])
    ]
    setting.removals = .within(.unlimited)
    return setting
  }

  func testNothingIsMadeTwiceAndNothingIsLost() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MIRROR_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 30
    let first = environment["MIRROR_SIMULATION_FROM"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + count { try await walk(seed) }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (server, time) = (Self.server(seed), SyncedReplica.Time())
    var replicas: [SyncedReplica] = []
    for name in ["one", "two"] {
      let faults = FaultPlan.seeded(random.next(), oneIn: 3, among: Self.faults(seed))
      replicas.append(
        try await SyncedReplica(
          server.endpoint(named: name, faults: faults), time, Self.setting))
    }
    var made: [(id: DocumentID, token: String, by: Int)] = []
    for _ in 0..<40 {
      let place = Int.random(in: 0...1, using: &random)
      let (mine, known) = (
        replicas[place], made.filter { $0.by == place }.randomElement(using: &random)
      )
      time.advance(by: .seconds(600))
      server.advance(by: .seconds(1))
      switch (Int.random(in: 0..<10, using: &random), known) {
      case (0..<4, _):
        let token = "t\(made.count)"
        var content: DocumentValue = ["token": DocumentValue(token)]
        if let known { content = try content.setting("parent", to: DocumentValue(known.id.text)) }
        let id = DocumentID.uuid7(at: time.now)
        try await mine.save(id, content)
        made.append((id, token, place))
      case (4, let known?):
        if var body = try await mine.get(known.id) {
          body = try body.setting("n", to: DocumentValue(Int64.random(in: 0...99, using: &random)))
          try await mine.save(known.id, body)
        }
      case (5, let known?): try await mine.delete(known.id)
      default: _ = try await mine.trySync()
      }
    }
    for name in ["one", "two"] { server.setFaults(.none, of: name) }
    server.deliverLate()
    for _ in 0..<3 {
      time.advance(by: .seconds(3_600))
      for replica in replicas { _ = try await replica.trySync(SyncWishes(overridesWait: true)) }
    }
    try await check(server, replicas, made.map { ($0.id, $0.token, $0.by) }, seed)
  }

  private func check(
    _ server: ReferenceServer, _ replicas: [SyncedReplica],
    _ made: [(id: DocumentID, token: String, by: Int)], _ seed: UInt64
  ) async throws {
    var makings: [String: Int] = [:]
    for event in server.events {
      guard case .stored(_, let value, over: nil, _) = event.deed else { continue }
      makings[value["token"]?.string ?? "?", default: 0] += 1
    }
    XCTAssertEqual(makings.filter { $0.value > 1 }, [:], "seed \(seed): made twice")
    let there = server.documents(in: "notes")
    for replica in replicas {
      try await assertEqual(replica.counts().outbox, 0, "seed \(seed)")
      for (id, copy) in there { try await assertEqual(replica.get(id), copy.value, "seed \(seed)") }
    }
    for (id, token, place) in made {
      guard let body = try await replicas[place].get(id) else { continue }
      XCTAssertEqual(body["token"]?.string, token, "seed \(seed)")
      XCTAssertEqual(makings[token], 1, "seed \(seed): \(token) is here and was never made")
      let parent = body["parent"].map { $0.integer.map { "\($0)" } ?? "no key: \($0)" }
      if let parent, parent.hasPrefix("no key") {
        // Its parent is gone, and never had one.
        try await assertEqual(
          replicas[place].get(DocumentID(body["parent"]?.string ?? "")), nil, "seed \(seed)")
      }
    }
  }

  // MARK: - Deaths

  func testWhoGoesOnAfterADeathMakesNothingTwice() async throws {
    for seed in UInt64(1)...2 {
      var last = 0
      while try await die(after: last, seed) { last += 1 }
      XCTAssertGreaterThan(last, 6)
    }
  }

  /// Answers whether it died before it was done.
  private func die(after last: Int, _ seed: UInt64) async throws -> Bool {
    let folder = try temporaryFolder()
    let (first, second) = (folder.appending(path: "a").path, folder.appending(path: "b").path)
    let (server, time) = (Self.server(seed), SyncedReplica.Time())
    let dying = DyingEndpoint(
      server.endpoint(named: "mine"), store: first, copy: second, last: last)
    var setting = Self.setting
    setting.place = .file(first)
    let doomed = try await SyncedReplica(dying, time, setting)
    let (parent, child) = (DocumentID.uuid7(), DocumentID.uuid7())
    try await doomed.save(child, ["token": "child", "parent": DocumentValue(parent.text)])
    try await doomed.save(parent, ["token": "parent"])
    _ = try await doomed.trySync()
    _ = try await doomed.trySync()
    await doomed.store.close()
    guard dying.isDead else { return false }
    setting.place = .file(second)
    let heir = try await SyncedReplica(server.endpoint(named: "mine"), time, setting)
    try await heir.save(child, ["token": "child", "parent": DocumentValue(parent.text), "n": 2])
    for _ in 0..<3 { try await heir.sync() }
    let rows = server.documents(in: "notes").values.map(\.value)
    XCTAssertEqual(rows.count, 2, "after \(last): made twice")
    let key = server.documents(in: "notes").first { $0.value.value["token"] == "parent" }?.key
    let named = Int64(key?.text ?? "").map { DocumentValue($0) }
    XCTAssertEqual(
      rows.first { $0["token"] == "child" }.map { [$0["parent"], $0["n"]] }, [named, 2],
      "after \(last): an edit was lost")
    try await assertEqual(heir.counts().outbox, 0)
    await heir.store.close()
    return true
  }
}

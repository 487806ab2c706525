import DocumentTesting
import XCTest

@testable import DocumentSync

/// A replica that holds only open notes, and one that holds all, by a clock that only the test
/// moves.
struct FilterRig: Sendable {
  static let open = CollectionFilter([.init("status", "open")])
  static let closed = CollectionFilter([.init("status", "closed")])

  let rig: ReplicaRig
  /// Holds all.
  let there: SyncedReplica

  init(_ manners: ServerManners = ServerManners(pageSize: 2)) async throws {
    rig = ReplicaRig(manners)
    there = try await rig.synced("there", .none, Self.setting(nil))
  }

  static func setting(
    _ filter: CollectionFilter?, _ policies: [ConflictPolicy] = [.merge]
  ) -> SyncedReplica.Setting {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: policies, filter: filter)]
    setting.removals = .within(.unlimited)
    return setting
  }

  /// A replica that holds open notes.
  func replica(_ policies: [ConflictPolicy] = [.merge]) async throws -> SyncedReplica {
    try await rig.synced("here", .none, Self.setting(Self.open, policies))
  }

  /// A replica that has all open notes of these, and all others are elsewhere.
  func synced(
    _ ids: [DocumentID] = [milk, bread, eggs], _ policies: [ConflictPolicy] = [.merge]
  ) async throws -> SyncedReplica {
    for id in ids { try await say(id, "open") }
    let here = try await replica(policies)
    try await here.sync()
    return here
  }

  /// Somebody else says how it stands with a note.
  func say(_ id: DocumentID, _ status: String) async throws {
    let old = try await there.get(id) ?? [:]
    try await there.save(id, old.setting("status", to: DocumentValue(status)))
    try await there.sync()
  }

  /// A day goes by, and the replica syncs.
  func nextDay(_ here: SyncedReplica) async throws -> DocumentReport {
    rig.time.advance(by: .seconds(86_400))
    return try await here.sync()
  }

  func ids(_ replica: SyncedReplica) async throws -> [String] {
    try await replica.store.read { reader in
      try [milk, bread, eggs, tea].filter { try reader.document($0) != nil }.map(\.text)
    }
  }
}

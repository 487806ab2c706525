import DocumentTesting
import SyncDatabase

@testable import DocumentSync

/// A device with a store in memory, on which two people sign in and out, by a clock that only the
/// test moves.
final class AccountDevice: Sendable {
  static let server = "https://reference.example"

  let account = Account()
  let replica: DocumentReplica

  init(
    _ accounts: [String: ReferenceEndpoint], _ time: SyncedReplica.Time,
    _ policies: [ConflictPolicy]
  ) async throws {
    var storing = DocumentStoreOptions()
    storing.synchronous = .off
    storing.clock = { time.now }
    var options = ReplicaOptions(
      server: Self.server, collections: [SyncedCollection("notes", policies: policies)],
      syncsEdits: false)
    options.removals = .within(.unlimited)
    options.concurrency = 1
    let account = account
    let endpoint = AccountsEndpoint(accounts: accounts) { try await account.authorization() }
    let seams = SessionSeams(
      now: { time.now }, sleep: { time.advance(by: $0) }, random: { 0.5 })
    replica = DocumentReplica(
      try await DocumentStore(.memory, options: storing), path: nil, account: account,
      endpoint: endpoint, options: options, clock: ContinuousClock(), seams: seams)
    try await account.load()
  }

  /// Who is signed in; empty for nobody.
  var name: String { account.status.name ?? "" }

  func get(_ id: DocumentID) async throws -> DocumentValue? {
    try await replica.store.read { try $0.document(id) }?.withoutTimes
  }

  /// All that can be read just now.
  func seen() async throws -> [DocumentValue] {
    try await replica.documents().map(\.content)
  }

  /// The tokens of documents of an account of which something is to be sent, or was only stored:
  /// what they say, and what that stands on, which goes along with what is kept.
  func unsent(of name: String) async throws -> Set<String> {
    let owner = DocumentOwner(server: Self.server, account: name)
    return try await replica.store.seen { owner }.read { reader in
      try AccountsStory.ids.compactMap { try reader.stored($0) }
        .filter { $0.entry != nil || !$0.isSynced }
        .flatMap { [$0.body, $0.base?.value, $0.shown?.copy?.value] }
        .reduce(into: []) { $0.formUnion($1?.withoutTimes.tokens ?? []) }
    }
  }

  /// Syncs; answers what was done, in a line.
  func sync() async throws -> String {
    do {
      return try await replica.sync(SyncWishes(overridesWait: true)).summary
    } catch let failure as DocumentSyncFailure {
      return failure.report.summary
    }
  }

  /// Decides whatever waits for somebody, and tries again what was set aside.
  func decide(_ ids: [DocumentID]) async throws {
    for id in ids where try await replica.conflict(id) != nil {
      try await replica.resolve(id, .here)
    }
    try await replica.retryAll()
  }

  /// The tokens of what gave way, of whomever.
  func lost() async throws -> Set<String> {
    try await replica.store.ofAllAccounts.read { reader in
      try reader.lost().reduce(into: []) { $0.formUnion($1.loss.value?.tokens ?? []) }
    }
  }
}

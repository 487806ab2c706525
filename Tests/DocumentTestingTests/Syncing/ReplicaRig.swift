import DocumentTesting

@testable import DocumentSync

let milk = DocumentID("milk")
let bread = DocumentID("bread")
let eggs = DocumentID("eggs")
let tea = DocumentID("tea")

/// A server in memory with replicas of its notes, by a clock that only the test moves.
struct ReplicaRig: Sendable {
  let server: ReferenceServer
  let time = SyncedReplica.Time()

  init(_ manners: ServerManners = ServerManners()) { server = ReferenceServer(manners: manners) }

  static func options(account: String = "") -> ReplicaOptions {
    ReplicaOptions(
      server: "https://reference.example", account: account,
      collections: [SyncedCollection("notes")])
  }

  /// What the server has of its notes.
  var documents: [DocumentID: DocumentValue] { server.documents(in: "notes").mapValues(\.value) }

  // MARK: - Replicas as apps have them

  func replica(
    _ place: ReplicaStorePlace = .memory, named name: String = "mine", account: String = ""
  ) async throws -> DocumentReplica {
    try await DocumentReplica(
      place, endpoint: server.endpoint(named: name), options: Self.options(account: account))
  }

  /// A replica of whoever is signed in.
  func replica(
    of account: Account, _ place: ReplicaStorePlace = .memory
  ) async throws -> DocumentReplica {
    let endpoint = server.endpoint(named: "mine")
    return try await DocumentReplica(place, account: account, options: Self.options()) { _ in
      endpoint
    }
  }

  /// A replica of ann's, who is signed in.
  func signedIn(
    _ account: Account = Account(), _ place: ReplicaStorePlace = .memory
  ) async throws -> (DocumentReplica, Account) {
    let notes = try await replica(of: account, place)
    try await account.signIn(name: "ann", password: "secret")
    return (notes, account)
  }

  // MARK: - Replicas of the test's clock

  func synced(
    _ name: String = "mine", _ faults: FaultPlan = .none,
    _ setting: SyncedReplica.Setting = SyncedReplica.Setting()
  ) async throws -> SyncedReplica {
    try await SyncedReplica(server.endpoint(named: name, faults: faults), time, setting)
  }
}

import DocumentEndpoints
import DocumentSync
import DocumentTesting
import Observation
import TestSupport
import XCTest

/// What the page "What documents can do" says that there is: each of its rows has a test that opens
/// with the row's wish, and makes the calls that the row names.
///
/// What these tests import is what an app imports, but for the services of processes of their own.
class WishesTestCase: XCTestCase {
  let server = ReferenceServer()
  let (milk, bread) = (DocumentID("milk"), DocumentID("bread"))
  private var services: [LoopbackService] = []

  override func tearDownWithError() throws {
    for service in services { try service.stop() }
    services = []
  }

  /// A device with the server in memory, or with another one.
  func device(
    _ name: String = "phone",
    _ collections: [SyncedCollection] = [SyncedCollection("notes", policies: [.merge])],
    at endpoint: (any DocumentEndpoint)? = nil
  ) async throws -> DocumentReplica {
    let options = ReplicaOptions(
      server: "https://notes.example", collections: collections, syncsEdits: false)
    return try await DocumentReplica(
      .memory, endpoint: endpoint ?? server.endpoint(named: name), options: options)
  }

  /// The address of a service in a process of its own, which lets in who has the token `secret`.
  func service(_ script: String) throws -> String {
    let service = try LoopbackService(
      Programs.find("python3"), script, ["secret"], in: temporaryFolder())
    services.append(service)
    return service.address
  }

  /// A service of rows with dates of changes and a flag for conflicts.
  func synced(_ address: String, _ paging: RestPaging = .links) throws -> any QueriedEndpoint {
    try ServiceEndpoint.rest(
      server: address + "/sync",
      dialect: RestDialect(
        rows: "results", row: "result", modified: "modified_date", deleted: "is_deleted",
        conflict: "is_conflict", paging: paging),
      authorization: { "Token secret" })
  }

  /// A service of bare rows.
  func plain(
    _ address: String, _ dialect: RestDialect = RestDialect()
  ) throws -> any QueriedEndpoint {
    try ServiceEndpoint.rest(
      server: address + "/plain", dialect: dialect, authorization: { "Token secret" })
  }

  /// Returns once the server has a document of this id, which a sync of the device brings there.
  func untilSent(_ id: DocumentID, by changes: AsyncStream<StoreChange>) async {
    for await _ in changes where server.documents(in: "notes")[id] != nil { return }
  }

  /// Returns once what a view shows is so.
  @MainActor
  func until(_ condition: @escaping () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
    }
  }
}

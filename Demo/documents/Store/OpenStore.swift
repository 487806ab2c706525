import Console
import DocumentEndpoints
import DocumentSync
import SyncDatabase
import SyncSystem

/// A store that a command works on, as the account of `init` sees it, and what `init` was told.
struct OpenStore: Sendable {
  let store: DocumentStore
  let setup: StoreSetup
  let types: DocumentTypes
  /// What the documents' server is known by.
  var server: String { setup.scopeName }

  /// Opens a store that is there.
  static func open(_ path: String) async throws -> OpenStore {
    guard access(path, F_OK) == 0 else { throw ProgramProblem.noStore(path) }
    var options = DocumentStoreOptions()
    options.access = .readWrite
    let store = try await DocumentStore(.file(path), options: options)
    guard let setup = try await store.read({ try $0.setup() }) else {
      throw ProgramProblem.notSetUp(path)
    }
    let owner = DocumentOwner(server: setup.scopeName, account: setup.account)
    return OpenStore(store: store.seen { owner }, setup: setup, types: try setup.types())
  }

  /// Where the documents of a type are.
  func scope(ofType type: String) throws -> DocumentScope {
    guard let collection = types.collection(of: type) else {
      let known = types.kinds.map(\.name).joined(separator: ", ")
      throw UsageError(
        "there is no type '\(type)' in this store: \(known.isEmpty ? "none is" : known); "
          + "'documents init … --type \(type)' adds it")
    }
    return DocumentScope(server: server, account: setup.account, collection: collection)
  }

  /// The server, which nobody is asked for: without a password nothing can be asked of an account.
  func endpoint() throws -> any DocumentEndpoint { try setup.endpoint() }

  /// The server as the account sees it.
  func signedEndpoint(_ request: SyncRequest) throws -> any DocumentEndpoint {
    var options = ServiceOptions()
    options.access = request.access
    options.allowedHosts = request.allowedHosts
    return try setup.endpoint(options, try Password.authorization(of: setup, request))
  }
}

extension StoreSetup {
  /// The types that were declared.
  func types() throws -> DocumentTypes {
    var types = try DocumentTypes()
    for kind in kinds { try types.declare(kind.name, in: kind.collection) }
    return types
  }
}

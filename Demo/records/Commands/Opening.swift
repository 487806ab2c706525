import Console
import RecordSync

extension Invocation {
  /// The database that was named, with what the schema file says of it.
  func open() async throws -> RecordStore {
    let overrides = try overrides()
    return try await RecordStore(path: try DatabaseFile(database).path, overrides: overrides)
  }

  /// Lends the database to something that makes it if it isn't there. If nothing comes of it then,
  /// no file stays behind.
  func withNew<Result: Sendable>(
    _ body: (RecordStore) async throws -> Result
  ) async throws -> Result {
    let overrides = try overrides()
    let file = try NewDatabaseFile(database)
    defer { file.removeIfEmpty() }
    let store = try await RecordStore(
      .file(file.path, ifMissing: .make), options: StoreOptions(overrides: overrides))
    return try await body(store)
  }

  /// An error of SQLite's, or what is behind it: of a file of the future it says many things.
  func explained(_ error: any Error) -> any Error {
    guard let problem = error as? DatabaseError,
      [.damaged, .readOnly, .statement].contains(problem.code),
      let header = try? DatabaseFile(database).header, header.isNewer
    else { return error }
    return DatabaseFileProblem.newer(database)
  }

  private func overrides() throws -> SchemaOverrides {
    var overrides = try overridesOfFile()
    if let deletedAt { overrides.deletedAt = deletedAt }
    if keepsHistory { overrides.keepsHistory = true }
    if !key.isEmpty { overrides.table(syncing.table) { $0.key = key } }
    return overrides
  }

  private func overridesOfFile() throws -> SchemaOverrides {
    guard let schemaFile else { return SchemaOverrides() }
    guard let file = FileBytes(of: schemaFile) else {
      let name = schemaFile.escaped
      throw UsageError("the schema file '\(name)' can't be read; check its name and rights")
    }
    return try SchemaOverrides(json: file.bytes)
  }
}

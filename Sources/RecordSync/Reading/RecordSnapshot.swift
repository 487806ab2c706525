import SyncDatabase

/// A database as it was at one moment, whatever is written meanwhile: for a list on a screen, or an
/// export that takes long.
///
/// ```swift
/// let snapshot = try await store.snapshot()
/// _ = try await store.sync(payload, into: "users")
/// let before = try await snapshot.row(7, of: "users")
/// ```
///
/// Of a file in write-ahead mode it holds up nobody, but the log grows as long as it is held; in
/// other modes nobody can write as long. Of a database in memory it is a copy. It ends when it is
/// let go of.
public final class RecordSnapshot: Sendable {
  private let store: RecordStore

  init(_ store: RecordStore) {
    self.store = store
  }

  /// What was understood of the database.
  public func schema() async throws -> RecordSchema { try await store.schema() }

  /// The row of a key; see ``RecordStore/row(_:of:)``.
  public func row(_ key: RecordValue, of table: String) async throws -> RecordRow? {
    try await store.row(key, of: table)
  }

  /// The row of a key; see ``RecordStore/row(_:of:as:)``.
  public func row<Value: Decodable>(
    _ key: RecordValue, of table: String, as type: Value.Type
  ) async throws -> Value? {
    try await store.row(key, of: table, as: type)
  }

  /// Writes rows as JSON; see ``RecordStore/export(_:_:options:to:)``.
  @discardableResult
  public func export(
    _ table: String, _ selection: RecordSelection = .all,
    options: ExportOptions = ExportOptions(), to sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    try await store.export(table, selection, options: options, to: sink)
  }

  /// Rows as JSON; see ``RecordStore/exported(_:_:options:)``.
  public func exported(
    _ table: String, _ selection: RecordSelection = .all,
    options: ExportOptions = ExportOptions()
  ) async throws -> [UInt8] {
    try await store.exported(table, selection, options: options)
  }

  /// Ends it; each later call is an error.
  public func close() async { await store.database.close() }
}

extension RecordStore {
  /// The database as it is now, to be read while it is written.
  ///
  /// - Throws: ``StoreError/tooLargeToCopy(bytes:limit:)`` where it has to be copied, beyond
  ///   ``StoreOptions/copyLimit``.
  public func snapshot() async throws -> RecordSnapshot {
    let isPrivate = try await database.withConnection { $0.file == nil }
    guard !isPrivate else { return RecordSnapshot(try await disposableSession()) }
    let opening = StoreOpening(location: location, options: options)
    let reader = try await Database.open(path: location.name) { try opening.snapshot() }
    return RecordSnapshot(try await RecordStore(reader, location, options))
  }
}

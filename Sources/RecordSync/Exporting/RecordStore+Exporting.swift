private import SyncDatabase

extension RecordStore {
  /// Writes rows of a table as JSON, with what hangs on them: what a sync of it would make equal.
  ///
  /// Rows come in the order of their keys, or of their positions where a relation has them. Each
  /// row stands in full once: those that were asked for at the top, the others where they are met
  /// first; elsewhere they are given by their keys, so that circles end. What leads from a row back
  /// to the one under which it stands is left out.
  ///
  /// ```swift
  /// try await store.export("users", to: { try handle.write(contentsOf: $0) })
  /// ```
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - selection: Which of its rows. Default: all.
  ///   - options: How they are written.
  ///   - sink: Takes the text, UTF-8, in pieces of about 64 KiB; it is called on the database's own
  ///     queue. Where it throws, the export ends with that error.
  /// - Returns: How many rows stand at the top. For a key that no row has, the text is `null`.
  @discardableResult
  public func export(
    _ table: String, _ selection: RecordSelection = .all,
    options: ExportOptions = ExportOptions(), to sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    try await reading { connection, schema in
      try RecordExport(connection, schema, selection, of: table, options, to: sink).write()
    }
  }

  /// As ``export(_:_:options:to:)``, as one text in UTF-8, which is held as a whole.
  public func exported(
    _ table: String, _ selection: RecordSelection = .all,
    options: ExportOptions = ExportOptions()
  ) async throws -> [UInt8] {
    try await reading { connection, schema in
      var text: [UInt8] = []
      _ = try RecordExport(connection, schema, selection, of: table, options) { text += $0 }
        .write()
      return text
    }
  }

  /// Lends the connection while what it reads stays as it is.
  func reading<Result: Sendable>(
    _ body: @Sendable (Connection, RecordSchema) throws -> Result
  ) async throws -> Result {
    let overrides = overrides
    return try await database.withConnection { connection in
      try connection.reading {
        try body(connection, SchemaReader.read(connection, overrides: overrides))
      }
    }
  }
}

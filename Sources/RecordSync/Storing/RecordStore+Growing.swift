import SyncDatabase

extension RecordStore {
  /// Syncs a payload into tables that are made or grow for it.
  func grow(
    for payload: RecordPayload, into table: String, _ options: RecordOptions
  ) async throws -> RecordReport {
    guard let loaded = try await loadToGrow(payload, for: table, options) else {
      return .unchanged(undoable: options.recordsUndo)
    }
    let (overrides, teller) = (overrides, teller)
    return try await database.withConnection { connection in
      try teller.look(at: connection)
      let growth = GrowingRun(connection, overrides, table: table, options)
      let report = try growth.sync(loaded, from: payload)
      teller.tell(of: report)
      return report
    }
  }

  /// As ``load(_:for:_:)``. A table that isn't there yet was never synced before.
  private func loadToGrow(
    _ payload: RecordPayload, for table: String, _ options: RecordOptions
  ) async throws -> LoadedPayload? {
    let overrides = overrides
    let isThere = try await database.withConnection { connection in
      let present = try PresentTables(in: connection, overrides, creates: options.creates)
      let isWhole = overrides.fitting(present.declared) == overrides
      return present.schema.place(of: table) != nil && isWhole
    }
    guard isThere else {
      guard options.creates else { throw RecordError.table(table, .missing) }
      return try await payload.load(options.onProgress, deletes: options.operations.deletes)
    }
    return try await load(payload, for: table, options)
  }
}

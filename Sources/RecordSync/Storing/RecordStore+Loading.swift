import SyncFetching

extension RecordStore {
  /// Fetches what has to be fetched for a sync of a table; `nil` where the server says that nothing
  /// has changed since the last one, and nothing has changed here.
  func load(
    _ payload: RecordPayload, for table: String, _ options: RecordOptions
  ) async throws -> LoadedPayload? {
    var fingerprint: SourceFingerprint?
    if case .address(let address) = payload.source {
      fingerprint = SourceFingerprint(address, payload.form, table, options)
    }
    guard let fingerprint else {
      return try await payload.load(options.onProgress, deletes: options.operations.deletes)
    }
    let overrides = overrides
    let (text, known) = try await withRun(over: table, options) { run in
      var fingerprint = fingerprint
      try fingerprint.add(overrides, run.connection)
      return (fingerprint.text, try run.validators(of: fingerprint.text))
    }
    var loaded = try await payload.load(
      options.onProgress, deletes: options.operations.deletes, unless: known)
    loaded?.fingerprint = text
    return loaded
  }
}

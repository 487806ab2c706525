/// One row at a time, by its key. A key of several columns is an array.
extension RecordStore {
  /// The row of a key; `nil` if there is none.
  public func row(_ key: RecordValue, of table: String) async throws -> RecordRow? {
    try await rows(of: table, .key(key)).first
  }

  /// The row of a key as a value of a program's own type; `nil` if there is none. See
  /// ``RecordRow/decode(_:)``.
  public func row<Value: Decodable>(
    _ key: RecordValue, of table: String, as type: Value.Type
  ) async throws -> Value? {
    try await row(key, of: table)?.decode(type)
  }

  /// Inserts or changes the row of one object, and what hangs on it: one transaction, or nothing.
  ///
  /// - Parameters:
  ///   - object: One object with its key.
  ///   - table: The table's name.
  ///   - operations: What may be done; other rows of the table are never deleted. Default: nothing
  ///     is deleted nor unlinked.
  @discardableResult
  public func put(
    _ object: RecordPayload, into table: String, operations: Operations = .keep
  ) async throws -> RecordReport {
    try await edit(table, operations.subtracting(.delete)) { try $0.put(object.reader()) }
  }

  /// Changes the row of a key, and what hangs on it; where there is none, nothing is done. An
  /// object with another key gives the row that key, and what refers to it follows.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - table: The table's name.
  ///   - object: One object, with a key or without.
  ///   - operations: What may be done besides inserting and deleting rows of the table. Default:
  ///     nothing is deleted nor unlinked.
  /// - Throws: ``RecordError/keyTaken(table:key:)`` if another row has the new key.
  @discardableResult
  public func update(
    _ key: RecordValue, of table: String, with object: RecordPayload,
    operations: Operations = .keep
  ) async throws -> RecordReport {
    let operations = operations.union(.update).subtracting([.insert, .delete])
    return try await edit(table, operations) { edit in
      guard let key = edit.key(key) else { return RecordReport(status: .unchanged) }
      return try edit.update(key, object.reader())
    }
  }

  /// Deletes the row of a key, with what the database itself deletes with it; where there is none,
  /// nothing is done.
  @discardableResult
  public func delete(_ key: RecordValue, from table: String) async throws -> RecordReport {
    try await edit(table, .delete) { edit in
      guard let key = edit.key(key) else { return RecordReport(status: .unchanged) }
      return try edit.delete(key)
    }
  }

  /// What an object gives for the columns of a table, by their names, as they would be stored;
  /// nothing is written. Columns for which it gives nothing, or nothing usable, are missing.
  public func values(
    of object: RecordPayload, in table: String
  ) async throws -> [String: RecordValue] {
    try await withSchema { _, schema in
      guard let place = schema.place(of: table) else { throw RecordError.table(table, .missing) }
      let object = try OneObject(object.reader(), for: schema.tables[place])
      return try object.values(of: place, in: schema)
    }
  }

  private func edit(
    _ table: String, _ operations: Operations,
    _ body: @escaping @Sendable (RowEdit) throws -> RecordReport
  ) async throws -> RecordReport {
    try await writing { connection, schema in
      try body(RowEdit(connection, schema, table: table, operations))
    }
  }
}

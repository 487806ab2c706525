import SyncDatabase

/// Several rows at a time, as values.
extension RecordStore {
  /// Rows of a table, as they are at one moment, without what hangs on them.
  ///
  /// ```swift
  /// let adults = try await store.rows(
  ///   of: "users", .condition("age >= ?", values: [18]), order: [.descending("age")], limit: 10)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - selection: Which of its rows. Default: all.
  ///   - order: By which of its columns they come, before the order of positions and keys.
  ///   - limit: How many at most. Default: all of them.
  public func rows(
    of table: String, _ selection: RecordSelection = .all, order: [RecordOrder] = [],
    limit: Int? = nil
  ) async throws -> [RecordRow] {
    try await reading { connection, schema in
      var rows: [RecordRow] = []
      let reader = try RowReader(connection, schema, table: table)
      try reader.each(selection, in: order, atMost: limit) { rows.append($0) }
      return rows
    }
  }

  /// As ``rows(of:_:order:limit:)``, as values of a program's own type: ``RecordRow/decode(_:)``.
  public func rows<Value: Decodable>(
    of table: String, _ selection: RecordSelection = .all, order: [RecordOrder] = [],
    limit: Int? = nil, as type: Value.Type
  ) async throws -> [Value] {
    try await rows(of: table, selection, order: order, limit: limit).map { try $0.decode(type) }
  }

  /// How many rows of a table there are, or fulfil a condition.
  public func count(of table: String, _ selection: RecordSelection = .all) async throws -> Int {
    try await reading { connection, schema in
      guard let place = schema.place(of: table) else { throw RecordError.table(table, .missing) }
      return try ExportReader(connection, schema).count(selection, of: place)
    }
  }

  /// What a statement in SQL that only reads finds: each row by the names of its columns, of which
  /// no two may be equal, with the values as SQLite has them.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each of the values.
  ///   - values: Its values, in their order.
  /// - Throws: ``RecordError/statement(_:)`` if it can't be understood, or would do more than read.
  public func query(
    _ sql: String, _ values: [RecordValue] = []
  ) async throws -> [[String: RecordValue]] {
    guard !sql.utf8.contains(0) else {
      throw RecordError.statement("there is a character NUL in it")
    }
    return try await reading { connection, _ in
      var rows: [[String: RecordValue]] = []
      let statement = SQL(written: sql, values: values.map(\.stored))
      do {
        try connection.onlyReading {
          try connection.query(statement) { row in
            var found: [String: RecordValue] = [:]
            for (place, name) in row.columnNames.enumerated() {
              guard found[name] == nil else {
                throw RecordError.statement("two of its columns have the name \(name)")
              }
              found[name] = RecordValue(try row.value(Column(at: place)))
            }
            rows.append(found)
          }
        }
      } catch let error as DatabaseError where error.isOfWrittenText {
        throw RecordError.statement(error.isRefusal ? "it would do more than read" : error.message)
      }
      return rows
    }
  }

  /// The rows of ``rows(of:_:order:limit:)`` as they are, and anew after each commit that changed
  /// them, whoever made it.
  ///
  /// ```swift
  /// for try await users in store.live("users", order: [.ascending("name")]) { show(users) }
  /// ```
  ///
  /// A reader that is slow gets the newest. While somebody reads, the store stays open.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - selection: Which of its rows. Default: all.
  ///   - order: By which of its columns they come.
  ///   - limit: How many at most. Default: all of them.
  ///   - interval: How often it is looked whether others have written. What this store writes is
  ///     told at once. Default: a second.
  public func live(
    _ table: String, _ selection: RecordSelection = .all, order: [RecordOrder] = [],
    limit: Int? = nil, every interval: Duration = .seconds(1)
  ) -> LiveRows<RecordRow> {
    LiveRows(
      self, every: interval,
      read: { store in
        try await store.rows(of: table, selection, order: order, limit: limit)
      }, value: { $0 })
  }

  /// As ``live(_:_:order:limit:every:)``, as values of a program's own type.
  public func live<Value: Decodable & SendableMetatype>(
    _ table: String, _ selection: RecordSelection = .all, order: [RecordOrder] = [],
    limit: Int? = nil, every interval: Duration = .seconds(1), as type: Value.Type
  ) -> LiveRows<Value> {
    LiveRows(
      self, every: interval,
      read: { store in
        try await store.rows(of: table, selection, order: order, limit: limit)
      }, value: { try $0.decode() })
  }
}

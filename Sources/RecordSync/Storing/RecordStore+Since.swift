import SyncDatabase
import SyncText
import SyncTransport

extension RecordStore {
  /// The payload, from an address that asks only for what is new, where that was wanted.
  func askingForNew(
    _ payload: RecordPayload, for table: String, _ options: RecordOptions
  ) async throws -> RecordPayload {
    guard case .address(let address) = payload.source, let since = address.since else {
      return payload
    }
    let overrides = overrides
    let value = try await database.withConnection { connection in
      let present = try PresentTables(in: connection, overrides, creates: options.creates)
      guard let place = present.schema.place(of: table) else { return RecordSince.Value.none }
      let schema = present.schema.tables[place]
      guard let column = schema.place(ofKey: since.column) else {
        // The payload may bring it.
        guard !options.creates else { return .none }
        throw SchemaProblem.noColumn(since.column, table: schema.name)
      }
      let scope = try options.scope.map {
        try ResolvedScope($0, of: place, present.schema, connection)
      }
      return try since.value(of: column, in: TableAccess(schema), scope, connection)
    }
    return try payload.asking(address, since, value)
  }
}

extension RecordSince {
  fileprivate enum Value {
    /// No row has one.
    case none
    case text(String)
    /// One by which nobody can ask.
    case unusable(String)
  }

  /// The greatest value, as the server is asked by it.
  fileprivate func value(
    of column: Int, in access: TableAccess, _ scope: ResolvedScope?, _ connection: Connection
  ) throws -> Value {
    var greatest: StoredValue?
    let condition: SQL = scope.map { $0.condition(access) } ?? "1"
    let sql: SQL = "SELECT max(\(access.column(column))) FROM \(access.name) WHERE \(condition)"
    try connection.query(sql, values: []) { greatest = try $0.value(0) }
    guard let greatest else { return .none }
    if case .date(let storage) = access.schema.columns[column].type.kind {
      return greatest.moment(as: storage).map { .text(dates.text(of: $0)) }
        ?? .unusable(greatest.plainText)
    }
    switch greatest {
    case .text(""), .blob: return .unusable(greatest.plainText)
    case .text, .integer, .real: return .text(greatest.plainText)
    }
  }
}

extension StoredValue {
  fileprivate var plainText: String {
    switch self {
    case .text(let text): return text
    case .blob(let bytes): return "\(bytes.count) bytes"
    case .integer, .real:
      var bytes: [UInt8] = []
      writePlainly(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension RecordPayload {
  fileprivate func asking(
    _ address: RecordAddress, _ since: RecordSince, _ value: RecordSince.Value
  ) throws -> RecordPayload {
    var (payload, address) = (self, address)
    address.remembers = false
    switch value {
    case .none: payload.increment = .incremental(column: since.column, since: nil)
    case .unusable(let value):
      payload.increment = .unusableSince(column: since.column, value: value)
    case .text(let value):
      guard let url = URLReference(address.url) else {
        throw PayloadProblem.source(WebAddress.redact(address.url), .badAddress)
      }
      address.url = url.setting(since.parameter, to: value).text
      payload.increment = .incremental(column: since.column, since: value)
    }
    payload.source = .address(address)
    return payload
  }
}

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
      guard let place = present.schema.place(of: table) else { return nil as String? }
      let schema = present.schema.tables[place]
      guard let column = schema.place(ofKey: since.column) else {
        // The payload may bring it.
        guard !options.creates else { return nil }
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
  /// The greatest value, as the server is asked by it; `nil` where there is none.
  fileprivate func value(
    of column: Int, in access: TableAccess, _ scope: ResolvedScope?, _ connection: Connection
  ) throws -> String? {
    var greatest: StoredValue?
    let condition: SQL = scope.map { $0.condition(access) } ?? "1"
    let sql: SQL = "SELECT max(\(access.column(column))) FROM \(access.name) WHERE \(condition)"
    try connection.query(sql, values: []) { greatest = try $0.value(0) }
    guard let greatest else { return nil }
    if case .date(let storage) = access.schema.columns[column].type.kind {
      return greatest.moment(as: storage).map { dates.text(of: $0) }
    }
    switch greatest {
    case .text(let text): return text.isEmpty ? nil : text
    case .blob: return nil
    case .integer, .real:
      var bytes: [UInt8] = []
      greatest.writePlainly(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension RecordPayload {
  fileprivate func asking(
    _ address: RecordAddress, _ since: RecordSince, _ value: String?
  ) throws -> RecordPayload {
    var (payload, address) = (self, address)
    address.remembers = false
    if let value {
      guard let url = URLReference(address.url) else {
        throw PayloadProblem.source(WebAddress.redact(address.url), .badAddress)
      }
      address.url = url.setting(since.parameter, to: value).text
    }
    payload.source = .address(address)
    payload.increment = .incremental(column: since.column, since: value)
    return payload
  }
}

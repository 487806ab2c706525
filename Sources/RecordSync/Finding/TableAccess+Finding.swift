import SyncDatabase

extension TableAccess {
  /// The oldest row of a key, in whatever form it is stored.
  func row(of key: RecordKey, on connection: Connection) throws -> FoundRow? {
    let identity = KeyIdentity(schema)
    for form in [key] + identity.forms(of: key) {
      if let found = try row(findByKey, form.values, connection) { return found }
    }
    guard identity.hasForms else { return nil }
    // Nobody knows in which form another program has stored it.
    let wanted = identity.identity(of: key)
    var address: [StoredValue]?
    try connection.query(keys(where: "1")) { row in
      let keyed = try KeyedRow(row, self)
      if address == nil, identity.identity(of: keyed.key) == wanted { address = keyed.address }
    }
    return try address.flatMap { try row(findByAddress, $0, connection) }
  }

  private func row(
    _ sql: SQL, _ values: [StoredValue], _ connection: Connection
  ) throws -> FoundRow? {
    var found: FoundRow?
    try connection.query(sql, values: values) { row in
      if found == nil { found = try FoundRow(row, self) }
    }
    return found
  }
}

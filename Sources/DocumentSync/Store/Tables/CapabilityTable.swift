import SyncDatabase

/// What servers can do, as they said last.
struct CapabilityTable {
  let session: StoreSession

  /// What a server said, and when, in milliseconds since 1970; `nil` if it was never asked.
  func capabilities(of server: String) throws -> (said: EndpointCapabilities, at: Int64)? {
    try session.connection.row(
      "SELECT * FROM capabilities WHERE server = ?1", server
    ) { row in
      let names = try row.text("features").split(separator: " ")
      let said = EndpointCapabilities(
        features: Set(names.compactMap { EndpointCapabilities.Feature(rawValue: String($0)) }),
        batchEntries: Int(clamping: try row.integer("batch_entries")),
        batchBytes: try row.optionalInteger("batch_bytes").map { Int(clamping: $0) },
        isReadOnly: try row.flag("read_only"))
      return (said, try row.integer("at"))
    }
  }

  func set(_ said: EndpointCapabilities, of server: String) throws {
    try session.connection.run(
      """
      INSERT OR REPLACE INTO capabilities
        (server, features, batch_entries, batch_bytes, read_only, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, server, said.features.map(\.rawValue).sorted().joined(separator: " "),
      said.batchEntries, said.batchBytes, said.isReadOnly, session.now)
  }
}

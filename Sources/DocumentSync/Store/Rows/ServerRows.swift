import SyncDatabase

/// What is known of servers.
extension StoreReader {
  /// How long a server is to be left alone; nothing if nothing is known.
  func pause(of server: String) throws -> ServerPause {
    let pause = try session.connection.row(
      "SELECT * FROM pauses WHERE server = ?1", server
    ) { row in
      ServerPause(
        troubles: Int(clamping: try row.integer("troubles")),
        own: wait(try row.optionalInteger("own_from"), try row.optionalInteger("own_until")),
        retryAfter: wait(
          try row.optionalInteger("retry_from"), try row.optionalInteger("retry_until")),
        backoff: wait(
          try row.optionalInteger("backoff_from"), try row.optionalInteger("backoff_until")))
    }
    return pause ?? ServerPause()
  }

  private func wait(_ from: Int64?, _ until: Int64?) -> PauseWait? {
    guard let from, let until else { return nil }
    return PauseWait(from: from, until: until)
  }

  /// The clock of a server; ours, if nothing is known.
  func time(of server: String) throws -> ServerTime {
    let time = try session.connection.row(
      "SELECT ahead, doubted FROM times WHERE server = ?1", server
    ) { row in
      ServerTime(ahead: try row.integer("ahead"), doubted: try row.optionalInteger("doubted"))
    }
    return time ?? ServerTime()
  }

  /// What a server said, and when, in milliseconds since 1970; `nil` if it was never asked.
  func capabilities(of server: String) throws -> (said: EndpointCapabilities, at: Int64)? {
    try session.connection.row(
      "SELECT * FROM capabilities WHERE server = ?1", server
    ) { row in
      let names = try row.text("features").split(separator: " ")
      let said = EndpointCapabilities(
        features: Set(
          EndpointCapabilities.Feature.allCases.filter { names.contains($0.name[...]) }),
        batchEntries: Int(clamping: try row.integer("batch_entries")),
        batchBytes: try row.optionalInteger("batch_bytes").map { Int(clamping: $0) },
        isReadOnly: try row.flag("read_only"))
      return (said, try row.integer("at"))
    }
  }
}

extension StoreEditor {
  private static let setPause: SQL = """
    INSERT OR REPLACE INTO pauses (server, troubles, own_from, own_until, retry_from, retry_until,
      backoff_from, backoff_until)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """

  /// How long a server is to be left alone changed.
  func setPause(_ pause: ServerPause, of server: String) throws {
    try session.connection.run(
      Self.setPause, server, pause.troubles, pause.own?.from, pause.own?.until,
      pause.retryAfter?.from,
      pause.retryAfter?.until, pause.backoff?.from, pause.backoff?.until)
  }

  /// The clock of a server was heard, and another difference is to be kept. The last stamp stays.
  func setTime(_ time: ServerTime, of server: String) throws {
    try session.connection.run(
      """
      INSERT INTO times (server, ahead, doubted) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET ahead = excluded.ahead, doubted = excluded.doubted
      """, server, time.ahead, time.doubted)
  }

  /// The time to write on a change for a server: the same in one transaction, and
  /// later than those of all before.
  func stamp(for server: String) throws -> Int64 {
    if let stamp = session.stamps[server] { return stamp }
    let last = try session.connection.row(
      "SELECT stamp FROM times WHERE server = ?1", server
    ) { try $0.optionalInteger("stamp") }
    let stamp = try reader.time(of: server).stamp(at: session.now, after: last ?? nil)
    try session.connection.run(
      """
      INSERT INTO times (server, ahead, stamp) VALUES (?1, 0, ?2)
      ON CONFLICT DO UPDATE SET stamp = excluded.stamp
      """, server, stamp)
    session.stamps[server] = stamp
    return stamp
  }

  func setCapabilities(_ said: EndpointCapabilities, of server: String) throws {
    try session.connection.run(
      """
      INSERT OR REPLACE INTO capabilities
        (server, features, batch_entries, batch_bytes, read_only, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, server, said.features.map(\.name).sorted().joined(separator: " "),
      said.batchEntries, said.batchBytes, said.isReadOnly, session.now)
  }
}

extension EndpointCapabilities.Feature {
  fileprivate var name: String {
    switch self {
    case .preconditions: "preconditions"
    case .conditionsOfChangesAlone: "conditionsOfChangesAlone"
    case .changes: "changes"
    case .tombstones: "tombstones"
    case .idempotencyKeys: "idempotencyKeys"
    case .revivals: "revivals"
    case .files: "files"
    }
  }
}

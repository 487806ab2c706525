import SyncDatabase

/// What time it is by the clocks of servers, and the last times that were written on changes.
struct TimeTable {
  let session: StoreSession

  /// The clock of a server; ours, if nothing is known.
  func time(of server: String, _ rule: ServerTime.Rule) throws -> ServerTime {
    let time = try session.connection.row(
      "SELECT ahead, doubted FROM times WHERE server = ?1", server
    ) { row in
      ServerTime(
        ahead: try row.integer("ahead"), doubted: try row.optionalInteger("doubted"), rule: rule)
    }
    return time ?? ServerTime(rule: rule)
  }

  /// Keeps it; the last stamp stays.
  func set(_ time: ServerTime, of server: String) throws {
    try session.connection.run(
      """
      INSERT INTO times (server, ahead, doubted) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET ahead = excluded.ahead, doubted = excluded.doubted
      """, server, time.ahead, time.doubted)
  }

  /// The time to write on a change for a server: later than those of all transactions before.
  func stamp(for server: String) throws -> Int64 {
    let last = try session.connection.row(
      "SELECT stamp FROM times WHERE server = ?1", server
    ) { try $0.optionalInteger("stamp") }
    let stamp = try time(of: server, .init()).stamp(at: session.now, after: last ?? nil)
    try session.connection.run(
      """
      INSERT INTO times (server, ahead, stamp) VALUES (?1, 0, ?2)
      ON CONFLICT DO UPDATE SET stamp = excluded.stamp
      """, server, stamp)
    return stamp
  }
}

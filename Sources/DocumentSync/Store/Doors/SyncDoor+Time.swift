extension SyncDoor {
  /// The clock of a server was heard, and another difference is to be kept.
  func setTime(_ time: ServerTime, of server: String) throws {
    try TimeTable(session: session).set(time, of: server)
  }
}

extension StoreReader {
  func time(of server: String, _ rule: ServerTime.Rule = .init()) throws -> ServerTime {
    try TimeTable(session: session).time(of: server, rule)
  }
}

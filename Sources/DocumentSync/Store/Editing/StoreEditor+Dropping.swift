import SyncDatabase

extension StoreEditor {
  @discardableResult
  package func dropCollection(
    _ scope: DocumentScope, discardingChanges: Bool = false
  ) throws -> Int {
    guard let number = try session.number(of: scope) else { return 0 }
    if !discardingChanges { try refuse(reader.unsent(in: number)) }
    return try session.wholly { try dropAll(in: number) }
  }

  @discardableResult
  package func dropEverything(discardingChanges: Bool = false) throws -> Int {
    let own = try session.isOwn("number")
    let scopes = try session.connection.rows("SELECT number FROM scopes WHERE \(own)") {
      try $0.integer("number")
    }
    if !discardingChanges { try refuse(scopes.reduce(0) { try $0 + reader.unsent(in: $1) }) }
    return try session.wholly {
      let count = try scopes.reduce(0) { try $0 + dropAll(in: $1) }
      try dropRest()
      return count
    }
  }

  private func refuse(_ waiting: Int) throws {
    guard waiting == 0 else { throw DocumentError.changesWait(waiting) }
  }

  /// Answers how many documents went.
  @discardableResult
  func dropAll(in scope: Int64) throws -> Int {
    let connection = session.connection
    try dropContents(scope)
    for sql in [
      "DELETE FROM awaited WHERE entry IN (SELECT number FROM outbox WHERE scope = ?1)",
      // What was never sent won't come any more; others needn't wait for it.
      """
      DELETE FROM awaited WHERE id IN (SELECT id FROM documents WHERE scope = ?1)
        AND EXISTS (
          SELECT 1 FROM outbox JOIN scopes ON scopes.number = outbox.scope
          WHERE outbox.number = awaited.entry
            AND owner = (SELECT owner FROM scopes WHERE number = ?1))
      """,
      "DELETE FROM outbox WHERE scope = ?1", "DELETE FROM failures WHERE scope = ?1",
      "DELETE FROM vanished WHERE scope = ?1", "DELETE FROM queries WHERE scope = ?1",
      """
      DELETE FROM traces WHERE (id, owner) IN (SELECT id, owner FROM documents WHERE scope = ?1)
      """,
      "UPDATE scopes SET checkpoint = NULL, comparing = NULL WHERE number = ?1",
    ] as [SQL] {
      try connection.run(sql, scope)
    }
    let count = try connection.row(
      "SELECT count(*) AS count FROM documents WHERE scope = ?1 AND body IS NOT NULL", scope
    ) { Int(try $0.integer("count")) }
    let rows = try connection.run("DELETE FROM documents WHERE scope = ?1", scope)
    if rows > 0 { session.log?.noteWhole() }
    return count ?? 0
  }

  /// Also what is known of documents that aren't there any more.
  private func dropRest() throws {
    let connection = session.connection
    let (own, owners) = (try session.isOwn("scope"), try session.isOwners("owner"))
    try connection.run("DELETE FROM lost WHERE \(own)")
    try connection.run("DELETE FROM traces WHERE \(owners)")
    try connection.run("DELETE FROM burials WHERE \(owners)")
    // Of these, nobody knows whose they are.
    if try session.ownScopes() == nil { try connection.run("DELETE FROM contents") }
  }

  /// Earlier contents, which only their entries know.
  private func dropContents(_ scope: Int64) throws {
    let numbers = try session.connection.rows(
      "SELECT number FROM outbox WHERE scope = ?1 AND details IS NOT NULL", scope
    ) { try $0.integer("number") }
    for number in numbers {
      guard let entry = try OutboxTable(session: session).entry(number) else { continue }
      try keepContents([:], over: reader.contents(of: entry))
    }
  }
}

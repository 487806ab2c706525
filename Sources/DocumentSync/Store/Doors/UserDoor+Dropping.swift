import SyncDatabase

extension UserDoor {
  /// Takes the local copies of a collection's documents away, of which no server is told; the next
  /// pull brings all that the server has. Changes that gave way before stay known.
  ///
  /// - Parameter discardingChanges: whether changes that wait to be sent go, too. By default
  ///   it's an error that there are any, and nothing is dropped.
  /// - Returns: how many documents went.
  @discardableResult
  package func dropCollection(
    _ scope: DocumentScope, discardingChanges: Bool = false
  ) throws -> Int {
    guard let number = try session.number(of: scope) else { return 0 }
    let dropping = CollectionDropping(session: session)
    if !discardingChanges { try refuse(dropping.waiting(in: number)) }
    return try session.wholly { try dropping.drop(number) }
  }

  /// Takes the local copies of all documents of whoever edits away, with all that is known of them
  /// but where they are at home; as ``dropCollection(_:discardingChanges:)`` otherwise.
  @discardableResult
  package func dropEverything(discardingChanges: Bool = false) throws -> Int {
    let own = try session.isOwn("number")
    let scopes = try session.connection.rows("SELECT number FROM scopes WHERE \(own)") {
      try $0.integer("number")
    }
    let dropping = CollectionDropping(session: session)
    if !discardingChanges { try refuse(scopes.reduce(0) { try $0 + dropping.waiting(in: $1) }) }
    return try session.wholly {
      let count = try scopes.reduce(0) { try $0 + dropping.drop($1) }
      try dropping.dropRest()
      return count
    }
  }

  private func refuse(_ waiting: Int) throws {
    guard waiting == 0 else { throw DocumentStoreProblem.changesWait(waiting) }
  }
}

/// Takes collections out of the tables.
private struct CollectionDropping {
  let session: StoreSession

  private var connection: Connection { session.connection }

  /// How many changes and files of a collection are to be sent.
  func waiting(in scope: Int64) throws -> Int {
    try AccountTable(session: session).unsent(in: scope)
  }

  /// Answers how many documents went.
  func drop(_ scope: Int64) throws -> Int {
    try dropContents(scope)
    for sql in [
      "DELETE FROM awaited WHERE entry IN (SELECT number FROM outbox WHERE scope = ?1)",
      // What was never sent won't come any more; others needn't wait for it.
      "DELETE FROM awaited WHERE id IN (SELECT id FROM documents WHERE scope = ?1)",
      "DELETE FROM outbox WHERE scope = ?1", "DELETE FROM failures WHERE scope = ?1",
      "DELETE FROM vanished WHERE scope = ?1", "DELETE FROM queries WHERE scope = ?1",
      "DELETE FROM traces WHERE id IN (SELECT id FROM documents WHERE scope = ?1) AND scope IS ?1",
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
  func dropRest() throws {
    let own = try session.isOwn("scope")
    try connection.run("DELETE FROM lost WHERE \(own)")
    try connection.run("DELETE FROM traces WHERE \(own)")
    // Of these, nobody knows whose they are.
    guard try session.ownScopes() == nil else { return }
    try connection.run("DELETE FROM contents")
    try connection.run("DELETE FROM burials")
  }

  /// Earlier contents, which only their entries know.
  private func dropContents(_ scope: Int64) throws {
    let (outbox, contents) = (OutboxTable(session: session), ContentTable(session: session))
    let numbers = try connection.rows(
      "SELECT number FROM outbox WHERE scope = ?1 AND details IS NOT NULL", scope
    ) { try $0.integer("number") }
    for number in numbers {
      guard let entry = try outbox.entry(number) else { continue }
      try contents.change(from: contents.contents(of: entry), to: [:])
    }
  }
}

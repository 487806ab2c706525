import SyncDatabase

/// What all that reads and writes within one transaction shares.
final class StoreSession {
  let connection: Connection
  /// When the transaction began, in milliseconds since 1970.
  let now: Int64
  /// Whose documents are seen, edited and synced: all that is of another account isn't there. `nil`
  /// for upkeep, which names the collections that it means.
  let owner: DocumentOwner?
  /// Where the numbers come from that changes take.
  var counter: RevisionCounter
  /// What was changed so far; `nil` if nobody wants to know.
  var log: ChangeLog?
  /// Whether what a document was called before is taken for it: not what a server calls it, which
  /// may have another one of that name.
  let findsByAliases: Bool
  /// Whether the document that was asked for last was unknown.
  var expectsUnknown = false
  private let kept: RevisionCounter
  private var homes: [DocumentScope: Home] = [:]
  private var scopes: [Int64: DocumentScope] = [:]
  private var owners: [DocumentOwner: Int64] = [:]
  /// The one that was asked for last: mostly, all are of one collection.
  private var last: (scope: DocumentScope, home: Home)?
  private var name: String?
  /// The times to write on the changes of this transaction, by server.
  var stamps: [String: Int64] = [:]
  private var isBroken = false
  private var hasTombstones: Bool?
  private var hasAwaited: Bool?
  private var hasAliases: Bool?

  /// Reads only; nothing is counted.
  init(reading connection: Connection, now: Int64, for owner: DocumentOwner? = nil) {
    self.connection = connection
    self.owner = owner
    self.now = now
    findsByAliases = true
    kept = RevisionCounter(next: 0)
    counter = kept
  }

  /// Goes on counting where the store left off.
  ///
  /// - Parameter findsByAliases: whether ids are those of people, who may call a document as it was
  ///   called before.
  init(
    writing connection: Connection, now: Int64, for owner: DocumentOwner? = nil,
    findsByAliases: Bool = true
  ) throws {
    self.findsByAliases = findsByAliases
    self.connection = connection
    self.owner = owner
    self.now = now
    let next = try connection.row("SELECT next FROM store") { try $0.integer("next") }
    kept = RevisionCounter(next: next ?? 1)
    counter = kept
  }

  /// Keeps what was counted; the last thing in a transaction that writes.
  func finish() throws {
    guard !isBroken else {
      throw DatabaseError(
        code: .misuse, message: "a part of what was to be written together failed",
        path: connection.path)
    }
    if try WordTable.isThere(in: connection) {
      try WordTable(connection: connection).takeNews()
    }
    guard counter != kept else { return }
    try connection.run("UPDATE store SET next = ?1", counter.next)
  }

  /// Writes what belongs together. If it fails, the whole transaction does, whoever swallows the
  /// error.
  func wholly<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      isBroken = true
      throw error
    }
  }

  /// Does all of it or nothing, within the transaction.
  func allOrNothing<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = log?.mark
    do {
      return try connection.savepoint(body)
    } catch {
      // Some may have been made just now.
      (homes, scopes, owners, last, stamps) = ([:], [:], [:], nil, [:])
      if let mark { log?.goBack(to: mark) }
      throw error
    }
  }

  func storeName() throws -> String {
    if let name { return name }
    let found = try connection.row("SELECT name FROM store") { try $0.text("name") } ?? ""
    name = found
    return found
  }

  // MARK: - Tables that mostly hold nothing

  /// Whether any deletion may be known after which a document is made anew.
  func holdsTombstones() throws -> Bool {
    if let hasTombstones { return hasTombstones }
    let isThere = try holdsAny("SELECT EXISTS (SELECT 1 FROM burials)")
    hasTombstones = isThere
    return isThere
  }

  /// A deletion is kept from now on.
  func mayHoldTombstones() { hasTombstones = true }

  /// Whether any entry may wait for a document.
  func holdsAwaited() throws -> Bool {
    if let hasAwaited { return hasAwaited }
    let isThere = try holdsAny("SELECT EXISTS (SELECT 1 FROM awaited)")
    hasAwaited = isThere
    return isThere
  }

  /// An entry waits for a document from now on.
  func mayHoldAwaited() { hasAwaited = true }

  /// Whether any document may be known by another id than its own.
  func holdsAliases() throws -> Bool {
    if let hasAliases { return hasAliases }
    let isThere = try holdsAny("SELECT EXISTS (SELECT 1 FROM aliases)")
    hasAliases = isThere
    return isThere
  }

  /// A document is known by another id from now on.
  func mayHoldAliases() { hasAliases = true }

  private func holdsAny(_ sql: SQL) throws -> Bool {
    try connection.row(sql) { try $0.flag(0) } ?? false
  }

  // MARK: - Scopes

  /// How rows say where a document is at home, and whose it is.
  struct Home: Equatable {
    let number: Int64
    let owner: Int64
  }

  func number(of scope: DocumentScope) throws -> Int64? { try home(of: scope)?.number }

  /// The number of a scope, which is made if there is none.
  func makeNumber(of scope: DocumentScope) throws -> Int64 { try makeHome(of: scope).number }

  func home(of scope: DocumentScope) throws -> Home? {
    if let last, last.scope == scope { return last.home }
    if let home = homes[scope] {
      last = (scope, home)
      return home
    }
    let home = try connection.row(
      "SELECT number, owner FROM scopes WHERE server = ?1 AND account = ?2 AND collection = ?3",
      scope.server, scope.account, scope.collection
    ) { Home(number: try $0.integer("number"), owner: try $0.integer("owner")) }
    if let home { keep(scope, home) }
    return home
  }

  /// Where that is; it's made if it isn't there. An account's first collection gives it its number.
  func makeHome(of scope: DocumentScope) throws -> Home {
    if let home = try home(of: scope) { return home }
    try connection.run(
      """
      INSERT INTO scopes (server, account, collection, owner) VALUES (?1, ?2, ?3, coalesce(
        (SELECT owner FROM scopes WHERE server = ?1 AND account = ?2),
        (SELECT coalesce(max(number), 0) + 1 FROM scopes)))
      """, scope.server, scope.account, scope.collection)
    guard let home = try home(of: scope) else { throw damage("a collection isn't there") }
    return home
  }

  func scope(_ number: Int64) throws -> DocumentScope {
    if let scope = scopes[number] { return scope }
    let found = try connection.row(
      "SELECT server, account, collection, owner FROM scopes WHERE number = ?1", number
    ) { row in
      let scope = DocumentScope(
        server: try row.text("server"), account: try row.text("account"),
        collection: try row.text("collection"))
      return (scope, Home(number: number, owner: try row.integer("owner")))
    }
    guard let (scope, home) = found else {
      throw damage("a document is of a collection that isn't there")
    }
    keep(scope, home)
    return scope
  }

  /// The number that rows of an account's have; `nil` where nothing is kept of it.
  func number(of owner: DocumentOwner) throws -> Int64? {
    if let number = owners[owner] { return number }
    let number = try connection.row(
      "SELECT owner FROM scopes WHERE server = ?1 AND account = ?2 LIMIT 1", owner.server,
      owner.account
    ) { try $0.integer("owner") }
    owners[owner] = number
    return number
  }

  private func keep(_ scope: DocumentScope, _ home: Home) {
    homes[scope] = home
    scopes[home.number] = scope
    last = (scope, home)
  }

  private func damage(_ message: String) -> DatabaseError {
    DatabaseError(code: .damaged, message: message, path: connection.path)
  }

  // MARK: - Whose they are

  /// Whether who sees and edits has what is at home there.
  func isOwn(_ scope: DocumentScope) -> Bool { owner?.has(scope) ?? true }

  /// A condition: that a column with the number of an account is that of who sees and edits.
  func isOwners(_ column: SQL) throws -> SQL {
    guard let owner else { return "1" }
    return "\(column) = \(try number(of: owner) ?? 0)"
  }

  /// The numbers of the collections that who sees and edits has; `nil` where that is all there is.
  func ownScopes() throws -> [Int64]? {
    guard let owner else { return nil }
    let all = try connection.rows("SELECT number FROM scopes") { try $0.integer("number") }
    let own = try all.filter { owner.has(try scope($0)) }
    return own.count == all.count ? nil : own
  }

  /// A condition: that a column with the number of a collection names one of these.
  func isOwn(_ column: SQL) throws -> SQL {
    guard let own = try ownScopes() else { return "1" }
    // Numbers begin with 1. Without the column, SQLite would take no index that it's told to take.
    return own.isEmpty ? "\(column) < 1" : "\(column) IN (\(own.map { "\($0)" as SQL }))"
  }
}

extension DocumentValue {
  /// What a column holds, which was a document's value when it was written.
  init(_ row: borrowing Row, _ column: Column) throws {
    do {
      try self.init(bytes: Array(try row.text(column).utf8))
    } catch let problem as DocumentProblem {
      throw row.wrongType(column, problem.description)
    }
  }

  /// What a column holds, which may be NULL.
  static func optional(_ row: borrowing Row, _ column: Column) throws -> DocumentValue? {
    try row.isNull(column) ? nil : DocumentValue(row, column)
  }
}

extension StoredValue? {
  static func of(_ text: String?) -> StoredValue? { text.map { .text($0) } }

  static func of(_ number: Int64?) -> StoredValue? { number.map { .integer($0) } }
}

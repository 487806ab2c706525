import SyncDatabase
public import SyncEssentials

/// A change that gave way, as it's kept.
public struct LostChange: Sendable, Hashable {
  /// What it's taken back by.
  public let number: Int64
  /// Of which document it was.
  public let id: DocumentID
  /// What gave way.
  public let loss: DocumentLoss
  /// When it gave way.
  public let time: Date
}

extension StoreReader {
  /// How long what gave way is kept: 30 days, in milliseconds.
  static let spanOfLost: Int64 = 30 * 86_400_000

  /// What gave way, by its number, and where its document is at home; `nil` if it isn't here, or is
  /// too old.
  func lost(_ number: Int64) throws -> (LostChange, DocumentScope)? {
    let own = try session.isOwn("scope")
    return try session.connection.row(
      """
      SELECT number, id, path, value, side, reason, at, scope FROM lost
      WHERE number = \(number) AND at >= \(session.now - Self.spanOfLost) AND \(own)
      """
    ) { row in (try Self.change(row), try session.scope(try row.integer("scope"))) }
  }

  package func lost(of id: DocumentID? = nil) throws -> [LostChange] {
    let own = try session.isOwn("scope")
    let meant: SQL = try id.map { "id = \(try named($0).text)" } ?? "1"
    return try session.connection.rows(
      """
      SELECT number, id, path, value, side, reason, at FROM lost
      WHERE at >= \(session.now - Self.spanOfLost) AND \(meant) AND \(own) ORDER BY number
      """
    ) { try Self.change($0) }
  }

  private static func change(_ row: borrowing Row) throws -> LostChange {
    guard let names = try DocumentValue(row, "path").elements?.compactMap(\.string),
      let side = MergeSide(name: try row.text("side")),
      let reason = DocumentLoss.Reason(name: try row.text("reason"))
    else { throw row.wrongType("path", "a loss makes no sense") }
    return LostChange(
      number: try row.integer("number"), id: DocumentID(try row.text("id")),
      loss: DocumentLoss(
        path: DocumentPath(names: names), value: try .optional(row, "value"), side: side,
        reason: reason),
      time: Date(milliseconds: try row.integer("at")))
  }
}

extension StoreEditor {
  /// Keeps what gave way, and forgets what is too old.
  func keep(_ losses: [DocumentLoss], of id: DocumentID, in scope: Int64) throws {
    guard !losses.isEmpty else { return }
    try forgetOldLosses()
    for loss in losses {
      let path = DocumentValue(joining: loss.path.names.map { DocumentValue($0) })
      try session.connection.run(
        """
        INSERT INTO lost (id, scope, path, value, side, reason, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """, id.text, scope, path.text, loss.value?.text, loss.side.name, loss.reason.name,
        session.now)
    }
  }

  func forgetOldLosses() throws {
    try session.connection.run(
      "DELETE FROM lost WHERE at < ?1", session.now - StoreReader.spanOfLost)
  }
}

extension MergeSide {
  /// How a row says it.
  fileprivate var name: String {
    switch self {
    case .here: "here"
    case .there: "there"
    }
  }

  fileprivate init?(name: String) {
    guard let side = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = side
  }
}

extension DocumentLoss.Reason {
  private static let all =
    [deletion, forgotten, resigned, restored, answered, accountHadOne]
    + ConflictPolicy.Name.allCases.map { policy($0) }

  /// How a row says it.
  fileprivate var name: String {
    switch self {
    case .deletion: "deletion"
    case .forgotten: "forgotten"
    case .resigned: "resigned"
    case .restored: "restored"
    case .answered: "answered"
    case .accountHadOne: "accountHadOne"
    case .policy(let name): name.text
    }
  }

  fileprivate init?(name: String) {
    guard let reason = Self.all.first(where: { $0.name == name }) else { return nil }
    self = reason
  }
}

import SyncDatabase
import SyncEssentials

/// What servers answered last to what is still to be sent: one answer an entry, so much in all that
/// the oldest ones go for new ones. With an entry its answer goes, whoever removes that.
struct AnswerTable {
  /// How many bytes all of them take at most: 16 MiB.
  static let room: Int64 = 16 << 20

  let session: StoreSession
  /// As ``room``; less in tests.
  var limit = room

  private static let insert: SQL = """
    INSERT INTO answers (entry, at, request, status, fields, body, bytes, problem, size)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """
  private static let oldest: SQL = """
    DELETE FROM answers WHERE entry = (SELECT entry FROM answers ORDER BY at, entry LIMIT 1)
    """

  /// Keeps an answer in the place of an earlier one.
  func keep(_ call: EndpointCall, to entry: Int64) throws {
    let connection = session.connection
    let fields = DocumentValue(
      joining: call.fields.map {
        DocumentValue(joining: [DocumentValue($0.name), DocumentValue($0.value)])
      })
    try connection.run("DELETE FROM answers WHERE entry = ?1", entry)
    try connection.run(
      Self.insert, entry, call.time?.milliseconds ?? session.now, call.request,
      call.status.map { Int64($0) },
      fields.text, call.body, Int64(call.bodyBytes), call.problem, Int64(call.size))
    while try size() > limit {
      if try connection.run(Self.oldest) == 0 { return }
    }
  }

  /// How many bytes all of them take.
  func size() throws -> Int64 {
    try session.connection.row("SELECT answers FROM store") { try $0.integer("answers") } ?? 0
  }

  func answer(to entry: Int64) throws -> EndpointCall? {
    try session.connection.row("SELECT * FROM answers WHERE entry = ?1", entry) { row in
      let fields = try DocumentValue(row, "fields").elements ?? []
      return EndpointCall(
        request: try row.text("request"),
        status: try row.optionalInteger("status").map { Int(clamping: $0) },
        fields: fields.compactMap(EndpointCall.Field.init), body: try row.text("body"),
        bodyBytes: Int(clamping: try row.integer("bytes")),
        problem: try row.optionalText("problem"), time: Date(milliseconds: try row.integer("at")))
    }
  }
}

extension EndpointCall.Field {
  fileprivate init?(_ pair: DocumentValue) {
    guard let parts = pair.elements, parts.count == 2, let name = parts[0].string,
      let value = parts[1].string
    else { return nil }
    self.init(name: name, value: value)
  }
}

extension StoreReader {
  /// What the server answered last to a document's change that is still to be sent; `nil` if
  /// nothing is kept.
  package func answer(to id: DocumentID) throws -> EndpointCall? {
    guard let entry = try stored(id)?.entry else { return nil }
    return try AnswerTable(session: session).answer(to: entry.number)
  }
}

extension StoreEditor {
  /// Keeps what was answered to a document's change, as long as that is to be sent.
  func keepAnswer(_ call: EndpointCall, to id: DocumentID, in scope: DocumentScope) throws {
    guard let entry = try reader.stored(id, ofAccountOf: scope)?.entry else { return }
    try AnswerTable(session: session).keep(call, to: entry.number)
  }
}

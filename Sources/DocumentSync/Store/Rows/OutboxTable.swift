import SyncDatabase
import SyncText

/// What is to be sent, in the order of the first unsent changes.
struct OutboxTable {
  let session: StoreSession

  private static let columns: [Identifier] = [
    "revision", "change", "base", "phase", "is_last", "form", "details",
  ]
  private static let find: SQL = "SELECT id, scope, \(columns) FROM outbox WHERE number = ?1"
  private static let insert: SQL = """
    INSERT INTO outbox (\(columns), number, id, scope, since)
    VALUES (\(parameters: columns.count + 4))
    """
  private static let update: SQL = """
    UPDATE outbox SET \(columns.enumerated().map { offset, column -> SQL in
      "\(column) = \(parameter: offset + 1)"
    }) WHERE number = \(parameter: columns.count + 1)
    """
  private static let delete: SQL = "DELETE FROM outbox WHERE number = ?1"
  private static let contest: SQL = "UPDATE outbox SET contested = ?2 WHERE number = ?1"

  func entry(_ number: Int64) throws -> OutboxEntry? {
    let found = try session.connection.row(Self.find, number) { row in
      var entry = OutboxEntry(
        number: number, id: DocumentID(try row.text("id")),
        collection: try session.scope(try row.integer("scope")).collection,
        revision: Revision(try row.integer("revision")), change: try Self.change(row))
      EntryForm.complete(
        &entry, phase: try row.text("phase"), form: try row.integer("form"),
        details: try? .optional(row, "details"))
      return entry
    }
    guard var entry = found else { return nil }
    entry.awaits = try AwaitedTable(session: session).awaited(by: number)
    return entry
  }

  /// Adds an entry.
  ///
  /// - Parameter since: when the first unsent change was made, in milliseconds since 1970.
  func insert(_ entry: OutboxEntry, in scope: Int64, since: Int64) throws {
    let values = Self.values(entry)
    try session.connection.run(
      Self.insert,
      values: values + [
        .integer(entry.number), .text(entry.id.text), .integer(scope), .integer(since),
      ])
    if case .contested = entry.phase { try contest(entry) }
    try AwaitedTable(session: session).change(of: entry.number, from: [], to: entry.awaits)
  }

  /// Changes an entry, if it's another one now.
  func update(_ entry: OutboxEntry, from old: OutboxEntry) throws {
    guard entry != old else { return }
    try session.connection.run(
      Self.update, values: Self.values(entry) + [.integer(entry.number)])
    if case .contested = entry.phase, entry.phase != old.phase { try contest(entry) }
    try AwaitedTable(session: session).change(
      of: entry.number, from: old.awaits, to: entry.awaits)
  }

  /// It met the server's, or is looked at, later than all others.
  func contest(_ entry: OutboxEntry) throws {
    try session.connection.run(Self.contest, entry.number, session.counter.fresh().number)
  }

  /// Since when the present change of a document waits, in milliseconds since 1970.
  func since(_ entry: OutboxEntry) throws -> Int64? {
    try session.connection.row("SELECT since FROM outbox WHERE number = ?1", entry.number) {
      try $0.integer("since")
    }
  }

  func delete(_ old: OutboxEntry) throws {
    try session.connection.run(Self.delete, old.number)
    try AwaitedTable(session: session).change(of: old.number, from: old.awaits, to: [])
  }

  private static func values(_ entry: OutboxEntry) -> [StoredValue?] {
    let change =
      switch entry.change {
      case .create: "create"
      case .update: "update"
      case .delete: "delete"
      }
    return [
      .integer(entry.revision.number), .text(change), .of(entry.change.base?.text),
      .text(EntryForm.name(of: entry.phase)), .integer(entry.batchShare == .last ? 1 : 0),
      .integer(EntryForm.current), .of(EntryForm.details(of: entry)?.text),
    ]
  }

  private static func change(_ row: borrowing Row) throws -> OutboxEntry.Change {
    let base = try row.optionalText("base").map { DocumentVersion($0) }
    switch (try row.text("change"), base) {
    case ("create", nil): return .create
    case ("update", let base?): return .update(base: base)
    case ("delete", let base): return .delete(base: base)
    default: throw row.wrongType("change", "it makes no sense with its base")
    }
  }
}

/// Writes an outbox entry's optional fields as JSON (`outbox.details`), and reads them.
///
/// The form has a number. An entry in a form that isn't known here isn't dropped: it's set aside,
/// and says so.
enum EntryForm {
  /// The form that is written.
  static let current: Int64 = 1

  static func details(of entry: OutboxEntry) -> DocumentValue? {
    var members: [(String, DocumentValue)] = []
    switch entry.phase {
    case .waiting, .parked, .contested(nil): break
    case .sending(let order): members.append(("sending", written(order)))
    case .contested(let refusal?): members.append(("refusal", written(refusal)))
    case .setAside(.refused(let refusal)): members.append(("refusal", written(refusal)))
    case .setAside(.madeAs(let key)): members.append(("madeAs", DocumentValue(key.text)))
    case .setAside(.mayBeMade): members.append(("mayBeMade", true))
    case .setAside(.outrun(let rounds)): members.append(("outrun", DocumentValue(rounds)))
    case .setAside(.unknownForm(let form)): members.append(("form", DocumentValue(form)))
    }
    if !entry.unanswered.isEmpty {
      let orders = DocumentValue(joining: entry.unanswered.map(written))
      members.append(("unanswered", orders))
    }
    if let order = entry.lastOrder { members.append(("last", written(order))) }
    switch entry.tombstone {
    case .none: break
    case .at(let version):
      members.append(("burial", version.map { DocumentValue($0.text) } ?? .null))
    }
    if entry.tries != 0 { members.append(("tries", DocumentValue(entry.tries))) }
    if entry.rounds != 0 { members.append(("rounds", DocumentValue(entry.rounds))) }
    switch entry.batchShare {
    case .any: break
    case .atMost(let count): members.append(("company", DocumentValue(count)))
    case .last: members.append(("company", DocumentValue("last")))
    }
    return members.isEmpty ? nil : object(members)
  }

  private static func written(_ order: SendOrder) -> DocumentValue {
    let (kind, base): (String, DocumentVersion?) =
      switch order.kind {
      case .create: ("create", nil)
      case .update(let base): ("update", base)
      case .delete(let base): ("delete", base)
      case .look: ("look", nil)
      }
    let members = [("revision", DocumentValue(order.revision.number)), ("kind", .init(kind))]
    return object(
      members + (base.map { [("base", DocumentValue($0.text))] } ?? [])
        + (order.isKeyless ? [("keyless", true)] : []))
  }

  private static func written(_ refusal: Refusal) -> DocumentValue {
    object([("status", DocumentValue(refusal.status)), ("words", DocumentValue(refusal.words))])
  }

  private static func object(_ members: [(String, DocumentValue)]) -> DocumentValue {
    DocumentValue(joining: members.map { ObjectMember(name: .init($0), value: $1) })
  }
}

extension EntryForm {
  /// What is thrown for details that aren't what this program writes.
  private static let unknown = DocumentProblem.notADocument

  /// Completes an entry by its details.
  ///
  /// - Parameters:
  ///   - phase: the name of where it is.
  ///   - form: the form in which the details are written.
  static func complete(
    _ entry: inout OutboxEntry, phase: String, form: Int64, details: DocumentValue?
  ) {
    var read = entry
    do {
      guard form == current else { throw Self.unknown }
      let details = details ?? [:]
      read.phase = try self.phase(phase, details)
      read.unanswered = try details["unanswered"]?.elements?.map(order) ?? []
      read.lastOrder = try details["last"].map(order)
      if let tombstone = details["burial"] {
        read.tombstone = .at(tombstone.string.map { DocumentVersion($0) })
      }
      read.tries = try count(details["tries"]) ?? 0
      read.rounds = try count(details["rounds"]) ?? 0
      read.batchShare = try batchShare(details)
      entry = read
    } catch {
      entry.phase = .setAside(.unknownForm(form))
    }
  }

  static func name(of phase: OutboxEntry.Phase) -> String {
    switch phase {
    case .waiting: "waiting"
    case .sending: "sending"
    case .contested: "contested"
    case .parked: "parked"
    case .setAside: "setAside"
    }
  }

  /// With how many others an entry is sent.
  static func batchShare(form: Int64, _ details: DocumentValue?) -> BatchShare {
    guard form == current, let details else { return .any }
    return (try? batchShare(details)) ?? .any
  }

  private static func batchShare(_ details: DocumentValue) throws(DocumentProblem) -> BatchShare {
    guard let batchShare = details["company"] else { return .any }
    return try batchShare.string == "last" ? .last : .atMost(count(batchShare) ?? 1)
  }

  private static func phase(
    _ name: String, _ details: DocumentValue
  ) throws(DocumentProblem) -> OutboxEntry.Phase {
    switch name {
    case "waiting": return .waiting
    case "parked": return .parked
    case "sending": if let sending = details["sending"] { return .sending(try order(sending)) }
    case "contested": return .contested(try details["refusal"].map(refusal))
    case "setAside":
      if let words = details["refusal"] { return .setAside(.refused(try refusal(words))) }
      if let key = details["madeAs"]?.string { return .setAside(.madeAs(DocumentID(key))) }
      if details["mayBeMade"] != nil { return .setAside(.mayBeMade) }
      if let rounds = try count(details["outrun"]) { return .setAside(.outrun(rounds: rounds)) }
      if let form = details["form"]?.integer { return .setAside(.unknownForm(form)) }
    default: break
    }
    throw Self.unknown
  }

  private static func order(_ value: DocumentValue) throws(DocumentProblem) -> SendOrder {
    guard let revision = value["revision"]?.integer else { throw Self.unknown }
    let base = value["base"]?.string.map { DocumentVersion($0) }
    let kind: SendOrder.Kind
    switch (value["kind"]?.string, base) {
    case ("create", nil): kind = .create
    case ("update", let base?): kind = .update(base)
    case ("delete", let base?): kind = .delete(base)
    case ("look", nil): kind = .look
    default: throw Self.unknown
    }
    return SendOrder(
      revision: Revision(revision), kind: kind, isKeyless: value["keyless"] != nil)
  }

  private static func refusal(_ value: DocumentValue) throws(DocumentProblem) -> Refusal {
    guard let status = try count(value["status"]), let words = value["words"]?.string else {
      throw Self.unknown
    }
    return Refusal(status: status, words: words)
  }

  private static func count(_ value: DocumentValue?) throws(DocumentProblem) -> Int? {
    guard let value else { return nil }
    guard let count = value.integer.flatMap({ Int(exactly: $0) }) else { throw Self.unknown }
    return count
  }
}

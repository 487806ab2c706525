import SyncDatabase
import SyncText

/// Tells a source, and what is made of it, from all others: a digest of the address, the table,
/// what may be done, and the schema. What of that changes makes everything be fetched.
struct SourceFingerprint {
  private var parts: [String] = ["1"]

  /// `nil` where nothing may be remembered: a condition may hold for other rows tomorrow.
  init?(
    _ address: RecordAddress, _ form: RecordPayload.Form, _ table: String, _ options: RecordOptions
  ) {
    guard address.remembers, !options.isPlan, options.scope?.condition == nil else { return nil }
    parts += [address.url, address.next?.text ?? "", "\(form)", table]
    parts.append("\(options.operations.rawValue) \(options.isStrict) \(options.creates)")
    parts.append(options.scope?.parent.map { "\($0)" } ?? "")
    parts += address.access.headers.flatMap { [$0.name, $0.value] }
    parts += [address.access.tokenFile ?? "", address.access.certificateFile ?? ""]
  }

  /// Takes the tables' declarations, and what was said besides them.
  mutating func add(_ overrides: SchemaOverrides, _ connection: Connection) throws {
    parts += overrides.acronyms + ["\(overrides.remembersUnresolved)"]
    for (name, table) in overrides.tables.sorted(by: { $0.key < $1.key }) {
      parts += [name] + (table.key ?? []) + [table.position ?? "", table.edits ?? ""]
      parts.append(table.unknown.map { "\($0)" } ?? "")
      for (name, column) in table.columns.sorted(by: { $0.key < $1.key }) {
        var plain = column
        plain.transform = nil
        parts += [name, "\(plain)", column.transform?.name ?? ""]
      }
      for (name, relation) in table.relations.sorted(by: { $0.key < $1.key }) {
        parts += [name, "\(relation)"]
      }
    }
    try connection.query(
      "SELECT sql FROM sqlite_schema WHERE name NOT GLOB 'recordsync_*' ORDER BY type, name",
      values: []
    ) { row in
      parts.append(try row.optionalText("sql") ?? "")
    }
  }

  /// The digest. Nobody can tell an address, or a secret, from it.
  var text: String {
    var hasher = SHA256Hasher()
    for part in parts {
      Array("\(part.utf8.count):\(part)".utf8).withUnsafeBytes { hasher.update($0) }
    }
    return hasher.finish().description
  }
}

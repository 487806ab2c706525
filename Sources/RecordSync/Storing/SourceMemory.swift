import SyncDatabase
import SyncText

/// What servers said of payloads when they were synced, in a table that is made when needed.
struct SourceMemory {
  struct Entry: Equatable {
    var validators: PageValidators
    /// What the tables held when the sync had ended.
    var content: String
  }

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  func entry(of fingerprint: String) throws -> Entry? {
    guard try exists() else { return nil }
    return try connection.row(
      "SELECT etag, last_modified, content FROM recordsync_sources WHERE fingerprint = ?1",
      fingerprint
    ) { row in
      Entry(
        validators: PageValidators(
          etag: try row.optionalText("etag"), lastModified: try row.optionalText("last_modified")),
        content: try row.text("content"))
    }
  }

  /// Replaces what is remembered; with `nil`, forgets it. Within a transaction.
  func setEntry(_ entry: Entry?, of fingerprint: String) throws {
    guard let entry else {
      if try exists() {
        try connection.run("DELETE FROM recordsync_sources WHERE fingerprint = ?1", fingerprint)
      }
      return
    }
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS recordsync_sources (
        fingerprint TEXT NOT NULL PRIMARY KEY,
        etag TEXT,
        last_modified TEXT,
        content TEXT NOT NULL
      ) WITHOUT ROWID
      """)
    try connection.run(
      """
      INSERT INTO recordsync_sources (fingerprint, etag, last_modified, content)
      VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET
        etag = excluded.etag, last_modified = excluded.last_modified, content = excluded.content
      """, fingerprint, entry.validators.etag, entry.validators.lastModified, entry.content)
  }

  private func exists() throws -> Bool { try connection.hasTable("recordsync_sources") }
}

/// Tells a source, and what is made of it, from all others: a digest of the address, the table,
/// what may be done, and the schema. What of that changes makes everything be fetched.
struct SourceFingerprint {
  /// First the version of what is remembered: 1 took the first of several pages for all of them.
  private var parts: [String] = ["2"]

  /// `nil` where nothing may be remembered: a condition may hold for other rows tomorrow.
  init?(
    _ address: RecordAddress, _ payload: RecordPayload, _ table: String, _ options: RecordOptions
  ) {
    guard address.remembers, !options.isPlan, options.scope?.condition == nil else { return nil }
    parts += [address.url, "\(address.paging) \(address.endsWithoutNext)", table]
    parts.append("\(payload.form)")
    parts.append(payload.deleted.map { "\($0)" } ?? "")
    parts.append("\(options.operations.rawValue) \(options.isStrict) \(options.creates)")
    parts.append(options.scope?.parent.map { "\($0)" } ?? "")
    parts += address.access.headers.flatMap { [$0.name, $0.value] }
    parts += [address.access.tokenFile ?? "", address.access.certificateFile ?? ""]
  }

  /// Takes the tables' declarations, and what was said besides them.
  mutating func add(_ overrides: SchemaOverrides, _ connection: Connection) throws {
    parts += overrides.acronyms + ["\(overrides.remembersUnresolved)"]
    if let mark = overrides.deletedAt { parts.append("deletedAt \(mark)") }
    for (name, table) in overrides.tables.sorted(by: { $0.key < $1.key }) {
      parts += [name] + (table.key ?? []) + [table.position ?? "", table.edits ?? ""]
      parts.append(table.unknown.map { "\($0)" } ?? "")
      if let mark = table.deletedAt { parts.append("deletedAt \(mark)") }
      for (name, column) in table.columns.sorted(by: { $0.key < $1.key }) {
        var plain = column
        plain.transform = nil
        parts += [name, "\(plain)", column.transform?.name ?? ""]
      }
      for (name, relation) in table.relations.sorted(by: { $0.key < $1.key }) {
        parts += [name, "\(relation)"]
      }
    }
    let histories = try HistoryNames.all(in: connection)
    try connection.query(
      """
      SELECT sql, tbl_name FROM sqlite_schema WHERE name NOT GLOB 'recordsync_*'
      ORDER BY type, name
      """, values: []
    ) { row in
      guard try !histories.contains(row.text("tbl_name").asciiLowercased) else { return }
      parts.append(try row.optionalText("sql") ?? "")
    }
    parts += MadeNames.content(of: try DeclaredTable.all(in: connection))
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

/// That the server says its payload is as it was doesn't tell that the tables still are as that
/// payload made them: somebody may have written to them since. So what they held is remembered
/// beside what the server said, as a digest, and they are looked at before the server is asked.
/// Only where nothing has changed here may it answer that nothing has changed there.
extension RecordRun {
  /// What the server may be asked by, instead of for everything.
  func validators(of fingerprint: String) throws -> PageValidators? {
    guard let entry = try SourceMemory(connection).entry(of: fingerprint) else { return nil }
    return try entry.content == contentDigest() ? entry.validators : nil
  }

  /// What is to be remembered of a payload that was synced. Where rows were refused, references
  /// led nowhere, or values and objects weren't kept, that has to be told again next time.
  func entry(for payload: LoadedPayload, _ report: RecordReport) throws -> SourceMemory.Entry? {
    let isSettled = report.tables.values.allSatisfy {
      $0.refused.isEmpty && $0.unresolved.isEmpty && $0.mismatched.isEmpty && $0.skipped == 0
        && $0.parts.isEmpty
    }
    guard isSettled, notes?.leftOut.isEmpty ?? true, let validators = payload.validators else {
      return nil
    }
    return SourceMemory.Entry(validators: validators, content: try contentDigest())
  }

  /// Remembers a payload that changed nothing, unless that is remembered.
  func remember(_ payload: LoadedPayload, _ entry: SourceMemory.Entry?) throws {
    let memory = SourceMemory(connection)
    guard let fingerprint = payload.fingerprint, try memory.entry(of: fingerprint) != entry else {
      return
    }
    try connection.transaction { try memory.setEntry(entry, of: fingerprint) }
  }

  /// A digest of all rows of the tables that a payload of this table can reach.
  private func contentDigest() throws -> String {
    var digest = ContentDigest()
    for place in schema.tablesReached(from: table) {
      let access = try TableAccess(schema.tables[place])
      digest.begin(schema.tables[place].name)
      var count = 0
      try connection.query(access.all, values: []) { row in
        digest.add(try FoundRow(row, access).values)
        count += 1
        if count.isMultiple(of: 1_000) { try Task.checkCancellation() }
      }
    }
    return digest.finish()
  }
}

extension RecordSchema {
  /// The tables in which a payload of one may change rows, that one first.
  func tablesReached(from table: Int) -> [Int] {
    var reached = [table]
    var next = 0
    while next < reached.count {
      let schema = tables[reached[next]]
      next += 1
      let others =
        schema.relations.flatMap { [$0.kind.through, $0.kind.table].compactMap { $0 } }
        + schema.foreignKeys.map(\.table) + schema.extensions + (schema.base.map { [$0] } ?? [])
      for other in others where !reached.contains(other) { reached.append(other) }
    }
    return reached
  }
}

/// A digest of rows, one value after the other with its type and length.
private struct ContentDigest: ~Copyable {
  private var hasher = SHA256Hasher()
  private var buffer: [UInt8] = []

  init() {}

  mutating func begin(_ table: String) {
    add(tag: 9, Array(table.utf8))
  }

  mutating func add(_ values: [StoredValue?]) {
    for value in values {
      switch value {
      case nil: buffer.append(0)
      case .integer(let number)?: add(tag: 1, UInt64(bitPattern: number))
      case .real(let number)?: add(tag: 2, number.bitPattern)
      case .text(let text)?: add(tag: 3, text.utf8)
      case .blob(let bytes)?: add(tag: 4, bytes)
      }
    }
    if buffer.count > 1 << 16 { flush() }
  }

  private mutating func add(tag: UInt8, _ bytes: some Collection<UInt8>) {
    add(tag: tag, UInt64(bytes.count))
    buffer += bytes
  }

  private mutating func add(tag: UInt8, _ number: UInt64) {
    buffer.append(tag)
    for shift in stride(from: 0, to: 64, by: 8) {
      buffer.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  private mutating func flush() {
    buffer.withUnsafeBytes { hasher.update($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  consuming func finish() -> String {
    flush()
    return hasher.finish().description
  }
}
